"""The privates that 18xx.games leaves out of a game for two, drawn by the number of the game."""

from __future__ import annotations

from collections.abc import Sequence

MULTIPLIER, INCREMENT, MODULUS = 1_103_515_245, 12_345, 2**31
"""The well-known linear congruential generator that the site draws lots with."""
REMOVED = 2


def drawn(privates: Sequence[str], seed: int) -> tuple[str, ...]:
    """The privates that stay, in their order: a number is drawn for each, and those with the lowest two go."""
    lots: dict[str, int] = {}
    seed %= MODULUS
    for private in privates:
        seed = (MULTIPLIER * seed + INCREMENT) % MODULUS
        lots[private] = seed
    removed = sorted(privates, key=lots.__getitem__)[:REMOVED]
    return tuple(p for p in privates if p not in removed)
