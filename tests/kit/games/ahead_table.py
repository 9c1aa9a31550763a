"""A table without mails: what players write is played as the service plays it, with all orders given ahead."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine import Game, Setup
from engine.core.orders import Order
from engine.robots import sensible
from grammar import read, write
from moderator.domain.ahead.orders import Closed, Held, settle
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork, Move
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.situations import Played


@dataclass
class AheadTable:
    """A ``game`` with the orders that its players have given ahead. ``moves``: all moves so far."""

    game: Game
    waiting: list[Held] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    ends: list[Closed] = field(default_factory=list)

    @staticmethod
    def of(position: Played) -> AheadTable:
        """A table at a described position."""
        setup = Setup(tuple(position.state.players), seed="a seed for tests")
        return AheadTable(Game(position.title, setup, position.state, _kept={0: position.state}))

    def say(self, player: str, text: str, head: str | None = None) -> Block:
        """Handle a text of ``player``; orders without a head are those of ``head``, or else his own."""
        names = vocabulary(self.game.title, self.game.state.players)
        reading = read(text, names, default_actor=head or player)
        fork = Fork(self.game)
        block = play_block(fork, player, reading, text, partial=False)
        if block.stands:
            self.waiting = [one for one in self.waiting if one.player != player or not block.replaces(one)]
            self._settle(fork, block.held)
        return block

    def submit(self, order: Order, player: str) -> None:
        """Carry out an order of ``player``, and whatever waits for it."""
        fork = Fork(self.game)
        result = fork.submit(order, player, "mail")
        assert isinstance(result, tuple), (order, result)
        self._settle(fork, [])

    def _settle(self, fork: Fork, new: list[Held]) -> None:
        settled = settle(fork, [*self.waiting, *new])
        closed = [end.held for end in settled.closed]
        rests = [end.remainder for end in settled.closed if end.remainder is not None]
        left = [one for one in (*self.waiting, *new, *rests) if all(one is not gone for gone in closed)]
        self.waiting = [replace(one, since=0, lines=()) for one in left]
        self.moves += fork.moves
        self.ends += settled.closed
        self.game = fork.game

    def pass_on(self, player: str) -> None:
        """Let the sensible robot answer until ``player`` is asked."""
        for _ in range(500):
            ask = self.game.asked()[0]
            if ask.player == player:
                return
            self.submit(sensible(self.game, ask), ask.player)
        raise AssertionError(f"{player} is not asked")

    def log(self) -> list[str]:
        """Each move: the player, where the order came from, and the order."""
        names = vocabulary(self.game.title, self.game.state.players)
        return [f"{move.player} {move.origin}: {write(move.order, names)}" for move in self.moves]

    def standing(self) -> list[str]:
        """The orders that wait."""
        return [one.text for one in self.waiting]

    def reasons(self) -> list[tuple[str, ...]]:
        """For each order that has ended: the checks that say why."""
        return [tuple(failure.check for failure in end.failures) for end in self.ends]
