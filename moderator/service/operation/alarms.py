"""Alarms for the operator that cannot wait: sent by mail, and through a command that works when mail does not.

Each alarm is a row, written together with the change that it reports. The command is run afterwards, at most
``alarms_per_hour`` times an hour. If the database itself is the trouble, the operator is told at once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from moderator.domain.redaction import redact
from moderator.service.desk import Desk, Sitting
from moderator.service.post.outbox import ALARM, queue_operator
from moderator.service.service_facts import all_kept, forget, recall_to_change, remember

log = logging.getLogger("railpost")

Hook = Callable[[str], str]
"""Tells a text to the operator. Returns the reason if that failed, otherwise an empty text."""

_TOLD: Final = "told "
_RUNS: Final = "runs of alarm_command"


class Alarms:
    """Tells the operator about trouble. ``hook`` is None if there is no command."""

    def __init__(self, desk: Desk, hook: Hook | None, seconds: Callable[[], float] = time.monotonic) -> None:
        self._desk, self._hook, self._seconds = desk, hook, seconds
        self._told: dict[str, float] = {}
        """The moment when the command told each trouble."""
        self._queued: dict[str, str] = {}
        """The trouble that each text tells which waits for the command."""
        self._logged: dict[str, float] = {}
        """The moment when each trouble was logged without the database."""

    def tell(self, key: str, about: str = "", **facts: object) -> None:
        """Tell the operator the words ``operator.KEY``, unless that was done for ``about`` not long ago. Raises nothing
        if the database fails: the caller is in trouble already."""
        text, what = self._desk.words.operator_words(key, facts), f"{key} {about}".strip()
        try:
            with self._desk.sitting() as sitting:
                anew = self._anew(sitting, what) and not self._lately(self._told, what)
                if anew:
                    queue_operator(sitting, text, at_once=True)
            if anew:
                log.error("alarm: %s", redact(text))
                self._queued[text] = what
        except SQLAlchemyError as error:
            self._past_the_database(what, f"{text}\n(The database cannot be written: {type(error).__name__})")

    def over(self, key: str, about: str = "") -> None:
        """Note that a trouble has ended: the next one of its kind is told at once."""
        what = f"{key} {about}".strip()
        with self._desk.database.transaction() as session:
            forget(session, _TOLD + what)
        self._told.pop(what, None)
        self._logged.pop(what, None)

    def pass_on(self) -> int:
        """Run the command for the alarms that wait, oldest first. Returns the number of alarms that were told."""
        if self._hook is None:
            return 0
        told = 0
        with self._desk.database.reading() as session:
            waiting = sorted(all_kept(session, ALARM).items(), key=lambda item: item[1].value["at"])
        for place, (name, row) in enumerate(waiting):
            text, left = str(row.value["text"]), len(waiting) - place - 1
            what = self._queued.get(text)
            if what is None or not self._lately(self._told, what):  # or it was told while the database was away
                if not self._may_run() or not self._run(text, left):
                    break
                if what is not None:
                    self._told[what] = self._seconds()
            self._queued.pop(text, None)
            with self._desk.database.transaction() as session:
                forget(session, ALARM + name)
            told += 1
        return told

    def _run(self, text: str, left: int) -> bool:
        assert self._hook is not None
        more = f"\n(and {left} more: `railpost health`)" if left else ""
        failed = self._hook(redact(text) + more + "\n")
        if failed:
            log.error("alarm_command: %s", failed)
        return not failed

    def _anew(self, sitting: Sitting, what: str) -> bool:
        """True if ``what`` has not been told for a while. Notes that it is told now."""
        now = sitting.now()
        before = recall_to_change(sitting.session, _TOLD + what)
        again = timedelta(hours=sitting.settings.alarm_again_hours)
        if before is not None and abs(now - datetime.fromisoformat(before["at"])) < again:
            return False
        remember(sitting, _TOLD + what, {"at": now.isoformat()})
        return True

    def _may_run(self) -> bool:
        """Count one more run of the command in this hour. False if it has been run too often."""
        hour = self._desk.clock.now().strftime("%Y-%m-%dT%H")
        with self._desk.sitting() as sitting:
            before = recall_to_change(sitting.session, _RUNS) or {}
            count = int(before.get("count", 0)) if before.get("hour") == hour else 0
            if count >= self._desk.settings.alarms_per_hour:
                return False
            remember(sitting, _RUNS, {"hour": hour, "count": count + 1})
        return True

    def _past_the_database(self, what: str, text: str) -> None:
        if not self._lately(self._logged, what):
            log.error("alarm: %s", redact(text))
            self._logged[what] = self._seconds()
        if self._hook is not None and not self._lately(self._told, what) and self._run(text, 0):
            self._told[what] = self._seconds()

    def _lately(self, moments: dict[str, float], what: str) -> bool:
        """True if ``what`` happened less than ``alarm_again_hours`` ago by the monotonic clock."""
        again = self._desk.settings.alarm_again_hours * 3600
        return what in moments and self._seconds() - moments[what] < again


def forget_old(desk: Desk) -> None:
    """Forget alarms that were told so long ago that they may be told again anyway."""
    before = desk.clock.now() - timedelta(hours=desk.settings.alarm_again_hours)
    with desk.database.transaction() as session:
        for row in all_kept(session, _TOLD).values():
            if row.changed_at < before:
                session.delete(row)
