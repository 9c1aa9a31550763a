"""The companies that have performed an operating round: their shares may be sold, and they may merge."""

from __future__ import annotations

from engine.core.events import Marked
from engine.core.ids import CompanyId
from engine.core.title import Play
from engine.titles.t1841.names import HISTORY


def remember_turn(play: Play, company: CompanyId) -> None:
    """Record that the company has performed an operating round: its turn, or its price's move while it is frozen, is
    over."""
    # rule 6.3, clarification 2.1
    known: frozenset[CompanyId] = play.state.marks.get(HISTORY, frozenset())
    if company not in known:
        play.emit(Marked(HISTORY, known | {company}))
