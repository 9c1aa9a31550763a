"""Operating rounds of 1844: how many, incomes, who operates when, the steps of a turn, exports, and P6."""

from __future__ import annotations

import pytest

from engine.core.events import Exported, MarkerPlaced, Paid, PhaseBegan, PrivateClosed, Ran, RoundBegan, TurnBegan
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

LINE = {"I6": "57#1"}
"""Montreux, open to Lausanne's eastern city: 20 and 20."""


RICH = {"Ann": 500}
"""So that the next stock round has a question."""


def operated(game: Swiss) -> list[str]:
    """Companies in the order in which they had their turns."""
    return [e.company for e in game.told(TurnBegan)]


def incomes(game: Swiss) -> list[tuple[str, str, int]]:
    """Income paid at the start of a round: for what, to whom, how much."""
    return [(e.about, e.payee, e.amount) for e in game.told(Paid) if e.reason == "income"]


# ---- rounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:5.1")
@both
@pytest.mark.parametrize(("phase", "rounds"), [("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("7", 3)])
def test_how_many_operating_rounds_a_set_has(edition: str, phase: str, rounds: int) -> None:
    mob = swiss("MOB", {"Bob": 5}, markers="I6")
    game = situation(mob, edition=edition, phase=phase, round="SR 3", cash=RICH).after_round().quietly("SR 4")
    began = [str(e.round) for e in game.told(RoundBegan)]
    assert began == [*(f"OR 3.{n}" for n in range(1, rounds + 1)), "SR 4"]


@pytest.mark.rule("1844:5.1")
@both
def test_a_phase_that_begins_in_a_set_does_not_lengthen_it(edition: str) -> None:
    mob = swiss("MOB", {"Bob": 5}, cash=500, markers="I6")
    game = situation(mob, edition=edition, phase="2", supply={"2": 0}, tiles=LINE).turn("MOB", "trains")
    game.do("MOB: train 3; done")
    assert (game.state.phase, str(game.state.round)) == ("3", "SR 3")


@pytest.mark.rule("1844:5.2", "1844:5.3")
@both
def test_incomes_at_the_start_of_an_operating_round(edition: str) -> None:
    game = situation(
        swiss("MOB", {"Bob": 5}, trains="3"),
        edition=edition,
        round="SR 2",
        privates={
            "P1": "Ann",
            "P2": "MOB",
            "P5": "Cat",
            "P7": "Cat",
            "B1": "Bob",
            "B2": "Bob",
            "T1": "Ann",
            "T2": "Cat",
        },
        mountains={"B1": "H7 XM1", "B2": "L13 XM2"},
        tunnels={"T1": "J9 X79 0", "T2": "H19 X79 2"},
        active="B1 T2",
    ).after_round()
    assert game.asked == ["Bob MOB company.turn"]
    paid = [(p, to, n) for p, to, n in incomes(game) if n]
    assert sorted(paid) == [
        ("B1", "Bob", 40),
        ("P1", "Ann", 5),
        ("P2", "MOB", 10),
        ("P5", "Cat", 25),
        ("T2", "Cat", 10),
    ]
    assert [game.money(p) for p in ("Ann", "Bob", "Cat", "MOB")] == [5, 40, 35, 10]


# ---- who operates when ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:5.4")
@both
def test_by_price_then_further_right_then_higher_in_the_stack(edition: str) -> None:
    game = situation(
        swiss("AB", {"Ann": 5}, at="r6c8"),  # 90
        swiss("MOB", {"Ann": 5}, at="r3c5", since=9),  # 90, to the left, beneath BLS
        swiss("BLS", {"Ann": 5}, at="r3c5", since=3),
        swiss("FNM", {"Ann": 5}, at="r4c12"),  # 170
        swiss("RhB", {"Ann": 4}, at="r1c12"),  # 200, but not launched
        edition=edition,
    )
    assert game.order() == ["FNM", "AB", "BLS", "MOB"]
    game.operating("AB", "MOB", "BLS", "FNM").quietly("OR 2.2")
    assert operated(game)[:4] == ["FNM", "AB", "BLS", "MOB"]


@pytest.mark.rule("1844:5.5")
@both
def test_an_emergency_sale_changes_who_comes_next(edition: str) -> None:
    game = situation(
        swiss("MOB", {"Bob": 5}, at="r3c6", markers="I6"),
        swiss("FNM", {"Cat": 5, "Bob": 3}, at="r2c5"),  # 100 before, 90 after, then to the left of BLS
        swiss("BLS", {"Cat": 5}, at="r4c6"),
        edition=edition,
        tiles=LINE,
        cash={"Bob": 10},
    ).operating("MOB", "FNM", "BLS")
    assert game.order() == ["MOB", "FNM", "BLS"]
    game.do("MOB: sell 1 FNM; train 3H; done")
    assert game.price("FNM") == "90 r3c5"
    assert operated(game) == ["MOB", "BLS"]


# ---- a turn ---------------------------------------------------------------------------------------------------------


def on_turn(edition: str, stage: str, trains: str = "3", **rest: object) -> Swiss:
    mob = swiss("MOB", {"Bob": 5}, cash=500, trains=trains, markers="I6", par=100)
    return situation(mob, edition=edition, tiles=LINE, **rest).turn("MOB", stage)  # type: ignore[arg-type]


@pytest.mark.rule("1844:5.6")
@both
@pytest.mark.parametrize(
    ("stage", "order", "facts"),
    [
        ("token", "lay 8 H5 1", {"step": "track", "now": "token"}),
        ("pay", "lay 8 H5 1", {"step": "track", "now": "pay"}),
        ("pay", "tunnel J9 NW-SE", {"step": "track", "now": "pay"}),
        ("pay", "token I4/E", {"step": "token", "now": "pay"}),
        ("trains", "token I4/E", {"step": "token", "now": "trains"}),
        ("pay", "run best", {"step": "run", "now": "pay"}),
        ("trains", "run none", {"step": "run", "now": "trains"}),
        ("trains", "pay none", {"step": "pay", "now": "trains"}),
    ],
)
def test_a_step_that_is_over_does_not_come_back(edition: str, stage: str, order: str, facts: dict[str, str]) -> None:
    assert on_turn(edition, stage).failures(f"MOB: {order}")["turn.step_over"] == facts


@pytest.mark.rule("1844:5.6", "1844:8.17")
@both
def test_who_can_run_must_say_what_before_trains_are_bought_or_the_turn_ends(edition: str) -> None:
    for stage in ("track", "token", "run"):
        game = on_turn(edition, stage)
        assert game.failures("MOB: train 3") == {"turn.run_first": {"company": "MOB"}}
        assert game.failures("MOB: done") == {"turn.run_first": {"company": "MOB"}}


@pytest.mark.rule("1844:5.6")
@both
def test_earnings_are_dealt_with_before_trains_are_bought(edition: str) -> None:
    game = on_turn(edition, "run")
    game.do("MOB: run best")
    assert game.failures("MOB: train 3") == {
        "turn.pay_first": {"company": "MOB", "revenue": 40, "ways": ("full", "none")}
    }
    assert game.failures("MOB: done") == {"turn.pay_first": {"company": "MOB", "revenue": 40, "ways": ("full", "none")}}


@pytest.mark.rule("1844:9.1")
@both
def test_who_has_earned_nothing_pays_nothing(edition: str) -> None:
    game = on_turn(edition, "run", trains="")
    game.do("MOB: run none")
    assert game.failures("MOB: pay full") == {"pay.nothing_earned": {"company": "MOB"}}


@pytest.mark.rule("1844:5.6", "1844:10.17")
@both
def test_a_train_bought_now_does_not_run_in_this_turn(edition: str) -> None:
    game = on_turn(edition, "track", trains="")
    game.do("MOB: train 3")
    assert game.refusals("MOB: run best") == {"turn.step_over"}
    assert [e.revenue for e in game.told(Ran)] == [0]


@pytest.mark.rule("1844:5.7")
@both
@pytest.mark.parametrize(
    ("name", "shares", "hex", "city"),
    [
        ("MOB", 5, "I6", 0),
        ("STB", 5, "D15", 0),  # the city whose track leaves to the northwest
        ("JS", 2, "I4", 0),  # Lausanne's western city
        ("VZ", 3, "K10", 0),
        ("GB", 2, "G18", 0),
    ],
)
def test_the_home_marker_is_placed_free_at_the_start_of_the_first_turn(
    edition: str, name: str, shares: int, hex: str, city: int
) -> None:
    game = situation(swiss(name, {"Bob": shares}, cash=100, operated=False), edition=edition, round="OR 1.1", phase="1")
    assert game.markers(name) == []
    game.operating(name)
    assert [(e.company, e.hex, e.city) for e in game.told(MarkerPlaced)] == [(name, hex, city)]
    assert game.money(name) == 100


@pytest.mark.rule("1844:5.7")
@both
def test_the_home_of_a_city_that_was_upgraded_before_the_first_turn(edition: str) -> None:
    """Aarau's two cities have become one with two circles, of which the STB's stays free."""
    nob = swiss("NOB", {"Ann": 2}, markers="D19 D15")
    stb = swiss("STB", {"Bob": 5}, operated=False)
    game = situation(nob, stb, edition=edition, tiles={"D15": "14#1"}).operating("STB")
    assert game.state.board.at("D15", 0) == ("NOB", "STB")  # type: ignore[arg-type]


# ---- exports and P6 -------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:5.12", "1844:12.2")
@both
@pytest.mark.parametrize(
    ("phase", "round", "gone"), [("1", "OR 1.1", []), ("2", "OR 1.1", ["2"]), ("3", "OR 2.2", ["3"])]
)
def test_the_next_new_train_is_exported_after_each_set_from_phase_2_on(
    edition: str, phase: str, round: str, gone: list[str]
) -> None:
    game = situation(edition=edition, phase=phase, round=round, cash=RICH)
    left, bank = dict(game.state.supply), game.money("Bank")
    game.after_round()
    assert [e.train for e in game.told(Exported)] == gone
    assert {t: left[t] - n for t, n in game.state.supply.items() if n != left[t]} == dict.fromkeys(gone, 1)
    assert game.money("Bank") == bank


@pytest.mark.rule("1844:5.12")
@both
def test_no_train_is_exported_between_two_rounds_of_a_set(edition: str) -> None:
    mob = swiss("MOB", {"Bob": 5}, markers="I6")
    game = situation(mob, edition=edition, phase="3", round="OR 2.1").after_round()
    assert (game.asked, str(game.state.round)) == (["Bob MOB company.turn"], "OR 2.2")
    assert not game.told(Exported)


@pytest.mark.rule("1844:5.12", "1844:12.1")
@both
def test_an_export_begins_a_phase(edition: str) -> None:
    game = situation(
        swiss("MOB", {"Bob": 5}, trains="2"), edition=edition, phase="2", supply={"2": 0}, cash=RICH
    ).after_round()
    assert [e.phase for e in game.told(PhaseBegan)] == ["3"] and game.trains("MOB") == "2H"


@pytest.mark.rule("1844:5.13")
@both
def test_p6_closes_when_fnm_first_runs(edition: str) -> None:
    game = situation(
        swiss("FNM", {"Bob": 5}, trains="2", markers="L21"),
        edition=edition,
        phase="2",
        privates={"P6": "Bob"},
    ).turn("FNM")
    game.do("FNM: run best")
    assert [e.private for e in game.told(PrivateClosed)] == ["P6"]
    assert [e.revenue for e in game.told(Ran)] == [50]  # Como and Milano in its first value


@pytest.mark.rule("1844:5.13")
@both
def test_p6_stays_while_fnm_has_nothing_to_run_and_when_others_run(edition: str) -> None:
    game = situation(
        swiss("FNM", {"Bob": 5}, markers="L21", cash=300),
        swiss("MOB", {"Bob": 5}, trains="3", markers="I6"),
        edition=edition,
        tiles=LINE,
        privates={"P6": "Bob"},
    ).turn("FNM")
    game.do("FNM: train 3; done")
    game.turn("MOB").do("MOB: run best; pay full")
    assert game.state.privates["P6"] == "Bob" and not game.told(PrivateClosed)  # type: ignore[index]
