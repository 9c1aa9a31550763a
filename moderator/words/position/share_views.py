"""The share table: a row for each company with shares, a column for each holder.

The module contains no words of any language, only names and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from engine.core.state import State
from moderator.words.position.views import CompanyLine, Holding, PlayerLine

WIDEST: Final = 72
"""The maximum number of characters of a line of the table as text."""
ROOM: Final = 28
"""The maximum number of characters of all holders' names above the table on a telephone."""
SHORTEST: Final = 4
"""The number of letters to which such names are cut at most."""
LONGEST: Final = 7
"""The number of letters to which a holder's name is cut in the table."""


@dataclass(frozen=True, slots=True)
class ShareRow:
    """The shares of a company. ``cells``: the number of shares in each column. ``director``: the index of the column of
    the director's certificate; None if nobody has it."""

    company: str
    cells: tuple[int, ...]
    director: int | None


@dataclass(frozen=True, slots=True)
class ShareTable:
    """``holders``: the columns, which are the players in order of play, then companies and other places that hold
    shares. Shares sold short count as negative."""

    holders: tuple[str, ...]
    rows: tuple[ShareRow, ...]


def share_table(state: State, players: tuple[PlayerLine, ...], companies: tuple[CompanyLine, ...]) -> ShareTable:
    """The table of all companies that have shares."""
    shown = [company for company in companies if company.hands]
    owned = {p.name: p.holdings for p in players} | {c.id: c.owns for c in companies}
    others = dict.fromkeys(place for company in shown for place, _ in company.hands if place not in state.players)
    holders = (*(p.name for p in players), *others)
    return ShareTable(holders, tuple(_row(company, holders, owned) for company in shown))


def _row(company: CompanyLine, holders: tuple[str, ...], owned: Mapping[str, tuple[Holding, ...]]) -> ShareRow:
    hands = dict(company.hands)
    held = [next((h for h in owned.get(holder, ()) if h.name == company.id), None) for holder in holders]
    cells = tuple(hands.get(holder, 0) - (h.shorts if h else 0) for holder, h in zip(holders, held, strict=True))
    director = next((i for i, h in enumerate(held) if h is not None and h.director), None)
    return ShareRow(company.id, cells, director)


def heads(table: ShareTable, name: Callable[[str], str]) -> tuple[str, ...]:
    """The names of the columns. Where they would not fit beside each other on a telephone, long ones are cut, unless
    two would then be the same."""
    names = tuple(map(name, table.holders))
    for most in (max(map(len, names), default=0), *range(LONGEST, SHORTEST - 1, -1)):
        cut = tuple(one if len(one) <= most else f"{one[: most - 1]}." for one in names)
        if sum(map(len, cut)) <= ROOM:
            return cut if len(set(cut)) == len(cut) else names
    return names


def as_text(table: ShareTable, name: Callable[[str], str]) -> str:
    """The table as text with aligned columns and a star beside the director's shares. Empty if there are no rows, if it
    is wider than ``WIDEST``, or if the shortened names are not unique or have wide characters."""
    if not table.rows:
        return ""
    heads = ["", *(name(holder)[:LONGEST] for holder in table.holders)]
    if len(set(heads[1:])) < len(table.holders) or any(east_asian_width(c) in "WF" for head in heads for c in head):
        return ""
    lines = [heads]
    for row in table.rows:
        cells = (f"{n or '-'}{'*' if i == row.director else ''}" for i, n in enumerate(row.cells))
        lines.append([row.company, *cells])
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    if sum(widths) + len(widths) > WIDEST:
        return ""
    return "\n".join(_aligned(line, widths) for line in lines)


def _aligned(line: list[str], widths: list[int]) -> str:
    first, *cells = (
        cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(line, widths, strict=True))
    )
    return " ".join((first, *cells)).rstrip()
