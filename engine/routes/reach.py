"""How far a train runs and what of a position its value depends on: the only things that the search must be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId, HexId, TrainName


@dataclass(frozen=True, slots=True)
class TrainReach:
    """At most ``stops`` counted stops. Kinds of stop (``city``, ``town``, ``offboard``): those in ``must_count`` count
    whenever the run touches them, all others may be passed uncounted and unpaid. ``multiplier`` is of the whole run.
    ``own_marker_counts``: at least one counted stop must hold an own marker (otherwise a touched one is enough)."""

    stops: int
    must_count: frozenset[str] = frozenset({"city", "offboard"})
    multiplier: int = 1
    own_marker_counts: bool = False


@dataclass(frozen=True, slots=True)
class PairBonus:
    """``amount`` more for a run with ``hex`` and ``other`` (hexes of a stop each). ``both_counted``: both must be among
    the counted stops; otherwise ``hex`` must be counted and ``other`` only touched."""

    hex: HexId
    other: HexId
    amount: int
    both_counted: bool = True


@dataclass(frozen=True, slots=True)
class RunTraits:
    """Everything besides the board that decides legality and value of a company's runs. Hashable: a cache key."""

    company: CompanyId
    trains: tuple[TrainName, ...]
    reaches: tuple[TrainReach, ...]
    """In step with ``trains``."""
    color: str
    """Latest colour of track: sets off-board values."""
    hex_bonuses: tuple[tuple[tuple[HexId, ...], int], ...] = ()
    """(hexes, amount): a run that counts a stop in one of the hexes earns ``amount`` more, once, before the
    multiplier."""
    pair_bonuses: tuple[PairBonus, ...] = ()

    def reach(self, train: TrainName) -> TrainReach:
        return self.reaches[self.trains.index(train)]


Reaches = Mapping[TrainName, TrainReach]
