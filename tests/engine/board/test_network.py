"""What routes reach: by hand on small boards, and against a plain walk over every route on recorded ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

import engine
from engine.board.board import Board
from engine.board.network import Reach, arrives_apart, isolated, linked, reach
from engine.core.ids import CompanyId, HexId
from engine.core.title import Title
from tests.kit.games.positions import board, from_record, recorded, start

MV, KR, N, MK = CompanyId("M-V"), CompanyId("K-R"), CompanyId("N"), CompanyId("M-K")


@lru_cache(maxsize=1)
def title() -> Title:
    return engine.load_title("1861")


class Touched(NamedTuple):
    """Stops, and sides by which routes come to hexes."""

    stops: frozenset[object]
    arrivals: frozenset[object]


def touched(found: Reach) -> Touched:
    return Touched(found.stops, found.arrivals)


def cities(found: Reach) -> set[str]:
    return {hex for kind, hex, _ in found.stops if kind == "c"}


# ---- the judge: every route, one by one -----------------------------------------------------------------------------


def walk_all(here: Board, company: CompanyId, most: int) -> tuple[Touched, bool]:
    """What every route of the company touches, by walking each of them; and whether all were walked."""
    map = here.map
    stops, arrivals = set[object](), set[object]()
    budget = [most]

    def stop(hex: HexId, end: tuple[str, int], sides: frozenset[object], seen: frozenset[object]) -> None:
        mark = (hex, "cities") if end[0] == "c" else (hex, *end)
        if mark in seen:
            return
        stops.add((end[0], hex, end[1]))
        if end[0] == "o":
            return
        if end[0] == "c":
            there, slots = here.at(hex, end[1]), here.face(hex).cities[end[1]].slots
            if company not in there and len(there) >= (1 if map.any_marker_blocks else slots):
                return
        leave(hex, end, sides, seen | {mark})

    def leave(hex: HexId, end: tuple[str, int], sides: frozenset[object], seen: frozenset[object]) -> None:
        budget[0] -= 1
        if budget[0] < 0:
            return
        for path in here.face(hex).paths:
            if end not in path:
                continue
            other = path[1] if path[0] == end else path[0]
            if other[0] != "e":
                mark = (hex, "cities") if other[0] == "c" else (hex, *other)
                if mark not in seen:
                    stop(hex, other, sides, seen)
                continue
            neighbor = map.hexes[hex].neighbors[other[1]]
            side = frozenset(((hex, other[1]), (neighbor, (other[1] + 3) % 6)))
            if side in sides:
                continue
            arrivals.add((neighbor, (other[1] + 3) % 6))
            leave(neighbor, ("e", (other[1] + 3) % 6), sides | {side}, seen)

    for hex, city in here.places_of(company):
        stop(hex, ("c", city), frozenset(), frozenset())
    return Touched(frozenset(stops), frozenset(arrivals)), budget[0] >= 0


def recorded_boards(records: Path, name: str, every: int) -> Iterator[Board]:
    base = start(title())
    last = None
    for number, (_, before) in enumerate(recorded(records / "1861", name, title())):
        if number % every == 0 and (before["tiles"], before["slots"]) != last:
            last = (before["tiles"], before["slots"])
            yield from_record(base, title(), before).board


@pytest.mark.rule("1861:8.1")
@pytest.mark.parametrize("name", ["29683", "167259"])
def test_reach_is_what_all_routes_together_touch(records: Path, name: str) -> None:
    compared = 0
    for here in recorded_boards(records, name, 16):
        for company in {c for cs in here.markers.values() for city in cs for c in city}:
            expected, complete = walk_all(here, company, 3000)
            if complete:
                assert touched(reach(here, company)) == expected
                compared += 1
            else:
                found = reach(here, company)
                assert expected.stops <= found.stops
                assert expected.arrivals <= found.arrivals
    assert compared >= 50


# ---- by hand --------------------------------------------------------------------------------------------------------


def test_a_marker_without_track_reaches_its_own_city_only() -> None:
    found = reach(board(title(), {}, {"I13": [["M-V"]]}), MV)
    assert touched(found) == Touched(frozenset({("c", HexId("I13"), 0)}), frozenset())


def test_no_marker_reaches_nothing() -> None:
    assert touched(reach(board(title(), {"I13": "57#0"}, {}), MV)) == Touched(frozenset(), frozenset())


@pytest.mark.rule("1861:8.1")
def test_track_is_reached_up_to_where_more_would_join() -> None:
    found = reach(board(title(), {"I13": "57#0", "I11": "9#0"}, {"I13": [["M-V"]]}), MV)
    assert found.arrivals == {("I15", 3), ("I11", 0), ("I9", 0)}


@pytest.mark.rule("1861:8.1")
@pytest.mark.parametrize(
    ("markers", "passes"),
    [
        ([], True),
        (["K-R"], False),
        (["M-V"], True),
    ],
    ids=["free circle", "filled by another", "own marker"],
)
def test_a_city_full_of_others_is_reached_but_not_passed(markers: list[str], passes: bool) -> None:
    # A line north from Voronezh, with a city of one circle at I7.
    tiles = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0", "I5": "4#0"}
    stands = {"I13": [["M-V"]], "I7": [markers]} if markers else {"I13": [["M-V"]]}
    found = reach(board(title(), tiles, stands), MV)
    assert "I7" in cities(found)
    assert (("t", HexId("I5"), 0) in found.stops) is passes


@pytest.mark.rule("1861:8.1")
def test_an_offboard_area_ends_a_route() -> None:
    # Riga by B6 and Vilna to Poland A9, which B10 joins too.
    here = board(title(), {"B4": "201#0", "B6": "9#0", "B8": "58#1", "B10": "9#2"}, {"B4": [["R-O"]]})
    found = reach(here, CompanyId("R-O"))
    assert ("o", HexId("A9"), 0) in found.stops
    assert not {(h, e) for h, e in found.arrivals if h == "B10"}


# Moscow's south edge leads by Tula H10 and G9 back to its south-west edge; on 637#1 those are two spaces.
RING = {"H8": "637#1", "H10": "3#2", "G9": "7#4"}
NIKOLAEV_SPACE, KURSK_SPACE = ("c", HexId("H8"), 0), ("c", HexId("H8"), 2)
MOSCOW = {"H8": [["N"], [], ["M-K"]]}


@pytest.mark.rule("1861:8.1")
def test_a_route_has_no_two_separate_spaces_of_one_hex() -> None:
    found = reach(board(title(), RING, MOSCOW), MK)
    assert found.stops == {KURSK_SPACE, ("t", HexId("H10"), 0)}
    assert (HexId("H8"), 1) in found.arrivals


@pytest.mark.rule("1861:14.8")
def test_a_merger_may_be_joined_by_track_from_space_to_space_of_one_hex() -> None:
    here = board(title(), RING, MOSCOW)
    assert NIKOLAEV_SPACE in linked(here, (HexId("H8"), 2), frozenset({N, MK}))
    without = board(title(), {"H8": "637#1"}, MOSCOW)
    assert linked(without, (HexId("H8"), 2), frozenset({N, MK})).stops == {KURSK_SPACE}


@pytest.mark.rule("1861:14.8")
@pytest.mark.parametrize(("friends", "joined"), [({MV, KR}, False), ({MV, KR, N}, True)])
def test_only_markers_of_merging_companies_do_not_block(friends: set[CompanyId], joined: bool) -> None:
    # A line north from Voronezh: a city filled by N at I7, and one at I3.
    tiles = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0", "I5": "4#0", "I3": "57#0"}
    here = board(title(), tiles, {"I13": [["M-V"]], "I7": [["N"]], "I3": [["K-R"]]})
    found = linked(here, (HexId("I13"), 0), frozenset(friends)).stops
    assert (("c", HexId("I3"), 0) in found) is joined
    assert ("c", HexId("I7"), 0) in found


@pytest.mark.rule("1861:8.1")
def test_track_is_not_left_by_the_edge_it_was_entered_by() -> None:
    # 23 at G11 forks from its south edge to its north and north-east edges: neither arm leads into the other.
    tiles = {"G15": "621#0", "G13": "4#0", "G11": "23#0"}
    found = reach(board(title(), tiles, {"G15": [["K-R"]]}), KR)
    assert {("G9", 0), ("H10", 1)} <= found.arrivals
    reversed_start = board(title(), {**tiles, "G9": "57#0"}, {"G9": [["N"]]})
    arrived = reach(reversed_start, N).arrivals
    assert ("G13", 3) in arrived
    assert ("H10", 1) not in arrived


@pytest.mark.rule("1861:8.1")
def test_a_ring_at_the_end_of_a_line_does_not_turn_routes_round() -> None:
    # Out of Kharkov's north edge to a fork at G11, whose arms are joined to a ring: no route comes back to Kharkov.
    ring = {"G15": "621#0", "G13": "4#0", "G11": "23#0", "G9": "7#5", "H10": "3#1"}
    found = reach(board(title(), ring, {"G15": [["K-R"]]}), KR)
    assert {("G11", 3), ("G11", 4)} <= found.arrivals
    assert (HexId("G13"), 3) not in found.arrivals
    assert (HexId("G15"), 3) not in found.arrivals


@pytest.mark.rule("1861:7.10")
def test_new_track_between_an_edge_used_on_the_way_and_one_arrived_at_is_told_apart() -> None:
    tiles = {"G15": "621#0", "G13": "4#0", "G11": "9#0"}
    here = board(title(), tiles, {"G15": [["K-R"]]})
    assert arrives_apart(reach(here, KR), (HexId("G11"), 0), 3)
    assert not arrives_apart(reach(here, KR), (HexId("G11"), 3), 0)


@pytest.mark.rule("1861:3.13")
def test_a_space_is_isolated_while_its_track_leads_to_no_place() -> None:
    kiev = HexId("D14")
    assert isolated(board(title(), {}, {}), kiev, 0)
    assert isolated(board(title(), {"D16": "9#0"}, {}), kiev, 0)
    to_town = board(title(), {"E13": "58#1"}, {})
    assert not isolated(to_town, kiev, 2)
    assert isolated(to_town, kiev, 0)


@pytest.mark.rule("1861:3.13")
def test_an_offboard_area_is_a_connection_where_it_counts_as_a_city() -> None:
    # Odessa D20, north-west by C19 to Romania B18.
    here = board(title(), {"D20": "202#2", "C19": "9#2"}, {})
    assert isolated(here, HexId("D20"), 0)
    assert not isolated(here, HexId("D20"), 0, offboards=True)
