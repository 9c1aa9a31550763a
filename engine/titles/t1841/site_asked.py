"""Players for whom our game passes because they can do nothing, but whom 18xx.games asks.

In an auction the site asks everybody who had more money than the opening bid until he passes. In a stock round it looks
at the certificates that each company in play holds, whether they are its own or another's, as if they were for sale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.core.events import CertificatesMoved, Dropped, Event, Opened, Passed, Won
from engine.core.evolve import evolve
from engine.core.ids import TREASURY, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.holders.control import count
from engine.steps.auction import Auction
from engine.titles.t1841.concessions import OpenAuctions
from engine.titles.t1841.limits import check_certificates, check_sixty
from engine.titles.t1841.stock_round import StockRound


@dataclass(slots=True)
class Asked:
    """Follows the game. ``_opened``: the bid that opened the auction at hand; 0 in a contest of equal bids.
    ``_arrived``: for each company, the others whose shares it has had, in the order in which it first had some."""

    title: Title
    _opened: int = 0
    _arrived: dict[str, list[CompanyId]] = field(default_factory=dict)

    def after(self, before: State, events: Iterable[Event]) -> Iterator[PlayerId]:
        """The players whom the site asks during ``events``, which follow the position ``before``."""
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
                    if self.could_buy(state, state.top, PlayerId(actor)):
                        yield PlayerId(actor)
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
