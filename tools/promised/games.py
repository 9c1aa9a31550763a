"""A record and a position of each title and edition.

A record has the digest of every position, and so holds later rules to each of its orders.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import engine
from engine.robots import random_order, sensible
from moderator.domain.records import record

PLAYERS: Final = ("Ann", "Bob", "Cat")
_ORDERS: Final = 400
_AT_RANDOM: Final = 7
"""Every so manieth order is one that no sensible player would give."""


def editions() -> Iterator[tuple[str, str]]:
    for title in engine.title_names():
        for edition in engine.editions(title):
            yield title, edition


def game(title: str, edition: str) -> engine.Game:
    """A game of robots. The same program makes the same game."""
    chance = random.Random(f"promised {title} {edition}")
    played = engine.Game.start(engine.load_title(title, edition), engine.Setup(PLAYERS, seed="promised"))
    while not played.finished and len(played.orders) < _ORDERS:
        ask = played.asked()[0]
        at_random = len(played.orders) % _AT_RANDOM == _AT_RANDOM - 1
        order = random_order(played, ask, chance) if at_random else sensible(played, ask)
        assert played.submit(order)
    return played


def departed(text: str, allowed: int | None) -> str | None:
    """Why a record is not read, or does not replay to the positions that it tells of; None if it does. ``allowed``: the
    version of the rules from which on it departs, and which says so to players."""
    try:
        read = record.read_record(text)
    except ValueError as error:
        return f"it cannot be read: {error}"
    try:
        others = record.replay(read).departed
    except (record.DepartedError, record.IllegalOrderError) as error:
        why = str(error)
    else:
        if not others:
            return None
        why = f"after order {others[0]} the position is another one."  # newer rules, and the end is as it was
    written, here = read.past.version_at(1) or 0, read.title.rules_version
    if allowed is not None and written < allowed <= here:
        return None
    return (
        f"{why} The record was written under version {written} of the rules, and those here have version {here}. Only"
        " a new version of the rules may change how a record plays, and departures.json names the record with it."
    )


def lost_position(text: str, digest: str, other_form: bool) -> str | None:
    """Why a position as text does not open, or opens as another; None if all is well. A newer version of the rules may
    refuse it; so may a newer form of positions if ``other_form``."""
    allowed = ("rules", "form") if other_form else ("rules",)
    try:
        found = engine.read_position(text)
    except engine.PositionError as error:
        return None if error.why in allowed else f"it does not open: {error}"
    now = found.told_digest()
    same_form = now.partition(":")[0] == digest.partition(":")[0]  # digests of different forms cannot be compared
    return "it opens as another position" if same_form and now != digest else None
