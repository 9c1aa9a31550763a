"""Games, their positions and their logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlmodel import Session, col, select

from moderator.adapters.tables import EntryRow, GameRow, HeldRow, MotionRow, SealedRow, SeatRow
from moderator.domain.again import WORD
from moderator.domain.info import Master
from moderator.domain.list_rows import GameAt, ListedMotion, ListedSeal, LogEntry, SeatClock
from moderator.domain.tenures import Stay
from moderator.render.tenures import person_words, stay_words
from moderator.service.desk import Sitting
from moderator.service.table.clocks import list_clocks
from moderator.service.table.game_master import master_of, offices_of
from moderator.service.table.motions import count_of
from moderator.service.table.sealed_rows import standing_rows
from moderator.service.table.tenure import stays_of


class NoDecision(Exception):
    """The game has no such decision; the message says which it has."""


def game_names(session: Session) -> list[str]:
    """The names of all games, in the order in which they were begun."""
    return list(session.exec(select(GameRow.id).order_by(col(GameRow.created_at), col(GameRow.id))).all())


def player_names(session: Session, game: str) -> list[str]:
    """The players of a game, in seating order; none if there is no such game."""
    return list(session.exec(select(SeatRow.player).where(SeatRow.game == game).order_by(col(SeatRow.number))).all())


def has_game(session: Session, name: str) -> bool:
    return session.get(GameRow, name) is not None


def orders_of(session: Session, name: str) -> int:
    """The number of orders that count in a game."""
    return session.get_one(GameRow, name).orders


def game_at(sitting: Sitting, name: str, at: int | None = None) -> GameAt | None:
    """A game as it stands, or as it stood when decision ``at`` was open; None if there is no such game. The service
    goes on with the same game: fork it before you try an order. Raises ``NoDecision``."""
    row = sitting.session.get(GameRow, name)
    if row is None:
        return None
    if at is not None and not 1 <= at <= row.at:
        raise NoDecision(f"{name} has no decision {at}: it has 1 to {row.at}")
    master = master_of(row, sitting.settings)
    if at is None or at == row.at:
        return GameAt(name, row.at, row.at, sitting.games.get(sitting.session, row).game, row.over, master)
    return GameAt(name, at, row.at, sitting.games.position(sitting.session, row, at), row.over, master)


def named_masters(sitting: Sitting, name: str) -> tuple[Master, ...]:
    """The game masters of a game, which exists, first the one whom players write to; empty if they can ask nobody."""
    row = sitting.session.get_one(GameRow, name)
    first = master_of(row, sitting.settings)
    others = (Master(one.name, one.address) for one in offices_of(row)[1:])
    return (*((first,) if first is not None else ()), *others)


def list_motions(session: Session, name: str) -> list[ListedMotion]:
    """The motions of a game, the oldest first."""
    rows = session.exec(select(MotionRow).where(MotionRow.game == name).order_by(col(MotionRow.id))).all()
    found = []
    for row in rows:
        votes = count_of(session, row)
        found.append(
            ListedMotion(
                row.id or 0, row.mover, tuple(row.words), row.reason, row.needs, votes.yes, votes.no, row.state,
                row.due_at,
            )
        )  # fmt: skip
    return found


def decision_of(session: Session, name: str) -> int:
    """The number of the decision that is open in a game."""
    return session.get_one(GameRow, name).at


def sealed_actors(session: Session, game: str) -> tuple[str, ...]:
    """The actors whose sealed orders wait in a game."""
    return tuple(standing_rows(session, game))


def seals_by_player(session: Session, game: str) -> dict[str, ListedSeal]:
    """The sealed orders that wait in a game, by the player who gave them."""
    rows = standing_rows(session, game).values()
    return {row.player: ListedSeal(row.digest, row.created_at, row.status == "kept") for row in rows}


def log_of(session: Session, name: str) -> list[LogEntry]:
    """The whole log of a game, with the hand-overs of seats where they happened."""
    entries = session.exec(select(EntryRow).where(EntryRow.game == name).order_by(col(EntryRow.at))).all()
    held = session.exec(select(HeldRow).where(HeldRow.game == name).order_by(col(HeldRow.id))).all()
    opened = session.exec(select(SealedRow).where(SealedRow.game == name, SealedRow.status == "opened")).all()
    gone = _taken_back(entries)
    found = [
        LogEntry(
            entry.at, entry.kind, entry.orders, entry.player, entry.origin, entry.text, entry.created_at,
            _mails_of(entry, held, opened), entry.at in gone,
        )
        for entry in entries
    ]  # fmt: skip
    return sorted((*found, *_given(stays_of(session, name), entries)), key=lambda one: (one.at, one.kind != "given"))


def _given(stays: Sequence[Stay], entries: Sequence[EntryRow]) -> Iterator[LogEntry]:
    """An entry for each seat that was given to somebody else, at the decision that was open then."""
    for before, after in pairwise(stays):
        if before.player == after.player and before.ended is not None:
            earlier = [entry for entry in entries if entry.created_at <= before.ended]
            orders = earlier[-1].orders if earlier else 0
            at = earlier[-1].at + 1 if earlier else 1
            text = f"{stay_words(before)}; {person_words(after)} from then on"
            yield LogEntry(at, "given", orders, before.player, "master", text, before.ended, (), gone=False)


def _mails_of(entry: EntryRow, held: Sequence[HeldRow], opened: Sequence[SealedRow]) -> tuple[int, ...]:
    if entry.origin == "sealed":
        its = [row for row in opened if row.orders == entry.orders and row.player == entry.player]
        return tuple(row.mail for row in its if row.mail is not None)
    kind = {"held": "turn", "kept": WORD}.get(entry.origin, entry.origin)
    waited = [
        row for row in held
        if row.player == entry.player and row.kind == kind and row.created_at <= entry.created_at
        and (row.closed_at is None or row.closed_at >= entry.created_at)
    ]  # fmt: skip
    said = entry.text.partition(":")[2].strip()
    found = [row for row in waited if said in row.text] or waited
    mails = tuple(dict.fromkeys(row.mail for row in found if row.mail))
    return mails or ((entry.mail,) if entry.mail else ())


def _taken_back(entries: Sequence[EntryRow]) -> set[int]:
    """The decisions whose orders no longer count."""
    standing: list[EntryRow] = []
    gone: set[int] = set()
    for entry in entries:
        if entry.kind == "undo":
            gone |= {taken.at for taken in standing[entry.orders :]}
            del standing[entry.orders :]
        elif entry.kind == "order":
            standing.append(entry)
    return gone


def clocks_of(sitting: Sitting, name: str) -> list[SeatClock] | None:
    """The clocks of the seats of a game, in seating order; None if there is no such game."""
    row = sitting.session.get(GameRow, name)
    return None if row is None else list_clocks(sitting, row)
