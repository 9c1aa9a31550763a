"""The result of one mail, as values. The moderator fills it in, and the renderer puts it into words.

Every mail of a known player is answered with one ``Transcript``. It has each line as it was read, its result, and for a
refusal the checks that failed with their facts. No words for people are made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine import Failure
from engine.core.events import Event
from engine.core.orders import Route
from grammar import Press, Unreadable, Word

Verdict: TypeAlias = Literal[
    "accepted", "refused", "unreadable", "ambiguous", "held", "lapsed", "not_reached", "checked",
    "sealed",
]  # fmt: skip
"""``checked``: would be accepted, but nothing was changed (``check`` was asked, or another line refused the block).
``held``: kept until it is asked for. ``lapsed``: was held, and did not fit when it was asked for, or was not needed.
``not_reached``: not looked at, because a line before it was refused. ``sealed``: kept until
those of all players are opened together."""

Outcome: TypeAlias = Literal[
    "applied", "partial", "refused", "unreadable", "ambiguous", "checked", "shown", "held", "withdrawn", "notified",
    "helped", "stale", "duplicate", "empty", "two_blocks", "game_over", "unknown_sender", "wrong_token", "robot",
    "auto_reply", "bounce", "receipt", "calendar", "report", "complaint", "challenge", "unsubscribe", "loop",
    "quarantine", "too_large", "malformed", "error", "unconfirmed", "confirmed", "declined",
    "press", "waits", "sealed",
]  # fmt: skip
"""The outcome of a mail. Every mail ends in exactly one of these, and the list is closed.

``applied`` orders were carried out; ``partial`` those before the first failure; ``refused`` an order is against a rule
(nothing applied); ``unreadable``/``ambiguous`` a line cannot be read (nothing applied); ``checked`` the word ``check``;
``shown``, ``withdrawn``, ``notified``, ``helped`` only those words; ``press`` only words to other players; ``held`` all
orders wait for later turns; ``sealed`` they wait to be opened with those of others; ``stale`` the
decision is past; ``duplicate`` seen before; ``empty`` nothing to read;
``two_blocks`` two blocks for one game; ``game_over``; ``waits`` the game does, because its past is not as it was told;
``unknown_sender``; ``wrong_token`` the address is none of ours;
``too_large``; ``malformed`` no readable message; ``error`` our own fault, kept to be tried again; ``unconfirmed`` from
an address that is not known to be the player's, so he is asked; ``confirmed``, ``declined`` his answer to that, where
it is no ``applied`` or the like.

None of these is answered: ``auto_reply`` somebody is away, or a program says that it has the mail; ``bounce`` a mail of
ours did not arrive, or not yet; ``receipt`` it arrived or was read; ``calendar`` an answer to an invitation; ``report``
of a mail server about many mails; ``complaint`` a mail of ours was called spam; ``challenge`` a filter wants proof of a
person; ``unsubscribe`` no more mail is wanted; ``loop`` our own mail, or one that goes round; ``robot`` any other mail
that no person sent; ``quarantine`` it is not what it says it is: kept for the operator to look at."""

Facts: TypeAlias = Mapping[str, object]
Note: TypeAlias = tuple[str, Facts]
Notes: TypeAlias = tuple[Note, ...]
"""Keys of the words, each with its facts."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One order of the mail. ``line`` counts from 1 in the text that was read; ``text`` is as the player wrote it,
    ``canonical`` as it was understood (None if it could not be read). ``events`` are the events that followed from it.
    """

    line: int
    text: str
    canonical: str | None
    verdict: Verdict
    failures: tuple[Failure, ...] = ()
    unreadable: Unreadable | None = None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that a player asked to see: ``what`` is the word after ``show`` (``map``, ``lays``, ``at`` …),
    ``argument`` the text that followed it, ``text`` the finished plain text to print as it stands."""

    what: str
    argument: str
    text: str
    company: str = ""
    routes: tuple[Route, ...] = ()
    """Of ``show run``: whose run it is, and what a picture of it shows."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The result of one mail. ``state_token`` is the decision counter (``at``) after it.

    ``notes`` are (key, facts) about the mail as a whole; words may ask for ``trial`` too, whether nothing is kept.
    Keys in use:
    ``done.implied`` {actor}: the company's block ended without ``done``, nothing compulsory was left, its turn is over;
    ``done.missing`` {actor, failures: tuple[Failure, ...]}: its turn is not over, this is still to do;
    ``done.not_needed`` {actor}: a ``done`` or ``pass`` came after the turn was over by itself;
    ``held.section`` {actor, order, kind, name, now}: orders that wait for the occasion ``kind`` ``name``, which is
    under way ``now`` or to come; ``held.consent`` with the same: consent (or its refusal) given ahead, canonical text;
    ``held.rest`` with the same: the rest of the turn waits for the answers of others;
    ``held.limit`` {item, maximum}: a standing bid;
    ``held.replaced`` {actor}: an earlier held block of the same actor no longer stands;
    ``held.won`` {name}: the lot of a standing bid is its owner's;
    ``held.lapsed`` {actor, text, failures}: a held block was asked for and did not fit, or its occasion is over;
    ``held.used`` {texts}: orders given ahead by an earlier mail that were carried out;
    ``sealed.kept`` {line, digest, again}: an order that is sealed, perhaps ``again``: its salt and text, their digest;
    ``sealed.opened`` {lines, digests, nothing}: all that was sealed, and players who had sealed nothing;
    ``withdrawn`` {count, texts, argument}: what was held or standing and no longer is;
    ``stale`` {given, at}: orders for decision ``given``, which is past; the present one is ``at``;
    ``not_on_turn`` {asked: tuple[str, ...]}: nothing is asked of this seat now;
    ``two_blocks`` {game, count}; ``game_over``, ``paused`` {reason};
    ``footer`` {line}: reading stopped at lines that are no orders;
    ``prose`` {texts, left}: paragraphs around the orders that were not read, and how many more there are;
    ``past_held`` {order, at, text, refused, differences}: where the game's past is not as it was told;
    ``quoted_orders`` {text}: a line behind ``>`` looks like an order and was not read;
    ``parts_differ`` {}: the mail's plain and HTML parts say different things, the plain one was read;
    ``damaged`` {}: the text has perhaps been cut off, and has no ``END``; ``encrypted`` {}; ``charset`` {}: its label
    is wrong; ``attached.read``, ``attached.left`` {}: a text in a file was read because there was no other, or was not;
    ``winmail`` {}; ``forwarded`` {}; ``unread_parts`` {kinds}: words of ``[part]`` for what is in a mail without text;
    ``html_only`` {}: read from HTML; ``message_id_reused`` {}; ``reaction`` {}; ``sent_twice`` {outcome}: what
    an earlier mail with the same text ended in; ``notify`` {setting}; ``notify.unknown`` {argument};
    ``show.elsewhere`` {cheap}, ``show.dear`` {most, left}: what was not shown because of what it costs;
    ``show.unknown`` {argument}; ``show.at_unknown`` {argument, at}; ``show.none`` {what}; ``show.cut`` {what, left};
    ``error`` {reference}: our own fault;
    ``elsewhere`` {sender, standing}: the mail did not come from the address of record, or without the proof that is
    asked for (``service.trust.Standing``); ``confirmed`` {}: orders that the address of record has confirmed;
    ``revoked`` {}; ``identity.trial`` {word}; ``identity.often`` {}; ``alias.list`` {addresses}; ``alias.removed``,
    ``alias.unknown``, ``alias.known``, ``alias.asked``, ``alias.written`` {address}; ``alias.many`` {most};
    ``press.sent``, ``press.trial`` {to, everyone, silent: tuple[str, ...]}: words to other players, of whom the silent
    ones get them when they can be written to again; ``press.not_sent`` {count}: because the mail was refused;
    ``press.often``, ``press.long`` {most}; ``press.many`` {most, left}; ``press.outside`` {}: it is not in the block;
    ``press.secret`` {}: there is a secret address in it; ``press.alone`` {};
    ``address.bad``, ``address.same`` {address}; ``address.open``, ``address.confirmed`` {address, due}.
    """

    game_id: str
    seat: str
    lines: tuple[TranscriptLine, ...]
    words: tuple[Word, ...]
    ignored_lines: int
    outcome: str
    notes: Notes
    state_token: int
    shown: tuple[Shown, ...] = ()
    moves: tuple[tuple[Event, ...], ...] = ()
    """The consequences, move by move: of the mail's own orders and of what others had given ahead."""
    press: tuple[Press, ...] = ()
    """The press that was, or would be, passed on to other players."""
