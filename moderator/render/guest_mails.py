"""Render the mails to people without a seat: answers to the words that need no secret address, questions, news."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from moderator.domain.info import REPLY_MARK
from moderator.render.mails import Rendered, barred, rendered
from moderator.render.text import MARK
from moderator.render.times import in_words
from moderator.render.words import words


def guest_mail(key: str, facts: Mapping[str, Any], reply_to: str = "", language: str = "en") -> Rendered:
    """A short mail to somebody without a seat: the text ``guest.KEY``, filled with ``facts``. Without ``reply_to`` he
    answers to the service itself. The fact ``terms`` is a timetable, ``games`` an overview of games, ``said`` a text
    of somebody else."""
    own = words(language)
    terms = facts.get("terms")
    zone = terms.here if terms is not None else "UTC"
    about: dict[str, Any] = {"reply_mark": REPLY_MARK, "mark": MARK, "reply_to": reply_to}
    about |= in_words(own, dict(facts), zone)
    about["info"] = SimpleNamespace(terms=terms, id=facts.get("game", ""))
    about |= barred(str(facts["said"]).splitlines()) if facts.get("said") else {}
    games: Mapping[str, Sequence[Any]] = facts.get("games", {})
    about["lists"] = [
        (own.word(f"guest_heading.{kind}"), [own.say("words", f"guest_word.{kind}", one=one) for one in found])
        for kind, found in games.items() if found
    ]  # fmt: skip
    context = about | {"sentences": own.say("words", f"guest.{key}", **about)}
    return rendered(own, "guest", own.say("words", f"guest_subject.{key}", **about), context)
