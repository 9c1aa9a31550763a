"""1867: the course of the game, whose turn it is in a stock round, and the questions to public companies."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench, Subject
from tests.referee.rounds import Rounds
from tests.referee.state import BANK


class Course(Rounds):
    """6.1, 12.1, 14.1, 15.1 to 15.8."""

    def state_railway_operates(self) -> bool:
        return False

    def broken(self) -> bool:
        """15.5: a payment in excess of what is there."""
        return self.books.cash[BANK] < 0

    def final_set(self, bought_in: int, k_bought: int) -> int:
        """15.1: the set goes on; a stock round and three operating rounds follow."""
        return bought_in + 1


class Seats(Subject):
    """2.6, 3.1, 4.9: the turn goes to the left, after an auction to the left of the winner."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.turn: str | None = None
        """Whose turn it is in a stock round."""
        self.opener: str | None = None
        self.high: str | None = None
        """In an auction: who must raise or drop next comes after this player."""
        self.out: set[str] = set()
        self.declined: list[str] = []
        """The players who have passed in a row."""

    def left_of(self, player: str) -> str:
        seats = self.books.players
        return seats[(seats.index(player) + 1) % len(seats)]

    def begin(self) -> None:
        order, rule = self.bench.order, "1867 3.1 turn"
        if self.books.round[0] == "SR" and self.turn is not None and self.opener is None:
            acts = isinstance(order, od.Open | od.Pass | od.Sell | od.Buy | od.Start | od.Bid)
            if acts and order is not None:
                self.bench.same(rule, f"who gives {type(order).__name__}", order.actor, self.turn)

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Opened(player, item):
                self.opener, self.high, self.out = player, player, set()
                self.declined = []
            case ev.BidMade(player, item) if self.opener is not None:
                self.bids(player, item)
            case ev.Dropped(player, item) if self.opener is not None:
                self.bids(player, item)
                self.out.add(player)
            case ev.Won(player, item):
                self.wins(player, item)
            case ev.Passed(player) if self.books.round[0] == "SR" and player in self.books.players:
                self.bench.same("1867 3.1 turn", "who passes", player, self.turn)
                self.declined.append(player)
                self.turn = self.left_of(player)
            case ev.Bought(player) if self.books.round[0] == "SR":
                self.acted(player)
            case ev.DirectorChanged(_, player) if isinstance(self.bench.order, od.Start):
                self.acted(player)
            case ev.RoundBegan(round):
                self.turn = self.books.priority if round.kind == "SR" else None
                self.declined = []
            case ev.MinimumReduced():
                self.declined = []
            case _:
                pass

    def acted(self, player: str) -> None:
        self.turn, self.declined = self.left_of(player), []

    def bids(self, player: str, item: str) -> None:
        """2.4: bidding goes to the left; who has passed after the first bid is out."""
        rule = "1867 2.4 bidding"
        assert self.high is not None
        due = self.left_of(self.high)
        while due in self.out and due != self.high:
            due = self.left_of(due)
        self.bench.same(rule, f"who bids for {item} or drops", player, due)
        self.high = player

    def wins(self, player: str, item: str) -> None:
        if self.opener is not None:
            others = set(self.books.players) - {player}
            self.bench.same("1867 2.4 bidding", f"who has dropped for {item}", self.out, others)
        elif len(self.declined) == len(self.books.players):
            self.bench.same("1867 2.8 for nothing", f"who gets {item}", player, self.declined[0])
        else:
            self.bench.same("1867 2.7 Dutch sale", f"who takes {item}", player, self.turn)
        self.turn, self.opener, self.high, self.declined = self.left_of(player), None, None, []


class Questions(Subject):
    """13.3, 14.21: a first 4, 6 or 8 asks each public company without a train, in operating order, before trains are
    discarded: of a purchase at once, of an export first of all in the next round."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.due: list[str] = []
        """Companies that are still to be asked."""

    def begin(self) -> None:
        order, rule = self.bench.order, "1867 13.3 questions"
        if isinstance(order, od.Nationalise):
            if self.bench.check(rule, bool(self.due), f"{order.actor} is asked for no reason"):
                self.bench.same(rule, "who is asked", order.actor, self.due.pop(0))
        elif order is not None:
            self.bench.check(rule, not self.due, f"{self.due} are not asked before {type(order).__name__}")
            self.due = []

    def see(self, event: ev.Event) -> None:
        if isinstance(event, ev.TurnBegan):
            self.bench.check(
                "1867 13.3 questions", not self.due, f"{self.due} are not asked before {event.company}'s turn"
            )
        if isinstance(event, ev.PhaseBegan) and event.phase in ("4", "6", "8"):
            books, gone = self.books, self.tables.gone[event.phase]
            without = [c for c in books.open("public") if all(t in gone for t in books.trains[c])]
            self.due = [c for c in without if c in books.operated]
            self.bench.checked["1867 13.3 questions of a purchase" if books.round[0] == "OR" and self.bought() else "1867 13.3 questions of an export"] += bool(self.due)  # fmt: skip  # noqa: E501

    def bought(self) -> bool:
        return not any(isinstance(e, ev.TrainMoved) and (e.source, e.target) == (BANK, "") for e in self.bench.events)
