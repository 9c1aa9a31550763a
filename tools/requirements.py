"""The pinned requirements as data: what each file of them says of a package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_BLOCK = re.compile(r"^([a-z0-9.-]+)==(\S+) \\\n((?:    --hash=\S+(?: \\)?\n)+)    # via (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One package: ``via`` is who needs it, ``text`` its lines in the file."""

    name: str
    version: str
    hashes: tuple[str, ...]
    """SHA-256 of the files that may be installed, in hexadecimal."""
    via: tuple[str, ...]
    text: str


def pins(text: str) -> dict[str, Pin]:
    """The packages of a requirements file, in its order. ``ValueError`` if a line of it is none of theirs."""
    found: dict[str, Pin] = {}
    rest = re.sub(r"^#.*\n", "", text)
    for block in _BLOCK.finditer(rest):
        name, version, hashes, via = block.groups()
        listed = tuple(re.findall(r"sha256:([0-9a-f]{64})", hashes))
        found[name] = Pin(name, version, listed, tuple(via.split(", ")), block[0])
    unread = _BLOCK.sub("", rest).strip()
    if unread:
        raise ValueError(f"not a pinned package with hashes: {unread.splitlines()[0]}")
    return found


def needed_by(roots: set[str], among: Mapping[str, Pin]) -> dict[str, Pin]:
    """The packages ``roots`` and all that they need, in the order of ``among``."""
    found = set(roots)
    while more := {pin.name for pin in among.values() if found & set(pin.via)} - found:
        found |= more
    return {name: pin for name, pin in among.items() if name in found}
