"""Positions for tests of standing orders: games that robots have brought to a question, and what is found in them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import engine
from engine import Game
from engine.acts.buy_train import new_trains
from engine.core.ids import CompanyId, PlayerId
from engine.holders.ledger import shares
from engine.robots import sensible
from tests.kit.games.ahead_table import AheadTable

PLAYERS = ("Ann", "Bob", "Cat")
TITLES = ("1861", "1844", "1841", "1863", "1867")
_MOST_ORDERS = 600


def begun(title: str) -> Game:
    """A game at its beginning."""
    return engine.Game.start(engine.load_title(title), engine.Setup(PLAYERS, seed="for standing orders"))


@cache
def at(title: str, what: str, kind: str, after: int = 0) -> Game:
    """The first position after ``after`` orders of the sensible robots in which a question ``what`` is asked in a round
    of this ``kind``."""
    game = begun(title)
    for number in range(_MOST_ORDERS):
        ask = game.asked()[0]
        if number >= after and game.state.round.kind == kind and ask.what == what:
            return game
        game.submit(sensible(game, ask))
    raise AssertionError(f"{title}: no {what} in {kind}")


def table(title: str, what: str, kind: str, after: int = 0) -> AheadTable:
    return AheadTable(at(title, what, kind, after).fork())


def stock(title: str = "1844") -> AheadTable:
    return table(title, "stock.turn", "SR", 120)


def on_turn(one: AheadTable) -> tuple[str, str, str]:
    """The players from the one on turn."""
    first = one.game.asked()[0].player
    order = one.game.state.players
    where = order.index(first)
    return order[where], order[(where + 1) % 3], order[(where + 2) % 3]


def refused(one: AheadTable, player: str, text: str, head: str | None = None) -> list[str]:
    """The checks that refuse a text."""
    return [failure.check for line in one.say(player, text, head).lines for failure in line.failures]


def runs(game: Game, actor: str) -> bool:
    """True if ``actor`` is a company on turn that can run now."""
    order = engine.orders.RunBest(CompanyId(actor))
    return actor in game.title.companies and not isinstance(game.check(order), engine.Refused)


def held(one: AheadTable, player: str, company: str) -> int:
    return shares(one.game.title, one.game.state, PlayerId(player), CompanyId(company))


def purchases(one: AheadTable) -> list[str]:
    """The companies of which the player on turn may buy a share."""
    ask = one.game.asked()[0]
    return [c.order.company for c in one.game.legal(ask.actor) if isinstance(c.order, engine.orders.Buy)]


def bought(one: AheadTable) -> str:
    """A company of which the player on turn can buy two shares in two turns."""
    first, second, third = on_turn(one)
    for company in purchases(one):
        trial = AheadTable(one.game.fork())
        for text, player in ((f"buy {company} up to {held(one, first, company) + 2}", first),):
            trial.say(second, "pass until the round ends")
            trial.say(third, "pass until the round ends")
            trial.say(player, text)
        if held(trial, first, company) == held(one, first, company) + 2:
            return company
    raise AssertionError("nothing can be bought twice")


def cost(one: AheadTable, player: str, company: str) -> int:
    game = one.game.fork()
    before = game.state.money(PlayerId(player))
    trial = AheadTable(game)
    trial.say(player, f"buy {company} up to 9 while at most 999; pass until the round ends")
    first = next(move for move in trial.moves if move.player == player)
    game.submit(first.order)
    return before - game.state.money(PlayerId(player))


def leading(one: AheadTable, player: str) -> str:
    """A company whose next share makes ``player`` its director, in a position made for it."""
    state = one.game.state
    title = one.game.title
    for company in state.companies:
        director = title.policies.director(title, state, CompanyId(company))
        more = held(one, str(director), company) - held(one, player, company)
        unsold = sum(n for k, n in state.holdings.items() if k[0] not in PLAYERS and k[1] == company)
        if director not in (None, player) and 0 <= more < unsold:
            return with_as_many(one, player, company, held(one, str(director), company))
    raise AssertionError("nobody else directs a company")


def with_as_many(one: AheadTable, player: str, company: str, number: int) -> str:
    """Give ``player`` as many ordinary shares of ``company`` as its director has, from the unsold ones."""
    state = one.game.state
    place, kind = next((k[0], k[2]) for k, n in state.holdings.items() if k[0] not in PLAYERS and k[1] == company and n)
    more = number - held(one, player, company)
    holdings = dict(state.holdings)
    holdings[place, CompanyId(company), kind] -= more
    mine = (PlayerId(player), CompanyId(company), kind)
    holdings[mine] = holdings.get(mine, 0) + more
    one.game.state = replace(state, holdings=holdings)
    return company


def sold(one: AheadTable, player: str) -> tuple[str, int]:
    """A company of which ``player`` may sell a share now, and its price."""
    for company in one.game.state.companies:
        if held(one, player, company) and not isinstance(
            one.game.check(engine.orders.Sell(PlayerId(player), company, 1)), engine.Refused
        ):
            marker = one.game.state.prices[company]
            return company, one.game.title.chart.price(marker.cell)
    raise AssertionError("nothing can be sold")


def on_sale(game: Game) -> str:
    """The first type of train that the bank sells."""
    return new_trains(game.title, game.state)[0]


def sale(one: AheadTable) -> tuple[str, str, str, str] | None:
    """The company on turn, its director, a private that it may buy, and the private's owner, if he is another."""
    for ask in one.game.asked():
        for choice in one.game.legal(ask.actor):
            order = choice.order
            if isinstance(order, engine.orders.BuyPrivate):
                owner = one.game.state.privates[order.private]
                if owner in PLAYERS and owner != ask.player:
                    return ask.actor, ask.player, order.private, str(owner)
    return None
