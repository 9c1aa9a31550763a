"""Ways on the terms of a purpose: sides that they may not cross, markers at which they begin, one marker alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from engine.acts.lay_track import LayRules, list_lays
from engine.acts.place_token import list_tokens
from engine.acts.reach import reach_for
from engine.board.board import Board
from engine.board.network import bases, meet, reach
from engine.board.ways import Purpose, Ways
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.state import State
from engine.core.title import Title
from tests.kit.games.positions import board, position, start

MV, KR = CompanyId("M-V"), CompanyId("K-R")
# A line from Voronezh north: two plain hexes, a city, and a town beyond it; Kharkov with a marker of its own apart.
LINE = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0", "I5": "4#0", "G15": "201#0"}
BORDER = frozenset({(HexId("I11"), 3)})
"""Between I11 and I9."""


def line(markers: dict[str, list[list[str]]]) -> Board:
    return board(engine.load_title("1861"), LINE, markers)


@pytest.mark.parametrize("side", [("I11", 3), ("I9", 0)], ids=["named from this side", "named from the other"])
@pytest.mark.rule("1841:6.12", "1841:6.23")
def test_no_way_crosses_a_barred_side_whoever_names_it(side: tuple[str, int]) -> None:
    here = line({"I13": [["M-V"]]})
    found = reach(here, MV, Ways(frozenset({(HexId(side[0]), side[1])})))
    assert ("c", HexId("I7"), 0) in reach(here, MV)
    assert ("c", HexId("I7"), 0) not in found
    assert (HexId("I9"), 0) not in found
    assert (HexId("I11"), 0) in found, "the way leads up to the border"


@pytest.mark.rule("1841:6.12")
def test_a_way_that_would_come_back_over_the_border_is_none() -> None:
    ring = {"G11": "8#4", "I11": "9#0", "I13": "57#0", "I9": "8#0", "H8": "637#0"}
    here = board(engine.load_title("1861"), ring, {"I13": [["M-V"]]})
    assert reach(here, MV, Ways(BORDER)).hexes == {"I11", "I15"}


def test_barred_sides_are_forgotten_with_the_track_and_learned_anew() -> None:
    here = line({"I13": [["M-V"]]})
    ways = Ways(BORDER)
    assert ("c", HexId("I7"), 0) not in reach(here, MV, ways)
    longer = here.lay(HexId("I9"), TileId("8"), 1)
    assert (HexId("I9"), 0) not in reach(longer, MV, ways)
    assert (HexId("I9"), 0) in reach(longer, MV)


@pytest.mark.rule("1841:6.5", "1841:6.7")
def test_a_way_begins_at_markers_in_stops_of_a_kind_or_at_one_marker() -> None:
    here = line({"I13": [["M-V"]], "G15": [["M-V"]]})
    here = replace(here, map=with_pass(here), tiles={**here.tiles, HexId("I13"): (TileId("pass"), 0)})
    everywhere, cities = bases(here, MV), bases(here, MV, Ways(kinds=frozenset({"city"})))
    assert everywhere == ((HexId("I13"), 0), (HexId("G15"), 0))
    assert cities == ((HexId("G15"), 0),)
    assert ("c", HexId("I7"), 0) not in reach(here, MV, Ways(kinds=frozenset({"city"})))
    assert ("c", HexId("I7"), 0) in reach(here, MV, Ways(base=(HexId("I13"), 0)))
    assert ("c", HexId("I7"), 0) not in reach(here, MV, Ways(base=(HexId("G15"), 0)))


def with_pass(here: Board):  # type: ignore[no-untyped-def]
    city = here.map.tiles[TileId("57")]
    face = replace(city.face, cities=(replace(city.face.cities[0], kind="pass", revenue=0),))
    return replace(here.map, tiles={**here.map.tiles, TileId("pass"): replace(city, face=face)})


@pytest.mark.rule("1841:10.11")
def test_two_companies_meet_over_track_or_in_one_city_but_not_over_a_border() -> None:
    apart = line({"I13": [["M-V"]], "I7": [["K-R"]]})
    assert meet(apart, MV, KR)
    assert not meet(apart, MV, KR, Ways(BORDER))
    same = board(engine.load_title("1861"), {"I13": "15#0"}, {"I13": [["M-V", "K-R"]]})
    assert meet(same, MV, KR, Ways(BORDER))


class Purposes:
    """A policy that bars the border for one purpose, and notes who asked for what."""

    def __init__(self, barred: Purpose) -> None:
        self.barred = barred
        self.asked = set[str]()

    def __call__(self, title: Title, state: State, company: CompanyId, purpose: Purpose) -> Ways:
        self.asked.add(purpose)
        return Ways(BORDER if purpose == self.barred else frozenset())


def with_ways(policy: Purposes) -> tuple[Title, State]:
    title = engine.load_title("1861")
    title = replace(title, policies=replace(title.policies, ways=policy, markers=lambda *_: 3))
    return title, position(start(title), title, LINE, {"I13": [["M-V"]]}, "3")


@pytest.mark.parametrize("barred", ["lay", "token", "run"])
def test_track_and_markers_ask_with_their_own_purpose(barred: Purpose) -> None:
    policy = Purposes(barred)
    title, state = with_ways(policy)
    lays = {lay.hex for lay in list_lays(title, state, MV, (), 1000, LayRules())}
    assert policy.asked == {"lay"}
    tokens = {space.hex for space in list_tokens(title, state, MV, 1000, False)}
    assert policy.asked == {"lay", "token"}
    assert ("I7" in lays) is (barred != "lay")
    assert ("I7" in tokens) is (barred != "token")
    assert (("c", HexId("I7"), 0) in reach_for(title, state, MV, "run")) is (barred != "run")
