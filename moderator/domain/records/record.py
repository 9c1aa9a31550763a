"""Game records: a game as text for permanent storage, with tags for its setup and then its orders by round and turn.

People can read a record, write one by hand and compare records line by line. Replaying a record leads to the same
position. Remarks beside the orders say what happened; they are ignored when the record is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import grammar
from engine import FaultyFacts, Game, Refused, Setup, Title, load_title
from engine.core.description import told_digest
from engine.core.events import Event, RoundBegan, TurnEnded
from engine.core.orders import Order
from engine.core.state import State
from engine.core.storage.snapshot import NotASnapshot, UnknownForm
from grammar import Unreadable
from moderator.domain.counts import counted
from moderator.domain.records.adopted_position import read_adopted
from moderator.domain.records.facts import FACTS, FACTS_FILE, WrongFacts, read_facts, write_facts
from moderator.domain.records.limits import LONGEST, MOST_ORDERS, first_faults, too_much
from moderator.domain.records.past import ADOPTED, DIGESTS, RULES, Past, past_of, read_past, write_past
from moderator.domain.records.tags import Fault, read_tags, write_tags
from moderator.domain.vocabulary import vocabulary

Teller = Callable[[tuple[Event, ...]], Iterable[str]]
"""Puts the events of one order into words, one string for each remark."""
Happened = Sequence[tuple[Order, State, tuple[Event, ...]]]
"""Each order with the position before it and the events that followed."""

_OWN: Final = (
    "Title", "Edition", "Seat", "Option.", "Priority", "Privates", "Seed", "Result", "Position",
    RULES, DIGESTS, ADOPTED, FACTS,
)  # fmt: skip
"""Names of tags, or their prefixes, that are written from the game itself."""
UNDER_WAY: Final = "*"
"""The value of the tag ``Result`` while the game is not over."""


class RecordError(ValueError):
    """A record cannot be used. Holds its first hundred faults; its text has a line ``file:line:column: reason`` for
    each."""

    def __init__(self, file: str, faults: tuple[Fault, ...]) -> None:
        faults = first_faults(faults)
        super().__init__("\n".join(f"{file}:{f.line}:{f.column}: {f.reason}" for f in faults))
        self.file, self.faults = file, faults


@dataclass(frozen=True, slots=True)
class Record:
    """A record that has been read but not replayed. ``lines``: the line of each order in ``file``."""

    file: str
    tags: Mapping[str, str]
    title: Title
    setup: Setup
    orders: tuple[Order, ...]
    lines: tuple[int, ...]
    past: Past = field(default_factory=Past)

    @property
    def sealed(self) -> bool:
        """True if the seed is not published, so that the lots that were drawn cannot be replayed."""
        return "Seed" not in self.tags

    @property
    def result(self) -> tuple[tuple[str, int], ...] | None:
        """The recorded final standings, best first; None if there are none."""
        return read_standings(self.tags.get("Result", UNDER_WAY))


class StoppedError(RecordError):
    """The replay of a record stops at an order. ``number`` is its number, from 1; ``place`` is the order with its
    number and its place in the file."""

    def __init__(self, record: Record, number: int, reason: str) -> None:
        self.number, self.order = number, record.orders[number - 1]
        line, written = record.lines[number - 1], grammar.write(self.order, vocabulary(record.title))
        said = f"order {number}, {self.order.actor}: {written},"
        self.place = f"{record.file}:{line}:1: {said}"
        super().__init__(record.file, (Fault(line, 1, f"{said} {reason}"),))


class IllegalOrderError(StoppedError):
    """The rules refuse an order of a record."""

    def __init__(self, record: Record, number: int, refused: Refused) -> None:
        super().__init__(record, number, f"is illegal: {refused}")
        self.refused = refused


class DepartedError(StoppedError):
    """An order of a record is legal but leads to another position than the record says. ``game`` is the game with the
    position that it leads to now."""

    def __init__(self, record: Record, number: int, game: Game) -> None:
        super().__init__(record, number, "no longer leads where it did")
        self.game = game


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_record(
    game: Game, tags: Mapping[str, str], *, tell: Teller | None = None, sealed: bool | None = None,
    past: Past | None = None, remarks: Iterable[str] = (),
) -> str:  # fmt: skip
    """The text of a record of ``game``. ``tags``: tags that the game does not know, such as its name, dates, the
    engine's version and the commitment to the seed; ``ValueError`` if one of them is written from the game itself.
    ``sealed``: leave out the seed; by default it is left out while the game is under way. ``past``: the versions of the
    rules and the positions as they were told to the players; without it the present ones are written. ``remarks`` come
    before the orders, and are skipped by readers.
    """
    own = [name for name in tags if name.startswith(_OWN)]
    if own:
        raise ValueError(f"the game itself gives the tag {own[0]}")
    sealed = not game.finished if sealed is None else sealed
    happened = tuple(game.happened(0))  # replays the game, so call it once
    told = write_past(past or _present(game, happened), len(game.orders))
    head = {**_first_tags(game), **told, **tags, **_last_tags(game, sealed)}
    said = "".join(f"// {remark}\n" for remark in _remarks(remarks))
    return f"{write_tags(head)}\n{said}{_Body(game, tell or (lambda _: ())).text(happened)}\n"


def write_standings(standings: Iterable[tuple[str, int]]) -> str:
    """The text of standings, such as ``Ann 8341; Bob 8216``."""
    return "; ".join(f"{player} {wealth}" for player, wealth in standings)


def _first_tags(game: Game) -> dict[str, str]:
    title, setup = game.title, game.setup
    tags = {"Title": title.name, "Edition": title.edition}
    tags.update({f"Option.{name}": value for name, value in title.options.items()})
    tags.update(write_facts(title.own_facts))
    tags.update({f"Seat{number}": player for number, player in enumerate(setup.players, 1)})
    if setup.priority is not None:
        tags["Priority"] = setup.priority
    if setup.privates is not None:
        tags["Privates"] = " ".join(setup.privates)
    return tags


def _last_tags(game: Game, sealed: bool) -> dict[str, str]:
    tags = {} if sealed else {"Seed": game.setup.seed, "Position": game.told_digest()}
    return {**tags, "Result": write_standings(game.standings()) if game.finished else UNDER_WAY}


def _present(game: Game, happened: Happened) -> Past:
    """The past of a game that was played by the present rules from the start."""
    digests = {number: told_digest(game.title, before) for number, (_, before, _) in enumerate(happened)}
    digests.pop(0, None)
    if game.orders:
        digests[len(game.orders)] = game.told_digest()
    return past_of([(0, game.title.rules_version)], digests, {})


class _Body:
    """Writes the body of a record: orders under the heads of their rounds and actors, with remarks."""

    def __init__(self, game: Game, tell: Teller) -> None:
        self.game, self.tell = game, tell
        self.lines: list[str] = []
        self.turn: list[tuple[Order, list[str]]] = []

    def text(self, happened: Happened) -> str:
        self._remarks(self.game.opening, number=0)
        for number, (order, _, events) in enumerate(happened, 1):
            if self.turn and self.turn[-1][0].actor != order.actor:
                self._close()
            begun = next((n for n, event in enumerate(events) if isinstance(event, RoundBegan)), len(events))
            self.turn.append((order, _remarks(self.tell(events[:begun]))))
            if begun < len(events) or any(isinstance(event, TurnEnded) for event in events):
                self._close()
            self._remarks(events[begun:], number)
        self._close()
        return "\n".join(self.lines)

    def _close(self) -> None:
        """Write the current turn."""
        names = vocabulary(self.game.title)
        if len(self.turn) == 1:
            order, remarks = self.turn[0]
            self.lines.append(grammar.write_section(order.actor, [order], names))
            self.lines.extend(f"  // {remark}" for remark in remarks)
        elif self.turn:
            self.lines.append(f"{self.turn[0][0].actor}:")
            for order, remarks in self.turn:
                self.lines.append(f"  {grammar.write(order, names)}")
                self.lines.extend(f"    // {remark}" for remark in remarks)
        self.turn = []

    def _remarks(self, events: Sequence[Event], number: int) -> None:
        """Write the remarks for ``events``, with a head for each round that begins among them."""
        groups: list[tuple[RoundBegan | None, list[Event]]] = [(None, [])]
        for event in events:
            if isinstance(event, RoundBegan):
                groups.append((event, []))
            else:
                groups[-1][1].append(event)
        for begun, following in groups:
            if begun is not None:
                self.lines.extend(("", f"// ---- {begun.round}, after order {number} ----"))
            self.lines.extend(f"// {remark}" for remark in _remarks(self.tell(tuple(following))))


def _remarks(said: Iterable[str]) -> list[str]:
    return [line for text in said if (line := " ".join(text.split()))]


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_record(text: str, file: str = "record", facts: str = "") -> Record:
    """Read the record in ``text``, without playing its orders (see ``replay_record``). ``file`` is the name of the
    record in messages. ``facts``: the file of corrected facts that the game was played with, for a record that does not
    contain it. ``RecordError`` names the lines that are wrong."""
    if beyond := too_much(text):
        raise RecordError(file, (beyond,))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    head = read_tags(text)
    faults = list(head.faults)

    def value(name: str) -> str:
        if name not in head.tags:
            faults.append(Fault(max(1, head.length), 1, f"no tag {name}"))
        return head.tags.get(name, "")

    name, edition = value("Title"), value("Edition")
    players = tuple(_seats(head.tags))
    if not players:
        faults.append(Fault(max(1, head.length), 1, "no tag Seat1"))
    if faults:
        raise RecordError(file, tuple(faults))
    options = {tag.removeprefix("Option."): said for tag, said in head.tags.items() if tag.startswith("Option.")}
    try:
        own = read_facts(head.tags, facts)
    except WrongFacts as error:
        raise RecordError(file, (Fault(head.lines.get(error.tag, 1), 1, error.reason),)) from error
    try:
        title = load_title(name, edition, options, own)
    except FaultyFacts as error:
        place = head.lines.get(FACTS_FILE, head.lines.get(FACTS, 1))
        reasons = tuple(Fault(place, 1, f"its file of facts does not hold: {fault}") for fault in error.faults)
        raise RecordError(file, reasons) from error
    except ValueError as error:
        raise RecordError(file, (_blamed(head.lines, name, edition, options, str(error)),)) from error
    try:
        names = vocabulary(title, players)
    except ValueError as error:
        raise RecordError(file, (Fault(head.lines["Seat1"], 1, str(error)),)) from error
    body = "\n" * head.length + "\n".join(text.split("\n")[head.length :])
    reading = grammar.read(body, names, longest=LONGEST)
    wrong = [Fault(error.line, error.column, _said(error)) for error in reading.errors]
    wrong += [Fault(word.line, 1, f"`{word.kind}` is said to a moderator, not in a record") for word in reading.words]
    if wrong:
        raise RecordError(file, tuple(sorted(wrong, key=lambda fault: (fault.line, fault.column))))
    if len(reading.orders) > MOST_ORDERS:
        raise RecordError(file, (Fault(1, 1, f"{len(reading.orders)} orders; at most {MOST_ORDERS} are played"),))
    found = [line for section in reading.sections for line in section.orders]
    setup = _setup(file, title, players, head.tags, head.lines)
    try:
        past = read_past(head.tags)
    except KeyError as error:
        tag = str(error.args[0])
        raise RecordError(file, (Fault(head.lines[tag], 1, f"the tag {tag} cannot be read"),)) from error
    late = next((n for n in past.adopted if not 0 <= n <= len(reading.orders)), None)
    if late is not None:
        fault = Fault(
            head.lines.get(f"{ADOPTED}{late}", 1), 1, f"the record has {counted(len(reading.orders), 'order')}"
        )
        raise RecordError(file, (fault,))
    return Record(file, head.tags, title, setup, reading.orders, tuple(line.line for line in found), past)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record that was played to its end. ``departed``: the numbers of the orders after which other rules told another
    position; the orders lead to the recorded final position all the same."""

    game: Game
    departed: tuple[int, ...] = ()


def replay(record: Record) -> Replay:
    """Play the record with every check on, from its start or from the latest adopted position in it.
    ``IllegalOrderError`` names the first order that is refused, ``DepartedError`` the first that leads to another
    position than the record says, and ``RecordError`` says why an adopted position cannot be read.

    A position that other rules told does not stop the replay if every later order is legal and the last one leads to
    the final position of the record: new rules may ask a player something that nobody was asked then."""
    game = _begin(record)
    first: DepartedError | None = None
    departed: list[int] = []
    for number, order in enumerate(record.orders[len(game.orders) :], len(game.orders) + 1):
        events = game.submit(order)
        if isinstance(events, Refused):
            raise first or IllegalOrderError(record, number, events)
        if number in record.past.digests and not record.past.agrees(number, game.told_digest()):
            departed.append(number)
            first = first or DepartedError(record, number, game.fork())
            if record.past.version_at(number) in (None, record.title.rules_version):
                raise first
    if first is not None and not _ends_as_told(record, game):
        raise first
    return Replay(game, tuple(departed))


def _ends_as_told(record: Record, game: Game) -> bool:
    try:
        return game.matches(record.tags["Position"])
    except (KeyError, ValueError):
        return False


def replay_record(record: Record) -> Game:
    """The game of the record, played as ``replay`` does, with the same errors."""
    return replay(record).game


def _begin(record: Record) -> Game:
    if not record.past.adopted:
        return Game.start(record.title, record.setup)
    number = max(record.past.adopted)
    try:
        found = read_adopted(record.past.adopted[number])
        state = found.state(record.title, record.setup.seed)
    except (UnknownForm, NotASnapshot) as error:
        fault = Fault(1, 1, f"the position after order {number}, from which it goes on, cannot be read: {error}")
        raise RecordError(record.file, (fault,)) from error
    return Game.resume(record.title, record.setup, record.orders[:number], state)


def read_standings(text: str) -> tuple[tuple[str, int], ...] | None:
    """Read standings from the text of ``write_standings``. None for any other text."""
    rows = [row.strip().rpartition(" ") for row in text.split(";")]
    if not all(player and wealth.removeprefix("-").isdecimal() for player, _, wealth in rows):
        return None
    return tuple((player, int(wealth)) for player, _, wealth in rows)


def _seats(tags: Mapping[str, str]) -> Iterator[str]:
    number = 1
    while (tag := f"Seat{number}") in tags:
        yield tags[tag]
        number += 1


def _setup(
    file: str, title: Title, players: tuple[str, ...], tags: Mapping[str, str], lines: Mapping[str, int]
) -> Setup:
    """The setup that the tags describe. ``RecordError`` if a game cannot be started with it."""
    privates = tuple(tags["Privates"].split()) if "Privates" in tags else None
    setup = Setup(players, tags.get("Seed", ""), tags.get("Priority"), privates)
    if setup.priority is not None and setup.priority not in players:
        raise RecordError(file, (Fault(lines["Priority"], 1, f"{setup.priority} has no seat"),))
    unknown = [private for private in privates or () if private not in title.privates]
    if unknown:
        raise RecordError(file, (Fault(lines["Privates"], 1, f"{title.name} has no private {unknown[0]}"),))
    try:
        Game.start(title, setup)
    except ValueError as error:
        raise RecordError(file, (Fault(lines["Seat1"], 1, str(error)),)) from error
    return setup


def _blamed(lines: Mapping[str, int], name: str, edition: str, options: Mapping[str, str], reason: str) -> Fault:
    """The fault at the first tag with which ``load_title`` fails."""
    try:
        load_title(name)
    except ValueError:
        return Fault(lines["Title"], 1, reason)
    try:
        load_title(name, edition)
    except ValueError:
        return Fault(lines["Edition"], 1, reason)
    for option, said in options.items():
        try:
            load_title(name, edition, {option: said})
        except ValueError:
            return Fault(lines[f"Option.{option}"], 1, reason)
    return Fault(lines["Title"], 1, reason)


def _said(error: Unreadable) -> str:
    nearest = f"; perhaps `{error.nearest}`" if error.nearest else ""
    found = f"`{error.piece}`" if error.piece else "the order ends"
    return f"{found}; expected: {', or '.join(error.expected)}{nearest}"
