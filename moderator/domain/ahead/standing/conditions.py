"""The conditions of standing orders: which of them has come true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
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
from engine.core.order_kinds import ENDS
from engine.core.programs import Condition, OnlyIf, Unless
from grammar.write_programs import write_condition
from moderator.domain.asks import turn_kinds
from moderator.domain.fork import Move
from moderator.domain.rounds import MERGER_ROUND, OPERATING_ROUND, STOCK_ROUND, latest_orders

_LESS: Final = (o.Pass, o.Done, o.Drop, o.Decline, o.Refuse)
"""Orders that do no more than pass."""
_COMPARED: Final[Mapping[str, Callable[[int, int], bool]]] = {"under": lt, "over": gt, "least": ge, "most": le}
"""How each condition on a price compares it with its amount."""
_AUCTION: Final = (o.Open, o.Bid, o.SealedBids)
"""Orders that are acts of a player in any round."""


def come_true(game: Game, until: Iterable[Condition], player: str, moves: Sequence[Move]) -> Failure | None:
    """The reason why a standing order of ``player`` ends: the first of its conditions that is true
    now or came true in ``moves``, all moves since it was given. None if none is."""
    return next((found for one in until if (found := _true(game, one, player, moves)) is not None), None)


def unmet(game: Game, player: str, order: o.Standing) -> Failure | None:
    """The reason why the orders after an ``only if`` or ``unless`` are not carried out now: the first condition of an
    ``only if`` that is not true, or of an ``unless`` that is. None if there is none."""
    if isinstance(order.program, Unless):
        return come_true(game, order.program.conditions, player, ())
    assert isinstance(order.program, OnlyIf)
    wrong = (one for one in order.program.conditions if come_true(game, (one,), player, ()) is None)
    return next((Failure("standing.unmet", {"condition": write_condition(one)}) for one in wrong), None)


def given_up(game: Game, player: str, orders: Iterable[o.Order], moves: Sequence[Move]) -> Failure | None:
    """The reason why a kept turn of ``player`` is given up: the first condition of an ``unless`` among its ``orders``
    that is true now or came true in ``moves``. None if none is."""
    programs = (order.program for order in orders if isinstance(order, o.Standing))
    until = [one for program in programs if isinstance(program, Unless) for one in program.conditions]
    return come_true(game, until, player, moves)


def is_guard(order: o.Order) -> bool:
    """True for ``only if`` and ``unless``, which are no orders by themselves: they stand before orders of a turn."""
    return isinstance(order, o.Standing) and isinstance(order.program, OnlyIf | Unless)


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
    price, who = price_of(game, one.name) if one.what in _COMPARED else None, ""
    match one.what:
        case "under" | "over" | "least" | "most":
            true = price is not None and _COMPARED[one.what](price, one.amount)
        case "started" | "unstarted":
            true = has_started(game, one.name) is (one.what == "started")
        case "passed":
            true = _has_passed(game, one.name)
        case "direct":
            true = director_of(game, one.name) == player
        case "on_sale":
            true = one.name in new_trains(game.title, game.state)
        case _:
            who = next(_happened(game, one, player, moves), "")
            true = bool(who)
    facts: dict[str, Fact] = {"what": one.what, "name": one.name, "amount": one.amount, "price": price, "player": who}
    return Failure("standing.until", facts) if true else None


def _has_passed(game: Game, player: str) -> bool:
    """True if ``player`` did no more in his last turn of the stock round under way than pass."""
    passed = False
    for order in latest_orders(game, STOCK_ROUND):
        if not isinstance(order, ENDS) and "stock" not in turn_kinds(order):
            continue
        if order.actor == player and not isinstance(order, ENDS):
            return False
        if passed and order.actor != player:
            break
        passed = passed or order.actor == player
    return passed


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
