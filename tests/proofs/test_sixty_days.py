"""A player who is silent for sixty days, under each term for what follows: who is told what, and on which day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from moderator.adapters.tables import OutboxRow
from moderator.entrypoints import cli
from moderator.service.operation.health import findings
from moderator.service.people.silence import remind_silent
from moderator.service.play.masters.master import name_master
from moderator.service.play.new_games import Person
from moderator.service.post.outbox import tell_gathered
from tests.kit.service.mail_service import Service
from tests.proofs.test_long_tables import answer, pass_time, say

pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("each_database")]
PLAYERS = ("Ann", "Bob", "Cat", "Dan")
"""Ann is silent."""
READERS = {"Bob": "turn", "Cat": "daily", "Dan": "all"}
"""The player -> how often he wants to hear from the game."""
HOURS, DAYS, STEP = 72, 60, timedelta(hours=3)
LATE = HOURS // 24
"""The day on which the first answer is late."""
MASTER = "max@masters.example"
STUCK = (None, "master", "open")
"""Under these terms nothing moves while she is silent. None: the table has agreed on nothing."""
Told = dict[int, list[tuple[str, str, str]]]
"""Day -> kind, subject and text of each mail of one reader but his answers and turn mails."""


class Silence:
    """A game of which Ann has heard nothing for sixty days."""

    def __init__(self, root: Path, late: str | None, hours: int | None = HOURS) -> None:
        self.late, self.service = late, Service.open(root / "var")
        service = self.service
        self.game = service.game(players=PLAYERS, deadline_hours=hours, clock=[("late", late)] if late else [])
        name_master(service.desk, self.game, Person("Max", MASTER))
        service.run()
        for player, how in READERS.items():
            say(service, self.game, player, f"notify {how}")
        for _ in range(timedelta(days=DAYS) // STEP):
            pass_time(service, STEP)
            remind_silent(service.desk)
            tell_gathered(service.desk)
            service.run()
            for player in READERS:
                answer(service, self.game, player, PLAYERS)
        self.told = self._read()

    def _read(self) -> dict[str, Told]:
        found: dict[str, Told] = defaultdict(lambda: defaultdict(list))
        with self.service.desk.database.reading() as session:
            rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        for row in rows:
            who = row.player or ("Max" if row.recipient == MASTER else "operator")
            day = (row.created_at - rows[0].created_at) // timedelta(days=1)
            if row.kind not in ("transcript", "turn", "welcome"):
                found[who][day].append((row.kind, row.subject.partition("] ")[2], " ".join(row.text.split())))
        return found

    def days(self, who: str, said: str) -> list[int]:
        """The days on which a mail to ``who`` has these words."""
        told = self.told[who].items()
        return [day for day, mails in told for kind, subject, text in mails if said in f"{kind}: {subject}: {text}"]

    def railpost(self, *words: str) -> str:
        return CliRunner().invoke(cli.app, ["--data", str(self.service.root), *words], env={"COLUMNS": "300"}).output

    def health(self, key: str) -> str:
        return next(one.state for one in findings(self.service.desk, "test") if one.key == key)

    def table(self) -> Iterator[str]:
        yield f"late={self.late}: {len(self.service.position(self.game).orders)} orders"
        for who, told in sorted(self.told.items()):
            seen: dict[str, list[int]] = defaultdict(list)
            for day, mails in told.items():
                for kind, subject, text in mails:
                    subject = subject.partition(":")[0] if kind in ("reminder", "news") else subject
                    seen[f"{kind}: {subject or text[:70]}"].append(day)
            for what, days in seen.items():
                first = ", ".join(map(str, days[:6])) + " ..." * (len(days) > 6)
                yield f"  {who:9}{what:80} {len(days):3}  days {first}"


def shown(one: Silence, capsys: pytest.CaptureFixture[str]) -> Silence:
    with capsys.disabled():
        print("\n" + "\n".join(one.table()))  # noqa: T201
    return one


@pytest.mark.parametrize("late", STUCK)
def test_a_game_that_waits_tells_everybody_for_whom(
    tmp_path: Path, late: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    one = shown(Silence(tmp_path, late), capsys)
    assert not one.service.position(one.game).orders
    for player in READERS:
        said = "the seat of Ann is open" if late == "open" else "Ann is late:"
        assert one.days(player, f"notice: {said}") == [LATE]
        digests = list(range(LATE + 1, DAYS + 1)) if player == "Cat" else []
        assert one.days(player, "news: ") == one.days(player, "Ann is late: the answer was due by") == digests
    assert one.days("Ann", "reminder: reminder: ") == [LATE - 1]
    again = one.days("Ann", "reminder: late: ")
    assert again == list(range(LATE, DAYS, 2)) and one.days("Ann", "your answer is late") == again
    for who, said in (("operator", "the answer of Ann was due on"), ("Max", "notice: Ann is late")):
        assert one.days(who, said) == [day for day in again if late != "open" or day > LATE]
    assert one.days("operator", "has not been heard from") == [4]
    assert one.health("late") == "look" and "green" not in one.railpost("game", "list")
    (line,) = (line for line in one.railpost("game", "list").splitlines() if one.game in line)
    assert "Ann" in line and "late" in line


def test_a_game_without_clocks_tells_the_operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is late. What is left is the list of silent seats, one reminder, and whom the game waits for."""
    one = shown(Silence(tmp_path, None, None), capsys)
    assert one.days("Ann", "reminder: ") == one.days("operator", "has not been heard from") == [4]
    assert all(not one.days(player, "Ann is late") for player in READERS)
    (line,) = (line for line in one.railpost("game", "list").splitlines() if one.game in line)
    assert "Ann" in line and "late" not in line


def test_defaults_are_told_to_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = shown(Silence(tmp_path, "default"), capsys)
    missed = one.days("Ann", "notice: the default was taken for you")
    assert len(missed) > DAYS // (LATE + 2) and missed[0] == LATE
    for player in READERS:
        assert one.days(player, "As agreed, the default of the decision is taken for Ann") == missed
    assert one.days("Max", "As agreed, the default of the decision is taken") == missed
    assert not one.days("Ann", "reminder: late: ") and not one.days("Bob", "The game waits")
    assert len(one.days("Ann", "reminder: reminder: ")) >= len(missed)
    assert one.health("late") == "green" and one.health("games") == "green"


def test_a_robot_is_told_once_and_then_in_digests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = shown(Silence(tmp_path, "robot"), capsys)
    for who in (*READERS, "Max", "operator", "Ann"):
        said = "a robot moves for that seat" if who == "operator" else "notice: a robot moves for Ann"
        assert one.days(who, said) == [LATE] and not one.days(who, "Ann is late")
    digests = one.days("Ann", "A robot moves for you")
    assert len(digests) > 5 and len(set(digests)) == len(digests)
    assert one.service.position(one.game).finished and one.days("Ann", "over: ")
    assert one.health("games") == "green"
