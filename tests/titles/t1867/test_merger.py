"""Conversions and mergers of 1867. Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.events import Restored
from tests.kit.games.course_1867 import SPACES, agreed, company, merger_round, minor, places, position, refuse_shares
from tests.kit.games.situations import Described, Played

JOINED = {"I15": "6#2", "J14": "8#1", "J12": "201#0"}
"""Kingston and Ottawa, joined."""
GRID = {
    35: "r10c1", 40: "r9c1", 50: "r8c2", 55: "r8c3", 60: "r7c3", 65: "r7c4", 70: "r6c4", 90: "r5c5", 100: "r6c7",
    110: "r5c7", 120: "r4c7", 135: "r3c7", 150: "r2c7", 165: "r1c7",
}  # fmt: skip
"""Spaces of the grid on which minors stand."""


def mergers(*described: Described, **rest: object) -> Played:
    given: dict[str, object] = {"phase": "4", "round": "OR 3.1", "tiles": JOINED, **rest}
    return merger_round(position(*described, **given))  # type: ignore[arg-type]


def two(
    prices: Sequence[int] = (100, 100), owners: Sequence[str] = ("Bob", "Bob"), chart: str = "column", **rest: object
) -> Played:
    """CA in Kingston and BO in Ottawa may merge."""
    at = [SPACES[price] if chart == "column" else GRID[price] for price in prices]
    rows = [
        company(name, owner, at=space, markers=hex, trains="3", cash=175)
        for name, owner, space, hex in zip(("CA", "BO"), owners, at, ("I15", "J12"), strict=True)
    ]
    return mergers(*rows, **{"options": {"chart": chart}, **rest})


# ---- conversion -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.4", "14.5", "17.1")
@pytest.mark.parametrize("chart", ["column", "grid"])
@pytest.mark.parametrize(
    ("price", "may"),
    [(90, False), (100, True), (110, True), (120, True), (135, True), (150, True), (165, True), (70, False)],
)
def test_who_may_convert(chart: str, price: int, may: bool) -> None:
    """Row 14.1: six spaces of the column chart, column 7 of the grid; the price stays."""
    game = two((price, 50), chart=chart)
    while game.asked != ["Bob CA merger.turn"]:
        game.do(f"{game.asked[0].split()[1]}: decline")
    assert game.refusals("CA: convert to CNR") == (set() if may else {"convert.zone"})
    if may:
        game.do("CA: convert to CNR")
        assert game.price("CNR").split()[0] == str(price)


@pytest.mark.rule("14.4", "17.1")
def test_column_7_of_the_grid_is_the_zone_there() -> None:
    """Row 14.1: 100 in another column converts on the column chart only."""
    other = company("BO", "Bob", at=GRID[50], markers="J12", trains="3")
    game = mergers(company("CA", "Bob", at="r5c6", markers="I15", trains="3"), other, options={"chart": "grid"})
    assert game.price("CA").startswith("100 ")
    assert game.refusals("CA: convert to CNR") == {"convert.zone"}


@pytest.mark.rule("14.2", "5.2")
def test_publics_are_formed_from_phase_3() -> None:
    """Row 4.2: by conversion and merger, before any can be started."""
    game = two(phase="3")
    assert {"convert to CNR", "merge BO into CNR"} <= set(game.menu())


# ---- price and assets -----------------------------------------------------------------------------------------------


@pytest.mark.rule("14.9", "17.1")
@pytest.mark.parametrize("chart", ["column", "grid"])
@pytest.mark.parametrize(
    ("one", "other", "price"),
    [(135, 100, 200), (65, 60, 120), (40, 35, 100), (120, 55, 165), (165, 110, 200), (70, 50, 120)],
)
def test_the_price_of_a_merger(chart: str, one: int, other: int, price: int) -> None:
    """Situation 7."""
    game = two((one, other), chart=chart)
    game.do("CA: merge BO into CNR")
    assert game.price("CNR").split()[0] == str(price)


@pytest.mark.rule("14.10", "14.13", "14.14", "14.15", "8.4")
def test_two_minors_of_one_owner() -> None:
    """Situation 7: cash 350, both markers, the third at 40 for each hex; then the owner is offered shares."""
    game = two((110, 100), cash={"Bob": 400})
    game.do("CA: merge BO into CNR")
    assert (game.money("CNR"), game.markers("CNR"), game.trains("CNR")) == (350, ["I15", "J12"], "3 3")
    assert game.shares("CNR") == {"Bob": 2, "Treasury": 8}
    title, state = game.title, game.state
    distance = title.map.distance
    cost = title.policies.marker_cost(title, state, "CNR", "M9")  # type: ignore[arg-type]
    assert cost == 40 * min(distance("I15", "M9"), distance("J12", "M9"))  # type: ignore[arg-type]
    assert game.asked == ["Bob offer.shares"]
    game.do("Bob: take 1")
    assert (game.money("CNR"), game.money("Bob"), game.shares("CNR")["Bob"]) == (550, 200, 3)


@pytest.mark.rule("8.6", "8.4")
def test_the_next_marker_after_a_conversion() -> None:
    """Row 8.2: one placed, the next at 20."""
    game = two((110, 50))
    game.do("CA: convert to CNR")
    refuse_shares(game)
    title = game.title
    cost = title.policies.marker_cost(title, game.state, "CNR", "J12")  # type: ignore[arg-type]
    assert (game.markers("CNR"), cost) == (["I15"], 20 * 2)


@pytest.mark.rule("14.14", "6.7", "11.13", "14.13")
def test_seven_loans_after_a_merger() -> None:
    """Row 11.5: of four minors of one owner; two of their markers are kept, in two hexes."""
    rows = [("CA", "I15", 2), ("PM", "I15", 2), ("BO", "J12", 2), ("NO", "J12", 1)]
    minors = [minor(n, "Bob", 100, loans=loans, cash=10, markers=h) for n, h, loans in rows]
    game = mergers(*minors, tiles={**JOINED, "I15": "15#1", "J12": "207#0"})
    game.do("CA: merge PM, BO, NO into CNR\nCNR: keep I15/CA, J12/BO")
    assert (game.loans("CNR"), game.money("CNR"), game.markers("CNR")) == (7, 40, ["I15", "J12"])
    assert game.shares("CNR") == {"Bob": 4, "Treasury": 6}


# ---- the director, and mergers that fail ----------------------------------------------------------------------------


@pytest.mark.rule("14.11", "14.12", "14.15", "14.18")
def test_two_owners_with_one_minor_each() -> None:
    """Part 1.14: no director until one of them has bought."""
    game = agreed(two((110, 100), ("Bob", "Cat"), cash={"Bob": 400, "Cat": 400}), "CA: merge BO into CNR")
    assert game.shares("CNR") == {"Bob": 1, "Cat": 1, "Treasury": 8}
    assert game.asked == ["Bob offer.shares"]
    game.do("Bob: take 0\nCat: take 1")
    assert (game.director("CNR"), game.shares("CNR")["Cat"]) == ("Cat", 2)


@pytest.mark.rule("14.12", "14.3")
def test_a_failed_merger_is_taken_back() -> None:
    """Fault 9: nobody comes to two shares; money, markers and prices are as before, and the group is barred."""
    game = two((110, 100), ("Bob", "Cat"), cash={"Bob": 400, "Cat": 400})
    before = game.without_agenda()
    agreed(game, "CA: merge BO into CNR")
    game.do("Bob: take 0\nCat: take 0")
    assert [e.reason for e in game.told(Restored)] == ["nobody_has_two_shares"]
    assert game.without_agenda() == before
    assert (places(game, "CA"), places(game, "BO"), game.status("CNR")) == (["I15/0"], ["J12/0"], "unstarted")
    assert game.asked == ["Bob CA merger.turn"]
    assert game.refusals("CA: merge BO into CPR") == {"merge.tried"}
    assert game.refusals("CA: convert to CPR") == set()


@pytest.mark.rule("14.12")
def test_a_merger_that_nobody_could_pay_for_is_refused_at_once() -> None:
    """Part 1.14: 200 for the second share."""
    short = two((110, 100), ("Bob", "Cat"), cash={"Bob": 199, "Cat": 199})
    assert short.refusals("CA: merge BO into CNR") == {"merge.two_shares"}
    assert two((110, 100), ("Bob", "Cat"), cash={"Bob": 199, "Cat": 200}).refusals("CA: merge BO into CNR") == set()


@pytest.mark.rule("14.12")
def test_by_an_option_the_company_of_a_failed_merger_stays() -> None:
    """Fault 9."""
    cash = {"Bob": 400, "Cat": 400}
    game = two((110, 100), ("Bob", "Cat"), cash=cash, options={"merger_fails": "stays"})
    agreed(game, "CA: merge BO into CNR").do("Bob: take 0\nCat: take 0")
    assert (game.status("CNR"), game.status("CA"), game.told(Restored)) == ("open", "closed", [])
