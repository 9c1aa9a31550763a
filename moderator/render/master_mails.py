"""Render the mails between a player and the game master."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator.domain.info import REPLY_MARK, GameInfo, Master
from moderator.domain.master_report import MasterLine, MasterReport
from moderator.render.mails import Rendered, barred, rendered
from moderator.render.transcript import line_views
from moderator.words.text import MARK, clean
from moderator.words.texts import Words, words
from moderator.words.times import moment
from moderator.words.wording import asked_of

_SHORT: Final = 60
"""The number of characters of a line that the answer to a game master repeats."""


def to_master_mail(game: Game, info: GameInfo, lines: Sequence[str], status: str, language: str = "en") -> Rendered:
    """The mail to the game master with the ``lines`` of a player. It says what the player is asked now. ``status``:
    that of the game."""
    own, seat = words(language), PlayerId(info.seat)
    asked = asked_of(game.seen_by(seat), seat, language) if status == "running" else ()
    context = {"info": info, "reply_mark": REPLY_MARK, "writer": info.seat, "questions": asked, "status": status}
    subject = own.say("words", "subject.to_master", info=info, writer=info.seat)
    return rendered(own, "to_master", subject, context | barred(lines))


def from_master_mail(
    info: GameInfo, master: Master, lines: Sequence[str], question: Sequence[str], asked_at: datetime,
    language: str = "en",
) -> Rendered:  # fmt: skip
    """The mail to a player with the answer of the game master, and below it the ``question``, which is empty if it is
    no longer known."""
    own, asked = words(language), barred(question)
    context = {"info": info, "reply_mark": REPLY_MARK, "master": master, "asked_at": moment(own, asked_at, info.zone)}
    context |= {"question": asked["barred"], "question_lines": asked["lines"] if question else ()}
    subject = own.say("words", "subject.from_master", info=info, master=master)
    return rendered(own, "from_master", subject, context | barred(lines))


def master_answer_mail(game: Game, info: GameInfo, report: MasterReport, language: str = "en") -> Rendered:
    """The answer to a mail of a game master: what became of each of its lines, and the views that he asked for."""
    own = words(language)
    lines = [_line(own, game, line) for line in report.lines]
    key = next((verdict for verdict in _WORST_FIRST if any(line.verdict == verdict for line in report.lines)), "read")
    if key in ("refused", "unreadable") and any(line.verdict == "done" for line in report.lines):
        key = "partial"
    outcome = own.word(f"master_outcome.{key}")
    context = {
        "info": info, "reply_mark": REPLY_MARK, "mark": MARK, "lines": lines, "outcome": outcome,
        "helped": report.helped,
        "needs": report.needs, "waits_for": report.waits_for, "until": moment(own, report.until, info.zone),
        "shown": report.shown, "faulty": any(line.verdict == "unreadable" for line in report.lines),
    }  # fmt: skip
    subject = own.say("words", "subject.master_answer", info=info, outcome=outcome)
    return rendered(own, "master_answer", subject, context)


_WORST_FIRST: Final = ("unreadable", "refused", "waits", "would", "done")


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."


def _line(own: Words, game: Game, line: MasterLine) -> Mapping[str, Any]:
    """A line of the mail for the template."""
    why = own.say("words", f"master_fault.{line.why}", near=line.near) if line.verdict == "unreadable" else line.why
    given = [view for view in line_views(own, game.title, line.given, trial=True) if not view.good]
    return {
        "number": line.number, "text": _short(clean(line.text.split("\n")[0])),
        "verdict": own.word(f"master_verdict.{line.verdict}"), "why": why, "given": given,
    }  # fmt: skip
