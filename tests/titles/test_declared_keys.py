"""Every key that a corrected file may have is read by the game that is played with it, or marked as being for readers:
otherwise a correction would have no effect."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from unittest.mock import patch

import pytest

import engine
from engine import FaultyFacts, Title
from engine.facts import corrections
from engine.facts.board import complete
from engine.facts.box_shapes import STOPS
from engine.facts.checks import checked, declared
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, facts_of
from engine.facts.value_shapes import Place
from engine.titles.t1841 import pieces as pieces_1841
from engine.titles.t1841.track.borders import sides
from engine.titles.t1844 import pieces as pieces_1844
from engine.titles.t1863 import pieces as pieces_1863
from engine.titles.t1867 import pieces as pieces_1867
from tests.kit.facts.recorded_reads import Reads, Recorded, fits, recorded, unread
from tests.titles.test_corrections import BOXES, each_box, exported, load


def _read_1841(title: Title) -> Iterator[object]:
    for name in ("2", "4", "5"):
        yield sides(title, name)
    for function in ("zones", "major_cities", "historical_cities", "veneto_tokens", "external_boxes"):
        yield getattr(pieces_1841, function)(title)


def _read_1863(title: Title) -> Iterator[object]:
    for function in ("costs", "bonuses", "loan_rates", "loan", "lptb_markers", "mail_hexes", "prisons"):
        yield getattr(pieces_1863, function)(title)
    for players in title.table:
        for function in ("first_supply", "loans_in_row", "privates_dealt"):
            yield getattr(pieces_1863, function)(title, players)
    for kind in ("minor", "major"):
        yield pieces_1863.loan_limit(title, kind)
    yield pieces_1863.operating_cost(title, next(iter(title.trains)))
    yield pieces_1863.most_markers(title, next(iter(title.companies)))
    yield pieces_1863.tagged(title, "N")
    yield pieces_1863.inner_circle(title, "ring")
    yield pieces_1863.bank_of(title, next(iter(title.map.hexes)))


LATER: Mapping[str, Callable[[Title], Iterator[object]]] = {
    "1841": _read_1841,
    "1844": lambda title: iter([pieces_1844.transit(title)]),
    "1861": lambda title: iter(()),
    "1863": _read_1863,
    "1867": lambda title: iter([pieces_1867.stubs(title), pieces_1867.start_markers(title, "normal")]),
}
"""Reads facts that the title reads in the course of a game."""


def corrections_of(box: str) -> Corrections:
    found: Corrections = import_module(f"engine.titles.t{BOXES[box][0]}").CORRECTIONS
    return found


@lru_cache
def keys(box: str, rivers: bool = False) -> frozenset[Place]:
    title, made = engine.load_title(BOXES[box][0], None, BOXES[box][1]), corrections_of(box)
    shipped = corrections.with_exceptions(made.facts_of(title.rulings), made.lays_of(title.rulings))
    return frozenset(declared(shipped, replace(made.form, rivers=rivers)))


@lru_cache
def reads(box: str) -> Reads:
    """Everything read of a corrected file, from loading it to the end of a game."""
    found = Reads()

    def recording(facts: Facts) -> Facts:
        return replace(facts, data=recorded(facts.data, (), found))

    def completed(facts: Facts) -> tuple[Facts, Facts]:
        full, lays = complete(facts)
        return recording(full), lays

    with (
        patch.object(corrections, "checked", lambda *given: recording(checked(*given))),
        patch.object(corrections, "complete", completed),
    ):
        title = load(box, json.dumps(json.loads(exported(box)), indent=2))
    assert all(isinstance(hex, Recorded) for hex in facts_of(title).section("hexes", list))
    for _ in LATER[title.name](title):
        pass
    return found


@each_box
def test_every_declared_key_is_read(box: str) -> None:
    assert unread(keys(box), reads(box)) == set()


def test_no_key_is_declared_for_objects_that_no_file_has() -> None:
    seen = [place for box in BOXES for place in reads(box).objects]
    nowhere = {key for box in BOXES for key in keys(box) if not any(fits(place, key[:-1]) for place in seen)}
    assert nowhere == set()


def _merged(place: Place) -> Place:
    """All lists of stops as one: the loader reads them alike."""
    return tuple("stops" if word in STOPS else word for word in place)


def test_every_key_of_the_board_that_is_read_is_declared() -> None:
    known = {_merged(key) for box in BOXES for key in keys(box, rivers=True)}
    asked = {_merged(place) for box in BOXES for place in reads(box).asked if place[0] in ("hexes", "tiles")}
    own = {place for place in asked if place[-2:-1] not in (("neighbors",), ("revenue",), ("tiles",))}
    assert {place for place in own if not any(fits(place, key) for key in known)} == set()


RIVERS = ("1867",)
"""Titles in which it costs something to cross a river."""


@pytest.mark.parametrize("box", [box for box in BOXES if box not in RIVERS])
def test_what_a_border_costs_is_refused_where_no_rule_charges_it(box: str) -> None:
    data = json.loads(exported(box))
    hex = next(h for h in data["hexes"] if len(h["neighbors"]) == 6 and "borders" not in h)
    hex["borders"] = [{"edge": 0, "type": "water", "cost": 10}]
    text = json.dumps(data, indent=1)
    with pytest.raises(FaultyFacts) as caught:
        load(box, text)
    said = [(fault.line, fault.reason) for fault in caught.value.faults]
    place = f"hexes: {hex['coord']}: borders: 0"
    lines = text.splitlines()
    assert [(lines[line - 1].strip().rstrip(","), reason) for line, reason in said] == [
        ('"cost": 10', f"{place}: cost: no rule of this title charges a cost for a border"),
        ('"type": "water"', f"{place}: type: cannot be 'water'; there are: impassable, joined"),
    ]


@pytest.mark.parametrize("key", ["paid", "no_red_hexes", "ends"])
def test_a_train_has_only_what_its_kind_of_reach_reads(key: str) -> None:
    data = json.loads(exported("1861"))
    data["trains"][0]["reach"][key] = 1
    with pytest.raises(FaultyFacts, match=f"{key}: '{key}' is not known here; there are: .*kind, max, must_count"):
        load("1861", json.dumps(data, indent=1))
