"""The plain player's track, tunnels and markers, chosen to add most to the reach of a company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.acts.act import Turn
from engine.acts.lay_track import Laid
from engine.acts.reach import reach_for
from engine.board.board import Board
from engine.core.checks import Refused
from engine.core.events import OverlayLaid
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.core.orders import Lay, Order, Token, Tunnel, UsePrivate
from engine.core.state import State
from engine.core.title import Title
from engine.routes.optimum import best_run
from engine.sensible.common import best_stop, promise
from engine.sensible.thrift import has_bills, thought_of, unearned

SECOND_LAY: Final = 40
"""The least gain of a further lay in the same turn, for which there is usually a fee."""
NEW_PLACE: Final = 30
"""The worth of each hex with a city or town to which a tunnel gives the company's track a way."""
ASTRAY: Final = 25
"""The worth of each hex by which track comes closer to a new stop, for a company that cannot run."""
FAR: Final = 5
"""The distance in hexes at which track is no longer close to a stop."""
LOOKED_AT: Final = 8
"""The number of lays, the best at first sight, or of tunnels that are examined closely."""


def track(
    game: Game, company: CompanyId, lays: Sequence[Lay], must: bool = False, astray: bool = False
) -> Order | None:
    """The lay that adds most to the worth of the company's reach, if it is worth its price. ``must``: the best lay even
    if none is worth it. ``astray``: the company cannot run, so a lay that brings its track closer to a new stop is
    worth more."""
    if not lays:
        return None
    title, state = game.title, game.state
    turn = state.top
    second = isinstance(turn, Turn) and bool(turn.note(Laid).hexes)

    def price(lay: Lay) -> int:
        return game.cost(lay) or 0

    best: Lay | None = None
    most = promise(title, state, state.board, company) + (SECOND_LAY if second else 0)
    thrifty, spare = has_bills(title), state.money(company) - unearned(title, state, company)
    if thrifty:
        most += thought_of(title, state, company, state.board)
    able = [lay for lay in lays if price(lay) <= spare] or lays[: not thrifty]
    for lay in sorted(able, key=lambda lay: price(lay) - _glance(title, state, lay))[:LOOKED_AT]:
        board = state.board.lay(lay.hex, lay.tile, lay.rotation)
        found = promise(title, state, board, company) + _leads(title, state, board, lay) - price(lay) // 2
        if astray:
            found += _nearer(title, state, board, lay)
        if thrifty:
            found += thought_of(title, state, company, board)
        if found > most or (must and best is None):
            best, most = lay, found
    return best


def _glance(title: Title, state: State, lay: Lay) -> int:
    """A quick estimate of a lay: the gain in value of its stops, and the stops and track to which its new exits
    lead."""
    color = title.phase(state).revenue_color
    old, new = state.board.face(lay.hex), title.map.tiles[lay.tile].face.turned(lay.rotation)
    gain = 10 * (best_stop(new, color) - best_stop(old, color))
    for edge in new.exits - old.exits:
        neighbor = state.board.face(title.map.hexes[lay.hex].neighbors[edge])
        gain += best_stop(neighbor, color) + (10 if (edge + 3) % 6 in neighbor.exits else 0)
    return gain


def _leads(title: Title, state: State, board: Board, lay: Lay) -> int:
    """The worth of the hexes that the company reaches over the new exits of the lay."""
    color, found = title.phase(state).revenue_color, reach_for(title, state, lay.actor, "lay", board)
    old, new = state.board.face(lay.hex), board.face(lay.hex)
    sides = ((title.map.hexes[lay.hex].neighbors[edge], (edge + 3) % 6) for edge in new.exits - old.exits)
    return sum(1 + best_stop(board.face(hex), color) // 5 for hex, edge in sides if (hex, edge) in found)


def _nearer(title: Title, state: State, board: Board, lay: Lay) -> int:
    """The worth of the shortest distance from an end of the company's track to a city or off-board area that is out of
    its reach."""
    found = reach_for(title, state, lay.actor, "lay", board)
    there = {hex for _, hex, _ in reach_for(title, state, lay.actor, "run", state.board).stops}
    stops = [h for h in title.map.hexes if h not in there and (board.face(h).cities or board.face(h).offboards)]
    ends = {hex for hex in found.hexes if hex not in board.tiles}
    away = min((title.map.distance(end, stop) for end in ends for stop in stops), default=FAR)
    return ASTRAY * max(0, FAR - away)


def tunnel(game: Game, company: CompanyId, tunnels: Sequence[Tunnel]) -> Order | None:
    """The tunnel that adds most to the company's income and reach; None if no tunnel adds anything."""
    title, state = game.title, game.state
    if not state.companies[company].trains or not tunnels:
        return None
    traits = title.policies.run_traits(title, state, company)

    def worth(board: Board) -> int:
        near = [board.face(hex) for hex in reach_for(title, state, company, "lay", board).hexes]
        new = NEW_PLACE * sum(bool(face.cities or face.towns) for face in near)
        return 10 * best_run(board, traits).value + promise(title, state, board, company) + new

    best: Tunnel | None = None
    most = worth(state.board)
    for order in tunnels[:LOOKED_AT]:
        board = _laid_over(game, order)
        if board is not None and (found := worth(board)) > most:
            best, most = order, found
    return best


def power(game: Game, company: CompanyId, orders: Sequence[UsePrivate]) -> Order | None:
    """The use of a private whose power is for the company, or lays track that improves the company's reach."""
    title, state = game.title, game.state
    for order in orders:
        if order.company == company:
            return order
        board = _laid_over(game, order) if order.company is None else None
        if board is not None and promise(title, state, board, company) > promise(title, state, state.board, company):
            return order
    return None


def _laid_over(game: Game, order: Tunnel | UsePrivate) -> Board | None:
    """The board with the overlays that the order would lay; None if the order is refused."""
    events = game.check(order)
    if isinstance(events, Refused):
        return None
    board = game.state.board
    for event in events:
        if isinstance(event, OverlayLaid):
            board = board.add(event.hex, event.tile, event.rotation)
    return board


def marker(game: Game, company: CompanyId, tokens: Sequence[Token]) -> Order | None:
    """The marker with the highest score: four times the best stop of its hex, less its cost. It may cost no more than
    half of the treasury."""
    title, state = game.title, game.state
    if not state.companies[company].trains:
        return None

    def score(order: Token) -> int:
        hex = order.space.hex
        value = best_stop(state.board.face(hex), title.phase(state).revenue_color)
        return 4 * value - title.policies.marker_cost(title, state, company, hex)

    able = [
        t for t in tokens if 2 * title.policies.marker_cost(title, state, company, t.space.hex) <= state.money(company)
    ]
    best = max(able, key=score, default=None)
    return best if best is not None and score(best) > 0 else None
