"""Build the words for the moderator from the parse tree; `orders` builds the orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from lark import Token, Transformer

from engine.core import orders as o
from grammar import parts as read

_STANDING: Final = ("standing orders", "kept", "kept orders", "ahead")
"""Other names of what ``show standing`` shows."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word for the moderator. ``kind``: the word. ``argument``: the text after it; None if there is none. ``line``:
    its line, from 1."""

    kind: str
    argument: str | None = None
    line: int = 0


class WordBuilder(Transformer[Token, Any]):
    """The part of the builder for the words for the moderator."""

    def check(self, parts: list[Any]) -> Word:
        return Word("check")

    def partial(self, parts: list[Any]) -> Word:
        return Word("partial")

    def help(self, parts: list[Any]) -> Word:
        return Word("help", " ".join(map(str, parts[1:])) or None)

    def show(self, parts: list[Any]) -> Word:
        what = " ".join(map(str, parts[1:]))
        return Word("show", "standing" if what.casefold() in _STANDING else what)

    def show_map(self, parts: list[Any]) -> Word:
        return Word("show", f"map {'-'.join(map(str, parts))}")

    def show_run(self, parts: list[Any]) -> Word:
        return _after("run", parts)

    def show_lays(self, parts: list[Any]) -> Word:
        return _after("lays", parts)

    def pictures(self, parts: list[Any]) -> Word:
        return Word("pictures", " ".join(map(str, parts[1:])).lower())

    def withdraw(self, parts: list[Any]) -> Word:
        return Word(str(parts[0]).lower(), " ".join(map(str, parts[1:])) or None)

    alias = undo = withdraw

    def notify(self, parts: list[Any]) -> Word:
        return Word("notify", str(parts[1]))

    def zone(self, parts: list[Any]) -> Word:
        return Word("zone", str(parts[1]))

    def address(self, parts: list[Any]) -> Word:
        return Word("address", str(parts[1]))

    def revoke(self, parts: list[Any]) -> Word:
        return Word("revoke")

    def away(self, parts: list[Any]) -> Word:
        days = " to ".join(str(part) for part in parts if getattr(part, "type", "") == "A_DATE")
        return Word("away", " ".join(filter(None, (read.everywhere(parts), days))) or None)

    def calendar(self, parts: list[Any]) -> Word:
        return Word("calendar", str(parts[1]).lower())

    def back(self, parts: list[Any]) -> Word:
        return Word("back", read.everywhere(parts) or None)

    def resign_seat(self, parts: list[Any]) -> Word:
        return Word("resign")

    def propose(self, parts: list[Any]) -> Word:
        return Word("propose", str(parts[0]))

    def vote(self, parts: list[Any]) -> Word:
        return Word("vote", " ".join(map(str, parts)))

    def vote_yes(self, parts: list[Any]) -> str:
        return "yes"

    def vote_no(self, parts: list[Any]) -> str:
        return "no"


def _after(what: str, parts: list[Any]) -> Word:
    """``show run`` or ``show lays`` of a company, with routes, after lays that are not made yet."""
    routes = (f"{route.train} {'-'.join(route.hexes)}" for route in read.of(parts, o.Route))
    lays = " and ".join(map(_lay, read.of(parts, o.Lay)))
    after = f"after {lays}" if lays else ""
    return Word("show", " ".join(filter(None, (what, read.word(parts, "A_COMPANY"), ", ".join(routes), after))))


def _lay(order: o.Lay) -> str:
    using = f" with {order.using}" if order.using is not None else ""
    return f"lay {order.tile} {order.hex} {order.rotation}{using}"
