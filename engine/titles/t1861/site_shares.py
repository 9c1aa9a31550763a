"""Certificates of public companies as 18xx.games numbers them, and those of them in the company's treasury.

A purchase names its certificate by number. The number tells whether it came from the treasury or the pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

ORDINARY = 8


@dataclass(slots=True)
class _Company:
    treasury: list[str]
    held: dict[str, list[str]] = field(default_factory=dict)
    """Certificates of the owners of merged minors and of players who have taken more from the treasury."""
    led: bool = True
    """True if a player has the director's certificate."""


@dataclass(slots=True)
class Certificates:
    """Tracks the certificates by numbers like ``MK_3``; number 0 is the director's certificate."""

    _companies: dict[str, _Company] = field(default_factory=dict)

    def begin(self, company: str) -> None:
        """Note the start or formation of a company: all ordinary certificates are in its treasury."""
        self._companies[company] = _Company([f"{company}_{n}" for n in range(1, ORDINARY + 1)])

    def merge(self, company: str, owners: Sequence[str]) -> None:
        """Note a merger: for each minor, in operating order, its owner gets the last certificate of the treasury. The
        first owner of two minors exchanges his for the director's certificate."""
        self.begin(company)
        new = self._companies[company]
        new.led = False
        for owner in owners:
            held = new.held.setdefault(owner, [])
            if not new.led and len(held) == 1:
                new.treasury.append(held.pop())
                new.led = True
            else:
                held.append(new.treasury.pop())

    def in_treasury(self, certificate: str) -> bool:
        company = self._companies.get(_company(certificate))
        return company is not None and certificate in company.treasury

    def take(self, certificate: str, player: str) -> None:
        """Note that a player buys a certificate. Without a director, he exchanges his second one for the director's."""
        company = self._companies.get(_company(certificate))
        if company is None or certificate not in company.treasury:
            return
        held = company.held.setdefault(player, [])
        company.treasury.remove(certificate)
        if not company.led and len(held) == 1:
            company.treasury += [held.pop(), certificate]
            company.led = True
        else:
            held.append(certificate)

    def redeem(self, certificates: Sequence[str]) -> None:
        """Note that the company buys back ``certificates``."""
        for certificate in certificates:
            company = self._companies.get(_company(certificate))
            if company is not None and certificate not in company.treasury:
                company.treasury.append(certificate)


def _company(certificate: str) -> str:
    return certificate.rsplit("_", 1)[0]
