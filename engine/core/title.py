"""A title is a value: data, a sequence of play, and policies. There is no base class to override.

A number or a list that differs between titles or editions is data (``engine.core.data``), a formula is a policy, and a
new kind of decision is a step. ``Play`` connects rules and position: it notes failed checks, emits events, and applies
them to the position. It is in this module because steps and policies take a play, and a play has a title.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from engine.board.map import Face
from engine.board.ways import ANY_WAY, Purpose, Ways
from engine.core.agenda import Ask, Lot, Menu
from engine.core.checks import Fact, Failure
from engine.core.data import TitleData
from engine.core.drawing import Drawing
from engine.core.events import BankBroke, Became, Event, LotDrawn, Paid, Popped, Pushed, Reason
from engine.core.evolve import evolve
from engine.core.ids import BANK, CompanyId, HexId, Owner, PlayerId, TrainName
from engine.core.lots import lot
from engine.core.orders import Order
from engine.core.state import Frame, Note, State
from engine.routes.reach import RunTraits

T = TypeVar("T", bound=str)


class Play:
    """A decision in progress. It is local to one call, so that the rules around it stay pure."""

    __slots__ = ("events", "failures", "state", "title")

    def __init__(self, title: Title, state: State) -> None:
        self.title = title
        self.state = state
        self.events: list[Event] = []
        self.failures: list[Failure] = []

    def require(self, holds: bool, check: str, **facts: Fact) -> bool:
        """Note the failure of ``check`` unless ``holds`` is True. Returns ``holds``."""
        if not holds:
            self.failures.append(Failure(check, facts))
        return holds

    def refuse(self, check: str, **facts: Fact) -> None:
        self.failures.append(Failure(check, facts))

    def note(self, failures: Iterable[Failure]) -> None:
        self.failures.extend(failures)

    def emit(self, *events: Event) -> None:
        """Emit events and apply them to the position. Not allowed after a failed check."""
        assert not self.failures, self.failures
        for event in events:
            self.events.append(event)
            self.state = evolve(self.title, self.state, event)

    def pay(self, payer: Owner, payee: Owner, amount: int, reason: Reason, about: str = "") -> None:
        """Pay an amount, unless it is 0. If the bank cannot pay in full or, under the ruling ``broke_at_zero``, has
        paid out its last money, it is broken and continues with IOUs."""
        if amount == 0:
            return
        self.emit(Paid(payer, payee, amount, reason, about))
        if payer == BANK and self.state.broke is None:
            left = self.state.cash[BANK]
            if left < 0 or (left == 0 and self.title.broke_at_zero):
                self.emit(BankBroke())

    def push(self, frame: Frame) -> None:
        """Interrupt what is under way by another decision. ``LookupError`` if the title has no step for it."""
        if type(frame) not in self.title.steps:
            raise LookupError(f"the steps of {self.title.name} have none for the frame {type(frame).__name__}")
        self.emit(Pushed(frame))

    def pop(self) -> None:
        self.emit(Popped())

    def become(self, frame: Frame) -> None:
        """Replace the frame on top."""
        self.emit(Became(frame))

    def draw(self, purpose: str, candidates: Sequence[T]) -> T:
        """Draw one of the candidates by lot. The lot follows from the seed of the game, its number and its purpose, so
        that everyone can verify it once the seed is published."""
        if len(candidates) == 1:
            return candidates[0]
        chosen = lot(self.state.seed.reveal(), self.state.lots, purpose, candidates)
        self.emit(LotDrawn(purpose, tuple(candidates), chosen))
        return chosen


F_contra = TypeVar("F_contra", bound=Frame, contravariant=True)


@runtime_checkable
class Priced(Protocol):
    """A step whose orders have prices."""

    def cost(self, title: Title, state: State, frame: Any, order: Order) -> int | None:
        """The cost of the order to its actor; None if it has no price."""
        ...


class Step(Protocol[F_contra]):
    """One kind of decision. All four functions are pure in the position; ``Play`` collects the results."""

    def asked(self, title: Title, state: State, frame: F_contra) -> tuple[Ask, ...]:
        """The questions asked while ``frame`` is on top. If there are none, ``advance`` is called."""
        ...

    def menu(self, title: Title, state: State, frame: F_contra, ask: Ask) -> Menu:
        """The possible answers to ``ask``."""
        ...

    def decide(self, play: Play, frame: F_contra, ask: Ask, order: Order) -> None:
        """Check ``order`` and emit its events, or note every failed check and emit nothing."""
        ...

    def advance(self, play: Play, frame: F_contra) -> None:
        """Take the next automatic step; called only while nobody is asked."""
        ...


def _fixed_markers(title: Title, state: State, company: CompanyId) -> int:
    return (state.charters.get(company) or title.companies[company].charter).markers


def _no_lot(title: Title, state: State) -> Lot | None:
    return None


def _no_lots(title: Title, state: State) -> tuple[str, ...]:
    return ()


def _no_price(title: Title, state: State, order: Order) -> int | None:
    return None


def _all_settled(title: Title, state: State) -> Mapping[CompanyId, tuple[str, str]]:
    return {}


def _no_pars(title: Title, state: State) -> tuple[CompanyId, ...]:
    return ()


def _no_remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    return {}


def _nothing_unasked(title: Title, state: State, player: PlayerId) -> Menu:
    return ()


def _no_order_unasked(play: Play, order: Order) -> bool:
    return False


def _no_credit(title: Title, state: State, company: CompanyId) -> int:
    return 0


def _always_open(title: Title, state: State, hex: HexId) -> bool:
    return False


def _as_printed(title: Title, state: State, hex: HexId, new: Face) -> int:
    return state.board.face(hex).terrain + state.board.crossing_cost(hex, new)


def _as_charted(title: Title, hex: HexId, old: str, new: str) -> bool:
    return True


def _any_way(title: Title, state: State, company: CompanyId, purpose: Purpose) -> Ways:
    return ANY_WAY


def _nothing_first(play: Play) -> None:
    pass


def _any_exits(title: Title, color: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """The formulas in which titles differ, as functions of the position. Shared steps know nothing else of a title. The
    defaults are the formulas of most titles: a title gives only those in which it differs."""

    director: Callable[[Title, State, CompanyId], PlayerId | None]
    """The player who decides for a company now."""
    operating_order: Callable[[Title, State], tuple[CompanyId, ...]]
    train_limit: Callable[[Title, State, CompanyId], int]
    marker_cost: Callable[[Title, State, CompanyId, HexId], int]
    reserved: Callable[[Title, State, HexId, CompanyId], tuple[tuple[CompanyId, int], ...]]
    """The other companies that have a claim to a free circle of the hex, each with the city index."""
    train_bought: Callable[[Play, CompanyId, TrainName], None]
    """Carries out all effects of the purchase of a new train, such as a new phase and rust."""
    run_traits: Callable[[Title, State, CompanyId], RunTraits]
    """The part of the position that determines the value of this company's runs: off-board colour, bonuses, trains."""
    ways: Callable[[Title, State, CompanyId, Purpose], Ways] = _any_way
    """The terms of the search for the company's ways now: the sides that they may not cross, and the markers at which
    they begin."""
    lay_cost: Callable[[Title, State, HexId, Face], int] = _as_printed
    """The cost of terrain for a lay or an upgrade in the hex now, for the shared act of laying track. The face is that
    of the new tile as it is turned; the face that lies there stands for the least that any tile costs."""
    hex_closed: Callable[[Title, State, HexId], bool] = _always_open
    """True if no track may be laid in the hex now."""
    upgrade_allowed: Callable[[Title, HexId, str, str], bool] = _as_charted
    """True if the title's restrictions beyond the upgrade chart allow the new tile to replace the old one
    in the hex."""
    most_exits: Callable[[Title, str], bool] = _any_exits
    """True if the upgrade of a city to this colour must use a tile with the most exits possible."""
    credit: Callable[[Title, State, CompanyId], int] = _no_credit
    """The money that a company can still borrow for a train."""
    bill: Callable[[Title, State, CompanyId], int] | None = None
    """The money that a company must pay for its turn in this position; None if companies get no bills."""
    markers: Callable[[Title, State, CompanyId], int] = _fixed_markers
    """The number of station markers that a company has in all."""
    remarks: Callable[[Title, State, str], Mapping[str, Any]] = _no_remarks
    """Additional facts of the title for the tables of a position: about a company or private, the whole game (``""``)
    or the map (``"map"``). The title's own texts use them."""
    unasked: Callable[[Title, State, PlayerId], Menu] = _nothing_unasked
    """The orders that a player may give at any moment, even if he is not asked; each entry names the actor."""
    decide_unasked: Callable[[Play, Order], bool] = _no_order_unasked
    """Decides an order of the kinds that may come at any moment, and returns True. For any other order it does nothing
    and returns False."""
    unsettled: Callable[[Title, State], Mapping[CompanyId, tuple[str, str]]] = _all_settled
    """The companies whose control is open while a decision is under way: a word for what happens to each (``merged``,
    ``formed``, ``divided``, ``broken_up``, ``taken``), and the company that it becomes, or an empty name. Such a
    company is not frozen, though nobody controls it now."""
    any_moment: frozenset[type[Order]] = frozenset()
    """The kinds of order that may come at any moment and are not steps of a turn."""
    before_asking: Callable[[Play], None] = _nothing_first
    """Called before each question and each automatic step. It ends the game (``GameOver``) if it is over, whatever is
    still on the agenda, and puts anything that must come before the question on the agenda."""
    lot: Callable[[Title, State], Lot | None] = _no_lot
    """The item that is up for auction now; None between auctions."""
    lots_to_come: Callable[[Title, State], tuple[str, ...]] = _no_lots
    """Unsold privates and companies that can be sold only by auction, now or later, as far as is known."""
    merged_price: Callable[[Title, State, Order], int | None] = _no_price
    """The starting price of the company that a merger would form; None if it is not known, or there is no merger."""
    pars_to_come: Callable[[Title, State], tuple[CompanyId, ...]] = _no_pars
    """Companies whose par the winner of an auction sets, outside stock rounds."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The description of the title's own part of a position for players (``engine.core.description``): JSON values
    under the terms of the game, which do not change when classes and fields are renamed.

    ``steps``: type of frame -> a function that returns the name of the decision and its public facts; a frame that is
    not listed contains nothing that players see. ``marks``: describes the title's memory.
    """

    steps: Mapping[type[Frame], Callable[[Any], tuple[str, Mapping[str, Any]]]] = field(default_factory=dict)
    marks: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Title(TitleData):
    """An edition of a game with its options. Use ``engine.load_title`` to build one."""

    rulings: object
    """The title's own frozen dataclass of named rulings and options, which its ``rulings_of`` reads. The tags of a game
    record every field of it."""
    policies: Policies
    steps: Mapping[type[Frame], Step[Any]]
    begin: Callable[[Title, State], tuple[Frame, ...]]
    """Returns the agenda at the start of the game."""
    score: Callable[[Title, State, PlayerId], int]
    facts: object = field(default=None, compare=False)
    """The facts that the title was built from, for the title's own code; None if it has none."""
    telling: Telling = field(default_factory=Telling)
    drawing: Drawing = field(default_factory=Drawing)
    fingerprint_of: Callable[[], str] = field(default=str, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Title {self.name}, edition {self.edition}>"

    @property
    def notes(self) -> tuple[type[Note], ...]:
        """Every kind of note that a turn of the title can hold, as the steps of turns list them."""
        return tuple(dict.fromkeys(note for step in self.steps.values() for note in getattr(step, "notes", ())))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the code and data of the rules, and of the file of corrected facts if there is one; comments
        and layout do not count. The first call reads all files, later calls use a cached value. Empty for a title
        without files."""
        found = self.fingerprint_of()
        return hashlib.sha256(f"{found} {self.facts_digest}".encode()).hexdigest() if self.own_facts else found
