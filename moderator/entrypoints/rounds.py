"""What the scheduler does over and over: take in, decide, send, sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from moderator.adapters.hook import CommandHook
from moderator.adapters.imap import ImapIntake
from moderator.adapters.meter import BootMeter, Meter
from moderator.adapters.smtp import SmtpOutlet
from moderator.domain.ports import Away, Intake, Never, NotNow, Outgoing, Outlet, Probed
from moderator.service.desk import Desk
from moderator.service.intake import file_decided, take_in
from moderator.service.operation import alarms, outages
from moderator.service.operation.watch import Watch, Which
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.silence import remind_silent
from moderator.service.pipeline import work_off
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.notices import daily_news
from moderator.service.post.outbox import send_due
from moderator.service.robots import budgets
from moderator.service.robots.bounces import refused

_DECIDED: Final = 10
"""So many mails at most are decided before their answers are sent and it is looked for others."""
_SENT: Final = 100


class Round:
    """``mail`` is done often and as soon as mail comes, ``sweep`` once a minute; never both at once. What they wrote is
    sent by ``post``: here and now, unless somebody sends beside them and is told that there is something."""

    def __init__(
        self, desk: Desk, intake: Intake, outlet: Outlet, complain: Callable[[str], None], meter: Meter | None = None
    ) -> None:
        self.desk, self.intake, self.complain = desk, intake, complain
        command, seconds = desk.settings.alarm_command, desk.settings.alarm_seconds
        self.alarms = alarms.Alarms(desk, CommandHook(command, seconds) if command else None)
        self.watch = Watch(desk, self.alarms, meter or BootMeter())
        self.outlet = _Watched(outlet, self.watch)
        self.post: Callable[[], object] = self.send

    def mail(self) -> bool:
        """Take in what has come, decide it, have it sent. Whether the mailbox could be looked into: while it cannot,
        what is there already is decided and sent all the same."""
        self.watch.tick()
        read = self._take_in()
        while self._decide():  # nobody's answer waits until all of a backlog is decided
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
            take_in(self.desk, self.intake)
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
        """Send all that is due."""
        while send_due(self.desk, self.outlet, self.complain, _SENT) == _SENT:
            pass

    def sweep(self) -> None:
        """Look after deadlines and daily digests. What has come in is decided first: it may have been in time. While
        the clock or a server is not to be relied on, no deadline ends."""
        read = self.mail()
        self.watch.recheck(self._works)
        frozen = self.watch.frozen()
        if read and not frozen:
            outages.follow_zones(self.desk)
            outages.settle(self.desk)
            sweep_deadlines(self.desk)
            sweep_pending(self.desk)
            remind_silent(self.desk)
        if "clock" not in frozen:
            daily_news(self.desk)
            budgets.forget(self.desk)
            alarms.forget_old(self.desk)
        refused(self.desk)
        self.post()
        self.alarms.pass_on()

    def failed(self, error: Exception) -> None:
        """A round or a sweep came to nothing: the operator is told."""
        self.watch.failed(error)

    def _works(self, which: Which) -> None:
        """``Away`` if that server is not to be had."""
        end = self.intake if which == "imap" else self.outlet.inner
        if isinstance(end, Probed):
            end.probe()

    def close(self) -> None:
        """Take leave of the servers."""
        if isinstance(self.intake, ImapIntake):
            self.intake.close()
        if isinstance(self.outlet.inner, SmtpOutlet):
            self.outlet.inner.close()


class _Watched:
    """An outlet whose absence is noted."""

    def __init__(self, inner: Outlet, watch: Watch) -> None:
        self.inner, self._watch = inner, watch

    def send(self, mail: Outgoing) -> None:
        try:
            self.inner.send(mail)
        except Away as reason:
            self._watch.away("smtp", reason)
            raise
        except (NotNow, Never):  # it is there, and has answered
            self._watch.back("smtp")
            raise
        self._watch.back("smtp")
