"""Upgrading track, a table of situations for each rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.acts.lay_track import check_lay, list_lays
from engine.board.board import Board
from engine.board.map import End
from engine.board.network import reach
from engine.board.track import Node
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.families.f1867.turn.company_turn import RULES
from tests.kit.games.positions import Tiles, from_record, recorded
from tests.kit.games.track_situations import HOME, LINE, Where, fails, first, keys, title


@pytest.mark.rule("1861:7.10")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("23 I11 0", set()),  # a new arm from the south edge, where the route comes
        ("20 I11 0", {"lay.new_unconnected"}),  # the new track crosses and meets no route
        (
            "27 I11 3",
            {"lay.new_unconnected"},
        ),  # the new arm joins at the north edge: to take it, a route would turn back
    ],
)
def test_some_new_plain_track_extends_a_route(order: str, expected: set[str]) -> None:
    assert keys(Where(LINE, {"I13": [["M-V"]]}, "3"), "M-V", order) == expected


EVERY = 41
"""One in so many upgrades is compared: all of them take over a minute (and hold)."""


@pytest.mark.rule("1861:7.10", "1861:7.11")
@pytest.mark.parametrize("game", ["29683", "167259"])
def test_connection_is_what_routes_reach_once_the_tile_lies(records: Path, game: str) -> None:
    compared, tried = set(), 0
    for number, (_, before) in enumerate(recorded(records / "1861", game, title())):
        if number % 90:
            continue
        state = from_record(first(), title(), before)
        companies = sorted({c for cities in state.board.markers.values() for city in cities for c in city})
        for hex, (old, turned) in state.board.tiles.items():
            lays = [(t, r) for t, rotations in title().map.upgrades[old].items() for r in rotations]
            for company in companies:
                for tile, rotation in lays:
                    tried += 1
                    if tried % EVERY:
                        continue
                    order = Lay(company, tile, hex, (rotation + turned) % 6)
                    found = {f.check for f in check_lay(title(), state, company, order, (), 1000, RULES)}
                    if not found & {"lay.edge", "lay.no_rotation"}:
                        joined = not found & {"lay.unconnected", "lay.new_unconnected"}
                        assert joined is extends(state.board, order), (number, order)
                        compared.add((joined, bool(title().map.tiles[tile].face.cities)))
    assert len(compared) == 4


def extends(board: Board, order: Lay) -> bool:
    """Whether the tile, once laid, has track on a route: of plain track only what is new."""
    after = board.lay(order.hex, order.tile, order.rotation)
    old, new = ({frozenset(p) for p in b.face(order.hex).paths} for b in (board, after))
    fresh = new - old if not after.face(order.hex).cities and not after.face(order.hex).towns else new
    return any(used(after, order, path) for path in after.face(order.hex).paths if frozenset(path) in fresh)


def used(after: Board, order: Lay, path: tuple[End, End]) -> bool:
    """Whether a route leads over the piece of track, in one direction or the other."""
    found, neighbors = reach(after, order.actor), after.map.hexes[order.hex].neighbors
    grid = found.track.grid
    for entry, leave in (path, path[::-1]):
        here: Node = (order.hex, entry[1]) if entry[0] == "e" else (entry[0], order.hex, entry[1])
        there: Node = (leave[0], order.hex, leave[1])
        if leave[0] == "e":
            there = (neighbors[leave[1]], (leave[1] + 3) % 6)
        before, following = grid.numbers[here], grid.numbers[there]
        apart = not grid.marks[before] & grid.marks[following]
        if apart and before not in found.closed and found.leads_to(before, grid.marks[following]):
            return True
    return False


@pytest.mark.rule("1861:7.11")
def test_of_a_city_or_town_any_track_on_a_route_is_enough() -> None:
    tiles = {"I13": "57#0", "I15": "9#0", "I17": "4#0"}
    town = Where(tiles, {"I13": [["M-V"]]}, "3")
    assert keys(town, "M-V", "88 I17 0") == set()
    away = Where({**tiles, "I15": "9#1"}, {"I13": [["M-V"]]}, "3")
    assert keys(away, "M-V", "88 I17 0") == {"lay.unconnected"}


@pytest.mark.rule("1861:7.11")
def test_one_reached_space_of_several_is_enough() -> None:
    assert keys(Where({}, {"H8": [[], ["N"], []]}, "3"), "N", "637 H8 3") == set()
    assert keys(HOME, "M-V", "637 H8 0") == {"lay.color", "lay.unconnected"}


@pytest.mark.rule("1861:7.12")
def test_old_track_stays_and_the_refusal_says_how_the_tile_would_fit() -> None:
    where = Where(LINE, {"I13": [["M-V"]]}, "3")
    failure = next(f for f in fails(where, "M-V", "23 I11 1") if f.check == "lay.rotation")
    assert failure.facts["allowed"] == (0, 3)
    assert keys(where, "M-V", "16 I11 0") == {"lay.track"}


@pytest.mark.rule("1861:7.12")
def test_markers_go_with_the_space_that_keeps_its_exits() -> None:
    state = Where({}, {"H8": [["M-K"], ["N"], ["M-NN"]]}, "3").state()
    for rotation in range(6):
        laid = state.board.lay(HexId("H8"), TileId("637"), rotation)
        for company, exit in (("M-K", 0), ("N", 2), ("M-NN", 4)):
            city = next(i for i in range(3) if company in laid.at(HexId("H8"), i))
            assert exit in laid.face(HexId("H8")).exits_of("c", city)


@pytest.mark.rule("1861:7.13")
@pytest.mark.parametrize(
    ("tiles", "order", "expected"),
    [
        ({"I13": "14#0"}, "63 I13 0", set()),
        ({"I13": "14#0"}, "611 I13 0", {"lay.most_exits"}),
        ({"I13": "14#0", "E9": "63#0", "H18": "63#0", "I19": "63#0"}, "611 I13 0", set()),
    ],
)
def test_a_brown_city_takes_six_exits_where_that_is_possible(tiles: Tiles, order: str, expected: set[str]) -> None:
    assert keys(Where(tiles, {"I13": [["M-V"]]}, "5"), "M-V", order) == expected


@pytest.mark.rule("1861:7.13")
def test_riga_at_the_edge_of_the_map_cannot_take_six_exits() -> None:
    state = Where({"B4": "207#4"}, {"B4": [["R-O"]]}, "5").state()
    lays = {(x.tile, x.rotation) for x in list_lays(title(), state, CompanyId("R-O"), (), 1000, RULES) if x.hex == "B4"}
    assert lays == {("801", 4)}


@pytest.mark.rule("1861:7.14")
@pytest.mark.parametrize(
    ("old", "option", "expected"),
    [
        ("623#0", "no", set()),
        ("801#0", "no", {"lay.not_over"}),
        ("801#0", "yes", set()),
    ],
)
def test_kharkov_alone_takes_the_gray_kh_tile(old: str, option: str, expected: set[str]) -> None:
    where = Where({"G15": old}, {"G15": [["K-R"]]}, "6")
    found = fails(where, "K-R", "640 G15 0", title(kharkov_over_801=option))
    assert {failure.check for failure in found} == expected
    assert all(failure.facts["old"] == "801" for failure in found)


@pytest.mark.rule("1861:7.14")
def test_other_y_cities_stop_at_brown() -> None:
    where = Where({"N10": "623#0"}, {"N10": [["S-V"]]}, "6")
    assert keys(where, "S-V", "640 N10 0") == {"lay.label"}


@pytest.mark.rule("1861:7.14", "1861:7.15")
@pytest.mark.parametrize(
    ("hex", "tiles", "phase", "order"),
    [
        ("H8", {}, "3", "637 H8 0"),
        ("H8", {"H8": "637#0"}, "5", "638 H8 0"),
        ("H8", {"H8": "638#0"}, "6", "639 H8 0"),
        ("D14", {"D14": "635#0"}, "5", "636 D14 0"),
        ("E1", {}, "5", "641 E1 0"),
        ("E1", {"E1": "641#0"}, "6", "642 E1 0"),
    ],
)
def test_moscow_kiev_and_st_petersburg_have_tiles_of_their_own(hex: str, tiles: Tiles, phase: str, order: str) -> None:
    cities = title().map.tiles[TileId(tiles[hex].split("#")[0])].face.cities if hex in tiles else ()
    markers = {hex: [["NW"]] + [[]] * (len(cities or title().map.hexes[HexId(hex)].face.cities) - 1)}
    where = Where(tiles, markers, phase)
    assert keys(where, "NW", order) == set()
    assert order.split(maxsplit=1)[0] in {
        x.tile for x in list_lays(title(), where.state(), CompanyId("NW"), (), 1000, RULES)
    }
