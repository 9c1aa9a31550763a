"""Read a whole text of orders into sections, words for the moderator, press, and faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.core.orders import Order
from grammar.builders.orders import ExitsError
from grammar.builders.words import Word
from grammar.faults import AN_ORDER, Kind, Unreadable, any_of, explain, read_piece, reads, written_out
from grammar.lexer import lexicon, takes_rest
from grammar.nearest import LONG, nearest
from grammar.normalise import key, normalise, one_break
from grammar.parser import StuckError, notation
from grammar.pieces import LONGEST_PIECE, Piece, bare, cut, joined
from grammar.press import Taken, take_press
from grammar.prose.foreign_words import MEANT
from grammar.prose.phrases import AS_IN_REPORTS
from grammar.prose.wordings import in_sentence, leaves_out, understand, understood, verb_of
from grammar.result import LONGEST_TEXT, OrderLine, Reading, Section, Skipped
from grammar.undo_reason import take_reasons
from grammar.vocabulary import Vocabulary

_EXPLAINED: Final = 50
"""The maximum number of faults of one text that get a suggestion; a text with more faults is not a text of orders."""
_WRITTEN_OUT: Final = 10
"""The maximum number of faults of one text that are shown the whole order."""
_COMMA: Final = re.compile(r",(?: *and(?= ))?(?: *then(?= ))?| then(?= )", re.IGNORECASE)
"""A mark that parts two orders even if the second cannot be read."""
_BETWEEN: Final = re.compile(rf"{_COMMA.pattern}| and(?: then)?(?= )|[.!](?= )", re.IGNORECASE)
"""The mark between two orders of one piece: a comma, `and`, `then`, or several, or the end of a sentence."""
_HASTY: Final = r"(?:,| and| then)* (?=(?:buy|sell|run|pay|done)\b)"
_BEFORE: Final = re.compile(_HASTY, re.IGNORECASE)
"""A place before a word with which an order begins, where a hasty writer left the mark out."""
_EITHER: Final = re.compile(rf"{_HASTY}|{_BETWEEN.pattern}", re.IGNORECASE)
_BOUND: Final = re.compile(r"\b(?:each turn|until|till?|unless|if|when|while|once)\b", re.IGNORECASE)
_THEN: Final = re.compile(r"\bthen\b", re.IGNORECASE)
_LABEL: Final = re.compile(r"((?:auto[- ]?bid|max(?:imum)?(?: bid)?) ?):", re.IGNORECASE)
"""Words of other programs with a colon that begins no section. They are as long without it."""
_DEALS: Final = ("agree", "refuse", "offer")
"""Words before the text of an order that is part of their own."""
_FIRST: Final = re.compile(r"[^\s,]+")
"""The first word of an order; in a list of orders a comma may follow it."""
_LINES: Final = 5
"""The maximum number of earlier lines that are tried together with a line as one order."""


def read(
    text: str, vocabulary: Vocabulary, *, default_actor: str | None = None, may_act: Sequence[str] = (),
    longest: int = LONGEST_TEXT,
) -> Reading:  # fmt: skip
    """Read the orders in ``text``. Orders before the first head belong to ``default_actor``; if it is None they are
    ambiguous, and the fault names those who ``may_act``.

    A piece that cannot be read is reported in ``errors`` and does not affect the others. Lines and columns count from 1
    in the normalised text, which has the same lines as ``text``. A text of more than ``longest`` characters, as written
    or as normalised, is not read at all.
    """
    if len(text) > longest:
        return _too_long(longest)
    taken = take_press(one_break(text), vocabulary)
    plain, reasons = take_reasons(taken.rest)
    rest = normalise(plain)
    if len(rest) > longest:
        return _too_long(longest)
    reader = _Reader(vocabulary, default_actor, taken, tuple(may_act), reasons)
    for piece in cut(rest):
        reader.take(piece)
    return reader.result()


def _too_long(longest: int) -> Reading:
    return Reading((), (), (Unreadable(1, 1, "", (f"at most {longest} characters",), None, reason="long"),))


def _waits(said: str) -> bool:
    """True if a part of ``said`` may have to wait for another: `pass until Bob acts, then buy NW`."""
    bound = _BOUND.search(said)
    return bound is not None and (said.casefold().startswith("each ") or _THEN.search(said, bound.end()) is not None)


@dataclass(slots=True)
class _Open:
    """A section that is being read. ``actor`` is None if no actor is known."""

    actor: str | None
    line: int
    orders: list[OrderLine] = field(default_factory=list)
    headed: bool = True
    alone: Piece | None = None
    """The company's name, without a colon, that stood alone on its line."""


@dataclass(slots=True)
class _Said:
    """A piece of the current section and its result. ``at``: the index of its order in the section if ``readable``, or
    of its fault in ``errors``."""

    piece: Piece
    readable: bool
    at: int


class _Reader:
    def __init__(
        self, vocabulary: Vocabulary, default_actor: str | None, taken: Taken, may_act: tuple[str, ...],
        reasons: dict[int, str],
    ) -> None:  # fmt: skip
        self.vocabulary, self.may_act, self.reasons = vocabulary, may_act, reasons
        self.actors = lexicon(vocabulary).actors
        self.own = {default_actor, *may_act} & {*vocabulary.players}
        self.words: list[Word] = []
        self.press = tuple(taken.press)
        self.errors: list[Unreadable] = [*taken.errors]
        self.sections = [_Open(default_actor, 1, headed=False)]
        self.asked_who = False
        self.left_out: list[Piece] = []
        """Pieces that say that a step is left out."""
        self.lately: list[_Said] = []
        """Pieces of the lines just before, which the next piece may continue."""
        self.before = ""
        """The order just before, with what was meant to belong to it. It is empty after a head or a word."""

    @property
    def section(self) -> _Open:
        return self.sections[-1]

    def result(self) -> Reading:
        names = [s.alone for s in self.sections if s.alone is not None and not s.orders]
        self.errors.extend(self._colon(name, name.text) for name in names)
        sections = [s for s in self.sections if s.orders or (s.headed and s.alone is None)]
        skipped = [Skipped(o.line, o.column, o.text) for s in sections if s.actor is None for o in s.orders]
        closed = tuple(Section(s.actor, tuple(s.orders), s.line) for s in sections if s.actor is not None)
        if not any(section.orders for section in self.sections):  # then it may be meant as an order
            self.errors.extend(Unreadable(*piece.place(0), piece.text, (AN_ORDER,), None) for piece in self.left_out)
        errors = sorted(self.errors, key=lambda error: (error.line, error.column))
        return Reading(tuple(self.words), closed, tuple(errors), tuple(skipped), self.press)

    def take(self, piece: Piece) -> None:
        """Read one piece: a head, an order, or both."""
        if len(piece.text) > LONGEST_PIECE:
            self._fault(piece, "", (f"at most {LONGEST_PIECE} characters in one order",), reason="long")
            return
        if piece.text.startswith((">", "|")):
            rest = piece.text.lstrip(">| ")
            self._fault(piece, piece.text[0], (AN_ORDER,), rest or None, reason="quoted")
            return
        piece = self._without_marks(piece)
        piece = replace(piece, text=_LABEL.sub(r"\1 ", piece.text))
        head, colon, rest = piece.text.partition(":")
        if not colon or takes_rest(piece.text):
            self._orders(piece)
        elif self._head(piece, head) and rest.strip():
            self._orders(piece.part(len(head) + 1, len(piece.text)))

    def _without_marks(self, piece: Piece) -> Piece:
        """The piece without list marks and the like, if the remainder begins an order or is a head."""
        said = bare(piece.text)
        if said in ("", piece.text) or not (self._begins_order(said) or self._actor(said.partition(":")[0])):
            return piece
        start = piece.text.index(said)
        return piece.part(start, start + len(said))

    def _begins_order(self, said: str) -> bool:
        first = _FIRST.match(said)
        known = first is not None and verb_of(first[0]) in notation(self.vocabulary.title).keywords
        return known or self._readable(_BETWEEN.split(said, maxsplit=1)[0])

    def _mistyped(self, said: str) -> bool:
        """True if ``said`` begins with a mistyped word of orders: `divident 75`."""
        word = said.partition(" ")[0]
        keywords = notation(self.vocabulary.title).keywords
        known = {one: one for one in keywords if len(one) >= LONG}
        return len(word) >= LONG and self._suggesting and nearest(word, known, lambda _: False) is not None

    def _readable(self, said: str) -> bool:
        """True if ``said`` is an order, or leaves a step out."""
        return understood(said, self.vocabulary) or leaves_out(said, self.vocabulary)

    # ---- heads

    def _head(self, piece: Piece, said: str) -> bool:
        """Begin a section for ``said``, the text before a colon. False if ``said`` is not a head but the beginning of
        an order; the colon is then reported as a fault."""
        actor = self._actor(said)
        first = said.split(maxsplit=1)[0].casefold() if said.strip() else ""
        if actor is None and first in notation(self.vocabulary.title).keywords and first != "as":
            line, column = piece.place(len(said))
            fault = Unreadable(line, column, ":", ("the order without it",), None, reason="colon")
            self.errors.append(fault)
            self.lately = []
            return False
        self.sections.append(_Open(actor, piece.line))
        self.lately, self.before = [], ""
        if actor is None:
            bare = said.strip()
            name = key(bare).removeprefix("as ")
            near = nearest(name, self.actors, lambda _: False) if self._suggesting else None
            self._fault(piece, bare, (self._who(),), near, reason="head")
        return True

    def _actor(self, said: str) -> str | None:
        name = key(said)
        return self.actors.get(name) or self.actors.get(name.removeprefix("as "))

    def _who(self) -> str:
        return any_of([*self.vocabulary.players, "a company"])

    # ---- orders

    def _orders(self, piece: Piece) -> None:
        """Read one order, or several with commas or `and` between them."""
        for part in self._parted(piece) or (piece,):
            self._order(part)

    def _parted(self, piece: Piece) -> tuple[Piece, ...]:
        """Split a piece such as `run best, done` into its orders; marks other than commas part them if each can be
        read. Empty if it is a single order, or if the first part cannot be read."""
        if understood(piece.text, self.vocabulary) or _waits(piece.text):
            return ()
        hasty = () if piece.text.casefold().startswith(_DEALS) else (_BEFORE, _EITHER)
        ways = (self._cut(piece, mark) for mark in (_BETWEEN, *hasty) if mark.search(piece.text))
        parts = next((way for way in ways if all(self._readable(one.text) for one in way)), self._cut(piece, _COMMA))
        if len(parts) < 2 or not self._readable(parts[0].text):
            return ()
        last = len(parts) - 1
        return tuple(replace(p, opens=p.opens and n == 0, closes=p.closes and n == last) for n, p in enumerate(parts))

    def _cut(self, piece: Piece, mark: re.Pattern[str]) -> list[Piece]:
        """The parts of a piece, cut at each ``mark`` with the beginning of an order behind it."""
        found = [(at, piece.text[at.end() :].strip()) for at in mark.finditer(piece.text)]
        marks = [at for at, rest in found if self._begins_order(rest) or (mark is _COMMA and self._mistyped(rest))]
        starts, ends = [0, *(at.end() for at in marks)], [*(at.start() for at in marks), len(piece.text)]
        spans = list[tuple[int, int]]()
        for start, end in zip(starts, ends, strict=True):
            whole = bool(spans) and understood(piece.text[spans[-1][0] : end].strip(), self.vocabulary)
            # `max bid 95, then drop` is a limit: it drops nothing now
            spans.append((spans.pop()[0] if whole else start, end))
        return [piece.part(*span) for span in spans]

    def _order(self, piece: Piece) -> None:
        if not self._adjoins(piece):
            self.lately = []
        elif not self.lately[-1].readable and self._wrapped(piece):
            return  # `pay` and, below it, `half`, which alone is an order too
        try:
            result = understand(piece.text, self.vocabulary, self.section.actor or "")
        except (StuckError, ExitsError) as fault:
            if leaves_out(piece.text, self.vocabulary):
                self.left_out.append(piece)
                self.lately = []
            elif not self._wrapped(piece) and not self._listed(piece) and not self._headed(piece):
                self.errors.append(self._explained(piece, fault))
                self._remember(piece, readable=False, at=len(self.errors) - 1)
                self.before = ""
            return
        self.before = "" if isinstance(result, Word) else piece.text
        if isinstance(result, Word):
            self._word(piece, result)
        else:
            self._keep(piece, result)

    def _headed(self, piece: Piece) -> bool:
        """True if ``piece`` is a company's name, alone or, without a colon between them, with an order that it can
        stand before. It is then read as a head, and its order. A name that is a word of the notation too is taken for a
        head only in a sentence (`NO lays ...`). So is the name of the writer (`Ann sells ...`), and that of another
        player never: a letter may speak of him."""
        if self.section.headed and self.section.actor is None:
            return False  # below a head that is nobody: `Cat agreed: O-K buys ...` in a report
        name, _, said = piece.text.partition(" ")
        verb = said.split(maxsplit=1)[0] if said.strip() else ""
        known = name.casefold() in notation(self.vocabulary.title).keywords or name.casefold() in MEANT
        actor = self._actor(name)
        known = known or actor in self.own
        if (known and not in_sentence(verb)) or verb.casefold() in AS_IN_REPORTS:
            return False
        if actor is None or actor not in {*self.vocabulary.companies, *self.own}:
            return False
        if not verb:
            self._head(piece, name)
            self.section.alone = piece
            return True
        order = piece.part(len(name), len(piece.text))
        first = next(iter(self._parted(order)), order)
        try:
            if not leaves_out(first.text, self.vocabulary) and isinstance(
                understand(first.text, self.vocabulary, actor), Word
            ):
                return False
        except (StuckError, ExitsError):
            return False
        self._head(piece, name)
        self._orders(order)
        return True

    def _keep(self, piece: Piece, order: Order) -> None:
        if self.section.actor is None and not self.section.headed and not self.asked_who:
            self.asked_who = True
            who = any_of([f"`{actor}:`" for actor in self.may_act]) if self.may_act else f"{self._who()}, and a colon"
            self._fault(piece, piece.text, (f"before it {who}",), kind="ambiguous", reason="who")
        self.section.orders.append(OrderLine(order, *piece.place(0), piece.text))
        self._remember(piece, readable=True, at=len(self.section.orders) - 1)

    def _word(self, piece: Piece, word: Word) -> None:
        self.lately = []
        if any(section.headed or section.orders for section in self.sections):
            self._fault(piece, piece.text, ("this on a line of its own before the orders",), reason="late")
        else:
            if word.kind == "undo" and piece.line in self.reasons:
                word = replace(word, argument=f"{word.argument or ''}: {self.reasons[piece.line]}")
            self.words.append(replace(word, line=piece.line))

    def _explained(self, piece: Piece, fault: StuckError | ExitsError) -> Unreadable:
        """Describe why ``piece`` cannot be read. A name in place of an order may be a head without its colon."""
        if isinstance(fault, StuckError) and not fault.before and piece.text.casefold() not in MEANT:
            for said in (piece.text, " ".join(piece.text.split()[:2]), piece.text.split()[0]):
                if self._actor(said) is not None:
                    return self._colon(piece, said)
        found = explain(piece, fault, self.vocabulary, suggest=self._suggesting)
        found = replace(found, said=piece.text, actor=self.section.actor or "")
        return written_out(piece, found, self.vocabulary) if len(self.errors) < _WRITTEN_OUT else found

    @staticmethod
    def _colon(piece: Piece, name: str) -> Unreadable:
        return Unreadable(*piece.place(0), name, (AN_ORDER,), f"{name}:", reason="colon")

    def _fault(
        self, piece: Piece, wrong: str, wanted: tuple[str, ...], near: str | None = None, *,
        kind: Kind = "unreadable", reason: str,
    ) -> None:  # fmt: skip
        line, column = piece.place(0)
        self.errors.append(Unreadable(line, column, wrong, wanted, near, kind, reason))
        if kind == "unreadable":
            self.lately = []

    @property
    def _suggesting(self) -> bool:
        return len(self.errors) < _EXPLAINED

    def _listed(self, piece: Piece) -> bool:
        """True if ``piece`` and the order before it are one order that was parted, by a semicolon or a new line where a
        comma is meant. The fault shows that order."""
        if not self.before or not self._suggesting or len(self.before) + len(piece.text) > LONGEST_PIECE:
            return False
        for mark in (",", ""):
            whole = f"{self.before}{mark} {piece.text}"
            if reads(whole, self.vocabulary):
                line, column = piece.place(0)
                wanted, shown = (AN_ORDER,), (f"`{whole}`",)
                self.errors.append(Unreadable(line, column, piece.text, wanted, None, reason="parted", whole=shown))
                self.before = whole
                self.lately = []
                return True
        return False

    # ---- orders broken over lines

    def _adjoins(self, piece: Piece) -> bool:
        """True if the piece begins the line after that of the last piece, and so may continue it."""
        before = self.lately[-1].piece if self.lately else None
        return before is not None and piece.opens and before.closes and before.last_line == piece.line - 1

    def _remember(self, piece: Piece, *, readable: bool, at: int) -> None:
        if not (piece.opens and self.lately):
            self.lately = []
        self.lately = [*self.lately[-_LINES + 1 :], _Said(piece, readable, at)]

    def _wrapped(self, piece: Piece) -> bool:
        """True if ``piece`` continues the order on the lines before it, so that a wrapped order is never read as a
        shorter one with a remainder. If semicolons part it from other orders on its lines, a mail program has broken
        the line, and the whole is read. Otherwise a single fault replaces all these lines."""
        if not self._suggesting:
            return False
        for first in range(len(self.lately) - 1, -1, -1):
            said = self.lately[first:]
            whole = joined((*(s.piece for s in said), piece))
            try:
                order = read_piece(whole.text, self.vocabulary, self.section.actor or "")
            except (StuckError, ExitsError):
                if said[0].readable:
                    return False
                continue
            if said[0].readable:
                del self.section.orders[said[0].at]
            gone = {s.at for s in said if not s.readable}
            self.errors = [error for n, error in enumerate(self.errors) if n not in gone]
            if not isinstance(order, Word) and not (said[0].piece.opens and piece.closes):
                self._keep(whole, order)
                return True
            line, column = piece.place(0)
            wanted = (f"the whole order on one line, not on lines {said[0].piece.line} to {piece.last_line}",)
            self.errors.append(Unreadable(line, column, piece.text, wanted, whole.text, reason="wrapped"))
            self.lately = []
            return True
        return False
