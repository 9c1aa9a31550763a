"""The service put together from its settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from moderator import render
from moderator.adapters.database import Database
from moderator.adapters.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.domain.ports import Away, Intake, Outlet, SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.service.deadlines import sweep_deadlines
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.notices import daily_news
from moderator.service.pipeline import file_decided, take_in, work_off
from moderator.service.post import send_due
from moderator.settings import Settings


def open_desk(settings: Settings) -> Desk:
    """The desk on the database of ``settings``, which is made or brought up to date first."""
    if settings.database_url.startswith("sqlite:///"):
        Path(settings.database_url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    database = Database(settings.database_url)
    database.upgrade()
    games = Games(default_titles, vocabulary, settings.games_in_memory)
    return Desk(settings, database, games, render, SystemClock())


def mailbox_of(settings: Settings) -> Intake:
    """Where the service's mail comes in."""
    return MaildirIntake(folder_for(settings.mail_folder, settings.address))


def outlet_of(settings: Settings) -> Outlet:
    """Where its mail goes out."""
    return MaildirOutlet(settings.mail_folder)


class Round:
    """What the scheduler does over and over: take in, decide, send, sweep."""

    def __init__(self, desk: Desk, intake: Intake, outlet: Outlet, complain: Callable[[str], None]) -> None:
        self.desk, self.intake, self.outlet, self.complain = desk, intake, outlet, complain

    def mail(self) -> bool:
        """Take in what has come, decide it, send what is due. Whether the mailbox could be looked into: while it
        cannot, what is there already is decided and sent all the same."""
        try:
            take_in(self.desk, self.intake)
        except Away as reason:
            self.complain(f"the mailbox cannot be read: {reason}")
            self._decide_and_send()
            return False
        self._decide_and_send()
        try:
            file_decided(self.desk, self.intake)  # after the answers: nobody waits for it
        except Away as reason:
            self.complain(f"what is decided cannot be filed: {reason}")
        return True

    def _decide_and_send(self) -> None:
        work_off(self.desk, self.complain)
        send_due(self.desk, self.outlet, self.complain)

    def sweep(self) -> None:
        """Look after deadlines and daily digests. What has come in is decided first: it may have been in time."""
        self.mail()
        sweep_deadlines(self.desk)
        daily_news(self.desk)
        send_due(self.desk, self.outlet, self.complain)
