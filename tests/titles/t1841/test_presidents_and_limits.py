"""Who is president, who is over a limit, and the circles of companies that nobody may close."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.events import Froze
from engine.core.ids import CompanyId, PhaseName, PlayerId
from engine.core.orders import Buy
from engine.core.title import Play
from engine.titles.t1841.stock.circles import circles, forced_circle_sales
from engine.titles.t1841.stock.limits import certificate_limit, certificates_of, over_limits
from engine.titles.t1841.stock.presidency import frozen, review_presidents, settle_president, transfer
from engine.titles.t1841.stock.trading import check_buy, check_sale
from tests.kit.games.situations_1841 import Italian, firm, situation


def moved(game: Italian, number: int, company: str, source: str, target: str) -> Italian:
    """The game after shares have changed hands, for nothing."""
    play = Play(game.title, game.state)
    transfer(play, CompanyId(company), number, source, target)
    game.state, game.events = play.state, play.events
    return game


# ---- presidents ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:5.6")
@pytest.mark.rule("1841:5.7")
@pytest.mark.parametrize(
    ("holders", "number", "source", "target", "president", "after"),
    [
        ({"Ann": 3, "Bob": 3}, 1, "Treasury", "Bob", "Bob", {"Ann": 3, "Bob": 4}),
        ({"Ann": 3, "Bob": 2}, 1, "Treasury", "Bob", "Ann", {"Ann": 3, "Bob": 3}),  # no more than she has
        ({"Ann": 3, "SFTN": 3}, 1, "Treasury", "SFTN", "SFTN", {"Ann": 3, "SFTN": 4}),
        ({"Bob": 3, "Ann": 2, "Cat": 2}, 2, "Bob", "Pool", "Cat", {"Ann": 2, "Bob": 1, "Cat": 2, "Pool": 2}),
        ({"Bob": 3, "Ann": 2, "SFTN": 2}, 2, "Bob", "Pool", "Ann", {"Ann": 2, "Bob": 1, "SFTN": 2, "Pool": 2}),
        ({"SFTN": 3, "SSFL": 2}, 2, "SFTN", "Pool", "SSFL", {"SFTN": 1, "SSFL": 2, "Pool": 2}),
        ({"SFTN": 3, "Cat": 2, "Ann": 2}, 2, "SFTN", "Pool", "Cat", {"SFTN": 1, "Ann": 2, "Cat": 2, "Pool": 2}),
    ],
)
def test_who_has_most_is_president_and_ties_go_round_the_table(
    holders: dict[str, int], number: int, source: str, target: str, president: str, after: dict[str, int]
) -> None:
    """SFTN is Bob's, whose left is Cat; SSFL is Ann's."""
    game = situation(firm("SFTN", "Bob", "G4"), firm("SSFL", "Ann", "C5"), firm("SFTG", holders, "F4"))
    moved(game, number, "SFTG", source, target)
    assert game.president("SFTG") == president
    assert {place: n for place, n in game.shares("SFTG").items() if place != "Treasury"} == after


def test_on_the_site_a_companys_successors_are_counted_from_priority() -> None:
    game = situation(firm("SFTN", "Bob", "G4"), firm("SFTG", {"SFTN": 3, "Cat": 2, "Ann": 2}, "F4"), edition="v2")
    assert moved(game, 2, "SFTG", "SFTN", "Pool").president("SFTG") == "Ann"


@pytest.mark.rule("1841:5.8")
@pytest.mark.clarification("1.16")
@pytest.mark.rule("1841:9.3")
def test_a_concession_keeps_the_president_until_it_is_gone() -> None:
    game = situation(
        firm("SFTG", {"Ann": 2, "Bob": 3}, "F4"), firm("AFI", {"Ann": 2}, "F4"), phase="3", privates={"C-SFTG": "Ann"}
    )
    assert moved(game, 1, "SFTG", "Treasury", "Bob").president("SFTG") == "Ann"
    assert moved(game, 3, "AFI", "Treasury", "Bob").president("AFI") == "Bob"
    game.state = replace(game.state, privates={}, phase=PhaseName("4"))
    play = Play(game.title, game.state)
    review_presidents(play)
    game.state = play.state
    assert (game.president("SFTG"), game.shares("SFTG")) == ("Bob", {"Ann": 2, "Bob": 4, "Treasury": 4})


@pytest.mark.rule("1841:11.2")
@pytest.mark.rule("1841:11.6")
def test_a_company_without_a_president_is_frozen_until_somebody_has_two_shares() -> None:
    game = situation(firm("SFTN", "Bob", "G4"), firm("SFTG", {"SFTN": 3, "Cat": 1}, "F4"))
    moved(game, 2, "SFTN", "Bob", "Pool")
    assert (game.president("SFTN"), sorted(frozen(game.title, game.state))) == ("Pool", ["SFTG", "SFTN"])
    assert [(e.company, e.circle) for e in game.events if isinstance(e, Froze)] == [("SFTG", ()), ("SFTN", ())]
    moved(game, 1, "SFTN", "Treasury", "Cat")
    moved(game, 1, "SFTN", "Treasury", "Cat")
    assert (game.president("SFTN"), sorted(frozen(game.title, game.state))) == ("Cat", [])


def test_a_president_stays_who_is_settled_again() -> None:
    game = situation(firm("SFTG", {"Ann": 3, "Bob": 3}, "F4"))
    play = Play(game.title, game.state)
    settle_president(play, CompanyId("SFTG"))
    assert not play.events


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.clarification("2.8")
@pytest.mark.clarification("2.9")
@pytest.mark.rule("1841:5.11")
def test_neither_concessions_nor_certificates_of_companies_count_for_a_player() -> None:
    game = situation(
        firm("SFTN", {"Ann": 3}, "F4"),
        firm("SFTG", {"SFTN": 4, "Ann": 2}, "F4"),
        phase="3",
        privates={"Bayard": "Ann", "C-SSFL": "Ann"},
    )
    assert certificates_of(game.title, game.state, PlayerId("Ann")) == 2 + 2
    assert certificates_of(game.title, game.state, CompanyId("SFTN")) == 3


@pytest.mark.clarification("2.11")
@pytest.mark.rule("1841:5.10")
def test_limits_stay_when_a_bankrupt_player_leaves() -> None:
    for resigned in ("", "Cat"):
        game = situation(players="Ann Bob Cat Dan", resigned=resigned)
        assert certificate_limit(game.title, game.state, PlayerId("Ann")) == 16


def over_sixty(edition: str = "clarified", history: bool = True, pool: int = 0) -> Italian:
    """Ann's chain has 70 % of SFTG, 40 % of it herself; she also has SSFL."""
    return situation(
        firm("SFTN", {"Ann": 3}, "G4"),
        firm("SFTG", {"Ann": 4, "SFTN": 3}, "F4", history=history, pool=pool),
        firm("SSFL", {"Ann": 4}, "C5"),
        cash={"Ann": 500},
        round="SR 2",
        edition=edition,
    )


@pytest.mark.clarification("1.7")
@pytest.mark.rule("1841:5.13")
def test_who_is_over_60_percent_sells_before_anything_else_in_his_stock_turn() -> None:
    game = over_sixty().stock("Ann")
    facts = {"company": "SFTG", "over": 1, "holders": (("Ann", 40), ("SFTN", 30))}
    assert game.failures("Ann: pass") == {"stock.over_sixty": facts}
    assert game.failures("Ann: buy SSFL")["stock.over_sixty"] == facts
    assert game.failures("Ann: sell 1 SSFL") == {"stock.over_sixty": facts}
    assert all(entry.startswith("sell") and entry.endswith("SFTG") for entry in game.accepted())
    game.do("Ann: sell 1 SFTG")
    game.do("Ann: sell 1 SSFL")  # what was forced is not the turn's group
    game.do("Ann: pass")


@pytest.mark.clarification("2.10")
@pytest.mark.rule("1841:5.13")
@pytest.mark.parametrize(("history", "pool"), [(False, 0), (True, 3)])
def test_who_can_sell_nothing_is_excused(history: bool, pool: int) -> None:
    """Without history nothing may go, with half of it in the pool nothing may come."""
    pool = 0 if not history else pool
    game = over_sixty(history=history, pool=pool)
    if pool:
        game = situation(
            firm("SFTN", {"Ann": 3}, "G4"),
            firm("SFMA", {"Ann": 3, "SFTN": 1}, "F4", pool=1, history=False),
            cash={"Ann": 500},
            round="SR 2",
        )
    assert over_limits(game.title, game.state, PlayerId("Ann"))
    assert game.stock("Ann").refusals("Ann: pass") == set()


@pytest.mark.clarification("2.10")
def test_who_can_sell_some_must_though_it_is_not_enough() -> None:
    game = situation(
        firm("SFTN", {"Ann": 3}, "G4"),
        firm("SFMA", {"Ann": 3, "SFTN": 2}, "F4"),
        cash={"Ann": 500},
        round="SR 2",
    ).stock("Ann")
    assert game.refusals("Ann: pass") == {"stock.over_sixty"}
    game.do("Ann: sell 1 SFMA")
    assert over_limits(game.title, game.state, PlayerId("Ann"))
    assert game.refusals("Ann: pass") == {"stock.over_sixty"}
    game.do("Ann: sell 1 SFMA")
    game.do("Ann: pass")


@pytest.mark.rule("1841:5.10")
def test_certificates_over_the_limit_are_sold_first() -> None:
    names = ("SFTG", "SFTN", "SSFL", "AFI", "ATFA", "CFCC")
    game = situation(
        *(firm(name, {"Ann": 4 if name != "CFCC" else 3}, "F4") for name in names),
        cash={"Ann": 500},
        players="Ann Bob Cat Dan",
        round="SR 2",
    ).stock("Ann")
    assert certificates_of(game.title, game.state, PlayerId("Ann")) == 17
    assert game.failures("Ann: pass") == {"stock.over_limit": {"over": 1, "limit": 16}}
    assert game.accepted()
    game.do("Ann: sell 1 AFI")
    assert game.refusals("Ann: pass") == set()


@pytest.mark.clarification("2.12", site=True)
@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_on_the_site_any_sale_will_do(edition: str) -> None:
    game = over_sixty(edition).stock("Ann")
    assert game.refusals("Ann: sell 1 SSFL") == set()


@pytest.mark.clarification("2.12")
@pytest.mark.rule("1841:5.14")
@pytest.mark.rule("1841:5.15")
def test_a_company_is_over_a_limit_by_its_own_certificates_and_by_its_controllers_chain() -> None:
    game = over_sixty()
    excesses = over_limits(game.title, game.state, CompanyId("SFTN"))
    assert [(e.what, e.over, e.limit) for e in excesses] == [("SFTG", 1, 60)]
    game = situation(firm("SFTN", {"Ann": 3}, "G4"), firm("SFTG", {"Bob": 2, "SFTN": 6}, "F4"))
    assert [(e.what, e.over) for e in over_limits(game.title, game.state, CompanyId("SFTN"))] == [("certificates", 1)]
    buy = Buy(CompanyId("SFTN"), CompanyId("SFTG"), "treasury")
    failures = {f.check: dict(f.facts) for f in check_buy(game.title, game.state, buy.actor, buy)}
    assert failures["buy.company_certificates"] == {"holder": "SFTN", "held": 6, "limit": 5}


# ---- circles ---------------------------------------------------------------------------------------------------------


def nearly(*companies: str, edition: str = "clarified") -> Italian:
    """Each company owns the next with two shares; the first belongs to Ann, and the last has two shares of it."""
    first, *others = companies
    chain = [firm(of, {owner: 2, "Bob": 2}, "F4", cash=500) for owner, of in zip(companies, others, strict=False)]
    game = situation(
        firm(first, {"Ann": 2, companies[-1]: 2}, "F4", cash=500), *chain, cash={"Ann": 9}, edition=edition
    )
    assert not circles(game.title, game.state)
    return game


def wanted(game: Italian, buyer: str, company: str) -> dict[str, Any]:
    order = Buy(CompanyId(buyer), CompanyId(company), "treasury")
    return {f.check: dict(f.facts) for f in check_buy(game.title, game.state, order.actor, order)}


@pytest.mark.clarification("3.1")
@pytest.mark.rule("1841:11.1")
@pytest.mark.parametrize(
    ("companies", "circle"),
    [(("AFI", "ATFA"), ("AFI", "ATFA")), (("AFI", "ATFA", "CFCC"), ("AFI", "CFCC", "ATFA"))],
)
def test_nobody_closes_a_circle_by_a_purchase_or_a_sale(companies: tuple[str, ...], circle: tuple[str, ...]) -> None:
    game, last = nearly(*companies), companies[-1]
    failures = wanted(game, last, "AFI")
    assert set(failures) == {"buy.own_owner", "buy.circle"}
    assert failures["buy.circle"] == {"company": "AFI", "circle": circle}
    assert failures["buy.own_owner"]["chain"] == (*reversed(companies[:-1]), "Ann")
    sale = check_sale(game.title, game.state, PlayerId("Ann"), ((CompanyId("AFI"), 1),))
    assert [(f.check, dict(f.facts)) for f in sale] == [("sell.circle", {"circle": circle})]


@pytest.mark.clarification("3.1")
def test_nobody_closes_a_circle_by_a_purchase_from_a_player() -> None:
    game = nearly("AFI", "ATFA")
    game.state = replace(game.state, cash={**game.state.cash, "Cat": 100, "Bank": game.state.cash["Bank"] - 100})
    game.stock("Cat", "SR 2")
    circle = ("AFI", "ATFA")
    assert game.failures("Cat: buy 1 AFI from Ann for 70") == {"buy.circle": {"company": "AFI", "circle": circle}}


@pytest.mark.clarification("3.1", site=True)
@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_on_the_site_a_sale_may_close_a_circle(edition: str) -> None:
    game = nearly("AFI", "ATFA", edition=edition)
    assert not check_sale(game.title, game.state, PlayerId("Ann"), ((CompanyId("AFI"), 1),))
    assert set(wanted(game, "ATFA", "AFI")) == {"buy.own_owner"}
    moved(game, 1, "AFI", "Ann", "Pool")
    assert circles(game.title, game.state) == {("AFI", "ATFA")}


@pytest.mark.rule("1841:11.5")
def test_a_company_in_a_circle_must_sell_what_it_has_of_its_controllers() -> None:
    game = moved(nearly("AFI", "ATFA", "CFCC"), 1, "AFI", "Ann", "Pool")
    assert circles(game.title, game.state) == {("AFI", "CFCC", "ATFA")}
    assert frozen(game.title, game.state) == {"AFI", "ATFA", "CFCC"}
    found = {c: forced_circle_sales(game.title, game.state, CompanyId(c)) for c in ("AFI", "ATFA", "CFCC")}
    assert found == {"AFI": (("ATFA", 2),), "ATFA": (("CFCC", 2),), "CFCC": (("AFI", 2),)}
