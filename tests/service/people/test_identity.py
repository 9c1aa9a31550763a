"""Who may act for a seat: policies, orders from elsewhere, aliases, another address, revoked secrets."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sqlmodel import select

from moderator.adapters.mail.maildir import folder_for, open_folder
from moderator.adapters.tables import AliasRow, OutboxRow, PendingRow
from moderator.service.people.address_change import sweep_pending
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")

ANN, AWAY = "ann@players.example", "ann@holiday.example"
PASSED = "mx.example.org; dmarc=pass header.from={}"
FAILED = "mx.example.org; dmarc=fail header.from={}"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def under(service: Service, **changed: Any) -> Service:
    """The service with other settings."""
    settings = service.desk.settings.model_copy(update={"authserv_id": "mx.example.org", **changed})
    return replace(service, desk=replace(service.desk, settings=settings))


def write(
    service: Service, text: str, *, sender: str = ANN, to: str = "", results: str = "", player: str = "Ann"
) -> list[Letter]:
    """A mail from ``sender`` to a player's present address; what the player gets for it. ``results`` is what our server
    writes above it, with ``{}`` for the sender's domain."""
    recipient = to or service.address(player)
    content = mail(text, sender=sender, to=recipient)
    if results:
        said = results.format(sender.rpartition("@")[2])
        content = f"Authentication-Results: {said}\r\nReceived: from x by mx.example.org; x\r\n".encode() + content
    before = len(service.letters(player))
    service.send(content, recipient, sender)
    service.run()
    return service.letters(player)[before:]


def pendings(service: Service) -> list[tuple[str, str]]:
    with service.session() as session:
        return [(row.kind, row.state) for row in session.exec(select(PendingRow).order_by(PendingRow.created_at)).all()]  # type: ignore[arg-type]


def written_to(service: Service) -> set[str]:
    with service.session() as session:
        return set(session.exec(select(OutboxRow.recipient)).all())


# ---- orders from elsewhere


@pytest.mark.fault(37)
def test_orders_from_elsewhere_wait_for_the_address_of_record(service: Service, game: str) -> None:
    asked = write(service, "open TSR 25", sender=AWAY)
    assert service.outcomes() == ["unconfirmed"] and service.log(game) == []
    assert [letter.kind for letter in asked] == ["notice"]
    text = " ".join(asked[0].text.split())
    assert "from ann@holiday.example" in text and "this order: `open TSR 25`" in text
    assert "+confirm." in asked[0].reply_to and "token" not in text
    told = write(service, "Yes.", sender=ANN)
    assert service.log(game) == ["Ann: open TSR 25"] and service.outcomes()[-1] == "applied"
    assert "Confirmed from your address" in told[0].text
    assert service.mailbox(AWAY) == []
    with service.session() as session:
        assert [row.mail for row in session.exec(select(PendingRow)).all()] == [1]


@pytest.mark.fault(37)
def test_a_confirmation_counts_once_and_a_no_ends_it(service: Service, game: str) -> None:
    write(service, "open TSR 25", sender=AWAY)
    ask = service.address("Ann")
    assert "Nothing was changed" in write(service, "no\n\n> quoted", to=ask)[0].text
    assert "comes too late" in write(service, "yes", to=ask)[0].text
    assert service.outcomes() == ["unconfirmed", "declined", "stale"] and service.log(game) == []


@pytest.mark.fault(37)
@pytest.mark.parametrize(
    "text", ["", "Thanks, I am away until Monday", "> yes", "not yes", "yesterday", "open TSR 25", "y n"]
)
def test_what_is_neither_yes_nor_no(service: Service, game: str, text: str) -> None:
    write(service, "open TSR 25", sender=AWAY)
    ask = service.address("Ann")
    told = write(service, text, to=ask)
    assert service.log(game) == [] and "`yes` or `no`" in told[0].text
    assert told[0].reply_to == ask
    write(service, "yes", to=ask)
    assert service.log(game) == ["Ann: open TSR 25"]


def test_a_confirmation_that_comes_too_late_changes_nothing(service: Service, game: str) -> None:
    write(service, "open TSR 25", sender=AWAY)
    ask = service.address("Ann")
    write(service, "open TSR 30", to=service.address("Ann", "turn"))
    write(service, "yes", to=ask)
    assert service.outcomes()[-1] == "stale" and service.log(game) == ["Ann: open TSR 30"]
    write(service, "bid 35", sender=AWAY, player="Bob")
    service.clock.pass_by(hours=73)
    sweep_pending(service.desk)
    assert sorted(pendings(service)) == [("orders", "confirmed"), ("orders", "lapsed")]


def test_reading_from_elsewhere_is_answered_at_the_address_of_record(service: Service, game: str) -> None:
    for text, outcome in (("show position", "shown"), ("help", "helped"), ("check\nopen TSR 25", "checked")):
        assert [letter.kind for letter in write(service, text, sender=AWAY)] == [
            "help" if text == "help" else "transcript"
        ]
        assert service.outcomes()[-1] == outcome
    assert service.log(game) == [] and service.mailbox(AWAY) == [] and pendings(service) == []


@pytest.mark.parametrize("text", ["withdraw", "notify all", "alias x@y.example", "revoke", "show map\nwithdraw all"])
def test_words_that_change_something_wait_as_well(service: Service, game: str, text: str) -> None:
    old = service.address("Ann")
    write(service, text, sender=AWAY)
    assert service.outcomes() == ["unconfirmed"] and service.seat(game, "Ann").notify == "turn"
    write(service, "open TSR 25", to=old)
    assert service.log(game) == ["Ann: open TSR 25"]


def test_what_cannot_be_done_is_not_asked_about(service: Service, game: str) -> None:
    for text, outcome in (("open TSR 1", "refused"), ("opne TSR 25", "unreadable")):
        write(service, text, sender=AWAY)
        assert service.outcomes()[-1] == outcome
    assert pendings(service) == []


def test_a_mailbox_is_not_filled_with_questions(service: Service, game: str) -> None:
    to = service.address("Ann")
    before = len(service.letters("Ann"))
    for number in range(15):
        write(service, f"open TSR {25 + 5 * number}", sender=AWAY, to=to)
    assert len(service.letters("Ann")) - before == service.desk.settings.confirmations_per_day
    assert set(service.outcomes()) == {"unconfirmed"}


@pytest.mark.fault(50)
def test_a_foreign_mail_that_came_first_does_not_make_the_player_s_own_a_second_one(
    service: Service, game: str
) -> None:
    to = service.address("Ann")
    for sender in (AWAY, ANN):
        service.send(mail("open TSR 25", sender=sender, to=to, message_id="<same@x.example>"), to)
        service.run()
    assert service.outcomes() == ["unconfirmed", "applied"]


# ---- proof


@pytest.mark.fault(34)
@pytest.mark.parametrize(
    ("identity", "results", "outcome"),
    [
        ("token", "", "applied"),
        ("token", PASSED, "applied"),
        ("token", FAILED, "unconfirmed"),
        ("token+authenticated", PASSED, "applied"),
        ("token+authenticated", "", "unconfirmed"),
        ("token+authenticated", FAILED, "unconfirmed"),
        ("token+authenticated", "other.example; dmarc=pass header.from={}", "unconfirmed"),
    ],
)
def test_the_policies(service: Service, game: str, identity: str, results: str, outcome: str) -> None:
    service = under(service, identity=identity)
    write(service, "open TSR 25", results=results)
    assert service.outcomes() == [outcome]
    assert service.log(game) == (["Ann: open TSR 25"] if outcome == "applied" else [])


@pytest.mark.fault(34)
def test_where_proof_is_asked_for_a_confirmation_needs_it_too(service: Service, game: str) -> None:
    service = under(service, identity="token+authenticated")
    write(service, "open TSR 25", results=FAILED)
    ask = service.address("Ann")
    told = write(service, "yes", to=ask)
    assert "without proof" in told[0].text and service.log(game) == []
    write(service, "yes", to=ask, sender=AWAY, results=PASSED)
    assert service.log(game) == []
    write(service, "yes", to=ask, results=PASSED)
    assert service.log(game) == ["Ann: open TSR 25"]


# ---- aliases


def has_alias(service: Service) -> bool:
    with service.session() as session:
        row = session.get(AliasRow, (AWAY, ANN))
        return row is not None and row.confirmed_at is not None


@pytest.mark.fault(39)
def test_an_alias_is_confirmed_by_both_addresses(service: Service, game: str) -> None:
    turn = service.address("Ann")
    write(service, f"alias {AWAY}")
    assert service.mailbox(AWAY) == []  # nobody is written to before the address of record has agreed
    ask = next(m.reply_to for m in service.letters("Ann") if "+confirm." in m.reply_to)
    write(service, "yes", to=ask)
    other = service.mailbox(AWAY)
    assert [letter.kind for letter in other] == ["notice"] and not has_alias(service)
    write(service, "yes", sender=AWAY, to=other[0].reply_to)
    assert has_alias(service)
    assert "you may write from there" not in service.mailbox(AWAY)[-1].text
    told = write(service, "open TSR 25", sender="Ann@Holiday.Example", to=turn)
    assert service.log(game) == ["Ann: open TSR 25"]
    assert "one of your addresses" in told[0].text  # the copy at the address of record says so
    assert len(service.mailbox(AWAY)) == 1


@pytest.mark.fault(39)
def test_an_alias_is_listed_and_removed(service: Service, game: str) -> None:
    turn = service.address("Ann")
    with service.session() as session, session.begin():
        session.add(
            AliasRow(address=AWAY, record=ANN, created_at=service.clock.now(), confirmed_at=service.clock.now())
        )
    assert AWAY in write(service, "alias", to=turn)[0].text
    assert "no longer one of your addresses" in write(service, f"alias remove {AWAY}", to=turn)[0].text
    write(service, "open TSR 25", sender=AWAY, to=turn)
    assert service.outcomes()[-1] == "unconfirmed"


@pytest.mark.fault(39)
def test_the_yes_of_the_record_is_not_that_of_the_other(service: Service, game: str) -> None:
    write(service, f"alias {AWAY}")
    ask = next(m.reply_to for m in service.letters("Ann") if "+confirm." in m.reply_to)
    write(service, "yes", to=ask)
    write(service, "yes", to=ask)
    assert not has_alias(service)


def test_aliases_have_a_limit_and_are_addresses(service: Service, game: str) -> None:
    turn = service.address("Ann")
    service = under(service, most_aliases=0)
    assert "at most" in write(service, f"alias {AWAY}", to=turn)[0].text
    assert "is already one of your addresses" in write(service, f"alias {ANN}", to=turn)[0].text
    assert "is not a valid mail address" in write(service, "alias railpost@example.org", to=turn)[0].text
    assert written_to(service) <= {f"{n}@players.example" for n in ("ann", "bob", "cat")}


# ---- another address of record

NEW = "ann@new.example"


@pytest.mark.fault(40)
def test_a_new_address_takes_effect_after_a_delay(service: Service, game: str) -> None:
    service = under(service)
    turn = service.address("Ann")
    write(service, f"address {NEW}", results=PASSED)
    assert any("new.example" in letter.text for letter in service.mailbox("master@example.net"))
    service.clock.pass_by(hours=71)
    assert sweep_pending(service.desk) == 0
    service.clock.pass_by(hours=2)
    assert sweep_pending(service.desk) == 1
    service.run()
    assert service.seat(game, "Ann").address == NEW
    assert sorted(letter.kind for letter in service.mailbox(NEW)) == ["notice", "turn"]
    assert "goes to another address" in service.letters("Ann")[-1].text
    assert "has another address" in service.letters("Bob")[-1].text and NEW not in service.letters("Bob")[-1].text
    write(service, "open TSR 25", to=turn)  # the old address and all that was sent there opens nothing
    assert service.log(game) == [] and service.outcomes()[-1] == "wrong_token"
    address = next(letter.reply_to for letter in service.mailbox(NEW) if letter.kind == "turn")
    write(service, "open TSR 25", sender=NEW, to=address)
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(40)
def test_the_old_address_can_stop_it(service: Service, game: str) -> None:
    service = under(service)
    write(service, f"address {NEW}", results=PASSED)
    ask = next(m.reply_to for m in service.letters("Ann") if "+confirm." in m.reply_to)
    write(service, "no", to=ask, results=PASSED)
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    assert service.seat(game, "Ann").address == ANN and pendings(service) == [("address", "refused")]


@pytest.mark.fault(40)
def test_asked_from_the_new_address_the_old_one_must_agree(service: Service, game: str) -> None:
    turn = service.address("Ann")
    write(service, f"address {NEW}", sender=NEW)
    assert any("new.example" in letter.text for letter in service.mailbox("master@example.net"))
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    assert service.seat(game, "Ann").address == ANN and pendings(service) == [("address", "lapsed")]
    service.run()
    assert "railpost seat address" in service.mailbox("master@example.net")[-1].text
    write(service, f"address {NEW}", sender=NEW, to=turn)
    ask = [m.reply_to for m in service.letters("Ann") if "+confirm." in m.reply_to][-1]
    write(service, "yes", to=ask)
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    assert service.seat(game, "Ann").address == NEW
    assert service.mailbox(NEW) == []


@pytest.mark.fault(40)
@pytest.mark.parametrize("identity", ["token", "token+authenticated"])
def test_a_dead_old_address_must_agree_too_or_the_operator(service: Service, game: str, identity: str) -> None:
    """Reports that make a seat unreachable can be forged: they are no reason to send its mail elsewhere."""
    service = under(service, identity=identity)
    turn = service.address("Ann")
    with service.session() as session, session.begin():
        session.merge(service.seat(game, "Ann")).unreachable_at = service.clock.now()
    write(service, f"address {NEW}", sender=NEW, to=turn, results=PASSED)
    assert "in another way" in service.mailbox("master@example.net")[-1].text
    service.clock.pass_by(hours=100)
    sweep_pending(service.desk)
    service.run()
    assert service.seat(game, "Ann").address == ANN and service.mailbox(NEW) == []
    assert pendings(service) == [("address", "lapsed")]


# ---- secrets that came into wrong hands


@pytest.mark.fault(38)
@pytest.mark.parametrize("word", ["revoke", "new address"])
def test_revoked_secrets_open_nothing(service: Service, game: str, word: str) -> None:
    old = service.address("Ann")
    told = write(service, word)
    assert told[0].reply_to != old and "older secret addresses" in told[0].text
    write(service, "open TSR 25", to=old)
    assert service.outcomes() == ["notified", "wrong_token"] and service.log(game) == []
    write(service, "open TSR 25", to=told[0].reply_to)
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(38)
def test_what_waited_with_a_revoked_secret_is_gone(service: Service, game: str) -> None:
    turn = service.address("Ann")
    write(service, "open TSR 25", sender=AWAY)
    ask = service.address("Ann")
    write(service, "revoke", to=turn)
    write(service, "yes", to=ask)
    assert service.log(game) == []


@pytest.mark.fault(38)
def test_check_revokes_nothing(service: Service, game: str) -> None:
    old = service.address("Ann")
    write(service, "check\nrevoke")
    write(service, "open TSR 25", to=old)
    assert service.log(game) == ["Ann: open TSR 25"]


# ---- strangers, and what is written to whom


@pytest.mark.fault(46)
def test_nobody_is_written_to_whose_name_was_forged(service: Service, game: str) -> None:
    service = under(service)
    write(service, "hello", sender="victim@third.example", to="railpost@example.org", results=FAILED)
    assert service.outcomes() == ["unknown_sender"] and service.mailbox("victim@third.example") == []
    write(service, "hello", sender="victim@third.example", to="railpost@example.org", results="mx.example.org; none")
    assert [letter.kind for letter in service.mailbox("victim@third.example")] == ["stranger"]


@pytest.mark.fault(46)
def test_the_operator_sees_why_a_stranger_was_not_answered(service: Service, game: str) -> None:
    content = mail("hello", sender="new@third.example", to="railpost@example.org")
    folder = open_folder(folder_for(service.desk.settings.mail_folder, "railpost@example.org"))
    folder.add(content)  # as a mail program saves it: no server has written a return path
    write(service, "hello", sender="new@third.example", to="railpost@example.org")
    write(service, "hello again", sender="new@third.example", to="railpost@example.org")
    service.run()
    first, second, third = service.details()
    assert (first, second) == ("not answered: it has no return path", "")
    assert third == "not answered: the sender, or strangers together, had their answers"


@pytest.mark.fault(42)
def test_what_asks_for_a_confirmation_has_no_link_that_a_scanner_could_open(service: Service, game: str) -> None:
    """Programs that fetch the links of a mail agree to nothing: its links only open an answer, which must be sent."""
    asked = write(service, "open TSR 25", sender=AWAY)[0]
    assert "http" not in asked.text and "http" not in asked.html
    links = re.findall(r'href="([^"]*)"', asked.html)
    assert [unquote(link).partition("&amp;body=")[2] for link in links] == ["yes", "no"]
    assert all(unquote(link).startswith(f"mailto:{asked.reply_to}?") for link in links)


@pytest.mark.fault(34)
def test_an_address_that_once_proved_itself_must_go_on_doing_so(service: Service, game: str) -> None:
    service = under(service)
    to = service.address("Ann")
    write(service, "show position", to=to, results=PASSED)
    write(service, "open TSR 25", to=to, results="mx.example.org; spf=none; dkim=none")
    write(service, "open TSR 25", to=to)
    assert service.outcomes() == ["shown", "unconfirmed", "unconfirmed"] and service.log(game) == []
    write(service, "open TSR 30", to=to, results=PASSED)
    assert service.log(game) == ["Ann: open TSR 30"]


@pytest.mark.fault(34, 38)
@pytest.mark.parametrize("more", ["", "Cc: {}\r\n", "To: {}\r\n", "X-Original-To: {}\r\n"])
def test_a_mail_that_somebody_sends_once_more_orders_nothing(service: Service, game: str, more: str) -> None:
    """Its signature is still good: it says who wrote it, and not where to."""
    service = under(service, identity="token+authenticated")
    old = service.address("Ann")
    passed = b"Authentication-Results: mx.example.org; dmarc=pass header.from=players.example\r\n"
    content = mail("pass", to=old)
    service.send(passed + content, old)
    service.run()
    for player in ("Bob", "Cat"):
        write(service, "pass", sender=f"{player.lower()}@players.example", results=PASSED, player=player)
    log, now = service.log(game), service.address("Ann")
    assert len(log) == 3 and now != old
    service.send(passed + f"Delivered-To: {now}\r\n{more.format(now)}".encode() + content, now, "forger@evil.example")
    service.run()
    assert service.log(game) == log and service.outcomes()[-1] in ("unconfirmed", "duplicate", "stale")
