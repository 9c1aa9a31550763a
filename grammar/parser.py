"""One order as text to one order as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from lark import Lark, Token
from lark.exceptions import UnexpectedToken, VisitError
from lark.lexer import PatternStr

from engine.core.orders import Order
from grammar.build import Builder, ExitsError, Word
from grammar.lexer import Lexeme, OrderLexer, lexemes, lexicon
from grammar.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Notation:
    """The grammar of one title. ``keywords``: word in small letters -> terminal; ``words`` the other way round;
    ``opening``: terminals with which an order may begin."""

    lark: Lark
    keywords: Mapping[str, str]
    words: Mapping[str, str]
    opening: frozenset[str]


class StuckError(Exception):
    """The order cannot go on at ``lexeme`` (None: it ends too early); ``accepts``: terminals that could stand there."""

    def __init__(self, lexeme: Lexeme | None, before: tuple[Lexeme, ...], accepts: Iterable[str]) -> None:
        super().__init__()
        self.lexeme, self.before, self.accepts = lexeme, before, frozenset(accepts)


@lru_cache(maxsize=1)
def titles() -> tuple[str, ...]:
    """The titles that have a grammar."""
    names = (file.name for file in files("grammar").iterdir())
    return tuple(sorted(name[1:-5] for name in names if name.startswith("t") and name.endswith(".lark")))


@lru_cache(maxsize=32)
def notation(title: str) -> Notation:
    """The grammar that all titles share with what ``title`` adds. ``ValueError`` if there is none for it."""
    folder = files("grammar")
    own = folder / f"t{title}.lark"
    if not title.isalnum() or not own.is_file():
        raise ValueError(f"no notation for {title!r}; there are: {', '.join(titles())}")
    text = "\n".join(file.read_text(encoding="utf-8") for file in (folder / "common.lark", own))
    lark = Lark(text, parser="lalr", lexer=OrderLexer, maybe_placeholders=False)
    keywords = {str(t.pattern.value).casefold(): t.name for t in lark.terminals if isinstance(t.pattern, PatternStr)}
    return Notation(lark, keywords, {name: word for word, name in keywords.items()}, _opening(lark))


def _accepts(error: UnexpectedToken) -> frozenset[str]:
    return frozenset(error.interactive_parser.accepts())  # type: ignore[no-untyped-call]


def _opening(lark: Lark) -> frozenset[str]:
    try:
        lark.parse(())
    except UnexpectedToken as error:
        return _accepts(error)
    raise AssertionError("nothing is read as an order")


def parse(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word:
    """The order (or word for the moderator) that ``text`` is, normalised and without comment; ``StuckError`` or
    ``ExitsError`` if it is none."""
    grammar = notation(vocabulary.title)
    line = lexemes(text, lexicon(vocabulary), grammar.keywords)
    if line and all(terminal not in grammar.opening for terminal, _ in line[0].meanings):
        raise StuckError(line[0], (), grammar.opening)  # at once: a letter's worth of prose would take long
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
