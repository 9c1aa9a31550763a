"""The reach of a train and the facts of a position that decide its value: the only input of the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId, HexId, TrainName
from engine.routes.bonuses import Claim, RouteBonus
from engine.routes.together import Together


@dataclass(frozen=True, slots=True)
class TrainReach:
    """At most ``stops`` counted stops. Kinds of stop (``city``, ``town``, ``offboard``, ...): those in ``must_count``
    count whenever the run touches them; those in ``free`` are paid whenever it does, any number of them, and do not
    count; all others may be passed uncounted and unpaid. ``multiplier`` is of the whole run. ``own_marker_counts``: at
    least one counted stop must hold an own marker (otherwise a touched one is enough). ``ends_count``: both ends count,
    too; otherwise an end need not, like any other stop.

    ``hexes``: at most so many hexes along the run, both ends and every hex passed, one entered twice counted twice;
    ``stops`` holds beside it. ``shuns``: colours of hexes that the train never enters; ``avoids``: kinds
    of stop that it never visits; ``never``: kinds that it passes and that are neither counted nor paid.

    ``held_ends``: both ends, which differ, have an own marker, or are of a kind in ``open_ends`` and not filled by
    others; ``double_end``: the better of them is paid twice."""

    stops: int
    must_count: frozenset[str] = frozenset({"city", "offboard"})
    multiplier: int = 1
    own_marker_counts: bool = False
    ends_count: bool = True
    hexes: int | None = None
    shuns: frozenset[str] = frozenset()
    avoids: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    held_ends: bool = False
    open_ends: frozenset[str] = frozenset()
    double_end: bool = False


@dataclass(frozen=True, slots=True)
class PairBonus:
    """``amount`` more for a run with ``hex`` and ``other`` (hexes of a stop each). ``both_counted``: both must be among
    the counted stops; otherwise ``hex`` must be counted and ``other`` only touched."""

    hex: HexId
    other: HexId
    amount: int
    both_counted: bool = True


@dataclass(frozen=True, slots=True)
class TransitArea:
    """An off-board area at one ``side`` of the map (``N``, ``E``, ``S`` or ``W``): a run that counts it and an area at
    the opposite side earns the ``amount`` of both more, before the multiplier."""

    hexes: tuple[HexId, ...]
    side: str
    amount: int


OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}


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
    tunnel_bonus: int = 0
    """More for each counted stop of a run that uses a tunnel, however many, before the multiplier."""
    transit: tuple[TransitArea, ...] = ()
    same_side_refused: bool = False
    """No run has two areas of one side (otherwise it may, and there is no bonus for it)."""
    ends_need_value: frozenset[str] = frozenset()
    """Kinds of stop where every run ends (``offboard``, ``mountain``): one that pays nothing now is no stop, and no run
    may have it."""
    spare_ends: bool = False
    """A run may have it all the same as an end that it need not count, because it counts as many others as it can."""
    stations: frozenset[str] = frozenset()
    """Kinds of stop of which every run needs two; empty: any two stops will do."""
    marker_in: frozenset[str] = frozenset({"city"})
    """Kinds of stop in which an own marker makes a run one of the company's."""
    termini: frozenset[str] = frozenset()
    """Kinds of stop at which every run begins and ends, and of which it needs two; then no bonus above may be given.
    Empty: any stop will do."""
    loops: bool = False
    """A run may end where it began, which counts once, if that is no stop that ends every run."""
    route_bonuses: tuple[RouteBonus, ...] = ()
    """Of these a run earns the best one."""
    claims: tuple[Claim, ...] = ()
    """One of these a run may earn besides; no hex is claimed by two runs."""
    tolls: tuple[tuple[HexId, int], ...] = ()
    """The sums that a run pays out of its earnings for each of the hexes in which it touches a stop."""
    together: Together | None = None
    """A rule for all runs of the company as a set, beside that they share no track."""

    def reach(self, train: TrainName) -> TrainReach:
        return self.reaches[self.trains.index(train)]


Reaches = Mapping[TrainName, TrainReach]
