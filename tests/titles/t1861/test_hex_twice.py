"""Ways that pass two separate spaces of one hex in 1861: no run has them; on 18xx.games track and markers may."""

from __future__ import annotations

import pytest

from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import Played, company, situation

EDITIONS = ("v2.0", "first", "2020")
ROUND_MOSCOW = {"I13": "6#0", "H12": "8#3", "H10": "4#0", "H8": "637#0", "G9": "7#3", "G7": "7#5"}
"""From Voronezh I13 into Moscow from the south, out to the south-west, in again from the north-west."""


def builder(edition: str, hex_twice: str = "") -> Played:
    mvr = company("MVR", {"Bob": 2}, at="r6c4", cash=500, trains="8", markers="I13")
    options = {"hex_twice": hex_twice} if hex_twice else {}
    return operating_turn(situation(mvr, edition=edition, phase="5", tiles=ROUND_MOSCOW, options=options), "MVR")


@pytest.mark.rule("7.5", "8.1")
@pytest.mark.parametrize(("edition", "refused"), [("v2.0", True), ("first", True), ("2020", False)])
def test_track_beyond_the_second_space_of_a_hex(edition: str, refused: bool) -> None:
    game = builder(edition)
    assert bool(game.refusals("MVR: lay 9 H6 0")) == refused
    assert ("lay 9 H6 0" in game.accepted()) == (not refused)


@pytest.mark.rule("8.2", "8.1")
@pytest.mark.parametrize(
    ("edition", "refused"), [("v2.0", {"token.no_route"}), ("first", {"token.no_route"}), ("2020", set())]
)
def test_a_marker_in_the_second_space_of_a_hex(edition: str, refused: set[str]) -> None:
    game = builder(edition)
    assert game.refusals("MVR: token H8/SW") == set()
    assert game.refusals("MVR: token H8/NW") == refused


@pytest.mark.rule("7.5", "8.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_may_agree_on_it(edition: str) -> None:
    assert not builder(edition, "yes").refusals("MVR: lay 9 H6 0")
    assert builder(edition, "no").refusals("MVR: lay 9 H6 0")


@pytest.mark.rule("8.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_run_has_two_spaces_of_a_hex(edition: str) -> None:
    game = builder(edition)
    game.do("MVR: run best")
    assert game.state.companies["MVR"].last_run == 80, "50 of Moscow once, 20 of Voronezh, 10 of Tula"  # type: ignore[index]
