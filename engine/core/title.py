"""A title is a value: data, a sequence of play, and policies. There is no base class to override.

A number or a list that differs between titles or editions is data here, a formula is a policy, a new kind of decision
is a new step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.board.map import Map
from engine.core.agenda import Lot, Menu, Step
from engine.core.charter import Charter
from engine.core.ids import TREASURY, Cell, CompanyId, HexId, PhaseName, Place, PlayerId, PrivateId, TrainName
from engine.core.orders import Order
from engine.core.state import Frame, Note, State
from engine.finance.chart import Chart
from engine.routes.reach import RunTraits, TrainReach

if TYPE_CHECKING:
    from engine.core.play import Play


@dataclass(frozen=True, slots=True)
class CompanyData:
    """The fixed part of a company. ``charter``: what it is at the beginning; ``engine.holders.charters`` says what it
    is now."""

    id: CompanyId
    name: str
    charter: Charter
    color: str
    text_color: str = "#ffffff"
    available_from: PhaseName | None = None
    synonyms: tuple[str, ...] = ()
    destination: HexId | None = None
    launch_percent: int = 0
    """So much of it must have been sold for it to begin; 0 where the director's certificate is enough."""
    holding_percent: int | None = None
    """Most that one player may hold; None: as the table says."""


@dataclass(frozen=True, slots=True)
class PrivateData:
    """A private company: ``bonus`` is added for each train that counts one of ``bonus_hexes``. ``kind`` tells apart
    what a title has several sorts of; ``counts``: it counts toward its owner's certificate limit."""

    id: PrivateId
    name: str
    minimum: int
    face: int
    income: int
    bonus: int = 0
    bonus_hexes: tuple[HexId, ...] = ()
    synonyms: tuple[str, ...] = ()
    kind: str = "private"
    counts: bool = True


@dataclass(frozen=True, slots=True)
class TrainData:
    name: TrainName
    cost: int
    quantity: int | None
    """None is unlimited; 0 is not in the game."""
    reach: TrainReach
    rusts: TrainName | None = None
    """The type that leaves the game when the first of this one is bought."""
    card: TrainName | None = None
    """The type on the other side of the card, from whose supply this one is sold; None where it has its own."""
    flips: TrainName | None = None
    """The type that every train of this one becomes when it is turned over."""
    tradable: bool = True
    """Its company may sell it."""
    discardable: bool = True
    """Its company may give it up when it has too many."""
    special: bool = False
    """Sold beside the cheapest new train once ``available_from`` has begun, not in its turn."""
    available_from: PhaseName | None = None


@dataclass(frozen=True, slots=True)
class PhaseData:
    name: PhaseName
    colors: tuple[str, ...]
    """Colours of track that may be laid; the last one also sets off-board values."""
    train_limits: Mapping[str, int]
    """By kind of company."""
    rounds: int = 0
    """Operating rounds in a set that begins in it, where that differs from phase to phase."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The figures that depend on the number of players."""

    cash: int
    certificate_limit: int
    holding_percent: int = 60
    trains_removed: Mapping[TrainName, int] = field(default_factory=dict)
    privates_removed: int = 0


@dataclass(frozen=True, slots=True)
class LoanTerms:
    """``value`` is repaid, ``received`` is what the company gets (``value`` less the first interest). All are 0 in a
    title whose companies take no loans."""

    value: int = 0
    received: int = 0
    interest: int = 0


def _fixed_markers(title: Title, state: State, company: CompanyId) -> int:
    return (state.charters.get(company) or title.companies[company].charter).markers


def _no_lot(title: Title, state: State) -> Lot | None:
    return None


def _no_lots(title: Title, state: State) -> tuple[str, ...]:
    return ()


def _no_remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    return {}


def _nothing_unasked(title: Title, state: State, player: PlayerId) -> Menu:
    return ()


def _no_order_unasked(play: Play, order: Order) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Policies:
    """The formulas in which titles differ, as functions of the position. Shared steps know no other way to ask."""

    director: Callable[[Title, State, CompanyId], PlayerId | None]
    """Who decides for a company now."""
    operating_order: Callable[[Title, State], tuple[CompanyId, ...]]
    train_limit: Callable[[Title, State, CompanyId], int]
    loan_limit: Callable[[Title, State, CompanyId], int]
    marker_cost: Callable[[Title, State, CompanyId, HexId], int]
    reserved: Callable[[Title, State, HexId, CompanyId], tuple[tuple[CompanyId, int], ...]]
    """Which companies have a claim on a free circle of the hex, with the city index, other than the company itself."""
    hex_closed: Callable[[Title, State, HexId], bool]
    """No track may be laid there in this phase."""
    lay_cost: Callable[[Title, State, HexId], int]
    """Terrain to pay for laying or upgrading there now."""
    upgrade_allowed: Callable[[Title, HexId, str, str], bool]
    """Whether the hex may take the new tile over the old one, where the title restricts it beyond the chart."""
    most_exits: Callable[[Title, str], bool]
    """Whether a city upgrade to the colour must take a tile with the most exits possible."""
    run_traits: Callable[[Title, State, CompanyId], RunTraits]
    """The part of the position that decides the value of this company's runs: off-board colour, bonuses, trains."""
    train_bought: Callable[[Play, CompanyId, TrainName], None]
    """All that follows from the purchase of a new train: phase, rust, and what they bring."""
    markers: Callable[[Title, State, CompanyId], int] = _fixed_markers
    """Station markers that a company has in all."""
    remarks: Callable[[Title, State, str], Mapping[str, Any]] = _no_remarks
    """The facts that a position table is to tell, beyond what all titles have, of a company or private or (``""``) of
    the whole game: facts for the title's own words."""
    unasked: Callable[[Title, State, PlayerId], Menu] = _nothing_unasked
    """The orders that a player may give at any moment, asked or not; each entry says as whom."""
    decide_unasked: Callable[[Play, Order], bool] = _no_order_unasked
    """Decide an order of the kinds that may come at any moment; False, and nothing done, for any other."""
    lot: Callable[[Title, State], Lot | None] = _no_lot
    """The item that is up for auction now."""
    lots_to_come: Callable[[Title, State], tuple[str, ...]] = _no_lots
    """Privates and companies that are not sold, and are sold by auction only: now or later, as far as is known."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How the title's own part of a position is described to players (``engine.core.told``): JSON values under the
    game's own terms, which stay when classes and fields get other names.

    ``steps``: type of frame -> what the decision is called, and what is known of it; a frame that is not listed holds
    nothing that players see. ``marks``: what the title remembers.
    """

    steps: Mapping[type[Frame], Callable[[Any], tuple[str, Mapping[str, Any]]]] = field(default_factory=dict)
    marks: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict


@dataclass(frozen=True, slots=True, repr=False)
class Title:
    """One edition of one game with the options it is played with. Build it with ``engine.load_title``."""

    name: str
    edition: str
    full_name: str
    currency: str
    rulings: object
    """The title's own frozen dataclass of named rulings and options, which its ``rulings_of`` reads; a game's tags pin
    every field of it."""
    options: Mapping[str, str]
    """All rulings as text, in the form ``load_title`` takes them."""
    map: Map
    chart: Chart
    trains: Mapping[TrainName, TrainData]
    phases: tuple[PhaseData, ...]
    privates: Mapping[PrivateId, PrivateData]
    companies: Mapping[CompanyId, CompanyData]
    table: Mapping[int, TableRow]
    bank: int
    loans: LoanTerms
    policies: Policies
    steps: Mapping[type[Frame], Step[Any]]
    begin: Callable[[Title, State], tuple[Frame, ...]]
    """The agenda at the start."""
    score: Callable[[Title, State, PlayerId], int]
    addresses: Mapping[str, str]
    """Check key -> address of its rule in this edition, as shown to people: ``7.2, §10.4``."""
    unsold: Place = TREASURY
    """Where the certificates lie that nobody has bought yet."""
    order_by_lot: bool = False
    """Whether lots decide the whole order of play, or only who begins."""
    broke_at_zero: bool = False
    """Whether a bank that has just paid its last is broken, or only one that cannot pay in full."""
    telling: Telling = field(default_factory=Telling)
    notes: tuple[type[Note], ...] = ()
    """Every kind of note that a turn of the title can hold."""
    rules_version: int = 1
    """Readable version of the title's rules: it rises by one with each change that players may notice."""
    fingerprint_of: Callable[[], str] = field(default=str, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Title {self.name}, edition {self.edition}>"

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the code and data that the rules are made of; comments and layout do not count. The first call
        reads all of it, later ones cost nothing. Empty for a title that has no files."""
        return self.fingerprint_of()

    def phase(self, state: State) -> PhaseData:
        return next(p for p in self.phases if p.name == state.phase)

    def phase_index(self, name: PhaseName | str) -> int:
        return next(i for i, p in enumerate(self.phases) if p.name == name)

    def reached(self, state: State, phase: PhaseName | str) -> bool:
        """Whether ``phase`` has begun."""
        return self.phase_index(state.phase) >= self.phase_index(phase)

    def price(self, state: State, company: CompanyId) -> int:
        """Price per share of a company in play."""
        return self.chart.price(state.prices[company].cell)

    def cell(self, state: State, company: CompanyId) -> Cell:
        return state.prices[company].cell
