"""The privates that 18xx.games leaves out of a game for two, drawn by the number of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MULTIPLIER, INCREMENT, MODULUS = 1_103_515_245, 12_345, 2**31
"""The well-known linear congruential generator that the site draws lots with."""
PRIVATES = ("TSR", "BSS", "MYR", "MRR", "WVR")
"""In the order in which the site draws lots among them."""
REMOVED = 2


def in_play(named: Iterable[str], seed: int | None) -> tuple[str, ...]:
    """Privates of a game for two: those that the record has ``named``, or if one of them went for nothing what the site
    has drawn by ``seed``. ``ValueError`` where that cannot be told."""
    known = {p for p in named if p in PRIVATES}
    stay = drawn(PRIVATES, seed) if seed is not None else ()
    if len(known) == len(PRIVATES) - REMOVED:
        stay = tuple(p for p in PRIVATES if p in known)
    if not known <= set(stay):
        raise ValueError("which privates are in play cannot be told from the record")
    return stay


def drawn(privates: Sequence[str], seed: int) -> tuple[str, ...]:
    """The privates that stay, in their order: a number is drawn for each, and those with the lowest two go."""
    lots: dict[str, int] = {}
    seed %= MODULUS
    for private in privates:
        seed = (MULTIPLIER * seed + INCREMENT) % MODULUS
        lots[private] = seed
    removed = sorted(privates, key=lots.__getitem__)[:REMOVED]
    return tuple(p for p in privates if p not in removed)
