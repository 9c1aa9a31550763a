"""An anonymous game that people join by mail, and the search for their names and addresses in all that others get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import sqlalchemy
from sqlmodel import SQLModel

from engine.robots import sensible
from grammar import write as write_order
from moderator.domain.vocabulary import vocabulary
from moderator.service.decision.motions import end_lapsed
from moderator.service.entry.observers import tell_observers
from moderator.service.entry.roster import form
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.new_games import Person, Terms
from tests.kit.service.going_out import railpost, site
from tests.kit.service.guests import address_of, answer, join, sweep, write
from tests.kit.service.mail_service import Letter, Service

FIRST: Final = ("Ottilie", "Bartolo", "Clementine")
SUCCESSOR, WATCHER, MASTER = "Dorothea", "Ferdinand", "Maximilian"
PEOPLE: Final = (*FIRST, SUCCESSOR)
"""Everybody who plays. Their names and addresses are in no word that mails have."""
_OF_THE_GAME: Final = ("entry", "game", "held", "press", "sealed", "snapshot", "deadline")
"""Tables that the record and the archive are made from."""


class AnonymousGame:
    """``master``: who is the game master, one of the players or somebody else."""

    def __init__(self, root: Path, master: str = MASTER, title: str = "1861") -> None:
        self.service, self.master = Service.open(root), master
        terms = Terms(title, deadline_hours=48, master=Person(master, address_of(master)), anonymous=True)
        self.game = form(self.service.desk, terms, 3, 3)
        self._read: Counter[str] = Counter()
        """Person -> how many of his mails were searched."""

    def begin(self) -> None:
        for name in FIRST:
            join(self.service, name, self.game)
        for name in FIRST:
            answer(self.service, name, kind="may begin")

    # ---- writing

    def player(self, person: str) -> str:
        """The name of the house that a person has."""
        return next(one for one in self.players if self.service.seat(self.game, one).address == address_of(person))

    def person(self, player: str) -> str:
        address = self.service.seat(self.game, player).address
        return next(person for person in PEOPLE if address_of(person) == address)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(str(player) for player in self.service.position(self.game).setup.players)

    def letters(self, person: str) -> list[Letter]:
        return self.service.mailbox(address_of(person))

    def say(self, person: str, text: str) -> list[Letter]:
        """A person answers his latest mail from his seat."""
        to = next(one.reply_to for one in reversed(self.letters(person)) if f"+{self.game}." in one.reply_to
                  and ".master." not in one.reply_to)  # fmt: skip
        return write(self.service, person, text, to)

    def rule(self, text: str) -> list[Letter]:
        """The game master writes to his address."""
        to = next(one.reply_to for one in reversed(self.letters(self.master)) if ".master." in one.reply_to)
        return write(self.service, self.master, text, to)

    def agrees(self, person: str, mark: str) -> list[Letter]:
        """A person says yes to the latest question with ``mark`` in its answer address."""
        to = next(one.reply_to for one in reversed(self.letters(person)) if mark in one.reply_to)
        return write(self.service, person, "yes", to)

    def play(self, mails: int) -> None:
        """Whoever is asked answers as the sensible robot would."""
        for _ in range(mails):
            game = self.service.position(self.game)
            ask = game.asked()[0]
            order = write_order(sensible(game, ask), vocabulary(game.title, game.state.players))
            self.say(self.person(str(ask.player)), f"{ask.actor}: {order}")

    def pass_by(self, **span: float) -> None:
        """Let time pass, and do what is due."""
        sweep(self.service, **span)
        sweep_deadlines(self.service.desk)
        end_lapsed(self.service.desk)
        tell_observers(self.service.desk)
        self.service.run()

    # ---- searching

    def leaks(self) -> list[str]:
        """Every name and address of a player in what somebody else has got since the last search, or may see."""
        found = [*self._in_mails(), *self._in_tables()]
        log = railpost(self.service, "game", "log", self.game) if self.has_begun else ""
        asked = write(self.service, "Curious", "games")
        public = {"log": log, "list": railpost(self.service, "game", "list"), "games": "".join(map(_text, asked))}
        if self.has_begun:
            public["position"] = railpost(self.service, "game", "show", self.game)
        return found + [f"{where}: {name}" for where, text in public.items() for name in named(text, self._others(""))]

    def leaks_from_archive(self, folder: Path) -> list[str]:
        """The same for what commands make of the game: archive, private archives, sheets, booklet and record."""
        folder.mkdir()
        made = {f"site/{path}": text for path, text in site(self.service, folder / "site").items()}
        for seat in self.players:
            made |= {f"{seat}/{path}": text for path, text in site(self.service, folder / seat, seat).items()}
            railpost(self.service, "paper", "sheet", self.game, seat, "--to", folder / "out")
            made[f"sheet of {seat}"] = (folder / "out").read_text()
        railpost(self.service, "paper", "booklet", self.game, "--to", folder / "out")
        made |= {"booklet": (folder / "out").read_text(), "record": railpost(self.service, "game", "export", self.game)}
        return [f"{where}: {name}" for where, text in made.items() for name in named(text, PEOPLE)]

    @property
    def has_begun(self) -> bool:
        return self.game in railpost(self.service, "game", "list", "--json") and bool(self._rows("seat"))

    def _others(self, person: str) -> tuple[str, ...]:
        """Everybody whose name ``person`` may not read. A game master's own is known to all."""
        return tuple(one for one in PEOPLE if one not in (person, self.master))

    def _in_mails(self) -> Iterator[str]:
        for person in (*PEOPLE, WATCHER, MASTER):
            letters = self.letters(person)
            for letter in letters[self._read[person] :]:
                told = named(_text(letter), self._others(person))
                if person == self.master and person not in PEOPLE:  # he knows who plays, and no address
                    told = [name for name in told if address_of(name) in _text(letter).lower()]
                yield from (f"{letter.subject!r} to {person}: {name}" for name in told)
            self._read[person] = len(letters)

    def _in_tables(self) -> Iterator[str]:
        for table in _OF_THE_GAME:
            for row in self._rows(table):
                for name in named(row, self._others("")):
                    yield f"table {table}: {name}"

    def _rows(self, table: str) -> list[str]:
        with self.service.session() as session:
            found = session.execute(sqlalchemy.select(SQLModel.metadata.tables[table])).mappings().all()
            return [str({key: value for key, value in row.items() if key != "masters"}) for row in found]


def named(text: str, people: tuple[str, ...]) -> list[str]:
    """The ``people`` whose name or address is in ``text``."""
    return [one for one in people if one.casefold() in text.casefold()]


def _text(letter: Letter) -> str:
    """All of a mail but the address that it goes to: its header, its texts, and the calendar entry."""
    parts = [part for part in letter.message.walk() if isinstance(part, EmailMessage)]
    texts = [str(part.get_content()) for part in parts if part.get_content_maintype() == "text"]
    head = [f"{name}: {value}" for name, value in letter.message.items() if name != "To"]
    return "\n".join((*head, *texts))
