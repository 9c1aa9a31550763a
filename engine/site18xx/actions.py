"""Records of 18xx.games, what is the same in every title: undo and redo resolved, nested actions unfolded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Action = Mapping[str, Any]
CHAT = ("message",)
INSTRUCTIONS = "program_"
"""Standing instructions of the site are no moves; what they brought stands in ``auto_actions``."""
LOG = "log"
"""A remark in the site's log."""


def is_move(action: Action) -> bool:
    """True if the action is something that a player or company does in the game."""
    kind = str(action["type"])
    return kind not in (*CHAT, LOG) and not kind.startswith(INSTRUCTIONS)


def effective(actions: Sequence[Action]) -> list[Action]:
    """The actions that count, in order, each followed by those that the site added by itself.

    An ``undo`` takes back the last action that counts, or all that stand after the one with ``action_id`` (0: all); a
    ``redo`` brings back the last ones taken back. Chat is neither undone nor redone. What stands after what is decided
    by the place in the list: numbers may have gaps and go back.
    """
    places: dict[object, int] = {}
    """Number of an action -> its first place."""
    for place, action in enumerate(actions):
        places.setdefault(action.get("id"), place)
    done: list[tuple[int, Action]] = []
    undone: list[list[tuple[int, Action]]] = []
    for place, action in enumerate(actions):
        kind = action["type"]
        if kind in CHAT:
            continue
        if kind == "undo":
            keep = _kept(done, places, action.get("action_id"))
            undone.append(done[keep:])
            del done[keep:]
        elif kind == "redo":
            if undone:
                done.extend(undone.pop())
        else:
            undone.clear()
            done.append((place, action))
    return [action for _, action in done]


def _kept(done: Sequence[tuple[int, Action]], places: Mapping[object, int], target: object) -> int:
    """How many of ``done`` an undo leaves."""
    if target is None:
        return max(0, len(done) - 1)
    if target == 0:
        return 0
    if target not in places:
        raise ValueError(f"an undo goes back to action {target!r}, which is not in the record")
    return bisect_right(done, places[target], key=lambda entry: entry[0])


def unfolded(actions: Sequence[Action]) -> Iterator[tuple[int, Action]]:
    """Every move with the number (from 1) of the action that counts it belongs to: its ``auto_actions`` follow it,
    instructions without a move of their own are left out."""
    for number, action in enumerate(actions, 1):
        for move in (action, *(action.get("auto_actions") or ())):
            if is_move(move):
                yield number, move
