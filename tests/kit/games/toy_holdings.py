"""Three toy companies whose shares lie with players and with each other, without any title's rules.

held(A="Ann 20 B 60", B="C 100")     # percent of each company by holder; the first has the director's certificate
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.core.charter import CertificateKind, Charter
from engine.core.data import CompanyData
from engine.core.game import Game
from engine.core.ids import POOL, CompanyId, PlayerId
from engine.core.setup import Setup
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from tests.kit.service import toy_title

A, B, C = CompanyId("A"), CompanyId("B"), CompanyId("C")
PLAYERS: Final = (PlayerId("Ann"), PlayerId("Bob"), PlayerId("Cat"))
TEN: Final = Charter(
    "toy", {"director": (CertificateKind(2, 20, True), 1), "ordinary": (CertificateKind(1, 10), 8)}, (), 1
)
"""Ten shares: the director's certificate of two, and eight of one."""
SHORT: Final = replace(
    TEN, certificates={**TEN.certificates, "short": (CertificateKind(0, 0, dividend=-1, counts=0), 0)}
)
"""The same with shorts: no share and no vote, but its holder pays the dividend."""

SINGLE: Final = replace(
    TEN, certificates={"director": (CertificateKind(1, 10, True), 1), "ordinary": (CertificateKind(1, 10), 9)}
)
"""The director's certificate is one share like the others."""


def _operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    return tuple(c for c, now in state.companies.items() if now.status == "open")


@lru_cache(maxsize=8)
def toy(charter: str = "ten") -> Title:
    """The title: A, B and C, each with ten shares; ``short``: with shorts too, ``single``: none is worth two."""
    title = toy_title.load(toy_title.NAME, "one", {})
    companies = {
        c: CompanyData(c, f"Company {c}", {"ten": TEN, "short": SHORT, "single": SINGLE}[charter], "#000")
        for c in (A, B, C)
    }
    policies = replace(title.policies, director=controller_of, operating_order=_operating_order)
    return replace(title, companies=companies, policies=policies)


def held(title: Title | None = None, shorts: Mapping[str, tuple[str, int]] | None = None, **companies: str) -> Play:
    """A position with these holdings in percent; what is left lies in the pool. ``shorts``: company -> holder and
    number."""
    title = title or toy()
    state = Game.start(title, Setup(PLAYERS, seed="toy")).state
    holdings: dict[tuple[str, CompanyId, str], int] = {}
    for company in (A, B, C):
        words = companies.get(company, "").split()
        left = 8
        for place, percent in zip(words[::2], words[1::2], strict=True):
            ordinary = int(percent) // 10
            if place == words[0] and place != POOL:
                holdings[place, company, "director"] = 1
                ordinary -= 2
            holdings[place, company, "ordinary"] = ordinary
            left -= ordinary
        holdings[POOL, company, "ordinary"] = left
        if not words or words[0] == POOL:
            holdings[POOL, company, "director"] = 1
    for name, (holder, number) in (shorts or {}).items():
        holdings[holder, CompanyId(name), "short"] = number
    opened = {c: replace(now, status="open") for c, now in state.companies.items()}
    found = {key: n for key, n in holdings.items() if n}
    return Play(title, replace(state, holdings=found, companies=opened))
