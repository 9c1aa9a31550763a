"""Import games exported by 18xx.games: convert every action to orders and play them with every check on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engine
from engine.core.ids import PlayerId
from engine.site18xx import site_converter
from engine.site18xx.actions import effective, unfolded
from engine.site18xx.places import recorded_run
from engine.site18xx.walk import SiteError
from moderator.domain.records.import_shape import check_game
from moderator.domain.records.site_rounds import astray
from moderator.domain.vocabulary import vocabulary
from moderator.input_limits import LARGEST_EXPORT, UnusableError, parse_json, read_text


class RecordError(ValueError):
    """An exported game cannot be played. The message has the name of the file, the line if it is known, and the reason.

    ``order``, ``refused``: if a rule forbids an order, the order and its refusal. ``where``: the action that led to
    it."""

    def __init__(
        self,
        file: str,
        reason: str,
        line: int | None = None,
        *,
        where: str = "",
        order: engine.orders.Order | None = None,
        refused: engine.Refused | None = None,
    ) -> None:
        super().__init__(f"{file}{'' if line is None else f', line {line}'}: {reason}")
        self.file, self.where, self.order, self.refused = file, where, order, refused


@dataclass(frozen=True, slots=True)
class Played:
    """One action of the record that has been played. ``number``: the number of the action, from 1, among those that
    were not undone. ``added``: orders that the site did not record. ``kept``: the action has orders of its own.
    ``open``: the action becomes part of a later order. ``last``: the last part of an action with nested ones."""

    number: int
    action: Mapping[str, Any]
    orders: tuple[engine.orders.Order, ...]
    added: tuple[engine.orders.Order, ...]
    kept: bool
    open: bool
    last: bool


@dataclass(slots=True)
class Import:
    """A record that is being imported. Exhaust ``play``; then ``game`` is the whole game.

    ``names``: the site's word for a player -> his name in our game. ``result``: name -> final wealth as recorded; empty
    for a game that is not finished on the site. ``over``: the game was played to its end by the rules. ``left_out``:
    the number of actions without a counterpart here, such as passes that we do not ask for. ``added``: the number of
    orders that the site did not record, such as empty answers.
    """

    file: str
    game: engine.Game
    names: Mapping[str, PlayerId]
    result: Mapping[str, int]
    actions: list[Mapping[str, Any]]
    over: bool = True
    said: Mapping[str, Any] = field(default_factory=dict)
    """Statements of the record about the game: the round in which it stands."""
    left_out: int = 0
    added: int = 0
    converter: Any = None
    """The converter of the actions; None before the first."""
    _moves: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)

    def play(self) -> Iterator[Played]:
        """Play the actions one by one and yield each. ``RecordError`` names the first that cannot be played."""
        self._moves = list(unfolded(self.actions))
        moves = [move for _, move in self._moves]
        converter = site_converter(self.game.title.name)(self.game, self.names, moves, over=self.over)
        self.converter = converter
        for i, (number, action) in enumerate(self._moves):
            try:
                step = converter.step(i)
            except SiteError as problem:
                where = self._where(problem.number)
                raise RecordError(
                    self.file,
                    f"{where}: {problem.reason}",
                    where=where,
                    order=problem.order,
                    refused=problem.refused,
                ) from problem
            self.left_out += not step.kept and not step.open
            self.added += len(step.added)
            last = i + 1 == len(self._moves) or self._moves[i + 1][0] != number
            yield Played(number, action, step.orders, step.added, step.kept, step.open, last)
        if other := astray(self.said, self.game, converter.walk.nothing):
            raise RecordError(self.file, other)

    def _where(self, place: int) -> str:
        """A description of an action by which a person can find it in the file."""
        number, move = self._moves[place]
        action = self.actions[number - 1]
        within = "" if action is move else f" within the {action['type']}"
        run = recorded_run(move)
        said = f": {run}" if run else ""
        return f"action {number} (id {action.get('id')}, {move['type']} of {move.get('entity')}{within}{said})"

    def next_move(self, played: Played) -> Mapping[str, Any] | None:
        """The move that follows ``played`` in the record; None after the last."""
        i = next(i for i, move in enumerate(self._moves) if move[1] is played.action)
        return self._moves[i + 1][1] if i + 1 < len(self._moves) else None


def read_import(path: Path) -> Import:
    """Read an exported game from a file. ``RecordError`` says what is wrong with it."""
    name = path.name
    try:
        data = parse_json(read_text(path, LARGEST_EXPORT))
    except UnusableError as problem:
        raise RecordError(name, str(problem), problem.line) from problem
    return read_game(name, data)


def read_game(name: str, data: Any) -> Import:
    """Read an exported game from decoded JSON. ``name`` is its name in messages. ``RecordError`` says what is wrong
    with it."""
    if not isinstance(data, dict):
        raise RecordError(name, "an exported game is an object with title, players and actions")
    for key, kind in (("title", str), ("players", list), ("actions", list)):
        if not isinstance(data.get(key), kind):
            raise RecordError(name, f"has no {key}, as an exported game of 18xx.games does")
    if data["title"] not in engine.title_names():
        raise RecordError(name, f"is a game of {data['title'][:60]}; there are: {', '.join(engine.title_names())}")
    try:
        return _prepare(name, data)
    except (KeyError, TypeError) as problem:
        raise RecordError(name, f"is not as 18xx.games exports a game: {type(problem).__name__} {problem}") from problem
    except ValueError as problem:
        raise RecordError(name, str(problem)) from problem


def _prepare(file: str, data: Mapping[str, Any]) -> Import:
    check_game(data)
    actions = effective(data["actions"])
    converter = site_converter(data["title"])
    settings = data.get("settings") or {}
    moves = [move for _, move in unfolded(actions)]
    rules = settings.get("optional_rules") or []
    title = engine.load_title(data["title"], converter.edition(rules), converter.options(rules, moves))
    ids = _ids(data["players"], moves)
    names = dict(zip(ids, _fitting(title, [str(p["name"]) for p in data["players"]]), strict=True))
    if len(names) != len(ids):
        raise ValueError("two players have the same id")
    seats = tuple(names.values())
    privates = converter.privates(len(seats), moves, _seed(data))
    game = engine.Game.start(title, engine.Setup(seats, "", _first(actions, names) or seats[0], privates))
    finished = data.get("status") in (None, "finished") and not any(a["type"] == "end_game" for a in actions)
    return Import(file, game, names, _result(data, names), actions, finished, data)


def _ids(players: list[Mapping[str, Any]], moves: list[Mapping[str, Any]]) -> list[str]:
    """The identifiers that the record uses for its players: their numbers or, if its moves use them, their names (as in
    old records)."""
    numbers = [str(p["id"] if p.get("id") is not None else p["name"]) for p in players]
    names = [str(p["name"]) for p in players]
    movers = {str(move.get("entity")) for move in moves if move.get("entity_type") == "player"}
    return names if not movers <= set(numbers) and movers <= set(names) else numbers


def _fitting(title: engine.Title, names: list[str]) -> list[PlayerId]:
    """The players' names, changed where orders could not use them: too similar to a name of the title or of another
    player, or with punctuation of the notation. ``ValueError`` if no replacement fits."""
    found: list[str] = []
    for number, name in enumerate(names, 1):
        plain = " ".join(name.replace("//", " ").replace(":", " ").replace(";", " ").split())
        for fitting in (plain, f"{plain} (player {number})".strip(), f"Player {number}", f"Seat {number}"):
            try:
                vocabulary(title, (*found, fitting))
            except ValueError:
                continue
            found.append(fitting)
            break
        else:
            raise ValueError(f"{name!r} cannot be the name of a player")
    return [PlayerId(name) for name in found]


def _first(actions: list[Mapping[str, Any]], names: Mapping[str, PlayerId]) -> PlayerId | None:
    """The player who makes the first bid or pass, who gets the priority without a lot; None if there is none, or if the
    game begins with sealed bids, which come in any order: then the first seat has it."""
    movers = (move for _, move in unfolded(actions) if move.get("entity_type") == "player")
    first = next((move for move in movers if move["type"] in ("bid", "blind_bid", "pass")), None)
    return None if first is None or first["type"] == "blind_bid" else names.get(str(first["entity"]))


def _seed(data: Mapping[str, Any]) -> int | None:
    """The site's random seed: the first digits in the seed that the file gives or, if it gives none, in the number of
    the game. None if there are no digits."""
    given = (data.get("settings") or {}).get("seed")
    digits = re.search(r"\d+", str(data.get("id", "") if given is None else given))
    return int(digits.group()) if digits else None


def _result(data: Mapping[str, Any], names: Mapping[str, PlayerId]) -> dict[str, int]:
    """Final wealth by our names. The site gives it by player number, in old records by name. ``ValueError`` for a name
    that is not a player's."""
    by_name = {str(p["name"]): name for p, name in zip(data["players"], names.values(), strict=True)}
    result: dict[str, int] = {}
    for player, wealth in (data.get("result") or {}).items():
        found = names.get(str(player), by_name.get(str(player)))
        if found is None:
            raise ValueError(f"the result names {player!r}, who is not a player")
        result[str(found)] = int(wealth)
    return result
