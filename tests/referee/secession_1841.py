"""1841: what the first 4-train does: concessions, the Secession, presidencies."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from tests.referee import tables_1841
from tests.referee.bench import Bench
from tests.referee.chain_subject import ChainSubject
from tests.referee.companies import ChainBooks
from tests.referee.state import BANK, POOL
from tests.referee.tables import Cell

OLD, PARTS = "IRSFF", ("SFV", "SFL")


class Secession(ChainSubject):
    """Sheet 1.9, steps 2 and 4."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.then: ChainBooks | None = None
        self.shares: Counter[str] = Counter()
        self.money: Counter[str] = Counter()
        self.sequence: list[tuple[str, str, bool]] = []
        self.cells: dict[str, Cell] = {}
        self.paid: Counter[str] = Counter()

    def see(self, event: ev.Event) -> None:
        bench = self.bench
        match event:
            case ev.CompanyOpened("SFV"):
                self.then = self.books.copy()
                self.shares.clear()
                self.money.clear()
                self.paid.clear()
                self.sequence = []
            case ev.PriceSet(company, cell, _, "secession"):
                self.cells[company] = cell
            case ev.Exchanged(holder, company, shares, director, money) if self.then is not None:
                if company in PARTS or company == OLD:
                    self.shares[holder] += shares
                    self.money[holder] += money
                    self.sequence.append((holder, company, director))
            case ev.Paid(payer, payee, amount, "exchange") if self.then is not None:
                bench.same("1841 §3.3 left over", f"who pays {payee}", payer, BANK)
                self.paid[payee] += amount
            case ev.CompanyLeft("IRSFF", _, "divided") if self.then is not None:
                self.over(self.then)
                self.then = None
            case ev.TurnBegan() | ev.RoundBegan() if self.books.phase not in "23":
                self.after_the_first()
            case ev.CompanyLeft(company, closed, "unused"):
                good = closed and company in tables_1841.HISTORICAL and self.books.status[company] != "open"
                bench.check("1841 §4.6.2 removed", good, f"{company} is taken out")
            case _:
                pass

    def entered(self, event: ev.Event) -> None:
        if isinstance(event, ev.CertificatesMoved) and event.company == OLD and self.then is not None and self.cells:
            self.divided(self.then)
            self.cells = {}

    def after_the_first(self) -> None:
        """Nothing is left to be done: concessions are gone, what could merge has merged, and what did not is out."""
        status = self.books.status
        left = sorted(self.books.privates)
        self.bench.check("1841 §4.6.2 concessions", not left, f"{left} in phase {self.books.phase}")
        ready = [c for c in tables_1841.STARTED if status[c] == "unstarted"]
        self.bench.check("1841 §4.6.2 removed", not ready, f"{ready} could still start")
        waiting = [c for c in (*PARTS, "SFLi") if status[c] == "unstarted"]
        self.bench.check("1841 §4.6.9 formed or out", not waiting, f"{waiting} could still be formed")
        playing = [c for c in tables_1841.TUSCAN if status[c] == "open"]
        self.bench.check("1841 §4.6.9 merge", len(playing) < 2, f"{playing} have not merged")

    def divided(self, then: ChainBooks) -> None:
        """Steps a to c."""
        bench, books = self.bench, self.books
        row, column = then.cells[OLD]
        cell = row, min(column, tables_1841.YELLOW_COLUMN)
        bench.same("1841 §1.17 secession price", "the fragments begin in", self.cells, dict.fromkeys(PARTS, cell))
        cash = then.cash[OLD]
        due = {"SFV": cash - cash // 10, "SFL": cash // 10}
        bench.same("1841 §4.6.8 cash", "money", {c: books.cash[c] for c in PARTS}, due)
        trains = sorted(then.trains[OLD], reverse=True)
        found = {c: sorted(books.trains[c], reverse=True) for c in PARTS}
        bench.same("1841 §4.6.8 trains", "trains", found, {"SFV": trains[::2], "SFL": trains[1::2]})
        paper = sorted(
            ((then.price(c) * (2 if kind == "director" else 1)) for (p, c, kind), n in then.paper.items() if p == OLD
             for _ in range(n)), reverse=True,
        )  # fmt: skip
        now = {
            part: sorted(
                ((books.price(c) * (2 if kind == "director" else 1)) for (p, c, kind), n in books.paper.items()
                 if p == part for _ in range(n)), reverse=True,
            ) for part in PARTS
        }  # fmt: skip
        bench.same("1841 §4.6.8 certificates", "certificates", now, {"SFV": paper[::2], "SFL": paper[1::2]})
        hexes = then.hexes(OLD)
        veneto = [h for h in hexes if h in tables_1841.VENETO]
        others = [h for h in hexes if h not in tables_1841.VENETO]
        for part, places in (("SFV", veneto), ("SFL", others)):
            bench.same(
                "1841 §4.6.8 tokens", f"tokens of {part} on the map", sorted(books.hexes(part)), sorted(places[:2])
            )
            bench.same("1841 §4.6.8 tokens", f"tokens of {part}", books.tokens.get(part), 2)

    def over(self, then: ChainBooks) -> None:
        """Steps d and e: a pair is worth two certificates, a single one; what is left over is paid for."""
        bench, books = self.bench, self.books
        price = then.price(OLD)
        for holder, n in then.holders(OLD).items():
            got, money = self.shares[holder], self.money[holder]
            good = money == (n - got) * price and got <= n
            bench.check("1841 §4.6.8 exchange", good, f"{holder} with {n} gets {got} and {money}")
            bench.same("1841 §3.3 left over", f"money for {holder}", self.paid[holder], money)
        heads = [(holder, part) for holder, part, director in self.sequence if director]
        rule = "1841 §3.3 presidencies"
        pairs = [who for who, n in then.holders(OLD).items() for _ in range(n // 2)]
        owner = then.owner(OLD)
        if owner not in (None, POOL):
            bench.check(rule, bool(heads) and heads[0][0] == owner, f"{owner} chooses first, but {heads}")
            bench.same(rule, f"presidents of the fragments of {pairs}", len(heads), min(2, len(pairs)))
            bench.check(rule, len({part for _, part in heads}) == len(heads), f"{heads}")
            self.order(then, owner or "", heads)
        left = books.paper["Treasury", "SFV", "director"] + books.paper["Treasury", "SFL", "director"]
        bench.same(rule, "presidents' certificates that nobody has", left, 0)

    def order(self, then: ChainBooks, owner: str, heads: list[tuple[str, str]]) -> None:
        """The second pair of all, in decision order, takes the other presidency."""
        player = then.controller(OLD)
        if player is None or len(heads) < 2:
            return
        held = dict(then.holders(OLD))
        held[owner] -= 2
        second = next((who for who in then.deciders(player) if held.get(who, 0) >= 2), None)
        self.bench.same("1841 §3.3 presidencies", "the second presidency", heads[1][0], second)
