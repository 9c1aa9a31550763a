"""A person with a mail program: writes by SMTP, reads by IMAP."""

from __future__ import annotations

import re
import smtplib
import ssl
import time
from contextlib import suppress
from typing import Self

from imapclient import IMAPClient

from moderator.adapters.mail.imap_session import close
from tests.kit.mail_system.system import PASSWORD, MailSystem
from tests.kit.patience import PATIENCE
from tests.kit.service.mail_service import Letter, mail


class Player:
    """Has the mailbox of ``address``. ``letters`` are all mails that came, oldest first, as far as he has looked."""

    def __init__(self, system: MailSystem, address: str) -> None:
        self.system, self.address = system, address
        self.letters: list[Letter] = []
        self.arrived: list[float] = []
        """When each of them was seen, as ``time.monotonic``."""
        self.wrote = 0
        self._last_uid = 0
        self._smtp: smtplib.SMTP | None = None
        self._imap = IMAPClient("127.0.0.1", system.imap, ssl=False, timeout=PATIENCE)
        self._imap.login(address, PASSWORD)
        self._imap.select_folder("INBOX", readonly=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with suppress(Exception):
            self._imap.logout()
        close(self._imap)
        if self._smtp is not None:
            with suppress(smtplib.SMTPException, OSError):
                self._smtp.quit()
            self._smtp.close()

    # ---- writing

    def send(self, content: bytes, to: str, return_path: str | None = None) -> float:
        """Send bytes as they are, logged in as himself; the moment before."""
        began = time.monotonic()
        sender = self.address if return_path is None else return_path
        try:
            self._connection().sendmail(sender, [to], content)
        except smtplib.SMTPServerDisconnected:
            self._smtp = None
            self._connection().sendmail(sender, [to], content)
        self.wrote += 1
        return began

    def write(self, text: str, *, to: str | None = None, message_id: str = "") -> tuple[str, float]:
        """Answer the latest mail (or write to ``to``); the Message-ID and the moment before."""
        self.wrote += 1
        name = message_id or f"<{self.wrote}.{time.monotonic_ns()}@players.example>"
        recipient = to or self.reply_to()
        content = mail(text, sender=self.address, to=recipient, message_id=name)
        self.wrote -= 1
        return name, self.send(content, recipient)

    def _connection(self) -> smtplib.SMTP:
        if self._smtp is None:
            self._smtp = smtplib.SMTP("localhost", self.system.submission, timeout=PATIENCE)
            self._smtp.starttls(context=ssl.create_default_context(cafile=self.system.ca_file))
            self._smtp.login(self.address, PASSWORD)
        return self._smtp

    # ---- reading

    def look(self) -> list[Letter]:
        """What has come since the last look."""
        self._imap.noop()
        found = [uid for uid in self._imap.search(["UID", f"{self._last_uid + 1}:*"]) if uid > self._last_uid]
        new = []
        for uid in sorted(found):
            content = self._imap.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
            new.append(Letter.of(content))
            self.arrived.append(time.monotonic())
            self._last_uid = uid
        self.letters += new
        return new

    def answer_to(self, message_id: str, seconds: float = PATIENCE) -> tuple[Letter, float]:
        """The mail that answers ``message_id``, and when it was there."""
        until = time.monotonic() + seconds
        looked = 0
        while True:
            for number in range(looked, len(self.letters)):
                if str(self.letters[number].message["In-Reply-To"] or "").strip() == message_id:
                    return self.letters[number], self.arrived[number]
            looked = len(self.letters)
            if time.monotonic() > until:
                raise TimeoutError(f"{self.address} got no answer to {message_id}\n{self.system.log()[-4000:]}")
            if not self.look():
                time.sleep(0.01)

    def wait(self, count: int, seconds: float = PATIENCE) -> list[Letter]:
        """All his mails, once there are ``count``."""
        until = time.monotonic() + seconds
        while len(self.letters) < count:
            if time.monotonic() > until:
                raise TimeoutError(f"{self.address} has {len(self.letters)} mails of {count}")
            if not self.look():
                time.sleep(0.01)
        return self.letters

    def reply_to(self) -> str:
        """Where his latest mail wants its answer."""
        assert self.letters
        found = re.search(r"[^\s<>]+@[^\s<>]+", self.letters[-1].reply_to)
        assert found is not None
        return found.group()
