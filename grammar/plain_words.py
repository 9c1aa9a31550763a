"""The words that need no secret address: read from the first line of a mail, and written in their canonical form.

Nothing is guessed. A first line that begins with one of them and goes on differently is a fault, with the form that
would be right; a line that begins otherwise is not for the moderator.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from grammar.nearest import nearest

What: TypeAlias = Literal["games", "join", "wait", "observe", "leave", "start", "help"]
FORMS: Final[dict[str, str]] = {
    "games": "games",
    "join": "join 1861-9 as Ann",
    "wait": "wait 1861",
    "observe": "observe 1861-7",
    "leave": "leave 1861-9",
    "start": "start 1861-9",
    "help": "help",
}
"""Word -> how a line with it looks."""
_LONGEST: Final = 200
_FIRST: Final = re.compile(r"[^\s.,:;!?]+")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_PLACE: Final = re.compile(
    rf"(?:the )?(?:to be )?(?:the )?(?:seat |place )?({'|'.join(_ORDINALS)}|last|[0-9]{{1,2}})(?: seat| place)?",
    re.IGNORECASE,
)
_COMMENT: Final = re.compile(r"\s*//.*")


@dataclass(frozen=True, slots=True)
class PlainWord:
    """A word, and what it is about: a ``game``, or a ``title`` to wait for. A ``leave`` without a game is for the
    waiting list. ``name``, ``wish`` and ``invitation`` belong to ``join``; ``wish`` is a place, in its canonical form
    if it can be read as one (``first``, ``last``, ``seat 3``)."""

    what: What
    game: str = ""
    title: str = ""
    name: str = ""
    invitation: str = ""
    wish: str = ""

    def __str__(self) -> str:
        """The word as it is written, without the invitation, which is a secret."""
        if self.what == "leave" and not self.game:
            return "leave waiting list"
        name, wish = self.name and f"as {self.name}", self.wish and f"prefer {self.wish}"
        return " ".join((self.what, *filter(None, (self.game, self.title, name, wish))))


@dataclass(frozen=True, slots=True)
class PlainFault:
    """A line that begins with a word, or nearly, and cannot be read. ``form``: how such a line looks. ``reason``:
    ``form``, ``near`` (the word itself is misspelt), or ``several`` (the mail has more than one word)."""

    text: str
    form: str
    reason: Literal["form", "near", "several"]


def read_plain(text: str) -> PlainWord | PlainFault | None:
    """The word in the first line of ``text`` that is not empty; None if that line is none."""
    lines = [line for line in (_COMMENT.sub("", line).strip() for line in text.split("\n")) if line]
    first = lines[0] if lines else ""
    found = _read(first)
    if isinstance(found, PlainWord):
        other = next((line for line in lines[1:] if isinstance(_read(line), PlainWord)), None)
        return found if other is None else PlainFault(other, str(found), "several")
    return found


def _read(line: str) -> PlainWord | PlainFault | None:
    word = _FIRST.match(line)
    said = word[0].casefold() if word is not None else line
    if len(line) > _LONGEST:
        return None
    if said in FORMS or line == "?" or said == "list":
        form = FORMS.get(said, "")
        form = f"{form} prefer first" if said == "join" and " prefer" in line.casefold() else form
        try:
            found = _built(_lark().parse(line.rstrip(" .!")))
        except UnexpectedInput:
            return PlainFault(line, form, "form") if form else None
        unfinished = found.name.casefold().endswith((" prefer", " prefers", " invitation"))
        return PlainFault(line, form, "form") if unfinished else found
    near = nearest(said, {one: one for one in FORMS}, lambda _: False) if len(line.split()) <= 8 else None
    return PlainFault(line, FORMS[near], "near") if near is not None and near != "help" else None


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return Lark(files("grammar").joinpath("plain.lark").read_text("utf-8"), parser="lalr", start="word")


def _built(tree: Tree[Token]) -> PlainWord:
    what: What = str(tree.data)  # type: ignore[assignment]
    parts = {part.type: " ".join(str(part).split()) for part in tree.children if isinstance(part, Token)}
    return PlainWord(
        what, parts.get("GAME", ""), parts.get("TITLE", ""), parts.get("NAME", ""), parts.get("SECRET", ""),
        _wish(parts.get("WISH", "")),
    )  # fmt: skip


def _wish(text: str) -> str:
    """The place that ``text`` names, in its canonical form; ``text`` itself if it names none."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return text
    said = found[1].casefold()
    if said in ("first", "last"):
        return said
    return f"seat {_ORDINALS.index(said) + 1 if said in _ORDINALS else int(said)}"
