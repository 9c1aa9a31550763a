"""Say what a pass costs: what happens if the reader passes now, and everybody after him."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Ask, Exact, Menu
from engine.core.checks import Refused
from engine.core.decide import asked, decide_to_state
from engine.core.decide import menu as menu_of
from engine.core.ids import PlayerId
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Play, Title
from moderator.words.texts import Words


@dataclass(slots=True)
class Cost:
    """The consequences of a pass. ``alone``: the reader's pass is the last one that is needed. ``ends``: the round
    ends. ``lost``: his privates that go back to the bank. ``gone``: privates that leave the game. ``reduced``: private
    and its new least bid. ``given``: player and the private that he gets for nothing. ``drawn``: what follows depends
    on a lot that nobody knows yet."""

    alone: bool = True
    ends: bool = False
    lost: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    reduced: tuple[str, int] | None = None
    given: tuple[str, str] | None = None
    drawn: bool = False

    @property
    def matters(self) -> bool:
        return bool(self.lost or self.gone or self.reduced or self.given or (self.alone and (self.ends or self.drawn)))


def pass_cost(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """A sentence on what passing brings about; "" if a pass has no consequence worth telling."""
    try:
        found = _tried(title, state, ask, menu)
    except NotKnownHere:  # what follows depends on a lot that has not been drawn
        return ""
    if found is None or not found.matters:
        return ""
    facts = {name: getattr(found, name) for name in Cost.__slots__}
    return own.say("words", "passing", title=title, reader=ask.player, round=state.round, **facts)


def _tried(title: Title, state: State, ask: Ask, menu: Menu) -> Cost | None:
    """Pass for everybody in turn until something happens. None if the menu has no pass, or if somebody on the way could
    do nothing but act."""
    order, cost = _passing(menu), Cost()
    if order is None or ask.player != ask.actor:
        return None
    played: Refused | Play | None = decide_to_state(title, state, order)
    for number in range(len(state.players)):
        if not isinstance(played, Play):
            return None
        cost.alone = number == 0
        if any(isinstance(event, ev.Won) and event.amount for event in played.events):
            return None  # the lot goes to its bidder, which the question says
        cost.ends = played.state.round != state.round
        known = tuple(takewhile(lambda event: not isinstance(event, ev.LotDrawn), played.events))
        cost.drawn = len(known) < len(played.events)
        if _note(cost, state, ask.player, known) or cost.ends or cost.drawn:
            return cost
        state = played.state
        asks = asked(title, state)
        if len(asks) != 1:
            return None
        played = _passed(title, state, asks[0])
    return None


def _passed(title: Title, state: State, ask: Ask) -> Refused | Play | None:
    """The events that follow the pass of another player, or what stands for it; None if he can do neither. A pass is
    tried first, because a whole menu takes long."""
    played = decide_to_state(title, state, o.Pass(ask.player)) if ask.player == ask.actor else None
    if isinstance(played, Play):
        return played
    order = _passing(menu_of(title, state, ask))
    return None if order is None else decide_to_state(title, state, order)


def _passing(menu: Menu) -> o.Order | None:
    """The pass in a menu, or what stands for it where nobody has bid."""
    exact = [choice.order for choice in menu if isinstance(choice, Exact)]
    return next((order for kind in (o.Pass, o.Drop) for order in exact if isinstance(order, kind)), None)


def _note(cost: Cost, before: State, reader: PlayerId, events: Iterable[ev.Event]) -> bool:
    """Take what matters from the events up to the next round. True if anything in them does."""
    for event in events:
        match event:
            case ev.RoundBegan():
                break
            case ev.MinimumReduced():
                cost.reduced = (event.item, event.amount)
            case ev.Won(amount=0):
                cost.given = (event.player, event.item)
            case ev.PrivateMoved(owner=None) if before.privates.get(event.private) == reader:
                cost.lost.append(event.private)
            case ev.PrivateClosed():
                cost.gone.append(event.private)
    return bool(cost.lost or cost.gone or cost.reduced or cost.given)
