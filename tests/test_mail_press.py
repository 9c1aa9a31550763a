"""What players say to each other goes through the moderator: to whom it is for, as it stands, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlmodel import col, update

from moderator.adapters.tables import SeatRow
from moderator.domain.info import GameInfo
from moderator.render import press_mail
from tests.mail_service import mail
from tests.toy_service import Table, to_companies

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


def test_an_older_address_is_good_for_it(table: Table, game: str) -> None:
    before = table.address("Ann")
    table.say("Ann", "pass")
    table.say("Ann", "press Bob: hello", to=before)
    assert table.outcomes()[-1] == "press" and heard(table, "Bob") == ["to Bob\nhello"]


def test_from_elsewhere_it_waits_for_the_address_of_record(table: Table, game: str) -> None:
    to = table.address("Ann")
    table.send(mail("press Bob: hello", sender="eve@evil.example", to=to), to)
    table.run()
    assert table.outcomes() == ["unconfirmed"] and heard(table, "Bob") == []
    assert "press Bob: hello" in table.letters("Ann")[-1].text
    table.say("Ann", "yes", to=table.letters("Ann")[-1].reply_to)
    assert heard(table, "Bob") == ["to Bob\nhello"]


def test_a_doubled_mail_is_passed_on_once(table: Table, game: str) -> None:
    for _ in range(3):
        table.say("Ann", "press Bob: hello", message_id="<one@players.example>", to=table.address("Ann", "turn"))
    assert table.outcomes() == ["press", "duplicate", "duplicate"] and heard(table, "Bob") == ["to Bob\nhello"]


def test_secret_addresses_are_not_passed_on(table: Table, game: str) -> None:
    secret = table.address("Ann")
    token = secret.partition("@")[0].rpartition(".")[2].upper()
    table.say("Ann", f"press Bob: write to {secret}")
    table.say("Ann", f"press Bob: BEGIN {game} token {token}")
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
