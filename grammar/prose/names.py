"""Names as they are printed, such as `St. Clair Tunnel` and `Ottawa`, in place of the names of the notation."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from grammar.lexer import lexicon
from grammar.normalise import key
from grammar.parser import notation
from grammar.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[^\W_]+")
_JOINS: Final = ("and",)
_KINDS: Final = ("railway", "railroad", "company")
"""The last word of a name, which people leave out."""
_SHORTEST: Final = 3
_Table = tuple[re.Pattern[str], Mapping[str, str]]


def with_names_of_the_notation(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """``text`` with printed names replaced: those of companies and privates, those of places, and both. A name can be
    that of a private and of a place, so each is a text of its own. Texts without a change are left out."""
    companies, places = _tables(vocabulary)
    named = _replaced(text, companies)
    placed = tuple(_placed(one, places) for one in (text, named))
    return tuple(dict.fromkeys(one for one in (named, *placed) if one != text))


@lru_cache(maxsize=256)
def _tables(vocabulary: Vocabulary) -> tuple[_Table, _Table]:
    names = lexicon(vocabulary)
    taken = {*names.names, *names.actors, *notation(vocabulary.title).keywords}

    def free(said: str) -> bool:
        return said not in taken and len(said) >= _SHORTEST

    return _table(vocabulary.printed, free), _table(vocabulary.places, free)


def _table(names: Mapping[str, str], free: Callable[[str], bool]) -> _Table:
    """A pattern that finds every one of ``names``, the longest first, and what each stands for."""
    forms = [(form, id) for name, id in names.items() for form in _forms(name)]
    once = Counter(form for form, _ in dict.fromkeys(forms))
    found = {form: id for form, id in forms if once[form] == 1 and free(form)}
    longest = sorted(found, key=lambda form: (-len(form), form))
    between = r"[^\w\n]+(?:and[^\w\n]+)?"
    pattern = "|".join(between.join(map(re.escape, form.split())) for form in longest)
    return re.compile(rf"(?<!\w)(?:{pattern or '(?!)'})(?!\w|'s)", re.IGNORECASE), found


def _forms(name: str) -> tuple[str, ...]:
    """``name`` in small letters without accents, marks and `and`: whole, and without the kind of company at its end."""
    words = _words(re.sub(r"\(.*?\)", "", name))
    short = words[:-1] if len(words) > 2 and words[-1] in _KINDS else words
    return tuple(dict.fromkeys((" ".join(words), " ".join(short))))


def _words(said: str) -> list[str]:
    return [word for word in _WORD.findall(_plain(key(said))) if word not in _JOINS]


def _plain(text: str) -> str:
    """``text`` without accents, of the same length."""
    return "".join(unicodedata.normalize("NFKD", char)[0] for char in text)


def _replaced(text: str, table: _Table) -> str:
    pattern, names = table
    parts, end = [], 0
    for found in pattern.finditer(_plain(text)):
        parts += [text[end : found.start()], names[" ".join(_words(found[0]))]]
        end = found.end()
    return "".join((*parts, text[end:]))


_TWICE: Final = re.compile(r"(?<!\w)([a-z]\d{1,2})[ ,]*(?:(?:in|at|on) )?\(?(?:hex )?\1(?:\)|(?!\w))", re.IGNORECASE)
"""A space that is named and called by its name too: `Cremona (H10)`, `E10 Solothurn`."""


def _placed(text: str, places: _Table) -> str:
    found = _replaced(text, places)
    return found if found == text else _TWICE.sub(r"\1", found)
