"""Rivers of 1867: a border that track crosses for the first time costs 80.

Numbers in docstrings are rows and situations of the rule sheet."""

from __future__ import annotations

import pytest

from tests.kit.games.course_1867 import company, minor, public, turn
from tests.kit.games.situations import Described, Played

OTHER = company("BO", "Ann", at="r1c10", trains="4", markers="C17")
SOUTH = {"M9": "57#0"}
"""Track from Trois-Rivières to the border with M11."""
EAST = {"M9": "57#2"}
"""Track from Trois-Rivières to the border with N10."""
ST_JEROME = {"L10": "3#5"}
"""Track from Montreal through L10 to the border with M11."""
N10 = {"N12": "57#0", "N10": "9#0"}
"""Track from Sherbrooke to the border with N8."""
O9 = {"O7": "201#0", "O9": "7#2"}
"""Track from Quebec to the border with N8."""


def layer(described: Described, tiles: dict[str, str], phase: str = "3") -> Played:
    return turn(described, OTHER, stage="track", then="BO", phase=phase, tiles=tiles)


def ca(at: str = "M9", cash: int = 500, loans: int = 0) -> Described:
    return minor("CA", "Bob", 100, cash=cash, loans=loans, trains="3", markers=at)


@pytest.mark.rule("7.19")
@pytest.mark.parametrize(
    ("at", "tiles", "order", "cost"),
    [
        ("L12/1", ST_JEROME, "9 M11 2", 80),  # L10-M11
        ("M9", SOUTH, "9 M11 0", 80),  # M9-M11
        ("M9", EAST, "9 N10 2", 80),  # M9-N10
        ("N12", N10, "9 N8 0", 80),  # N8-N10
        ("O7", O9, "9 N8 2", 80),  # N8-O9
        ("M9", SOUTH | ST_JEROME, "7 M11 2", 160),  # two at once
        ("M9", EAST | {"N8": "9#0"}, "7 N10 2", 160),
        ("O7", N10 | O9, "7 N8 5", 160),
        ("M9", {}, "57 M9 0", 0),  # track up to the river alone
        ("M9", SOUTH | {"N10": "9#2"}, "9 M11 0", 80),  # the other border has no track of M9
        ("N12", {"N12": "57#0"}, "9 N10 0", 0),  # no track on the other bank
        ("M9", EAST | {"M11": "9#0"}, "14 M9 2", 80),  # an upgrade that meets track of the other bank
        ("M9", SOUTH | {"M11": "9#0"}, "14 M9 0", 0),  # crossed before
        ("M9", SOUTH | {"M11": "9#0"}, "23 M11 3", 0),  # crossed before, and the upgrade has more of it
    ],
)
def test_who_makes_track_meet_across_a_border_pays_80_for_it(
    at: str, tiles: dict[str, str], order: str, cost: int
) -> None:
    """Row 7.4."""
    game = layer(ca(at), tiles)
    game.do(f"CA: lay {order}")
    assert game.money("CA") == 500 - cost


@pytest.mark.rule("7.19")
def test_the_border_is_gone_for_both_hexes_and_every_company() -> None:
    """Row 7.4: CA has paid; BO upgrades one bank, CA in its next turn the other, for nothing."""
    game = turn(
        ca(), company("BO", "Ann", at="r1c10", cash=100, trains="3", markers="M9"), stage="track", then="BO",
        phase="3", tiles={"M9": "14#0"},
    )  # fmt: skip
    game.do("CA: lay 9 M11 0; run none; done\nBO: lay 23 M11 3")
    assert (game.money("CA"), game.money("BO")) == (420, 100)


@pytest.mark.rule("7.19", "7.8", "7.1", "6.5")
@pytest.mark.parametrize(
    ("described", "refused", "left", "loans"),
    [
        (ca(cash=180), set(), 0, 0),
        (ca(cash=179), set(), 44, 1),
        (ca(cash=90), set(), 0, 2),
        (ca(cash=89), {"lay.money"}, 89, 0),
        (ca(cash=134, loans=1), {"lay.money"}, 134, 1),
        (public("CNR", "Bob", markers="M9", trains="3"), set(), 0, 4),
        (public("CNR", "Bob", markers="M9", trains="3", cash=40, loans=2), {"lay.money"}, 40, 2),
    ],
)
def test_a_tile_worth_160_as_the_second_of_a_turn(
    described: Described, refused: set[str], left: int, loans: int
) -> None:
    """Row 7.4: two rivers and the fee of 20, with loans if need be."""
    game = layer(described, SOUTH | ST_JEROME)
    name = described.id
    game.do(f"{name}: lay 9 M7 0")
    assert game.refusals(f"{name}: lay 7 M11 2") == refused
    assert ("lay 7 M11 2" in game.menu()) == (not refused)
    if not refused:
        game.do(f"{name}: lay 7 M11 2")
    assert (game.money(name), game.loans(name)) == (left, loans)


@pytest.mark.rule("7.19", "13.7", "13.5")
def test_the_first_turn_of_a_minor_that_crosses_the_river() -> None:
    """Situation 2."""
    game = layer(minor("CA", "Bob", 50, cash=100, markers="M9", operated=False), {}, phase="2")
    game.do("CA: lay 57 M9 0")
    assert game.money("CA") == 100
    game.do("CA: lay 9 M11 0")
    assert (game.money("CA"), game.loans("CA")) == (0, 0)
    board, face = game.state.board, game.state.board.face
    assert board.crossing_cost("M9", face("M9")) == board.crossing_cost("M11", face("M11")) == 0  # type: ignore[arg-type]
    game.do("CA: done")
    assert (game.status("CA"), game.money("Bob")) == ("closed", 80), "50, 45 without earnings, 40"
