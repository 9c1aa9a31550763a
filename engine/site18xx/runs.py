"""Runs in records of 18xx.games: lists of legs between stops, as runs with every hex of their track named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

from engine.core.game import Game
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Route
from engine.routes.legality import check_run
from engine.routes.route_text import name_route
from engine.site18xx.places import legs_of

MOST_TRIES: Final = 64
"""Ways to turn the legs of a run that are looked at."""
Legs = Sequence[Sequence[HexId]]
RouteOf = Callable[[Mapping[str, Any], Legs], Route]


class OtherEarnings(Exception):
    """Legal runs earn something else than the record says."""


def read_runs(
    game: Game, company: CompanyId, recorded: Sequence[Mapping[str, Any]], route_of: RouteOf
) -> tuple[Route, ...]:
    """The runs of one ``run_routes``; trains that stay at home are left out. ``route_of``: the run of a recorded route
    over its legs, turned one way. ``OtherEarnings`` where they are legal, but earn something else than the record
    says."""
    recorded = [route for route in recorded if route.get("connections")]
    state = game.state
    traits = game.title.policies.run_traits(game.title, state, company)
    found = [[route_of(r, legs) for legs in islice(legs_of(r), MOST_TRIES)] for r in recorded]
    if not all(found):
        raise ValueError("the legs of a run do not meet")
    tries = ((routes, check_run(state.board, traits, routes)) for routes in islice(product(*found), MOST_TRIES))
    routes, checked = next((tried for tried in tries if not tried[1].failures), (None, None))
    if routes is None or checked is None:
        return tuple(turns[0] for turns in found)
    for route, value in zip(recorded, checked.values, strict=True):
        said = route.get("revenue")
        if said is not None and int(said) != value:
            raise OtherEarnings(f"the record counts {said} for the run of {route['train']}, which earns {value}")
    return tuple(name_route(state.board, traits, r.train, t) for r, t in zip(routes, checked.tracks, strict=True))
