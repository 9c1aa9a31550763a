"""Destinations as a record of 18xx.games shows them: since when the site pays companies that have not operated yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def paid_from_home(actions: Sequence[Mapping[str, Any]]) -> bool:
    """True if a company got its bonus in another one's turn before it had one of its own. The site pays so since June
    2024; where a record has no such payment, it makes no difference that it could have been."""
    begun: set[object] = set()
    for action in actions:
        if action.get("entity_type") != "corporation":
            continue
        if action["type"] != "destination_connection":
            begun.add(action["entity"])
        elif any(name != action["entity"] and name not in begun for name in action.get("corporations", ())):
            return True
    return False
