"""Finds the game, seat or players of a command. If there is none, the message lists those that exist."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn

from moderator.entrypoints.output import Status, fail

if TYPE_CHECKING:
    from moderator.domain.game_rows import Due
    from moderator.service.desk import Desk
    from moderator.service.play.new_games import Person
    from moderator.settings import Settings


def no_game(desk: Desk, name: str) -> NoReturn:
    """End the command with a message that says which games there are, and in which database."""
    from moderator.service.listing.games import game_names

    with desk.database.reading() as session:
        names = game_names(session)
    there = f"there are: {', '.join(names[-20:])}" if names else "there are none at all"
    fail(f"there is no game {name!r} in {shown_url(desk.settings)}; {there}", Status.NO)


def shown_url(settings: Settings) -> str:
    """The URL of the database without its password."""
    from sqlalchemy import make_url

    return make_url(settings.database_url).render_as_string(hide_password=True)


@contextmanager
def seat_named(desk: Desk, name: str, player: str) -> Iterator[None]:
    """End the command if a use case inside finds no such game or seat. The message lists those that exist."""
    from moderator.service.table.table import NoGame, NoSeat

    try:
        yield
    except NoGame:
        no_game(desk, name)
    except NoSeat as error:
        fail(f"there is no player {player!r} in {name}; there are: {', '.join(error.players)}", Status.NO)


def not_ours(settings: Settings, address: str) -> None:
    """End the command if ``address`` is the service's own: it would answer itself."""
    local, _, domain = address.lower().rpartition("@")
    mailbox, own = settings.mailbox.lower(), settings.domain.lower()
    if domain == own and local.partition("+")[0] in (mailbox, f"{mailbox}-bounces"):
        fail(f"{address} is an address of the service itself")


def people_of(seats: list[str], settings: Settings) -> list[Person]:
    """The players of ``seats``. Raises ``ValueError`` if one cannot be read, or if two have the same name."""
    from moderator.service.play.new_games import Person

    people = [Person.parse(text) for text in seats]
    for person in people:
        not_ours(settings, person.address)
    names = [person.name for person in people]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two seats are called {twice!r}: give each another name")
    return people


def master_named(text: str, settings: Settings) -> Person | None:
    """The game master in a text like ``Max <max@example.org>``; None if it is empty. ``ValueError`` if it cannot be
    read."""
    from moderator.service.play.new_games import Person, check_master

    if not text:
        return None
    person = Person.parse(text, "game master")
    check_master(settings, person)
    return person


def short_due(due: Due | None) -> str:
    """The moment until which an answer is due, to the minute, and ``late`` if it is past; empty if there is none."""
    return "" if due is None else f"{short(due.at)}{' late' if due.late else ''}"


def short(moment: datetime | None) -> str:
    """``moment`` to the minute; empty if it is None."""
    return "" if moment is None else moment.isoformat(" ")[:16]
