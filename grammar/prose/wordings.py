"""Orders in the words of a letter, such as `I'll keep the money, please`: read as the orders of the notation.

Only a text that the notation does not read is looked at. Each rule replaces a phrase that has one meaning by the words
of the notation; little words go. Where a phrase leaves a choice open (`sell my shares`), no rule matches, the text
stays unreadable, and its writer is asked. Names of the game are never taken for little words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from engine.core.orders import Order
from grammar.builders.orders import ExitsError
from grammar.builders.words import Word
from grammar.faults import read_piece
from grammar.lexer import Lexicon, lexicon
from grammar.parser import StuckError, notation, parse
from grammar.prose.names import with_names_of_the_notation
from grammar.prose.phrases import (
    BEFORE_ARTICLES,
    BY_ITSELF,
    ENDING,
    LEADING,
    NOTHING,
    NUMBERS,
    OF_COMPANIES,
    PLACEHOLDER,
    RESTRICTING,
    RULES,
    UNITS,
    VERBS,
)
from grammar.vocabulary import Vocabulary

_LONGEST: Final = 160
"""The maximum number of characters of an order in other words."""


_SIGN: Final = r"(?:[$£€₽]|SFR|R|L\.)"
_WRITTEN: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (rf" *\((?![^()]*\b(?:{RESTRICTING})\b)(?:[^()0-9?]*|\+?{_SIGN} ?[0-9][^()?]*|[^()?]*per share)\)", ""),
        (r"\bL\. (?=[0-9])", "L."),
        (r"(?<!\S)(?:[$£€₽]|SFR) ?(?=[0-9])", ""),
        (r"(?<=\bfor )R ?(?=[0-9])", ""),
        (rf"(?<=[0-9]) (?:{UNITS})(?!\S)", ""),
        (r"\b([0-9]+)x(?= )", r"\1"),
        (r"\b([0-9][0-9+]*)t\b", r"\1"),
    )
)
"""Ways to write amounts, trains and remarks -> the way of the notation."""


def understand(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word:
    """``text`` as an order or a word for the moderator, in the words of the notation or of a letter. ``StuckError`` or
    ``ExitsError`` of the notation if it is neither."""
    try:
        return read_piece(text, vocabulary, actor)
    except (StuckError, ExitsError):
        found = read_naturally(text, vocabulary, actor)
        if found is None:
            raise
        return found


def understood(text: str, vocabulary: Vocabulary) -> bool:
    """True if ``text`` can be read as ``understand`` does."""
    try:
        understand(text, vocabulary, "")
    except (StuckError, ExitsError):
        return False
    return True


def leaves_out(text: str, vocabulary: Vocabulary) -> bool:
    """True if ``text`` only says that a step of a turn is left out, as `no token`: it orders nothing."""
    names = lexicon(vocabulary)
    said = _without_little_words(_without_frame(" ".join(text[: _LONGEST + 1].rstrip(". !").split()), names), names)
    forms = NOTHING if "loan" in notation(vocabulary.title).keywords else rf"{NOTHING}|{BY_ITSELF}"
    return len(text) <= _LONGEST and re.fullmatch(forms, said, re.IGNORECASE) is not None


def read_naturally(text: str, vocabulary: Vocabulary, actor: str) -> Order | Word | None:
    """The only order, or word that shows something, that ``text`` can be with its phrases in the words of the notation.
    None if there is none, or if several could be meant. For texts that the notation does not read."""
    if len(text) > _LONGEST:
        return None
    found = _orders((text,), vocabulary, actor) or _orders(
        with_names_of_the_notation(text, vocabulary), vocabulary, actor
    )
    return found[0] if len(found) == 1 else None


def _orders(texts: Iterable[str], vocabulary: Vocabulary, actor: str) -> list[Order | Word]:
    """All orders, and words that show something, that ``texts`` can be."""
    company = actor in vocabulary.companies
    readings = [each for text in texts for each in _readings(text.rstrip(". !"), lexicon(vocabulary), company)]
    found = list[Order | Word]()
    for words in dict.fromkeys(readings):
        try:
            order = parse(words, vocabulary, actor)
        except (StuckError, ExitsError):
            continue
        if (not isinstance(order, Word) or order.kind == "show") and order not in found:
            found.append(order)
    return found


@lru_cache(maxsize=1)
def _compiled() -> tuple[Sequence[tuple[re.Pattern[str], str]], ...]:
    return tuple(
        tuple((_pattern(form), said) for form, said in rules) for rules in (BEFORE_ARTICLES, RULES, OF_COMPANIES)
    )


def _pattern(form: str) -> re.Pattern[str]:
    text = form.replace("{T2}", PLACEHOLDER["T"].replace("train", "train2"))
    for letter, pattern in PLACEHOLDER.items():
        text = text.replace(f"{{{letter}}}", pattern)
    return re.compile(text, re.IGNORECASE)


def _readings(text: str, names: Lexicon, company: bool) -> list[str]:
    """The texts in the words of the notation that ``text`` may stand for. ``company``: a company says it."""
    if len(text) > _LONGEST or not text.strip():
        return []
    said = _without_frame(" ".join(text.split()), names)
    before, rules, of_companies = _compiled()
    found = [text, said]
    for pattern, form in before:
        if match := pattern.fullmatch(said):
            said = match.expand(form)
            found.append(said)
    plain = _without_little_words(said, names)
    found.append(plain)
    phrases = (*rules, *of_companies) if company else rules
    found.extend(_filled(form, match) for pattern, form in phrases if (match := pattern.fullmatch(plain)))
    return found


_OPTIONAL: Final = re.compile(r"\[([^\[\]]*\\g<(\w+)>)\]")
"""A part of an order that stands only if the phrase named it."""


def _filled(form: str, match: re.Match[str]) -> str:
    """``form`` with what the phrase named."""
    named = match.groupdict()
    train = named.get("train") or named.get("train2") or ""
    amount = (named.get("number") or named.get("more") or "").rstrip(",")
    place = (named.get("place") or "").casefold()
    form = form.replace("{tt}", train).replace("{nm}", amount)
    form = form.replace("{place}", {"bank pool": "pool", "initial offering": "offering"}.get(place, place))
    form = form.replace("{more}", (named.get("more") or "").rstrip(","))
    form = _OPTIONAL.sub(lambda part: part[1] if named.get(part[2]) else "", form)
    return match.expand(form.replace(r"\g<number>", amount.replace("\\", r"\\")))


def _without_frame(text: str, names: Lexicon) -> str:
    """``text`` without beginnings and endings that say nothing, and with numbers in figures."""
    changed = True
    while changed:
        changed = False
        for pattern in LEADING:
            match = re.match(pattern, text, re.IGNORECASE)
            if match and _free(match[0], names):
                text, changed = text[match.end() :], True
        match = re.search(rf"(?:{ENDING})$", text, re.IGNORECASE)
        if match and match.start():
            text, changed = text[: match.start()], True
    for written, instead in _WRITTEN:
        text = written.sub(instead, text)
    first, _, rest = text.partition(" ")
    if _free(first, names):
        text = f"{VERBS.get(first.casefold(), first)} {rest}".rstrip()
    return " ".join(_figure(word, names) for word in text.split())


def in_sentence(word: str) -> bool:
    """True if ``word`` stands after a name in a sentence that tells an order: `NO lays ...`, `NO then ...`."""
    return word.casefold() in (*VERBS, "bids", "is", "then")


def verb_of(word: str) -> str:
    """The verb of an order that ``word`` is, in lower case: `take` for `takes`. Other words stay as they are."""
    return VERBS.get(word.casefold(), word.casefold())


def _figure(word: str, names: Lexicon) -> str:
    folded = word.casefold()
    return str(NUMBERS.index(folded) + 1) if folded in NUMBERS and folded not in names.names else word


def _free(words: str, names: Lexicon) -> bool:
    """True if none of ``words`` is a name of the game."""
    said = [word.strip(",").casefold() for word in words.split()]
    return not any(word in names.names or word in names.actors for word in said)


_LITTLE: Final = frozenset(["the", "a", "an", "my", "our", "its", "please", "kindly", "just", "also"])
"""Words that never change what an order says."""


def _without_little_words(text: str, names: Lexicon) -> str:
    return " ".join(word for word in text.split() if word.casefold() not in _LITTLE or not _free(word, names))
