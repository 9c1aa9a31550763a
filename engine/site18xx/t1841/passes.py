"""Players for whom our game passes because they can do nothing, but whom 18xx.games asks.

In an auction the site asks everybody who had more money than the opening bid until he passes. In a stock round it looks
at the certificates that each company in play holds, whether they are its own or another's, as if they were for sale. It
also asks for a start where there is no company with a home to start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.core.events import CertificatesMoved, Dropped, Event, Opened, Passed, Won
from engine.core.evolve import evolve
from engine.core.ids import TREASURY, Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import count
from engine.site18xx.certificates import Books
from engine.steps.auction import Auction
from engine.titles.t1841.auction.concessions import OpenAuctions
from engine.titles.t1841.names import FREE_START_PHASE, HISTORICAL
from engine.titles.t1841.stock.frame import StockRound
from engine.titles.t1841.stock.limits import check_certificates, check_sixty
from engine.titles.t1841.stock.market import start_prices

DIRECTORS_SHARES: Final = 2


@dataclass(slots=True)
class Asked:
    """Follows the game. ``_opened``: the bid that opened the auction at hand; 0 in a contest of equal bids.
    ``_arrived``: for each company, the others whose shares it has had, in the order in which it first had some."""

    title: Title
    _opened: int = 0
    _arrived: dict[str, list[CompanyId]] = field(default_factory=dict)

    def after(self, before: State, events: Iterable[Event], books: Books) -> Iterator[PlayerId]:
        """The players whom the site asks during ``events``, which follow the position ``before``. ``books``: the
        certificates after them."""
        state = before
        for event in events:
            match event:
                case Opened(amount=amount):
                    self._opened = amount
                case Won():
                    self._opened = 0
                case CertificatesMoved(target=target, company=company):
                    had = self._arrived.setdefault(target, [])
                    had.extend([company] if company not in had else [])
                case Dropped(player=player, forced=True) if isinstance(state.top, Auction):
                    if state.money(player) > self._opened:
                        yield player
                case Passed(actor=actor, forced=True) if isinstance(state.top, OpenAuctions):
                    yield PlayerId(actor)
                case Passed(actor=actor, forced=True) if isinstance(state.top, StockRound):
                    player = PlayerId(actor)
                    if self.could_buy(state, state.top, player) or takes_for_startable(
                        self.title, state, player, books
                    ):
                        yield player
            state = evolve(self.title, state, event)

    def could_buy(self, state: State, frame: StockRound, player: PlayerId) -> bool:
        """True if the site takes the smallest certificate that some company holds for one that the player may buy."""
        for company, now in state.companies.items():
            held = self._held(state, company) if now.status == "open" else []
            if not held or (player, held[0][1]) in frame.sold:
                continue
            number, of = min(held, key=lambda each: self._percent(state, each))
            enough = state.money(player) >= number * self.title.price(state, of)
            limits = [
                *check_certificates(self.title, state, player),
                *check_sixty(self.title, state, player, of, number),
            ]
            if enough and not limits:
                return True
        return False

    def _held(self, state: State, company: CompanyId) -> list[tuple[int, CompanyId]]:
        """The certificates that a company holds: shares and company, its own first."""
        others: Sequence[CompanyId] = self._arrived.get(company, ())
        places = [(TREASURY, company), *((company, of) for of in others if of != company)]
        found = []
        for place, of in places:
            if state.companies[of].status == "open":
                kinds = charter_of(self.title, state, of).certificates.items()
                found += [(kind.shares, of) for name, (kind, _) in kinds if count(state, place, of, name)]
        return found

    def _percent(self, state: State, certificate: tuple[int, CompanyId]) -> int:
        number, of = certificate
        kinds = [kind for kind, _ in charter_of(self.title, state, of).certificates.values()]
        return next(kind.percent for kind in kinds if kind.shares == number)


def takes_for_startable(title: Title, state: State, actor: Actor, books: Books) -> bool:
    """True if the site takes a company for one that the actor may start, for the lowest price of the certificate that
    is the first in its treasury. It never looks for a home, and takes closed historical companies for such, too."""
    closed = [c for c in HISTORICAL if c in state.companies and state.companies[c].status == "closed"]
    shares = [books.worth(c, own[0]) for c in closed if (own := books.lying(c, title.unsold))]
    if title.reached(state, FREE_START_PHASE):  # it has a major of its own, which is in no game
        shares.append(DIRECTORS_SHARES)
    lowest = min(min(start_prices(title, company)) for company in title.companies)
    enough = bool(shares) and state.money(actor) >= min(shares) * lowest
    return enough and not any(check_certificates(title, state, actor))
