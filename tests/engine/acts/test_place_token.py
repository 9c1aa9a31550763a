"""Placing station markers on the map, by rule."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.acts.place_token import check_token, list_tokens, token_city
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Space
from engine.core.state import State
from tests.kit.games.positions import Markers, Tiles, position
from tests.kit.games.track_situations import first, title

NW, SE, RSR = CompanyId("NW"), CompanyId("SE"), CompanyId("RSR")


@dataclass(frozen=True, slots=True)
class Where:
    """A position. ``opened``: companies in play besides those with markers here."""

    tiles: Tiles
    markers: Markers
    phase: str = "4"
    opened: tuple[str, ...] = ()

    def state(self) -> State:
        return position(first(), title(), self.tiles, self.markers, self.phase, self.opened)


def keys(where: Where, space: Space, company: CompanyId = NW, budget: int = 1000, placed: bool = False) -> set[str]:
    return {f.check for f in check_token(title(), where.state(), company, space, budget, placed)}


# A line from Voronezh I13 south by Lugansk I17 to Rostov I19.
LINE = {"I13": "14#0", "I15": "9#0", "I17": "4#0", "I19": "57#0"}
ROSTOV = Space(HexId("I19"))


@pytest.mark.rule("1861:8.2")
def test_a_vacant_space_on_a_route() -> None:
    where = Where(LINE, {"I13": [["NW"]]}, "5")
    assert keys(where, ROSTOV) == set()
    assert list_tokens(title(), where.state(), NW, 1000, False) == (ROSTOV,)
    assert keys(where, Space(HexId("P8"))) == {"token.no_route"}


@pytest.mark.rule("1861:8.2")
def test_one_marker_in_a_turn_and_three_in_all() -> None:
    assert keys(Where(LINE, {"I13": [["NW"]]}, "5"), ROSTOV, placed=True) == {"token.one_a_turn"}
    used = Where(LINE, {"I13": [["NW"]], "P8": [["NW"]], "L12": [["NW"]]}, "5")
    assert keys(used, ROSTOV) == {"token.none_left"}
    assert list_tokens(title(), used.state(), NW, 1000, False) == ()


@pytest.mark.rule("1861:8.2")
def test_a_minor_has_its_home_marker_only() -> None:
    assert keys(Where(LINE, {"I13": [["M-V"]]}, "5"), ROSTOV, CompanyId("M-V")) == {"token.none_left"}


@pytest.mark.rule("1861:8.1", "1861:8.2")
def test_a_full_city_is_no_place_and_cannot_be_passed() -> None:
    full = Where({**LINE, "I17": "57#0"}, {"I13": [["NW"]], "I17": [["SE"]]}, "5")
    assert keys(full, Space(HexId("I17"))) == {"token.full"}
    assert keys(full, ROSTOV) == {"token.no_route"}


@pytest.mark.rule("1861:8.3")
def test_one_marker_in_a_hex_whatever_the_space() -> None:
    assert keys(Where(LINE, {"I13": [["NW"]]}, "5"), Space(HexId("I13"))) == {"token.same_hex"}


@pytest.mark.rule("1861:8.4")
@pytest.mark.parametrize(
    ("markers", "hex", "cost"),
    [
        ({}, "M7", 0),
        ({"Q3": [["NW"]]}, "M7", 80),
        ({"Q3": [["NW"]], "M7": [["NW"]]}, "N10", 80),
        ({"I13": [["NW"]]}, "I19", 60),
        ({"D20": [["NW"]], "I13": [["NW"]]}, "I19", 120),
    ],
)
def test_the_second_marker_costs_20_and_the_third_40_for_each_hex_from_the_nearest(
    markers: Markers, hex: str, cost: int
) -> None:
    assert title().policies.marker_cost(title(), Where({}, markers).state(), NW, HexId(hex)) == cost


@pytest.mark.rule("1861:8.5")
def test_a_marker_is_paid_from_cash() -> None:
    where = Where(LINE, {"I13": [["NW"]]}, "5")
    assert keys(where, ROSTOV, budget=60) == set()
    (failure,) = check_token(title(), where.state(), NW, ROSTOV, 59, False)
    assert failure == Failure("token.money", {"hex": "I19", "cost": 60, "cash": 59, "missing": 1})


@pytest.mark.rule("1861:8.7")
@pytest.mark.parametrize(
    ("tile", "markers", "phase", "opened", "expected"),
    [
        ("57#0", [[]], "4", (), {"token.reserved"}),
        ("57#0", [[]], "5", (), set()),
        ("57#0", [[]], "4", ("V",), set()),
        ("14#0", [[]], "4", (), set()),
        ("14#0", [["SE"]], "4", (), {"token.reserved"}),
        ("14#0", [["SE"]], "5", (), set()),
        ("14#0", [["V"]], "4", (), set()),
        ("14#0", [["V", "SE"]], "4", (), {"token.full"}),
    ],
)
def test_a_space_stays_free_for_an_unstarted_minor_until_phase_5(
    tile: str, markers: list[list[str]], phase: str, opened: tuple[str, ...], expected: set[str]
) -> None:
    where = Where({**LINE, "I19": tile}, {"I13": [["NW"]], "I19": markers}, phase, opened)
    assert keys(where, ROSTOV) == expected


@pytest.mark.rule("1861:8.7")
def test_in_kiev_each_minor_has_its_own_space_and_together_they_need_as_many() -> None:
    # A city tile at E13 meets Kiev's north-east edge.
    base = {"E13": "57#1", "D14": "635#0"}
    apart = Where(base, {"E13": [["NW"]]})
    assert keys(apart, Space(HexId("D14"), 4)) == {"token.reserved"}
    assert keys(Where(base, {"E13": [["NW"]]}, "4", ("K-K",)), Space(HexId("D14"), 4)) == set()
    joined = Where({**base, "D14": "636#0"}, {"E13": [["NW"]]})
    assert keys(joined, Space(HexId("D14"))) == set()
    second = Where({**base, "D14": "636#0"}, {"E13": [["NW"]], "D14": [["SE"]]})
    failures = check_token(title(), second.state(), NW, Space(HexId("D14")), 1000, False)
    assert failures == (Failure("token.reserved", {"hex": "D14", "companies": ("K-B", "K-K"), "free": 2}),)


@pytest.mark.rule("1861:8.8")
@pytest.mark.parametrize(
    ("tiles", "markers", "exit", "expected"),
    [
        ({}, [[], []], 5, {"token.reserved"}),
        ({}, [["RSR"], []], 5, set()),
        ({"E1": "641#0"}, [["SP-W"]], None, set()),
        ({"E1": "641#0"}, [["SP-W", "SE"]], None, {"token.reserved"}),
        ({"E1": "641#0"}, [["RSR", "SE"]], None, set()),
    ],
)
def test_st_petersburg_keeps_a_space_for_the_state_railway(
    tiles: Tiles, markers: list[list[str]], exit: int | None, expected: set[str]
) -> None:
    where = Where({"F4": "57#3", **tiles}, {"F4": [["NW"]], "E1": markers}, "6")
    assert keys(where, Space(HexId("E1"), exit)) == expected


@pytest.mark.rule("1861:8.8")
@pytest.mark.parametrize(
    ("tile", "markers", "expected"),
    [
        ("638#0", ["N", "M-K"], set()),
        ("639#0", ["N", "M-K"], set()),
        ("639#0", ["N", "M-K", "SE"], {"token.reserved"}),
        ("639#0", ["N", "RSR", "SE"], set()),
    ],
)
def test_gray_moscow_keeps_a_space_for_the_state_railway(tile: str, markers: list[str], expected: set[str]) -> None:
    where = Where({"H8": tile, "H10": "57#0"}, {"H10": [["NW"]], "H8": [markers]}, "6")
    assert keys(where, Space(HexId("H8"))) == expected


# ---- which space is meant -------------------------------------------------------------------------------------------

MOSCOW = HexId("H8")
GREEN = Where({"H8": "637#0", "H10": "57#0"}, {"H10": [["NW"]], "H8": [[], ["N"], []]}, "5")


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (Space(MOSCOW, 0), set()),
        (Space(MOSCOW, 1), set()),
        (Space(MOSCOW, 2), {"token.full", "token.no_route"}),
        (Space(MOSCOW, 4), {"token.no_route"}),
        (Space(MOSCOW, company=CompanyId("M-K")), set()),
        (Space(MOSCOW, company=CompanyId("N")), {"token.full", "token.no_route"}),
        (Space(MOSCOW, company=CompanyId("GRR")), {"token.no_space"}),
        (Space(MOSCOW), set()),
        (Space(HexId("I11")), {"token.no_city"}),
        (Space(HexId("Z9")), {"token.no_hex"}),
    ],
)
def test_a_space_is_named_by_an_exit_by_a_company_or_by_being_the_only_choice(space: Space, expected: set[str]) -> None:
    assert keys(GREEN, space) == expected


def test_the_only_choice_is_the_city_that_is_meant_and_is_written_by_its_lowest_exit() -> None:
    assert token_city(title(), GREEN.state(), NW, Space(MOSCOW)) == 0
    assert list_tokens(title(), GREEN.state(), NW, 1000, False) == (Space(MOSCOW, 0),)


def test_a_hex_with_several_open_spaces_is_ambiguous_when_named_alone() -> None:
    both = Where({**GREEN.tiles, "I7": "57#1", "H10": "57#0"}, {"I7": [["NW"]], "H10": [["NW"]]}, "5")
    failures = check_token(title(), both.state(), NW, Space(MOSCOW), 1000, False)
    assert [f.check for f in failures] == ["ambiguous.space"]
    assert failures[0].facts["exits"] == ("S", "NW", "NE")
