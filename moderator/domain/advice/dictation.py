"""Write what was dictated as orders are written: numbers in figures, spelled names as words."""

from __future__ import annotations

import re
from typing import Final

from engine import Title
from grammar import Vocabulary

_SMALL: Final = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
_UNITS: Final = f"{_SMALL}|sixteen|seventeen|eighteen|nineteen".split("|")
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBER: Final = re.compile(
    rf"\b(?:(?:(?P<hundreds>{'|'.join(_UNITS[1:10])}|a) hundred(?: and)?(?: |$))?"
    rf"(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<ones>{'|'.join(_UNITS[1:10])}))?|(?P<units>{'|'.join(_UNITS)}))?)\b",
    re.IGNORECASE,
)
_COORDINATE: Final = re.compile(rf"\b([B-HJ-Zb-hj-z]) ({'|'.join(_UNITS[1:])})\b")
"""A letter and a number of one word."""
_ONE: Final = re.compile(r"\b(?:turn(?:ed)?|rotat\w*|orientation|sell|buy|take|tile|with)\s+$", re.IGNORECASE)
"""Words after which `one` is a number, and not `one day`."""
_MARKED: Final = re.compile(r"(?:\bL\.|\bSFR|[$£€₽]) ?(?=[0-9])|\bno\. ?(?=[0-9])", re.IGNORECASE)
"""Marks of money and numbers, some of which have a full stop."""


def with_short_names(text: str, title: Title) -> str:
    """``text`` with the short names of companies and privates in place of their full ones."""
    full = [(one.name, str(one.id)) for one in title.companies.values()]
    full += [(one.name, str(one.id)) for one in title.privates.values()]
    for name, id in sorted(full, key=lambda pair: -len(pair[0])):
        at = text.casefold().find(name.casefold())
        if at >= 0 and len(name) > len(id):
            text = f"{text[:at]}{id}{text[at + len(name) :]}"
    return text


def dictated(text: str, names: Vocabulary) -> str:
    """``text`` with numbers in figures, spelled names joined, and the short names of companies and privates."""
    text = _MARKED.sub("", text)
    text = re.sub(r"\bR ?([0-9]+)\b", lambda found: found[0] if f"R{found[1]}" in names.hexes else found[1], text)
    text = _COORDINATE.sub(lambda found: f"{found[1]} {_UNITS.index(found[2].casefold())}", text)
    text = _NUMBER.sub(lambda found: _figures(found) or found[0], text)
    text = re.sub(r"\b([A-Za-z]) ([0-9]{1,2})\b(?![ -]?trains?\b)", lambda found: _joined(found, names), text)
    text = re.sub(r"\b[A-Za-z](?: (?:dash )?[A-Za-z]\b){1,5}", lambda found: _spelled(found[0], names), text)
    known = {name.casefold(): name for name in (*names.companies, *names.privates)}
    text = re.sub(r"(?m)^(?!no\b)[\w&-]+", lambda found: known.get(found[0].casefold(), found[0]), text)
    return re.sub(r"[\w&-]{3,}", lambda found: known.get(found[0].casefold(), found[0]), text)


def _figures(found: re.Match[str]) -> str:
    """A number in words as figures; "" for none."""
    if found[0].casefold() == "one" and not _ONE.search(found.string[: found.start()]):
        return ""
    parts = {kind: (word or "").casefold() for kind, word in found.groupdict().items()}
    if not any(parts.values()):
        return ""
    hundreds = 1 if parts["hundreds"] == "a" else _UNITS.index(parts["hundreds"]) if parts["hundreds"] else 0
    tens = _TENS.index(parts["tens"]) + 2 if parts["tens"] else 0
    ones = _UNITS.index(parts["ones"] or parts["units"]) if parts["ones"] or parts["units"] else 0
    return str(100 * hundreds + 10 * tens + ones)


def _joined(found: re.Match[str], names: Vocabulary) -> str:
    name = f"{found[1].upper()}{found[2]}"
    known = (names.hexes, names.privates, names.mountains, names.tunnels)
    return name if any(name in some for some in known) else found[0]


def _spelled(text: str, names: Vocabulary) -> str:
    """The name that is spelled in single letters; ``text`` if there is none."""
    known = {re.sub(r"\W", "", name).casefold(): name for name in (*names.companies, *names.privates)}
    letters = text.replace(" dash", "").split()
    for size in range(len(letters), 1, -1):
        for at in range(len(letters) - size + 1):
            if name := known.get("".join(letters[at : at + size]).casefold()):
                return " ".join((*letters[:at], name, *letters[at + size :]))
    return text
