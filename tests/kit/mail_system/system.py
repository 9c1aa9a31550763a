"""Starts and ends the servers. They die with the process that started them, and leave nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.kit.mail_system import dovecot, postfix
from tests.kit.mail_system.filter import Identities
from tests.kit.mail_system.milter import Milter
from tests.kit.mail_system.requirements import DOVECOT, POSTFIX, POSTFIX_MASTER, Missing, missing_programs
from tests.kit.patience import PATIENCE

DOMAINS = ("example.org", "players.example", "elsewhere.example")
"""Every address in them exists, but for those that begin with ``nobody``; ``NAME+anything`` is ``NAME``."""
BOUNCES = ("railpost-bounces@example.org", "railpost@example.org")
"""Mail to the first lies in the mailbox of the second."""
PASSWORD = "secret"
_TRIES = 3


@dataclass
class MailSystem:
    """``with MailSystem() as system``: ports of ``127.0.0.1`` and the mailboxes. Everybody's password is ``secret``,
    his name is his address. ``smtp`` takes mail from outside; ``submission`` and ``submissions`` take it from people
    who log in. ``identities`` is what the filter knows."""

    identities: Identities = field(default_factory=Identities)
    capability: str = ""
    """What Dovecot says it can, if it shall say less than it does."""
    folder: Path = field(init=False)
    smtp: int = 0
    submission: int = 0
    submissions: int = 0
    imap: int = 0
    imaps: int = 0
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _milter: Milter | None = None

    def __enter__(self) -> Self:
        reason = missing_programs()
        if reason:
            raise Missing(reason)
        # Not below pytest's folders: the servers' own users must be able to reach it, and names of sockets are short.
        self.folder = Path(tempfile.mkdtemp(prefix="railpost-mail-"))
        self.folder.chmod(0o755)
        try:
            self._certificate()
            self._milter = Milter(self.folder / "filter", self.identities)
            self._milter.start()
            for attempt in range(_TRIES):
                try:
                    self._start()
                    break
                except TimeoutError:  # somebody else may have taken a port meanwhile
                    self._end()
                    if attempt == _TRIES - 1:
                        raise
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        if self._milter is not None:
            self._milter.stop()
            self._milter = None
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def ca_file(self) -> Path:
        """The certificate that the servers' TLS is to be checked with; their name is ``localhost``."""
        return self.folder / "server.pem"

    def maildir(self, address: str) -> Path:
        """Where Dovecot keeps the mail of an address."""
        return self.folder / "mail" / address

    def log(self) -> str:
        """What the servers wrote."""
        files = [self.folder / name for name in ("postfix.log", "dovecot.log", "start.log")]
        return "\n".join(file.read_text(errors="replace") for file in files if file.exists())

    # ---- starting and ending

    def _start(self) -> None:
        ports = self.smtp, self.submission, self.submissions, self.imap, self.imaps = _free_ports(5)
        here = postfix.write(self.folder, DOMAINS, self.smtp, self.submission, self.submissions)
        shutil.chown(here / "data", "postfix")
        file = dovecot.write(self.folder, PASSWORD, self.imap, self.imaps, self.capability)
        os.chown(self.folder / "mail", dovecot.NOBODY, dovecot.NOBODY)
        alias = self.maildir(BOUNCES[0])
        if not alias.is_symlink():
            alias.symlink_to(self.maildir(BOUNCES[1]))
        self._run(DOVECOT, "-F", "-c", file)
        with (self.folder / "start.log").open("ab") as log:  # makes the folders of its queue
            subprocess.run([POSTFIX, "-c", here, "check"], stdout=log, stderr=log, check=False)
        self._run(*self._master())
        self._await(ports)

    def _master(self) -> tuple[Path | str, ...]:
        return POSTFIX_MASTER, "-s", "-c", self.folder / "postfix"

    def stop_imap(self) -> None:
        """Dovecot goes away."""
        _stop(self._running.pop(0))

    def start_imap(self) -> None:
        """Dovecot comes again, on the same ports."""
        self._running.insert(0, self._spawn(DOVECOT, "-F", "-c", self.folder / "dovecot.conf"))
        self._await((self.imap, self.imaps))

    def stop_smtp(self) -> None:
        """Postfix goes away."""
        _stop(self._running.pop(1))

    def start_smtp(self) -> None:
        """Postfix comes again, on the same ports."""
        self._run(*self._master())
        self._await((self.smtp, self.submission, self.submissions))

    def _end(self) -> None:
        """At once: nothing of what they have is wanted any more."""
        for process in self._running:
            process.terminate()
        while self._running:
            _stop(self._running.pop(), 0.2)

    def _run(self, *command: Path | str) -> None:
        self._running.append(self._spawn(*command))

    def _spawn(self, *command: Path | str) -> subprocess.Popen[bytes]:
        with (self.folder / "start.log").open("ab") as log:
            # ... which the kernel ends should this process be killed.
            return subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "--", *map(str, command)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def _await(self, ports: tuple[int, ...]) -> None:
        until = time.monotonic() + PATIENCE
        for port in ports:
            while not _listens(port):
                if time.monotonic() > until or any(process.poll() is not None for process in self._running):
                    raise TimeoutError(f"nothing listens on port {port}\n{self.log()}")
                time.sleep(0.02)

    def _certificate(self) -> None:
        command = (
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "3", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", str(self.folder / "server.key"), "-out", str(self.folder / "server.pem"),
        )  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)


def _stop(process: subprocess.Popen[bytes], patience: float = 2.0) -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with suppress(ProcessLookupError):  # it leads a group of its own, in which all that it started is
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def _free_ports(count: int) -> tuple[int, ...]:
    """Ports that nobody listens on just now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for sock in sockets:
            sock.bind(("127.0.0.1", 0))
        return tuple(sock.getsockname()[1] for sock in sockets)
    finally:
        for sock in sockets:
            sock.close()
