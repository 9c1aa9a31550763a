"""What recorded states of 1844 say beyond what all do, held against our position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import engine
from engine.core.ids import IPO, POOL, CompanyId, HexId, PlayerId, TileId
from engine.core.state import State
from engine.holders.charters import all_shares
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.titles.t1844.names import (
    ACTIVE,
    FERROVIE,
    FNM,
    MOUNTAIN,
    MOUNTAINS,
    OWN_5H,
    REACHED,
    SBB,
    SBB_DUE,
    TUNNEL,
    TUNNELS,
)

Difference = tuple[str, Any, Any]

PANEL_COLORS = ("yellow", "green", "brown", "gray")
CERTIFICATES = {"director": "10P", "double": "10", "ordinary": "5"}
"""Our kinds of certificates of the SBB -> the site's."""
SPECIAL = ("X7", "OP")
"""Tiles of the site that are pieces laid over the map here."""


def rows(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """What is compared: name, ours, recorded."""
    yield from _table(game, names, recorded)
    yield from _map(game.state, recorded)
    yield from _papers(game, recorded)
    for number, theirs in recorded["players"].items():
        player = names[number]
        yield f"debt of {player}", game.state.debt(player), theirs["debt"]
        yield f"wealth of {player}", game.title.score(game.title, game.state, player), theirs["value"]
    for id in game.title.companies:
        yield from _company(game, names, recorded, id)
    yield from _sbb(game, names, recorded)


def _table(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    state = game.state
    yield "round", str(state.round), _round(recorded)
    yield "order of play", state.players, tuple(names[str(n)] for n in recorded["player_order"])
    left = {t: n for t, n in state.supply.items() if n > 0 and t in recorded["depot"]}
    yield "trains left", left, {t: n for t, n in recorded["depot"].items() if t != "8E"}  # here without limit
    yield "SBB to be formed", bool(state.marks.get(SBB_DUE)), recorded["title_state"]["ready_to_form_sbb"]


def _round(recorded: Mapping[str, Any]) -> str:
    """The site does not number the sale of the privates."""
    return "ISR 1" if recorded["round"] == "ISR" else str(recorded["round"])


def _map(state: State, recorded: Mapping[str, Any]) -> Iterator[Difference]:
    board = state.board
    laid = {h: f"{tile}#{turned}" for h, (tile, turned) in board.tiles.items()}
    special = {h: t for h, t in recorded["tiles"].items() if t.startswith(SPECIAL)}
    yield "tiles", laid, {h: t for h, t in recorded["tiles"].items() if h not in special}
    furka = {h: tile for h, pieces in board.overlays.items() for tile, _ in pieces if tile.startswith("OP")}
    yield "Furka", furka, {h: t.split("#")[0] for h, t in special.items() if t.startswith("OP")}
    tunnels = {
        h: sorted((turned, (turned + (2 if tile == "X78" else 3)) % 6))
        for h, pieces in board.overlays.items()
        for tile, turned in pieces
        if tile.startswith("X7")
    }
    yield "tunnels", tunnels, {h: sorted(edges) for h, (edges,) in recorded["title_state"]["tunnels"].items()}
    yield "panels", _panels(state), recorded["title_state"]["mountains"]


def _panels(state: State) -> dict[HexId, dict[str, int]]:
    found = {}
    for hex, pieces in state.board.overlays.items():
        for tile, _ in pieces:
            if tile.startswith("XM"):
                revenue = state.board.map.tiles[TileId(tile)].face.offboards[0].revenue
                assert not isinstance(revenue, int)
                found[hex] = {color: revenue[color] for color in PANEL_COLORS}
    return found


def _papers(game: engine.Game, recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """Mountain railways and tunnel certificates: which pay, and where those lie that do not yet."""
    title, state = game.title, game.state
    active = state.marks.get(ACTIVE, frozenset())
    placed = {**state.marks.get(MOUNTAINS, {}), **state.marks.get(TUNNELS, {})}
    for private, data in title.privates.items():
        theirs = recorded["companies"][private]
        if data.kind in (MOUNTAIN, TUNNEL):
            yield f"{private} pays", private in active, theirs["revenue"] > 0
            waiting = [h for h, found in recorded["title_state"]["assignments"].items() if private in found]
            ours = [placed[private]] if private in placed and private not in active else []
            yield f"{private} waits at", ours, waiting
        elif not (private == FERROVIE and _is_running(recorded, FNM)):
            yield f"{private} closed", private not in state.privates, theirs["closed"]


def _is_running(recorded: Mapping[str, Any], company: CompanyId) -> bool:
    """Whether the company has just declared its run, the consequences of which the site draws with the dividend."""
    return bool(recorded["type"] == "run_routes" and recorded["entity"] == company)


def _company(
    game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any], id: CompanyId
) -> Iterator[Difference]:
    title, state = game.title, game.state
    ours, theirs = state.companies[id], recorded["corporations"][id]
    sides = sorted("5H" if train == OWN_5H else train for train in ours.trains)
    yield f"trains of {id}", sides, sorted(theirs["trains"])
    places = state.board.places_of(id)
    yield f"markers of {id}", sorted(map(list, places)), sorted(theirs["tokens"])
    yield f"{id} closed", ours.status == "closed", theirs["closed"]
    if ours.status == "closed":
        return
    yield from _unsold(game, recorded, id)
    yield f"{id} launched", ours.status == "open", theirs["floated"]
    if id != SBB:  # its price at the start is no par
        yield f"par of {id}", ours.par, theirs["par"]
    if ours.status == "open" or ours.par is not None:
        left = title.policies.markers(title, state, id) - len(places)
        yield f"markers left of {id}", left, len(theirs["tokens_unplaced"])
    owner = theirs["owner"]
    yield f"director of {id}", controller_of(title, state, id), None if owner is None else names[str(owner)]
    yield f"{id} has operated", ours.operated, theirs["operated"]
    if theirs["last_run"] is not None and not _is_running(recorded, id):
        yield f"last run of {id}", ours.last_run, theirs["last_run"][2]
    destination = title.companies[id].destination
    if destination is not None or theirs["type"] == "pre-sbb":
        pending = id in recorded["title_state"]["destinations_pending"]
        yield f"destination of {id} open", id not in state.marks.get(REACHED, frozenset()), pending


def _unsold(game: engine.Game, recorded: Mapping[str, Any], id: CompanyId) -> Iterator[Difference]:
    """What nobody has bought. Three shares of FNM lie in the pool from the start; the site puts them there when it has
    a par."""
    title, state, theirs = game.title, game.state, recorded["corporations"][id]
    early = 30 if id == FNM and theirs["par"] is None else 0
    for place, key, more in ((IPO, "treasury_percent", early), (POOL, "pool_percent", -early)):
        ours = 100 * shares(title, state, place, id) // all_shares(title, state, id)
        yield f"{place} of {id}", ours + more, theirs[key]


def _sbb(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """Which certificates of the SBB lie where."""
    theirs = recorded["corporations"][SBB]["certs"]
    places = {"SBB": game.title.unsold, "market": "Pool", **names}
    held: dict[str, list[str]] = {}
    for (place, company, kind), number in game.state.holdings.items():
        if company == SBB and number:
            held.setdefault(place, []).extend([CERTIFICATES[kind]] * number)
    ours = {place: sorted(found) for place, found in held.items()}
    yield "certificates of the SBB", ours, {places[p]: sorted(found) for p, found in theirs.items() if found}
