"""The parts of a position that a picture shows, hex by hex: faces, the circles of cities with their
holders, and tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.board.map import Face
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.svg.labels import Wanted, row_of

Holder: TypeAlias = tuple[Literal["marker", "claim", "home"], CompanyId]
"""The company shown in a circle: ``marker``, it has a marker there; ``claim``, it has a claim that others must respect;
``home``, the city is its home."""


@dataclass(frozen=True, slots=True)
class HexView:
    """The contents of one hex. ``circles``: the holders by city, in order; the remaining circles are free. ``wanted``:
    everything that its labels depend on."""

    hex: HexId
    face: Face
    circles: tuple[tuple[Holder, ...], ...]
    wanted: Wanted
    words: str
    """Its coordinate, name, tile and companies, for people who cannot see the picture."""


def hex_views(
    title: Title,
    state: State,
    hexes: Iterable[HexId] | None = None,
    *,
    far: bool = False,
    named: bool = True,
) -> dict[HexId, HexView]:
    """The contents of each hex, in the order of the map. ``far``: for pictures with small hexes. ``named``: False for
    pictures with such small hexes that only values, letters and company codes are legible."""
    chosen = set(title.map.hexes if hexes is None else hexes)
    homes, tags = _homes(title, state), _tags(title, state)
    areas = _named_areas(title)
    captions = _captions(title)
    return {
        hex: _view(title, state, hex, homes.get(hex, ()), tags.get(hex, ()), areas, captions, far, named)
        for hex in title.map.hexes
        if hex in chosen
    }


def _view(
    title: Title, state: State, hex: HexId, homes: tuple[tuple[CompanyId, int], ...], tags: tuple[str, ...],
    areas: frozenset[HexId], captions: Mapping[str, str], far: bool, named: bool,
) -> HexView:  # fmt: skip
    printed, face = title.map.hexes[hex], state.board.face(hex)
    circles, overflow = _circles(title, state, hex, face, homes)
    placed = state.board.tiles.get(hex)
    if title.policies.hex_closed(title, state, hex) and printed.closed_until:
        tags = (f"≥{printed.closed_until}", *tags)
    columns = _columns(face)
    number = "" if placed is None else str(placed[0])
    shown = not face.offboards or hex in areas
    tags = (*tags, *overflow) if shown else ()
    wanted = Wanted(
        face=face,
        flat=title.map.flat,
        name=printed.name if named else "",
        number=number if named else "",
        coordinate=str(hex) if named else "",
        shows_row=shown,
        captions=tuple(captions[c] for c in columns) if captions and all(c in captions for c in columns) else (),
        tags=tags if named else (),
        far=far,
    )
    holders = [name for city in circles for kind, name in city if kind == "marker"]
    values = [str(s.revenue) for s in (*face.cities, *face.towns) if s.revenue and isinstance(s.revenue, int)]
    words = " ".join([str(hex), printed.name, number, "/".join(values), *holders, *tags]).strip()
    return HexView(hex, face, circles, wanted, " ".join(words.split()))


def _circles(
    title: Title, state: State, hex: HexId, face: Face, homes: tuple[tuple[CompanyId, int], ...]
) -> tuple[tuple[tuple[Holder, ...], ...], tuple[str, ...]]:
    """The companies in the circles of each city, and the companies with a claim or home for which no circle is left."""
    if not face.cities:
        return (), ()
    claims = title.policies.reserved(title, state, hex, CompanyId(""))
    found: list[tuple[Holder, ...]] = []
    overflow: list[str] = []
    standing = state.board.circles(hex)
    for i, city in enumerate(face.cities):
        there: list[Holder] = [("marker", company) for company in (standing[i] if i < len(standing) else ())]
        seen = {company for _, company in there}
        for kind, places in (("claim", claims), ("home", homes)):
            for company, at in places:
                if at != i or company in seen:
                    continue
                seen.add(company)
                if len(there) < city.slots:
                    there.append(("claim" if kind == "claim" else "home", company))
                elif company not in overflow:
                    overflow.append(company)
        found.append(tuple(there))
    return tuple(found), tuple(overflow)


def _homes(title: Title, state: State) -> dict[HexId, tuple[tuple[CompanyId, int], ...]]:
    """By hex, the companies that may still start there, each with the city index."""
    found: dict[HexId, tuple[tuple[CompanyId, int], ...]] = {}
    for company, now in state.companies.items():
        if now.status == "unstarted":
            for hex, printed in charter_of(title, state, company).homes:
                if state.board.face(hex).cities:
                    found[hex] = (*found.get(hex, ()), (company, state.board.home_city(hex, printed)))
    return found


def _tags(title: Title, state: State) -> dict[HexId, tuple[str, ...]]:
    """Short words about hexes: privates that pay there, companies with their destination there, and the title's own
    tags."""
    found: dict[HexId, list[str]] = {}
    for private, data in title.privates.items():
        if private in state.privates:
            for hex in data.bonus_hexes:
                found.setdefault(hex, []).append(str(private))
    for company, bound in title.companies.items():
        if bound.destination is not None and not state.companies[company].operated:
            found.setdefault(bound.destination, []).append(f"»{company}")
    for hex, words in title.drawing.tags(title, state).items():
        found.setdefault(hex, []).extend(words)
    return {hex: tuple(words) for hex, words in found.items()}


def _named_areas(title: Title) -> frozenset[HexId]:
    """The hexes that show the values of off-board areas: for each area, the hex with its name, or its first hex."""
    best: dict[str, HexId] = {}
    for hex, printed in title.map.hexes.items():
        for area in printed.face.offboards:
            key = area.group or str(hex)
            if key not in best or (printed.name and not title.map.hexes[best[key]].name):
                best[key] = hex
    return frozenset(best.values())


def _columns(face: Face) -> tuple[str, ...]:
    stop = next((s for s in (*face.offboards, *face.cities, *face.towns) if not isinstance(s.revenue, int)), None)
    return () if stop is None or isinstance(stop.revenue, int) or not row_of(face) else tuple(stop.revenue)


def _captions(title: Title) -> Mapping[str, str]:
    """The phases in which each column of values counts; empty if the columns are colours of track."""
    if not any(phase.values for phase in title.phases):
        return {}
    names: dict[str, list[str]] = {}
    for phase in title.phases:
        names.setdefault(phase.revenue_color, []).append(str(phase.name))
    return {column: found[0] if len(found) == 1 else f"{found[0]}–{found[-1]}" for column, found in names.items()}
