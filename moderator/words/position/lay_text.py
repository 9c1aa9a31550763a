"""Write the lays of a hex as lines of text. Each line is complete by itself: it names the hex, the tiles and their
turns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from jinja2 import pass_context
from jinja2.runtime import Context

from moderator.words.position.lay_views import LayLine, Turned
from moderator.words.text import WIDTH
from moderator.words.times import Words

Say: TypeAlias = Callable[[Turned], str]
"""Gives what a turn adds in words."""


def filters(words: Callable[[str], Words]) -> dict[str, Callable[..., Any]]:
    """The filters by their names. ``words``: language -> its words."""

    def adds(context: Context) -> Say:
        return lambda turn: said(words(context["language"]), context.get("title"), turn)

    @pass_context
    def lay_lines(context: Context, lay: LayLine, place: str, cost: str = "", indent: str = "") -> list[str]:
        return in_lines(lay, (f"{place}{cost}", f"{lay.hex}{cost}"), indent, adds(context))

    @pass_context
    def lay_words(context: Context, lay: LayLine) -> str:
        return in_words(lay, adds(context))

    return {"lay_lines": lay_lines, "lay_words": lay_words}


def said(own: Words, title: object, turn: Turned) -> str:
    """The sides that a turn joins, or what else it adds; empty if it adds nothing."""
    return turn.joins or ", ".join(own.say("words", f"adds.{key}", title=title, what=what) for key, what in turn.adds)


def in_lines(lay: LayLine, heads: tuple[str, str], indent: str, say: Say) -> list[str]:
    """The lays of a hex as lines that fit into a mail, if possible. ``heads``: the beginning of the first line, and
    that of each further one; both tell the cost. Lines are broken between tiles, and between the turns of a tile that
    has too many for one line."""
    head, later = heads
    lines, line = list[str](), ""
    for piece in _pieces(lay, WIDTH - len(indent) - max(map(len, heads)) - 2, say):
        more = f"{line}, {piece}" if line else f"{head}: {piece}"
        if line and len(indent) + len(more) > WIDTH:
            lines.append(line)
            more = f"{later}: {piece}"
        line = more
    return [indent + line for line in (*lines, line)]


def in_words(lay: LayLine, say: Say) -> str:
    """The lays of a hex on one line, without the name of the hex."""
    return ", ".join(_pieces(lay, sys.maxsize, say))


def _pieces(lay: LayLine, room: int, say: Say) -> Iterator[str]:
    for tile, turns in lay.tiles:
        for some in _fitting(turns, room - len(f"{tile} ()"), say):
            yield f"{tile} ({some})"


def _fitting(turns: Iterable[Turned], room: int, say: Say) -> Iterator[str]:
    """The turns in groups of at most ``room`` characters; a single longer turn is a group by itself."""
    line = ""
    for turn in turns:
        adds = say(turn)
        shown = f"{turn.turn} {adds}" if adds else str(turn.turn)
        between = "; " if adds else " "
        if line and len(line) + len(between) + len(shown) > room:
            yield line
            line = ""
        line = f"{line}{between}{shown}" if line else shown
    yield line
