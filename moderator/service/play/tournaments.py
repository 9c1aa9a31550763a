"""Begins tournaments: several games of one title, to which persons are dealt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlmodel import select

from moderator.adapters.tables import GameRow
from moderator.domain.figures.tournament import deal
from moderator.service.desk import Desk
from moderator.service.play.new_games import Person, Terms, begin, new_seed, prepare


def new_tournament(
    desk: Desk, name: str, terms: Terms, people: Sequence[Person], games: int, seats: int
) -> list[tuple[str, tuple[str, ...]]]:
    """Begin ``games`` games with ``seats`` of the ``people`` each, all of them or none. Returns each game with its
    persons. ``ValueError`` if there is such a tournament already, if the persons cannot be dealt, and as for
    ``new_game``."""
    dealt = deal(new_seed(desk), [person.name for person in people], games, seats)
    by_name = {person.name: person for person in people}
    found, lives = [], []
    with desk.sitting() as sitting:
        if sitting.session.exec(select(GameRow.id).where(GameRow.tournament == name).limit(1)).first() is not None:
            raise ValueError(f"there is a tournament {name!r} already")
        for table in dealt:
            live = begin(sitting, prepare(desk, replace(terms, tournament=name), [by_name[one] for one in table]))
            found.append((live.id, table))
            lives.append(live)
    for live in lives:
        desk.games.put(live)
    return found
