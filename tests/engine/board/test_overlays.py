"""Pieces laid over what a hex shows: tunnels, the Furka-Oberalp track, income panels; and what runs over them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.board import Board
from engine.board.map import Map, Stop
from engine.board.network import has_route, joins, reach
from engine.core.ids import CompanyId, HexId, TileId
from engine.facts.sections import load_map, read_facts
from engine.titles.t1844.pieces import CURVE, FURKA, STRAIGHT, furka_laid, panel_on, tunnel_in, tunnel_rotations
from tests.kit.checkout import CHECKOUT

HERE = CHECKOUT / "engine" / "titles" / "t1844"
GB, RHB, BLS, MOB, JS, STB = (CompanyId(c) for c in ("GB", "RhB", "BLS", "MOB", "JS", "STB"))


def h(name: str) -> HexId:
    return HexId(name)


@pytest.fixture(scope="module")
def map() -> Map:
    return load_map(read_facts(HERE / "facts.json"), read_facts(HERE / "lays.json"))


@pytest.fixture
def bare(map: Map) -> Board:
    return Board.start(map)


def laid(board: Board, tiles: dict[str, str]) -> Board:
    """Tiles by hex, ``tile#rotation``; X and OP pieces go over what is there."""
    for hex, what in tiles.items():
        tile, _, rotation = what.partition("#")
        lay = board.add if board.map.tiles[TileId(tile)].overlay else board.lay
        board = lay(h(hex), TileId(tile), int(rotation))
    return board


def furka(board: Board) -> Board:
    for hex, piece in FURKA.items():
        board = board.add(hex, *piece)
    return board


def everything(hex: HexId, stop: Stop) -> bool:
    return True


def test_a_tunnel_is_added_to_the_hex_and_known_as_one(bare: Board) -> None:
    over = bare.add(h("H19"), CURVE, 3)
    face = over.face(h("H19"))
    assert face.paths == face.tunnels == ((("e", 3), ("e", 5)),)
    assert face.color == "purple"
    assert (over.in_play(CURVE), bare.in_play(CURVE)) == (1, 0)
    assert bare.face(h("H19")).paths == ()
    assert tunnel_in(over, h("H19")) == (CURVE, 3)
    assert over.face(h("H19")) is over.place(h("C12"), 0, GB).face(h("H19"))


def test_pieces_stay_when_tiles_and_markers_change(bare: Board) -> None:
    board = bare.add(h("H19"), STRAIGHT, 2)
    board = board.lay(h("C12"), TileId("5"), 0).place(h("C12"), 0, GB).substitute(h("C12"), 0, GB, JS)
    board = board.remove(h("C12"), 0, JS)
    assert board.overlays == {h("H19"): ((STRAIGHT, 2),)}


def test_the_town_of_andermatt_comes_with_its_track(bare: Board) -> None:
    assert bare.face(h("H17")).towns == ()
    before, after = bare.add(h("H17"), CURVE, 1), furka(bare.add(h("H17"), CURVE, 1))
    face = after.face(h("H17"))
    assert [(t.kind, t.revenue) for t in face.towns] == [("town", 10)]
    assert set(face.paths) == {(("e", 1), ("e", 3)), (("e", 0), ("t", 0)), (("e", 4), ("t", 0))}
    assert face.tunnels == before.face(h("H17")).paths
    assert (furka_laid(before), furka_laid(after)) == (False, True)


def test_the_furka_track_joins_disentis_with_brig(bare: Board) -> None:
    board = laid(bare, {"G26": "5#5", "H25": "58#1", "J15": "9#1"})
    board = board.place(h("G26"), 0, RHB)
    assert not joins(board, (h("G26"), 0), h("J13"), RHB)
    board = furka(board)
    assert joins(board, (h("G26"), 0), h("J13"), RHB)
    assert ("t", h("H17"), 0) in reach(board, RHB)


def test_a_tunnel_joins_the_track_on_both_sides(bare: Board) -> None:
    board = laid(bare, {"G18": "57#2", "I20": "9#2"}).place(h("G18"), 0, GB)
    assert (h("H19"), 2) in reach(board, GB), "a route comes to the mouth before there is a tunnel"
    assert (h("I20"), 2) not in reach(board, GB)
    board = board.add(h("H19"), STRAIGHT, 2)
    assert (h("I20"), 2) in reach(board, GB)


def test_where_tunnels_fit(bare: Board) -> None:
    free = tunnel_rotations(bare)
    assert len(free) == 9
    assert (free[h("I16")][CURVE], free[h("I16")][STRAIGHT]) == ((0,), (2, 5))
    assert free[h("J9")][CURVE] == (0, 1, 2, 3, 4, 5)
    after = tunnel_rotations(furka(bare.add(h("J9"), CURVE, 0)))
    assert h("J9") not in after
    assert (after[h("I16")][CURVE], after[h("I16")][STRAIGHT]) == ((0,), ())
    assert after[h("H23")][CURVE] == (0, 3)


def test_no_tunnel_leads_into_a_bar_off_the_map_or_into_another_tunnel_hex(map: Map, bare: Board) -> None:
    for hex, tiles in tunnel_rotations(bare).items():
        here = map.hexes[hex]
        for tile, rotations in tiles.items():
            for rotation in rotations:
                for edge in map.tiles[tile].face.turned(rotation).exits:
                    other = map.hexes[here.neighbors[edge]]
                    assert edge not in here.closed_edges
                    assert (edge + 3) % 6 not in other.closed_edges
                    assert other.face.color != "purple"


def test_a_mountain_is_worth_what_its_panel_says_and_ends_every_route(bare: Board) -> None:
    assert bare.face(h("H7")).offboards[0] == Stop("mountain", 0)
    board = laid(bare, {"I6": "57#0", "H7": "XM3#0", "G8": "59#0"}).place(h("I6"), 0, MOB)
    stop = board.face(h("H7")).offboards[0]
    assert (stop.kind, [stop.value(c) for c in ("yellow", "green", "brown", "gray")]) == ("mountain", [10, 50, 80, 10])
    assert len(board.face(h("H7")).paths) == 6
    assert panel_on(board, h("H7")) == "XM3"
    assert panel_on(bare, h("H7")) is None
    assert ("o", h("H7"), 0) in reach(board, MOB)
    assert (h("G8"), 0) not in reach(board, MOB), "nothing runs through a mountain"


def test_the_duty_needs_two_stations(bare: Board) -> None:
    def railways(hex: HexId, stop: Stop) -> bool:
        return stop.kind != "mountain" or stop.revenue != 0

    board = laid(bare, {"I6": "57#0"}).place(h("I6"), 0, MOB)
    assert has_route(board, MOB, everything)
    assert not has_route(board, MOB, railways)
    assert has_route(laid(board, {"H7": "XM1#0"}), MOB, railways)


def test_red_areas_can_be_left_out_of_the_duty(bare: Board) -> None:
    def inland(hex: HexId, stop: Stop) -> bool:
        return bare.face(hex).color != "red"

    jn = CompanyId("JN")
    board = laid(bare, {"F7": "57#1", "F5": "9#1"}).place(h("F7"), 0, jn)
    assert has_route(board, jn, everything)
    assert not has_route(board, jn, inland)


def test_two_markers_of_a_company_are_a_route_only_when_joined(bare: Board) -> None:
    board = laid(bare, {"C12": "57#1", "D13": "57#0"}).place(h("C12"), 0, JS).place(h("D13"), 0, JS)
    assert not has_route(board, JS, everything)
    board = laid(bare, {"C12": "6#5", "D13": "57#2"}).place(h("C12"), 0, JS).place(h("D13"), 0, JS)
    assert has_route(board, JS, lambda hex, stop: stop.kind == "city")


def test_a_home_without_a_marker_can_be_joined_and_full_cities_bar_the_way(bare: Board) -> None:
    tiles = {"C12": "6#5", "D13": "57#2", "E14": "9#2", "F15": "9#2"}
    board = laid(bare, tiles)
    assert joins(board, (h("C12"), 0), h("D13"), JS)
    assert not joins(board, (h("C12"), 0), h("F17"), JS)
    through = laid(bare, {**tiles, "G16": "4#2"})
    assert joins(through, (h("C12"), 0), h("G16"), JS)
    full = through.place(h("D13"), 0, STB)
    assert not joins(full, (h("C12"), 0), h("G16"), JS)
    assert joins(full, (h("C12"), 0), h("D13"), JS), "it may be the end"
    assert joins(full, (h("C12"), 0), h("G16"), STB)


@pytest.mark.parametrize("apart", [True, False])
def test_a_route_may_have_two_cities_of_one_hex_where_the_map_says_so(map: Map, apart: bool) -> None:
    """From one city of Lausanne by Yverdon to the other."""
    board = Board.start(replace(map, cities_apart=apart))
    board = laid(board, {"I4": "901#1", "H3": "3#4", "H5": "7#0"}).place(h("I4"), 0, JS)
    assert map.cities_apart
    assert (h("I4"), 3) in reach(board, JS)
    assert (("c", h("I4"), 1) in reach(board, JS)) is apart
