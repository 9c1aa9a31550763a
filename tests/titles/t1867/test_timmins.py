"""Runs of 1867: the bonus of Timmins, ports, off-board areas, and the neutral marker on the way.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from engine.core.events import Distributed, Ran
from engine.core.ids import HexId
from tests.kit.games.course_1867 import minor, position, public, turn
from tests.kit.games.situations import Described

TO_TORONTO = {
    "F14": "9#0", "F12": "9#0", "F10": "8#0", "E9": "8#3", "E7": "9#0", "E5": "9#0", "E3": "8#0",
}  # fmt: skip
"""Track from Timmins to the north side of Toronto."""
TO_SUDBURY = {"D8": "57#0", "D6": "9#0", "D4": "9#0"}
TO_QUEBEC = {
    **dict.fromkeys(("F2", "G3", "H4", "I5", "J6", "K7", "L8"), "9#2"), "M9": "63#0", "N8": "9#1", "O7": "623#0",
    "O9": "8#1", "N10": "8#4", "N12": "63#0", "M11": "8#5", "L12": "639#0",
}  # fmt: skip
"""Track from Timmins by Trois-Rivières, Quebec and Sherbrooke to Montreal."""


def earned(described: Described, run: str = "best", phase: str = "8", **rest: object) -> int:
    """The revenue of the company's run."""
    game = turn(described, stage="run", phase=phase, **rest)  # type: ignore[arg-type]
    game.do(f"{described.id}: run {run}")
    ran = game.told(Ran)
    return sum(e.revenue for e in ran) if ran else game.told(Distributed)[0].revenue


def cnr(trains: str, markers: str) -> Described:
    return public("CNR", "Bob", trains=trains, markers=markers)


@pytest.mark.rule("9.6", "9.8", "9.9")
@pytest.mark.parametrize(
    ("toronto", "markers", "train", "revenue"),
    [
        ("120#1", "F16/1", "8", 60 + 40 + 40),
        ("120#1", "F16/1", "2+2", 120 + 80 + 80),
        ("120#1", "F16/1", "5+5E", 280),
        ("124#1", "F16/0", "8", 180),
        ("124#1", "F16/0", "2+2", 360),
        ("124#1", "F16/0", "5+5E", 360),
    ],
)
def test_timmins_with_toronto(toronto: str, markers: str, train: str, revenue: int) -> None:
    """Situation 5, rows 9.4, 9.6."""
    tiles = {**TO_TORONTO, "F16": toronto}
    assert earned(cnr(train, markers), tiles=tiles) == revenue
    assert earned(cnr(train, markers), f"{train} F16-D2", tiles=tiles) == revenue


@pytest.mark.rule("9.6", "9.9")
@pytest.mark.parametrize(("train", "revenue"), [("2+2", 40 + 80), ("8", 20 + 40)])
def test_timmins_without_one_of_the_three(train: str, revenue: int) -> None:
    """Situation 5: no bonus for Sudbury."""
    assert earned(cnr(train, "D8"), tiles=TO_SUDBURY) == revenue


@pytest.mark.rule("9.6", "9.8")
@pytest.mark.parametrize(
    ("train", "run", "revenue"),
    [
        ("5+5E", "L12-N12-O7-M9-D2", 200 + 80 + 100 + 80 + 80 + 80),  # two of the three, one bonus
        ("8", "L12-N12-O7-M9-D2", 100 + 40 + 50 + 40 + 40 + 40),
        ("8", "O7-M9-D2", 50 + 40 + 40 + 40),
        ("8", "M9-D2", 40 + 40),  # none of the three
        ("8", "L12-N12-O7-M9", 100 + 40 + 50 + 40),  # not Timmins
    ],
)
def test_one_bonus_however_many_of_the_three(train: str, run: str, revenue: int) -> None:
    """Situation 5, row 9.4: the run of a recorded game."""
    assert earned(cnr(train, "M9"), f"{train} {run}", tiles=TO_QUEBEC) == revenue


# ---- the neutral marker ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1.13", "8.1")
@pytest.mark.parametrize("phase", ["2", "3"])
def test_a_route_visits_and_passes_timmins(phase: str) -> None:
    """Rows 1.10, 9.5: the neutral marker fills the circle and blocks no route."""
    ca = minor("CA", "Bob", trains="2", cash=100, markers="D8")
    assert earned(ca, phase=phase, tiles=TO_SUDBURY) == 20 + 40
    game = turn(ca, stage="track", phase=phase, tiles=TO_SUDBURY)
    assert game.refusals("CA: lay 8 E3 0") == set(), "beyond Timmins"


@pytest.mark.rule("1.13", "12.5")
@pytest.mark.parametrize(("phase", "refused"), [("2", {"token.reserved"}), ("3", set())])
def test_the_circle_is_filled_until_phase_3(phase: str, refused: set[str]) -> None:
    """Row 1.10. A public company cannot be there in phase 2; the circle is closed to it all the same."""
    game = turn(public("CNR", "Bob", cash=400, trains="3", markers="D8"), stage="token", phase=phase, tiles=TO_SUDBURY)
    assert game.refusals("CNR: token D2") == refused


@pytest.mark.rule("12.5", "1.13")
def test_neutral_markers_are_not_among_the_eight_of_cn() -> None:
    """Row 1.10."""
    assert position().markers("CN") == ["F16"]


# ---- ports and off-board areas --------------------------------------------------------------------------------------

AREAS = {
    "A7": (20, 30, 40, 40), "F18": (30, 40, 50, 60), "M15": (30, 40, 50, 60), "O13": (20, 30, 40, 40),
    "P8": (30, 30, 40, 40), "A17": (30, 40, 50, 70), "A19": (30, 40, 50, 70), "H16": (10, 10, 10, 10),
    "E19": (10, 10, 10, 10),
}  # fmt: skip


@pytest.mark.rule("9.5", "9.12", "5.1", "5.2", "5.4", "5.6")
@pytest.mark.parametrize("hex", AREAS)
def test_what_off_board_areas_earn(hex: str) -> None:
    """Rows 9.2, 9.3: by the colour of the phase, 2 / 3-4 / 5-6 / 7-8; ports always 10."""
    for phase, step in zip("2345678", (0, 1, 1, 2, 2, 3, 3), strict=True):
        game = position(phase=phase)
        (area,) = game.state.board.face(HexId(hex)).offboards
        assert area.value(game.title.phase(game.state).colors[-1]) == AREAS[hex][step], phase


@pytest.mark.rule("9.5", "9.12")
@pytest.mark.parametrize(("phase", "revenue"), [("2", 60), ("3", 70), ("4", 70), ("5", 80), ("6", 80), ("7", 90)])
def test_a_run_to_buffalo(phase: str, revenue: int) -> None:
    """Rows 9.2, 9.3: Hamilton 30, gray values with phase 7 only; a longer train goes on to the port for 10 more."""
    for train, more in (("2", 0), ("5", 10)):
        ca = minor("CA", "Bob", trains=train, markers="E17")
        assert earned(ca, phase=phase, tiles={"E17": "201#5"}) == revenue + more


@pytest.mark.rule("9.7")
@pytest.mark.parametrize(("owner", "revenue"), [("CA", 80), ("Bob", 70)])
def test_the_bonus_of_niagara_falls_bridge(owner: str, revenue: int) -> None:
    """Rows 2.1, 2.7: minors get it too, if the company owns the private."""
    ca = minor("CA", "Bob", trains="2", markers="E17")
    assert earned(ca, phase="3", tiles={"E17": "201#5"}, privates={"NFB": owner}) == revenue


PORT = {"G15": "6#5", "I15": "6#1"}
"""Peterborough and Kingston, each with track to the port H16."""


@pytest.mark.rule("9.12", "9.1", "8.1")
def test_ports_count_and_end_a_run() -> None:
    """Row 9.3."""
    game = turn(minor("CA", "Bob", trains="4", markers="G15"), stage="run", phase="4", tiles=PORT)
    assert game.refusals("CA: run 4 G15-H16-I15") == {"run.through_offboard"}
    game.do("CA: run 4 G15-H16")
    assert [e.revenue for e in game.told(Ran)] == [20 + 10]
    assert earned(minor("CA", "Bob", trains="2", markers="E17"), phase="4", tiles={"E17": "621#0"}) == 30 + 10


@pytest.mark.rule("9.12", "9.8")
@pytest.mark.parametrize(
    ("run", "places"),
    [
        ("D2-M9-O7-N12-L12-K13-I15", (40, 40, 50, 40, 100)),
        ("D2-M9-O7-N12-L12-K13-I15-H16", (40, 40, 50, 10, 100)),
    ],
)
def test_a_visited_port_is_among_the_five(run: str, places: tuple[int, ...]) -> None:
    """Rows 9.3, 9.7: with one counted place less for the rest."""
    tiles = {**TO_QUEBEC, "K13": "4#1", "J14": "9#1", "I15": "57#1"}
    assert earned(cnr("5+5E", "M9"), f"5+5E {run}", tiles=tiles) == 2 * (sum(places) + 40)


@pytest.mark.rule("9.8")
def test_a_place_with_an_own_marker_is_among_the_five() -> None:
    """Row 9.7: the poor city with the marker is counted instead of a better one."""
    tiles = {**TO_QUEBEC, "K13": "4#1", "J14": "9#1", "I15": "57#1"}
    run = "5+5E D2-M9-O7-N12-L12-K13-I15"
    assert earned(cnr("5+5E", "I15"), run, tiles=tiles) == 2 * (100 + 50 + 40 + 40 + 20 + 40)


@pytest.mark.rule("9.4")
def test_detroit_is_one_area() -> None:
    """Row 9.2: a run begins in A17 or A19, and does not end in the other."""
    tiles = {"B18": "87#1", "C17": "63#0"}
    game = turn(minor("CA", "Bob", trains="5", markers="C17"), stage="run", phase="5", tiles=tiles)
    assert "run.area_twice" in game.refusals("CA: run 5 A17-B18-A19")
    game.do("CA: run 5 A17-B18-C17")
    assert [e.revenue for e in game.told(Ran)] == [50 + 10 + 40]
