"""The data of a title: map, chart, trains, phases, companies and the figures that depend on the number of players.

It is everything that is fixed for a whole game and needs no code. ``engine.core.title.Title`` adds the rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board.map import Map
from engine.core.charter import Charter
from engine.core.ids import TREASURY, Cell, CompanyId, HexId, PhaseName, Place, PrivateId, TrainName
from engine.core.state import State
from engine.finance.chart import Chart
from engine.routes.reach import TrainReach


@dataclass(frozen=True, slots=True)
class CompanyData:
    """The fixed part of a company. ``charter``: the charter at the start; ``engine.holders.charters`` gives the present
    one."""

    id: CompanyId
    name: str
    charter: Charter
    color: str
    text_color: str = "#ffffff"
    available_from: PhaseName | None = None
    synonyms: tuple[str, ...] = ()
    destination: HexId | None = None
    launch_percent: int = 0
    """The percentage that must be sold before it can operate; 0 if the director's certificate is enough."""
    holding_percent: int | None = None
    """The most that one player may hold; None: the limit of the table for the number of players."""


@dataclass(frozen=True, slots=True)
class PrivateData:
    """A private company: ``bonus`` is added for each train that counts one of ``bonus_hexes``. ``kind``
    distinguishes several sorts in one title; ``counts``: it counts toward its owner's certificate limit."""

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
    """Its company may discard it when it has too many."""
    special: bool = False
    """Sold in addition to the cheapest new train once ``available_from`` has begun, not in the usual order."""
    available_from: PhaseName | None = None


@dataclass(frozen=True, slots=True)
class PhaseData:
    name: PhaseName
    colors: tuple[str, ...]
    """Colours of track that may be laid."""
    train_limits: Mapping[str, int]
    """By kind of company."""
    rounds: int = 0
    """Operating rounds in a set that begins in this phase, if the number depends on the phase."""
    values: str = ""
    """The column of values that counts if stops have several and the latest colour of track does not name it."""

    @property
    def revenue_color(self) -> str:
        """The key of ``Stop.value`` now."""
        return self.values or self.colors[-1]


@dataclass(frozen=True, slots=True)
class TableRow:
    """The figures that depend on the number of players."""

    cash: int
    certificate_limit: int
    holding_percent: int = 60
    trains_removed: Mapping[TrainName, int] = field(default_factory=dict)
    privates_removed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleData:
    """Everything of an edition of a game, with its options, that is data."""

    name: str
    edition: str
    full_name: str
    currency: str
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
    addresses: Mapping[str, str]
    """Check key -> address of its rule in this edition, as shown to people: ``7.2, §10.4``."""
    unsold: Place = TREASURY
    """The place of the certificates that nobody has bought yet."""
    loan: int = 0
    """Money that a company gets for a loan; 0 if companies take no loans."""
    loan_value: int = 0
    """Money that repays a loan."""
    order_by_lot: bool = False
    """True if lots decide the whole order of play; otherwise only the first player."""
    broke_at_zero: bool = False
    """True if a bank that has just paid its last is broken; otherwise only one that cannot pay in full."""
    own_facts: str = ""
    """The text of the file of corrected facts that it is played with; empty for the facts that come with Railpost."""
    reconstructed: tuple[str, ...] = ()
    """Sections of the facts that are reconstructed, not taken from a printed game or a rulebook."""
    taken_names: frozenset[str] = frozenset()
    """Places and pieces of the title, besides companies and privates, whose names no player may have."""
    rules_version: int = 1
    """Readable version of the title's rules: it rises by one with each change that players may notice."""

    _ranks: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """Name of a phase -> its place in the order of phases. Nothing is looked up more often."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ranks", {phase.name: rank for rank, phase in enumerate(self.phases)})

    @property
    def facts_digest(self) -> str:
        """SHA-256 of the file of corrected facts, in hexadecimal; empty if there is none."""
        return hashlib.sha256(self.own_facts.encode()).hexdigest() if self.own_facts else ""

    def phase(self, state: State) -> PhaseData:
        return self.phases[self._ranks[state.phase]]

    def phase_index(self, name: PhaseName | str) -> int:
        return self._ranks[name]

    def reached(self, state: State, phase: PhaseName | str) -> bool:
        """True if ``phase`` has begun."""
        return self._ranks[state.phase] >= self._ranks[phase]

    def price(self, state: State, company: CompanyId) -> int:
        """Price per share of a company in play."""
        return self.chart.price(state.prices[company].cell)

    def cell(self, state: State, company: CompanyId) -> Cell:
        return state.prices[company].cell
