"""The map of a position in a terminal: track as dots of braille, on grounds in the colours of the tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image
from rich.text import Text

from engine.core.game import Game
from engine.core.ids import HexId
from engine.svg import Layered, board_layers
from engine.svg.colors import FILLS, badge_colors
from engine.svg.hexes import INRADIUS, SIDE, Point, centre
from engine.svg.view import HexView, hex_views
from moderator.adapters.png import png

NARROWEST: Final = 4.0
"""The least columns of a hex: with fewer, its coordinate has no room."""
WIDEST: Final = 9.0
_ACROSS, _DOWN = 2, 4
"""The dots of a character of braille."""
_BRAILLE: Final = 0x2800
_BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_DARK: Final = 110
"""The lightest grey of a pixel that becomes a dot."""
_LETTERS: Final[Mapping[str, str]] = {
    "yellow": "y", "green": "g", "brown": "n", "gray": "a", "red": "r", "blue": "b", "purple": "p",
}  # fmt: skip
"""Colour of a hex -> the letter after its coordinate where there are no colours."""


@dataclass(slots=True)
class _Cell:
    """A character with its colours; an empty ``ground`` is that of the terminal."""

    sign: str = " "
    ink: str = "#000000"
    ground: str = ""


def terminal_map(game: Game, width: int, *, colored: bool) -> Text | None:
    """The map in at most ``width`` columns; None if its hexes would be too small. ``colored``: False for a terminal
    without colours, in which letters name them."""
    title, state = game.title, game.state
    full = board_layers(title, state, named=False)
    left, top, wide, high = full.box
    hex = 2 * (SIDE if title.map.flat else INRADIUS)
    columns = int(min(width, WIDEST * wide / hex))
    if columns < NARROWEST * wide / hex:
        return None
    unit = wide / columns
    rows = round(high / unit / 2)
    track = Layered(full.title, full.box, tuple(layer for layer in full.layers if layer.name in ("tunnels", "track")))
    cells = _dots(track, columns, rows)
    views = hex_views(title, state)
    places = {id: centre(title.map.hexes[id].x, title.map.hexes[id].y, title.map.flat) for id in views}
    fills = {**FILLS, **title.drawing.colors}
    for y in range(rows):
        for x in range(columns):
            at = (left + (x + 0.5) * unit, top + (y + 0.5) * 2 * unit)
            near = min(places, key=lambda id: _distance(places[id], at))
            inside = _distance(places[near], at) <= (0.97 * SIDE) ** 2
            cell = cells[y][x]
            if inside and colored:
                cell.ground = _shade(fills.get(views[near].face.color, FILLS["white"]), _third(game, near))
            elif not colored:
                cell.ink = ""
    for id, view in views.items():
        middle = ((places[id][0] - left) / unit, (places[id][1] - top) / unit / 2)
        _label(game, view, cells, middle, hex / unit, colored)
    return _text(cells)


def map_key(game: Game) -> Iterator[str]:
    """The lines below the picture, which has no room for them: the companies at each place, and the meaning of the
    signs."""
    for id, view in hex_views(game.title, game.state).items():
        markers = [company for circle in view.circles for kind, company in circle if kind == "marker"]
        if markers:
            yield f"{id} {game.title.map.hexes[id].name}: {', '.join(markers)}"
    yield "○ a free circle, ● a circle with a marker, • a town; `show map` says the map in words."


def letters_key() -> str:
    """The letters of the colours, for a terminal that has none."""
    return ", ".join(f"{letter} {color}" for color, letter in _LETTERS.items())


def _third(game: Game, id: HexId) -> int:
    """0, 1 or 2, so that no two neighbours have the same."""
    hex, flat = game.title.map.hexes[id], game.title.map.flat
    column, row = (hex.x, (hex.y - hex.x) // 2) if flat else ((hex.x - hex.y) // 2, hex.y)
    return (column - row) % 3


def _shade(color: str, third: int) -> str:
    """The colour a little darker, so that edges between hexes of one colour can be seen."""
    return "#" + "".join(f"{int(int(color[i : i + 2], 16) * (1 - 0.06 * third)):02x}" for i in (1, 3, 5))


def _distance(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _dots(track: Layered, columns: int, rows: int) -> list[list[_Cell]]:
    """Cells with the track as braille."""
    size = (columns * _ACROSS, rows * _DOWN)
    with Image.open(BytesIO(png(track.svg(), width=4 * size[0]))) as drawn:
        pixels = drawn.convert("L").resize(size, Image.Resampling.BOX)
    dark = pixels.point([255 if value <= _DARK else 0 for value in range(256)])
    cells = []
    for y in range(rows):
        row = []
        for x in range(columns):
            code = sum(
                _BITS[down][across]
                for down in range(_DOWN)
                for across in range(_ACROSS)
                if dark.getpixel((x * _ACROSS + across, y * _DOWN + down))
            )
            row.append(_Cell(chr(_BRAILLE + code) if code else " "))
        cells.append(row)
    return cells


def _label(
    game: Game, view: HexView, cells: list[list[_Cell]], at: tuple[float, float], wide: float, colored: bool
) -> None:
    """Write the coordinate of a hex above its middle, and its stops, or what its ground costs, into its middle."""
    face = view.face
    name = str(view.hex) + ("" if colored else _LETTERS.get(face.color, ""))
    _write(cells, at[0], at[1] - 1, [(sign, "", "") for sign in name])
    stops: list[tuple[str, str, str]] = []
    holders = [company for circle in view.circles for kind, company in circle if kind == "marker"]
    room = int(wide) - 1
    if len(holders) == 1 and sum(city.slots for city in face.cities) == 1 and len(holders[0]) <= room:
        ground, ink = badge_colors(game.title.companies[holders[0]])
        stops = [(sign, ink if colored else "", ground if colored else "") for sign in holders[0]]
    else:
        free = sum(city.slots for city in face.cities) - len(holders)
        for company in holders:
            ground, _ = badge_colors(game.title.companies[company])
            stops.append(("●", ground if colored else "", ""))
        stops += [("○", "", "")] * max(0, free) + [("•", "", "")] * len(face.towns)
    if not stops and face.terrain:
        stops = [(sign, "", "") for sign in str(face.terrain)]
    _write(cells, at[0], at[1], stops[: max(1, room)])


def _write(cells: list[list[_Cell]], x: float, y: float, signs: list[tuple[str, str, str]]) -> None:
    """Write ``signs``, each with its ink and ground, with their middle at ``x``, ``y``."""
    row, start = cells[min(max(0, int(y)), len(cells) - 1)], round(x - len(signs) / 2)
    for i, (sign, ink, ground) in enumerate(signs):
        if 0 <= start + i < len(row):
            cell = row[start + i]
            cell.sign, cell.ink, cell.ground = sign, ink or cell.ink, ground or cell.ground


def _text(cells: list[list[_Cell]]) -> Text:
    text = Text(no_wrap=True)
    for row in cells:
        for cell in row:
            ink = cell.ink if cell.ground or cell.ink != "#000000" else ""
            text.append(cell.sign, " ".join(filter(None, (ink, f"on {cell.ground}" if cell.ground else ""))) or None)
        text.append("\n")
    return text
