"""A fork of a game while a mail is handled: it records the submitted orders, their players, and the players with new
questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine import Game, Refused
from engine.core.events import Event
from engine.core.orders import Order
from moderator.domain.asks import full_question

Origin: TypeAlias = Literal[
    "mail", "held", "limit", "consent", "silence", "sealed", "default", "robot", "import", "kept", "entered",
    "standing",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move:
    """An accepted order with its player, its origin, the kind of round before it, and the events that followed."""

    order: Order
    player: str
    origin: Origin
    round: str
    events: tuple[Event, ...]


class Fork:
    """A copy of a game to submit orders to. The game itself does not change until the caller stores the fork."""

    def __init__(self, game: Game) -> None:
        self.game = game.fork()
        self.moves: list[Move] = []
        self.renewed: set[str] = set()
        """Players who are now asked a question that they were not asked before."""

    def submit(self, order: Order, player: str, origin: Origin) -> Refused | tuple[Event, ...]:
        """Submit ``order``, given by ``player``. Returns its events, or the refusal."""
        others = {ask.player for ask in self.game.asked()} - {player}
        before = {other: full_question(self.game, other) for other in others}
        round = self.game.state.round.kind
        events = self.game.submit(order)
        if isinstance(events, Refused):
            return events
        self.moves.append(Move(order, player, origin, round, events))
        asked = {ask.player for ask in self.game.asked()}
        self.renewed &= asked
        self.renewed |= {p for p in asked if before.get(p) != full_question(self.game, p)} if before else asked
        return events

    def fork(self) -> Fork:
        """A fork of this fork, to try further orders. They count only after ``join``."""
        fork = Fork(self.game)
        fork.moves, fork.renewed = list(self.moves), set(self.renewed)
        return fork

    def join(self, tried: Fork) -> None:
        """Take over the game and the moves of ``tried``, a fork of this fork."""
        self.game, self.moves, self.renewed = tried.game, tried.moves, tried.renewed
