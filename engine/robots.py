"""Two players that are programs: a random one and a sensible one. Both know no more than a person at the table: the
open questions, the legal orders, and the public position.

    order = random_order(game, ask, random.Random(7))
    order = sensible(game, ask)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from engine.core.agenda import Ask, Choice, Exact
from engine.core.checks import Refused
from engine.core.events import Ran
from engine.core.game import Game
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.orders import (
    Agree,
    Announce,
    Bankrupt,
    Bid,
    Borrow,
    Buy,
    BuyConcession,
    BuyFrom,
    BuyMountain,
    BuyPrivate,
    BuyToken,
    BuyTunnel,
    Convert,
    Crisis,
    Dividend,
    Done,
    Exchange,
    Float,
    HalfShort,
    KeepPrivate,
    KeepTrains,
    Lay,
    Merge,
    Nationalise,
    OfferPrivate,
    Open,
    Order,
    Pay,
    Prefer,
    Redeem,
    Refinance,
    Repay,
    RepayLoans,
    Run,
    RunBest,
    SealedBids,
    Sell,
    SellGroup,
    Settle,
    Short,
    Start,
    Token,
    Tokens,
    Train,
    Transfer,
    Tunnel,
    UsePrivate,
)
from engine.holders.charters import double_kind
from engine.sensible import sensible

__all__ = ["Chance", "random_order", "sensible"]

T = TypeVar("T")


class Chance(Protocol):
    """The only source of chance of the random player, such as ``random.Random``."""

    def random(self) -> float:
        """At least 0, less than 1."""
        ...


LIKING: Final[dict[type[Order], float]] = {
    BuyPrivate: 0.04,
    Redeem: 0.3,
    Tunnel: 0.4,
    SealedBids: 1.0,
    Tokens: 1.0,
    Exchange: 1.0,
    Prefer: 1.0,
    BuyToken: 0.1,
    Dividend: 1.0,
    KeepTrains: 1.0,
    KeepPrivate: 1.0,
    HalfShort: 1.0,
    Crisis: 0.8,
    Refinance: 0.05,
    OfferPrivate: 0.1,
    RepayLoans: 0.05,
    Borrow: 0.08,
    UsePrivate: 0.1,
    Lay: 0.75,
    Token: 0.4,
    RunBest: 0.97,
    Settle: 0.7,
    Pay: 1.0,
    Bankrupt: 0.04,
    Repay: 0.4,
    Train: 0.75,
    Short: 0.08,
    Transfer: 0.04,
    Sell: 0.06,
    SellGroup: 0.03,
    BuyConcession: 0.2,
    BuyFrom: 0.02,
    BuyMountain: 0.12,
    BuyTunnel: 0.12,
    Start: 0.35,
    Buy: 0.8,
    Open: 0.55,
    Bid: 0.35,
    Merge: 0.6,
    Convert: 0.5,
    Agree: 0.7,
    Nationalise: 1.0,
}
"""The probability of each kind of order if it is legal, tried in this sequence; if none is chosen, one of the other
orders (pass, decline, done) is given. Games end because trains and shares are bought more often than not."""
TRADES_TRAINS: Final = 0.06
"""The same for trains of other companies, whose price chance decides too."""
RUNS_LESS: Final = 0.15
"""A run is seldom only a part of the best run, with its routes written out."""
ANNOUNCES: Final = 0.3
LEADS_MORE: Final = 0.6
"""Mergers seldom take in a third minor."""
USES: Final = 0.02
"""A private whose power may be used at any moment is kept for a while."""
SELLS_TO_HELP: Final = 0.3
"""A director who must help his company to buy a train usually sells his own shares first."""
BORROWS_FOR_TRAIN: Final = 0.3
"""A company without a train takes loans for one."""
PAYS_ALL: Final = 0.6
"""Dividends are more often the highest allowed than any other sum."""
CHOOSES_PAPER: Final = 0.5
"""The fraction of sales in which a holder of certificates of two sizes names the certificates."""


def random_order(game: Game, ask: Ask, chance: Chance) -> Order:
    """A legal answer to ``ask``. Every legal kind of order occurs, with frequencies that bring games to their end; the
    same ``chance`` gives the same orders in every process."""
    game = game.seen_by(ask.player)
    menu = game.legal(ask.actor)
    free = game.unasked(ask.player)
    if free and chance.random() < USES:
        return _sample(_pick(free, chance), chance)
    own = [c for c in menu if not _trade(c)]
    trades = [c for c in menu if _trade(c)]
    help_sales = [c for c in own if isinstance(c.order, Sell) and c.order.actor != ask.player]
    free_to_end = any(isinstance(c.order, Done) for c in own)  # then nobody must sell to help a company
    if help_sales and not free_to_end and chance.random() < SELLS_TO_HELP:
        return _beyond(game, _sample(_pick(help_sales, chance), chance), menu, chance)
    if trades and chance.random() < TRADES_TRAINS:
        return _sample(_pick(trades, chance), chance)
    kinds = {type(c.order) for c in own}
    if Float in kinds:
        return _sample(max(_pick(own, chance), _pick(own, chance), key=_capital), chance)
    if Borrow in kinds and _wants_train(game, ask) and chance.random() < BORROWS_FOR_TRAIN:
        return _sample(next(c for c in own if isinstance(c.order, Borrow)), chance)
    for kind, liking in LIKING.items():
        if kind in kinds and chance.random() < liking:
            choices = [c for c in own if type(c.order) is kind]
            choice = _highest(choices, chance) if kind is Dividend else _pick(choices, chance)
            return _beyond(game, _sample(choice, chance), menu, chance)
    if ask.what == "announce" and chance.random() < ANNOUNCES:
        return _announcement(game, ask) or own[0].order
    rest = [c for c in own if type(c.order) not in LIKING]
    return _sample(_pick(rest or own or trades, chance), chance)


def _capital(choice: Choice) -> int:
    """The price of a float: new companies more often have money for a train than not."""
    return choice.order.price if isinstance(choice.order, Float) else 0


def _wants_train(game: Game, ask: Ask) -> bool:
    """True if the company has no train and is asked in its turn."""
    return ask.what == "company.turn" and not game.state.companies[CompanyId(ask.actor)].trains


def _trade(choice: Choice) -> bool:
    return isinstance(choice.order, Train) and choice.order.source not in (None, BANK, POOL)


def _pick(found: Sequence[T], chance: Chance) -> T:
    return found[int(chance.random() * len(found))]


def _highest(choices: Sequence[Choice], chance: Chance) -> Choice:
    """Mostly the last of several ranges of dividends, which has the highest."""
    many = len(choices) > 1
    return choices[-1] if many and chance.random() < PAYS_ALL else _pick(choices, chance)


def _sample(choice: Choice, chance: Chance) -> Order:
    """A number in a range: half of the time the lowest, otherwise small numbers more often than large ones. For
    dividends, any number."""
    if isinstance(choice, Exact):
        return choice.order
    size = (choice.high - choice.low) // choice.step + 1
    if isinstance(choice.order, Dividend):
        return choice.sample(size - 1 if chance.random() < PAYS_ALL else int(size * chance.random()))
    if chance.random() < 0.5:
        return choice.order
    return choice.sample(int(size * chance.random() ** 3))


def _beyond(game: Game, order: Order, menu: Sequence[Choice], chance: Chance) -> Order:
    """Sometimes a legal order that no menu lists: a lesser run, a larger merger, a sale of named certificates."""
    if isinstance(order, Sell):
        less = _of_paper(game, order, chance)
    elif isinstance(order, RunBest) and chance.random() < RUNS_LESS:
        less = _part_of_best(game, order, chance)
    elif isinstance(order, Merge) and chance.random() < LEADS_MORE:
        less = _larger(order, menu, chance)
    else:
        return order
    return less if less is not None and game.check(less) else order


def _of_paper(game: Game, order: Sell, chance: Chance) -> Order | None:
    if double_kind(game.title, game.state, order.company) is None or chance.random() >= CHOOSES_PAPER:
        return None
    return replace(order, doubles=int((order.count // 2 + 1) * chance.random()))


def _part_of_best(game: Game, order: RunBest, chance: Chance) -> Order | None:
    events = game.check(order)
    if isinstance(events, Refused):
        return None
    ran = next(e for e in events if isinstance(e, Ran))
    return Run(order.actor, tuple(route for route in ran.routes if chance.random() < 0.7))


def _larger(order: Merge, menu: Sequence[Choice], chance: Chance) -> Order | None:
    others = [
        c.order.minors[0]
        for c in menu
        if isinstance(c.order, Merge) and c.order.into == order.into and c.order.minors != order.minors
    ]
    return replace(order, minors=(*order.minors, _pick(others, chance))) if others else None


def _announcement(game: Game, ask: Ask) -> Order | None:
    """The best run of the company whose earnings are about to count, if it is better than what was declared."""
    from engine.acts.run_trains import best_for

    company = next(c for c in game.state.companies if c == ask.about[0])
    best = best_for(game.title, game.state, company)
    order = Announce(ask.player, company, best.routes)
    return order if game.check(order) else None
