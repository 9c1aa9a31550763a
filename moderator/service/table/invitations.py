"""Invites players who are not asked to give orders ahead when a round begins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.core.events import RoundBegan
from moderator.adapters.tables import SeatRow
from moderator.domain.again import WORD
from moderator.domain.ahead.invitation import invitation, kept_of
from moderator.domain.fork import Move
from moderator.domain.info import GameInfo
from moderator.service.post.outbox import silence_of
from moderator.service.table.held_rows import held_of, waiting_rows
from moderator.service.table.table import Table


def with_invitation(table: Table, seat: SeatRow, info: GameInfo) -> GameInfo:
    """``info`` with the invitation to what the player of ``seat`` may give ahead in the round under way, and has not
    given yet. Who is sent nothing or is played for by a robot is not invited, and nobody while the game waits."""
    row = table.row
    if row.status != "running" or row.waits or seat.caretaker == "robot" or silence_of(seat):
        return info
    rows = waiting_rows(table.sitting.session, row.id, seat.player)
    kept = kept_of(held_of(table.live, one) for one in rows if one.kind != WORD)
    return replace(info, invitation=invitation(table.game, table.live.vocabulary, seat.player, kept))


def round_began(moves: Iterable[Move]) -> bool:
    """True if a round has begun in one of ``moves``."""
    return any(isinstance(event, RoundBegan) for move in moves for event in move.events)
