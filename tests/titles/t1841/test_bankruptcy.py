"""Bankruptcy in 1841: when a player is bankrupt, what he loses, and how he goes on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import GameOver, PriceSet, Resigned
from engine.core.ids import PlayerId
from engine.titles.t1841.names import RESIGNED
from engine.titles.t1841.stock.limits import certificate_limit
from tests.kit.games.situations_1841 import Firm, Italian, firm, situation

ROUTE = {"G5": "9#1", "F6": "1#0"}


def broke(*others: Firm, cash: int = 0, ann: int = 10, **more: Any) -> Italian:
    """Ann's SFTN has no train and nothing left to sell."""
    sftn = firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", cash=cash, markers="H4/1")
    more.setdefault("cash", {"Ann": ann, "Bob": 100})
    return situation(sftn, *others, tiles=ROUTE, **more).turn("SFTN", "trains", waiting="SFTG")


@pytest.mark.rule("8.16")
@pytest.mark.parametrize(
    ("edition", "found"), [("clarified", {"order.not_asked"}), ("v2", set())], ids=["clarified", "site"]
)
def test_a_player_is_bankrupt_if_all_his_chain_could_raise_is_too_little(edition: str, found: set[str]) -> None:
    """By the site's ruling his own stock that has no history does not count; otherwise Ann is asked to sell it."""
    sftg = firm("SFTG", {"Bob": 3, "Ann": 5}, "D5", markers="J6", history=False)
    assert broke(sftg, cash=150, edition=edition).refusals("SFTN: bankrupt loan") == found
    assert broke(cash=250, ann=100, edition=edition).refusals("SFTN: bankrupt loan") == {"bankrupt.can_pay"}
    assert broke(edition=edition).refusals("SFTN: bankrupt loan") == set()


@pytest.mark.rule("8.16")
@pytest.mark.clarification("2.22")
def test_a_half_unit_that_a_seller_still_has_to_come_counts_before_he_is_bankrupt() -> None:
    """Two shares at 63 and then 57 bring 31 and 29, which is all that is missing: 280 + 10 + 60 = 350."""
    game = broke(firm("SFTG", {"Bob": 3, "Ann": 2}, "A2", markers="J6"), cash=280)
    assert game.refusals("Ann: sell 2 SFTG") == set()
    game.do("Ann: sell 1 SFTG")
    assert game.money("SFTN") == 280 + 10 + 31
    assert game.refusals("SFTN: bankrupt loan") == {"order.not_asked"}
    game.do("Ann: sell 1 SFTG")
    assert game.money("SFTN") == 350


def test_how_it_goes_on_must_be_said() -> None:
    game = broke()
    assert game.refusals("SFTN: bankrupt") == {"bankrupt.way"}
    assert {"bankrupt resign", "bankrupt loan"} <= set(game.accepted("SFTN"))
    one = broke(options={"bankruptcy": "resign"})
    assert one.refusals("SFTN: bankrupt loan") == {"bankrupt.way"}


@pytest.mark.rule("8.17")
@pytest.mark.rule("8.18")
@pytest.mark.rule("8.19")
def test_all_is_sold_the_company_gets_the_money_and_the_player_a_loan() -> None:
    """Five shares of SFTN at 100: the pool has room for all five, so the price falls."""
    game = broke(firm("SFTG", {"Bob": 3}, "D5", markers="J6", trains="4", cash=5))
    game.do("SFTN: bankrupt loan")
    assert game.shares("SFTN") == {"Bob": 5, "Pool": 5} and game.president("SFTN") == "Bob"
    assert game.money("SFTN") == 10 + 250 and game.money("Ann") == 500
    assert game.state.debt(PlayerId("Ann")) == 500 and game.place("SFTN") == "50 F9"
    assert game.asked == ["Bob SFTG company.turn"]  # the turn is over, though SFTN has no train


@pytest.mark.rule("8.16")
@pytest.mark.parametrize(("edition", "found"), [("clarified", {"bankrupt.can_pay"}), ("v2", set()), ("v1", set())])
def test_by_the_sites_ruling_money_of_a_company_above_that_sells_nothing_does_not_count(
    edition: str, found: set[str]
) -> None:
    """SSFL has 320 of the 350 and Ann 40; neither has anything to sell."""
    game = situation(
        firm("SFTN", {"SSFL": 5, "Bob": 5}, "F4", markers="H4/1"),
        firm("SSFL", {"Ann": 5, "Bob": 5}, "F4", cash=320, markers="Q11"),
        tiles=ROUTE, cash={"Ann": 40}, edition=edition,
    ).turn("SFTN", "trains")  # fmt: skip
    assert game.refusals("SFTN: bankrupt loan") == found
    assert game.refusals("SFTN: train 4") == set()


@pytest.mark.rule("8.16")
def test_by_the_sites_ruling_what_each_company_would_bring_a_player_is_rounded_down() -> None:
    """One share at 77 brings him 39, but counts for 38: 272 + 40 + 38 = 350, so Ann is asked to sell it. With one unit
    less he is bankrupt."""
    for cash, found in ((272, {"order.not_asked"}), (271, set())):
        sftg = firm("SFTG", {"Bob": 3, "Ann": 1}, "D5", markers="J6")
        assert broke(sftg, cash=cash, ann=40, edition="v2").refusals("SFTN: bankrupt loan") == found


@pytest.mark.rule("8.16")
@pytest.mark.parametrize("edition", ["clarified", "v2", "v1"])
@pytest.mark.parametrize(("ann", "found"), [(4, {"bankrupt.can_pay"}), (3, set())])
def test_half_prices_count_for_all_that_an_emergency_may_sell(edition: str, ann: int, found: set[str]) -> None:
    """SFTN could raise 225, and Ann 284 and 105 for shares of which the pool would take two and none in a stock round:
    614 for a train of 550. With one share less at 142 she is bankrupt."""
    game = situation(
        firm("SFTN", {"Ann": 2}, "E4", markers="H4/1", pool=3),
        firm("SFTG", {"Bob": 2, "Ann": ann}, "H2", markers="J6", pool=3),
        firm("SSFL", {"Bob": 2, "Ann": 2}, "F3", markers="Q11", pool=5),
        tiles=ROUTE,
        cash={"Ann": 0},
        phase="5",
        supply={"4": 0},
        edition=edition,
    ).turn("SFTN", "trains")
    assert game.refusals("SFTN: bankrupt loan") == found


@pytest.mark.rule("8.17")
def test_by_the_sites_ruling_prices_fall_for_what_an_emergency_may_sell() -> None:
    """Bob has three of Ann's company, so she may sell two of her five: at 50, and two rows. The others bring 43.5."""
    sftn = firm("SFTN", {"Ann": 5, "Bob": 3, "Cat": 2}, "F4", markers="H4/1")
    game = situation(sftn, tiles=ROUTE, edition="v2").turn("SFTN", "trains")
    game.do("SFTN: bankrupt loan")
    assert (game.place("SFTN"), game.president("SFTN")) == ("87 F6", "Bob")
    assert game.money("SFTN") == 2 * 50 + 131


@pytest.mark.rule("8.17")
def test_by_the_sites_ruling_no_price_falls_for_what_keeps_the_presidency_of_the_operating_company() -> None:
    """The pool has room for all five shares, but Ann may sell none of them in the emergency: Bob has as many."""
    game = broke(firm("SFTG", {"Bob": 3}, "D5", markers="J6", trains="4", cash=5), edition="v2")
    game.do("SFTN: bankrupt loan")
    assert game.shares("SFTN") == {"Bob": 5, "Pool": 5} and game.president("SFTN") == "Bob"
    assert game.money("SFTN") == 10 + 250 and game.place("SFTN") == "100 F4"


@pytest.mark.rule("8.17")
def test_what_the_limits_do_not_allow_is_sold_without_a_fall_and_the_company_freezes() -> None:
    sftg = firm("SFTG", {"Ann": 2, "Bob": 1}, "D5", markers="J6", pool=5)
    game = broke(sftg)
    game.do("SFTN: bankrupt resign")
    assert game.president("SFTG") == "Pool" and game.frozen("SFTG")
    assert [e.company for e in game.told(PriceSet) if e.reason == "sale"] == ["SFTN"]
    assert game.money("SFTN") == 10 + 250 + 77 and game.money("Ann") == 0


@pytest.mark.rule("8.18")
def test_a_concession_goes_to_the_bank_and_its_company_to_the_pool() -> None:
    sftn = firm("SFTN", {"Ann": 5, "Bob": 5}, "D9", markers="H4/1")
    owned: dict[str, str | None] = {"C-SFTN": "Ann", "Bayard": "Ann"}
    game = situation(sftn, tiles=ROUTE, phase="3", privates=owned).turn("SFTN", "trains")
    game.do("SFTN: bankrupt resign")
    assert game.owner("C-SFTN") is None and game.owner("Bayard") is None
    assert game.president("SFTN") == "Pool" and game.frozen("SFTN")


@pytest.mark.rule("8.17")
@pytest.mark.clarification("2.22")
def test_all_that_a_bankrupt_player_sells_is_rounded_once() -> None:
    """One share at 75, three at 77 with a president's certificate that a concession binds, and two at 50: 203."""
    game = situation(
        firm("SFTN", {"Ann": 2, "Bob": 5}, "D8", markers="H4/1"),
        firm("SFTG", {"Ann": 3, "Bob": 1}, "D5", markers="J6", history=False),
        firm("SSFL", {"Bob": 2, "Ann": 1}, "F7", markers="Q11"),
        tiles=ROUTE, phase="3", privates={"C-SFTN": "Ann", "C-SFTG": "Ann", "C-SSFL": "Bob"},
    ).turn("SFTN", "trains")  # fmt: skip
    game.do("SFTN: bankrupt loan")
    assert game.money("SFTN") == (75 + 3 * 77 + 2 * 50) // 2 == 203


@pytest.mark.rule("8.18")
@pytest.mark.rule("12.4")
def test_who_resigns_is_asked_no_more_and_the_last_player_ends_the_game() -> None:
    game = broke()
    game.do("SFTN: bankrupt resign")
    assert game.told(Resigned) == [Resigned(PlayerId("Ann"))]
    assert game.state.marks[RESIGNED] == {"Ann"} and game.state.priority == "Bob"
    assert not any(asked.startswith("Ann") for asked in game.asked)
    last = broke(resigned="Cat")
    last.do("SFTN: bankrupt resign")
    assert last.told(GameOver)[0].reason == "bankruptcy"


@pytest.mark.clarification("2.11")
def test_limits_stay_when_a_player_has_left() -> None:
    game = broke()
    before = certificate_limit(game.title, game.state, PlayerId("Bob"))
    game.do("SFTN: bankrupt resign")
    assert certificate_limit(game.title, game.state, PlayerId("Bob")) == before == 21
