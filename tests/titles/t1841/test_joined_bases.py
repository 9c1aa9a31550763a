"""The bases that a build is joined to, and a base of its own for each build of a turn."""

from __future__ import annotations

import pytest

import engine
from engine.acts.lay_track import LayRules
from engine.board.ways import Base
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.titles.t1841.track.bases import all_apart, joined_bases
from tests.kit.games.positions import position, start

MV = CompanyId("M-V")
# A line from Voronezh north: two plain hexes, a city, and a town beyond it; Kharkov with a marker of its own apart.
LINE = {"I13": "57#0", "I11": "9#0", "I9": "9#0", "I7": "57#0", "I5": "4#0", "G15": "201#0"}


@pytest.mark.rule("1841:6.5")
def test_a_lay_is_joined_to_the_bases_whose_ways_lead_to_it() -> None:
    title = engine.load_title("1861")
    state = position(start(title), title, LINE, {"I13": [["M-V"]], "I7": [["M-V"]], "G15": [["M-V"]]}, "3")
    rules = LayRules()

    def joined(order: Lay) -> set[str]:
        return {hex for hex, _ in joined_bases(title, state, MV, order, rules.new_track)}

    assert joined(Lay(MV, TileId("24"), HexId("I9"), 0)) == {"I13"}, "from I7 the new track is not reached"
    assert joined(Lay(MV, TileId("9"), HexId("I15"), 0)) == {"I13", "I7"}
    assert joined(Lay(MV, TileId("207"), HexId("G15"), 0)) == {"G15"}


A, B, C = ((HexId(hex), 0) for hex in "ABC")


@pytest.mark.parametrize(
    ("choices", "possible"),
    [
        ([], True),
        ([{A}], True),
        ([set()], False),
        ([{A}, {A}], False),
        ([{A}, {A, B}], True),
        ([{A, B}, {A}], True),  # the first has to give way
        ([{A, B}, {A, C}, {A}], True),
        ([{A, B}, {A, B}, {A, B}], False),
        ([{A, B, C}, {A}, {A, B}], True),
    ],
)
@pytest.mark.rule("1841:6.5")
def test_each_lay_gets_a_base_of_its_own_where_that_is_possible(choices: list[set[Base]], possible: bool) -> None:
    assert all_apart([frozenset(one) for one in choices]) is possible
