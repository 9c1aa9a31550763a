"""The service among real servers: Postfix takes its mail and delivers to it, Dovecot keeps the mailboxes."""

from __future__ import annotations

import smtplib
import time
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from itertools import count
from pathlib import Path

import pytest
from imapclient import IMAPClient
from typer.testing import CliRunner

from moderator.adapters.mail.imap import ImapIntake
from moderator.domain.ports import Lying
from moderator.entrypoints.cli import app
from tests.kit.mail_system import AUTHSERV_ID, PASSWORD, MailSystem, Verdict
from tests.kit.mail_system.player import Player
from tests.kit.mail_system.service import RealService, configuration, server_settings
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import mail

_NUMBERS = count(1)


@pytest.fixture
def service(mail_system: MailSystem, tmp_path: Path) -> Iterator[RealService]:
    with RealService(mail_system, tmp_path) as running:
        yield running


@pytest.fixture
def players(mail_system: MailSystem) -> Iterator[list[Player]]:
    number = next(_NUMBERS)
    three = [Player(mail_system, f"{name}{number}@players.example") for name in ("ann", "bob", "cat")]
    yield three
    for player in three:
        player.close()


@pytest.fixture
def asked(service: RealService, players: list[Player]) -> Player:
    """The player who is asked first in a new game; everybody has his first mails."""
    game = service.game(*(player.address for player in players))
    service.run()
    sent = Counter(row.recipient for row in service.outbox())
    for player in players:
        player.wait(sent[player.address])
    name = str(service.position(game).asked()[0].player).lower()
    return next(player for player in players if player.address.startswith(name))


def mailbox(service: RealService) -> IMAPClient:
    """The service's own mailbox, as somebody with a mail program has it."""
    client = IMAPClient("127.0.0.1", service.system.imap, ssl=False, timeout=PATIENCE)
    client.login(service.settings.imap_user, PASSWORD)
    client.select_folder("INBOX")
    return client


def folders(service: RealService) -> dict[str, int]:
    """How many messages are in each folder of the service's mailbox."""
    with mailbox(service) as client:
        return {
            name: client.folder_status(name, ["MESSAGES"])[b"MESSAGES"]
            for _, _, name in client.list_folders()
            if name != "Railpost"
        }


def until_sent(service: RealService) -> None:
    """Go round until nothing is queued: a server that was away is left alone for a moment."""
    until = time.monotonic() + PATIENCE
    while {row.state for row in service.outbox()} != {"sent"}:
        assert time.monotonic() < until, service.complaints
        time.sleep(0.1)
        service.run()


def test_an_order_by_smtp_is_decided_and_answered_in_the_players_mailbox(service: RealService, asked: Player) -> None:
    service.go_on()
    message_id, began = asked.write("pass")
    answer, there = asked.answer_to(message_id)
    assert answer.kind == "transcript"
    assert [row.outcome for row in service.mails()] == ["applied"]
    assert there - began < 5
    assert not service.complaints


@pytest.mark.fault(79)
def test_79_decided_mail_lies_in_the_folder_of_its_outcome(service: RealService, asked: Player) -> None:
    """Flags say nothing: a mail that somebody has looked at by hand is taken in all the same."""
    asked.write("pass")
    asked.write("show map")
    with mailbox(service) as client:
        while len(client.search("ALL")) < 2:
            time.sleep(0.05)
            client.noop()
        client.add_flags(client.search("ALL"), [rb"\Seen", rb"\Flagged"])
    rows = service.until_decided(2)
    assert sorted(str(row.outcome) for row in rows) == ["applied", "shown"]
    assert folders(service) == {"INBOX": 0, "Railpost.applied": 1, "Railpost.shown": 1}
    assert all(row.filed_at for row in service.mails())


@pytest.mark.fault(79)
def test_79_a_mail_that_is_put_back_by_hand_is_not_answered_again(service: RealService, asked: Player) -> None:
    asked.write("pass")
    service.until_decided(1)
    told = len(service.outbox())
    with mailbox(service) as client:
        client.select_folder("Railpost.applied")
        client.move(client.search("ALL"), "INBOX")
    rows = service.until_decided(2)
    assert [row.outcome for row in rows] == ["applied", "duplicate"]
    assert len(service.outbox()) == told


@pytest.mark.fault(57)
def test_57_a_mailbox_full_of_old_mail_begins_now(mail_system: MailSystem, tmp_path: Path) -> None:
    old = 2_000
    with IMAPClient("127.0.0.1", mail_system.imap, ssl=False, timeout=30) as client:
        client.login("attic@example.org", PASSWORD)
        client.multiappend("INBOX", [mail(f"old {number}", to="attic@example.org") for number in range(old)])
    with RealService(mail_system, tmp_path, mailbox="attic") as service:
        assert isinstance(service.intake, ImapIntake)
        assert service.intake.count() == Lying(old, 0)
        assert service.mails() == []
        with Player(mail_system, "new@players.example") as player:
            player.write("hello", to="attic@example.org")
            assert len(service.until_decided(1)) == 1
        assert folders(service)["INBOX"] == old
    with RealService(mail_system, tmp_path, mailbox="attic") as again:  # a restart does not begin anew
        assert len(again.mails()) == 1


@pytest.mark.fault(57)
def test_57_what_would_be_taken_is_told_before_anything_is(mail_system: MailSystem, tmp_path: Path) -> None:
    with Player(mail_system, "early@players.example") as player:
        player.write("one", to="loft@example.org")
        player.write("two", to="loft@example.org")
    with Player(mail_system, "loft@example.org") as loft:
        loft.wait(2)
    for since, wanted in (("start", 0), ("all", 2), ("2096-01-01", 0), ("2020-01-01", 2)):
        file = tmp_path / "railpost.toml"
        file.write_text(configuration({**server_settings(mail_system, tmp_path, "loft"), "mail_since": since}))
        done = CliRunner().invoke(app, ["--config", str(file), "mail", "waiting"])
        assert done.exit_code == 0, done.output
        assert f"INBOX: 2 mails; {wanted} would be taken (mail_since = {since})" in done.output


@pytest.mark.fault(57)
def test_57_old_mail_is_taken_when_it_is_asked_for(mail_system: MailSystem, tmp_path: Path) -> None:
    with IMAPClient("127.0.0.1", mail_system.imap, ssl=False, timeout=30) as client:
        client.login("cellar@example.org", PASSWORD)
        client.multiappend("INBOX", [mail(f"old {number}", to="cellar@example.org") for number in range(120)])
    with RealService(mail_system, tmp_path, mailbox="cellar", mail_since="all") as service:
        assert len(service.until_decided(120)) == 120
    with RealService(mail_system, tmp_path / "other", mailbox="cellar", mail_since="2026-01-01") as other:
        assert other.mails() == []


@pytest.mark.fault(22)
def test_22_only_the_head_of_a_huge_mail_is_fetched(service: RealService, asked: Player) -> None:
    content = mail("pass", sender=asked.address, to=asked.reply_to())
    told = len(asked.letters)
    asked.send(content + b"x" * 78 + b"\r\n" + (b"y" * 76 + b"\r\n") * 32_000, asked.reply_to())
    (row,) = service.until_decided(1)
    assert (row.outcome, len(row.content)) == ("too_large", 65_536)
    assert row.size > 2_400_000
    assert asked.wait(told + 1)[told].kind == "transcript"


@pytest.mark.fault(83)
def test_83_a_recipient_who_is_refused_concerns_nobody_else(service: RealService, players: list[Player]) -> None:
    service.game(players[0].address, "nobody@players.example", players[2].address)
    service.run()
    states = {row.recipient: row.state for row in service.outbox()}
    assert states.pop("nobody@players.example") == "failed"
    assert set(states.values()) == {"sent"}
    assert players[0].wait(1) and players[2].wait(1)


@pytest.mark.fault(81)
def test_81_a_login_that_is_refused_says_so_and_stops_the_batch(
    mail_system: MailSystem, service: RealService, players: list[Player]
) -> None:
    service.run()
    password = service.settings.smtp_password_file
    assert password is not None
    password.write_text("expired\n")
    assert isinstance(service.intake, ImapIntake)
    service.intake.close()
    service.game(*(player.address for player in players))
    service.complaints.clear()
    service.run()
    assert len(service.complaints) == 2  # one for the mailbox, one for the whole batch of mails
    assert "refuses our login" in service.complaints[0] and "refuses our login" in service.complaints[1]
    assert PASSWORD not in "".join(service.complaints) and "expired" not in "".join(service.complaints)
    assert {(row.state, row.attempts) for row in service.outbox()} == {("queued", 0)}
    password.write_text(PASSWORD + "\n")  # read again at the next login: no restart
    until_sent(service)


@pytest.mark.fault(76)
def test_76_the_mailbox_goes_away_and_comes_again(service: RealService, asked: Player) -> None:
    service.go_on()
    assert service.watcher is not None
    service.system.stop_imap()
    service.system.start_imap()
    again = Player(service.system, asked.address)
    again.look()
    try:
        message_id, _ = again.write("pass")
        assert again.answer_to(message_id)[0].kind == "transcript"
        assert service.watcher.watching.wait(20)
        assert service.watcher.connections >= 2
    finally:
        again.close()
    assert [row.outcome for row in service.mails()] == ["applied"]


@pytest.mark.fault(82)
def test_82_the_smtp_server_goes_away_and_comes_again(service: RealService, players: list[Player]) -> None:
    service.system.stop_smtp()
    try:
        service.game(*(player.address for player in players))
        service.run()
        assert {(row.state, row.attempts) for row in service.outbox()} == {("queued", 0)}
        assert "no mail can be sent" in service.complaints[-1]
    finally:
        service.system.start_smtp()
    until_sent(service)
    for player in players:
        player.wait(1)


def test_one_connection_serves_a_batch(service: RealService, players: list[Player]) -> None:
    from moderator.adapters.mail.smtp import SmtpOutlet

    service.game(*(player.address for player in players))
    service.run()
    assert isinstance(service.outlet, SmtpOutlet)
    assert service.outlet.connections == 1
    assert len({row.return_path for row in service.outbox()}) == len(service.outbox()) >= 3
    for player in players:
        sent = {row.return_path for row in service.outbox() if row.recipient == player.address}
        assert str(player.wait(1)[0].message["Return-Path"]).strip("<>") in sent


@pytest.mark.parametrize(
    ("imap", "imap_port", "smtp", "smtp_port"),
    [
        ("tls", "imaps", "starttls", "submission"),
        ("starttls", "imap", "tls", "submissions"),
        ("none", "imap", "none", "submission"),
    ],
)
def test_every_way_of_encryption(
    mail_system: MailSystem, tmp_path: Path, imap: str, imap_port: str, smtp: str, smtp_port: str
) -> None:
    ports = {"imap_port": getattr(mail_system, imap_port), "smtp_port": getattr(mail_system, smtp_port)}
    with (
        RealService(mail_system, tmp_path, imap_security=imap, smtp_security=smtp, **ports) as service,
        Player(mail_system, f"{imap}@players.example") as player,
    ):
        service.game(player.address, "bob-tls@players.example", "cat-tls@players.example")
        service.go_on()
        player.wait(1)
        message_id, _ = player.write("show map")
        assert player.answer_to(message_id)[0].kind == "transcript"
        assert not service.complaints


@pytest.mark.fault(81)
def test_81_a_server_that_cannot_prove_its_name_gets_no_password(mail_system: MailSystem, tmp_path: Path) -> None:
    """A mailbox that is taken whole has begun, so mails go out although it cannot be looked into."""
    with RealService(mail_system, tmp_path, tls_ca_file=None, mail_since="all") as service:
        service.game("ann@players.example", "bob@players.example", "cat@players.example")
        service.complaints.clear()
        time.sleep(0.6)
        service.run()
        assert [("certificate verify failed" in said) for said in service.complaints] == [True, True]
        assert {(row.state, row.attempts) for row in service.outbox()} == {("queued", 0)}


# ---- the filter of the tests themselves: what is said of identity hangs on it


def results(service: RealService) -> dict[str, str]:
    """The Authentication-Results of each mail in the service's mailbox, by its subject: Postfix delivers in parallel,
    so mails may arrive in another order than they were sent in."""
    wanted = "BODY.PEEK[HEADER.FIELDS (SUBJECT AUTHENTICATION-RESULTS)]"
    with mailbox(service) as client:
        found = client.fetch(client.search("ALL"), [wanted]).values()
    heads = [next(head for name, head in parts.items() if name.startswith(b"BODY")) for parts in found]
    messages = [message_from_bytes(head, policy=default) for head in heads]
    assert all(len(m.get_all("Authentication-Results", [])) == 1 for m in messages), "what others claim is removed"
    return {str(m["Subject"]): str(m["Authentication-Results"]) for m in messages}


def test_the_filter_removes_what_others_claim_and_writes_what_is_so(
    service: RealService, mail_system: MailSystem
) -> None:
    to = service.settings.address
    forged = {"Authentication-Results": f"{AUTHSERV_ID}; dmarc=pass header.from=players.example"}

    def claiming(subject: str) -> bytes:
        """A mail with Ann's address in From and a result made up."""
        return mail("pass", sender="ann@players.example", to=to, subject=subject, headers=forged)

    more = b"AUTHENTICATION-RESULTS: other.example;\r\n dmarc=pass\r\n"
    with Player(mail_system, "ann@players.example") as ann, Player(mail_system, "eve@players.example") as eve:
        ann.send(claiming("by Ann"), to)
        eve.send(more + claiming("by Eve"), to)
    mail_system.identities.hosts["relay.elsewhere.example"] = Verdict("pass", "fail", "pass")
    for name in ("somewhere.example", "relay.elsewhere.example"):
        with smtplib.SMTP("127.0.0.1", mail_system.smtp, local_hostname=name) as client:
            client.sendmail("ann@players.example", [to], more + claiming(f"from {name}"))
    until = time.monotonic() + PATIENCE
    while len(found := results(service)) < 4:
        assert time.monotonic() < until, found
        time.sleep(0.05)
    assert all(result.startswith(f"{AUTHSERV_ID};") for result in found.values())
    by_ann, by_eve = found["by Ann"], found["by Eve"]
    assert "dmarc=pass header.from=players.example" in by_ann and "smtp.auth=ann@players.example" in by_ann
    assert "dmarc=fail" in by_eve and "smtp.auth=eve@players.example" in by_eve
    assert "dmarc=fail" in found["from somewhere.example"] and "auth=" not in found["from somewhere.example"]
    assert "dkim=fail" in found["from relay.elsewhere.example"]
    assert "dmarc=pass" in found["from relay.elsewhere.example"]
