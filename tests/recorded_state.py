"""What a recorded state says and our position does not: the differences, as (what, ours, recorded)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import engine
from engine.core.ids import BANK, POOL, TREASURY, PlayerId
from engine.finance.holdings import certificates, from_left_of, shares
from engine.steps.auction import Auction
from engine.titles.t1861.stock_round import StockRound

Difference = tuple[str, Any, Any]


def differences(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> list[Difference]:
    """Everything in which the position differs from the recorded state of the same moment."""
    rows = (*_table(game, names, recorded), *_players(game, names, recorded), *_companies(game, names, recorded))
    return [(what, ours, theirs) for what, ours, theirs in rows if ours != theirs]


def _table(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    state = game.state
    yield "bank", state.cash[BANK], recorded["bank"]
    yield "phase", state.phase, recorded["phase"]
    in_auctions = recorded["round"] == "ISR"  # the site calls the sale of the privates a round of its own
    yield "round", str(state.round), "SR 1" if in_auctions else recorded["round"]
    if not in_auctions:
        yield "priority", priority_as_it_stands(game), names[str(recorded["priority"])]
    laid = {h: f"{tile}#{turned}" for h, (tile, turned) in state.board.tiles.items()}
    yield "tiles", laid, recorded["tiles"]
    yield "trains in the pool", sorted(state.pool_trains), sorted(recorded["pool_trains"])
    limited = {t: n for t, n in state.supply.items() if n > 0}
    theirs = {t: n for t, n in recorded["depot"].items() if t not in recorded["depot_unlimited"]}
    yield "trains left", limited, theirs


def priority_as_it_stands(game: engine.Game) -> str:
    """The site shows, in a stock round, who would have the Priority Deal if it ended now."""
    for frame in game.state.agenda:
        if isinstance(frame, StockRound) and frame.actor is not None:
            return from_left_of(game.state, frame.actor)[0]
    return game.state.priority


def _players(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    site = site_names(title)
    for number, theirs in recorded["players"].items():
        player = names[number]
        yield f"cash of {player}", state.money(player), theirs["cash"]
        owned = sorted(p for p, owner in state.privates.items() if owner == player)
        yield f"privates of {player}", owned, sorted(theirs["companies"])
        held: dict[str, int] = {}
        for company in title.companies.values():
            count = shares(title, state, player, company.id)
            if count:
                held[site[company.id]] = 100 if company.kind == "minor" else 10 * count
        yield f"shares of {player}", held, theirs["shares"]
        yield f"certificates of {player}", certificates(state, player), theirs["certs"]


def _companies(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    title, state = game.title, game.state
    site = site_names(title)
    auction = state.agenda[-1] if state.agenda else None
    for id, company in title.companies.items():
        ours, theirs = state.companies[id], recorded["corporations"][site[id]]
        yield f"cash of {id}", state.money(id), theirs["cash"]
        yield f"loans of {id}", ours.loans, theirs["loans"]
        yield f"trains of {id}", sorted(ours.trains), sorted(theirs["trains"])
        marker = state.prices.get(id)
        yield f"price of {id}", None if marker is None else [*marker.cell, title.price(state, id)], theirs["price"]
        if marker is not None:
            stack = sorted((m.since, c) for c, m in state.prices.items() if m.cell == marker.cell)
            yield f"place of {id} in its stack", [c for _, c in stack].index(id), theirs["price_pos"]
        if not (isinstance(auction, Auction) and auction.item == id):  # the site places it when the auction opens
            yield f"markers of {id}", sorted(map(list, state.board.places_of(id))), sorted(theirs["tokens"])
        owned = sorted(p for p, owner in state.privates.items() if owner == id)
        yield f"privates of {id}", owned, sorted(theirs["companies"])
        if company.kind == "public":
            yield f"treasury of {id}", 10 * shares(title, state, TREASURY, id), theirs["treasury_percent"]
            yield f"pool of {id}", 10 * shares(title, state, POOL, id), theirs["pool_percent"]
        if company.kind != "national":
            owner = theirs["owner"]
            director = title.policies.director(title, state, id)
            yield f"director of {id}", director, None if owner is None else names[str(owner)]


def site_names(title: engine.Title) -> dict[str, str]:
    """Our names of companies -> the site's, which leaves out the hyphen where that is a synonym."""
    return {c.id: plain if (plain := c.id.replace("-", "")) in c.synonyms else c.id for c in title.companies.values()}
