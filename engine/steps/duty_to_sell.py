"""A duty to sell shares, because of certificates over a limit or of money owed. It goes as far as legal sales allow.

Where a company's shares can be sold only once in a turn, a sale that is too small could end the duty too early. A sale
is therefore checked against what sales of the other companies could still contribute. Sales of different companies are
taken to be independent: a sale of one changes neither holdings, nor room in the pool, nor prices of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId
from engine.core.orders import Sell
from engine.core.state import State

Lack = Callable[[State], int]
"""The number of certificates over the limit, or the money missing, in a position; zero or less if the duty is
fulfilled."""
After = Callable[[State, Sell], State]
"""The position after a legal sale."""


@dataclass(frozen=True, slots=True)
class Duty:
    """``lack``: the amount that the player owes now. ``best``: for each company, how much of it the
    best sale removes."""

    lack: int
    best: Mapping[CompanyId, int]

    @property
    def binds(self) -> bool:
        """True if the player owes something and a sale would reduce it."""
        return self.lack > 0 and any(self.best.values())

    @property
    def most(self) -> int:
        """The amount of the debt that legal sales can remove."""
        return min(max(0, self.lack), sum(self.best.values()))

    def kept(self, company: CompanyId, relief: int) -> bool:
        """True if, after a sale of the company that removes ``relief``, sales of the other companies can remove the
        rest of ``most``."""
        rest = sum(most for other, most in self.best.items() if other != company)
        return relief + rest >= self.most


def duty_of(lack: Lack, after: After, state: State, sales: Callable[[], Iterable[Sell]]) -> Duty:
    """The duty in a position. ``sales`` returns every legal sale of the player in this turn, one for each number of
    shares; it is called only if he owes something."""
    owed = lack(state)
    best: dict[CompanyId, int] = {}
    if owed > 0:
        for order in sales():
            relief = owed - lack(after(state, order))
            best[order.company] = max(best.get(order.company, 0), relief)
    return Duty(owed, best)
