"""One round of the scheduler: take in mail, decide it, send answers, sweep deadlines."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from moderator.adapters.hook import CommandHook
from moderator.adapters.meter import BootMeter, Meter
from moderator.domain.ports import Away, Mailbox, Never, NotNow, Outgoing, WayOut
from moderator.service.desk import Desk
from moderator.service.intake import file_decided, mailbox_lease, take_in
from moderator.service.operation import alarms, outages, retention
from moderator.service.operation.watch import Watch
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.silence import remind_silent
from moderator.service.pipeline import work_off
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.waiting import look_back
from moderator.service.post.outbox import tell_gathered
from moderator.service.post.pictures import Album
from moderator.service.post.sending import send_due
from moderator.service.robots import budgets
from moderator.service.robots.bounces import refused
from moderator.service.table.notices import daily_news

log = logging.getLogger("railpost")

_DECIDED: Final = 10
"""So many mails at most are decided before their answers are sent and it is looked for others."""
_SLICE: Final = 0.02
"""Seconds for mails of others between two looks into the mailbox."""
_UNFILED, _FILED = 100, 20
"""With more decided mails in the mailbox than the first, so many are filed between two looks."""
_TAKEN: Final = 200
"""So many mails are taken in before some are decided: a mailbox that is flooded holds up nobody whose mail is here."""
_SENT: Final = 100


class Worker:
    """``mail`` is done often and as soon as mail comes, ``sweep`` once a minute; never both at once. What they wrote is
    sent by ``post``: here and now, unless somebody sends beside them and is told that there is something. Only who does
    ``mail`` uses the mailbox, and only who does ``send`` the outlet."""

    stopping = False
    """Come to an end soon: what is left is done by the next service."""

    def __init__(
        self, desk: Desk, intake: Mailbox, outlet: WayOut, complain: Callable[[str], None], meter: Meter | None = None
    ) -> None:
        self.desk, self.intake, self.complain = desk, intake, complain
        command, seconds = desk.settings.alarm_command, desk.settings.alarm_seconds
        self.alarms = alarms.Alarms(desk, CommandHook(command, seconds) if command else None)
        self.watch = Watch(desk, self.alarms, meter or BootMeter())
        self.outlet = _Watched(outlet, self.watch)
        self._mailbox = mailbox_lease(desk, intake)
        self._more = False
        """There may be more in the mailbox than was taken in."""
        self._looked, self._unfiled = 0.0, 0
        """Seconds that the latest look into the mailbox took; mails that were decided and still lie there."""
        self._album = Album(desk)
        self.post: Callable[[], object] = self.send

    def mail(self) -> bool:
        """Take in what has come, decide it, have it sent. Whether the mailbox could be looked into: while it cannot,
        what is there already is decided and sent all the same."""
        self.watch.tick()
        read = self._take_in()
        while (self._decide() or self._more) and not self.stopping:  # nobody's answer waits for all of a backlog
            self.watch.tick()
            if read and self._unfiled > _UNFILED:  # a mailbox that grows takes ever longer to look into
                self._file(_FILED)
            read = self._take_in()
        if read:
            self._file()  # after the answers: nobody waits for it
        return read

    def _file(self, most: int = 1_000) -> None:
        try:
            self._unfiled = max(0, self._unfiled - file_decided(self.desk, self.intake, most))
        except Away as reason:
            self.complain(f"what is decided cannot be filed: {reason}")

    def _take_in(self) -> bool:
        self._more, began = False, time.monotonic()
        try:
            self._more = len(take_in(self.desk, self.intake, self._mailbox, _TAKEN)) == _TAKEN
        except NotNow as reason:
            self.complain(f"the mailbox cannot be read: {reason}")
            if isinstance(reason, Away):
                self.watch.away("imap", reason)
            return False
        self._looked = time.monotonic() - began
        self.watch.back("imap")
        return True

    def _decide(self) -> bool:
        """Some of what waits; whether there may be more. While only others than players write it is often looked for
        players' mails, which takes half of the time at most."""
        others_until = time.monotonic() + max(_SLICE, self._looked)
        decided = work_off(self.desk, self.complain, _DECIDED, others_until)
        self._unfiled += decided
        self.post()
        return decided > 0

    def send(self) -> None:
        """Send all that is due. Where that tells nothing of a server that was away, it is asked."""
        tried = self.outlet.tried
        while send_due(self.desk, self.outlet, self.complain, _SENT, lambda: not self.stopping, self._album) == _SENT:
            pass
        if tried == self.outlet.tried and not self.stopping:
            self.watch.recheck("smtp", self.outlet.inner.probe)

    def sweep(self) -> None:
        """Look after deadlines and daily digests. What has come in is decided first: it may have been in time. While
        the clock or a server is not to be relied on, no deadline ends."""
        read = self.mail()
        self.watch.recheck("imap", self.intake.probe)
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
            budgets.forget_old(self.desk)
            alarms.forget_old(self.desk)
            retention.sweep_bodies(self.desk)
            tell_gathered(self.desk)
        refused(self.desk)
        self.post()
        self.alarms.pass_on()

    def failed(self, error: Exception) -> None:
        """A round or a sweep came to nothing: the operator is told."""
        self.watch.failed(error)

    def close(self) -> None:
        """Take leave of the servers, and leave the mailbox to others."""
        self._mailbox.give_back()
        self.intake.close()
        self.outlet.inner.close()


class _Watched:
    """An outlet whose absence is noted. ``tried`` counts mails that were given to it."""

    def __init__(self, inner: WayOut, watch: Watch) -> None:
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
        """Note whether the way out works. If that cannot be written down, the next mail will tell it again."""
        try:
            if away is not None:
                self._watch.away("smtp", away)
            else:
                self._watch.back("smtp")
        except SQLAlchemyError as error:
            log.warning("how the way out is could not be written down: %s", type(error).__name__)
