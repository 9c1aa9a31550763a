"""The mails sent after a game has moved: the new questions, the news, the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal, TypeAlias

from engine.core.ids import PlayerId
from moderator.adapters.tables import SeatRow
from moderator.domain.asks import asks_of, question
from moderator.domain.fork import Move
from moderator.domain.transcript import Facts, Notes, Transcript
from moderator.service.post.outbox import queue, silence_of
from moderator.service.table.clocks import new_deadline
from moderator.service.table.invitations import round_began, with_invitation
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table
from moderator.service.table.tenure import figures_of, waits_of

_Ending: TypeAlias = Literal["used", "lapsed", "lot_won", "plan_left", "standing_ended", "undone", "opened", "foreseen"]


def note_questions(table: Table, renewed: set[str], answers: Mapping[str, datetime] = MappingProxyType({})) -> None:
    """Store the question of each seat. A seat that is ``renewed``, or whose question has just appeared or gone, also
    gets a new deadline and the decision from which it is asked: earlier mails to it become stale. ``answers``: players
    who have answered -> when."""
    for seat in table.seats:
        asked = question(table.game, seat.player)
        if seat.player in renewed or bool(asked) != bool(seat.question):
            seat.since = table.row.at
            new_deadline(table, seat, asked, answers.get(seat.player))
        seat.question = asked


def ask_anew(table: Table) -> None:
    """Renew the questions of all seats: earlier mails to them become stale."""
    for seat in table.seats:
        seat.question = question(table.game, seat.player)
    note_questions(table, {seat.player for seat in table.seats})


def tell(
    table: Table, renewed: set[str], moves: Iterable[Move], ahead: Mapping[str, Notes], answered: str = ""
) -> None:
    """Write turn mails to the seats that are asked something new, news to those that want it, and the end of the game
    to all. The results of orders that were given ``ahead``, by player, are in that mail, or in a mail of their own.
    When a round begins, each of these mails to a seat that is not asked invites it to give orders ahead; who wants news
    once a day gets an invitation of his own, unless his mail is ``answered`` now, which invites him. A seat for which a
    robot moves gets a digest a day instead."""
    moves = tuple(moves)
    begins = round_began(moves)
    for seat in table.seats:
        notes = ahead.get(seat.player, ())
        if table.game.finished:
            over_mail(table, seat, notes)
        elif seat.player in renewed and not _moved_by_robot(table, seat):
            turn_mail(table, seat, ahead=notes)
        elif seat.caretaker != "robot" and moves and gets_news(seat, begins=begins):
            news_mail(table, seat, notes, invites=begins)
        elif notes:
            held_mail(table, seat, notes, _ending({key for key, _ in notes}), invites=begins)
        elif begins and seat.notify == "daily" and seat.player != answered:
            invitation_mail(table, seat)


def gets_news(seat: SeatRow, *, begins: bool) -> bool:
    """True if the seat gets the news of a move at once. ``begins``: a round has begun."""
    return seat.notify == "all" or (seat.notify == "round" and begins)


def _moved_by_robot(table: Table, seat: SeatRow) -> bool:
    """True if a robot answers all that the seat is asked. It leaves sealed orders to the player."""
    return seat.caretaker == "robot" and not any(ask.sealed for ask in asks_of(table.game, seat.player))


def _ending(keys: set[str]) -> _Ending:
    if "sealed.opened" in keys:
        return "opened"
    if keys <= {"held.foreseen"}:
        return "foreseen"
    if keys <= {"held.used", "again.used"}:
        return "used"
    known = keys - {"held.used", "again.used", "held.foreseen"}
    if known <= {"standing.won", "standing.left", "standing.changed", "standing.ended"} and known:
        return "lot_won" if "standing.won" in known else "standing_ended" if "standing.ended" in known else "plan_left"
    return "lapsed"


def held_mail(table: Table, seat: SeatRow, notes: Notes, outcome: _Ending, *, invites: bool = False) -> None:
    """Write the seat a mail about the orders that it gave ahead, with their results."""
    info = info_for(table, seat)
    info = with_invitation(table, seat, info) if invites else info
    transcript = Transcript(table.row.id, seat.player, (), (), 0, outcome, notes, table.row.at)
    queue(table.sitting, seat, info, "transcript", table.sitting.words.held_mail(table.game, info, transcript))


def turn_mail(table: Table, seat: SeatRow, kind: str = "turn", ahead: Notes = ()) -> None:
    """Write the seat its question, with everything needed to answer it. A seat that cannot be reached or wants no mail
    gets none; it is told everything when it is back. A game that waits sends none; the seat is asked when the game goes
    on."""
    if silence_of(seat) or table.row.waits:
        return
    info = replace(info_for(table, seat), ahead=ahead, reminder=kind == "reminder")
    info = info if info.reminder else with_invitation(table, seat, info)
    rendered = table.sitting.words.turn_mail(table.game, info, PlayerId(seat.player), seat.told)
    queue(table.sitting, seat, info, kind, rendered)
    _told(table, seat, asks=kind != "reminder")


def news_mail(table: Table, seat: SeatRow, ahead: Notes = (), *, invites: bool = False) -> None:
    if silence_of(seat):
        return
    info = replace(info_for(table, seat), ahead=ahead)
    info = with_invitation(table, seat, info) if invites else info
    rendered = table.sitting.words.news_mail(table.game, info, PlayerId(seat.player), seat.told)
    queue(table.sitting, seat, info, "news", rendered)
    _told(table, seat)


def invitation_mail(table: Table, seat: SeatRow) -> None:
    """Write the seat an invitation to give orders ahead, if there is anything that it may give."""
    info = with_invitation(table, seat, info_for(table, seat))
    if info.invitation is not None:
        rendered = table.sitting.words.invitation_mail(table.game, info, PlayerId(seat.player))
        queue(table.sitting, seat, info, "invitation", rendered)


def over_mail(table: Table, seat: SeatRow, ahead: Notes = ()) -> None:
    if silence_of(seat):
        return
    info = replace(info_for(table, seat), ahead=ahead, waits=waits_of(table.sitting.session, table.row.id))
    rendered = table.sitting.words.game_over_mail(table.game, info, PlayerId(seat.player), since=seat.told)
    queue(table.sitting, seat, info, "over", rendered)
    _told(table, seat)


def catch_up(table: Table, seat: SeatRow) -> None:
    """Write the seat all that has happened, round by round, where the game stands and what is pending: for somebody who
    takes it over. It goes before the turn mail."""
    info = info_for(table, seat)
    rendered = table.sitting.words.catch_up_mail(table.game, info, PlayerId(seat.player))
    queue(table.sitting, seat, info, "catchup", rendered).priority = 0


def notice(table: Table, seat: SeatRow, key: str, facts: Facts, *, first: bool = False) -> None:
    """Write ``notice.KEY`` to the seat. If the seat is sent nothing now, the mail is kept. ``first``: it goes before
    turn mails that are written after it, so that the newest mail has the newest answer address."""
    info = info_for(table, seat)
    row = queue(table.sitting, seat, info, "notice", table.sitting.words.notice_mail(info, key, facts))
    row.priority = 0 if first else row.priority


def welcome(table: Table) -> None:
    """Write the first mail to everyone, with the commitment of all lots, and a turn mail to each seat that has a
    question."""
    session = table.sitting.session
    told = ((seat.player, figures_of(session, seat.address)) for seat in table.seats if not table.row.veiled)
    figures = {player: found for player, found in told if found is not None}
    for seat in table.seats:
        info = replace(info_for(table, seat), figures=figures)
        info = info if seat.question else with_invitation(table, seat, info)
        rendered = table.sitting.words.welcome_mail(table.game, info, PlayerId(seat.player))
        queue(table.sitting, seat, info, "welcome", rendered)
        _told(table, seat)
        if seat.question:
            turn_mail(table, seat)


def _told(table: Table, seat: SeatRow, *, asks: bool = False) -> None:
    """Note that the seat knows all now. A seat with a question is silent since it was asked: neither news nor a
    reminder puts that off."""
    seat.told = table.row.orders
    if asks or not seat.question or seat.told_at is None:
        seat.told_at = table.sitting.now()
