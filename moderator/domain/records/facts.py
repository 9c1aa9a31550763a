"""The tags of a record for corrected facts: the file that the game was played with, and its digest."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Mapping
from typing import Final

FACTS: Final = "Facts"
"""The tag with the SHA-256 of the file, in hexadecimal."""
FACTS_FILE: Final = "FactsFile"
"""The tag with the file itself: UTF-8, compressed (RFC 1950), in base64."""
_LARGEST: Final = 4_000_000
"""The maximum number of bytes of an unpacked file."""


class WrongFacts(ValueError):
    """The corrected facts of a record are missing or wrong. ``tag``: the tag at fault. ``reason``: the reason in
    words."""

    def __init__(self, tag: str, reason: str) -> None:
        super().__init__(reason)
        self.tag, self.reason = tag, reason


def digest_of(text: str) -> str:
    """The SHA-256 of a file of facts, by which games and records identify it."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_facts(text: str) -> dict[str, str]:
    """The tags for the file ``text``; none if it is empty, for a game that is played with Railpost's own facts."""
    if not text:
        return {}
    return {FACTS: digest_of(text), FACTS_FILE: base64.b64encode(zlib.compress(text.encode(), 9)).decode()}


def read_facts(tags: Mapping[str, str], given: str = "") -> str:
    """The file that a record with these tags was played with; empty if there is none. ``given``: the file from
    elsewhere, for a record that has only its digest. ``WrongFacts`` if the file is missing or does not match."""
    if FACTS not in tags:
        if FACTS_FILE in tags:
            raise WrongFacts(FACTS_FILE, f"no tag {FACTS}, with the SHA-256 of the file")
        if given:
            raise WrongFacts("Title", "it was played with the facts that Railpost brings, not with a file of its own")
        return ""
    found = _unpacked(tags[FACTS_FILE]) if FACTS_FILE in tags else given
    if not found:
        reason = (
            f"it was played with a file of facts that it does not hold, SHA-256 {tags[FACTS]}: give it with --facts"
        )
        raise WrongFacts(FACTS, reason)
    for text, whose in ((found, FACTS_FILE), (given, FACTS)):
        if text and digest_of(text) != tags[FACTS]:
            raise WrongFacts(whose, f"the file of facts has the SHA-256 {digest_of(text)}, not {tags[FACTS]}")
    return found


def _unpacked(packed: str) -> str:
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(packed, validate=True), _LARGEST)
        if not unpacking.eof:
            raise WrongFacts(FACTS_FILE, f"the file is cut off, or has more than {_LARGEST} bytes")
        return data.decode()
    except (ValueError, binascii.Error, zlib.error) as error:
        if isinstance(error, WrongFacts):
            raise
        raise WrongFacts(FACTS_FILE, "the file cannot be unpacked: it is base64 of what zlib compressed") from error
