"""The pinned requirements as data: what each file of them says of a package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

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


def together(*files: Mapping[str, Pin]) -> dict[str, Pin]:
    """The packages of several files, by name; ``via`` is who needs one in any of them. ``ValueError`` if two files pin
    different versions of one package."""
    found: dict[str, Pin] = {}
    for pin in (pin for file in files for pin in file.values()):
        known = found.get(pin.name, pin)
        if (known.version, known.hashes) != (pin.version, pin.hashes):
            raise ValueError(f"{pin.name} is pinned to {known.version} and to {pin.version}")
        found[pin.name] = replace(known, via=tuple(dict.fromkeys((*known.via, *pin.via))))
    return dict(sorted(found.items()))


def needed_by(roots: set[str], among: Mapping[str, Pin]) -> dict[str, Pin]:
    """The packages ``roots`` and all that they need, in the order of ``among``."""
    found = set(roots)
    while more := {pin.name for pin in among.values() if found & set(pin.via)} - found:
        found |= more
    return {name: pin for name, pin in among.items() if name in found}
