"""Render the mails between a player and the game master."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator.domain.info import REPLY_MARK, GameInfo, Master
from moderator.render.mails import Rendered, barred, rendered
from moderator.render.times import moment
from moderator.render.wording import asked_of
from moderator.render.words import words


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
