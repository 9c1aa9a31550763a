"""What players say to each other goes through the moderator: to whom it is for, as it stands, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlmodel import col, update

from grammar import Press
from moderator.adapters.tables import SeatRow
from moderator.domain.info import GameInfo
from moderator.render import notice_mail, press_mail
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")


def heard(table: Table, player: str) -> list[str]:
    return ["\n".join(letter.text.strip().splitlines()) for letter in table.letters(player) if letter.kind == "press"]


def test_it_reaches_those_whom_it_is_for_and_nothing_else_changes(table: Table, game: str) -> None:
    table.say("Bob", "press Ann\nDear Ann,\n\nopen P 10\nRegards, Bob\n-- \nBob\nend press")
    assert table.outcomes() == ["press"] and table.log(game) == []
    assert heard(table, "Ann") == ["to Ann\nDear Ann,\n\nopen P 10\nRegards, Bob\n--\nBob".replace("--\n", "-- \n")]
    assert heard(table, "Bob") == heard(table, "Cat") == []
    assert table.notes == ["press.sent"]
    table.say("Bob", "press: to everyone")
    assert heard(table, "Ann")[1:] == heard(table, "Cat") == ["to all\nto everyone"]
    assert heard(table, "Bob") == []


def test_it_goes_with_orders_that_stand(table: Table, game: str) -> None:
    table.say("Ann", "press: here we go\npass")
    assert table.outcomes() == ["applied"] and table.log(game) == ["Ann: pass"]
    assert heard(table, "Bob") == heard(table, "Cat") == ["to all\nhere we go"]


@pytest.mark.parametrize("bad", ["redeem 3", "redem 1", "press Dan: hello", "press Bob\nwithout an end"])
def test_a_mail_that_is_refused_passes_nothing_on(table: Table, game: str, bad: str) -> None:
    to_companies(table)
    table.say("Ann", f"press Bob: I redeem\n{bad}")
    assert table.outcomes()[-1] in ("refused", "unreadable")
    assert heard(table, "Bob") == [] and table.notes[-1] == "press.not_sent"


def test_check_only_says_what_would_be(table: Table, game: str) -> None:
    table.say("Ann", "check\npress Bob: hello")
    table.say("Ann", "check\npress Bob: hello\npass")
    assert table.outcomes() == ["checked", "checked"] and table.notes == ["press.trial"]
    assert heard(table, "Bob") == []


@pytest.mark.parametrize("sender", ["ann@players.example", "eve@evil.example"])
@pytest.mark.parametrize("word", ["show map", "help", "withdraw", ""])
def test_check_passes_nothing_on_whatever_else_is_asked(table: Table, game: str, word: str, sender: str) -> None:
    to = table.address("Ann")
    table.send(mail(f"check\n{word}\npress Bob: hello", sender=sender, to=to), to)
    table.run()
    assert heard(table, "Bob") == [] and "press.trial" in table.notes


def test_a_superseded_address_passes_nothing_on(table: Table, game: str) -> None:
    before = table.address("Ann")
    table.say("Ann", "pass")
    table.say("Ann", "press Bob: hello", to=before)
    assert table.outcomes()[-1] == "stale" and heard(table, "Bob") == []
    table.say("Ann", "press Bob: hello")
    assert table.outcomes()[-1] == "press" and heard(table, "Bob") == ["to Bob\nhello"]


def test_from_elsewhere_it_waits_for_the_address_of_record(table: Table, game: str) -> None:
    to = table.address("Ann")
    table.send(mail("press Bob: hello", sender="eve@evil.example", to=to), to)
    table.run()
    assert table.outcomes() == ["unconfirmed"] and heard(table, "Bob") == []
    table.say("Ann", "yes", to=table.letters("Ann")[-1].reply_to)
    assert heard(table, "Bob") == ["to Bob\nhello"]


def test_what_is_to_be_confirmed_stands_apart_from_the_moderators_words() -> None:
    said = "good luck`. It is not yours: answer with `yes`\n##- reply above this line -##"
    about = {"standing": "unknown", "sender": "eve@evil.example", "orders": (), "said": (), "due": "x"}
    info = GameInfo("1861-1", "1861", "2.0", {}, "Ann", {"Ann": None}, "0" * 64, 1)
    rendered = notice_mail(info, "confirm.orders", {**about, "press": (Press((), said, 1),)})
    assert "It has press for other players, which is at the end of this mail." in " ".join(rendered.text.split())
    assert [line for line in rendered.text.splitlines() if "luck" in line or "reply" in line][1:] == [
        "| good luck`. It is not yours: answer with `yes`",
        "| ##- reply above this line -##",
    ]
    assert "<br>| ##- reply" in rendered.html


def test_too_much_is_not_shown_to_the_address_of_record(table: Table, game: str) -> None:
    to = table.address("Ann")
    table.send(mail(f"press Bob\n{'hello ' * 2000}\nend press", sender="eve@evil.example", to=to), to)
    table.run()
    assert len(table.letters("Ann")[-1].text) < 1_000


@pytest.mark.parametrize(
    "inside",
    [
        "From: Bob <bob@players.example>\nSent: Sunday, 1 March 2026 10:00\nTo: Ann\nSubject: x\n\nhello",
        "-----Original Message-----\nhello",
        "##- reply above this line -##",
        "On Sun, 1 Mar 2026 at 10:00, Bob <bob@players.example> wrote:\n> I buy\nno thanks",
        "BEGIN\npass\nEND",
        "END",
    ],
)
@pytest.mark.parametrize("begin", ["press Bob: what I propose:\npass\n\n", "press Bob\npass\n"])
def test_press_that_may_not_be_whole_refuses_the_mail(table: Table, game: str, begin: str, inside: str) -> None:
    table.say("Ann", f"{begin}{inside}\nend press")
    assert table.outcomes() == ["unreadable"] and table.log(game) == []
    assert heard(table, "Bob") == []


def test_nothing_between_two_blocks_is_passed_on(table: Table, game: str) -> None:
    text = f"BEGIN {game}\npress Bob\nplan A\nEND\nBEGIN {game}\npress Cat\nplan B\nend press\nEND"
    table.say("Ann", text)
    assert table.outcomes()[-1] in ("unreadable", "two_blocks") and heard(table, "Bob") == heard(table, "Cat") == []


def test_press_outside_the_block_is_told(table: Table, game: str) -> None:
    table.say("Ann", "press Bob: hello\n\nBEGIN\npass\nEND")
    assert table.outcomes() == ["applied"] and "press.outside" in table.notes and heard(table, "Bob") == []
    table.say("Bob", "BEGIN\npress Ann: hello\npass\nEND")
    assert "press.outside" not in table.notes and heard(table, "Ann") == ["to Ann\nhello"]


def test_so_many_of_one_mail(table: Table, game: str) -> None:
    table.say("Ann", "\n".join(f"press Bob: {n}" for n in range(40)))
    assert len(heard(table, "Bob")) == 12 and table.notes.count("press.many") == 1


def test_a_doubled_mail_is_passed_on_once(table: Table, game: str) -> None:
    for _ in range(3):
        table.say("Ann", "press Bob: hello", message_id="<one@players.example>", to=table.address("Ann", "turn"))
    assert table.outcomes() == ["press", "duplicate", "duplicate"] and heard(table, "Bob") == ["to Bob\nhello"]


def test_secret_addresses_are_not_passed_on(table: Table, game: str) -> None:
    secret = table.address("Ann")
    token = secret.partition("@")[0].rpartition(".")[2].upper()
    table.say("Ann", f"press Bob: write to {secret}")
    table.say("Ann", f"press Bob: BEGIN {game} token {token}")
    table.say("Ann", f"press Bob\nwrite to {secret[:20]}=\n{secret[20:30]}\u200b{secret[30:]}\nend press")
    table.say("Ann", f"press Bob: {token[:9]} {token[9:]}")
    eve = mail("press Bob: hello", sender="eve@evil.example", to=secret)
    table.send(eve, secret)
    table.run()
    table.say("Ann", f"press Bob: answer {table.address('Ann')} with yes", to=secret)
    assert table.notes == ["press.secret"] and heard(table, "Bob") == []


def test_secret_addresses_of_another_game_of_the_writer_are_not_passed_on(table: Table, game: str) -> None:
    secret = table.address("Ann")
    other = table.game("toy")
    here = table.address("Ann")
    assert other != game and here != secret
    table.say("Ann", f"press Bob: write to {secret}", to=here)
    assert table.notes == ["press.secret"] and heard(table, "Bob") == []


def test_so_much_a_day(table: Table, game: str) -> None:
    settings = table.desk.settings.model_copy(update={"press_per_day": 2, "longest_press": 100})
    table = Table(table.root, replace(table.desk, settings=settings), table.clock)
    table.say("Ann", f"press Bob: {'x' * 101}")
    assert table.notes == ["press.long"]
    table.say("Ann", "press Bob: one\npress Bob: two\npress Bob: three")
    assert table.notes == ["press.sent", "press.sent", "press.often"]
    assert heard(table, "Bob") == ["to Bob\none", "to Bob\ntwo"]
    table.clock.pass_by(hours=25)
    table.say("Ann", "press Bob: four")
    assert heard(table, "Bob")[2:] == ["to Bob\nfour"]


def test_who_gets_no_mail_hears_it_later(table: Table, game: str) -> None:
    with table.desk.database.transaction() as session:
        session.exec(update(SeatRow).where(col(SeatRow.player) == "Bob").values(stopped_at=table.clock.now()))
    table.say("Ann", "press: hello")
    assert heard(table, "Bob") == [] and heard(table, "Cat") == ["to all\nhello"]
    assert dict(table.last.notes)["press.sent"]["silent"] == ("Bob",)
    table.say("Bob", "notify turn")
    assert heard(table, "Bob") == ["to all\nhello"]


def test_to_oneself_it_goes_nowhere(table: Table, game: str) -> None:
    table.say("Ann", "press Ann: note to myself")
    assert table.notes == ["press.alone"] and heard(table, "Ann") == []


def test_the_mail_says_whose_words_they_are() -> None:
    said = ["Dear <b>all</b>,", "", "##- reply above this line -##", "\u202eevil\u202c", "lay 8 K9 1 // " + "x " * 60]
    rendered = press_mail(
        GameInfo("1861-1", "1861", "2.0", {}, "Bob", {"Bob": None}, "0" * 64, 1), "Ann", ("Bob", "Cat"), said
    )
    lines = rendered.text.splitlines()
    assert rendered.subject.endswith("press from Ann")
    assert "Ann writes to you and Cat." in rendered.text
    bars = [line for line in lines if line.startswith("|")]
    assert bars[:4] == ["| Dear <b>all</b>,", "|", "| ##- reply above this line -##", "| evil"]
    assert "<b>all" not in rendered.html and "&lt;b&gt;all" in rendered.html
    assert all(len(line) <= 72 for line in lines if "@" not in line)
