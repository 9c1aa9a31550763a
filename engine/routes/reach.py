"""The reach of a train, and the facts of a position that decide the value of its runs: the only input of the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import CompanyId, HexId, TrainName
from engine.routes.bonuses import Claim, RouteBonus
from engine.routes.run_sets import Together


@dataclass(frozen=True, slots=True)
class TrainReach:
    """The reach of a train: at most ``stops`` counted stops. Kinds of stop (``city``, ``town``, ``offboard``, ...):
    those in ``must_count`` count whenever the run touches them; those in ``free`` are paid whenever the run touches
    them, without limit, and do not count; all others may be passed uncounted and unpaid. ``multiplier`` applies to the
    whole run. ``own_marker_counts``: at least one counted stop must hold an own marker; otherwise it is enough to touch
    one. ``ends_count``: both ends must count, too; otherwise an end need not count, like any other stop.

    ``hexes``: the most hexes along the run, including both ends and every hex passed; a hex entered twice counts twice.
    The limit of ``stops`` applies as well. ``shuns``: colours of hexes that the train never enters. ``avoids``: kinds
    of stop that it never visits. ``never``: kinds that it passes and that are neither counted nor paid.

    ``held_ends``: the two ends must differ, and each must have an own marker, or be of a kind in ``open_ends`` and not
    be filled by others. ``double_end``: the better end is paid twice."""

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
    """A bonus of ``amount`` for a run with stops in ``hex`` and in ``other`` or one of ``instead``; it is earned once.
    ``both_counted``: both stops must count; otherwise that in ``hex`` must count, and the other need only be
    touched."""

    hex: HexId
    other: HexId
    amount: int
    both_counted: bool = True
    instead: tuple[HexId, ...] = ()

    @property
    def others(self) -> tuple[HexId, ...]:
        """Every hex that may be the other of the pair."""
        return (self.other, *self.instead)


@dataclass(frozen=True, slots=True)
class TransitArea:
    """An off-board area at one ``side`` of the map (``N``, ``E``, ``S`` or ``W``). A run that counts it and an area at
    the opposite side earns a bonus: the sum of their two ``amount`` values, before the multiplier."""

    hexes: tuple[HexId, ...]
    side: str
    amount: int


OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}


@dataclass(frozen=True, slots=True)
class RunTraits:
    """Everything besides the board that decides the legality and the value of a company's runs. It is hashable and
    serves as a cache key."""

    company: CompanyId
    trains: tuple[TrainName, ...]
    reaches: tuple[TrainReach, ...]
    """The reach of each of ``trains``, in the same order."""
    color: str
    """The latest colour of track, which sets the values of off-board areas."""
    hex_bonuses: tuple[tuple[tuple[HexId, ...], int], ...] = ()
    """Bonuses as (hexes, amount): a run that counts a stop in one of the hexes earns the amount once, before the
    multiplier."""
    pair_bonuses: tuple[PairBonus, ...] = ()
    tunnel_bonus: int = 0
    """The bonus for each counted stop of a run that uses one or more tunnels, before the multiplier."""
    transit: tuple[TransitArea, ...] = ()
    same_side_refused: bool = False
    """No run may have two areas at the same side. If this is False, it may, and earns no bonus for them."""
    ends_need_value: frozenset[str] = frozenset()
    """Kinds of stop where every run ends (``offboard``, ``mountain``) and that must pay something. A stop of such a
    kind that pays nothing now is no stop, and no run may have it."""
    spare_ends: bool = False
    """A run may nevertheless end at such a stop if it need not count it, because it counts as many others as it can."""
    stations: frozenset[str] = frozenset()
    """Kinds of stop of which every run needs two. Empty: any two stops will do."""
    marker_in: frozenset[str] = frozenset({"city"})
    """Kinds of stop in which an own marker makes a run one of the company's."""
    termini: frozenset[str] = frozenset()
    """Kinds of stop at which every run begins and ends, and of which it needs two. If there are any, none of the
    bonuses above may be given. Empty: any stop will do."""
    loops: bool = False
    """A run may end at the stop where it began, unless that stop ends every run. The stop counts once."""
    route_bonuses: tuple[RouteBonus, ...] = ()
    """Bonuses of which a run earns the best one."""
    claims: tuple[Claim, ...] = ()
    """Claims, of which a run may earn one in addition. No two runs may claim the same hex."""
    tolls: tuple[tuple[HexId, int], ...] = ()
    """Tolls as (hex, amount): a run that touches a stop in the hex pays the amount out of its earnings."""
    toll_once: tuple[HexId, int] | None = None
    """A toll as (hex, amount) that is due once, out of the sum of all earnings, if any run touches a stop in the hex.
    The income of a single run does not show it."""
    together: Together | None = None
    """A rule for all runs of the company as a set, in addition to the rule that they share no track."""

    def reach(self, train: TrainName) -> TrainReach:
        return self.reaches[self.trains.index(train)]


Reaches = Mapping[TrainName, TrainReach]
