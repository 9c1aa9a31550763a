"""Begins games and takes orders back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parseaddr

from sqlmodel import Session, func, select

from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.core.lots import lot
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, SeatRow
from moderator.domain.asks import question
from moderator.domain.transcript import Transcript
from moderator.domain.wall import WallTime
from moderator.service.desk import Desk, Sitting
from moderator.service.games import Live, setup_of
from moderator.service.locks import lock_games, one_by_one
from moderator.service.past.log import lines_of, standing
from moderator.service.past.replay import Departure
from moderator.service.past.stored import write_snapshot
from moderator.service.people.seats import info_for, seats_of
from moderator.service.play.held_rows import waiting_rows
from moderator.service.play.notices import note_questions, turn_mail, welcome
from moderator.service.play.waiting import write_adoption
from moderator.service.post.outbox import queue

_ADDRESS = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,64}@[A-Za-z0-9.-]{1,255}")
_NAME = re.compile(r"[^\W_].{0,59}")
_SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Person:
    """A player's name in the game, and the address that answers go to."""

    name: str
    address: str

    @staticmethod
    def parse(text: str) -> Person:
        """From ``Ann <ann@example.org>``; ``ValueError`` says what is missing."""
        name, address = parseaddr(text)
        if not name.strip() or not _ADDRESS.fullmatch(address):
            raise ValueError(f'{text!r} is no seat: write a name and an address, as in "Ann <ann@example.org>"')
        return Person(" ".join(name.split()), address)


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


def new_game(
    desk: Desk, title_name: str, edition: str | None, options: Mapping[str, str], people: Sequence[Person], *,
    setup: Setup | None = None, deadline_hours: int | None = None, deadline_time: str = "",
) -> str:  # fmt: skip
    """Begin a game and write to everyone. Returns its name. ``setup`` fixes what is otherwise drawn: seats, Priority
    Deal and seed (a recorded game). ``deadline_time``: the time of day (``20:00 Europe/Zurich``) at which deadlines
    end. ``ValueError`` for an unknown title, edition, option, name or zone."""
    import engine

    title = desk.games.title(title_name, edition or engine.editions(title_name)[0], options)
    seed = desk.random_bytes(_SEED_BYTES).hex()
    setup = setup or Setup(tuple(draw_seats(seed, [person.name for person in people])), seed)
    for player in setup.players:  # other marks at the beginning of a line are quotations or dividers in mails
        if not _NAME.fullmatch(player):
            raise ValueError(
                f"{player!r} cannot be a name: it begins with a letter or digit and has at most 60 characters"
            )
    vocabulary = desk.games.vocabulary(title, setup.players)
    game = Game.start(title, setup)
    now = desk.clock.now()
    with desk.sitting() as sitting:
        one_by_one(sitting.session, "new game")  # two that are begun at once get two names
        row = GameRow(
            id=_free_name(sitting.session, title.name),
            title=title.name, edition=title.edition, options=dict(title.options),
            setup={
                "players": list(setup.players), "priority": setup.priority,
                "privates": None if setup.privates is None else list(setup.privates),
            },
            seed=setup.seed, commitment=commitment_of(setup.seed),
            engine_version=engine.__version__, created_at=now, deadline_hours=deadline_hours,
            deadline_time=str(WallTime.parse(deadline_time)) if deadline_time else "",
            began_rules=title.rules_version, rules=title.rules_version, fingerprint=title.fingerprint,
        )  # fmt: skip
        sitting.session.add(row)
        sitting.session.flush()
        addresses = {person.name: person.address for person in people}
        for number, player in enumerate(setup.players, 1):
            seat = SeatRow(game=row.id, number=number, player=player, address=addresses[player], told=-1)
            seat.rules = row.rules
            sitting.session.add(seat)
        sitting.session.flush()
        live = Live(row.id, game, vocabulary, row.at)
        write_snapshot(sitting.session, live.pieces, row.at, 0, game.state, game.told_digest())
        seats = seats_of(sitting.session, row.id)
        note_questions(sitting, row, live, seats, {ask.player for ask in game.asked()})
        welcome(sitting, row, live, seats)
    desk.games.put(live)
    return row.id


def undo(desk: Desk, game_id: str, number: int, why: str = "") -> int:
    """Go back to the position after ``number`` orders and tell everyone. Returns the number of orders taken back. The
    log keeps them, and ``why``. Held orders are given back: they were meant for a game that took another course.
    ``ValueError`` if there is no such game or number."""
    with desk.sitting() as sitting:
        row = lock_games(sitting.session, (game_id,)).get(game_id)
        if row is None:
            raise ValueError(f"there is no game {game_id!r}")
        if not row.orders:
            raise ValueError(f"{game_id} has no orders that could be taken back")
        if not 0 <= number < row.orders:
            raise ValueError(
                f"{game_id} has {row.orders} order{'' if row.orders == 1 else 's'}; undo can keep 0"
                + (f" to {row.orders - 1} of them" if row.orders > 1 else " of them")
            )  # fmt: skip
        before = desk.games.get(sitting.session, row)
        game = before.game.fork()
        taken = [before.write_order(order) for order in game.orders[number:]]
        adopted = standing(lines_of(sitting.session, row.id, row.at)).base
        game.undo(number)
        now = desk.clock.now()
        entry = EntryRow(
            game=row.id, at=row.at, kind="undo", orders=number, text=why, origin="master", created_at=now,
            digest=game.told_digest(),
        )  # fmt: skip
        sitting.session.add(entry)
        row.at += 1
        row.orders, row.finished_at = number, None
        row.status = row.status if row.status == "paused" else "running"
        live = Live(row.id, game, before.vocabulary, row.at)
        if number < adopted:  # what was adopted is taken back, and a replay would depart once more
            why_adopted = Departure(number, row.at, "", "", (f"undo to before the position after order {adopted}",))
            live, row.hold = write_adoption(sitting, row, live, why_adopted), None
        elif row.hold is not None:  # perhaps what departed is taken back
            row.hold, row.fingerprint = None, ""
            desk.games.examine(sitting.session, row)
            live = Live(row.id, game, before.vocabulary, row.at)
        seats = seats_of(sitting.session, row.id)
        for seat in seats:
            seat.since, seat.question = row.at, question(game, seat.player)
            seat.told = min(seat.told, number)
        note_questions(sitting, row, live, seats, {seat.player for seat in seats})
        for seat in seats:
            _tell_undo(sitting, row, live, seats, seat, taken, why)
    desk.games.put(live)
    return len(taken)


def _tell_undo(
    sitting: Sitting,
    row: GameRow,
    live: Live,
    seats: list[SeatRow],
    seat: SeatRow,
    taken: list[str],
    why: str,
) -> None:
    held: list[HeldRow] = list(waiting_rows(sitting.session, row.id, seat.player))
    for one in held:
        one.status, one.closed_at = "undone", sitting.now()
    facts = {"number": row.orders, "orders": tuple(taken), "why": why}
    notes: list[tuple[str, Mapping[str, object]]] = [("undo", facts)]
    if held:
        notes.append(("withdrawn", {"count": len(held), "texts": tuple(h.text for h in held)}))
    transcript = Transcript(row.id, seat.player, (), (), 0, "undone", tuple(notes), row.at)
    info = info_for(sitting, row, live, seats, seat)
    queue(sitting, "transcript", sitting.words.held_mail(live.game, info, transcript), row, seat, info)
    if question(live.game, PlayerId(seat.player)):
        turn_mail(sitting, row, live, seats, seat)


def _free_name(session: Session, title: str) -> str:
    count = session.exec(select(func.count()).select_from(GameRow).where(GameRow.title == title)).one()
    number = count + 1
    while session.get(GameRow, f"{title.lower()}-{number}") is not None:
        number += 1
    return f"{title.lower()}-{number}"


__all__ = ["Person", "commitment_of", "draw_seats", "new_game", "setup_of", "undo"]
