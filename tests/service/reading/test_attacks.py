"""Attempts to get a wrong ruling, to lose an order, or to stop the service, through the real pipeline."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session, select

import engine
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet
from moderator.adapters.tables import MailRow, OutboxRow
from moderator.service.play.undo import undo
from tests.kit.samples import one_in
from tests.kit.service.mail_service import Letter, Service, mail
from tests.kit.service.toy_service import PlainWords, Table, open_table

EACH = pytest.mark.usefixtures("each_database")
"""What is written down; how a text is read hangs on no database."""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR, then come Bob and Cat."""
    return service.ready_game()


def raw(
    service: Service, player: str, body: bytes, head: str = "", sender: str = "ann@players.example"
) -> list[Letter]:
    """A message byte by byte to a player's present address; what he is answered."""
    address = service.address(player)
    top = f"From: {sender}\r\nTo: {address}\r\n{head}\r\n".encode("utf-8", "surrogateescape")
    before = len(service.letters(player))
    service.send(top + body, address)
    service.run()
    return service.letters(player)[before:]


# ---- what the text of a mail is


@pytest.mark.fault(1)
@pytest.mark.parametrize("charset", ["idna", "undefined", "hex", "\0bad", "x-unknown", "utf8mb4", "'';"])
def test_a_charset_that_is_none_hides_no_orders(service: Service, game: str, charset: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n", f"Content-Type: text/plain; charset={charset}\r\n")
    assert service.log(game) == ["Ann: open TSR 25"], service.details()


@pytest.mark.fault(9)
def test_a_text_in_pieces_around_a_picture_is_read_whole(service: Service, game: str) -> None:
    pieces = (
        b"--q\r\nContent-Type: text/plain\r\n\r\nopen TSR 25\r\n--q\r\nContent-Type: image/png\r\n\r\nx\r\n"
        b"--q\r\nContent-Type: text/plain\r\n\r\nlimit 60\r\n--q--\r\n"
    )
    raw(service, "Ann", pieces, "Content-Type: multipart/mixed; boundary=q\r\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == [("Ann", "Ann: limit 60 on TSR", "waiting")]


@pytest.mark.fault(87)
def test_html_that_cannot_be_read_does_not_hinder_the_plain_part(
    service: Service, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service.reading import html_text

    def broken(*_: object) -> str:
        raise RecursionError("too deep")

    monkeypatch.setattr(html_text, "Inscriptis", broken)
    content = mail("open TSR 25", html="<p>open TSR 25</p>", to=service.address("Ann"))
    service.send(content)
    service.run()
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(3, 4)
@pytest.mark.parametrize(
    "sender", ["(" * 9_000, 'a:;,"<', "=?utf-8?q?a=0ab?=", "ann@players.example, bob@players.example"]
)
def test_who_is_not_one_sender_is_nobody_s(service: Service, game: str, sender: str) -> None:
    """The secret address says which seat is meant, and it is asked."""
    asked = raw(service, "Ann", b"open TSR 25\r\n", sender=sender)
    assert service.outcomes() == ["unconfirmed"] and service.log(game) == []
    assert "an address that cannot be read" in asked[0].text


@pytest.mark.fault(3)
def test_a_name_that_cannot_be_read_does_not_matter(service: Service, game: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n", sender="\udcff\udcfe <ann@players.example>")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(21)
def test_a_seat_is_told_that_its_mail_cannot_be_read(service: Service, game: str) -> None:
    parts = b"--q\r\nContent-Type: text/plain\r\n\r\nopen TSR 25\r\n" * 120
    answers = raw(service, "Ann", parts, "Content-Type: multipart/mixed; boundary=q\r\n")
    assert service.outcomes() == ["malformed"]
    assert [letter.kind for letter in answers] == ["transcript"]
    assert service.log(game) == []


@pytest.mark.fault(29, 87)
@pytest.mark.parametrize(
    "text",
    [
        "open TSR 25\n" + "\n" * 3_500 + "limit 60\n",
        "open TSR 25\n" + ("// " + "x" * 300 + "\n") * 800 + "limit 60\n",
    ],
)
def test_orders_beyond_what_is_read_refuse_the_whole(service: Service, game: str, text: str) -> None:
    raw(service, "Ann", text.encode())
    assert service.outcomes() == ["unreadable"]
    assert service.log(game) == []


@pytest.mark.fault(26)
def test_a_quotation_beyond_what_is_read_does_not_matter(service: Service, game: str) -> None:
    raw(service, "Ann", b"open TSR 25\r\n##- reply above -##\r\n" + b"> what was said before\r\n" * 20_000)
    assert service.log(game) == ["Ann: open TSR 25"]


def test_html_is_cut_between_its_tags(service: Service, game: str) -> None:
    long = b"<p style='x'></p>" * 15_000
    raw(service, "Ann", b"<p>open TSR 25</p>" + long + b"limit 60", "Content-Type: text/html\r\n")
    assert service.outcomes() == ["unreadable"]
    quoted = b"<p>open TSR 25</p><blockquote>" + long + b"limit 60"
    raw(service, "Ann", quoted, "Content-Type: text/html\r\n")
    assert service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(87)
def test_lines_made_to_be_slow_to_look_at(service: Service, game: str) -> None:
    """Would take hours if every way to match a forwarded mail's head were tried."""
    raw(service, "Ann", b"open TSR 25\r\n--" + b" " * 60_000 + b"x\r\n")
    assert service.outcomes() == ["unreadable"]


# ---- the same mail, and another one


@EACH
@pytest.mark.fault(49, 50)
@pytest.mark.parametrize("head", ["", "Message-ID: <always-the-same@players.example>\r\n"])
def test_the_same_words_for_a_later_decision_are_no_duplicate(service: Service, game: str, head: str) -> None:
    """From a program that gives no Message-ID and no date, or always the same one."""
    for player in ("Ann", "Bob", "Cat", "Ann"):
        raw(service, player, b"pass\r\n", head, sender=f"{player.lower()}@players.example")
    assert service.outcomes() == ["applied"] * 4


# ---- blocks that are cut, tried, or about several things (the toy: X is Ann's, Y is Bob's)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    table = open_table(tmp_path, PlainWords())
    table.game("toy")
    return table


TOY = "toy-1"


def another(table: Table) -> Table:
    """Another service on the same database, or the same one started again."""
    other = open_table(table.root, PlainWords())
    return Table(other.root, replace(other.desk, random_bytes=secrets.token_bytes), other.clock)


@EACH
def test_partial_does_not_end_a_turn_whose_end_cannot_be_read(table: Table) -> None:
    """The line may be the train that the company was to buy: it can be written anew."""
    table.say("Ann", "pass")
    table.say("Ann", "partial\nX: pay none\nrdeeem 1\ndone")
    assert table.log(TOY)[1:] == ["X: pay none"]
    table.say("Ann", "redeem 1")
    assert table.log(TOY)[1:] == ["X: pay none", "X: redeem 1", "X: done"]


@EACH
def test_partial_ends_the_turn_that_stands_whole_before_another_head(table: Table) -> None:
    table.say("Ann", "pass")
    table.say("Ann", "partial\nX: pay none\nAnn: bogus")
    assert table.log(TOY)[1:] == ["X: pay none", "X: done"]


@EACH
def test_partial_does_not_hold_a_turn_whose_end_cannot_be_read(table: Table) -> None:
    table.say("Bob", "partial\nY: pay none\nrdeeem 1\ndone")
    assert table.outcomes() == ["unreadable"]
    assert table.held(TOY) == []


@EACH
@pytest.mark.parametrize("words", ["withdraw", "withdraw\nshow orders", "notify all\nwithdraw"])
def test_check_takes_nothing_back_and_changes_no_setting(table: Table, words: str) -> None:
    table.say("Bob", "Y: pay none; done")
    table.say("Bob", f"check\n{words}\n")
    table.say("Bob", f"check\n{words}\nY: redeem 1; pay none; done")
    assert [status for *_, status in table.held(TOY)] == ["waiting"]
    assert table.seat(TOY, "Bob").notify == "turn"
    assert not {"withdrawn", "notified"} & set(table.outcomes())


@EACH
@pytest.mark.parametrize("given", ["Y: agree train 2 to X for 5", "Bob: limit 50 on P", "Y: refuse merge Y into X"])
def test_what_is_given_ahead_takes_no_turn_away(table: Table, given: str) -> None:
    table.say("Bob", "Y: redeem 1; pay none; done")
    table.say("Bob", given)
    assert [status for *_, status in table.held(TOY)] == ["waiting", "waiting"]


@EACH
def test_an_answer_in_somebodys_turn_takes_ones_own_turn_not_away(table: Table) -> None:
    table.say("Bob", "Y: redeem 1; pay none; done")
    table.say("Ann", "pass")
    table.say("Ann", "train 2 from Y for 5; pay none; done")
    table.say("Bob", "agree")
    assert table.log(TOY)[-3:] == ["Y: redeem 1", "Y: pay none", "Y: done"]


@EACH
def test_a_bid_takes_the_turn_after_it_not_away(table: Table) -> None:
    table.say("Ann", "Ann: open P 10\nAnn: buy X")
    table.say("Bob", "bid 15")
    table.say("Cat", "drop")
    table.say("Ann", "pass")  # leaves the auction
    assert table.log(TOY)[-1] == "Ann: drop"
    assert table.held(TOY)[-1] == ("Ann", "Ann: buy X", "lapsed"), "with the stock round, and not before it"


@EACH
def test_two_limits_in_one_mail_are_refused_and_one_counts(table: Table) -> None:
    table.say("Bob", "limit 50 on P\nlimit 20 on P")
    assert table.held(TOY) == [] and table.outcomes()[-1] == "refused"
    table.say("Bob", "limit 20 on P")
    assert [text for _, text, _ in table.held(TOY)] == ["Bob: limit 20 on P"]
    table.say("Ann", "open P 10\nlimit 40")
    table.say("Cat", "drop")
    assert table.log(TOY)[-2:] == ["Ann: bid 20", "Bob: drop"]


@EACH
def test_consent_and_its_refusal_in_one_mail_are_refused(table: Table) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5\nY: refuse train 2 to X for 5")
    assert table.held(TOY) == [] and table.outcomes()[-1] == "refused"


@EACH
def test_consent_is_used_once(table: Table) -> None:
    table.say("Bob", "Y: agree train 2 to X for 5")
    table.say("Ann", "pass")
    table.say("Ann", "train 2 from Y for 5; train 2 from Y for 5; pay none; done")
    assert table.log(TOY)[-1] == "X: train 2 from Y for 5"


@EACH
@pytest.mark.fault(47, 52)
def test_the_same_mail_before_and_after_an_undo(table: Table) -> None:
    address = table.address("Ann")
    content = mail("open P 10", to=address, message_id="<one@players.example>")
    table.send(content, address)
    table.run()
    undo(table.desk, TOY, 0)
    table.send(content, address)
    table.send(mail("open P 10", to=address, message_id="<two@players.example>"), address)
    table.run()
    assert table.outcomes() == ["applied", "duplicate", "stale"]
    assert table.log(TOY) == ["Ann: open P 10", "undo 0"]


@EACH
def test_after_the_end_nothing_is_held_or_played(table: Table) -> None:
    for player, text in [("Ann", "pass"), ("Ann", "pay none"), ("Bob", "pay none")] * 2:
        table.say(player, text)
    assert table.position(TOY).finished
    log = table.log(TOY)
    table.say("Ann", "X: redeem 1")
    table.say("Bob", "Y: agree train 2 to X for 5")
    assert table.outcomes()[-2:] == ["game_over", "game_over"]
    assert (table.log(TOY), table.held(TOY)) == (log, [])


# ---- quotations and names


@pytest.mark.fault(20)
@pytest.mark.parametrize(
    "line",
    [
        "-------- Mensaje reenviado --------",
        "-------- Messaggio inoltrato --------",
        "-------- Doorgestuurd bericht --------",
        "-------- Пересланное сообщение --------",
        "---------- 転送メッセージ ----------",
        "-----Message d'origine-----",
        "Begin forwarded message:",
    ],
)
def test_what_is_forwarded_in_any_language_is_not_read(service: Service, game: str, line: str) -> None:
    service.say("Ann", f"open TSR 25\n\n{line}\n\nopen TSR 400\nlimit 500\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == []


@pytest.mark.fault(28)
def test_what_somebody_wrote_under_a_quotation_of_his_own_is_not_the_answerers(service: Service, game: str) -> None:
    """Outlook does not mark what it quotes; Bob's mail began with a quotation, and his words are not Ann's."""
    bobs = "From: Bob <bob@players.example>\nSent: Sunday, March 1, 2026 1:00 PM\nTo: Ann\nSubject: x\n\n> hello\n\n"
    service.say("Ann", f"open TSR 25\n\n{bobs}limit 500\n")
    assert service.log(game) == ["Ann: open TSR 25"]
    assert service.held(game) == []


@pytest.mark.fault(43, 44)
@pytest.mark.parametrize("name", ["> Ann", "| Ann", "##- Ann -##", "-- ", "", "Ann\r\nBcc: x@y.example", "A" * 100])
def test_names_that_mails_cannot_carry_are_refused(service: Service, name: str) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        service.game(players=(name, "Bob", "Cat"))


@pytest.mark.parametrize("name", ["done", "Thanks", "From", "On"])
def test_odd_names_play_like_others(service: Service, name: str) -> None:
    game = service.game(players=(name, "Bob", "Cat"))
    service.send(mail(f"{name}: open TSR 25", sender=f"{name.lower()}@players.example", to=service.address(name)))
    service.run()
    assert service.log(game) == [f"{name}: open TSR 25"]


# ---- the process is killed


@EACH
@pytest.mark.fault(84, 85, 86)
@pytest.mark.parametrize("step", one_in(3, range(30)))
def test_killed_anywhere_nothing_is_lost_or_done_twice(
    table: Table, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine stops before the n-th thing that is done to the world: a commit, a file moved, a mail sent."""
    table.say("Bob", "limit 30 on P")
    address = table.address("Ann")
    table.send(mail("open P 10", to=address), address)
    left = [step]

    def mortal(wanted: Any) -> Any:
        def act(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                raise KeyboardInterrupt
            return wanted(*given, **named)

        return act

    with monkeypatch.context() as patch:
        patch.setattr(Session, "commit", mortal(Session.commit))
        patch.setattr(SessionTransaction, "commit", mortal(SessionTransaction.commit))
        patch.setattr(MaildirIntake, "file", mortal(MaildirIntake.file))
        patch.setattr(MaildirOutlet, "send", mortal(MaildirOutlet.send))
        with suppress(KeyboardInterrupt):
            table.run()
    again = another(table)
    again.clock.pass_by(minutes=10)
    again.run()
    assert again.outcomes() == ["held", "applied"]
    assert again.log(TOY) == ["Ann: open P 10", "Bob: bid 15"]
    with again.desk.database.reading() as session:
        rows = session.exec(select(OutboxRow)).all()
        assert {row.state for row in rows} == {"sent"}
    came = [str(letter.message["Message-ID"]) for name in ("Ann", "Bob", "Cat") for letter in again.letters(name)]
    assert set(came) == {row.message_id for row in rows}
    assert len(came) <= len(set(came)) + 1


@EACH
@pytest.mark.fault(89)
def test_a_position_that_was_never_written_is_forgotten(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of another game makes the answer look at the game again before it is written; then the disk is full,
    and another service goes on with the game."""
    from moderator.service.decision import execution as carry_out

    def full(*_: object) -> None:
        raise OperationalError("commit", {}, Exception("disk full"))

    address = table.address("Ann")
    with monkeypatch.context() as patch:
        patch.setattr(carry_out, "tell_others", full)
        table.send(mail(f"BEGIN {TOY}\nopen P 10\nEND\nBEGIN toy-9\npass\nEND\n", to=address), address)
        table.run()
    other = another(table)
    with other.desk.database.transaction() as session:  # the next mail of the same person would wait for it
        session.exec(select(MailRow)).one().lane = "elsewhere"
    other.send(mail("pass", to=address), address, "ann@home.example")
    other.run()
    assert table.position(TOY).orders == other.position(TOY).orders
    table.clock.pass_by(minutes=10)
    table.run()
    assert table.outcomes()[0] in ("stale", "wrong_token")
    assert table.log(TOY) == ["Ann: pass"]


@EACH
@pytest.mark.fault(87)
def test_a_seat_is_told_that_its_mail_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from moderator.service import pipeline

    table.send(mail("open P 10", to=table.address("Ann")))
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "process", lambda *_: None)
        table.run()
        for _ in range(2):
            table.clock.pass_by(minutes=10)
            table.run()
    told = len(table.letters("Ann"))
    table.clock.pass_by(minutes=10)
    table.run()
    assert table.outcomes() == ["error"]
    assert len(table.letters("Ann")) == told + 1
    assert len(table.mailbox("master@example.net")) == 1
