"""A series of positions in parts: each fragment is kept once, and each part knows after which orders it changes.

What a part shows after order n is the fragment of its latest change at or before n, so that every position can be
reached directly, forward and back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOTHING = 0
"""The number of the empty fragment: a part that is not there."""


@dataclass(slots=True)
class Timeline:
    """``fragments``: texts, in the order of their first use; the first is empty. ``parts``: name of a part -> orders
    and fragments in turn: ``[0, 3, 17, 5]`` is fragment 3 from the start, and 5 from order 17 on."""

    fragments: list[str] = field(default_factory=lambda: [""])
    parts: dict[str, list[int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=lambda: {"": NOTHING})
    _now: dict[str, int] = field(default_factory=dict)

    def add(self, order: int, shown: Mapping[str, str]) -> None:
        """The parts after ``order``, which is later than all before. A part that is not in ``shown`` is empty."""
        for name in (*shown, *(name for name in self._now if name not in shown)):
            number = self._number(shown.get(name, ""))
            if self._now.get(name, NOTHING) != number:
                self.parts.setdefault(name, []).extend((order, number))
                self._now[name] = number

    def _number(self, fragment: str) -> int:
        number = self._numbers.get(fragment)
        if number is None:
            number = self._numbers[fragment] = len(self.fragments)
            self.fragments.append(fragment)
        return number

    def last(self) -> dict[str, str]:
        """The parts as they stand at the end, also those that are empty then."""
        return {name: self.fragments[self._now[name]] for name in self.parts}

    def as_data(self) -> dict[str, Any]:
        """Plain lists and texts."""
        return {"fragments": self.fragments, "parts": self.parts}

    @staticmethod
    def of_data(data: Mapping[str, Any], last: int) -> Timeline:
        """The timeline in ``data`` up to order ``last``: the same that ``add`` made up to there."""
        parts, kept, now = {}, 1, {}
        for name, changes in data["parts"].items():
            count = bisect_right(changes[::2], last)
            if count:
                parts[name] = changes[: 2 * count]
                now[name] = changes[2 * count - 1]
                kept = max(kept, 1 + max(changes[1 : 2 * count : 2]))
        fragments = data["fragments"][:kept]
        return Timeline(fragments, parts, {text: i for i, text in enumerate(fragments)}, now)
