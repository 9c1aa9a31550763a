"""The end of the stock round: sold-out companies rise, and the Priority Deal moves."""

from __future__ import annotations

from engine.core.events import PriceSet, PriorityMoved
from engine.core.ids import Cell, PlayerId
from engine.core.title import Play, Title
from engine.families.f1867.names import PUBLIC
from engine.families.f1867.rulings import rulings_of
from engine.holders.charters import charter_of
from engine.holders.succession import from_left_of, in_private_hands


def end_round(play: Play, last: PlayerId | None) -> None:
    """End the round, whose frame is on top. ``last``: the player who last bought or sold; None if nobody did."""
    title = play.title
    full = [
        c
        for c in title.policies.operating_order(title, play.state)
        if charter_of(title, play.state, c).kind == PUBLIC and in_private_hands(title, play.state, c)
    ]
    for company in full:  # rule 3.16: in operating order, so that stacks keep their order
        old = title.cell(play.state, company)
        new = _risen(title, old)
        if new != old:
            play.emit(PriceSet(company, new, title.chart.price(new), "sold_out", title.chart.price(old)))
    if last is not None:
        play.emit(PriorityMoved(from_left_of(play.state, last)[0]))
    play.pop()


def _risen(title: Title, old: Cell) -> Cell:
    """The space to which a sold-out company rises. By a ruling the top of any column counts as the top row."""
    # rule 3.16
    new = title.chart.move(PUBLIC, old, "up")
    beside: Cell = (old[0] + 1, old[1] + 1)
    if new == old and rulings_of(title).sold_out_top == "column" and beside in title.chart.prices:
        return beside
    return new
