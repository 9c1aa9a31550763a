"""The data of a title: map, chart, trains, phases, companies and the figures that depend on the number of players.

It includes everything that is fixed for a whole game and needs no code. ``engine.core.title.Title`` adds the rules.
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
    """The fixed part of a company. ``charter``: the charter at the start; ``engine.holders.charters`` gives the current
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
    """The percentage that must be sold before the company can operate; 0 if the director's certificate is enough."""
    holding_percent: int | None = None
    """The largest percentage that one player may hold; None means the limit for the number of players."""


@dataclass(frozen=True, slots=True)
class PrivateData:
    """A private company. ``bonus`` is added for each train that counts one of ``bonus_hexes``. ``kind`` distinguishes
    several kinds of private in one title. ``counts``: it counts toward its owner's certificate limit."""

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
    """The number of trains; None is unlimited, 0 means that the type is not in the game."""
    reach: TrainReach
    rusts: TrainName | None = None
    """The type that leaves the game when the first train of this type is bought."""
    card: TrainName | None = None
    """The type on the other side of the card, whose supply this type shares; None if it has its own supply."""
    flips: TrainName | None = None
    """The type that every train of this type becomes when it is turned over."""
    tradable: bool = True
    """True if a company may sell it."""
    discardable: bool = True
    """True if a company over its train limit may discard it."""
    special: bool = False
    """True if it is sold in addition to the cheapest new train, from the phase ``available_from`` on, not in the usual
    order."""
    available_from: PhaseName | None = None


@dataclass(frozen=True, slots=True)
class PhaseData:
    name: PhaseName
    colors: tuple[str, ...]
    """Colours of track that may be laid."""
    train_limits: Mapping[str, int]
    """The train limit by kind of company."""
    rounds: int = 0
    """The number of operating rounds in a set that begins in this phase, if the number depends on the phase."""
    values: str = ""
    """The column of values that counts in this phase, for stops with several values; empty if the latest colour of
    track names it."""

    @property
    def revenue_color(self) -> str:
        """The column of values that counts in this phase: the key for ``Stop.value``."""
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
    """All data of an edition of a game, with its options."""

    name: str
    edition: str
    full_name: str
    currency: str
    options: Mapping[str, str]
    """All rulings as text, in the form that ``load_title`` accepts."""
    map: Map
    chart: Chart
    trains: Mapping[TrainName, TrainData]
    phases: tuple[PhaseData, ...]
    privates: Mapping[PrivateId, PrivateData]
    companies: Mapping[CompanyId, CompanyData]
    table: Mapping[int, TableRow]
    bank: int
    addresses: Mapping[str, str]
    """Key of a check -> address of its rule in this edition, as shown to people: ``7.2, §10.4``."""
    unsold: Place = TREASURY
    """The place of the certificates that nobody has bought yet."""
    loan: int = 0
    """The money that a company gets for a loan; 0 if companies take no loans."""
    loan_value: int = 0
    """The money that repays a loan."""
    order_by_lot: bool = False
    """True if lots decide the whole order of play; if False, they decide only the first player."""
    broke_at_zero: bool = False
    """True if the bank is broken as soon as it has paid out its last money; if False, only when it cannot
    pay in full."""
    own_facts: str = ""
    """The text of the file of corrected facts in use; empty if the title uses the facts that come with Railpost."""
    reconstructed: tuple[str, ...] = ()
    """Sections of the facts that are reconstructed, not taken from a printed game or a rulebook."""
    taken_names: frozenset[str] = frozenset()
    """Names of places and pieces of the title, besides companies and privates, that no player may have."""
    rules_version: int = 1
    """The version of the title's rules; it rises by one with each change that players may notice."""

    _ranks: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """Name of a phase -> its place in the order of phases. It is looked up very often."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ranks", {phase.name: rank for rank, phase in enumerate(self.phases)})

    @property
    def facts_digest(self) -> str:
        """The SHA-256 of the file of corrected facts, in hexadecimal; empty if there is none."""
        return hashlib.sha256(self.own_facts.encode()).hexdigest() if self.own_facts else ""

    def phase(self, state: State) -> PhaseData:
        return self.phases[self._ranks[state.phase]]

    def phase_index(self, name: PhaseName | str) -> int:
        return self._ranks[name]

    def reached(self, state: State, phase: PhaseName | str) -> bool:
        """True if ``phase`` has begun."""
        return self._ranks[state.phase] >= self._ranks[phase]

    def price(self, state: State, company: CompanyId) -> int:
        """The price per share of a company in play."""
        return self.chart.price(state.prices[company].cell)

    def cell(self, state: State, company: CompanyId) -> Cell:
        return state.prices[company].cell
