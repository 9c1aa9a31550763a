"""The conditions of standing orders: which of them has come true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine import Failure, Game
from engine.acts.buy_train import new_trains
from engine.core import orders as o
from engine.core.checks import Fact
from engine.core.events import (
    CompanyOpened,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    MarkerReplaced,
    OverlayLaid,
    Paid,
    ParSet,
    PriceSet,
    RoundBegan,
    Sold,
    TileLaid,
)
from engine.core.ids import CompanyId
from engine.core.programs import Condition, OnlyIf
from grammar.write_programs import write_condition
from moderator.domain.fork import Move
from moderator.domain.rounds import MERGER_ROUND, OPERATING_ROUND

_LESS: Final = (o.Pass, o.Done, o.Drop, o.Decline, o.Refuse)
"""Orders that do no more than pass."""
_AUCTION: Final = (o.Open, o.Bid, o.SealedBids)
"""Orders that are acts of a player in any round."""


def come_true(game: Game, until: Iterable[Condition], player: str, moves: Sequence[Move]) -> Failure | None:
    """The reason why a standing order of ``player`` ends: the first of its conditions that is true
    now or came true in ``moves``, all moves since it was given. None if none is."""
    return next((found for one in until if (found := _true(game, one, player, moves)) is not None), None)


def unmet(game: Game, player: str, order: o.Standing) -> Failure | None:
    """The reason why the orders after an ``only if`` are not carried out now: the first of its conditions that is not
    true. None if all are."""
    assert isinstance(order.program, OnlyIf)
    wrong = (one for one in order.program.conditions if come_true(game, (one,), player, ()) is None)
    return next((Failure("standing.unmet", {"condition": write_condition(one)}) for one in wrong), None)


def is_guard(order: o.Order) -> bool:
    """True for ``only if``, which is no order by itself: it stands before orders of its turn."""
    return isinstance(order, o.Standing) and isinstance(order.program, OnlyIf)


def price_of(game: Game, company: str) -> int | None:
    """The price of a share of ``company``; None if it has none."""
    marker = game.state.prices.get(CompanyId(company))
    return None if marker is None else game.title.chart.price(marker.cell)


def director_of(game: Game, company: str) -> str | None:
    """The player who directs ``company``; None if nobody does, or if it is not in play."""
    if company not in game.state.companies or game.state.companies[CompanyId(company)].status != "open":
        return None
    return game.title.policies.director(game.title, game.state, CompanyId(company))


def has_started(game: Game, company: str) -> bool:
    """True if a par or a price of ``company`` is set, or if it is in play."""
    now = game.state.companies[CompanyId(company)]
    return now.status == "open" or now.par is not None or price_of(game, company) is not None


def _true(game: Game, one: Condition, player: str, moves: Sequence[Move]) -> Failure | None:
    price, who = price_of(game, one.name) if one.what in ("under", "over") else None, ""
    match one.what:
        case "under" | "over":
            true = price is not None and (price < one.amount if one.what == "under" else price > one.amount)
        case "started":
            true = has_started(game, one.name)
        case "direct":
            true = director_of(game, one.name) == player
        case "on_sale":
            true = one.name in new_trains(game.title, game.state)
        case _:
            who = next(_happened(game, one, player, moves), "")
            true = bool(who)
    facts: dict[str, Fact] = {"what": one.what, "name": one.name, "amount": one.amount, "price": price, "player": who}
    return Failure("standing.until", facts) if true else None


def _happened(game: Game, one: Condition, player: str, moves: Iterable[Move]) -> Iterator[str]:
    """The players who made the condition come true in ``moves``, in order. What the player does himself is counted only
    for what happens to a company or a round."""
    for move in moves:
        if one.what in ("starts", "floats", "round"):
            yield from (move.player for event in move.events if _is(one, event))
        else:
            named = one.name if one.what in ("acts", "founds", "sells") else ""
            yield from (who for who in _doers(game, one, player, move) if who != player and named in ("", who))


def _doers(game: Game, one: Condition, player: str, move: Move) -> Iterator[str]:
    """The players who did in ``move`` what the condition says of a player."""
    if one.what in ("acts", "founds"):
        if _does(one, move):
            yield move.player
        return
    for event in move.events:
        if one.what == "track" and (layer := _layer(event)) is not None:
            yield _behind(game, move, layer) if move.player == player else move.player
        elif isinstance(event, Sold) and (one.what == "sells" or (one.what == "sold" and event.company == one.name)):
            yield _behind(game, move, event.player)


def _does(one: Condition, move: Move) -> bool:
    """True if ``move`` is what the condition says of a player. Companies' turns and mergers are no acts of his."""
    order = move.order
    if one.what == "founds":
        return isinstance(order, o.Start | o.Float)
    nothing = (isinstance(order, o.Take) and not order.count) or (isinstance(order, o.SealedBids) and not order.bids)
    if nothing or isinstance(order, _LESS):
        return False
    return isinstance(order, _AUCTION) or move.round not in (OPERATING_ROUND, MERGER_ROUND)


def _behind(game: Game, move: Move, actor: str) -> str:
    """The player who stands behind what ``actor`` did in ``move``: he himself, or for a company the one who gave its
    order, else its director. A company that nobody directs stands for itself."""
    if actor in game.state.players:
        return actor
    if actor == move.order.actor or actor not in game.state.companies:
        return move.player
    return director_of(game, actor) or actor


def _layer(event: Event) -> str | None:
    """The company or private that laid a tile, or whose markers changed; None for any other event."""
    match event:
        case TileLaid() | MarkerPlaced() | MarkerRemoved() | MarkerReplaced():
            return event.company
        case OverlayLaid():
            return event.actor
    return None


def _is(one: Condition, event: Event) -> bool:
    """True if ``event`` makes a condition come true that an event decides."""
    match one.what, event:
        case "starts", ParSet() | CompanyOpened():
            return event.company == one.name
        case "starts", PriceSet(reason="start"):
            return event.company == one.name
        case "floats", CompanyOpened():
            return event.company == one.name
        case "floats", Paid(reason="capital"):
            return event.payee == one.name
        case "round", RoundBegan():
            return True
    return False
