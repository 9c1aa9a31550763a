"""The table of evidence: for each kind of evidence from a mail, a report or a person, the requests that it permits.

This table alone decides. ``docs/trust.md`` prints it, ``python -m tools.evidence`` keeps the two in step, and
``tests/docs/test_evidence_table.py`` tests every cell of it on a running service.

Only evidence that cannot be guessed and that others do not see may change a seat. A copied answer shows the seat's
secret address, a Message-ID and the From line; a forwarded original also shows its return path. So each kind of
evidence permits only what it proves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Evidence: TypeAlias = Literal[
    "record", "alias", "claimed", "doubted", "foreign", "old", "old foreign", "confirmed", "yes", "yes elsewhere",
    "none", "link", "return path", "refusal", "mention", "operator", "master", "master elsewhere",
    "office", "office claimed", "office elsewhere", "entered", "plain", "inquiry", "inquiry elsewhere",
]  # fmt: skip
Request: TypeAlias = Literal[
    "orders", "check", "show", "help", "press", "withdraw", "notify", "pictures", "zone", "alias",
    "alias remove", "address", "revoke", "absence", "back", "absence everywhere", "calendar", "answer", "heard",
    "away", "bounce", "complaint", "unsubscribe", "unreachable", "hand over", "master", "master's answer",
    "propose", "vote", "undo", "conduct", "take",
    "games", "join", "resign",
]  # fmt: skip
Ruling: TypeAlias = Literal["done", "asked", "told", "nothing"]
"""``done``: done at once. ``asked``: done when the address of record agrees, or, for
somebody without a seat, the address in From. ``told``: nothing changes, and the address
of record (for a report: the operator) is told. ``nothing``: nothing changes and nobody is told."""
Policy: TypeAlias = Literal["token", "token+authenticated"]
"""The setting ``identity``."""

EVIDENCE: Final[Mapping[Evidence, str]] = {
    "record": "current token, from the address of record, with proof",
    "alias": "current token, from a confirmed alias, with proof",
    "claimed": "current token, From is one of the player's addresses, no proof and no doubt",
    "doubted": "current token, From is one of the player's addresses, with a doubt",
    "foreign": "current token, from any other address",
    "old": "superseded token, From is one of the player's addresses, no doubt",
    "old foreign": "superseded token, from any other address or with a doubt; a token that a restore has replaced",
    "confirmed": "a mail that the address of record has confirmed",
    "yes": "a confirmation address, from the address that was asked",
    "yes elsewhere": "a confirmation address, from any other address or with a doubt",
    "none": "a void or a guessed token, whatever From says",
    "link": "the seat's unsubscribe address or one-click link",
    "return path": "a report to the secret return path of one of our mails",
    "refusal": "a refusal in our own SMTP session",
    "mention": "a report that names one of our Message-IDs, or returns one of our mails",
    "operator": "the operator's command line",
    "master": "the answer address of a line to the game master, from the address that got the line",
    "master elsewhere": "the answer address of a line to the game master, from any other address or with a doubt",
    "office": "a game master's secret address, from him, with proof",
    "office claimed": "a game master's secret address, from him, no proof and no doubt",
    "office elsewhere": "a game master's secret address, from any other address or with a doubt",
    "entered": "orders that a game master enters for a player, from a letter or the telephone",
    "plain": "the service's own address, without any token, whatever From says",
    "inquiry": "the answer address of a question to somebody without a seat, from the address that was asked",
    "inquiry elsewhere": "the answer address of such a question, from any other address or with a doubt",
}
"""Kind of evidence -> its description for people."""

REQUESTS: Final[Mapping[Request, str]] = {
    "orders": "orders",
    "check": "`check`",
    "show": "`show`",
    "help": "`help`",
    "press": "`press`",
    "withdraw": "`withdraw`",
    "notify": "`notify`",
    "pictures": "`pictures`",
    "zone": "`zone`",
    "alias": "`alias`",
    "alias remove": "`alias remove`",
    "address": "`address`",
    "revoke": "`revoke`",
    "absence": "`away`",
    "back": "`back`",
    "absence everywhere": "`away everywhere`, `back everywhere`",
    "calendar": "`calendar`",
    "answer": "`yes`, `no`",
    "heard": "seat heard from",
    "away": "seat away",
    "bounce": "bounce counted",
    "complaint": "complaint counted",
    "unsubscribe": "mail stopped",
    "unreachable": "seat unreachable",
    "hand over": "seat handed over",
    "undo": "`undo`",
    "master": "`master`",
    "master's answer": "the game master's answer passed on",
    "propose": "`propose`",
    "vote": "`vote`",
    "conduct": "`pause`, `resume`, `extend`, `until`, `clock`, `option`, `say`, `answer` of a game master",
    "take": "`undo`, `redo`, `give`, `open`, `robot`, `enter`, `correct`, `add master`, `remove master`, `end game`",
    "games": "`games`",
    "join": "`join` (with `prefer`), `wait`, `observe`, `leave`, `start` without a seat",
    "resign": "`resign`",
}
"""Request -> its description for people."""

MODIFIERS: Final[frozenset[str]] = frozenset({"partial"})
"""Words for the moderator that request nothing by themselves."""
_CHANGES: Final[tuple[Request, ...]] = (
    "orders", "press", "withdraw", "notify", "pictures", "zone", "alias", "alias remove", "address", "revoke",
    "absence", "back", "absence everywhere", "calendar", "master", "propose", "vote", "undo", "resign",
)  # fmt: skip
CHANGES: Final[frozenset[Request]] = frozenset(_CHANGES)
"""Requests of a mail that change something."""

Row: TypeAlias = Mapping[Request, Ruling]


def _row(done: tuple[Request, ...] = (), asked: tuple[Request, ...] = (), told: tuple[Request, ...] = ()) -> Row:
    return {**dict.fromkeys(done, "done"), **dict.fromkeys(asked, "asked"), **dict.fromkeys(told, "told")}


_READ: Final[tuple[Request, ...]] = ("check", "show", "help")
_WHERE: Final[tuple[Request, ...]] = ("alias", "address")
"""Requests to change the addresses that a player writes from or gets mail at: they need the consent of the address of
record."""
_OF_PERSON: Final[tuple[Request, ...]] = ("absence everywhere",)
"""Requests that change seats other than the one whose secret address was used: they need proof of the person."""
_OTHERS: Final[tuple[Request, ...]] = tuple(
    request for request in _CHANGES if request not in (*_WHERE, *_OF_PERSON, "resign")
)
_UNRESIGNED: Final[tuple[Request, ...]] = tuple(request for request in _CHANGES if request != "resign")
"""All but the request that takes the seat from the player himself, which he is always asked about."""

_TABLE: Final[Mapping[Evidence, Row]] = {
    "record": _row(done=(*_UNRESIGNED, *_READ, "heard", "away"), asked=("resign",)),
    "alias": _row(done=(*_OTHERS, *_OF_PERSON, *_READ, "heard", "away"), asked=(*_WHERE, "resign")),
    "claimed": _row(done=(*_OTHERS, *_READ, "heard", "away"), asked=(*_WHERE, *_OF_PERSON, "resign")),
    "doubted": _row(done=("away",), asked=_CHANGES, told=_READ),
    "foreign": _row(done=("away",), asked=_CHANGES, told=_READ),
    "old": _row(done=("away",), asked=("revoke",), told=(*(r for r in _CHANGES if r != "revoke"), *_READ)),
    "old foreign": _row(done=("away",), told=(*_CHANGES, *_READ)),
    "confirmed": _row(done=(*_CHANGES, *_READ, "heard")),
    "yes": _row(done=("answer",)),
    "yes elsewhere": _row(told=("answer",)),
    "none": _row(),
    "link": _row(done=("unsubscribe",)),
    "return path": _row(done=("away", "bounce", "complaint", "unreachable")),
    "refusal": _row(done=("bounce", "unreachable")),
    "mention": _row(told=("bounce", "complaint")),
    "operator": _row(done=("notify", "zone", "alias", "alias remove", "address", "revoke", "hand over")),
    "master": _row(done=("master's answer",)),
    "master elsewhere": _row(told=("master's answer",)),
    "office": _row(done=("conduct", "take", "hand over", *_READ)),
    "office claimed": _row(done=("conduct", *_READ), asked=("take", "hand over")),
    "office elsewhere": _row(told=("conduct", "take", "hand over", *_READ)),
    "entered": _row(done=("orders", "withdraw")),
    "plain": _row(done=("games", "help"), asked=("join",)),
    "inquiry": _row(done=("answer",)),
    "inquiry elsewhere": _row(told=("answer",)),
}
_WITH_PROOF: Final[Mapping[Evidence, Row]] = {
    "claimed": _TABLE["doubted"], "office claimed": _TABLE["office elsewhere"],
}  # fmt: skip
"""The rows that differ under the policy ``token+authenticated``."""


def ruling(evidence: Evidence, request: Request, policy: Policy) -> Ruling:
    """The ruling on ``request`` with this evidence under ``policy``; ``nothing`` if the table does not list it."""
    rows = _WITH_PROOF if policy == "token+authenticated" and evidence in _WITH_PROOF else _TABLE
    return rows[evidence].get(request, "nothing")
