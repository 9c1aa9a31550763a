"""Separate orders from the prose around them: greetings, closings, signatures, footers.

A line is prose if it lacks the words of orders, so no word list of any language is needed. A line that looks like an
order, or like an attempt at one, is never prose. Prose is looked for only above the first such line and below the last
one. ``docs/faults.md`` explains why no order is lost by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grammar.builders.orders import ExitsError
from grammar.faults import explain, read_piece, reads
from grammar.lexer import lexicon
from grammar.nearest import LONG, LONGEST, alike, distance, slips
from grammar.normalise import key, normalise, one_break
from grammar.parser import StuckError, notation, titles
from grammar.pieces import Piece, bare
from grammar.press import EVERYONE, passages, without_lines_to_master
from grammar.prose.foreign_words import MEANT
from grammar.prose.wordings import in_sentence, read_naturally
from grammar.vocabulary import Vocabulary

CUT: Final = "[..."
"""The beginning of a line that stands for something left out; such a line is never prose."""
_MOST: Final = 10_000
"""The maximum number of characters of a text in which prose is looked for: mails with prose are shorter, and longer
texts take long."""
_EXPLAINED: Final = 50
"""The maximum number of words of one text for which a probable meaning is looked for."""
_FAR: Final = 12
"""The number of words after a keyword that are tried as an order with it."""
_SHORT: Final = 3
"""The maximum number of words of a clause that may be an order with one or two words before it: `I pass`."""
_ONE_THOUGHT: Final = 15
"""The maximum number of words of a line in which a keyword and a name belong together wherever they stand; in longer
lines they must be in the same clause."""
_FRAME: Final = frozenset({"press", "begin", "end"})
"""Words that are in no grammar and that begin or end a passage of press or a block."""
_CHATTY: Final = frozenset({"address", "begin", "end", "help", "new", "notify", "show", "zone"})
"""Words that order nothing by themselves and often begin a line of prose: `New York`, `Help!`, `End of message`."""
_TOLD: Final = frozenset({"help", "show", "address", "notify"})
"""Chatty words that are for the moderator if something is glued to them."""
_CLAUSE: Final = re.compile(r"[;:,!?()\"]|\.(?=\s|$)|(?<=\s)-+(?=\s)")
_PIECE: Final = re.compile("[:;]")
_EDGES: Final = ".,!?;:()[]<>{}\"'*_-"
_BETWEEN: Final = re.compile(r"[._/-]")
"""Characters that are typed by mistake instead of a space on a phone keyboard."""
_LONG_FIGURES: Final = re.compile(r"(?<!\w)\+?\(?\d(?:[\d()/. -]*\d){6,}")
"""Telephone numbers and dates, which are longer than any amount."""
_GLUED: Final = re.compile(
    r"(?:</?[a-z][^<>]{0,40}>|=[0-9A-F]{2}|&#?\w{1,8};|\d{1,3}|[a-z](?=[^\sa-z\d])|[^\sa-z\d])++"
    r"([a-z]{3,24})(?![a-z\d])",
    re.IGNORECASE | re.ASCII,
)
"""A word with a number, a letter of a list, a mark, a tag or letters of another script glued to its beginning."""
_DATED: Final = re.compile(
    r"\b\d{1,2}[:.]\d\d\b|\b\d{1,4}([-./])\d{1,2}\1\d{1,4}\b|\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}\b"
)
"""A time of day, a date or a year."""
_FIGURE: Final = re.compile(r"[a-z]?\d{1,4}(?:[.,']\d{3})?[a-z]?", re.IGNORECASE)
"""A word with the form of an amount, train, tile, hex or private, whether or not the game has it."""
_ENDINGS: Final = ("s", "es", "d", "ed", "ing")
"""Endings of inflected English verbs."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A text without its prose. ``text`` has empty lines in place of prose, and ``end master`` below a line to the game
    master that ends with the text; ``prose`` has the prose by paragraph.
    ``above`` and ``below``: its lines above the first and below the last line that looks like an order."""

    text: str
    prose: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


def without_prose(text: str, vocabulary: Vocabulary) -> Apart:
    """Separate ``text`` from the prose above its first order and below its last one."""
    if len(text) - text.count("\n") > _MOST:
        return Apart(text)
    lines = one_break(text).split("\n")
    remarked = [line.split("//", 1)[0].strip() for line in normalise(text).split("\n")]
    plain = [bare(line) or line for line in remarked]
    judge = _Judge(vocabulary)
    without_lines_to_master(lines, plain, lambda said: judge.is_order(said, before=False))
    first = next((n for n, said in enumerate(plain) if judge.is_order(said, before=True)), len(plain))
    last = next((n for n in range(len(plain) - 1, first, -1) if judge.is_order(plain[n], before=False)), first)
    if first < len(plain):
        first, last = judge.top(plain, first), judge.bottom(plain, last)
        last = max([last, *(press.last for press in passages(lines))])
    paragraphs: list[list[str]] = [[]]
    above, below = list[str](), list[str]()
    for number, said in enumerate(plain):
        if said and not first <= number <= last:
            paragraphs[-1].append(lines[number].strip())
            (above if number < first else below).append(lines[number].strip())
            lines[number] = ""
        elif paragraphs[-1]:
            paragraphs.append([])
    prose = tuple(" ".join(one) for one in paragraphs if one)
    return Apart("\n".join(lines), prose, tuple(above), tuple(below))


def may_order(text: str) -> bool:
    """True if ``text`` has a word that is, or nearly is, one with which an order of any title begins. Always True for
    long texts, which are not searched."""
    if len(text) > _MOST:
        return True
    words = {word.casefold() for word in _words(normalise(text))}
    return any(_near_to(word, title) for title in titles() for word in words)


def _words(clause: str) -> list[str]:
    return [word for said in clause.split() if any(map(str.isalnum, word := said.strip(_EDGES)))]


@lru_cache(maxsize=32)
def _meant(title: str) -> dict[str, frozenset[str]]:
    """A form of a written word -> the opening keywords that it may stand for."""
    grammar = notation(title)
    opening = {grammar.words[terminal] for terminal in grammar.opening if terminal in grammar.words} | _FRAME
    found: dict[str, set[str]] = {}
    for word in opening:
        for written in (*slips(word), alike(word), *_inflected(word)):
            found.setdefault(written, set()).add(word)
    return {written: frozenset(words) for written, words in found.items()}


def _inflected(word: str) -> Iterator[str]:
    for stem in (word, word.removesuffix("e"), word + word[-1]):
        yield from (stem + ending for ending in _ENDINGS)


def _near_to(written: str, title: str) -> frozenset[str]:
    """The opening keywords that ``written``, in lower case, is or may be a mistyped form of."""
    meant = _meant(title)
    return frozenset(word for form in (*slips(written), alike(written)) for word in meant.get(form, ()))


class _Judge:
    """Tells the lines that look like an order of one game from all others. ``before``: the line is above all orders,
    where a name may be the head of the next lines, and ``check`` may ask for a trial."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.lexicon = lexicon(vocabulary)
        self.keywords = notation(vocabulary.title).keywords
        self.opening = frozenset(w for w, meant in _meant(vocabulary.title).items() if w in meant) - _CHATTY
        self.companies = frozenset(vocabulary.companies)
        self.players = frozenset(map(key, vocabulary.players))
        self.near_actors = frozenset(one for name in self.lexicon.actors if len(name) > 2 for one in slips(name))
        self.explained = 0

    def is_order(self, said: str, *, before: bool) -> bool:
        if said.startswith((">", "|", CUT)):
            return True
        words = self._figured(said)
        if not words:
            return False
        beginnings = [one for piece in _PIECE.split(said) if (one := self._figured(piece))]
        if self._heads(said, words, before=before) or any(self._begins(one[0], one[1:]) for one in beginnings):
            return True
        if before and ("check" in map(str.casefold, words) or self._meant_as(words) or self._attributes(said)):
            return True
        if (glued := _GLUED.match(said)) and self._is_keyword(glued[1].casefold()):
            return True
        clauses = [one for clause in _CLAUSE.split(said) if (one := _words(clause))]
        whole = [words] if len(words) <= _ONE_THOUGHT else clauses
        if (words == _words(said) and self._only_names(words)) or any(map(self._together, whole)):
            return True
        if any(map(self._inside, clauses)):
            return True
        natural = dict.fromkeys((said, said.partition(",")[0], *self._told(words, said)))
        return len(words) <= _ONE_THOUGHT and any(read_naturally(one, self.vocabulary, "") for one in natural)

    def _told(self, words: Sequence[str], said: str) -> Iterator[str]:
        """The part of ``said`` that a company does in a sentence: `declines` in `met declines`."""
        if self.lexicon.actors.get(words[0].casefold()) in self.companies and in_sentence(" ".join(words[1:2])):
            yield said.partition(words[0])[2].strip()

    def _is_keyword(self, word: str) -> bool:
        """True if ``word`` opens an order or is for the moderator, or may be a mistyped ``check``. A right ``check`` is
        left to the search for trials."""
        return word != "check" and (
            word in self.opening or word in _TOLD or "check" in _near_to(word, self.vocabulary.title)
        )

    # ---- who acts

    def _heads(self, said: str, words: Sequence[str], *, before: bool) -> bool:
        """True if ``said`` may be the head of a section or begin with one."""
        head, colon, rest = said.partition(":")
        name = key(head).removeprefix("as ")
        signed = name in self.players or (len(name) == 1 and rest.strip())
        if name in self.lexicon.actors and (before or not signed or (colon and name in self.players)):
            return True
        alone = before and not rest.strip()
        if alone and (colon or said == words[0]) and len(name) > 2 and slips(name) & self.near_actors:
            return True
        if alone and colon and self._may_name(words):
            return True
        if words[0].removesuffix("'s") in self.companies and len(words[0]) > 1:
            return True
        return before and any(" ".join(map(key, words[:n])).removesuffix("'s") in self.players for n in (1, 2, 3))

    def _attributes(self, said: str) -> bool:
        """True if the line names a player and may attribute what is below it to him: it ends with a colon, is a field
        of a header (`From: Ann`), or has a date. The orders below may be old ones, or for another actor."""
        names = [place for place, word in enumerate(said.split()) if key(word.strip(_EDGES)) in self.players]
        field = key(said.partition(":")[2].strip(_EDGES)) in self.players
        return bool(names) and (said.endswith(":") or field or _DATED.search(said) is not None)

    def _may_name(self, words: Sequence[str]) -> bool:
        """True if the line may name the actor of the orders below it: `Orders for NW`, `for nw`."""
        return any(map(self._names, words)) or any(self._known(one) and len(one) > 1 for one in words[-1:])

    # ---- what is ordered

    def _begins(self, first: str, rest: Sequence[str]) -> bool:
        """True if ``first`` is an opening keyword, or so near to one that the line is an attempt at an order."""
        written = first.casefold()
        meant = _near_to(written, self.vocabulary.title)
        if written in self.opening or any(_surely(written, word) for word in meant):
            return True
        if any(self._goes_on(word, rest, guess=True) for word in meant if rest or _near(written, word)):
            return True
        return any(map(self._joined, (first, _BETWEEN.split(first)[0], first + "".join(rest[:1]))))

    def _meant_as(self, words: Sequence[str]) -> bool:
        """True if ``words`` are an order but for the first, which is one of another game or language: `skip`."""
        meant = (word for word in MEANT.get(words[0].casefold(), ()) if word in self.keywords)
        return any(reads(" ".join((word, *words[1:])), self.vocabulary) for word in meant)

    def _joined(self, written: str) -> bool:
        """True if ``written`` begins with an opening keyword without a right space: `runbest`, `bidv30`, `buyG RR`."""
        for end in range(3, min(len(written), LONGEST) + 1):
            if written[:end].casefold() not in self.opening:
                continue
            rest = written[end:].lstrip("#")
            if not rest or rest[0].isdigit():
                return True
            begun = (rest, rest.casefold(), rest[1:].lstrip("#"), _BETWEEN.split(rest)[0])
            if self._word(*begun) or any(key(one) in self.players for one in begun):
                return True
        return False

    def _word(self, *written: str) -> bool:
        return any(word in self.keywords or self._thing(word) for word in written)

    def _goes_on(self, word: str, rest: Sequence[str], *, guess: bool = False, least: int = 2) -> bool:
        """True if ``word`` and ``rest`` can be read as an order, or as the beginning of one with ``least`` words or
        more. ``guess``: True also if the word after ``word`` is near to one that could stand there."""
        if word in _FRAME:
            about = any(self._thing(one) or key(one) in {*self.players, EVERYONE} for one in rest)
            return not rest or (about and word != "end")
        text = " ".join((word, *rest[:_FAR]))
        try:
            read_piece(text, self.vocabulary, "")
        except StuckError as fault:
            if fault.lexeme is None:
                return len(rest) + 1 >= least
            read = text.count(" ", 0, fault.lexeme.start)
            guess = guess and read == 1 and word not in _CHATTY and len(rest[0]) > 1
            return read >= least or (guess and self._nearly(text, fault))
        except ExitsError:
            pass
        return True

    def _nearly(self, text: str, fault: StuckError) -> bool:
        self.explained += 1
        if self.explained > _EXPLAINED:
            return True
        return explain(Piece(text, ((0, 1, 1),)), fault, self.vocabulary).nearest is not None

    def _inside(self, clause: Sequence[str]) -> bool:
        """True if there is an order anywhere in a clause: `ok, done`, `please pass`, `then I bdi 30`."""
        for place, written in enumerate(clause):
            rest, said = clause[place + 1 :], written.casefold()
            for word in _near_to(said, self.vocabulary.title) - _FRAME:
                exact = said == word and word not in _CHATTY
                if place and said != word and word in _CHATTY:
                    continue  # any word may follow `zone`: `well done Bob` is not `zone Bob`
                if place and not exact:
                    found = bool(rest) and self._goes_on(word, rest, least=3)
                else:
                    alone = not rest and (not _near(said, word) or (place and len(clause) > _SHORT))
                    found = not alone and self._goes_on(word, rest, guess=True)
                if found:
                    return True
        return False

    # ---- of what

    def _together(self, words: Sequence[str]) -> bool:
        """True if ``words`` contain both an opening keyword and a name or amount that it may be about."""
        return any(word.casefold() in self.opening for word in words) and any(map(self._thing, words))

    def _only_names(self, words: Sequence[str]) -> bool:
        """True if ``words`` are nothing but names, amounts and keywords, with at least one name or amount: `TSR 25`,
        the rest of a run."""
        return any(map(self._thing, words)) and all(self._word(word, word.casefold()) for word in words)

    def _figured(self, said: str) -> list[str]:
        return _words(_LONG_FIGURES.sub(" ", said))

    def _thing(self, word: str) -> bool:
        """True if ``word`` is, or is like, a company, private, hex, tile, train or amount."""
        if _FIGURE.fullmatch(word) or self.lexicon.amount(word.casefold()) is not None:
            return True
        if len(word) == 1:
            return word in self.companies
        parts = word.split("-")
        return self._known(word) or (len(parts) > 1 and all(_FIGURE.fullmatch(part) for part in parts if part))

    def _known(self, word: str) -> bool:
        kinds = {kind for kind, _ in self.lexicon.meanings(word, {})}
        return bool(kinds - {"A_POINT", "A_POOL", "A_ADDRESS", "A_ZONE"})

    def _of_the_game(self, word: str) -> bool:
        """True if ``word`` surely belongs to the game: as ``_thing``, but words of letters alone count only if they
        surely name a company or private, because companies may have names such as `ok` or `se`."""
        return self._names(word) or (self._thing(word) and not word.isalpha())

    def _names(self, word: str) -> bool:
        """True if ``word`` surely names a company or private: it is spelt as printed, or has more than two letters."""
        known = {name for kind, name in self.lexicon.meanings(word, {}) if kind in _NAMED}
        return bool(known) and len(word) > 1 and (word in known or len(word) > 2)

    # ---- the paragraphs of the first and the last order

    def top(self, plain: Sequence[str], first: int) -> int:
        """The line at which reading begins. A line directly above the orders is read if it names anything of the game.
        A line in the paragraph above is read if it names a company, because it may name the actor."""
        above = first
        while above and plain[above - 1]:
            above -= 1
        for number in range(above, first):
            words = _words(plain[number])
            if any(self._of_the_game(word) or key(word) in self.players for word in words) or self._may_name(words):
                return number
        end = above
        while end and not plain[end - 1]:
            end -= 1
        begin = end
        while begin and plain[begin - 1]:
            begin -= 1
        return next((n for n in range(begin, end) if self._may_name(_words(plain[n]))), first)

    def bottom(self, plain: Sequence[str], last: int) -> int:
        """The line at which reading ends. A line directly below the orders is read if it names anything of the game, or
        if it may continue the last order."""
        end = last
        for number in range(last + 1, len(plain)):
            if not plain[number]:
                break
            words = [word for word in self._figured(plain[number]) if number == end + 1 or not word.isdigit()]
            if any(map(self._of_the_game, words)) or (number == end + 1 and self._continues(plain[end], plain[number])):
                end = number
        return end

    def _continues(self, order: str, line: str) -> bool:
        begun = re.split("[;:]", order)[-1].strip()
        if not begun or not line:
            return False
        try:
            read_piece(f"{begun} {line}", self.vocabulary, "")
        except StuckError as fault:
            return fault.lexeme is None or fault.lexeme.start > len(begun) + 1
        except ExitsError:
            pass
        return True


_NAMED: Final = frozenset({"A_COMPANY", "A_PRIVATE", "A_MOUNTAIN", "A_TUNNEL"})


def _surely(written: str, word: str) -> bool:
    """True if ``written`` is so near to ``word`` that no other evidence is needed: it has the same letters, or
    characters that look like them, or ``word`` is long."""
    if written == word or word in _CHATTY:
        return False
    if alike(written) == alike(word) or (sorted(written) == sorted(word) and _near(written, word)):
        return True
    return len(word) >= _SURE and _near(written, word) and written not in (word, *_inflected(word))


def _near(written: str, word: str) -> bool:
    if alike(written) == alike(word) or written in _inflected(word):
        return True
    return distance(written, word) <= (_TWICE if len(word) >= LONG else 1)


_SURE: Final = 5
_TWICE: Final = 2
