"""The time of a sweep of deadlines over many games with clocks, of which none is due: figures for
docs/performance.md."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from moderator.adapters.tables import DeadlineRow, GameRow, SeatRow
from moderator.service.decision.resumption import keep_calendar
from moderator.service.play.deadlines import sweep_deadlines
from tests.kit.service.mail_service import Service

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("each_database")]
_GAMES = {"sqlite": 2_000, "postgresql": 10_000}
_TIMES = 7


def copies(row: dict[str, Any], table: type[Any], count: int) -> list[dict[str, Any]]:
    """The row for ``count`` other games, with deadlines that are not due yet."""
    found = []
    for number in range(2, count + 2):
        name = f"1861-{number}"
        copy = {column: value for column, value in row.items() if column != "id"}
        copy |= {"id": name} if table is GameRow else {"game": name}
        if table is DeadlineRow:
            copy["due_at"] += timedelta(hours=number % 300)
            copy["remind_at"] = copy["due_at"] - timedelta(hours=1)
        found.append(copy)
    return found


def test_a_sweep_of_many_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = Service.open(tmp_path / "var")
    service.game(deadline_hours=72, clock=[("rest", "Sun"), ("warnings", "48,6"), ("late", "robot")])
    kind = service.desk.database.engine.dialect.name
    count = _GAMES[kind]
    tables: tuple[type[Any], ...] = (GameRow, SeatRow, DeadlineRow)
    with service.desk.database.engine.begin() as link:
        for table in tables:
            for row in link.execute(select(table.__table__)).mappings().all():
                link.execute(insert(table), copies(dict(row), table, count - 1))
        link.execute(text("ANALYZE"))
    took = []
    for _ in range(_TIMES):
        began = time.perf_counter()
        keep_calendar(service.desk)
        assert sweep_deadlines(service.desk) == 0
        took.append(1_000 * (time.perf_counter() - began))
    with capsys.disabled():
        print(f"\n{count} games on {kind}: a sweep {median(took):.1f} ms, the worst {max(took):.1f}")  # noqa: T201
