"""Gives the players of a game other names, as somebody may ask for. Everything else stays as it was.

The game is played again with the new names. If that has another result, because the present rules lead elsewhere, the
names are replaced in its positions and events as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from engine import Game, Refused
from engine.board.board import Board
from engine.core.secret import Secret
from moderator.domain.redaction import HIDDEN
from moderator.domain.vocabulary import vocabulary

Names = Mapping[str, str]
"""Name of a player -> the name in its place."""


def renamed_game(game: Game, names: Names) -> Game:
    """``game`` with other names. Raises ``ValueError`` for names that players of this game cannot have."""
    if not names:
        return game
    setup = renamed(game.setup, names)
    vocabulary(game.title, setup.players)
    orders = [renamed(order, names) for order in game.orders]
    wealth = renamed(game.standings(), names)
    try:
        again = Game.start(game.title, setup)
        if not any(isinstance(again.submit(order), Refused) for order in orders) and again.standings() == wealth:
            return again
    except (ValueError, RuntimeError):
        pass  # the told past stays true, whatever the present rules say

    def recall(number: int) -> Any:
        _, before, events = next(game.happened(number - 1))
        return renamed((before, events), names)

    return Game.resume(game.title, setup, orders, renamed(game.state, names), recall=recall)


def renamed(value: Any, names: Names) -> Any:
    """A value of a game with other names in it."""
    match value:
        case str():
            return names.get(value, value)
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*(renamed(each, names) for each in value))
        case tuple() | frozenset():
            return type(value)(renamed(each, names) for each in value)
        case Mapping():
            return {renamed(key, names): renamed(each, names) for key, each in value.items()}
        case Board() | Secret():
            return value  # it names no player
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _renamed_fields(value, names)
    return value


def _renamed_fields(value: Any, names: Names) -> Any:
    changed = {}
    for field in fields(value):
        if field.init:
            before = getattr(value, field.name)
            after = renamed(before, names)
            if after != before:
                changed[field.name] = after
    return replace(value, **changed) if changed else value


def renamed_text(text: str, names: Names) -> str:
    """``text`` with other names wherever a name stands as a word, in any case."""
    if not names:
        return text
    new = {name.casefold(): name_in_its_place for name, name_in_its_place in names.items()}
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda found: new.get(found[0].casefold(), HIDDEN), text)
