"""The conversion of a minor into a major."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.agenda import Choice, Range
from engine.core.checks import Fact, Failure
from engine.core.events import Converted, TokensBought
from engine.core.ids import BANK, CompanyId
from engine.core.orders import Convert
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import owner_of
from engine.titles.t1863.names import PHASE_III
from engine.titles.t1863.pieces import costs
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import in_white
from engine.titles.t1863.stock.shares import become_major, is_minor
from engine.titles.t1863.stock.windows import open_windows

FEWEST: Final = 1
MOST: Final = 3
"""The number of markers that a company must buy, and may buy, when it converts."""


def check_kind(title: Title, state: State, company: CompanyId) -> Iterator[Failure]:
    """Every reason why the company cannot convert at all, whatever it pays."""  # rule 8.1, 12.61
    if not is_minor(title, state, company):
        yield Failure("convert.kind", {"company": company})
    if not in_white(title, state, company):
        yield Failure("merge.zone", {"companies": (company,)})
    if not rulings_of(title).early_conversion and not title.reached(state, PHASE_III):
        yield Failure("convert.phase", {"company": company, "phase": state.phase, "from": PHASE_III})


def markers_cost(title: Title, number: int) -> int:
    """The price of ``number`` new markers."""
    return number * costs(title).marker


def check_convert(title: Title, state: State, order: Convert) -> list[Failure]:
    """Every reason why the company may not convert as ordered."""  # rule 8.1
    company, number = order.actor, order.markers
    failures = list(check_kind(title, state, company))
    if order.into != company:
        failures.append(Failure("convert.into", {"company": company, "into": order.into}))
    if number is None or not FEWEST <= number <= MOST:
        facts: dict[str, Fact] = {"company": company, "count": number, "least": FEWEST, "most": MOST}
        failures.append(Failure("convert.markers", facts))
    elif (cost := markers_cost(title, number)) > (cash := state.money(company)):
        failures.append(Failure("convert.money", {"company": company, "cost": cost, "cash": cash}))
    return failures


def list_conversions(title: Title, state: State, company: CompanyId) -> Iterator[Choice]:
    """Every legal conversion of the company."""
    most = min(MOST, state.money(company) // costs(title).marker)
    if most >= FEWEST and not any(check_kind(title, state, company)):
        yield Range(Convert(company, company, FEWEST), "markers", FEWEST, most)


def convert(play: Play, company: CompanyId, number: int) -> None:
    """Carry out a checked conversion. The price stays; the president may buy shares, then the other players. Call this
    last."""  # rule 8.1, 8.13
    total, cost = charter_of(play.title, play.state, company).markers + number, markers_cost(play.title, number)
    play.emit(Converted(company))
    play.pay(company, BANK, cost, "token", company)
    become_major(play, company, total)
    play.emit(TokensBought(company, total, cost))
    open_windows(play, company, owner_of(play.title, play.state, company), "buy_or_short")
