"""The companies that still have their turn in the operating round; companies that come into play in it may change
that."""

from __future__ import annotations

from typing import Final

from engine.core.events import Marked
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1841.policies import operating_order
from engine.titles.t1841.rulings import rulings_of

WAITING: Final = "waiting"
"""Mark: companies that have not had their turn in the operating round."""
ORDER: Final = "order of turns"
"""Mark: the same companies in the order of their turns, if a ruling keeps that order while prices move."""


def turns_to_come(title: Title, state: State) -> tuple[CompanyId, ...]:
    """The companies that are still to have their turn, next first."""  # rule 6.1
    waiting: frozenset[CompanyId] = state.marks.get(WAITING) or frozenset()
    order: tuple[CompanyId, ...] | None = state.marks.get(ORDER)
    return tuple(c for c in (operating_order(title, state) if order is None else order) if c in waiting)


def look_at_order(play: Play) -> None:
    """Under a ruling, record the present running order for the turns to come, when shares have been sold or a round
    begins. Under the rules nothing need be recorded, because the order is determined before every turn."""  # rule 6.1
    if rulings_of(play.title).turn_order == "sales" and play.state.marks.get(WAITING) is not None:
        play.emit(Marked(ORDER, operating_order(play.title, play.state)))


def replace_in_round(play: Play, old: CompanyId, *new: CompanyId) -> None:
    """Replace ``old``, which has left play, by ``new``. They operate in this round only if ``old`` has not had its
    turn. No other company that comes into play in the round operates in it."""  # rule 6.1, 9.15, clarification 2.26
    waiting: frozenset[CompanyId] = play.state.marks.get(WAITING, frozenset())
    order: tuple[CompanyId, ...] | None = play.state.marks.get(ORDER)
    if old not in waiting:
        return
    play.emit(Marked(WAITING, (waiting - {old}).union(new)))
    if order is not None and old in order:
        at = order.index(old)
        play.emit(Marked(ORDER, (*order[:at], *new, *order[at + 1 :])))


def operate_still(play: Play, *companies: CompanyId) -> None:
    """Let companies that have come into play operate in this round."""  # clarification 4.3
    waiting: frozenset[CompanyId] = play.state.marks.get(WAITING, frozenset())
    play.emit(Marked(WAITING, waiting.union(companies)))
    look_at_order(play)


def operates_still(state: State, company: CompanyId) -> bool:
    """True if the company is still to have its turn in the round."""
    return company in state.marks.get(WAITING, frozenset())
