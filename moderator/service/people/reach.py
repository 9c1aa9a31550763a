"""Keeps track of seats that cannot be reached, want no mail, or are away.

A player who cannot be reached gets no turn mails. The table is told at once, and his clock goes on: he is late like
others, and what the table has agreed on follows. His first mail shows that he is back, and gives him some time. Who
wants no more mail keeps his seat, and his clock goes on as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Literal

from sqlmodel import col, func, select

from moderator.adapters.tables import GameRow, OutboxRow, SeatRow
from moderator.domain.transcript import Facts
from moderator.service.desk import Sitting
from moderator.service.games import PastUnreadable
from moderator.service.locks import lock_game, lock_games
from moderator.service.people.journal import note
from moderator.service.post.outbox import queue, queue_operator
from moderator.service.table.acts import note_act
from moderator.service.table.clocks import open_deadlines, put_off
from moderator.service.table.notices import news_mail, notice, over_mail, turn_mail
from moderator.service.table.persons import games_with, seats_at
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table, table_of

REPLACED = "replaced by a later one"
_AFTER_A_RETURN = timedelta(hours=24)
"""The least time to answer for a player who can be reached again after his mail bounced."""


def heard(sitting: Sitting, seat: SeatRow) -> bool:
    """Note a sign of life from the seat. True if it was unreachable until now; the caller must then call
    ``welcome_back`` after it has handled the seat's mail."""
    back = seat.unreachable_at is not None
    seat.heard_at, seat.away_at, seat.bounces, seat.unreachable_at = sitting.now(), None, 0, None
    if seat.caretaker:
        seat.caretaker = ""
        note_act(sitting, lock_game(sitting.session, seat.game), "back", seat.player, "mail")
        _tell_table(sitting, seat, "caretaker_gone", first=True)
    return back


def away(sitting: Sitting, seats: Iterable[SeatRow]) -> None:
    """Note that each of these seats sent an automatic reply."""
    for seat in seats:
        seat.away_at = sitting.now()


def give_up(sitting: Sitting, address: str, status: str = "") -> None:
    """Note that a mail to ``address`` bounced permanently. At the threshold each seat with that address becomes
    unreachable."""
    if not address:
        return
    wanted = select(SeatRow).where(func.lower(col(SeatRow.address)) == address.lower()).order_by(col(SeatRow.id))
    lock_games(sitting.session, (seat.game for seat in sitting.session.exec(wanted).all()))
    for seat in sitting.session.exec(wanted).all():  # one that was handed over meanwhile has another address
        seat.bounces += 1
        if seat.unreachable_at is None and seat.bounces >= sitting.settings.bounces_allowed:
            _unreachable(sitting, seat, status)


def _unreachable(sitting: Sitting, seat: SeatRow, status: str) -> None:
    seat.unreachable_at = sitting.now()
    waiting = select(OutboxRow).where(
        OutboxRow.game == seat.game, OutboxRow.player == seat.player, OutboxRow.state == "queued"
    )
    for mail in sitting.session.exec(waiting).all():
        mail.state, mail.error = "kept", "unreachable"
    facts: Facts = {"game": seat.game, "player": seat.player, "count": seat.bounces, "status": status}
    queue_operator(sitting, sitting.words.operator_words("unreachable", facts))
    _tell_table(sitting, seat, "unreachable")


def welcome_back(sitting: Sitting, seat: SeatRow, *, told: bool) -> None:
    """Give a seat that was unreachable some time for its answer, after its mail has been handled. One that is late
    stays late, but what follows that waits as well. The seat is told what it has missed, unless ``told`` says that it
    knows already; the table is told that the seat is back."""
    now, game = sitting.now(), sitting.session.get_one(GameRow, seat.game)
    until = now + _AFTER_A_RETURN
    for deadline in open_deadlines(sitting.session, seat.game, seat.player):
        if deadline.state == "open" and deadline.due_at < until:
            put_off(sitting.session, game, deadline, until, now)
        elif deadline.act_at is not None:
            deadline.act_at = max(deadline.act_at, until)
    _let_go(sitting, seat)
    if not told:
        _catch_up(sitting, seat)
    _tell_table(sitting, seat, "reachable")


def _let_go(sitting: Sitting, seat: SeatRow) -> None:
    """Release the mails kept for the seat. Turn mails, reminders and news are replaced by a fresh mail; all others are
    sent."""
    kept = select(OutboxRow).where(
        OutboxRow.game == seat.game, OutboxRow.player == seat.player, OutboxRow.state == "kept",
        col(OutboxRow.error).in_(("unreachable", "stopped")),
    )  # fmt: skip
    for mail in sitting.session.exec(kept).all():
        replaced = mail.kind in ("turn", "reminder", "news")
        seat.rules = 0 if replaced else seat.rules  # the news of the rules in it is told again
        mail.state, mail.error = ("failed", REPLACED) if replaced else ("queued", "")
        mail.next_attempt = sitting.now()


def _catch_up(sitting: Sitting, seat: SeatRow) -> None:
    table = table_of(sitting, seat)
    if table.row.over:
        over_mail(table, seat)
    elif seat.question:
        turn_mail(table, seat)
    elif seat.told < table.row.orders:
        news_mail(table, seat)


def stop(sitting: Sitting, seat: SeatRow, why: Literal["unsubscribed", "complaint"]) -> bool:
    """Stop all mail to the seat except answers to its own mails. False if it was stopped already. The operator and the
    table are told. A player who asked for this is told once what happens next; one who complained gets no mail about
    it."""
    if seat.stopped_at is not None:
        return False
    seat.stopped_at = sitting.now()
    note(sitting, seat, why)
    waiting = select(OutboxRow).where(
        OutboxRow.game == seat.game, OutboxRow.player == seat.player, OutboxRow.state == "queued",
        col(OutboxRow.answers).is_(None),
    )  # fmt: skip
    for mail in sitting.session.exec(waiting).all():
        mail.state, mail.error = "kept", "stopped"
    facts: Facts = {"game": seat.game, "player": seat.player}
    queue_operator(sitting, sitting.words.operator_words(why, facts))
    table = _readable(sitting, seat)
    if why == "unsubscribed" and table is not None:
        info = info_for(table, seat)
        facts = {"asked": bool(seat.question), "clock": table.row.clocked}
        queue(sitting, seat, info, "stopped", sitting.words.notice_mail(info, "stopped", facts))
    _tell_table(sitting, seat, "no_mail")
    return True


def stop_digest(sitting: Sitting, address: str, *, told: bool = True) -> bool:
    """Send the person at ``address`` no more daily news; his turn mails go on. False if he wants none in any game.
    ``told``: he is told how it goes on."""
    lock_games(sitting.session, games_with(sitting.session, address))
    daily = [seat for seat in seats_at(sitting.session, address) if seat.notify == "daily"]
    for seat in daily:
        seat.notify = "turn"
        note(sitting, seat, "notify")
    table = _readable(sitting, daily[0]) if daily and told else None
    if table is not None:
        notice(table, daily[0], "no_digest", {"games": tuple(dict.fromkeys(seat.game for seat in daily))})
    return bool(daily)


def start_again(sitting: Sitting, seat: SeatRow, *, told: bool) -> None:
    """Send the player mail again, and tell him what he has missed, unless he is ``told`` of it anyway."""
    if seat.stopped_at is not None:
        seat.stopped_at = None
        note(sitting, seat, "mail again")
        _let_go(sitting, seat)
        if not told:
            _catch_up(sitting, seat)


def _readable(sitting: Sitting, seat: SeatRow) -> Table | None:
    """The table of ``seat``; None if this program cannot read its game. There is then no position for mails to be
    about, but changes of the seat still count."""
    try:
        return table_of(sitting, seat)
    except PastUnreadable:
        return None


def _tell_table(sitting: Sitting, about: SeatRow, key: str, *, first: bool = False) -> None:
    """Tell the other players, unless the game is over."""
    table = _readable(sitting, about)
    if table is None or table.row.over:
        return
    facts: Facts = {
        "player": about.player,
        "asked": bool(about.question),
        "clock": table.row.clocked,
    }
    for seat in table.seats:
        if seat.id != about.id and seat.address.lower() != about.address.lower():
            notice(table, seat, key, facts, first=first)
