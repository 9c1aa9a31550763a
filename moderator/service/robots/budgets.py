"""Answers are counted, so that two programs that answer each other come to an end (RFC 3834 2).

Orders that move a game are never counted: their number is bounded by the game. What is counted are answers to mails
that changed nothing, for a seat, a game and the whole service, and how often the same text came to the same decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select, update

from moderator.adapters.tables import BudgetRow, KeptRow, MailRow
from moderator.domain.transcript import Facts
from moderator.service.desk import Desk
from moderator.service.post.outbox import queue_operator

if TYPE_CHECKING:
    from moderator.service.play.turn import Result

_MOVED = ("applied", "partial")
_BREAKER = "breaker"
_KEPT_DAYS = 7
_STALE = 3
"""So often an hour a seat is told that what it answers is past, while the game stands where it stood."""


def within(desk: Desk, session: Session, results: Sequence[Result], mail: MailRow, body: str) -> list[Result]:
    """Those of ``results`` that are answered; ``body`` is a digest of the text. The operator is told once a day of each
    budget that is used up."""
    return [result for result in results if result.outcome in _MOVED or _allowed(desk, session, result, mail, body)]


def _allowed(desk: Desk, session: Session, result: Result, mail: MailRow, body: str) -> bool:
    seat, limits = result.seat, desk.settings
    facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
    same = count(desk, session, f"same:{seat.id}:{result.row.at}:{body[:16]}")
    if same > limits.same_text_answers:
        _tell(desk, session, "same_text", facts, same, limits.same_text_answers)
        return False
    if result.outcome == "stale" and count(desk, session, f"stale:{seat.id}:{result.row.at}", _hour(desk)) > _STALE:
        return False  # a queue somewhere was let go: all that can be said has been said
    if not may_answer_at_all(desk, session):
        return False
    of_seat = count(desk, session, f"seat:{seat.id}")
    if of_seat > limits.answers_per_seat:
        _tell(desk, session, "budget", facts, of_seat, limits.answers_per_seat)
        return False
    of_game = count(desk, session, f"game:{seat.game}")
    if of_game > limits.answers_per_game:
        _tell(desk, session, "budget_game", facts, of_game, limits.answers_per_game)
        return False
    return True


def may_answer_at_all(desk: Desk, session: Session) -> bool:
    """Whether the breaker of the whole service lets one more answer pass that belongs to no move. It counts it, and
    trips when there are too many in one hour; then only the operator can close it again."""
    if session.get(KeptRow, _BREAKER) is not None:
        return False
    hour = _hour(desk)
    used = count(desk, session, "service", hour)
    if used <= desk.settings.breaker_per_hour:
        return True
    session.merge(KeptRow(key=_BREAKER, value={"hour": hour, "count": used}, changed_at=desk.clock.now()))
    queue_operator(desk, session, desk.words.operator_words("breaker", {"count": used}))
    return False


def tripped(desk: Desk) -> KeptRow | None:
    """The breaker, if it has tripped."""
    with desk.database.reading() as session:
        return session.get(KeptRow, _BREAKER)


def reset(desk: Desk) -> bool:
    """Answer again; False if the breaker had not tripped."""
    with desk.database.transaction() as session:
        row = session.get(KeptRow, _BREAKER)
        if row is None:
            return False
        session.delete(row)
        session.exec(delete(BudgetRow).where(col(BudgetRow.scope) == "service", col(BudgetRow.day) == _hour(desk)))
    return True


def count(desk: Desk, session: Session, scope: str, day: str = "") -> int:
    """One more in ``scope`` on this day (UTC); how many that makes."""
    day = day or desk.clock.now().date().isoformat()
    here = (col(BudgetRow.scope) == scope, col(BudgetRow.day) == day)
    more = update(BudgetRow).where(*here).values(count=BudgetRow.count + 1)
    if session.exec(more).rowcount == 0:
        try:
            with session.begin_nested():
                session.add(BudgetRow(scope=scope, day=day, count=1))
        except IntegrityError:  # another service was first
            session.exec(more)
    return session.exec(select(BudgetRow.count).where(*here)).one()


def _hour(desk: Desk) -> str:
    return desk.clock.now().strftime("%Y-%m-%dT%H")


def forget(desk: Desk) -> None:
    """Counts of days that are long past."""
    before = (desk.clock.now() - timedelta(days=_KEPT_DAYS)).date().isoformat()
    with desk.database.transaction() as session:
        session.exec(delete(BudgetRow).where(col(BudgetRow.day) < before))


def _tell(desk: Desk, session: Session, key: str, facts: Facts, used: int, most: int) -> None:
    if used == most + 1:
        queue_operator(desk, session, desk.words.operator_words(key, {**facts, "count": used}))
