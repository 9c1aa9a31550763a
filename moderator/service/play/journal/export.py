"""Makes the record of a game from what is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlmodel import Session, col, select

from engine import Game
from engine.core.events import Event
from moderator.adapters.tables import EntryRow, GameRow
from moderator.domain.records.past import Past, past_of
from moderator.domain.records.record import Teller, write_record
from moderator.domain.records.renaming import Names, renamed_game, renamed_text
from moderator.render import describe_event
from moderator.render.tenures import dealt_words, seat_changes
from moderator.service.desk import Desk
from moderator.service.past.log import Line, lines_of, standing
from moderator.service.play.journal.name_removal import names_of
from moderator.service.table.seats import places_of
from moderator.service.table.tenure import stays_of
from moderator.words.texts import words


def export_record(desk: Desk, game_id: str) -> str | None:
    """The record of a game as it stands, without names that have been taken out. The seed is sealed until the game is
    over. None if there is no such game."""
    with desk.database.reading() as session:
        row = session.get(GameRow, game_id)
        if row is None:
            return None
        return record_of(session, row, desk.games.get(session, row).game)


def record_of(session: Session, row: GameRow, game: Game) -> str:
    """The record of ``game``, the game of ``row``, to be passed on: it has no names that have been taken out."""
    names = names_of(session, row.id)
    return told_again(session, row, renamed_game(game, names), names) if names else record_text(session, row, game)


def record_text(session: Session, row: GameRow, game: Game) -> str:
    """The record of ``game``, the game of ``row``."""
    past = _past(session, row)
    changes = (*dealt_words(words("en"), places_of(session, row)), *seat_changes(stays_of(session, row.id)))
    return write_record(game, _tags(row), tell=teller(game), past=past, sealed=not row.over, remarks=changes)


def told_again(session: Session, row: GameRow, game: Game, names: Names) -> str:
    """The record of ``game``, the game of ``row`` with other ``names`` in it. Its past is told anew, and nothing of who
    has played the seats of these players."""
    stays = [stay for stay in stays_of(session, row.id) if stay.player not in names]
    told = (*dealt_words(words("en"), places_of(session, row)), *seat_changes(stays))
    changes = (renamed_text(change, names) for change in told)
    return write_record(game, _tags(row), tell=teller(game), sealed=not row.over, remarks=changes)


def _tags(row: GameRow) -> dict[str, str]:
    tags = {
        "Game": row.id,
        "Begun": row.created_at.date().isoformat(),
        "Engine": row.engine_version,
        "Commitment": row.commitment,
    }
    if row.finished_at is not None:
        tags["Ended"] = row.finished_at.date().isoformat()
    return tags


def _past(session: Session, row: GameRow) -> Past | None:
    """The past of the game as its log tells it; None if it has not been stored yet."""
    lines = lines_of(session, row.id, row.at)
    still = standing(lines)
    if row.rules == 0:
        return None
    positions = select(EntryRow.orders, EntryRow.position).where(
        EntryRow.game == row.id, col(EntryRow.at).in_([line.at for line in still.adopted])
    )
    adopted = {n: data for n, data in session.exec(positions).all() if data is not None}
    digests = {number: line.digest for number, line in enumerate(still.orders, 1) if line.digest}
    return past_of(_stretches(row, lines), digests, adopted)


def _stretches(row: GameRow, lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The stretches of the game that still count, each with the version of the rules it was played by: (orders before
    it, version)."""
    found = [(0, row.began_rules or row.rules)]
    for line in lines:
        if line.kind == "undo":
            found = [(min(after, line.orders), version) for after, version in found]
        elif line.kind == "rules":
            found.append((line.orders, int(line.text.partition(" ")[0])))
    last = dict(found)  # of several after the same order the last counts
    kept: list[tuple[int, int]] = []
    for after, version in sorted(last.items()):
        if not kept or kept[-1][1] != version:
            kept.append((after, version))
    return kept


def teller(game: Game) -> Teller:
    """A function that describes the events that followed from an order, with a remark for each."""

    def tell(events: tuple[Event, ...]) -> Iterable[str]:
        said = (describe_event(game.title, event) for event in events)
        return [text for text in said if text]

    return tell
