"""Station markers of companies that become one."""

from __future__ import annotations

from engine.core.ids import CompanyId
from engine.core.title import Play


def join_markers(play: Play, old: CompanyId, survivor: CompanyId) -> None:
    """The markers of ``old``, on the map and on its charter, become those of ``survivor``."""  # rule 8.7
    raise NotImplementedError
