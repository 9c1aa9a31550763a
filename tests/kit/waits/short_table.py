"""A table without a post office: mails are played, and orders kept, by the same code as in the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine import Game
from engine.core.orders import Order
from grammar import Reading, Vocabulary, read, write_section
from moderator.domain.ahead.orders import Held, Settled, settle
from moderator.domain.block import play_block
from moderator.domain.fork import Fork, Move
from moderator.domain.vocabulary import vocabulary
from moderator.service.table.tenure import was_awaited

Section = tuple[str, tuple[Order, ...]]
"""An actor and his orders."""


@dataclass(frozen=True, slots=True)
class Table:
    """A position: the game, and the orders that wait."""

    game: Game
    waiting: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True)
class After:
    """The outcome of a mail. ``gave``: the moves of kept orders, as the index of the move -> the number of the orders;
    ``held``: the orders that it gave ahead, with their new numbers, and those rests of turns that others interrupt."""

    table: Table
    moves: Sequence[Move]
    waited: bool
    held: Sequence[Held]
    gave: Mapping[int, int]


def text_of(game: Game, sections: Sequence[Section]) -> str:
    """The text of a mail with ``sections``."""
    names = vocabulary(game.title, tuple(game.setup.players))
    return "\n".join(write_section(actor, orders, names) for actor, orders in sections)


@lru_cache(maxsize=20_000)
def _read(text: str, names: Vocabulary, player: str) -> Reading:
    return read(text, names, default_actor=player)


def take_mail(table: Table, player: str, text: str, numbers: Iterator[int]) -> After | None:
    """The table after a mail of ``player``; None if the mail is refused. ``numbers`` are for the orders to be kept."""
    fork, game = Fork(table.game), table.game
    reading = _read(text, vocabulary(game.title, tuple(game.setup.players)), player)
    block = play_block(fork, player, reading, text, partial=False)
    if not block.stands:
        return None
    given = [replace(held, id=next(numbers)) for held in block.held]
    waiting = [held for held in table.waiting if held.player != player or not block.replaces(held)]
    direct = len(fork.moves)
    settled = settle(fork, [*waiting, *given])
    number = {id(held): held.id for held in (*waiting, *given)}
    for end in settled.closed:
        if end.remainder is not None:
            number[id(end.remainder)] = number[id(end.held)]
    left = _left([*waiting, *given], settled, number)
    gave = dict(enumerate((number[id(held)] or 0 for held, _ in settled.used), direct))
    assert len(fork.moves) == direct + len(settled.used)
    return After(Table(fork.game, left), fork.moves, was_awaited(game, player, fork), given, gave)


def _left(held: Sequence[Held], settled: Settled, number: Mapping[int, int | None]) -> tuple[Held, ...]:
    """The orders that still wait, as they are read again at the next mail."""
    ended = {id(end.held) for end in settled.closed}
    rests = [end.remainder for end in settled.closed if end.remainder is not None]
    still = [one for one in (*held, *rests) if id(one) not in ended]
    return tuple(replace(one, id=number[id(one)], since=0, lines=()) for one in still)
