"""An IMAP server that behaves as it is told: it speaks what the service needs, and fails where a test wants it to.

``faults`` names what happens at a command, once for each entry: ``cut`` ends the connection in the middle of the
answer, ``eof`` before it, ``hang`` says nothing more, ``no`` refuses, ``half`` leaves the last part of an answer out.
"""

from __future__ import annotations

import re
import socketserver
import threading
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

_ALL = ("IMAP4rev1", "AUTH=PLAIN", "IDLE", "MOVE", "UIDPLUS", "NAMESPACE")


@dataclass
class Stored:
    uid: int
    content: bytes
    date: str = "01-Mar-2026 12:00:00 +0000"
    flags: set[str] = field(default_factory=set)
    size: int = 0
    """What is told as its size; 0 tells the truth."""


class _Cut(Exception):
    """The connection ends here."""


@dataclass
class FakeImap:
    capabilities: tuple[str, ...] = _ALL
    validity: int = 7
    folders: dict[str, list[Stored]] = field(default_factory=lambda: {"INBOX": []})
    faults: dict[str, list[str]] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)
    """UIDs of messages for which every FETCH is refused."""
    refuse_login: bool = False
    said: list[str] = field(default_factory=list)
    """Every command that came."""
    chatter: tuple[bytes, ...] = ()
    """What is told, while somebody idles, in the same breath before new mail is."""
    connections: int = 0
    idling: threading.Event = field(default_factory=threading.Event)
    _news: threading.Event = field(default_factory=threading.Event)
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
        self._news.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def inbox(self) -> list[Stored]:
        return self.folders["INBOX"]

    def put(self, content: bytes, uid: int = 0, **more: str | int) -> Stored:
        """A message comes, with the next UID or with ``uid``."""
        following = max((stored.uid for stored in self.inbox), default=0) + 1
        stored = Stored(uid or following, content, **more)  # type: ignore[arg-type]
        self.inbox.append(stored)
        self._news.set()
        return stored

    def fault(self, command: str) -> str:
        waiting = self.faults.get(command, [])
        return waiting.pop(0) if waiting else ""


class _Talk:
    def __init__(self, fake: FakeImap, handler: socketserver.StreamRequestHandler) -> None:
        self.fake, self.handler = fake, handler
        self.folder = "INBOX"

    def send(self, *lines: bytes) -> None:
        self.handler.wfile.write(b"".join(line + b"\r\n" for line in lines))
        self.handler.wfile.flush()

    def hang(self) -> None:
        self.fake._over.wait(30)
        raise _Cut

    def run(self) -> None:
        if self.fake.fault("GREETING") == "hang":
            self.hang()
        self.send(b"* OK ready")
        while line := self.handler.rfile.readline():
            tag, _, rest = line.decode().rstrip("\r\n").partition(" ")
            words = rest.split(" ")
            command = words[0].upper()
            if command == "UID":
                command = words[1].upper()
            self.fake.said.append(rest)
            match self.fake.fault(command):
                case "eof":
                    raise _Cut
                case "hang":
                    self.hang()
                case "no":
                    self.send(f"{tag} NO not now".encode())
                    continue
                case fault:
                    self.answer(tag, command, rest, fault)
            if command == "LOGOUT":
                return

    def answer(self, tag: str, command: str, rest: str, fault: str) -> None:
        done = f"{tag} OK {command} done".encode()
        stored = self.fake.folders.get(self.folder, [])
        match command:
            case "CAPABILITY":
                self.send(b"* CAPABILITY " + " ".join(self.fake.capabilities).encode())
            case "AUTHENTICATE" | "LOGIN":
                if command == "AUTHENTICATE":
                    self.send(b"+ ")
                    self.handler.rfile.readline()
                if self.fake.refuse_login:
                    done = f"{tag} NO [AUTHENTICATIONFAILED] wrong".encode()
            case "SELECT" | "EXAMINE":
                following = max((one.uid for one in stored), default=0) + 1
                self.send(
                    b"* FLAGS (\\Seen \\Deleted)", f"* {len(stored)} EXISTS".encode(),
                    f"* OK [UIDVALIDITY {self.fake.validity}] so".encode(),
                    f"* OK [UIDNEXT {following}] so".encode(),
                )  # fmt: skip
            case "NOOP":
                self.send(f"* {len(stored)} EXISTS".encode())
            case "NAMESPACE":
                self.send(b'* NAMESPACE (("INBOX." ".")) NIL NIL')
            case "LIST":
                name = rest.split(" ", 2)[2].strip('"')
                if name == "":
                    self.send(b'* LIST (\\Noselect) "/" ""')
                elif name in self.fake.folders:
                    self.send(f'* LIST () "/" "{name}"'.encode())
            case "CREATE":
                self.fake.folders.setdefault(rest.partition(" ")[2].strip('"'), [])
            case "SEARCH":
                found = self.search(rest)
                self.send(b"* SEARCH " + " ".join(str(one.uid) for one in found).encode())
            case "FETCH":
                if any(one.uid in self.fake.unreadable for one in self.chosen(rest, stored)):
                    done = f"{tag} NO not this one".encode()
                else:
                    self.fetch(rest, stored, fault)
            case "MOVE" | "COPY":
                self.transfer(rest, stored, moved=command == "MOVE")
            case "STORE":
                for one in self.chosen(rest, stored):
                    (one.flags.add if "+FLAGS" in rest else one.flags.discard)("\\Deleted")
            case "EXPUNGE":
                chosen = self.chosen(rest, stored) if rest.upper().startswith("UID") else stored
                gone = [one for one in chosen if "\\Deleted" in one.flags]
                self.fake.folders[self.folder] = [one for one in stored if one not in gone]
            case "IDLE":
                self.idle(fault)
        self.send(done)

    def chosen(self, rest: str, stored: list[Stored]) -> list[Stored]:
        wanted = set()
        for part in rest.split(" ")[2].split(","):
            first, _, last = part.partition(":")
            top = max((one.uid for one in stored), default=0)
            end = int(first) if not last else top if last == "*" else int(last)
            wanted |= set(range(min(int(first), end), max(int(first), end) + 1))
        return [one for one in stored if one.uid in wanted]

    def search(self, rest: str) -> list[Stored]:
        stored = self.fake.folders[self.folder]
        upper = rest.upper()
        if " DELETED" in upper:
            return [one for one in stored if "\\Deleted" in one.flags]
        if found := re.search(r"SEARCH UID (\S+)", upper):
            return self.chosen(f"UID SEARCH {found[1]}", stored)
        return stored

    def fetch(self, rest: str, stored: list[Stored], fault: str) -> None:
        for one in self.chosen(rest, stored):
            size = one.size or len(one.content)
            head = f"* {stored.index(one) + 1} FETCH (UID {one.uid}"
            if "BODY" not in rest.upper():
                date = "" if fault == "half" else f' INTERNALDATE "{one.date}"'
                self.send(f"{head} RFC822.SIZE {size}{date})".encode())
                continue
            limit = re.search(r"<0\.(\d+)>", rest)
            content = one.content[: int(limit[1])] if limit else one.content
            if fault == "half":
                self.send(f"{head})".encode())
                continue
            self.handler.wfile.write(f"{head} BODY[]<0> {{{len(content)}}}\r\n".encode())
            if fault == "cut":
                self.handler.wfile.write(content[: len(content) // 2])
                raise _Cut
            self.send(content + b")")

    def transfer(self, rest: str, stored: list[Stored], *, moved: bool) -> None:
        target = rest.split(" ", 3)[3].strip('"')
        for one in self.chosen(rest, stored):
            self.fake.folders[target].append(one)
            if moved:
                self.fake.folders[self.folder].remove(one)

    def idle(self, fault: str) -> None:
        self.fake._news.clear()
        self.send(b"+ idling")
        self.fake.idling.set()
        if fault == "cut":
            self.handler.wfile.write(b"* 1 EX")
            self.hang()
        if fault == "half":  # it begins, and then the server is gone
            self.fake._news.wait(0.05)
            raise _Cut
        self.handler.connection.settimeout(0.02)
        done = b""
        while b"DONE" not in done:
            if self.fake._news.is_set():
                self.fake._news.clear()
                self.send(*self.fake.chatter, f"* {len(self.fake.inbox)} EXISTS".encode())
            try:
                more = self.handler.connection.recv(100)
            except TimeoutError:
                continue
            if not more:
                raise _Cut
            done += more
        self.handler.connection.settimeout(None)
        if fault == "deaf":
            self.hang()
