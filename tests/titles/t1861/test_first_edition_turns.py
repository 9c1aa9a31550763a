"""1861 in its first edition, the operating turn: loans, track, markers, runs and prices, by its own examples."""

from __future__ import annotations

import pytest

from engine.core.events import Distributed, LoansChanged, MarkerPlaced, Paid, Ran
from engine.core.ids import HexId
from engine.families.f1867.turn.earnings import half_up
from tests.kit.games.course_1861 import (
    mergers,
    minor,
    operating_turn,
)
from tests.kit.games.situations import company, load, situation

FIRST = "first"


WAITING = minor("M-V", "Cat", trains="5")
"""A minor of somebody who will be asked afterwards."""


# ---- 6.4, 6.5.6: loans ----------------------------------------------------------------------------------------------


@pytest.mark.rule("6.6", "6.7", "6.8")
def test_a_loan_of_50_brings_45() -> None:
    game = situation(company("K-R", "Bob", at="r6c4", cash=140), supply={"2": 0}, edition=FIRST, round="OR 2.1",
                     cash={"Ann": 100})  # fmt: skip
    operating_turn(game, "K-R", "trains").do("K-R: train 3")
    assert (game.loans("K-R"), game.money("K-R")) == (2, 140 + 2 * 45 - 225)
    assert not [e for e in game.told(Paid) if e.reason == "interest"]


@pytest.mark.rule("6.9", "13.7")
@pytest.mark.parametrize(("edition", "railway", "price", "bank"), [
    ("v2.0", 0, 40, True), (FIRST, 9, 40, False), ("2020", 9, 40, False),
])  # fmt: skip
def test_who_cannot_pay_interest_leaves_its_money_to_the_state_railway(
    edition: str, railway: int, price: int, bank: bool
) -> None:
    game = situation(company("K-R", "Bob", at="r6c2", cash=9, loans=2), WAITING, edition=edition)
    operating_turn(game, "K-R").do("K-R: done")
    assert (game.money("RSR"), game.money("Bob")) == (railway, 2 * price)
    assert bool([e for e in game.told(Paid) if e.payee == "Bank" and e.reason == "seized"]) == bank


@pytest.mark.rule("6.9", "13.7", "14.14")
def test_what_it_has_repays_loans_first() -> None:
    """Twelve loans out of a merger: 60 of interest, 55 in hand."""
    described = company("MVR", {"Bob": 2}, at="r1c9", cash=55, loans=12, markers="")
    game = situation(described, WAITING, edition=FIRST, phase="3")
    operating_turn(game, "MVR").do("MVR: done")
    assert [(e.change, e.reason) for e in game.told(LoansChanged) if e.company == "MVR"] == [
        (-1, "repaid"),
        (-11, "void"),
    ]
    assert game.money("RSR") == 5


# ---- 6.5.2: track ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("7.1")
def test_a_tile_laid_this_turn_is_not_upgraded_this_turn() -> None:
    game = situation(company("K-R", "Bob", at="r6c4", cash=500, trains="3"), tiles={"G15": "621#1"}, edition=FIRST)
    operating_turn(game, "K-R").do("K-R: lay 9 H14 1")
    assert game.refusals("K-R: lay 24 H14 1") >= {"lay.same_hex"}
    assert not [line for line in game.menu() if line.startswith("lay") and " H14 " in line]
    game.do("K-R: lay 207 G15 1")
    assert game.money("K-R") == 480, "20 for the second operation"
    assert "lay.most" in game.refusals("K-R: lay 57 I13 1")


@pytest.mark.rule("7.1")
def test_only_one_of_two_operations_is_an_upgrade() -> None:
    tiles = {"G15": "621#1", "H14": "9#1"}
    game = situation(company("K-R", "Bob", at="r6c4", cash=500, trains="3"), tiles=tiles, edition=FIRST)
    operating_turn(game, "K-R").do("K-R: lay 207 G15 1")
    assert "lay.second_upgrade" in game.refusals("K-R: lay 24 H14 1")


@pytest.mark.rule("7.7")
def test_no_track_into_the_sea_off_ekaterinoslav() -> None:
    """South of F20 there is water."""
    described = company("MVR", {"Bob": 2}, at="r5c6", cash=500, trains="3", markers="F18")
    game = operating_turn(situation(described, tiles={"F18": "57#0"}, edition=FIRST), "MVR")
    assert "lay.edge" in game.refusals("MVR: lay 9 F20 0")
    assert game.refusals("MVR: lay 7 F20 2") == set(), "from the north to the north-west, along the coast"


@pytest.mark.rule("7.6", "7.8", "9.1")
def test_what_tiles_of_cities_earn_and_what_ground_costs() -> None:
    title = load("1861", FIRST)
    tiles = title.map.tiles
    assert {t.face.cities[0].revenue for t in tiles.values() if t.face.color == "yellow" and t.face.label == "Y"} == {
        30
    }
    assert {s.revenue for t in tiles.values() for s in t.face.towns} == {10}
    assert {h.face.terrain for h in title.map.hexes.values()} == {0, 20, 40, 80}


# ---- 6.5.3: markers -------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.4", "8.6")
def test_ekaterinburg_to_kazan_is_80_and_kazan_to_samara_80() -> None:
    tiles = {"P4": "9#1", "O5": "9#1", "N6": "9#1", "M7": "63#0", "N8": "8#0", "N10": "621#0"}
    described = company("E", "Bob", at="r6c7", cash=160, trains="5")
    game = mergers(described, tiles=tiles, edition=FIRST)
    game.do("E: convert to GR")
    distance = game.title.map.distance
    assert (distance(HexId("Q3"), HexId("M7")), distance(HexId("M7"), HexId("N10"))) == (4, 2)
    game.do("GR: token M7")
    assert game.money("GRR") == 80
    operating_turn(game, "GRR").do("GR: token N10")
    assert game.money("GRR") == 0
    assert [e.hex for e in game.told(MarkerPlaced) if e.company == "GRR"] == ["M7", "N10"]


# ---- 6.5.4: running -------------------------------------------------------------------------------------------------

TWO_WAYS = {
    "H8": "637#0", "I7": "8#5", "J8": "8#2", "K7": "207#5", "I9": "8#0", "I11": "9#0", "I13": "14#0", "H14": "9#1",
    "G15": "621#1",
}  # fmt: skip
"""Green Moscow: from the space of M-NN to Nizhnii Novgorod, and to Voronezh and on to Kharkov."""


@pytest.mark.rule("9.1", "9.3", "10.1", "10.2")
def test_m_nn_runs_a_2_train_for_90_and_a_3_train_for_110() -> None:
    game = situation(company("M-NN", "Bob", at="r6c4", trains="2 3"), tiles=TWO_WAYS, edition=FIRST)
    operating_turn(game, "M-NN")
    game.do("M-NN: run 2 H8-K7, 3 H8-I13-G15")
    (ran,) = game.told(Ran)
    assert (sorted(ran.values), ran.revenue) == ([90, 110], 200)
    assert (game.money("Bob"), game.money("M-NN"), game.price("M-NN")) == (100, 100, "80 r6c5")


# ---- 6.5.5: dividends and prices ------------------------------------------------------------------------------------


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(("earned", "paid"), [(10, 10), (210, 110), (230, 120), (240, 120), (250, 130)])
def test_half_a_dividend_is_rounded_to_tens(earned: int, paid: int) -> None:
    """Rounding to the nearest ten, as the text has it, gives nothing but v2.0's rounding up."""
    assert half_up(earned) == paid == (earned // 2 + 5) // 10 * 10


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("at", "after"), [("r5c6", "110 r5c7"), ("r5c7", "120 r4c7"), ("r1c7", "165 r1c7")])
def test_a_minor_goes_up_in_the_seventh_column(at: str, after: str) -> None:
    """The text has a sixth line; conversion, from 100 to 165, would be out of its reach."""
    game = situation(company("M-K", "Bob", at=at, trains="3"), edition=FIRST, tiles={"H10": "4#0"})
    operating_turn(game, "M-K").do("M-K: run best")
    assert game.price("M-K") == after


@pytest.mark.rule("10.6", "10.2")
def test_at_the_left_a_price_goes_down_and_at_the_bottom_it_stays() -> None:
    for at, after in (("r6c1", "50 r7c1"), ("r10c1", "35 r10c1")):
        game = situation(company("M-K", "Bob", at=at, trains="3"), minor("K-R", "Ann"), edition=FIRST)
        operating_turn(game, "M-K").do("M-K: done")
        assert [e.revenue for e in game.told(Distributed)] == [0]
        assert game.price("M-K") == after


# ---- 6.8: phases ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7")
def test_limits_of_trains_by_phase() -> None:
    title = load("1861", FIRST)
    limits = {str(p.name): (p.train_limits.get("public"), p.train_limits.get("minor")) for p in title.phases}
    assert limits.pop("2") == (None, 2), "public companies have four from the start, but there are none"
    assert limits == {
        "3": (4, 2), "4": (3, 1), "5": (3, 1), "6": (2, 1), "7": (2, 1), "8": (2, None),
    }  # fmt: skip
