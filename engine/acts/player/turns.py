"""Turns of players: they take the players of every title through a stock round, without knowing any act.

an order:  its act -> is it open? -> a duty to sell -> its checks -> the end of the turn -> events
a menu:    the offers of the open acts, in the order of the table; under a duty, those that fulfil it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.acts.player.act import PlayerAct
from engine.core.agenda import Ask, Choice, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import Lapsed, Passed
from engine.core.ids import Actor, PlayerId
from engine.core.orders import Order, Pass
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.consent import Consent


def _open(title: Title, state: State, frame: Any, actor: Actor) -> Failure | None:
    return None


@dataclass(frozen=True, slots=True)
class Row:
    """An act in the table of a turn. ``often``: how many times it may be done in a turn; None means any number.
    ``rule``: the rulebook section that says so. Both are for readers; the act itself enforces the limit. ``bars``
    returns the reason why the act is not open to an actor now."""

    act: PlayerAct
    often: int | None = None
    rule: str = ""
    bars: Callable[[Title, State, Any, Actor], Failure | None] = _open


def _alone(title: Title, state: State, player: PlayerId) -> tuple[Actor, ...]:
    return (player,)


def _turn(title: Title, state: State, frame: Any, actor: Actor) -> tuple[str, tuple[str, ...]]:
    sold: tuple[str, ...] = tuple(frame.sold_now)
    return ("stock.turn", sold) if actor == frame.turn else ("stock.turn.for", (actor, *sold))


def _no_better_reason(title: Title, state: State, frame: Any, ask: Ask) -> Failure | None:
    return None


def _never(state: State, frame: Any) -> bool:
    return False


def last_while_idle(seated: Callable[[State], tuple[PlayerId, ...]]) -> Callable[[State, Any], bool]:
    """``PlayerTurns.stands`` for a frame that is ``idle`` as long as nobody could do anything: then the last of those
    who are ``seated`` is asked."""
    return lambda state, frame: frame.idle and frame.passes == len(seated(state)) - 1


@dataclass(frozen=True)
class PlayerTurns:
    """The turns of a stock round, as a step of the agenda. The frame of a title has the player on ``turn``, the number
    of ``passes`` in a row, and the companies ``sold_now``, in this turn.

    ``rows``: the acts in the order in which they are offered. ``pass_rule``: the section on passing. ``seated``: the
    players who have turns. ``owes`` returns the duties to sell that come before anything else, falsy if there are
    none, and ``first`` every sentence about them. ``end`` ends the turn of a player who has acted. ``passed`` ends the
    turn of one who passes; the function that it gets returns True if he could have done something else. ``over``: ends
    the round, after passes of all in a row. ``actors``: the player on turn, and the companies for which he may act.
    ``question``: the key and the facts of the question to an actor. ``stands``: True if a player is asked although he
    can only pass, so that a game in which nobody can do anything does not go on by itself forever. ``strange`` returns
    the reason against an order that belongs to no act, if the title knows a better one than that.
    """

    rows: tuple[Row, ...]
    pass_rule: str
    seated: Callable[[State], tuple[PlayerId, ...]]
    owes: Callable[[Title, State, Any], Any]
    first: Callable[[Title, State, Any, Any], Iterable[Failure]]
    end: Callable[[Play, Any], None]
    passed: Callable[[Play, Any, Callable[[], bool]], None]
    over: Callable[[Play, Any], None]
    actors: Callable[[Title, State, PlayerId], tuple[Actor, ...]] = _alone
    question: Callable[[Title, State, Any, Actor], tuple[str, tuple[str, ...]]] = _turn
    stands: Callable[[State, Any], bool] = _never
    strange: Callable[[Title, State, Any, Ask], Failure | None] = _no_better_reason

    @cached_property
    def _rows(self) -> Mapping[type[Order], Row]:
        return {kind: row for row in self.rows for kind in row.act.takes}

    # ---- the step -------------------------------------------------------------------------------------------------

    def asked(self, title: Title, state: State, frame: Any) -> tuple[Ask, ...]:
        player, seated = frame.turn, self.seated(state)
        if frame.passes >= len(seated) or player not in seated:
            return ()
        owed = self.owes(title, state, frame)
        able = tuple(a for a in self.actors(title, state, player) if self._able(title, state, frame, a, owed))
        if not able and not self.stands(state, frame):
            return ()
        alone = player not in able and owed
        asked = (*(() if alone else (player,)), *(actor for actor in able if actor != player))
        return tuple(Ask(player, actor, *self.question(title, state, frame, actor)) for actor in asked)

    def menu(self, title: Title, state: State, frame: Any, ask: Ask) -> Menu:
        owed = self.owes(title, state, frame)
        found = tuple(self._offers(title, state, frame, ask.actor, owed))
        return found if owed or ask.actor != ask.player else (*found, Exact(Pass(ask.player)))

    def _offers(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> Iterator[Choice]:
        for row in self.rows:
            if row.bars(title, state, frame, actor) is None:
                yield from row.act.offers(title, state, frame, actor, owed)

    def _able(self, title: Title, state: State, frame: Any, actor: Actor, owed: Any) -> bool:
        return any(
            row.bars(title, state, frame, actor) is None and row.act.possible(title, state, frame, actor, owed)
            for row in self.rows
        )

    def cost(self, title: Title, state: State, frame: Any, order: Order) -> int | None:
        """The price that the actor pays for an order; None if it has none, or if no act of the turn takes it."""
        row = self._rows.get(type(order))
        return None if row is None else row.act.price(title, state, order)

    def decide(self, play: Play, frame: Any, ask: Ask, order: Order) -> None:
        title, state = play.title, play.state
        row, passing = self._rows.get(type(order)), isinstance(order, Pass) and ask.actor == ask.player
        if row is None and not passing:
            play.note((self.strange(title, state, frame, ask) or Failure("order.wrong_kind", {"asked": ask.what}),))
            return
        owed = self.owes(title, state, frame)
        if owed and (row is None or row.act.waits(title, owed)):
            play.note(self.first(title, state, frame, owed))
        if row is not None:
            self._act(play, frame, row, order, owed)
        elif not play.failures:
            self._pass(play, frame, forced=False)

    def _act(self, play: Play, frame: Any, row: Row, order: Order, owed: Any) -> None:
        title, state = play.title, play.state
        if (barred := row.bars(title, state, frame, order.actor)) is not None:
            play.note((barred,))
            return
        play.note(row.act.failures(title, state, frame, order, owed))
        if not play.failures and not row.act.asks(play, order):
            self._carry_out(play, frame, row.act, order)

    def _carry_out(self, play: Play, frame: Any, act: PlayerAct, order: Order) -> None:
        noted = act.notes(play.title, play.state, frame, order)
        if act.ends:  # before the effects, which may put a question on the agenda
            self.end(play, noted)
        act.do(play, order)
        if not act.ends and noted != frame:
            play.become(noted)

    def granted(self, play: Play, consent: Consent) -> None:
        """Carry out an order for which everybody has given consent. It lapses if it is no longer legal."""
        act, frame = self._rows[type(consent.order)].act, play.state.top
        if act.granted(play, frame, consent):
            self._carry_out(play, frame, act, consent.order)
        else:
            play.emit(Lapsed(consent.order))

    def refused(self, play: Play, consent: Consent) -> None:
        """Do nothing: the player is asked again."""

    # ---- what follows ---------------------------------------------------------------------------------------------

    def _pass(self, play: Play, frame: Any, forced: bool) -> None:
        title, state = play.title, play.state

        def able() -> bool:
            actors = () if forced else self.actors(title, state, frame.turn)
            return any(self._able(title, state, frame, actor, ()) for actor in actors)

        play.emit(Passed(frame.turn, forced))
        self.passed(play, frame, able)

    def advance(self, play: Play, frame: Any) -> None:
        if frame.passes < len(self.seated(play.state)):
            self._pass(play, frame, forced=True)
        else:
            self.over(play, frame)
