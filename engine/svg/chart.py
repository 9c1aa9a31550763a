"""The share price chart as SVG: spaces with zones, ledges and turns, and the companies in the order of their stacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.ids import Cell, CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.finance.chart import Chart
from engine.svg.colors import WALL, WORDS, ZONES
from engine.svg.dark import darkened
from engine.svg.elements import Svg, number, text
from engine.svg.hexes import Point
from engine.svg.layers import Layer, Layered, whole
from engine.svg.letters import ems
from engine.svg.stations import badge
from engine.svg.track import BLACK, WHITE

WIDE: Final = 116.0
HIGH: Final = 98.0
BAND: Final = 14
"""The number of spaces after which a chart with one row is broken into bands."""
NEAR_BAND: Final = 7
"""The same if only a part of the chart is shown. Of a chart with several rows the part has at least as many columns:
fewer would be drawn so large that they fill a screen."""
RADIUS: Final = 25.0
_PILE: Final = 2
"""The most markers in one space whose stack is not also listed below the chart."""
FOOT: Final = 64.0
EDGE: Final = 20.0


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the chart as drawn. ``at``: its top left corner. ``marks``: the letters of its zones. ``pile``: the
    companies in it, the top of the stack first. ``ledge``: no marker leaves it downward. ``falls``: a marker that would
    leave it to the left goes down instead. ``rises``: a marker that would leave it to the right goes up instead.
    ``limit``: some kinds of company go no further to the right."""

    cell: Cell
    at: Point
    price: int
    marks: str
    pile: tuple[CompanyId, ...]
    ledge: bool
    falls: bool
    rises: bool
    limit: bool

    @property
    def tokens(self) -> tuple[tuple[CompanyId, Point], ...]:
        """The markers with their places, the bottom of the stack first."""
        x, y, count = self.at[0] + WIDE / 2, self.at[1] + HIGH - RADIUS - 11, len(self.pile)
        step = 0.0 if count < 2 else 48.0 if count == _PILE else 27.0 if count == 3 else 24.0 / (count - 1)
        start = x - step * (count - 1) / 2
        return tuple((self.pile[i], (start + step * i, y)) for i in reversed(range(count)))


def chart_svg(
    title: Title, state: State, *, size: float | None = None, near: bool = False,
    words: Mapping[str, str] | None = None, dark: bool = False,
) -> Svg:  # fmt: skip
    """The chart with the companies on it. ``size``: the width in pixels. ``near``: draw only the part around occupied
    spaces. ``words``: the meaning of the marks of spaces, for the legend; a mark without a word keeps its name in the
    facts. ``dark``: for a dark screen."""
    layers = chart_layers(title, state, near=near, words=words)
    return (darkened(layers) if dark else layers).svg(size)


def chart_layers(title: Title, state: State, *, near: bool = False, words: Mapping[str, str] | None = None) -> Layered:
    """The chart in layers, with the markers by space (``2.5``: row and column, counted from 0)."""
    chart = title.chart
    zones = zone_letters(chart)
    colors = zone_colors(chart, zones)
    spaces = chart_spaces(title, state, near=near)
    left, top = min(s.at[0] for s in spaces), min(s.at[1] for s in spaces)
    width = max(s.at[0] for s in spaces) + WIDE - left
    height = max(s.at[1] for s in spaces) + HIGH - top
    y = top + height + 30
    piles, rows = piles_svg(title, spaces, left, y, width)
    shown = {letter for space in spaces for letter in space.marks}
    legend, lines = zones_svg(
        {m: z for m, z in zones.items() if z in shown}, colors, words or {}, left, y + rows * FOOT, width
    )
    foot = 30 + rows * FOOT + lines * 40.0
    layers = (
        whole("spaces", "".join(ground_svg(space, colors) for space in spaces) + "".join(map(edges_svg, spaces))),
        Layer("tokens", {f"{s.cell[0]}.{s.cell[1]}": tokens_svg(title, s) for s in spaces if s.pile}),
        whole("piles", piles),
        whole("legend", legend),
    )
    box = (left - EDGE, top - EDGE, width + 2 * EDGE, height + foot + 2 * EDGE)
    return Layered(f"{title.full_name}: {state.round}", box, layers)


def chart_spaces(title: Title, state: State, *, near: bool = False) -> tuple[Space, ...]:
    """The spaces to draw, row by row."""
    chart, zones = title.chart, zone_letters(title.chart)
    piles: dict[Cell, list[CompanyId]] = {}
    for company, marker in sorted(state.prices.items(), key=lambda item: item[1].since):
        if state.companies[company].status != "closed":
            piles.setdefault(marker.cell, []).append(company)
    shown = _near(chart, piles) if near and piles else sorted(chart.prices)
    one_row = _has_one_row(chart)
    begin, band = shown[0][1], NEAR_BAND if near else BAND
    return tuple(
        _space(chart, cell, zones, tuple(piles.get(cell, ())), divmod(cell[1] - begin, band) if one_row else None)
        for cell in shown
    )


def _has_one_row(chart: Chart) -> bool:
    return len({row for row, _ in chart.prices}) == 1


def _near(chart: Chart, piles: Iterable[Cell]) -> list[Cell]:
    """The spaces in the rectangle around the occupied ones, extended by one row and column on each side, and by more
    columns while it is narrow or higher than wide."""
    rows, columns = [r for r, _ in piles], [c for _, c in piles]
    cells = [cell for cell in sorted(chart.prices) if min(rows) - 1 <= cell[0] <= max(rows) + 1]
    first, last = min(c for _, c in cells), max(c for _, c in cells)
    low, high, one_row = max(first, min(columns) - 1), min(last, max(columns) + 1), _has_one_row(chart)
    wide = 0 if one_row else max(NEAR_BAND, len({row for row, _ in cells}))
    low = max(first, min(low - max(0, wide - (high - low + 1)) // 2, last + 1 - wide))
    high = min(last, max(high, low + wide - 1))
    return [cell for cell in cells if low <= cell[1] <= high]


def _space(
    chart: Chart, cell: Cell, zones: Mapping[str, str], pile: tuple[CompanyId, ...], banded: Cell | None
) -> Space:
    """A space as drawn. ``banded``: its place in the bands, if the chart has one row."""
    row, column = cell
    steps = {
        kind: {way: (to[0] - row, to[1] - column) for way, to in moves[cell].items()}
        for kind, moves in chart.moves.items()
    }
    ahead = [step["right"][1] > 0 for step in steps.values()]
    place, one_row = banded or cell, banded is not None
    return Space(
        cell=cell,
        at=(place[1] * WIDE, place[0] * (HIGH + (12 if one_row else 0))),
        price=chart.price(cell),
        marks="".join(sorted(zones[mark] for mark in chart.marks[cell] if mark in zones)),
        pile=pile,
        ledge=not one_row and all(step["down"] == (0, 0) for step in steps.values()),
        falls=any(step["left"][0] > 0 for step in steps.values()),
        rises=any(step["right"][0] < 0 or step["up"][1] > 0 for step in steps.values()) and not any(ahead),
        limit=any(ahead) and not all(ahead),
    )


def zone_letters(chart: Chart) -> Mapping[str, str]:
    """Give each mark of the chart a letter; the marks of the fewest spaces come first. A mark of more than half the
    spaces gets none."""
    counts: dict[str, int] = {}
    for marks in chart.marks.values():
        for mark in marks:
            counts[mark] = counts.get(mark, 0) + 1
    few = [mark for mark in counts if 2 * counts[mark] <= len(chart.prices)]
    return {mark: chr(ord("a") + i) for i, mark in enumerate(sorted(few, key=lambda m: (counts[m], m)))}


def zone_colors(chart: Chart, zones: Mapping[str, str]) -> Mapping[str, str]:
    """Letter of a zone -> its colour: the printed one if it is known."""
    usual = {letter: ZONES[(ord(letter) - ord("a")) % len(ZONES)] for letter in zones.values()}
    return {letter: chart.tints.get(mark, usual[letter]) for mark, letter in zones.items()}


def ground_svg(space: Space, colors: Mapping[str, str]) -> str:
    """A space: a stripe in the colour of each of its zones with the zone's letter, and the price."""
    x, y = space.at
    found = [_rect(x, y, WIDE, HIGH, WHITE, ' stroke="#555555" stroke-width="1.5"')]
    share = WIDE / max(1, len(space.marks))
    for i, letter in enumerate(space.marks):
        found.append(_rect(x + share * i + 1, y + 1, share - 2, HIGH - 2, colors[letter]))
        found.append(text(x + share * i + 10, y + HIGH - 12, 20, letter, ' fill="#444444"'))
    found.append(text(x + WIDE - 34, y + 20, 32, str(space.price)))
    return "".join(found)


def _rect(x: float, y: float, width: float, height: float, fill: str, extra: str = "") -> str:
    size = f'width="{number(width)}" height="{number(height)}"'
    return f'<rect x="{number(x)}" y="{number(y)}" {size} fill="{fill}"{extra}/>'


def edges_svg(space: Space) -> str:
    """The ledges, limits and turns of a space."""
    x, y = space.at
    found = []
    if space.ledge:
        found.append(_rect(x, y + HIGH - 5, WIDE, 7, BLACK))
    if space.limit:
        found.append(_rect(x + WIDE - 4, y, 8, HIGH, WALL))
    low, style = y + HIGH - 12, ' fill="#555555"'
    if space.falls:
        found.append(f'<path d="M{number(x + 4)} {number(low - 12)}h18l-9 14z"{style}/>')
    if space.rises:
        found.append(f'<path d="M{number(x + WIDE - 22)} {number(low + 2)}h18l-9 -14z"{style}/>')
    return "".join(found)


def tokens_svg(title: Title, space: Space) -> str:
    found = [
        f'<g transform="translate({number(x)} {number(y)})">{badge(title.companies[name], name, RADIUS)}</g>'
        for name, (x, y) in space.tokens
    ]
    if len(space.pile) > _PILE:
        x, y = space.at[0] + WIDE - 18, space.at[1] + HIGH - 18
        found.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="15" fill="{WHITE}" stroke="{BLACK}"/>')
        found.append(text(x, y, 19, str(len(space.pile)), ' font-weight="700"'))
    return "".join(found)


def piles_svg(title: Title, spaces: Sequence[Space], left: float, top: float, width: float) -> tuple[str, int]:
    """The stacks that are too high to be read in their spaces, one below the other, each with its price and the top of
    the stack first; and the number of rows used."""
    found, row, step = [], 0, 2 * RADIUS + 6
    for space in spaces:
        if len(space.pile) <= _PILE:
            continue
        most = max(1, int((width - 90) // step))
        for begin in range(0, len(space.pile), most):
            y = top + row * FOOT + RADIUS
            if not begin:
                found.append(text(left + 40, y, 32, f"{space.price}:", f' fill="{WORDS}"'))
            for i, name in enumerate(space.pile[begin : begin + most]):
                move = f"translate({number(left + 90 + step * i + RADIUS)} {number(y)})"
                found.append(f'<g transform="{move}">{badge(title.companies[name], name, RADIUS)}</g>')
            row += 1
    return "".join(found), row


def zones_svg(
    zones: Mapping[str, str],
    colors: Mapping[str, str],
    words: Mapping[str, str],
    left: float,
    top: float,
    width: float,
) -> tuple[str, int]:
    """The zones with their letters, and the number of lines used."""
    found, x, line = [], left, 0
    for mark, letter in zones.items():
        word = words.get(mark, mark.replace("_", " "))
        wide = 52 + ems(word) * 30
        if x > left and x + wide > left + width:
            x, line = left, line + 1
        y = top + line * 40 + 15
        found.append(_rect(x, y - 14, 30, 28, colors[letter], ' stroke="#555555"') + text(x + 15, y, 17, letter))
        found.append(text(x + 40, y, 30, word, f' text-anchor="start" fill="{WORDS}"'))
        x += wide + 20
    return "".join(found), line + 1 if zones else 0
