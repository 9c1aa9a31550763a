"""The calculation of a company's runs, and the income of routes apart from their stops."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.routes.bonuses import AllBonus, Claim, EndsBonus, RingBonus, RouteBonus
from engine.routes.reach import RunTraits, TrainReach
from engine.routes.run_sets import Linked
from engine.titles.t1863.names import MAIL_AT, MAIL_RAIL, mark
from engine.titles.t1863.pieces import bonuses, inner_circle, mail_hexes, tagged
from engine.titles.t1863.privates.tolls import toll_to
from engine.titles.t1863.rulings import rulings_of

STATIONS: Final = frozenset({"city", "offboard"})
"""Routes end at these: major stations and red hexes. Minor stations are only passed through."""
_FARTHEST: Final = frozenset({HexId("C10"), HexId("Q10")})
"""The two places for mail markers that earn most together."""


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """The trains and phase of the company, the conditions for its routes, and the income of routes."""
    # rule 5.3, 12.28, 12.29, 12.31, 5.15, 5.16, 5.17, 5.18, 5.19, 5.20, 12.67
    rulings, toll = rulings_of(title), _toll(title, state, company)
    once = rulings.toll == "company"
    trains = tuple(sorted(state.companies[company].trains))
    return RunTraits(
        company=company,
        trains=trains,
        reaches=tuple(_reach(title, train) for train in trains),
        color=title.phase(state).revenue_color,
        marker_in=STATIONS,
        termini=STATIONS,
        loops=True,
        route_bonuses=_route_bonuses(title),
        claims=_mail(title, state, company),
        tolls=() if toll is None or once else (toll,),
        toll_once=toll if once else None,
        together=Linked(pairs=rulings.intersecting == "pairs"),
    )


def _reach(title: Title, train: TrainName) -> TrainReach:
    """The reach of the train. By a ruling an express may end at any station that others do not fill."""
    # rule 12.30, 5.21, 5.22
    reach = title.trains[train].reach
    open = reach.held_ends and rulings_of(title).express_ends == "open"
    return replace(reach, open_ends=STATIONS) if open else reach


def _route_bonuses(title: Title) -> tuple[RouteBonus, ...]:
    """The bonuses from edge to edge, for the outer circle and for the inner circle. A route earns the best of them."""
    # rule 12.31, 5.23, 5.24, 5.25, 5.26
    given = bonuses(title)
    north, south, west, east = (tagged(title, side) for side in ("N", "S", "W", "E"))
    found: list[RouteBonus] = [
        EndsBonus(north, south, given.north_south),
        EndsBonus(west, east, given.east_west),
        AllBonus((north, south, west, east), given.outer_circle),
    ]
    ring, inside = inner_circle(title, "ring"), sorted(inner_circle(title, "inside"))
    if inside:
        hexes = title.map.hexes
        places = tuple((hex, (hexes[hex].x, hexes[hex].y)) for hex in sorted(ring))
        found.append(RingBonus(ring, places, (hexes[inside[0]].x, hexes[inside[0]].y), given.inner_circle))
    return tuple(found)


def _mail(title: Title, state: State, company: CompanyId) -> tuple[Claim, ...]:
    """The claims of the company to income from mail markers that its routes touch: one for each marker, and one for
    both."""  # rule 9.11, 9.20
    if state.privates.get(MAIL_RAIL) != company:
        return ()
    empty: tuple[HexId, ...] = ()
    hexes = tuple(sorted(mail_hexes(title).intersection(mark(state, MAIL_AT, empty))))
    one, two, most = bonuses(title).mail
    claims = tuple(Claim((hex,), one) for hex in hexes)
    return (*claims, Claim(hexes, most if frozenset(hexes) == _FARTHEST else two)) if len(hexes) == 2 else claims


def _toll(title: Title, state: State, company: CompanyId) -> tuple[HexId, int] | None:
    """The pirate's station and the toll that the company pays for a route that touches it, or None."""
    # rule 9.12
    paid = toll_to(state, company)
    return None if paid is None else (paid[1], bonuses(title).toll)
