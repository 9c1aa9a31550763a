"""The end of 1863: the final count, and loans that companies cannot repay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import GameOver
from engine.core.ids import CompanyId
from engine.titles.t1863.ending.ends import end_at_once, finish, signal_end
from engine.titles.t1863.ending.stalemate import stalled
from engine.titles.t1863.names import ENDING, OUT, OWED
from engine.titles.t1863.stock.round_end import close_stock_round
from tests.kit.games.situations_1863 import London, situation, tube


def over(game: London) -> GameOver:
    play = game.play()
    finish(play)
    game.take(play)
    (found,) = game.told(GameOver)
    return found


T12 = [(250, {"Ann": 1600, "Bob": 1360, "Cat": 2050, "Dan": 2190}, "Dan Cat Ann Bob")]


@pytest.mark.rule("1863:11.3", "1863:12.58")
@pytest.mark.parametrize(("first", "scores", "order"), T12)
def test_t12_the_printed_table(first: int, scores: dict[str, int], order: str) -> None:
    game = situation(
        tube("MET", {"Ann": 6, "Cat": 1, "Dan": 3}, first),
        tube("BAK", {"Bob": 6, "Cat": 2, "Dan": 2}, 110),
        tube("CLR", {"Cat": 5, "Bob": 3, "Dan": 2}, 200),
        tube("CIR", {"Dan": 6, "Cat": 4}, 120),
        players="Ann Bob Cat Dan",
        cash=dict.fromkeys(("Ann", "Bob", "Cat", "Dan"), 100),
        phase="V",
    )
    assert {player: game.score(player) for player in scores} == scores
    assert [player for player, _ in over(game).standings] == order.split()


@pytest.mark.rule("1863:11.3", "1863:12.55", "1863:11.7", "1863:12.77")
@pytest.mark.parametrize(("ruling", "owed"), [("owed", 220), ("void", 0)])
def test_r55_shorts_count_against_a_player_and_minors_for_two_shares(ruling: str, owed: int) -> None:
    game = situation(
        tube("MET", {"Ann": 5}, 110, shorts={"Bob": 2}),
        tube("BAK", "Bob", 75, minor=True),
        privates={"THO": "Bob"},
        cash={"Ann": 10, "Bob": 300},
        options={"final_shorts": ruling},
    )
    assert (game.score("Ann"), game.score("Bob")) == (10 + 550, 300 + 150 - owed)


@pytest.mark.rule("1863:12.55")
def test_r55_what_a_company_cannot_repay_its_president_pays() -> None:
    """Bakerloo lacks 150: the Metropolitan, its owner, has 50, and Ann pays the other 100."""
    game = situation(
        tube("MET", {"Ann": 2}, 40, cash=50),
        tube("BAK", "MET", 75, minor=True, cash=50, loans=2),
        cash={"Ann": 130},
    )
    found = dict(over(game).standings)
    assert game.money("MET") == 0
    assert found["Ann"] == 80 + 30  # type: ignore[index]


@pytest.mark.rule("1863:12.55")
def test_r55_a_player_owes_what_goes_beyond_his_cash() -> None:
    game = situation(tube("MET", {"Ann": 2}, 40, loans=1), cash={"Ann": 30})
    found = dict(over(game).standings)
    assert (game.money("Ann"), found["Ann"]) == (0, 30 + 80 - 100)  # type: ignore[index]


@pytest.mark.rule("1863:7.1", "1863:12.55")
def test_r55_the_bill_of_a_company_in_liquidation_is_a_debt_too() -> None:
    """The Metropolitan owes 140 and has 50."""
    game = situation(
        tube("MET", {"Ann": 2}, 0, cash=50),
        cash={"Ann": 300},
        marks={OWED: {CompanyId("MET"): 140}},
    )
    assert dict(over(game).standings)["Ann"] == 300 - 90  # type: ignore[index]
    assert game.money("MET") == 0 and OWED not in game.state.marks


@pytest.mark.rule("1863:11.3")
def test_every_company_repays_its_own_loans_first() -> None:
    """The cash of the Metropolitan goes to its own loan before that of its subsidiary."""
    game = situation(
        tube("BAK", "MET", 75, minor=True, loans=1),
        tube("MET", {"Ann": 2}, 40, cash=100, loans=1),
        cash={"Ann": 300},
    )
    assert dict(over(game).standings)["Ann"] == 200 + 80  # type: ignore[index]
    assert (game.loans("MET"), game.loans("BAK"), game.money("MET")) == (0, 0, 0)


@pytest.mark.rule("1863:11.2")
def test_the_game_ends_at_once_when_one_player_is_solvent() -> None:
    game = situation(tube("MET", {"Ann": 2}, 40), marks={OUT: frozenset({"Bob"})})
    play = game.play()
    end_at_once(play)
    assert not play.state.finished
    game = situation(tube("MET", {"Ann": 2}, 40), marks={OUT: frozenset({"Bob", "Cat"})})
    play = game.play()
    end_at_once(play)
    assert play.state.finished
    assert isinstance(play.events[-1], GameOver) and play.events[-1].reason == "last_player"


@pytest.mark.rule("1863:11.1")
def test_the_first_signal_stands() -> None:
    play = situation(tube("MET", {"Ann": 2}, 40)).play()
    signal_end(play, "lptb")
    signal_end(play, "trains")
    assert play.state.marks[ENDING] == "lptb"
    assert len(play.events) == 2


def stock_rounds(game: London, *between: dict[str, int]) -> int:
    """Stock rounds in which all pass until nothing is left to play; 0 if it goes on. ``between`` them the cash is as
    given."""
    for number, cash in enumerate(({}, *between), 1):
        if cash:
            game.state = replace(game.state, cash={**game.state.cash, **cash})
        play = game.play()
        close_stock_round(play, None)
        game.take(play)
        if stalled(game.title, game.state):
            return number
    return 0


POOR = {"Ann": 20, "Cat": 84}
STALLED = [
    (POOR, {}, 1),
    ({**POOR, "Cat": 85}, {}, 0),
    (POOR, {"CLK": "Bob"}, 1),
    (POOR, {"THO": "Bob"}, 2),
]


@pytest.mark.rule("1863:12.69")
@pytest.mark.parametrize(("cash", "privates", "rounds"), STALLED)
def test_r69_no_company_is_left_and_nobody_can_start_one(
    cash: dict[str, int], privates: dict[str, str], rounds: int
) -> None:
    """A bid of 5 and twice the lowest price, 40, are the least that a company needs. The Clink Club is never sold."""
    game = situation(cash=cash, privates=privates, phase="IV", edition="equal")
    assert stock_rounds(game, {}, {}) == rounds


@pytest.mark.rule("1863:12.69")
def test_r69_a_set_in_which_money_has_moved_is_none_of_a_standstill() -> None:
    game = situation(cash={"Bob": 4, "Cat": 84}, privates={"THO": "Bob"}, phase="IV", edition="equal")
    assert stock_rounds(game, {"Bob": 3, "Cat": 84}, {"Bob": 2}, {}) == 4


@pytest.mark.rule("1863:12.69")
def test_r69_none_while_a_company_is_in_play() -> None:
    game = situation(tube("MET", {"Ann": 2}, 40))
    assert stock_rounds(game, {}, {}) == 0
