"""A service with thousands of games at all stages, of which nothing is due: figures for docs/performance.md."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from engine.robots import sensible
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from tests.kit.service.mail_service import Service
from tests.kit.service.multitude import counted, multiply, play_patterns
from tests.kit.service.walks import works

pytestmark = [pytest.mark.bench, pytest.mark.usefixtures("each_database")]
_GAMES = {"sqlite": 2_000, "postgresql": 10_000}
_TIMES = 5
_MAILS = 20


def measured(service: Service, act: Callable[[], object], times: int = _TIMES) -> str:
    """Statements, and the medians of milliseconds by the clock and of our own processor."""
    wall, cpu, statements = [], [], 0
    for _ in range(times):
        service.clock.pass_by(seconds=60)
        with counted(service.desk.database) as seen:
            began, used = time.perf_counter(), time.process_time()
            act()
            cpu.append(1_000 * (time.process_time() - used))
            wall.append(1_000 * (time.perf_counter() - began))
        statements = max(statements, len(seen))
    return f"{statements} | {median(wall):.0f} ms | {median(cpu):.0f} ms"


def test_thousands_of_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = Service.open(tmp_path / "var")
    patterns = play_patterns(service)
    kind = service.desk.database.engine.dialect.name
    games = multiply(service.desk.database, _GAMES[kind])
    lines = [f"{games} games on {kind}", "| work | statements | time | CPU |"]
    for name, act in works(service).items():
        act()
        lines.append(f"| {name} | {measured(service, act)} |")

    def answer() -> None:
        name = next(patterns_left)
        game = service.position(name)
        player = game.asked()[0].player
        service.say(player, as_text(game, orders_of_turn(game, player, sensible)))

    patterns_left = iter([name for name in patterns if not service.position(name).finished][:_MAILS])
    lines.append(
        f"| a mail of a game that is not in memory, with the kit's own work | {measured(service, answer, _MAILS)} |"
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with capsys.disabled():
        print("\n" + "\n".join([*lines, f"{memory} MB resident at most"]))  # noqa: T201
