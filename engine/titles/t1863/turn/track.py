"""Track: the two lays of a turn, their cost, and lays by the powers of privates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.lay_track import Earlier, Laid, LayRules, check_lay, lays_left, list_lays
from engine.acts.lays_left import LaysLeft, TrackAct
from engine.acts.reach import reach_for
from engine.acts.track_connection import kind_of
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import TileLaid
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.orders import Lay, Order
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import NORTH_EAST, NORTH_EAST_TILE
from engine.titles.t1863.pieces import Costs, costs
from engine.titles.t1863.privates.powers import LaidBeside, after_lay, lay_terms
from engine.titles.t1863.privates.track_powers import check_power_lay, list_power_lays
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.turn.markers import board_closed

MOST: Final = 2
"""The number of lays in a turn."""
ANY_MONEY: Final = 10**6
"""Money for the shared checks, in effect unlimited. Money and the number of lays are checked here."""
RULES: Final = LayRules(MOST, MOST, new_track=frozenset(), chosen_homes=False, home_first=False)


@dataclass(frozen=True, slots=True)
class BuildTrack(TrackAct):
    """Lay an upgrade or a yellow tile, then a yellow tile. Powers of privates allow more lays or other ones."""

    # rule 5.2

    takes = (Lay,)
    notes = (Laid, LaidBeside)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        return Failure("lay.last_rounds", {"company": company}) if board_closed(title, state) else None

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for order in list_builds(title, state, turn.company, turn.note(Laid).hexes):
            yield Exact(order)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Lay)
        known = order.hex in title.map.hexes and order.tile in title.map.tiles
        return lay_price(title, state, turn.company, order) if known else None

    def left(self, title: Title, state: State, turn: Turn) -> LaysLeft:
        left = lays_left(RULES, turn.note(Laid).hexes)
        if lay_terms(title, state, turn.company).any_order:
            return left
        return replace(left, upgrades=min(left.upgrades, 0 if left.made else 1), upgrade_first=True)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Lay)
        play.note(check_build(play.title, play.state, turn.company, order, turn.note(Laid).hexes))
        if not play.failures:
            build(play, turn, order)


# ---- what it costs ---------------------------------------------------------------------------------------------------


def lay_price(title: Title, state: State, company: CompanyId, order: Lay) -> int:
    """The price of a lay; hex and tile must exist. It depends on the kind of tile; upgrades have their own price. The
    first tile in a hex adds the price printed there."""  # rule 5.2, 12.27, 5.14
    terms = lay_terms(title, state, company, order.using)
    if terms.free:
        return 0
    printed = 0 if is_upgrade(state, order) else state.board.face(order.hex).terrain
    kind = kind_of(title.map.tiles[order.tile].face)
    return _tile_price(title, state, order, kind) + (printed - printed // 2 if terms.half else printed)


def _tile_price(title: Title, state: State, order: Lay, kind: str) -> int:  # rule 5.13
    price: Costs = costs(title)
    if kind == "plain" and rulings_of(title).plain_track_free:
        return 0
    if is_upgrade(state, order):
        return price.upgrade
    return {"plain": price.plain, "town": price.minor}.get(kind, price.major)


def is_upgrade(state: State, order: Lay) -> bool:
    """True if the hex already has track."""
    return bool(state.board.face(order.hex).paths)


# ---- checks ----------------------------------------------------------------------------------------------------------


def check_build(title: Title, state: State, company: CompanyId, order: Lay, earlier: Earlier) -> list[Failure]:
    """Every reason why the lay is not allowed. ``earlier``: the hexes of lays in this turn, each with True for an
    upgrade."""
    # rule 3.13, 5.12
    if order.using is not None:
        failures = check_power_lay(title, state, company, order)
    elif (order.hex, order.tile) == (NORTH_EAST, NORTH_EAST_TILE):
        failures = check_north_east(title, state, order)
    else:
        failures = list(check_lay(title, state, company, order, (), ANY_MONEY, RULES))
    if order.hex not in title.map.hexes:
        return failures
    failures += _when(title, state, company, order, earlier)
    if order.tile in title.map.tiles and (price := lay_price(title, state, company, order)) > state.money(company):
        cash = state.money(company)
        facts: dict[str, Fact] = {"hex": order.hex, "cost": price, "spendable": cash, "missing": price - cash}
        failures.append(Failure("lay.money", facts))
    return failures


def _when(title: Title, state: State, company: CompanyId, order: Lay, earlier: Earlier) -> Iterator[Failure]:
    """Every reason why the lay is none of those that are left in the turn."""  # rule 5.2, 12.26, 5.11
    terms, hexes = lay_terms(title, state, company, order.using), tuple(h for h, _ in earlier)
    if terms.beside:
        return
    if len(earlier) >= MOST:
        yield Failure("lay.most", {"most": MOST, "hexes": hexes})
    if order.hex in hexes and not rulings_of(title).second_lay_anywhere:
        yield Failure("lay.same_hex", {"hex": order.hex})
    if earlier and is_upgrade(state, order) and not terms.any_order:
        yield Failure("lay.second", {"hex": order.hex, "company": company})


def check_north_east(title: Title, state: State, order: Lay) -> list[Failure]:
    """Every reason why the tile of the North East, which replaces the printed red hex, may not be laid."""
    # rule 12.68
    company, hex, tile = order.actor, order.hex, order.tile
    facts: dict[str, Fact] = {"hex": hex, "tile": tile}
    if hex in state.board.tiles:
        return [Failure("lay.never", {"hex": hex, "color": state.board.face(hex).color})]
    failures, colors = [], title.phase(state).colors
    color = title.map.tiles[tile].face.color
    if color not in colors:
        failures.append(Failure("lay.color", {**facts, "color": color, "phase": state.phase, "colors": colors}))
    if order.rotation % 6:
        failures.append(Failure("lay.rotation", {**facts, "rotation": order.rotation, "allowed": (0,)}))
    if ("c", hex, 0) not in reach_for(title, state, company, "lay"):
        exits = tuple(title.map.edge_names[e] for e in sorted(state.board.face(hex).exits))
        failures.append(Failure("lay.unconnected", {**facts, "company": company, "edges": (), "exits": exits}))
    return failures


# ---- what is legal ---------------------------------------------------------------------------------------------------


def list_builds(title: Title, state: State, company: CompanyId, earlier: Earlier) -> Iterator[Lay]:
    """Every legal lay."""
    cash = state.money(company)
    for order in _lays(title, state, company, earlier):
        if lay_price(title, state, company, order) <= cash and not any(_when(title, state, company, order, earlier)):
            yield order


def _lays(title: Title, state: State, company: CompanyId, earlier: Earlier) -> Iterator[Lay]:
    """Every lay that is legal apart from the money and the number of lays."""
    if len(earlier) < MOST:
        yield from list_lays(title, state, company, (), ANY_MONEY, RULES)
        if not check_north_east(title, state, north_east := Lay(company, NORTH_EAST_TILE, NORTH_EAST, 0)):
            yield north_east
    yield from list_power_lays(title, state, company)


# ---- the lay ---------------------------------------------------------------------------------------------------------


def build(play: Play, turn: Turn, order: Lay) -> None:
    """Carry out a checked lay, and apply the effects of powers."""
    title, company = play.title, turn.company
    upgrade = is_upgrade(play.state, order)
    beside = lay_terms(title, play.state, company, order.using).beside
    play.pay(company, BANK, lay_price(title, play.state, company, order), "terrain", order.hex)
    play.emit(TileLaid(company, order.hex, order.tile, order.rotation))
    if beside:
        play.become(turn.noting(LaidBeside((*turn.note(LaidBeside).hexes, order.hex))))
    else:
        play.become(turn.noting(Laid((*turn.note(Laid).hexes, (order.hex, upgrade)))))
    after_lay(play, company, order.hex, order.using)
