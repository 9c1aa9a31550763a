"""Building by a company: its tile, the additional tile of Bödelibahn, and tunnels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Act, Turn
from engine.acts.lay_track import Earlier, Laid, LayRules, check_lay, lay_price, lays_left, list_lays, trackless_home
from engine.acts.lays_left import LaysLeft, TrackAct
from engine.acts.reach import reach_for
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import Marked, OverlayLaid, TileLaid
from engine.core.ids import BANK, CompanyId, PlayerId, PrivateId, TileId
from engine.core.orders import Lay, Order, Tunnel
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1844.names import BOEDELI, EXTRA_TILE, FIRST_POWERS_PHASE, TUNNEL, TUNNELS
from engine.titles.t1844.pieces import CURVE, STRAIGHT, TUNNEL_COST, TUNNEL_HEXES, tunnel_in, tunnel_rotations
from engine.titles.t1844.policies import director
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import look_at_destinations

RULES: Final = LayRules(
    most_lays=1,
    most_upgrades=1,
    new_track=frozenset(),
    chosen_homes=False,  # rule 6.1, 6.10
)
"""Rules for tiles. The SBB has no home: it has markers where the pre-SBB companies had theirs."""
EXTRA_TILES: Final = frozenset(map(TileId, ("3", "4", "5", "6", "7", "8", "9", "57", "58")))


# ---- acts -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LayTile(TrackAct):
    """Laying the tile of the turn, and the additional tile of Bödelibahn."""

    takes = (Lay,)
    notes = (Laid,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for tile in tiles(title, state, turn.company, turn.note(Laid).hexes):
            yield Exact(tile)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Lay)
        return lay_price(title, state, order, (), RULES)

    def left(self, title: Title, state: State, turn: Turn) -> LaysLeft:
        return lays_left(RULES, turn.note(Laid).hexes)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Lay)
        earlier = turn.note(Laid).hexes
        play.note(check_tile(play.title, play.state, turn.company, order, earlier))
        if not play.failures:
            builder = turn.company if order.using is None else _extra_builder(play.title, play.state, turn.company)
            play.become(turn.noting(Laid((*earlier, *lay(play, builder, order)))))

    def due(self, title: Title, state: State, turn: Turn) -> Failure | None:
        """The reason why the company must lay its home tile first; None if it need not."""  # rule 5.6, 6.3
        if not home_due(title, state, turn.company, turn.note(Laid).hexes):
            return None
        home = charter_of(title, state, turn.company).home
        return Failure("turn.home_first", {"company": turn.company, "home": home[0] if home else None})


@dataclass(frozen=True, slots=True)
class BuildTunnel(Act):
    """Building tunnels, before or after the tile."""

    takes = (Tunnel,)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for tunnel in tunnels(title, state, turn.company):
            yield Exact(tunnel)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        return TUNNEL_COST

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Tunnel)
        play.note(check_tunnel(play.title, play.state, turn.company, order))
        if not play.failures:
            build_tunnel(play, turn.company, order)


# ---- tiles ----------------------------------------------------------------------------------------------------------


def check_tile(title: Title, state: State, company: CompanyId, order: Lay, earlier: Earlier) -> tuple[Failure, ...]:
    """Every reason to refuse the tile, be it the usual or the additional one."""
    if order.using is None:
        return check_lay(title, state, company, order, earlier, state.money(company), RULES)
    builder = _extra_builder(title, state, company)
    return (
        *_check_extra(title, state, builder, order),
        *check_lay(title, state, builder, order, (), state.money(builder), RULES),
    )


def _extra_builder(title: Title, state: State, company: CompanyId) -> CompanyId:
    """The company that lays the tile of Bödelibahn in the turn of ``company``: by a ruling the company that owns
    Bödelibahn, if both have the same director."""  # rule 6.15
    owner = state.privates.get(BOEDELI)
    holder = next((c for c in state.companies if c == owner), company)
    if rulings_of(title).extra_tile == "own_turn":
        return company
    return holder if director(title, state, holder) == director(title, state, company) else company


def _check_extra(title: Title, state: State, company: CompanyId, order: Lay) -> Iterator[Failure]:
    """Every reason why the company may not lay the additional tile of Bödelibahn."""  # rule 6.15
    owner = state.privates.get(BOEDELI)
    if order.using != BOEDELI:
        yield Failure("lay.no_power", {"private": order.using, "right": BOEDELI})
        return
    if owner is None or owner not in (company, director(title, state, company)):
        yield Failure("lay.not_owner", {"private": BOEDELI, "owner": owner, "company": company})
    if not title.reached(state, FIRST_POWERS_PHASE):
        facts = {"private": BOEDELI, "phase": state.phase, "first": FIRST_POWERS_PHASE}
        yield Failure("lay.power_early", facts)
    if EXTRA_TILE in state.marks:
        yield Failure("lay.power_used", {"private": BOEDELI})
    if order.tile in title.map.tiles and order.tile not in EXTRA_TILES:
        yield Failure("lay.power_yellow", {"private": BOEDELI, "tile": order.tile})


def lay(play: Play, company: CompanyId, order: Lay) -> Earlier:
    """Carry out a checked lay. Returns its entry among the tiles of the turn; an additional tile has none."""
    # rule 6.8, 6.26
    upgrade = bool(play.state.board.face(order.hex).paths)
    play.pay(company, BANK, lay_price(play.title, play.state, order, (), RULES), "terrain", order.hex)
    play.emit(TileLaid(company, order.hex, order.tile, order.rotation))
    if order.using is not None:
        play.emit(Marked(EXTRA_TILE, True))
    look_at_destinations(play)
    return () if order.using is not None else ((order.hex, upgrade),)


def tiles(title: Title, state: State, company: CompanyId, earlier: Earlier) -> Iterator[Lay]:
    """Every legal tile lay, the additional ones last."""
    yield from list_lays(title, state, company, earlier, state.money(company), RULES)
    builder = _extra_builder(title, state, company)
    places = state.board.places_of(builder)
    if not places:  # an SBB formed from companies that were never launched
        return
    if any(_check_extra(title, state, builder, Lay(builder, TileId("8"), places[0][0], 0, BOEDELI))):
        return
    for order in list_lays(title, state, builder, (), state.money(builder), RULES):
        if order.tile in EXTRA_TILES:
            yield replace(order, actor=company, using=BOEDELI)


def home_due(title: Title, state: State, company: CompanyId, earlier: Earlier) -> bool:
    """True if the company must lay its home tile before anything else."""  # rule 6.3
    if rulings_of(title).home_tile != "must" or state.companies[company].operated:
        return False
    if trackless_home(title, state, company, RULES) is None:
        return False
    return bool(list_lays(title, state, company, earlier, state.money(company), RULES))


# ---- tunnels --------------------------------------------------------------------------------------------------------


def unused_certificates(title: Title, state: State, company: CompanyId) -> tuple[PrivateId, ...]:
    """Tunnel certificates that the company may use: those of its director that have no tunnel yet."""
    # rule 6.17
    player, used = director(title, state, company), state.marks.get(TUNNELS, {})
    return tuple(
        p
        for p, owner in state.privates.items()
        if owner is not None and owner == player and title.privates[p].kind == TUNNEL and p not in used
    )


def piece_for(edges: tuple[int, int]) -> tuple[TileId, int] | None:
    """The tunnel piece that joins two edges of a hex, with its rotation; None if no piece does."""
    for piece, span in ((CURVE, 2), (STRAIGHT, 3)):
        for edge, other in (edges, edges[::-1]):
            if (edge + span) % 6 == other:
                return piece, edge if piece == CURVE else min(edge, other)
    return None


def check_tunnel(title: Title, state: State, company: CompanyId, order: Tunnel) -> list[Failure]:
    """Every reason to refuse the tunnel."""
    failures = list[Failure]()
    names = tuple(title.map.edge_names[e % 6] for e in order.edges)
    facts: dict[str, Fact] = {"hex": order.hex, "edges": names}
    mine = unused_certificates(title, state, company)
    if not mine:  # rule 6.17
        failures.append(Failure("tunnel.no_certificate", {"company": company}))
    elif order.certificate is not None and order.certificate not in mine:
        failures.append(Failure("tunnel.certificate", {"certificate": order.certificate, "unused": mine}))
    cash = state.money(company)
    if cash < TUNNEL_COST:  # rule 6.19
        failures.append(Failure("tunnel.money", {"cost": TUNNEL_COST, "cash": cash}))
    if order.hex not in TUNNEL_HEXES:  # rule 6.18
        return [*failures, Failure("tunnel.hex", {"hex": order.hex, "hexes": TUNNEL_HEXES})]
    if tunnel_in(state.board, order.hex) is not None:
        return [*failures, Failure("tunnel.taken", {"hex": order.hex})]
    piece = piece_for(order.edges)
    turns = tunnel_rotations(state.board, rulings_of(title).shared_mouths)[order.hex]
    open_pairs = tuple(_edges(p, r) for p, rotations in turns.items() for r in rotations)
    if piece is None or set(order.edges) not in [set(pair) for pair in open_pairs]:  # rule 6.18, 6.20
        shown = tuple("-".join(title.map.edge_names[e] for e in pair) for pair in sorted(set(open_pairs)))
        failures.append(Failure("tunnel.mouths", {**facts, "mouths": shown}))
    elif not _meets(title, state, company, order):  # rule 6.19
        failures.append(Failure("tunnel.unconnected", {**facts, "company": company}))
    return failures


def _edges(piece: TileId, rotation: int) -> tuple[int, int]:
    a, b = rotation % 6, (rotation + (2 if piece == CURVE else 3)) % 6
    return (min(a, b), max(a, b))


def _meets(title: Title, state: State, company: CompanyId, order: Tunnel) -> bool:
    """True if a route of the company reaches one of the two mouths."""
    found = reach_for(title, state, company, "lay")
    return any((order.hex, edge) in found for edge in order.edges)


def build_tunnel(play: Play, company: CompanyId, order: Tunnel) -> None:
    """Build a checked tunnel with the given certificate, or the first unused one."""  # rule 6.17, 6.19
    certificate = order.certificate or unused_certificates(play.title, play.state, company)[0]
    piece = piece_for(order.edges)
    assert piece is not None
    play.pay(company, BANK, TUNNEL_COST, "tunnel", order.hex)
    built = {**play.state.marks.get(TUNNELS, {}), certificate: order.hex}
    play.emit(OverlayLaid(company, order.hex, *piece), Marked(TUNNELS, built))
    look_at_destinations(play)


def tunnels(title: Title, state: State, company: CompanyId) -> Iterator[Tunnel]:
    """Every legal tunnel, without a choice among certificates."""
    if not unused_certificates(title, state, company) or state.money(company) < TUNNEL_COST:
        return
    near = reach_for(title, state, company, "lay").hexes
    for hex, turns in tunnel_rotations(state.board, rulings_of(title).shared_mouths).items():
        if hex not in near:
            continue
        for piece, rotations in turns.items():
            for edges in dict.fromkeys(_edges(piece, r) for r in rotations):
                order = Tunnel(company, hex, edges)
                if _meets(title, state, company, order):
                    yield order
