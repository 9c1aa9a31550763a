"""1863: payments between players, at any time (3.f), and whose cash a bid or a debt binds."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench
from tests.referee.books_1863 import TubeSubject

TURNS = frozenset(
    {
        "company.dividend", "company.turn", "lptb.offer", "merger.turn", "privates.open", "stock.turn",
        "stock.turn.for",
    }
)  # fmt: skip
"""Questions that are the course of a round. All others interrupt it: who is asked has something to settle first."""


class Gifts(TubeSubject):
    """Section 3.f with ruling 2.6: whoever has the highest bid, owes or is asked gives nothing away until it is over;
    all others give, and everybody receives."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.leader: str | None = None
        """The player or company with the highest bid of the auction that is running."""

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Opened(actor) if self.books.round[0] != "MR":
                self.leader = actor
            case ev.BidMade(actor):
                self.leader = actor
            case ev.Won() | ev.RoundBegan():
                self.leader = None
            case ev.Paid(payer, payee, amount, "gift"):
                self.given(payer, payee, amount)
            case _:
                pass

    def given(self, payer: str, payee: str, amount: int) -> None:
        order, rule = self.bench.order, "1863 §3.f payments"
        ordered = isinstance(order, od.PayPlayer) and (order.actor, order.payee, order.amount) == (payer, payee, amount)
        self.bench.check(rule, ordered, f"{payer} pays {payee} {amount}: {order}")
        self.bench.check(
            rule, self.legal(payer, payee, amount), f"{payer} gives {payee} {amount}: {self.bench.questions}"
        )

    def bound(self, player: str) -> bool:
        """His own cash is not his to give away: a bid, a debt or a question waits for it."""
        return player == self.leader or any(who == player and what not in TURNS for who, what in self.bench.questions)

    def legal(self, payer: str, payee: str, amount: int) -> bool:
        """True if ``payer`` may give that now."""
        books = self.books
        there = {payer, payee} <= set(books.players) - books.out and payer != payee
        return there and 0 < amount <= books.cash[payer] and not self.bound(payer)

    def refused(self, order: od.Order) -> None:
        """A payment is refused: 3.f and the ruling must have a reason for it."""
        if isinstance(order, od.PayPlayer):
            legal = self.legal(order.actor, order.payee, order.amount)
            self.bench.check("1863 §3.f payments", not legal, f"{order} is refused: {self.bench.questions}")
