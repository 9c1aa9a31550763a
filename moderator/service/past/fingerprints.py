"""Finds the games whose logs have not been replayed under the rules of this program, without reading all games.

A fingerprint names one state of the rules of one title, and of its file of corrected facts. So one game shows whether
all games with its fingerprint have been replayed; only held games, and those from before fingerprints were stored, are
looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlmodel import Session, col, select

from engine import Title
from moderator.adapters.tables import UNDER_WAY, GameRow
from moderator.service.past.examine import examined

TitleOf = Callable[[GameRow], Title]
_PAGE: Final = 100
_NOT_HELD: Final = f"{UNDER_WAY} AND hold IS NULL"
_SAMPLES: Final = text(f"""
    WITH RECURSIVE known(fingerprint) AS (
        SELECT min(fingerprint) FROM game WHERE {_NOT_HELD}
        UNION ALL
        SELECT (SELECT min(game.fingerprint) FROM game WHERE {_NOT_HELD} AND game.fingerprint > known.fingerprint)
        FROM known WHERE known.fingerprint IS NOT NULL)
    SELECT known.fingerprint,
        (SELECT min(id) FROM game WHERE {_NOT_HELD} AND game.fingerprint = known.fingerprint)
    FROM known WHERE known.fingerprint IS NOT NULL""")  # noqa: S608 - constants
"""Each fingerprint that games under way have, with one of these games. The index is searched once for each."""
_STALE: Any = bindparam("stale", expanding=True)
_WITH = text(_NOT_HELD)
_BEHIND = (
    select(GameRow)
    .where(_WITH, col(GameRow.fingerprint).in_(_STALE), col(GameRow.id) > bindparam("after"))
    .order_by(col(GameRow.id))
    .limit(_PAGE)
)
_HELD = select(GameRow).where(col(GameRow.hold).is_not(None), text(UNDER_WAY)).order_by(col(GameRow.id))


def not_examined(
    reading: Callable[[], AbstractContextManager[Session]], title_of: TitleOf, current: set[str]
) -> Iterator[GameRow]:
    """The games under way that may have to be replayed, held ones first. ``current``: fingerprints known to be those of
    this program, which are added here."""
    with reading() as session:
        stale = _stale(session, title_of, current)
        held = session.exec(_HELD).all()
    yield from held
    after = ""
    while stale:
        with reading() as session:
            page = session.exec(_BEHIND, params={"stale": stale, "after": after}).all()
        yield from page
        if len(page) < _PAGE:
            return
        after = page[-1].id


def _stale(session: Session, title_of: TitleOf, current: set[str]) -> list[str]:
    """The fingerprints of games that have to be looked at."""
    samples = {fingerprint: game for fingerprint, game in session.execute(_SAMPLES) if fingerprint not in current}
    if not samples:
        return []
    rows = session.exec(select(GameRow).where(col(GameRow.id).in_(samples.values()))).all()
    current |= {row.fingerprint for row in rows if row.fingerprint and _is_examined(row, title_of)}
    return sorted(set(samples) - current)


def _is_examined(row: GameRow, title_of: TitleOf) -> bool:
    try:
        return examined(row, title_of(row))
    except ValueError:  # this program has no such title
        return False
