"""Laying and upgrading track: the checks of an order, its price, and the list of all legal lays.

The functions judge a lay; ``LayTrack`` is the act in a company's turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.acts.act import Turn
from engine.acts.lays_left import LaysLeft, TrackAct
from engine.acts.purse import CASH, Purse
from engine.acts.reach import reach_for
from engine.acts.track_connection import arrivals, check_joined, is_joined, kind_of
from engine.board.map import Face, Hex, Map
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import TileLaid
from engine.core.ids import BANK, CompanyId, HexId, PlayerId, TileId
from engine.core.orders import Lay, Order
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of

Earlier: TypeAlias = tuple[tuple[HexId, bool], ...]
"""Hexes laid in this turn, in order, each with True if the lay was an upgrade."""

COLOR_STEPS = ("white", "yellow", "green", "brown", "gray")
"""Colours in the order of upgrades: a tile replaces one of the previous colour."""


@dataclass(frozen=True, slots=True)
class LayRules:
    """A title's rules for laying track. ``most_lays`` and ``most_upgrades`` limit the lays of a turn and the upgrades
    among them; ``second_lay_fee`` is the fee for every lay after the first.

    ``new_track``: the kinds of hex (``plain``, ``town``, ``city``, ``pass``) in which an upgrade needs a route to some
    new track; in other hexes a route to any track of the tile is enough. ``chosen_homes``: a company without a printed
    home has its home where its first marker is; if False, it has no home. ``home_first``: if the home has no track, its
    tile must be laid before all others.
    """

    most_lays: int = 2
    most_upgrades: int = 1
    second_lay_fee: int = 0
    new_track: frozenset[str] = frozenset({"plain"})
    chosen_homes: bool = True
    home_first: bool = True


@dataclass(frozen=True, slots=True)
class Laid(Note):
    """A note of the hexes in which a company has laid in its turn."""

    hexes: Earlier = ()


def nothing_follows(play: Play, company: CompanyId, hex: HexId) -> None:
    """The usual ``LayTrack.brings``: a lay has no other effects."""


@dataclass(frozen=True, slots=True)
class LayTrack(TrackAct):
    """Laying track. ``purse``: the means with which the company pays. ``brings``: carries out the immediate effects of
    a new tile."""

    rules: LayRules
    purse: Purse = CASH
    brings: Callable[[Play, CompanyId, HexId], None] = nothing_follows

    takes = (Lay,)
    notes = (Laid,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        company, earlier = turn.company, turn.note(Laid).hexes
        for lay in list_lays(title, state, company, earlier, self.purse.spendable(title, state, company), self.rules):
            yield Exact(lay)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Lay)
        return lay_price(title, state, order, turn.note(Laid).hexes, self.rules)

    def left(self, title: Title, state: State, turn: Turn) -> LaysLeft:
        return lays_left(self.rules, turn.note(Laid).hexes)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Lay)
        title, state, company, earlier = play.title, play.state, turn.company, turn.note(Laid).hexes
        play.require(order.using is None, "order.no_such_part", part="using")
        play.note(
            check_lay(title, state, company, order, earlier, self.purse.spendable(title, state, company), self.rules)
        )
        if play.failures:
            return
        price = lay_price(title, state, order, earlier, self.rules)
        upgrade = bool(state.board.face(order.hex).paths)
        self.purse.pay(play, company, BANK, price, "terrain", order.hex)
        play.emit(TileLaid(company, order.hex, order.tile, order.rotation))
        play.become(turn.noting(Laid((*earlier, (order.hex, upgrade)))))
        self.brings(play, company, order.hex)


def lays_left(rules: LayRules, earlier: Earlier) -> LaysLeft:
    """The lays that ``rules`` allow after the ``earlier`` ones of the turn."""
    lays = max(0, rules.most_lays - len(earlier))
    upgrades = max(0, rules.most_upgrades - sum(upgrade for _, upgrade in earlier))
    return LaysLeft(lays, min(lays, upgrades), len(earlier), rules.second_lay_fee)


def lay_price(title: Title, state: State, order: Lay, earlier: Earlier, rules: LayRules) -> int:
    """The price of a lay now, in a hex that exists: the cost of terrain, and the fee if it is not the first lay
    of the turn."""
    return _price(title, state, order.hex, _new_face(title, state, order), earlier, rules)


def _price(title: Title, state: State, hex: HexId, new: Face, earlier: Earlier, rules: LayRules) -> int:
    # rule 1861:7.1, 7.8
    return title.policies.lay_cost(title, state, hex, new) + (rules.second_lay_fee if earlier else 0)


def _new_face(title: Title, state: State, order: Lay) -> Face:
    """The tile as it is turned; the face that lies in the hex if there is no such tile."""
    tile = title.map.tiles.get(order.tile)
    return state.board.face(order.hex) if tile is None else tile.face.turned(order.rotation)


def check_lay(
    title: Title,
    state: State,
    company: CompanyId,
    order: Lay,
    earlier: Earlier,
    spendable: int,
    rules: LayRules,
) -> tuple[Failure, ...]:
    """Return a failure for every check that the order fails. ``spendable``: the most that the company can pay now."""
    hex = title.map.hexes.get(order.hex)
    if hex is None:
        return (Failure("lay.no_hex", {"hex": order.hex}),)
    new = _new_face(title, state, order)
    failures = [*_when(title, state, company, hex, new, earlier, spendable, rules)]
    if order.tile not in title.map.tiles:
        failures.append(Failure("lay.no_tile", {"tile": order.tile}))
    elif not hex.buildable:
        failures.append(Failure("lay.never", {"hex": hex.id, "color": hex.face.color}))
    else:
        failures.extend(_what(title, state, company, hex, order, rules))
    return tuple(failures)


def list_lays(
    title: Title, state: State, company: CompanyId, earlier: Earlier, spendable: int, rules: LayRules
) -> tuple[Lay, ...]:
    """Every legal lay. If several rotations of a tile give the same track, only the first is listed."""
    found = []
    ways = reach_for(title, state, company, "lay")
    near = ways.hexes | ways.beginnings
    for hex in title.map.hexes.values():
        if not hex.buildable or hex.id not in near:
            continue
        if any(_when(title, state, company, hex, state.board.face(hex.id), earlier, spendable, rules)):
            continue
        sides = arrivals(hex, ways)
        for tile, rotations in _options(title, state, hex).items():
            if any(_which(title, state, hex, tile)):
                continue
            seen = set()
            for rotation in sorted(rotations):
                face = title.map.tiles[tile].face.turned(rotation)
                look = _look(title.map, tile, rotation)
                if (
                    look not in seen
                    and is_joined(state, company, hex, face, rules.new_track, ways, sides)
                    and _price(title, state, hex.id, face, earlier, rules) <= spendable
                ):
                    found.append(Lay(company, tile, hex.id, rotation))
                seen.add(look)
    return tuple(found)


# ---- the hex and the turn -------------------------------------------------------------------------------------------


def _when(
    title: Title,
    state: State,
    company: CompanyId,
    hex: Hex,
    new: Face,
    earlier: Earlier,
    spendable: int,
    rules: LayRules,
) -> Iterator[Failure]:
    """Yield every reason why the company may lay nothing in the hex now, or cannot pay for ``new`` there."""
    if len(earlier) >= rules.most_lays:  # rule 1861:7.1
        yield Failure("lay.most", {"most": rules.most_lays, "hexes": tuple(h for h, _ in earlier)})
    if any(h == hex.id for h, _ in earlier):  # rule 1861:7.1
        yield Failure("lay.same_hex", {"hex": hex.id})
    if state.board.face(hex.id).paths and sum(up for _, up in earlier) >= rules.most_upgrades:  # rule 1861:7.1
        upgraded = tuple(h for h, up in earlier if up)
        yield Failure("lay.second_upgrade", {"hex": hex.id, "most": rules.most_upgrades, "hexes": upgraded})
    home = trackless_home(title, state, company, rules) if rules.home_first else None
    if home is not None and home != hex.id:  # rule 1861:7.4
        yield Failure("lay.home", {"hex": hex.id, "home": home, "company": company})
    if title.policies.hex_closed(title, state, hex.id):  # rule 1861:2.15
        yield Failure("lay.closed", {"hex": hex.id, "phase": state.phase, "until": hex.closed_until})
    price = _price(title, state, hex.id, new, earlier, rules)
    if price > spendable:  # rule 1861:7.8
        money: dict[str, Fact] = {"hex": hex.id, "cost": price, "spendable": spendable, "missing": price - spendable}
        yield Failure("lay.money", money)


def trackless_home(title: Title, state: State, company: CompanyId, rules: LayRules) -> HexId | None:
    """The company's home hex while it has no track: the printed home, or the hex of its first marker. None if the home
    has track, or if the company has no home."""
    hex, home = None, charter_of(title, state, company).home
    if home is not None:
        hex = home[0]
    elif rules.chosen_homes:
        hex = next((h for h, _ in state.board.places_of(company)), None)
    return None if hex is None or state.board.face(hex).paths else hex


# ---- the tile -------------------------------------------------------------------------------------------------------


def _options(title: Title, state: State, hex: Hex) -> Mapping[TileId, tuple[int, ...]]:
    """Tiles that may replace the one in the hex, with their rotations on the board. The colours of the phase and the
    supply of tiles are not checked."""
    placed = state.board.tiles.get(hex.id)
    if placed is None:
        return _first_options(title.map, hex.id)
    return _turned_options(title.map, hex.id, *placed)


@lru_cache(maxsize=1024)
def _first_options(map: Map, at: HexId) -> Mapping[TileId, tuple[int, ...]]:
    found, hex = map.first_lays.get(at, {}), map.hexes[at]
    return {t: tuple(r for r in rotations if not _astray(map, hex, t, r)) for t, rotations in found.items()}


@lru_cache(maxsize=4096)
def _turned_options(map: Map, at: HexId, old: TileId, turned: int) -> Mapping[TileId, tuple[int, ...]]:
    hex = map.hexes[at]
    relabelled = map.relabelled.get(at, {}).get(old, {})
    found = {t: rotations for t, rotations in map.upgrades.get(old, {}).items() if not _labelled(map, hex, t)}
    found |= {t: rotations for t, rotations in relabelled.items() if _labelled(map, hex, t)}  # rule 1861:7.14
    return {
        tile: tuple(r for r in sorted((s + turned) % 6 for s in rotations) if not _astray(map, hex, tile, r))
        for tile, rotations in found.items()
    }


def _labelled(map: Map, hex: Hex, tile: TileId) -> bool:
    """True if the hex needs a label of its own (``future_label``) on a tile of this colour. Plain track
    has no label."""
    if hex.future_label is None or kind_of(map.tiles[tile].face) == "plain":
        return False
    return _step(map.tiles[tile].face.color) >= _step(hex.future_label[1])


def _step(color: str) -> int:
    return COLOR_STEPS.index(color) if color in COLOR_STEPS else -1


def _astray(map: Map, hex: Hex, tile: TileId, rotation: int) -> tuple[int, ...]:
    """Edges of the hex at which track of the tile would leave the map or meet a closed side."""  # rule 1861:7.7
    exits = map.tiles[tile].face.turned(rotation).exits
    return tuple(sorted(e for e in exits if e not in hex.neighbors or e in _shut(map, hex.id)))


@lru_cache(maxsize=1024)
def _shut(map: Map, at: HexId) -> frozenset[int]:
    """Closed edges of the hex, seen from either side."""
    hex = map.hexes[at]
    across = {e for e, n in hex.neighbors.items() if (e + 3) % 6 in map.hexes[n].closed_edges}
    return hex.closed_edges | {e for e in across if (at, e) not in map.blind_ends}


def _what(title: Title, state: State, company: CompanyId, hex: Hex, order: Lay, rules: LayRules) -> Iterator[Failure]:
    """Yield every reason why this tile may not be laid in the hex in this rotation."""
    map, board = title.map, state.board
    yield from _which(title, state, hex, order.tile)
    options = _options(title, state, hex)
    old, new = board.face(hex.id), map.tiles[order.tile].face
    rotation = order.rotation % 6
    facts: dict[str, Fact] = {"hex": hex.id, "tile": order.tile, "rotation": order.rotation}
    if order.tile in options:
        allowed = options[order.tile]
        astray = _astray(map, hex, order.tile, rotation)
        if astray:  # rule 1861:7.7
            edges = tuple(map.edge_names[e] for e in astray)
            yield Failure("lay.edge", {**facts, "edges": edges, "allowed": allowed})
        if rotation not in allowed and not (astray and _keeps(old, new.turned(rotation))):  # rule 1861:7.12
            yield Failure("lay.rotation", {**facts, "allowed": allowed})
    yield from check_joined(
        title, state, company, hex, order.tile, rotation, rules.new_track, reach_for(title, state, company, "lay")
    )


def _keeps(old: Face, new: Face) -> bool:
    """True if the new face has all track of the old one."""
    if old.cities or old.towns:
        return old.exits <= new.exits
    return {frozenset(p) for p in old.paths} <= {frozenset(p) for p in new.paths}


def _which(title: Title, state: State, hex: Hex, tile: TileId) -> Iterator[Failure]:
    """Yield every reason against the tile that does not depend on its rotation."""
    board, map = state.board, title.map
    old, new = board.face(hex.id), map.tiles[tile].face
    placed = board.tiles.get(hex.id)
    facts: dict[str, Fact] = {"hex": hex.id, "tile": tile}
    colors = title.phase(state).colors
    if new.color not in colors:  # rule 1861:7.2
        yield Failure("lay.color", {**facts, "color": new.color, "phase": state.phase, "colors": colors})
    options = _options(title, state, hex)
    if tile not in options:
        yield from _mismatch(map, hex, old, tile, options)
    elif not options[tile]:  # rule 1861:7.7, 7.12
        yield Failure("lay.no_rotation", facts)
    elif not title.policies.upgrade_allowed(title, hex.id, placed[0] if placed else "", tile):  # rule 1861:7.14
        yield Failure("lay.not_over", {**facts, "old": placed[0] if placed else ""})
    elif better := _more_exits(title, state, hex, tile):  # rule 1861:7.13
        yield Failure("lay.most_exits", {**facts, "exits": len(new.exits), "tiles": better})
    if _used_up(title, state, tile):  # rule 1861:7.17
        yield Failure("lay.used_up", {**facts, "count": map.tiles[tile].count})


def _mismatch(
    map: Map, hex: Hex, old: Face, tile: TileId, options: Mapping[TileId, tuple[int, ...]]
) -> Iterator[Failure]:
    """Yield every reason why the tile is not a legal upgrade: its colour, kind,
    label or track."""  # rule 1861:7.6, 7.14, 7.16
    new = map.tiles[tile].face
    facts: dict[str, Fact] = {"hex": hex.id, "tile": tile}
    right = True
    if _step(new.color) != _step(old.color) + 1:
        right = False
        yield Failure("lay.wrong_step", {**facts, "color": new.color, "old": old.color})
    if kind_of(new) != kind_of(old):
        right = False
        yield Failure("lay.wrong_kind", {**facts, "kind": kind_of(new), "needed": kind_of(old)})
    else:
        needed = old.label
        if hex.future_label and _step(new.color) >= _step(hex.future_label[1]):
            needed = hex.future_label[0]
        if new.label != needed:
            right = False
            yield Failure("lay.label", {**facts, "label": new.label, "needed": needed})
    if right:
        yield Failure("lay.track", {**facts, "tiles": tuple(options)})


def _used_up(title: Title, state: State, tile: TileId) -> bool:
    count = title.map.tiles[tile].count
    return count is not None and state.board.in_play(tile) >= count


def _more_exits(title: Title, state: State, hex: Hex, tile: TileId) -> tuple[TileId, ...]:
    """Tiles with more exits, one of which must be laid instead in the upgrade of a city."""  # rule 1861:7.13
    map, new = title.map, title.map.tiles[tile].face
    old = state.board.face(hex.id)
    if not new.cities or not old.paths or not title.policies.most_exits(title, new.color):
        return ()
    placed = state.board.tiles.get(hex.id)
    return tuple(
        other
        for other, rotations in _options(title, state, hex).items()
        if rotations
        and map.tiles[other].face.color == new.color
        and len(map.tiles[other].face.exits) > len(new.exits)
        and not _used_up(title, state, other)
        and title.policies.upgrade_allowed(title, hex.id, placed[0] if placed else "", other)
    )


@lru_cache(maxsize=4096)
def _look(map: Map, tile: TileId, rotation: int) -> frozenset[object]:
    """Describe the track of a tile in a rotation: its plain track, and the exits of each stop. Two rotations that give
    the same track have the same description."""
    face = map.tiles[tile].face.turned(rotation)
    plain = {frozenset(p) for p in face.paths if p[0][0] == p[1][0] == "e"}
    cities = {("c", s.revenue, s.slots, face.exits_of("c", i)) for i, s in enumerate(face.cities)}
    towns = {("t", s.revenue, 0, face.exits_of("t", i)) for i, s in enumerate(face.towns)}
    return frozenset((*plain, *cities, *towns))
