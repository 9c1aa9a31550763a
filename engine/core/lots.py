"""Lots: one of several candidates, drawn from the seed of the game."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T", bound=str)


def lot(seed: str, number: int, purpose: str, candidates: Sequence[T]) -> T:
    """Draw lot number ``number`` of a game: the SHA-256 of seed, number and purpose, modulo the number of candidates,
    selects one of the candidates."""
    digest = hashlib.sha256(f"{seed}/{number}/{purpose}".encode()).digest()
    return candidates[int.from_bytes(digest[:8], "big") % len(candidates)]
