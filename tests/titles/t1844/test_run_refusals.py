"""Why runs of 1844 are refused in a company's turn; what they earn: ``test_1844_runs.py``."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.situations_1844 import EDITIONS, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
rule = pytest.mark.rule

AROUND = {"I6": "15#1", "I4": "901#1", "I8": "9#1", "I10": "58#1", "D13": "57#0", "G28": "5#4"}
"""Montreux, open to Lausanne's eastern city, to the mountain H7 and to I10; Arosa, open to Innsbruck by two hexes."""


@both
@pytest.mark.parametrize(
    ("trains", "order", "check", "facts"),
    [
        pytest.param(
            "3 3", "3 I6-I10, 3 I6-H7, 3 I6-I4", "run.train_twice", {"train": "3", "owned": 2, "routes": 3},
            marks=rule("1844:8.1"),
        ),
        pytest.param("3", "3 I6", "run.too_short", {"route": ("I6",), "counted": 1}, marks=rule("1844:8.1")),
        pytest.param("3", "3 I6-D13", "run.no_track", {"route": ("I6", "D13")}, marks=rule("1844:8.1")),
        pytest.param("3", "3 I6-I8", "run.end_without_stop", {"hex": "I8"}, marks=rule("1844:8.1")),
        pytest.param("3", "3 H7-I10", "run.stop_not_named", {"route": ("H7", "I10")}, marks=rule("1844:8.8")),
        pytest.param(
            "3", "3 I10-I6-I10", "run.track_twice", {"hexes": ("I6", "I8", "I10")}, marks=rule("1844:8.4")
        ),
        pytest.param("3", "3 I10-I6-I10", "run.stop_twice", {"hex": "I10"}, marks=rule("1844:8.6")),
        pytest.param("3", "3 H7-I6-H7", "run.stop_twice", {"hex": "H7"}, marks=rule("1844:8.7")),
        pytest.param("3", "3 H29-G28-G30", "run.area_twice", {}, marks=rule("1844:8.7")),
        pytest.param(
            "3 3", "3 I6-I10, 3 I10-I6", "run.shared_track", {"hexes": ("I6", "I8", "I10")}, marks=rule("1844:8.5")
        ),
    ],
)  # fmt: skip
def test_what_no_run_may_do(edition: str, trains: str, order: str, check: str, facts: dict[str, Any]) -> None:
    mob = swiss("MOB", {"Bob": 5}, trains=trains, markers="I6 G28")
    game = situation(
        mob, edition=edition, phase="7", tiles=AROUND, privates={"B1": "Cat"}, mountains={"B1": "H7 XM1"}
    ).turn("MOB", "run")  # fmt: skip
    found = game.failures(f"MOB: run {order}")
    assert check in found, found
    assert facts.items() <= found[check].items()
