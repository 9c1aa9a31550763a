"""Lines over the rounds of a game as SVG, each with its name and last value at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor, log10
from typing import Final, TypeAlias

from engine.svg.colors import DASHES, LINES
from engine.svg.elements import Svg, group, number, picture, text
from engine.svg.letters import width

WIDE: Final = 780.0
HIGH: Final = 400.0
LINE: Final = 23.0
"""The least vertical distance between the names at the ends of the lines."""
SIZE: Final = 20.0
LONGEST: Final = 16
"""The most letters of a name."""
_LEFT, _TOP, _FOOT = 62.0, 40.0, 40.0
_MARGIN: Final = 16.0
"""The space beside a plot without names at its right edge."""
_START: Final = ' text-anchor="start"'
_END: Final = ' text-anchor="end" fill="#333333"'
_INK: Final = ' fill="#333333"'

Values: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """A line: a value for each round, or None. ``bold``: the line is thicker."""

    name: str
    values: Values
    bold: bool = False

    @property
    def last(self) -> tuple[int, int] | None:
        """The number of the last round with a value, and the value; None if there is none."""
        return next(((i, v) for i, v in reversed([*enumerate(self.values)]) if v is not None), None)

    @property
    def label(self) -> str:
        """The name and last value of the line."""
        name = self.name if len(self.name) <= LONGEST else self.name[: LONGEST - 1] + "…"
        return f"{name} {self.last[1]}" if self.last else name


@dataclass(frozen=True)
class Graph:
    """Lines over rounds. ``rounds``: the names of the rounds. ``shaded``: the numbers of rounds with a grey ground.
    ``marks``: words above a round, by its number. ``steps``: a line stays level until the next value. ``logarithmic``:
    the scale is logarithmic. ``wide``: the width. ``named``: each line ends with its name; without, the names stand
    elsewhere, and the plot is wider."""

    rounds: Sequence[str]
    series: Sequence[Series]
    shaded: frozenset[int] = frozenset()
    marks: Mapping[int, str] = field(default_factory=dict)
    steps: bool = False
    logarithmic: bool = False
    wide: float = WIDE
    named: bool = True

    @cached_property
    def right(self) -> float:
        """The right edge of the plot, with room for the names after it."""
        if not self.named:
            return self.wide - _MARGIN
        return self.wide - 40 - max((width(series.label, SIZE) for series in self.series), default=0.0)

    @cached_property
    def low(self) -> float:
        """The lower edge of the plot."""
        return max(HIGH - _FOOT, _TOP + LINE * len(self.series) * self.named)

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The values of the level lines, including those at both edges."""
        values = [v for series in self.series for v in series.values if v is not None] or [0]
        return decades(min(values), max(values)) if self.logarithmic else even(min(0, *values), max(values))

    @cached_property
    def left(self) -> float:
        """The left edge of the plot, with room for the values of the levels."""
        return max(_LEFT, 12 + max(width(f"{level:.0f}", SIZE - 2) for level in self.levels))

    @property
    def plot(self) -> tuple[float, float, float, float]:
        """The left, upper, right and lower edges of the plot."""
        return self.left, _TOP, self.right, self.low

    @property
    def step(self) -> float:
        """The width of a round."""
        return (self.right - self.left) / max(1, len(self.rounds))

    def x(self, place: float) -> float:
        """The horizontal position of the middle of round number ``place``."""
        return self.left + self.step * (place + 0.5)

    def y(self, value: float) -> float:
        low, high, at = self.levels[0], self.levels[-1], value
        if self.logarithmic:
            low, high, at = log10(low), log10(high), log10(max(value, low))
        return self.low - (self.low - _TOP) * (at - low) / (high - low)

    def svg(self, size: float | None, name: str) -> Svg:
        """The picture. ``size``: its width in pixels. ``name``: its name, for people who cannot see it."""
        content = (
            group(self._ground(), "ground")
            + group("".join(self._marks()), "marks")
            + group("".join(self._lines()), "lines")
            + group("".join(self._labels() if self.named else ()), "labels")
        )
        return picture(content, (0, 0, self.wide, self.low + _FOOT), size, name)

    def _ground(self) -> str:
        box = f'y="{_TOP}" width="{number(self.step)}" height="{number(self.low - _TOP)}" fill="#edf0f5"'
        found = [f'<rect x="{number(self.x(i - 0.5))}" {box}/>' for i in sorted(self.shaded)]
        for level in self.levels:
            y = self.y(level)
            found.append(f'<path d="M{number(self.left)} {number(y)}H{number(self.right)}" stroke="#bbbbbb"/>')
            found.append(text(self.left - 8, y, SIZE - 2, f"{level:.0f}", _END))
        return "".join(found) + "".join(self._names())

    def _names(self) -> Iterable[str]:
        """Yield the names of the rounds, as many as there is room for; shaded rounds come first."""
        taken: list[tuple[float, float]] = []
        for i in (*sorted(self.shaded), *(i for i in range(len(self.rounds)) if i not in self.shaded)):
            half = width(self.rounds[i], SIZE - 3) / 2 + 4
            x = self.x(i)
            if all(x + half <= begin or end <= x - half for begin, end in taken):
                taken.append((x - half, x + half))
                yield text(x, self.low + 18, SIZE - 3, self.rounds[i], _INK)

    def _marks(self) -> Iterable[str]:
        clear = 0.0
        for i, word in sorted(self.marks.items()):
            x, half = self.x(i), width(word, SIZE - 3) / 2 + 3
            yield f'<path d="M{number(x)} {_TOP}V{number(self.low)}" stroke="#555555" stroke-dasharray="3 5"/>'
            if x - half >= clear:
                yield text(x, _TOP - 16, SIZE - 3, word, _INK)
                clear = x + half

    def _lines(self) -> Iterable[str]:
        for i, series in enumerate(self.series):
            color, dash = style(i)
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            yield (
                f'<path d="{self._path(series.values)}" fill="none" stroke="{color}" stroke-linejoin="round"'
                f' stroke-width="{5 if series.bold else 3}"{dashes}/>'
            )

    def _path(self, values: Values) -> str:
        found = ""
        for i, value in enumerate(values):
            if value is None:
                continue
            x, y = number(self.x(i)), number(self.y(value))
            if i == 0 or values[i - 1] is None:
                found += f"M{x} {y}" + ("h0.1" if i + 1 == len(values) or values[i + 1] is None else "")
            else:
                found += f"H{x}V{y}" if self.steps else f"L{x} {y}"
        return found

    def _labels(self) -> Iterable[str]:
        """Yield the names in the order of the last values, each joined to its line."""
        ends = [(self.y(s.last[1]), i, s) for i, s in enumerate(self.series) if s.last is not None]
        ends.sort(key=lambda end: (end[0], end[1]))
        heights = spread([y for y, _, _ in ends], LINE, _TOP - 6, self.low + 6)
        for (y, i, series), high in zip(ends, heights, strict=True):
            color, _ = style(i)
            assert series.last is not None
            begin, weight = self.x(series.last[0]), ' font-weight="700"' if series.bold else ""
            bend = f"L{number(self.right + 2)} {number(y)}L{number(self.right + 16)} {number(high)}h6"
            line = f"M{number(begin)} {number(y)}{bend}"
            yield f'<path d="{line}" fill="none" stroke="{color}" stroke-opacity=".6"/>'
            yield text(self.right + 26, high, SIZE, series.label, f'{_START} fill="#000000"{weight}')


def style(place: int) -> tuple[str, str]:
    """The colour and dashes of line number ``place``. No two of the first 36 lines have the same colour and dashes."""
    return LINES[place % len(LINES)], DASHES[(place + place // len(LINES)) % len(DASHES)]


def spread(heights: Sequence[float], least: float, top: float, low: float) -> list[float]:
    """Move ``heights``, which are in ascending order, so that each is at least ``least`` below the one before, and so
    that all lie between ``top`` and ``low`` if there is room."""
    found = list(heights)
    for i, height in enumerate(found):
        found[i] = max(height, found[i - 1] + least if i else top)
    for i in reversed(range(len(found))):
        found[i] = min(
            found[i], found[i + 1] - least if i + 1 < len(found) else max(low, top + least * (len(found) - 1))
        )
    return found


def even(low: float, high: float) -> tuple[float, ...]:
    """Round values at equal distances that cover the range from ``low`` to ``high``."""
    rough = max(high - low, 1.0) / 5
    power = 10.0 ** floor(log10(rough))
    step = max(1.0, next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough))
    return tuple(step * i for i in range(floor(low / step), ceil(high / step) + 1)) if high > low else (0.0, 1.0)


def decades(low: float, high: float) -> tuple[float, ...]:
    """Values 1, 2 and 5 times a power of ten that cover the range from ``low`` to ``high``; ``low``
    must be positive."""
    low, high = max(low, 1.0), max(high, 2.0)
    values = [factor * 10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1) for factor in (1, 2, 5)]
    first = max(i for i, value in enumerate(values) if value <= low)
    last = min(i for i, value in enumerate(values) if value >= high)
    return tuple(values[first : max(last, first + 1) + 1])
