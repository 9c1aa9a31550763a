"""The works of a service that walk all games: its sweeps, its lists, its health."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moderator.adapters.database import rows_of
from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
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
from tests.kit.service.mail_service import Service


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
    """The works that walk all games, by the key of its budget or, after a point, by a name of its own."""
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
        "other.tournaments": read(lambda session: (list_tournaments(session), games_of_tournament(session, "none"))),
        "other.zones": lambda: follow_zones(desk),
        "other.silent": lambda: silent_seats(desk, 1),
    }
