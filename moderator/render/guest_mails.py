"""Render the mails to people who come to a game: answers to the words that need no secret address, questions, the news
for observers, and all that a successor must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator.domain.figures.statistics import statistics
from moderator.domain.info import REPLY_MARK, GameInfo
from moderator.render.facts import context_of
from moderator.render.mails import YES_OR_NO, Rendered, barred, rendered
from moderator.render.pictures import of_position
from moderator.render.subjects import cut
from moderator.words.links import Links
from moderator.words.question.questions import questions
from moderator.words.story import story
from moderator.words.text import MARK, clean
from moderator.words.texts import words
from moderator.words.times import in_words

_WITH_TERMS: Final = ("ask_join", "ask_confirm", "ask_place", "ask_offer")
"""Mails that tell the terms of the game's clocks."""


def guest_mail(key: str, facts: Mapping[str, Any], reply_to: str = "", language: str = "en") -> Rendered:
    """A short mail to somebody without a seat: the text ``guest.KEY``, filled with ``facts``. Without ``reply_to`` he
    answers to the service itself. The fact ``terms`` is a timetable, ``games`` an overview of games, ``said`` a text
    of somebody else."""
    own = words(language)
    terms = facts.get("terms")
    zone = terms.here if terms is not None else "UTC"
    about: dict[str, Any] = {"reply_mark": REPLY_MARK, "mark": MARK, "reply_to": reply_to}
    about |= in_words(own, dict(facts), zone)
    about["wished"] = own.say("words", "seating.wish", wish=facts["wish"]) if facts.get("wish") else ""
    about["info"] = SimpleNamespace(terms=terms if key in _WITH_TERMS else None, id=facts.get("game", ""))
    about |= barred(str(facts["said"]).splitlines()) if facts.get("said") else {}
    games: Mapping[str, Sequence[Any]] = facts.get("games", {})
    about["lists"] = [
        (own.word(f"guest_heading.{kind}"), [own.say("words", f"guest_word.{kind}", one=one) for one in found])
        for kind, found in games.items() if found
    ]  # fmt: skip
    subject = cut(clean(own.say("words", f"guest_subject.{key}", **about)))
    context = about | {"sentences": own.say("words", f"guest.{key}", **about)}
    context |= {"links": Links(reply_to, subject), "choices": YES_OR_NO if key.startswith("ask_") else ()}
    return rendered(own, "guest", subject, context)


def catch_up_mail(game: Game, info: GameInfo, seat: PlayerId, language: str = "en") -> Rendered:
    """The mail from which a successor catches up: the wealth of all after each round, the story, the position, and what
    is asked now."""
    own, whole, game = words(language), game.state, game.seen_by(seat)
    found = statistics(game)
    context = context_of(own, game, info, seat, whole) | {
        "questions": questions(own, game, seat, timed=info.deadline is not None)
    }
    context |= {"chapters": story(own, game, -1), "worth": found.worth, "pictures": of_position(own, game, info)}
    subject = own.say("words", "subject.catch_up", info=info)
    return rendered(own, "catch_up", subject, context)


def observer_mail(game: Game, info: GameInfo, since: int, language: str = "en") -> Rendered:
    """The news for an observer after the first ``since`` orders: only things that all players know."""
    own, whole, game = words(language), game.state, game.seen_by(PlayerId(""))
    context = context_of(own, game, info, PlayerId(""), whole) | {"questions": (), "chapters": story(own, game, since)}
    finished = game.finished or info.ended is not None
    context |= {"standings": game.standings() if finished else (), "pictures": (), "finished": finished}
    subject = own.say("words", "subject.observed", info=info, round=game.state.round, title=game.title,
                      finished=context["finished"])  # fmt: skip
    return rendered(own, "observed", subject, context)
