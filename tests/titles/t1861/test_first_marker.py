"""The place of a public company's first marker, by rule."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, HexId
from engine.core.orders import Space
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.turn.first_marker import check_first_marker, first_marker_city, first_marker_spaces
from tests.kit.games.positions import Markers, Tiles, position
from tests.kit.games.track_situations import first, title

NW = CompanyId("NW")
SPACE, EMPTY, HEX = (title(first_marker=ruling) for ruling in ("space", "empty", "hex"))
UNTOUCHED = ["D14/0", "F18", "K7", "L12", "M19", "M7", "P2", "P8"]


def at(tiles: Tiles, markers: Markers) -> State:
    return position(first(), title(), tiles, markers, "4")


def shown(spaces: tuple[Space, ...]) -> list[str]:
    return sorted(s.hex if s.exit is None else f"{s.hex}/{s.exit}" for s in spaces)


@pytest.mark.rule("1861:3.13")
@pytest.mark.parametrize("rules", [SPACE, EMPTY, HEX], ids=["space", "empty", "hex"])
def test_first_markers_on_the_untouched_map(rules: Title) -> None:
    state = at({}, {})
    spaces = first_marker_spaces(rules, state, NW)
    assert shown(spaces) == UNTOUCHED
    assert all(check_first_marker(rules, state, NW, s) == () for s in spaces)
    assert first_marker_city(rules, state, NW, Space(HexId("D14"))) == 0


@pytest.mark.rule("1861:3.13")
@pytest.mark.parametrize(
    ("tiles", "markers", "hex", "space", "whole"),
    [
        ({"F18": "57#0", "F20": "8#1"}, {}, "F18", set(), set()),
        ({"F18": "57#2", "G19": "58#0"}, {}, "F18", {"start.connected"}, {"start.connected"}),
        ({"L12": "14#0"}, {"L12": [["SE"]]}, "L12", set(), {"start.occupied"}),
        ({"L12": "57#0"}, {"L12": [["SE"]]}, "L12", {"token.full"}, {"token.full", "start.occupied"}),
        ({}, {}, "B4", {"token.reserved"}, {"token.reserved"}),
        ({}, {}, "I11", {"token.no_city"}, {"token.no_city"}),
    ],
)
def test_first_markers_go_to_free_and_unconnected_spaces(
    tiles: Tiles, markers: Markers, hex: str, space: set[str], whole: set[str]
) -> None:
    state = at(tiles, markers)
    for rules, expected in ((SPACE, space), (EMPTY, whole), (HEX, whole)):
        found = check_first_marker(rules, state, NW, Space(HexId(hex)))
        assert {f.check for f in found} == expected
        assert (hex in shown(first_marker_spaces(rules, state, NW))) == (not expected)


@pytest.mark.rule("1861:3.13")
def test_a_linked_neighbour_space_closes_the_whole_hex_in_one_edition_only() -> None:
    state = at({"E13": "58#1"}, {})
    assert check_first_marker(SPACE, state, NW, Space(HexId("D14"), 0)) == ()
    assert check_first_marker(EMPTY, state, NW, Space(HexId("D14"), 0)) == ()
    failures = check_first_marker(HEX, state, NW, Space(HexId("D14"), 0))
    assert [f.check for f in failures] == ["start.connected"]


@pytest.mark.rule("1861:3.13")
def test_a_link_to_an_offboard_area_counts_in_one_edition_only() -> None:
    state = at({"D20": "202#2", "C19": "9#2"}, {})  # Odessa, and track to Romania B18
    odessa = Space(HexId("D20"))
    assert "start.connected" not in {f.check for f in check_first_marker(SPACE, state, NW, odessa)}
    assert "start.connected" not in {f.check for f in check_first_marker(EMPTY, state, NW, odessa)}
    assert "start.connected" in {f.check for f in check_first_marker(HEX, state, NW, odessa)}
