"""Track in 1841: how many builds from which bases, what they must be joined to, and hexes with rules of their own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.situations_1841 import Italian, firm, situation

ASTI = {"I5": "4#2", "J6": "57#2"}
"""Torino (its city with the south-eastern exit) - Asti - Alessandria."""


def builder(phase: str = "4", markers: str = "H4/0 J6", tiles: dict[str, str] | None = None, **more: Any) -> Italian:
    sftg = firm("SFTG", {"Ann": 5}, "D5", markers=markers, cash=500, trains="4", tokens=5)
    return situation(sftg, *more.pop("others", ()), phase=phase, tiles=ASTI if tiles is None else tiles, **more).turn(
        "SFTG"
    )


BUILDS = [
    ("2", "H4/0 J6 D8", 3),
    ("3", "H4/0 J6 D8", 2),
    ("4", "H4/0 J6 D8", 2),
    ("5", "H4/0 J6 D8", 1),
    ("4", "H4/0", 1),
]

NEAR = {"H4/0": ("I3",), "J6": ("I7", "K5", "K7"), "D8": ("E7",)}


@pytest.mark.rule("6.4")
@pytest.mark.parametrize(("phase", "markers", "most"), BUILDS)
def test_builds_of_a_major(phase: str, markers: str, most: int) -> None:
    """One for each base, at most two from phase 3, one from phase 5."""
    game = builder(phase, markers, {"D8": "5#0", "I5": "4#2", "J6": "5#1"})
    for base in markers.split()[:most]:
        order = next(o for o in game.menu() if o.split()[:1] == ["lay"] and o.split()[2] in NEAR[base])
        game.do(f"SFTG: {order}")
    assert not [o for o in game.menu() if o.startswith("lay")]


def test_a_minor_builds_once() -> None:
    game = situation(firm("SFTC", {"Ann": 2}, "F4", markers="M3", cash=100), tiles={"M3": "202#3"}).turn("SFTC")
    game.do(f"SFTC: {next(o for o in game.menu() if o.startswith('lay'))}")
    assert not [o for o in game.menu() if o.startswith("lay")]


@pytest.mark.rule("6.5")
def test_each_build_needs_another_base_and_another_hex() -> None:
    game = builder(markers="H4/0 D8", tiles={})
    game.do("SFTG: lay 7 I3 4")
    assert game.refusals("SFTG: lay 58 I5 2") == {"lay.same_base"}
    both = builder(markers="H4/0 J6")  # they are joined: either base will do for either build
    both.do("SFTG: lay 7 I3 4")
    assert "lay.same_base" not in both.refusals("SFTG: lay 8 K5 3")


@pytest.mark.clarification("1.8")
@pytest.mark.rule("6.7")
def test_a_token_in_a_pass_is_no_base() -> None:
    pass_too = {"K7": "614#0"}
    game = builder(markers="P12 K7", tiles=pass_too)
    assert not [o for o in game.accepted() if o.startswith("lay") and o.split()[2] in ("M7", "I5", "J6", "L8", "L6")]
    assert "lay.unconnected" in game.refusals("SFTG: lay 57 J6 2")


@pytest.mark.clarification("1.9")
@pytest.mark.rule("6.8")
def test_no_way_leads_through_a_city_that_others_fill() -> None:
    others = (firm("SFTN", {"Bob": 5}, "F4", markers="J6"),)
    blocked = builder(markers="H4/0", others=others)
    assert not [o for o in blocked.accepted() if o.split()[:1] == ["lay"] and o.split()[2] == "K7"]
    own = builder(markers="H4/0 J6")
    assert [o for o in own.menu() if o.split()[:1] == ["lay"] and o.split()[2] == "K7"]


LIVORNO = [
    ("6", 1, set()),  # from Pisa into the port
    ("6", 3, set()),  # from Pisa to the south-east
    ("57", 3, {"lay.edge"}),  # out of the grid to the south
    ("5", 2, {"lay.edge"}),  # out of the grid to the north-west
]


@pytest.mark.clarification("1.10")
@pytest.mark.rule("6.10")
@pytest.mark.parametrize(("tile", "rotation", "found"), LIVORNO)
def test_track_leaves_the_grid_only_into_a_port(tile: str, rotation: int, found: set[str]) -> None:
    game = builder(markers="Q11", tiles={})
    assert game.refusals(f"SFTG: lay {tile} S11 {rotation}") == found


@pytest.mark.clarification("1.10")
@pytest.mark.rule("6.10")
@pytest.mark.parametrize(("order", "found"), [("lay 8 T12 0", set()), ("lay 9 T12 2", {"lay.edge"})])
def test_track_enters_an_area_where_a_triangle_points_to_it_alone(order: str, found: set[str]) -> None:
    """Two hexes of Roma are next to T12: V12 to the south, with a triangle, and U13 to the south-east, without."""
    game = builder(markers="Q11", tiles={"S11": "6#3"})
    assert game.refusals(f"SFTG: {order}") == found


@pytest.mark.clarification("2.18")
@pytest.mark.clarification("3.2")
@pytest.mark.rule("6.19")
def test_no_track_of_pisa_ends_at_its_north_side() -> None:
    """Of the turns of the green tiles only one keeps the printed track and leaves the barrier alone."""
    game = builder(markers="Q11", tiles={})
    assert lays(game, "Q11") == ["lay 12 Q11 4", "lay 619 Q11 2"]
    assert {r for r in range(6) if "lay.edge" in game.refusals(f"SFTG: lay 15 Q11 {r}")} == set(range(6))
    assert game.failures("SFTG: lay 12 Q11 3")["lay.edge"]["edges"] == ("N",)


def lays(game: Italian, *hexes: str) -> list[str]:
    """Legal lays in these hexes."""
    return [o for o in game.accepted() if o.split()[:1] == ["lay"] and o.split()[2] in hexes]


OUT_AND_BACK = {"G5": "9#1", "F6": "55#0", "E7": "5#1"}
"""Torino - Vercelli and Novara in Piedmont - Busto Arsizio in Lombardy - D6, in Piedmont again."""


@pytest.mark.clarification("2.15")
@pytest.mark.rule("6.12")
@pytest.mark.parametrize(("phase", "legal"), [("2", False), ("3", True)])
def test_in_phase_2_no_way_crosses_an_active_border_even_twice(phase: str, legal: bool) -> None:
    into_lombardy = builder(phase, "H4/1", {h: OUT_AND_BACK[h] for h in ("G5", "F6")})
    assert bool(lays(into_lombardy, "E7")) is legal
    and_back = builder(phase, "H4/1", OUT_AND_BACK)
    assert bool(lays(and_back, "D6")) is legal
    assert ("lay.unconnected" in and_back.refusals("SFTG: lay 8 D6 3")) is not legal


@pytest.mark.clarification("2.15")
@pytest.mark.rule("6.12")
@pytest.mark.parametrize("edition", ["clarified", "v2", "v1"])
def test_track_may_end_at_a_border_but_is_not_built_on_from_there_in_phase_2(edition: str) -> None:
    """A border bars ways, not tiles: H6 is in Piedmont, G7 and I7 beyond its sides to the north-east and south-east
    are not. The lay is the first of the turn, or the second from another base."""
    north = {"J6": "57#0"}
    to_the_border = ["lay 7 H6 5", "lay 8 H6 4"]
    game = builder("2", "H4/0 J6", north, edition=edition)
    assert set(to_the_border) < set(lays(game, "H6"))
    game.do(f"SFTG: {lays(game, 'I3')[0]}")
    assert set(to_the_border) < set(lays(game, "H6"))
    for order, beyond in zip(to_the_border, ("I7", "G7"), strict=True):
        after = builder("2", "H4/0 J6", {**north, "H6": order.split()[1] + "#" + order.split()[3]}, edition=edition)
        assert not lays(after, beyond)
        later = builder("3", "H4/0 J6", {**north, "H6": order.split()[1] + "#" + order.split()[3]}, edition=edition)
        assert lays(later, beyond)


@pytest.mark.clarification("2.16")
@pytest.mark.rule("6.17")
def test_yellow_venezia_lies_one_way() -> None:
    game = builder(markers="F16", tiles={})
    assert [o for o in game.accepted() if o.split()[2:3] == ["F16"]] == ["lay 601 F16 0"]
    assert game.refusals("SFTG: lay 601 F16 1") & {"lay.rotation", "lay.edge"}


@pytest.mark.clarification("2.17")
@pytest.mark.rule("6.18")
def test_green_genova_lies_either_way_with_or_without_the_port() -> None:
    game = builder(markers="M7", tiles={})
    rotations = {o for o in game.accepted() if o.split()[2:3] == ["M7"]}
    assert rotations == {"lay 608 M7 0", "lay 608 M7 2"}


@pytest.mark.clarification("3.2")
@pytest.mark.clarification("3.2", site=True)
@pytest.mark.rule("6.9")
@pytest.mark.parametrize(("edition", "legal"), [("clarified", True), ("v2", False)])
def test_a_large_city_that_is_reached_may_be_upgraded_without_new_track_that_is(edition: str, legal: bool) -> None:
    """Venezia, whose value does not change from yellow to green. Its city is full: nobody else gets through."""
    others = (firm("SFTN", {"Bob": 5}, "F4", markers="F16"),)
    game = builder("4", "G15", {"F16": "601#0", "G15": "621#1"}, others=others, edition=edition)
    assert bool([o for o in game.accepted() if o.split()[2:3] == ["F16"]]) is legal


@pytest.mark.clarification("5.9")
@pytest.mark.rule("6.16")
def test_yellow_tiles_of_one_small_city_are_upgraded_and_those_of_two_are_not() -> None:
    one = builder(markers="H4/0")
    assert {o.split()[1] for o in one.menu() if o.split()[2:3] == ["I5"]} <= {"87", "88", "144", "204"}
    assert [o for o in one.menu() if o.split()[2:3] == ["I5"]]
    two = builder(markers="H4/1", tiles={"G5": "9#1", "F6": "55#0"})
    assert not [o for o in two.menu() if o.split()[2:3] == ["F6"]]
