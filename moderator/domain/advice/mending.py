"""The orders of a mail with those that could not be read as they may have been meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.core import orders as o
from grammar import Unreadable, Vocabulary, Word, write, write_section
from moderator.domain.transcript import TranscriptLine

_MOST: Final = 8
"""The maximum number of orders of a mail that is mended."""
_WIDEST: Final = 64
"""The number of characters up to which all orders stand on one line."""


def mended(
    lines: Sequence[TranscriptLine], likely: str, names: Vocabulary, read: Callable[[str, str], o.Order | Word | None],
    stands: Callable[[Sequence[o.Order]], bool], *, moved: bool,
) -> str:  # fmt: skip
    """All orders of a mail, with one likely order in place of each that could not be read; "" if that is no legal
    answer, or if the mail has only one order. ``likely``: the answer that is most like the first such line. ``moved``:
    the orders before that line have been tried, and ``stands`` tries what follows them."""
    faulty = [line for line in lines if line.unreadable is not None]
    actors = {line.actor for line in lines if line.actor} | {
        line.unreadable.actor for line in faulty if line.unreadable
    }
    if not faulty or not 1 < len(lines) <= _MOST or len(actors) != 1:
        return ""
    (actor,) = actors
    found = list[o.Order]()
    for line in lines:
        text = line.canonical if line.unreadable is None else _meant(line.unreadable)
        if not text and line is faulty[0]:
            text = likely.removeprefix(f"{actor}: ")
        order = read(text, actor) if text else None
        if not isinstance(order, o.Order) or order.actor != actor:
            return ""
        found.append(order)
    if not stands(found[lines.index(faulty[0]) :] if moved else found):
        return ""
    text = f"{actor}: {'; '.join(write(order, names) for order in found)}"
    return text if len(text) <= _WIDEST else write_section(actor, found, names)


def _meant(fault: Unreadable) -> str:
    """The order that a fault proposes; "" if it proposes none, or several."""
    if fault.nearest is not None:
        return fault.said.replace(fault.piece, fault.nearest, 1) if fault.piece else f"{fault.said} {fault.nearest}"
    return fault.whole[0].strip("`") if len(fault.whole) == 1 else ""
