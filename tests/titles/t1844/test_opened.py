"""What a run of 1844 opens beside what it counts: mountains where an 8E only ends, tunnels beside a stop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import Activated, Ran
from engine.core.ids import HexId, PrivateId
from engine.titles.t1844.names import MOUNTAINS
from tests.kit.games.situations_1844 import EDITIONS, situation, swiss
from tests.titles.t1844.test_runs import board

both = pytest.mark.parametrize("edition", EDITIONS)
TO_H7 = "8E H7-I6-K8-K10-I10-F11-D13-C14-D15-D17-D19-E18-F21"
"""Thirteen stations; with the panel 10/50/80/10 the mountain is not among the eight that count in phase 7."""


@pytest.mark.rule("1844:8.18")
@pytest.mark.parametrize(
    ("edition", "options", "opened"),
    [
        ("rulebook", {}, []),
        ("rulebook", {"opened_by": "visited"}, ["B1"]),
        ("18xx.games", {}, ["B1"]),
        ("18xx.games", {"opened_by": "counted"}, []),
    ],
)
def test_an_8e_that_ends_at_a_mountain_railway_without_counting_it(
    edition: str, options: dict[str, str], opened: list[str]
) -> None:
    bls = swiss("BLS", {"Bob": 5}, trains="8E")
    game = situation(
        bls, edition=edition, options={"runs": "any", **options}, privates={"B1": "Cat"}, phase="7"
    )  # fmt: skip
    marks = {**game.state.marks, MOUNTAINS: {PrivateId("B1"): HexId("H7")}}
    game.state = replace(game.state, board=board(), marks=marks)
    game.turn("BLS", "run").do(f"BLS: run {TO_H7}")
    assert [e.revenue for e in game.told(Ran)] and [e.private for e in game.told(Activated)] == opened


@pytest.mark.rule("1844:8.18")
@both
def test_a_stop_at_andermatt_does_not_use_the_tunnel_beside_it(edition: str) -> None:
    """The Furka-Oberalp track stops in H17; the tunnel through that hex is another one."""
    rhb = swiss("RhB", {"Ann": 5}, trains="3", markers="G26")
    game = situation(
        rhb,
        edition=edition,
        options={"runs": "any"},
        phase="3",
        furka=True,
        tiles={"H25": "58#1", "G26": "57#0"},
        privates={"T1": "Cat"},
        tunnels={"T1": "H17 X78 1"},
    ).turn("RhB", "run")
    game.do("RhB: run 3 G26-H25-H17")
    assert [e.revenue for e in game.told(Ran)] and not game.told(Activated)


@pytest.mark.rule("1844:8.12")
@pytest.mark.parametrize(
    ("edition", "options", "allowed"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"empty_mountains": "uncounted"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"empty_mountains": "never"}, False),
    ],
)
def test_an_8e_that_goes_on_to_an_empty_mountain(edition: str, options: dict[str, str], allowed: bool) -> None:
    """It may have one beside the eight that it counts, and earns what it earns without."""
    game = situation(
        swiss("BLS", {"Bob": 5}, trains="8E"), edition=edition, options={"runs": "any", **options}, phase="7"
    )  # fmt: skip
    game.state = replace(game.state, board=board(over="I12 X78#3, K14 X79#2, J9 X78#3"))
    game.turn("BLS", "run")
    empty = {"run.worthless_stop"}
    assert game.refusals(f"BLS: run {TO_H7}") == (set() if allowed else empty)
    assert game.refusals("BLS: run 8E H7-I6-K8-K10-I10-F11-D13-C14") == empty, "seven others are not enough"
    if allowed:
        without = situation(
            swiss("BLS", {"Bob": 5}, trains="8E"), edition=edition, options={"runs": "any"}, phase="7"
        )  # fmt: skip
        without.state = replace(without.state, board=board(over="I12 X78#3, K14 X79#2, J9 X78#3"))
        without.turn("BLS", "run").do(f"BLS: run {TO_H7.replace('H7-', '')}")
        game.do(f"BLS: run {TO_H7}")
        assert [e.revenue for e in game.told(Ran)] == [e.revenue for e in without.told(Ran)]
