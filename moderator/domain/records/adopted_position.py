"""Adopted positions: a whole position stored as players saw it and as a snapshot, so that later versions of the program
can use it."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import Any, Final

from engine import Title
from engine.core.description import told, told_digest
from engine.core.state import State
from engine.core.storage.snapshot import NotASnapshot, UnknownForm, form, read_state, write_state

_FORM: Final = 1
_MOST: Final = 16_000_000
"""The maximum number of bytes of an unpacked document."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A stored position. ``told``: the position as players saw it. ``digest``: the digest of ``told``. ``data``: a
    snapshot in the form ``form``."""

    told: dict[str, Any]
    digest: str
    form: str
    data: bytes

    def state(self, title: Title, seed: str) -> State:
        """The position as a state. ``UnknownForm`` or ``NotASnapshot`` if this program cannot read it."""
        return read_state(title, self.data, seed=seed)


def write_adopted(title: Title, state: State) -> bytes:
    """``state`` as compressed JSON."""
    document = {
        "adopted": _FORM, "told": told(title, state), "digest": told_digest(title, state), "form": form(title),
        "state": base64.b64encode(write_state(title, state)).decode(),
    }  # fmt: skip
    return zlib.compress(json.dumps(document, ensure_ascii=False, sort_keys=True).encode(), 9)


def read_adopted(data: bytes) -> Adopted:
    """Read the bytes of ``write_adopted``. ``UnknownForm`` or ``NotASnapshot`` says why they cannot be read."""
    unpacked = zlib.decompressobj()
    try:
        document = json.loads(unpacked.decompress(data, _MOST))
        if unpacked.unconsumed_tail:
            raise NotASnapshot(f"the adopted position is longer than {_MOST} bytes")
        if document["adopted"] != _FORM:
            raise UnknownForm(f"the adopted position is of form {document['adopted']!r}; this program reads {_FORM}")
        state = base64.b64decode(document["state"], validate=True)
        return Adopted(dict(document["told"]), str(document["digest"]), str(document["form"]), state)
    except (zlib.error, UnicodeDecodeError, json.JSONDecodeError, RecursionError, LookupError, TypeError) as error:
        raise NotASnapshot(f"no adopted position: {error}") from error
