"""Certificates as 18xx.games numbers them: where a purchase comes from, and which certificates count two shares.

``MOB_3`` is a certificate of MOB, 0 the director's. One that has left the IPO never goes back there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import double_kind
from engine.holders.control import count as held
from engine.holders.ledger import shares
from engine.holders.succession import successor
from engine.titles.t1844.names import SBB

SOLD_AT_START: Final = ("MOB_1", "FNM_0", "FNM_1", "FNM_2", "FNM_3")
"""Those that come with privates, and those that lie in the pool as soon as FNM has a par."""
DIRECTOR: Final = 0
DOUBLES: Final = range(11, 15)
"""Of the SBB, which has no IPO."""


@dataclass(slots=True)
class Certificates:
    """Which have left the IPO, by their numbers."""

    _sold: set[str] = field(default_factory=lambda: set(SOLD_AT_START))

    def par(self, company: CompanyId) -> None:
        """A player has bought the director's certificate."""
        self._sold.add(f"{company}_{DIRECTOR}")

    def buy(self, player: str, company: CompanyId, numbers: Sequence[str]) -> Buy:
        """The purchase of these certificates (one, as the rules have it)."""
        source: Literal["ipo", "pool"] = "pool" if company == SBB or set(numbers) <= self._sold else "ipo"
        self._sold.update(numbers)
        certificate: Literal["director", "double"] | None = None
        if company == SBB and len(numbers) == 1:
            index = index_of(numbers[0])
            certificate = "director" if index == DIRECTOR else "double" if index in DOUBLES else None
        return Buy(player, company, source, certificate)  # type: ignore[arg-type]


def sale(title: Title, state: State, actor: str, seller: PlayerId, action: Mapping[str, Any]) -> Sell:
    """The sale of certificates worth ``percent``: of the last one perhaps only a part."""
    company = CompanyId(company_of(action["shares"]))
    percent, unit = int(action["percent"]), share_percent(title, company)
    if percent % unit:
        raise ValueError(f"{percent} % are no whole number of shares of {company}")
    count = percent // unit
    doubles = _doubles(title, state, seller, company, count, action["shares"]) if company == SBB else None
    return Sell(actor, company, count, doubles)  # type: ignore[arg-type]


def _doubles(
    title: Title, state: State, seller: PlayerId, company: CompanyId, count: int, numbers: Sequence[str]
) -> int:
    """How many of the certificates count two shares. For the director's, or one share of it, goes what its next owner
    gives: a double if he has one."""
    indices = [index_of(n) for n in numbers]
    doubles = sum(1 for i in indices if i in DOUBLES)
    if DIRECTOR not in indices:
        return doubles
    heir = successor(title, state, company, seller, shares(title, state, seller, company) - count)
    double = double_kind(title, state, company)
    return doubles + (heir is not None and double is not None and held(state, heir, company, double) > 0)


def share_percent(title: Title, company: CompanyId) -> int:
    """The percentage of one share of the company."""
    return min(kind.percent // kind.shares for kind, _ in title.companies[company].charter.certificates.values())


def index_of(number: str) -> int:
    return int(number.rsplit("_", 1)[1])


def company_of(numbers: Iterable[str]) -> str:
    """The company whose certificates these are, as the site calls it."""
    return next(iter(numbers)).rsplit("_", 1)[0]
