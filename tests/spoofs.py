"""Attempts to act for somebody else, or to have the service write to somebody, each made from a seed.

A forger knows the addresses of all players, and what leaked: old turn mails, and of one game also the present one. What
he sends passes our mail server, which writes its findings on top and, as some do, leaves what others wrote below.
The kinds are in ``tests.spoof_kinds``.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

OUR_SERVER = "mx.example.org"
ANN, BOB, CAT = (f"{name}@players.example" for name in ("ann", "bob", "cat"))
EVIL = "forger@evil.example"
THIRD = "victim{}@third.example"
ORDERS = ("open TSR 25", "pass", "Ann: pass", "open TSR 30\nlimit 90", "withdraw all", "notify all", "limit 80 on TSR")


@dataclass(frozen=True, slots=True)
class Known:
    """What the forger has: secret addresses of Ann (an old one and the present one), Bob's and Cat's present ones, and
    Ann's in another game; her latest turn mail, and a mail that she sent."""

    game: str
    old: str
    now: str
    bob: str
    cat: str
    elsewhere: str
    turn_mail: bytes
    sent: bytes


@dataclass(frozen=True, slots=True)
class Attempt:
    """A mail as our server hands it on. ``mark`` stands somewhere in it, and must stand nowhere else afterwards."""

    kind: str
    content: bytes
    to: str
    return_path: str
    mark: str


@dataclass
class Draft:
    """A mail before it passes our server."""

    text: str
    to: str
    sender: str = ANN
    fields: list[str] = field(default_factory=list)
    top: list[str] = field(default_factory=list)
    return_path: str = EVIL
    domain: str = "evil.example"
    """The domain for which our server has proof."""
    checked: bool = True
    message_id: bool = True
    raw: bytes = b""


class Forger:
    """Makes attempts, the kinds in turn."""

    def __init__(self, known: Known, seed: int) -> None:
        self.known, self.random, self.count, self.mark = known, random.Random(seed), 0, ""

    def attempts(self, kinds: Sequence[Kind], number: int) -> Iterable[Attempt]:
        for count in range(number):
            self.count = count
            self.mark = f"mark{self.random.getrandbits(64):016x}"
            kind = kinds[count % len(kinds)]
            draft = kind(self)
            yield Attempt(kind.__name__, self.arrive(draft), draft.to, draft.return_path, self.mark)

    def arrive(self, draft: Draft) -> bytes:
        """With what our server writes above it."""
        results = self.results(draft)
        top = [*draft.top, *([results] if draft.checked else [])]
        top.append(f"Received: from [192.0.2.{self.count % 250}] by {OUR_SERVER} with ESMTP; 1 Mar 2026 12:00:00 +0000")
        if draft.raw:
            return "\r\n".join([*top, ""]).encode() + draft.raw
        head = [
            *draft.fields,
            *([f"From: {draft.sender}"] if draft.sender else []),
            f"To: {draft.to}",
            "Subject: Re: your turn",
            *([f"Message-ID: <{self.mark}@evil.example>"] if draft.message_id else []),
            "Date: Sun, 01 Mar 2026 11:59:00 +0000",
        ]
        text = "\r\n".join([*top, *head, "", draft.text, f"// {self.mark}", ""])
        return text.encode("utf-8", "surrogateescape")

    def results(self, draft: Draft) -> str:
        said = draft.sender.rpartition("@")[2].strip("> ") if "@" in draft.sender else "invalid"
        domain = "".join(c for c in said if c.isalnum() or c in ".-") or "invalid"
        path, of = f"smtp.mailfrom={draft.return_path}", f"header.from={domain}"
        own = draft.return_path.endswith(f"@{draft.domain}")
        if domain == draft.domain:
            found = f"spf={'pass' if own else 'fail'} {path}; dkim=pass header.d={domain}; dmarc=pass {of}"
        else:
            found = self.pick(
                f"spf={'pass' if own else 'fail'} {path}; dkim=none; dmarc=fail (p=none) {of}",
                f"spf=softfail {path}; dkim=fail header.d={domain}; dmarc=fail {of}",
                f"spf={'pass' if own else 'neutral'} {path}; dkim=pass header.d={draft.domain}; dmarc=none {of}",
                "spf=none; dkim=none",
                "none",
            )
        return f"Authentication-Results: {OUR_SERVER}; {found}"

    # ---- small things

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def orders(self) -> str:
        return self.random.choice(ORDERS)

    def third(self) -> str:
        return THIRD.format(self.random.randrange(40))

    def token(self) -> str:
        return base64.b32encode(self.random.randbytes(16)).decode().rstrip("=").lower()

    def fence(self, address: str, text: str, game: str = "") -> str:
        secret = address.partition("@")[0].rpartition(".")[2]
        return f"BEGIN {game or self.known.game} token {secret}\n{text}\nEND"

    def encoded(self, text: str) -> str:
        if self.random.random() < 0.5:
            return f"=?utf-8?b?{base64.b64encode(text.encode()).decode()}?="
        return "=?utf-8?q?" + "".join(c if c.isalnum() else f"={ord(c):02X}" for c in text) + "?="

    def forged_results(self) -> str:
        said = (
            "dmarc=pass header.from=players.example; dkim=pass header.d=players.example; spf=pass smtp.mailfrom=" + ANN
        )
        server = self.pick(
            OUR_SERVER, OUR_SERVER.upper(), f"{OUR_SERVER} 1", f"(x) {OUR_SERVER}", f"{OUR_SERVER} (x)", "evil.example"
        )
        name = self.pick(
            "Authentication-Results", "authentication-results", "AUTHENTICATION-RESULTS", "Authentication-Results ",
            "ARC-Authentication-Results", "X-Authentication-Results", "Original-Authentication-Results",
        )  # fmt: skip
        between = self.pick(" ", "\r\n ", "\r\n\t", "  ")
        return f"{name}:{between}{'i=1; ' if name.startswith('ARC') else ''}{server};{between}{said}"


Kind = Callable[[Forger], Draft]
"""Its name is that of the kind."""
