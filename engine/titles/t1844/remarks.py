"""Facts in the tables of a position that are specific to 1844."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.ids import CompanyId, PrivateId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.titles.t1844.names import (
    ACTIVE,
    BOEDELI,
    EXTRA_TILE,
    FIRST_EXPORT_PHASE,
    FIRST_TUNNEL,
    GB,
    GOTTHARD,
    MOUNTAIN,
    MOUNTAINS,
    PAID_AT_ONCE,
    REACHED,
    ROUNDS,
    SBB_DUE,
    TUNNEL,
    TUNNELS,
)
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, PANELS, panel_on
from engine.titles.t1844.policies import bound_for, capital


def remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    """Facts about a company, about a private or paper, or about the game if ``name`` is empty.

    Company: ``kind``, ``destination`` (None for none), ``tunnel`` (its destination is a tunnel), ``done``, ``at_once``
    (done because all capital came with the launch) and ``bonus`` (None before a par). Mountain railway: ``hex`` (None
    while unused), ``active`` and the ``values`` of its panel. Tunnel certificate: ``hex``, ``active`` and ``kept`` (for
    the owner of a private). Owned Bödelibahn: ``used``. Game: ``free`` mountains, ``panels`` left (name, number,
    values), ``exports`` (trains are exported), ``sbb_due`` and ``rounds`` of the set.
    """
    if name in title.companies:
        return _of_company(title, state, CompanyId(name))
    if name in title.privates:
        return _of_private(title, state, PrivateId(name))
    return _of_game(title, state) if name == "" else {}


def _of_company(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    kind = charter_of(title, state, company).kind
    destination = GOTTHARD if company == GB else title.companies[company].destination
    pending, par = bound_for(title, state, company), state.companies[company].par
    return {
        "kind": kind,
        "destination": destination,
        "tunnel": company == GB,
        "done": pending is None or company in state.marks.get(REACHED, frozenset()),
        "at_once": company in state.marks.get(PAID_AT_ONCE, frozenset()),
        "bonus": capital(title, state, company) if par is not None else None,
    }


def _of_private(title: Title, state: State, private: PrivateId) -> Mapping[str, Any]:
    kind = title.privates[private].kind
    active = private in state.marks.get(ACTIVE, frozenset())
    if kind == TUNNEL:
        return {"hex": state.marks.get(TUNNELS, {}).get(private), "active": active, "kept": private == FIRST_TUNNEL}
    if kind == MOUNTAIN:
        hex = state.marks.get(MOUNTAINS, {}).get(private)
        panel = None if hex is None else panel_on(state.board, hex)
        values = () if panel is None else _values(title, panel)
        return {"hex": hex, "active": active, "values": values}
    if private == BOEDELI and state.privates.get(private) is not None:
        return {"used": bool(state.marks.get(EXTRA_TILE))}
    return {}


def _of_game(title: Title, state: State) -> Mapping[str, Any]:
    left = ((panel, number - state.board.in_play(panel)) for panel, number in PANELS.items())
    return {
        "free": tuple(hex for hex in MOUNTAIN_HEXES if panel_on(state.board, hex) is None),
        "panels": tuple((str(panel), number, _values(title, panel)) for panel, number in left if number),
        "exports": title.reached(state, FIRST_EXPORT_PHASE),
        "sbb_due": bool(state.marks.get(SBB_DUE)),
        "rounds": state.marks.get(ROUNDS, 0),
    }


def _values(title: Title, panel: Any) -> tuple[int, ...]:
    """Values of a panel, from the first phases to the last."""
    stop = title.map.tiles[panel].face.offboards[0]
    return (stop.revenue,) if isinstance(stop.revenue, int) else tuple(stop.revenue.values())
