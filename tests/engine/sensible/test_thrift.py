"""The plain player where companies get bills: 1863."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.core import decide as rules
from engine.sensible.capital import dividend
from tests.kit.games.situations_1863 import London, situation, tube


def declared(game: London) -> str:
    """The dividend that the plain player declares."""
    (ask,) = rules.asked(game.title, game.state)
    order = dividend(cast(Any, game), ask, rules.menu(game.title, game.state, ask))
    assert order is not None
    return game.write(order)


def earned(revenue: int, cash: int, loans: int = 0) -> London:
    """The Metropolitan has run and has a 3T, which lasts; the bill is 20, and 5 for each loan."""
    company = tube(
        "MET", {"Ann": 5}, 100, cash=revenue + cash, last_run=revenue, trains="3T", loans=loans, markers="C10"
    )
    return situation(company, tube("BAK", "Bob", 50, minor=True), phase="III").turn("MET", "pay", waiting="BAK")


@pytest.mark.parametrize(
    ("revenue", "cash", "loans", "paid"),
    [(90, 800, 0, 100), (200, 800, 0, 200), (140, 0, 0, 120), (90, 0, 0, 20), (40, 0, 5, 0)],
)
def test_he_keeps_what_bill_and_track_need_and_adds_what_keeps_the_price(
    revenue: int, cash: int, loans: int, paid: int
) -> None:
    """The company has half of its shares, so that of what it pays half comes back."""
    assert declared(earned(revenue, cash, loans)) == f"dividend {paid}"
