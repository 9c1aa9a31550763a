"""Pictures for a dark screen: dark paper with light words around the map or chart. Tiles keep their colours; hexes
without a tile are darker, with enough contrast for the black words and track on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.svg.colors import FILLS, WORDS
from engine.svg.layers import Layer, Layered
from engine.svg.track import WHITE

PAPER: Final = "#1b1e22"
INK: Final = "#e8e8e6"
EMPTY: Final = "#aba79b"
"""The fill of hexes without a tile."""

_EMPTY: Final = {FILLS["white"]: EMPTY}
_INK: Final = {WORDS: INK}
_FAINT: Final = {"#555555": "#b5bac2"}
_OF_LAYER: Final[Mapping[str, Mapping[str, str]]] = {
    "hexes": _EMPTY, "labels": _EMPTY, "axes": _FAINT, "legend": _INK, "piles": _INK,
    "spaces": {f'fill="{WHITE}"': f'fill="{EMPTY}"'},
}  # fmt: skip
"""The colours that differ, by layer."""


def darkened(picture: Layered) -> Layered:
    """The same picture on dark paper."""
    return replace(picture, layers=tuple(map(_layer, picture.layers)), background=PAPER)


def dimmed(name: str, content: str) -> str:
    """Elements of the layer ``name`` on dark paper."""
    return _changed(content, _OF_LAYER.get(name, {}))


def _layer(layer: Layer) -> Layer:
    changes = _OF_LAYER.get(layer.name, {})
    parts = {key: _changed(content, changes) for key, content in layer.parts.items()} if changes else layer.parts
    return replace(layer, parts=parts, style=_changed(layer.style, changes))


def _changed(content: str, changes: Mapping[str, str]) -> str:
    for color, other in changes.items():
        content = content.replace(color, other)
    return content
