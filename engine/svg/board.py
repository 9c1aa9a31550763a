"""The map of a position, or a part of it, as SVG. It is drawn layer by layer, so that no hex covers parts of its
neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.board.map import Map
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.colors import FILLS
from engine.svg.dark import darkened
from engine.svg.elements import Svg, escaped, number
from engine.svg.hexes import INRADIUS, SIDE, Point, centre, corners
from engine.svg.labels import SHORT_ARROW, Labelled, arrows, labels
from engine.svg.layers import Layer, Layered, whole
from engine.svg.legend import legend_svg
from engine.svg.lettering import labels_svg
from engine.svg.marks import (
    areas_svg,
    axes_svg,
    borders_svg,
    changed_hexes,
    frame_svg,
    future_svg,
    mark_svg,
    new_markers,
    outlines_svg,
)
from engine.svg.parts import part
from engine.svg.runs import Line, lines_svg, stops_svg
from engine.svg.stations import holders_svg, stations_svg
from engine.svg.stops import spots
from engine.svg.track import arrow_svg, track_svg, tunnels_svg
from engine.svg.view import HexView, hex_views

MARGIN: Final = 60.0
"""The space around the map for the letters and numbers of its coordinates."""
FAR: Final = 0.6
"""Pixels per unit of length below which numbers are drawn larger."""
OVERVIEW: Final = 0.3
"""Pixels per unit of length below which names and numbers are left out, because they would be illegible."""


def board_svg(
    title: Title,
    state: State,
    *,
    hexes: Iterable[HexId] | None = None,
    rings: int = 1,
    size: float | None = None,
    since: State | None = None,
    runs: Sequence[Line] = (),
    marked: Iterable[HexId] = (),
    notes: Mapping[str, str] | None = None,
    dark: bool = False,
) -> Svg:
    """The map of a position.

    ``hexes``: draw only the part around these, with this many more ``rings`` of hexes. ``size``: the width in pixels.
    ``since``: an earlier position; hexes changed after it have a dashed frame, and new markers a ring. ``runs``: lines
    of trains, from ``lines_of``. ``marked``: hexes with a solid frame. ``notes``: words for the legend: the
    ``heading``, and the meaning of frames by ``marked`` and ``changed``. ``dark``: for a dark screen. ``KeyError``
    for a hex that is not on the map.
    """
    map = title.map
    shown = part(map, hexes, rings)
    scale = 1.0 if size is None else size / _box(_centres(map, shown).values(), map.flat)[2]
    layers = board_layers(
        title, state, shown=shown, far=scale < FAR, named=scale >= OVERVIEW, since=since, runs=runs, marked=marked,
        notes=notes,
    )  # fmt: skip
    return (darkened(layers) if dark else layers).svg(size)


def board_layers(
    title: Title,
    state: State,
    *,
    shown: Sequence[HexId] | None = None,
    far: bool = False,
    named: bool = True,
    since: State | None = None,
    runs: Sequence[Line] = (),
    marked: Iterable[HexId] = (),
    notes: Mapping[str, str] | None = None,
    legend: bool = True,
) -> Layered:
    """The map of a position in layers, with parts by hex. ``shown``: the hexes, all by default. ``far``: draw numbers
    larger, for pictures with small hexes. ``named``: draw names, numbers, coordinates and tags. The legend lies below
    the map, which has the same place in the picture with a legend and without. ``legend``: False leaves it out, for
    pictures that must all have the same size."""
    map = title.map
    shown = tuple(map.hexes) if shown is None else shown
    centres = _centres(map, shown)
    left, top, width, height = box = _box(centres.values(), map.flat)
    framed = frozenset(marked) & centres.keys()
    changed = changed_hexes(since.board, state.board) & centres.keys() if since is not None else frozenset()
    kinds = {"marked": framed, "changed": changed}
    entries = tuple((kind, text) for kind, text in (notes or {}).items() if kind not in kinds or kinds[kind])
    below, foot = legend_svg(runs, entries, left + 20, top + height, width - 40) if legend else ("", 0.0)
    layers = [
        *_layers(title, state, hex_views(title, state, shown, far=far, named=named), centres, since, runs, framed),
        whole("axes", axes_svg(map, centres, box), ' fill="#555555"'),
        whole("legend", below),
    ]
    return Layered(f"{title.full_name}: {state.round}", (left, top, width, height + foot), tuple(layers))


def _centres(map: Map, shown: Iterable[HexId]) -> dict[HexId, Point]:
    return {hex: centre(map.hexes[hex].x, map.hexes[hex].y, map.flat) for hex in shown}


def _box(centres: Iterable[Point], flat: bool) -> tuple[float, float, float, float]:
    """The rectangle around the hexes, including the margin."""
    found = list(centres)
    half = (SIDE, INRADIUS) if flat else (INRADIUS, SIDE)
    left, right = min(x for x, _ in found) - half[0], max(x for x, _ in found) + half[0]
    top, bottom = min(y for _, y in found) - half[1], max(y for _, y in found) + half[1]
    return left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN


def _layers(
    title: Title, state: State, views: Mapping[HexId, HexView], centres: dict[HexId, Point], since: State | None,
    runs: Sequence[Line], marked: frozenset[HexId],
) -> Iterable[Layer]:  # fmt: skip
    flat, column = title.map.flat, title.phase(state).revenue_color
    fills = {**FILLS, **title.drawing.colors}
    changed = changed_hexes(since.board, state.board) if since is not None else frozenset()
    new = new_markers(since.board, state.board) if since is not None else {}
    shape = "".join(f"{'ml'[i > 0]}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(_outline(flat))) + "z"
    names = ("hexes", "changes", "future", "tunnels", "track", "arrows", "stations", "tokens", "labels")
    layers: dict[str, dict[str, str]] = {name: {} for name in names}
    placed: dict[HexId, Labelled] = {}
    for hex, view in views.items():
        x, y = centres[hex]
        fill = fills.get(view.face.color, FILLS["white"])
        start = f"M{number(x)} {number(y)}{shape}"
        layers["hexes"][hex] = (
            f'<g id="hex-{escaped(str(hex))}"><title>{escaped(view.words)}</title><path d="{start}" fill="{fill}"/></g>'
        )
        found = placed[hex] = labels(view.wanted)
        for name, svg in of_hex(title, view, found, fill, column, new.get(hex, ())):
            if svg:
                layers[name][hex] = f'<g transform="translate({number(x)} {number(y)})">{svg}</g>'
        frames = (mark_svg((x, y), flat) if hex in marked else "") + (frame_svg((x, y), flat) if hex in changed else "")
        if frames:
            layers["changes"][hex] = frames
    for hex, paths in title.drawing.future(title, state).items():
        if hex in centres:
            layers["future"][hex] = future_svg(paths, centres[hex], flat)
    yield Layer("hexes", layers["hexes"], ' shape-rendering="crispEdges"')
    yield whole("outlines", outlines_svg(title.map, tuple(centres)))
    yield whole("areas", areas_svg(title, centres))
    yield from (Layer(name, layers[name]) for name in ("changes", "future", "tunnels", "track", "arrows"))
    yield whole("borders", borders_svg(title, state, centres))
    yield whole("runs", lines_svg(runs, centres))
    yield whole("counted", stops_svg(runs, centres))
    yield from (Layer(name, layers[name]) for name in ("stations", "tokens"))
    yield Layer("labels", layers["labels"], ' font-weight="700"')


def _outline(flat: bool) -> list[Point]:
    """The corners of a hex as steps: the first from the centre, each other one from the corner before."""
    found = corners(flat)
    return [found[0], *((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(found))]


def of_hex(
    title: Title, view: HexView, found: Labelled, fill: str, column: str, new: Sequence[CompanyId]
) -> Iterable[tuple[str, str]]:
    """Yield the layers of one hex above its fill, by name."""
    face, flat = view.face, view.wanted.flat
    tip = found.tip if found.tip else SHORT_ARROW
    yield "tunnels", tunnels_svg(face, flat)
    yield "track", track_svg(face, flat)
    yield "arrows", "".join(arrow_svg(edge, tip, flat) for edge in arrows(face))
    yield "stations", stations_svg(face, flat)
    if any(view.circles):
        cities = [spot for spot in spots(face, flat) if spot.kind == "c"]
        yield (
            "tokens",
            "".join(
                holders_svg(spot, holders, title.companies.get, new)
                for spot, holders in zip(cities, view.circles, strict=True)
            ),
        )
    yield "labels", labels_svg(view.wanted, fill, column)
