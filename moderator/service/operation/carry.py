"""Carries changes of seats over to a copy that was made before them: from the database that the copy replaces, and from
journals of seats. Applying them twice changes nothing more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from pydantic import AwareDatetime, BaseModel, ConfigDict
from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select, update

from moderator.adapters.tables import AliasRow, GameRow, HeldRow, OutboxRow, PendingRow, SeatRow, SeatToken
from moderator.domain.clocks import wall
from moderator.service.desk import Sitting
from moderator.service.people import journal
from moderator.service.people.journal import ASKED_AGAIN, Key, State
from moderator.service.people.reach import REPLACED
from moderator.service.play.journal.name_removal import put_name
from moderator.service.service_facts import recall, remember
from moderator.service.table.persons import wish_zone
from moderator.service.table.tenure import follow, open_tenure

AGAIN: Final = "ask again"
"""Key of the open confirmations that a restore has still to ask for again."""


class Asked(BaseModel):
    """An open confirmation of a seat, or an agreed change that waits for its time."""

    model_config = ConfigDict(frozen=True)

    seat: int
    """The seat's id in its database."""
    kind: str
    address: str
    state: str
    due: AwareDatetime
    digest: str


@dataclass(frozen=True, slots=True)
class Before:
    """The seats as the replaced database has them."""

    states: Sequence[State] = ()
    revoked: frozenset[str] = frozenset()
    """Digests of its revoked secret words."""
    asked: Mapping[Key, list[Asked]] = field(default_factory=dict)
    games: Mapping[str, str] = field(default_factory=dict)
    """Name -> the published commitment to the seed."""


@dataclass(frozen=True, slots=True)
class Carried:
    """One change that was carried over; the words ``operator.carried.KEY`` tell it."""

    key: str
    facts: dict[str, object]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A seat of which nothing is known since ``since``: its player should be asked."""

    game: str
    player: str
    address: str
    since: datetime


def look_at(session: Session) -> Before:
    """All that the database of ``session`` holds about its seats."""
    games = session.exec(select(GameRow.id, GameRow.commitment)).all()
    revoked = journal.revoked_in(session).values()
    asked: dict[Key, list[Asked]] = defaultdict(list)
    keys = _keys(session)
    for one in _asked(session):
        asked[keys[one.seat]].append(one)
    digests = frozenset(journal.digest(word) for words in revoked for word in words)
    return Before(journal.states_of(session), digests, asked, dict(games))


def _keys(session: Session) -> dict[int | None, Key]:
    """The keys that name the seats in any database, by their id in this one."""
    wanted = select(SeatRow.id, GameRow.id, GameRow.commitment, SeatRow.number)
    found = session.exec(wanted.join(GameRow, col(GameRow.id) == col(SeatRow.game))).all()
    return {number: (game, commitment, place) for number, game, commitment, place in found}


def _asked(session: Session) -> list[Asked]:
    wanted = (
        select(PendingRow)
        .where(col(PendingRow.kind).in_(ASKED_AGAIN), journal.is_open())
        .order_by(col(PendingRow.created_at), col(PendingRow.token))
    )
    found = [
        Asked(
            seat=row.seat, kind=row.kind, address=row.address, state=row.state, due=row.due_at,
            digest=journal.digest(row.token),
        )
        for row in session.exec(wanted).all()
    ]  # fmt: skip
    return [*found, *to_ask(session)]


def to_ask(session: Session) -> list[Asked]:
    """The questions that a restore has still to ask."""
    return [Asked.model_validate(one) for one in (recall(session, AGAIN) or {"asked": []})["asked"]]


def keep_to_ask(sitting: Sitting, asked: Sequence[Asked]) -> None:
    """Store questions to be asked later. A restore that is interrupted goes on with those that are left."""
    remember(sitting, AGAIN, {"asked": [one.model_dump(mode="json") for one in asked]})


def carry_over(sitting: Sitting, before: Before, told: Iterable[State]) -> tuple[list[Carried], list[Asked]]:
    """Apply the changes to the rows of the copy, which are in the database by now. Returns the changes that were made,
    and the confirmations to ask for again."""
    lines = list(told)
    digests = before.revoked.union(*(state.revoked for state in lines))
    found: list[Carried] = []
    again: list[Asked] = []
    ours = {state.key: state for state in journal.states_of(sitting.session)}
    replaced, written = _newest(ours, before.states, lines)
    waiting = _asked(sitting.session)
    for key, now in ours.items():
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == now.game, SeatRow.number == now.number)).one()
        assert seat.id is not None
        found += _revoke(sitting.session, seat, digests)
        state = written.get(key) or replaced.get(key)
        here = [one for one in waiting if one.seat == seat.id]
        if key in replaced:
            here = before.asked.get(key, [])
        if key in written:
            here = [one for one in here if one.digest in written[key].open]
        again += [one.model_copy(update={"seat": seat.id}) for one in here]
        if state is not None:
            found += _seat(sitting, seat, now, state)
    _zones(sitting.session, replaced | written)
    found += _aliases(sitting, replaced | written)
    return found, again


def _newest(
    ours: Mapping[Key, State], before: Sequence[State], lines: Sequence[State]
) -> tuple[dict[Key, State], dict[Key, State]]:
    """The states of the copy's seats in the replaced database, unless they are older, and in journals, if they are
    newer than both."""
    replaced = {state.key: state for state in before if state.key in ours and state.n >= ours[state.key].n}
    known = {**ours, **replaced}
    latest = {state.key: state for state in sorted(lines, key=lambda one: (one.n, one.at))}
    return replaced, {key: state for key, state in latest.items() if key in known and state.n > known[key].n}


def _revoke(session: Session, seat: SeatRow, digests: frozenset[str]) -> list[Carried]:
    live = select(SeatToken.token).where(SeatToken.seat == seat.id, col(SeatToken.revoked).is_(False))
    tokens = [token for token in session.exec(live).all() if journal.digest(token) in digests]
    if not tokens:
        return []
    session.exec(update(SeatToken).where(col(SeatToken.token).in_(tokens)).values(revoked=True))
    return [Carried("revoked", {"game": seat.game, "player": seat.player, "count": len(tokens)})]


def _seat(sitting: Sitting, seat: SeatRow, now: State, state: State) -> list[Carried]:
    facts: dict[str, object] = {"game": seat.game, "player": seat.player, "address": state.address}
    found = []
    if state.given is not None and state.given != now.given:
        _given(sitting, seat)
        found.append(Carried("given", {**facts, "since": state.given.strftime("%Y-%m-%d %H:%M")}))
    elif state.address.lower() != now.address.lower():
        sitting.session.exec(update(OutboxRow).where(*_unsent(seat)).values(recipient=state.address))
        found.append(Carried("address", facts))
    if state.address.lower() != now.address.lower():
        seat.bounces, seat.unreachable_at = 0, None
    if state.called and state.called != now.called:
        put_name(sitting, seat.game, seat.number, state.called)
        found.append(Carried("called", {**facts, "called": state.called}))
    if (state.stopped is None) != (now.stopped is None):
        found.append(Carried("stopped" if state.stopped is not None else "started", facts))
    seat.address, seat.given_at, seat.stopped_at = state.address, state.given, state.stopped
    seat.person, seat.notify, seat.pictures = state.person, state.notify, state.pictures
    seat.changes = state.n
    if state.given is not None and state.given != now.given:
        open_tenure(sitting.session, seat, state.given)
    elif state.address.lower() != now.address.lower():
        follow(sitting.session, seat, now.address)
    sitting.session.flush()
    return found


def _given(sitting: Sitting, seat: SeatRow) -> None:
    """End the held orders of the player that the copy has in the seat, and the mails to him that were not sent: the
    seat was handed over."""
    waiting = (col(HeldRow.game) == seat.game, col(HeldRow.player) == seat.player, col(HeldRow.status) == "waiting")
    sitting.session.exec(update(HeldRow).where(*waiting).values(status="withdrawn", closed_at=sitting.now()))
    sitting.session.exec(update(OutboxRow).where(*_unsent(seat)).values(state="failed", error=REPLACED))
    seat.heard_at = seat.away_at = seat.unreachable_at = None
    seat.bounces = 0


def _unsent(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    mails = (col(OutboxRow.game) == seat.game, col(OutboxRow.player) == seat.player)
    return (*mails, col(OutboxRow.state).in_(("queued", "kept")))


def _zones(session: Session, known: Mapping[Key, State]) -> None:
    """Carry over the zones that persons wish: the newest state of any of their seats counts."""
    for state in sorted(known.values(), key=lambda one: one.at):
        wish_zone(session, state.address, "" if state.zone == wall.UNSET else state.zone)


def _aliases(sitting: Sitting, known: Mapping[Key, State]) -> list[Carried]:
    """Carry aliases over. They belong to the address of record, which several seats may have, so the newest state
    counts."""
    found = []
    newest = {state.address.lower(): state for state in sorted(known.values(), key=lambda one: one.at)}
    for record, state in newest.items():
        rows = {
            row.address: row for row in sitting.session.exec(select(AliasRow).where(AliasRow.record == record)).all()
        }
        facts: dict[str, object] = {"game": state.game, "player": state.player}
        for address in sorted(rows.keys() - state.aliases.keys()):
            sitting.session.delete(rows[address])
            found.append(Carried("alias_removed", {**facts, "address": address}))
        for address, confirmed in state.aliases.items():
            row = rows.get(address)
            if row is None:
                row = AliasRow(address=address, record=record, created_at=sitting.now())
            before, row.confirmed_at = row.confirmed_at, confirmed
            sitting.session.add(row)
            if confirmed is not None and before is None:
                found.append(Carried("alias", {**facts, "address": address}))
        sitting.session.flush()
    return found


def unknown(session: Session, before: Before, since: datetime | None, made: datetime) -> list[Unknown]:
    """The seats of running games whose changes since the copy was ``made`` are not known: the replaced database does
    not have the game, and the journal begins (``since``) later or does not exist."""
    if since is not None and since <= made:
        return []
    wanted = (
        select(SeatRow, GameRow.commitment)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .where(GameRow.status == "running")
        .order_by(col(SeatRow.game), col(SeatRow.number))
    )
    return [
        Unknown(seat.game, seat.player, seat.address, made)
        for seat, commitment in session.exec(wanted).all()
        if before.games.get(seat.game) != commitment
    ]
