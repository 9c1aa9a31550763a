"""Say why a company that is about to run can lay no track, or place none of the markers that it has left."""

from __future__ import annotations

from typing import Final

from engine.acts.act import Turn
from engine.acts.lays_left import TrackAct
from engine.acts.place_token import Placed, PlaceToken
from engine.acts.turns import Place, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Menu
from engine.core.events import Paid
from engine.core.evolve import evolve
from engine.core.ids import BANK
from engine.core.state import State
from engine.core.title import Title
from moderator.words.texts import Words

_RICHES: Final = 1_000_000
"""More money than any game has."""


def idle_steps(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on each of the two steps before the run of which ``menu`` has no order, with the reason; "" if there
    is none, or if no run is legal now."""
    turn, kinds = state.top if state.agenda else None, {type(choice.order) for choice in menu}
    step = title.steps[type(turn)] if turn is not None else None
    if not isinstance(turn, Turn) or not isinstance(step, Turns) or ask.actor != turn.company:
        return ""
    if o.RunBest not in kinds:
        return ""
    told = []
    track = next((place for place in step.places if isinstance(place.act, TrackAct)), None)
    if track is not None and o.Lay not in kinds and track.act.bars(title, state, turn.company) is None:
        told.append(own.say("words", f"idle.track.{_no_track(title, state, step, turn, track)}", title=title))
    token = next((place for place in step.places if isinstance(place.act, PlaceToken)), None)
    if token is not None and o.Token not in kinds and _has_marker(title, state, step, turn, token):
        why = "money" if _could(title, state, turn, token, o.Token) else "room"
        told.append(own.say("words", f"idle.marker.{why}", title=title))
    return " ".join(told)


def _no_track(title: Title, state: State, step: Turns, turn: Turn, track: Place) -> str:
    assert isinstance(track.act, TrackAct)
    if step.is_past(turn, track.last) or not track.act.left(title, state, turn).lays:
        return "over"
    return "money" if _could(title, state, turn, track, o.Lay) else "room"


def _has_marker(title: Title, state: State, step: Turns, turn: Turn, token: Place) -> bool:
    """True if the company has a marker left that it might place in this turn."""
    if step.is_past(turn, token.last) or turn.note(Placed).marker:
        return False
    if token.act.bars(title, state, turn.company) is not None:
        return False
    return len(state.board.places_of(turn.company)) < title.policies.markers(title, state, turn.company)


def _could(title: Title, state: State, turn: Turn, place: Place, kind: type[o.Order]) -> bool:
    """True if the company would have an order of this kind if it were rich."""
    rich, player = evolve(title, state, Paid(BANK, turn.company, _RICHES, "train")), turn.company
    director = title.policies.director(title, state, player)
    assert director is not None, player
    return any(isinstance(choice.order, kind) for choice in place.act.offers(title, rich, turn, director))
