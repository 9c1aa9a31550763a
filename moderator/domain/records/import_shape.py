"""Check the form of a game exported by 18xx.games: its fields, their types and lengths, and the number of actions.

The form is checked before the first action is played. An action with a missing field or an unknown name is reported
when it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.site18xx.actions import is_move
from moderator.input_limits import shortened

MOST_ACTIONS: Final = 10_000
"""The maximum number of actions, including nested ones; the largest real game has 1,600."""
MOST_NAMED: Final = 200
"""The maximum number of characters of a name, or of a number given as text; the longest real one has 96."""
MOST_LISTED: Final = 60
"""The maximum number of entries of a list in an action: shares, runs, legs of a run, hexes of a leg. The longest real
one has 18."""
MOST_PLAYERS: Final = 20

_Check = Callable[[Any], str]
"""Returns the fault of a value; empty if there is none."""


def _kind(*kinds: type) -> _Check:
    names = " or ".join({int: "a number", str: "a text", float: "a number", dict: "an object"}[k] for k in kinds)

    def check(value: Any) -> str:
        if value is None or (isinstance(value, kinds) and not isinstance(value, bool)):
            return f"longer than {MOST_NAMED} characters" if isinstance(value, str) and len(value) > MOST_NAMED else ""
        return f"must be {names}, not {shortened(value)}"

    return check


def _listed(each: _Check) -> _Check:
    def check(value: Any) -> str:
        if value is None:
            return ""
        if not isinstance(value, list):
            return f"must be a list, not {shortened(value)}"
        if len(value) > MOST_LISTED:
            return f"has {len(value)} entries; at most {MOST_LISTED} are read"
        return next((said for one in value if (said := "holds nothing" if one is None else each(one))), "")

    return check


def _fields(fields: Mapping[str, _Check]) -> _Check:
    def check(value: Any) -> str:
        if not isinstance(value, dict):
            return f"must be an object, not {shortened(value)}"
        return next((f"{key}: {said}" for key, each in fields.items() if (said := each(value.get(key)))), "")

    return check


_TEXT, _NUMBER, _EITHER = _kind(str), _kind(int), _kind(int, str)
_ROUTE: Final = _fields({"train": _TEXT, "revenue": _NUMBER, "connections": _listed(_listed(_TEXT))})
_ACTION: Final = _fields(
    {
        **dict.fromkeys(("type", "entity_type", "company", "corporation", "train", "variant", "hex", "tile"), _TEXT),
        **dict.fromkeys(("kind", "city"), _TEXT),
        **dict.fromkeys(("id", "action_id", "entity", "choice", "percent", "rotation", "price"), _EITHER),
        **dict.fromkeys(("shares", "corporations"), _listed(_TEXT)),
        "routes": _listed(_ROUTE),
    }
)
_GAME: Final = _fields(
    {
        "id": _EITHER,
        "status": _TEXT,
        "players": _listed(_fields({"id": _EITHER, "name": _EITHER})),
        "settings": _fields({"seed": _EITHER, "optional_rules": _listed(_TEXT)}),
    }
)


def check_game(data: Mapping[str, Any]) -> None:
    """Check the form of an exported game. ``ValueError`` says what is wrong with it."""
    wrong = _GAME({**data, "settings": data.get("settings") or {}})
    if wrong:
        raise ValueError(wrong)
    if len(data["players"]) > MOST_PLAYERS:
        raise ValueError(f"has {len(data['players'])} players; at most {MOST_PLAYERS} are read")
    result = data.get("result") or {}
    if not isinstance(result, dict) or not all(isinstance(wealth, int | float) for wealth in result.values()):
        raise ValueError("result must be an object with a number for each player")
    for found, (where, action) in enumerate(_actions(data["actions"]), 1):
        if found > MOST_ACTIONS:
            raise ValueError(f"has more than {MOST_ACTIONS} actions; no more are read")
        if not isinstance(action, dict):
            raise ValueError(f"{where} is not an object")
        if not isinstance(action.get("type"), str):
            raise ValueError(f"{where} has no type")
        if is_move(action) and action["type"] not in ("undo", "redo") and action.get("entity") is None:
            raise ValueError(f"{where}, {action['type'][:60]}, has no entity")
        if wrong := _ACTION(action):
            raise ValueError(f"{where}: {wrong}")


def _actions(actions: list[Any]) -> Iterator[tuple[str, Any]]:
    """Every action, followed by the actions nested in it, each with a description of its place."""
    for place, action in enumerate(actions, 1):
        where = f"action {place}"
        if not isinstance(action, dict):
            yield where, action
            continue
        where = f"{where} (id {str(action.get('id'))[:60]})"
        within = action.get("auto_actions") or []
        if not isinstance(within, list):
            raise ValueError(f"{where}: auto_actions must be a list, not {shortened(within)}")
        yield where, action
        for each in within:
            yield where, each
