"""One sitting at the desk: a position, the orders that are tried on it, and all that a page shows of both.

A page calls ``Sitting`` in the browser, where this module runs with the rules, the notation and the words, and nothing
else. All that it is given is JSON values. Nothing is sent: ``mail`` is the text that the player may send himself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine import Game, PositionError, Refused, read_position, svg
from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.events import Event, LotDrawn
from engine.core.ids import CompanyId, PlayerId
from engine.positions import seat_of
from engine.svg.hexes import centre, corners
from grammar import read, write
from moderator.desk.effects import effects_of
from moderator.desk.menus import at_value, question_view
from moderator.desk.own_runs import Ways, best_ways, run_view, runner, with_places, with_runs
from moderator.domain.vocabulary import vocabulary
from moderator.words.links import Links
from moderator.words.position.facts import position_facts
from moderator.words.question.answers import in_lines
from moderator.words.question.notes import note
from moderator.words.question.questions import questions
from moderator.words.story import chapters_of
from moderator.words.texts import Words, words
from moderator.words.wording import describe_failure, describe_unreadable

Json = dict[str, Any]

_CHIP: Final = re.compile(r'style="background-color:([^;"]+);color:([^;"]+)"')
"""The style of a company's name in the tables."""


@dataclass(frozen=True, slots=True)
class Given:
    """An order that was tried. ``own``: it is the seat's, in the turn that is asked now; others are a what-if and are
    never sent. ``events``: what followed."""

    order: o.Order
    own: bool
    events: tuple[Event, ...]


@dataclass(slots=True)
class Sitting:
    """``start``: the game at the position that the page was opened with. ``seat``: whose desk it is; "" for a board to
    look at, on which every order is a what-if."""

    start: Game
    seat: PlayerId
    reply_to: str = ""
    subject: str = ""
    given: list[Given] = field(default_factory=list)
    undone: list[Given] = field(default_factory=list)
    _game: Game | None = None
    _shown: Json | None = None
    """The view, until something changes."""
    _ready: dict[tuple[str, str], Sitting] = field(default_factory=dict)
    """Text and actor of orders that were prepared -> the sitting after them, until something changes."""

    @staticmethod
    def open(position: str, *, facts: str | None = None, reply_to: str = "", subject: str = "") -> Sitting | Json:
        """A sitting on ``position``, or why there is none: ``{"why", "text"}``."""
        try:
            game = read_position(position, facts)
            return Sitting(game, PlayerId(seat_of(position)), reply_to, subject)
        except PositionError as error:
            return {"why": error.why, "text": str(error)}

    @property
    def game(self) -> Game:
        """The game after the orders that were tried."""
        if self._game is None:
            self._game = self.start.fork()
            for given in self.given:
                self._game.follow(given.order, given.events)
        return self._game

    # ---- trying orders

    def give(self, text: str, actor: str = "") -> Json:
        """Try the orders in ``text``, in the notation of mails; ``actor`` gives those without a head. All or none are
        kept. ``{"refused": [sentences]}``, empty if all were kept."""
        if ready := self._ready.get((text, actor)):
            self.given, self._game = ready.given, ready.game
            self._changed(ready._shown)
            self.undone.clear()
            return {"refused": []}
        own, game = words("en"), self.game
        default = actor or self._default()
        reading = read(text, vocabulary(game.title, game.state.players), default_actor=default)
        wrong = [describe_unreadable(error) for error in reading.errors]
        if wrong or not reading.orders:
            return {"refused": wrong or [own.word("desk.nothing")]}
        kept: list[Given] = []
        for order in reading.orders:
            asked = next((ask for ask in game.asked() if ask.actor == order.actor), None)
            mine = self._is_own(asked)
            events = game.submit(order)
            if isinstance(events, Refused):
                self._game = None
                return {"refused": [describe_failure(game.title, failure) for failure in events.failures]}
            kept.append(Given(order, mine, events))
        self.given += kept
        self._changed()
        self.undone.clear()
        return {"refused": []}

    def prepare(self, text: str, actor: str = "") -> None:
        """Try the orders in ``text`` on a copy, so that ``give`` and ``view`` have their result ready. A telephone is
        slow at whatever it does for the first time."""
        trial = Sitting(self.start, self.seat, self.reply_to, self.subject, list(self.given), [], self.game.fork())
        if not trial.give(text, actor)["refused"]:
            trial.view()
            self._ready[text, actor] = trial

    def _changed(self, shown: Json | None = None) -> None:
        """Forget what holds of the orders before. ``shown``: the view of those now, if it is known."""
        self._shown = shown
        self._ready.clear()

    def replace(self, text: str) -> Json:
        """Try all orders anew from ``text``, instead of those that were given. None is changed if one is refused."""
        before, undone = list(self.given), list(self.undone)
        self.given, self._game = [], None
        self._changed()
        found = self.give(text) if text.strip() else {"refused": []}
        if found["refused"]:
            self.given, self.undone, self._game = before, undone, None
            self._changed()
        return found

    def undo(self) -> None:
        """Take the last order back."""
        if self.given:
            self.undone.append(self.given.pop())
            self._game = None
            self._changed()

    def redo(self) -> None:
        """Give the order again that was taken back last."""
        if self.undone:
            given = self.undone.pop()
            self.game.follow(given.order, given.events)
            self.given.append(given)
            self._changed()

    def _default(self) -> str | None:
        actors = [ask.actor for ask in self.game.asked() if not self.seat or ask.player == self.seat]
        return actors[0] if len(actors) == 1 else None

    def _is_own(self, asked: Ask | None) -> bool:
        """True if the answer to ``asked`` belongs to the mail: the seat's own, before anybody else or a lot has had a
        say."""
        if asked is None or asked.player != self.seat or not self.seat:
            return False
        return all(given.own and not _drew(given.events) for given in self.given)

    # ---- what the page shows

    def view(self) -> Json:
        """All that the page shows, but tables and pictures."""
        self._shown = self._shown or self._view()
        return self._shown

    def _view(self) -> Json:
        own, game = words("en"), self.game
        seat = self._shown_seat()
        found = questions(own, game, seat) if seat else ()
        return {
            "title": game.title.full_name,
            "seat": self.seat,
            "round": own.say("words", "desk.round", title=game.title, round=game.state.round, phase=game.state.phase),
            "finished": game.finished,
            "asked": [question_view(own, game, question) for question in found],
            "whose": seat if seat != self.seat else "",
            "over": self._turn_over(),
            "given": [self._told(own, given) for given in self.given],
            "undo": bool(self.given),
            "redo": bool(self.undone),
            "text": self.text(),
            "mail": self.mail(),
        }

    def _shown_seat(self) -> PlayerId:
        """The seat whose questions are shown: one's own, or else the first that is asked."""
        asked = [ask.player for ask in self.game.asked()]
        return self.seat if self.seat in asked else asked[0] if asked else PlayerId("")

    def _turn_over(self) -> bool:
        """True if nothing more is asked of the seat in this turn."""
        return bool(self.given) and not any(self._is_own(ask) for ask in self.game.asked())

    def _told(self, own: Words, given: Given) -> Json:
        game = self.start
        told = chapters_of(own, game.title, [given.events])
        clauses = [clause for chapter in told for paragraph in chapter.paragraphs for clause in paragraph.clauses]
        return {
            "actor": given.order.actor,
            "order": write(given.order, vocabulary(game.title)),
            "own": given.own,
            "told": clauses,
        }

    def text(self) -> str:
        """All orders that were given, as they can be edited and given anew."""
        names = vocabulary(self.start.title)
        lines: list[str] = []
        actor = ""
        for given in self.given:
            if given.order.actor != actor:
                actor = given.order.actor
                lines.append(f"{actor}:")
            lines.append(f"  {write(given.order, names)}")
        return "\n".join(lines)

    def mail(self) -> Json:
        """The text of the mail with the seat's own orders: ``lines``; the address and subject if they are known; and
        ``link``, which opens it in the mail program, "" if there is no address or too much text."""
        names = vocabulary(self.start.title)
        lines: list[str] = []
        run: list[o.Order] = []
        for given in [*(given for given in self.given if given.own), None]:
            if run and (given is None or given.order.actor != run[0].actor):
                lines += in_lines(f"{run[0].actor}: ", [write(order, names) for order in run])
                run = []
            if given is not None:
                run.append(given.order)
        link = Links(self.reply_to, self.subject or self.start.title.full_name).text(lines) if lines else ""
        return {"lines": lines, "to": self.reply_to, "subject": self.subject, "link": link}

    def tables(self) -> str:
        """Players, shares, companies and trains as HTML. Colours of companies are data, because the policy of the page
        allows no style in an element."""
        game = self.game.seen_by(self.seat)
        facts = position_facts(words("en"), game.title, game.state, self.seat or None)
        return _CHIP.sub(r'data-ground="\1" data-ink="\2"', words("en").page("desk_tables", **facts, links=None))

    # ---- the map

    def board(self) -> Json:
        """The map as SVG, with the best runs of the company that may run, and the shape of each hex on it for a layer
        of marks: ``{"svg", "box", "hexes"}``."""
        title, state = self.game.title, self.game.state
        lines = with_runs(self.game, self._runner())
        layers = with_places(svg.board_layers(title, state, since=self.start.state, runs=lines, legend=False))
        shape = corners(title.map.flat)
        hexes = {}
        for hex, found in title.map.hexes.items():
            x, y = centre(found.x, found.y, title.map.flat)
            hexes[hex] = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in shape)
        return {"svg": str(layers.svg()), "box": list(layers.box), "hexes": hexes}

    def chart(self) -> str:
        """The share price chart as SVG."""
        return str(svg.chart_svg(self.game.title, self.game.state, near=True))

    def lays(self, actor: str, hex: str) -> list[Json]:
        """The legal lays of ``actor`` in ``hex``: for each the order, its tile and turn, its cost, and its picture."""
        game, own, found = self.game, words("en"), []
        for choice in game.legal(CompanyId(actor)):
            order = choice.order
            if isinstance(order, o.Lay) and order.hex == hex:
                price = game.cost(order) or 0
                found.append({
                    "order": write(order, vocabulary(game.title)), "tile": str(order.tile), "turn": order.rotation,
                    "using": str(order.using or ""),
                    "cost": price, **self._tile(order),
                    "says": own.say("words", "desk.lay", title=game.title, cost=price, using=order.using),
                })  # fmt: skip
        return found

    def tokens(self, actor: str, hex: str) -> list[Json]:
        """The legal markers of ``actor`` in ``hex``, one for each city that can have it: the order and its note."""
        game, own = self.game, words("en")
        return [
            {"order": write(c.order, vocabulary(game.title)), "note": note(own, game.title, game.state, c)}
            for c in game.legal(CompanyId(actor))
            if isinstance(c.order, o.Token) and c.order.space.hex == hex
        ]

    def runs(self, ways: Ways | None = None) -> Json | None:
        """The runs of the company that may run now: those in ``ways``, or the best ones. None if there is none."""
        company = self._runner()
        if company is None:
            return None
        return run_view(words("en"), self.game, company, best_ways(self.game, company) if ways is None else ways)

    def _runner(self) -> CompanyId | None:
        seat = self._shown_seat()
        return runner(self.game, [ask.actor for ask in self.game.asked() if ask.player == seat])

    def at_value(self, actor: str, number: int, value: int) -> str:
        """The order number ``number`` in the menu of ``actor`` with ``value`` in the field that may be chosen."""
        return at_value(self.game, self.game.legal(PlayerId(actor)), number, value)

    def effect(self, text: str, actor: str = "") -> list[str]:
        """Sentences on what the orders in ``text`` would change: the best run, share prices, money. Nothing is
        given."""
        reading = read(
            text, vocabulary(self.game.title, self.game.state.players), default_actor=actor or self._default()
        )
        if reading.errors or not reading.orders:
            return []
        return effects_of(words("en"), self.game, self.seat, reading.orders)

    def _tile(self, order: o.Lay) -> Json:
        """The hex with the tile as SVG, and nothing else of the board; and its ``box`` on the map."""
        title, state = self.game.title, self.game.state
        laid = replace(state, board=state.board.lay(order.hex, order.tile, order.rotation))
        layers = svg.board_layers(title, laid, shown=(order.hex,), named=False)
        found = title.map.hexes[order.hex]
        x, y = centre(found.x, found.y, title.map.flat)
        across, down = (max(abs(point[axis]) for point in corners(title.map.flat)) for axis in (0, 1))
        box = (x - across, y - down, 2 * across, 2 * down)
        return {"svg": str(replace(layers, box=box).svg(96)), "box": list(box)}


def _drew(events: Sequence[Event]) -> bool:
    return any(isinstance(event, LotDrawn) for event in events)
