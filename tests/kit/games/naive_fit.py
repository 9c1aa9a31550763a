"""The rule for what fits after an undo, formulated a second time: both games are played anew from their first order,
every answer is written out, and what counts is read from the positions themselves, not from their description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine import Game, Range, Refused, State, replay
from engine.core.description import told
from engine.core.ids import Actor
from engine.core.orders import Order, Run, RunBest
from moderator.domain.fit import Given


def fits(one: Given, now: Game) -> bool:
    """True if the order may be played again in ``now``."""
    if now.finished:
        return False
    then = replay(one.game.title, one.game.setup, list(one.game.orders))
    again = replay(now.title, now.setup, list(now.orders))
    if question(then, one.player, one.order) != question(again, one.player, one.order):
        return False
    before, after = then.state, again.state
    things, there = dict(_things(then)), dict(_things(again))
    one_way, other_way = then.submit(one.order), again.submit(one.order)
    assert not isinstance(one_way, Refused)
    if one_way != other_way:
        return False
    became = dict(_things(then))
    changed = {key for key in {*things, *became} if things.get(key, ...) != became.get(key, ...)}
    company = one.order.actor in then.title.companies
    own = _of_a_company(before, after, one) if company else _of_a_player(before)
    counts = {key for key in {*things, *there} if key in own or (key in changed and key[0] != "cash")}
    counts |= {key for key in {*things, *there} if key[0] in own}
    return all(things.get(key, ...) == there.get(key, ...) for key in counts)


def question(game: Game, player: str, order: Order) -> object:
    """All that the player is asked for this actor, with every answer and its price."""
    asked = [ask for ask in game.asked() if (ask.player, ask.actor) == (player, order.actor)]
    if not asked:
        return frozenset(map(repr, game.unasked(player)))  # type: ignore[arg-type]
    run = isinstance(order, Run | RunBest) and order.actor in game.title.companies
    best = game.best_run(order.actor).value if run else None  # type: ignore[arg-type]
    return asked[0], Counter(_answers(game, order.actor)), best


def _answers(game: Game, actor: Actor) -> Iterator[tuple[object, ...]]:
    for choice in game.legal(actor):
        order = choice.sample(0)
        if isinstance(choice, Range):
            yield order, choice.field, choice.low, choice.high, choice.step, game.cost(order)
        else:
            yield order, game.cost(order)


def _of_a_player(state: State) -> set[Any]:
    """The parts that count for a decision of a player for himself: names of parts, and single things."""
    names = {"round", "phase", "players", "broke", "certificate", "private", "debt", "priority", "price"}
    return {*names, "company", *(("cash", player) for player in state.players)}


def _of_a_company(before: State, after: State, one: Given) -> set[Any]:
    names = {"round", "phase", "players", "broke", "supply", "bought", "pool"}
    company, player = one.order.actor, one.player
    own: set[Any] = {("cash", company), ("cash", player), ("price", company)}
    for state in (before, after):
        own |= {("certificate", *key) for key in state.holdings if key[0] in (company, player) or key[1] == company}
        own |= {("private", name) for name, owner in state.privates.items() if owner in (company, player)}
        own |= {("debt", *key) for key in state.debts if key[0] == player}
    fields = ("status", "director", "trains", "loans", "operated", "last run", "par", "charter")
    return {*names, *own, *((kind, company, field) for kind in ("company", "inside") for field in fields)}


def _things(game: Game) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Everything in a position that an order may change or a player may see, except what is compared by itself."""
    state, title = game.state, game.title
    yield ("round",), state.round
    yield ("phase",), state.phase
    yield ("players",), state.players
    yield ("broke",), state.broke
    yield ("priority",), state.priority
    yield ("bought",), state.bought
    yield ("pool",), tuple(sorted(state.pool_trains))
    yield from ((("cash", owner), amount) for owner, amount in state.cash.items() if amount)
    yield from ((("certificate", *key), count) for key, count in state.holdings.items() if count)
    yield from ((("private", name), owner) for name, owner in state.privates.items())
    yield from ((("debt", *key), amount) for key, amount in state.debts.items())
    yield from ((("supply", name), count) for name, count in state.supply.items())
    yield from ((("price", company), marker.cell) for company, marker in state.prices.items())
    yield from ((("tile", hex), tile) for hex, tile in state.board.tiles.items())
    yield from ((("overlay", hex), pieces) for hex, pieces in state.board.overlays.items())
    for hex, cities in state.board.markers.items():
        if any(cities):
            yield ("marker", hex), tuple(tuple(sorted(city)) for city in cities)
    for company, here in state.companies.items():
        yield ("company", company, "status"), here.status
        if company in state.charters:
            yield ("company", company, "charter"), state.charters[company]
        if here.status == "open":
            yield ("company", company, "par"), here.par
            yield ("company", company, "director"), title.policies.director(title, state, company)
            yield ("inside", company, "trains"), tuple(sorted(here.trains))
            yield ("inside", company, "loans"), here.loans
            yield ("inside", company, "operated"), here.operated
            yield ("inside", company, "last run"), here.last_run
    described = told(title, state)
    for part in ("steps", "remembered"):
        yield from _inner((part,), described[part])


def _inner(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _inner((*path, key), inner)
    else:
        yield path, value
