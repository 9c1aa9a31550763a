"""Companies that become one: what all of them have joins, and what is too much of it is given up."""

from __future__ import annotations

from engine.core.ids import CompanyId
from engine.core.title import Play


def join_goods(play: Play, others: tuple[CompanyId, ...], survivor: CompanyId) -> None:
    """The cash, trains, privates, loans and shares of the ``others`` go to the ``survivor``."""  # rule 8.2, 8.3
    raise NotImplementedError


def settle_surplus(play: Play, company: CompanyId) -> None:
    """Give up trains and loans over the limits. To be called last: it may put a frame on top of the agenda."""
    # rule 8.2
    raise NotImplementedError
