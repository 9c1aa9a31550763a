"""The merger of two majors."""

from __future__ import annotations

from engine.core.ids import CompanyId
from engine.core.title import Play
from engine.titles.t1863.mergers.halves import settle_halves
from engine.titles.t1863.mergers.minors import begin_as_major, join_all
from engine.titles.t1863.mergers.shares import halved


def merge_majors(play: Play, parts: tuple[CompanyId, ...], survivor: CompanyId) -> None:
    """Carry out a checked merger of two majors: halve shares and shorts, then let the president buy, settle the halves,
    and let every player buy or sell. Call this last."""  # rule 8.3
    new = halved(play.title, play.state, parts, survivor)
    begin_as_major(play, parts, survivor, new)
    settle_halves(play, survivor, new, merged=True)
    join_all(play, parts, survivor)
