"""The bases of a company that a build is joined to, and whether each build of a turn can have a base of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.acts.joined_track import check_joined
from engine.board.network import bases, reach
from engine.board.ways import Base
from engine.core.ids import CompanyId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title


def joined_bases(
    title: Title, state: State, company: CompanyId, order: Lay, new_track: frozenset[str]
) -> frozenset[Base]:
    """The company's markers that have a route to the lay. The tile and the hex must exist. Used by rules that require
    different markers for the lays of one turn."""
    hex, ways = title.map.hexes[order.hex], title.policies.ways(title, state, company, "lay")
    here = (hex, order.tile, order.rotation % 6, new_track)
    return frozenset(
        base
        for base in bases(state.board, company, ways)
        if not any(check_joined(title, state, company, *here, reach(state.board, company, replace(ways, base=base))))
    )


def all_apart(choices: Sequence[frozenset[Base]]) -> bool:
    """True if every lay can have a marker of its own. ``choices`` gives, for each lay, the markers that
    it connects to."""
    taken: dict[Base, int] = {}

    def give(lay: int, tried: set[Base]) -> bool:
        for base in sorted(choices[lay] - tried):
            tried.add(base)
            if base not in taken or give(taken[base], tried):
                taken[base] = lay
                return True
        return False

    return all(give(lay, set()) for lay in range(len(choices)))
