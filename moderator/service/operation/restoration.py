"""Lets a service go on from a copy (fault 91).

Moves since the copy are lost, and answers to them are on their way. So every game gets a new decision number, and every
secret address is replaced: a late answer gets the position and changes nothing. Changes of seats since the copy stay
(``carry``). Everybody is written to anew, once the operator agrees.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Integer, delete, func, select, text, update
from sqlmodel import Session, col
from sqlmodel import select as rows

from moderator.adapters.database import Database, metadata
from moderator.adapters.tables import (
    OVER,
    EntryRow,
    FormingRow,
    GameRow,
    InquiryRow,
    MailRow,
    MotionRow,
    OutboxRow,
    PendingRow,
    SeatRow,
    SeatToken,
)
from moderator.service.desk import Desk, Sitting
from moderator.service.locks import lock_game
from moderator.service.operation.backup import LATEST, MADE, NotRestored, pour, private
from moderator.service.operation.carry import (
    AGAIN,
    Asked,
    Carried,
    Unknown,
    carry_over,
    keep_to_ask,
    look_at,
    to_ask,
    unknown,
)
from moderator.service.operation.releases import RESTORED
from moderator.service.operation.supervision import TICK
from moderator.service.people import requests as pending
from moderator.service.people.journal import Told
from moderator.service.people.master_lines import tell_office
from moderator.service.play.journal.rebuild import RESTORED_FROM
from moderator.service.post.outbox import ALARM, PAUSED, silence_of
from moderator.service.service_facts import FROZEN, all_kept, forget, look_again, recall, remember
from moderator.service.table.anonymity import note_knowing, who_know
from moderator.service.table.game_master import Office, offices_of, write_offices
from moderator.service.table.notices import ask_anew, notice, turn_mail
from moderator.service.table.seats import WENT_BACK
from moderator.service.table.stuck import Apart, told_if_possible
from moderator.service.table.table import open_table

_LOST: Final = 1_000
"""The number of decision numbers to skip: they may have been given out since the copy, and are not used again."""
STOPPED: Final = "stopped"
"""Key of the moment when a service ended as it should."""
_OF_A_PROCESS: Final = ("lease ", "told ", ALARM, FROZEN, STOPPED)
"""Prefixes of the keys of facts about the service that wrote the copy, not about its games."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The result of putting a copy in place: the moment when it was ``made``, and the number of ``mails`` that came
    since. ``lost`` are games that were begun since."""

    made: datetime
    mails: int
    carried: Sequence[Carried]
    unknown: Sequence[Unknown]
    lost: Sequence[str]


def note_stop(desk: Desk) -> None:
    """Note that the service has ended, so that nobody waits for another sign of life from it."""
    with desk.sitting() as sitting:
        remember(sitting, STOPPED, {"wall": desk.clock.now().isoformat()})


def read_copy(path: Path) -> Database:
    """The copy at ``path``, upgraded to this version's tables in a file of its own beside it. ``NotRestored`` if it is
    not a usable copy."""
    if not path.is_file():
        raise NotRestored(f"{path}: no such file")
    work = path.with_name(path.name + ".restoring")
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as source, private(work) as target:
            if source.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise NotRestored(f"{path} is damaged")
            source.backup(target)
    except sqlite3.DatabaseError as error:
        work.unlink(missing_ok=True)
        raise NotRestored(f"{path} is not a readable copy: {error}") from error
    copy = Database(f"sqlite:///{work}")
    try:
        copy.upgrade()
        with copy.reading() as session:
            if recall(session, MADE) is None:
                raise NotRestored(f"{path} was not made by `railpost backup`")
    except BaseException:
        close_copy(copy)
        raise
    return copy


def close_copy(copy: Database) -> None:
    """Close an upgraded copy, and delete its file."""
    copy.close()
    path = Path(copy.url.removeprefix("sqlite:///"))
    for name in ("", "-wal", "-shm"):
        path.with_name(path.name + name).unlink(missing_ok=True)


def holds_games(database: Database) -> bool:
    with database.reading() as session:
        return session.exec(rows(func.count()).select_from(GameRow)).one() > 0


def put_in_place(desk: Desk, copy: Database, file: Path, journals: Iterable[Told]) -> Replaced:
    """Replace everything in the database with everything in the copy, in one transaction. Mails that came since the
    copy stay, to be answered anew, and so do changes of seats since. All secret addresses are replaced, and nothing is
    sent. ``file`` is the path of the copy."""
    told = list(journals)
    since = min((one.since for one in told if one.since is not None), default=None)
    with copy.reading() as source, desk.sitting() as sitting:
        link = sitting.session.connection()
        before, masters, know = look_at(sitting.session), _masters(sitting.session), who_know(sitting.session)
        mails, tokens = _since(link, source.connection())
        for table in reversed(metadata.sorted_tables):
            link.execute(delete(table))
        pour(source.connection(), link)
        if desk.database.engine.dialect.name == "postgresql":
            _count_on(link)
        sitting.session.expire_all()
        look_again(sitting.session)
        for mail in mails:
            sitting.session.add(MailRow(**mail))
        for token in tokens:
            sitting.session.add(SeatToken(**token))
        sitting.session.flush()
        made = _made(sitting)
        carried, asked = carry_over(sitting, before, [state for one in told for state in one.states])
        _renew(sitting.session, masters)
        for game, addresses in know.items():  # nobody forgets who plays
            note_knowing(sitting, game, addresses)
        keep_to_ask(sitting, asked)
        _pause(sitting, made, file)
        games = set(sitting.session.exec(rows(GameRow.id)).all())
        known = {state.game for one in told for state in one.states if state.at >= made} | set(before.games)
        return Replaced(made, len(mails), carried, unknown(sitting.session, before, since, made), sorted(known - games))


def _masters(session: Session) -> dict[str, tuple[Office, ...]]:
    """The game masters of all games in the database."""
    return {row.id: offices_of(row) for row in session.exec(rows(GameRow)).all()}


def _renew(session: Session, masters: Mapping[str, tuple[Office, ...]]) -> None:
    """Mark all secret addresses as replaced, and let open confirmations and motions lapse. Every seat, and every game
    master, gets a new secret address with the next mail. The ``masters`` of before the restore stay: somebody who has
    been removed since the copy is none again."""
    session.exec(update(SeatToken).values(replaced=True))
    session.exec(update(MotionRow).where(col(MotionRow.state) == "open").values(state="lapsed"))
    for row in session.exec(rows(GameRow)).all():
        write_offices(row, (one.model_copy(update={"token": ""}) for one in masters.get(row.id, offices_of(row))))
    session.exec(update(PendingRow).where(col(PendingRow.state).in_(("open", "confirmed"))).values(state="lapsed"))
    session.exec(update(InquiryRow).where(col(InquiryRow.state) == "open").values(state="lapsed"))
    waits = {"state": "open", "due_at": None, "called": False}  # the next sweep asks again where a game is full
    session.exec(update(FormingRow).where(col(FormingRow.state) == "confirming").values(**waits))


def _since(link: Connection, copy: Connection) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The mails that came since the copy, and the secret words that were given out since, by which their seats are
    known. Words of games that the copy does not have are lost."""
    mail, token, seat = (metadata.tables[name] for name in ("mail", "seat_token", "seat"))
    known = {tuple(row) for row in copy.execute(select(mail.c.source, mail.c.reference))}
    keep = ("received_at", "source", "reference", "content", "size", "envelope_from", "lane", "filed_at")
    there = select(*(mail.c[name] for name in keep)).where(mail.c.emptied_at.is_(None)).order_by(mail.c.id)
    came = link.execute(there).mappings()
    mails = [dict(row) for row in came if (row["source"], row["reference"]) not in known]
    seats = {tuple(row) for row in copy.execute(select(seat.c.id, seat.c.game, seat.c.number))}
    given = {row[0] for row in copy.execute(select(token.c.token))}
    same = {row[0] for row in link.execute(select(seat.c.id, seat.c.game, seat.c.number)) if tuple(row) in seats}
    tokens = [dict(row) for row in link.execute(select(token)).mappings()]
    return mails, [row for row in tokens if row["seat"] in same and row["token"] not in given]


def _count_on(link: Connection) -> None:
    """Set the counters from which PostgreSQL numbers rows to the last numbers of the copied rows."""
    for table in metadata.sorted_tables:
        key = table.primary_key.columns.values()[0]
        if len(table.primary_key.columns) == 1 and isinstance(key.type, Integer):
            last = link.execute(select(func.max(key))).scalar()
            link.execute(
                text("SELECT setval(pg_get_serial_sequence(:name, :key), :last, :used)"),
                {"name": f'"{table.name}"', "key": key.name, "last": last or 1, "used": last is not None},
            )


def _made(sitting: Sitting) -> datetime:
    return datetime.fromisoformat((recall(sitting.session, MADE) or {"made": sitting.now().isoformat()})["made"])


def _pause(sitting: Sitting, made: datetime, file: Path) -> None:
    """Pause the service: nothing is sent and no deadline ends until the operator agrees. Mails that were queued in the
    copy are kept longer than that."""
    now = sitting.now()
    remember(sitting, PAUSED, {"made": _said(made)})
    for prefix in _OF_A_PROCESS:
        for row in all_kept(sitting.session, prefix).values():
            sitting.session.delete(row)
    sitting.session.flush()
    last = recall(sitting.session, TICK)
    since = datetime.fromisoformat(last["wall"]) if last is not None else made
    remember(sitting, FROZEN + "restore", {"since": min(since, now).isoformat()})
    remember(sitting, WENT_BACK, {"at": now.isoformat(), "made": made.isoformat()})
    remember(sitting, LATEST, {"made": made.isoformat(), "file": str(file.absolute())})
    waiting = sitting.session.exec(rows(OutboxRow).where(OutboxRow.state == "queued")).all()
    for mail in waiting:
        mail.state, mail.error, mail.lease_owner, mail.lease_until = "kept", RESTORED, None, None


def go_on(desk: Desk, replaced: Replaced) -> int:
    """Let the games of a copy that is in place go on: raise every game's decision number, write to everybody, and ask
    open questions again. Returns the number of games. If this program cannot read a game, its players are not told: the
    game waits, and the operator is told."""
    with desk.database.reading() as session:
        names = session.exec(rows(GameRow.id).where(col(GameRow.status).not_in(OVER)).order_by(col(GameRow.id))).all()
    desk.games.forget_all()
    for name in names:
        told_if_possible(desk, name, partial(_raise, name=name, made=replaced.made))
    while _ask_next(desk):
        pass
    return len(names)


def _ask_next(desk: Desk) -> bool:
    """Ask for one of the confirmations that were open. False if none is left. One that cannot be asked for is dropped:
    its player may request the change again."""
    with desk.sitting() as sitting:
        asked = to_ask(sitting.session)
        if not asked:
            forget(sitting.session, AGAIN)
            return False
        game = sitting.session.get_one(SeatRow, asked[0].seat).game
    with Apart(desk, game) as tried, desk.sitting() as sitting:
        _ask_again(sitting, sitting.session.get_one(SeatRow, asked[0].seat), asked[0])
        keep_to_ask(sitting, asked[1:])
    if tried.failed:
        with desk.sitting() as sitting:
            keep_to_ask(sitting, asked[1:])
    return True


def _ask_again(sitting: Sitting, seat: SeatRow, asked: Asked) -> None:
    """Ask for a confirmation again, with a new answer address. The address of record can stop an agreed change for as
    long as it could stop a new one. A question that has lapsed meanwhile is not asked again."""
    now, agreed = sitting.now(), asked.state == "confirmed"
    if not agreed and asked.due <= now:
        return
    lock_game(sitting.session, seat.game)
    due = (
        max(asked.due, now + timedelta(hours=sitting.settings.address_delay_hours)) if asked.kind == "address" else None
    )
    facts = {"agreed": agreed} if asked.kind == "address" else {}
    state = "confirmed" if agreed else "open"
    pending.ask(sitting, seat, pending.Request(asked.kind, facts, asked.address, due, state))


def _raise(sitting: Sitting, tell: bool, name: str, made: datetime) -> None:
    """Give the game a new decision number for the same position, note that in the log, and ``tell`` the players."""
    row = sitting.session.exec(rows(GameRow).where(GameRow.id == name).with_for_update()).one()
    entry = EntryRow(
        game=name, at=row.at, kind="undo", orders=row.orders, text=f"{RESTORED_FROM}{_said(made)} UTC",
        origin="master", created_at=sitting.now(),
    )  # fmt: skip
    sitting.session.add(entry)
    latest = sitting.session.exec(rows(func.max(SeatToken.at)).join(SeatRow).where(SeatRow.game == name)).one()
    row.at = max(row.at, latest or 0) + _LOST
    sitting.session.flush()
    if not tell:
        return
    table = open_table(sitting, row)
    ask_anew(table)
    sitting.session.flush()
    for seat in table.seats:
        if not silence_of(seat):
            notice(table, seat, "restored", {"made": made, "orders": row.orders})
            if seat.question:
                turn_mail(table, seat)
    for office in offices_of(table.row):
        tell_office(table, office, "restored", {"made": made, "orders": row.orders})


def _said(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"
