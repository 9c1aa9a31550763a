"""The digest of a whole position, including secrets and values that only the program needs. It is valid only as long as
the names in the code do not change; use ``engine.core.description`` for anything that must last longer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from engine.board.board import Board
from engine.core.state import State


def digest(state: State) -> str:
    """The SHA-256 of a whole position, in hexadecimal. It does not depend on the order in which maps were filled."""
    return hashlib.sha256(repr(_plain(state)).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Board):
        return ("board", _plain(value.tiles), _plain(value.overlays), _plain(value.markers))
    if isinstance(value, Mapping):
        return tuple(sorted((repr(_plain(k)), _plain(v)) for k, v in value.items()))
    if isinstance(value, frozenset):
        return tuple(sorted(repr(_plain(each)) for each in value))
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    slots = getattr(type(value), "__dataclass_fields__", None)
    if slots is not None:
        return (type(value).__name__, *(_plain(getattr(value, name)) for name in slots))
    return value
