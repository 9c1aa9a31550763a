"""An SMTP server that answers as it is told.

``answers`` has, for each command, what it answers once for each entry instead of what a server would: a line such as
``450 4.2.0 Greylisted``, ``cut`` (the connection ends) or ``hang`` (nothing more is said). ``END`` ends a mail. With
``only``, the answers to ``RCPT`` and later commands are for mails to recipients that match that expression.
"""

from __future__ import annotations

import re
import socketserver
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

_OFFERS = ("PIPELINING", "8BITMIME", "SIZE 10000000", "AUTH PLAIN")


class _Cut(Exception):
    """The connection ends here."""


@dataclass
class FakeSmtp:
    offers: tuple[str, ...] = _OFFERS
    answers: dict[str, list[str]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    """Every command that came."""
    taken: list[bytes] = field(default_factory=list)
    """Every mail that came whole, whatever was answered to it."""
    connections: int = 0
    only: str = ""
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        fake = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                fake.connections += 1
                try:
                    _Talk(fake, self).run()
                except (_Cut, OSError, ValueError):
                    return

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

        self._server = Listener(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])


class _Talk:
    def __init__(self, fake: FakeSmtp, handler: socketserver.StreamRequestHandler) -> None:
        self.fake, self.handler = fake, handler
        self.recipient = ""

    def send(self, *lines: str) -> None:
        for number, line in enumerate(lines, 1):
            shown = line if number == len(lines) else line.replace(" ", "-", 1)
            self.handler.wfile.write(shown.encode() + b"\r\n")

    def told(self, command: str, usual: str) -> bool:
        """Answer; whether as a server would that has nothing against it."""
        others = self.fake.only and not re.search(self.fake.only, self.recipient)
        waiting = [] if others else self.fake.answers.get(command, [])
        answer = waiting.pop(0) if waiting else usual
        if answer == "cut":
            raise _Cut
        if answer == "hang":
            self.fake._over.wait(30)
            raise _Cut
        self.send(answer)
        if answer.startswith("421"):
            raise _Cut
        return answer == usual

    def run(self) -> None:
        self.told("GREETING", "220 ready")
        while line := self.handler.rfile.readline():
            text = line.decode().rstrip("\r\n")
            self.fake.said.append(text)
            if text.upper().startswith(("MAIL", "RCPT")):
                self.recipient = text
            match text.split(" ")[0].upper():
                case "EHLO":
                    self.send("250 fake", *(f"250 {offer}" for offer in self.fake.offers))
                case "AUTH":
                    self.told("AUTH", "235 welcome")
                case "DATA":
                    if self.told("DATA", "354 go on"):
                        self.fake.taken.append(self.mail())
                        self.told("END", "250 taken")
                case "QUIT":
                    self.send("221 bye")
                    return
                case command:
                    self.told(command, "250 ok")

    def mail(self) -> bytes:
        lines = []
        while (line := self.handler.rfile.readline()) != b".\r\n":
            if not line:
                raise _Cut
            lines.append(line)
        return b"".join(lines)
