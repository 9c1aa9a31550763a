"""Split an order into words and find the possible meanings of each.

A word can have several meanings: ``8`` is a tile, a train and an amount; ``N`` is a company and a compass point. The
lexer gives the parser the meaning that can stand at that place of the order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Final

from lark import Token
from lark.lexer import Lexer, LexerState

from grammar.normalise import key
from grammar.vocabulary import Vocabulary

Meaning = tuple[str, str]
"""A terminal of the grammar, and the canonical spelling of the word as that terminal."""

_MARKS: Final = {",": "_COMMA", "/": "_SLASH", "#": "_HASH", "-": "_DASH", "+": "_PLUS", "(": "_LEFT", ")": "_RIGHT"}
_WORD: Final = re.compile(r"[,/#()]|[^\s,/#()]+")
_PANEL: Final = r"[0-9]+(?:\s*/\s*[0-9]+)+(?![^\s,/#()])"
"""The incomes of a panel, numbers with slashes between them: one word in titles that have panels."""
_HYPHENED: Final = re.compile(r"-|[^-]+")
_SIDES: Final = re.compile(r"[-+]|[^-+]+")
_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!$%&'*+=?^_{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
"""A mail address of the usual form (RFC 5321)."""
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""A date (ISO 8601)."""

_ZONE: Final = re.compile(r"\s*(zone)\s+([a-z][a-z0-9_+/-]*(?: +[a-z][a-z0-9_+/-]*){0,2})\s*", re.IGNORECASE | re.ASCII)
"""A line that names a time zone. Its name has slashes, and a city may have several words."""

_PROPOSE: Final = re.compile(r"\s*(propose)\s+(\S.*?)\s*", re.IGNORECASE)
"""A line that puts words of a game master to the vote. They are read by the grammar of a game master."""
_ABOUT: Final = re.compile(
    r"\s*(show|help)\s+(company|private|word)\s+(\S(?:(?!,\s*(?:show|help|check|run|done)\b)[^/])*?)\s*\??\s*",
    re.IGNORECASE,
)
"""A line that asks about a company, a private or a word, whose name may have several words. Another word or order after
a comma is not part of it."""
_WITH_REST: Final = ((_ZONE, "A_ZONE"), (_PROPOSE, "A_REST"), (_ABOUT, "A_REST"))
"""Lines that end with one name or text, which is the last group of the pattern; and its terminal."""

UNKNOWN: Final = "UNKNOWN"
"""Token type of a word that cannot stand at its place."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word of an order. ``start`` and ``end`` are its span in the order, ``whole`` is the span of the hyphenated word
    that it was cut from."""

    text: str
    start: int
    end: int
    meanings: tuple[Meaning, ...]
    whole: tuple[int, int]
    player: tuple[str, int] | None = None
    """The longest player's name that begins at this word, and the offset of its end; None if none does."""


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """A vocabulary prepared for look-up. ``names``: word in lower case -> its possible meanings."""

    names: Mapping[str, tuple[Meaning, ...]]
    exact: Mapping[str, tuple[Meaning, ...]]
    """Name as printed -> its meanings, for names that differ from others of their kind only in upper and lower case."""
    actors: Mapping[str, str]
    """Name of a player or company in lower case, synonyms included -> canonical name."""
    players: Mapping[str, str]
    """Player's name in lower case -> canonical name. A name may have several words."""
    edges: int
    currency: tuple[str, ...]
    word: re.Pattern[str] = _WORD
    """The pattern of one word, before it is split at hyphens."""

    def meanings(self, word: str, keywords: Mapping[str, str]) -> tuple[Meaning, ...]:
        """All possible meanings of ``word``, the most likely first. ``keywords``: word -> terminal."""
        folded = word.casefold()
        found: list[Meaning] = []
        if folded in keywords:
            found.append((keywords[folded], folded))
        if word in self.exact:
            found.extend(self.exact[word])
        found.extend(m for m in self.names.get(folded, ()) if m[0] not in {kind for kind, _ in found})
        if len(word) == 1 and "0" <= word < str(self.edges):
            found.append(("A_TURN", word))
        if _ADDRESS.fullmatch(word):
            found.append(("A_ADDRESS", word))
        if _DATE.fullmatch(word):
            found.append(("A_DATE", word))
        if word == "1":
            found.append(("A_ONE", word))
        number = self.amount(folded)
        if number is not None:
            found.append(("A_NUMBER", number))
        return tuple(found)

    def are_sides(self, parts: Iterable[str]) -> bool:
        """True if each of ``parts`` is a side of a hex or a mark between sides."""
        return all(
            part in _MARKS or any(kind == "A_POINT" for kind, _ in self.names.get(part.casefold(), ()))
            for part in parts
        )

    def amount(self, word: str) -> str | None:
        """The digits of an amount, with or without a currency mark; None if ``word`` is not an amount."""
        for mark in self.currency:
            if word.startswith(mark):
                word = word.removeprefix(mark)
                break
            if word.endswith(mark):
                word = word.removesuffix(mark)
                break
        else:
            if word and unicodedata.category(word[0]) == "Sc":
                word = word[1:]
            elif word and unicodedata.category(word[-1]) == "Sc":
                word = word[:-1]
        return str(int(word)) if _DIGITS.fullmatch(word) else None


@lru_cache(maxsize=256)
def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """The look-up tables of a vocabulary."""
    names: dict[str, list[Meaning]] = {}
    exact: dict[str, list[Meaning]] = {}

    def add(kind: str, word: str, canonical: str) -> None:
        there = names.setdefault(key(word), [])
        if any(k == kind for k, _ in there):
            exact.setdefault(word, []).append((kind, canonical))
        else:
            there.append((kind, canonical))

    for point in vocabulary.edges:
        add("A_POINT", point, point)
    for hex in sorted(vocabulary.hexes):
        add("A_HEX", hex, hex)
    for tile in vocabulary.tiles:
        add("A_TILE", tile, tile)
    for train in vocabulary.trains:
        add("A_TRAIN", train, train)
    for panel in vocabulary.panels:
        for word in dict.fromkeys((vocabulary.incomes(panel), panel)):
            add("A_PANEL", word, vocabulary.incomes(panel))
    groups = {
        "A_COMPANY": vocabulary.companies, "A_PRIVATE": vocabulary.privates, "A_CONCESSION": vocabulary.concessions,
        "A_MOUNTAIN": vocabulary.mountains, "A_TUNNEL": vocabulary.tunnels,
    }  # fmt: skip
    for kind, group in groups.items():
        for name, synonyms in group.items():
            for word in dict.fromkeys((name, *synonyms)):
                add(kind, word, name)
    for word in vocabulary.pool:
        add("A_POOL", word, vocabulary.pool[0])
    players = {key(player): player for player in vocabulary.players}
    actors = dict(players)
    for name, synonyms in vocabulary.companies.items():
        actors.update({key(word): name for word in (name, *synonyms)})
    marks = tuple(sorted((key(mark) for mark in vocabulary.currency), key=len, reverse=True))
    frozen = {word: tuple(meanings) for word, meanings in names.items()}
    as_printed = {word: tuple(meanings) for word, meanings in exact.items()}
    pattern = _pattern(marks, bool(vocabulary.panels))
    return Lexicon(frozen, as_printed, actors, players, len(vocabulary.edges), marks, pattern)


def _pattern(marks: tuple[str, ...], panels: bool) -> re.Pattern[str]:
    """The pattern of one word. An amount and the currency mark before or after it are one word: `R 90`, `90 SFR`."""
    signs = "|".join((*map(re.escape, marks), "[$\u00a2-\u00a5\u20a0-\u20c0]"))
    amounts = rf"(?:{signs})\s+[0-9]+(?![^\s,/#()])", rf"[0-9]+\s+(?:{signs})(?![^\s,/#()])"
    return re.compile("|".join((*([_PANEL] if panels else []), *amounts, _WORD.pattern)), re.IGNORECASE)


def takes_rest(text: str) -> bool:
    """True if ``text`` is a line whose rest is one name or text, in which a colon has no meaning."""
    return any(form.fullmatch(text) is not None for form, _ in _WITH_REST)


def lexemes(text: str, words: Lexicon, keywords: Mapping[str, str]) -> tuple[Lexeme, ...]:
    """The words of one order. A hyphen is part of a name that has one (``M-K``); otherwise it is a word by itself. So
    is a plus between sides of a hex (``N-S+NE``)."""
    found: list[Lexeme] = []
    for form, terminal in _WITH_REST:
        said = form.fullmatch(text)
        if said is None or any(word.lower() not in keywords for word in said.groups()[:-1]):
            continue
        begun = [
            Lexeme(word, *said.span(n), ((keywords[word.lower()], word.lower()),), said.span(n))
            for n, word in enumerate(said.groups()[:-1], start=1)
        ]
        last = said.lastindex or 0
        rest = Lexeme(said[last], *said.span(last), ((terminal, " ".join(said[last].split())),), said.span(last))
        return (*begun, rest)
    for match in words.word.finditer(text):
        word, span = match[0], match.span()
        if word in _MARKS:
            found.append(Lexeme(word, *span, ((_MARKS[word], word),), span))
            continue
        meanings = words.meanings("".join(word.split()), keywords)
        sides = "+" in word and words.are_sides(_SIDES.findall(word))
        if meanings or not (sides or "-" in word):
            found.append(Lexeme(word, *span, meanings, span))
            continue
        for part in (_SIDES if sides else _HYPHENED).finditer(word):
            start, end = span[0] + part.start(), span[0] + part.end()
            kinds = ((_MARKS[part[0]], part[0]),) if part[0] in _MARKS else words.meanings(part[0], keywords)
            found.append(Lexeme(part[0], start, end, kinds, span))
    return tuple(_with_player(text, found, at, words.players) for at in range(len(found)))


def _with_player(text: str, line: list[Lexeme], at: int, players: Mapping[str, str]) -> Lexeme:
    """The lexeme ``line[at]``, with the longest player's name that begins there filled in."""
    first = line[at]
    begun = first.text.casefold()
    longest = max((len(name) for name in players if name.startswith(begun)), default=0)
    for end in sorted({lexeme.end for lexeme in line[at : at + longest]}, reverse=True):
        if (name := players.get(key(text[first.start : end]))) is not None:
            return replace(first, player=(name, end))
    return first


class OrderLexer(Lexer):
    """A lexer for Lark that uses the state of the parser. Its input is a tuple of ``Lexeme``."""

    __future_interface__: ClassVar[int] = 2

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        states = parser_state.parse_conf.states
        line: Any = lexer_state.text
        past = 0
        for lexeme in line:
            if lexeme.start < past:
                continue
            open_to = states[parser_state.position]
            if "A_PLAYER" in open_to and (player := _player(lexeme, open_to)) is not None:
                name, past = player
                yield Token("A_PLAYER", name, start_pos=lexeme.start, end_pos=past)
                continue
            kind, value = next((m for m in lexeme.meanings if m[0] in open_to), (UNKNOWN, lexeme.text))
            yield Token(kind, value, start_pos=lexeme.start, end_pos=lexeme.end)


def _player(lexeme: Lexeme, open_to: Any) -> tuple[str, int] | None:
    """The player named at ``lexeme`` and the offset of the end of his name; None if no player is. A single word is a
    name only if it cannot be anything else at its place."""
    if lexeme.player is None or lexeme.player[1] > lexeme.end:
        return lexeme.player
    return None if any(kind in open_to for kind, _ in lexeme.meanings) else lexeme.player
