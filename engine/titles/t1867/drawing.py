"""Additions of 1867 to the drawings of all titles: exits that a first tile must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.drawing import Drawing
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1867.pieces import stubs


def _tags(title: Title, state: State) -> Mapping[HexId, tuple[str, ...]]:
    bare = {hex: edges for hex, edges in stubs(title).items() if hex not in state.board.tiles}
    return {hex: tuple(f"»{title.map.edge_names[edge]}" for edge in edges) for hex, edges in bare.items()}


DRAWING: Final = Drawing(tags=_tags)
