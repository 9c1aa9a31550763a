"""Orders that somebody might well try where he is asked, whether or not the rules admit them now."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import Ask, Game, orders
from engine.core.orders import Order
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, TUNNEL_HEXES
from tests.kit.properties.values import (
    any_bids,
    any_company,
    any_edges,
    any_of_kind,
    any_panel,
    any_private,
    any_space,
    value,
)


def natural(game: Game, ask: Ask, chance: random.Random) -> Order | None:
    """An order of that sort; None where nothing is thought of for what is asked."""
    asked, one = _TITLES[game.title.name]
    return one(game, ask, chance.choice(asked[ask.what]), chance) if ask.what in asked else None


def tried(game: Game, ask: Ask) -> bool:
    """Whether something is thought of for what is asked."""
    return ask.what in _TITLES[game.title.name][0]


def _of_1861(game: Game, ask: Ask, kind: type[Any], chance: random.Random) -> Order:
    state, title = game.state, game.title
    company = chance.choice(
        [c for c in title.companies if state.companies[c].status == "open"] or list(title.companies)
    )
    owned = state.companies[company].trains
    on_sale = [t for t in title.trains if state.supply.get(t, 1) > 0][:1] + list(state.pool_trains)
    cash = max(1, state.money(ask.actor))
    tries: dict[type[Any], Callable[[], Order]] = {
        orders.Buy: lambda: orders.Buy(ask.player, company, chance.choice(("treasury", "pool"))),
        orders.Sell: lambda: orders.Sell(ask.player, company, chance.randint(1, 4)),
        orders.Open: lambda: orders.Open(ask.player, value(game, orders.Open, "item", None, chance), 100),
        orders.Start: lambda: orders.Start(
            ask.player, any_company(game, chance), chance.choice((70, 90, 135, 200, 210)), any_space(game, chance)
        ),
        orders.Train: lambda: chance.choice(
            (
                orders.Train(_acting(ask), chance.choice(on_sale)),
                orders.Train(_acting(ask), chance.choice(on_sale), "Pool"),
                orders.Train(
                    _acting(ask), chance.choice([*owned, *on_sale]), company, chance.choice((1, cash, cash + 1))
                ),
            )
        ),
        orders.Token: lambda: orders.Token(_acting(ask), any_space(game, chance)),
        orders.Redeem: lambda: orders.Redeem(_acting(ask), chance.randint(1, 3)),
        orders.BuyPrivate: lambda: orders.BuyPrivate(
            _acting(ask), any_private(game, chance), chance.choice((1, 20, 90))
        ),
        orders.Lay: lambda: orders.Lay(
            _acting(ask),
            chance.choice(list(title.map.tiles)),
            chance.choice([*state.board.tiles, *state.board.markers, *title.map.hexes]),
            chance.randrange(6),
        ),
        orders.Done: lambda: orders.Done(_acting(ask)),
        orders.Pay: lambda: orders.Pay(_acting(ask), "half"),
        orders.Convert: lambda: orders.Convert(_acting(ask), company),
        orders.Take: lambda: orders.Take(ask.player, chance.randint(0, 6)),
    }
    return tries[kind]()


def _of_1867(game: Game, ask: Ask, kind: type[Any], chance: random.Random) -> Order:
    """As in 1861, with a home for an opening bid, and sometimes a train in part payment."""
    order = _of_1861(game, ask, kind, chance)
    if isinstance(order, orders.Open):
        return replace(order, space=any_space(game, chance))
    if isinstance(order, orders.Train) and chance.random() < 0.5:
        return replace(order, trade=value(game, orders.Train, "trade", None, chance))
    return order


def _of_1844(game: Game, ask: Ask, kind: type[Any], chance: random.Random) -> Order:
    state, title, actor = game.state, game.title, _acting(ask)
    player, cash = ask.player, max(1, state.money(ask.actor))
    started = [c for c in title.companies if c in state.prices] or list(title.companies)
    company = chance.choice(started)
    owned = state.companies[company].trains
    on_sale = [t for t, number in state.supply.items() if number > 0][:1]
    faces = [*on_sale, *(t.name for t in title.trains.values() if t.card in on_sale), *state.pool_trains]
    near = (1, 100, cash, cash + 1)
    places = (*MOUNTAIN_HEXES, *TUNNEL_HEXES)
    paper = value(game, orders.Buy, "certificate", None, chance)
    tries: dict[type[Any], Callable[[], Order]] = {
        orders.Bid: lambda: orders.Bid(player, chance.choice(near)),
        orders.Start: lambda: orders.Start(player, any_company(game, chance), chance.choice((60, 80, 100, 110))),
        orders.Buy: lambda: orders.Buy(player, company, chance.choice((None, "ipo", "pool")), paper),
        orders.Sell: lambda: orders.Sell(actor, company, chance.randint(1, 5), chance.choice((None, None, 0, 1, 2))),
        orders.BuyMountain: lambda: orders.BuyMountain(
            player, any_of_kind(game, chance, "mountain"), chance.choice(places), any_panel(game, chance)
        ),
        orders.BuyTunnel: lambda: orders.BuyTunnel(player, any_of_kind(game, chance, "tunnel")),
        orders.Repay: lambda: orders.Repay(player, chance.choice(near)),
        orders.UsePrivate: lambda: orders.UsePrivate(
            actor, any_private(game, chance), chance.choice((None, company, company))
        ),
        orders.Tunnel: lambda: orders.Tunnel(
            actor, chance.choice((*TUNNEL_HEXES, *TUNNEL_HEXES, *MOUNTAIN_HEXES)),
            any_edges(game, chance), chance.choice((None, None, any_of_kind(game, chance, "tunnel"))),
        ),
        orders.Lay: lambda: orders.Lay(
            actor, chance.choice(list(title.map.tiles)),
            chance.choice([*state.board.tiles, *state.board.markers, *title.map.hexes]), chance.randrange(6),
            chance.choice((None, None, title.privates[any_private(game, chance)].id)),
        ),
        orders.Token: lambda: orders.Token(actor, any_space(game, chance)),
        orders.Pay: lambda: orders.Pay(actor, "half"),
        orders.BuyPrivate: lambda: orders.BuyPrivate(actor, any_private(game, chance), chance.choice((1, 20, 220))),
        orders.Train: lambda: chance.choice(
            (
                orders.Train(actor, chance.choice(faces or list(title.trains))),
                orders.Train(actor, chance.choice(faces or list(title.trains)), "Pool"),
                orders.Train(
                    actor, chance.choice([*owned, *faces, *title.trains]), company, chance.choice((None, *near, 150)),
                    orders.Train(actor, chance.choice(faces)) if faces and chance.random() < 0.3 else None,
                ),
            )
        ),
        orders.Done: lambda: orders.Done(actor),
        orders.Bankrupt: lambda: orders.Bankrupt(actor),
        orders.Discard: lambda: orders.Discard(actor, value(game, orders.Discard, "train", None, chance)),
    }  # fmt: skip
    return tries[kind]()


def _of_1841(game: Game, ask: Ask, kind: type[Any], chance: random.Random) -> Order:
    state, title, actor = game.state, game.title, _acting(ask)
    player, cash = ask.player, max(1, state.money(ask.actor))
    started = [c for c in title.companies if c in state.prices] or list(title.companies)
    company, other = chance.choice(started), chance.choice(started)
    on_sale = [t for t, number in state.supply.items() if number > 0][:1]
    near = (1, 50, cash, cash + 1)
    tries: dict[type[Any], Callable[[], Order]] = {
        orders.SealedBids: lambda: orders.SealedBids(player, any_bids(game, chance)),
        orders.Bid: lambda: orders.Bid(player, chance.choice(near)),
        orders.Open: lambda: orders.Open(player, any_private(game, chance), chance.choice((19, 20, cash, cash + 1))),
        orders.Start: lambda: orders.Start(
            actor, any_company(game, chance), chance.choice((68, 100, 144, 216, 340, 90))
        ),
        orders.Buy: lambda: orders.Buy(
            actor, company, chance.choice((None, "treasury", "pool")), chance.choice((None, None, "director"))
        ),
        orders.Sell: lambda: orders.Sell(actor, company, chance.randint(1, 5)),
        orders.SellGroup: lambda: orders.SellGroup(actor, ((company, 1), (other, chance.randint(1, 3)))),
        orders.BuyFrom: lambda: orders.BuyFrom(
            player, company, chance.randint(1, 2), chance.choice(state.players), chance.choice(near)
        ),
        orders.BuyConcession: lambda: orders.BuyConcession(
            player, any_private(game, chance), chance.choice((None, *near))
        ),
        orders.Lay: lambda: orders.Lay(
            actor, chance.choice(list(title.map.tiles)),
            chance.choice([*state.board.tiles, *state.board.markers, *title.map.hexes]), chance.randrange(6),
        ),
        orders.Token: lambda: orders.Token(actor, any_space(game, chance)),
        orders.Tokens: lambda: orders.Tokens(actor, chance.randint(0, 6)),
        orders.BuyToken: lambda: orders.BuyToken(actor, any_space(game, chance), company, chance.choice(near)),
        orders.Pay: lambda: orders.Pay(actor, "half"),
        orders.Train: lambda: chance.choice(
            (
                orders.Train(actor, chance.choice(on_sale or list(title.trains))),
                orders.Train(actor, chance.choice(list(title.trains)), "Pool"),
                orders.Train(actor, chance.choice(list(title.trains)), company, chance.choice(near)),
            )
        ),
        orders.Merge: lambda: orders.Merge(actor, (company,), any_company(game, chance)),
        orders.Convert: lambda: orders.Convert(actor, any_company(game, chance)),
        orders.Exchange: lambda: orders.Exchange(actor, value(game, orders.Exchange, "into", None, chance)),
        orders.Prefer: lambda: orders.Prefer(actor, any_company(game, chance)),
        orders.Take: lambda: orders.Take(actor, chance.randint(0, 3)),
        orders.Done: lambda: orders.Done(actor),
        orders.Bankrupt: lambda: orders.Bankrupt(actor),
        orders.Discard: lambda: orders.Discard(actor, value(game, orders.Discard, "train", None, chance)),
    }  # fmt: skip
    return tries[kind]()


def _of_1863(game: Game, ask: Ask, kind: type[Any], chance: random.Random) -> Order:
    state, title, actor = game.state, game.title, _acting(ask)
    player, cash = ask.player, max(1, state.money(ask.actor))
    started = [c for c in title.companies if c in state.prices] or list(title.companies)
    company, other = chance.choice(started), chance.choice(started)
    others: list[Any] = list(started)
    on_sale = [t.name for t in title.trains.values() if state.supply.get(t.card or t.name, 1) > 0][:2]
    near = (1, 50, cash, cash + 1)
    tries: dict[type[Any], Callable[[], Order]] = {
        orders.Bid: lambda: orders.Bid(actor, chance.choice(near)),
        orders.Open: lambda: orders.Open(player, any_private(game, chance), chance.choice((4, 5, cash, cash + 1))),
        orders.Start: lambda: orders.Start(
            actor, any_company(game, chance), chance.choice((4, 5, *near)), any_space(game, chance)
        ),
        orders.Float: lambda: orders.Float(
            actor, company, chance.choice(("minor", "major")), chance.choice((40, 80, 100, 101)), chance.randint(1, 4)
        ),
        orders.Buy: lambda: orders.Buy(actor, company, chance.choice((None, "treasury", "pool"))),
        orders.Sell: lambda: orders.Sell(actor, company, chance.randint(1, 5)),
        orders.Short: lambda: orders.Short(player, company),
        orders.Transfer: lambda: orders.Transfer(
            player, company, chance.randint(1, 3), other, chance.choice((player, *others))
        ),
        orders.Redeem: lambda: orders.Redeem(actor, chance.randint(1, 2)),
        orders.Take: lambda: orders.Take(actor, chance.randint(0, 4)),
        orders.Borrow: lambda: orders.Borrow(actor, chance.randint(1, 4)),
        orders.RepayLoans: lambda: orders.RepayLoans(actor, chance.randint(1, 4)),
        orders.BuyPrivate: lambda: orders.BuyPrivate(actor, any_private(game, chance), chance.choice(near)),
        orders.Lay: lambda: orders.Lay(
            actor, chance.choice(list(title.map.tiles)),
            chance.choice([*state.board.tiles, *state.board.markers, *title.map.hexes]), chance.randrange(6),
            chance.choice((None, None, any_private(game, chance))),
        ),
        orders.Token: lambda: orders.Token(actor, any_space(game, chance)),
        orders.Dividend: lambda: orders.Dividend(actor, chance.choice((*near, 5, 10, -5))),
        orders.Train: lambda: orders.Train(actor, chance.choice(on_sale or list(title.trains))),
        orders.Crisis: lambda: orders.Crisis(actor, chance.choice(("liquidate", "help"))),
        orders.Convert: lambda: orders.Convert(actor, company, chance.randint(0, 4)),
        orders.Merge: lambda: orders.Merge(actor, (company,), chance.choice((actor, company, other))),
        orders.OfferPrivate: lambda: orders.OfferPrivate(
            actor, any_private(game, chance), chance.choice((4, 5, *near))
        ),
        orders.Done: lambda: orders.Done(actor),
        orders.Discard: lambda: orders.Discard(actor, value(game, orders.Discard, "train", None, chance)),
    }  # fmt: skip
    return tries[kind]()


def _acting(ask: Ask) -> Any:
    return ask.actor


_ASKED_1861: Mapping[str, Sequence[type[Any]]] = {
    "auction.open": (orders.Open, orders.Buy),
    "stock.turn": (orders.Buy, orders.Buy, orders.Sell, orders.Open, orders.Start),
    "company.turn": (
        orders.Train, orders.Train, orders.Token, orders.Token, orders.Redeem, orders.BuyPrivate, orders.Lay,
        orders.Done, orders.Pay,
    ),
    "company.pay": (orders.Done, orders.Train, orders.Lay),
    "merger.turn": (orders.Convert, orders.Done),
    "offer.shares": (orders.Take,),
}  # fmt: skip
_ASKED_1844: Mapping[str, Sequence[type[Any]]] = {
    "auction.first": (orders.Bid, orders.Start),
    "auction.bid": (orders.Bid, orders.BuyTunnel),
    "par": (orders.Start, orders.Bid),
    "stock.turn": (
        orders.Buy, orders.Buy, orders.Buy, orders.Sell, orders.Sell, orders.Start, orders.BuyMountain,
        orders.BuyTunnel, orders.Repay, orders.UsePrivate,
    ),
    "company.turn": (
        orders.Train, orders.Train, orders.Token, orders.BuyPrivate, orders.Lay, orders.Lay, orders.Tunnel,
        orders.Sell, orders.Done, orders.Pay, orders.Bankrupt, orders.UsePrivate,
    ),
    "company.pay": (orders.Pay, orders.Done, orders.Train, orders.Lay, orders.UsePrivate),
    "consent": (orders.UsePrivate, orders.Train),
    "discard": (orders.Discard, orders.UsePrivate),
}  # fmt: skip
_ASKED_1841: Mapping[str, Sequence[type[Any]]] = {
    "concessions.bids": (orders.SealedBids,),
    "concessions.open": (orders.Open,),
    "auction.bid": (orders.Bid,),
    "stock.turn": (
        orders.Buy, orders.Buy, orders.Buy, orders.Sell, orders.Sell, orders.SellGroup, orders.BuyFrom,
        orders.BuyConcession, orders.Start,
    ),
    "founding.shares": (orders.Buy,),
    "founding.home": (orders.Token,),
    "founding.tokens": (orders.Tokens,),
    "company.turn": (
        orders.Lay, orders.Lay, orders.Token, orders.Train, orders.Train, orders.BuyToken, orders.Sell,
        orders.SellGroup, orders.Buy, orders.Start, orders.Merge, orders.Convert, orders.Done, orders.Bankrupt,
    ),
    "company.pay": (orders.Pay, orders.Done, orders.Train),
    "company.help": (orders.Sell, orders.Bankrupt),
    "merger.exchange": (orders.Exchange,),
    "secession.part": (orders.Prefer,),
    "offer.shares": (orders.Take,),
    "tokens.raise": (orders.Sell,),
    "tokens.number": (orders.Tokens,),
    "discard": (orders.Discard,),
}  # fmt: skip
_ASKED_1863: Mapping[str, Sequence[type[Any]]] = {
    "privates.open": (orders.Open,),
    "privates.offer": (orders.OfferPrivate,),
    "auction.bid": (orders.Bid,),
    "auction.lot": (orders.Bid,),
    "auction.lot.for": (orders.Bid,),
    "stock.turn": (
        orders.Buy, orders.Buy, orders.Sell, orders.Sell, orders.Short, orders.Transfer, orders.Transfer, orders.Start,
    ),
    "stock.turn.for": (
        orders.Buy, orders.Sell, orders.Redeem, orders.Borrow, orders.RepayLoans, orders.Start, orders.Transfer,
    ),
    "floating.float": (orders.Float,),
    "floating.float.for": (orders.Float,),
    "window.buyer": (orders.Take, orders.Borrow),
    "window.buy_or_short": (orders.Buy, orders.Short, orders.Sell),
    "window.buy_or_sell": (orders.Buy, orders.Short, orders.Sell),
    "company.turn": (
        orders.Lay, orders.Lay, orders.Token, orders.Train, orders.Train, orders.Borrow, orders.RepayLoans,
        orders.BuyPrivate, orders.Done, orders.Dividend,
    ),
    "company.dividend": (orders.Dividend, orders.Borrow, orders.RepayLoans, orders.Lay),
    "bill.loans": (orders.Borrow, orders.Crisis),
    "bill.crisis": (orders.Borrow, orders.Crisis),
    "debt.sell": (orders.Sell,),
    "merger.turn": (orders.Convert, orders.Merge, orders.Merge, orders.Borrow),
    "discard": (orders.Discard,),
}  # fmt: skip
_TITLES: Mapping[str, tuple[Mapping[str, Sequence[type[Any]]], Callable[..., Order]]] = {
    "1861": (_ASKED_1861, _of_1861),
    "1867": (_ASKED_1861, _of_1867),
    "1844": (_ASKED_1844, _of_1844),
    "1841": (_ASKED_1841, _of_1841),
    "1863": (_ASKED_1863, _of_1863),
}
