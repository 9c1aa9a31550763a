"""The views of a transcript for templates: the outcome of a mail, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any, Final

from engine.core.checks import Failure
from engine.core.events import ConsentAsked
from engine.core.title import Title
from grammar import MASTER
from moderator.domain.clocks.timetable import Days
from moderator.domain.transcript import Notes, Shown, Transcript, TranscriptLine
from moderator.words.story import Chapter, chapters_of
from moderator.words.text import MARK, clean
from moderator.words.texts import Words
from moderator.words.wording import describe_failure, describe_unreadable

_TRIALS = ("checked", "unconfirmed")
"""The outcomes of trials, in which nothing is kept."""
_SHORT = 60
"""The number of characters of press that are repeated to its writer."""
_SENTENCE: Final = 5
"""The fewest words of a line that is no slip in an order, but a sentence."""
_OFFER = "master.offer"
"""The note that stands directly above the text that it offers."""
_LIKELY = "likely"
_LETTER = "letter"
"""The note that stands above that one."""
_STOPS = ("refused", "unreadable", "ambiguous")


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of a transcript. ``text``: the text as written, cleaned. ``understood``: the canonical order; empty if
    it is the same as ``text``."""

    number: int
    text: str
    understood: str
    verdict: str
    reasons: tuple[str, ...]
    good: bool


def transcript_view(own: Words, title: Title, transcript: Transcript) -> dict[str, Any]:
    """The facts about a mail for templates: ``lines``, ``notes``, ``word_lines``, ``shown``, ``ignored``, ``chapters``
    and others."""
    letter = is_letter(transcript)
    lines = () if letter else transcript.lines  # the orders that it tells stand for its lines
    done = [line for line in lines if line.verdict in ("accepted", "checked")]
    moves = () if letter else transcript.moves or [line.events for line in done]
    chapters: list[Chapter] = chapters_of(own, title, moves)
    trial = transcript.outcome in _TRIALS
    offers = tuple(note for note in transcript.notes if note[0] == _OFFER)
    above = tuple(note for note in transcript.notes if note[0] == _LIKELY)
    apart = (_OFFER, _LIKELY, "prose") if offers else ("prose",) if letter else ()
    told = tuple(note for note in transcript.notes if note[0] not in apart)
    return {
        "offer": " ".join(notes_view(own, title, (*above, *offers) if offers else ())),
        "lines": tuple(line_views(own, title, lines, trial=trial, at_once=_used_at_once(transcript))),
        "notes": notes_view(own, title, told, trial=trial),
        "again": _again(own, transcript),
        "word_lines": (
            *(clean(f"{word.kind} {word.argument or ''}") for word in transcript.words),
            *(clean(f"{_press(one.to)}: {shorten(one.text, _SHORT)}") for one in transcript.press),
        ),
        "shown": tuple(_shown(shown) for shown in transcript.shown),
        "ignored": transcript.ignored_lines,
        "chapters": chapters,
        "trial": bool(done) and all(line.verdict == "checked" for line in done),
    }  # fmt: skip


def _again(own: Words, transcript: Transcript) -> str:
    """The advice for the next mail. Lines of others are spoken of only if this mail seems to have some."""
    if is_letter(transcript):
        return ""
    advice = own.word(f"again.{outcome_of(transcript)}", "")
    if advice and _has_sentences(transcript):
        return f"{advice} {own.word('again.letter')}"
    return f"{advice} {own.word('again.added')}" if advice and _has_added_lines(transcript) else advice


def is_letter(transcript: Transcript) -> bool:
    """True if a letter without orders tells some in its own words."""
    return any(key == _LETTER for key, _ in transcript.notes)


def _has_sentences(transcript: Transcript) -> bool:
    """True if sentences stand among the orders of a mail in which other lines were passed over as a letter's."""
    sentences = (line for line in transcript.lines if line.unreadable is not None)
    return any(key == "prose" for key, _ in transcript.notes) and any(
        len(line.text.split()) >= _SENTENCE for line in sentences
    )


def _has_added_lines(transcript: Transcript) -> bool:
    """True if whole sentences that are near to no order stand below the last order: a mail program, a list or an
    employer may have put them there."""
    last = max((line.line for line in transcript.lines if line.canonical is not None), default=0)
    return any(
        0 < last < line.line
        and line.unreadable is not None
        and line.unreadable.nearest is None
        and line.unreadable.reason in ("unknown", "head")
        and len(line.text.split()) >= _SENTENCE
        for line in transcript.lines
    )


def notes_view(own: Words, title: Title, notes: Notes, *, trial: bool = False) -> tuple[str, ...]:
    """Each note as a sentence or two. ``trial``: nothing was kept."""
    return tuple(
        own.say("words", f"notes.{key}", title=title, trial=trial, **_facts(own, title, facts)) for key, facts in notes
    )


def unsealed(notes: Notes) -> tuple[tuple[str, str], ...]:
    """Each line that was sealed, with its digest, if ``notes`` report the opening of sealed orders; empty otherwise."""
    found = next((facts for key, facts in notes if key == "sealed.opened"), {})
    lines, digests = found.get("lines", ()), found.get("digests", ())
    assert isinstance(lines, tuple) and isinstance(digests, tuple)
    return tuple((clean(str(line)), str(digest)) for line, digest in zip(lines, digests, strict=True))


def outcome_of(transcript: Transcript) -> str:
    """The key of the text for the outcome. It distinguishes a check that found a fault, a message, and a
    withdrawal of nothing."""
    if transcript.outcome == "withdrawn" and ("withdrawn", 0) in ((n, f.get("count")) for n, f in transcript.notes):
        return "withdrawn_nothing"
    if is_letter(transcript):
        return "letter"
    if transcript.outcome == "empty" and any(key == _OFFER for key, _ in transcript.notes):
        return "message"
    if transcript.outcome == "held" and _used_at_once(transcript):
        return "held_used"
    stopped = next((line.verdict for line in transcript.lines if line.verdict in _STOPS), None)
    return f"checked_{stopped}" if transcript.outcome == "checked" and stopped else transcript.outcome


def _used_at_once(transcript: Transcript) -> bool:
    """True if orders of the mail that are kept have answered a question at once, or would, if they were only tried. In
    a mail that was carried out too, the moves are those of its other lines."""
    moved = transcript.outcome == "held" and bool(transcript.moves)
    return moved or any(key == "held.at_once" for key, _ in transcript.notes)


def _press(to: tuple[str, ...]) -> str:
    """The beginning of press: ``press`` to the whole table, ``press Bob``, or ``master`` to the game master."""
    if to == (MASTER,):
        return MASTER
    return f"press {', '.join(to)}" if to else "press"


def line_views(
    own: Words, title: Title, lines: tuple[TranscriptLine, ...], *, trial: bool, at_once: bool = False
) -> Iterator[LineView]:
    """The views of all lines except an implied ``done``, which nobody wrote and which a note reports. ``at_once``: the
    orders that are kept have answered a question already, or would."""
    stopped = any(line.verdict in _STOPS for line in lines)
    unread = {line.line for line in lines if line.unreadable is not None}
    held = sum(line.verdict == "held" for line in lines)
    for line in lines:
        key: str = line.verdict
        if key == "accepted" and any(isinstance(event, ConsentAsked) for event in line.events):
            key = "asked"
        elif key == "not_reached" and not stopped:
            key = "unread"
        elif key == "not_reached" and line.line in unread:
            key = "same_line"
        elif key == "held" and at_once and held == 1:  # of several, nobody could tell which
            key = "would_use" if trial else "used"
        elif key in ("held", "lapsed") and trial:
            key = {"held": "would_hold", "lapsed": "would_lapse"}[key]
        if line.text or line.verdict not in ("accepted", "checked"):
            yield _line(own, title, line, key)


def _line(own: Words, title: Title, line: TranscriptLine, verdict: str) -> LineView:
    text, canonical = clean(line.text), line.canonical or ""
    same = text.casefold() in (canonical.casefold(), f"{line.actor}: {canonical}".casefold())
    if canonical and line.actor and re.search(rf"(?<![\w-]){re.escape(line.actor)}(?![\w-])", text, re.IGNORECASE):
        canonical = f"{line.actor}: {canonical}"
    reasons = [describe_failure(title, failure, own.language) for failure in line.failures]
    if line.unreadable is not None:
        told = [own.say("words", "in_vain", reasons=reasons)] if reasons else []
        reasons = [describe_unreadable(line.unreadable, own.language), *told]
    if line.instead:
        reasons.append(own.say("words", "instead", orders=line.instead))
    return LineView(
        number=line.line,
        text=text,
        understood="" if same else canonical,
        verdict=own.word(f"verdict.{verdict}"),
        reasons=tuple(reasons),
        good=line.verdict in ("accepted", "held", "sealed", "checked"),
    )


def one_line(orders: str) -> str:
    """Orders on one line and cleaned, such as ``GRR: run best; done``."""
    lines = [clean(line) for line in orders.splitlines()]
    head = f"{lines.pop(0)} " if len(lines) > 1 and lines[0].endswith(":") else ""
    return head + "; ".join(lines)


def _shown(shown: Shown) -> Shown:
    """``shown``, with a bar before each line if it has orders, so that they are not read as orders when quoted."""
    if shown.what == "message":
        return replace(shown, text="\n".join(map(clean, shown.text.splitlines())))
    if shown.what != "orders":
        return shown
    return replace(shown, text="\n".join(MARK + clean(line) for line in shown.text.splitlines()))


def _facts(own: Words, title: Title, facts: Mapping[str, object]) -> dict[str, Any]:
    """The facts of a note, with failures as sentences and players' text cleaned."""
    shown: dict[str, Any] = {}
    for name, value in facts.items():
        if isinstance(value, tuple | list):
            shown[name] = tuple(_fact(own, title, one) for one in value)
        else:
            shown[name] = one_line(value) if isinstance(value, str) else value
    return shown


def _fact(own: Words, title: Title, fact: object) -> object:
    """One of several facts of a note."""
    if isinstance(fact, Failure):
        return describe_failure(title, fact, own.language)
    return fact if isinstance(fact, Days) else one_line(str(fact))
