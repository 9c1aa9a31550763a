"""Destinations in records of 18xx.games: the version of the site that pays companies before they operate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def paid_from_home(actions: Sequence[Mapping[str, Any]]) -> bool:
    """True if a company got its bonus in another company's turn before its own first turn. The site has paid it so
    since February 2025. In a record without such a payment the version makes no difference."""
    begun: set[object] = set()
    for action in actions:
        if action.get("entity_type") != "corporation":
            continue
        if action["type"] != "destination_connection":
            begun.add(action["entity"])
        elif any(name != action["entity"] and name not in begun for name in action.get("corporations", ())):
            return True
    return False
