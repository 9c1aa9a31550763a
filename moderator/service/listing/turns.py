"""All games, and whom each waits for. Needs neither the rules nor the ORM, so that a list of games comes at once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from moderator.domain.list_rows import Due, ListedGame

if TYPE_CHECKING:
    from moderator.adapters.plain_sql import Rows

_GAMES: Final = "SELECT id, edition, status, orders, created_at, masters FROM game ORDER BY created_at, id"
_SEATS: Final = "SELECT game, player FROM seat ORDER BY game, number"
_ASKED: Final = """
    SELECT game, player, since FROM seat
    WHERE question <> '' AND NOT EXISTS (
        SELECT 1 FROM sealed
        WHERE sealed.game = seat.game AND sealed.player = seat.player AND sealed.status IN ('waiting', 'kept'))
    ORDER BY game, number"""
"""Seats with an open question, without those whose sealed orders wait (``STANDING``)."""
_DUE: Final = "SELECT game, player, due_at, state FROM deadline WHERE state <> 'met' ORDER BY id"
_WAITS: Final = "SELECT seat.game, sum(tenure.waits) FROM tenure JOIN seat ON seat.id = tenure.seat GROUP BY seat.game"
_UP: Final = "SELECT max(created_at) FROM entry WHERE game = {} AND at < {}"

_FORMING: Final = """
    SELECT name, edition, least, most, state, due_at, terms FROM forming
    WHERE state IN ('open', 'confirming') ORDER BY created_at, name"""
_ENTRANTS: Final = """
    SELECT game, name, agreed_at FROM guest WHERE kind = 'entrant' AND state = 'in' ORDER BY created_at, id"""


def list_forming(rows: Rows) -> list[ListedGame]:
    """The games that are forming, with those who have joined; ``asked`` are those who have not agreed yet."""
    there, found = _by_game(rows(_ENTRANTS)), []
    for name, edition, least, most, state, due, terms in rows(_FORMING):
        wanted = str(most) if least == most else f"{least}-{most}"
        asked = tuple(one for one, agreed in there[name] if state == "confirming" and agreed is None)
        master = (json.loads(terms) if isinstance(terms, str) else terms)["master"]
        found.append(
            ListedGame(
                name, edition, f"{'forming' if state == 'open' else state} {len(there[name])} of {wanted}", 0,
                tuple(one for one, _ in there[name]), asked, None, None if due is None else Due(_moment(due), False),
                f"{master[0]} <{master[1]}>" if master else "",
            )
        )  # fmt: skip
    return found


def list_games(rows: Rows) -> list[ListedGame]:
    """All games, in the order in which they were begun."""
    players, asked = _by_game(rows(_SEATS)), _by_game(rows(_ASKED))
    due = {(game, player): Due(_moment(at), state == "overdue") for game, player, at, state in rows(_DUE)}
    counted = {game: int(waits) for game, waits in rows(_WAITS)}
    found = []
    for game, edition, status, orders, created, masters in rows(_GAMES):
        waits = asked[game]
        until = [due[game, player] for player, _ in waits if (game, player) in due]
        since = _asked_at(rows, game, min(at for _, at in waits)) or _moment(created) if waits else None
        found.append(
            ListedGame(
                game, edition, status, orders, tuple(player for (player,) in players[game]),
                tuple(player for player, _ in waits), since, min(until, key=lambda one: one.at, default=None),
                _first(masters), waits=counted.get(game, 0),
            )
        )  # fmt: skip
    return found


def _first(masters: Any) -> str:
    """The first of the game masters in a row, which is text on some databases."""
    found = json.loads(masters) if isinstance(masters, str) else masters
    return f"{found[0]['name']} <{found[0]['address']}>" if found else ""


def oldest_question(rows: Rows) -> datetime | None:
    """The moment of the oldest question that a running game waits for; None if none waits."""
    asked = [one.since for one in list_games(rows) if one.since is not None and one.status == "running"]
    return min(asked, default=None)


def _asked_at(rows: Rows, game: str, decision: int) -> datetime | None:
    """The moment at which ``decision`` came up, which is that of the entry before it; None for the first decision."""
    ((latest,),) = rows(_UP, game, decision)
    return None if latest is None else _moment(latest)


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
