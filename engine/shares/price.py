"""Moves of share prices."""

from __future__ import annotations

from engine.core.events import PriceSet
from engine.core.ids import CompanyId
from engine.core.title import Play
from engine.holders.charters import charter_of


def move_price(play: Play, company: CompanyId, direction: str, steps: int, reason: str) -> None:
    """Move the price marker. A marker that stays in its space keeps its place in the stack."""
    title, state = play.title, play.state
    old = title.cell(state, company)
    new = title.chart.move(charter_of(title, state, company).kind, old, direction, steps)  # type: ignore[arg-type]
    if new != old:
        play.emit(PriceSet(company, new, title.chart.price(new), reason, title.chart.price(old)))
