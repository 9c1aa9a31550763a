"""Writes the answer to a text, and tells the others what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.core.ids import PlayerId
from moderator.domain.info import LONGEST_SUBJECT, GameInfo
from moderator.domain.pictures import Picture
from moderator.domain.ports import Rendered
from moderator.domain.transcript import Facts, Transcript
from moderator.service.desk import Desk, Sitting
from moderator.service.people.reach import welcome_back
from moderator.service.post.outbox import Reply, queue
from moderator.service.table.invitations import round_began, with_invitation
from moderator.service.table.notices import gets_news, tell, turn_mail
from moderator.service.table.result import Result
from moderator.service.table.seats import info_for

_STOPS: Final = ("refused", "unreadable", "ambiguous")
_QUOTED: Final = 80
"""The number of characters of a line that a short answer quotes."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A mail as plain text: answers about several games together, or a short answer."""

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()


def answer(sitting: Sitting, results: Sequence[Result], reply: Reply | None) -> None:
    """Write the transcripts (or the requested help): one mail to each person, however many games he wrote about.
    ``reply``: the mail that is answered; None if no mail of the player's is."""
    by_person: dict[str, list[tuple[Result, GameInfo, str, Rendered]]] = {}
    for result in results:
        info = info_for(result.table, result.seat)
        info = with_invitation(result.table, result.seat, info) if _invites(result) else info
        kind, rendered = _answer(sitting.desk, result, info)
        by_person.setdefault(result.seat.address, []).append((result, info, kind, rendered))
    for answers in by_person.values():
        result, info, kind, rendered = answers[0]
        if len(answers) > 1:
            texts = [one.text for *_, one in answers]
            rendered = _Plain(
                subject_of_several([(about.id, one.subject) for _, about, _, one in answers]), "\n\n".join(texts)
            )
        queue(sitting, result.seat, info, kind, rendered, reply)


def _invites(result: Result) -> bool:
    """True if a round begins with the mail, and its answer is the only mail about that to its writer."""
    fork = result.fork
    if fork is None or result.seat.player in fork.renewed or gets_news(result.seat, begins=True):
        return False
    return round_began(fork.moves)


def subject_of_several(subjects: Sequence[tuple[str, str]]) -> str:
    """The subject of a mail about several games, from the id of each and its own subject. If these are too long
    together, only the first is given in full, and then as many ids as there is room for."""
    whole = ", ".join(subject for _, subject in subjects)
    if len(whole) <= LONGEST_SUBJECT:
        return whole
    first, others = subjects[0][1], [f"[{id}]" for id, _ in subjects[1:]]
    for named in range(len(others), 0, -1):
        left = len(others) - named
        found = ", ".join([first, *others[:named]]) + (f" and {left} more" if left else "")
        if len(found) <= LONGEST_SUBJECT:
            return found
    return f"{first} and {len(others)} more"


def _answer(desk: Desk, result: Result, info: GameInfo) -> tuple[str, Rendered]:
    game = result.table.game
    if result.short_until is not None:
        short = desk.words.notice_mail(info, "short", _in_short(result.transcript, result.short_until))
        return "transcript", _Plain(short.subject, short.text)
    bare = not result.transcript.shown and all(key == "elsewhere" for key, _ in result.transcript.notes)
    if result.outcome == "helped" and bare:
        return "help", desk.words.help_mail(game, info, PlayerId(result.seat.player))
    return "transcript", desk.words.transcript_mail(game, info, result.transcript)


def _in_short(transcript: Transcript, until: datetime) -> Facts:
    """The facts of a short answer: its outcome, the first line that stopped the orders, and whether one was sealed."""
    stop = next((line.text for line in transcript.lines if line.verdict in _STOPS), "")
    sealed = transcript.outcome == "sealed"
    return {"outcome": transcript.outcome, "said": stop[:_QUOTED], "sealed": sealed, "full_again": until}


def tell_others(result: Result) -> None:
    """Tell the other players everything that follows from a move, and welcome back a seat that was unreachable, or for
    which a robot moved."""
    fork = result.fork
    told = fork is not None and (result.seat.player in fork.renewed or fork.game.finished)
    if result.returned:
        welcome_back(result.table.sitting, result.seat, told=told)
    elif result.relieved and result.seat.question and not told:
        turn_mail(result.table, result.seat)
    if fork is None:
        return
    ahead = {player: notes for player, notes in result.ahead.items() if player != result.seat.player}
    if fork.moves or ahead:
        tell(result.table, fork.renewed, fork.moves, ahead, answered=result.seat.player)
