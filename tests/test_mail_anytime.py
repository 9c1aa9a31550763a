"""Orders that may come at any moment: carried out at once, told to everybody, and no harm to what others are asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests import toy_title
from tests.toy_service import PlainWords, Table, open_table, to_companies


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The toy with the words of a title that has powers."""
    return open_table(tmp_path, PlainWords(), partial(toy_title.vocabulary, forms="1844"))


def test_a_power_is_used_at_once_by_who_is_not_asked(table: Table, game: str) -> None:
    """Ann is asked to open the auction, and still is; nothing of Cat's is held."""
    table.say("Cat", "use Q for Y")
    assert table.outcomes() == ["applied"]
    assert table.verdicts == [("use Q for Y", "accepted")]
    assert table.log(game) == ["Cat: use Q for Y"]
    assert table.held(game) == []
    assert [ask.player for ask in table.position(game).asked()] == ["Ann"]


def test_an_open_question_that_stays_the_same_keeps_its_address(table: Table, game: str) -> None:
    """Ann's auction has nothing to do with Q: what she was asked before is answered as if nothing had been."""
    mail = table.address("Ann")
    before = len(table.letters("Ann"))
    table.say("Cat", "use Q for Y")
    assert len(table.letters("Ann")) == before
    table.say("Ann", "bid 10", to=mail)
    assert table.log(game) == ["Cat: use Q for Y", "Ann: bid 10"]


def test_an_open_question_that_became_another_is_asked_anew(table: Table, game: str) -> None:
    """With Q used for X, X may run: Ann's old address is past, and a new turn mail has come."""
    to_companies(table)
    mail = table.address("Ann")
    before = len(table.letters("Ann"))
    table.say("Cat", "use Q for X")
    assert len(table.letters("Ann")) == before + 1
    table.say("Ann", "run none; pay none; done", to=mail)
    assert table.outcomes()[-1] == "stale"
    table.say("Ann", "run none; pay none; done")
    assert table.log(game)[-3:] == ["X: run none", "X: pay none", "X: done"]


def test_a_power_may_be_used_by_an_old_address(table: Table, game: str) -> None:
    """It answers no question, so it is never too late; with other orders in the same mail it is."""
    mail = table.address("Cat")
    table.say("Ann", "bid 10")
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    table.say("Cat", "use Q for Y; bid 20", to=mail)
    assert table.outcomes()[-1] == "stale"
    table.say("Cat", "use Q for Y", to=mail)
    assert table.outcomes()[-1] == "applied"
    assert table.log(game)[-1] == "Cat: use Q for Y"


def test_a_power_refused_changes_nothing(table: Table, game: str) -> None:
    table.say("Bob", "use Q for Y")
    assert table.outcomes() == ["refused"]
    assert [f.check for f in table.last.lines[0].failures] == ["use.not_owner"]
    table.say("Cat", "use Q for Y")
    table.say("Cat", "use Q for X")
    assert table.outcomes()[1:] == ["applied", "refused"]
    assert table.log(game) == ["Cat: use Q for Y"]


def test_check_only_tries_it(table: Table, game: str) -> None:
    table.say("Cat", "check\nuse Q for Y")
    assert table.outcomes() == ["checked"]
    assert table.log(game) == []


def test_a_power_among_other_orders_of_the_own_turn(table: Table, game: str) -> None:
    """Cat is asked to bid. The power is used where it stands; the answer after it counts too."""
    table.say("Ann", "bid 10")
    table.say("Bob", "drop")
    table.say("Cat", "use Q for Y; bid 15")
    assert table.log(game)[-2:] == ["Cat: use Q for Y", "Cat: bid 15"]


def test_a_power_alone_does_not_end_the_own_turn(table: Table, game: str) -> None:
    table.say("Ann", "bid 10")
    table.say("Bob", "drop")
    table.say("Cat", "use Q for Y")
    assert table.log(game)[-1] == "Cat: use Q for Y"
    assert [ask.player for ask in table.position(game).asked()] == ["Cat"]


def test_a_power_before_orders_that_wait_is_used_now(table: Table, game: str) -> None:
    """The limit, which is for later, waits; a power after it does not wait for it."""
    table.say("Ann", "bid 10")
    table.say("Cat", "use Q for Y\nlimit 30")
    assert table.log(game) == ["Ann: bid 10", "Cat: use Q for Y"]
    assert [(kind, status) for kind, _, status in table.held(game)] == [("Cat", "waiting")]


@pytest.mark.parametrize(("notify", "news"), [("all", 1), ("turn", 0)])
def test_others_are_told_as_they_wish(table: Table, game: str, notify: str, news: int) -> None:
    to_companies(table)
    table.say("Bob", f"notify {notify}")
    before = len(table.letters("Bob"))
    table.say("Cat", "use Q for X")
    assert len(table.letters("Bob")) == before + news
