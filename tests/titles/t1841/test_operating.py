"""Operating rounds of 1841: the order of turns, dividends and prices, frozen companies, what begins with a phase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.acts.act import turn_of
from engine.acts.run_trains import Earned
from engine.core.events import PhaseBegan, TrainsRusted
from engine.core.ids import CompanyId
from engine.core.orders import Pay
from engine.core.title import Play
from engine.titles.t1841.names import HISTORY
from engine.titles.t1841.phases import train_bought
from engine.titles.t1841.turn.earnings import pay_as_chosen
from engine.titles.t1841.turn.queue import look_at_order
from tests.kit.games.situations_1841 import Italian, firm, situation

ROUTE = {"G5": "9#1", "F6": "1#0"}


@pytest.mark.clarification("2.14")
@pytest.mark.rule("6.1")
def test_the_order_of_those_who_wait_follows_the_prices() -> None:
    """SFTN sells shares of SFTG, which was to be next: SSFL overtakes it."""
    game = situation(
        firm("SFTN", {"Ann": 2, "Bob": 1}, "J3", markers="H4/1", trains="4"),
        firm("SFTG", {"Bob": 4, "SFTN": 2}, "F4", markers="J6", trains="4"),
        firm("SSFL", {"Cat": 4}, "E4", trains="4"),
    ).turn("SFTN", "sell", waiting="SFTG SSFL")
    assert game.order() == ["SFTN", "SFTG", "SSFL"]
    game.do("SFTN: sell 2 SFTG")
    game.do("SFTN: done")
    assert game.asked == ["Cat SSFL company.turn"]
    game.do("SSFL: run none")
    game.do("SSFL: done")
    assert game.asked == ["Bob SFTG company.turn"]


@pytest.mark.rule("7.10")
def test_a_worse_run_than_the_best_may_be_declared() -> None:
    game = situation(firm("SFTN", {"Ann": 4}, "F4", trains="4", markers="H4/1"), tiles=ROUTE).turn("SFTN", "run")
    game.do("SFTN: run none")
    assert game.state.companies[CompanyId("SFTN")].last_run == 0
    game = situation(firm("SFTN", {"Ann": 4}, "F4", trains="4", markers="H4/1"), tiles=ROUTE).turn("SFTN", "run")
    game.do("SFTN: run best")
    assert (game.state.companies[CompanyId("SFTN")].last_run or 0) > 0


EARNED = [(90, "full", "100 F4"), (100, "full", "100 F4"), (110, "full", "111 G4"), (110, "none", "90 E4")]


@pytest.mark.clarification("5.7")
@pytest.mark.rule("7.13")
@pytest.mark.parametrize(("revenue", "way", "place"), EARNED)
def test_a_price_rises_only_if_the_earnings_exceed_it(revenue: int, way: str, place: str) -> None:
    game = paid(revenue, way)
    assert game.place("SFTN") == place


def paid(revenue: int, way: str) -> Italian:
    game = situation(
        firm("SFTN", {"Ann": 4, "SSFL": 1}, "F4", pool=2, trains="4", markers="H4/1"), firm("SSFL", {"Bob": 4}, "E4")
    ).turn("SFTN", "run")
    turn = replace(turn_of(game.state), stage="pay").noting(Earned(revenue))
    game.state = replace(game.state, agenda=(*game.state.agenda[:-1], turn))
    game.do(f"SFTN: pay {way}")
    return game


@pytest.mark.clarification("5.1")
@pytest.mark.rule("7.12")
def test_players_companies_and_the_company_itself_are_paid_and_the_pool_is_not() -> None:
    game = paid(110, "full")
    assert (game.money("Ann"), game.money("SSFL"), game.money("SFTN")) == (44, 11, 33)
    minor = situation(firm("SFTC", {"Ann": 2, "Bob": 1}, "F4", trains="3", markers="M3"))
    play = Play(minor.title, minor.state)
    pay_as_chosen(play, CompanyId("SFTC"), 100, Pay(CompanyId("SFTC"), "full"))
    money = play.state.cash
    assert (money["Ann"], money["Bob"], money["SFTC"]) == (40, 20, 40)


@pytest.mark.rule("11.3")
@pytest.mark.clarification("2.1")
def test_a_frozen_company_goes_two_columns_left_and_has_then_performed() -> None:
    """As recorded: 62 in H9 to 50 in F9."""
    game = situation(
        firm("SFTG", {"Pool": 2}, "H9", history=False, markers="J6"), firm("SSFL", {"Ann": 4}, "A9", trains="4")
    ).operating("SFTG", "SSFL")
    assert game.place("SFTG") == "50 F9" and "SFTG" in game.state.marks[HISTORY]
    assert game.asked == ["Ann SSFL company.turn"]


@pytest.mark.clarification("2.24")
@pytest.mark.clarification("2.24", site=True)
@pytest.mark.rule("11.5")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_a_company_in_a_circle_sells_its_shares_of_its_controllers_at_full_price(edition: str) -> None:
    """SFTG owns SFTN and SFTN owns SFTG. Beyond half of it in the pool, without a president: only the circle counts."""
    game = situation(
        firm("SFTG", {"SFTN": 4, "Bob": 3}, "F4", markers="J6"),
        firm("SFTN", {"SFTG": 6, "Bob": 2}, "E4", markers="H4/1"),
        firm("SSFL", {"Ann": 4}, "A9", trains="4"),
        edition=edition,
    ).operating("SFTG", "SFTN", "SSFL")
    if edition == "v2":  # both are frozen, and nothing is sold
        assert game.shares("SFTN")["SFTG"] == 6 and game.frozen("SFTG") and game.frozen("SFTN")
        return
    assert game.money("SFTG") == 6 * 90 and "SFTG" not in game.shares("SFTN")
    assert game.president("SFTN") == "Bob" and game.director("SFTG") == "Bob"
    assert game.asked == ["Bob SFTN company.turn"]  # it is not frozen any more


PHASES = [("3", []), ("4", ["2"]), ("5", ["3"]), ("6", []), ("7", ["4"]), ("8", ["5"])]


@pytest.mark.rule("8.7")
@pytest.mark.rule("8.8")
@pytest.mark.parametrize(("train", "rusts"), PHASES)
def test_the_first_train_of_a_number_begins_its_phase(train: str, rusts: list[str]) -> None:
    before = str(int(train) - 1)
    game = situation(firm("SSFL", {"Ann": 4}, "A9"), phase=before, closed="IRSFF")
    play = Play(game.title, game.state)
    train_bought(play, CompanyId("SSFL"), train)  # type: ignore[arg-type]
    assert [e.phase for e in play.events if isinstance(e, PhaseBegan)] == [train]
    assert [e.train for e in play.events if isinstance(e, TrainsRusted)] == rusts
    again = Play(game.title, play.state)
    train_bought(again, CompanyId("SSFL"), train)  # type: ignore[arg-type]
    assert not again.events


@pytest.mark.rule("8.4")
def test_trains_over_a_new_limit_go_to_the_pool_at_once() -> None:
    """A frozen company gives up its cheapest."""
    game = situation(
        firm("SFTN", {"Ann": 5}, "F4", cash=800, markers="H4/1", trains=""),
        firm("SFTG", {"Bob": 5}, "E4", markers="J6", trains="4 5 4"),
        firm("SSFL", {"Pool": 5}, "D4", trains="5 4 5"),
        phase="5",
        supply={"5": 0},
        tiles=ROUTE,
    ).turn("SFTN", "trains")
    game.do("SFTN: train 6")
    assert game.asked == ["Bob SFTG discard"]
    game.do("SFTG: discard 4")
    assert game.trains("SSFL") == "5 5" and sorted(game.state.pool_trains) == ["4", "4"]
    assert game.asked == ["Ann SFTN company.turn"]


@pytest.mark.rule("8.5")
@pytest.mark.parametrize(("edition", "found"), [("clarified", {"train.frozen"}), ("v2", set())])
def test_nobody_buys_trains_of_a_frozen_company(edition: str, found: set[str]) -> None:
    game = situation(
        firm("SFTN", {"Ann": 5}, "F4", cash=80, markers="H4/1", trains="4"),
        firm("SSFL", {"Pool": 5}, "D4", trains="5"),
        phase="5",
        edition=edition,
    ).turn("SFTN", "trains")
    assert game.refusals("SFTN: train 5 from SSFL for 1") == found
    assert ("train 5 from SSFL for 1" in game.accepted()) is not bool(found)


@pytest.mark.rule("6.1")
@pytest.mark.parametrize(("edition", "following"), [("clarified", "Cat SSFL"), ("v2", "Bob SFTG")])
def test_on_the_site_sales_of_a_bankrupt_player_do_not_change_the_order_of_turns(edition: str, following: str) -> None:
    """Ann has three of SFTG, which was to be next; SSFL is dearer when they are sold."""
    game = situation(
        firm("SFTN", {"Ann": 5, "Bob": 5}, "J3", markers="H4/1"),
        firm("SFTG", {"Bob": 4, "Ann": 3}, "F4", markers="J6", trains="4"),
        firm("SSFL", {"Cat": 4}, "E4", trains="4"),
        tiles=ROUTE,
        edition=edition,
    )
    game.operating("SFTN", "SFTG", "SSFL")
    turns = Play(game.title, game.state)
    look_at_order(turns)
    game.state = turns.state
    game.turns(*game.state.agenda)
    game.do("SFTN: run none")
    game.do("SFTN: bankrupt loan")
    assert game.asked == [f"{following} company.turn"]


@pytest.mark.rule("6.1")
def test_on_the_site_a_sale_of_the_company_in_turn_does() -> None:
    game = situation(
        firm("SFTN", {"Ann": 2, "Bob": 1}, "J3", markers="H4/1", trains="4"),
        firm("SFTG", {"Bob": 4, "SFTN": 2}, "F4", markers="J6", trains="4"),
        firm("SSFL", {"Cat": 4}, "E4", trains="4"),
        edition="v2",
    ).turn("SFTN", "sell", waiting="SFTG SSFL")
    game.do("SFTN: sell 2 SFTG")
    game.do("SFTN: done")
    assert game.asked == ["Cat SSFL company.turn"]
