"""One round of the scheduler: take in mail, decide it, send answers, sweep deadlines."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from moderator.adapters.hook import CommandHook
from moderator.adapters.meter import BootMeter, Meter
from moderator.domain.ports import Away, Mailbox, Never, NotNow, Outgoing, WayOut
from moderator.service.dead_letters import note_skipped
from moderator.service.decision.motions import end_lapsed
from moderator.service.decision.resumption import keep_calendar
from moderator.service.desk import Desk
from moderator.service.entry.guests import forget_gone
from moderator.service.entry.observers import tell_observers
from moderator.service.entry.open_seats import lapse_inquiries, offer_seats, withdraw_offers
from moderator.service.entry.roster import ask_where_full, end_confirmations, offer_places
from moderator.service.intake import file_decided, mailbox_lease, take_in
from moderator.service.operation import alarms, leaps, outages, retention
from moderator.service.operation.supervision import Watch, try_now
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.silence import remind_silent
from moderator.service.pipeline import work_off
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.holds import look_back
from moderator.service.post.delivery import send_due
from moderator.service.post.outbox import tell_gathered
from moderator.service.post.pictures import Album
from moderator.service.robots import budgets
from moderator.service.robots.bounces import refused
from moderator.service.table.digests import daily_news

log = logging.getLogger("railpost")

_DECIDED: Final = 10
"""Most mails that are decided before their answers are sent and new mail is looked for."""
_SLICE: Final = 0.02
"""Least seconds for mails from others than players between two looks into the mailbox."""
_UNFILED, _FILED = 100, 20
"""If more decided mails than the first number lie in the mailbox, the second number of them is filed between two
looks."""
_TAKEN: Final = 200
"""Most mails that are taken in before some are decided, so that a flooded mailbox delays nobody whose mail is stored
already."""
_SENT: Final = 100
_ZONES: Final = 3_600
"""Seconds between two looks at the rules of time zones. A process sees new rules only when it begins, but another
service may have set a deadline by older ones."""


class Worker:
    """Does the work of a service. ``mail`` runs often and as soon as mail comes, ``sweep`` once a minute, and never
    both at once; ``tick`` runs at any time. ``post`` has their mails sent: it sends them itself, unless another thread
    sends and ``post`` only notifies that thread. Only the thread of ``mail`` uses the mailbox, and only the thread of
    ``send`` uses the outlet.

    Of several services on one database one reads the mailbox and sweeps. The others decide mails that are stored, and
    send; each looks now and then whether the mailbox is free, because the one that read it has ended."""

    stopping = False
    """True if the worker should finish soon: the next service does what is left."""
    reads = True
    """False if another service read the mailbox when this one looked last."""
    helped = False
    """True if this one decided mails in its last round that another had taken in: there may be more soon."""

    def __init__(
        self, desk: Desk, intake: Mailbox, outlet: WayOut, complain: Callable[[str], None], meter: Meter | None = None
    ) -> None:
        self.desk, self.intake, self.complain = desk, intake, complain
        command, seconds = desk.settings.alarm_command, desk.settings.alarm_seconds
        self.alarms = alarms.Alarms(desk, CommandHook(command, seconds) if command else None)
        self.watch = Watch(desk, self.alarms, meter or BootMeter())
        self.outlet = _Watched(outlet, self.watch)
        self._mailbox = mailbox_lease(desk, intake)
        self._begun = False
        """True once the mailbox is known to have begun."""
        self._zones: float | None = None
        """When deadlines were last compared with the rules of their zones."""
        self._more = False
        """True if the mailbox may hold more than was taken in."""
        self._looked, self._unfiled = 0.0, 0
        """Seconds that the latest look into the mailbox took; number of decided mails that still lie there."""
        self._skipped: Mapping[str, str] | None = None
        """Things that the latest look into the mailbox could not read; None before the first."""
        self._album = Album(desk)
        self.post: Callable[[], object] = self.send
        self.alive: Callable[[], object] = _nothing
        """Called after each part of a round: a long backlog is no standstill."""
        self.tried: Callable[[], object] = _nothing
        """Called before each mail that is handed to the outlet."""

    def mail(self) -> bool:
        """Take in new mail, decide it and have the answers sent. Return True if this service could read the mailbox.
        Otherwise, stored mail is still decided and answered."""
        self.watch.tick()
        read, self.helped = self._take_in(), False
        while (self._decide() or self._more) and not self.stopping:  # no answer waits for a whole backlog
            self.helped = not self.reads
            self.watch.tick()
            self.alive()
            if read:
                self.watch.at_work()
            if read and self._unfiled > _UNFILED:  # a mailbox that grows takes ever longer to look into
                self._file(_FILED)
            read = self._take_in()
        if read:
            self._file()  # after the answers, because nobody waits for it
            self.watch.at_work()  # only now: health turns red if the mailbox refuses in round after round
        return read

    def tick(self) -> None:
        """Compare the clock with the time that has passed. Any thread may call this."""
        self.watch.tick()

    def _file(self, most: int = 1_000) -> None:
        try:
            self._unfiled = max(0, self._unfiled - file_decided(self.desk, self.intake, most))
        except Away as reason:
            self.complain(f"what is decided cannot be filed: {reason}")

    def _take_in(self) -> bool:
        self._more, began = False, time.monotonic()
        self.reads = self._mailbox.held()
        if not self.reads:
            return False
        try:
            self._more = len(take_in(self.desk, self.intake, self._mailbox, _TAKEN)) == _TAKEN
        except NotNow as reason:
            self._mailbox.give_back()  # another service may be able to
            self.complain(f"the mailbox cannot be read: {reason}")
            if isinstance(reason, Away):
                self.watch.away("imap", reason)
            return False
        self._looked = time.monotonic() - began
        if not self._more:  # the look went through the whole mailbox
            self._note_skipped()
        self.watch.back("imap")
        return True

    def _note_skipped(self) -> None:
        """Tell the operator what lies in the mailbox and cannot be read, once for each."""
        skipped = self.intake.skipped
        if self._skipped is None or skipped.keys() != self._skipped.keys():
            note_skipped(self.desk, self.intake.name, skipped)
            self._skipped = dict(skipped)

    def _decide(self) -> bool:
        """Decide some of the waiting mails. Return True if there may be more. While only others than players write,
        players' mails are looked for often, which takes at most half of the time."""
        others_until = time.monotonic() + max(_SLICE, self._looked)
        decided = work_off(self.desk, self.complain, _DECIDED, others_until)
        self._unfiled += decided
        self.post()
        return decided > 0

    def send(self) -> None:
        """Send all mail that is due. If no mail was tried, check whether an outgoing server that was away is back.
        Until the mailbox has begun only the operator gets mail, because an answer might come too early to be taken."""
        tried = self.outlet.tried
        self._begun = self._begun or self.intake.begun
        work = self.desk, self.outlet, self.complain, _SENT, self._go_on, self._album
        while send_due(*work, operator_only=not self._begun) == _SENT:
            pass
        if tried == self.outlet.tried and not self.stopping:
            self.watch.recheck("smtp", self.outlet.inner.probe)

    def _go_on(self) -> bool:
        """True if the next mail may be handed over. Asked before each."""
        self.tried()
        return not self.stopping

    def sweep(self) -> None:
        """Sweep deadlines and daily digests. New mail is decided first, because it may have come in time; so only the
        service that reads the mailbox sweeps. No deadline ends while the clock or a server cannot be relied on."""
        read = self.mail()
        if not self._mailbox.held():
            return
        self.watch.recheck("imap", self.intake.probe)
        frozen = self.watch.frozen()
        if read and not frozen:
            self._follow_zones()
            leaps.settle(self.desk)
            outages.settle(self.desk)
            look_back(self.desk)
            keep_calendar(self.desk)
            sweep_deadlines(self.desk)
            end_lapsed(self.desk)
            ask_where_full(self.desk)
            end_confirmations(self.desk)
            lapse_inquiries(self.desk)
            offer_places(self.desk)
            withdraw_offers(self.desk)
            offer_seats(self.desk)
            sweep_pending(self.desk)
            remind_silent(self.desk)
        if "clock" not in frozen:
            with self.desk.sitting() as sitting:
                try_now(sitting)
            daily_news(self.desk)
            tell_observers(self.desk)
            budgets.forget_old(self.desk)
            alarms.forget_old(self.desk)
            retention.sweep_bodies(self.desk)
            forget_gone(self.desk)
            tell_gathered(self.desk)
        refused(self.desk)
        self.post()
        self.alarms.pass_on()

    def _follow_zones(self) -> None:
        """Look for deadlines whose zone has other rules now, when the service begins and once an hour."""
        now = time.monotonic()
        if self._zones is None or now - self._zones > _ZONES:
            outages.follow_zones(self.desk)
            self._zones = now

    def failed(self, error: Exception) -> None:
        """Tell the operator that a round or a sweep failed."""
        self.watch.failed(error)

    def close(self) -> None:
        """Close the connections to the servers, and give up the lease on the mailbox."""
        self._mailbox.give_back()
        self.intake.close()
        self.outlet.inner.close()


def _nothing() -> None:
    """Do nothing."""


class _Watched:
    """An outlet that notes whether its server is away. ``tried`` counts the mails given to it."""

    def __init__(self, inner: WayOut, watch: Watch) -> None:
        self.inner, self._watch, self.tried = inner, watch, 0

    def send(self, mail: Outgoing) -> None:
        self.tried += 1
        try:
            self.inner.send(mail)
        except Away as away:
            self._note(away)
            raise
        except (NotNow, Never):  # the server is there: it has answered
            self._note(None)
            raise
        self._note(None)

    def _note(self, away: Away | None) -> None:
        """Note whether the outlet works. If that cannot be stored, the next mail will note it."""
        try:
            if away is not None:
                self._watch.away("smtp", away)
            else:
                self._watch.back("smtp")
        except SQLAlchemyError as error:
            log.warning("how the way out is could not be written down: %s", type(error).__name__)
