"""Explain a piece that cannot be read: its place, the expected words, and a suggestion.

A suggestion is never applied. One is made only if a single word is nearest, or if only one of the nearest words makes
the whole order readable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.core.orders import Order
from grammar.builders.orders import ExitsError
from grammar.builders.words import Word
from grammar.forms import SYNONYMS, whole_orders
from grammar.lexer import lexicon
from grammar.nearest import nearest, number_like, parted
from grammar.normalise import key
from grammar.parser import StuckError, notation, parse
from grammar.pieces import Piece
from grammar.prose.foreign_words import MEANT
from grammar.vocabulary import Vocabulary

Kind = Literal["unreadable", "ambiguous"]

END: Final = "the end of the order"
_SHORT: Final = 10
"""The number of letters of the longest word that may be two with the space left out."""
AN_ORDER: Final = "an order such as `bid`, `lay` or `done`"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A fault in the text: a piece that cannot be read. ``line`` and ``column`` count from 1 in the normalised text.
    ``piece`` is the smallest part that is wrong; empty if the order ends too early. ``expected`` describes in words
    what could stand there. ``nearest`` is the suggested replacement for ``piece``; None if there is none.

    ``whole`` has the nearest orders, as they are written; a missing value is named in capitals.

    ``reason`` is a key: ``unexpected`` (a word that cannot stand there), ``incomplete`` (the order ends too early),
    ``unknown`` (no such order), ``complete`` (more follows an order that is complete), ``wrapped`` (one order on
    several lines), ``parted`` (it belongs to the order before it), ``exits`` (no rotation of the tile fits), ``turns``
    (several rotations fit), ``thousands`` (an amount with a separator), ``quoted`` (a line that begins with ``>`` or
    ``|``), ``colon`` (a head without a colon, or a colon in an order), ``head`` (no actor of that name), ``who`` (no
    actor is named), ``late`` (a word for the moderator after an order), ``long`` (too long to be read), ``press`` (a
    recipient who is not a player), ``press_end`` (press without its end), ``press_wrapped`` (a line of press that may
    continue on the next one)."""

    line: int
    column: int
    piece: str
    expected: tuple[str, ...]
    nearest: str | None
    kind: Kind = "unreadable"
    reason: str = "unexpected"
    whole: tuple[str, ...] = ()
    said: str = field(default="", compare=False)
    """The whole order as it was written, if it is one of several words that could not be read."""
    actor: str = field(default="", compare=False)
    """The actor of its section; "" if it has none."""
    misspelled: bool = field(default=False, compare=False)
    """True if the piece is nearly a word of the notation, although ``nearest`` no longer suggests that."""


def read_piece(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word:
    """``parse``, ignoring a full stop at the end, which phone keyboards add."""
    return parse(text.rstrip(". "), vocabulary, actor)


def reads(text: str, vocabulary: Vocabulary) -> bool:
    """True if ``text`` can be read as an order or a word for the moderator."""
    try:
        read_piece(text, vocabulary, "")
    except (StuckError, ExitsError):
        return False
    return True


def explain(
    piece: Piece, fault: StuckError | ExitsError, vocabulary: Vocabulary, *, suggest: bool = True
) -> Unreadable:
    """Describe why ``piece`` cannot be read. ``suggest``: also search for a suggestion."""
    if isinstance(fault, ExitsError):
        return _exits(piece, fault, vocabulary)
    if fault.lexeme is None:
        line, column = piece.place(len(piece.text.rstrip(". ")))
        return Unreadable(line, column, "", expected(fault.accepts, vocabulary), None, reason="incomplete")
    start, end, reason = fault.lexeme.start, fault.lexeme.end, "unexpected"
    if not fault.before:
        reason = "unknown"
    elif fault.accepts == {"$END"}:
        reason = "complete"
    if (
        not fault.accepts & {"A_HEX", "_DASH"}
        and fault.accepts != {"A_POINT"}
        and fault.lexeme.start == fault.lexeme.whole[0]
    ):
        end = fault.lexeme.whole[1]  # the whole hyphenated name says more than half of it
    separated = _separated(piece.text, fault)
    if separated is not None:
        start, end, reason = (*separated, "thousands")
    line, column = piece.place(start)
    wrong = piece.text[start:end]
    wanted = expected(fault.accepts, vocabulary) if fault.before else (AN_ORDER,)
    if reason == "thousands":
        plain = "".join(c for c in wrong if c.isdigit())
        return Unreadable(line, column, wrong, ("a number without separators",), plain, reason=reason)
    near = _nearest(piece.text, start, end, fault, vocabulary) if suggest else None
    return Unreadable(line, column, wrong, wanted, near, reason=reason)


def written_out(piece: Piece, fault: Unreadable, vocabulary: Vocabulary) -> Unreadable:
    """``fault`` of ``piece`` with the whole order as it should be, unless the suggestion leads to it. What follows a
    complete order is shown only if it is another one."""
    said, _, rest = piece.text.partition(fault.piece) if fault.piece else (piece.text, "", "")
    if fault.reason not in _WRITTEN_OUT or (fault.nearest and reads(said + fault.nearest + rest, vocabulary)):
        return fault
    words = piece.text.casefold().split()
    if words[:1] == ["take"] and "back" in words:  # orders given ahead, not shares
        return replace(fault, nearest=None, whole=("`withdraw`",))
    whole = whole_orders(piece.text.rstrip(". "), vocabulary)
    if fault.reason == "complete":
        whole = tuple(one for one in whole if ";" in one)
    if fault.reason == "unexpected":  # `pass` is not what `pass until somebody buys` means
        whole = tuple(one for one in whole if not said.casefold().startswith(one.casefold() + " "))
    return replace(fault, whole=tuple(f"`{one}`" for one in whole))


_WRITTEN_OUT: Final = ("unexpected", "incomplete", "complete")


def _nearest(text: str, start: int, end: int, fault: StuckError, vocabulary: Vocabulary) -> str | None:
    """The suggested replacement for ``text[start:end]``; None if there is none."""

    def fits(word: str) -> bool:
        return reads(text[:start] + word + text[end:], vocabulary)

    word = key(text[start:end])
    words = notation(vocabulary.title).words
    keywords = {words[terminal] for terminal in fault.accepts if terminal in words}
    names = dict(zip(keywords, keywords, strict=True))
    for name, meanings in lexicon(vocabulary).names.items():
        for kind, printed in meanings:
            if kind in fault.accepts:
                names[name] = printed
            elif kind == "A_CONCESSION" and "A_PRIVATE" in fault.accepts:
                names[name] = printed  # the word `concession` was left out
    if "A_PLAYER" in fault.accepts:
        names |= lexicon(vocabulary).players
    if not fault.before and (meant := [one for one in MEANT.get(word, ()) if one in keywords]):
        return next(filter(fits, meant), meant[0])
    if "A_HEX" in fault.accepts and (hex := _hex_of(text[start:], vocabulary)) is not None:
        return hex
    apart = parted(word, keywords)
    if apart is not None and fits(apart):
        return apart
    if (named := vocabulary.called.get(word.casefold())) is not None and fits(named):
        return named
    halves = [one for one in _halves(text[start:end]) if fits(one)]
    if len(halves) == 1:
        return halves[0]
    found = (number_like(word) if "A_NUMBER" in fault.accepts else None) or nearest(word, names, fits)
    if found is None and "_DASH" in fault.accepts and fits(f"-{word}"):
        found = f"-{text[start:end]}"
    if found is None and len(fault.accepts) == 1 and keywords and fits(only := min(keywords)):
        found = only  # nothing else can stand there
    return found


def _hex_of(text: str, vocabulary: Vocabulary) -> str | None:
    """The hex whose printed name ``text`` begins with; None if there is none."""
    said = key(text)
    found = [name for name in vocabulary.places if re.match(rf"{re.escape(key(name))}\b", said)]
    return vocabulary.places[max(found, key=len)] if found else None


def _halves(word: str) -> Iterator[str]:
    """``word`` with a space put before each letter or figure of the other kind: ``8 K9`` for ``8K9``."""
    if len(word) <= _SHORT:
        yield from (f"{word[:n]} {word[n:]}" for n in range(1, len(word)) if word[n - 1].isdigit() != word[n].isdigit())


def _exits(piece: Piece, fault: ExitsError, vocabulary: Vocabulary) -> Unreadable:
    first, last = fault.tokens[0], fault.tokens[-1]
    start, end = first.start_pos or 0, last.end_pos or 0
    names = vocabulary.edges
    if fault.turns:
        wanted = tuple(f"the turn `{turn}`" for turn in fault.turns)
    else:
        listed = sorted(vocabulary.tiles[fault.tile])
        turned = [sorted((edge + turn) % len(names) for edge in listed) for turn in range(len(names))]
        shown = dict.fromkeys(",".join(names[edge] for edge in edges) for edges in turned)
        wanted = tuple(f"`{exits}`" if exits else "a tile with track" for exits in shown)
    line, column = piece.place(start)
    kind: Kind = "ambiguous" if fault.turns else "unreadable"
    reason = "turns" if fault.turns else "exits"
    return Unreadable(line, column, piece.text[start:end], wanted, None, kind, reason)


def _separated(text: str, fault: StuckError) -> tuple[int, int] | None:
    """The span of an amount such as ``1,000`` or ``1.000``, if its separator caused the fault; None otherwise."""
    assert fault.lexeme is not None
    word, before = fault.lexeme, fault.before[-1] if fault.before else None
    if "A_NUMBER" in fault.accepts and len(word.text) > 4 and word.text.replace(".", "").replace("'", "").isdigit():
        groups = word.text.replace("'", ".").split(".")
        return (word.start, word.end) if len(groups) > 1 and all(len(g) == 3 for g in groups[1:]) else None
    after = text[word.end : word.end + 4]
    if word.text == "," and before is not None and before.end == word.start and before.text.isdigit():
        digits = after[:3].isdigit() and len(after) >= 3 and not after[3:].isalnum()
        return (before.start, word.end + 3) if digits else None
    return None


# ---- what was expected -----------------------------------------------------------------------------------------------


def expected(accepts: Iterable[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """The terminals in ``accepts``, described in words: names and amounts first, then the keywords as one entry."""
    open_to = set(accepts)
    said = [said for terminal, said in _names(vocabulary).items() if terminal in open_to]
    words = sorted(word for terminal, word in notation(vocabulary.title).words.items() if terminal in open_to)
    shown = [f"`{word}`" for word in words if word not in SYNONYMS]
    if "_DASH" in open_to and "A_POINT" not in open_to:
        said.append("`-` and the next hex")
    if "_SLASH" in open_to:
        said.append("`/` and an exit or a company")
    if "_COMMA" in open_to:
        said.append("a comma")
    if "_RIGHT" in open_to:
        said.append("`)`")
    if shown:
        said.append(any_of(shown))
    if "$END" in open_to:
        said.append(END)
    return tuple(said)


def any_of(items: list[str]) -> str:
    """Join ``items`` as ``a, b or c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def _names(vocabulary: Vocabulary) -> dict[str, str]:
    companies: dict[str, str] = {}
    for company in vocabulary.companies:
        companies.setdefault(vocabulary.kinds.get(company, ""), company)
    points = any_of([f"`{point}`" for point in vocabulary.edges])
    concession = f"a concession such as {_middle(vocabulary.concessions)}"
    private = f"the name of a private company such as {_middle(vocabulary.privates)}"
    return {
        "A_HEX": f"a hex such as {_middle(vocabulary.hexes)}",
        "A_TILE": f"the number of a tile such as {_middle(vocabulary.tiles)}",
        "A_TRAIN": f"a train ({any_of(list(vocabulary.trains) or ['?'])})",
        "A_NUMBER": "a number such as 25",
        "A_TURN": f"a turn from 0 to {len(vocabulary.edges) - 1}",
        "A_POINT": f"a compass point ({points})",
        "A_COMPANY": f"the name of a company such as {any_of(list(companies.values()) or ['?'])}",
        "A_MOUNTAIN": f"a mountain railway such as {_middle(vocabulary.mountains)}",
        "A_TUNNEL": f"a tunnel certificate such as {_middle(vocabulary.tunnels)}",
        "A_PANEL": f"a panel ({any_of([f'`{vocabulary.incomes(panel)}`' for panel in vocabulary.panels] or ['?'])})",
        "A_PRIVATE": concession if vocabulary.concessions else private,
        "A_CONCESSION": concession,
        "A_PLAYER": f"a player ({any_of(list(vocabulary.players) or ['?'])})",
        "A_POOL": f"`{vocabulary.pool[0]}`",
        "A_ADDRESS": "an address such as me@example.org",
        "A_DATE": "a date such as 2026-12-20",
        "A_ZONE": "a time zone such as Europe/Zurich",
    }


def _middle(names: Iterable[str]) -> str:
    """One name as an example, the same in every process: the middle one by length. ``?`` if there are no names."""
    known = sorted(names, key=lambda name: (len(name), name))
    return known[len(known) // 2] if known else "?"
