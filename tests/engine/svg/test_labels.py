"""The labels of hexes: no two overlap, none lies on a stop or leaves its hex, and every value and name is there."""

from __future__ import annotations

import pytest

import engine
from engine.svg.label_places import Label, Room
from engine.svg.labels import Wanted, labels
from engine.svg.letters import broken, ems, width
from engine.svg.view import hex_views
from tests.kit.pictures import faults_of_labels

TITLES = engine.title_names()


@pytest.mark.parametrize("name", TITLES)
def test_every_printed_hex(name: str) -> None:
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="labels"))
    for far in (False, True):
        views = hex_views(game.title, game.state, far=far)
        assert len(views) == len(game.title.map.hexes)
        assert {hex: faults for hex, view in views.items() if (faults := faults_of_labels(view.wanted))} == {}


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_every_tile_in_every_turn_with_number_and_coordinate(name: str) -> None:
    map = engine.load_title(name).map
    for tile in map.tiles.values():
        for turn in range(6):
            for far in (False, True):
                wanted = Wanted(tile.face.turned(turn), map.flat, "", str(tile.id), "K15", far=far)
                assert faults_of_labels(wanted) == [], (tile.id, turn, far)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("name", TITLES)
def test_every_first_lay_under_the_name_of_its_hex(name: str, far: bool) -> None:
    map = engine.load_title(name).map
    seen = 0
    for hex, tiles in map.first_lays.items():
        if not map.hexes[hex].name:
            continue
        for tile, turns in tiles.items():
            for turn in turns:
                face = map.tiles[tile].face.turned(turn)
                wanted = Wanted(face, map.flat, map.hexes[hex].name, str(tile), str(hex), far=far)
                assert faults_of_labels(wanted) == [], (hex, tile, turn)
                seen += 1
    assert seen > 50


def test_a_label_that_finds_no_place_is_named() -> None:
    map = engine.load_title("1861").map
    face = map.tiles[engine.ids.TileId("639")].face
    found = labels(Wanted(face, map.flat, "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch " * 3))
    assert "name" in found.missing
    assert "value" not in found.missing


@pytest.mark.parametrize("name", TITLES)
def test_names_and_numbers_are_larger_where_hexes_are_small(name: str) -> None:
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="labels"))
    usual, far = (
        {
            (hex, label.kind): label.size
            for hex, view in hex_views(game.title, game.state, far=far).items()
            for label in labels(view.wanted).labels
            if label.kind in ("name", "coordinate", "value")
        }
        for far in (False, True)
    )
    assert far.keys() <= usual.keys()
    for kind, share in (("name", 0.6), ("coordinate", 0.8), ("value", 0.6)):
        there = [key for key in far if key[1] == kind]
        assert sum(far[key] > usual[key] for key in there) >= share * len(there), kind


def test_a_place_that_is_taken_is_not_free() -> None:
    room = Room(True, [((0.0, 0.0), 30.0)], [])
    at_stop, beside = Label("name", ("x",), 10, (20, 0), 20, 10), Label("name", ("x",), 10, (0, 50), 20, 10)
    assert not room.free(at_stop)
    assert room.place([at_stop, beside]) == beside
    assert not room.free(beside)
    assert not room.free(Label("name", ("x",), 10, (95, 0), 20, 10))


def test_text_is_measured_letter_by_letter() -> None:
    assert width("10", 20) == pytest.approx(2 * 0.58 * 20)
    assert ems("Ziegelbrücke") == pytest.approx(ems("Ziegelbrucke"))
    assert ems("한") == 1.0
    assert broken("Winterthur & Frauenfeld", 2) == ("Winterthur", "& Frauenfeld")
    assert broken("Bern", 3) == ("Bern",)
