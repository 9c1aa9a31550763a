"""What recorded states of 1861 and 1867 say beyond what all do, held against our position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import engine
from engine.core.ids import POOL, TREASURY, PlayerId
from engine.families.f1867.stock.frame import StockRound
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.holders.succession import from_left_of
from engine.steps.auction import Auction
from tests.kit.records.recorded_names import site_names

Difference = tuple[str, Any, Any]


def rows(game: engine.Game, names: Mapping[str, PlayerId], recorded: Mapping[str, Any]) -> Iterator[Difference]:
    """What is compared: name, ours, recorded."""
    title, state = game.title, game.state
    site = site_names(title)
    in_auctions = recorded["round"] == "ISR"  # the site calls the sale of the privates a round of its own
    yield "round", str(state.round), "SR 1" if in_auctions else recorded["round"]
    if not in_auctions:
        yield "priority", priority_as_it_stands(game), names[str(recorded["priority"])]
    laid = {h: f"{tile}#{turned}" for h, (tile, turned) in state.board.tiles.items()}
    yield "tiles", laid, recorded["tiles"]
    limited = {t: n for t, n in state.supply.items() if n > 0}
    theirs = {t: n for t, n in recorded["depot"].items() if t not in recorded["depot_unlimited"]}
    yield "trains left", limited, theirs
    auction = state.agenda[-1] if state.agenda else None
    for id, company in title.companies.items():
        ours, theirs = state.companies[id], recorded["corporations"][site[id]]
        yield f"loans of {id}", ours.loans, theirs["loans"]
        gone = theirs["closed"]  # the site leaves trains with a nationalised company, which sells them no more
        yield f"trains of {id}", sorted(ours.trains), [] if gone else sorted(theirs["trains"])
        if not (isinstance(auction, Auction) and auction.item == id):  # the site places it when the auction opens
            yield f"markers of {id}", sorted(map(list, state.board.places_of(id))), sorted(theirs["tokens"])
        if company.charter.kind == "public":
            for place, key in ((TREASURY, "treasury_percent"), (POOL, "pool_percent")):
                yield f"{place} of {id}", 10 * shares(title, state, place, id), theirs[key]
        if company.charter.kind != "national":
            owner = theirs["owner"]  # nobody yet while a new company is led without the director's certificate
            yield f"director of {id}", controller_of(title, state, id), None if owner is None else names[str(owner)]


def priority_as_it_stands(game: engine.Game) -> str:
    """The site shows, in a stock round, who would have the Priority Deal if it ended now."""
    for frame in game.state.agenda:
        if isinstance(frame, StockRound) and frame.actor is not None:
            return from_left_of(game.state, frame.actor)[0]
    return game.state.priority
