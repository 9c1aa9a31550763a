"""Pieces laid over the map (tunnels, the Furka-Oberalp track, income panels of mountains), and the transit areas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from engine.board.board import Board
from engine.core.ids import HexId, TileId
from engine.core.title import Title
from engine.facts.file import Facts, facts_of, read_facts
from engine.routes.reach import TransitArea

Rotations: TypeAlias = Mapping[TileId, tuple[int, ...]]

_FACTS = read_facts(Path(__file__).parent / "facts.json")
_TUNNELS: Mapping[str, Any] = _FACTS.section("tunnels", dict)
_MOUNTAINS: Mapping[str, Any] = _FACTS.section("mountains", dict)
_FURKA: Mapping[str, Any] = _FACTS.section("furka_oberalp", dict)

TUNNEL_HEXES: Final[tuple[HexId, ...]] = tuple(HexId(h) for h in _TUNNELS["hexes"])
TUNNEL_COST: Final[int] = _TUNNELS["cost"]
CURVE: Final = TileId("X78")
"""A tunnel between the edges r and r + 2, r being its rotation."""
STRAIGHT: Final = TileId("X79")
"""A tunnel between the edges r and r + 3."""

FURKA: Final[Mapping[HexId, tuple[TileId, int]]] = MappingProxyType(
    {HexId(h): (TileId(tile), int(_FURKA["rotation"])) for h, tile in _FURKA["tiles"].items()}
)
"""Piece and rotation of the Furka-Oberalp track in each of its hexes. All are laid at once."""

MOUNTAIN_HEXES: Final[tuple[HexId, ...]] = tuple(HexId(h) for h in _MOUNTAINS["hexes"])
PANELS: Final[Mapping[TileId, int]] = MappingProxyType(
    {TileId(panel): int(entry["count"]) for panel, entry in _MOUNTAINS["markers"].items()}
)
"""Number of copies of each income panel. Its values are those of the tile of the same name."""


def furka_laid(board: Board) -> bool:
    """True if the Furka-Oberalp track has been laid."""
    return any(piece in board.overlays.get(hex, ()) for hex, piece in FURKA.items())


def tunnel_in(board: Board, hex: HexId) -> tuple[TileId, int] | None:
    """The tunnel piece in the hex and its rotation; None without a tunnel."""
    return next((piece for piece in board.overlays.get(hex, ()) if piece[0] in (CURVE, STRAIGHT)), None)


def panel_on(board: Board, hex: HexId) -> TileId | None:
    """The income panel of the mountain railway in the hex; None without one."""
    return next((tile for tile, _ in board.overlays.get(hex, ()) if tile in PANELS), None)


def tunnel_rotations(board: Board, shared: bool = False) -> Mapping[HexId, Rotations]:
    """For each hex that may still get a tunnel, the rotations of each tunnel tile that join two free mouths.
    ``shared``: those of the Furka-Oberalp track are free too. Connection, certificates and supply of tiles are not
    checked."""  # rule 1844:6.18, 1844:6.20
    laid = furka_laid(board) and not shared
    return {hex: (_WITH_FURKA if laid else _ROTATIONS)[hex] for hex in TUNNEL_HEXES if tunnel_in(board, hex) is None}


def takes_furka_mouth(hex: HexId, tile: TileId, rotation: int) -> bool:
    """True if the tunnel would lead into a mouth of the Furka-Oberalp track."""
    return hex in FURKA and rotation not in _WITH_FURKA[hex][tile]


def _rotations(suffix: str) -> Mapping[HexId, Rotations]:
    given: Mapping[str, Mapping[str, list[int]]] = _TUNNELS["legal_rotations"]
    return {
        HexId(hex): {tile: tuple(rows.get(f"{tile}{suffix}", rows[tile])) for tile in (CURVE, STRAIGHT)}
        for hex, rows in given.items()
    }


_ROTATIONS = _rotations("")
_WITH_FURKA = _rotations("_with_furka")


def transit(title: Title) -> tuple[TransitArea, ...]:
    """The red areas with their hexes, sides of the map and transit bonuses."""  # rule 1844:8.16
    return _transit(facts_of(title))


@lru_cache(maxsize=8)
def _transit(facts: Facts) -> tuple[TransitArea, ...]:
    """Read the areas from the facts. Hexes of an area share a group, and one of them has the bonus."""
    hexes: dict[str, list[HexId]] = {}
    sides: dict[str, str] = {}
    amounts: dict[str, int] = {}
    for entry in facts.section("hexes", list):
        for area in entry.get("offboards", ()):
            if side := area.get("side"):
                name = (area.get("groups") or [entry["coord"]])[0]
                hexes.setdefault(name, []).append(HexId(entry["coord"]))
                sides[name] = side
                amounts[name] = amounts.get(name, 0) + entry.get("direction_bonus", 0)
    return tuple(TransitArea(tuple(found), sides[name], amounts[name]) for name, found in hexes.items())
