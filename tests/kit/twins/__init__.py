"""Two Valleys, a small title of the tests' own: ten hexes, the companies L and U, one of which may own the other.

Its rules, as its code numbers them:

1. Two or three players have 300 each; the bank has 3,000.
2. A company has five shares of 20 %; the director's certificate is two of them. The bank adds two pars when it is
   started. Its home is printed.
3. Stock rounds and operating rounds take turns, six of each. A stock turn is one purchase or a pass.
4. Companies operate by price, the higher first; one that nobody controls does not.
5. Players start L, at 50, 60 or 70. Once in its turn L may start U, which nobody else may; and each of them may buy
   a share of the other.
6. Two lays, one of them an upgrade. A hill costs 20.
7. One marker; it costs 40.
8. Any legal run may be declared.
9. Earnings are paid out or kept: the price goes up or down.
10. Trains come from the bank, at their price; a company has two at most.
11. After the sixth operating round wealth decides: cash, and shares at their price.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.resources import files
from typing import Any
from unittest.mock import patch

import engine
import grammar
import templates
from engine.acts.act import Turn
from engine.core.charter import CertificateKind, Charter
from engine.core.data import CompanyData, PhaseData, TableRow, TrainData
from engine.core.ids import Cell, CompanyId, HexId, PhaseName, TrainName
from engine.core.state import State
from engine.core.title import Policies, Title
from engine.finance.chart import Chart
from engine.holders.control import controller_of
from engine.routes.reach import RunTraits, TrainReach
from engine.steps.course import Course
from engine.titles.registry import PACKAGES
from tests.kit.twins.board import load_map
from tests.kit.twins.shares import PLAYER_TURNS, StockRound
from tests.kit.twins.turn import (
    SEQUENCE,
    TURNS,
    OperatingRound,
    OperatingRoundStep,
    operating_order,
    score,
    train_bought,
)  # fmt: skip

NAME = "twins"
EDITIONS = {"one": None}
L, U = CompanyId("L"), CompanyId("U")
KIND = "valley"
_PRICES = (30, 40, 50, 60, 70, 80, 90, 100, 110, 120)
_MOST_TRAINS = 2
_CERTIFICATES = {"director": (CertificateKind(2, 40, True), 1), "ordinary": (CertificateKind(1, 20), 3)}


FORMS = """
%extend _seller: treasury
treasury: "treasury"i
"""
"""What the notation has beside the common forms."""


def register() -> None:
    """Make the title known to the engine, the notation and the words."""
    engine.add_title(NAME, __name__)
    grammar.add_title(NAME, FORMS)
    templates.add_title(NAME, files(__name__) / "words")


@contextmanager
def known() -> Iterator[None]:
    """Two Valleys is one of the titles until the end of the block; tests that list all titles do not know it."""
    with patch.dict(PACKAGES), patch.dict("grammar.parser._added"), patch.dict("templates._added"):
        register()
        yield


def _run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    trains = tuple(sorted(state.companies[company].trains))
    return RunTraits(company, trains, tuple(title.trains[t].reach for t in trains), title.phase(state).colors[-1])


def _chart() -> Chart:
    """One row: up and right raise a price, down and left lower it."""
    cells: dict[Cell, int] = {(0, i): price for i, price in enumerate(_PRICES)}
    last = len(_PRICES) - 1
    moves: Any = {
        KIND: {
            (0, i): {
                "left": (0, max(0, i - 1)),
                "right": (0, min(last, i + 1)),
                "up": (0, i),
                "down": (0, max(0, i - 1)),
            }
            for i in range(len(_PRICES))
        }
    }
    return Chart("row", cells, {cell: frozenset({"par"}) for cell in cells}, moves)


def _company(id: CompanyId, name: str, home: str, color: str) -> CompanyData:
    return CompanyData(id, name, Charter(KIND, _CERTIFICATES, ((HexId(home), 0),), 3), color)


def load(edition: str | None = None, options: dict[str, str] | None = None) -> Title:
    """Two Valleys. ``ValueError`` for another edition, or for options: it has none."""
    if edition not in (None, *EDITIONS) or options:
        raise ValueError(f"{NAME} has one edition, {', '.join(EDITIONS)}, and no options")
    return _build()


@lru_cache(maxsize=1)
def _build() -> Title:
    two, three = TrainName("2"), TrainName("3")
    return Title(
        name=NAME, edition="one", full_name="Two Valleys", currency="F", rulings=None, options={}, map=load_map(),
        chart=_chart(),
        trains={two: TrainData(two, 80, 3, TrainReach(2)), three: TrainData(three, 140, None, TrainReach(3))},
        phases=(
            PhaseData(PhaseName("2"), ("yellow",), {KIND: 2}),
            PhaseData(PhaseName("3"), ("yellow", "green"), {KIND: 2}),
        ),
        privates={},
        companies={c.id: c for c in (_company(L, "Lion", "A1", "#a33"), _company(U, "Unicorn", "B10", "#33a"))},
        table={n: TableRow(300, 10, 60) for n in (2, 3)}, bank=3_000,
        policies=Policies(
            director=controller_of, operating_order=operating_order,
            train_limit=lambda title, state, company: _MOST_TRAINS,
            marker_cost=lambda title, state, company, hex: 40,
            reserved=lambda title, state, hex, company: (),
            lay_cost=lambda title, state, hex, new: state.board.crossing_cost(hex, new)
            + (0 if hex in state.board.tiles else title.map.hexes[hex].face.terrain),
            run_traits=_run_traits, train_bought=train_bought,
        ),
        steps={
            Course: SEQUENCE, StockRound: PLAYER_TURNS, OperatingRound: OperatingRoundStep(), Turn: TURNS,
        },
        begin=SEQUENCE.begin, score=score,
        addresses={"invest.once": "5", "buy.own": "5", "start.founder": "5"},
    )  # fmt: skip
