"""Records of 18xx.games, what is the same in every title: undo and redo resolved, nested actions unfolded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Action = Mapping[str, Any]
CHAT = ("message",)
INSTRUCTIONS = "program_"
"""Standing instructions of the site are no moves; what they brought stands in ``auto_actions``."""


def effective(actions: Sequence[Action]) -> list[Action]:
    """The actions that count, in order, each followed by those that the site added by itself.

    An ``undo`` takes back the last action that counts, or all after ``action_id``; a ``redo`` brings back the last ones
    taken back. Chat is neither undone nor redone.
    """
    done: list[Action] = []
    undone: list[list[Action]] = []
    for action in actions:
        kind = action["type"]
        if kind in CHAT:
            continue
        if kind == "undo":
            target = action.get("action_id")
            keep = len(done) - 1 if target is None else sum(1 for a in done if a["id"] <= target)
            undone.append(done[max(0, keep) :])
            del done[max(0, keep) :]
        elif kind == "redo":
            if undone:
                done.extend(undone.pop())
        else:
            undone.clear()
            done.append(action)
    return done


def unfolded(actions: Sequence[Action]) -> Iterator[tuple[int, Action]]:
    """Every move with the number (from 1) of the action that counts it belongs to: its ``auto_actions`` follow it,
    instructions without a move of their own are left out."""
    for number, action in enumerate(actions, 1):
        if not action["type"].startswith(INSTRUCTIONS):
            yield number, action
        for nested in action.get("auto_actions") or ():
            yield number, nested
