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
from moderator.domain.advice import letter_words as words
from moderator.domain.advice.dictation import dictated, with_short_names

LONGEST: Final = 1_500
"""The maximum number of characters of a letter in which orders are looked for."""
_MOST_HASTY: Final = 14
"""The maximum number of words of such a text, if it has any marks between words."""


@dataclass(frozen=True, slots=True)
class Told:
    """The contents of a letter: ``orders`` on one line, as they may be sent, "" if there are none or they are not
    clear; and the parts of it that may tell more but are ``left`` out."""

    orders: str = ""
    left: tuple[str, ...] = ()


def orders_told(
    game: Game, asks: Sequence[Ask], text: str, names: Vocabulary, stands: Callable[[Sequence[o.Order]], bool]
) -> Told:
    """The orders that ``text`` tells for one of ``asks``, all of one player. ``stands`` tries orders together."""
    if not asks or len(text) > LONGEST or "?" in text:
        return Told()
    plain = dictated(with_short_names(words.WRAPPED.sub(" ", normalise(text)), game.title), names)
    named = {word for word in re.findall(r"[\w&-]+", plain) if word in names.companies}
    ask = next((ask for ask in asks if ask.actor in named), asks[0])
    reader = _Letter(game.fork(), ask, names)
    hasty = "." not in plain and (len(plain.split()) <= _MOST_HASTY or not re.search(r"[,;\n]", plain.strip()))
    sentences = iter(words.SENTENCES.split(plain))
    if not all(reader.sentence(sentence, words.HASTY if hasty else words.CLAUSES) for sentence in sentences):
        for sentence in sentences:
            reader.leave(sentence)
    given = reader.given or reader.refused(plain)
    if reader.unclear or not given or not stands(given):
        return Told()
    head = "" if len(asks) == 1 and ask.actor == ask.player else f"{ask.actor}: "
    left = filter(reader.more, reader.left) if reader.given else ()
    return Told(head + "; ".join(write(order, names) for order in given), tuple(left))


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
    bought: bool = False
    """True after a purchase in the sentence: other trains named in it are bought, too."""
    left: list[str] = field(default_factory=list)
    """The parts that may tell more than the orders found."""

    # ---- sentences and clauses

    def sentence(self, text: str, marks: re.Pattern[str]) -> bool:
        """Read one sentence. False if nothing behind it can be read: the turn is over, or it is about somebody else."""
        self.begun, self.sold, self.bought = "", False, False
        if words.ASKED_AGAIN.search(text) and self._passes_on():
            return False
        if words.LATER.search(text) and any(name != self.ask.actor for name in self._companies(text)):
            self.leave(text)  # it is about the turn of another company
            return False
        if words.IF.search(text) and not words.AUTO.search(text) and not self.ask.what.startswith("auction"):
            self.unclear = True
        if self._asked() and not self._of_another(text) and (found := self._mergers(text)):
            self.unclear = self.unclear or len(found) > 1
            self._give(found[0])
            self.left += (clause.strip() for clause in marks.split(text) if words.numbers(clause))
            return False  # what follows from it is asked later
        ends = [(mark.start(), mark.end()) for mark in marks.finditer(text)]
        start = 0
        for end, begins in (*ends, (len(text), len(text))):
            before = tuple(self.given), self.begun
            if not self._clause(text[start:end]):
                self.leave(text[begins if len(self.given) > len(before[0]) else start :])
                return False
            if (tuple(self.given), self.begun) == before and not isinstance(self._last, o.Bid):
                self.leave(text[start:end])
            start = begins
        return not self._left_open()

    def leave(self, text: str) -> None:
        """Note a part of the letter without orders, if it may tell some: not one that only leaves something out."""
        if text.strip().casefold() == "full" and isinstance(self._last, o.Pay):
            return
        named = {name for name in self._companies(text) if name != self.ask.actor} or self._privates(text)
        told = any(kind.search(text) for kind in words.TELLING)
        over = words.ENDS.search(text) and not self._asked()
        if named or (told and not over and not (words.NOT.search(text) and not words.numbers(text))):
            self.left.append(" ".join(text.split()))

    def more(self, part: str) -> bool:
        """True if a part that was left out says more than a limit or a dividend among the orders does."""
        if words.numbers(part) or any(name != self.ask.actor for name in self._companies(part)):
            return True
        bids = words.BIDS.search(part) or words.OUT.search(part)
        limited = any(isinstance(order, o.Limit) for order in self.given) and self.ask.actor == self.ask.player
        paid = any(isinstance(order, o.Pay | o.Dividend) for order in self.given)
        acts = any(kind.search(part) for kind in (words.BUYS, words.SELLS, words.BUILDS, words.ROUTES, words.MARKS))
        return acts or not ((limited and bids) or (paid and words.PAYS.search(part)))

    def _left_open(self) -> bool:
        """A lay was begun in the sentence, and not told in full."""
        self.unclear = self.unclear or bool(self.begun)
        return bool(self.begun)

    def _clause(self, clause: str) -> bool:
        if not clause.strip():
            return True
        if isinstance(self._last, o.Bid):
            if words.MOST.search(clause) and (numbers := words.numbers(clause)):
                self.given += filter(None, [self._read(f"limit {numbers[-1]}")])
            return True
        if words.AUTO.search(clause) and self._passes_on():
            return False
        if not self._asked() or self._of_another(clause):
            return False
        before = self._last
        for texts in self._ways(f"{self.begun} {clause}" if self.begun else clause, clause):
            if self._last is not before:
                return True
            if texts:
                found = [order for text in texts if (order := self._legal(text)) is not None]
                self.unclear = self.unclear or len(found) != 1
                if found:
                    self._give(found[0])
                return True
        if self.begun or (words.BUILDS.search(clause) and not words.NOT.search(clause)):
            self.begun = f"{self.begun} {clause}".strip()
        elif re.search(r"[0-9]", clause) and not words.BESIDE.search(clause) and not self._of_lay(clause):
            self.unclear = True
        return True

    def _passes_on(self) -> bool:
        """Note a pass for the rest of the round. False if the title has no such order."""
        order = self._read("pass until anybody acts")
        self.given += [] if order is None else [order]
        return order is not None

    @property
    def _last(self) -> o.Order | None:
        return self.given[-1] if self.given else None

    def _of_lay(self, clause: str) -> bool:
        """True if a clause only says once more where the lay before it is, or how it is turned."""
        lay, turned = self._last, words.TURN.search(clause)
        if not isinstance(lay, o.Lay) or (turned and int(turned[turned.lastindex or 1]) != lay.rotation):
            return False
        said = re.sub(rf"\b{lay.hex}\b", "", words.TURN.sub("", clause), flags=re.IGNORECASE)
        return re.search(r"[0-9]", said) is None

    def _asked(self) -> bool:
        return not self.over and any(ask.actor == self.ask.actor for ask in self.game.asked())

    def refused(self, text: str) -> list[o.Order]:
        """The way to do nothing, if the letter only says that nothing is wanted."""
        menu = [choice.sample(0) for choice in self.game.legal(self.ask.actor)]
        if words.OUT.search(text) and not words.numbers(text):
            out: list[o.Order] = [one for one in menu if isinstance(one, o.Drop)]
            return out[:1]
        if not words.NOT.search(text) or any(name != self.ask.actor for name in self._companies(text)):
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
        kinds, no = {type(order) for order in menu}, words.NOT.search(clause) is not None
        if len(lays := self._lays(built, menu)) == 1:
            self.begun = ""
            yield lays
        self.begun = self.begun or (built if lays else "")  # the turn may follow
        if kinds & {o.Agree, o.Nationalise} and not self.given:
            yield self._answers(clause, menu)
        if words.MARKS.search(clause) and not no:
            laid = [order.hex for order in self.given if isinstance(order, o.Lay)]
            there = laid[-1:] if words.THERE.search(clause) else []
            yield [f"token {hex}" for hex in self._hexes(clause) or there] or ["token"]
        if route := words.ROUTE.search(clause):
            yield [f"run {train} {route[0].upper()}" for train in self._trains(clause)]
        if o.RunBest in kinds and words.RUNS.search(clause) and not no:
            yield ["run best"]
        if o.Dividend in kinds and words.PAYS.search(clause) and (sums := words.numbers(clause)):
            yield [f"dividend {sums[-1]}"]
        if kinds & {o.Pay, o.Dividend} and words.PAYS.search(clause):
            yield [self._payment(clause)]
        if words.LOANS.search(clause) and not no:
            yield [f"{'repay' if words.REPAYS.search(clause) else 'loan'} {next(iter(words.numbers(clause)), '1')}"]
        yield self._deals(clause)
        if kinds & {o.Bid, o.Drop, o.Start} or any(write(one, self.names).startswith("auction ") for one in menu):
            yield self._bids(clause)
        if o.Done in kinds and self.given and (words.ENDS.search(clause) or (no and words.NO_MORE.search(clause))):
            yield ["done"]

    def _lays(self, clause: str, menu: Iterable[o.Order]) -> list[str]:
        """The lays that a clause tells by tile, space and turn; one that leaves the turn open is unclear if there are
        several."""
        hexes, said = self._hexes(clause), set(re.findall(r"[\w+]+", clause.casefold()))
        lays = [one for one in menu if isinstance(one, o.Lay) and one.hex in hexes and str(one.tile).casefold() in said]
        if (turned := words.TURN.search(clause)) or (turned := re.search(r"\b([0-5])\W*$", clause.rstrip())):
            lays = [one for one in lays if one.rotation == int(turned[turned.lastindex or 1])] or lays
        sides = {(one[1] or "x")[0].strip("x") + (one[2] or "x")[0].strip("x") for one in words.SIDE.finditer(clause)}
        if len(lays) > 1 and (joined := {side.upper() for side in sides} & {*self.names.edges}):
            lays = [one for one in lays if joined <= self._joins(one)] or lays
        return [write(one, self.names) for one in lays]

    def _joins(self, lay: o.Lay) -> set[str]:
        """The names of the sides that a tile joins as it is laid."""
        return {self.names.edges[(edge + lay.rotation) % 6] for edge in self.names.tiles.get(lay.tile, ())}

    def _answers(self, clause: str, menu: Iterable[o.Order]) -> list[str]:
        yes = words.YES.search(clause) is not None and not words.NOT.search(clause)
        wanted = ("agree", "yes") if yes else ("refuse", "no")
        if not yes and not words.NOT.search(clause):
            return []
        texts = [write(order, self.names) for order in menu]
        return [text for text in texts if text.split()[0] in wanted or text.split()[-1] in wanted]

    def _mergers(self, text: str) -> list[o.Order]:
        """The mergers and conversions with all companies that a sentence names, and no other, into the one that it says
        will survive, if it says so."""
        said = {*self._companies(text), str(self.ask.actor)}
        if len(said) < 2 or not words.MERGES.search(text) or words.NOT.search(text):
            return []
        menu = [choice.sample(0) for choice in self.game.legal(self.ask.actor)]
        found = [one for one in menu if isinstance(one, o.Merge | o.Convert) and _parties(one) == said]
        stays = {name for pair in words.SURVIVES.findall(text) for name in pair}
        return [one for one in found if str(one.into) in stays] or [*found]

    def _payment(self, clause: str) -> str:
        if words.KEEPS.search(clause) or words.PAYS_NOTHING.search(clause):
            return "pay none"
        return "pay half" if words.HALF.search(clause) else "pay full"

    def _deals(self, clause: str) -> list[str]:
        """Sales and purchases of shares, trains and privates, and new companies."""
        if words.NOT.search(clause):
            return []
        companies = [name for name in self._companies(clause) if name != self.ask.actor]
        numbers, privates = words.numbers(clause), self._privates(clause)
        price = numbers[-1] if numbers else ""
        buys = words.BUYS.search(clause) is not None
        starts = words.STARTS.search(clause) is not None
        if companies and (words.SELLS.search(clause) or (self.sold and not buys and not starts)):
            self.sold = True
            count = numbers[0] if numbers and int(numbers[0]) < 10 else self._most(companies[0], clause)
            count = 2 if words.BOTH.search(clause) else count
            return self._sale(f"{count} {companies[0]}")
        if starts and price and companies:
            places = [*(f" in {hex}" for hex in self._hexes(clause)), ""]
            ways = [f"start {companies[0]} at {price}{place}" for place in places]
            return [text for text in ways if self._legal(text) is not None][:1] or ways[:1]
        if not buys and not (self.bought and self._trains(clause)):
            return []
        self.bought = True
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
        if not words.ALL.search(clause):
            return 1
        return next((count for count in range(9, 1, -1) if self._legal(f"sell {count} {company}") is not None), 1)

    def _sale(self, text: str) -> list[str]:
        """A sale, as a part of the one before it where a title sells the shares of several companies at once."""
        before = self._last
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
        numbers = words.numbers(clause)
        if not numbers:
            return []
        companies, number = self._companies(clause), numbers[-1]
        lots = [*companies, *self._privates(clause)]
        if lots and words.AUCTIONS.search(clause):
            return [f"auction {lots[0]} at {number}"]
        if not (words.BIDS.search(clause) or words.MOST.search(clause)):
            return []
        word = "limit" if words.MOST.search(clause) else "bid"
        places = [*(f" in {hex}" for hex in self._hexes(clause)), ""]
        ways = [f"{word} {number} on {lot}" for lot in lots[:1]]
        ways += [f"start {name} at {number}{place}" for name in companies[:1] for place in places if word == "bid"]
        return [text for text in ways if self._legal(text) is not None][:1] or [f"{word} {number}"]

    # ---- names

    def _companies(self, clause: str) -> list[str]:
        return [word for word in dict.fromkeys(re.findall(r"[\w&-]+", clause)) if word in self.names.companies]

    def _privates(self, clause: str) -> list[str]:
        every = (*self.names.privates, *self.names.tunnels)
        return [name for name in every if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", clause)]

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
        found = [names[one.casefold()] for one in words.TRAIN.findall(clause) if one.casefold() in names]
        return list(dict.fromkeys(found))


def _parties(order: o.Merge | o.Convert) -> set[str]:
    minors = order.minors if isinstance(order, o.Merge) else ()
    return {str(order.actor), *map(str, minors), str(order.into)}
