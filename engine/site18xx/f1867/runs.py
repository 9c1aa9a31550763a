"""Runs in records of 18xx.games, converted from lists of legs between stops to routes that name every hex.

The site lets a run continue over small cities that do not count, at one end or both, and pays one of two small cities
at the ends if there is room for one. Ours must end where it earns (9.2). So each run is shortened separately, one end
at a time, until it earns the recorded revenue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

from engine.board.board import Board
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Route
from engine.routes.legality import check_run
from engine.routes.reach import RunTraits
from engine.routes.route_text import name_route
from engine.site18xx.places import legs_of, path_of
from engine.site18xx.runs import OtherEarnings
from engine.site18xx.trains import train_type

_MOST_SETS: Final = 64
"""The most combinations of shortened runs tried for one order. If the runs share no track, the first one fits."""


def read_runs(game: Game, company: CompanyId, recorded: Sequence[Mapping[str, Any]]) -> tuple[Route, ...]:
    """The runs of one ``run_routes`` action, shortened to their stops that earn. Trains without a run are left out.
    Runs that cannot be made legal are returned as recorded. Raises ``OtherEarnings`` if a run is legal but does not
    earn the recorded revenue."""
    recorded = [route for route in recorded if route.get("connections")]
    board = game.state.board
    traits = game.title.policies.run_traits(game.title, game.state, company)
    found = [_fitting(board, traits, route) for route in recorded]
    for routes in islice(product(*found), _MOST_SETS):
        checked = check_run(board, traits, routes)
        if not checked.failures:
            return tuple(name_route(board, traits, r.train, t) for r, t in zip(routes, checked.tracks, strict=True))
    return tuple(_route(r, _legs(r)) for r in recorded)


def _fitting(board: Board, traits: RunTraits, recorded: Mapping[str, Any]) -> list[Route]:
    """The run and its shortened forms that are legal by themselves and earn the recorded revenue, the longest first.
    Without a recorded revenue, all legal ones."""
    said = recorded.get("revenue")
    fitting: list[Route] = []
    earned: list[int] = []
    for route in _shortened(board, recorded):
        checked = check_run(board, traits, (route,))
        if not checked.failures:
            earned.append(sum(checked.values))
            if said is None or earned[-1] == int(said):
                fitting.append(route)
    if earned and not fitting:
        whole = "-".join(_route(recorded, _legs(recorded)).hexes)
        raise OtherEarnings(f"the record counts {said} for {recorded['train']} {whole}, which earns {earned[0]}")
    return fitting


def _shortened(board: Board, recorded: Mapping[str, Any]) -> Iterator[Route]:
    """The run as recorded, then without legs to small cities at its ends: fewer cuts first, among equals cuts at its
    end."""
    legs = _legs(recorded)
    ahead = _small(board, [leg[0] for leg in legs[:-1]])
    behind = _small(board, [leg[-1] for leg in legs[:0:-1]])
    for cut in range(ahead + behind + 1):
        for first in range(max(0, cut - behind), min(ahead, cut) + 1):
            last = len(legs) - (cut - first)
            if first < last:
                yield _route(recorded, legs[first:last])


def _small(board: Board, ends: Sequence[HexId]) -> int:
    """Number of different small cities among the stops before any other stop, counted from one end of the run."""
    return next((n for n, hex in enumerate(ends) if hex in ends[:n] or not _is_small(board, hex)), len(ends))


def _is_small(board: Board, hex: HexId) -> bool:
    face = board.face(hex) if hex in board.map.hexes else None
    return face is not None and bool(face.towns) and not face.cities


def _legs(route: Mapping[str, Any]) -> list[list[HexId]]:
    legs = next(legs_of(route), None)
    if legs is None:
        raise ValueError("the legs of a run do not meet")
    return legs


def _route(recorded: Mapping[str, Any], legs: Sequence[Sequence[HexId]]) -> Route:
    """The run over ``legs``, as a route that names every hex of the track."""
    return Route(train_type(str(recorded["train"])), path_of(legs))
