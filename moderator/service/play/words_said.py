"""The words for the moderator: withdraw, notify, pictures, zone, and the limits on what is shown. Words about addresses
are in ``person_words``, the answers to ``show`` in ``shows``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from grammar import Word
from moderator.adapters.tables import HeldRow, MailRow, SealedRow, SeatRow
from moderator.domain.pictures import WISHES
from moderator.domain.transcript import Note, Shown
from moderator.service.desk import Sitting
from moderator.service.people import absence, everywhere, person_words
from moderator.service.people.journal import note
from moderator.service.people.reach import start_again
from moderator.service.people.zone import NoZone, set_zone
from moderator.service.play import votes
from moderator.service.play.kept_orders import kept_rows
from moderator.service.play.resignation import resign
from moderator.service.play.sealed_orders import tell_others_of
from moderator.service.play.shows import show
from moderator.service.table.held_rows import waiting_rows
from moderator.service.table.persons import shown_in, wish_calendar
from moderator.service.table.sealed_rows import own_rows, take_back
from moderator.service.table.seat_text import Shows
from moderator.service.table.table import Table
from moderator.service.table.trust import Origin

_MOST = 12
"""The number of words in one mail that are carried out: each may restore a whole game, and the answer must fit into a
mail."""
_OBEYED = ("withdraw", "notify", "pictures", "zone", "away", "back", "calendar", "propose", "vote", "resign")
"""Words that are carried out here; ``person_words`` has the others."""
_DEAR = ("at", "history", "record", "run")
"""Arguments of ``show`` that replay a game, or search for the best run."""
_MOST_DEAR = 3
_CHEAP = (
    "position",
    "map",
    "board",
    "hex",
    "company",
    "private",
    "words",
    "word",
    "rules",
    "phase",
    "chart",
    "trains",
    "prices",
    "tiles",
    "orders",
    "clock",
)
"""Arguments of ``show`` that are answered to mail not known to be the player's: a few milliseconds each, whatever the
position."""
_SHARE = 4
"""One shown text takes at most the mail's size divided by this: the mail has it as text and as HTML."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The seat that the words come from, with the origin of its text and the mail. In a ``trial`` nothing is done.
    ``shows`` limits what is shown."""

    seat: SeatRow
    origin: Origin
    mail: MailRow | None = None
    trial: bool = False
    shows: Shows = "all"


@dataclass(frozen=True, slots=True)
class Obeyed:
    notes: tuple[Note, ...]
    shown: tuple[Shown, ...]


def obey(table: Table, asking: Asking, words: Iterable[Word]) -> Obeyed:
    """Carry out the words, each once and in their order; in a trial only say what they would do."""
    notes: list[Note] = []
    shown: list[Shown] = []
    different = list({(word.kind, word.argument): word for word in words}.values())
    different, left_out = _affordable(different, asking.shows)
    notes.extend(left_out)
    if len(different) > _MOST:
        notes.append(("words.many", {"most": _MOST, "left": len(different) - _MOST}))
    for word in different[:_MOST]:
        if _is_shown(word):
            found = show(table, asking.seat, word.argument or "position")
            if isinstance(found, Shown):
                found, cut = _cut(found, table.sitting.settings.largest_answer // _SHARE)
                shown.append(found)
                notes.extend(cut)
            else:
                notes.append(found)
        elif word.kind in ("away", "back") and (word.argument or "").split(" ")[0] == everywhere.EVERYWHERE:
            notes.extend(_everywhere(table, asking, word))
        elif word.kind in _OBEYED or word.kind in person_words.KINDS:
            notes.append(_do(table, asking, word))
    return Obeyed(tuple(notes), tuple(shown))


def _do(table: Table, asking: Asking, word: Word) -> Note:
    """Carry out a word that changes something. Returns the note about it."""
    match word.kind:
        case "withdraw":
            return _withdraw(table, asking.seat, word.argument, trial=asking.trial)
        case "notify":
            return _notify(table.sitting, asking.seat, word.argument or "", trial=asking.trial)
        case "pictures":
            return _pictures(table.sitting, asking.seat, word.argument or "", trial=asking.trial)
        case "away":
            return absence.away(table, asking.seat, word.argument, trial=asking.trial)
        case "calendar":
            return _calendar(table.sitting, asking.seat, word.argument or "", trial=asking.trial)
        case "back":
            return absence.back(table, asking.seat, trial=asking.trial)
        case "propose":
            return votes.propose(table, asking.seat, word.argument or "", asking.mail, trial=asking.trial)
        case "resign":
            return resign(table, asking.seat, asking.origin, asking.mail, trial=asking.trial)
        case "vote":
            return votes.vote(table, asking.seat, word.argument or "", trial=asking.trial)
        case "zone":
            return _zone(table.sitting, asking.seat, word.argument or "", trial=asking.trial)
        case _ if asking.trial:
            return "identity.trial", {"word": word.kind}
        case _:
            return person_words.said(table.sitting, asking.seat, word, asking.origin, asking.mail)


def _everywhere(table: Table, asking: Asking, word: Word) -> Iterable[Note]:
    """Carry out a word about absences in all games of the player. Returns the notes about it."""
    if word.kind == "back":
        return everywhere.back(table, asking.seat, trial=asking.trial)
    days = (word.argument or "").partition(" ")[2]
    return everywhere.away(table, asking.seat, days, trial=asking.trial)


def _affordable(words: list[Word], shows: Shows) -> tuple[list[Word], list[Note]]:
    """The words to carry out, and the notes on those that would cost too much."""
    if shows == "nothing":
        return [word for word in words if not _is_shown(word)], []
    if shows == "cheap":
        kept = [word for word in words if not _is_shown(word) or _what(word) in _CHEAP]
        return kept, [("show.elsewhere", {"cheap": _CHEAP})] if len(kept) < len(words) else []
    dear = [word for word in words if word.kind == "show" and _what(word) in _DEAR]
    left = dear[_MOST_DEAR:]
    note: Note = ("show.dear", {"most": _MOST_DEAR, "left": len(left)})
    return [word for word in words if word not in left], [note] if left else []


def _is_shown(word: Word) -> bool:
    """True for ``show``, and for ``help`` with a subject, which shows a text about it."""
    return word.kind == "show" or (word.kind == "help" and word.argument is not None)


def _what(word: Word) -> str:
    return (word.argument or "position").partition(" ")[0].lower()


def _cut(shown: Shown, most: int) -> tuple[Shown, list[Note]]:
    """``shown``, shortened to at most ``most`` characters, and notes on what was cut."""
    if len(shown.text) <= most:
        return shown, []
    text = shown.text[:most].rpartition("\n")[0]
    left = shown.text[len(text) :].count("\n")
    return replace(shown, text=text), [("show.cut", {"what": shown.what, "left": left})]


def _withdraw(table: Table, seat: SeatRow, argument: str | None, *, trial: bool) -> Note:
    """Withdraw all that waits, or the one that ``argument`` counts, as the mails list it. Returns the note about it."""
    texts: list[str] = []
    mails = 0
    wanted = None if argument in (None, "all") else argument
    ahead, sealed = waiting_rows(table.sitting.session, table.row.id, seat.player), own_rows(table, seat.player)
    waiting: tuple[HeldRow | SealedRow, ...] = (*ahead, *sealed)
    for number, found in enumerate(waiting, start=1):
        if wanted is not None and wanted != str(number):
            continue
        texts.append(found.text)
        if trial:
            continue
        if isinstance(found, SealedRow):
            take_back(table, found)
            tell_others_of(table, found, "sealed_withdrawn")
        else:
            found.status, found.closed_at = "withdrawn", table.sitting.now()
    if wanted is None:
        for kept in kept_rows(table.sitting, seat):
            mails += 1
            kept.state = kept.state if trial else "refused"
    if mails:
        return "withdrawn.mail", {"texts": tuple(texts)}
    return "withdrawn", {"count": len(texts), "texts": tuple(texts), "argument": wanted or ""}


def _notify(sitting: Sitting, seat: SeatRow, setting: str, *, trial: bool) -> Note:
    if setting not in ("turn", "round", "daily", "all"):
        return "notify.unknown", {"argument": setting}
    if not trial:
        seat.notify = setting
        start_again(sitting, seat, told=True)
        note(sitting, seat, "notify")
    return "notify", {"setting": setting}


def _calendar(sitting: Sitting, seat: SeatRow, wish: str, *, trial: bool) -> Note:
    if not trial:
        wish_calendar(sitting.session, seat.address, wanted=wish == "on")
    return f"calendar.{wish}", {}


def _pictures(sitting: Sitting, seat: SeatRow, wish: str, *, trial: bool) -> Note:
    if wish not in WISHES:
        return "pictures.unknown", {"argument": wish}
    if not trial:
        seat.pictures = wish
        note(sitting, seat, "pictures")
    return "pictures", {"setting": wish}


def _zone(sitting: Sitting, seat: SeatRow, text: str, *, trial: bool) -> Note:
    try:
        zone = set_zone(sitting, seat, text, trial=trial)
    except NoZone as error:
        return "zone.unknown", {"argument": text, "near": error.near}
    return "zone", {"zone": zone, "now": shown_in(zone, sitting.now()) if zone else ""}
