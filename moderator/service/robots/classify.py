"""Tells mail of programs from mail of people, before anything in it is read.

The order of the tests matters, so that nothing is mistaken: our own mail and mail loops, reports with a form of their
own, the address that stops mail, mail without a return path, and then all marks of programs that answer. The first test
that fits decides.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from email.message import Message
from typing import Final
from unicodedata import normalize

from flufl.bounce import all_failures

from moderator.domain.outcome import Outcome
from moderator.service.reading.message import BODY, ODD, addresses, body_of, head_of, value, values
from moderator.service.reading.recipients import ADDRESSED, decoded_words, spelled_out
from moderator.service.robots import marks
from moderator.service.robots.codes import surely_failed, text_of
from moderator.settings import Settings

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # it logs each detector it tries, and its failures
_NOTICE: Final = 2_000
"""The length of a text within which a notice says what it is."""
_MOST_HOPS: Final = 30
"""``Received`` headers; a mail with more goes round in circles."""
_CALENDAR: Final = re.compile(rb"content-type:[ \t]*text/calendar\b[^\r\n]*(?:\r?\n[ \t][^\r\n]*){0,4}", re.IGNORECASE)
_ANSWERED: Final = re.compile(rb"method=\"?(?:reply|counter|declinecounter|refresh)\b", re.IGNORECASE)
_REPORTS: Final[dict[str, Outcome]] = {
    "delivery-status": "bounce",
    "disposition-notification": "receipt",
    "feedback-report": "complaint",
    "tlsrpt": "report",
}
_STATUS_PARTS: Final[dict[str, Outcome]] = {
    "message/delivery-status": "bounce",
    "message/global-delivery-status": "bounce",
    "message/disposition-notification": "receipt",
    "message/global-disposition-notification": "receipt",
    "message/feedback-report": "complaint",
}


@dataclass(frozen=True, slots=True)
class Automatic:
    """A mail of a program. ``why`` is for the operator. ``name`` is the name in the address to which it came (RFC 5321
    VERP): for ``unsubscribe`` the token, for ``bounce`` and all others the outgoing mail."""

    outcome: Outcome
    why: str
    name: str = ""


def classify(content: bytes, envelope_from: str | None, settings: Settings) -> Automatic | None:
    """The kind of program that sent ``content``; None for a person. Raises nothing."""
    try:
        return _Look(content, envelope_from, settings).run()
    except ODD:  # the next stage refuses what the header library cannot parse
        return Automatic("robot", "null return path") if envelope_from == "" else None


def is_spam(content: bytes) -> bool:
    """True if our own mail server marked the mail as spam. A mark that the sender wrote himself counts too."""
    head = head_of(content)
    return any(value(head, name).lower().startswith("yes") for name in ("X-Spam-Flag", "X-Spam-Status", "X-Spam"))


def went_to_many(content: bytes, envelope_from: str | None) -> bool:
    """True if the mail came by a mailing list or a bulk mailing (RFC 2369, RFC 2919). Its return path is a program's,
    and no stranger among its writers is answered there (RFC 3834 2)."""
    head = head_of(content)
    return (
        any(value(head, name) for name in marks.LIST_HEADERS)
        or value(head, "Precedence").lower() in ("list", "bulk", "junk")
        or bool(marks.RETURN_PATHS.fullmatch((envelope_from or "").rpartition("@")[0]))
    )


class _Look:
    def __init__(self, content: bytes, envelope_from: str | None, settings: Settings) -> None:
        self.content, self.path, self.own = content, envelope_from, settings
        self.head = head_of(content)
        self.senders = addresses(self.head, ("From",))
        self.kind = self.head.get_content_type()
        self.subject = normalize("NFKC", decoded_words(value(self.head, "Subject")))
        written = spelled_out(one for name in ADDRESSED for one in values(self.head, name))
        self.written_to = " ".join(written).lower()
        self.bounced_name = self._name(rf"{re.escape(settings.mailbox)}-bounces\+([0-9a-z]+)")
        self.no_path = envelope_from == "" or value(self.head, "Return-Path") == "<>"

    def run(self) -> Automatic | None:
        return self._loop() or self._report() or self._stop() or self._returned() or self._answers()

    def _name(self, local: str) -> str:
        found = re.search(rf"(?<![\w.+-]){local}@{re.escape(self.own.domain)}(?![\w.-])", self.written_to)
        return found.group(1) if found else ""

    def _found(self, outcome: Outcome, why: str) -> Automatic:
        return Automatic(outcome, why[:200], self.bounced_name)

    def _loop(self) -> Automatic | None:
        """The finding for a mail loop (RFC 3834 2): our own mail, whoever sent it back, and mail that too many servers
        have handed on."""
        domain = re.escape(self.own.domain)
        if value(self.head, "X-Railpost"):
            return Automatic("loop", "our own mail")
        if re.fullmatch(rf"<[0-9a-f]{{24}}@{domain}>", value(self.head, "Message-ID"), re.IGNORECASE):
            return Automatic("loop", "one of our Message-IDs")
        if re.search(rf"<[^<>]+\.{domain}>\s*$", value(self.head, "List-Id"), re.IGNORECASE):
            return Automatic("loop", "one of our List-Ids")
        if self.own.address in self.senders:
            return Automatic("loop", "from our own address")
        hops = len(self.head.get_all("Received") or [])
        return Automatic("loop", f"{hops} servers on its way") if hops > _MOST_HOPS else None

    def _report(self) -> Automatic | None:
        """The finding for mail that says what it is: reports (RFC 6522), reports about many mails, and answers to
        invitations."""
        if self.kind in _STATUS_PARTS:
            return self._found(_STATUS_PARTS[self.kind], self.kind)
        if self.kind == "multipart/report":
            named = str(self.head.get_param("report-type") or "").lower()
            outcome = _REPORTS.get(named) or self._by_parts()
            return self._found(outcome or "robot", f"report {named}".strip())
        if value(self.head, "TLS-Report-Domain") or marks.AGGREGATE_SUBJECT.match(self.subject) or self._aggregate():
            return self._found("report", "report about many mails")
        if any(_ANSWERED.search(found) for found in _CALENDAR.findall(self.content[:BODY])):
            return self._found("calendar", "answer to an invitation")
        if re.search(r"\bfeedback-type:", self.content[:BODY].decode("latin-1"), re.IGNORECASE) and self._by_parts():
            return self._found("complaint", "message/feedback-report")
        return None

    def _by_parts(self) -> Outcome | None:
        """The kind of a report that does not name it, by its parts; None if they do not show it."""
        for part in body_of(self.content).walk():
            if part.get_content_type() in _STATUS_PARTS:
                return _STATUS_PARTS[part.get_content_type()]
        return None

    def _aggregate(self) -> bool:
        named = " ".join((value(self.head, "Content-Disposition"), value(self.head, "Content-Type")))
        return bool(marks.AGGREGATE_NAME.search(named))

    def _stop(self) -> Automatic | None:
        token = self._name(rf"{re.escape(self.own.mailbox)}\+stop\.([0-9a-z.]+)")
        return Automatic("unsubscribe", "by mail", token) if token else None

    def _returned(self) -> Automatic | None:
        """The finding for returned mail without the form of RFC 3464: it comes from an address that returns mail, or to
        one that only returned mail reaches."""
        daemon = any(marks.DAEMONS.fullmatch(one.split("@")[0]) for one in self.senders) or bool(
            (self.no_path or self.bounced_name) and marks.DAEMON_NAMES.match(decoded_words(value(self.head, "From")))
        )
        if not (self.no_path or self.bounced_name or daemon):
            return None
        challenge = self._challenge(self.content[:BODY].decode("latin-1"))
        if challenge is not None:
            return challenge
        automatic = self._answering()
        if automatic is None or daemon:
            temporary, permanent = failures(body_of(self.content))
            if temporary or permanent:
                return self._found("bounce", "not in the form of RFC 3464")
        if not marks.AWAY.match(self.subject) and self._says_returned():
            return self._found("bounce", "its words are those of returned mail")
        if daemon and (automatic is None or automatic.outcome == "robot"):
            return self._found("bounce", "from who returns mail, in no known form")
        if automatic is not None:
            return automatic
        return self._found("auto_reply", "null return path" if self.no_path else "to a return path")

    def _says_returned(self) -> bool:
        """True if the subject says that a mail comes back, or the text as only mail servers do."""
        return bool(marks.RETURNED.match(self.subject)) or surely_failed(text_of(body_of(self.content)))

    def _answers(self) -> Automatic | None:
        return self._challenge("") or self._answering()

    def _challenge(self, text: str) -> Automatic | None:
        if any(marks.CHALLENGERS.search(one) for one in self.senders):
            return self._found("challenge", "a filter of this sender")
        if marks.CHALLENGE.search(self.subject) and not self._in_a_game():
            return self._found("challenge", "its subject asks for confirmation")
        if marks.CHALLENGE.search(text):
            return self._found("challenge", "its text asks for confirmation")
        return None

    def _in_a_game(self) -> bool:
        """True if the subject is an answer to one of ours."""
        return bool(re.search(r"\[[0-9a-z]+-\d+\]", self.subject))

    def _answering(self) -> Automatic | None:
        """The finding for automatic answers, by RFC 3834 5 and by the marks of programs that do not follow it."""
        automatic = value(self.head, "Auto-Submitted").split(";")[0].split("(")[0].strip().lower()
        if automatic not in ("", "no"):
            return self._found("auto_reply", f"Auto-Submitted: {automatic}")
        for name in marks.REPLY_HEADERS:
            if value(self.head, name).lower() not in ("", "no", "false"):
                return self._found("auto_reply", name)
        for name, shape in marks.REPLY_VALUES:
            if any(shape.search(one) for one in values(self.head, name)):
                return self._found("auto_reply", f"{name}: {shape.pattern}")
        if marks.AWAY.match(self.subject):
            return self._found("auto_reply", "how its subject begins")
        notice = self._notice()
        if notice:
            return self._found("receipt", notice)
        if value(self.head, "Precedence").lower() in ("bulk", "junk") and not value(self.head, "List-Id"):
            return self._found("robot", "Precedence")
        if any(marks.ROBOT_SENDERS.fullmatch(one.split("@")[0]) for one in self.senders):
            return self._found("robot", "an address that no person writes from")
        return None

    def _notice(self) -> str:
        """The reason why the mail is one that a mail program writes when its user reads, recalls or likes a mail; empty
        if it is none. A subject alone says so only if it repeats one of ours, because people write such words too."""
        begun = marks.NOTICE_SUBJECTS.match(self.subject)
        if begun is not None and marks.OUR_SUBJECT.match(self.subject, begun.end()):
            return "a notice of a mail program, by its subject"
        text = text_of(body_of(self.content)).encode("latin-1", "replace").decode("utf-8", "replace").strip()
        if begun is not None and marks.NOTICE_TEXTS.search(text[:_NOTICE]):
            return "a notice of a mail program"
        return "a reaction" if marks.REACTIONS.match(text[:_NOTICE]) else ""


def failures(message: Message) -> tuple[list[str], list[str]]:
    """The addresses at which delivery failed for now and for good, as far as the message has a known form."""
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # its detectors expect the text of programs, and fail on any other
        return [], []
    return [_plain(one) for one in sorted(temporary)], [_plain(one) for one in sorted(permanent)]


def _plain(address: bytes | str) -> str:
    return (address.decode("latin-1") if isinstance(address, bytes) else address).strip().lower()
