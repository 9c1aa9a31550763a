"""Lay out the sheet of legal lays in a mail: hex by hex, or tile by tile if there are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import svg
from engine.board.map import Face
from engine.core.ids import HexId, TileId
from engine.core.state import State
from engine.core.title import Title
from engine.svg import LayGroup, Lying, Svg
from engine.svg.mosaic import Mosaic, lays_mosaic
from moderator.domain.pictures import Lay
from moderator.words.position.lay_text import said
from moderator.words.position.lay_views import turned
from moderator.words.texts import Words

BY_HEX: Final = 60
"""The maximum number of lays that are shown hex by hex; of more, each tile is shown once in each turn."""
_MANY_ACROSS: Final = 8
"""The number of pictures side by side if there are many."""


def sheet(own: Words, title: Title, state: State, lays: Sequence[Lay], size: float, *, dark: bool) -> Svg:
    """The sheet of ``lays``. ``dark``: for a dark screen."""
    if len(lays) <= BY_HEX:
        return svg.lays_svg(title, state, _by_hex(own, title, state, lays), size=size, dark=dark)
    return svg.lays_svg(title, state, _by_tile(title, lays), size=size, across=_MANY_ACROSS, plain=True, dark=dark)


def pieces_of_sheet(own: Words, title: Title, state: State, lays: Sequence[Lay], width: int, *, dark: bool) -> Mosaic:
    """The same sheet in pieces, ``width`` pixels wide."""
    if len(lays) <= BY_HEX:
        return lays_mosaic(title, state, _by_hex(own, title, state, lays), width=width, dark=dark)
    return lays_mosaic(title, state, _by_tile(title, lays), width=width, across=_MANY_ACROSS, plain=True, dark=dark)


def _by_hex(own: Words, title: Title, state: State, lays: Sequence[Lay]) -> list[LayGroup]:
    groups: dict[HexId, list[Lying]] = {}
    for named, tile, turn in lays:
        hex = HexId(named)
        groups.setdefault(hex, []).append(_lying(own, title, state, hex, TileId(tile), turn))
    return [LayGroup(_forms(title, hex), tuple(group)) for hex, group in groups.items()]


def _forms(title: Title, hex: HexId) -> tuple[str, ...]:
    name = title.map.hexes[hex].name
    return (f"{hex} {name}", str(hex)) if name else (str(hex),)


def _lying(own: Words, title: Title, state: State, hex: HexId, tile: TileId, turn: int) -> Lying:
    """A lay with the sides that it joins; for an upgrade only the new ones, which the picture marks."""
    old, new = state.board.face(hex).exits, title.map.tiles[tile].face.turned(turn).exits
    text = said(own, title, turned(title, state, hex, tile, turn))
    if not old or not new - old:
        return Lying(tile, turn, text)
    return Lying(tile, turn, text[text.index("+") :], new - old)


def _by_tile(title: Title, lays: Sequence[Lay]) -> list[LayGroup]:
    """A group for each tile, with all its turns; its head lists the hexes where it may lie in one of them."""
    hexes: dict[TileId, list[str]] = {}
    turns: dict[TileId, set[int]] = {}
    for hex, named, turn in lays:
        tile = TileId(named)
        turns.setdefault(tile, set()).add(turn)
        if hex not in hexes.setdefault(tile, []):
            hexes[tile].append(hex)
    groups = []
    for tile in sorted(turns, key=lambda tile: svg.by_color(title.map.tiles[tile])):
        face = title.map.tiles[tile].face
        lying = (Lying(tile, turn, _sides(title, face.turned(turn))) for turn in sorted(turns[tile]))
        groups.append(LayGroup((f"{tile}: {', '.join(hexes[tile])}", str(tile)), tuple(lying)))
    return groups


def _sides(title: Title, face: Face) -> str:
    """All sides that a face joins, as an order may name them."""
    return "-".join(title.map.edge_names[edge] for edge in sorted(face.exits))
