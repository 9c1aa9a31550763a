"""The privates that 18xx.games removes from a two-player game, drawn by the number of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MULTIPLIER, INCREMENT, MODULUS = 1_103_515_245, 12_345, 2**31
"""Constants of the linear congruential generator with which the site draws lots."""
REMOVED = 2


def in_play(privates: Sequence[str], named: Iterable[str], seed: int | None) -> tuple[str, ...]:
    """Privates of a two-player game: those ``named`` in the record or, if it does not name enough, those that the site
    draws by ``seed``. ``privates``: all, in the order in which the site draws lots for them. Raises ``ValueError`` if
    they cannot be determined."""
    known = {p for p in named if p in privates}
    stay = drawn(privates, seed) if seed is not None else ()
    if len(known) == len(privates) - REMOVED:
        stay = tuple(p for p in privates if p in known)
    if not known <= set(stay):
        raise ValueError("which privates are in play cannot be told from the record")
    return stay


def drawn(privates: Sequence[str], seed: int) -> tuple[str, ...]:
    """The privates that stay, in their order. A number is drawn for each, and the two with the lowest are removed."""
    lots: dict[str, int] = {}
    seed %= MODULUS
    for private in privates:
        seed = (MULTIPLIER * seed + INCREMENT) % MODULUS
        lots[private] = seed
    removed = sorted(privates, key=lots.__getitem__)[:REMOVED]
    return tuple(p for p in privates if p not in removed)
