"""Additions of 1863 to the pictures of all titles: the white circle, the tags for the sides of the map, and the places
for mail markers and tiles of the Clink Club."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from engine.core.drawing import Drawing
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.pieces import Side, inner_circle, mail_hexes, prisons, tagged


def tags(title: Title, state: State) -> Mapping[HexId, tuple[str, ...]]:
    """For each tagged hex, the sides of the map that it counts for and the icons printed in it, named as in the
    facts."""
    found: dict[HexId, list[str]] = {}
    for side in get_args(Side):
        for hex in tagged(title, side):
            found.setdefault(hex, []).append(str(side))
    for word, hexes in (("mail", mail_hexes(title)), ("prison", prisons(title))):
        for hex in hexes:
            found.setdefault(hex, []).append(word)
    return {hex: tuple(words) for hex, words in found.items()}


def circle(title: Title) -> tuple[frozenset[HexId], ...]:
    """The one area to outline: the hexes inside the white circle."""
    return (inner_circle(title, "inside"),)


DRAWING: Final = Drawing(tags=tags, areas=circle)
