"""The conditions of standing orders: which of them has come true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine import Failure, Game
from engine.acts.buy_train import new_trains
from engine.core import orders as o
from engine.core.checks import Fact
from engine.core.events import (
    CompanyOpened,
    Event,
    MarkerPlaced,
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
from moderator.domain.rounds import STOCK_ROUND

_LESS: tuple[type, ...] = (o.Pass, o.Done, o.Drop)
"""Orders that do no more than pass."""


def come_true(game: Game, until: Iterable[Condition], player: str, actor: str, moves: Sequence[Move]) -> Failure | None:
    """The reason why a standing order of ``actor``, given by ``player``, ends: the first of its conditions that is true
    now or came true in ``moves``, all moves since it was given. None if none is."""
    return next((found for one in until if (found := _true(game, one, player, actor, moves)) is not None), None)


def unmet(game: Game, player: str, order: o.Standing) -> Failure | None:
    """The reason why the orders after an ``only if`` are not carried out now: the first of its conditions that is not
    true. None if all are."""
    assert isinstance(order.program, OnlyIf)
    wrong = (one for one in order.program.conditions if come_true(game, (one,), player, order.actor, ()) is None)
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


def _true(game: Game, one: Condition, player: str, actor: str, moves: Sequence[Move]) -> Failure | None:
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
            who = next(_happened(one, player, actor, moves), "")
            true = bool(who)
    facts: dict[str, Fact] = {"what": one.what, "name": one.name, "amount": one.amount, "price": price, "player": who}
    return Failure("standing.until", facts) if true else None


def _happened(one: Condition, player: str, actor: str, moves: Iterable[Move]) -> Iterator[str]:
    """The players whose moves made the condition come true, in order."""
    for move in moves:
        if one.what in ("acts", "sells", "founds"):
            if move.player != player and one.name in ("", move.player) and _does(one, move):
                yield move.player
        elif any(_is(one, event, player) for event in move.events) and (
            one.what != "track" or move.order.actor != actor
        ):
            yield move.player


def _does(one: Condition, move: Move) -> bool:
    """True if ``move`` is what the condition says of a player."""
    if one.what == "acts":
        return move.round == STOCK_ROUND and not isinstance(move.order, _LESS)
    if one.what == "sells":
        return any(isinstance(event, Sold) and event.player == move.player for event in move.events)
    return isinstance(move.order, o.Start)


def _is(one: Condition, event: Event, player: str) -> bool:
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
        case "sold", Sold():
            return event.company == one.name and event.player != player
        case "track", TileLaid() | OverlayLaid() | MarkerPlaced():
            return True
        case "round", RoundBegan():
            return True
    return False
