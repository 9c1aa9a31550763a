"""The plain player's answers to questions outside his turns: consent, mergers, offers, trains over the train limit."""

from __future__ import annotations

from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Agree, Convert, Discard, Merge, Merger, Order, PrivateSale, Refuse, TrainSale
from engine.sensible.common import KEPT_BACK, at, of
from engine.sensible.thrift import has_bills, union


def consent(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Consent to the sale of a spare train for at least half its price, to that of a private for at least four fifths
    of its face value, to a merger where companies get no bills, and to everything of another kind; otherwise a
    refusal."""
    title, state = game.title, game.state
    agree = of(menu, Agree)[0]
    match agree.subject:
        case TrainSale(train=train, price=price):
            spare = ask.actor in state.companies and len(state.companies[CompanyId(ask.actor)].trains) > 1
            well = spare and 2 * price >= title.trains[train].cost
        case PrivateSale(private=private, price=price):
            well = 5 * price >= 4 * title.privates[private].face
        case Merger():
            well = not has_bills(title)
        case _:
            well = True
    return agree if well else Refuse(ask.actor, agree.subject)


def merger(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A conversion rather than a merger. Of mergers, one with the player's own minors rather than others, and of these
    the dearest. Where companies get bills, only a conversion or merger that pays."""
    title, state = game.title, game.state
    if has_bills(title):
        return union(game, ask, menu)
    if converts := of(menu, Convert):
        return converts[0]

    def score(order: Merge) -> tuple[bool, int]:
        mine = all(title.policies.director(title, state, m) == ask.player for m in order.minors)
        return mine, sum(title.price(state, m) for m in order.minors)

    return max(of(menu, Merge), key=score, default=None)


def take(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """The purchase of as many shares as leave ``KEPT_BACK`` in cash, but of at least one."""
    price = int(ask.about[1])
    return at(menu[0], max(1, (game.state.money(ask.player) - KEPT_BACK) // price))


def discard(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Discard the cheapest train."""

    def cost(train: TrainName) -> int:
        return game.title.trains[train].cost

    return min(of(menu, Discard), key=lambda d: cost(d.train))
