"""Counts answers, so that two programs that answer each other come to an end (RFC 3834 2), and so that nobody uses up
the budget of another.

Four kinds of writers have separate budgets (``Writer``), and strangers have one of their own. The budget is checked
before anything in a mail is worked out (``leave``). Two things are never silenced: orders that move a game, whose
number is bounded by the game, and refused or kept orders that a player sends from an address of theirs with the
current secret address. Of these, only repetitions of the same refused text get no answer; after
``full_refusals_per_seat`` answers a day to refused or kept orders, further ones are short.

A breaker for each group of writers limits all seats together. It silences no player, and closes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from sqlmodel import col, delete

from moderator.adapters.tables import BudgetRow, GameRow, MailRow, SeatRow, StrangerRow
from moderator.domain.transcript import Facts, Transcript, TranscriptLine
from moderator.service.desk import Desk, Sitting
from moderator.service.post.counters import count, hour_of, next_day, used
from moderator.service.post.outbox import queue_operator
from moderator.service.service_facts import all_kept, forget, recall, remember
from moderator.service.table.result import Result
from moderator.service.table.seat_text import Shows, Writer

Group: TypeAlias = Literal["seats", "others", "strangers"]
GROUPS: Final[tuple[Group, ...]] = ("seats", "others", "strangers")
"""Groups with a breaker each: players at their own addresses, all others who write to a seat's secret address, and
those who write to none."""

_MOVED: Final = ("applied", "partial")
_HELD_UP: Final = ("two_blocks", "ambiguous", "wrong_token", "waits")
"""Outcomes of orders that were given and not looked at."""
_BREAKER: Final = "breaker "
BREAKERS: Final = tuple(_BREAKER + group for group in GROUPS)
"""Names under which tripped breakers are stored."""
_KEPT_DAYS: Final = 7
_STALE: Final = 3
"""The number of times an hour that a seat is told that the question answered at its old address is past, while the game
has not moved."""
_STORM: Final[dict[Group, int]] = {"seats": 10, "others": 2, "strangers": 0}
"""The number of answers an hour that each seat gets while the breaker of the group is open."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The leave of one text. ``repeated``: the same text came too often to the same decision. ``spent``: the budget of
    answers that change nothing is used up; only moves and refused orders are answered."""

    writer: Writer
    repeated: bool = False
    spent: bool = False

    @property
    def shows(self) -> Shows:
        if self.repeated or self.spent:
            return "nothing"
        return "all" if self.writer == "own" else "cheap"


def leave(sitting: Sitting, seat: SeatRow, writer: Writer, mail: MailRow, body: str) -> Leave | None:
    """The leave of a text for ``seat``, asked for before the text is worked out; ``body`` is a digest of the text.
    None: nothing is allowed, not even an answer. Moves of the game are never stopped here, because they come only from
    ``own`` writers."""
    limits = sitting.settings
    facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
    game = sitting.session.get(GameRow, seat.game)
    same = count(sitting, f"same:{writer}:{seat.id}:{game.at if game else 0}:{body[:16]}")
    repeated = same > limits.same_text_answers
    if repeated:
        _tell(sitting, "same_text", facts, same, limits.same_text_answers)
    if writer == "own":
        return Leave(writer, repeated, _spent(sitting, seat))
    return Leave(writer) if not repeated and _may_cause(sitting, seat, writer, facts) else None


def exhausted(sitting: Sitting, seat: SeatRow, writer: Writer) -> bool:
    """True if ``leave`` would be None for any text of this writer, so that it need not even be read."""
    return writer != "own" and used(sitting, f"{writer}:{seat.id}") > sitting.settings.others_per_seat


def answered(sitting: Sitting, result: Result, given: Leave, mail: MailRow) -> bool:
    """True if ``result``, worked out with the leave ``given``, is answered; ``result.short_until`` is set if the answer
    is to be a short one. The operator is told once a day about each budget that is used up."""
    if result.outcome in _MOVED or result.transcript.moves:
        return True
    if given.repeated:
        return False
    seat = result.seat
    facts: Facts = {"game": seat.game, "player": seat.player, "mail": mail.id}
    if given.writer != "own":
        late = result.outcome == "stale"
        return not late or count(sitting, f"stale:{seat.id}:{result.table.row.at}", hour_of(sitting.desk)) <= _STALE
    if _ordered(result.transcript):  # never silenced; the operator is told, as it may be a program
        refusals = count(sitting, f"refused:{seat.id}")
        _tell(sitting, "refusals", facts, refusals, sitting.settings.answers_per_seat)
        if refusals > sitting.settings.full_refusals_per_seat:
            result.short_until = next_day(sitting.desk)
        return True
    return _within(sitting, result, facts) and not given.spent


def _ordered(transcript: Transcript) -> bool:
    """True if somebody tried to give an order: a text of a program has no line that is an order, or nearly one."""
    if transcript.outcome == "checked":
        return False
    return transcript.outcome in _HELD_UP or any(map(_order_like, transcript.lines))


def _order_like(line: TranscriptLine) -> bool:
    fault = line.unreadable
    if fault is None:
        return line.canonical is not None
    return fault.nearest is not None or fault.misspelled or fault.reason not in ("unknown", "head", "long")


def _within(sitting: Sitting, result: Result, facts: Facts) -> bool:
    """Count an answer to a player's own mail that changed nothing and ordered nothing. True if it is sent. A game with
    too many such answers silences the seats that had more than their share; an open breaker silences those that write
    very often."""
    seat, limits = result.seat, sitting.settings
    of_seat = count(sitting, f"seat:{seat.id}")
    if of_seat > limits.answers_per_seat:
        _tell(sitting, "budget", facts, of_seat, limits.answers_per_seat)
        return False
    of_game = count(sitting, f"game:{seat.game}")
    if of_game > limits.answers_per_game and of_seat > limits.answers_per_game // max(1, len(result.table.seats)):
        _tell(sitting, "budget_game", facts, of_game, limits.answers_per_game)
        return False
    return _passes(sitting, "seats", seat)


def _spent(sitting: Sitting, seat: SeatRow) -> bool:
    if used(sitting, f"seat:{seat.id}") >= sitting.settings.answers_per_seat:
        return True
    return is_open(sitting, "seats") and _in_thishour_of(sitting, "seats", seat) >= _STORM["seats"]


def _may_cause(sitting: Sitting, seat: SeatRow, writer: Writer, facts: Facts) -> bool:
    """Count one mail of a writer who is not known to be the player, whatever its outcome will be. True if it is worked
    out."""
    most = sitting.settings.others_per_seat
    so_far = count(sitting, f"{writer}:{seat.id}")
    if so_far > most:
        _tell(sitting, f"budget_{writer}", facts, so_far, most)
        return False
    return _passes(sitting, "others", seat)


# ---- breakers


def may_answer_stranger(sitting: Sitting) -> bool:
    """True if one more fixed answer may go to an unknown sender. Counts it."""
    return _passes(sitting, "strangers", None)


def _passes(sitting: Sitting, group: Group, seat: SeatRow | None) -> bool:
    """Count one more answer of a group, and open its breaker if there were too many in this hour. True if the answer
    may go. While the breaker is open each seat gets a few answers an hour, a limit that no person notices."""
    of_seat = count(sitting, _of_seat(group, seat), hour_of(sitting.desk)) if seat is not None else 1
    if is_open(sitting, group):
        return of_seat <= _STORM[group]
    hour = hour_of(sitting.desk)
    so_far = count(sitting, f"group:{group}", hour)
    limits = sitting.settings
    most = limits.strangers_per_hour if group == "strangers" else limits.breaker_per_hour
    if so_far <= most:
        return True
    until = sitting.now() + timedelta(hours=limits.breaker_hours)
    remember(sitting, _BREAKER + group, {"count": so_far, "hour": hour, "until": until.isoformat()})
    facts: Facts = {"group": group, "count": so_far, "until": f"{until:%Y-%m-%d %H:%M}"}
    queue_operator(sitting, sitting.words.operator_words("breaker", facts), kind=f"breaker {group}")
    return of_seat <= _STORM[group]


def is_open(sitting: Sitting, group: Group) -> bool:
    """True if the breaker of a group is open. It closes by itself when its time is over."""
    kept = recall(sitting.session, _BREAKER + group)
    return kept is not None and sitting.now() < datetime.fromisoformat(str(kept["until"]))


@dataclass(frozen=True, slots=True)
class Open:
    """An open breaker: it opened after ``count`` answers in one hour, and stays open ``until`` that moment."""

    group: Group
    count: int
    until: datetime


def open_breakers(sitting: Sitting) -> list[Open]:
    """The breakers that are open now, those of players first."""
    found = []
    for group in GROUPS:
        kept = recall(sitting.session, _BREAKER + group)
        if kept is not None and is_open(sitting, group):
            found.append(Open(group, int(kept["count"]), datetime.fromisoformat(str(kept["until"]))))
    return found


def reset(desk: Desk) -> bool:
    """Close all breakers; False if none was open."""
    with desk.sitting() as sitting:
        found = open_breakers(sitting)
        for one in found:
            forget(sitting.session, _BREAKER + one.group)
            here = (col(BudgetRow.scope) == f"group:{one.group}", col(BudgetRow.day) == hour_of(desk))
            sitting.session.exec(delete(BudgetRow).where(*here))
    return bool(found)


def _of_seat(group: Group, seat: SeatRow) -> str:
    return f"{group}:{seat.id}"


def _in_thishour_of(sitting: Sitting, group: Group, seat: SeatRow) -> int:
    return used(sitting, _of_seat(group, seat), hour_of(sitting.desk))


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


def _tell(sitting: Sitting, key: str, facts: Facts, used: int, most: int) -> None:
    if used == most + 1:  # told of the first seat at once, and of all that follow together
        queue_operator(sitting, sitting.words.operator_words(key, {**facts, "count": used}), kind=key)
