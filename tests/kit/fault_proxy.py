"""A proxy between the service and a mail server that fails as networks and servers do, by a seed.

Each connection draws how it goes wrong and when: ``cut`` ends it before something is passed on, ``half`` in the middle
of an answer, ``delay`` holds it up, ``hang`` never says anything again. ``lost`` ends an SMTP connection when the
server has taken a mail and before its client hears of it. ``refuse`` answers in the server's place: a 4xx, 5xx
or 421 of SMTP, a NO of IMAP. What is doubled and out of order is for whoever delivers: a stream has no such thing.
"""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Self

_SMTP = "cut", "half", "delay", "hang", "lost", "refuse"
_IMAP = "cut", "half", "delay", "hang", "refuse"
_RARELY = "hang"
"""It costs the service a whole time-out."""
_REFUSALS = (b"451 4.3.0 try again later\r\n", b"452 4.2.2 mailbox full\r\n", b"421 4.3.2 closing\r\n")
_NEVER = b"550 5.1.1 no such mailbox\r\n"
_MOST_TURNS = 20
_REFUSED = re.compile(rb"^(?P<tag>\w+) (UID )?(FETCH|MOVE|SEARCH|NOOP|CREATE)\b", re.IGNORECASE)


@dataclass
class FaultProxy:
    """Listens on ``port`` of loopback while the context lasts. ``rate``: how many of the connections go wrong.
    ``never``: how many of the refused recipients are refused for good. ``faults`` counts what was done."""

    target: int
    kind: Literal["smtp", "imap"]
    seed: int
    rate: float = 0.5
    never: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    connections: int = 0
    refused: list[str] = field(default_factory=list)
    """Recipients that were refused for good."""
    always: dict[str, bytes] = field(default_factory=dict)
    """The server's answer to each RCPT, by recipient."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        started = threading.Event()

        def run() -> None:
            asyncio.set_event_loop(self._loop)
            self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
            self.port = int(self._server.sockets[0].getsockname()[1])
            started.set()
            self._loop.run_forever()
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.close()

        self._thread = threading.Thread(target=run, name=f"{self.kind} proxy", daemon=True)
        self._thread.start()
        assert started.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        talk = _Talk(self, random.Random(f"{self.seed} {self.kind} {self.connections}"))
        await talk.run(reader, writer)


class _Talk:
    """One connection."""

    def __init__(self, proxy: FaultProxy, chance: random.Random) -> None:
        self.proxy, self.chance = proxy, chance
        self.data = self.taken = False
        self.turns, self.fault = 0, ""
        self._draw()

    def _draw(self) -> None:
        """What happens next, and after how many turns that go well."""
        kinds = _SMTP if self.proxy.kind == "smtp" else _IMAP
        weights = [1 if kind == _RARELY else 4 for kind in kinds]
        self.fault = self.chance.choices(kinds, weights)[0] if self.chance.random() < self.proxy.rate else ""
        self.turns = self.chance.randrange(1, _MOST_TURNS)

    async def run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, server = await asyncio.open_connection("127.0.0.1", self.proxy.target)
        except OSError:
            writer.close()
            return
        tasks = [asyncio.create_task(self._up(reader, server, writer)), asyncio.create_task(self._down(there, writer))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for end in (writer, server):
                with suppress(Exception):
                    end.transport.abort()

    def _strikes(self, *kinds: str) -> bool:
        """Whether it is time, and one of these is what happens."""
        if self.fault not in kinds:
            return False
        self.turns -= 1
        if self.turns > 0 or not self.proxy.rate:
            return False
        self.proxy.faults[self.fault] += 1
        return True

    async def _up(
        self, reader: asyncio.StreamReader, server: asyncio.StreamWriter, writer: asyncio.StreamWriter
    ) -> None:
        """From the service to the server."""
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                refusal = self._refusal(chunk)
                if refusal:
                    writer.write(refusal)
                    await writer.drain()
                    continue
                if self.proxy.kind == "smtp":
                    if chunk.upper().startswith(b"DATA"):
                        self.data = True
                    elif self.data and chunk.endswith(b"\r\n.\r\n"):
                        self.data, self.taken = False, True
                server.write(chunk)
                await server.drain()

    def _refusal(self, chunk: bytes) -> bytes:
        if self.proxy.kind == "imap":
            found = _REFUSED.match(chunk)
            if not found or not self._strikes("refuse"):
                return b""
            self._draw()
            return found["tag"] + b" NO [UNAVAILABLE] not now\r\n"
        if not self.data and (found := re.match(rb"RCPT TO:<([^>]*)>", chunk, re.IGNORECASE)):
            recipient = found[1].decode()
            if recipient in self.proxy.always:
                self.proxy.refused.append(recipient)
                return self.proxy.always[recipient]
        if self.data or not chunk.upper().startswith((b"MAIL", b"RCPT")) or not self._strikes("refuse"):
            return b""
        self._draw()
        if chunk.upper().startswith(b"RCPT") and self.chance.random() < self.proxy.never:
            found = re.search(rb"<([^>]*)>", chunk)
            self.proxy.refused.append(found[1].decode() if found else "")
            return _NEVER
        return self.chance.choice(_REFUSALS)

    async def _down(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """From the server to the service."""
        with suppress(OSError):
            while chunk := await there.read(65_536):
                if self.taken:
                    self.taken = False
                    if self._strikes("lost"):
                        return
                if self._strikes("cut", "half", "delay", "hang"):
                    if self.fault == "hang":
                        await asyncio.sleep(60)
                        return
                    if self.fault != "delay":
                        writer.write(chunk[: len(chunk) // 2] if self.fault == "half" else b"")
                        await writer.drain()
                        return
                    self._draw()
                    await asyncio.sleep(self.chance.uniform(0.02, 0.3))
                writer.write(chunk)
                await writer.drain()
