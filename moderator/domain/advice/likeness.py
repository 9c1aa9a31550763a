"""Find the legal orders that are like a text: those that have all that it says, and those of the kind that it tries.

Nothing found here is ever carried out. It is shown to the writer of the text, who may send it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine import Ask, Game
from engine.core.agenda import Choice, Range
from engine.core.ids import BANK, POOL
from engine.core.orders import BuyConcession, BuyFrom, BuyPrivate, BuyToken, Order, Train
from grammar import Vocabulary, write
from grammar.lexer import Lexeme, lexemes, lexicon
from grammar.normalise import normalise
from grammar.parser import Notation, notation
from grammar.prose.foreign_words import MEANT
from moderator.domain.advice.dictation import with_short_names

FEW: Final = 3
"""The number of orders up to which all that a text may mean are shown."""
_MOST: Final = 2_000
"""The maximum number of orders of a question that are compared with a text."""
_MOST_WORDS: Final = 12
"""The maximum number of words of a text that may mean an order."""
_SMALL: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "as",
        "at",
        "be",
        "d",
        "do",
        "for",
        "from",
        "him",
        "i",
        "in",
        "is",
        "it",
        "its",
        "like",
        "ll",
        "me",
        "my",
        "of",
        "on",
        "one",
        "please",
        "share",
        "shares",
        "so",
        "that",
        "the",
        "then",
        "this",
        "to",
        "want",
        "will",
        "with",
        "would",
    ]
)
"""Words that tell no order from another."""
_YES: Final = "yes ja jawohl yep yeah ok okay sure fine gladly agreed accepted oui si sim"
_NO: Final = "no nein nope not never non nej nee"
_AS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(_YES.split(), ("yes", "agree")),
    **dict.fromkeys(_NO.split(), ("no", "refuse", "decline", "drop", "pass")),
    "initial": ("ipo",), "offering": ("ipo",), "market": ("pool",), "marker": ("token", "tokens"),
    "markers": ("tokens",), "everything": ("full",), "nothing": ("none", "0"), "halve": ("half",),
}  # fmt: skip
"""Word of a player -> the words of orders that it may stand for."""
_OR_ELSE: Final[Mapping[str, tuple[str, ...]]] = {
    "buy": ("take", "train", "bid", "open", "start", "float"), "take": ("buy",), "start": ("float", "open"),
    "bid": ("open",), "open": ("bid", "auction"), "refuse": ("decline", "drop", "pass"), "lay": ("tunnel", "use"),
    "decline": ("refuse", "pass", "drop"), "train": ("buy",), "pay": ("dividend",),
    "dividend": ("pay",), "float": ("start",), "par": ("start", "float"), "token": ("tokens",), "loan": ("take",),
}  # fmt: skip
"""Opening word -> those that may be meant where no order of that word is legal."""


@dataclass(frozen=True, slots=True)
class Found:
    """A legal order that is like a text, and the question that it answers. ``hits``: the number of words of the text
    that it has."""

    order: Order
    ask: Ask
    hits: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """``exact``: the legal orders that have all that the text says. ``kin``: those of the kind that it tries, the most
    alike first."""

    exact: tuple[Found, ...] = ()
    kin: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text. ``names``: what it may name, in lower case; ``number``: its value if it is a number."""

    names: frozenset[str]
    number: int | None = None
    known: bool = True


def likeness(game: Game, asks: Iterable[Ask], text: str, names: Vocabulary, *, prose: bool = False) -> Likeness:
    """The legal answers to ``asks`` that are like ``text``. ``prose``: the text is no attempt at an order, so that most
    of its words must be those of orders."""
    said = _words(game, text, names)
    if not said or len(said) > _MOST_WORDS:
        return Likeness()
    known = sum(word.known for word in said)
    if prose and 2 * known < len(said):
        return Likeness()
    grammar = notation(names.title)
    found = [one for ask in asks for one in _compared(game, ask, said, grammar, names)]
    opening = frozenset(grammar.words[terminal] for terminal in grammar.opening if terminal in grammar.words)
    tried = {name for word in said for name in word.names} & opening
    exact = [one for one, fits in found if fits and one.hits]
    most = max((one.hits for one in exact), default=0)
    kin = _kin([one for one, _ in found], tried, names)
    return Likeness(_once(one for one in exact if one.hits == most), _once(kin))


def _once(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple({one.order: one for one in found}.values())


def _kin(found: Sequence[Found], tried: set[str], names: Vocabulary) -> list[Found]:
    """Those of ``found`` that begin with one of the words in ``tried``, or else with one that may stand for it."""
    opened = [(write(one.order, names).split(maxsplit=1)[0], one) for one in found]
    for words in (tried, {other for word in tried for other in _OR_ELSE.get(word, ())}):
        kin = [one for word, one in opened if word in words]
        kin = [one for one in kin if _partner(one.order) is None]
        if kin:
            return sorted(kin, key=lambda one: -one.hits)
    return []


def _partner(order: Order) -> str | None:
    """The company, player or private without which an order is no deal; None if it is none, and needs nobody's consent.
    Deals are shown only to those who name it."""
    match order:
        case Train(source=str() as source) if source not in (BANK, POOL):
            return source
        case BuyPrivate():
            return order.private
        case BuyFrom():
            return order.seller
        case BuyToken():
            return order.owner
        case BuyConcession(price=int()):
            return order.concession
    return None


# ---- the text --------------------------------------------------------------------------------------------------------


def _words(game: Game, text: str, names: Vocabulary) -> list[_Word]:
    """The words of ``text`` that may tell an order from others. Full names count as the short ones of orders."""
    said = with_short_names(normalise(text).rstrip(". !"), game.title)
    keywords = notation(names.title).keywords
    return [word for one in lexemes(said, lexicon(names), keywords) if (word := _word(one, names)) is not None]


def _word(lexeme: Lexeme, names: Vocabulary) -> _Word | None:
    folded = lexeme.text.casefold().strip(".!?'\"")
    if not folded or (folded in _SMALL and lexeme.text == folded) or not any(map(str.isalnum, folded)):
        return None
    meant = {value.casefold() for kind, value in lexeme.meanings if kind != "A_NUMBER"}
    meant.update(MEANT.get(folded, ()), _AS.get(folded, ()))
    if lexeme.player is not None:
        meant.add(lexeme.player[0].casefold())
    for named in (names.called.get(folded), names.places.get(lexeme.text)):
        if named is not None:
            meant.add(named.casefold())
    number = next((int(value) for kind, value in lexeme.meanings if kind == "A_NUMBER"), None)
    return _Word(frozenset(meant), number, known=bool(meant) or number is not None)


# ---- the orders ------------------------------------------------------------------------------------------------------


def _compared(
    game: Game, ask: Ask, said: Sequence[_Word], grammar: Notation, names: Vocabulary
) -> Iterator[tuple[Found, bool]]:
    """Each legal answer to ``ask`` with its hits, and True if it has all that the text says."""
    numbers = [word.number for word in said if word.number is not None]
    orders = (one for choice in game.legal(ask.actor) for one in _samples(choice, numbers))
    written = [(order, near, _parts(order, grammar, names)) for order, near in islice(orders, _MOST)]
    somewhere = frozenset(part for _, _, parts in written for part in parts)
    context = frozenset(map(str.casefold, map(str, (ask.actor, ask.player, *ask.about))))
    for order, near, parts in written:
        first = write(order, names).split(maxsplit=1)[0]
        opens = {first, *(word for word, others in _OR_ELSE.items() if first in others and word not in somewhere)}
        partner = _partner(order)
        hits, fits = 0, not near and (partner is None or any(partner.casefold() in word.names for word in said))
        for word in said:
            if not word.known:
                continue
            if word.names & (parts | opens) or str(word.number) in parts:
                hits += 1
            elif not (word.names & context or str(word.number) in context or _says_little(word, somewhere, grammar)):
                fits = False
        yield Found(order, ask, hits), fits


def _says_little(word: _Word, somewhere: frozenset[str], grammar: Notation) -> bool:
    """True for a keyword that begins no order and is in none that is legal."""
    if word.number is not None or word.names & somewhere:
        return False
    return all(grammar.keywords.get(name, "") not in ("", *grammar.opening) for name in word.names)


def _samples(choice: Choice, numbers: Sequence[int]) -> Iterator[tuple[Order, bool]]:
    """The orders of a choice: of a range those with one of the ``numbers``; both ends if there are none; or else the
    one that is nearest, with True."""
    if not isinstance(choice, Range):
        yield choice.order, False
        return
    inside = [n for n in numbers if choice.low <= n <= choice.high and (n - choice.low) % choice.step == 0]
    last = (choice.high - choice.low) // choice.step
    if inside:
        yield from ((choice.sample((n - choice.low) // choice.step), False) for n in inside)
    elif numbers:
        up = -(-(numbers[-1] - choice.low) // choice.step)
        yield choice.sample(max(0, min(last, up))), True
    else:
        yield from ((choice.sample(pick), False) for pick in dict.fromkeys((0, last)))


def _parts(order: Order, grammar: Notation, names: Vocabulary) -> frozenset[str]:
    """The words of an order as it is written, in lower case, with the number that each may be."""
    found = lexemes(write(order, names), lexicon(names), grammar.keywords)
    return frozenset(value.casefold() for lexeme in found for _, value in (*lexeme.meanings, ("", lexeme.text)))
