"""What a recorded state says and our position does not: the differences, as (what, ours, recorded)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import engine
from engine.core.ids import BANK, PlayerId
from engine.holders.charters import all_shares
from engine.holders.ledger import counted, shares
from tests.kit.records import recorded_1841, recorded_1844, recorded_1861
from tests.kit.records.recorded_names import site_names, site_private

Difference = tuple[str, Any, Any]
Rows = Callable[[engine.Game, Mapping[str, PlayerId], Mapping[str, Any]], Iterator[Difference]]

OWN: Mapping[str, Rows] = {
    "1861": recorded_1861.rows,
    "1867": recorded_1861.rows,
    "1844": recorded_1844.rows,
    "1841": recorded_1841.rows,
}
"""What a title's states hold beyond what all do."""
LEFT_OUT: Mapping[str, Callable[[Mapping[str, Any]], Callable[[str], bool]]] = {"1841": recorded_1841.left_out}
"""Which rows a title does not compare with a state."""


def differences(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> list[Difference]:
    """Everything in which the position differs from the recorded state of the same moment."""
    rows = (
        *_table(game, recorded),
        *_players(game, names, recorded),
        *_companies(game, recorded),
        *OWN[game.title.name](game, names, recorded),
    )
    left_out = LEFT_OUT[game.title.name](recorded) if game.title.name in LEFT_OUT else None
    return [(what, ours, theirs) for what, ours, theirs in rows if ours != theirs and not (left_out and left_out(what))]


def _table(game: engine.Game, recorded: Mapping[str, Any]) -> Iterator[Difference]:
    state = game.state
    yield "bank", state.cash[BANK], recorded["bank"]
    yield "phase", state.phase, recorded["phase"]
    yield "trains in the pool", sorted(state.pool_trains), sorted(recorded["pool_trains"])


def _players(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    site = site_names(title)
    for number, theirs in recorded["players"].items():
        player = names[number]
        yield f"cash of {player}", state.money(player), theirs["cash"]
        owned = sorted(site_private(p) for p, owner in state.privates.items() if owner == player)
        in_play = {site_private(p) for p in state.privates}  # when they close is the title's matter
        open_ones = [p for p in theirs["companies"] if p in in_play]
        yield f"privates of {player}", owned, sorted(open_ones)
        held: dict[str, int] = {}
        for company in title.companies:
            count = shares(title, state, player, company)
            if count:
                held[site[company]] = 100 * count // all_shares(title, state, company)
        yield f"shares of {player}", held, theirs["shares"]
        yield f"certificates of {player}", counted(title, state, player), theirs["certs"]


def _companies(game: engine.Game, recorded: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    site = site_names(title)
    for id in title.companies:
        theirs = recorded["corporations"][site[id]]
        yield f"cash of {id}", state.money(id), theirs["cash"]
        marker = state.prices.get(id)
        yield f"price of {id}", None if marker is None else [*marker.cell, title.price(state, id)], theirs["price"]
        if marker is not None:
            stack = sorted((m.since, c) for c, m in state.prices.items() if m.cell == marker.cell)
            yield f"place of {id} in its stack", [c for _, c in stack].index(id), theirs["price_pos"]
        owned = sorted(p for p, owner in state.privates.items() if owner == id)
        yield f"privates of {id}", owned, sorted(theirs["companies"])
