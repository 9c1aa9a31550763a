"""The result of a mail as values, without wording. The moderator fills it in, and the renderer puts it into words.

Every mail of a known player is answered with one ``Transcript``. It holds each line as it was read, its result and, for
a refusal, the failed checks with their facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine import Failure
from engine.core.events import Event
from engine.core.orders import Route
from grammar import Press, Unreadable, Word

Verdict: TypeAlias = Literal[
    "accepted", "refused", "unreadable", "ambiguous", "held", "lapsed", "not_reached", "checked",
    "sealed",
]  # fmt: skip
"""The result of a line. ``checked``: it would be accepted, but nothing was changed, because the mail asked only for a
check or another line stopped the block. ``held``: it waits until it is asked for. ``lapsed``: it was held but did not
fit when it was asked for, or was not needed. ``not_reached``: it was not looked at, because reading or playing stopped
before it. ``sealed``: it waits until the sealed orders of all players are opened together."""


Facts: TypeAlias = Mapping[str, object]
Note: TypeAlias = tuple[str, Facts]
Notes: TypeAlias = tuple[Note, ...]
"""Keys of texts, each with its facts."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line of the mail. ``line``: its number, from 1, in the text that was read. ``text``: the line as the player
    wrote it. ``canonical``: the order as it was understood; None if it could not be read. ``events``: the events that
    followed from it. ``instead``: legal orders of the kind that was tried in vain."""

    line: int
    text: str
    canonical: str | None
    verdict: Verdict
    failures: tuple[Failure, ...] = ()
    unreadable: Unreadable | None = None
    events: tuple[Event, ...] = ()
    instead: tuple[str, ...] = ()
    column: int = 1
    """The place in its line at which the order begins."""
    actor: str = ""
    """The player or company that the order is for; "" if it could not be read."""

    def tried(self) -> TranscriptLine:
        """The line of an order that was only tried."""
        return replace(self, verdict="checked") if self.verdict in ("accepted", "sealed") else self


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that a player asked to see. ``what``: the word after ``show``, such as ``map``, ``lays`` or ``at``.
    ``argument``: the text after that word. ``text``: the finished plain text, printed as it stands."""

    what: str
    argument: str
    text: str
    company: str = ""
    routes: tuple[Route, ...] = ()
    """For ``show run``: the routes of ``company``, for a picture of them."""
    after: tuple[str, ...] = ()
    """The orders of ``company`` that it assumes, as canonical text."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The result of a mail. ``state_token``: the number of the open decision (``at``) after the mail.

    ``notes``: (key, facts) about the mail as a whole. Their texts may also use ``trial``: True if nothing is kept.
    Keys in use:
    ``done.implied`` {actor, lost, sum}: the company's orders ended without ``done``; nothing compulsory was left, and
    its turn is over; ``lost``, ``sum``: what is grave about that;
    ``done.grave`` {actor, lost, sum}: the turn is not over, because its end would be grave and something else is legal;
    ``done.missing`` {actor, failures: tuple[Failure, ...]}: the turn is not over, because of the failures;
    ``done.other`` {actor, asked}: the company is still asked a question, which no ``done`` answers;
    ``done.not_needed`` {actor, word}: a ``done`` or ``pass`` came after the turn had ended by itself;
    ``held.section`` {actor, order, kind, name, now}: orders wait for the occasion ``kind`` ``name``, which is under way
    (``now``) or to come; ``held.consent`` with the same facts: a consent or refusal given ahead, as canonical text;
    ``held.rest`` with the same facts, {players, declared}: the rest of a turn waits for the answers of the players, who
    may announce a better run than ``declared`` if that is not None; ``turn.waits`` {actor, players, declared}: nothing
    is left of it; ``held.if_agreed`` {text, failures, players}: it would be refused if these agree;
    ``held.limit`` {item, maximum}: a standing bid;
    ``held.replaced`` {text}: earlier held orders that no longer stand;
    ``held.won`` {name}: the player won the lot of a standing bid;
    ``held.lapsed`` {actor, text, failures, used, turn}: held orders were asked for and did not fit, or their occasion
    is over; ``used``: those before that were carried out;
    ``held.foreseen`` {text, failures, number}: kept orders would be refused as things stand; ``number``: of these
    alone for ``withdraw``, None if nothing else is kept;
    ``held.used`` {texts}: orders given ahead by an earlier mail were carried out;
    ``standing.kept`` {actor, order, kind, name, now}: a standing order is kept; ``standing.ended`` {actor, text,
    failures}: one has ended; ``standing.won`` {name, amount, by}: the player won a lot of his plan for auctions, or his
    company ``by`` won it; ``standing.left`` {won, gone}: a rest of the plan stands; ``gone``: its lots that are no
    longer for sale; ``standing.changed`` {text}: the plan as it is now, with the same lots;
    ``sealed.kept`` {line, digest, again}: an order was sealed, perhaps ``again``: its salt and text, and their digest;
    ``sealed.opened`` {lines, digests, nothing}: the sealed orders that were opened, and the players who had sealed
    nothing;
    ``undo`` {number, orders, why, again, ready, gone, reasons, details, keep, player, asked}: the game went back to the
    position after order ``number``; the orders that were taken back, played again at once, kept ready, and gone (as in
    ``again.gone``); ``player``: who did it, empty for the game master; ``redo`` {orders, why}: that was taken back;
    ``again.used`` {texts}: orders that were kept ready since an undo were carried out; ``again.gone`` {gone, reasons,
    details}: those that do not fit, for each a key of ``[gone]``, and what is otherwise;
    ``undo.done``, ``undo.would`` {orders}: a move made for a late player was taken back, or would be; ``undo.asked``
    {number, order, master}: the game master is asked for an undo; ``undo.none`` {}; ``undo.unknown`` {at, last};
    ``undo.alone``, ``undo.over`` {};
    ``withdrawn`` {count, texts, argument}: held orders and standing bids that were withdrawn;
    ``stale`` {given, at}: the orders are for decision ``given``, which is past; the open one is ``at``;
    ``not_on_turn`` {asked: tuple[str, ...]}: nothing is asked of this seat now;
    ``two_blocks`` {game, count}; ``game_over`` {reason};
    ``kept`` {reason, replaced}: the game is paused, and the orders wait until it goes on; ``kept_done`` {};
    ``withdrawn.mail`` {texts}: such orders were taken back;
    ``footer`` {line}: reading stopped at lines that are no orders;
    ``prose`` {texts, left}: paragraphs around the orders that were not read, and the number of further ones;
    ``past_held`` {order, at, text, refused, differences}: the place where the game's past is not as it was told;
    ``heads_alone`` {actors, marked}: heads without any order below them, ``marked`` if lines were quotations;
    ``quoted_orders`` {text}: a line after ``>`` looks like an order and was not read;
    ``parts_differ`` {}: the plain and HTML parts of the mail differ; the plain one was read;
    ``damaged`` {}: the text may have been cut off, and has no ``END``; ``encrypted`` {}; ``charset`` {}: the
    declared character set is wrong; ``attached.read``, ``attached.left`` {}: an attached text was read because there
    was no other, or was not read; ``winmail`` {}; ``forwarded`` {}; ``unread_parts`` {kinds}: keys of ``[part]`` for
    the parts of a mail without text; ``html_only`` {}: the orders were read from HTML; ``message_id_reused`` {};
    ``reaction`` {}; ``sent_twice`` {outcome}: the outcome of an earlier mail with the same text;
    ``notify`` {setting}; ``notify.unknown`` {argument};
    ``zone`` {zone, now}: empty for that of each game; ``zone.unknown`` {argument, near};
    ``show.elsewhere`` {cheap}, ``show.dear`` {most, left}: something was not shown because it costs too much;
    ``show.unknown`` {argument}; ``show.at_unknown`` {argument, at}; ``show.none`` {what}; ``show.no_item`` {said,
    companies, privates}; ``show.no_word`` {said, companies, privates}; ``show.cut`` {what, left};
    ``away.list`` {where, days, left, year}; ``away.noted`` {where, days, zone, left, year, others};
    ``away.trial`` {where, days, zone}; ``away.unclear`` {where, argument, like};
    ``away.past`` {where, days, right, today}; ``away.far`` {where, days, latest}; ``away.over`` {where, days, other};
    ``away.known`` {where, days, others}; ``away.much`` {where, days, year, left, most, right};
    ``back.noted`` {where, days, begun}; ``back.nothing``, ``back.trial``, ``away.unread``, ``back.unread`` {where}:
    ``where`` begins a note that is one of several, for several games; ``others`` are the other games of the player;
    ``calendar.on``, ``calendar.off`` {};
    ``error`` {reference}: a fault of our own;
    ``elsewhere`` {sender, standing}: the mail did not come from the address of record, or lacks the required proof
    (``service.trust.Standing``); ``confirmed`` {}: the address of record has confirmed the orders;
    ``revoked`` {}; ``identity.trial`` {word}; ``identity.often`` {}; ``alias.list`` {addresses}; ``alias.removed``,
    ``alias.unknown``, ``alias.known``, ``alias.asked``, ``alias.written`` {address}; ``alias.many`` {most};
    ``press.sent``, ``press.trial`` {to, everyone, silent: tuple[str, ...]}: press for other players; the ``silent``
    ones get it when they can be written to again; ``press.not_sent`` {count}: the mail was refused;
    ``press.often``, ``press.long`` {most}; ``press.many`` {most, left}; ``press.outside`` {}: it is not in the block;
    ``press.secret`` {}: it contains a secret address; ``press.alone`` {}; ``press.named`` {said}: the game is
    anonymous, and the text has the name or address of its writer;
    ``master.sent``, ``master.trial``, ``master.again`` {master}: a line to the game master (``info.Master``);
    ``master.not_sent``, ``master.nobody``, ``master.self`` {}; ``master.long`` {most}; ``master.often`` {master, most};
    ``master.offer`` {master, whole}: a message that is no order could be such a line; ``whole``: its text is shown;
    ``likely`` {order}: a message has all words of one legal order, and of no other;
    ``letter`` {order, left}: a letter tells these orders in its own words, and more in the parts ``left`` out; nothing
    is carried out;
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
    """The events of each move: of the mail's own orders, and of orders that were given ahead."""
    likely: tuple[str, ...] = ()
    """Legal answers that are like what was written, the most alike first, each as it can be sent."""
    press: tuple[Press, ...] = ()
    """The press that was or would be passed on to other players or to the game master."""

    @property
    def proposes(self) -> bool:
        """True if a line that could not be read is shown as it may have been meant."""
        faults = (line.unreadable for line in self.lines if line.unreadable is not None)
        return any(fault.nearest or fault.whole for fault in faults)
