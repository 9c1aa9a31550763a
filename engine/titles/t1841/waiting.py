"""The companies that still have their turn in the operating round: what comes into play in it may change that."""

from __future__ import annotations

from typing import Final

from engine.core.events import Marked
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Play

WAITING: Final = "waiting"
"""Mark: companies that have not had their turn in the operating round."""


def replace_in_round(play: Play, old: CompanyId, *new: CompanyId) -> None:
    """``old`` has left play, and ``new`` operate in its place: in this round only if it has not had its turn. None that
    is not named here and comes into play in the round operates in it."""  # rule 6.1, 9.15, clarification 2.26
    waiting: frozenset[CompanyId] = play.state.marks.get(WAITING, frozenset())
    if old in waiting:
        play.emit(Marked(WAITING, (waiting - {old}).union(new)))


def operate_still(play: Play, *companies: CompanyId) -> None:
    """Companies that have come into play operate in this round."""  # clarification 4.3
    waiting: frozenset[CompanyId] = play.state.marks.get(WAITING, frozenset())
    play.emit(Marked(WAITING, waiting.union(companies)))


def operates_still(state: State, company: CompanyId) -> bool:
    """True if the company is still to have its turn in the round."""
    return company in state.marks.get(WAITING, frozenset())
