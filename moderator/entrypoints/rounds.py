"""What the scheduler does over and over: take in, decide, send, sweep."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from moderator.adapters.hook import CommandHook
from moderator.adapters.imap import ImapIntake
from moderator.adapters.meter import BootMeter, Meter
from moderator.adapters.smtp import SmtpOutlet
from moderator.domain.ports import Away, Intake, Never, NotNow, Outgoing, Outlet, Probed
from moderator.service.desk import Desk
from moderator.service.intake import file_decided, mailbox_lease, take_in
from moderator.service.operation import alarms, outages, retention
from moderator.service.operation.watch import Watch
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.silence import remind_silent
from moderator.service.pipeline import work_off
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.notices import daily_news
from moderator.service.play.waiting import look_back
from moderator.service.post.outbox import send_due
from moderator.service.robots import budgets
from moderator.service.robots.bounces import refused

log = logging.getLogger("railpost")

_DECIDED: Final = 10
"""So many mails at most are decided before their answers are sent and it is looked for others."""
_SENT: Final = 100


class Round:
    """``mail`` is done often and as soon as mail comes, ``sweep`` once a minute; never both at once. What they wrote is
    sent by ``post``: here and now, unless somebody sends beside them and is told that there is something. Only who does
    ``mail`` uses the mailbox, and only who does ``send`` the outlet."""

    stopping = False
    """Come to an end soon: what is left is done by the next service."""

    def __init__(
        self, desk: Desk, intake: Intake, outlet: Outlet, complain: Callable[[str], None], meter: Meter | None = None
    ) -> None:
        self.desk, self.intake, self.complain = desk, intake, complain
        command, seconds = desk.settings.alarm_command, desk.settings.alarm_seconds
        self.alarms = alarms.Alarms(desk, CommandHook(command, seconds) if command else None)
        self.watch = Watch(desk, self.alarms, meter or BootMeter())
        self.outlet = _Watched(outlet, self.watch)
        self._mailbox = mailbox_lease(desk, intake)
        self.post: Callable[[], object] = self.send

    def mail(self) -> bool:
        """Take in what has come, decide it, have it sent. Whether the mailbox could be looked into: while it cannot,
        what is there already is decided and sent all the same."""
        self.watch.tick()
        read = self._take_in()
        while self._decide() and not self.stopping:  # nobody's answer waits until all of a backlog is decided
            self.watch.tick()
            read = self._take_in()
        if read:
            try:
                file_decided(self.desk, self.intake)  # after the answers: nobody waits for it
            except Away as reason:
                self.complain(f"what is decided cannot be filed: {reason}")
        return read

    def _take_in(self) -> bool:
        try:
            take_in(self.desk, self.intake, self._mailbox)
        except NotNow as reason:
            self.complain(f"the mailbox cannot be read: {reason}")
            if isinstance(reason, Away):
                self.watch.away("imap", reason)
            return False
        self.watch.back("imap")
        return True

    def _decide(self) -> bool:
        """Some of what waits; whether there may be more."""
        decided = work_off(self.desk, self.complain, _DECIDED)
        self.post()
        return decided == _DECIDED

    def send(self) -> None:
        """Send all that is due. Where that tells nothing of a server that was away, it is asked."""
        tried = self.outlet.tried
        while send_due(self.desk, self.outlet, self.complain, _SENT, lambda: not self.stopping) == _SENT:
            pass
        if tried == self.outlet.tried and not self.stopping:
            self.watch.recheck("smtp", lambda: _probe(self.outlet.inner))

    def sweep(self) -> None:
        """Look after deadlines and daily digests. What has come in is decided first: it may have been in time. While
        the clock or a server is not to be relied on, no deadline ends."""
        read = self.mail()
        self.watch.recheck("imap", lambda: _probe(self.intake))
        frozen = self.watch.frozen()
        if read and not frozen:
            outages.follow_zones(self.desk)
            outages.settle(self.desk)
            look_back(self.desk)
            sweep_deadlines(self.desk)
            sweep_pending(self.desk)
            remind_silent(self.desk)
        if "clock" not in frozen:
            daily_news(self.desk)
            budgets.forget(self.desk)
            alarms.forget_old(self.desk)
            retention.sweep_bodies(self.desk)
        refused(self.desk)
        self.post()
        self.alarms.pass_on()

    def failed(self, error: Exception) -> None:
        """A round or a sweep came to nothing: the operator is told."""
        self.watch.failed(error)

    def close(self) -> None:
        """Take leave of the servers, and leave the mailbox to others."""
        self._mailbox.give_back()
        if isinstance(self.intake, ImapIntake):
            self.intake.close()
        if isinstance(self.outlet.inner, SmtpOutlet):
            self.outlet.inner.close()


def _probe(end: Intake | Outlet) -> None:
    """``Away`` if that server is not to be had."""
    if isinstance(end, Probed):
        end.probe()


class _Watched:
    """An outlet whose absence is noted. ``tried`` counts mails that were given to it."""

    def __init__(self, inner: Outlet, watch: Watch) -> None:
        self.inner, self._watch, self.tried = inner, watch, 0

    def send(self, mail: Outgoing) -> None:
        self.tried += 1
        try:
            self.inner.send(mail)
        except Away as away:
            self._note(away)
            raise
        except (NotNow, Never):  # it is there, and has answered
            self._note(None)
            raise
        self._note(None)

    def _note(self, away: Away | None) -> None:
        """What became of the mail stands, whether or not this can be written down: the next mail will tell it again."""
        try:
            if away is not None:
                self._watch.away("smtp", away)
            else:
                self._watch.back("smtp")
        except SQLAlchemyError as error:
            log.warning("how the way out is could not be written down: %s", type(error).__name__)
