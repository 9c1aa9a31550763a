"""Answers are counted, so that two programs that answer each other come to an end (RFC 3834 2), and so that nobody
spends what belongs to another.

Four kinds of writers have budgets apart (``Writer``), and strangers have one of their own. What a mail may cost is
asked before anything in it is worked out (``leave``). Two things are never silenced: orders that move a game, whose
number is bounded by the game, and refused orders that a player sends from an address of theirs with the current secret
address. For these only the same text comes to an end.

A breaker for each group of writers limits all seats together. It silences no player, and closes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import bindparam
from sqlmodel import Session, col, delete, select

from moderator.adapters.database import inserting
from moderator.adapters.tables import BudgetRow, GameRow, MailRow, SeatRow, StrangerRow
from moderator.domain.transcript import Facts, Transcript, TranscriptLine
from moderator.service.desk import Desk
from moderator.service.kept import all_kept, forget, recall, remember
from moderator.service.people.trust import Origin
from moderator.service.play.result import Result
from moderator.service.post.outbox import queue_operator
from moderator.service.said import Shows, Writer

Group: TypeAlias = Literal["seats", "others", "strangers"]
GROUPS: Final[tuple[Group, ...]] = ("seats", "others", "strangers")
"""Each has a breaker: players at their own addresses, everybody else who writes to a seat's secret address, and who
writes to none."""

_MOVED: Final = ("applied", "partial")
_HELD_UP: Final = ("two_blocks", "ambiguous", "wrong_token", "waits")
"""Orders that were given and not looked at."""
_BREAKER: Final = "breaker "
BREAKERS: Final = tuple(_BREAKER + group for group in GROUPS)
"""Names under which tripped breakers are stored."""
_KEPT_DAYS: Final = 7
_STALE: Final = 3
"""So often an hour a seat is told that what its old address answers is past, while the game stands where it stood."""
_STORM: Final[dict[Group, int]] = {"seats": 10, "others": 2, "strangers": 0}
"""So many answers an hour each seat gets while the breaker of the group is open."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The leave of one text. ``repeated``: the same text came too often to the same decision. ``spent``: the budget
    of answers that change nothing is used up; only moves and refused orders are answered."""

    writer: Writer
    repeated: bool = False
    spent: bool = False

    @property
    def shows(self) -> Shows:
        if self.repeated or self.spent:
            return "nothing"
        return "all" if self.writer == "own" else "cheap"


def writer_of(origin: Origin) -> Writer:
    """The writer whose budget a mail of this origin uses."""
    if origin.evidence == "old":
        return "old"
    if origin.acts:
        return "own"
    return "unproved" if origin.standing == "unproved" else "foreign"


def leave(desk: Desk, session: Session, seat: SeatRow, writer: Writer, mail: MailRow, body: str) -> Leave | None:
    """The leave of a text for ``seat``, asked before it is worked out; ``body`` is a digest of it. None: nothing, not
    even an answer. What moves the game is never stopped here: it comes from ``own`` writers alone."""
    limits = desk.settings
    facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
    game = session.get(GameRow, seat.game)
    same = count(desk, session, f"same:{writer}:{seat.id}:{game.at if game else 0}:{body[:16]}")
    repeated = same > limits.same_text_answers
    if repeated:
        _tell(desk, session, "same_text", facts, same, limits.same_text_answers)
    if writer == "own":
        return Leave(writer, repeated, _spent(desk, session, seat))
    return Leave(writer) if not repeated and _may_cause(desk, session, seat, writer, facts) else None


def exhausted(desk: Desk, session: Session, seat: SeatRow, writer: Writer) -> bool:
    """True if ``leave`` would be refused to any text of this writer: then it need not even be read."""
    return writer != "own" and used(desk, session, f"{writer}:{seat.id}") > desk.settings.others_per_seat


def answered(desk: Desk, session: Session, result: Result, given: Leave, mail: MailRow) -> bool:
    """True if ``result``, worked out with this ``given`` leave, is answered. The operator is told once a day of each
    budget that is used up."""
    if result.outcome in _MOVED:
        return True
    if given.repeated:
        return False
    seat = result.seat
    facts: Facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
    if given.writer != "own":
        late = result.outcome == "stale"
        return not late or count(desk, session, f"stale:{seat.id}:{result.row.at}", _hour(desk)) <= _STALE
    if _ordered(result.transcript):  # never silenced; the operator hears if a program may be at it
        refusals = count(desk, session, f"refused:{seat.id}")
        _tell(desk, session, "refusals", facts, refusals, desk.settings.answers_per_seat)
        return True
    return _within(desk, session, result, facts) and not given.spent


def _ordered(transcript: Transcript) -> bool:
    """True if somebody tried to give an order: a text of a program has no line that is one, or nearly one."""
    if transcript.outcome == "checked":
        return False
    return transcript.outcome in _HELD_UP or any(map(_order_like, transcript.lines))


def _order_like(line: TranscriptLine) -> bool:
    fault = line.unreadable
    if fault is None:
        return line.canonical is not None
    return fault.nearest is not None or fault.reason not in ("unknown", "head", "long")


def _within(desk: Desk, session: Session, result: Result, facts: Facts) -> bool:
    """Count an answer to a player's own mail that changed nothing and ordered nothing. A game that has had too many
    of them silences the seats that had more than their share, and an open breaker those that write very often."""
    seat, limits = result.seat, desk.settings
    of_seat = count(desk, session, f"seat:{seat.id}")
    if of_seat > limits.answers_per_seat:
        _tell(desk, session, "budget", facts, of_seat, limits.answers_per_seat)
        return False
    of_game = count(desk, session, f"game:{seat.game}")
    if of_game > limits.answers_per_game and of_seat > limits.answers_per_game // max(1, len(result.seats)):
        _tell(desk, session, "budget_game", facts, of_game, limits.answers_per_game)
        return False
    return _passes(desk, session, "seats", seat)


def _spent(desk: Desk, session: Session, seat: SeatRow) -> bool:
    if used(desk, session, f"seat:{seat.id}") >= desk.settings.answers_per_seat:
        return True
    return is_open(desk, session, "seats") and _in_this_hour(desk, session, "seats", seat) >= _STORM["seats"]


def _may_cause(desk: Desk, session: Session, seat: SeatRow, writer: Writer, facts: Facts) -> bool:
    """Count one mail of a writer who is not known to be the player, whatever it will come to."""
    most = desk.settings.others_per_seat
    so_far = count(desk, session, f"{writer}:{seat.id}")
    if so_far > most:
        _tell(desk, session, f"budget_{writer}", facts, so_far, most)
        return False
    return _passes(desk, session, "others", seat)


# ---- breakers


def may_answer_stranger(desk: Desk, session: Session) -> bool:
    """True if one more fixed answer goes to somebody who is not known. Counts it."""
    return _passes(desk, session, "strangers", None)


def _passes(desk: Desk, session: Session, group: Group, seat: SeatRow | None) -> bool:
    """Count one more answer of a group, and open its breaker if there were too many in this hour. While it is open
    each seat gets a few an hour, which no person notices."""
    of_seat = count(desk, session, _of_seat(group, seat), _hour(desk)) if seat is not None else 1
    if is_open(desk, session, group):
        return of_seat <= _STORM[group]
    hour = _hour(desk)
    so_far = count(desk, session, f"group:{group}", hour)
    limits = desk.settings
    most = limits.strangers_per_hour if group == "strangers" else limits.breaker_per_hour
    if so_far <= most:
        return True
    until = desk.clock.now() + timedelta(hours=limits.breaker_hours)
    remember(desk, session, _BREAKER + group, {"count": so_far, "hour": hour, "until": until.isoformat()})
    facts: Facts = {"group": group, "count": so_far, "until": f"{until:%Y-%m-%d %H:%M}"}
    queue_operator(desk, session, desk.words.operator_words("breaker", facts), kind=f"breaker {group}")
    return of_seat <= _STORM[group]


def is_open(desk: Desk, session: Session, group: Group) -> bool:
    """True if the breaker of a group is open. It closes by itself when its time is over."""
    kept = recall(session, _BREAKER + group)
    return kept is not None and desk.clock.now() < datetime.fromisoformat(str(kept["until"]))


@dataclass(frozen=True, slots=True)
class Open:
    """A breaker that is open: after ``count`` answers in one hour, ``until`` that moment."""

    group: Group
    count: int
    until: datetime


def open_breakers(desk: Desk, session: Session) -> list[Open]:
    """The breakers that are open now, those of players first."""
    found = []
    for group in GROUPS:
        kept = recall(session, _BREAKER + group)
        if kept is not None and is_open(desk, session, group):
            found.append(Open(group, int(kept["count"]), datetime.fromisoformat(str(kept["until"]))))
    return found


def reset(desk: Desk) -> bool:
    """Close all breakers; False if none was open."""
    with desk.database.transaction() as session:
        found = open_breakers(desk, session)
        for one in found:
            forget(session, _BREAKER + one.group)
            here = (col(BudgetRow.scope) == f"group:{one.group}", col(BudgetRow.day) == _hour(desk))
            session.exec(delete(BudgetRow).where(*here))
    return bool(found)


def _of_seat(group: Group, seat: SeatRow) -> str:
    return f"{group}:{seat.id}"


def _in_this_hour(desk: Desk, session: Session, group: Group, seat: SeatRow) -> int:
    return used(desk, session, _of_seat(group, seat), _hour(desk))


# ---- counting


_COUNT = (
    select(BudgetRow.count)
    .where(col(BudgetRow.scope) == bindparam("scope"), col(BudgetRow.day) == bindparam("day"))
    .execution_options(autoflush=False)
)


@cache
def _one_more(insert: Any) -> Any:
    """Counts one, whether or not there is a row. Put together once: that takes longer than asking it."""
    first = insert(BudgetRow).values(scope=bindparam("scope"), day=bindparam("day"), count=1)
    key = [col(BudgetRow.scope), col(BudgetRow.day)]
    more = first.on_conflict_do_update(index_elements=key, set_={"count": BudgetRow.count + 1})
    return more.returning(col(BudgetRow.count)).execution_options(autoflush=False)


def count(desk: Desk, session: Session, scope: str, day: str = "") -> int:
    """One more in ``scope`` on this day (UTC); how many that makes."""
    here = {"scope": scope, "day": day or _day(desk)}
    return int(session.execute(_one_more(inserting(session)), here).scalar_one())


def used(desk: Desk, session: Session, scope: str, day: str = "") -> int:
    """The number counted in ``scope`` on this day. Counts nothing itself."""
    return session.exec(_COUNT, params={"scope": scope, "day": day or _day(desk)}).first() or 0


def _day(desk: Desk) -> str:
    return desk.clock.now().date().isoformat()


def _hour(desk: Desk) -> str:
    return desk.clock.now().strftime("%Y-%m-%dT%H")


def forget_old(desk: Desk) -> None:
    """Drop counts of days that are long past, and breakers that have closed."""
    now = desk.clock.now()
    before = (now - timedelta(days=_KEPT_DAYS)).date().isoformat()
    with desk.database.transaction() as session:
        session.exec(delete(BudgetRow).where(col(BudgetRow.day) < before))
        session.exec(delete(StrangerRow).where(col(StrangerRow.day) < before))
        for row in all_kept(session, _BREAKER).values():
            if datetime.fromisoformat(str(row.value["until"])) <= now:
                session.delete(row)


def _tell(desk: Desk, session: Session, key: str, facts: Facts, used: int, most: int) -> None:
    if used == most + 1:  # told of the first seat at once, and of all that follow together
        queue_operator(desk, session, desk.words.operator_words(key, {**facts, "count": used}), kind=key)
