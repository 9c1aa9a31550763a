"""A record file as a volume, as far as it can be read and played. If it ends early, the volume says where and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from engine import Game
from engine.core.ids import PlayerId
from moderator.archive.volume import Status, Volume
from moderator.domain.records import import_18xx, record
from moderator.domain.records.doubts import elsewhere, import_stopped, stopped, undrawn
from moderator.domain.records.renaming import renamed_game, renamed_text
from moderator.input_limits import LARGEST_EXPORT, LARGEST_RECORD, UnusableError, read_text
from moderator.render import describe_failure

Tell = Callable[[Game], record.Teller]
NamesFor = Callable[[str, Sequence[str], Mapping[str, str]], dict[str, str]]
"""A function from the name of a game, its players in seating order and the tags of its record to the names that are
taken out, each with its replacement."""


def read_volume(
    path: Path, seat: str, tell: Tell, names_for: NamesFor = lambda *_: {}, name: str | None = None, *,
    desk: str = "", with_facts: bool = False,
) -> Volume:  # fmt: skip
    """The volume of a record, ours or one of 18xx.games. ``name`` is its name; the default is that of its tag or of its
    file. ``desk`` is the address of the desk; ``with_facts``: it knows corrected facts, too. Raises ``ValueError`` if
    not even the game can be read, and ``OSError`` if the file cannot be opened."""
    game, tags, fault = play_file(path)
    name = name or tags.get("Game") or path.stem
    names = names_for(name, game.setup.players, tags)
    game, fault = renamed_game(game, names), renamed_text(fault, names)
    seen = game.seen_by(PlayerId(names.get(seat, seat)))
    own = {"Source": path.name} if not tags else {}
    kept = {tag: renamed_text(said, names) for tag, said in {**own, **_told_tags(tags)}.items()}
    text = record.write_record(seen, kept, tell=tell(seen))
    told = renamed_text(read_text(path, LARGEST_EXPORT), names)  # the file, not what this version makes of it
    linked = desk if with_facts or not seen.title.own_facts else ""
    stamp = sha256("\0".join((path.name, name, names.get(seat, seat), linked, told)).encode()).hexdigest()
    ended = tags.get("Ended", "")
    status: Status = "finished" if game.finished else "record"
    return Volume(
        name, seen, names.get(seat, seat), status, text, tags.get("Begun", ""), ended, fault=fault, desk=linked,
        stamp=stamp,
    )  # fmt: skip


def play_file(path: Path) -> tuple[Game, dict[str, str], str]:
    """Play a record, ours or one of 18xx.games, as far as it goes. Returns the game, the record's tags, and the reason
    why it stops; empty if it does not. Raises ``ValueError`` if not even the game can be read, and ``OSError`` if the
    file cannot be opened."""
    return _imported(path) if path.suffix.lower() == ".json" else _read(path)


def _told_tags(tags: dict[str, str]) -> dict[str, str]:
    """The tags that cannot be derived from the game."""
    kept = ("Game", "Begun", "Ended", "Engine", "Commitment", "Source", "Event")
    return {name: tags[name] for name in kept if name in tags}


def _imported(path: Path) -> tuple[Game, dict[str, str], str]:
    found = import_18xx.read_import(path)
    try:
        for _ in found.play():
            pass
    except import_18xx.RecordError as error:
        title = found.game.title
        return found.game, {}, import_stopped(title, error, partial(describe_failure, title))
    return found.game, {}, ""


def _read(path: Path) -> tuple[Game, dict[str, str], str]:
    try:
        text = read_text(path, LARGEST_RECORD)
    except UnusableError as error:
        raise ValueError(f"{path.name}: {error}") from error
    found, fault = _readable(text, path.name)
    game, stopped = _played(found)
    return game, dict(found.tags), stopped or fault


def _readable(text: str, file: str) -> tuple[record.Record, str]:
    """The record in ``text`` and an empty fault. If a line cannot be read, the record before it, and the fault."""
    try:
        return record.read_record(text, file), ""
    except record.RecordError as error:
        first = min(error.faults, key=lambda fault: fault.line)
        before = "\n".join(text.split("\n")[: first.line - 1])
        try:
            return record.read_record(before, file), str(error).splitlines()[0]
        except record.RecordError:
            raise error from None  # the head is at fault: nothing can be read


def _played(found: record.Record) -> tuple[Game, str]:
    """The game, played as far as the record goes, and the reason why it stops. Raises ``ValueError`` if not even the
    start is known."""
    game, fault = _replayed(found)
    if game.state.lots and (sealed := undrawn(found)):
        before = [state for _, state, _ in game.happened(0)]
        told = next((n for n, state in enumerate(before) if state.lots), len(before)) - 1
        if told < 0:
            raise ValueError(sealed)
        return _first(found, told), sealed
    return game, fault


def _replayed(found: record.Record) -> tuple[Game, str]:
    """Like ``_played``, if all lots can be drawn again."""
    try:
        game = record.replay_record(found)
    except record.StoppedError as error:
        return _first(found, error.number - 1), stopped(found, error, partial(describe_failure, found.title))
    except record.RecordError as error:  # an adopted position is at fault: play what comes before it
        before, why = _replayed(_cut(found, max(found.past.adopted) - 1))
        return before, why or str(error)
    try:
        return game, elsewhere(found, game)
    except ValueError as error:
        return game, str(error)


def _first(found: record.Record, count: int) -> Game:
    return record.replay_record(_cut(found, count))


def _cut(found: record.Record, count: int) -> record.Record:
    """The record up to order ``count``, without later positions."""
    adopted = {number: data for number, data in found.past.adopted.items() if number <= count}
    tags = {tag: said for tag, said in found.tags.items() if tag != "Position"}
    past = replace(found.past, adopted=adopted)
    return replace(found, tags=tags, past=past, orders=found.orders[:count], lines=found.lines[:count])
