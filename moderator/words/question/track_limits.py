"""Say how many tiles a company may still lay in its turn, and how to see which."""

from __future__ import annotations

from collections.abc import Sequence

from engine.acts.act import Turn
from engine.acts.lays_left import LaysLeft, TrackAct
from engine.acts.turns import Turns
from engine.core.agenda import Choice
from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.texts import Words


def track_limit(own: Words, title: Title, state: State) -> str:
    """The number of tiles that the company in turn may still lay, of upgrades among them, and the fee for more than
    one; "" if nobody is in a turn with track."""
    left = _left(title, state)
    return "" if left is None else own.say("words", "track_limit", title=title, left=left)


def second_tile(own: Words, title: Title, state: State, choices: Sequence[Choice]) -> str:
    """How to see which tiles could follow the first of ``choices``; "" if only one may be laid."""
    left = _left(title, state)
    if left is None or left.lays < 2:
        return ""
    lay = write(choices[0].sample(0), vocabulary(title))
    return own.say("words", "second", title=title, lay=lay)


def counts(title: Title, state: State, order: Lay) -> bool:
    """True if ``order``, which uses a private, is one of the tiles of the turn, and not in addition to them."""
    before, played = _left(title, state), decide_to_state(title, state, order)
    if before is None or isinstance(played, Refused):
        return False
    after = _left(title, played.state)
    return after is not None and after.lays < before.lays


def _left(title: Title, state: State) -> LaysLeft | None:
    turn = state.top if state.agenda else None
    step = title.steps[type(turn)] if turn is not None else None
    if not isinstance(turn, Turn) or not isinstance(step, Turns):
        return None
    return next((place.act.left(title, state, turn) for place in step.places if isinstance(place.act, TrackAct)), None)
