"""A series of positions in parts. Each fragment is kept once, and each part knows after which orders it changes.

After order n, a part shows the fragment of its latest change at or before n. So every position can be reached directly,
forward and back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOTHING = 0
"""Number of the empty fragment: the part is not shown."""


@dataclass(slots=True)
class Timeline:
    """A series of positions. ``fragments`` are texts in the order of their first use; the first is empty. ``parts``
    maps the name of a part to orders and fragments in turn: ``[0, 3, 17, 5]`` is fragment 3 from the start, and 5 from
    order 17 on."""

    fragments: list[str] = field(default_factory=lambda: [""])
    parts: dict[str, list[int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=lambda: {"": NOTHING})
    _now: dict[str, int] = field(default_factory=dict)

    def add(self, order: int, shown: Mapping[str, str]) -> None:
        """Add the parts after ``order``, which is later than all before. A part that is not in ``shown`` is empty."""
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
        """The parts at the end, including those that are empty then."""
        return {name: self.fragments[self._now[name]] for name in self.parts}

    def as_data(self) -> dict[str, Any]:
        """The timeline as plain lists and texts."""
        return {"fragments": self.fragments, "parts": self.parts}

    @staticmethod
    def of_data(data: Mapping[str, Any], last: int) -> Timeline:
        """The timeline in ``data`` up to order ``last``, the same that ``add`` had made up to there."""
        parts, kept, now = {}, 1, {}
        for name, changes in data["parts"].items():
            count = bisect_right(changes[::2], last)
            if count:
                parts[name] = changes[: 2 * count]
                now[name] = changes[2 * count - 1]
                kept = max(kept, 1 + max(changes[1 : 2 * count : 2]))
        fragments = data["fragments"][:kept]
        return Timeline(fragments, parts, {text: i for i, text in enumerate(fragments)}, now)
