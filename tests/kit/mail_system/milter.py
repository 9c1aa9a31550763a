"""The milter protocol, as much of it as the filter needs. A message is a length, a letter, and data.

Written after the protocol that Sendmail's libmilter and Postfix's MILTER_README describe, version 6.
"""

from __future__ import annotations

import asyncio
import struct
import threading
from collections.abc import Iterable
from pathlib import Path

from tests.kit.mail_system.filter import NAME, Identities, Message

_VERSION = 6
_ADDS, _CHANGES = 0x01, 0x10
_NO = 0x01 | 0x08 | 0x10 | 0x40 | 0x100 | 0x200
"""What we do not want to hear of: connections, recipients, bodies, the end of the header, unknown commands, DATA."""
_NO_REPLY = 0x80
"""Headers are not answered one by one."""
_CONTINUE = b"c"


class Milter:
    """Listens on a socket in the file system, in a thread of its own. ``identities`` may be changed while it runs."""

    def __init__(self, path: Path, identities: Identities) -> None:
        self.path, self.identities = path, identities
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="milter", daemon=True)
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)
        self.path.chmod(0o666)

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _open(self) -> None:
        self._server = await asyncio.start_unix_server(self._talk, str(self.path))

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._talks:
            task.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            await _Talk(reader, writer, self.identities).run()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._talks.discard(task)
            writer.close()


class _Talk:
    """One connection of Postfix."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, identities: Identities) -> None:
        self._reader, self._writer, self._identities = reader, writer, identities
        self._helo = self._user = ""
        self._message = Message()

    async def run(self) -> None:
        while True:
            (size,) = struct.unpack("!I", await self._reader.readexactly(4))
            data = await self._reader.readexactly(size)
            if data[:1] in (b"Q", b"K"):
                return
            for answer in self._answers(data[:1], data[1:]):
                self._writer.write(struct.pack("!I", len(answer)) + answer)
            await self._writer.drain()

    def _answers(self, command: bytes, data: bytes) -> Iterable[bytes]:
        match command:
            case b"O":
                _, actions, protocol = struct.unpack("!III", data[:12])
                wanted = struct.pack("!III", _VERSION, actions & (_ADDS | _CHANGES), protocol & (_NO | _NO_REPLY))
                return [b"O" + wanted]
            case b"D":  # macros, which come before the command that they belong to
                texts = _texts(data[1:])
                macros = dict(zip(texts[::2], texts[1::2], strict=False))
                if data[:1] == b"M":
                    self._user = macros.get("{auth_authen}", "")
                return []
            case b"H":
                self._helo = _texts(data)[0]
                return [_CONTINUE]
            case b"M":
                self._message = Message(self._user, self._helo, _texts(data)[0].strip("<>"))
                return [_CONTINUE]
            case b"L":
                name, value = _texts(data)[:2]
                self._message.headers.append((name, value))
                return []
            case b"E":
                return self._end()
            case b"A":
                self._message, self._user = Message(), ""
                return []
            case _:
                return [_CONTINUE]

    def _end(self) -> list[bytes]:
        """Remove theirs, the last first so that the others keep their numbers, and put ours on top."""
        numbers = range(self._message.foreign(), 0, -1)
        answers = [b"m" + struct.pack("!I", number) + NAME.encode() + b"\0\0" for number in numbers]
        value = self._message.results(self._identities).encode()
        answers.append(b"i" + struct.pack("!I", 0) + b"Authentication-Results\0" + value + b"\0")
        return [*answers, _CONTINUE]


def _texts(data: bytes) -> list[str]:
    return [part.decode("utf-8", "replace") for part in data.split(b"\0")]
