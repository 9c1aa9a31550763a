"""What games wait for is sent first, and nobody gets a later mail before an earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import NotNow, Outgoing
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.post.delivery import send_due
from tests.kit.service.mail_service import Service
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")


class Recorder:
    """An outlet that says no to some, for now."""

    def __init__(self, *busy: str) -> None:
        self.busy, self.sent = set(busy), list[tuple[str, str]]()

    def send(self, mail: Outgoing) -> None:
        if mail.recipient.split("@")[0] in self.busy:
            raise NotNow("451 later")
        self.sent.append((mail.recipient.split("@")[0], str(mail.headers["X-Railpost"]).split()[-1]))


@pytest.mark.fault(88)
def test_what_games_wait_for_goes_first_and_news_last(table: Table, game: str) -> None:
    with table.desk.database.transaction() as session:
        rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        for row, kind in zip(rows, ("news", "stranger", "turn", "transcript"), strict=True):
            row.state, row.headers = "queued", {"X-Railpost": f"{game} {kind}"}
            row.priority = {"news": 2, "stranger": 1}.get(kind, 0)
    outlet = Recorder()
    send_due(table.desk, outlet, lambda _: None)
    assert [kind for _, kind in outlet.sent] == ["turn", "transcript", "stranger", "news"]


@pytest.mark.fault(82)
def test_nobody_gets_a_later_mail_before_an_earlier_one(table: Table, game: str) -> None:
    with table.desk.database.transaction() as session:
        for row in session.exec(select(OutboxRow)).all():
            row.state = "queued"
    outlet = Recorder("ann")
    send_due(table.desk, outlet, lambda _: None)
    assert {name for name, _ in outlet.sent} == {"bob", "cat"}
    outlet.busy.clear()
    send_due(table.desk, outlet, lambda _: None)  # the first mail waits for its next attempt, the second for the first
    assert "ann" not in {name for name, _ in outlet.sent}
    table.clock.pass_by(minutes=10)
    send_due(table.desk, outlet, lambda _: None)
    assert [kind for name, kind in outlet.sent if name == "ann"] == ["welcome", "turn"]


def test_a_mail_is_noted_as_sent_even_if_the_next_one_is_gone(table: Table, game: str) -> None:
    with table.desk.database.transaction() as session:
        first, second, *_ = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
        first.state = second.state = "queued"
        first.recipient, second.recipient = "ann@example.org", "bob@example.org"
        numbers = first.id, second.id

    class Deleting(Recorder):
        def send(self, mail: Outgoing) -> None:
            super().send(mail)
            with table.desk.database.transaction() as session:
                session.delete(session.get_one(OutboxRow, numbers[1]))

    outlet = Deleting()
    send_due(table.desk, outlet, lambda _: None)
    assert [name for name, _ in outlet.sent] == ["ann"]
    with table.desk.database.reading() as session:
        assert session.get_one(OutboxRow, numbers[0]).state == "sent"


def test_who_is_late_is_told_before_the_question_that_follows(tmp_path: Path) -> None:
    """The question replaces the answer address of what was written before it, so it is the last to arrive."""
    service = Service.open(tmp_path)
    game = service.game(deadline_hours=72, clock=[("late", "default")])
    service.say("Ann", "open TSR 20")
    for player in ("Bob", "Cat"):
        service.clock.pass_by(hours=73)
        sweep_deadlines(service.desk)
        service.run()
        assert f"[{game}] {player} is late" in [letter.subject for letter in service.letters("Ann")]
    asked = str(service.position(game).asked()[0].player)
    assert service.letters(asked)[-1].kind == "turn"
    service.say(asked, "open BSS 30")
    assert service.outcomes()[-1] == "applied"
