"""Goes on after each move: with orders given ahead, and with those that are kept ready since an undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import Refused
from moderator.domain.again import Course, Gone
from moderator.domain.ahead.orders import Held, Settled, settle
from moderator.domain.fork import Fork
from moderator.domain.transcript import Facts, Note, Notes
from moderator.service.games import refusal
from moderator.service.play.again.rows import course_of
from moderator.service.table.table import Table


def settle_all(table: Table, fork: Fork, held: Sequence[Held], new: Sequence[Held] = ()) -> tuple[Settled, Course]:
    """Use the orders given ahead, of which ``new`` came just now, and play the orders kept ready, until neither answers
    an open question. What a player has given ahead counts before what is kept ready for him."""
    course = course_of(table)
    course.replaced_by(new)
    return settle_course(fork, [*held, *new], course), course


def settle_course(fork: Fork, held: Sequence[Held], course: Course) -> Settled:
    """Use the orders given ahead in ``held`` and go on with ``course``, in turn."""
    settled = settle(fork, held)
    while course.go_on(fork):
        closed = {id(end.held) for end in settled.closed}
        rests = [end.remainder for end in settled.closed if end.remainder is not None]
        more = settle(fork, [one for one in (*held, *rests) if id(one) not in closed])
        settled.closed += more.closed
        settled.used += more.used
    return settled


def told_again(table: Table, course: Course) -> dict[str, Notes]:
    """The notes for each player about his orders that were kept ready: which were carried out, and which are gone."""
    told: dict[str, list[Note]] = {}
    for player in dict.fromkeys(one.player for one in course.played):
        texts = tuple(one.text for one in course.played if one.player == player)
        told.setdefault(player, []).append(("again.used", {"texts": texts}))
    for player in dict.fromkeys(one.ready.player for one in course.gone):
        his = [one for one in course.gone if one.ready.player == player]
        told.setdefault(player, []).append(("again.gone", gone_facts(table, his)))
    return {player: tuple(notes) for player, notes in told.items()}


def gone_facts(table: Table, gone: Sequence[Gone]) -> Facts:
    """Orders that do not fit, and why, for the words about them."""
    return {
        "gone": tuple(one.ready.text for one in gone),
        "reasons": tuple(one.why.reason for one in gone),
        "details": tuple(_detail(table, one) for one in gone),
    }


def _detail(table: Table, one: Gone) -> str:
    """The reasons of the rules, or what is otherwise."""
    if one.why.failures:
        return refusal(table.game.title, Refused(one.why.failures)).rstrip(".")
    return "; ".join(one.why.lines)


def joined(*notes: Mapping[str, Notes]) -> dict[str, Notes]:
    """The notes of several kinds for each player."""
    players = dict.fromkeys(player for each in notes for player in each)
    return {player: tuple(note for each in notes for note in each.get(player, ())) for player in players}
