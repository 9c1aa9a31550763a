"""Begins games."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr

from sqlmodel import Session, func, select

from engine import Game, Setup, Title
from engine.core.lots import lot
from grammar import Vocabulary
from moderator.adapters.tables import FactsRow, FormingRow, GameRow, SeatRow
from moderator.domain.clocks.terms import changed
from moderator.domain.clocks.timetable import Timetable
from moderator.domain.clocks.wall import WallTime
from moderator.domain.senders import names_service
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Games, Live
from moderator.service.locks import one_by_one
from moderator.service.past.game_loader import write_snapshot
from moderator.service.people.master_lines import tell_office
from moderator.service.table.game_master import Office, offices_of, write_offices
from moderator.service.table.notices import note_questions, welcome
from moderator.service.table.table import Table, seats_of
from moderator.service.table.tenure import check_floor, open_tenure
from moderator.settings import Settings

_ADDRESS = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,64}@[A-Za-z0-9.-]{1,255}")
_NAME = re.compile(r"[^\W_].{0,59}")
_RESERVED = frozenset({"all", "begin", "end", "end press", "master", "moderator", "press"})
"""Words that begin or end a block or a text to others, or name who gets one."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not seen: controls, direction marks, line separators."""
_SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Person:
    """A player's name in the game, and the address that answers go to."""

    name: str
    address: str

    @staticmethod
    def parse(text: str, what: str = "seat") -> Person:
        """The person in a text like ``Ann <ann@example.org>``; ``ValueError`` says what is missing."""
        before = re.sub(r'"(?:[^"\\]|\\.)*"', "", text).rpartition("<")[0]
        if "<" in before:
            raise ValueError(f"{text!r}: the name would be cut off at its `<`; write it without, or in quotation marks")
        name, address = parseaddr(text)
        if not name.strip() or not _ADDRESS.fullmatch(address):
            raise ValueError(f'{text!r} is no {what}: write a name and an address, as in "Ann <ann@example.org>"')
        name = " ".join(name.split())
        check_name(name)
        return Person(name, address)


def check_name(name: str) -> None:
    """``ValueError`` with the reason if a player cannot be called ``name``. Other marks at its beginning are quotations
    or dividers in mails; a reserved word would be read as one; direction marks turn the text around it."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be a name: it begins with a letter or digit and has at most 60 characters")
    if name.casefold() in _RESERVED:
        raise ValueError(f"{name!r} cannot be a name: the word means something else in mails to the moderator")
    hidden = next((char for char in name if unicodedata.category(char) in _HIDDEN), "")
    if hidden:
        raise ValueError(f"{name!r} cannot be a name: it has a character that is not seen (U+{ord(hidden):04X})")


@dataclass(frozen=True, slots=True)
class Terms:
    """The title to play, and the time for answers. Without an ``edition``, the latest edition of the title is played;
    ``deadline_time`` is the time of day (``20:00 Europe/Zurich``) at which deadlines end; ``facts`` is the text of a
    file of corrected facts."""

    title: str
    edition: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    deadline_hours: int | None = None
    deadline_time: str = ""
    facts: str = ""
    clock: Sequence[tuple[str, str]] = ()
    """Other terms of the game's clocks (``domain.clocks.terms``)."""
    master: Person | None = None
    """The game master whom players can ask; None: the operator."""

    @property
    def timetable(self) -> Timetable:
        """The terms of the game's clocks. ``ValueError`` if they are wrong."""
        time = str(WallTime.parse(self.deadline_time)) if self.deadline_time else ""
        return changed(Timetable(hours=self.deadline_hours, time=time), self.clock)


def commitment_of(seed: str) -> str:
    """The commitment published before the first lot is drawn: SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def draw_seats(seed: str, names: Sequence[str]) -> list[str]:
    """The seating order: each place is drawn by lot among the remaining players, in the order of their names."""
    left, seated = sorted(names), list[str]()
    while left:
        chosen = left[0] if len(left) == 1 else lot(seed, len(seated), "seat", left)
        left.remove(chosen)
        seated.append(chosen)
    return seated


def new_game(desk: Desk, terms: Terms, people: Sequence[Person], setup: Setup | None = None) -> str:
    """Begin a game and write to everyone. Returns its name. ``setup`` fixes what is otherwise drawn: seats, Priority
    Deal and seed (a recorded game). ``ValueError`` for an unknown title, edition, option or zone, for a name that a
    player cannot have, and for a wrong file of facts."""
    prepared = prepare(desk, terms, people, setup)
    with desk.sitting() as sitting:
        live = begin(sitting, prepared)
    desk.games.put(live)
    return live.id


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game that could begin: its terms are sound, and its lots are drawn."""

    terms: Terms
    people: Sequence[Person]
    title: Title
    setup: Setup
    vocabulary: Vocabulary
    game: Game


def prepare(desk: Desk, terms: Terms, people: Sequence[Person], setup: Setup | None = None) -> Prepared:
    """All of ``new_game`` that needs no database. ``ValueError`` as there."""
    title = _title(desk.games, terms)
    seed = desk.random_bytes(_SEED_BYTES).hex()
    check_master(desk.settings, terms.master)
    setup = setup or Setup(tuple(draw_seats(seed, [person.name for person in people])), seed)
    for player in setup.players:
        check_name(player)
    vocabulary = desk.games.vocabulary(title, setup.players)
    return Prepared(terms, people, title, setup, vocabulary, Game.start(title, setup))


def begin(sitting: Sitting, prepared: Prepared, name: str = "") -> Live:
    """Store the game under ``name``, or under the next that is free, and write to everyone. Returns the game, which
    counts once the transaction is committed. ``ValueError`` if somebody has answered too little in time."""
    clocks = prepared.terms.timetable
    for person in prepared.people:
        check_floor(sitting.session, clocks.floor, person.name, person.address)
    one_by_one(sitting.session, "new game")  # two games that are begun at once get two names
    row = _new_row(prepared, name or free_name(sitting.session, prepared.title.name), sitting.now())
    if prepared.terms.master is not None:
        write_offices(row, (Office(name=prepared.terms.master.name, address=prepared.terms.master.address),))
    title = prepared.title
    if title.facts_digest and sitting.session.get(FactsRow, title.facts_digest) is None:
        sitting.session.add(FactsRow(digest=title.facts_digest, text=title.own_facts, created_at=sitting.now()))
    sitting.session.add(row)
    sitting.session.flush()
    addresses = {person.name: person.address for person in prepared.people}
    for number, player in enumerate(prepared.setup.players, 1):
        seat = SeatRow(game=row.id, number=number, player=player, address=addresses[player], told=-1)
        seat.rules = row.rules
        sitting.session.add(seat)
    sitting.session.flush()
    seats = seats_of(sitting.session, row.id)
    for seat in seats:
        open_tenure(sitting.session, seat, sitting.now())
    live = Live(row.id, prepared.game, prepared.vocabulary, row.at)
    write_snapshot(sitting.session, live.pieces, row.at, 0, live.game.state, live.game.told_digest())
    table = Table(sitting, row, live, seats)
    note_questions(table, {ask.player for ask in live.game.asked()})
    welcome(table)
    for office in offices_of(row):
        greet_master(table, office)
    return live


def _new_row(prepared: Prepared, name: str, now: datetime) -> GameRow:
    import engine

    title, setup, clocks = prepared.title, prepared.setup, prepared.terms.timetable
    return GameRow(
        id=name,
        title=title.name, edition=title.edition, options=dict(title.options),
        setup={
            "players": list(setup.players), "priority": setup.priority,
            "privates": None if setup.privates is None else list(setup.privates),
        },
        seed=setup.seed, commitment=commitment_of(setup.seed),
        engine_version=engine.__version__, created_at=now, deadline_hours=clocks.hours,
        deadline_time=clocks.time, timetable=clocks.stored(),
        facts=title.facts_digest, began_rules=title.rules_version, rules=title.rules_version,
        fingerprint=title.fingerprint,
    )  # fmt: skip


def check_master(settings: Settings, person: Person | None) -> None:
    """``ValueError`` if ``person`` cannot be a game master: mail to him must not come back to the service."""
    if person is None:
        return
    bounces = f"{settings.mailbox}-bounces"
    if any(names_service((person.address,), mailbox, settings.domain) for mailbox in (settings.mailbox, bounces)):
        raise ValueError(f"{person.address} cannot be the game master's address: it is one of the service itself")


def greet_master(table: Table, office: Office) -> None:
    """Tell a game master that he is one, and which words he may write."""
    facts = {"players": tuple(seat.player for seat in table.seats), "operator": table.sitting.settings.operator}
    tell_office(table, office, "master_named", facts)


def examine(games: Games, terms: Terms, people: Sequence[Person]) -> None:
    """Check what ``new_game`` would refuse, without a database. ``ValueError`` as there."""
    title = _title(games, terms)
    names = tuple(person.name for person in people)
    for name in names:
        check_name(name)
    games.vocabulary(title, names)
    Game.start(title, Setup(names, "seats are drawn later"))
    _ = terms.timetable


def _title(games: Games, terms: Terms) -> Title:
    import engine

    return games.title(terms.title, terms.edition or engine.editions(terms.title)[0], terms.options, terms.facts)


def free_name(session: Session, title: str) -> str:
    """The next name of a game of this title that no game has, and that is kept for none that is forming."""
    count = session.exec(select(func.count()).select_from(GameRow).where(GameRow.title == title)).one()
    number = count + 1
    while any(session.get(table, f"{title.lower()}-{number}") is not None for table in (GameRow, FormingRow)):
        number += 1
    return f"{title.lower()}-{number}"
