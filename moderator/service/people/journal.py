"""A journal of the players of all seats, kept beside the database for the day on which it is restored from a copy.

A line is written for each change of a seat that a restore must not reverse: its address, its player, revoked secret
addresses, aliases, and the player's wish for mail. Each line has the whole state of the seat after the change, so it
does no harm to apply a line twice, and the last one is enough. The journal has only digests of secret words.
"""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select, update

from moderator.adapters.journal import Journal
from moderator.adapters.tables import AliasRow, GameRow, PendingRow, PersonRow, SeatRow, SeatToken
from moderator.domain.clocks import wall
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game
from moderator.service.post.outbox import queue_operator
from moderator.service.service_facts import all_kept
from moderator.settings import Settings

log = logging.getLogger("railpost")

_FILE: Final = "seats.jsonl"
_WAITING: Final = "lines for the journal of seats"
REDACTED: Final = "redacted "
"""Prefix of a key, followed by the game: the names that replace those taken out, by the number of the seat."""
ASKED_AGAIN: Final = ("alias", "alias.other", "address")
"""Kinds of confirmations that may still be given after a restore; confirmations of orders are too late then."""

Key = tuple[str, str, int]
"""The identity of a seat in any database: the game, the published commitment to its seed, and the seat's number."""


class State(BaseModel):
    """The state of a seat after a change. A moment is None if there is none."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    game: str
    commitment: str
    number: int
    player: str
    n: int
    """``SeatRow.changes``: the line with the greatest value is the newest."""
    at: AwareDatetime
    what: str
    """The change, for human readers; nothing depends on it."""
    address: str
    given: AwareDatetime | None = None
    stopped: AwareDatetime | None = None
    person: str = ""
    notify: str = "turn"
    pictures: str = "on"
    zone: str = "UTC"
    """The zone that the owner of the address of record wishes; ``UTC`` for none."""
    called: str = ""
    """The name that replaces the player's, if his was taken out."""
    aliases: dict[str, AwareDatetime | None] = {}
    """Other addresses of the owner of the address of record, and the moment when each was confirmed."""
    open: tuple[str, ...] = ()
    """Digests of the secret words of open confirmations, of the kinds ``ASKED_AGAIN``."""
    revoked: tuple[str, ...] = ()
    """Digests of the secret words that this change has revoked."""

    @property
    def key(self) -> Key:
        return self.game, self.commitment, self.number

    def tells_the_same(self, other: State) -> bool:
        """True if a restore would carry over the same from both."""
        return self._carried() == other._carried()

    def _carried(self) -> tuple[object, ...]:
        said = self.address, self.given, self.stopped, self.notify, self.pictures, self.zone, self.called
        return *said, self.aliases


@dataclass(frozen=True, slots=True)
class Told:
    """The contents of a journal. ``since`` is None if there is no journal; ``broken`` are lines that cannot be read."""

    since: datetime | None = None
    states: Sequence[State] = ()
    broken: Sequence[int] = field(default=())


class _Begun(BaseModel):
    begun: AwareDatetime


def path_of(settings: Settings) -> Path:
    """The path of the journal."""
    return settings.data / _FILE


def digest(token: str) -> str:
    """The journal's form of a secret word: it can be recognised, but not recovered."""
    return hashlib.sha256(token.encode()).hexdigest()


def note(sitting: Sitting, seat: SeatRow, what: str, *, revoked: Iterable[str] = ()) -> None:
    """Write a line about ``seat`` as it is now, once the transaction is committed."""
    lock_game(sitting.session, seat.game)
    seat.changes += 1
    sitting.session.flush()
    (state,) = states_of(sitting.session, seat)
    line = state.model_copy(update={"at": sitting.now(), "what": what, "revoked": tuple(map(digest, revoked))})
    waiting: list[State] = sitting.session.info.setdefault(_WAITING, [])
    if not waiting:
        sitting.desk.database.afterwards(sitting.session, lambda: _write(sitting.desk, waiting))
    waiting.append(line)


def revoke_tokens(sitting: Sitting, seat: SeatRow) -> None:
    """Revoke all secret addresses of the seat."""
    live = select(SeatToken.token).where(SeatToken.seat == seat.id, col(SeatToken.revoked).is_(False))
    tokens = sitting.session.exec(live).all()
    sitting.session.exec(update(SeatToken).where(col(SeatToken.seat) == seat.id).values(revoked=True))
    note(sitting, seat, "revoked", revoked=tokens)


def states_of(session: Session, only: SeatRow | None = None) -> list[State]:
    """The states of all seats in the database, or of ``only`` one, without any revoked words."""
    seats = select(SeatRow, GameRow).join(GameRow, col(GameRow.id) == col(SeatRow.game)).order_by(col(SeatRow.id))
    asked = select(PendingRow).where(col(PendingRow.kind).in_(ASKED_AGAIN), is_open())
    aliases = select(AliasRow)
    if only is not None:
        seats = seats.where(SeatRow.id == only.id)
        asked = asked.where(PendingRow.seat == only.id)
        aliases = aliases.where(AliasRow.record == only.address.lower())
    waiting: dict[int, list[str]] = defaultdict(list)
    for row in session.exec(asked).all():
        waiting[row.seat].append(digest(row.token))
    others: dict[str, dict[str, datetime | None]] = defaultdict(dict)
    for alias in session.exec(aliases).all():
        others[alias.record][alias.address] = alias.confirmed_at
    persons = select(PersonRow) if only is None else select(PersonRow).where(PersonRow.address == only.address.lower())
    zones = {person.address: person.zone for person in session.exec(persons).all()}
    called = all_kept(session, REDACTED)
    return [
        State(
            game=game.id, commitment=game.commitment, number=seat.number, player=seat.player, n=seat.changes,
            at=game.created_at, what="", address=seat.address, given=seat.given_at, stopped=seat.stopped_at,
            person=seat.person, notify=seat.notify, pictures=seat.pictures,
            zone=zones.get(seat.address.lower()) or wall.UNSET,
            called=called[game.id].value.get(str(seat.number), "") if game.id in called else "",
            aliases=others.get(seat.address.lower(), {}),
            open=tuple(sorted(waiting.get(seat.id or 0, ()))),
        )
        for seat, game in session.exec(seats).all()
    ]  # fmt: skip


def is_open() -> Any:
    """The condition that a request still waits for its confirmation, or for the time that follows it."""
    return (PendingRow.state == "open") | ((PendingRow.state == "confirmed") & (PendingRow.kind == "address"))


def revoked_in(session: Session) -> dict[Key, list[str]]:
    """The revoked secret words, by seat."""
    wanted = (
        select(GameRow.id, GameRow.commitment, SeatRow.number, SeatToken.token)
        .join(SeatRow, col(SeatRow.id) == col(SeatToken.seat))
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(col(SeatToken.revoked))
    )
    found: dict[Key, list[str]] = defaultdict(list)
    for game, commitment, number, token in session.exec(wanted).all():
        found[game, commitment, number].append(token)
    return found


def read(path: Path) -> Told:
    """The contents of the journal at ``path``. ``OSError`` if it exists and cannot be read."""
    since: datetime | None = None
    states: list[State] = []
    broken: list[int] = []
    for number, line in Journal(path).read():
        try:
            if isinstance(line, dict) and "begun" in line:
                begun = _Begun.model_validate(line).begun
                since = begun if since is None else min(since, begun)
            else:
                states.append(State.model_validate(line))
        except ValidationError:
            broken.append(number)
    return Told(since, states, broken)


def catch_up(desk: Desk) -> int:
    """Begin the journal, or add missing lines: for changes from before there was a journal, or changes of a service
    that was killed after it wrote to the database and before it wrote to the journal. Returns the number of seats with
    a new line. ``OSError`` if the journal cannot be read."""
    told = read(path_of(desk.settings))
    if told.since is None:
        Journal(path_of(desk.settings)).append([_beginning(desk)])
    last: dict[Key, State] = {}
    known = {word for state in told.states for word in state.revoked}
    for state in sorted(told.states, key=lambda one: (one.n, one.at)):
        last[state.key] = state
    count = 0
    with desk.sitting() as sitting:
        revoked = revoked_in(sitting.session)
        rows = {(row.game, row.number): row for row in sitting.session.exec(select(SeatRow)).all()}
        for state in states_of(sitting.session):
            lost = [word for word in revoked.get(state.key, ()) if digest(word) not in known]
            before = last.get(state.key)
            if lost or not (state.tells_the_same(before) if before is not None else _as_begun(state)):
                note(sitting, rows[state.game, state.number], "found", revoked=lost)
                count += 1
    return count


def _as_begun(state: State) -> bool:
    """True if the seat has never had a change that belongs in the journal."""
    return not (state.n or state.given or state.stopped or state.called or state.aliases)


def _beginning(desk: Desk) -> dict[str, Any]:
    return {"begun": desk.clock.now().isoformat()}


def _write(desk: Desk, states: Sequence[State]) -> None:
    """Write lines for a change that is committed. If the journal cannot be written, the operator is told."""
    journal = Journal(path_of(desk.settings))
    lines = [state.model_dump(mode="json", exclude_defaults=True) for state in states]
    try:
        journal.append(lines if journal.path.exists() else [_beginning(desk), *lines])
    except OSError as error:
        log.error("the journal of seats cannot be written: %s", error)
        _tell(desk, desk.words.operator_words("journal", {"path": str(journal.path), "why": str(error)}))


def _tell(desk: Desk, text: str) -> None:
    try:
        with desk.sitting() as sitting:
            queue_operator(sitting, text)
    except SQLAlchemyError as error:
        log.error("the operator could not be told of it: %s", type(error).__name__)


__all__ = ["State", "Told", "catch_up", "digest", "note", "path_of", "read", "revoke_tokens", "states_of"]
