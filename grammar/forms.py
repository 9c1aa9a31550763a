"""Whole orders for a piece that is incomplete or has a word too many: the forms of the notation that are nearest to it,
filled with the values that it gives. A value that is missing is shown by its kind in capitals: `sell NUMBER NW`.

The forms are taken from the grammar of the title, so that every order of every title has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from lark import Lark
from lark.grammar import Rule

from grammar.lexer import Lexeme, lexemes, lexicon
from grammar.parser import notation
from grammar.vocabulary import Vocabulary

Form = tuple[str, ...]
"""The terminals of one form of an order."""

_MARKS: Final[Mapping[str, str]] = {
    "_COMMA": ",", "_SLASH": "/", "_HASH": "#", "_DASH": "-", "_PLUS": "+", "_LEFT": "(", "_RIGHT": ")",
}  # fmt: skip
SYNONYMS: Final = frozenset(
    {"withhold", "exit", "merge", "and", "tile", "bank", "certificate", "doubles", "io", "president", "presidency"}
    | {"anyone", "somebody", "someone", "below", "above", "kept", "ahead"}
)
"""Keywords that are accepted but not shown in error messages."""
_LEFT_OUT_OF_FORMS: Final = frozenset({"until", "unless", "_or_lot", "_after_lays", "_one"})
"""Rules that are not written out. Some have so many forms that they would help nobody: conditions, lists of lots or
lays. The number of a purchase says nothing: it is always one."""
_MOST_FORMS: Final = 2_000
"""The number of forms of one opening word that are compared; the longest list of the titles here has 700."""
_MOST_WORDS: Final = 12
"""A piece with more words is no slip in a short order, and has no nearest form."""
_MOST_SHOWN: Final = 4
"""If more forms are equally near, none is shown."""
_WORD_ADDED, _VALUE_ADDED, _MARK_ADDED, _UNKNOWN_READ, _OTHER_READ = 2, 3, 7, 3, 6
_WORD_LEFT_OUT, _NUMBER_LEFT_OUT, _NAME_LEFT_OUT, _MARK_LEFT_OUT = 4, 8, 11, 20
"""The distance that a difference makes: a keyword, a value, or a mark such as `-` that is added; a word of no meaning,
or a value of another kind, in the place of a value; a word, a number, another value, or a mark that is left out."""
_MOST_DISTANCE: Final = 12
_JOINED: Final = re.compile(r"\s+(?:and(?: then)?|then|&|\+)\s+", re.IGNORECASE)


def whole_orders(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The orders nearest to ``text``, written out; several if they differ only in a choice of words. Empty if ``text``
    does not begin as an order, or is like none. Several orders that `and` joins are one such text."""
    parts = [part for part in _JOINED.split(text) if part.strip()]
    if len(parts) > 1 and all(_opens(part, vocabulary) for part in parts):
        written = [_nearest(part, vocabulary)[:1] for part in parts]
        return ("; ".join(one[0] for one in written),) if all(written) else ()
    return _nearest(text, vocabulary)


def _opens(text: str, vocabulary: Vocabulary) -> bool:
    grammar = notation(vocabulary.title)
    return grammar.keywords.get(text.split(maxsplit=1)[0].casefold()) in grammar.opening


def _nearest(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    grammar = notation(vocabulary.title)
    line = lexemes(text, lexicon(vocabulary), grammar.keywords)
    if not line or len(line) > _MOST_WORDS:
        return ()
    opening = next((kind for kind, _ in line[0].meanings if kind in grammar.opening), None)
    if opening is None:
        return ()
    best, found = _MOST_DISTANCE, dict[tuple[str, ...], str]()
    for form in forms(vocabulary.title, opening):
        if abs(len(form) - len(line)) * min(_WORD_ADDED, _WORD_LEFT_OUT) > best:
            continue
        distance, parts = _aligned(line, form, grammar.words)
        if distance > best:
            continue
        if distance < best:
            best, found = distance, {}
        skeleton = tuple(
            word or ("?" if kind.startswith("A_") else kind) for kind, word in zip(form, parts, strict=True)
        )
        found.setdefault(skeleton, written(form, parts, vocabulary))
    shortest = min((len(one.split()) for one in found.values()), default=0)
    shown = tuple(dict.fromkeys(one for one in found.values() if len(one.split()) == shortest))
    return shown if len(shown) <= _MOST_SHOWN else ()


def _said(kind: str, word: str | None, vocabulary: Vocabulary) -> str:
    """One part of a form: the ``word`` that was given, a keyword or mark, or the kind of a missing value."""
    if word is not None:
        return word
    if kind == "A_POOL":
        return vocabulary.pool[0]
    return _MARKS.get(kind) or notation(vocabulary.title).words.get(kind) or kind.removeprefix("A_")


def written(form: Form, words: Sequence[str | None], vocabulary: Vocabulary) -> str:
    text = " ".join(_said(kind, word, vocabulary) for kind, word in zip(form, words, strict=True))
    return re.sub(r"\s*([-/(])\s*|\s+(\+)\s+|\s*(,)|\s*(\))", lambda m: m[m.lastindex or 0], text)


def _aligned(line: Sequence[Lexeme], form: Form, words: Mapping[str, str]) -> tuple[int, tuple[str | None, ...]]:
    """The distance of ``line`` from ``form``, and for each terminal of the form the word of the line that it takes;
    None for one that the line lacks. Of several ways the one that takes the words earliest, hence from the end."""
    distance, taken = _aligned_from_start(line[::-1], form[::-1], words)
    return distance, taken[::-1]


def _aligned_from_start(
    line: Sequence[Lexeme], form: Form, keywords: Mapping[str, str]
) -> tuple[int, tuple[str | None, ...]]:
    rows: list[tuple[int, tuple[str | None, ...]]] = [(0, ())]
    for lexeme in line:
        distance, words = rows[-1]
        rows.append((distance + _left_out(lexeme), words))
    for kind in form:
        new = [(rows[0][0] + _added(kind, keywords), (*rows[0][1], None))]
        for at, lexeme in enumerate(line):
            meant = _as(lexeme, kind)
            choices = [
                (rows[at + 1][0] + _added(kind, keywords), (*rows[at + 1][1], None)),
                (new[at][0] + _left_out(lexeme), new[at][1]),
            ]
            if meant is not None:
                choices.insert(0, (rows[at][0], (*rows[at][1], meant)))
            elif kind.startswith("A_") and (wrong := _read_as_value(lexeme)):
                choices.append((rows[at][0] + wrong, (*rows[at][1], None)))
            new.append(min(choices, key=lambda choice: choice[0]))
        rows = new
    return rows[-1]


def _as(lexeme: Lexeme, kind: str) -> str | None:
    if kind == "A_PLAYER" and lexeme.player is not None:
        return lexeme.player[0]
    return next((word for meaning, word in lexeme.meanings if meaning == kind), None)


def _added(kind: str, keywords: Mapping[str, str]) -> int:
    synonym = keywords.get(kind) in SYNONYMS
    if kind in _MARKS:
        return _MARK_ADDED
    return _VALUE_ADDED if kind.startswith("A_") else _WORD_ADDED + synonym


def _left_out(lexeme: Lexeme) -> int:
    kinds = {kind for kind, _ in lexeme.meanings}
    if kinds & _MARKS.keys():
        return _MARK_LEFT_OUT
    if "A_NUMBER" in kinds:
        return _NUMBER_LEFT_OUT
    return _NAME_LEFT_OUT if _names(lexeme) else _WORD_LEFT_OUT


def _read_as_value(lexeme: Lexeme) -> int:
    """The distance of ``lexeme`` from a value of a kind that it is not; 0 for keywords and marks."""
    if not lexeme.meanings:
        return _UNKNOWN_READ
    return _OTHER_READ if _names(lexeme) else 0


def _names(lexeme: Lexeme) -> bool:
    return lexeme.player is not None or any(kind.startswith("A_") for kind, _ in lexeme.meanings)


# ---- the forms of the grammar ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def forms(title: str, opening: str) -> tuple[Form, ...]:
    """The forms that begin with the terminal ``opening``, in the order of the grammar. What may be repeated stands in
    them once, and an alternative such as `or train 3` has no further one."""
    lark = notation(title).lark
    rules = _rules(lark)
    begin = (form for form in _expanded(rules, "start", ()) if form and form[0] == opening)
    return tuple(dict.fromkeys(islice(begin, _MOST_FORMS)))


def _rules(lark: Lark) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in lark.rules:
        found.setdefault(str(rule.origin.name), []).append(rule)
    return {name: sorted(rules, key=lambda rule: rule.order) for name, rules in found.items()}


def _expanded(rules: Mapping[str, Sequence[Rule]], name: str, within: tuple[str, ...]) -> Iterator[Form]:
    if name not in rules:
        yield (name,)
        return
    if name in _LEFT_OUT_OF_FORMS:
        return
    if within.count(name) > (0 if name.startswith("__") else 1):  # Lark's own rules for repetition begin so
        return
    for rule in rules[name]:
        yield from _joined(rules, [str(symbol.name) for symbol in rule.expansion], (*within, name))


def _joined(rules: Mapping[str, Sequence[Rule]], names: Sequence[str], within: tuple[str, ...]) -> Iterator[Form]:
    if not names:
        yield ()
        return
    for first in _expanded(rules, names[0], within):
        for rest in _joined(rules, names[1:], within):
            yield (*first, *rest)
