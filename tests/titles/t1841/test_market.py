"""The share price chart of 1841: where markers go, in which order, and the prices of merged companies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.ids import Cell, CompanyId, PhaseName
from engine.core.state import PriceMarker, State
from engine.core.title import Play, Title
from engine.titles.t1841.names import IRSFF, MAJOR, MINOR, SFL, SFLP, SFTC, SFTG, SFTN, SFV, SSFL
from engine.titles.t1841.stock import market
from tests.kit.games.situations_1841 import position, space, title


def markers(*at: tuple[CompanyId, str], edition: str = "clarified", phase: str = "4") -> tuple[Title, State]:
    """A position with these markers alone; those of one pile from the top."""
    found = title(edition)
    state = position(found, phase=phase)
    prices = {company: PriceMarker(space(name), i) for i, (company, name) in enumerate(at)}
    companies = {c: replace(now, status="open") if c in prices else now for c, now in state.companies.items()}
    return found, replace(state, prices=prices, companies=companies, tick=len(at), phase=PhaseName(phase))


def piles(state: State) -> dict[Cell, list[CompanyId]]:
    found: dict[Cell, list[CompanyId]] = {}
    for company, marker in sorted(state.prices.items(), key=lambda item: item[1].since):
        found.setdefault(marker.cell, []).append(company)
    return found


@pytest.mark.rule("1841:5.1")
@pytest.mark.parametrize(
    ("company", "phase", "before", "direction", "after"),
    [
        (SFTG, "2", "F4", "right", "G4"),
        (SFTG, "2", "F4", "left", "E4"),
        (SFTG, "2", "F4", "down", "F5"),
        (SFTG, "2", "F4", "up", "F3"),
        (SFTG, "2", "N5", "right", "N4"),  # the right end of a row
        (SFTG, "2", "A4", "left", "A5"),
        (SFTG, "2", "F1", "up", "F1"),
        (SFTG, "2", "A13", "down", "A13"),
        (SFTG, "2", "A13", "left", "A13"),
        (SFTG, "2", "N5", "down", "N5"),  # the bottom of a column
        (SFTG, "8", "P1", "right", "Q1"),
        (SFTG, "8", "S1", "right", "S1"),
        (SFTC, "2", "J3", "right", "K3"),
        pytest.param(SFTC, "2", "K3", "right", "K2", marks=pytest.mark.rule("1841:5.2")),
        pytest.param(SFTC, "8", "K1", "right", "K1", marks=pytest.mark.rule("1841:5.2")),
        pytest.param(
            SFTG, "7", "P3", "right", "P2", marks=[pytest.mark.clarification("1.6"), pytest.mark.rule("1841:5.3")]
        ),
        pytest.param(SFTG, "2", "P1", "right", "P1", marks=pytest.mark.rule("1841:5.3")),
        (SFTG, "8", "P3", "right", "Q3"),
    ],
)
def test_a_marker_moves(company: CompanyId, phase: str, before: str, direction: str, after: str) -> None:
    found, state = markers((company, before), phase=phase)
    play = Play(found, state)
    market.move_price(play, company, direction, 1, "sale")  # type: ignore[arg-type]
    assert play.state.prices[company].cell == space(after)
    assert bool(play.events) == (before != after)


@pytest.mark.rule("1841:5.4")
def test_a_marker_that_enters_a_space_lies_at_the_bottom() -> None:
    play = Play(*markers((SSFL, "F3"), (SFTG, "F4"), (SFTN, "F4")))
    market.move_price(play, SSFL, "down", 1, "sale")
    assert piles(play.state) == {space("F4"): [SFTG, SFTN, SSFL]}


@pytest.mark.rule("1841:5.4")
def test_a_marker_that_cannot_move_keeps_its_place_in_the_pile() -> None:
    play = Play(*markers((SSFL, "A13"), (SFTG, "A13")))
    market.move_price(play, SSFL, "down", 3, "sale")
    assert play.events == []


@pytest.mark.clarification("2.6")
def test_markers_of_one_pile_that_move_alike_keep_their_order() -> None:
    play = Play(*markers((SSFL, "F4"), (SFTG, "F4"), (SFTN, "F4")))
    market.move_together(play, ((SFTN, 1), (SSFL, 1), (SFTG, 1)), "down", "pool", top_first=True)
    assert piles(play.state) == {space("F5"): [SSFL, SFTG, SFTN]}


@pytest.mark.clarification("2.2")
def test_markers_of_one_pile_that_fall_by_one_sale_reverse_their_order() -> None:
    play = Play(*markers((SSFL, "F4"), (SFTG, "F4"), (SFTN, "E4")))
    market.move_together(play, ((SSFL, 1), (SFTG, 1), (SFTN, 2)), "down", "sale", top_first=False)
    assert piles(play.state) == {space("F5"): [SFTG, SSFL], space("E6"): [SFTN]}


@pytest.mark.clarification("2.13")
def test_the_running_order_is_by_price_then_further_right_then_higher_in_the_pile() -> None:
    found, state = markers((SSFL, "C1"), (SFTG, "E3"), (SFTN, "J8"), (IRSFF, "E3"), (SFLP, "C2"))  # 95, 95, 95, 82
    assert found.policies.operating_order(found, state) == (SFTN, SFTG, IRSFF, SSFL, SFLP)


@pytest.mark.rule("1841:4.3")
@pytest.mark.parametrize(
    ("company", "prices"), [(SFLP, (68, 100, 144)), (SFTG, (68, 100, 144, 216, 340)), (SFTC, (68, 100, 144))]
)
def test_a_company_starts_at_the_prices_of_its_kind(company: CompanyId, prices: tuple[int, ...]) -> None:
    assert market.start_prices(title(), company) == prices
    assert [market.cell_of_price(title(), p) for p in (68, 340, 72)] == [space("C5"), space("O1"), None]


CHART = [
    pytest.param("N3", 242, "243 250 300 500", "", marks=pytest.mark.clarification("chart N3")),
    pytest.param("N4", 230, "231 242", "", marks=pytest.mark.clarification("chart N4")),
    pytest.param("N5", 219, "220 230", "439 448", marks=pytest.mark.clarification("chart N5")),
    pytest.param("M3", 218, "219", "437 438", marks=pytest.mark.clarification("chart M3")),
    pytest.param("M4", 208, "209 218", "417 436", marks=pytest.mark.clarification("chart M4")),
    pytest.param("M5", 198, "199 208", "397 416", marks=pytest.mark.clarification("chart M5")),
    pytest.param("M6", 180, "181 198", "361 396", marks=pytest.mark.clarification("chart M6")),
    pytest.param("L5", 178, "179 180", "357 360", marks=pytest.mark.clarification("chart L5")),
    pytest.param("L6", 162, "163 178", "325 356", marks=pytest.mark.clarification("chart L6")),
    pytest.param("L7", 141, "142 162", "283 324", marks=pytest.mark.clarification("chart L7")),
    pytest.param("K7", 127, "128 141", "255 282", marks=pytest.mark.clarification("chart K7")),
    pytest.param("K8", 106, "107 127", "213 254", marks=pytest.mark.clarification("chart K8")),
    pytest.param("J8", 95, "96 106", "191 212", marks=pytest.mark.clarification("chart J8")),
    pytest.param("J9", 76, "77 95", "153 190", marks=pytest.mark.clarification("chart J9")),
    pytest.param("I9", 69, "70 76", "139 152", marks=pytest.mark.clarification("chart I9")),
    pytest.param("I10", 53, "54 69", "107 138", marks=pytest.mark.clarification("chart I10")),
    pytest.param("H10", 48, "49 53", "97 106", marks=pytest.mark.clarification("chart H10")),
    pytest.param("H11", 35, "36 48", "71 96", marks=pytest.mark.clarification("chart H11")),
    pytest.param("G11", 32, "33 35", "65 70", marks=pytest.mark.clarification("chart G11")),
    pytest.param("G12", 23, "24 32", "47 64", marks=pytest.mark.clarification("chart G12")),
    pytest.param("F12", 20, "21 23", "41 46", marks=pytest.mark.clarification("chart F12")),
    pytest.param("F13", 14, "15 20", "29 40", marks=pytest.mark.clarification("chart F13")),
    pytest.param("E13", 13, "14", "27 28", marks=pytest.mark.clarification("chart E13")),
    pytest.param("D13", 11, "12 13", "23 26", marks=pytest.mark.clarification("chart D13")),
    pytest.param("C13", 10, "11", "21 22", marks=pytest.mark.clarification("chart C13")),
    pytest.param("B13", 9, "10", "19 20", marks=pytest.mark.clarification("chart B13")),
    pytest.param("A13", 8, "9 8", "17 18 16", marks=pytest.mark.clarification("chart A13")),
]


@pytest.mark.rule("1841:10.14")
@pytest.mark.parametrize(("cell", "price", "majors", "minors"), CHART)
def test_a_row_of_the_chart_of_prices_after_mergers(cell: str, price: int, majors: str, minors: str) -> None:
    found = title()
    assert found.chart.price(space(cell)) == price
    assert {market.lawson(found, int(total), MAJOR) for total in majors.split()} == {space(cell)}
    assert {market.lawson(found, int(total), MINOR) for total in minors.split()} <= {space(cell)}


@pytest.mark.clarification("chart A13", site=True)
@pytest.mark.parametrize(("total", "kind"), [(9, MAJOR), (8, MAJOR), (16, MINOR), (17, MINOR), (18, MINOR)])
def test_the_site_sends_the_cheapest_mergers_to_the_top_of_the_first_column(total: int, kind: str) -> None:
    assert market.lawson(title("v2"), total, kind) == space("A1")
    assert market.lawson(title("v2"), 20, MINOR) == space("B13")


def test_the_chart_is_the_furthest_right_and_there_the_highest_price_below_the_value() -> None:
    chart = title().chart.prices
    for total in range(18, 500):
        below = [cell for cell, price in chart.items() if price * 2 < total and price < 250]
        best = max(below, key=lambda cell: (cell[1], chart[cell]))
        assert market.lawson(title(), total, MINOR) == best, total


@pytest.mark.clarification("chart kept")
@pytest.mark.parametrize(
    ("a", "b", "kind", "after"),
    [
        ("M1", "F4", MAJOR, ["M1"]),  # 276 and 100
        ("F4", "O3", MAJOR, ["O3"]),  # 100 and 269
        ("M1", "O3", MAJOR, ["O3", "M1"]),  # 269 and 276: the president chooses
        ("O4", "O4", MAJOR, ["O4"]),
        ("L1", "F4", MAJOR, ["N3"]),  # 248 is not over 250
        ("E4", "C5", MAJOR, ["L7"]),  # 90 and 68
        ("F3", "F5", MINOR, ["J8"]),  # 105 and 95
    ],
)
def test_a_dear_major_keeps_its_place_in_a_merger(a: str, b: str, kind: str, after: list[str]) -> None:
    assert market.merged_choices(title(), space(a), space(b), kind) == tuple(space(cell) for cell in after)


@pytest.mark.clarification("1.17")
@pytest.mark.rule("1841:9.5")
def test_the_fragments_take_the_place_of_the_irsff_in_its_pile() -> None:
    play = Play(*markers((SFTG, "F4"), (IRSFF, "F4"), (SSFL, "F4"), (SFTN, "F4")))
    market.put_in_place_of(play, IRSFF, (SFV, SFL), space("F4"), "secession")
    assert piles(play.state) == {space("F4"): [SFTG, SFV, SFL, SSFL, SFTN]}


@pytest.mark.rule("1841:9.6")
def test_fragments_that_move_lie_at_the_bottom_of_their_new_pile() -> None:
    play = Play(*markers((IRSFF, "M1"), (SSFL, "M1"), (SFTN, "K1")))
    market.put_in_place_of(play, IRSFF, (SFV, SFL), space("K1"), "secession")
    assert piles(play.state) == {space("K1"): [SFTN, SFV, SFL], space("M1"): [SSFL]}
