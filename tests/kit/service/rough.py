"""Chaos with all that has once stopped everything: a clock that is set, a dangling link, and a recipient for whom the
outgoing server always quotes another server's refusal.

The mailbox is a Maildir of the service's own. The refused recipient is the operator, to whom each step of the clock is
told. How long each mail waited for its answer is measured by the monotonic clock.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

from sqlmodel import col, func, select

from moderator.adapters.mail.maildir import folder_for, open_folder
from moderator.adapters.tables import MailRow, OutboxRow
from tests.kit.mail_system import MailSystem
from tests.kit.patience import PATIENCE
from tests.kit.service.chaos import Chaos
from tests.kit.service.load import Script

REFUSED = "operator@refused.example"
_REFUSAL = (
    b"550-5.1.1 <operator@refused.example>: no such mailbox; mx.refused.example said:\r\n"
    b"550 5.1.1 550 5.7.1 Relay access denied\r\n"
)
_STEPS = (-86_400, -3_600, -120, 120, 86_400, 365 * 86_400, 3_650 * 86_400)
"""Seconds by which the clock is wrong."""
_WRONG, _RIGHT = (1.0, 8.0), (2.0, 10.0)
"""Seconds that it is wrong, and right in between."""
_AT_ONCE = 10
"""So many mails at most wait for their answers when more is asked: waits are due to the faults, not to other mails."""
LATEST = 60.0
"""Seconds after which an answer is too late."""


class Rough(Chaos):
    """As ``Chaos``; ``verdict`` also names answers that came too late."""

    def __init__(self, system: MailSystem, root: Path, seed: int, scripts: list[Script], mailbox: str) -> None:
        super().__init__(system, root, seed, scripts, mailbox)
        self.smtp.always[REFUSED] = _REFUSAL
        self.values |= {"operator": REFUSED, "imap_host": ""}
        self._ahead = root / "ahead"
        self._ahead.write_text("0")
        self.command = (sys.executable, "-m", "tests.kit.service.set_clock_service")
        self.environment = {"WALL_CLOCK_AHEAD": str(self._ahead)}
        self._inbox = folder_for(root / "mail", f"{mailbox}@example.org")
        open_folder(self._inbox)
        (self._inbox / "new" / "0.link").symlink_to(root / "nowhere")
        self._came: dict[str, float] = {}
        self._starting = 0.0
        """Seconds that services have taken to start: on a busy machine they are most of the time."""
        self.waited: dict[str, float] = {}
        """Seconds from the delivery of each mail until its answer was read, but for starts, by Message-ID."""
        self._next_step, self.steps = time.monotonic(), 0

    def _start(self) -> None:
        """Its life begins when it runs. On a busy machine it would otherwise die before it has done anything, again and
        again, and mails would wait for the machine; ``Chaos`` kills services while they start."""
        log, starts, began = self.root / "service.log", self.starts, time.monotonic()
        before = log.stat().st_size if log.exists() else 0
        super()._start()
        while self.starts > starts and b"running: mailbox" not in log.read_bytes()[before:]:
            assert time.monotonic() < began + PATIENCE, log.read_text()[-3000:]
            time.sleep(0.05)
        self._starting += time.monotonic() - began

    def _step(self) -> None:
        """Set the clock when it is time: wrong if it is right, otherwise right."""
        now = time.monotonic()
        if now < self._next_step:
            return
        wrong = self._ahead.read_text() == "0"
        self._set(self.chance.choice(_STEPS) if wrong else 0)
        self.steps += wrong
        self._next_step = now + self.chance.uniform(*(_WRONG if wrong else _RIGHT))

    def _set(self, ahead: int) -> None:
        file = self._ahead.with_suffix(".new")
        file.write_text(str(ahead))
        file.rename(self._ahead)

    def _calm(self) -> None:
        self._set(0)
        super()._calm()

    def _turn(self, *, new: bool = True) -> None:
        if new:
            self._step()
        super()._turn(new=new)
        for name in self.answered & self._came.keys():
            self.waited[name] = time.monotonic() - self._starting - self._came.pop(name)

    def _disturb(self) -> None:
        if len(self._came) <= _AT_ONCE:
            super()._disturb()

    def _deliver(self, content: bytes) -> None:
        name = str(message_from_bytes(content)["Message-ID"])
        if name not in self.waited and self.sent[name][1] != "robot":
            self._came.setdefault(name, time.monotonic() - self._starting)
        self.delivered += 1
        file = self._inbox / "tmp" / f"{time.time():.6f}.c{self.delivered}.rough"
        file.write_bytes(content)
        file.rename(self._inbox / "new" / file.name)

    def _state(self) -> tuple[int, int, int]:
        """As ``Chaos``, without the mails to the refused recipient, which are never sent."""
        with self.database.reading() as session:
            decided = session.exec(select(func.count()).where(col(MailRow.outcome).is_not(None))).one()
            waiting = session.exec(select(func.count()).where(col(MailRow.outcome).is_(None))).one()
            queued = (OutboxRow.state == "queued", OutboxRow.recipient != REFUSED)
            unsent = session.exec(select(func.count()).where(*queued)).one()
        return decided, waiting, unsent

    def verdict(self) -> list[str]:
        with self.database.reading() as session:
            told = session.exec(select(OutboxRow.text).where(OutboxRow.recipient == REFUSED)).all()
        about_link = sum("0.link" in text for text in told)
        wrong = super().verdict()
        if about_link != 1:
            wrong.append(f"the operator was told of the link {about_link} times")
        if not (self._inbox / "new" / "0.link").is_symlink():
            wrong.append("the link was moved")
        late = {name: waited for name, waited in self.waited.items() if waited > LATEST}
        return [*wrong, *(f"{name} was answered after {waited:.0f} s" for name, waited in late.items())]

    def figures(self) -> str:
        waited: Sequence[float] = sorted(self.waited.values()) or [0.0]
        refused = self.smtp.refused.count(REFUSED)
        return (
            f"{super().figures()}; {self.steps} steps of the clock, {refused} refusals of one recipient; answers after"
            f" {waited[len(waited) // 2]:.1f} s (median) and {waited[-1]:.1f} s (longest), but for {self.starts} starts"
            f" that took {self._starting:.0f} s"
        )
