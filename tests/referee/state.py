"""The referee's own books: money, paper, prices, trains, markers. Events are entered in them; nothing is worked out by
the engine. After each order they must agree with what the engine tells of the position."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import events as ev
from tests.referee.tables import Cell, Tables

BANK, POOL, TREASURY, IPO = "Bank", "Pool", "Treasury", "IPO"


class Books:
    """One position as the referee has it. ``players`` are in order of play."""

    def __init__(self, tables: Tables, players: tuple[str, ...]) -> None:
        self.tables = tables
        self.players = players
        self.priority = players[0]
        self.round = ("", 0, 0)
        self.phase = next(iter(tables.palette))
        each = tables.capital[len(players)]
        self.cash: Counter[str] = Counter(dict.fromkeys(players, each))
        self.cash[BANK] = tables.bank - each * len(players)
        unsold = IPO if tables.title == "1844" else TREASURY
        self.paper: Counter[tuple[str, str, str]] = Counter()
        """Place, company, kind of certificate -> number."""
        for company, kind in tables.kinds.items():
            for certificate, (_, number) in tables.units[kind].items():
                self.paper[unsold, company, certificate] = number
        self.privates: dict[str, str | None] = {}
        self.closed: set[str] = set()
        """Privates that have left the game."""
        self.status: dict[str, str] = dict.fromkeys(tables.kinds, "unstarted")
        self.operated: set[str] = set()
        self.par: dict[str, int] = {}
        self.loans: Counter[str] = Counter()
        self.debts: Counter[tuple[str, str]] = Counter()
        self.cells: dict[str, Cell] = {}
        self.since: dict[str, int] = {}
        """When a company's price marker came to its space: the earlier lies higher."""
        self._moves = 0
        self.trains: dict[str, list[str]] = defaultdict(list)
        self.pool: list[str] = []
        self.new: dict[str, int | None] = {
            name: train.stock for name, train in tables.trains.items() if train.card == name
        }
        self.markers: dict[str, list[str]] = defaultdict(list)
        """Hex -> companies with a marker there."""
        self.laid: dict[str, str] = {}
        """Hex -> tile on it."""

    # ---- what can be asked -----------------------------------------------------------------------------------------

    def price(self, company: str) -> int:
        return self.tables.chart.prices[self.cells[company]]

    def shares(self, place: str, company: str) -> int:
        units = self.tables.units[self.tables.kinds[company]]
        return sum(self.paper[place, company, kind] * each for kind, (each, _) in units.items())

    def holdings(self, company: str) -> dict[str, int]:
        """Players with shares of it, in order of play."""
        return {p: n for p in self.players if (n := self.shares(p, company))}

    def director(self, company: str) -> str | None:
        kinds = ("director", "minor")
        return next((p for p in self.players for k in kinds if self.paper[p, company, k]), None)

    def open(self, *kinds: str) -> list[str]:
        """Companies in play, of these kinds, in operating order."""
        found = [c for c, s in self.status.items() if s == "open" and self.tables.kinds[c] in kinds]
        return sorted(found, key=self.rank)

    def rank(self, company: str) -> tuple[int, int, int]:
        """v2.0 §10; 1844 p. 9: highest price first; then furthest to the right; then the marker on top."""
        if company not in self.cells:
            return (0, 0, 0)
        return (-self.price(company), -self.cells[company][1], self.since[company])

    def hexes(self, company: str) -> list[str]:
        """Where the company's markers stand."""
        return [hex for hex, there in self.markers.items() for c in there if c == company]

    def next_new(self) -> str | None:
        """The new train that the bank sells now: the first type of which any is left."""
        ordinary = [t for t in self.new if t not in ("5+5E", "2+2", "SBB5H")]
        return next((t for t in ordinary if self.new[t] is None or (self.new[t] or 0) > 0), None)

    def trains_everywhere(self) -> Iterator[str]:
        yield from self.pool
        for trains in self.trains.values():
            yield from trains

    def copy(self) -> Books:
        other = copy.copy(self)
        for name in (
            "cash", "paper", "privates", "closed", "status", "operated", "par", "loans", "debts", "cells", "since",
            "pool", "new", "laid",
        ):  # fmt: skip
            setattr(other, name, copy.copy(getattr(self, name)))
        other.trains = defaultdict(list, {c: list(t) for c, t in self.trains.items()})
        other.markers = defaultdict(list, {h: list(t) for h, t in self.markers.items()})
        return other

    # ---- what happens ----------------------------------------------------------------------------------------------

    def enter(self, event: ev.Event) -> None:
        match event:
            case ev.Paid(payer, payee, amount):
                self.cash[payer] -= amount
                self.cash[payee] += amount
            case ev.CertificatesMoved(company, kind, count, source, target):
                self.paper[source, company, kind] -= count
                self.paper[target, company, kind] += count
            case ev.CertificatesSet(company, holdings):
                for key in [k for k in self.paper if k[1] == company]:
                    del self.paper[key]
                for place, kind, number in holdings:
                    self.paper[place, company, kind] = number
            case ev.PrivateMoved(private, owner):
                self.privates[private] = owner
            case ev.PrivateClosed(private):
                self.privates.pop(private, None)
                self.closed.add(private)
            case ev.TrainMoved(train, source, target):
                self._train(train, source, target)
            case ev.TrainsRusted(train):
                self.pool = [t for t in self.pool if t != train]
                for trains in self.trains.values():
                    trains[:] = [t for t in trains if t != train]
                if train in self.new:
                    self.new[train] = 0
            case ev.TrainsFlipped(train, into):
                self.pool = [into if t == train else t for t in self.pool]
                for trains in self.trains.values():
                    trains[:] = [into if t == train else t for t in trains]
            case ev.DebtChanged(player, kind, change):
                self.debts[player, kind] += change
            case ev.LoansChanged(company, change):
                self.loans[company] += change
            case ev.CompanyOpened(company):
                self.status[company] = "open"
            case ev.ParSet(company, price):
                self.par[company] = price
            case ev.CompanyLeft(company, closed):
                self.status[company] = "closed" if closed else "unstarted"
                self.operated.discard(company)
                self.par.pop(company, None)
            case ev.PriceSet(company, cell):
                self.cells[company] = cell
                self._moves += 1
                self.since[company] = self._moves
            case ev.PriceRemoved(company):
                self.cells.pop(company, None)
            case ev.TileLaid(_, hex, tile):
                self.laid[hex] = tile
            case ev.MarkerPlaced(company, hex):
                self.markers[hex].append(company)
            case ev.MarkerRemoved(company, hex):
                self.markers[hex].remove(company)
            case ev.MarkerReplaced(old, company, hex):
                self.markers[hex].remove(old)
                self.markers[hex].append(company)
            case ev.Distributed(company):
                self.operated.add(company)
            case ev.PhaseBegan(phase):
                self.phase = phase
            case ev.RoundBegan(round):
                self.round = (round.kind, round.set, round.number)
            case ev.PriorityMoved(player):
                self.priority = player
            case ev.OrderOfPlay(players):
                self.players = players
            case _:
                pass

    def _train(self, train: str, source: str, target: str) -> None:
        if source == BANK:
            card = self.tables.trains[train].card
            left = self.new.get(card)
            if left is not None:
                self.new[card] = left - 1
        elif source == POOL:
            self.pool.remove(train)
        elif source:
            self.trains[source].remove(train)
        if target == POOL:
            self.pool.append(train)
        elif target:
            self.trains[target].append(train)

    # ---- against the engine's own description ----------------------------------------------------------------------

    def differences(self, told: Mapping[str, Any]) -> list[str]:
        """Where these books and the engine's description of the position are not of one mind."""
        return [f"{name}: {mine!r} in the books, {theirs!r} told" for name, mine, theirs in self._sides(told) if mine != theirs]  # fmt: skip  # noqa: E501

    def _sides(self, told: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        yield "phase", self.phase, told["phase"]
        yield "order of play", list(self.players), told["order of play"]
        yield "priority", self.priority, told["priority"]
        yield "cash", {o: n for o, n in self.cash.items() if n}, {o: n for o, n in told["cash"].items() if n}
        debts = {(p, k): n for p, kinds in told["debts"].items() for k, n in kinds.items()}
        yield "debts", {key: n for key, n in self.debts.items() if n}, debts
        paper = {
            (place, company, kind): n
            for place, companies in told["certificates"].items()
            for company, kinds in companies.items()
            for kind, n in kinds.items()
        }
        yield "certificates", {key: n for key, n in self.paper.items() if n}, paper
        owned = {p: o for p, o in told["privates"].items() if o is not None}
        yield "privates", {p: o for p, o in self.privates.items() if o is not None}, owned
        cells = {
            c: (row - 1, column - 1) for c, at in told["prices"].items() for row, column in [at["space on the chart"]]
        }
        yield "price markers", self.cells, cells
        yield "prices", {c: self.price(c) for c in self.cells}, {c: at["price"] for c, at in told["prices"].items()}
        above = {c: sorted(o for o in self.cells if self.cells[o] == at and self.since[o] < self.since[c]) for c, at in self.cells.items()}  # fmt: skip  # noqa: E501
        yield "stacks", above, {c: at["markers above"] for c, at in told["prices"].items()}
        for company, now in told["companies"].items():
            yield f"status of {company}", self.status[company], now["status"]
            if now["status"] == "open":
                yield f"trains of {company}", sorted(self.trains[company]), now["trains"]
                yield f"loans of {company}", self.loans[company], now["loans"]
                yield f"par of {company}", self.par.get(company), now["par"]
                yield f"{company} has operated", company in self.operated, now["operated"]
        yield "trains in the pool", sorted(self.pool), told["trains in the pool"]
        stocked = {t: n for t, n in self.new.items() if n}
        yield (
            "new trains",
            stocked,
            {t: n for t, n in told["new trains"].items() if n and self.new.get(t, 0) is not None},
        )
        standing = {h: sorted(c for city in cities for c in city) for h, cities in told["markers"].items()}
        yield "markers", {h: sorted(there) for h, there in self.markers.items() if there}, standing
