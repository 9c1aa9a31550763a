"""Standing orders: small programs that answer for a player until something named happens.

They are data. The rules never see them: the moderator turns them into ordinary orders, one at a time, when their player
or company is asked (``moderator.domain.ahead.standing``). Everything that they name is public: prices, holdings,
directors, trains on sale, and what others have done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.ids import Actor, CompanyId, HexId, PrivateId, TrainName

Occurrence: TypeAlias = Literal[
    "acts", "sells", "founds", "starts", "started", "unstarted", "floats", "sold", "under", "over", "least", "most",
    "direct", "on_sale", "track", "round", "passed",
]  # fmt: skip
Step: TypeAlias = Literal["run best", "run none", "pay full", "pay half", "pay none", "train if needed", "done"]
Scope: TypeAlias = Literal["stock", "all", "other"]
LotName: TypeAlias = PrivateId | CompanyId


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that ends a standing order or gives up a turn. ``acts``: the player NAME, or anybody else if it is
    empty, does more in a stock round than pass; ``sells``: he sells shares; ``founds``: he starts a company.
    ``starts``, ``floats``, ``sold``: the company NAME starts, comes into play, or somebody else sells shares of it.
    ``under``, ``over``, ``least``, ``most``: its price is below, above, at least or at most ``amount``. ``direct``: the
    player himself directs it. ``on_sale``: the bank sells trains of the type NAME. ``track``: somebody else lays a
    tile, or a marker of his comes or goes. ``round``: the round ends. Only an ``OnlyIf`` asks for these: ``started``,
    ``unstarted``: the company NAME has started, or has not; ``passed``: the player NAME did no more in his last turn of
    the stock round under way than pass."""

    what: Occurrence
    name: str = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class PassUntil:
    """Pass until one of the conditions comes true: at each turn in the ``stock`` round; in ``all`` stock rounds, and at
    every other question of his own that he may pass, but for bids; or only at those ``other`` questions."""

    until: tuple[Condition, ...] = ()
    scope: Scope = "stock"


@dataclass(frozen=True, slots=True)
class BuyShares:
    """Buy a certificate of ``company`` at each turn in the stock round, until the player holds ``count`` shares, while
    a certificate costs at most ``price``, until one of the conditions comes true. ``leading``: also if he would become
    its director. ``source``, ``certificate``: as in a purchase."""

    company: CompanyId
    count: int | None = None
    price: int | None = None
    until: tuple[Condition, ...] = ()
    leading: bool = True
    source: str | None = None
    certificate: str | None = None


@dataclass(frozen=True, slots=True)
class SellShares:
    """Sell shares of ``company`` at the player's turns in the stock round until he holds ``keep``; only while its price
    is below ``under``, if that is given."""

    company: CompanyId
    keep: int
    under: int | None = None


@dataclass(frozen=True, slots=True)
class PlanLot:
    """A lot of a plan: open it and bid for it up to ``maximum``, unless the lot ``unless`` was won before."""

    item: LotName
    maximum: int
    step: int = 5
    unless: LotName | None = None


@dataclass(frozen=True, slots=True)
class AuctionPlan:
    """A plan for auctions in one order of preference. Of the lots in one group at most one is bought. ``budget``: the
    most that all of them together may cost. ``drop_rest``: leave the auctions of all other lots."""

    groups: tuple[tuple[PlanLot, ...], ...]
    budget: int | None = None
    drop_rest: bool = False

    @property
    def lots(self) -> tuple[PlanLot, ...]:
        """All lots, in order of preference."""
        return tuple(lot for group in self.groups for lot in group)


@dataclass(frozen=True, slots=True)
class Terms:
    """Agree to the sale of a private, a train, ``count`` shares of ``company`` or the place of a marker to ``buyer``
    (anybody if None) for at least ``amount``, or refuse every sale for less; refuse it at any price if ``amount`` is
    None. ``hex``, ``exit``, ``beside``: the city space of the marker, as in ``orders.Space``."""

    agree: bool
    private: PrivateId | None
    train: TrainName | None
    buyer: Actor | None
    amount: int | None
    company: CompanyId | None = None
    count: int = 0
    hex: HexId | None = None
    exit: int | None = None
    beside: CompanyId | None = None

    @property
    def goods(self) -> object:
        """A key that is equal for sales of the same thing."""
        return self.private, self.train, self.company, self.count, self.hex, self.exit, self.beside


@dataclass(frozen=True, slots=True)
class MergerTerms:
    """Agree to all mergers of the company, or refuse them, until one of the conditions comes true. ``partner``: only
    those with this company; ``into``: only those into this one."""

    agree: bool
    partner: CompanyId | None = None
    into: CompanyId | None = None
    until: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclineMergers:
    """Decline in each turn of the company in a merger round, until one of the conditions comes true."""

    until: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRoutine:
    """Take the same steps in each turn of a company until one of the conditions comes true. A step that is not asked
    for is left out. ``train if needed`` buys the train that the rules demand, as cheaply as they allow. ``loans``: also
    if the company takes a loan in the turn; otherwise the order ends before it."""

    steps: tuple[Step, ...]
    until: tuple[Condition, ...] = ()
    loans: bool = True


@dataclass(frozen=True, slots=True)
class DiscardFirst:
    """Whenever the company must discard, discard a train of this type first."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class OnlyIf:
    """Carry out the orders of a turn that follow only if all of the conditions are true when the turn comes."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Unless:
    """Give up the orders of a turn that follow as soon as one of the conditions comes true."""

    conditions: tuple[Condition, ...]


Guard: TypeAlias = OnlyIf | Unless
Program: TypeAlias = (
    PassUntil
    | BuyShares
    | SellShares
    | AuctionPlan
    | Terms
    | MergerTerms
    | DeclineMergers
    | TurnRoutine
    | DiscardFirst
    | Guard
)

__all__ = [
    "AuctionPlan", "BuyShares", "Condition", "DeclineMergers", "DiscardFirst", "Guard", "LotName", "MergerTerms",
    "Occurrence", "OnlyIf", "PassUntil", "PlanLot", "Program", "Scope", "SellShares", "Step", "Terms", "TurnRoutine",
    "Unless",
]  # fmt: skip
