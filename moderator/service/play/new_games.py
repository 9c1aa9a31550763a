"""Begins games."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import parseaddr
from typing import TypeAlias

from sqlmodel import Session, func, select

from engine import Game, Refused, Setup, Title
from engine.core.orders import Order
from grammar import Vocabulary
from moderator.adapters.tables import FactsRow, FormingRow, GameRow, SeatRow
from moderator.domain.clocks.terms import changed
from moderator.domain.clocks.timetable import Timetable
from moderator.domain.clocks.wall import WallTime
from moderator.domain.fork import Fork
from moderator.domain.house_names import check_person_names, distinct, draw_house_names
from moderator.domain.seating import deal_places
from moderator.domain.senders import names_service
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Games, Live
from moderator.service.locks import one_by_one
from moderator.service.past.game_loader import write_snapshot
from moderator.service.people.master_lines import tell_office
from moderator.service.play.moves import write_moves
from moderator.service.table.game_master import Office, may_know, offices_of, write_offices
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
Given: TypeAlias = tuple[str, Order]
"""A player, and an order that he gave."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player's name in the game, and the address that answers go to."""

    name: str
    address: str
    wish: str = ""
    """The place that he wishes for (``domain.seating``); empty if he wishes for none."""

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
    tournament: str = ""
    anonymous: bool = False
    """True if the players have names of the house until the game is over."""

    @property
    def timetable(self) -> Timetable:
        """The terms of the game's clocks. ``ValueError`` if they are wrong."""
        time = str(WallTime.parse(self.deadline_time)) if self.deadline_time else ""
        return changed(Timetable(hours=self.deadline_hours, time=time), self.clock)


def commitment_of(seed: str) -> str:
    """The commitment published before the first lot is drawn: SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def new_game(
    desk: Desk, terms: Terms, people: Sequence[Person], setup: Setup | None = None, begun: Sequence[Given] = ()
) -> str:
    """Begin a game and write to everyone. Returns its name. ``setup`` fixes what is otherwise drawn: seats, Priority
    Deal and seed (a recorded game). ``begun``: the orders of a game that was begun elsewhere, each with its player, in
    which ``people`` have the seats of ``setup`` in order; the game goes on after them. ``ValueError`` for an unknown
    title, edition, option or zone, for a name that a player cannot have, for a wrong file of facts, and for an order
    that a rule forbids."""
    prepared = prepare(desk, terms, people, setup, begun)
    with desk.sitting() as sitting:
        live = begin(sitting, prepared)
    desk.games.put(live)
    return live.id


@dataclass(frozen=True, slots=True)
class Prepared:
    """A game that could begin: its terms are sound, and its lots are drawn. ``seated``: each player with the person who
    plays for him; ``begun``: the orders of a game that was begun elsewhere."""

    terms: Terms
    seated: Sequence[tuple[str, Person]]
    title: Title
    setup: Setup
    vocabulary: Vocabulary
    game: Game
    begun: Sequence[Given] = ()


def prepare(
    desk: Desk, terms: Terms, people: Sequence[Person], setup: Setup | None = None, begun: Sequence[Given] = ()
) -> Prepared:
    """All of ``new_game`` that needs no database. ``ValueError`` as there."""
    title = _title(desk.games, terms)
    check_master(desk.settings, terms.master)
    if terms.anonymous:
        check_person_names(person.name for person in people)
        names = distinct([person.name for person in people])
        people = [replace(person, name=name) for person, name in zip(people, names, strict=True)]
    if setup is None:
        setup, seated = drawn(new_seed(desk), people, anonymous=terms.anonymous)
    else:
        seated = _seated(setup, people, elsewhere=bool(begun) or terms.anonymous)
    for player in setup.players:
        check_name(player)
    vocabulary = desk.games.vocabulary(title, setup.players)
    return Prepared(terms, seated, title, setup, vocabulary, Game.start(title, setup), begun)


def drawn(
    seed: str, people: Sequence[Person], *, anonymous: bool
) -> tuple[Setup, list[tuple[str, Person]]]:  # fmt: skip
    """The setup that the lots of ``seed`` give, and each player with the person who plays for him. If somebody wished
    for a place, the first place has the priority deal."""
    by_name = {person.name: person for person in people}
    wishes = {person.name: person.wish for person in people if person.wish}
    seated = [by_name[name] for name in deal_places(seed, list(by_name), wishes)]
    players = draw_house_names(seed, len(seated)) if anonymous else tuple(person.name for person in seated)
    priority = players[0] if wishes else None
    return Setup(players, seed, priority), list(zip(players, seated, strict=True))


def begin(sitting: Sitting, prepared: Prepared, name: str = "") -> Live:
    """Store the game under ``name``, or under the next that is free, and write to everyone. Returns the game, which
    counts once the transaction is committed. ``ValueError`` if somebody has answered too little in time."""
    clocks = prepared.terms.timetable
    for _, person in prepared.seated:
        check_floor(sitting.session, clocks.floor, person.name, person.address)
    one_by_one(sitting.session, "new game")  # two games that are begun at once get two names
    row = _new_row(sitting, prepared, name or free_name(sitting.session, prepared.title.name))
    _seat_all(sitting, row, prepared.seated)
    live = Live(row.id, prepared.game, prepared.vocabulary, row.at)
    write_snapshot(sitting.session, live.pieces, row.at, 0, live.game.state, live.game.told_digest())
    table = _played(Table(sitting, row, live, seats_of(sitting.session, row.id)), prepared.begun)
    note_questions(table, {ask.player for ask in table.game.asked()})
    welcome(table)
    for office in offices_of(row):
        greet_master(table, office)
    return table.live


def new_seed(desk: Desk) -> str:
    """A seed that nobody may guess."""
    return desk.random_bytes(_SEED_BYTES).hex()


def _new_row(sitting: Sitting, prepared: Prepared, name: str) -> GameRow:
    """The row of a new game, which is stored."""
    import engine

    title, setup, terms, now = prepared.title, prepared.setup, prepared.terms, sitting.now()
    clocks = terms.timetable
    row = GameRow(
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
        fingerprint=title.fingerprint, tournament=terms.tournament, anonymous=terms.anonymous,
        wishes=[[player, person.wish] for player, person in prepared.seated if person.wish],
    )  # fmt: skip
    if terms.master is not None:
        write_offices(row, (Office(name=terms.master.name, address=terms.master.address),))
    if title.facts_digest and sitting.session.get(FactsRow, title.facts_digest) is None:
        sitting.session.add(FactsRow(digest=title.facts_digest, text=title.own_facts, created_at=now))
    sitting.session.add(row)
    sitting.session.flush()
    return row


def _seated(setup: Setup, people: Sequence[Person], *, elsewhere: bool) -> list[tuple[str, Person]]:
    """Each player with the person who plays for him. In a game that was begun ``elsewhere`` persons may have other
    names than its players: then they have the seats in order. ``ValueError`` if they are not as many."""
    by_name = {person.name: person for person in people}
    if set(by_name) == set(setup.players):
        return [(player, by_name[player]) for player in setup.players]
    if not elsewhere or len(people) != len(setup.players):
        raise ValueError(f"{len(people)} persons for the seats of {', '.join(setup.players)}")
    return list(zip(setup.players, people, strict=True))


def _seat_all(sitting: Sitting, row: GameRow, seated: Sequence[tuple[str, Person]]) -> None:
    for number, (player, person) in enumerate(seated, 1):
        called = "" if person.name == player else person.name
        seat = SeatRow(game=row.id, number=number, player=player, address=person.address, told=-1, person=called)
        seat.rules = row.rules
        sitting.session.add(seat)
    sitting.session.flush()
    for seat in seats_of(sitting.session, row.id):
        open_tenure(sitting.session, seat, sitting.now())


def _played(table: Table, begun: Sequence[Given]) -> Table:
    """The table after the orders of a game that was begun elsewhere. ``ValueError`` if a rule forbids one."""
    fork = Fork(table.game)
    for number, (player, order) in enumerate(begun, 1):
        refused = fork.submit(order, player, "import")
        if isinstance(refused, Refused):
            raise ValueError(f"order {number}, {table.live.write_order(order)}, is illegal: {refused}")
    if not begun:
        return table
    if fork.game.finished:
        raise ValueError("the game is over: nobody is asked anything any more")
    for seat in table.seats:
        seat.told = len(begun)
    return write_moves(table, fork)


def check_master(settings: Settings, person: Person | None) -> None:
    """``ValueError`` if ``person`` cannot be a game master: mail to him must not come back to the service."""
    if person is None:
        return
    bounces = f"{settings.mailbox}-bounces"
    if any(names_service((person.address,), mailbox, settings.domain) for mailbox in (settings.mailbox, bounces)):
        raise ValueError(f"{person.address} cannot be the game master's address: it is one of the service itself")


def greet_master(table: Table, office: Office) -> None:
    """Tell a game master that he is one, and which words he may write."""
    knows = may_know(table.sitting.session, table.row, table.seats, office.address)
    facts = {
        "players": tuple(_called(seat) if table.row.veiled and knows else seat.player for seat in table.seats),
        "anonymous": table.row.veiled, "knows": knows, "operator": table.sitting.settings.operator,
        "yours": office == offices_of(table.row)[0],
    }  # fmt: skip
    tell_office(table, office, "master_named", facts)


def _called(seat: SeatRow) -> str:
    """The player of a seat with the person who plays for him."""
    return f"{seat.player}: {seat.person}" if seat.person else seat.player


def examine(games: Games, terms: Terms, people: Sequence[Person]) -> None:
    """Check what ``new_game`` would refuse, without a database. ``ValueError`` as there."""
    title = _title(games, terms)
    names = tuple(person.name for person in people)
    for name in names:
        check_name(name)
    if terms.anonymous:
        check_person_names(person.name for person in people)
        names = draw_house_names("names are drawn later", len(people))
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
