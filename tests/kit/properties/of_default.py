"""Properties of the default of every question in every position."""

from __future__ import annotations

import engine
from engine import Ask, Game, orders
from engine.core.decide import objection
from engine.core.ids import BANK, POOL, CompanyId
from engine.silence import Default

GIVES_NOTHING = (
    orders.Pass, orders.Drop, orders.Done, orders.Refuse, orders.Decline, orders.RunBest, orders.Discard, orders.Keep,
    orders.KeepTrains, orders.OfferAgain, orders.Prefer, orders.Repay, orders.Lay, orders.Sell, orders.Borrow,
    orders.Crisis, orders.Bankrupt, orders.Pay, orders.Dividend, orders.HalfShort, orders.Token, orders.Tokens,
    orders.Float, orders.Start,
)  # fmt: skip
"""Kinds of order that a default may be. Those that the rules must demand are held to it below."""
SILENT_MOST = 400
"""The most orders of silent players before the next round begins or the game is over. With eight players everybody is
asked for every private of an auction, several times."""


def hold(game: Game, ask: Ask) -> Default:
    """The default of an open question, which is legal and hurts no more than the rules demand."""
    found = engine.default_answer(game, ask)
    order = found.order
    assert objection(game.title, game.state, order) is None, f"{ask}: {found} is refused: {game.check(order)}"
    assert engine.default_answer(game, ask) == found, "not the same again"
    assert engine.default_answer(game.seen_by(ask.player), ask) == found, "it depends on a secret"
    if ask.silence is not None:
        assert order == ask.silence
        return found
    menu = [choice.order for choice in game.legal(ask.actor)]
    ends = [o for o in menu if isinstance(o, orders.Done)]
    match order:
        case orders.Train():
            assert not ends and not game.state.companies[order.actor].trains, f"{found} is bought without need"
            assert order.source in (None, BANK, POOL) or _leads(game, ask, order.source), f"{found} needs consent"
        case orders.Sell():
            assert (not ends and not any(isinstance(o, orders.Pass) for o in menu)) or found.key == "sells_for_debt"
        case orders.Bankrupt():
            others: list[orders.Order] = [o for o in menu if isinstance(o, orders.Sell | orders.Done)]
            others += [o for o in menu if isinstance(o, orders.Train) and o.source in (None, BANK, POOL)]
            assert not others, f"{found} is not the last resort: {others}"
        case orders.Lay():
            assert not ends
        case orders.Bid():
            assert found.key == "bids_when_offered_again"
        case orders.KeepPrivate():
            assert not order.keep
        case _:
            assert isinstance(order, GIVES_NOTHING), f"{ask}: {found}"
    return found


def _leads(game: Game, ask: Ask, company: str) -> bool:
    return game.title.policies.director(game.title, game.state, CompanyId(company)) == ask.player


def all_silent(game: Game) -> int:
    """Let every player be silent from here on, until another round begins or the game is over; the number of orders.
    The game itself stays where it is."""
    ahead, now = game.fork(), game.state.round
    for number in range(SILENT_MOST):
        if ahead.finished or ahead.state.round != now:
            return number
        result = ahead.submit(engine.default_order(ahead, ahead.asked()[0]))
        assert result, f"{ahead.orders[-1:]}: {result}"
    raise AssertionError(f"{now} never ends: {[str(order) for order in ahead.orders[-20:]]}")
