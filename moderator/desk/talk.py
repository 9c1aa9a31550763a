"""The talk between the page and a ``Sitting``: each request and each answer is JSON."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from moderator.desk.sitting import Json, Sitting
from moderator.desk.warm import warm
from moderator.words.texts import words

_CHANGES: Final = ("give", "replace", "undo", "redo")
_LOOKS: Final = ("view", "board", "chart", "tables", "lays", "tokens", "runs", "effect", "at_value", "prepare")


class Talk:
    """All that the page may ask for. There is at most one sitting at a time."""

    def __init__(self) -> None:
        self._sitting: Sitting | None = None

    def answer(self, request: str) -> str:
        """The answer to ``{"do": name, "with": {argument: value}}``. A refusal to open is ``{"why", "text"}``."""
        asked = json.loads(request)
        return json.dumps(self._answer(asked["do"], asked.get("with") or {}), ensure_ascii=False)

    def _answer(self, name: str, given: dict[str, Any]) -> Any:
        if name == "open":
            return self._open(given)
        if name == "warm":
            return warm()
        if self._sitting is None or name not in (*_CHANGES, *_LOOKS):
            raise ValueError(f"there is no answer to {name!r}")
        found = getattr(self._sitting, name)(**given)
        if name in _CHANGES:
            return {**(found or {"refused": []}), "view": self._sitting.view()}
        return found

    def _open(self, given: dict[str, Any]) -> Any:
        self._sitting = None
        try:
            found = _opened(given)
            shown = None if isinstance(found, dict) else found.view()
        except Exception as error:  # a position made by hand can break whatever the rules rely on
            found, shown = {"why": "wrong", "text": f"the rules cannot go on from it: {error!r:.200}"}, None
        if isinstance(found, dict):
            return {**found, "said": words("en").word(f"desk.why.{found['why']}")}
        self._sitting = found
        return {"view": shown}


def _opened(given: dict[str, Any]) -> Sitting | Json:
    """A sitting with the facts that its position needs, if the page was built with them, or why there is none."""
    found = Sitting.open(**given)
    for facts in _own_facts() if isinstance(found, dict) and found["why"] == "facts" else ():
        found = Sitting.open(**given, facts=facts)
        if isinstance(found, Sitting):
            break
    return found


@cache
def _own_facts() -> tuple[str, ...]:
    """The texts of corrected facts that the page was built with."""
    path = Path(__file__).with_name("facts.json")
    return tuple(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else ()


_TALK: Final = Talk()
answer: Final = _TALK.answer
