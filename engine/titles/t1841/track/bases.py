"""The bases of a company that a build is joined to, and whether each build of a turn can have a base of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.acts.track_connection import check_joined
from engine.board.network import bases, reach
from engine.board.ways import Base
from engine.core.ids import CompanyId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title


def joined_bases(
    title: Title, state: State, company: CompanyId, order: Lay, new_track: frozenset[str]
) -> frozenset[Base]:
    """The bases of the company that have a route to the build. The tile and the hex must exist."""  # rule 6.5
    hex, ways = title.map.hexes[order.hex], title.policies.ways(title, state, company, "lay")
    here = (hex, order.tile, order.rotation % 6, new_track)
    return frozenset(
        base
        for base in bases(state.board, company, ways)
        if not any(check_joined(title, state, company, *here, reach(state.board, company, replace(ways, base=base))))
    )


def all_apart(choices: Sequence[frozenset[Base]]) -> bool:
    """True if every build can have a base of its own. ``choices`` gives, for each build, the bases that it is joined
    to."""  # rule 6.5
    taken: dict[Base, int] = {}

    def give(build: int, tried: set[Base]) -> bool:
        for base in sorted(choices[build] - tried):
            tried.add(base)
            if base not in taken or give(taken[base], tried):
                taken[base] = build
                return True
        return False

    return all(give(build, set()) for build in range(len(choices)))
