"""Additions of 1844 to the pictures of a map: the future Furka-Oberalp track."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.drawing import Drawing, Paths
from engine.core.ids import HexId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1844.pieces import FURKA, furka_laid


def future(title: Title, state: State) -> Mapping[HexId, Paths]:
    """The future Furka-Oberalp track from edge to edge; empty once it is laid."""
    if furka_laid(state.board):
        return {}
    return {
        hex: ((("e", min(exits)), ("e", max(exits))),)
        for hex, (piece, rotation) in FURKA.items()
        if len(exits := title.map.tiles[piece].face.turned(rotation).exits) == 2
    }


DRAWING: Final = Drawing(future=future)
