"""The one place where rules meet a position: checks are noted, events emitted, and the position moves with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.core.checks import Fact, Failure
from engine.core.events import BankBroke, Became, Event, LotDrawn, Paid, Popped, Pushed, Reason
from engine.core.evolve import evolve
from engine.core.ids import BANK, Owner
from engine.core.state import Frame, State
from engine.core.title import Title

T = TypeVar("T", bound=str)


class Play:
    """A decision in the making: local to one call, so that the rules around it stay pure."""

    __slots__ = ("events", "failures", "state", "title")

    def __init__(self, title: Title, state: State) -> None:
        self.title = title
        self.state = state
        self.events: list[Event] = []
        self.failures: list[Failure] = []

    def require(self, holds: bool, check: str, **facts: Fact) -> bool:
        """Note the failure of ``check`` unless it holds; answers whether it did."""
        if not holds:
            self.failures.append(Failure(check, facts))
        return holds

    def refuse(self, check: str, **facts: Fact) -> None:
        self.failures.append(Failure(check, facts))

    def note(self, failures: Iterable[Failure]) -> None:
        self.failures.extend(failures)

    def emit(self, *events: Event) -> None:
        """Move the position. A decision with failed checks may not get here."""
        assert not self.failures, self.failures
        for event in events:
            self.events.append(event)
            self.state = evolve(self.title, self.state, event)

    def pay(self, payer: Owner, payee: Owner, amount: int, reason: Reason, about: str = "") -> None:
        """Move money, if it is any. A bank that cannot pay in full, or by a ruling has paid its last, is broken and
        goes on with IOUs."""
        if amount == 0:
            return
        self.emit(Paid(payer, payee, amount, reason, about))
        if payer == BANK and self.state.broke is None:
            left = self.state.cash[BANK]
            if left < 0 or (left == 0 and self.title.broke_at_zero):
                self.emit(BankBroke())

    def push(self, frame: Frame) -> None:
        self.emit(Pushed(frame))

    def pop(self) -> None:
        self.emit(Popped())

    def become(self, frame: Frame) -> None:
        """Replace the frame on top."""
        self.emit(Became(frame))

    def draw(self, purpose: str, candidates: Sequence[T]) -> T:
        """Draw one by lot. The lot follows from the game's seed, its number and its purpose, so that everyone can
        verify it once the seed is published."""
        if len(candidates) == 1:
            return candidates[0]
        chosen = lot(self.state.seed.reveal(), self.state.lots, purpose, candidates)
        self.emit(LotDrawn(purpose, tuple(candidates), chosen))
        return chosen


def lot(seed: str, number: int, purpose: str, candidates: Sequence[T]) -> T:
    """Lot ``number`` of a game: SHA-256 of seed, number and purpose, taken modulo the number of candidates."""
    digest = hashlib.sha256(f"{seed}/{number}/{purpose}".encode()).digest()
    return candidates[int.from_bytes(digest[:8], "big") % len(candidates)]
