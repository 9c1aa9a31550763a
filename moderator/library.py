"""Orders, rulings and records as text, for programs that use the rules as a library.

    import engine
    from moderator import library

    title = engine.load_title("1861")
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="any text"))
    for order in library.read_orders(game, "Bob: open TSR 25"):
        print(library.describe(game, game.submit(order)))
    text = library.write_record(game)
    same = library.read_record(text)
    theirs = library.read_18xx(Path("game.json").read_text(encoding="utf-8"))

``docs/notation.md`` teaches the notation, ``docs/library.md`` the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import grammar
from engine import Game, Refused
from engine.core.events import Event
from engine.core.orders import Order
from moderator.domain.records import export_18xx, import_18xx, record
from moderator.domain.records.export_18xx import NotExported
from moderator.domain.records.record import DepartedError, IllegalOrderError, RecordError
from moderator.domain.vocabulary import vocabulary
from moderator.input_limits import UnusableError, parse_json
from moderator.words.wording import describe_event, describe_failure, describe_unreadable


def read_orders(game: Game, text: str, actor: str | None = None) -> tuple[Order, ...]:
    """The orders in ``text``, in the notation of mails and records. ``actor`` gives those that stand under no head; by
    default it is the one who is asked, if only one is. They are read, not played. ``ValueError`` says for each line
    that cannot be read where reading stopped and what would be right."""
    asked = {ask.actor for ask in game.asked()}
    default = actor or (asked.pop() if len(asked) == 1 else None)
    reading = grammar.read(text, vocabulary(game.title, game.state.players), default_actor=default)
    wrong = [describe_unreadable(error) for error in reading.errors]
    wrong += [f"Line {word.line}: `{word.kind}` is a word for the moderator, not an order." for word in reading.words]
    if wrong:
        raise ValueError("\n".join(wrong))
    return reading.orders


def write_orders(game: Game, orders: Iterable[Order]) -> str:
    """``orders`` in canonical notation: a line for each, behind who gives it. ``read_orders`` reads it back."""
    if isinstance(orders, Order):
        raise TypeError("orders are several: write [order] for one")
    names = vocabulary(game.title, game.state.players)
    return "\n".join(grammar.write_section(order.actor, [order], names) for order in orders)


def describe(game: Game, result: Refused | tuple[Event, ...]) -> str:
    """The result of ``game.submit`` or ``game.check`` in English, a line for each event that players are told of, or
    for each reason of a refusal, with the rule."""
    if isinstance(result, Refused):
        return "\n".join(describe_failure(game.title, failure) for failure in result.failures)
    said = (describe_event(game.title, event) for event in result)
    return "\n".join(line for line in said if line is not None)


def write_record(game: Game, tags: Mapping[str, str] | None = None) -> str:
    """``game`` as a text that replays, its seed included. ``tags`` are added to those that the game itself gives, such
    as ``{"Event": "Club night"}``; ``ValueError`` if it gives one of them."""
    return record.write_record(game, tags or {}, sealed=False)


def read_record(text: str, file: str = "record", facts: str = "") -> Game:
    """The game of a record, played with every check on. ``file`` is its name in messages, ``facts`` the file of
    corrected facts that it was played with, for a record that does not hold it itself. ``RecordError`` names every
    line that cannot be read, ``IllegalOrderError`` the first order that is refused, and ``DepartedError`` the first
    after which the position is not the recorded one."""
    _a_text(text)
    return record.replay_record(record.read_record(text, file, facts))


def read_18xx(text: str, file: str = "game.json") -> Game:
    """The game that 18xx.games exported as ``text``, played with every check on. ``file`` is its name in messages.
    ``ValueError`` says what of it cannot be read, or which action breaks a rule."""
    _a_text(text)
    try:
        found = import_18xx.read_game(file, parse_json(text))
    except UnusableError as error:
        raise import_18xx.RecordError(file, str(error), error.line) from error
    for _ in found.play():
        pass
    return found.game


def write_18xx(game: Game, number: int = 1, description: str = "") -> str:
    """``game`` as 18xx.games exports one, with ``number`` as its number there. What is written has been read again and
    played. ``NotExported``, a ``ValueError``, says why the site cannot have the game: it plays other rules, perhaps."""
    return export_18xx.export_game(game, number, description)


def _a_text(given: str) -> None:
    text: object = given
    if not isinstance(text, str):
        raise TypeError(f"give the text of the file, path.read_text(), not {text!r:.80}")


__all__ = [
    "DepartedError", "IllegalOrderError", "NotExported", "RecordError", "describe", "read_18xx", "read_orders",
    "read_record", "write_18xx", "write_orders", "write_record",
]  # fmt: skip
