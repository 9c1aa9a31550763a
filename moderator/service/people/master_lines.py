"""Lines from players to the game master. Each has an address for his answer, with a secret word of its own.

The word names the line, and so the player and the game; it permits nothing but an answer to it. It goes only to the
game master. A line ends after some weeks, and with another game master.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlmodel import Session, col, select

from moderator.adapters.tables import GameRow, MailRow, OutboxRow, PendingRow, SeatRow
from moderator.domain.info import GameInfo, Master
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk, Sitting
from moderator.service.people.requests import tokens_in
from moderator.service.post.outbox import queue_operator, queue_to
from moderator.service.table.game_master import Office, office_address, office_at
from moderator.service.table.notices import notice
from moderator.service.table.seats import info_for
from moderator.service.table.table import Table, table_of

KIND: Final = "master"
_LASTS: Final = timedelta(days=60)
"""The time within which the game master may answer a line."""


def line_address(desk: Desk, token: str) -> str:
    """``railpost+master.TOKEN@domain``."""
    return f"{desk.settings.mailbox}+{KIND}.{token}@{desk.settings.domain}".lower()


def line_tokens_in(desk: Desk, texts: tuple[str, ...]) -> list[str]:
    """The secret words of all such addresses in ``texts``, each once."""
    return tokens_in(desk, texts, KIND)


def line_of(session: Session, token: str) -> PendingRow | None:
    """The line with this secret word; None if there is none."""
    row = session.get(PendingRow, token)
    return row if row is not None and row.kind == KIND else None


def new_line(sitting: Sitting, seat: SeatRow, master: Master, mail: MailRow | None) -> PendingRow:
    """A line from ``seat`` to ``master``, which may be answered from now on."""
    assert seat.id is not None
    token = sitting.desk.secret_word()
    row = PendingRow(
        token=token, kind=KIND, seat=seat.id, mail=mail.id if mail is not None else None, address=master.address,
        created_at=sitting.now(), due_at=sitting.now() + _LASTS,
    )  # fmt: skip
    sitting.session.add(row)
    return row


def end_lines(session: Session, game: str) -> int:
    """End all open lines of a game, because it gets another game master. Returns their number."""
    seats = select(SeatRow.id).where(SeatRow.game == game)
    wanted = select(PendingRow).where(
        PendingRow.kind == KIND, PendingRow.state == "open", col(PendingRow.seat).in_(seats)
    )
    rows = session.exec(wanted).all()
    for row in rows:
        row.state = "refused"
    return len(rows)


def info_for_master(table: Table, seat: SeatRow, reply_to: str = "") -> GameInfo:
    """The game as the game master is told about it in a mail about ``seat``: no player's address, zone, secret word,
    order given ahead or seed."""
    info = info_for(table, seat)
    return replace(
        info, reply_to=reply_to, token="", seats=dict.fromkeys(info.seats), held=(), sealed=None, seed=None, rules=None,
        zone=info.terms.here,
    )  # fmt: skip


def tell_master(table: Table, seat: SeatRow, address: str, key: str, facts: Facts, answers: MailRow | None) -> None:
    """Write ``notice.KEY`` about ``seat`` or a line of it to the game master at ``address``."""
    info = info_for_master(table, seat)
    rendered = table.sitting.words.notice_mail(info, key, {"player": seat.player, **facts})
    queue_to(table.sitting, address, table.sitting.settings.address, seat, rendered, answers)


def info_for_office(table: Table, office: Office | None) -> GameInfo:
    """The game as a game master is told about it, with his secret address for an answer; without one if he is none any
    more."""
    address = "" if office is None else office_address(table.sitting.desk, table.row, office)
    return replace(info_for_master(table, table.seats[0], address), seat="")


def tell_office(table: Table, office: Office, key: str, facts: Facts, reply_to: str = "") -> None:
    """Write ``notice.KEY`` to a game master. He answers it with his own words, at his secret address or ``reply_to``
    another."""
    info = info_for_office(table, office)
    info = replace(info, reply_to=reply_to) if reply_to else info
    rendered = table.sitting.words.notice_mail(info, key, facts)
    queue_to(table.sitting, office.address, info.reply_to, table.seats[0], rendered)


def not_reached(sitting: Sitting, sent: OutboxRow) -> None:
    """Tell the operator that a mail came back from a game master's address; if it was a line, also the player if he has
    the seat still. Does nothing for mails to players."""
    found = line_tokens_in(sitting.desk, (sent.reply_to,)) if sent.kind == KIND else []
    row = line_of(sitting.session, found[0]) if found else None
    seat = sitting.session.get(SeatRow, row.seat) if row is not None else None
    if row is None or seat is None:
        game = sitting.session.get(GameRow, sent.game) if sent.game and not sent.player else None
        office = office_at(game, sent.recipient) if game is not None else None
        if game is not None and office is not None:
            said: Facts = {"game": game.id, "name": office.name, "address": office.address}
            queue_operator(sitting, sitting.words.operator_words("office_unreached", said), kind=f"office {game.id}")
        return
    facts: Facts = {"game": seat.game, "player": seat.player, "address": row.address}
    queue_operator(sitting, sitting.words.operator_words("master_unreached", facts), kind=f"master {seat.game}")
    if seat.given_at is None or seat.given_at <= row.created_at:
        notice(table_of(sitting, seat), seat, "master_unreached", {})
