"""Policies of 1867 alone: homes, neutral markers, rivers, trade-ins, and what becomes of nationalised companies."""

from __future__ import annotations

from typing import Final

from engine.acts.buy_train import new_trains
from engine.board.map import Face
from engine.core.events import PrivateClosed, TrainMoved
from engine.core.ids import BANK, CompanyId, HexId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867 import policies
from engine.families.f1867.phases import train_exported
from engine.families.f1867.sequence import ends_now
from engine.routes.reach import PairBonus, RunTraits
from engine.titles.t1867.names import MONTREAL, NEUTRAL, QUEBEC, TIMMINS, TORONTO
from engine.titles.t1867.pieces import start_markers

TIMMINS_BONUS: Final = PairBonus(TIMMINS, TORONTO, 40, instead=(MONTREAL, QUEBEC))


def reserved(title: Title, state: State, hex: HexId, company: CompanyId) -> tuple[tuple[CompanyId, int], ...]:
    """The circles that neutral markers fill until the first 3-train. No home is kept free."""  # rule 1.13
    if title.reached(state, "3"):
        return ()
    return tuple((NEUTRAL, city) for _, at, city in start_markers(title, "neutral") if at == hex)


def lay_cost(title: Title, state: State, hex: HexId, new: Face) -> int:
    """Terrain that the first tile pays, and the rivers that its track crosses for the first time."""  # rule 7.8, 7.19
    placed = state.board.tiles.get(hex)
    terrain = title.map.hexes[hex].face.terrain if placed is None else title.map.tiles[placed[0]].face.terrain
    return terrain + state.board.crossing_cost(hex, new)


def run_traits(title: Title, state: State, company: CompanyId) -> RunTraits:
    """The company's trains, with the bonus of Timmins."""  # rule 9.6
    return policies.run_traits(title, state, company, state.companies[company].trains, TIMMINS_BONUS)


def take_over(play: Play, company: CompanyId) -> None:
    """Give the money of a nationalised company to the bank; its trains and privates leave the game."""
    # rule 13.7, 13.11
    play.pay(company, BANK, play.state.money(company), "seized", company)
    for train in play.state.companies[company].trains:
        play.emit(TrainMoved(train, company, ""))
    for private, owner in play.state.privates.items():
        if owner == company:
            play.emit(PrivateClosed(private))


def export(play: Play) -> None:
    """Remove the first train of the bank's row at the end of every operating round of phases 4 to 7."""  # rule 6.13
    title, state = play.title, play.state
    if not title.reached(state, "4") or title.reached(state, "8") or ends_now(title, state):
        return
    train = new_trains(title, state)[0]
    play.emit(TrainMoved(train, BANK, ""))
    train_exported(play, train)
