"""Walking through a record of 18xx.games with a game of our own beside it: what is the same in every title.

The site asks step by step, records no consent and moves on by itself; so orders are added until our game asks whoever
makes the record's next move.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.events import Event
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Agree, Order
from engine.core.state import State

Action = Mapping[str, Any]
AFTER_THE_END: Final = ("pass", "end_game", "destination_connection")
"""Actions that may follow the last order of a record, and become none."""
MOST_ORDERS: Final = 10_000
"""Orders that a record may become; the longest real game has 1,300."""
MOST_LOOKS: Final = 1_000_000
"""Looks ahead in one record: one for each action that is passed over, ten for an order that is tried out. Real games
take up to 22,000, games of robots with long rows of passes 381,000; a record made to be slow would take many
millions."""
_TRIED: Final = 10


class SiteError(ValueError):
    """An action of a record that does not fit. ``number``: its place among the moves, from 0; ``order`` and ``refused``
    where it is an order that a rule forbids."""

    def __init__(self, number: int, reason: str, order: Order | None = None, refused: Refused | None = None) -> None:
        super().__init__(f"move {number + 1}: {reason}")
        self.number, self.reason, self.order, self.refused = number, reason, order, refused


@dataclass(frozen=True, slots=True)
class Converted:
    """Orders that one action became: its own, and those ``added`` after it where the site moved on by itself.
    ``kept``: the action has an order of its own; ``open``: it will be part of a later one."""

    orders: tuple[Order, ...]
    added: tuple[Order, ...]
    kept: bool
    open: bool


@dataclass(slots=True)
class Walk:
    """``players``: the site's player number -> name. ``nothing``: the empty answer to a question, None where there is
    none. ``end_turn``: the order that ends the turn asked about, None where it is no turn. ``between``: questions that
    may lie between two turns of one company without a trace in the record. ``idle``: whether an action to come becomes
    no order as the game stands. ``over``: the game has been played to its end on the site, so that what it did by
    itself after the last action is to be added. ``stands_for``: who acts, by our names, in an action (by number) that
    the record ascribes to a private or to the wrong one; None for any other. ``answers``: whether an action can be
    the answer to a question to its actor."""

    game: Game
    players: Mapping[str, PlayerId]
    actions: Sequence[Action]
    nothing: Callable[[Game, Ask], Order | None]
    end_turn: Callable[[Ask], Order | None]
    between: Container[str] = ()
    idle: Callable[[int], bool] = lambda number: False
    over: bool = True
    stands_for: Callable[[int], str | None] = lambda number: None
    answers: Callable[[Action, Ask], bool] = lambda action, ask: True
    orders: list[Order] = field(default_factory=list)
    """Orders played since ``begin``."""
    given_in: State = field(init=False)
    """The position in which the last order was given, or in which the present action was turned to."""
    at: int = 0
    _played: int = 0
    _looked: int = 0
    _heard: list[Event] = field(default_factory=list)

    def begin(self, number: int) -> Action:
        """Turn to action ``number`` (from 0)."""
        self.orders, self.at = [], number
        self.answer_consents()
        self.given_in = self.game.state
        action = self.actions[number]
        if self.game.finished and action["type"] not in AFTER_THE_END:
            raise self.problem("the game is over before it")
        return action

    @property
    def following(self) -> Action | None:
        """The action after the present one."""
        return self.actions[self.at + 1] if self.at + 1 < len(self.actions) else None

    def problem(self, reason: str) -> SiteError:
        """An error at the present action."""
        return SiteError(self.at, reason)

    # ---- names ----------------------------------------------------------------------------------------------------

    def actor(self, number: int) -> str:
        """The actor of action ``number``, by our names."""
        action = self.actions[number]
        try:
            acting = self.stands_for(number)
            if acting is not None:
                return acting
            kind, name = action["entity_type"], action["entity"]
            return self.player(name) if kind == "player" else self.company(name)
        except KeyError as missing:
            raise SiteError(number, f"has no {missing.args[0]}") from missing
        except SiteError as error:
            raise SiteError(number, error.reason) from error

    def player(self, number: object) -> PlayerId:
        if str(number) not in self.players:
            raise self.problem(f"there is no player {number!r}; players are {', '.join(self.players)}")
        return self.players[str(number)]

    def company(self, name: object) -> CompanyId:
        for data in self.game.title.companies.values():
            if name == data.id or name in data.synonyms:
                return data.id
        raise self.problem(f"there is no company {name!r}")

    # ---- playing --------------------------------------------------------------------------------------------------

    def ask(self, actor: str) -> Ask | None:
        """The open question to ``actor``."""
        return next((a for a in self.game.asked() if a.actor == actor), None)

    def play(self, order: Order) -> tuple[Event, ...]:
        """Play an order of the record, after the end of a turn that the site ended by itself if it only fits then;
        answers what followed from it."""
        self._played += 1
        if self._played > MOST_ORDERS:
            raise self.problem(f"the record becomes more than {MOST_ORDERS} orders")
        self.given_in = self.game.state
        result = self.game.submit(order)
        if isinstance(result, Refused):
            if not self._end_turn_first(order):
                raise SiteError(self.at, f"{order} is refused: {result}", order, result)
            self.given_in = self.game.state
            result = self.game.submit(order)
            assert not isinstance(result, Refused)
        self.orders.append(order)
        self._heard.extend(result)
        return result

    def look(self, count: int = 1) -> None:
        """Count looks ahead. ``SiteError`` where the record takes too many."""
        self._looked += count
        if self._looked > MOST_LOOKS:
            raise self.problem(f"its actions leave too much open: more than {MOST_LOOKS} looks ahead")

    def heard(self) -> list[Event]:
        """The events since this was last asked."""
        events, self._heard = self._heard, []
        return events

    def _end_turn_first(self, order: Order) -> bool:
        """End the turn of the order's actor and give the empty answers to what lies ``between`` it and his next, if
        the order fits then."""
        ask = self.ask(order.actor)
        end = None if ask is None else self.end_turn(ask)
        if end is None or end == order:
            return False
        trial, added = self.game.fork(), [end]
        while not isinstance(trial.submit(added[-1]), Refused):
            self.look(_TRIED)
            if not isinstance(trial.check(order), Refused):
                for each in added:
                    self.play(each)
                return True
            asked = trial.asked()
            if not asked or asked[0].what not in self.between:
                return False
            empty = self.nothing(trial, asked[0])
            if empty is None:
                return False
            added.append(empty)
        return False

    def end_turn_of(self, actor: str) -> None:
        """End the turn of ``actor`` and give the empty answers to what lies ``between`` it and his next one. Nothing
        happens where he may not end it."""
        ask = self.ask(actor)
        end = None if ask is None else self.end_turn(ask)
        while end is not None and not isinstance(self.game.check(end), Refused):
            self.play(end)
            asked = self.game.asked()
            end = self.nothing(self.game, asked[0]) if asked and asked[0].what in self.between else None

    def begin_next_turn_of(self, company: str) -> None:
        """End the company's turn at hand, and give the empty answers of other companies until its next one begins. They
        have done nothing that left a trace."""
        self.end_turn_of(company)
        while not self.game.finished and self.ask(company) is None:
            ask = self.game.asked()[0]
            empty = self.nothing(self.game, ask)
            if ask.what != "company.turn" or empty is None or isinstance(self.game.check(empty), Refused):
                return
            self.play(empty)

    def answer_consents(self) -> None:
        """The site records no consent; whoever was asked has agreed."""
        while any(a.what == "consent" for a in self.game.asked()):
            self.play(Agree(self.game.asked()[0].actor))

    # ---- catching up ----------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Give the empty answers that the site did not ask for, until the next action's actor is asked; after the last
        action of a game that is over, those that end the round."""
        self.answer_consents()
        now = self.game.state.round
        while not self.game.finished:
            wanted = self._wanted()
            if wanted is None and (not self.over or self.game.state.round != now):
                return
            if wanted is not None and self._asked_for(*wanted):
                return
            ask = self.game.asked()[0]
            empty = self.nothing(self.game, ask)
            if empty is None:
                raise self.problem(f"{ask.what} of {ask.actor} has no answer in the record")
            self.play(empty)

    def _asked_for(self, actor: str, number: int) -> bool:
        """True if what ``actor`` is asked is what action ``number`` answers."""
        ask = self.ask(actor)
        return ask is not None and self.answers(self.actions[number], ask)

    def _wanted(self) -> tuple[str, int] | None:
        """The actor who must be asked next, and the number of his action: that of the next action that is not a
        ``pass`` to be left out; None at the end. The site asks some that can do nothing but pass; we do not."""
        ahead: list[tuple[str, int]] = []
        for number in range(self.at + 1, len(self.actions)):
            self.look(number - self.at)  # a pass is told from others by those before it
            if self.idle(number):
                continue
            ahead.append((self.actor(number), number))
            if len(ahead) == 1 and self.ask(ahead[0][0]) is not None:
                return ahead[0]  # asked now: no need to know what comes after
            if self.actions[number]["type"] != "pass":
                break
        else:
            ahead.append(("", 0))
        mover = ahead[-1]
        first: dict[str, int] = {}
        for actor, number in ahead[:-1]:
            first.setdefault(actor, number)
        wanted = next((one for one in first.items() if self._reached(one[0], mover[0])), mover)
        return wanted if wanted[0] else None

    def _reached(self, wanted: str, mover: str) -> bool:
        """True if empty answers lead to a question to ``wanted``: any of this round, or those of the one asked now, but
        none of ``mover``, who will make the next real move. His turn at hand may be over, though: nobody else is asked
        in the middle of it, and no player before the companies of a round are done."""
        people = set(self.players.values())
        trial, first = self.game.fork(), self.game.asked()[0] if not self.game.finished else None
        while first is not None and not trial.finished:
            self.look(_TRIED)
            if any(a.actor == wanted for a in trial.asked()):
                return True
            ask = trial.asked()[0]
            ends = self.end_turn(ask) is not None and ask == first and trial.state is self.game.state
            if ask.actor == mover and not ends and (wanted not in people or ask.actor in people):
                return False
            if trial.state.round != self.game.state.round and ask.actor != first.actor:
                return False
            empty = self.nothing(trial, ask)
            if empty is None or isinstance(trial.submit(empty), Refused):
                return False
        return False
