"""Track of 1844: what a company may lay where. What it costs and the home tile: ``test_1844_building.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.ids import TileId
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

LINE = {"I6": "57#1"}
"""Montreux, open to Lausanne's eastern city and to I8."""


def at_work(
    name: str = "MOB",
    tiles: Mapping[str, str] = LINE,
    *,
    edition: str = "rulebook",
    cash: int = 500,
    operated: bool = True,
    markers: str | None = None,
    **rest: Any,
) -> Swiss:
    """Bob's company in its turn, nothing laid yet."""
    shares = {"MOB": 5, "BLS": 5, "STB": 5, "RhB": 5, "VZ": 3, "ChA": 3}.get(name, 2)
    home = markers if markers is not None or operated else _home(name)
    company = swiss(name, {"Bob": shares}, cash=cash, operated=operated, markers=home, par=100)
    return situation(company, edition=edition, tiles=tiles, **rest).turn(name)


def _home(name: str) -> str:
    return {"MOB": "I6", "VZ": "K10", "ChA": "G28", "NOB": "D19", "BLS": "F11", "STB": "D15/0", "JS": "I4/0"}[name]


# ---- one tile, in its colour ----------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.1")
@both
def test_one_tile_a_turn_be_it_yellow_or_an_upgrade(edition: str) -> None:
    for first in ("lay 9 I8 1", "lay 14 I6 1"):
        game = at_work(edition=edition)
        game.do(f"MOB: {first}")
        hex = first.split()[2]
        assert game.failures("MOB: lay 8 H5 4")["lay.most"] == {"most": 1, "hexes": (hex,)}
        assert not [line for line in game.accepted() if line.startswith("lay ")]


@pytest.mark.rule("1844:6.2")
@both
@pytest.mark.parametrize(
    ("tiles", "order", "color", "first"),
    [
        (LINE, "lay 14 I6 1", "green", 3),
        ({"I6": "14#1"}, "lay 611 I6 1", "brown", 5),
        ({"I6": "611#1"}, "lay 915 I6 1", "gray", 7),
    ],
)
def test_colours_come_with_the_phases(
    edition: str, tiles: Mapping[str, str], order: str, color: str, first: int
) -> None:
    for phase in range(2, 8):
        failures = at_work(tiles=tiles, edition=edition, phase=str(phase)).failures(f"MOB: {order}")
        if phase >= first:
            assert failures == {}
        else:
            assert set(failures) == {"lay.color"}
            assert (failures["lay.color"]["color"], failures["lay.color"]["phase"]) == (color, str(phase))


@pytest.mark.rule("1844:6.4", "1844:6.10")
@pytest.mark.parametrize(
    ("tiles", "order", "allowed"),
    [
        ({}, "lay 9 I8 1", True),
        ({}, "lay 9 I8 2", False),  # touches nothing of the company's
        ({}, "lay 8 J7 4", False),  # no track leads to that hex
        ({"I8": "9#1", "H9": "9#0"}, "lay 23 H9 0", False),  # nothing leads to H9
        ({"I8": "9#1"}, "lay 23 I8 1", True),  # old track is enough, whatever the new joins
        ({"I8": "9#1", "I10": "58#1"}, "lay 87 I10 0", True),
    ],
)
def test_a_tile_must_be_joined_to_a_marker(tiles: Mapping[str, str], order: str, allowed: bool) -> None:
    refused = at_work(tiles={**LINE, **tiles}).failures(f"MOB: {order}")
    assert set(refused) == (set() if allowed else {"lay.unconnected"})
    if refused:
        assert refused["lay.unconnected"]["company"] == "MOB"


@pytest.mark.rule("1844:6.10")
def test_an_upgrade_is_reached_by_an_edge_that_has_track_only_on_the_new_tile() -> None:
    """The track of I8 runs past the company's, which comes from the west; a green tile may join the two."""
    game = at_work(tiles={**LINE, "I8": "8#2"})
    assert [line for line in game.accepted() if " I8 " in line] == ["lay 16 I8 1", "lay 23 I8 4"]
    facts = game.failures("MOB: lay 25 I8 2")
    assert facts == {
        "lay.unconnected": {
            "hex": "I8", "tile": "25", "company": "MOB", "edges": ("W",), "exits": ("SW", "NW", "E"),
        }
    }  # fmt: skip


@pytest.mark.rule("1844:6.5")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "order", "check", "facts"),
    [
        ("MOB", LINE, "lay 5 I8 0", "lay.wrong_kind", {"kind": "city", "needed": "plain"}),
        ("MOB", LINE, "lay 4 I8 1", "lay.wrong_kind", {"kind": "town", "needed": "plain"}),
        ("JS", {}, "lay 8 H3 4", "lay.wrong_kind", {"kind": "plain", "needed": "town"}),
        ("VZ", {}, "lay 9 K10 0", "lay.wrong_kind", {"kind": "plain", "needed": "city"}),
        ("MOB", LINE, "lay 14 I4 1", "lay.label", {"label": "", "needed": "L"}),
        ("MOB", LINE, "lay 5 H7 0", "lay.never", {"color": "gray"}),
        ("MOB", LINE, "lay 8 J9 0", "lay.never", {"color": "purple"}),
        ("MOB", LINE, "lay 8 M8 0", "lay.never", {"color": "red"}),
    ],
)
def test_what_a_hex_shows_decides_what_can_lie_there(
    edition: str, name: str, tiles: Mapping[str, str], order: str, check: str, facts: Mapping[str, str]
) -> None:
    found = at_work(name, tiles, edition=edition).failures(f"{name}: {order}")[check]
    assert facts.items() <= found.items()


@pytest.mark.rule("1844:6.6")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "order", "facts"),
    [
        ("NOB", {"D19": "57#1"}, "lay 14 D19 1", {"label": "", "needed": "Z"}),
        ("NOB", {"D19": "57#1"}, "lay 904 D19 1", {"label": "B", "needed": "Z"}),
        ("NOB", {"D19": "907#4"}, "lay 611 D19 1", {"label": "", "needed": "Z"}),
        ("BLS", {"F11": "57#2"}, "lay 14 F11 2", {"label": "", "needed": "B"}),
        ("BLS", {"F11": "57#2"}, "lay 908 F11 2", {"label": "Z", "needed": "B"}),
        ("MOB", LINE, "lay 907 I6 4", {"label": "Z", "needed": ""}),
    ],
)
def test_zurich_and_bern_have_marks_of_their_own(
    edition: str, name: str, tiles: Mapping[str, str], order: str, facts: Mapping[str, str]
) -> None:
    found = at_work(name, tiles, edition=edition, phase="5").failures(f"{name}: {order}")["lay.label"]
    assert facts.items() <= found.items()


@pytest.mark.rule("1844:6.6", "1844:6.12")
@pytest.mark.parametrize(
    ("name", "tiles", "hex", "phase", "possible"),
    [
        ("NOB", {}, "D19", "3", {"5", "6", "57"}),
        ("NOB", {"D19": "57#1"}, "D19", "3", {"907", "908"}),
        ("NOB", {"D19": "908#4"}, "D19", "5", {"909"}),
        ("NOB", {"D19": "909#4"}, "D19", "7", {"910"}),
        ("BLS", {}, "F11", "3", {"5", "6", "57"}),
        ("BLS", {"F11": "57#2"}, "F11", "3", {"904"}),
        ("BLS", {"F11": "904#1"}, "F11", "5", {"905"}),
        ("BLS", {"F11": "905#0"}, "F11", "7", {"906"}),
        ("JS", {}, "I4", "3", {"901"}),
        ("JS", {"I4": "901#1"}, "I4", "5", {"902"}),
        ("JS", {"I4": "902#4"}, "I4", "7", {"903"}),
        ("STB", {}, "D15", "3", {"14", "15", "619"}),
        ("MOB", LINE, "I6", "3", {"14", "15", "619"}),
        ("MOB", {**LINE, "I8": "9#1"}, "I8", "3", {"19", "20", "23", "24", "26", "27"}),
        ("BLS", {"F11": "5#4", "F13": "4#1"}, "F13", "3", {"87", "88", "204"}),
        ("BLS", {"F11": "5#4", "F13": "88#1"}, "F13", "5", {"911"}),
        ("MOB", {**LINE, "I8": "23#1"}, "I8", "5", {"41", "43", "45", "47"}),
    ],
)
def test_which_tile_follows_which(
    name: str, tiles: Mapping[str, str], hex: str, phase: str, possible: set[str]
) -> None:
    menu = at_work(name, tiles, phase=phase).accepted()
    assert {line.split()[1] for line in menu if line.startswith("lay ") and line.split()[2] == hex} == possible


# ---- edges, turns, supply -------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:6.7")
@both
@pytest.mark.parametrize(
    ("name", "tiles", "order", "edge"),
    [
        ("MOB", {}, "lay 5 I6 0", "SW"),  # off the map
        ("NOB", {}, "lay 57 D19 2", "SE"),  # a grey bar, towards E20
        ("MOB", {"I6": "57#1", "H5": "9#0"}, "lay 8 G6 1", "W"),  # a grey bar, towards G4
        ("SCB", {"C12": "57#1", "C14": "3#0"}, "lay 8 C16 1", "NE"),  # Stuttgart has no arrow here
        ("SCB", {}, "lay 57 F17 1", "E"),  # the side of Rigi that has no arrow
        ("MOB", {"I6": "57#1", "I8": "9#1"}, "lay 58 I10 5", "SE"),  # a grey bar, towards J11
        ("MOB", {"I6": "57#1", "I8": "9#1"}, "lay 4 I10 1", "E"),  # a tunnel hex behind a grey bar
    ],
)
def test_no_track_leads_where_there_is_no_way_on(
    edition: str, name: str, tiles: Mapping[str, str], order: str, edge: str
) -> None:
    markers = "F17" if order.split()[2] == "F17" else None
    found = at_work(name, tiles, edition=edition, markers=markers).failures(f"{name}: {order}")
    assert edge in found["lay.edge"]["edges"]


@pytest.mark.rule("1844:6.7")
@both
@pytest.mark.parametrize(
    ("tiles", "order"),
    [
        ({}, "lay 7 I8 1"),  # to the mountain H7
        ({}, "lay 8 I8 5"),  # to a mouth in the tunnel hex J9
        ({"I8": "7#0", "J7": "8#3"}, "lay 58 K8 2"),  # beside the tunnel hex J9
        ({"I8": "9#1", "I10": "58#1"}, "lay 9 H11 0"),  # on to the next hex, past the blocked edges of I10
    ],
)
def test_track_may_lead_to_mountains_and_mouths_and_past_what_is_blocked(
    edition: str, tiles: Mapping[str, str], order: str
) -> None:
    assert at_work(tiles={**LINE, **tiles}, edition=edition).failures(f"MOB: {order}") == {}


@pytest.mark.rule("1844:6.7")
def test_no_turn_of_the_tile_may_be_left() -> None:
    assert at_work(tiles=LINE).failures("MOB: lay 9 K6 0")["lay.no_rotation"] == {"hex": "K6", "tile": "9"}


@pytest.mark.rule("1844:6.11")
@both
def test_an_upgrade_keeps_all_old_track(edition: str) -> None:
    game = at_work(edition=edition)
    assert game.failures("MOB: lay 15 I6 2") == {
        "lay.rotation": {"hex": "I6", "tile": "15", "rotation": 2, "allowed": (1,)}
    }
    plain = at_work(tiles={**LINE, "I8": "9#1"}, edition=edition)
    assert set(plain.failures("MOB: lay 25 I8 1")) == {"lay.track"}  # three curves for a straight line


@pytest.mark.rule("1844:6.11")
@both
def test_markers_of_separate_cities_stay_with_their_track(edition: str) -> None:
    """Lausanne: the western city has the edges W and NW, the eastern one E; in green they are still two."""
    mob = swiss("MOB", {"Bob": 5}, cash=500, markers="I6 I4/1", par=100)
    js = swiss("JS", {"Cat": 2})
    game = situation(mob, js, edition=edition, tiles=LINE).turn("MOB")
    game.do("MOB: lay 901 I4 1")
    face = game.state.board.face("I4")  # type: ignore[arg-type]
    stands = {c[0]: sorted(face.exits_of("c", i)) for i, c in enumerate(game.state.board.circles("I4"))}  # type: ignore[arg-type]
    assert stands == {"JS": [1, 2], "MOB": [3, 4]}


@pytest.mark.rule("1844:6.12")
@both
@pytest.mark.parametrize(
    ("order", "facts"),
    [
        ("lay 57 I6 1", {"color": "yellow", "old": "yellow"}),
        ("lay 611 I6 1", {"color": "brown", "old": "yellow"}),
        ("lay 23 I8 1", {"color": "green", "old": "white"}),
    ],
)
def test_colours_follow_one_another(edition: str, order: str, facts: Mapping[str, str]) -> None:
    found = at_work(edition=edition, phase="5").failures(f"MOB: {order}")["lay.wrong_step"]
    assert facts.items() <= found.items()


@pytest.mark.rule("1844:6.12")
@both
@pytest.mark.parametrize("tile", ["64", "911", "40"])
def test_some_tiles_are_the_last(edition: str, tile: str) -> None:
    upgrades = situation(edition=edition).title.map.upgrades
    assert not upgrades.get(TileId(tile))


@pytest.mark.rule("1844:6.13")
@both
def test_a_tile_of_which_none_is_left(edition: str) -> None:
    six = dict.fromkeys(("K20", "K22", "I28", "E18", "B19"), "57#0")
    vz = situation(
        swiss("MOB", {"Bob": 5}, cash=500, markers="I6", par=100),
        swiss("VZ", {"Bob": 3}, cash=500, operated=False, markers="K10"),
        edition=edition,
        tiles={**six, **LINE},
    )
    vz.turn("VZ")
    assert vz.failures("VZ: lay 57 K10 0") == {"lay.used_up": {"hex": "K10", "tile": "57", "count": 6}}
    assert not [line for line in vz.accepted() if line.startswith("lay 57 ")]
    vz.turn("MOB").do("MOB: lay 14 I6 1")
    assert vz.turn("VZ").failures("VZ: lay 57 K10 0") == {}
