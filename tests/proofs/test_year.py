"""A year of a game with holidays, two absences and a player who goes silent: who is told what, and on which day."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from engine.robots import sensible
from grammar import write_block
from moderator.adapters.tables import DeadlineRow, OutboxRow, SeatRow
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import orders_of_turn
from moderator.service.table.clocks import away_now
from tests.kit.service.mail_service import Service
from tests.proofs.test_long_tables import PLAYERS, pass_time, say

pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("each_database")]
TERMS = [("zone", "Europe/Zurich"), ("rest", "Sun"), ("holidays", "2026-04-03 to 2026-04-06, 2026-12-24 to 2027-01-02"),
         ("warnings", "72,6"), ("late", "default"), ("grace", "24")]  # fmt: skip
HOURS = 96
THINKING = timedelta(hours=20)
AWAY = {20: ("Bob", "away 2026-03-25 to 2026-04-08"), 150: ("Cat", "away 2026-08-05 to 2026-08-18")}
"""Day of the game -> a player and what he writes then."""
SILENT = ("Ann", 60, 75)
"""She answers nothing from one day to another."""


def test_nobody_waits_in_the_dark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = Service.open(tmp_path / "var")
    game = service.game(deadline_hours=HOURS, clock=TERMS)
    begun, written, day = service.clock.now(), set[int](), 0
    for _ in range(365 * 6):
        pass_time(service, timedelta(hours=4))
        day = (service.clock.now() - begun) // timedelta(days=1)
        if day in AWAY and day not in written:
            written.add(day)
            say(service, game, *AWAY[day])
        for player in PLAYERS:
            if player != SILENT[0] or not SILENT[1] <= day < SILENT[2]:
                _answer(service, game, player)
        if service.position(game).finished:
            break
    days = _told(service, game, begun)
    late = [row for row in _deadlines(service, game) if row.state == "overdue"]
    with capsys.disabled():
        for player, told in days.items():
            print(f"\n{player}:", "; ".join(f"day {day}: {', '.join(what)}" for day, what in sorted(told.items())))  # noqa: T201
        print(f"{len(service.position(game).orders)} orders, day {day}")  # noqa: T201
    silence = range(SILENT[1], SILENT[2] + 8)
    for other in ("Bob", "Cat"):
        assert any("late" in what for told in silence for what in days[other].get(told, ())), (
            "the table was told nothing"
        )
    assert any("default" in what for told in silence for what in days["Ann"].get(told, ()))
    for number, (player, _) in AWAY.items():
        others = [other for other in PLAYERS if other != player]
        assert all(any("away" in what for what in days[other].get(number, ())) for other in others)
    assert not late


def _answer(service: Service, game: str, player: str) -> None:
    """Answer after a time of thinking, but not while away."""
    with service.desk.database.reading() as session:
        seat = session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
        wanted = select(DeadlineRow).where(DeadlineRow.game == game, DeadlineRow.player == player)
        open_one = session.exec(wanted.where(DeadlineRow.state != "met")).first()
        if away_now(session, seat, service.clock.now()):
            return
    if open_one is None or open_one.asked_at is None or service.clock.now() - open_one.asked_at < THINKING:
        return
    live = service.position(game)
    given = orders_of_turn(live, player, sensible)
    if given:
        say(service, game, player, write_block(given, vocabulary(live.title, PLAYERS)))


def _deadlines(service: Service, game: str) -> list[DeadlineRow]:
    with service.desk.database.reading() as session:
        return list(session.exec(select(DeadlineRow).where(DeadlineRow.game == game)).all())


def _told(service: Service, game: str, begun: object) -> dict[str, dict[int, list[str]]]:
    """Player -> day -> the subjects of what he was sent besides questions and answers."""
    found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    with service.desk.database.reading() as session:
        rows = session.exec(select(OutboxRow).where(OutboxRow.game == game).order_by(col(OutboxRow.id))).all()
    for row in rows:
        if row.kind in ("reminder", "notice") and row.player:
            day = (row.created_at - begun) // timedelta(days=1)  # type: ignore[operator]
            found[row.player][day].append(row.subject.partition("] ")[2])
    return found
