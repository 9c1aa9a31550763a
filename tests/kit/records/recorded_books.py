"""The certificates of each holder after every action, by the site's own books."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.core.ids import POOL, CompanyId
from engine.core.title import Title
from moderator.domain.records.import_18xx import Import

Hands = dict[str, set[str]]
"""Holder -> the numbers of his certificates; those of a company that nobody has are its own."""
MARKET = "market"
NO_COMPANY = "Holding"
"""The site's word for the place of stock on its way. It is no company of the game."""


def books_of(folder: Path, name: str) -> Iterator[Hands]:
    """The hands at the start and after each action, without end: the last ones stay."""
    with gzip.open(folder / f"{name.rsplit('/', 1)[-1]}.books.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    changed = {row["n"]: row["changed"] for row in rows[1:]}
    hands: Hands = {holder: set(numbers) for holder, numbers in rows[0]["all"].items()}
    number = 0
    while True:
        yield {holder: set(numbers) for holder, numbers in hands.items() if numbers and holder != NO_COMPANY}
        number += 1
        hands |= {holder: set(numbers) for holder, numbers in changed.get(number, {}).items()}


def hands_of(record: Import) -> Hands:
    """The hands by the books of the import."""
    title, seats = record.game.title, {str(name): number for number, name in record.names.items()}
    books, found = record.converter.books, Hands()
    for company, places in books.hands().items():
        for place, indices in places.items():
            holder = site_name(title, company) if place == title.unsold else _holder(title, seats, place)
            found.setdefault(holder, set()).update(f"{site_name(title, company)}_{index}" for index in indices)
    return found


def _holder(title: Title, seats: Mapping[str, str], place: str) -> str:
    if place == POOL:
        return MARKET
    return seats[place] if place in seats else site_name(title, CompanyId(place))


def site_name(title: Title, company: CompanyId) -> str:
    """The site's name of a company: without the hyphen where that is no other's name."""
    plain = company.replace("-", "")
    return plain if plain in title.companies[company].synonyms else company


def difference(found: Hands, recorded: Hands) -> dict[str, tuple[list[str], list[str]]]:
    """Holder -> the certificates that only we give him, and those that only the site does. The site does not list
    companies that cannot begin yet."""
    known = {number.rsplit("_", 1)[0] for numbers in recorded.values() for number in numbers}
    differences: dict[str, tuple[list[str], list[str]]] = {}
    for holder in {*found, *recorded}:
        ours = {number for number in found.get(holder, ()) if number.rsplit("_", 1)[0] in known}
        theirs = recorded.get(holder, set())
        if ours != theirs:
            differences[holder] = sorted(ours - theirs), sorted(theirs - ours)
    return differences
