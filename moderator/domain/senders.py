"""Find the sender of a mail: exactly one address, or none.

Mail libraries parse ``From`` leniently, and each in its own way (CVE-2023-27043). A field that they would read
differently has no sender here. Nothing is decoded: an encoded word is a name, never an address (RFC 2047 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.utils import getaddresses
from typing import Final

_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+"
)
_LONGEST_LOCAL: Final = 64
_LONGEST: Final = 254
_LONGEST_FIELD: Final = 2_000
_NAME: Final = "\x01"
"""Placeholder for a quoted name. It can be part of no address."""
_AMBIGUOUS: Final = frozenset('@,;:<>[]()"\\')
"""Characters that have another meaning in a name, unless it is quoted."""


def one_sender(fields: Sequence[str]) -> str:
    """The address in the only ``From`` field of a mail, in lower case (see ``same_address``); "" if there is no such
    field, if there are several, or if it is ambiguous. ``fields``: the raw values of the ``From`` fields."""
    if len(fields) != 1 or len(fields[0]) > _LONGEST_FIELD:
        return ""
    text = re.sub(r"\r?\n(?=[ \t])", "", fields[0]).strip()
    if any((ord(char) < 32 and char != "\t") or ord(char) == 127 for char in text):
        return ""
    plain = _without_names(text)
    return "" if plain is None else address_in(plain)


def address_in(text: str) -> str:
    """``text`` in lower case if it is a single plain address; "" otherwise."""
    found = text.strip()
    local, _, _ = found.partition("@")
    if len(found) > _LONGEST or len(local) > _LONGEST_LOCAL or "=?" in local or not _ADDRESS.fullmatch(found):
        return ""
    return found.lower()


def names_service(fields: Sequence[str], mailbox: str, domain: str) -> bool:
    """True if one of the addresses in ``fields`` (values of To and Cc, as written) is ``mailbox@domain``, or that
    mailbox with something after a ``+`` (RFC 5233). A name in quotation marks is no address."""
    try:
        named = [address.lower() for _, address in getaddresses([field[:_LONGEST_FIELD] for field in fields])]
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError):  # not read as addresses
        return False
    ours, at = f"{mailbox}+".lower(), f"@{domain}".lower()
    return any(f"{local}+".startswith(ours) for local in (one.removesuffix(at) for one in named if one.endswith(at)))


def same_address(one: str, other: str) -> bool:
    """True if two addresses name the same mailbox. Domains are case-insensitive. Only the receiving server can
    interpret the part before the ``@`` (RFC 5321 2.4), but no server gives ``Ann`` and ``ann`` to two people. Addresses
    that differ in dots or in text after a ``+`` are different; a person who uses several registers them as aliases."""
    return bool(one) and one.lower() == other.lower()


def domain_of(address: str) -> str:
    """The domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def _without_names(text: str) -> str | None:
    """The address of a mailbox (RFC 5322 3.4) without its name and comments; None if ``text`` is not a mailbox."""
    inside, outside, at = "", "", 0
    while at < len(text):
        char = text[at]
        if char == '"':
            end = _end_of_quotation(text, at)
        elif char == "(":
            end = _end_of_comment(text, at)
        elif char == "<":
            end = text.find(">", at) + 1 or None
            if inside or end is None:
                return None
            inside = text[at + 1 : end - 1].strip() or "?"
        else:
            end = at + 1
            if inside and not char.isspace():
                return None  # something after the address
            outside += char
        if end is None:
            return None
        if char == '"':
            if inside:
                return None
            outside += _NAME
        elif char == "(":
            outside += " "
        at = end
    if not inside:
        return outside
    return None if _AMBIGUOUS & set(outside) else inside


def _end_of_quotation(text: str, start: int) -> int | None:
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            return at + 1
        at += 1
    return None


def _end_of_comment(text: str, start: int) -> int | None:
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None
