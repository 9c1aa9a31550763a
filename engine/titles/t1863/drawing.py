"""Additions of 1863 to the pictures of all titles: the white circle, the tags of the sides of the map, and where
mail and tiles of the Clink Club may lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from engine.core.drawing import Drawing
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.pieces import Side, inner_circle, mail_hexes, prisons, tagged


def tags(title: Title, state: State) -> Mapping[HexId, tuple[str, ...]]:
    """The sides of the map that a hex is tagged with, and the icons that are printed in it, as the facts call them."""
    found: dict[HexId, list[str]] = {}
    for side in get_args(Side):
        for hex in tagged(title, side):
            found.setdefault(hex, []).append(str(side))
    for word, hexes in (("mail", mail_hexes(title)), ("prison", prisons(title))):
        for hex in hexes:
            found.setdefault(hex, []).append(word)
    return {hex: tuple(words) for hex, words in found.items()}


def circle(title: Title) -> tuple[frozenset[HexId], ...]:
    """The hexes that the white circle encloses."""
    return (inner_circle(title, "inside"),)


DRAWING: Final = Drawing(tags=tags, areas=circle)
