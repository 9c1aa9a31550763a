"""Orders that may come at any moment: carried out at once, told to everybody, and no harm to what others are asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import engine
from engine import Game
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.orders import UsePrivate
from grammar import read
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.render_1844 import game_from
from tests.kit.games.situations_1844 import situation, swiss
from tests.kit.service import toy_title
from tests.kit.service.toy_service import PlainWords, Table, open_table, to_companies

pytestmark = pytest.mark.usefixtures("each_database")


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


def test_a_power_is_never_too_late(table: Table, game: str) -> None:
    """It answers no question; with other orders in the same mail it is too late as they are. To a superseded address it
    is not used: who knows that is not known."""
    mail = table.address("Cat")
    table.say("Ann", "bid 10")
    table.say("Bob", "drop")
    table.say("Cat", "drop")
    table.say("Cat", f"BEGIN {game} AT 1\nuse Q for Y; bid 20\nEND")
    assert table.outcomes()[-1] == "stale"
    table.say("Cat", "use Q for Y", to=mail)
    assert table.outcomes()[-1] == "stale"
    table.say("Cat", f"BEGIN {game} AT 1\nuse Q for Y\nEND")
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


# ---- among the orders of a turn --------------------------------------------------------------------------------------


@pytest.fixture
def two(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of Ann, who directs X, and Bob, who directs Y and has Q."""
    monkeypatch.setattr(engine, "editions", lambda name: ("one",))
    return table.game("toy", players=("Ann", "Bob"))


@pytest.mark.fault(53)
def test_an_order_under_another_head_does_not_end_a_turn(table: Table, two: str) -> None:
    to_companies(table)
    table.say("Ann", "X: pay none; done")
    table.say("Bob", "Y: pay none\nBob: use Q for Y\nY: run none")
    assert table.log(two)[-4:] == ["Y: pay none", "Bob: use Q for Y", "Y: run none", "Y: done"]


def test_a_turn_that_is_kept_is_one_in_spite_of_another_head(table: Table, two: str) -> None:
    table.say("Bob", "Y: pay none\nBob: use Q for Y\nY: run none; done")
    assert table.log(two) == ["Bob: use Q for Y"]
    assert table.held(two) == [("Bob", "Y:\n  pay none\n  run none\n  done", "waiting")]
    to_companies(table)
    table.say("Ann", "X: pay none; done")
    assert table.log(two)[-3:] == ["Y: pay none", "Y: run none", "Y: done"]


# ---- with 1844 itself ------------------------------------------------------------------------------------------------


def swiss_game(*, turn: str, phase: str = "3", stage: str = "track") -> Game:
    """P4 is Cat's, P7 Bob's; Bob directs RhB and MOB, of which ``turn`` is on turn."""
    position = situation(
        swiss("RhB", {"Bob": 5}, par=60, cash=320, trains="3"),
        swiss("MOB", {"Bob": 4, "Cat": 2}, cash=275, trains="3H"),
        phase=phase, round="OR 6.2", cash={"Ann": 310, "Bob": 75, "Cat": 20},
        privates={"P4": "Cat", "P7": "Bob", "T1": "Bob"}, tiles={"G26": "6#0", "H25": "58#1", "I6": "57#0"},
    ).turn(turn, stage)  # fmt: skip
    return game_from(position, "")


def played(game: Game, player: str, text: str) -> tuple[Fork, Block]:
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=player)
    fork = Fork(game)
    return fork, play_block(fork, player, reading, text, partial=False)


def test_track_of_a_private_in_anothers_turn_renews_a_turn_whose_choices_it_changes() -> None:
    """RhB's track ends where the new one begins, so that it may lay further on: Bob is asked anew."""
    fork, block = played(swiss_game(turn="RhB"), "Cat", "use P4")
    assert [(line.canonical, line.verdict) for line in block.lines] == [("use P4", "accepted")]
    assert fork.game.state.money("Cat") == 20 + 80
    assert [ask.actor for ask in fork.game.asked()] == ["RhB"]
    assert fork.renewed == {"Bob"}


def test_track_of_a_private_leaves_alone_whose_choices_stay() -> None:
    fork, _ = played(swiss_game(turn="MOB", stage="trains"), "Cat", "use P4")
    assert fork.renewed == set()


def test_a_train_of_a_private_among_the_orders_of_a_turn_is_its_owners() -> None:
    """Under the head of the company it is Bob's order all the same, and his turn goes on after it."""
    fork, block = played(swiss_game(turn="MOB", phase="5", stage="trains"), "Bob", "MOB:\n  use P7 for MOB\n  done")
    assert [line.verdict for line in block.lines] == ["accepted", "accepted"]
    assert [move.order.actor for move in fork.moves] == ["Bob", "MOB"]
    assert fork.moves[0].order == UsePrivate(PlayerId("Bob"), PrivateId("P7"), CompanyId("MOB"))


def test_a_train_of_a_private_alone_leaves_the_turn_open() -> None:
    fork, block = played(swiss_game(turn="MOB", phase="5", stage="trains"), "Bob", "MOB: use P7 for MOB")
    assert [line.verdict for line in block.lines] == ["accepted"]
    assert [ask.actor for ask in fork.game.asked()] == ["MOB"]


def test_a_power_too_early_is_refused_with_its_reason() -> None:
    _, block = played(swiss_game(turn="MOB", stage="trains"), "Bob", "use P7 for MOB")
    assert [failure.check for failure in block.lines[0].failures] == ["use.too_early"]
    assert not block.stands
