"""Debts of players, and what becomes of a bankrupt's property."""

from __future__ import annotations

import pytest

from engine.core.events import PriorityMoved, Resigned
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.titles.t1863.money.bankruptcy import go_bankrupt
from engine.titles.t1863.money.player_debt import PlayerDebt, owe
from engine.titles.t1863.names import ENDING
from engine.titles.t1863.stock.limits import Excess, excess
from engine.titles.t1863.stock.market import in_red
from engine.titles.t1863.stock.shares import players_in
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, Tube, situation, tube

OTHER = tube("UER", "Cat", 100, markers="")
ON = ["Cat UER company.turn"]
"""The game has gone on."""


def bankrupt(*companies: Tube, player: str = "Ann", **more: object) -> London:
    game = situation(*companies, **more)  # type: ignore[arg-type]
    play = game.play()
    go_bankrupt(play, PlayerId(player))
    return game.take(play)


def red(game: London, name: str) -> bool:
    return in_red(game.title, game.state, CompanyId(name))


# ---- debts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:7.3")
def test_who_has_the_money_pays_and_is_not_asked() -> None:
    game = situation(tube("DIS", {"Bob": 3, "Ann": 2}), cash={"Ann": 50})
    play = game.play()
    owe(play, PlayerId("Ann"), 50, BANK, "short", CompanyId("DIS"))
    assert game.take(play).money("Ann") == 0 and not game.state.agenda


@pytest.mark.rule("1863:5.4", "1863:7.3")
def test_any_legal_sale_will_do_out_of_turn() -> None:
    game = situation(tube("DIS", {"Bob": 3, "Ann": 2}, 100), tube("CLR", "Ann", 100, minor=True), OTHER)
    game.frames(TURNS.begin(OTHER.id), PlayerDebt(PlayerId("Ann"), 150, BANK, "short", "HAM"))
    assert game.asked == ["Ann debt.sell"] and game.accepted() == ["sell 1 DIS"]
    assert game.refusals("Ann: pass") == {"order.wrong_kind"}
    assert game.refusals("Ann: sell 1 CLR") == {"trade.minor"}
    game.do("Ann: sell 2 DIS")
    assert game.money("Ann") == 50 and game.asked == ON and not game.told(Resigned)


@pytest.mark.rule("1863:7.3", "1863:12.39")
def test_who_has_nothing_left_to_sell_pays_what_he_has_and_is_out() -> None:
    game = situation(tube("DIS", {"Bob": 3, "Ann": 1}, 100), OTHER, cash={"Ann": 30})
    game.frames(TURNS.begin(OTHER.id), PlayerDebt(PlayerId("Ann"), 150, "MET", "short", "HAM"))
    game.do("Ann: sell 1 DIS")
    assert game.told(Resigned) == [Resigned(PlayerId("Ann"))] and players_in(game.state) == ("Bob", "Cat")
    assert game.money("Ann") == 0 and game.money("MET") == 130 and game.asked == ON


@pytest.mark.rule("1863:7.3")
def test_a_second_debt_of_a_bankrupt_is_not_asked_for() -> None:
    game = situation(OTHER, cash={"Ann": 30})
    debt = PlayerDebt(PlayerId("Ann"), 150, BANK, "short", "HAM")
    game.frames(TURNS.begin(OTHER.id), debt, debt)
    assert len(game.told(Resigned)) == 1 and game.asked == ON


# ---- the property of a bankrupt --------------------------------------------------------------------------------------


@pytest.mark.rule("1863:7.3", "1863:12.39")
def test_r39_privates_leave_and_shares_go_to_the_pool_without_a_move_of_the_price() -> None:
    game = bankrupt(
        tube("DIS", {"Bob": 3, "Ann": 2}, 100), privates={"GRE": "Ann", "FOW": "Bob", "THO": "DIS"}, cash={"Ann": 7}
    )
    assert game.shares("DIS") == {"Bob": 3, "Pool": 2, "Treasury": 5, "OSI": 10} and game.share_price("DIS") == 100
    assert game.state.privates == {"FOW": "Bob", "THO": "DIS"} and game.money("Ann") == 0


@pytest.mark.rule("1863:12.39")
def test_r39_his_company_goes_to_the_next_largest_holder() -> None:
    game = bankrupt(tube("DIS", {"Ann": 5, "Bob": 2, "CLR": 3}, 100), tube("CLR", "Cat", 80))
    assert game.president("DIS") == "CLR" and game.shares("DIS")["Pool"] == 5
    assert not red(game, "DIS")


@pytest.mark.rule("1863:12.13", "1863:12.39")
@pytest.mark.parametrize(("circles", "over"), [("shares", 3), ("presidencies", 1)])
def test_no_company_below_takes_it_over_but_has_to_sell_what_it_has_too_many(circles: str, over: int) -> None:
    game = bankrupt(
        tube("DIS", {"Ann": 5, "Bob": 2, "CLR": 3}, 100), tube("CLR", "DIS", 80), options={"circles": circles}
    )
    assert game.president("DIS") == "Bob"
    assert excess(game.title, game.state, PlayerId("Bob")) == (Excess("circle", CompanyId("CLR"), "DIS", over),)


@pytest.mark.rule("1863:12.39")
@pytest.mark.parametrize("other", [{}, {"Bob": 1}])
def test_r39_one_that_nobody_can_take_over_awaits_its_liquidation(other: dict[str, int]) -> None:
    game = bankrupt(tube("DIS", {"Ann": 5, **other}, 100), tube("CLR", "Ann", 80, minor=True))
    assert game.president("DIS") == game.president("CLR") == "Pool" and red(game, "DIS") and red(game, "CLR")
    assert game.shares("DIS")["Pool"] == 5 and game.director("DIS") is None


@pytest.mark.rule("1863:12.39")
@pytest.mark.parametrize(
    ("pool", "held", "after"),
    [
        (2, 6, {"Bob": 6, "Treasury": 4, "OSI": 10}),
        (1, 6, {"Bob": 6, "Treasury": 4, "OSI": 10}),
        (0, 6, {"Bob": 6, "Treasury": 4, "OSI": 10}),
        (0, 12, {"Bob": 12, "OSI": 8}),
    ],
)
def test_r39_shorts_return_with_shares_from_the_pool_or_the_charter_as_far_as_there_are_any(
    pool: int, held: int, after: dict[str, int]
) -> None:
    game = bankrupt(tube("DIS", {"Bob": held}, 100, pool=pool, shorts={"Ann": 2}))
    assert game.shares("DIS") == after
    assert game.shorts("DIS").get("OSI", 0) == after["OSI"] and "Ann" not in game.shorts("DIS")


@pytest.mark.rule("1863:12.39")
def test_his_own_shares_that_went_to_the_pool_return_with_the_shorts_of_others_only() -> None:
    game = bankrupt(tube("DIS", {"Bob": 6, "Ann": 2}, 100, shorts={"Cat": 1}))
    assert game.shares("DIS") == {"Bob": 6, "Pool": 2, "Treasury": 3, "OSI": 9}
    assert game.shorts("DIS") == {"Cat": 1, "OSI": 9}


@pytest.mark.rule("1863:7.3")
def test_priority_goes_to_the_next_player_who_is_solvent() -> None:
    game = bankrupt(tube("DIS", "Bob"))
    assert game.told(PriorityMoved) == [PriorityMoved(PlayerId("Bob"))] and game.state.priority == "Bob"


# ---- the end of the game ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:11.2")
@pytest.mark.parametrize(("option", "ending"), [("no", None), ("yes", "bankruptcy")])
def test_by_an_option_the_first_bankruptcy_signals_the_end(option: str, ending: str | None) -> None:
    game = bankrupt(tube("DIS", "Bob"), options={"first_bankruptcy_ends": option})
    assert game.state.marks.get(ENDING) == ending


@pytest.mark.rule("1863:11.2")
def test_the_game_ends_at_once_when_one_player_is_solvent() -> None:
    game = situation(OTHER, players="Ann Bob Cat", cash={"Cat": 100})
    debts = [PlayerDebt(PlayerId(p), 150, BANK, "short", "HAM") for p in ("Ann", "Bob")]
    game.frames(TURNS.begin(OTHER.id), *debts)
    assert game.state.finished and not game.asked
