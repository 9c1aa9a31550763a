"""A service with many games: no sweep and no list asks the database more often because there are more games, and no
sweep reads the tables that grow with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text, update
from sqlmodel import col

from moderator.adapters.database import rows_of
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.tables import GameRow
from moderator.entrypoints.processes.worker import Worker
from moderator.service.archive.builds import pulses
from moderator.service.entry.overview import overview
from moderator.service.listing.counts import count
from moderator.service.listing.games import game_names
from moderator.service.listing.persons import list_persons
from moderator.service.listing.tournaments import games_of_tournament, list_tournaments
from moderator.service.listing.turns import list_forming, list_games, oldest_question
from moderator.service.operation.health import findings
from moderator.service.operation.outages import follow_zones
from moderator.service.operation.retention import sizes
from moderator.service.people.silence import silent_seats
from moderator.service.play.holds import look_back
from tests.kit.service.mail_service import Service
from tests.kit.service.multitude import copy_of, counted, multiply, play_patterns, scans

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


def patterns(service: Service) -> list[str]:
    """Six games of two titles at three stages."""
    return play_patterns(service, ("1861", "1844"), (0, 30, 60), 2)


def worker_of(service: Service) -> Worker:
    """A worker with a meter that goes with the clock of the service."""
    settings = service.desk.settings
    intake = MaildirIntake(folder_for(settings.mail_folder, settings.address))
    return Worker(service.desk, intake, MaildirOutlet(settings.mail_folder), service.complaints.append, _Meter(service))


class _Meter:
    boot = "this one"

    def __init__(self, service: Service) -> None:
        self._clock = service.clock

    def seconds(self) -> float:
        return self._clock.now().timestamp()


def works(service: Service) -> dict[str, Callable[[], object]]:
    """What walks all games, by the key of its budget or, after a point, by a name of its own."""
    desk, work = service.desk, worker_of(service)

    def read(act: Callable[[Any], object]) -> Callable[[], object]:
        def done() -> object:
            with desk.database.reading() as session:
                return act(session)

        return done

    return {
        "poll": work.mail,
        "sweep": work.sweep,
        "health": lambda: findings(desk, "1"),
        "list": read(lambda session: [*list_games(rows_of(session)), *list_forming(rows_of(session))]),
        "oldest question": read(lambda session: oldest_question(rows_of(session))),
        "persons": read(list_persons),
        "archive": lambda: pulses(desk),
        "other.names": read(game_names),
        "other.counts": read(count),
        "other.sizes": read(sizes),
        "other.overview": read(overview),
        "other.tournaments": read(lambda session: (list_tournaments(session), games_of_tournament(session, ""))),
        "other.zones": lambda: follow_zones(desk),
        "other.silent": lambda: silent_seats(desk, 1),
    }


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
