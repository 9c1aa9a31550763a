"""A service with many games: no sweep and no list asks the database more often because there are more games, and no
sweep reads the tables that grow with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text, update
from sqlmodel import col

from engine.robots import sensible
from moderator.adapters.database import rows_of
from moderator.adapters.mail.maildir import MaildirOutlet
from moderator.adapters.tables import GameRow
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.listing.turns import list_games
from moderator.service.operation.health import findings
from moderator.service.pipeline import work_off
from moderator.service.play.holds import look_back
from moderator.service.post.delivery import send_due
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.multitude import copy_of, counted, multiply, play_patterns, scans
from tests.kit.service.walks import worker_of, works

pytestmark = pytest.mark.usefixtures("each_database")
_FEW, _MANY = 12, 200
_MOST = {
    "poll": 15,
    "sweep": 80,
    "health": 45,
    "list": 8,
    "oldest question": 1,
    "persons": 2,
    "archive": 5,
    "other": 11,
}
"""The statements that each may take."""


@pytest.fixture(autouse=True)
def clock_of_the_database_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service reads the clock of the database again after ten seconds of real time, which a busy machine may take
    between two acts."""
    monkeypatch.setattr("moderator.adapters.shared_clock._EVERY", float("inf"))


def patterns(service: Service) -> list[str]:
    """Six games of two titles at three stages."""
    return play_patterns(service, ("1861", "1844"), (0, 30, 60), 2)


def statements(service: Service) -> dict[str, int]:
    """How many statements each work takes, when it is done for the second time."""
    taken = {}
    for name, act in works(service).items():
        act()
        service.clock.pass_by(seconds=60)
        with counted(service.desk.database) as seen:
            act()
        taken[name] = len(seen)
    return taken


def test_more_games_take_no_more_statements(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    patterns(service)
    assert multiply(service.desk.database, _FEW) == _FEW
    few = statements(service)
    assert multiply(service.desk.database, _MANY) >= _MANY
    many = statements(service)
    assert many == few
    over = {name: number for name, number in many.items() if number > _MOST[name.partition(".")[0]]}
    assert over == {}


def test_a_sweep_reads_no_table_that_grows_with_the_games(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    patterns(service)
    multiply(service.desk.database, _MANY)
    work = worker_of(service)
    work.sweep()
    service.clock.pass_by(seconds=60)
    with counted(service.desk.database) as seen:
        work.sweep()
    assert len(seen) > 30
    assert scans(service.desk.database, seen) == []


def test_a_copied_game_is_a_game(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    (first, *_) = play_patterns(service, ("1861",), (10,), 0)
    multiply(service.desk.database, 3)
    copy = copy_of(first, 2)
    assert service.position(copy).told_digest() == service.position(first).told_digest()
    with service.desk.database.reading() as session:
        listed = {one.name: one for one in list_games(rows_of(session))}
    assert listed[copy].asked == listed[first].asked != ()
    assert listed[copy].since == listed[first].since


def test_a_query_that_reads_a_large_table_is_found(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    play_patterns(service, ("1861",), (0,), 0)
    multiply(service.desk.database, 40)
    with counted(service.desk.database) as seen, service.desk.database.reading() as session:
        session.execute(text("SELECT id FROM seat WHERE person = 'Ann'"))
        session.execute(text("SELECT id FROM seat WHERE game = '1861-1'"))
    (found,) = scans(service.desk.database, seen)
    assert found.startswith("seat: SELECT") and "Ann" in found


def test_only_games_with_other_rules_are_looked_at_again(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    (first,) = play_patterns(service, ("1861",), (5,), 1)
    multiply(service.desk.database, 40)
    assert look_back(service.desk) == 0
    changed = copy_of(first, 30)
    with service.desk.database.transaction() as session:
        session.execute(update(GameRow).where(col(GameRow.id) == changed).values(fingerprint="of other rules"))
    (rules,) = [one for one in findings(service.desk, "1") if one.key == "rules"]
    assert rules.facts["games"] == (changed,)
    assert look_back(service.desk) == 1
    with service.desk.database.reading() as session:
        assert session.get_one(GameRow, changed).fingerprint == session.get_one(GameRow, first).fingerprint
    assert look_back(service.desk) == 0


_MAIL: Final = {"taken in": 10, "decided": 36, "sent": 14}
"""The most statements for a mail with orders that is answered and asks one player, from the mailbox to the two mails
that go out."""


def test_a_mail_takes_no_more_statements_among_many_games(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    name, *_ = patterns(service)
    few = _statements_of_a_mail(service, name)
    multiply(service.desk.database, _MANY)
    many = _statements_of_a_mail(service, name)
    assert {step: number for step, number in {**few, **many}.items() if number > _MAIL[step]} == {}
    assert max(few.values()) <= max(_MAIL.values())


def _statements_of_a_mail(service: Service, name: str) -> dict[str, int]:
    """The statements for the next mail of the game, by step."""
    game = service.position(name)
    player = game.asked()[0].player
    text = as_text(game, orders_of_turn(game, player, sensible))
    to = service.address(player)
    service.send(mail(text, sender=f"{player.lower()}@players.example", to=to), to)
    outlet = MaildirOutlet(service.desk.settings.mail_folder)
    steps: dict[str, Callable[[], object]] = {
        "taken in": service.take_in,
        "decided": lambda: work_off(service.desk, service.complaints.append),
        "sent": lambda: send_due(service.desk, outlet, service.complaints.append),
    }
    taken = {}
    for step, act in steps.items():
        with counted(service.desk.database) as seen:
            act()
        taken[step] = len(seen)
    assert service.outcomes()[-1] == "applied"
    return taken
