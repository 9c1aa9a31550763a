"""Incoming mail in a folder on an IMAP server.

A message is named by the folder's UIDVALIDITY, its UID, its size and its date of arrival. The name is only a hint. If a
server forgets these values, messages come again under other names, and their contents show that they were answered. If
it gives a UID to another message, that message has another name. Flags are ignored, because somebody may read the
mailbox by hand.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4
from typing import Any, Protocol, TypeVar

from imapclient import IMAPClient

from moderator.adapters.mail.imap_session import Broken, Folders, close, connect, refusals, said
from moderator.adapters.mail.maildir import return_path
from moderator.adapters.mail.server import REFUSED, Backoff, Server
from moderator.domain.ports import Away, Incoming, Lying, NotNow

log = logging.getLogger("railpost")

_HEAD = 65_536
"""Bytes that are fetched of a message that is too large; they include its header."""
_ITEMS = ["RFC822.SIZE", "INTERNALDATE"]
_SIZES, _BODIES, _BODY_BYTES = 500, 50, 2_000_000
"""Most messages whose sizes are fetched at once; most messages whose bodies are; most bytes of these bodies."""
_TRIED_AGAIN = 5
"""Most messages that the server could not give and that are tried again in one look."""
T = TypeVar("T")


class Memory(Protocol):
    """Remembers small facts beyond a restart."""

    def recall(self, key: str) -> Mapping[str, Any] | None: ...
    def remember(self, key: str, value: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class _About:
    """Facts that the server gives about a message before it is fetched."""

    size: int
    received: datetime


@dataclass(slots=True)
class _Session:
    client: IMAPClient
    validity: int
    next_uid: int
    folders: Folders
    about: dict[int, _About] = field(default_factory=dict)
    """The messages in the folder by UID. As long as a session lasts, a UID stays with its message."""
    broken: dict[int, str] = field(default_factory=dict)
    """Why the server could not give a message, by UID, least recently tried first. Some are tried again at every look;
    each is logged once."""


class ImapIntake:
    """A folder of a mailbox, for one thread at a time. ``since`` is ``start`` (mail that comes after the first look),
    ``all``, or a day."""

    def __init__(
        self, server: Server, folder: str, filed: str, since: str, memory: Memory, backoff: Backoff | None = None
    ) -> None:
        self._server, self._folder, self._filed, self._since, self._memory = server, folder, filed, since, memory
        self._backoff = backoff or Backoff()
        self._session: _Session | None = None
        self._broken: tuple[int, dict[int, str]] = -1, {}
        """UIDVALIDITY and ``_Session.broken`` of the latest session: a new connection does not forget them."""

    @property
    def name(self) -> str:
        return f"imap:{self._server.user}@{self._server.host}/{self._folder}"

    @property
    def begun(self) -> bool:
        return self._since != "start" or self._memory.recall(self.name) is not None

    def close(self) -> None:
        if self._session is not None:
            close(self._session.client)
            self._session = None

    # ---- taking in

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        try:
            validity, uids = self._do(self._wanted)
        except Away:
            raise
        except NotNow:  # the server may accept on a new connection what it refuses on this one
            self.close()
            raise
        for some in _parts(uids, _SIZES):
            about = self._do(lambda session, some=some: self._about(session, some))  # type: ignore[misc]
            fresh = [uid for uid in some if uid in about and _reference(validity, uid, about[uid]) not in known]
            alone = frozenset() if self._session is None else frozenset(self._session.broken)
            for group in _groups(fresh, about, largest, alone):
                for uid, content in self._do(self._bodies(group, about, largest)):
                    if self._session is None or self._session.validity != validity:
                        return  # the folder was recreated: the fetched messages may be others
                    yield _incoming(_reference(validity, uid, about[uid]), about[uid], content, largest)

    def probe(self) -> None:
        """Check that the mailbox can be read. Takes nothing and remembers nothing."""
        self.count()

    def count(self) -> Lying:
        """Count the messages in the mailbox. Takes nothing and remembers nothing."""

        def counted(session: _Session) -> Lying:
            everything = session.client.search("ALL")
            begun = self._memory.recall(self.name)
            wanted = [] if self._since == "start" and begun is None else self._search(session, begun)
            return Lying(len(everything), len(wanted))

        return self._do(counted)

    def _wanted(self, session: _Session) -> tuple[int, list[int]]:
        """UIDVALIDITY, and the UIDs of the messages to take in, oldest first; those that the server could not give
        come last."""
        session.client.noop()  # the server must announce new messages now at the latest
        begun = self._memory.recall(self.name)
        if begun is None:
            begun = {"validity": session.validity, "uid": session.next_uid, "at": datetime.now(UTC).isoformat()}
            self._memory.remember(self.name, begun)
            if self._since == "start":
                log.info("mailbox %s: begins with the next mail", self.name)
        found = self._search(session, begun)
        again = [uid for uid in session.broken if uid in found][:_TRIED_AGAIN]
        return session.validity, [*sorted(found - session.broken.keys()), *again]

    def _search(self, session: _Session, begun: Mapping[str, Any] | None) -> set[int]:
        client, near = session.client, list[int]()
        if self._since == "all" or (begun is None and self._since == "start"):
            found = client.search("ALL")
        elif self._since == "start" and begun is not None and begun["validity"] == session.validity:
            first = int(begun["uid"])
            found = [uid for uid in client.search(["UID", f"{first}:*"]) if uid >= first]
        else:  # by date, also if the folder was recreated since the first look
            text = self._since if begun is None or self._since != "start" else str(begun["at"])
            moment = datetime.fromisoformat(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            # The server compares days in its own zone: search from a day earlier, then compare the moments.
            near = client.search(["SINCE", (moment - timedelta(days=1)).date()])
            about = self._about(session, near)
            found = [uid for uid in near if uid in about and about[uid].received >= moment.replace(microsecond=0)]
        undated = {uid for uid in near if uid not in session.about}
        for uid in session.broken.keys() - undated - set(found):
            del session.broken[uid]  # it is gone, or older than what is wanted
        return set(found)

    def _bodies(
        self, group: list[int], about: Mapping[int, _About], largest: int
    ) -> Callable[[_Session], list[tuple[int, bytes]]]:
        """A function that fetches the contents of ``group``: messages within the limit, or one message over it. It
        leaves out messages that are gone, and those that the server cannot give now: these do not hold up the rest."""
        over = about[group[0]].size > largest
        item = f"BODY.PEEK[]<0.{_HEAD if over else largest + 1}>"

        def fetched(session: _Session) -> list[tuple[int, bytes]]:
            try:
                found = _contents(group, _fetch(session, group, [item]))
            except Broken:
                raise
            except IMAP4.error as error:
                if len(group) > 1:
                    return [pair for uid in group for pair in self._bodies([uid], about, largest)(session)]
                self._skip(session, group[0], said(error))
                return []
            for uid, _ in found:
                session.broken.pop(uid, None)
            return found

        return fetched

    def _about(self, session: _Session, uids: list[int]) -> dict[int, _About]:
        """Size and arrival of ``uids``, without messages that are gone, for which the server gave only one of the two,
        or for which it refuses to give them: these are looked for by halves, and skipped."""
        unknown = [uid for uid in uids if uid not in session.about]
        asked = [*_parts([uid for uid in unknown if uid not in session.broken], _SIZES)]
        asked = [*([uid] for uid in unknown if uid in session.broken), *reversed(asked)]
        while asked:
            some = asked.pop()
            try:
                _learn(session, some)
            except Broken:
                raise
            except IMAP4.error as error:
                if len(some) == 1:
                    self._skip(session, some[0], said(error))
                else:
                    middle = len(some) // 2
                    asked += [some[middle:], some[:middle]]
        return {uid: session.about[uid] for uid in uids if uid in session.about}

    def _skip(self, session: _Session, uid: int, why: str) -> None:
        """Note that the server could not give the message, for now."""
        if session.broken.pop(uid, None) is None:
            log.warning("mailbox %s: message %s cannot be fetched: %s", self.name, uid, why)
        session.broken[uid] = why

    @property
    def skipped(self) -> Mapping[str, str]:
        return {f"UID {uid}": why for uid, why in self._broken[1].items()}

    # ---- filing

    def file(self, reference: str, outcome: str) -> None:
        """Move the message to the folder of its outcome. Raises ``NotNow`` if the mailbox refuses."""
        validity, uid = _named(reference)

        def filed(session: _Session) -> None:
            if session.validity != validity:
                return  # the folder was recreated, and its messages have other names
            about = self._about(session, [uid]).get(uid)
            if about is None and uid in session.broken:
                raise NotNow(session.broken[uid])
            if about is not None and _reference(validity, uid, about) == reference:
                self._move(session, uid, outcome)
                session.about.pop(uid, None)

        self._do(filed)

    def _move(self, session: _Session, uid: int, outcome: str) -> None:
        target = session.folders.ensure(self._filed, outcome)
        try:
            with refusals():
                self._move_to(session.client, uid, target)
        except NotNow:
            if not session.client.search(["UID", str(uid)]):
                return  # the message is gone
            session.folders.forget()
            target = session.folders.ensure(self._filed, outcome)
            with refusals():
                self._move_to(session.client, uid, target)

    def _move_to(self, client: IMAPClient, uid: int, target: str) -> None:
        if client.has_capability("MOVE"):
            client.move([uid], target)
            return
        client.copy([uid], target)
        client.add_flags([uid], [b"\\Deleted"], silent=True)
        if client.has_capability("UIDPLUS"):
            client.uid_expunge([uid])
            return
        # Without UIDPLUS, EXPUNGE removes all marked messages: unmark the others meanwhile.
        others = [other for other in client.search("DELETED") if other != uid]
        if others:
            client.remove_flags(others, [b"\\Deleted"], silent=True)
        try:
            client.expunge()
        finally:
            if others:
                client.add_flags(others, [b"\\Deleted"], silent=True)

    # ---- the connection

    def _do(self, work: Callable[[_Session], T]) -> T:
        """Run ``work``. If an existing connection turns out to be broken, run it once more on a new one: a connection
        that the server dropped silently is noticed only when it is used."""
        used = self._session is not None
        session = self._ready()
        try:
            return work(session)
        except Broken as error:
            self.close()
            if used:
                return self._do(work)
            raise self._backoff.failed(f"{self._server.host} broke off: {said(error)}") from error
        except IMAP4.error as error:
            raise NotNow(said(error)) from error

    def _ready(self) -> _Session:
        if self._session is not None:
            return self._session
        self._backoff.check()
        client = connect(self._server, self._backoff)
        try:
            self._session = self._opened(client)
        except Broken as error:
            close(client)
            raise self._backoff.failed(f"{self._server.host} broke off: {said(error)}") from error
        except IMAP4.error as error:
            close(client)
            raise self._backoff.failed(f"{self._server.host} has no {self._folder}: {said(error)}", REFUSED) from error
        self._backoff.worked()
        return self._session

    def _opened(self, client: IMAPClient) -> _Session:
        selected = client.select_folder(self._folder)
        validity = int(selected.get(b"UIDVALIDITY", 0))
        next_uid = int(selected.get(b"UIDNEXT", 0))
        if not next_uid:
            next_uid = max(client.search("ALL"), default=0) + 1
        if self._broken[0] != validity:
            self._broken = validity, {}
        return _Session(client, validity, next_uid, Folders(client), broken=self._broken[1])


def _reference(validity: int, uid: int, about: _About) -> str:
    return f"{validity}.{uid}.{about.size}.{int(about.received.timestamp())}"


def _named(reference: str) -> tuple[int, int]:
    """The UIDVALIDITY and UID in ``reference``; (-1, -1), which matches nothing, if it is not one of ours."""
    parts = reference.split(".")
    return (int(parts[0]), int(parts[1])) if all(part.isdecimal() for part in parts[:2]) and parts[1:] else (-1, -1)


def _learn(session: _Session, uids: list[int]) -> None:
    """Fetch size and arrival of ``uids``."""
    for uid, answer in session.client.fetch(uids, _ITEMS).items():
        size, received = answer.get(b"RFC822.SIZE"), answer.get(b"INTERNALDATE")
        if isinstance(size, int) and isinstance(received, datetime):
            zoned = received if received.tzinfo else received.replace(tzinfo=UTC)
            session.about[uid] = _About(size, zoned.astimezone(UTC))


def _fetch(session: _Session, uids: list[int], items: list[str]) -> dict[int, Mapping[bytes, Any]]:
    answers: dict[int, Mapping[bytes, Any]] = {}
    for some in _parts(uids, _SIZES):
        answers.update(session.client.fetch(some, items))
    return answers


def _contents(uids: list[int], answers: Mapping[int, Mapping[bytes, Any]]) -> list[tuple[int, bytes]]:
    found = []
    for uid in uids:
        content = next((value for key, value in answers.get(uid, {}).items() if key.startswith(b"BODY[")), None)
        if isinstance(content, bytes):
            found.append((uid, content))
    return found


def _parts(items: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _groups(uids: list[int], about: Mapping[int, _About], largest: int, alone: Container[int]) -> Iterator[list[int]]:
    """Groups of messages to fetch at once, in order. A group has few messages and few bytes; a message over the limit,
    or in ``alone``, has a group of its own."""
    group: list[int] = []
    together = 0
    for uid in uids:
        size = about[uid].size
        single = size > largest or uid in alone
        if group and (single or len(group) == _BODIES or together + size > _BODY_BYTES):
            yield group
            group, together = [], 0
        group, together = [*group, uid], together + size
        if single:
            yield group
            group, together = [], 0
    if group:
        yield group


def _incoming(reference: str, about: _About, content: bytes, largest: int) -> Incoming:
    """The message as the service takes it in. Its size is that of the bytes received, because servers that store
    messages in another form only estimate it."""
    if about.size > largest:
        size = max(about.size, len(content) + 1)
    elif len(content) > largest:
        size, content = len(content), content[:_HEAD]
    else:
        size = len(content)
    return Incoming(reference, about.received, size, content, return_path(content))
