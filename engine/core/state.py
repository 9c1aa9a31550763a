"""A position: everything that changes in a game, and nothing else.

States are values. Maps are typed read-only and are replaced, never changed; ``evolve`` makes the next state from an
event. Everything that is fixed for the whole game (map, chart, trains, rules) is in the ``Title``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engine.board.board import Board
from engine.core.charter import Charter
from engine.core.ids import Cell, CompanyId, Owner, PhaseName, Place, PlayerId, PrivateId, TrainName
from engine.core.secret import Secret

HoldingKey: TypeAlias = tuple[Place, CompanyId, str]
"""Place, company, and kind of certificate (a key of the company's ``certificates``)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An entry of the agenda. Each kind of step has its own type of frame, with the memory of the step."""


@dataclass(frozen=True, slots=True)
class Note:
    """The memory of one kind of act until the turn ends. Each kind has its own type; its defaults are the initial
    value."""


@dataclass(frozen=True, slots=True)
class Company:
    """The changing part of a company. ``status``: an ``unstarted`` company may be started, an ``open`` one is in play,
    a ``closed`` one is out of the game for good."""

    status: Literal["unstarted", "open", "closed"] = "unstarted"
    trains: tuple[TrainName, ...] = ()
    loans: int = 0
    operated: bool = False
    """True if the company has used its earnings at least once since it was (re)started."""
    last_run: int | None = None
    par: int | None = None
    """The price at which its new shares are sold, if it is fixed."""


@dataclass(frozen=True, slots=True)
class PriceMarker:
    """A share price marker. Of two markers in one space, the one with the smaller ``since`` is higher in the stack."""

    cell: Cell
    since: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round. ``kind``: ``SR``, ``OR``, ``MR`` ... ``set``: the set that it belongs to. ``number``: its number in the
    set, 0 if the set has only one."""

    kind: str
    set: int
    number: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.set}" + (f".{self.number}" if self.number else "")


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A position. ``sum(cash.values())`` is always the size of the bank; IOUs make ``cash[BANK]`` negative."""

    players: tuple[PlayerId, ...]
    """The players in order of play: the seating order, clockwise, unless the title deals out a new order."""
    priority: PlayerId
    phase: PhaseName
    round: Round
    cash: Mapping[Owner, int]
    holdings: Mapping[HoldingKey, int]
    privates: Mapping[PrivateId, Owner | None]
    companies: Mapping[CompanyId, Company]
    prices: Mapping[CompanyId, PriceMarker]
    board: Board
    supply: Mapping[TrainName, int]
    """The number of new trains left, by type; unlimited types are not listed."""
    bought: frozenset[TrainName]
    """The types of which at least one train has been bought from the bank."""
    pool_trains: tuple[TrainName, ...]
    agenda: tuple[Frame, ...]
    """The present decision and those that wait below it; the last frame is on top."""
    marks: Mapping[str, Any]
    """The title's own memory, read only by its own policies and steps."""
    seed: Secret
    """The source of all lots, until the game is over."""
    lots: int = 0
    """The number of lots drawn so far."""
    tick: int = 0
    """A counter that rises with every price marker placed; it orders the stacks."""
    broke: Round | None = None
    """The round in which the bank broke; None before."""
    finished: bool = False
    charters: Mapping[CompanyId, Charter] = field(default_factory=dict)
    """The charters of companies that differ from the title's."""
    debts: Mapping[tuple[PlayerId, str], int] = field(default_factory=dict)
    """Debts of players to the bank, by player and kind of debt; only amounts above 0 are listed."""

    def __repr__(self) -> str:
        players = "1 player" if len(self.players) == 1 else f"{len(self.players)} players"
        return f"<State: {players}, {self.round}, phase {self.phase}{', over' if self.finished else ''}>"

    @property
    def top(self) -> Frame:
        return self.agenda[-1]

    def money(self, owner: Owner) -> int:
        """The cash of ``owner``."""
        return self.cash.get(owner, 0)

    def debt(self, player: PlayerId, kind: str | None = None) -> int:
        """The debt of ``player`` of one kind; of all kinds together if ``kind`` is None."""
        return sum(amount for (p, k), amount in self.debts.items() if p == player and kind in (None, k))
