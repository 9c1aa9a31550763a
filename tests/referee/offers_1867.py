"""1867: who is offered shares of a new public company, in which sequence, and how many."""

from __future__ import annotations

from engine.core import events as ev
from tests.referee.bench import Bench, Subject
from tests.referee.state import TREASURY


class Offers(Subject):
    """14.15, 14.16: the owner of the minor that operated first, then to the left: each holder may buy any number; then
    everybody one share, from the director of that moment."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company: str | None = None
        self.queue: list[str] = []
        self.everybody = False
        """True in the second stage."""
        self.director = ""
        self.last = ""
        """The player who has ended the first stage; nobody when somebody has decided after him."""

    def from_seat(self, player: str) -> list[str]:
        seats = self.books.players
        at = seats.index(player)
        return [*seats[at:], *seats[:at]]

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Formed(minors, company, _, director) if director is not None:
                self.over()
                self.company, self.everybody, self.director, self.last = company, False, director, ""
                first = self.bench.before.director(min(minors, key=self.bench.before.rank))
                holders = [p for p in self.from_seat(first or director) if self.books.shares(p, company)]
                self.queue = holders
            case ev.Restored():
                self.company, self.queue = None, []
            case ev.RoundBegan() | ev.Passed() if self.company is not None and not self.asked(event):
                self.over()
            case ev.Passed(player) if self.company is not None:
                self.answers(player, 0, event.forced)
            case ev.Bought(player, company, count) if self.company is not None:
                self.bench.same("1867 14.15, 14.16 offers", "shares on offer", company, self.company)
                self.answers(player, count)
            case _:
                pass

    def asked(self, event: ev.Event) -> bool:
        return isinstance(event, ev.Passed) and event.actor in self.books.players

    def answers(self, player: str, count: int, forced: bool = False) -> None:
        rule, company = "1867 14.15, 14.16 offers", self.company
        if not self.queue and not self.everybody and company is not None:
            self.everybody = True
            self.queue = self.from_seat(self.books.director(company) or self.director)
        if player != self.last:
            self.spare()
        if not self.bench.check(rule, bool(self.queue), f"{player} is asked for {company}, and all were"):
            return
        self.bench.same(rule, f"who is asked for {company}", player, self.queue.pop(0))
        if not forced:
            self.last = "" if self.everybody else player
        self.bench.check(rule, count <= 1 or not self.everybody, f"{player} buys {count} of {company} at once")

    def spare(self) -> None:
        """A player who ended the first stage and would now be asked first is not asked again."""
        if self.everybody and self.queue and self.queue[0] == self.last:
            self.queue.pop(0)

    def over(self) -> None:
        """All were asked, or nothing was left for the others."""
        company = self.company
        if company is not None and self.books.status[company] == "open":
            self.spare()
            done = self.everybody and not self.queue
            left = self.books.shares(TREASURY, company)
            self.bench.check(
                "1867 14.15, 14.16 offers", done or not left, f"{left} of {company} are not offered to {self.queue}"
            )
        self.company, self.queue = None, []
