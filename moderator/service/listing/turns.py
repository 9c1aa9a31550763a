"""All games, and whom each waits for. Needs neither the rules nor the ORM, so that a list of games comes at once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from moderator.domain.game_rows import Due, ListedGame

if TYPE_CHECKING:
    from moderator.adapters.plain_sql import Rows

_GAMES: Final = """
    SELECT id, edition, status, orders, created_at, CAST(masters AS TEXT) FROM game ORDER BY created_at, id"""
_STANDING: Final = "sealed.game = seat.game AND sealed.player = seat.player AND sealed.status IN ('waiting', 'kept')"
_ASKED: Final = f"seat.question <> '' AND NOT EXISTS (SELECT 1 FROM sealed WHERE {_STANDING})"  # noqa: S608 - constants
"""The condition that a seat has an open question, and that its sealed order does not wait already (``STANDING``)."""
_SEATS: Final = f"""
    SELECT game, player, CASE WHEN {_ASKED} THEN 1 ELSE 0 END FROM seat ORDER BY game, number"""  # noqa: S608
_DUE: Final = "SELECT game, player, due_at, state FROM deadline WHERE state IN ('open', 'overdue') ORDER BY id"
_WAITS: Final = """
    SELECT seat.game, sum(tenure.waits) FROM tenure JOIN seat ON seat.id = tenure.seat
    WHERE tenure.waits > 0 GROUP BY seat.game"""
_UP: Final = f"""
    SELECT first.game, (
        SELECT created_at FROM entry WHERE entry.game = first.game AND entry.at < first.since
        ORDER BY at DESC LIMIT 1) AS at
    FROM (SELECT game, min(since) AS since FROM seat WHERE {_ASKED} GROUP BY game) AS first"""  # noqa: S608
"""When the oldest open question of each game came up, which is the moment of the entry before it; NULL for the first
decision."""
_OLDEST: Final = f"""
    SELECT min(coalesce(up.at, game.created_at)) FROM ({_UP}) AS up
    JOIN game ON game.id = up.game WHERE game.status = 'running'"""  # noqa: S608

_FORMING: Final = """
    SELECT name, edition, least, most, state, due_at, terms FROM forming
    WHERE state IN ('open', 'confirming') ORDER BY created_at, name"""
_ENTRANTS: Final = """
    SELECT game, name, agreed_at FROM guest WHERE kind = 'entrant' AND state = 'in' ORDER BY created_at, id"""


def list_forming(rows: Rows) -> list[ListedGame]:
    """The games that are forming, with those who have joined; ``asked`` are those who have not agreed yet. Those of a
    game that is to be anonymous are not named."""
    there, found = _by_game(rows(_ENTRANTS)), []
    for name, edition, least, most, state, due, terms in rows(_FORMING):
        wanted = str(most) if least == most else f"{least}-{most}"
        kept = json.loads(terms) if isinstance(terms, str) else terms
        told, master = () if kept.get("anonymous") else there[name], kept["master"]
        asked = tuple(one for one, agreed in told if state == "confirming" and agreed is None)
        found.append(
            ListedGame(
                name, edition, f"{'forming' if state == 'open' else state} {len(there[name])} of {wanted}", 0,
                tuple(one for one, _ in told), asked, None, None if due is None else Due(_moment(due), False),
                f"{master[0]} <{master[1]}>" if master else "",
            )
        )  # fmt: skip
    return found


def list_games(rows: Rows) -> list[ListedGame]:
    """All games, in the order in which they were begun."""
    players, asked = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for game, player, is_asked in rows(_SEATS):
        players[game].append(player)
        if is_asked:
            asked[game].append(player)
    due = {(game, player): (at, state == "overdue") for game, player, at, state in rows(_DUE)}
    waits: dict[str, Any] = dict(rows(_WAITS))
    up: dict[str, Any] = dict(rows(_UP))
    found = []
    for game, edition, status, orders, created, masters in rows(_GAMES):
        owing = tuple(asked.get(game, ()))
        until = [Due(_moment(at), late) for at, late in (due[game, one] for one in owing if (game, one) in due)]
        since = _moment(up.get(game) or created) if owing else None
        first = min(until, key=itemgetter(0), default=None)
        found.append(
            ListedGame(
                game, edition, status, orders, tuple(players[game]), owing, since, first, _first(masters),
                waits=int(waits.get(game, 0)),
            )
        )  # fmt: skip
    return found


@lru_cache
def _first(masters: str) -> str:
    """The first of the game masters in a row, which are JSON."""
    found = json.loads(masters)
    return f"{found[0]['name']} <{found[0]['address']}>" if found else ""


def oldest_question(rows: Rows) -> datetime | None:
    """The moment of the oldest question that a running game waits for; None if none waits."""
    ((oldest,),) = rows(_OLDEST)
    return None if oldest is None else _moment(oldest)


def _by_game(rows: Sequence[tuple[Any, ...]]) -> defaultdict[str, list[tuple[Any, ...]]]:
    """The rows of each game, without its name, which is their first value."""
    found = defaultdict(list)
    for game, *rest in rows:
        found[game].append(tuple(rest))
    return found


def _moment(stored: str | datetime) -> datetime:
    """A moment as SQLite or PostgreSQL gives it, in UTC."""
    found = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
