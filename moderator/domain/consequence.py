"""Grave consequences of orders for the company that they are given for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.core.events import CompanyLeft, CrisisBegan, Event, Nationalised

Grave: TypeAlias = tuple[str, int]
"""A kind of consequence (``Nationalised``, ``CompanyLeft`` or ``CrisisBegan``), with the price of a share or the
missing money; 0 if there is neither."""
NOTHING: Final[Grave] = ("", 0)
"""No such consequence."""


def grave(company: str, events: Iterable[Event]) -> Grave:
    """The first grave consequence for ``company`` among the events."""
    for event in events:
        match event:
            case Nationalised(name=name, price=price) if name == company:
                return "Nationalised", price
            case CompanyLeft(company=name) if name == company:
                return "CompanyLeft", 0
            case CrisisBegan(company=name, missing=missing) if name == company:
                return "CrisisBegan", missing
    return NOTHING
