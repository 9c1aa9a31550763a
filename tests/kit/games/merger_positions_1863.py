"""Merger rounds of 1863 that chance has made: companies that hold each other's shares, odd holdings, shorts, minors and
companies in the grey area. They bring in a few orders what whole games bring in thousands."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from engine.core import orders as od
from engine.core.agenda import Choice, Exact
from engine.core.ids import Actor, CompanyId
from engine.core.state import Round
from engine.titles.t1863.mergers.merger_round import MergerRound
from tests.kit.games.situations_1863 import Tube, situation, tube
from tests.referee.bench import Deviation
from tests.referee.books_1863 import TubeBooks
from tests.referee.games import beside, gift
from tests.referee.referee import Referee
from tests.referee.rounds_1863 import Auctions

NAMES = ("Ann", "Bob", "Cat", "Dan")
COMPANIES = ("MET", "BAK", "CLR", "CIR", "CSL", "DIS")
MOST_ORDERS = 80
SOUGHT: tuple[type[od.Order], ...] = (od.Agree, od.Merge, od.Convert, od.Bid, od.HalfShort, od.Exchange)
"""Orders that are preferred where they are possible."""
EAGER, GIVEN, TRIED = 0.7, 0.1, 0.4
"""Shares of chances: of such an order; of a payment between players, and of an order that nobody offers, beside it."""


def position(seed: int) -> engine.Game:
    """The merger round of a seed: who holds what of which companies, and how dear they are."""
    chance = random.Random(seed)
    players = NAMES[: chance.choice((3, 3, 4))]
    companies = COMPANIES[: chance.randint(3, len(COMPANIES))]
    rows: list[Tube] = []
    for number, company in enumerate(companies):
        parents = [row.id for row in rows]  # companies hold only shares of later ones: no circles
        price = chance.choice((20, 30, 45, 60, 75, 90, 110, 150))
        more: dict[str, Any] = {
            "cash": chance.choice((0, 40, 150, 400)), "loans": chance.choice((0, 0, 1, 2)),
            "trains": chance.choice(("", "3T", "3T 3T")), "last_run": chance.choice((None, 0, 60)),
        }  # fmt: skip
        if number and chance.random() < 0.25:
            rows.append(tube(company, chance.choice((*players, *parents)), price, minor=True, **more))
        else:
            rows.append(major(company, price, players, parents, chance, more))
    cash = {player: chance.choice((0, 60, 300, 900)) for player in players}
    return merger_round(
        rows, players, cash, edition=chance.choice(("historical", "equal")), phase=chance.choice(("III", "III", "IV"))
    )


def merger_round(rows: Sequence[Tube], players: tuple[str, ...], cash: Mapping[str, int], **more: Any) -> engine.Game:
    """The game at the beginning of a merger round with these companies."""
    london = situation(*rows, players=" ".join(players), cash=cash, round="MR 3.1", **more)
    london.frames(MergerRound())
    setup = engine.Setup(players, seed="situation", priority=players[0])
    return engine.Game.resume(london.title, setup, (), london.state)


def major(
    company: str, price: int, players: tuple[str, ...], parents: list[CompanyId], chance: random.Random, more: Any
) -> Tube:
    """Its president, a player or a company, has most; others have less or as much. There are shorts, and a pool."""
    leader = chance.choice((*players, *players, *parents))
    most = chance.randint(2, 4)
    held, left = {str(leader): most}, 10 - most
    for who in chance.sample([*players, *map(str, parents)], len(players) + len(parents)):
        if who != leader and chance.random() < 0.6 and left > 0:
            held[who] = min(left, chance.randint(1, most))
            left -= held[who]
    shorts = {p: chance.randint(1, 2) for p in players if p not in held and chance.random() < 0.6}
    pool = min(left + sum(shorts.values()), chance.randint(0, 3))
    return tube(company, held, price, pool=pool, shorts=shorts, **more)


def taken_up(game: engine.Game) -> Referee:
    """A referee who takes the game up where it stands."""
    referee = Referee("1863", game.title.edition, game.setup.players)
    told = engine.told(game.title, game.state)
    found = referee.bench.books
    assert isinstance(found, TubeBooks)
    found.phase, found.priority = told["phase"], told["priority"]
    kind, _, number = told["round"].partition(" ")
    set_, _, of = number.partition(".")
    found.round = (kind, int(set_), int(of or 0))
    found.cash.clear()
    found.cash.update(told["cash"])
    for key in list(found.paper):
        del found.paper[key]
    for place, companies in told["certificates"].items():
        for company, kinds in companies.items():
            for certificate, count in kinds.items():
                found.paper[place, company, certificate] = count
    found.privates = {p: o for p, o in told["privates"].items() if o is not None}
    for company, now in told["companies"].items():
        found.status[company] = now["status"]
        if now["status"] == "open":
            found.trains[company] = list(now["trains"])
            found.loans[company] = now["loans"]
            found.last_run[company] = now["last run"] or 0
            if now["operated"]:
                found.operated.add(company)
    for company, at in told["prices"].items():
        row, column = at["space on the chart"]
        found.cells[company] = (row - 1, column - 1)
        found.since[company] = len(at["markers above"]) - len(told["prices"])  # before all that move from now on
    found.new = {card: told["new trains"].get(card, 0) for card in found.new}
    for hex, cities in told["markers"].items():
        found.markers[hex] = [c for city in cities for c in city]
    auction = told["steps"].get("auction")
    for subject in referee.subjects:
        if auction is not None and isinstance(subject, Auctions):  # who could not bid has left it already
            subject.item, subject.line = auction["item"], list(auction["still bidding"])
    referee.asks = told["asked"]
    referee.bench.questions = tuple((ask["player"], ask["what"]) for ask in told["asked"])
    return referee


@dataclass(frozen=True, slots=True)
class Judged:
    """Findings and checks of the referee in one merger round, and the number of orders given."""

    deviations: list[Deviation]
    checked: Counter[str]
    orders: int


def judged(seed: int) -> Judged:
    """The merger round of a seed under the referee."""
    game, chance = position(seed), random.Random(f"orders {seed}")
    referee, given = taken_up(game), 0
    found: list[Deviation] = []
    while not game.finished and game.state.round == Round("MR", 3, 1) and given < MOST_ORDERS:
        ask = chance.choice(game.asked())
        told = engine.told(game.title, game.state)
        if chance.random() < GIVEN:
            found += beside(game.fork(), gift(game.setup.players, told, chance), referee)
        if chance.random() < TRIED:
            found += beside(game.fork(), unasked(game, ask.actor, chance), referee)
        order = chosen(game.legal(ask.actor), chance)
        events = game.submit(order)
        assert not isinstance(events, engine.Refused), f"{order}: {events}"
        referee.follow(order, events, engine.told(game.title, game.state))
        given += 1
    return Judged(found + referee.deviations, referee.bench.checked, given)


def unasked(game: engine.Game, actor: Actor, chance: random.Random) -> od.Order:
    """A merger or conversion of any companies, or a bid: what is accepted against the rules is seen."""
    companies = [company for company, now in game.state.companies.items() if now.status == "open"]
    one, other = chance.choice(companies), chance.choice(companies)
    return chance.choice(
        (
            od.Merge(chance.choice((actor, one)), (other,), chance.choice((one, other))),  # type: ignore[arg-type]
            od.Convert(one, one, chance.randint(0, 4)),
            od.Bid(one, chance.choice((0, 5, 20, 100, 400))),
            od.HalfShort(game.state.players[0], chance.random() < EAGER),
            od.Exchange(chance.choice((actor, one)), chance.choice(("share", "cash"))),
        )
    )


def chosen(choices: Sequence[Choice], chance: random.Random) -> od.Order:
    """Mostly what is sought; otherwise anything."""
    sought = [choice for choice in choices if isinstance(choice.order, SOUGHT)]
    found = chance.choice(sought if sought and chance.random() < EAGER else list(choices))
    if isinstance(found, Exact):
        return found.order
    return found.sample(chance.randrange(min(4, (found.high - found.low) // found.step + 1)))
