"""The plain player, a simple robot: deterministic, fast, and good enough to finish a game in the usual time.

He saves money for a first company, bids as much as a company needs for its first train, lays the track that gives his
company the most valuable reach, runs the best routes, pays out unless the next train is needed, converts and merges
when he can, and buys the shares with the highest yield. He repays debts before anything else, and sells shares rather
than take on debt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.orders import Drop, Order, Pass
from engine.sensible.answers import consent, discard, merger, take
from engine.sensible.bids import bid, bid_first, open_private, par
from engine.sensible.capital import (
    dividend,
    float_it,
    from_charter,
    keep_private,
    keep_trains,
    one_share,
    open_cheap,
    pay_bill,
)
from engine.sensible.owners import exchange, further_share, home, keep, markers, open_concession, sale, seal
from engine.sensible.stock import stock_turn
from engine.sensible.turn import company_turn, pay, run

__all__ = ["sensible"]


def sensible(game: Game, ask: Ask) -> Order:
    """The plain player's answer. The same question in the same position always has the same answer. The answer may be
    an order that nobody asked for: the power of a private, used in his company's turn."""
    game = game.seen_by(ask.player)
    first = next((a for a in game.asked() if ask.what == f"{a.what}{FOR}" and a.actor == a.player == ask.player), None)
    if first is not None and game.legal(first.actor):
        ask = first
    menu = game.legal(ask.actor)
    plan = _PLANS.get(ask.what)
    order = plan(game, ask, menu) if plan is not None else None
    if order is not None:
        return order
    if ask.silence is not None:
        return ask.silence
    return next((c.order for c in menu if isinstance(c.order, Pass | Drop)), menu[0].order)


FOR: Final = ".for"
"""The suffix of questions that are asked for a company in addition to the player's own question. The plain player
answers his own question instead."""
_PLANS: Final[dict[str, Callable[[Game, Ask, Menu], Order | None]]] = {
    "auction.open": open_private,
    "auction.first": bid_first,
    "auction.bid": bid,
    "par": par,
    "stock.turn": stock_turn,
    "company.turn": company_turn,
    "company.pay": pay,
    "consent": consent,
    "merger.turn": merger,
    "offer.shares": take,
    "discard": discard,
    "state_railway.run": run,
    "concessions.bids": seal,
    "concessions.open": open_concession,
    "founding.shares": further_share,
    "founding.home": home,
    "founding.tokens": markers,
    "merger.exchange": exchange,
    "merger.keep": keep,
    "tokens.raise": sale,
    "company.help": sale,
    "privates.open": open_cheap,
    "privates.keep": keep_private,
    "floating.float": float_it,
    "floating.float.for": float_it,
    "window.buyer": from_charter,
    "window.buy_or_short": one_share,
    "window.buy_or_sell": one_share,
    "company.dividend": dividend,
    "bill.loans": pay_bill,
    "bill.crisis": pay_bill,
    "debt.sell": sale,
    "trains.keep": keep_trains,
}
"""Plans by question. If there is no plan, or the plan finds nothing, the default answer for silence is given. If there
is none, the player passes or drops out, or else takes the first choice of the menu."""
