"""Runs in records of 18xx.games: lists of legs between stops, as runs with every hex of their track named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from engine.core.checks import Fact
from engine.core.game import Game
from engine.core.ids import CompanyId, TrainName
from engine.core.orders import Route
from engine.routes.legality import check_run
from engine.routes.writing import name_route
from engine.titles.site_places import legs_of, path_of


class OtherEarnings(Exception):
    """Legal runs earn something else than the record says."""


def read_runs(game: Game, company: CompanyId, recorded: Sequence[Mapping[str, Any]]) -> tuple[Route, ...]:
    """The runs of one ``run_routes``; trains that stay at home are left out. ``OtherEarnings`` where they are legal,
    but earn something else than the record says."""
    recorded = [route for route in recorded if route.get("connections")]
    state = game.state
    traits = game.title.policies.run_traits(game.title, state, company)
    routes = tuple(_route(r) for r in recorded)
    checked = check_run(state.board, traits, routes)
    unpaid = {h for f in checked.failures if f.check == "run.end_not_counted" for h in _hexes(f.facts["hexes"])}
    if unpaid:
        # The site lets a run go on to a small city that does not count; ours ends where it earns.
        routes = tuple(_route(r, unpaid) for r in recorded)
        checked = check_run(state.board, traits, routes)
    if checked.failures:
        return routes
    said = [int(route["revenue"]) for route in recorded if route.get("revenue") is not None]
    if len(said) == len(recorded) and sum(said) != sum(checked.values):
        raise OtherEarnings(f"the record counts {sum(said)} for a run that earns {sum(checked.values)}")
    return tuple(name_route(state.board, traits, r.train, t) for r, t in zip(routes, checked.tracks, strict=True))


def train_type(id: str) -> TrainName:
    """Type of a train by its number on the site: ``5+5E-1`` is a ``5+5E``."""
    return TrainName(id.rsplit("-", 1)[0])


def _hexes(fact: Fact) -> tuple[str, ...]:
    return tuple(str(h) for h in fact) if isinstance(fact, tuple) else ()


def _route(route: Mapping[str, Any], unpaid: Set[str] = frozenset()) -> Route:
    """A run with every hex of its track named. Legs to an ``unpaid`` end are left out."""
    legs = next(legs_of(route), None)
    if legs is None:
        raise ValueError("the legs of a run do not meet")
    while len(legs) > 1 and legs[0][0] in unpaid:
        del legs[0]
    while len(legs) > 1 and legs[-1][-1] in unpaid:
        del legs[-1]
    return Route(train_type(str(route["train"])), path_of(legs))
