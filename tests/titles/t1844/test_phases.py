"""Phases of 1844: what the first train of each number brings, and trains over the limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.events import PhaseBegan, TrainsFlipped, TrainsRusted
from engine.core.ids import TrainName
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

NEXT = {"1": "2", "2": "3", "3": "4", "4": "5", "5": "6", "6": "8E"}
"""Phase -> the train whose purchase ends it."""


def before(phase: str, *others: Any, trains: str = "", **rest: Any) -> Swiss:
    """BLS, Bob's, is about to buy the first train of the next phase, which is the next new train."""
    buyer = swiss("BLS", {"Bob": 5}, at="r1c12", cash=2000, trains=trains)
    sold_out = {phase if phase != "1" else "": 0}
    return situation(buyer, *others, phase=phase, supply={t: n for t, n in sold_out.items() if t}, **rest).turn(
        "BLS", "trains"
    )


# ---- what begins ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.1", "1844:12.2", "1844:12.3", "1844:12.4", "1844:12.5", "1844:12.6", "1844:12.7")
@both
@pytest.mark.parametrize("phase", list(NEXT))
@pytest.mark.parametrize("h", [False, True])
def test_the_first_train_of_each_number_begins_a_phase_whichever_side_is_bought(
    edition: str, phase: str, h: bool
) -> None:
    game = before(phase, edition=edition)
    train = NEXT[phase] if not h else NEXT[phase].rstrip("E") + "H"
    game.do(f"BLS: train {train}")
    assert [e.phase for e in game.told(PhaseBegan)] == [str(int(phase) + 1)]
    assert game.trains("BLS") == train


@pytest.mark.rule("1844:12.1")
@both
def test_the_second_of_its_number_begins_nothing(edition: str) -> None:
    game = before("3", edition=edition)
    game.do("BLS: train 4; train 4H")
    assert len(game.told(PhaseBegan)) == 1


@pytest.mark.rule("1844:12.3", "1844:12.4", "1844:12.5", "1844:12.7", "1844:6.2", "1844:5.1", "1844:10.1")
@both
def test_colours_limits_and_rounds_of_the_phases(edition: str) -> None:
    title = situation(edition=edition).title
    found = [
        (
            p.name,
            len(p.colors),
            p.rounds,
            p.train_limits["historical"],
            p.train_limits["regional"],
            p.train_limits["pre-sbb"],
        )
        for p in title.phases
    ]
    assert found == [
        ("1", 1, 1, 4, 2, 2),
        ("2", 1, 1, 4, 2, 2),
        ("3", 2, 2, 4, 2, 2),
        ("4", 2, 2, 3, 2, 2),
        ("5", 3, 3, 2, 2, 2),
        ("6", 3, 3, 2, 2, 2),
        ("7", 4, 3, 2, 2, 2),
    ]


# ---- scrapped and turned --------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.3", "1844:12.4", "1844:12.6", "1844:12.7", "1844:12.8", "1844:12.9")
@both
@pytest.mark.parametrize(
    ("phase", "trains", "after"),
    [
        ("1", "2 2H", "2 2H"),
        ("2", "2 2H", "2H 2H"),
        ("3", "2H 3", "3H"),
        ("3", "3H 3", "3H 3H"),
        ("4", "3H 4", "3H 4"),
        ("5", "3H 4", "4H"),
        ("5", "5 5H", "5 5H"),
        ("6", "4H 5", "5H"),
        ("6", "6 6H", "6 6H"),
    ],
)
def test_trains_of_companies_and_of_the_pool(edition: str, phase: str, trains: str, after: str) -> None:
    vz = swiss("VZ", {"Cat": 3}, trains=trains)
    game = before(phase, vz, edition=edition, pool_trains=trains)
    in_all = sum(len(c.trains) for c in game.state.companies.values()) + len(game.state.pool_trains)
    game.do(f"BLS: train {NEXT[phase]}")
    assert game.trains("VZ") == after and " ".join(game.state.pool_trains) == after
    gone = 2 * (len(trains.split()) - len(after.split()))
    left = sum(len(c.trains) for c in game.state.companies.values()) + len(game.state.pool_trains)
    assert left == in_all + 1 - gone


@pytest.mark.rule("1844:12.7", "1844:10.12")
@both
def test_the_sbbs_own_5h_and_eva_stay_what_they_are(edition: str) -> None:
    sbb = swiss("SBB", {"Cat": (2, 3)}, trains="SBB5H 5H 5", markers="D19")
    game = before("6", sbb, edition=edition)
    game.do("BLS: train 8H")
    assert game.trains("SBB") == "SBB5H 5H 5H"


@pytest.mark.rule("1844:12.9")
@both
def test_a_turned_train_has_the_range_and_the_price_of_its_other_side(edition: str) -> None:
    mob = swiss("MOB", {"Bob": 5}, trains="3")
    game = before("3", mob, edition=edition, pool_trains="3")
    game.do("BLS: train 4; train 3H from pool")
    assert game.money("BLS") == 2000 - 300 - 150
    assert game.title.trains["3H"].reach.hexes == 3  # type: ignore[index]
    assert game.refusals("BLS: train 3 from MOB for 10") == {"train.seller_has_none"}


@pytest.mark.rule("1844:12.1")
@both
def test_first_scrapped_then_turned(edition: str) -> None:
    """In phase 4 the 2H go; the 3 that become 3H in the same moment do not."""
    game = before("3", swiss("MOB", {"Cat": 5}, trains="2H 3 3"), edition=edition)
    game.do("BLS: train 4H")
    kinds = [type(e).__name__ for e in game.events if isinstance(e, PhaseBegan | TrainsRusted | TrainsFlipped)]
    assert kinds == ["PhaseBegan", "TrainsRusted", "TrainsFlipped"] and game.trains("MOB") == "3H 3H"


# ---- money at the launch --------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.6", "1844:4.21")
@both
@pytest.mark.parametrize(
    ("name", "held", "phase", "capital"),
    [("RhB", 4, "5", 500), ("RhB", 4, "6", 1000), ("RhB", 4, "7", 1000), ("VZ", 2, "6", 500), ("VZ", 2, "7", 500)],
)
def test_from_phase_6_on_a_historical_company_is_launched_with_all_its_money(
    edition: str, name: str, held: int, phase: str, capital: int
) -> None:
    """Though its director's certificate was bought before."""
    idle = swiss(name, {"Ann": held}, par=100)
    game = situation(idle, edition=edition, phase=phase, cash={"Ann": 500}, round="SR 5").stock("Ann")
    game.do(f"Ann: buy {name}")
    assert game.status(name) == "open" and game.money(name) == capital


# ---- over the limit -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:12.10", "1844:12.11", "1844:12.5")
@pytest.mark.parametrize(
    ("edition", "options", "pool"),
    [
        ("rulebook", {}, ("4", "4", "3H")),
        ("rulebook", {"discards": "removed"}, ()),
        ("18xx.games", {}, ()),
        ("18xx.games", {"discards": "pool"}, ("4", "4", "3H")),
    ],
)
def test_each_director_gives_up_what_is_too_much_and_none_waits_for_another(
    edition: str, options: dict[str, str], pool: tuple[str, ...]
) -> None:
    mob = swiss("MOB", {"Cat": 5}, at="r5c5", trains="3H 4 4")
    rhb = swiss("RhB", {"Ann": 5}, at="r1c8", trains="3H 3H 4")
    game = before("4", mob, rhb, edition=edition, options=options, trains="4 4")
    game.do("BLS: train 5")
    assert game.asked == ["Bob BLS discard", "Ann RhB discard", "Cat MOB discard"]
    assert game.accepted("BLS") == ["discard 4", "discard 5"]
    assert game.accepted("RhB") == game.accepted("MOB") == ["discard 3H", "discard 4"]
    facts = {"train": "5", "has": ("3H", "3H", "4")}
    assert game.failures("RhB: discard 5") == {"discard.not_owned": facts}
    game.do("BLS: discard 4")
    game.do("MOB: discard 4")
    assert game.asked == ["Ann RhB discard"]
    game.do("RhB: discard 3H")
    assert game.state.pool_trains == pool and game.asked == ["Bob BLS company.turn"]
    assert [game.trains(c) for c in ("BLS", "RhB", "MOB")] == ["4 5", "3H 4", "3H 4"]


@pytest.mark.rule("1844:12.10")
@both
def test_who_has_no_choice_is_not_asked(edition: str) -> None:
    game = before("3", swiss("MOB", {"Cat": 5}, trains="3 3 3 3"), edition=edition)
    game.do("BLS: train 4")
    assert game.trains("MOB") == "3H 3H 3H" and game.asked == ["Bob BLS company.turn"]
    assert game.state.pool_trains == (("3H",) if edition == "rulebook" else ())


@pytest.mark.rule("1844:12.10", "1844:10.5", "1844:12.8")
def test_trains_given_up_can_be_bought_and_are_scrapped_later() -> None:
    mob = swiss("MOB", {"Bob": 5}, trains="3H 4 4", cash=500)
    vz = swiss("VZ", {"Cat": 3}, cash=2000)
    game = before("4", mob, vz)
    game.do("BLS: train 5")
    game.do("MOB: discard 3H")
    game.turn("VZ", "trains")
    assert "train 3H from pool" in game.accepted()
    game.state = replace(game.state, supply={**game.state.supply, TrainName("5"): 0})
    game.do("VZ: train 6H")
    assert game.state.phase == "6" and game.state.pool_trains == ()
