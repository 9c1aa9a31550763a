"""Put into words who has played a seat, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moderator.domain.seating import Dealt
from moderator.domain.tenures import Figures, Stay, by_seat
from moderator.words.text import clean
from moderator.words.texts import Words, words


def stay_words(stay: Stay, language: str = "en") -> str:
    """The time of one person in a seat, such as ``Dan from 2026-03-05 on``."""
    ended = stay.ended.date().isoformat() if stay.ended is not None else ""
    facts = {"person": person_words(stay, language), "began": stay.began.date().isoformat(), "ended": ended}
    return words(language).say("words", "tenure.stay", **facts, reason=clean(stay.reason))


def person_words(stay: Stay, language: str = "en") -> str:
    """The name of the person; "somebody" while nobody may learn it."""
    return clean(stay.person) or words(language).word("tenure.somebody")


def dealt_words(own: Words, dealt: Iterable[Dealt]) -> tuple[str, ...]:
    """A sentence for each place that somebody wished for."""
    said = ((one, own.say("words", "seating.wish", wish=one.wish)) for one in dealt)
    return tuple(own.say("words", "seating.dealt", one=one, wish=wish) for one, wish in said)


def waits_words(own: Words, waits: Mapping[str, int]) -> str:
    """How often a table has waited for a mail, in all and for each player; empty if it never has."""
    return own.say("words", "tenure.waits", total=sum(waits.values()), waits=waits)


def figures_words(own: Words, figures: Figures) -> str:
    """How a person has played in all games."""
    facts = {"moves": figures.moves, "on_time": figures.on_time, "finished": figures.finished}
    return own.say("words", "tenure.figures", **facts)


def seat_changes(stays: Iterable[Stay], language: str = "en") -> tuple[str, ...]:
    """A line for each seat that has had several persons, or one who is not called as the player is."""
    return tuple(
        words(language).say("words", "tenure.seat", player=player, stays=[stay_words(one, language) for one in found])
        for player, found in by_seat(stays).items()
        if len(found) > 1 or found[0].person not in ("", player)
    )
