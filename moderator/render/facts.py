"""The facts for templates: the position as views, the questions to a seat, and the game as one seat sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import default_course
from engine.core.agenda import Ask, Menu
from engine.core.game import Game
from engine.core.ids import HexId, PlayerId
from engine.core.orders import Agree, Subject
from engine.core.state import State
from engine.core.title import Title
from engine.sensible import FOR
from engine.svg.marks import changed_hexes
from moderator.domain.info import REPLY_MARK, GameInfo
from moderator.render import board_views, examples, lots, menu, passing, views
from moderator.render.answers import Answer, answers
from moderator.render.next_train import next_train
from moderator.render.share_views import as_text, share_table
from moderator.render.text import MARK
from moderator.render.times import day, moment
from moderator.render.trains_ahead import trains_ahead
from moderator.render.transcript import notes_view, unsealed
from moderator.render.wording import describe_ask
from moderator.render.words import Words


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a seat is asked now, with all legal answers."""

    ask: Ask
    legal: Menu
    text: str
    groups: tuple[menu.Group, ...]
    answers: tuple[Answer, ...]
    lots: tuple[str, ...] = ()
    """A description of each lot on offer, one on a line."""
    passing: str = ""
    """The consequences of a pass; "" if none is worth telling."""
    later: str = ""
    """A text on the rest of the turn, which the menu does not show yet; "" if there is none."""

    @property
    def optional(self) -> bool:
        """True if the question goes with another one of the player's, which may be answered instead."""
        return self.ask.what.endswith(FOR)

    @property
    def beside_answers(self) -> tuple[menu.Group, ...]:
        """The groups that say more than the answers do."""
        shown = {answer.text for answer in self.answers}
        return tuple(group for group in self.groups if not group.is_plain_in(shown))


@dataclass(frozen=True, slots=True)
class Kept:
    """The tables that a mail does not repeat. ``hexes``: only these are listed, those that have changed; None for all.
    ``shares``: no share has changed hands."""

    hexes: frozenset[HexId] | None = None
    shares: bool = False

    @staticmethod
    def since(old: State, new: State) -> Kept:
        """The tables that are the same in both positions. What a hex earns may depend on the phase."""
        if old.phase != new.phase:
            return Kept(None, old.holdings == new.holdings)
        return Kept(changed_hexes(old.board, new.board), old.holdings == new.holdings)


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation in words: what will be asked, the lines to answer with, and the words that take them back."""

    text: str
    lines: tuple[str, ...]
    back: str


def questions(own: Words, game: Game, seat: PlayerId, *, timed: bool = False) -> tuple[Question, ...]:
    """All questions that ``seat`` is asked now. ``timed``: a deadline runs."""
    asks = [ask for ask in game.asked() if ask.player == seat]
    found: list[Question] = []
    for ask in asks:
        again = any(other.ask.what == ask.what for other in found)
        legal = game.legal(ask.actor)
        found.append(
            Question(
                ask,
                legal,
                describe_ask(game.title, ask, own.language, _subject(legal), timed=timed, again=again),
                tuple(menu.groups(own, game.title, game.state, legal)),
                answers(game, ask, legal, alone=len(asks) == 1),
                lots.lots(own, game.title, game.state, ask, legal),
                passing.pass_cost(own, game.title, game.state, ask, legal),
                _later(own, game, ask, legal),
            )
        )
    return tuple(found)


def _later(own: Words, game: Game, ask: Ask, legal: Menu) -> str:
    told = examples.later(own, game.title, game.state, ask, legal)
    return " ".join(filter(None, (told, trains_ahead(own, game.title, game.state, ask, legal))))


def suggested(game: Game, seat: PlayerId) -> tuple[str, ...]:
    """Lines of a legal answer to the first question that ``seat`` is asked now; none if it is asked nothing."""
    asks = [ask for ask in game.asked() if ask.player == seat]
    found = answers(game, asks[0], game.legal(asks[0].actor), alone=len(asks) == 1) if asks else ()
    return found[0].lines if found else ()


def anytime(game: Game, seat: PlayerId, asked: tuple[Question, ...] = ()) -> tuple[menu.Group, ...]:
    """The orders that ``seat`` may give at any moment, except those in the menu of a question in ``asked``."""
    legal = tuple(c for c in game.unasked(seat) if not any(c in question.legal for question in asked))
    return tuple(menu.anytime(game.title, legal))


def _subject(legal: Menu) -> Subject | None:
    """The subject of the consent that is asked for; None if the menu asks for no consent to a subject."""
    return next((c.order.subject for c in legal if isinstance(c.order, Agree)), None)


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


def context_of(own: Words, game: Game, info: GameInfo, seat: PlayerId) -> dict[str, Any]:
    """The facts for a mail that shows the position."""
    return position_facts(own, game.title, game.state, seat) | about_game(own, game, info, seat)


def about_game(own: Words, game: Game, info: GameInfo, seat: PlayerId) -> dict[str, Any]:
    """The facts for every mail about a game. A mail that does not show the position needs no others."""
    return {
        "title": game.title,
        "state": game.state,
        "seat": seat,
        "mark": MARK,
        "links": None,
        "chart_first": False,
        "kept": Kept(),
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


def position_facts(own: Words, title: Title, state: State, seat: PlayerId | None) -> dict[str, Any]:
    """The facts about a position. ``seat``: the reader; None for no reader in particular."""
    companies, players, trains = views.companies(title, state), views.players(title, state), views.trains(title, state)
    changes = next_train(title, state, trains)
    areas = board_views.areas(title, state, None if changes is None else changes.value)
    shares = share_table(state, players, companies)
    return {
        "title": title,
        "state": state,
        "seat": seat,
        "mark": MARK,
        "players": players,
        "companies": companies,
        "mine": () if seat is None else views.directed(companies, seat),
        "market": views.market(title, state),
        "trains": trains,
        "next": changes,
        "shares": shares,
        "share_lines": as_text(shares, lambda holder: own.word(f"columns.{holder}", holder, title.name)),
        "phase": views.phase(title, state),
        "board": board_views.board(title, state),
        "areas": areas,
        "changing": any(area.then != area.now for area in areas),
        "unsold": views.unsold(title, state),
        "for_sale": views.for_sale(title, state),
        "unstarted": views.unstarted(title, state),
        "bank": views.bank(state),
    }
