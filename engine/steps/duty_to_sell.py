"""A duty to sell shares, for certificates over a limit or for money owed: it goes as far as legal sales allow.

Where a company is sold once in a turn, a sale that is too small would end the duty before its time. So a sale is
weighed by what the others could still bring. Companies do not touch each other in this: what is sold of one changes
neither holdings, nor room in the pool, nor prices of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.core.checks import Fact, Failure
from engine.core.ids import CompanyId
from engine.core.orders import Sell
from engine.core.state import State

Lack = Callable[[State], int]
"""Certificates too many, or money that is missing, in a position; zero or less once the duty is fulfilled."""
After = Callable[[State, Sell], State]
"""The position that a legal sale leads to."""


@dataclass(frozen=True, slots=True)
class Duty:
    """``lack`` is what the player owes now, ``best`` how much of it the best sale of each company takes away."""

    lack: int
    best: Mapping[CompanyId, int]

    @property
    def binds(self) -> bool:
        """True if the player owes anything that a sale would take away."""
        return self.lack > 0 and any(self.best.values())

    @property
    def most(self) -> int:
        """As much of what he owes as legal sales can take away."""
        return min(max(0, self.lack), sum(self.best.values()))

    def kept(self, company: CompanyId, relief: int) -> bool:
        """True if after a sale of the company that takes away ``relief`` the others can do what is left of ``most``."""
        rest = sum(most for other, most in self.best.items() if other != company)
        return relief + rest >= self.most


def duty_of(lack: Lack, after: After, state: State, sales: Callable[[], Iterable[Sell]]) -> Duty:
    """The duty in a position. ``sales``: every legal sale of the player in this turn, each number of shares once;
    looked at only where he owes anything."""
    owed = lack(state)
    best: dict[CompanyId, int] = {}
    if owed > 0:
        for order in sales():
            relief = owed - lack(after(state, order))
            best[order.company] = max(best.get(order.company, 0), relief)
    return Duty(owed, best)


def check_enough(
    lack: Lack, after: After, state: State, sales: Callable[[], Iterable[Sell]], order: Sell, unit: str
) -> list[Failure]:
    """Why a legal sale of a company that can be sold once in a turn is too small: ``sell.too_few`` with the least
    number that would do and what has to go in all, in ``unit`` (``certificates`` or ``money``)."""
    duty = duty_of(lack, after, state, sales)
    if not duty.binds or duty.kept(order.company, duty.lack - lack(after(state, order))):
        return []
    enough = (
        other.count
        for other in sales()
        if other.company == order.company and duty.kept(order.company, duty.lack - lack(after(state, other)))
    )
    facts: dict[str, Fact] = {
        "company": order.company,
        "count": order.count,
        "least": min(enough),
        "lack": duty.lack,
        "unit": unit,
    }
    return [Failure("sell.too_few", facts)]
