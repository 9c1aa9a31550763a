"""The track of a face as curves on levels, and as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.board.map import End, Face
from engine.svg.curves import Curve
from engine.svg.elements import number
from engine.svg.hexes import INRADIUS, Point, direction, toward
from engine.svg.stops import CASING, TRACK, curve_of, spots

BLACK: Final = "#111111"
WHITE: Final = "#ffffff"
_BRIDGE: Final = 28.0
"""The length of track drawn on top, on each side, where it crosses other track of the same level."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One path of a face. ``level``: pieces of a higher level lie above; tunnels are on level -1. ``kind``: ``track``,
    ``tunnel``, ``stem`` (track that tapers off in a city where every run ends) or ``arrow`` (into
    an off-board area)."""

    ends: tuple[End, End]
    curve: Curve
    level: int
    kind: str


@lru_cache(maxsize=8192)
def pieces(face: Face, flat: bool) -> tuple[Piece, ...]:
    """All paths of a face, in the order of its list."""
    places, levels = spots(face, flat), _levels(face)
    found = []
    for path, level in zip(face.paths, levels, strict=True):
        kind = "track"
        if path in face.tunnels:
            kind, level = "tunnel", -1
        elif any(end[0] == "o" for end in path):
            kind = "arrow"
        elif any(end[0] == "c" and end[1] in face.stems for end in path):
            kind = "stem"
        found.append(Piece(path, curve_of(path, places, flat), level, kind))
    return tuple(found)


def _levels(face: Face) -> list[int]:
    """A level for each path. Paths that share an end are on one level; paths later in the list are higher."""
    owner: dict[End, int] = {}
    levels = list(range(len(face.paths)))
    for i, path in enumerate(face.paths):
        for end in path:
            before = owner.setdefault(end, i)
            low, high = sorted((levels[before], levels[i]))
            levels = [low if level == high else level for level in levels]
    return levels


def over(face: Face, flat: bool) -> tuple[Curve, ...]:
    """The middle parts of pieces that cross another piece of their own level. They are drawn once more, on top."""
    found = []
    there = [piece for piece in pieces(face, flat) if piece.kind == "track"]
    for i, upper in enumerate(there):
        for lower in there[:i]:
            if upper.level == lower.level and not set(upper.ends) & set(lower.ends):
                share = _crossing(upper.curve, lower.curve)
                if share is not None:
                    reach = _BRIDGE / upper.curve.length
                    found.append(upper.curve.part(max(0.0, share - reach), min(1.0, share + reach)))
    return tuple(found)


def _crossing(a: Curve, b: Curve) -> float | None:
    """The share of the way along ``a`` at which it crosses ``b``; None if it does not."""
    others, here = b.points(3), a.points(3)
    square, at = min((((x - u) ** 2 + (y - v) ** 2), i) for i, (x, y) in enumerate(here) for u, v in others)
    return at / (len(here) - 1) if square < 9 else None


@lru_cache(maxsize=8192)
def tunnels_svg(face: Face, flat: bool) -> str:
    """The tunnels of a face: white dashes on black, beneath all other track."""
    data = "".join(piece.curve.path() for piece in pieces(face, flat) if piece.kind == "tunnel")
    if not data:
        return ""
    return (
        _stroke(data, WHITE, TRACK + 2 * CASING + 2)
        + _stroke(data, BLACK, TRACK + 2)
        + _stroke(data, WHITE, TRACK - 3.5, ' stroke-dasharray="9 7"')
    )


@lru_cache(maxsize=8192)
def track_svg(face: Face, flat: bool) -> str:
    """The track of a face without tunnels and arrows, level by level."""
    levels: dict[int, list[str]] = {}
    stems = []
    for piece in pieces(face, flat):
        if piece.kind == "track":
            levels.setdefault(piece.level, []).append(piece.curve.path())
        elif piece.kind == "stem":
            stems.append(_stem(piece, flat))
    found = [_both("".join(levels[level])) for level in sorted(levels)]
    return "".join(found) + "".join(map(_bridge, over(face, flat))) + "".join(stems)


def _bridge(curve: Curve) -> str:
    """Track with a shorter casing, so that the casing does not show between the two parts of a line."""
    casing = _stroke(curve.part(0.08, 0.92).path(), WHITE, TRACK + 2 * CASING)
    return casing + _stroke(curve.path(), BLACK, TRACK)


def _both(data: str) -> str:
    return _stroke(data, WHITE, TRACK + 2 * CASING) + _stroke(data, BLACK, TRACK)


def _stroke(data: str, color: str, width: float, extra: str = "") -> str:
    return f'<path d="{data}" fill="none" stroke="{color}" stroke-width="{number(width)}"{extra}/>'


def _stem(piece: Piece, flat: bool) -> str:
    """Track of full width that tapers off toward its city."""
    edge = next(number for kind, number in piece.ends if kind == "e")
    return _taper(edge, (INRADIUS, 70.0, 30.0), flat)


@lru_cache(maxsize=32)
def arrow_svg(edge: int, tip: float, flat: bool) -> str:
    """An arrow from an edge into an off-board area."""
    return _taper(edge, (INRADIUS, max(74.0, tip + 14), tip), flat, 6.5)


def _taper(edge: int, reach: tuple[float, float, float], flat: bool, half: float = TRACK / 2) -> str:
    def shape(more: float, tip: float) -> str:
        wide = half + more
        points = (_beside(edge, reach[0], wide, flat), _beside(edge, reach[1], wide, flat), toward(edge, tip, flat),
                  _beside(edge, reach[1], -wide, flat), _beside(edge, reach[0], -wide, flat))  # fmt: skip
        return " ".join(f"{number(x)},{number(y)}" for x, y in points)

    outer, inner = shape(CASING, reach[2] - 6), shape(0, reach[2])
    return f'<polygon points="{outer}" fill="{WHITE}"/><polygon points="{inner}" fill="{BLACK}"/>'


def _beside(edge: int, far: float, aside: float, flat: bool) -> Point:
    (x, y), (nx, ny) = toward(edge, far, flat), direction(edge, flat)
    return x - ny * aside, y + nx * aside
