"""Find the orders that a letter tells in its own words: a turn that its writer may send as it is.

Nothing found here is ever carried out. It is shown to the writer, who may send it. So a letter may be read more freely
than orders are: numbers in words, spelled letters, names of cities, and sentences in which only the main words count.
Still each order is legal after those before it, and what names a space without saying which lay is meant yields
nothing, so that no proposal is a guess between several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import Ask, Game, Refused
from engine.core import orders as o
from engine.core.events import LotDrawn, RoundBegan
from engine.core.ids import POOL
from grammar import Vocabulary, write
from grammar.builders.orders import ExitsError
from grammar.builders.words import Word
from grammar.faults import read_piece
from grammar.normalise import normalise
from grammar.parser import StuckError
from moderator.domain.advice.dictation import dictated, with_short_names

LONGEST: Final = 1_500
"""The maximum number of characters of a letter in which orders are looked for."""
_SENTENCES: Final = re.compile(r"[.!?](?=\s|$)|\n\s*\n|\n(?=[A-Z])")
_CLAUSES: Final = re.compile(
    r";|\n|,(?!\s*(?:turn\w*|rotat\w*|orient\w*|so that|tow?ards|for|at|with|from)\b)|\band\b|\bthen\b|\bbut\b",
    re.IGNORECASE,
)
_HASTY: Final = re.compile(r";|,|\n|\band\b|\bthen\b|\s(?=(?:buy|sell|run|pay|token|full|done|no)\b)", re.IGNORECASE)
"""The parts of a text without sentences, whose writer leaves out what he can."""
_MOST_HASTY: Final = 14
"""The maximum number of words of such a text."""
_BESIDE: Final = re.compile(r"\b(?:receiv\w+|spends?|costs?|worth)\b", re.IGNORECASE)
"""Words beside a number that orders nothing."""
_BUILDS: Final = re.compile(r"\b(?:lays?|builds?|built|puts?|tiles?|track|upgrades?)\b", re.IGNORECASE)
_LOANS: Final = re.compile(r"\bloans?\b", re.IGNORECASE)
_REPAYS: Final = re.compile(r"\b(?:repay|pay(?:s|ing)? back|return)\w*", re.IGNORECASE)
_SURVIVES: Final = re.compile(
    r"\b(?:into|name of|called|form|become|by)\W+(?:the )?([\w&-]+)|([\w&-]+) (?:survives|stays|remains)"
)
_TURN: Final = re.compile(
    r"\b(?:turn(?:ed)?|rotat\w*|rot|orientation)\W*(?:is |of |by |to |at )?([0-5])\b|\bwith ([0-5]) turns?\b",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"\b(?:[Nn]o|[Nn]ot|[Nn]ever|[Nn]othing|none|[Ww]ithout|[Nn]either|nor)\b|n't\b")
"""Words that forbid or leave out. A company may be called `NO`."""
_AUTO: Final = re.compile(r"\bauto[ -]?pass", re.IGNORECASE)
_IF: Final = re.compile(r"\b(?:if|unless|provided|in case|or else)\b", re.IGNORECASE)
"""Words of conditions, which no offer can tell."""
_RUNS: Final = re.compile(r"\b(?:runs?|running|routes?|trip|earns?|best)\b", re.IGNORECASE)
_PAYS: Final = re.compile(
    r"\b(?:pays?|paid|payout|dividends?|shareholders|distribut\w*|withholds?|keeps?|income|full|half)\b", re.IGNORECASE
)
_KEEPS: Final = re.compile(r"\b(?:withholds?|keep(?:s|ing)?|retain\w*)\b", re.IGNORECASE)
_PAYS_NOTHING: Final = re.compile(
    r"\bpays? (?:out )?(?:no|nothing|none)\b|\b(?:no|not|without|n't)\b(?: \w+){0,3} (?:pay|dividends?|payout)\b",
    re.IGNORECASE,
)
_HALF: Final = re.compile(r"\b(?:half|split)\b", re.IGNORECASE)
_BUYS: Final = re.compile(r"\b(?:buys?|bought|purchases?|takes?|acquires?|gets?|pars?)\b", re.IGNORECASE)
_NO_MORE: Final = re.compile(rf"{_BUYS.pattern}|\btrains?\b", re.IGNORECASE)
_SELLS: Final = re.compile(r"\b(?:sells?|sold|part with|dumps?|get rid of)\b", re.IGNORECASE)
_ALL: Final = re.compile(r"\b(?:all|everything|every share)\b", re.IGNORECASE)
_OUT: Final = re.compile(
    r"\b(?:i ?['\u2019]?m out|i am out|too (?:rich|expensive|much|high) for me|i drop|i leave)\b", re.IGNORECASE
)
_STARTS: Final = re.compile(r"\b(?:starts?|founds?|pars?|launch(?:es)?)\b", re.IGNORECASE)
_BIDS: Final = re.compile(
    r"\b(?:bids?|bidding|offers?|rais\w+|spend|go(?:es)?|pay|up to|max\w*|limit|stay)\b", re.IGNORECASE
)
_MOST: Final = re.compile(r"\b(?:not|never|no more|up to|at most|max\w*|limit|until|till)\b|n't\b", re.IGNORECASE)
_MARKS: Final = re.compile(r"\b(?:markers?|tokens?|stations?)\b", re.IGNORECASE)
_THERE: Final = re.compile(r"\b(?:there|on it|in it|same (?:place|hex|city))\b", re.IGNORECASE)
_MERGES: Final = re.compile(r"\b(?:merg\w+|join\w*|converts?|becomes?|into)\b", re.IGNORECASE)
_AUCTIONS: Final = re.compile(r"\bauction\w*\b", re.IGNORECASE)
_ENDS: Final = re.compile(
    r"\b(?:done|finished|ends?|end of (?:my|our|the|this) turn|(?:that|this) (?:is|will be) all|that's all)\b",
    re.IGNORECASE,
)
_YES: Final = re.compile(r"\b(?:yes|agree|accept|gladly|sure)\b", re.IGNORECASE)
_TRAIN: Final = re.compile(r"(?<![\w-])([0-9][0-9a-z+]*?)(?:t|[ -]?trains?)\b", re.IGNORECASE)
_ROUTE: Final = re.compile(r"\b[a-z]\d{1,2}(?:/\w+)?(?:-[a-z]\d{1,2}(?:/\w+)?)+\b", re.IGNORECASE)


def orders_told(
    game: Game, asks: Sequence[Ask], text: str, names: Vocabulary, stands: Callable[[Sequence[o.Order]], bool]
) -> str:
    """The orders that ``text`` tells for one of ``asks``, all of one player, on one line, as he may send them; "" if
    there are none, or if they are not clear. ``stands`` tries them together."""
    if not asks or len(text) > LONGEST or "?" in text:
        return ""
    plain = dictated(with_short_names(normalise(text), game.title), names)
    named = {word for word in re.findall(r"[\w&-]+", plain) if word in names.companies}
    ask = next((ask for ask in asks if ask.actor in named), asks[0])
    reader = _Letter(game.fork(), ask, names)
    hasty = len(plain.split()) <= _MOST_HASTY and "." not in plain
    for sentence in _SENTENCES.split(plain):
        if not reader.sentence(sentence, _HASTY if hasty else _CLAUSES):
            break
    given = reader.given or reader.refused(plain)
    if reader.unclear or not given or not stands(given):
        return ""
    alone = len(asks) == 1 and ask.actor == ask.player
    line = "; ".join(write(order, names) for order in given)
    return line if alone else f"{ask.actor}: {line}"


@dataclass(slots=True)
class _Letter:
    """A letter that is read clause by clause, with the ``game`` after the orders found so far. ``unclear``: a clause
    names several orders of which it may mean one."""

    game: Game
    ask: Ask
    names: Vocabulary
    given: list[o.Order] = field(default_factory=list)
    unclear: bool = False
    begun: str = ""
    """The clauses of the sentence that began to tell a lay."""
    over: bool = False
    """True after an order with which a round ended or a lot was drawn: what is legal then would tell the lot."""
    sold: bool = False
    """True after a sale in the sentence: other companies named in it are sold, too."""

    # ---- sentences and clauses

    def sentence(self, text: str, marks: re.Pattern[str]) -> bool:
        """Read one sentence. False if nothing behind it can be read: the turn is over, or it is about somebody else."""
        self.begun, self.sold = "", False
        if _IF.search(text) and not _AUTO.search(text) and not self.ask.what.startswith("auction"):
            self.unclear = True
        if self._asked() and not self._of_another(text) and (found := self._mergers(text)):
            self.unclear = self.unclear or len(found) > 1
            self._give(found[0])
            return False  # what follows from it is asked later
        return all(self._clause(clause) for clause in marks.split(text)) and not self._left_open()

    def _left_open(self) -> bool:
        """A lay was begun in the sentence, and not told in full."""
        self.unclear = self.unclear or bool(self.begun)
        return bool(self.begun)

    def _clause(self, clause: str) -> bool:
        if not clause.strip():
            return True
        if self.given and isinstance(self.given[-1], o.Bid):
            if _MOST.search(clause) and (numbers := _numbers(clause)):
                self.given += filter(None, [self._read(f"limit {numbers[-1]}")])
            return True
        if _AUTO.search(clause) and (order := self._read("pass until anybody acts")) is not None:
            self.given.append(order)
            return False
        if not self._asked() or self._of_another(clause):
            return False
        before = self.given[-1:]
        for texts in self._ways(f"{self.begun} {clause}" if self.begun else clause, clause):
            if self.given[-1:] != before:
                return True
            if texts:
                found = [order for text in texts if (order := self._legal(text)) is not None]
                self.unclear = self.unclear or len(found) != 1
                if found:
                    self._give(found[0])
                return True
        if self.begun or (_BUILDS.search(clause) and not _NOT.search(clause)):
            self.begun = f"{self.begun} {clause}".strip()
        elif re.search(r"[0-9]", clause) and not _BESIDE.search(clause) and not self._of_lay(clause):
            self.unclear = True
        return True

    def _of_lay(self, clause: str) -> bool:
        """True if a clause only says once more where the lay before it is, or how it is turned."""
        lay, turned = self.given[-1] if self.given else None, _TURN.search(clause)
        if not isinstance(lay, o.Lay) or (turned and int(turned[turned.lastindex or 1]) != lay.rotation):
            return False
        said = re.sub(rf"\b{lay.hex}\b", "", _TURN.sub("", clause), flags=re.IGNORECASE)
        return re.search(r"[0-9]", said) is None

    def _asked(self) -> bool:
        return not self.over and any(ask.actor == self.ask.actor for ask in self.game.asked())

    def refused(self, text: str) -> list[o.Order]:
        """The way to do nothing, if the letter only says that nothing is wanted."""
        menu = [choice.sample(0) for choice in self.game.legal(self.ask.actor)]
        if _OUT.search(text) and not _numbers(text):
            out: list[o.Order] = [one for one in menu if isinstance(one, o.Drop)]
            return out[:1]
        if not _NOT.search(text) or any(name != self.ask.actor for name in self._companies(text)):
            return []
        found: list[o.Order] = [one for one in menu if isinstance(one, o.Pass | o.Decline | o.Refuse)]
        return found[:1] if len(found) == 1 else []

    def _of_another(self, clause: str) -> bool:
        """True if a clause is about the turn of a company that is not asked."""
        first = re.match(r"\W*([\w&-]+)", clause)
        others = self.names.companies.keys() - {self.ask.actor}
        begins = first is not None and first[1] in others and self.ask.actor in self.names.companies
        return begins or re.search(rf"\bturn of (?:{'|'.join(map(re.escape, others))})\b", clause) is not None

    def _read(self, text: str) -> o.Order | None:
        try:
            order = read_piece(text, self.names, self.ask.actor)
        except (StuckError, ExitsError):
            return None
        return None if isinstance(order, Word) else order

    def _legal(self, text: str) -> o.Order | None:
        """``text`` as an order that is legal now, or may be given ahead in an auction."""
        order = self._read(text)
        if order is None or isinstance(order, o.Limit):
            return order
        return None if isinstance(self.game.check(order), Refused) else order

    def _give(self, order: o.Order) -> None:
        events = () if isinstance(order, o.Limit) else self.game.submit(order)
        if not isinstance(events, Refused):
            self.given.append(order)
            self.over = any(isinstance(event, RoundBegan | LotDrawn) for event in events)

    # ---- kinds of orders

    def _ways(self, built: str, clause: str) -> Iterator[list[str]]:
        """For each kind of order that a clause may tell, in turn, the orders that it may mean. ``built``: the clause
        with those before it that began to tell a lay."""
        menu = [choice.sample(0) for choice in self.game.legal(self.ask.actor)]
        kinds, no = {type(order) for order in menu}, _NOT.search(clause) is not None
        if len(lays := self._lays(built, menu)) == 1:
            self.begun = ""
            yield lays
        self.begun = self.begun or (built if lays else "")  # the turn may follow
        if kinds & {o.Agree, o.Nationalise} and not self.given:
            yield self._answers(clause, menu)
        if _MARKS.search(clause) and not no:
            laid = [order.hex for order in self.given if isinstance(order, o.Lay)]
            there = laid[-1:] if _THERE.search(clause) else []
            yield [f"token {hex}" for hex in self._hexes(clause) or there] or ["token"]
        if route := _ROUTE.search(clause):
            yield [f"run {train} {route[0].upper()}" for train in self._trains(clause)]
        if o.RunBest in kinds and _RUNS.search(clause) and not no:
            yield ["run best"]
        if o.Pay in kinds and _PAYS.search(clause):
            yield [self._payment(clause)]
        if _LOANS.search(clause) and not no:
            yield [f"{'repay' if _REPAYS.search(clause) else 'loan'} {next(iter(_numbers(clause)), '1')}"]
        yield self._deals(clause)
        if kinds & {o.Bid, o.Drop, o.Start} or any(write(one, self.names).startswith("auction ") for one in menu):
            yield self._bids(clause)
        if o.Done in kinds and self.given and (_ENDS.search(clause) or (no and _NO_MORE.search(clause))):
            yield ["done"]

    def _lays(self, clause: str, menu: Iterable[o.Order]) -> list[str]:
        """The lays that a clause tells by tile, space and turn; one that leaves the turn open is unclear if there are
        several."""
        hexes, said = self._hexes(clause), set(re.findall(r"[\w+]+", clause.casefold()))
        lays = [one for one in menu if isinstance(one, o.Lay) and one.hex in hexes and str(one.tile).casefold() in said]
        if (turned := _TURN.search(clause)) or (turned := re.search(r"\b([0-5])\W*$", clause.rstrip())):
            lays = [one for one in lays if one.rotation == int(turned[turned.lastindex or 1])] or lays
        return [write(one, self.names) for one in lays]

    def _answers(self, clause: str, menu: Iterable[o.Order]) -> list[str]:
        yes = _YES.search(clause) is not None and not _NOT.search(clause)
        wanted = ("agree", "yes") if yes else ("refuse", "no")
        if not yes and not _NOT.search(clause):
            return []
        texts = [write(order, self.names) for order in menu]
        return [text for text in texts if text.split()[0] in wanted or text.split()[-1] in wanted]

    def _mergers(self, text: str) -> list[o.Order]:
        """The mergers and conversions with all companies that a sentence names, and no other, into the one that it says
        will survive, if it says so."""
        said = {*self._companies(text), str(self.ask.actor)}
        if len(said) < 2 or not _MERGES.search(text) or _NOT.search(text):
            return []
        menu = [choice.sample(0) for choice in self.game.legal(self.ask.actor)]
        found = [one for one in menu if isinstance(one, o.Merge | o.Convert) and _parties(one) == said]
        stays = {name for pair in _SURVIVES.findall(text) for name in pair}
        return [one for one in found if str(one.into) in stays] or [*found]

    def _payment(self, clause: str) -> str:
        if _KEEPS.search(clause) or _PAYS_NOTHING.search(clause):
            return "pay none"
        return "pay half" if _HALF.search(clause) else "pay full"

    def _deals(self, clause: str) -> list[str]:
        """Sales and purchases of shares, trains and privates, and new companies."""
        if _NOT.search(clause):
            return []
        companies = [name for name in self._companies(clause) if name != self.ask.actor]
        numbers, privates = _numbers(clause), self._privates(clause)
        price = numbers[-1] if numbers else ""
        buys = _BUYS.search(clause) is not None
        starts = _STARTS.search(clause) is not None
        if companies and (_SELLS.search(clause) or (self.sold and not buys and not starts)):
            self.sold = True
            count = numbers[0] if numbers and int(numbers[0]) < 10 else self._most(companies[0], clause)
            return self._sale(f"{count} {companies[0]}")
        if starts and price and companies:
            return [f"start {companies[0]} at {price}"]
        if not buys:
            return []
        if privates:
            return [f"buy {privates[0]} for {price}" if price else f"buy {privates[0]}"]
        if trains := self._trains(clause):
            sources = [f"train {train} from {name} for {price}" for train in trains for name in companies if price]
            return sources or [f"train {train}{' from pool' if POOL in clause.casefold() else ''}" for train in trains]
        place = next((word for word in ("treasury", "ipo", "pool", "charter") if word in clause.casefold()), "")
        ways = [f" from {place}"] if place else ["", " from ipo", " from treasury"]
        texts = [f"buy {name}{way}" for name in companies[:1] for way in ways]
        return [text for text in texts if self._legal(text) is not None][:1] or texts[:1]

    def _most(self, company: str, clause: str) -> int:
        """The number of shares of ``company`` in a clause without a number: one, or as many as he may sell."""
        if not _ALL.search(clause):
            return 1
        return next((count for count in range(9, 1, -1) if self._legal(f"sell {count} {company}") is not None), 1)

    def _sale(self, text: str) -> list[str]:
        """A sale, as a part of the one before it where a title sells the shares of several companies at once."""
        before = self.given[-1] if self.given else None
        alone = f"sell {text}"
        if self._legal(alone) is not None or before is None or not write(before, self.names).startswith("sell "):
            return [alone]
        both = self._read(f"{write(before, self.names)}, {text}")
        earlier = self.game.fork()
        earlier.undo(len(earlier.orders) - 1)
        if both is None or isinstance(earlier.check(both), Refused):
            return [alone]
        self.game = earlier
        self.given.pop()
        self._give(both)
        return []

    def _bids(self, clause: str) -> list[str]:
        numbers = _numbers(clause)
        if not numbers:
            return []
        companies, number = self._companies(clause), numbers[-1]
        lots = [*companies, *self._privates(clause)]
        if lots and _AUCTIONS.search(clause):
            return [f"auction {lots[0]} at {number}"]
        if not (_BIDS.search(clause) or _MOST.search(clause)):
            return []
        word = "limit" if _MOST.search(clause) else "bid"
        places = [*(f" in {hex}" for hex in self._hexes(clause)), ""]
        ways = [f"{word} {number} on {lot}" for lot in lots[:1]]
        ways += [f"start {name} at {number}{place}" for name in companies[:1] for place in places if word == "bid"]
        return [text for text in ways if self._legal(text) is not None][:1] or [f"{word} {number}"]

    # ---- names

    def _companies(self, clause: str) -> list[str]:
        return [word for word in dict.fromkeys(re.findall(r"[\w&-]+", clause)) if word in self.names.companies]

    def _privates(self, clause: str) -> list[str]:
        return [name for name in self.names.privates if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", clause)]

    def _hexes(self, clause: str) -> list[str]:
        """The spaces that a clause names, by coordinates or by the name of a place that is there alone."""
        found = [
            word.upper() for word in re.findall(r"\b[a-zA-Z]\d{1,2}\b", clause) if word.upper() in self.names.hexes
        ]
        folded = clause.casefold()
        for place, hex in self.names.places.items():
            if len(place) > 3 and re.search(rf"\b{re.escape(place.casefold())}\b", folded):
                found.append(hex)
        return list(dict.fromkeys(found))

    def _trains(self, clause: str) -> list[str]:
        names = {train.casefold(): train for train in self.names.trains}
        found = [names[one.casefold()] for one in _TRAIN.findall(clause) if one.casefold() in names]
        return list(dict.fromkeys(found))


def _parties(order: o.Merge | o.Convert) -> set[str]:
    minors = order.minors if isinstance(order, o.Merge) else ()
    return {str(order.actor), *map(str, minors), str(order.into)}


def _numbers(clause: str) -> list[str]:
    """The numbers of a clause that are no part of a name, a train or a percentage."""
    return re.findall(r"(?<![\w-])[0-9]+(?![\w%-]|[ -]?train)", clause)
