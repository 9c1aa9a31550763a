"""Who cannot be reached, who wants no mail; and what the others are told of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import BounceRow, OutboxRow, SeatRow
from moderator.domain.ports import Away, Never, NotNow, Outgoing
from moderator.service.people.reach import stop
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.post.delivery import send_due
from moderator.service.robots.bounces import refused
from moderator.service.robots.unsubscribe import unsubscribe
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.toy_service import PlainWords, Table, open_table

OWN = "railpost@example.org"

pytestmark = pytest.mark.usefixtures("each_database")


def back_path(table: Service, player: str = "Ann", number: int = -1) -> str:
    return str(table.letters(player)[number].message["Return-Path"]).strip("<>")


def returned(table: Service, player: str = "Ann", number: int = -1) -> str:
    """The header of a mail of ours, as reports give it back."""
    letter = table.letters(player)[number].message
    return f"Message-ID: {letter['Message-ID']}\nTo: {player.lower()}@players.example\nReply-To: {letter['Reply-To']}\n"


def bounce(table: Service, times: int = 1, code: str = "5.1.1", action: str = "failed") -> None:
    """So many mails to Ann come back, each of them another one."""
    for number in range(times):
        table.send(robot_mails.status(code=code, action=action, to=back_path(table, number=number)), return_path="")
        table.run()


def lose(table: Table, game: str) -> None:
    """Ann cannot be reached any more: three mails to her come back."""
    while len(table.letters("Ann")) < 3:
        table.say("Ann", "show position")
    bounce(table, 3)
    assert table.seat(game, "Ann").unreachable_at is not None


def kinds(table: Service, player: str) -> list[str]:
    return [letter.kind for letter in table.letters(player)]


def operator(table: Service) -> list[str]:
    return [letter.text for letter in table.mailbox("master@example.net")]


# ---- bounces


@pytest.mark.fault(68)
def test_so_many_mails_in_a_row_that_come_back_make_a_seat_unreachable(table: Table, game: str) -> None:
    table.say("Ann", "show position")
    told = len(table.letters("Bob"))
    bounce(table, 2)
    assert table.seat(game, "Ann").bounces == 2
    assert table.seat(game, "Ann").unreachable_at is None
    table.send(robot_mails.status(to=back_path(table, number=2)), return_path="")
    table.run()
    assert table.outcomes()[1:] == ["bounce"] * 3
    assert table.seat(game, "Ann").unreachable_at == table.clock.now()
    assert kinds(table, "Bob")[told:] == ["notice"]
    assert len(operator(table)) == 1
    assert "unreachable" in operator(table)[0]


@pytest.mark.fault(68)
def test_a_sign_of_life_takes_bounces_back(table: Table, game: str) -> None:
    bounce(table, 2)
    table.say("Ann", "show position")
    assert table.seat(game, "Ann").bounces == 0


@pytest.mark.fault(47, 68)
def test_the_same_bounce_counts_once(table: Table, game: str) -> None:
    for _ in range(4):
        table.send(robot_mails.status(to=back_path(table)), return_path="")
    table.run()
    assert table.outcomes() == ["bounce"] * 4
    assert table.seat(game, "Ann").bounces == 1


@pytest.mark.fault(69)
@pytest.mark.parametrize(
    ("code", "action", "kind"),
    [("4.4.1", "delayed", "delayed"), ("4.4.7", "failed", "soft"), ("4.0.0", "delayed", "delayed")],
)
def test_delays_do_not_count(table: Table, game: str, code: str, action: str, kind: str) -> None:
    bounce(table, 1, code, action)
    assert table.outcomes() == ["bounce"]
    assert table.seat(game, "Ann").bounces == 0
    with table.session() as session:
        assert [(row.kind, row.status) for row in session.exec(select(BounceRow)).all()] == [(kind, code)]


@pytest.mark.fault(73)
def test_a_report_that_a_mail_arrived_is_a_receipt(table: Table, game: str) -> None:
    bounce(table, 1, "2.0.0", "delivered")
    assert table.outcomes() == ["receipt"]
    assert table.seat(game, "Ann").bounces == 0


@pytest.mark.fault(70)
@pytest.mark.parametrize("to", ["railpost-bounces+ffffffffffffffffffffffff@example.org", OWN])
def test_a_bounce_of_a_mail_we_never_sent_is_put_aside(table: Table, game: str, to: str) -> None:
    for _ in range(5):
        table.send(robot_mails.status(to=to, returned="Message-ID: <x@else.example>"), return_path="")
    table.run()
    assert table.outcomes() == ["quarantine"] * 5
    assert table.seat(game, "Ann").bounces == 0


@pytest.mark.fault(70)
def test_a_forged_bounce_by_somebody_who_saw_a_message_id(table: Table, game: str) -> None:
    """A forwarded mail shows its Message-ID, not its return path: a report of it must name who the mail went to."""
    forged = robot_mails.status("somebody@else.example", to=OWN, returned=f"Message-ID: {_first_id(table)}\n")
    table.send(forged, return_path="")
    table.run()
    assert table.outcomes() == ["quarantine"]
    assert table.seat(game, "Ann").bounces == 0


def _first_id(table: Service) -> str:
    return str(table.letters("Ann")[0].message["Message-ID"])


QMAIL = (
    "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the"
    " following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n"
    "<ann@players.example>:\nno mailbox (#5.1.1)\n\n--- Below this line is a copy.\n\n"
)


@pytest.mark.fault(71)
@pytest.mark.parametrize("form", ["report", "text"])
def test_a_bounce_to_the_wrong_address_is_known_by_the_mail_in_it_and_proves_nothing(
    table: Table, game: str, form: str
) -> None:
    """Whoever was forwarded the mail has all that stands in it, the secret address too."""
    back = returned(table, number=0)
    content = robot_mails.status(to=OWN, returned=back)
    if form == "text":
        content = robot_mails.plain("failure notice", QMAIL + back, sender="MAILER-DAEMON@mx.example", to=OWN)
    table.send(content, return_path="")
    table.run()
    assert table.outcomes() == ["bounce"]
    assert table.seat(game, "Ann").bounces == 0
    assert table.details() == ["hard? 5.1.1, outgoing mail 1"]
    assert [text.split()[0] for text in operator(table)] == ["unproved"]


@pytest.mark.fault(70, 71)
def test_who_knows_a_message_id_alone_makes_nobody_unreachable(table: Table, game: str) -> None:
    """A player who was ever forwarded a mail could write such reports: the operator is told, and nothing follows."""
    for letter in table.letters("Ann"):
        number = letter.message["Message-ID"]
        table.send(robot_mails.status(to=OWN, returned=f"Message-ID: {number}\n"), return_path="")
        table.send(f"In-Reply-To: {number}\r\n".encode() + robot_mails.status(to=OWN), return_path="")
        table.send(robot_mails.complaint(to=OWN, returned=f"Message-ID: {number}\n"))
    table.run()
    assert set(table.outcomes()) == {"bounce", "complaint"}
    assert table.seat(game, "Ann").bounces == 0
    assert table.seat(game, "Ann").stopped_at is None
    assert [text.split()[0] for text in operator(table)] == ["unproved"]


@pytest.mark.fault(70)
def test_no_header_shows_the_return_path(table: Table, game: str) -> None:
    for letter in table.letters("Ann"):
        content = bytes(letter.message).partition(b"\n")[2]  # the line of the delivering server is not ours
        assert back_path(table).split("+")[1].split("@")[0].encode() not in content


@pytest.mark.fault(71)
def test_a_rewritten_recipient_does_not_matter_to_a_return_path(table: Table, game: str) -> None:
    rewritten = "srs0=x=y=else.example=ann@forward.example"
    table.send(robot_mails.status(rewritten, to=back_path(table)), return_path="")
    table.run()
    assert table.outcomes() == ["bounce"]
    assert table.seat(game, "Ann").bounces == 1


@pytest.mark.fault(70)
def test_a_bounce_in_plain_words_to_a_return_path_is_noted_without_a_score(table: Table, game: str) -> None:
    text = "Die Mail kam nicht an.\n"
    daemon = "postmaster@mx.example"
    table.send(robot_mails.plain("Unzustellbar", text, sender=daemon, to=back_path(table)), return_path="")
    table.run()
    assert table.outcomes() == ["bounce"]
    assert table.seat(game, "Ann").bounces == 0


# ---- who cannot be reached is late like others


@pytest.fixture
def hurried(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    import engine

    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    return table.game("toy", deadline_hours=24)


@pytest.mark.fault(68)
def test_the_clock_of_a_seat_that_cannot_be_reached_goes_on_and_nothing_is_sent_to_it(
    table: Table, hurried: str
) -> None:
    lose(table, hurried)
    before = len(table.letters("Ann"))
    table.clock.pass_by(hours=23)
    assert sweep_deadlines(table.desk) == 0
    table.clock.pass_by(hours=2)
    assert sweep_deadlines(table.desk) == 1
    table.run()
    assert len(table.letters("Ann")) == before
    assert any("late" in letter.subject for letter in table.letters("Bob"))


@pytest.mark.fault(68)
def test_a_seat_that_writes_before_its_time_is_over_gets_a_day(table: Table, hurried: str) -> None:
    lose(table, hurried)
    table.clock.pass_by(hours=23)
    table.say("Ann", "show position")
    assert table.seat(hurried, "Ann").unreachable_at is None
    table.clock.pass_by(hours=23)
    assert sweep_deadlines(table.desk) == 0
    table.clock.pass_by(hours=2)
    assert sweep_deadlines(table.desk) == 1


@pytest.mark.fault(68)
def test_nothing_more_is_sent_until_the_seat_writes_and_then_it_is_told_all(table: Table, game: str) -> None:
    lose(table, game)
    address = table.address("Ann")
    table.send(mail("Bob: pass", sender="bob@players.example", to=table.address("Bob")))
    table.run()
    silent = len(table.letters("Ann"))
    told = len(table.letters("Bob"))
    table.send(mail("show position", to=address), address)
    table.run()
    assert kinds(table, "Ann")[silent:] == ["transcript", "turn"]
    assert kinds(table, "Bob")[told:] == ["notice"]
    assert "reachable" in table.letters("Bob")[-1].subject


@pytest.mark.fault(68)
def test_what_was_waiting_is_kept_and_replaced_by_a_fresh_turn_mail(table: Table, game: str) -> None:
    while len(table.letters("Ann")) < 3:
        table.say("Ann", "show position")
    address = table.address("Ann")
    with table.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow).where(OutboxRow.player == "Ann")).all():
            row.state, row.next_attempt = "queued", table.clock.now() + timedelta(hours=1)
    bounce(table, 3)

    def states() -> list[tuple[str, str]]:
        with table.desk.database.reading() as session:
            rows = session.exec(select(OutboxRow).where(OutboxRow.player == "Ann").order_by(col(OutboxRow.id))).all()
            return [(row.kind, row.state) for row in rows]

    assert states() == [("welcome", "kept"), ("turn", "kept"), ("transcript", "kept")]
    table.send(mail("show map", to=address), address)
    table.run()
    again = [("welcome", "sent"), ("turn", "failed"), ("transcript", "sent"), ("transcript", "sent"), ("turn", "sent")]
    assert states() == again
    assert refused(table.desk) == 0


@pytest.mark.fault(40, 83)
def test_a_recipient_that_is_refused_counts_as_bounced_and_no_other_suffers(table: Table, game: str) -> None:
    class Refusing:
        def __init__(self) -> None:
            self.sent: list[str] = []

        def send(self, mail: Outgoing) -> None:
            if mail.recipient.startswith("ann"):
                raise Never("550 5.1.1 no such mailbox")
            self.sent.append(mail.recipient)

    with table.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.state = "queued"
    outlet = Refusing()
    send_due(table.desk, outlet, lambda _: None)
    assert sorted(set(outlet.sent)) == ["bob@players.example", "cat@players.example"]
    assert refused(table.desk) == 2
    assert refused(table.desk) == 0
    assert table.seat(game, "Ann").bounces == 2
    with table.session() as session:
        assert {row.status for row in session.exec(select(BounceRow)).all()} == {"5.1.1"}


@pytest.mark.parametrize("trouble", [NotNow("450 later"), Never("550 no"), Away("421 gone")])
def test_what_is_kept_while_it_is_being_sent_goes_when_it_may(table: Table, game: str, trouble: Exception) -> None:
    with table.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.state = "queued" if row.player == "Cat" else "sent"

    class Outlet:
        def send(self, mail: Outgoing) -> None:
            with table.desk.sitting() as sitting:
                stop(sitting, sitting.session.get_one(SeatRow, table.seat(game, "Cat").id), "complaint")
            raise trouble

    def states() -> set[tuple[str, str]]:
        with table.desk.database.reading() as session:
            rows = session.exec(select(OutboxRow).where(OutboxRow.player == "Cat", OutboxRow.kind == "welcome")).all()
            return {(row.state, row.error) for row in rows}

    send_due(table.desk, Outlet(), lambda _: None)
    assert states() == {("kept", "stopped")}
    table.say("Cat", "notify turn")
    assert states() == {("sent", "")}


# ---- no more mail


@pytest.mark.fault(73)
def test_a_complaint_stops_mail_and_the_operator_is_told(table: Table, game: str) -> None:
    before = kinds(table, "Ann")
    told = kinds(table, "Bob")
    table.send(robot_mails.complaint(to=back_path(table), returned=returned(table)))
    table.send(robot_mails.complaint(to=back_path(table), returned=returned(table)))
    table.run()
    assert table.outcomes() == ["complaint"] * 2
    assert table.seat(game, "Ann").stopped_at == table.clock.now()
    assert kinds(table, "Ann") == before  # who complains is not written to
    assert kinds(table, "Bob") == [*told, "notice"]  # nobody's mail stops unseen
    assert len(operator(table)) == 1
    assert "complaint" in operator(table)[0]


@pytest.mark.fault(73)
def test_a_complaint_that_was_not_sent_to_the_return_path_stops_nothing(table: Table, game: str) -> None:
    """The secret address and the Message-ID stand in every answer that Ann sends in copy."""
    table.send(robot_mails.complaint(to=OWN, returned=returned(table)))
    table.run()
    assert table.outcomes() == ["complaint"] and table.details() == ["complaint? about outgoing mail 2"]
    assert table.seat(game, "Ann").stopped_at is None
    assert [text.split()[0] for text in operator(table)] == ["unproved"]


@pytest.mark.fault(73)
def test_a_complaint_about_nothing_of_ours_is_put_aside(table: Table, game: str) -> None:
    table.send(robot_mails.complaint(to=OWN, returned="Message-ID: <x@else.example>\nTo: ann@players.example\n"))
    table.send(robot_mails.complaint("b@else.example", to=OWN, returned=f"Message-ID: {_first_id(table)}\n"))
    table.run()
    assert table.outcomes() == ["quarantine"] * 2
    assert table.seat(game, "Ann").stopped_at is None


def stop_address(table: Service, player: str = "Ann") -> str:
    header = str(table.letters(player)[-1].message["List-Unsubscribe"])
    return header.partition("mailto:")[2].partition("?")[0]


@pytest.mark.fault(74)
@pytest.mark.parametrize("way", ["mail", "post"])
def test_unsubscribing_stops_turn_mails_and_leaves_the_seat(table: Table, game: str, way: str) -> None:
    own, to = table.address("Ann"), stop_address(table)
    if way == "mail":
        table.send(mail("", to=to, subject="unsubscribe"), return_path="robot@provider.example")
    else:
        assert unsubscribe(table.desk, to.split("stop.")[1].split("@")[0]) == "stopped"
    table.run()
    assert table.outcomes() == (["unsubscribe"] if way == "mail" else [])
    assert kinds(table, "Ann")[-1] == "stopped"
    assert len(operator(table)) == 1
    before = len(table.letters("Ann"))
    table.send(mail("pass", to=own), own)
    for player in ("Bob", "Cat"):
        table.run()
        table.say(player, "pass")
    table.run()
    assert table.log(game)[0] == "Ann: pass"
    assert kinds(table, "Ann")[before:] == ["transcript"]  # what he writes himself is answered
    table.send(mail("notify turn", to=table.address("Ann")))
    table.run()
    assert table.seat(game, "Ann").stopped_at is None


@pytest.mark.fault(74)
def test_unsubscribing_again_is_no_error_and_tells_nobody_twice(table: Table, game: str) -> None:
    token = stop_address(table).split("stop.")[1].split("@")[0]
    assert [unsubscribe(table.desk, token) for _ in range(3)] == ["stopped", "already", "already"]
    table.run()
    assert len(operator(table)) == 1


@pytest.mark.fault(42, 74)
@pytest.mark.parametrize(
    "token", ["", "1", "1.", "1.aaaaaaaaaaaaaaaaaaaaaaaaaa", "x.y", "99.{mac}", "²." + "a" * 26, "1" * 50]
)
def test_a_made_up_token_stops_nothing(table: Table, game: str, token: str) -> None:
    mac = stop_address(table).split("stop.")[1].split("@")[0].split(".")[1]
    assert unsubscribe(table.desk, token.format(mac=mac)) == "unknown"
    table.send(mail("", to=f"railpost+stop.2.{mac}@example.org"))
    table.run()
    assert table.outcomes() == ["quarantine"]
    assert [table.seat(game, name).stopped_at for name in ("Ann", "Bob", "Cat")] == [None] * 3


@pytest.mark.fault(42)
def test_the_word_that_stops_mail_plays_nothing(table: Table, game: str) -> None:
    """Providers and scanners see it."""
    text = "".join(letter.text for letter in table.letters("Ann"))
    token = stop_address(table).split("stop.")[1].split("@")[0]
    assert token not in text
    for word in (token, token.split(".")[1]):
        table.send(mail(f"BEGIN {game} at 1 token {word}\npass\nEND\n", to=f"railpost+{game}.1.{word}@example.org"))
    table.run()
    assert table.log(game) == []


def test_one_click_is_offered_where_the_entry_point_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import engine

    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    table = open_table(tmp_path, PlainWords())
    settings = table.desk.settings.model_copy(update={"public_url": "https://play.example.org/"})
    table = Table(tmp_path, replace(table.desk, settings=settings), table.clock)
    table.game("toy")
    head = table.letters("Ann")[-1].message
    assert head["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert str(head["List-Unsubscribe"]).startswith("<https://play.example.org/unsubscribe/1.")
    token = str(head["List-Unsubscribe"]).partition("unsubscribe/")[2].partition(">")[0]
    assert unsubscribe(table.desk, token) == "stopped"
