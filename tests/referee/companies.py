"""1841: the books of companies that own companies. Who owns one, who controls it through others, who is frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import events as ev
from tests.referee.state import POOL, TREASURY, Books
from tests.referee.tables import Tables


class ChainBooks(Books):
    """Books in which a company may hold shares of another."""

    def __init__(self, tables: Tables, players: tuple[str, ...]) -> None:
        super().__init__(tables, players)
        self.tokens: dict[str, int] = {}
        """Company -> station markers that it has in all."""
        self.history: set[str] = set()
        """Companies that have performed an operating round."""
        self.resigned: set[str] = set()

    def copy(self) -> ChainBooks:
        other = super().copy()
        assert isinstance(other, ChainBooks)
        other.tokens, other.history, other.resigned = dict(self.tokens), set(self.history), set(self.resigned)
        return other

    def enter(self, event: ev.Event) -> None:
        super().enter(event)
        match event:
            case ev.PriceSet(company):
                self._moves += 1  # room for one between two: see below
                self.since[company] = self._moves
                if event.reason == "secession":
                    # Clarification 1.17: the place of the IRSFF in its pile, SFV above SFL; elsewhere the bottom.
                    first = company == "SFV"
                    if "IRSFF" in self.since and event.old == event.price:
                        self.since[company] = self.since["IRSFF"] - int(first)
            case ev.Chartered(company, charter):
                self.tokens.pop(company, None)
                if charter is not None:
                    self.tokens[company] = charter.markers
            case ev.TurnEnded(company) if self.status[company] == "open":
                self.history.add(company)
            case ev.CompanyOpened(company) | ev.CompanyLeft(company):
                self.history.discard(company)
            case ev.Resigned(player):
                self.resigned.add(player)
            case _:
                pass

    # ---- control ----------------------------------------------------------------------------------------------------

    def owner(self, company: str) -> str | None:
        """Where its president's certificate lies: a player, a company or the pool; None while it is unsold."""
        places = (p for (p, c, kind), n in self.paper.items() if n and (c, kind) == (company, "director"))
        return next((p for p in places if p != TREASURY), None)

    def chain(self, company: str) -> list[str]:
        """Its owner, the owner's owner, and so on, to a player, the pool, or where it runs in a circle."""
        found: list[str] = []
        at: str | None = company
        while at in self.tables.kinds:
            assert at is not None
            at = self.owner(at)
            if at is None or at in found:
                break
            found.append(at)
        return found

    def controller(self, company: str) -> str | None:
        chain = self.chain(company)
        return chain[-1] if chain and chain[-1] in self.players else None

    def circle(self, company: str) -> bool:
        return company in self.chain(company)

    def frozen(self, company: str) -> bool:
        return self.status[company] == "open" and self.controller(company) is None

    def companies(self) -> list[str]:
        """Companies in play, in operating order."""
        return [c for c in self.open("minor", "major") if c in self.cells]

    def tree(self, player: str) -> list[str]:
        """A player and the companies that he controls, most expensive first."""
        return [player, *(c for c in self.companies() if self.controller(c) == player)]

    def chained(self, player: str, company: str) -> int:
        """Shares of a company that a player controls in all."""
        return sum(self.shares(place, company) for place in self.tree(player))

    def tenths(self, company: str) -> int:
        """Tenths of the company in one share."""
        return 10 // self.tables.size(company)

    def holders(self, company: str) -> dict[str, int]:
        """Players and companies with shares of it."""
        found = {p: self.shares(p, company) for p, c, _ in self.paper if c == company and p not in (POOL, TREASURY)}
        return {p: n for p, n in found.items() if n}

    def from_seat(self, player: str) -> list[str]:
        at = self.players.index(player)
        return [*self.players[at:], *self.players[:at]]

    def deciders(self, first: str) -> list[str]:
        """Clarifications 1.18, 2.27: each player from the first on, himself and then his companies, most expensive
        first; the pool; frozen companies in running order."""
        found = [who for player in self.from_seat(first) for who in self.tree(player)]
        return [*found, POOL, *(c for c in self.companies() if self.frozen(c))]

    def certificates(self, place: str) -> int:
        return sum(n for (p, _, _), n in self.paper.items() if p == place)

    def _sides(self, told: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        yield from super()._sides(told)
        mine = sorted(c for c in self.history if self.status[c] == "open")
        yield "have operated", mine, sorted(told["remembered"]["have operated"])
        for company, now in told["companies"].items():
            if now["status"] == "open":
                yield f"who acts for {company}", self.controller(company), now["director"]
