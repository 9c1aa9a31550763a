"""Reasons why the replay of a record may differ from its game: a sealed seed, other rules, another final position."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import Failure, Game, Title
from engine.titles import changes
from grammar import write_section
from moderator.domain.records import import_18xx
from moderator.domain.records.record import IllegalOrderError, Record, StoppedError
from moderator.domain.vocabulary import vocabulary


def undrawn(record: Record) -> str:
    """A message that positions after lots cannot be computed from this record, because its seed is sealed; empty if
    they can."""
    if not record.sealed or "Commitment" not in record.tags:
        return ""
    game = record.tags.get("Game", "GAME")
    return (
        f"{record.file}: the seed of {game} is sealed until the game is over, so that its lots cannot be drawn again"
        f" from this text. On its own server: `railpost record verify --database`, `railpost game show {game} --at"
        f" N`, `railpost check FILE --game {game} --at N`."
    )


def stopped(record: Record, error: StoppedError, describe: Callable[[Failure], str]) -> str:
    """Sentences that say at which order the replay of ``record`` stops, with its place in the file, and why: the broken
    rules, if there are any, in the words of ``describe``, and how the rules have changed since the order was played."""
    if isinstance(error, IllegalOrderError):
        said = f"{error.place} is illegal: {' '.join(map(describe, error.refused.failures))}"
    else:
        said = f"{error}."
    return f"{said} {_other_rules(record, error.number)}".rstrip()


def import_stopped(title: Title, error: import_18xx.RecordError, describe: Callable[[Failure], str]) -> str:
    """A sentence that says at which action a record of 18xx.games stops, and why: the order that breaks a rule, as
    players write it, and the broken rules in the words of ``describe``."""
    if error.order is None or error.refused is None:
        return str(error)
    order = write_section(error.order.actor, [error.order], vocabulary(title))
    return f"{error.file}: {error.where}: {order} is illegal: {' '.join(map(describe, error.refused.failures))}"


def _other_rules(record: Record, number: int) -> str:
    """A sentence that order ``number`` was played by other rules than the present ones; empty if the rules are the same
    or not known."""
    then, now = record.past.version_at(number), record.title.rules_version
    if then is None or then == now:
        return ""
    known = changes(record.title.name)
    lines = "; ".join(change.line for change in known if min(then, now) < change.version <= max(then, now))
    return f"It was played by version {then} of the rules, and this is version {now}{f': {lines}' if lines else ''}."


def told_otherwise(record: Record, departed: Sequence[int]) -> str:
    """A note that other rules told other positions after the orders ``departed``; empty if there are none."""
    if not departed:
        return ""
    orders = ("order " if len(departed) == 1 else "orders ") + ", ".join(map(str, departed))
    then, now = record.past.version_at(departed[0]), record.title.rules_version
    return (
        f"after {orders} version {then} of the rules told another position than version {now} does; the final position"
        f" is the same"
    )


def elsewhere(record: Record, game: Game) -> str:
    """A message that the orders lead to another position than the record says; empty if they do not. ``ValueError`` if
    the positions cannot be compared."""
    position = record.tags.get("Position")
    try:
        if position is None or game.matches(position):
            return ""
    except ValueError as error:
        raise ValueError(f"{record.file}: its tag Position cannot be compared: {error}") from error
    return f"{record.file}: all orders are legal, but they lead to another position than the record says"
