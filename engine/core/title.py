"""A title is a value: data, a sequence of play, and policies. There is no base class to override.

A number or a list that differs between titles or editions is data (``engine.core.data``), a formula is a policy, a new
kind of decision is a step. ``Play`` is the one place where rules meet a position: it notes checks, emits events, and
moves the position with them. It is in this module because steps and policies get a play, and a play has a title.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

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
    """A decision in progress: local to one call, so that the rules around it stay pure."""

    __slots__ = ("events", "failures", "state", "title")

    def __init__(self, title: Title, state: State) -> None:
        self.title = title
        self.state = state
        self.events: list[Event] = []
        self.failures: list[Failure] = []

    def require(self, holds: bool, check: str, **facts: Fact) -> bool:
        """Note the failure of ``check`` unless it holds. Returns True if it holds."""
        if not holds:
            self.failures.append(Failure(check, facts))
        return holds

    def refuse(self, check: str, **facts: Fact) -> None:
        self.failures.append(Failure(check, facts))

    def note(self, failures: Iterable[Failure]) -> None:
        self.failures.extend(failures)

    def emit(self, *events: Event) -> None:
        """Move the position. Not allowed in a decision with failed checks."""
        assert not self.failures, self.failures
        for event in events:
            self.events.append(event)
            self.state = evolve(self.title, self.state, event)

    def pay(self, payer: Owner, payee: Owner, amount: int, reason: Reason, about: str = "") -> None:
        """Move money, if the amount is not 0. A bank that cannot pay in full, or by a ruling has paid its last money,
        is broken and goes on with IOUs."""
        if amount == 0:
            return
        self.emit(Paid(payer, payee, amount, reason, about))
        if payer == BANK and self.state.broke is None:
            left = self.state.cash[BANK]
            if left < 0 or (left == 0 and self.title.broke_at_zero):
                self.emit(BankBroke())

    def push(self, frame: Frame) -> None:
        self.emit(Pushed(frame))

    def pop(self) -> None:
        self.emit(Popped())

    def become(self, frame: Frame) -> None:
        """Replace the frame on top."""
        self.emit(Became(frame))

    def draw(self, purpose: str, candidates: Sequence[T]) -> T:
        """Draw one by lot. The lot follows from the game's seed, its number and its purpose, so that everyone can
        verify it once the seed is published."""
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
        """The questions asked while ``frame`` is on top; if there is none, ``advance`` goes on."""
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


def _as_printed(title: Title, state: State, hex: HexId) -> int:
    return state.board.face(hex).terrain


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
    """The formulas in which titles differ, as functions of the position. Shared steps know nothing else of a title.

    The defaults are the formulas of most titles: a title gives only those in which it differs.
    """

    director: Callable[[Title, State, CompanyId], PlayerId | None]
    """The player who decides for a company now."""
    operating_order: Callable[[Title, State], tuple[CompanyId, ...]]
    train_limit: Callable[[Title, State, CompanyId], int]
    marker_cost: Callable[[Title, State, CompanyId, HexId], int]
    reserved: Callable[[Title, State, HexId, CompanyId], tuple[tuple[CompanyId, int], ...]]
    """The other companies that have a claim on a free circle of the hex, each with the city index."""
    train_bought: Callable[[Play, CompanyId, TrainName], None]
    """All effects of the purchase of a new train: phase, rust, and their effects."""
    run_traits: Callable[[Title, State, CompanyId], RunTraits]
    """The part of the position that decides the value of this company's runs: off-board colour, bonuses, trains."""
    ways: Callable[[Title, State, CompanyId, Purpose], Ways] = _any_way
    """The terms of the search for the company's ways now: sides that they may not cross, markers at which they
    begin."""
    lay_cost: Callable[[Title, State, HexId], int] = _as_printed
    """The cost of terrain for laying or upgrading there now, for the shared act of laying track."""
    hex_closed: Callable[[Title, State, HexId], bool] = _always_open
    """True if no track may be laid there now."""
    upgrade_allowed: Callable[[Title, HexId, str, str], bool] = _as_charted
    """True if the new tile may replace the old one in the hex, by restrictions of the title beyond the chart."""
    most_exits: Callable[[Title, str], bool] = _any_exits
    """True if a city upgrade to the colour must take a tile with the most exits possible."""
    credit: Callable[[Title, State, CompanyId], int] = _no_credit
    """Money that a company can still borrow."""
    bill: Callable[[Title, State, CompanyId], int] | None = None
    """The money that a company must pay for its turn in the present position; None if companies get no bills."""
    markers: Callable[[Title, State, CompanyId], int] = _fixed_markers
    """Station markers that a company has in all."""
    remarks: Callable[[Title, State, str], Mapping[str, Any]] = _no_remarks
    """Additional facts of the title for the tables of a position: of a company or private, of the whole game (``""``)
    or of the map (``"map"``). The title's own words use them."""
    unasked: Callable[[Title, State, PlayerId], Menu] = _nothing_unasked
    """The orders that a player may give at any moment, asked or not; each entry names the actor."""
    decide_unasked: Callable[[Play, Order], bool] = _no_order_unasked
    """Decide an order of the kinds that may come at any moment. For any other order, do nothing and return False."""
    any_moment: frozenset[type[Order]] = frozenset()
    """The kinds of orders that may come at any moment and are not steps of a turn."""
    before_asking: Callable[[Play], None] = _nothing_first
    """Called before each question and each automatic step: ends the game (``GameOver``) if it is over, whatever is
    still on the agenda, and puts anything that comes before the question on the agenda."""
    lot: Callable[[Title, State], Lot | None] = _no_lot
    """The item that is up for auction now."""
    lots_to_come: Callable[[Title, State], tuple[str, ...]] = _no_lots
    """Unsold privates and companies that can be sold only by auction: now or later, as far as is known."""
    merged_price: Callable[[Title, State, Order], int | None] = _no_price
    """The starting price of the company that a merger would form; None if it is not known, or there is no merger."""
    pars_to_come: Callable[[Title, State], tuple[CompanyId, ...]] = _no_pars
    """Companies whose par is set outside stock rounds, by the winner of an auction."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The description of the title's own part of a position for players (``engine.core.told``): JSON values under the
    game's own terms, which do not change when classes and fields are renamed.

    ``steps``: type of frame -> the name of the decision, and its public facts; a frame that is not listed contains
    nothing that players see. ``marks``: the title's memory.
    """

    steps: Mapping[type[Frame], Callable[[Any], tuple[str, Mapping[str, Any]]]] = field(default_factory=dict)
    marks: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Title(TitleData):
    """One edition of one game with its options. Build it with ``engine.load_title``."""

    rulings: object
    """The title's own frozen dataclass of named rulings and options, which its ``rulings_of`` reads; a game's tags
    record every field of it."""
    policies: Policies
    steps: Mapping[type[Frame], Step[Any]]
    begin: Callable[[Title, State], tuple[Frame, ...]]
    """The agenda at the start."""
    score: Callable[[Title, State, PlayerId], int]
    facts: object = field(default=None, compare=False)
    """The file of facts that it was made from, which the title's own code reads; None if it has none."""
    telling: Telling = field(default_factory=Telling)
    drawing: Drawing = field(default_factory=Drawing)
    notes: tuple[type[Note], ...] = ()
    """Every kind of note that a turn of the title can hold."""
    fingerprint_of: Callable[[], str] = field(default=str, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Title {self.name}, edition {self.edition}>"

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the code and data of the rules; comments and layout do not count. The first call reads all of
        it, later calls cost nothing. Empty for a title that has no files. A file of corrected facts counts."""
        found = self.fingerprint_of()
        return hashlib.sha256(f"{found} {self.facts_digest}".encode()).hexdigest() if self.own_facts else found
