"""What recorded states of 1841 say beyond what all do, held against our position.

While companies merge, divide or are transformed, the site keeps the old and the new ones beside each other and closes
the old ones at the end; so do we, but not step by step alike. Of those moments everything is compared that does not
belong to the companies concerned; what became of them is compared when they are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import engine
from engine.core.ids import POOL, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of
from engine.holders.control import controller_of, owner_of
from engine.holders.ledger import shares
from engine.titles.t1841.names import HISTORICAL, HISTORY, LOAN, RESIGNED
from engine.titles.t1841.stock.frame import active, next_player
from engine.titles.t1841.track.borders import borders

Difference = tuple[str, Any, Any]

MARKET = "market"
OF_HOLDERS = ("shares of", "certificates of", "wealth of", "place of", "controller of")
"""Beginnings of rows that hold every company's certificates, or follow from them, or more than one price marker."""
SECEDING = ("IRSFF", "SB", "SFV", "SFL")


def rows(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """What is compared: name, ours, recorded."""
    yield from _table(game, names, recorded)
    for number, theirs in recorded["players"].items():
        yield from _player(game, names[number], theirs)
    for id in game.title.companies:
        yield from _company(game, names, recorded, id)


def left_out(recorded: Mapping[str, Any]) -> Callable[[str], bool]:
    """Which rows are not compared with this state: those of companies that are changing, or of all certificates."""
    changing = _changing(recorded)
    return lambda what: bool(changing) and (what.startswith(OF_HOLDERS) or bool(changing.intersection(what.split())))


def _changing(recorded: Mapping[str, Any]) -> frozenset[str]:
    """Companies that merge, divide or are transformed at the moment of the state, old and new."""
    told, asked, corporations = recorded["title_state"], recorded["round_state"], recorded["corporations"]
    found: set[str] = set()
    if told.get("secession_state"):
        found.update(SECEDING)
    if told.get("merger_state") or told.get("transform_state"):
        options, removals = asked.get("pending_options") or (), asked.get("pending_removals") or ()
        for option in options:
            found.update(word for word in option["title"].replace(":", "").split() if word in corporations)
            found.add(option.get("target", ""))
        for removal in removals:
            found.update((str(removal["entity"]), *removal["corporations"]))
        found.update(str(purchase["entity"]) for purchase in asked.get("buy_tokens") or ())
        # what has given away all its shares is about to leave
        found.update(id for id, c in corporations.items() if c["price"] is not None and c["treasury_percent"] == 100)
    return frozenset(found)


def _table(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    yield "round", str(state.round), "ISR 1" if recorded["round"] == "ISR" else recorded["round"]
    seats = tuple(names[str(n)] for n in recorded["player_order"])
    first = state.players.index(seats[0])  # the site turns its list so that the priority holder is first
    yield "order of play", (*state.players[first:], *state.players[:first]), seats
    if state.round.kind == "OR":
        priority = state.priority if state.priority in active(state) else next_player(state, state.priority)
        yield "priority", priority, names[str(recorded["priority"])]
    yield "trains left", {t: n for t, n in state.supply.items() if n > 0}, dict(recorded["depot"])
    yield "tiles", {h: f"{tile}#{turned}" for h, (tile, turned) in state.board.tiles.items()}, recorded["tiles"]
    drawn = {hex: frozenset(edges) for hex, edges in recorded["title_state"]["province_borders"].items()}
    ours: dict[str, set[int]] = {}
    for hex, edge in borders(title, state):
        ours.setdefault(hex, set()).add(edge)
    yield "borders", {hex: frozenset(edges) for hex, edges in ours.items()}, drawn


def _player(game: engine.Game, player: PlayerId, theirs: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    yield f"loans of {player}", state.debts.get((player, LOAN), 0), theirs["debt"]
    yield f"{player} has left", player in state.marks.get(RESIGNED, frozenset()), theirs["bankrupt"]
    yield f"wealth of {player}", title.score(title, state, player), theirs["value"]


def _company(
    game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any], id: CompanyId
) -> Iterator[Difference]:
    title, state = game.title, game.state
    ours, theirs = state.companies[id], recorded["corporations"][id]
    yield f"{id} closed", ours.status == "closed", theirs["closed"]
    yield f"trains of {id}", sorted(ours.trains), sorted(theirs["trains"])
    places = state.board.places_of(id)
    yield f"markers of {id}", sorted(map(list, places)), sorted(theirs["tokens"])
    if ours.status == "closed":
        return
    yield f"{id} runs", ours.status == "open", theirs["floated"]
    yield f"kind of {id}", charter_of(title, state, id).kind, theirs["type"]
    for place, key in ((title.unsold, "treasury_percent"), (POOL, "pool_percent")):
        yield f"{place} of {id}", _percent(title, state, place, id), theirs[key]
    held = {c: _percent(title, state, id, c) for c in title.companies if c != id and shares(title, state, id, c)}
    yield f"shares that {id} holds", held, theirs["shares"]
    if ours.status != "open":
        return
    left = title.policies.markers(title, state, id) - len(places)
    yield f"markers left of {id}", left, len(theirs["tokens_unplaced"])
    if not game.finished:  # the site ends the turn in which the game ends
        yield f"{id} has a history", id in state.marks.get(HISTORY, frozenset()), theirs["operated"]
    owner, controller = theirs["owner"], theirs["controller"]
    yield f"owner of {id}", owner_of(title, state, id), _holder(owner, names)
    yield f"controller of {id}", controller_of(title, state, id), _holder(controller, names)
    declared = recorded["type"] == "run_routes" and recorded["entity"] == id  # the site notes it with the dividend
    begun_anew = ours.last_run is None and id not in HISTORICAL  # the site forgets no run
    if theirs["last_run"] is not None and not declared and not begun_anew:
        yield f"last run of {id}", ours.last_run, theirs["last_run"][2]


def _holder(named: object, names: Mapping[str, PlayerId]) -> str | None:
    """A player or company as the site names it; the market is nobody."""
    return None if named in (None, MARKET) else names.get(str(named), CompanyId(str(named)))


def _percent(title: Title, state: State, place: str, company: CompanyId) -> int:
    return 100 * shares(title, state, place, company) // all_shares(title, state, company)
