"""Facts of 1841 in the tables of a position, in addition to those of all titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.acts.act import Turn
from engine.core.ids import CompanyId, PhaseName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.titles.t1841.auction.trade import FROM_BANK_SINCE
from engine.titles.t1841.mergers.exchange import MergerExchange
from engine.titles.t1841.money.emergency import need_of
from engine.titles.t1841.names import BAYARD, COMPANY_OF, CONNECTED, HISTORY, ROUNDS
from engine.titles.t1841.pieces import external_boxes
from engine.titles.t1841.track.borders import active, listed


def remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    """The facts of ``name``. For a company: its ``kind``, whether it has performed an operating round (``history``),
    and the ``price`` and the ``missing`` money of a train that it must buy; while old shares are exchanged for its own,
    the ``parts`` that became it, its ``share_price``, the ``old`` shares of the holder who is asked, by company, and
    ``odd``: he has a single one left. For a concession: its ``company``, None for the Bayard, whether that is
    ``started``, and ``kept``: it is listed with the game. For the game: the ``rounds`` of the set, the concessions that
    the bank ``sells`` and their ``price``, the set of ``borders`` that are active, and how many of the external
    ``areas`` are ``connected``. For the map: the active ``borders``, each hex with the sides, and ``built_over``: track
    may cross them. For what is printed: the ``passes``, and the ``ports`` with their revenue."""
    if name in title.companies:
        company = CompanyId(name)
        return {
            "kind": charter_of(title, state, company).kind,
            "history": company in state.marks.get(HISTORY, frozenset()),
            **_need(title, state, company),
            **_exchange(title, state, company),
        }
    if name in title.privates:
        wanted = None if name == BAYARD else COMPANY_OF.get(name)  # type: ignore[call-overload]
        started = wanted is not None and state.companies[wanted].status != "unstarted"
        return {"company": wanted, "started": started, "kept": True}
    if name == "map":
        return {"borders": _borders(title, state), "built_over": title.reached(state, PhaseName("3"))}
    if name == "printed":
        return _places(title)
    return _of_game(title, state) if name == "" else {}


def _need(title: Title, state: State, company: CompanyId) -> Mapping[str, int]:
    """The price of the train that a company in its turn must buy and cannot pay for, and the money that is missing; 0
    if there is no such train."""
    turns = (frame for frame in state.agenda if isinstance(frame, Turn) and frame.company == company)
    need = need_of(title, state, company) if any(turns) else None
    return {"price": 0, "missing": 0} if need is None else {"price": need.price, "missing": max(0, need.missing)}


def _exchange(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    frame = state.top if state.agenda else None
    if not isinstance(frame, MergerExchange) or frame.into != company or frame.done >= len(frame.order):
        return {}
    holder, _ = frame.order[frame.done]
    old = tuple((part, number) for part in frame.parts if (number := shares(title, state, holder, part)))
    return {"parts": frame.parts, "old": old, "odd": frame.odd, "share_price": title.price(state, company)}


def _of_game(title: Title, state: State) -> Mapping[str, Any]:
    left = tuple(private for private, owner in state.privates.items() if owner is None)
    return {
        "rounds": state.marks.get(ROUNDS, 0),
        "sells": left if state.round.kind == "SR" and state.round.set >= FROM_BANK_SINCE else (),
        "price": next((title.privates[private].face for private in left), 0),
        "borders": active(title, state),
        "connected": len(state.marks.get(CONNECTED, ())),
        "areas": len(external_boxes(title)),
    }


def _places(title: Title) -> Mapping[str, Any]:
    """The ``passes`` of the map, and the ``ports``, each with its revenue."""
    hexes = title.map.hexes.values()
    passes = tuple(hex.id for hex in hexes if any(city.kind == "pass" for city in hex.face.cities))
    ports = tuple((hex.id, town.revenue) for hex in hexes for town in hex.face.towns if town.kind == "port")
    return {"passes": passes, "ports": ports}


def _borders(title: Title, state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The borders by hex: the hex of each border that comes first on the map, with the names of its edges."""
    found: dict[str, list[int]] = {}
    for (hex, edge), _ in listed(title, active(title, state)):
        found.setdefault(hex, []).append(edge)
    return tuple((hex, tuple(title.map.edge_names[edge] for edge in edges)) for hex, edges in found.items())
