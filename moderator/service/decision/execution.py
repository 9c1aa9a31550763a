"""Carries out the texts of a mail, answers them, and tells the other players."""

from __future__ import annotations

from dataclasses import dataclass, replace

from moderator.domain.outcome import Outcome
from moderator.service.decision.confirmation import ask_orders
from moderator.service.decision.duplicates import Fresh
from moderator.service.decision.letter import Ended, Letter
from moderator.service.decision.motions import follow_votes
from moderator.service.decision.plain import affordable
from moderator.service.people.requests import could_ask
from moderator.service.play.answers import answer, tell_others
from moderator.service.play.turn import handle
from moderator.service.post.list_headers import message_id_of
from moderator.service.post.outbox import Reply
from moderator.service.robots.budgets import Leave, answered, leave
from moderator.service.table.result import Result
from moderator.service.table.seat_text import Said, writer_of

_BEST_FIRST: tuple[Outcome, ...] = (
    "applied",
    "partial",
    "held",
    "sealed",
    "unconfirmed",
    "withdrawn",
    "notified",
    "press",
    "checked",
    "shown",
    "helped",
)


@dataclass(frozen=True, slots=True)
class _Done:
    """One text with the leave that it had, and its result."""

    said: Said
    given: Leave
    result: Result


def carry_out(letter: Letter, fresh: Fresh) -> Ended:
    """Carry out each text of the mail. The outcome of the mail is that of its only text, or the best of several."""
    sitting, mail = letter.sitting, letter.mail
    allowed = [pair for one in fresh.said if (pair := _allowed(letter, one, fresh.body)) is not None]
    done = [_Done(said, given, handle(sitting, said, mail)) for said, given in allowed]
    asked = [ask_orders(letter, one.said, one.result) for one in done if one.result.outcome == "unconfirmed"]
    others = [one for one in done if one.result.outcome != "unconfirmed"]
    told = [one.result for one in others if answered(sitting, one.result, one.given, mail)]
    told += affordable(letter, [(bad.seat, bad.outcome, (bad.note,)) for bad in fresh.unsorted], fresh.body)
    answer(sitting, told, Reply(mail, message_id_of(letter.parsed.message_id)))
    for one in done:
        tell_others(one.result)
    seat = (fresh.said[0] if fresh.said else fresh.unsorted[0]).seat
    mail.game, mail.player = seat.game, seat.player
    outcomes: list[Outcome] = [one.result.outcome for one in done] + [bad.outcome for bad in fresh.unsorted]
    moved = tuple(one.result.table.live for one in done if one.result.fork is not None)
    for one in done:
        moved += follow_votes(one.result)
    return replace(_end(outcomes or ["loop"], fresh.detail, asked, answered=bool(told)), moved=moved)


def _allowed(letter: Letter, said: Said, body: str) -> tuple[Said, Leave] | None:
    """The text with the limits on what it may show and ask, and its leave; None if it is not even worked out."""
    writer = writer_of(said.origin)
    given = leave(letter.sitting, said.seat, writer, letter.mail, body)
    if given is None:
        return None
    asks = said.origin.acts or could_ask(letter.sitting, said.seat, writer)
    return replace(said, writer=writer, shows=given.shows, asks=asks), given


def _end(outcomes: list[Outcome], detail: str, asked: list[str], *, answered: bool) -> Ended:
    if asked or answered:
        best = next((outcome for outcome in _BEST_FIRST if outcome in outcomes), outcomes[0])
        detail = ", ".join(outcomes) if len(outcomes) > 1 else detail
        return Ended(best, "; ".join([*asked, detail] if detail else asked) if asked else detail)
    return Ended("stale" if set(outcomes) == {"stale"} else "loop", f"not answered any more: {', '.join(outcomes)}")
