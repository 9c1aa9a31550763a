"""Purchases of mountain railways and tunnel certificates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.core.agenda import Choice, Exact
from engine.core.checks import Failure
from engine.core.events import Marked, OverlayLaid, PrivateMoved
from engine.core.ids import BANK, Actor, HexId, PrivateId, TileId
from engine.core.orders import BuyMountain, BuyTunnel
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1844.names import MOUNTAIN, MOUNTAINS, TUNNEL
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, PANELS, panel_on
from engine.titles.t1844.stock.frame import StockRound

PRICES: Final = {MOUNTAIN: 150, TUNNEL: 50}


def list_mountains(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """Legal purchases of the first unsold mountain railway, with every hex and panel."""
    if first := _next_paper(title, state, frame, actor, MOUNTAIN):
        for hex in _free_mountains(state):
            for panel in _panels_left(state):
                yield Exact(BuyMountain(frame.turn, first, hex, panel))


def list_tunnels(title: Title, state: State, frame: StockRound, actor: Actor) -> Iterator[Choice]:
    """The purchase of the first unsold tunnel certificate, if it is legal."""
    if first := _next_paper(title, state, frame, actor, TUNNEL):
        yield Exact(BuyTunnel(frame.turn, first))


def _next_paper(title: Title, state: State, frame: StockRound, actor: Actor, kind: str) -> PrivateId | None:
    """The first unsold paper of the kind, if the actor may buy one now."""
    able = state.money(actor) >= PRICES[kind] and (actor, kind) not in frame.bought
    return next(iter(_unsold(title, state, kind)), None) if able else None


def check_mountain(title: Title, state: State, frame: StockRound, order: BuyMountain) -> list[Failure]:
    """Every reason why the actor may not buy the mountain railway and place it there."""  # rule 4.24
    free, left, failures = _free_mountains(state), _panels_left(state), list[Failure]()
    if order.hex not in free:
        failures.append(Failure("mountain.hex", {"hex": order.hex, "free": free}))
    if order.panel not in left:
        failures.append(Failure("mountain.panel", {"panel": order.panel, "left": left}))
    return failures + _check_paper(title, state, frame, order.actor, order.mountain, MOUNTAIN)


def check_tunnel(title: Title, state: State, frame: StockRound, order: BuyTunnel) -> list[Failure]:
    """Every reason why the actor may not buy the tunnel certificate."""
    return _check_paper(title, state, frame, order.actor, order.tunnel, TUNNEL)


def _check_paper(
    title: Title, state: State, frame: StockRound, actor: Actor, paper: PrivateId, kind: str
) -> list[Failure]:
    # rule 4.14, 4.18
    left = _unsold(title, state, kind)
    if paper not in title.privates or title.privates[paper].kind != kind:
        return [Failure("paper.unknown", {"paper": paper, "left": left})]
    owner, price, cash, failures = state.privates[paper], PRICES[kind], state.money(actor), list[Failure]()
    if owner is not None:
        failures.append(Failure("paper.taken", {"paper": paper, "owner": owner, "left": left}))
    if (actor, kind) in frame.bought:
        failures.append(Failure("paper.one_a_round", {"kind": kind}))
    if price > cash:
        failures.append(Failure("paper.money", {"paper": paper, "price": price, "cash": cash}))
    return failures


def note_paper(title: Title, state: State, frame: StockRound, order: BuyMountain | BuyTunnel) -> StockRound:
    """The frame, which remembers the kind of paper that the player has bought."""
    kind = MOUNTAIN if isinstance(order, BuyMountain) else TUNNEL
    return replace(frame, bought=frame.bought | {(order.actor, kind)})


def buy_mountain(play: Play, order: BuyMountain) -> None:
    """Carry out a checked purchase of a mountain railway."""
    _pay(play, order.actor, order.mountain, MOUNTAIN)
    placed = {**play.state.marks.get(MOUNTAINS, {}), order.mountain: order.hex}
    play.emit(OverlayLaid(order.mountain, order.hex, order.panel, 0), Marked(MOUNTAINS, placed))


def buy_tunnel(play: Play, order: BuyTunnel) -> None:
    """Carry out a checked purchase of a tunnel certificate."""
    _pay(play, order.actor, order.tunnel, TUNNEL)


def _pay(play: Play, actor: Actor, paper: PrivateId, kind: str) -> None:
    play.pay(actor, BANK, PRICES[kind], "paper", paper)
    play.emit(PrivateMoved(paper, actor))


def _unsold(title: Title, state: State, kind: str) -> tuple[PrivateId, ...]:
    return tuple(p for p, owner in state.privates.items() if owner is None and title.privates[p].kind == kind)


def _free_mountains(state: State) -> tuple[HexId, ...]:
    return tuple(hex for hex in MOUNTAIN_HEXES if panel_on(state.board, hex) is None)


def _panels_left(state: State) -> tuple[TileId, ...]:
    return tuple(panel for panel, number in PANELS.items() if state.board.in_play(panel) < number)
