"""Games exported by 18xx.games as games of our own: every action becomes orders, played with every check on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engine
from engine.core.ids import PlayerId
from engine.titles import site_converter
from engine.titles.site_actions import effective, unfolded


class RecordError(ValueError):
    """A file that cannot be played here: its name, the line where that can be told, and the reason."""

    def __init__(self, file: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{file}{'' if line is None else f', line {line}'}: {reason}")


@dataclass(frozen=True, slots=True)
class Played:
    """One action of the record has been played. ``number`` counts the actions that count, from 1; ``last`` tells the
    last part of an action with nested ones. ``open``: it becomes part of a later order; ``kept``: it has orders of its
    own."""

    number: int
    action: Mapping[str, Any]
    orders: tuple[engine.orders.Order, ...]
    added: tuple[engine.orders.Order, ...]
    kept: bool
    open: bool
    last: bool


@dataclass(slots=True)
class Import:
    """A record being imported. Play it through with ``play``; then ``game`` is the whole game.

    ``names``: the site's player number -> name in our game. ``result``: the record's own final wealth by name, empty
    for a game that the site has not finished. ``left_out`` and ``added`` count passes that we do not ask for and empty
    answers that the site did not record.
    """

    file: str
    game: engine.Game
    names: Mapping[str, PlayerId]
    result: Mapping[str, int]
    actions: list[Mapping[str, Any]]
    left_out: int = 0
    added: int = 0
    _moves: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)

    def play(self) -> Iterator[Played]:
        """Play action after action. ``RecordError`` names the first that the rules do not admit."""
        self._moves = list(unfolded(self.actions))
        converter = site_converter(self.game.title.name)(self.game, self.names, [move for _, move in self._moves])
        for i, (number, action) in enumerate(self._moves):
            try:
                step = converter.step(i)
            except (ValueError, KeyError, IndexError, TypeError) as problem:
                raise RecordError(self.file, self._reason(number, action, problem)) from problem
            self.left_out += not step.kept and not step.open
            self.added += len(step.added)
            last = i + 1 == len(self._moves) or self._moves[i + 1][0] != number
            yield Played(number, action, step.orders, step.added, step.kept, step.open, last)

    def _reason(self, number: int, action: Mapping[str, Any], problem: Exception) -> str:
        if isinstance(problem, ValueError):
            return str(problem)
        return f"action {number} (id {action.get('id')}, {action.get('type')}): {type(problem).__name__} {problem}"

    def next_move(self, played: Played) -> Mapping[str, Any] | None:
        """The move that follows in the record."""
        i = next(i for i, move in enumerate(self._moves) if move[1] is played.action)
        return self._moves[i + 1][1] if i + 1 < len(self._moves) else None


def read_import(path: Path) -> Import:
    """An exported game, ready to be played. ``RecordError`` says what is wrong with the file."""
    name = path.name
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        raise RecordError(name, f"is not JSON: {problem.msg}", problem.lineno) from problem
    except UnicodeDecodeError as problem:
        raise RecordError(name, "is not text in UTF-8") from problem
    if not isinstance(data, dict):
        raise RecordError(name, "an exported game is an object with title, players and actions")
    for key, kind in (("title", str), ("players", list), ("actions", list)):
        if not isinstance(data.get(key), kind):
            raise RecordError(name, f"has no {key}, as an exported game of 18xx.games does")
    if data["title"] not in engine.title_names():
        raise RecordError(name, f"is a game of {data['title']}; there are: {', '.join(engine.title_names())}")
    try:
        return _prepare(name, data)
    except (KeyError, TypeError) as problem:
        raise RecordError(name, f"is not as 18xx.games exports a game: {type(problem).__name__} {problem}") from problem
    except ValueError as problem:
        raise RecordError(name, str(problem)) from problem


def _prepare(file: str, data: Mapping[str, Any]) -> Import:
    actions = effective(data["actions"])
    converter = site_converter(data["title"])
    settings = data.get("settings") or {}
    title = engine.load_title(data["title"], converter.EDITION, converter.options(settings.get("optional_rules") or []))
    names = {str(p["id"]): PlayerId(str(p["name"])) for p in data["players"]}
    seats = tuple(names.values())
    first = next((a for a in actions if a.get("entity_type") == "player"), None)
    priority = names[str(first["entity"])] if first is not None else seats[0]
    game = engine.Game.start(title, engine.Setup(seats, "", priority, converter.privates(len(seats), actions)))
    result = {str(names[str(k)]): int(v) for k, v in (data.get("result") or {}).items() if str(k) in names}
    return Import(file, game, names, result, actions)
