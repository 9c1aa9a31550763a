"""The plain texts for ``help words``, ``help word par`` and ``help rules``: the terms of a title, and what it is
about."""

from __future__ import annotations

import re

from engine.core.game import Game
from engine.core.title import Title
from moderator.words.text import fold
from moderator.words.texts import Words, words

_NOT_LETTERS = re.compile(r"[^\w&-]+")
_IN_BRACKETS = re.compile(r"\((\w+)\)")


def text_words(game: Game, language: str = "en") -> str:
    """All terms that the mails of the title use, each with its meaning on a line."""
    own = words(language)
    return own.text("words_shown", title=game.title, meanings=glossary(own, game.title))


def text_word(game: Game, said: str, language: str = "en") -> str:
    """The meaning of one term, in the singular or plural; "" if the glossary does not have it."""
    own, wanted = words(language), _forms(said)
    found = [(term, meaning) for term, meaning in glossary(own, game.title) if wanted & _names(term)]
    return (
        fold("\n".join(own.say("words", "term", title=game.title, term=term, meaning=one) for term, one in found))
        if found
        else ""
    )


def text_rules(game: Game, language: str = "en") -> str:
    """The subject of the title, its course and its end, in a few lines."""
    return words(language).text("rules_shown", title=game.title, state=game.state)


def glossary(own: Words, title: Title) -> tuple[tuple[str, str], ...]:
    """The terms of a title with their meanings, in alphabetical order."""
    terms = own.own(title.name)["glossary"]
    found = {term: own.say("glossary", term, title=title) for term, meaning in terms.items() if meaning}
    return tuple(sorted(found.items(), key=lambda row: row[0].casefold()))


def _names(term: str) -> set[str]:
    """The words of a term that each name it: ``stock round (SR)`` is found by both, ``lay, upgrade`` by each."""
    short = set(map(str.casefold, _IN_BRACKETS.findall(term)))
    return short | {" ".join(part.split()).casefold() for part in _IN_BRACKETS.sub("", term).split(",")}


def _forms(said: str) -> set[str]:
    """``said`` in lower case without punctuation, and its singular."""
    word = " ".join(_NOT_LETTERS.sub(" ", said).split()).casefold()
    return {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}
