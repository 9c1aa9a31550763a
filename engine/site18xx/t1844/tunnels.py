"""Tunnels in records of 18xx.games: the version of the site that let them lead into the Furka-Oberalp track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.ids import HexId
from engine.site18xx.places import tile_type
from engine.titles.t1844.names import FURKA
from engine.titles.t1844.pieces import CURVE, STRAIGHT, takes_furka_mouth


def mouths_shared(actions: Sequence[Mapping[str, Any]]) -> bool:
    """True if a tunnel may have been laid into a mouth of the Furka-Oberalp track. Where no action lays that track, a
    train has done so, at a moment that the record does not show."""
    laid = next((n for n, a in enumerate(actions) if _is_furka(a)), -1)
    return any(_takes_mouth(action) for action in actions[laid + 1 :])


def _is_furka(action: Mapping[str, Any]) -> bool:
    return action["type"] == "choose_ability" and action.get("entity") == FURKA


def _takes_mouth(action: Mapping[str, Any]) -> bool:
    if action["type"] != "lay_tile" or action.get("entity_type") != "company":
        return False
    tile = tile_type(str(action["tile"]))
    return tile in (CURVE, STRAIGHT) and takes_furka_mouth(HexId(action["hex"]), tile, int(action["rotation"]) % 6)
