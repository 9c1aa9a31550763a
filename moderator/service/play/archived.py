"""Games of the database as volumes of the archive: as a seat, or everybody, may know them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from sqlmodel import Session, col, func, select

import engine
from engine import Game
from engine.core.ids import PlayerId
from moderator.adapters.tables import GameRow, PressRow
from moderator.archive.renaming import renamed_game, renamed_letters
from moderator.archive.volume import Letter, Status, Volume
from moderator.service.desk import Sitting
from moderator.service.kept import recall, recall_to_change, remember
from moderator.service.past.log import lines_of, standing
from moderator.service.play.export import record_text, told_again
from moderator.service.table.table import seats_of

_REDACTED = "redacted "


def names_of(session: Session, game: str) -> dict[str, str]:
    """The players of a game whose names have been taken out -> the names in their place."""
    numbers = recall(session, _REDACTED + game) or {}
    seats = seats_of(session, game) if numbers else []
    return {seat.player: numbers[str(seat.number)] for seat in seats if str(seat.number) in numbers}


def redact(sitting: Sitting, game: str, number: int, name: str) -> bool:
    """Have archives call the player in seat ``number`` by another ``name`` from now on; False if there is no such game.
    The game itself stays as it is."""
    if sitting.session.get(GameRow, game) is None:
        return False
    key = _REDACTED + game
    remember(sitting, key, {**(recall_to_change(sitting.session, key) or {}), str(number): name})
    return True


def stamp_of(session: Session, row: GameRow, seat: str, names: Mapping[str, str]) -> str:
    """A text that changes whenever the volume of a game does."""
    last = session.exec(select(func.max(PressRow.id)).where(PressRow.game == row.id)).one()
    emptied = select(func.count()).where(PressRow.game == row.id, col(PressRow.emptied_at).is_not(None))
    gone = session.exec(emptied).one()
    said = (row.id, seat, row.at, row.status, last, gone, sorted(names.items()))
    return sha256(repr(said).encode()).hexdigest()


def volume_of(sitting: Sitting, row: GameRow, seat: str, names: Mapping[str, str]) -> Volume:
    """The volume of a game for ``seat``, "" for everybody. ``names``: players whose names are taken out -> the names in
    their place. ``ValueError`` for names that they cannot have."""
    session = sitting.session
    whole = sitting.games.get(session, row).game
    game = renamed_game(whole, names)
    seen = game.seen_by(PlayerId(names.get(seat, seat)))
    still = standing(lines_of(session, row.id, row.at))
    rules = [line.at for line in lines_of(session, row.id, row.at) if line.kind in ("rules", "adopt")]
    base = repr((engine.__version__, seat, sorted(names.items()), rules, row.over))
    return Volume(
        row.id,
        seen,
        seat,
        _status(row),
        _record(session, row, game if row.over else seen, renamed=bool(names)),
        row.created_at.date().isoformat(),
        row.finished_at.date().isoformat() if row.finished_at is not None else "",
        renamed_letters(_press(session, row.id, seat), names),
        stamp=stamp_of(session, row, seat, names),
        base=sha256(base.encode()).hexdigest(),
        marks=tuple(line.at for line in still.orders),
    )


def _record(session: Session, row: GameRow, game: Game, *, renamed: bool) -> str:
    return told_again(row, game) if renamed else record_text(session, row, game)


def _status(row: GameRow) -> Status:
    status: Status = row.status  # type: ignore[assignment]
    return status


def _press(session: Session, game: str, seat: str) -> tuple[Letter, ...]:
    """The press that ``seat`` wrote or had, and that for everybody."""
    rows = session.exec(select(PressRow).where(PressRow.game == game).order_by(col(PressRow.id))).all()
    return tuple(
        Letter(
            row.orders, row.created_at.date().isoformat(), row.player, tuple(row.to),
            None if row.emptied_at is not None else row.text,
        )
        for row in rows
        if not row.to or (seat and seat in (row.player, *row.to))
    )  # fmt: skip
