"""The signals of the end of the game, noted when they occur: a price at the top, or all external areas connected."""

from __future__ import annotations

from typing import Final

from engine.board.network import reach
from engine.core.events import EndSignalled, Marked
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1841.names import CONNECTED, END
from engine.titles.t1841.pieces import external_boxes
from engine.titles.t1841.rulings import rulings_of

PRICE: Final = "price"
AREAS: Final = "areas"


def signal_end(play: Play, reason: str) -> None:
    """Record the reason why the game ends, and announce the end if the game still goes on for a while."""
    # rule 12.2, 12.3, 12.5
    if END in play.state.marks:
        return
    play.emit(Marked(END, reason))
    rulings = rulings_of(play.title)
    if play.state.round.kind == "OR" and rulings.finish_round:
        play.emit(EndSignalled(reason, "this_round"))
    elif play.state.round.kind == "OR" and rulings.ends == "turn":
        play.emit(EndSignalled(reason, "this_turn"))


def over_at_once(play: Play) -> bool:
    """True if the game has just ended, so that the rest of the present step is not carried out."""
    # rule 12.2, clarification 2.30
    rulings = rulings_of(play.title)
    return END in play.state.marks and rulings.ends == "at_once" and not rulings.finish_round


def look_at_areas(play: Play, company: CompanyId) -> None:
    """Record the external areas that are connected now that ``company`` has built."""  # rule 12.3
    title, state = play.title, play.state
    boxes = external_boxes(title)
    known: frozenset[str] = state.marks.get(CONNECTED, frozenset())
    if len(known) == len(boxes):
        return
    joined = {name for name, hexes in boxes.items() if name not in known and connected(title, state, company, hexes)}
    if not joined:
        return
    play.emit(Marked(CONNECTED, known | joined))
    if len(known) + len(joined) == len(boxes):
        signal_end(play, AREAS)


def connected(title: Title, state: State, company: CompanyId, hexes: tuple[HexId, ...]) -> bool:
    """True if the company has reached the area outside the map with these ``hexes``; under a ruling, if any track meets
    it."""
    met = any(_track_meets(title, state, hex) for hex in hexes)
    if not met or rulings_of(title).areas_connected == "track":
        return met
    found = reach(state.board, company, title.policies.ways(title, state, company, "lay"))
    offboards = ((hex, index) for hex in hexes for index in range(len(state.board.face(hex).offboards)))
    return any(("o", hex, index) in found for hex, index in offboards)


def _track_meets(title: Title, state: State, hex: HexId) -> bool:
    """True if track of a neighbour leads into the hex where the hex has track."""
    board = state.board
    for edge in board.face(hex).exits:
        neighbour = title.map.hexes[hex].neighbors.get(edge)
        if neighbour is not None and (edge + 3) % 6 in board.face(neighbour).exits:
            return True
    return False
