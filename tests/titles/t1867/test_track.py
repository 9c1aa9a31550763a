"""Track of 1867: colours, terrain, closed borders, stubs, most exits, and hexes with tiles of their own.

Numbers in docstrings are rows of the rule sheet. Rivers, Montreal and Toronto have files of their own."""

from __future__ import annotations

import pytest

from engine.core.ids import HexId, TileId
from tests.kit.games.course_1867 import begun, minor, turn
from tests.kit.games.situations import Played

TITLE = begun().title


def layer(at: str, tiles: dict[str, str], phase: str = "8", cash: int = 100) -> Played:
    """CA with a marker in ``at`` is to lay track."""
    given = {"phase": "7"} if phase == "8" else {"phase": phase}
    return turn(minor("CA", "Bob", cash=cash, trains="7", markers=at), stage="track", tiles=tiles, **given)


@pytest.mark.rule("7.8", "7.9")
@pytest.mark.parametrize(
    ("at", "tiles", "order", "cost"),
    [
        ("J12", {}, "201 J12 0", 20),
        ("J12", {"J12": "201#0"}, "207 J12 5", 0),
        ("J12", {"J12": "207#5"}, "623 J12 0", 0),
        ("J12", {"J12": "623#0"}, "X8 J12 0", 0),
        ("J12", {"J12": "201#4"}, "7 K11 0", 20),  # by the exit to the north-east
        ("J12", {"J12": "201#4", "K11": "7#0"}, "26 K11 1", 0),
        ("L12/1", {}, "637 L12 0", 20),
        ("M9", {}, "57 M9 1", 0),
        ("D16", {}, "201 D16 0", 0),
    ],
)
def test_terrain(at: str, tiles: dict[str, str], order: str, cost: int) -> None:
    """Row 7.3: J12 and K11 when the yellow tile is laid, Montreal when its printed one turns green, nothing else."""
    game = layer(at, tiles)
    game.do(f"CA: lay {order}")
    assert game.money("CA") == 100 - cost


def test_terrain_is_nowhere_else() -> None:
    """Row 7.3."""
    costs = {str(hex): data.face.terrain for hex, data in TITLE.map.hexes.items() if data.face.terrain}
    assert costs == {"K11": 20, "J12": 20, "L12": 20}


@pytest.mark.rule("7.2")
@pytest.mark.parametrize(
    ("order", "tiles", "first"),
    [
        ("57 M9 1", {}, "2"),
        ("14 M9 0", {"M9": "57#0"}, "3"),
        ("63 M9 0", {"M9": "14#0"}, "5"),
        ("X8 M9 0", {"M9": "63#0"}, None),  # plain cities have no gray tile
    ],
)
def test_colors_by_phase(order: str, tiles: dict[str, str], first: str | None) -> None:
    """Row 7.2: green from 3, brown from 5; gray, from 7, is tested with Montreal."""
    for phase in "234567":
        refused = layer("M9", tiles, phase).refusals(f"CA: lay {order}")
        if first is None:
            assert refused
        else:
            assert refused == (set() if phase >= first else {"lay.color"}), phase


CLOSED = [
    ("C9", "C11"), ("C9", "D10"), ("C11", "C13"), ("C11", "D10"), ("D10", "D12"), ("D10", "E11"), ("D12", "E11"),
    ("D18", "E19"), ("H14", "H16"),
]  # fmt: skip


@pytest.mark.rule("7.20", "7.7")
@pytest.mark.parametrize(("one", "other"), CLOSED)
def test_no_track_crosses_a_closed_border(one: str, other: str) -> None:
    """Row 7.5: no first tile of either hex has an exit there."""
    map = TITLE.map
    for hex, neighbor in ((HexId(one), HexId(other)), (HexId(other), HexId(one))):
        (edge,) = (e for e, n in map.hexes[hex].neighbors.items() if n == neighbor)
        for tile, turns in map.first_lays.get(hex, {}).items():
            assert not [t for t in turns if edge in map.tiles[tile].face.turned(t).exits], (hex, tile)


@pytest.mark.rule("7.20", "7.7")
@pytest.mark.parametrize(
    ("at", "tiles", "order", "refused"),
    [
        ("D8", {"D8": "57#0"}, "9 D10 0", True),
        ("D8", {"D8": "57#0"}, "8 D10 1", True),
        ("D8", {"D8": "57#0"}, "7 D10 3", False),  # north and north-east
        ("I15", {"I15": "6#2"}, "58 H14 5", False),
        ("I15", {"I15": "6#0"}, "4 H14 0", True),  # into the port
        ("G15", {"G15": "14#4"}, "57 I15 0", True),  # off the map
    ],
)
def test_a_tile_against_a_closed_side_is_refused(at: str, tiles: dict[str, str], order: str, refused: bool) -> None:
    """Rows 7.5, 7.7."""
    found = layer(at, tiles).refusals(f"CA: lay {order}")
    assert "lay.edge" in found if refused else not found


def test_c11_is_never_built() -> None:
    """Row 7.5: it has one open side."""
    assert not [turns for turns in TITLE.map.first_lays[HexId("C11")].values() if turns]


@pytest.mark.rule("7.21")
@pytest.mark.parametrize(
    ("hex", "side", "tiles"),
    [("G15", 1, ("5", "6", "57")), ("K13", 4, ("3", "4", "58")), ("L10", 0, ("3", "4", "58"))],
)
def test_a_first_tile_has_the_exit_of_the_stub(hex: str, side: int, tiles: tuple[str, ...]) -> None:
    """Row 7.6."""
    first, faces = TITLE.map.first_lays[HexId(hex)], TITLE.map.tiles
    for tile in map(TileId, tiles):
        assert first[tile]
        assert all(side in faces[tile].face.turned(turn).exits for turn in first[tile])


@pytest.mark.rule("7.21", "7.12")
def test_only_the_first_tile_must_have_it() -> None:
    """Row 7.6: and it keeps it, being old track."""
    assert layer("G15", {}).refusals("CA: lay 57 G15 2") == {"lay.rotation"}
    assert layer("G15", {}).refusals("CA: lay 57 G15 1") == set()
    assert layer("G15", {"G15": "57#1"}).refusals("CA: lay 14 G15 1") == set()


# ---- cities ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.13")
@pytest.mark.parametrize(
    ("at", "old", "order", "phase", "refused"),
    [
        ("M9", "15#0", "611 M9 0", "5", {"lay.most_exits"}),
        ("M9", "15#0", "63 M9 0", "5", set()),
        ("D16", "207#0", "801 D16 0", "5", {"lay.most_exits"}),
        ("D16", "207#0", "623 D16 0", "5", set()),
        ("M9", "57#0", "15 M9 0", "3", set()),  # green tiles all have four
        ("M9", "57#0", "14 M9 0", "3", set()),
    ],
)
def test_the_most_exits(at: str, old: str, order: str, phase: str, refused: set[str]) -> None:
    """Row 7.8, fault 7: what the page offers is the rule."""
    game = layer(at, {at: old}, phase)
    assert game.refusals(f"CA: lay {order}") == refused
    assert (f"lay {order}" in game.menu()) == (not refused)


@pytest.mark.rule("7.13", "7.17")
def test_fewer_exits_when_no_other_tile_is_left() -> None:
    """Row 7.8: all three of 63 lie elsewhere."""
    elsewhere = {"N12": "63#0", "E13": "63#0", "F8": "63#0"}
    game = layer("M9", {"M9": "15#0", **elsewhere}, "5")
    assert game.refusals("CA: lay 63 M9 0") == {"lay.used_up"}
    assert game.refusals("CA: lay 611 M9 0") == set()


@pytest.mark.rule("7.14")
@pytest.mark.parametrize("old", ["623#0", "801#0"])
def test_ottawa_has_a_gray_tile(old: str) -> None:
    """Row 7.12: X8, one city of 60 with three circles."""
    game = layer("J12", {"J12": old}, "7")
    assert {line for line in game.menu() if " J12 " in line} == {"lay X8 J12 0"}
    game.do("CA: lay X8 J12 0")
    (city,) = game.state.board.face(HexId("J12")).cities
    assert (city.revenue, city.slots) == (60, 3)


@pytest.mark.rule("7.6", "7.14")
@pytest.mark.parametrize("hex", ["D16", "E17", "O7"])
def test_the_other_y_cities_stop_at_brown(hex: str) -> None:
    """Row 7.13."""
    game = layer(hex, {hex: "623#0"}, "7")
    assert not [line for line in game.menu() if f" {hex} " in line]
    assert game.refusals(f"CA: lay X8 {hex} 0")


@pytest.mark.rule("7.6")
@pytest.mark.parametrize("hex", ["D16", "E17", "O7", "J12", "M9"])
def test_y_tiles_belong_to_four_cities(hex: str) -> None:
    """Row 7.13."""
    lays = TITLE.map.first_lays[HexId(hex)]
    assert {str(tile) for tile, turns in lays.items() if turns} == (
        {"5", "6", "57"} if hex == "M9" else {"201", "202", "621"}
    )


@pytest.mark.rule("7.16", "7.6")
def test_printed_gray_hexes() -> None:
    """Row 7.14: never upgraded; Timmins with a city of 40, the others plain track."""
    gray = {str(hex): data for hex, data in TITLE.map.hexes.items() if data.face.color == "gray"}
    assert set(gray) == {"D2", "C3", "E1", "B16", "L14"}
    assert not any(data.buildable for data in gray.values())
    assert [(c.revenue, c.slots) for c in gray["D2"].face.cities] == [(40, 1)]
    assert gray["D2"].face.exits == {0, 1, 4, 5}
    assert layer("D2", {}).refusals("CA: lay 63 D2 0") >= {"lay.never"}


@pytest.mark.rule("7.4")
def test_a_home_in_timmins_has_track() -> None:
    """Rows 4.5, 7.14: a minor there lays outside from the start."""
    assert layer("D2", {}, "3").refusals("CA: lay 9 D4 0") == set()
    assert layer("D2", {}, "3").refusals("CA: lay 7 E3 1") == set()
