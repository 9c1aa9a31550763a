"""Advice on what a player wrote in vain: the legal orders that he may have meant, and no proposal that is none.

The reading of a line knows the notation and not the game. So each of its proposals is tried here, as if the player had
sent it: what the rules would refuse is not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final

from engine import Failure, Game, Refused
from engine.acts.act import Turn
from engine.acts.turns import Turns
from engine.core import orders as o
from engine.core.agenda import Choice
from grammar import OrderLine, Reading, Section, Unreadable, Vocabulary, Word, write, write_section
from grammar.builders.orders import ExitsError
from grammar.faults import read_piece
from grammar.lexer import lexemes, lexicon
from grammar.parser import StuckError, notation
from moderator.domain.advice.letter import orders_told
from moderator.domain.advice.likeness import FEW, Found, Likeness, likeness
from moderator.domain.advice.mending import mended
from moderator.domain.ahead.foresight import goes_beyond
from moderator.domain.asks import asks_of
from moderator.domain.block import play_block
from moderator.domain.fork import Fork
from moderator.domain.transcript import Note, Transcript, TranscriptLine

_ABOUT_ORDERS: Final = ("unexpected", "incomplete", "complete", "unknown")
"""Reasons of faults whose line is an attempt at one order."""
_IN_VAIN: Final = ("refused", "unreadable", "ambiguous")
_LINES: Final = 5
"""The maximum number of lines of a mail on which advice is given."""
_ATTEMPT: Final = 6
"""The maximum number of words of an attempt at one order, whose own words are mended first."""
_LONGEST: Final = 200
"""The number of characters of a line that may be a short message."""
_BLANK: Final = re.compile(
    r"\b(?:NUMBER|COMPANY|PRIVATE|PLAYER|TUNNEL|MOUNTAIN|CONCESSION|TRAIN|HEX|TILE|PANEL|POINT|TURN|DATE|ZONE|ADDRESS)\b"
)
"""A missing value in an order that is written out."""
_ANY: Final[Mapping[str, tuple[str, ...]]] = {"NUMBER": ("1", "25", "100")}
"""Values that are tried where the menu has none."""
_KEPT: Final = (o.Limit, o.Standing)
"""Orders that answer no question by themselves. They are shown with the names of their missing values."""
_SPELT: Final = 3
"""The fewest letters of a word whose spelling is corrected in a line that has other faults too."""
_COMPARED: Final = 100
"""The number of orders of the menu in which values are looked for."""
_OPTIONS: Final = 3
"""The number of values that are tried for each that is missing."""
_MOST_FILLED: Final = 12
"""The maximum number of ways in which a proposal with missing values is tried."""


def advised(fork: Fork, player: str, transcript: Transcript, names: Vocabulary) -> Transcript:
    """``transcript`` with advice for ``player`` on the first lines that could not be read or were refused. ``fork``
    stands where the first of them was tried. Where a lot was drawn on the way there is none, for it would tell him."""
    if goes_beyond(fork) or not any(line.verdict in _IN_VAIN for line in transcript.lines):
        return transcript
    adviser, moved = _Adviser(fork.game, player, names), bool(fork.moves)
    lines, likely, left = list[TranscriptLine](), tuple[str, ...](), _LINES
    for line in transcript.lines:
        if left and line.verdict in _IN_VAIN:
            line, found = adviser.line(line, first=left == _LINES, moved=moved)
            likely, left = likely or found, left - 1
        lines.append(line)
    if transcript.outcome == "unreadable":
        near = likely[0] if likely else ""
        whole = mended(lines, near, names, adviser.read, adviser.accepted, moved=moved)
        likely = tuple(dict.fromkeys(filter(None, (whole, *likely))))
    return replace(transcript, lines=tuple(lines), likely=likely)


def meant_by(
    game: Game, player: str, text: str, names: Vocabulary, *, message: bool = True, advised: bool = False
) -> tuple[tuple[Note, ...], tuple[str, ...]]:
    """The meaning of a text without orders: a note if, as a ``message``, it has all words of a single legal order, or
    if it is a letter that tells orders; and the legal answers that are like it. ``advised``: its lines are attempts at
    orders, and have got advice."""
    adviser = _Adviser(game, player, names)
    likely = tuple[str, ...]()
    told = orders_told(game, adviser.asks, text, names, adviser.accepted)
    if advised and not message and ";" not in told.orders and len(text.split()) <= _ATTEMPT:
        return (), ()
    for line in text.split("\n")[:_LINES] if message and ";" not in told.orders else ():
        found = adviser.likeness(line, prose=True) if len(line) <= _LONGEST else Likeness()
        if len(found.exact) == 1:
            order = adviser.sent(found.exact[0])
            return (("likely", {"order": order}),), (order,)
        likely = likely or adviser.shown(found)
    if not told.orders:
        return (), likely
    return (("letter", {"order": told.orders, "left": told.left}),), (told.orders,)


class _Adviser:
    def __init__(self, game: Game, player: str, names: Vocabulary) -> None:
        self.game, self.player, self.names = game, player, names
        self.asks = () if game.finished else tuple(ask for ask in asks_of(game, player) if not ask.sealed)

    # ---- one line

    def line(self, line: TranscriptLine, *, first: bool, moved: bool) -> tuple[TranscriptLine, tuple[str, ...]]:
        """``line`` with advice, and the legal answers like it that can be sent alone: none if orders that were tried
        before it would have to be sent with them. Only the ``first`` line stands in the position of the game."""
        fault = line.unreadable
        if fault is not None and fault.reason not in _ABOUT_ORDERS:
            return line, ()
        said, actor = (fault.said, fault.actor) if fault is not None else (line.canonical or "", "")
        like = self.likeness(said or line.text, actor=actor) if first else Likeness()
        failures = line.failures
        if fault is not None:
            proposed, fault = fault, self._fault(fault, like)
            if not (fault.nearest or fault.whole or like.exact or like.kin):
                failures = self._against(proposed)
        written = fault is not None and (fault.nearest or fault.whole)
        instead = () if written or not moved else tuple(self._written(one, actor) for one in _few(like))
        likely = () if moved else self.shown(like)
        return replace(line, unreadable=fault, instead=instead, failures=failures), likely

    def likeness(self, text: str, *, actor: str = "", prose: bool = False) -> Likeness:
        """The legal answers of the player that are like ``text``, those for ``actor`` if he is asked for it."""
        asks = [ask for ask in self.asks if ask.actor == actor] or self.asks
        return likeness(self.game, asks, text, self.names, prose=prose)

    def shown(self, like: Likeness) -> tuple[str, ...]:
        return tuple(map(self.sent, _few(like)))

    def sent(self, found: Found) -> str:
        """An answer as it can be sent, with its head where one is needed."""
        alone = len(self.asks) == 1 and found.ask.actor == self.player
        return write(found.order, self.names) if alone else write_section(found.ask.actor, [found.order], self.names)

    def _written(self, found: Found, actor: str) -> str:
        """An answer as it is written below the head of ``actor``, or below the only head that is possible."""
        headed = found.ask.actor == actor or (not actor and len(self.asks) == 1)
        return write(found.order, self.names) if headed else self.sent(found)

    # ---- proposals of the notation

    def _fault(self, fault: Unreadable, like: Likeness) -> Unreadable:
        """``fault`` without the proposals that are not legal, and with the orders that have all that it says."""
        if fault.nearest is not None:
            order = self.read(_corrected(fault), fault.actor)
            if order is not None and self._stands(order):
                return replace(fault, whole=())
            if order is not None or like.exact or len(fault.piece) < _SPELT:
                fault = replace(fault, nearest=None, misspelled=True)
        if 0 < len(like.exact) <= FEW:
            found = tuple(f"`{self._written(one, fault.actor)}`" for one in like.exact)
            return replace(fault, nearest=None, whole=found)
        open_ones = bool(like.exact or like.kin)
        whole = (self._proposal(one.strip("`"), fault.actor, complete=open_ones) for one in fault.whole)
        return replace(fault, whole=tuple(f"`{one}`" for one in whole if one))

    def _proposal(self, text: str, actor: str, *, complete: bool) -> str:
        """``text`` if it would be accepted, with its missing values if it answers a question; "" if it would not.
        ``complete``: an answer to a question must lack none, because others are shown that lack none."""
        for way in self._filled(text):
            order = self.read(way, actor)
            if order is None or not self._stands(order):
                continue
            if isinstance(order, (Word, *_KEPT)) or not self.asks:
                return text
            if way == text or not complete:
                return way
        return ""

    def _against(self, fault: Unreadable) -> tuple[Failure, ...]:
        """The reasons against the first proposal for ``fault`` that hold for all values that are tried; none if it
        would be accepted with one of them, or cannot be tried."""
        found = tuple[Failure, ...]()
        proposal = _corrected(fault) if fault.nearest else fault.whole[0].strip("`") if fault.whole else ""
        for number, way in enumerate(self._filled(proposal, self._any)):
            order = self.read(way, fault.actor)
            if order is None or isinstance(order, (Word, *_KEPT)):
                return ()
            result = self.game.check(order)
            if not isinstance(result, Refused):
                return ()
            checks = {failure.check for failure in result.failures}
            found = tuple(one for one in found if one.check in checks) if number else result.failures
        return found

    def _any(self, kind: str) -> tuple[str, ...]:
        """Values of a kind from the menu, or any of the game."""
        title = self.game.title
        every: Mapping[str, Collection[str]] = {"COMPANY": title.companies, "HEX": title.map.hexes}
        return self._options(kind) or tuple(every.get(kind, ()))[:_OPTIONS]

    def _filled(self, text: str, options: Callable[[str], tuple[str, ...]] | None = None) -> Iterator[str]:
        """``text`` with values in place of those that are missing, those of the menu unless ``options`` says others."""
        blanks = _BLANK.findall(text)
        if not blanks:
            yield text
            return
        for values in islice(product(*map(options or self._options, blanks)), _MOST_FILLED):
            left = iter(values)
            yield _BLANK.sub(lambda _, left=left: next(left), text)  # type: ignore[misc]

    def _options(self, kind: str) -> tuple[str, ...]:
        """Values of a kind that the orders of the menu have."""
        if kind == "PLAYER":
            return tuple(self.game.state.players)[:_OPTIONS]
        terms = [f"A_{kind}"]
        words, keywords = lexicon(self.names), notation(self.names.title).keywords
        found = dict[str, None]()
        orders = (order for ask in self.asks for choice in self.game.legal(ask.actor) for order in _ends(choice))
        for order in islice(orders, _COMPARED):
            for lexeme in lexemes(write(order, self.names), words, keywords):
                found |= {value: None for term, value in lexeme.meanings if term in terms}
            if len(found) >= _OPTIONS:
                break
        return tuple(found)[:_OPTIONS] or _ANY.get(kind, ())

    # ---- trials

    def read(self, text: str, actor: str) -> o.Order | Word | None:
        """``text`` as an order of ``actor``, or else of the first for whom the player is asked; None if it is none."""
        by = actor or (self.asks[0].actor if self.asks else self.player)
        try:
            return read_piece(text, self.names, by)
        except (StuckError, ExitsError):
            return None

    def _stands(self, order: o.Order | Word) -> bool:
        """True if the player may give ``order`` now or ahead, or later in the company's turn under way."""
        if isinstance(order, Word):
            return True
        if self.accepted((order,)):
            return True
        return any(self.accepted((*before, order)) for before in self._steps_before(order))

    def accepted(self, orders: Sequence[o.Order]) -> bool:
        lines = tuple(OrderLine(order, 1, 1, "") for order in orders)
        reading = Reading((), (Section(orders[0].actor, lines, 1),), ())
        return play_block(Fork(self.game), self.player, reading, "", partial=False).stands

    def _steps_before(self, order: o.Order) -> Iterator[tuple[o.Order, ...]]:
        """Steps of the company in turn before ``order``: run, then pay in one way or another."""
        step, turn = self.game.title.steps[type(self.game.state.top)], self.game.state.top
        if not isinstance(step, Turns) or not isinstance(turn, Turn) or turn.company != order.actor:
            return
        later = (place.act.takes for place in step.places if not step.is_past(turn, place.last))
        if not any(type(order) in takes for takes in later):
            return
        menu = [choice.order for choice in self.game.legal(turn.company)]
        run = next(((one,) for one in menu if isinstance(one, o.RunBest)), ())
        if run:
            yield run
        trial = self.game.fork()
        if not run or not isinstance(trial.submit(run[0]), Refused):
            paid = (one for choice in trial.legal(turn.company) for one in _ends(choice))
            yield from ((*run, one) for one in paid if isinstance(one, o.Pay | o.Dividend))


def _corrected(fault: Unreadable) -> str:
    """The line with the suggested word in the place of the wrong one."""
    said, nearest = fault.said, fault.nearest or ""
    return said.replace(fault.piece, nearest, 1) if fault.piece else f"{said} {nearest}"


def _few(like: Likeness) -> tuple[Found, ...]:
    return (like.exact or like.kin)[:FEW]


def _ends(choice: Choice) -> Iterator[o.Order]:
    yield from dict.fromkeys((choice.sample(0), choice.sample(-1)))
