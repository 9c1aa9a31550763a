"""Dividends of 1844: all or nothing, who gets what, how it is rounded, and what it does to the price."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.acts.act import Turn
from engine.acts.run_trains import Earned
from engine.core.events import Distributed, Paid
from engine.core.orders import Pay
from engine.titles.t1844.names import MOB
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)


def earned(company: Described, revenue: int, **rest: Any) -> Swiss:
    """The company has run for ``revenue`` and its director says what becomes of it."""
    game = situation(company, **rest).turn(company.id, "pay")
    frame = game.state.top
    assert isinstance(frame, Turn)
    game.state = replace(game.state, agenda=(*game.state.agenda[:-1], frame.noting(Earned(revenue))))
    return game


def dividends(game: Swiss) -> dict[str, int]:
    """Dividends by who got them."""
    return {e.payee: e.amount for e in game.told(Paid) if e.reason == "dividend" and e.amount}


# ---- all or nothing -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:9.1")
@both
def test_all_or_nothing(edition: str) -> None:
    game = earned(swiss("MOB", {"Bob": 5}), 100, edition=edition)
    assert game.asked == ["Bob MOB company.pay"] and game.accepted() == ["pay full", "pay none"]
    assert game.failures(Pay(MOB, "half")) == {"pay.half": {"company": "MOB"}}


@pytest.mark.rule("1844:9.1")
@both
@pytest.mark.parametrize("stage", ["track", "token", "run"])
def test_what_was_not_run_is_not_paid(edition: str, stage: str) -> None:
    game = situation(swiss("MOB", {"Bob": 5}), edition=edition).turn("MOB", stage)
    for kind in ("full", "none"):
        assert game.failures(f"MOB: pay {kind}") == {"pay.nothing_run": {"company": "MOB"}}


@pytest.mark.rule("1844:9.1", "1844:9.5")
@both
def test_what_is_kept_goes_to_the_treasury_and_the_price_falls(edition: str) -> None:
    game = earned(swiss("MOB", {"Bob": 5}, cash=7), 100, edition=edition)
    game.do("MOB: pay none")
    assert game.money("MOB") == 107 and dividends(game) == {} and game.price("MOB") == "70 r4c4"
    (told,) = game.told(Distributed)
    assert (told.kind, told.revenue) == ("none", 100)


@pytest.mark.rule("1844:9.2", "1844:9.5")
@both
def test_what_is_paid_goes_to_the_shares_and_the_price_rises(edition: str) -> None:
    game = earned(swiss("MOB", {"Bob": 6, "Cat": 4}, cash=7), 100, edition=edition)
    bank = game.money("Bank")
    game.do("MOB: pay full")
    assert dividends(game) == {"Bob": 60, "Cat": 40} and game.price("MOB") == "90 r4c6"
    assert game.money("MOB") == 7 and game.money("Bank") == bank - 100


@pytest.mark.rule("1844:9.5", "1844:3.2", "1844:3.4")
@both
@pytest.mark.parametrize(
    ("name", "at", "pay", "after"),
    [
        ("MOB", "r4c5", "full", "90 r4c6"),
        ("MOB", "r4c1", "none", "45 r5c1"),  # at the left end it goes down
        ("MOB", "r6c10", "full", "130 r5c10"),  # at the right end up
        ("MOB", "r2c12", "full", "210 r2c13"),
        ("VZ", "r2c12", "full", "200 r1c12"),  # a regional company does not cross the red line
        ("VZ", "r1c12", "full", "200 r1c12"),
        ("VZ", "r4c5", "full", "90 r4c6"),
        ("MOB", "r1c18", "full", "350 r1c18"),
    ],
)
def test_where_the_marker_goes(edition: str, name: str, at: str, pay: str, after: str) -> None:
    game = earned(swiss(name, {"Bob": {"MOB": 5, "VZ": 3}[name]}, at=at), 10, edition=edition)
    game.do(f"{name}: pay {pay}")
    assert game.price(name) == after


# ---- parts ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:9.2", "1844:9.4")
@both
@pytest.mark.parametrize(
    ("company", "revenue", "parts"),
    [
        # S-4: a company of four shares, and the SBB
        (swiss("NOB", {"Ann": 3, "Bob": 1}), 30, {"Ann": 23, "Bob": 8}),
        (swiss("NOB", {"Ann": 3}, pool=1), 30, {"Ann": 23, "NOB": 7}),
        (swiss("SBB", {"Ann": (3, 3), "Bob": (1, 4), "Cat": (1, 3)}), 370, {"Ann": 167, "Bob": 111, "Cat": 93}),
        # rounded once on all that a player has
        (swiss("NOB", {"Ann": 2, "Bob": 1, "Cat": 1}), 10, {"Ann": 5, "Bob": 3, "Cat": 3}),
        (swiss("MOB", {"Ann": 3, "Bob": 2}), 10, {"Ann": 3, "Bob": 2}),
        (swiss("VZ", {"Ann": 3, "Bob": 2}), 40, {"Ann": 24, "Bob": 16}),
    ],
)
def test_a_players_part_is_rounded_up_once(
    edition: str, company: Described, revenue: int, parts: dict[str, int]
) -> None:
    game = earned(company, revenue, edition=edition, phase="5" if company.id == "SBB" else "3")
    game.do(f"{company.id}: pay full")
    assert dividends(game) == parts


@pytest.mark.rule("1844:9.2")
@both
def test_s_4_from_the_run_itself(edition: str) -> None:
    """Zürich 20 and a town: 30, of which the bank pays 31."""
    nob = swiss("NOB", {"Ann": 3, "Bob": 1}, trains="2")
    game = situation(nob, edition=edition, phase="2", tiles={"D19": "57#1", "D17": "4#1"})
    game.turn("NOB", "run")
    bank = game.money("Bank")
    game.do("NOB: run best; pay full")
    assert dividends(game) == {"Ann": 23, "Bob": 8} and game.money("Bank") == bank - 31


@pytest.mark.rule("1844:9.3")
@both
def test_unsold_shares_earn_nothing(edition: str) -> None:
    game = earned(swiss("MOB", {"Bob": 5}), 100, edition=edition)
    game.do("MOB: pay full")
    assert dividends(game) == {"Bob": 50} and game.money("MOB") == 0


@pytest.mark.rule("1844:9.4")
@both
@pytest.mark.parametrize(
    ("company", "revenue", "part"),
    [
        (swiss("MOB", {"Bob": 3}, pool=3), 30, 9),
        (swiss("NOB", {"Ann": 2}, pool=2), 30, 15),
        (swiss("NOB", {"Ann": 2, "Bob": 1}, pool=1), 50, 12),
        (swiss("SBB", {"Ann": (3, 2)}, pool=(2, 8)), 130, 78),
        (swiss("SBB", {"Ann": (3, 5)}, pool=(2, 5)), 70, 31),
    ],
)
def test_shares_in_the_pool_pay_the_company_rounded_down(
    edition: str, company: Described, revenue: int, part: int
) -> None:
    game = earned(company, revenue, edition=edition, phase="5" if company.id == "SBB" else "3")
    game.do(f"{company.id}: pay full")
    assert game.money(company.id) == part
