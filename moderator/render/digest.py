"""Render digests: one mail a day about all games of a person."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator.domain.info import REPLY_MARK, GameInfo
from moderator.domain.ports import Section
from moderator.render.facts import about_game
from moderator.render.mails import Rendered, rendered
from moderator.words.story import story
from moderator.words.texts import words
from moderator.words.wording import asked_of


def digest_section(game: Game, info: GameInfo, seat: PlayerId, since: int, language: str = "en") -> Section:
    """The part of a digest about the game of ``seat``: its questions or, if it has none, the news after the first
    ``since`` orders."""
    own, game = words(language), game.seen_by(seat)
    asked = asked_of(game, seat, language, timed=info.deadline is not None)
    context = about_game(own, game, info, seat) | {"questions": asked}
    context["chapters"] = () if asked else story(own, game, since)
    return Section(bool(asked), own.text("digest_section", **context), own.page("digest_section", **context))


def digest_mail(sections: Sequence[Section], language: str = "en") -> Rendered:
    """The digest of several games: first what waits for the reader, then the news."""
    own = words(language)
    waiting = tuple(section for section in sections if section.waits)
    news = tuple(section for section in sections if not section.waits)
    subject = own.say("words", "subject.digest", waiting=len(waiting), news=len(news))
    return rendered(own, "digest", subject, {"reply_mark": REPLY_MARK, "waiting": waiting, "news": news})
