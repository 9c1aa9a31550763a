"""The referee's second opinion on 1867: games of chance for all numbers of players, both charts and its readings, poor
banks, many express trains, and the records of the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core import events as ev
from engine.core.ids import CompanyId, HexId, TileId, TrainName
from moderator.domain.records.import_18xx import read_import
from tests.kit.samples import sampled
from tests.proofs.test_referee import PORTION, clean, judge, proved, watched
from tests.referee import mutations
from tests.referee.books_1867 import GroundBooks
from tests.referee.games import (
    NAMES,
    OPTIONS_1867,
    TABLES_1867,
    Table,
    play,
    tables,
    with_cheap_express,
    with_poor_banks,
)
from tests.referee.mutation import Mutation
from tests.referee.mutations_1867 import OF_1867
from tests.referee.referee import Referee

SHORT = Table("1867", "18xx.games", 2, 0)
PROVED, POOR, CHEAP = 100, 30, 10
RECORDS = (
    "generated/g_2p_08",
    "21268",
    *(f"generated/{name}" for name in ("g_3p_22", "g_4p_24", "g_4p_31", "g_5p_29", "g_6p_15")),
)


@pytest.mark.prove
@pytest.mark.parametrize("first", range(0, PROVED, PORTION))
def test_a_hundred_games_of_1867_under_the_referee(first: int) -> None:
    """It has no rulebook and few records. All numbers of players, both charts, and its readings in turn."""
    proved(first, ("1867",))


@pytest.mark.parametrize("table", sampled(with_poor_banks(POOR), with_poor_banks(1)), ids=str)
def test_games_of_1867_with_a_poor_bank_under_the_referee(table: Table) -> None:
    """Most come to their end by the bank, in operating and in stock rounds, before and after the first 8-train."""
    clean(play(table))


@pytest.mark.parametrize("table", sampled(with_cheap_express(CHEAP), with_cheap_express(2)[1:]), ids=str)
def test_games_of_1867_with_many_express_trains_under_the_referee(table: Table) -> None:
    """A 5+5E is hardly ever bought at its price."""
    clean(play(table))


@pytest.mark.parametrize("name", sampled(RECORDS, RECORDS[:1]))
def test_records_of_1867_under_the_referee(records: Path, name: str) -> None:
    """The games that the site itself has played show him nothing either."""
    imported = read_import(records / f"1867/{name}.json")
    for _ in imported.play():
        pass
    title, setup = imported.game.title, imported.game.setup
    referee, game = Referee("1867", title.edition, setup.players, title.options), engine.Game.start(title, setup)
    referee.opening(game.opening, engine.told(title, game.state))
    for order in imported.game.orders:
        events = game.submit(order)
        assert not isinstance(events, engine.Refused)
        referee.follow(order, events, engine.told(title, game.state))
    assert not referee.deviations, "\n".join(map(str, referee.deviations[:10]))


def test_games_of_1867_sit_at_every_table_with_every_reading() -> None:
    found = tables(len(OPTIONS_1867) * len(TABLES_1867), titles=("1867",))
    seen = {(t.players, frozenset(t.options.items())) for t in found}
    assert {players for players, _ in seen} == set(engine.load_title("1867").table) == set(TABLES_1867)
    assert seen == {(n, frozenset(read.items())) for n in TABLES_1867 for read in OPTIONS_1867}


def _turned(event: ev.TileLaid) -> ev.TileLaid:
    return replace(event, rotation=(event.rotation + 1) % 6)


def _ten_more(event: ev.Ran) -> ev.Ran:
    return replace(event, values=(event.values[0] + 10, *event.values[1:]), revenue=event.revenue + 10)


def _elsewhere(event: Any) -> Any:
    return replace(event, hex="O7" if event.hex == "M9" else "M9")


def _bought(event: ev.TrainMoved) -> ev.TrainMoved:
    return replace(event, train=TrainName("5+5E"))


@pytest.mark.parametrize(
    ("kind", "wanted", "spoil"),
    [
        (ev.TileLaid, lambda e: True, _turned),
        (ev.Ran, lambda e: bool(e.routes), _ten_more),
        (ev.MarkerPlaced, lambda e: e.company != "CN", _elsewhere),
        (ev.TrainMoved, lambda e: (e.source, e.target) == ("Bank", ""), _bought),
        (ev.TrainMoved, lambda e: (e.source, e.target) == ("Bank", ""), None),
        (ev.Paid, lambda e: e.reason == "terrain" and e.amount >= 80, None),
        (ev.Paid, lambda e: e.reason == "seized", lambda e: replace(e, payee="CN")),
        (ev.Nationalised, lambda e: True, lambda e: replace(e, price=e.price + 5)),
    ],
)
def test_the_referee_of_1867_sees_a_spoilt_event(
    kind: type, wanted: Callable[[Any], bool], spoil: Callable[[Any], Any] | None
) -> None:
    """One event of a right game is told wrong, or with ``spoil`` None left out."""
    all_told = watched(SHORT)[1]
    at, event = next(
        (n, e) for n, (_, events, _) in enumerate(all_told) for e in events if type(e) is kind and wanted(e)
    )
    order, events, position = all_told[at]
    told = [e if e is not event else spoil(e) for e in events if e is not event or spoil is not None]  # type: ignore[misc]
    assert not judge(all_told[:at], SHORT)
    found = judge([*all_told[:at], (order, told, position), *all_told[at + 1 : at + 2]], SHORT)
    assert [d for d in found if d.rule != "books"], found


@pytest.mark.prove
@pytest.mark.parametrize("fault", OF_1867, ids=lambda fault: fault.name)
def test_the_referee_sees_faults_in_the_rules_of_1867(fault: Mutation) -> None:
    found = mutations.verdict(fault, mutations.GAMES_FOR_RARE)
    assert found.startswith("caught"), found


# ---- his map --------------------------------------------------------------------------------------------------------


def printed(phase: str) -> GroundBooks:
    """The map before anybody has laid a tile, with CN in Toronto."""
    books = Referee("1867", "18xx.games", NAMES[:3]).bench.books
    assert isinstance(books, GroundBooks)
    books.phase = phase
    books.enter(ev.MarkerPlaced(CompanyId("CN"), HexId("F16"), 0))
    return books


def empty(books: GroundBooks) -> list[str]:
    return sorted(f"{h}/{n}" for h, cities in books.standing.items() for n in range(len(cities)) if books.empty(h, n))


def test_homes_on_an_empty_map() -> None:
    """4.11, 1.13: sixteen places in fifteen hexes, and two more from phase 3 on."""
    one_city = ("C17", "D8", "D16", "E13", "E15", "E17", "F8", "G15", "I15", "J12", "M9", "N12", "O7")
    at_first = sorted([*(f"{hex}/0" for hex in one_city), "F16/1", "L12/0", "L12/1"])
    assert empty(printed("2")) == at_first
    assert empty(printed("3")) == sorted([*at_first, "D2/0", "L12/2"])


def test_first_markers_on_an_empty_map() -> None:
    """3.13: Toronto never, Montreal while nobody stands in any of its cities."""
    books = printed("4")
    vacant = sorted(h for h, cities in books.standing.items() if not any(cities) and books.unconnected(h))
    assert vacant == sorted(
        ["C17", "D2", "D8", "D16", "E13", "E15", "E17", "F8", "G15", "I15", "J12", "L12", "M9", "N12", "O7"]
    )


def test_track_that_meets_across_a_river() -> None:
    """7.19: a tile up to the river is free; the one that meets it bridges the border for good, and joins two cities."""
    books = printed("2")
    border = frozenset({"M9", "M11"})
    books.enter(ev.TileLaid(CompanyId("CA"), HexId("M9"), TileId("57"), 0))
    assert border in books.rivers
    books.enter(ev.TileLaid(CompanyId("CA"), HexId("M11"), TileId("9"), 0))
    assert border not in books.rivers and len(books.rivers) == 4
    assert books.leads_to("M9", 0) == frozenset() and books.unconnected("M9"), "L12 has no exit to the south-east"
