"""Runs in records of 18xx.games: lists of legs between stops, as runs with every hex of their track named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core.game import Game
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Route
from engine.routes.legality import check_run
from engine.routes.writing import name_route
from engine.titles.site_places import legs_of, path_of


class OtherEarnings(Exception):
    """Legal runs earn something else than the record says."""


def read_runs(
    game: Game, company: CompanyId, recorded: Sequence[Mapping[str, Any]], side: Callable[[str], TrainName]
) -> tuple[Route, ...]:
    """The runs of one ``run_routes``; trains that stay at home are left out. ``side``: what lies up of a card.
    ``OtherEarnings`` where they are legal, but earn something else than the record says."""
    recorded = [route for route in recorded if route.get("connections")]
    state = game.state
    traits = game.title.policies.run_traits(game.title, state, company)
    routes = tuple(Route(side(str(route["train"])), path_of(legs_of(route))) for route in recorded)
    checked = check_run(state.board, traits, routes)
    if checked.failures:
        return routes
    for route, value in zip(recorded, checked.values, strict=True):
        said = route.get("revenue")
        if said is not None and int(said) != value:
            raise OtherEarnings(f"the record counts {said} for the run of {route['train']}, which earns {value}")
    return tuple(name_route(state.board, traits, r.train, t) for r, t in zip(routes, checked.tracks, strict=True))
