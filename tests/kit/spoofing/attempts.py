"""Attempts to act for somebody else, or to have the service write to somebody, each made from a seed.

A forger knows the addresses of all players, and what leaked: old turn mails with their headers, and of one game also
the present one; what players sent in copy; and what he was sent himself. What he sends passes our mail server, which
writes its findings on top and, as some do, leaves what others wrote below. The kinds are in
``tests.kit.spoofing.kinds`` and in the modules beside it.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

OUR_SERVER = "mx.example.org"
OWN = "railpost@example.org"
ANN, BOB, CAT = (f"{name}@players.example" for name in ("ann", "bob", "cat"))
AWAY = "ann@holiday.example"
"""Ann's alias. Our server had proof of it."""
SECOND = "ann@second.example"
"""An address of Ann's that is being asked whether it is hers."""
DAN, EVE, FAY = (f"{name}@unproved.example" for name in ("dan", "eve", "fay"))
"""Players whose mail server proves nothing, so that our server never had proof of them."""
DANS_ALIAS = "dan@else.example"
GUS, HAL, IVY = (f"{name}@players.example" for name in ("gus", "hal", "ivy"))
"""Gus gave his seat to Hal."""
JO, JO_NOW = "jo@players.example", "jo@moved.example"
MAX = "master@example.net"
"""The operator, and the game master of all games but Dan's. Our server had proof of him."""
MOE = "moe@unproved.example"
"""The game master of Dan's game."""
NED = "ned@players.example"
"""He was the game master of Gus's and Ivy's game."""
EVIL = "forger@evil.example"
THIRD = "victim{}@third.example"
ORDERS = ("open TSR 25", "pass", "Ann: pass", "open TSR 30\nlimit 90", "withdraw all", "notify all", "limit 80 on TSR")
Row = Literal["", "claimed", "yes", "return path", "link", "master", "office"]
"""The row of the table of evidence by which something may follow; nothing may where it is empty."""
Need = Literal[
    "", "question", "moving", "alias", "loose question", "line", "loose line", "deputy", "loose motion", "vote",
    "join question",
]  # fmt: skip
"""The requests that must wait for an answer when the attempt is made: a question to Ann about a foreign mail, her own
confirmed change of address, her new alias, or a question to Dan; Ann's or Dan's line to the game master. ``deputy``:
Ann's seat is offered to somebody else until she writes.
``loose motion``: Moe is asked for his consent. ``vote``: the table of Ann's game votes.
``join question``: Hal is asked whether he joins the game that is forming."""


@dataclass(frozen=True, slots=True)
class Known:
    """The forger's knowledge: secret addresses, mails and their headers.

    Of Ann: an old address and the present one, her address in another game, her latest turn mail and its Message-ID, a
    mail that she sent to the old address, her ``yes`` to a question that is closed, and what she wrote to Bob."""

    game: str
    old: str
    now: str
    elsewhere: str
    turn_mail: bytes
    message_id: str
    sent: bytes
    answered: bytes
    friendly: tuple[bytes, ...]
    bob: str
    """Bob's present address, and Cat's."""
    cat: str
    revoked: str
    """Bob's in the other game, before he revoked it."""
    bob_stop: str
    """Where Bob's own mail can be stopped."""
    given: str
    """Mail to Gus before he gave his seat to Hal: secret address, return path, unsubscribe address."""
    given_path: str
    given_stop: str
    given_now: str
    former: str
    """The same of Jo's former address."""
    former_path: str
    former_stop: str
    own_path: str
    """The return path of what the forger was sent himself."""
    loose_game: str
    """The game of the players whose mail server proves nothing, and what was sent to Dan."""
    loose: str
    loose_old: str
    loose_sent: bytes
    loose_path: str
    loose_stop: str
    master_friendly: bytes
    """What the game master wrote to Bob."""
    master_answered: bytes
    """His answer to Ann's line."""
    spoken: tuple[bytes, ...]
    """Ann's mails to her present address: away, back, zone and calendar."""
    loose_spoken: bytes
    """Dan's mail to his old address that set his zone."""
    closed_line: str
    """Where Ned would have answered Ivy's line."""
    office: str
    """Where the words of Max go, who is the game master of Ann's game; of Moe, and once of Ned."""
    loose_office: str
    former_office: str
    office_spoken: tuple[bytes, ...]
    """Signed mails of Max to his address."""
    forming: str = ""
    """A game that is forming; Gus has joined it."""
    confirm: str = ""
    """Where the answer that is needed goes: the player answered something else, in copy to others."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail as our server hands it on."""

    content: bytes
    return_path: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """``mark`` stands somewhere in the mails, and must stand nowhere else afterwards. ``link``: an unsubscribe token
    that is also posted to the one-click link."""

    kind: Kind
    mails: tuple[Arrived, ...]
    mark: str
    link: str = ""
    himself: str = ""
    """A player who writes as who he is, with proof: his own seat hears of him."""

    @property
    def return_paths(self) -> set[str]:
        return {mail.return_path for mail in self.mails}


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
    found: Literal["", "nothing", "fail"] = ""
    """The finding about any other domain; one of the two where it is empty."""
    checked: bool = True
    message_id: bool = True
    raw: bytes = b""
    before: tuple[Draft, ...] = ()
    """Mails that are sent first."""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of attempts. ``press``: its words may be passed on, by the row of the table or by a player's own right."""

    make: Callable[[Forger], Draft]
    row: Row = ""
    needs: Need = ""
    press: bool = False

    @property
    def name(self) -> str:
        return self.make.__name__


def kind(row: Row = "", needs: Need = "", *, press: bool = False) -> Callable[[Callable[[Forger], Draft]], Kind]:
    """Makes a kind of a function that makes drafts."""
    return lambda make: Kind(make, row, needs, press)


def kinds_in(module: object) -> tuple[Kind, ...]:
    """All kinds of a module, in their order."""
    return tuple(found for found in vars(module).values() if isinstance(found, Kind))


class Forger:
    """Makes attempts."""

    def __init__(self, known: Known, seed: int) -> None:
        self.known, self.random, self.count, self.mark = known, random.Random(seed), 0, ""

    def attempt(self, chosen: Kind) -> Attempt:
        self.count += 1
        self.mark = f"mark{self.random.getrandbits(64):016x}"
        draft = chosen.make(self)
        mails = tuple(Arrived(self.arrive(one), one.return_path) for one in (*draft.before, draft))
        proved = draft.return_path == draft.sender and draft.sender.endswith(f"@{draft.domain}")
        himself = draft.sender if proved and draft.sender != ANN else ""
        return Attempt(chosen, mails, self.mark, draft.link, himself)

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
            against = (
                f"spf={'pass' if own else 'fail'} {path}; dkim=none; dmarc=fail (p=none) {of}",
                f"spf=softfail {path}; dkim=fail header.d={domain}; dmarc=fail {of}",
                f"spf={'pass' if own else 'neutral'} {path}; dkim=none; dmarc=fail {of}",
            )
            nothing = (
                f"spf={'pass' if own else 'neutral'} {path}; dkim=pass header.d={draft.domain}; dmarc=none {of}",
                "spf=none; dkim=none",
                "none",
            )
            choices = {"fail": against, "nothing": nothing}.get(draft.found, (*against, *nothing))
            found = self.pick(*choices)
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

    def fence(self, address: str, text: str, game: str = "", at: int | None = None) -> str:
        named = "" if at is None else f" at {at}"
        return f"BEGIN {game or self.known.game}{named} token {secret_of(address)}\n{text}\nEND"

    def words(self) -> str:
        """Something for the moderator that changes who is who, what is told, or what was ordered."""
        return self.pick(
            "withdraw all", "notify all", "notify daily", "press Bob: sell NW!", "press all\nI resign\nend press",
            "press: sell NW!", f"alias {self.third()}", f"alias remove {AWAY}", f"address {self.third()}", "revoke",
            f"address {EVIL}", "zone Asia/Tokyo", "zone game",
        )  # fmt: skip

    def wanted(self) -> str:
        return self.orders() if self.random.random() < 0.4 else self.words()

    def shown(self) -> str:
        """The header of Ann's latest turn mail, as an answer in copy or a forwarded original shows it."""
        return f"Message-ID: {self.known.message_id}\nTo: {ANN}\nReply-To: {self.known.now}\n"

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


def secret_of(address: str) -> str:
    """The secret word in an address of ours."""
    return address.partition("@")[0].rpartition(".")[2]
