"""Parse the text of one order into an order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from lark import Lark, Token
from lark.exceptions import UnexpectedToken, VisitError
from lark.lexer import PatternStr

from engine.core.orders import Order
from grammar.builders.orders import Builder, ExitsError
from grammar.builders.words import Word
from grammar.lexer import Lexeme, OrderLexer, lexemes, lexicon
from grammar.vocabulary import Vocabulary

TREASURY: Final = "treasury"
"""The rule of the grammar that names the place of unsold shares, and the word for titles without that rule."""


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """The grammar of one title. ``keywords``: word in lower case -> terminal. ``words``: terminal -> word. ``opening``:
    terminals with which an order may begin. ``unsold``: the title's word for the place of shares that their company has
    not sold; if several words are read, the first."""

    lark: Lark
    keywords: Mapping[str, str]
    words: Mapping[str, str]
    opening: frozenset[str]
    unsold: str


class StuckError(Exception):
    """An order cannot be read beyond ``lexeme``; None if the order ends too early. ``before``: the lexemes read before
    it. ``accepts``: terminals that could stand there."""

    def __init__(self, lexeme: Lexeme | None, before: tuple[Lexeme, ...], accepts: Iterable[str]) -> None:
        super().__init__()
        self.lexeme, self.before, self.accepts = lexeme, before, frozenset(accepts)


_INCLUDE: Final = re.compile(r"^%include (\w+)$", re.MULTILINE)
"""A line of a title's file that stands for a family's."""

_added: dict[str, str] = {}
"""Title of another package -> its additions to the grammar."""


def add_title(title: str, forms: str) -> None:
    """Register the additions to the common grammar for a title of another package. ``forms`` is text in Lark's
    notation, as in the ``t….lark`` files of this folder: ``%include`` of a family's name takes its
    forms too. ``ValueError`` if the title already has other forms."""
    if title in titles() and _added.get(title) != forms:
        raise ValueError(f"{title!r} has its notation already")
    _added[title] = forms


def titles() -> tuple[str, ...]:
    """All titles that have a grammar."""
    return (*_own_titles(), *_added)


@lru_cache(maxsize=1)
def _own_titles() -> tuple[str, ...]:
    names = (file.name for file in files("grammar").iterdir())
    return tuple(sorted(name[1:-5] for name in names if name.startswith("t") and name.endswith(".lark")))


@lru_cache(maxsize=32)
def notation(title: str) -> Notation:
    """The grammar of ``title``: the common one with the title's additions. ``ValueError`` if there are none for it."""
    if title not in titles():
        raise ValueError(f"no notation for {title!r}; there are: {', '.join(titles())}")
    own = _added[title] if title in _added else _forms(f"t{title}")
    text = _forms("common") + "\n" + _INCLUDE.sub(lambda line: _forms(line[1]), own)
    lark = Lark(text, parser="lalr", lexer=OrderLexer, maybe_placeholders=False)
    keywords = {str(t.pattern.value).casefold(): t.name for t in lark.terminals if isinstance(t.pattern, PatternStr)}
    words = {name: word for word, name in keywords.items()}
    return Notation(lark, keywords, words, _opening(lark), _unsold(lark, words))


def _unsold(lark: Lark, words: Mapping[str, str]) -> str:
    forms = sorted((rule for rule in lark.rules if rule.origin.name == TREASURY), key=lambda rule: rule.order)
    return words[forms[0].expansion[0].name] if forms else TREASURY


def _accepts(error: UnexpectedToken) -> frozenset[str]:
    return frozenset(error.interactive_parser.accepts())  # type: ignore[no-untyped-call]


def _opening(lark: Lark) -> frozenset[str]:
    try:
        lark.parse(())
    except UnexpectedToken as error:
        return _accepts(error)
    raise AssertionError("nothing is read as an order")


def _forms(name: str) -> str:
    return (files("grammar") / f"{name}.lark").read_text(encoding="utf-8")


def parse(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word:
    """Parse ``text``, which is normalised and has no comment, into an order or a word for the moderator. ``StuckError``
    or ``ExitsError`` if it is neither."""
    grammar = notation(vocabulary.title)
    line = lexemes(text, lexicon(vocabulary), grammar.keywords)
    if line and all(terminal not in grammar.opening for terminal, _ in line[0].meanings):
        raise StuckError(line[0], (), grammar.opening)  # at once: to parse a whole letter of prose takes long
    try:
        tree = grammar.lark.parse(line)
        result: Order | Word = Builder(vocabulary, actor).transform(tree)
    except UnexpectedToken as error:
        token: Token = error.token
        if token.type == "$END":
            raise StuckError(None, line, _accepts(error)) from None
        index = next(i for i, lexeme in enumerate(line) if lexeme.start == token.start_pos)
        raise StuckError(line[index], line[:index], _accepts(error)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, ExitsError):
            raise error.orig_exc from None
        raise
    return result
