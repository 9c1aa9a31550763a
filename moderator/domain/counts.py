"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """``number`` with its noun: ``1 order``, ``2 orders``. ``many``: a plural that is not ``one`` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
