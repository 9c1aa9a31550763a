"""Runs in records of 18xx.games that go on over small cities which earn nothing."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.events import Ran
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Run
from engine.site18xx.t1861.converter import Converter
from engine.site18xx.walk import SiteError
from engine.titles.t1861.names import STATE
from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import Played, company, situation

LINE = {"G13": "4#0", "G15": "208#0", "H14": "9#1", "I13": "14#1", "J12": "9#1", "K11": "4#1", "L10": "9#1",
        "M9": "4#1"}  # fmt: skip
"""Small Kursk G13, Kharkov G15 (40), Voronezh I13 (30), small Penza K11 and small Simbirsk M9 in a line."""
LEGS = {"13-15": ["G13", "G15"], "15-13": ["G15", "H14", "I13"], "13-11": ["I13", "J12", "K11"],
        "11-9": ["K11", "L10", "M9"]}  # fmt: skip
PAID = {"type": "dividend", "kind": "payout", "entity_type": "corporation"}
ALL = ("13-15", "15-13", "13-11", "11-9")
NAMES = ("Ann", "Bob", "Cat")


def on_the_line(trains: str = "3") -> Played:
    mvr = company("MVR", {"Bob": 2}, at="r6c4", trains=trains, markers="I13", cash=100)
    return operating_turn(situation(mvr, edition="2020", phase="5", tiles=LINE), "MVR")


def route(train: str, legs: tuple[str, ...], revenue: int | None) -> dict[str, Any]:
    recorded: dict[str, Any] = {"train": train, "connections": [LEGS[leg] for leg in legs]}
    return recorded if revenue is None else {**recorded, "revenue": revenue}


def imported(game: Played, *routes: dict[str, Any]) -> tuple[int, tuple[str, ...]]:
    """Earnings of the run that the routes become, and its ends."""
    live = engine.Game(game.title, engine.Setup(NAMES, "", "Ann"), game.state, _kept={0: game.state})
    action = {"type": "run_routes", "entity": "MVR", "entity_type": "corporation", "routes": list(routes)}
    numbers = {str(n): PlayerId(name) for n, name in enumerate(NAMES, 1)}
    (run, *_) = Converter(live, numbers, [action], over=False).step(0).orders
    assert isinstance(run, Run)
    earned = live.state.companies[CompanyId("MVR")].last_run
    assert earned is not None
    return earned, tuple(f"{r.hexes[0]}-{r.hexes[-1]}" for r in run.routes)


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(
    ("train", "legs", "revenue"),
    [
        ("3", ALL[:3], 80),  # of two small cities at the ends there is room for one
        ("3", ALL, 80),  # and of three
        ("2", ALL, 70),  # neither end earns anything, nor the small city next to it
        ("2", ALL[1:], 70),
        ("2", ALL[:2], 70),
        ("2", ALL[:3], 70),
        ("4", ALL, 90),
        ("5", ALL, 100),
        ("3", ALL[1:], 80),
        ("3", ALL[1:3], 80),
        ("4", ALL[1:], 90),
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_run_ends_where_it_earns(train: str, legs: tuple[str, ...], revenue: int, backwards: bool) -> None:
    recorded = route(f"{train}-0", legs[::-1] if backwards else legs, revenue)
    earned, ends = imported(on_the_line(train), recorded)
    assert earned == revenue
    if revenue == 70:
        assert set(ends) <= {"G15-I13", "I13-G15"}, "nothing else is left of it"


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(("train", "earns"), [("2", 70), ("3", 80), ("4", 90), ("5", 100)])
def test_without_recorded_earnings_as_little_is_cut_as_must_be(train: str, earns: int) -> None:
    assert imported(on_the_line(train), route(f"{train}-0", ALL, None))[0] == earns


@pytest.mark.rule("9.2", "9.3")
def test_each_run_is_shortened_by_itself() -> None:
    """One goes on over two small cities at its end, the other over one."""
    routes = route("2-0", ("15-13", "13-15"), 70), route("2-1", ("13-11", "11-9"), 40)
    earned, ends = imported(on_the_line("2 2"), *routes)
    assert earned == 110
    assert set(ends[0].split("-")) == {"G15", "I13"}


@pytest.mark.rule("9.2")
@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        (route("3-0", ALL[:3], 90), "the record counts 90 for 3-0 G13-G15-H14-I13-J12-K11, which earns 80"),
        (route("2-0", ALL, 60), "the record counts 60 for 2-0 G13-G15-H14-I13-J12-K11-L10-M9, which earns 70"),
    ],
)
def test_earnings_that_no_part_of_a_run_has_are_named_with_the_run(recorded: dict[str, Any], said: str) -> None:
    with pytest.raises(SiteError, match=said):
        imported(on_the_line(recorded["train"][0]), recorded)


@pytest.mark.rule("9.2")
def test_a_refusal_names_the_run_that_was_recorded() -> None:
    """Small Penza and Simbirsk alone: the company has no marker there, and shortening would not bring one."""
    with pytest.raises(SiteError, match=r"K11.*L10.*M9.* is refused: run.no_own_marker"):
        imported(on_the_line("2"), route("2-0", ("11-9",), 20))


@pytest.mark.parametrize(("legs", "said"), [(199, "run.stop_twice"), (2001, "a run of 2001 legs")])
def test_a_run_that_goes_to_and_fro_for_ever_is_refused_soon(legs: int, said: str) -> None:
    recorded = {"train": "2-0", "revenue": 20, "connections": [LEGS["11-9"]] * legs}
    with pytest.raises(SiteError, match=said):
        imported(on_the_line("2"), recorded)


def ran(company: str, *trains: str) -> dict[str, Any]:
    return {"type": "run_routes", "entity": company, "routes": [route(train, ALL[1:2], 70) for train in trains]}


@pytest.mark.rule("12.2", "12.10")
@pytest.mark.parametrize(
    ("runs", "again"),
    [
        ([ran("MVR", "3-0"), ran("NW", "4-0"), ran("RSR", "3-0")], True),
        ([ran("MVR", "3-0"), ran("RSR", "4-1", "3-0")], True),
        ([ran("MVR", "3-0"), ran("RSR", "4-1"), ran("RSR", "4-1", "3-0")], False),  # in the next round
        ([ran("MVR", "3-0"), ran("RSR", "3-1")], False),
        ([ran("MVR", "3-0"), {"type": "run_routes", "entity": "RSR", "routes": [{"train": "3-0"}]}], False),
        ([ran("MVR", "3-0"), {"type": "pass", "entity": "RSR"}], False),
    ],
)
def test_a_record_shows_that_the_state_railway_has_run_a_train_again(runs: list[dict[str, Any]], again: bool) -> None:
    assert Converter.options((), runs) == ({"state_railway_trains": "all"} if again else {})


@pytest.mark.rule("12.2", "12.10")
@pytest.mark.parametrize("again", [True, False])
def test_the_state_railway_runs_a_train_again_only_in_records_that_show_it(again: bool) -> None:
    """MVR cannot pay its interest after its run. Without a run of the railway the record goes on with the next turn."""
    mvr = company("MVR", {"Bob": 2}, at="r6c4", trains="3", markers="I13", loans=40)
    record = [{**ran("MVR", "3-0"), "entity_type": "corporation"}, {**PAID, "entity": "MVR"}]
    if again:
        record.append({**ran("RSR", "3-0"), "entity_type": "corporation"})
    options = Converter.options((), record)
    game = situation(mvr, company("K-R", "Bob", at="r4c7", trains="7"), edition="2020", phase="5", round="OR 4.1",
                     tiles=LINE, options=options)  # fmt: skip
    operating_turn(game, "MVR")
    live = engine.Game(game.title, engine.Setup(NAMES, "", "Ann"), game.state, _kept={0: game.state})
    converter = Converter(live, {str(n): PlayerId(name) for n, name in enumerate(NAMES, 1)}, record, over=False)
    for number in range(len(record)):
        converter.step(number)
    events = [event for _, _, happened in live.happened(0) for event in happened]
    earned = [event.revenue for event in events if isinstance(event, Ran) and event.company == STATE]
    assert earned == [70 if again else 0]
