"""How long it takes to bring a game back, and how large it is in the database: figures for docs/performance.md."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

import engine
from engine import Game
from moderator.adapters.tables import GameRow
from tests.kit.figures import Say
from tests.kit.service.load import Hall, Script, script

pytestmark = pytest.mark.bench

_DEPTHS = (100, 300, 700)
_COPIES = 20
_EARLIER = 40
"""So many orders before the last a position is shown."""


@pytest.mark.parametrize("name", engine.title_names())
def test_bringing_a_game_back(tmp_path: Path, say: Say, name: str) -> None:
    played = script(engine.load_title(name), "past 1")
    hall = Hall(tmp_path, 1, [played], 0)
    for depth in _DEPTHS:
        _measure(hall, hall.table(depth, played, _step(played, depth)).name, say)


def _measure(hall: Hall, name: str, say: Say) -> None:
    games = hall.desk.games
    with hall.desk.database.reading() as session:
        row = session.get(GameRow, name)
        assert row is not None

        def bring_back() -> Game:
            games.forget_all()
            return games.get(session, row).game

        game = bring_back()
        earlier = max(0, len(game.orders) - _EARLIER)
        back = _best(bring_back)
        shown = _best(lambda: games.position(session, row, row.at - _EARLIER))
        undone = _best(lambda: bring_back().undo(earlier))
        told = _best(lambda: list(bring_back().happened(earlier)))
    orders = list(game.orders)
    replayed = _best(lambda: engine.replay(game.title, game.setup, orders))
    assert engine.replay(game.title, game.setup, orders).told_digest() == game.told_digest()
    say(
        f"{game.title.name} after {len(orders)} orders: brought back in {1e3 * back:.1f} ms, `show at` {_EARLIER}"
        f" orders earlier {1e3 * shown:.1f} ms, undone to there {1e3 * undone:.1f} ms, told what happened since"
        f" {1e3 * told:.1f} ms; replayed with every check, orders read, {1e3 * replayed:.0f} ms"
    )


@pytest.mark.parametrize("name", engine.title_names())
def test_the_size_of_a_game(tmp_path: Path, say: Say, name: str) -> None:
    played = script(engine.load_title(name), "past 1")
    hall = Hall(tmp_path, 1, [played], 0)
    empty = _size(hall)
    for number in range(1, _COPIES + 1):
        hall.table(number, played, _step(played, 700))
    orders = hall.desk.database
    with orders.reading() as session:
        count = session.exec(select(GameRow.orders)).first()
    now = (_size(hall) - empty) / _COPIES
    with orders.transaction() as session:
        session.exec(text("DELETE FROM snapshot"))  # type: ignore[call-overload]
    without = (_size(hall) - empty) / _COPIES
    with orders.transaction() as session:
        session.exec(text("UPDATE entry SET events = NULL, digest = ''"))  # type: ignore[call-overload]
    before = (_size(hall) - empty) / _COPIES
    say(
        f"{name}, {count} orders: log and seats {before / 1e3:.0f} kB, with digests and events {without / 1e3:.0f} kB,"
        f" with snapshots {now / 1e3:.0f} kB"
    )


def _step(played: Script, depth: int) -> int:
    """The first step that comes after so many orders, or the last."""
    return next((n for n, step in enumerate(played.steps) if step.before >= depth), len(played.steps) - 1)


def _size(hall: Hall) -> int:
    with hall.desk.database.engine.connect() as link:
        link.exec_driver_sql("COMMIT")
        link.exec_driver_sql("VACUUM")
        link.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return (hall.settings.data / "railpost.db").stat().st_size


def _best(work: Callable[[], object], times: int = 5) -> float:
    found = []
    for _ in range(times):
        gc.collect()
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)
