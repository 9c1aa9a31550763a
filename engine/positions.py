"""A position as one line of text, for links and files: enough to play on from it, without the orders that led there.

The text is in three parts behind a mark, ``P1.HEAD.POSITION.CHECK``: a head with the title, edition, options, players
and the version of the rules; the snapshot of the position as one seat may see it; and a check of the other two. It has
only letters, digits, ``-``, ``_`` and points. It has no seed, and no sealed order.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.core.setup import Setup
from engine.core.storage.snapshot import NotASnapshot, UnknownForm, read_state, write_state
from engine.core.view import view
from engine.titles import load_title, title_names

MARK: Final = "P1"
"""The version of the form."""
MOST: Final = 60_000
"""The maximum number of characters that are read."""
_CHECK: Final = 8
"""The number of characters of the check."""

Why = Literal["cut", "form", "title", "rules", "facts", "wrong"]


class PositionError(ValueError):
    """A text that is no position for this program. ``why``: ``cut`` if something of it is missing or changed, ``form``
    if it is of another version, ``title`` if the title or one of its options is unknown here, ``rules`` if other
    rules would go on from it, ``facts`` if it needs the file of corrected facts that the game is played with,
    ``wrong`` if it does not hold together."""

    def __init__(self, why: Why, text: str) -> None:
        self.why: Why = why
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class _Head:
    title: str
    edition: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    seat: str
    rules: int
    facts: str
    """The digest of the facts if they are an owner's own, otherwise empty."""

    def text(self) -> str:
        return _packed(json.dumps([getattr(self, name) for name in self.__slots__], separators=(",", ":")).encode())

    @staticmethod
    def of(text: str) -> _Head:
        found = json.loads(_unpacked(text))
        title, edition, options, players, seat, rules, facts = found
        texts = (title, edition, seat, facts, *players, *options, *options.values())
        if not all(isinstance(each, str) for each in texts) or not isinstance(rules, int):
            raise TypeError
        return _Head(title, edition, options, tuple(players), seat, rules, facts)


def write_position(game: Game, seat: str = "") -> str:
    """The position of ``game`` as ``seat`` may see it; as everybody may if it is empty."""
    title = game.title
    head = _Head(
        title.name, title.edition, {key: str(value) for key, value in title.options.items()}, tuple(game.setup.players),
        seat, title.rules_version, title.facts_digest if title.own_facts else "",
    )  # fmt: skip
    body = f"{head.text()}.{_coded(write_state(title, view(game.state, PlayerId(seat))))}"
    return f"{MARK}.{body}.{_check(body)}"


def read_position(text: str, facts: str | None = None) -> Game:
    """A game that goes on from the position in ``text``, without the orders before it. ``facts``: the text of the file
    of corrected facts that the game is played with. ``PositionError`` says why there is none."""
    text = "".join(text.split())
    mark, _, rest = text.partition(".")
    body, _, check = rest.rpartition(".")
    if mark != MARK and mark[:1] == "P" and mark[1:].isdigit():
        raise PositionError("form", f"this position is of version {mark[1:]:.9}; version {MARK[1:]} can be read")
    if mark != MARK or len(text) > MOST or _check(body) != check:
        raise PositionError("cut", "this is no whole position: it begins with P1. and ends with a check that fits")
    head, _, state = body.partition(".")
    try:
        return _game(_Head.of(head), _decoded(state), facts)
    except (binascii.Error, zlib.error, KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise PositionError("wrong", f"this position does not hold together: {error}") from error


def _game(head: _Head, state: bytes, facts: str | None) -> Game:
    if head.title not in title_names():
        known = ", ".join(title_names())
        raise PositionError("title", f"the title {head.title!r:.60} is unknown here; there are {known}")
    try:
        title = load_title(head.title, head.edition, head.options, facts if head.facts else None)
    except ValueError as error:
        raise PositionError("facts" if head.facts else "title", str(error)) from error
    if head.facts and title.facts_digest != head.facts:
        raise PositionError("facts", "the game is played with corrected facts, which are needed to go on from it")
    if head.rules != title.rules_version:
        here = title.rules_version
        raise PositionError(
            "rules", f"the position needs version {head.rules} of the rules of {head.title}, not {here}"
        )
    try:
        setup = Setup(head.players, priority=head.players[0] if head.players else None)
        return Game.resume(title, setup, (), read_state(title, state))
    except UnknownForm as error:
        raise PositionError("form", str(error)) from error
    except (NotASnapshot, ValueError) as error:
        raise PositionError("wrong", str(error)) from error


def seat_of(text: str) -> str:
    """The seat whose view of the position ``text`` has; "" for everybody's. ``PositionError`` if it has none."""
    try:
        return _Head.of(text.split(".")[1]).seat
    except (IndexError, binascii.Error, zlib.error, ValueError, TypeError, AttributeError) as error:
        raise PositionError("cut", "this is no whole position") from error


def _check(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:_CHECK]


def _packed(data: bytes) -> str:
    return _coded(zlib.compress(data, 9))


def _unpacked(text: str) -> bytes:
    found: Any = zlib.decompressobj()
    return bytes(found.decompress(_decoded(text), MOST))


def _coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
