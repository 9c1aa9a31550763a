"""The facts for templates: the position as views, the questions to a seat, and the game as one seat sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import default_course
from engine.core.answer_cache import lately
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.core.view import holds_sealed
from moderator.domain.info import REPLY_MARK, GameInfo
from moderator.domain.rounds import had_turn
from moderator.render.transcript import notes_view, unsealed
from moderator.words.position.facts import position_facts
from moderator.words.position.views import directed
from moderator.words.question.questions import Question
from moderator.words.text import MARK
from moderator.words.texts import Words
from moderator.words.times import day, moment


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation in words: what will be asked, the lines to answer with, and the words that take them back."""

    text: str
    lines: tuple[str, ...]
    back: str

    @property
    def block(self) -> tuple[str, ...]:
        """The lines of the mail that answers."""
        return tuple(line for text in self.lines for line in text.splitlines())


def defaults(own: Words, game: Game, info: GameInfo, asked: Sequence[Question]) -> tuple[str, ...]:
    """A clause for each question in ``asked`` on what is done if it is not answered; empty if the table has not agreed
    on that."""
    if info.terms.late != "default" or info.deadline is None:
        return ()
    clauses = []
    for question in asked:
        if not question.ask.sealed:
            keys = dict.fromkeys(default.key for default in default_course(game, question.ask))
            does = [own.say("defaults", f"{key}.does", title=game.title) for key in keys]
            clauses.append(own.say("words", "default.course", actor=question.ask.actor, does=does))
    return tuple(clauses)


def context_of(own: Words, game: Game, info: GameInfo, seat: PlayerId, whole: State) -> dict[str, Any]:
    """The facts for a mail that shows the position. ``game``: as ``seat`` may see it; ``whole``: the position of which
    it sees a part. While no order is sealed, all readers see the same part, and the facts are found once for all."""
    about = about_game(own, game, info, seat) | {"had_turn": had_turn(game)}
    if holds_sealed(whole):
        return position_facts(own, game.title, game.state, seat) | about
    shared = _shared(game.title, whole, own)
    if not shared:
        shared |= position_facts(own, game.title, game.state, None)
    return shared | {"seat": seat, "mine": directed(shared["companies"], seat)} | about


@lately(8)
def _shared(title: Title, whole: State, own: Words) -> dict[str, Any]:
    """The facts about a position for all readers; empty until they have been found for the first of them."""
    return {}


def about_game(own: Words, game: Game, info: GameInfo, seat: PlayerId) -> dict[str, Any]:
    """The facts for every mail about a game. A mail that does not show the position needs no others."""
    return {
        "title": game.title,
        "state": game.state,
        "seat": seat,
        "mark": MARK,
        "links": None,
        "chart_first": False,
        "info": info,
        "deadline": moment(own, info.deadline, info.zone),
        "away": {player: day(own, last) for player, last in info.away.items() if player != seat},
        "overdue": {player: moment(own, due, info.zone) for player, due in info.overdue.items()},
        "reply_mark": REPLY_MARK,
        "waiting": tuple(p for p in info.asked if p != seat),
        "ahead": notes_view(own, game.title, info.ahead),
        "invited": _invited(own, game, info),
        "unsealed": unsealed(info.ahead),
    }


def _invited(own: Words, game: Game, info: GameInfo) -> Invited | None:
    """The invitation in ``info`` in words; None if there is none."""
    found = info.invitation
    if found is None:
        return None
    places = tuple(own.say("words", "invited.company", company=one, place=place) for place, one in found.companies)
    facts = {"later": found.later, "place": found.place, "after": found.after, "places": places}
    budget = any(" budget " in line for line in found.lines)
    covered = {line.partition(":")[0] for line in found.lines}
    turn = found.lines[0].splitlines()[0].replace(": ", ": each turn ", 1).replace(";", ",")
    facts |= {
        "budget": budget,
        "several": budget or len(found.lines) > 1,
        "missing": tuple(company for _, company in found.companies if company not in covered),
        "routine": turn if found.standing and found.kind == "operating" else "",
    }
    text = own.say("words", f"invited.{found.kind}", title=game.title, companies=found.companies, **facts)
    begin, end = (f"BEGIN {info.id} at {info.at}", "END") if not found.later else ("", "")
    lines = tuple(line for line in (begin, *found.lines, end) if line)
    return Invited(text, lines, own.say("words", "invited.back", standing=found.standing))
