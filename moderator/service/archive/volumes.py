"""Turns games of the database into volumes of the archive, with everything that a seat, or everybody, may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from sqlmodel import Session, col, func, select

import engine
from engine import Game
from engine.core.ids import PlayerId
from moderator.adapters.tables import GameRow, PressRow
from moderator.archive.volume import Letter, Status, Volume
from moderator.domain.escape import shown
from moderator.domain.records.renaming import Names, renamed_game, renamed_text
from moderator.domain.redaction import without_addresses
from moderator.domain.tenures import Stay, by_seat
from moderator.service.desk import Sitting
from moderator.service.past.log import lines_of, standing
from moderator.service.play.journal.export import record_text, told_again
from moderator.service.table.table import seats_of
from moderator.service.table.tenure import stays_of

Hide = Callable[[str], str]


def stamp_of(sitting: Sitting, row: GameRow, seat: str, names: Mapping[str, str]) -> str:
    """A text that changes whenever the volume of a game does. It does not reveal whose name was taken out."""
    session = sitting.session
    last = session.exec(select(func.max(PressRow.id)).where(PressRow.game == row.id)).one()
    emptied = select(func.count()).where(PressRow.game == row.id, col(PressRow.emptied_at).is_not(None))
    gone = session.exec(emptied).one()
    called = _called(session, row.id, names)
    given, persons = _given(session, row.id, seat), sorted(_persons(session, row.id, names).items())
    stays = _stays(session, row.id, names, str)
    said = (
        row.id,
        row.commitment,
        names.get(seat, seat),
        row.at,
        row.status,
        last,
        gone,
        called,
        given,
        persons,
        stays,
        sitting.settings.desk_url,
        sitting.settings.desk_with_facts,
    )
    return sha256(repr(said).encode()).hexdigest()


def _called(session: Session, game: str, names: Mapping[str, str]) -> list[tuple[int, str]]:
    """Numbers of the seats whose names are taken out, with the names that replace them. A digest of it confirms no
    guess."""
    return [(seat.number, names[seat.player]) for seat in seats_of(session, game) if seat.player in names]


def _persons(session: Session, game: str, names: Mapping[str, str]) -> dict[str, str]:
    """Player -> the person who plays for him since his seat was handed over. Names that are taken out have none, nor
    does an anonymous game before its end."""
    seats = () if session.get_one(GameRow, game).veiled else seats_of(session, game)
    return {seat.player: seat.person for seat in seats if seat.person and seat.player not in names}


def _stays(session: Session, game: str, names: Names, hide: Hide) -> dict[str, tuple[Stay, ...]]:
    """Player -> all who have had his seat, with the time that each used. Of a player whose name is taken out there is
    only the time that his seat has used."""
    found: dict[str, tuple[Stay, ...]] = {}
    for player, stays in by_seat(stays_of(session, game)).items():
        if player in names:
            used, waits = sum(stay.used for stay in stays), sum(stay.waits for stay in stays)
            found[names[player]] = (Stay(names[player], names[player], stays[0].began, used=used, waits=waits),)
        else:
            told = ((stay, renamed_text(_for_a_page(stay.reason, hide), names)) for stay in stays)
            found[player] = tuple(replace(stay, reason=reason) for stay, reason in told)
    return found


def volume_of(sitting: Sitting, row: GameRow, seat: str, names: Mapping[str, str], hide: Hide) -> Volume:
    """The volume of a game for ``seat``, or for everybody if that is "". ``names``: players whose names are taken out
    -> the names that replace them. ``hide`` takes secret words out of press. ``ValueError`` for names that players
    cannot have."""
    session = sitting.session
    whole = sitting.games.get(session, row).game
    game = renamed_game(whole, names)
    reader = names.get(seat, seat)
    seen = game.seen_by(PlayerId(reader))
    lines = lines_of(session, row.id, row.at)
    rules = [line.at for line in lines if line.kind in ("rules", "adopt")]
    base = repr((engine.__version__, row.commitment, reader, _called(session, row.id, names), rules, row.over))
    return Volume(
        row.id,
        seen,
        reader,
        _status(row),
        _record(session, row, game if row.over else seen, names),
        row.created_at.date().isoformat(),
        row.finished_at.date().isoformat() if row.finished_at is not None else "",
        _renamed_letters(_press(session, row.id, seat, hide), names),
        _persons(session, row.id, names),
        _stays(session, row.id, names, hide),
        desk=sitting.settings.desk_url if sitting.settings.desk_with_facts or not seen.title.own_facts else "",
        stamp=stamp_of(sitting, row, seat, names),
        base=sha256(base.encode()).hexdigest(),
        marks=tuple(line.at for line in standing(lines).orders),
    )


def _record(session: Session, row: GameRow, game: Game, names: Names) -> str:
    return told_again(session, row, game, names) if names else record_text(session, row, game)


def _status(row: GameRow) -> Status:
    status: Status = row.status  # type: ignore[assignment]
    return status


def _press(session: Session, game: str, seat: str, hide: Hide) -> tuple[Letter, ...]:
    """The press that the present player of ``seat`` wrote or received, and the press for everybody. Its texts are made
    fit for a page, which more people read than the mail."""
    since = _given(session, game, seat)
    rows = session.exec(select(PressRow).where(PressRow.game == game).order_by(col(PressRow.id))).all()
    return tuple(
        Letter(
            row.orders, row.created_at.date().isoformat(), row.player, tuple(row.to),
            None if row.emptied_at is not None else _for_a_page(row.text, hide),
        )
        for row in rows
        if not row.to or (seat and seat in (row.player, *row.to) and (since is None or row.created_at >= since))
    )  # fmt: skip


def _given(session: Session, game: str, seat: str) -> datetime | None:
    """The moment when the seat was given to its present player; None if he has had it from the beginning."""
    return next((one.given_at for one in seats_of(session, game) if one.player == seat), None)


def _for_a_page(text: str, hide: Hide) -> str:
    """``text`` without secret words and mail addresses, which its writer may have quoted."""
    hidden = hide(text)
    return without_addresses(text if hidden == shown(text) else hidden)


def _renamed_letters(letters: tuple[Letter, ...], names: Names) -> tuple[Letter, ...]:
    """Press with other names. The text of letters by renamed players is taken out."""
    return tuple(
        Letter(
            letter.after, letter.date, names.get(letter.writer, letter.writer),
            tuple(names.get(reader, reader) for reader in letter.to),
            None if letter.writer in names or letter.text is None else renamed_text(letter.text, names),
        )
        for letter in letters
    )  # fmt: skip
