"""Everything that can happen in a game: a closed union of frozen values. ``evolve`` applies events; templates put them
into words.

Events below the line "told only" do not change the position. They give the reasons for other events, or information for
readers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from engine.core.charter import Charter
from engine.core.ids import (
    Actor,
    Cell,
    CompanyId,
    HexId,
    Owner,
    PhaseName,
    Place,
    PlayerId,
    PrivateId,
    TileId,
    TrainName,
)
from engine.core.orders import Order, Route, Subject
from engine.core.state import Frame, Round, State

# ---- the agenda ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pushed:
    frame: Frame


@dataclass(frozen=True, slots=True)
class Popped:
    pass


@dataclass(frozen=True, slots=True)
class Became:
    """The frame on top is replaced."""

    frame: Frame


# ---- money and certificates ---------------------------------------------------------------------------------------


Reason: TypeAlias = Literal[
    "bankruptcy", "bid", "capital", "concession", "debt", "destination", "dividend", "emergency", "exchange",
    "face_value", "furka", "help", "income", "interest", "loan", "merged", "nationalised", "paper", "private",
    "costs", "crisis", "gift", "liquidation", "redeem", "repayment", "sale", "seized", "share", "short", "terrain",
    "token", "toll", "train", "tunnel", "withheld",
]  # fmt: skip
"""The reasons why money moves. Each has its own words in the templates."""


@dataclass(frozen=True, slots=True)
class Paid:
    """Money is paid. ``about``: the company, private, train or hex that it is paid for."""

    payer: Owner
    payee: Owner
    amount: int
    reason: Reason
    about: str = ""


@dataclass(frozen=True, slots=True)
class CertificatesMoved:
    """``count`` certificates of one kind change place."""

    company: CompanyId
    kind: str
    count: int
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class CertificatesSet:
    """A company's certificates are issued or withdrawn. ``holdings``: all its certificates from now on, as place, kind
    and number."""

    company: CompanyId
    holdings: tuple[tuple[Place, str, int], ...]


@dataclass(frozen=True, slots=True)
class Chartered:
    """A company's kind, certificates, home or markers change. ``charter``: None means that the title's charter applies
    again."""

    company: CompanyId
    charter: Charter | None


@dataclass(frozen=True, slots=True)
class PrivateMoved:
    private: PrivateId
    owner: Owner | None


@dataclass(frozen=True, slots=True)
class PrivateClosed:
    """The private leaves the game. ``unused``: it is removed before the game begins."""

    private: PrivateId
    unused: bool = False


@dataclass(frozen=True, slots=True)
class TrainMoved:
    """A train moves. ``source``: ``Bank``, ``Pool``, a company, or the trains set aside (``""``). ``target``: a
    company, the ``Pool``, or out of the game (``""``)."""

    train: TrainName
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class SupplySet:
    """The number of new trains left is changed. ``train``: the type that the supply is listed under."""

    train: TrainName
    left: int


@dataclass(frozen=True, slots=True)
class TrainsRusted:
    """Every train of the type leaves the game, wherever it is."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class TrainsFlipped:
    """Every train of the type, wherever it is, is turned over and becomes a train of the type ``into``."""

    train: TrainName
    into: TrainName


@dataclass(frozen=True, slots=True)
class DebtChanged:
    """A player's debt of one kind grows (``change`` > 0) or shrinks; the money is in ``Paid``. ``reason``: taken,
    interest, repaid."""

    player: PlayerId
    kind: str
    change: int
    reason: str


@dataclass(frozen=True, slots=True)
class LoansChanged:
    """A company's number of loans grows (``change`` > 0) or shrinks; the money is in ``Paid``. ``reason``: taken,
    repaid, settled (in part by others), void, merged."""

    company: CompanyId
    change: int
    reason: str


# ---- companies and prices -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CompanyOpened:
    """A company comes into play."""

    company: CompanyId


@dataclass(frozen=True, slots=True)
class ParSet:
    """The price of a company's new shares is set."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class CompanyLeft:
    """A company leaves play. ``closed``: for good; if False, it may be started again."""

    company: CompanyId
    closed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class PriceSet:
    """A price marker is placed or moved to ``cell``, at the bottom of the stack there. ``reason``: start, earnings,
    no_dividend, sale, sold_out, loan, nationalised."""

    company: CompanyId
    cell: Cell
    price: int
    reason: str
    old: int | None = None


@dataclass(frozen=True, slots=True)
class PriceRemoved:
    company: CompanyId


# ---- the map ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TileLaid:
    company: CompanyId
    hex: HexId
    tile: TileId
    rotation: int


@dataclass(frozen=True, slots=True)
class OverlayLaid:
    """A piece is laid over the face of the hex. ``actor``: the company or private that laid it."""

    actor: str
    hex: HexId
    tile: TileId
    rotation: int


@dataclass(frozen=True, slots=True)
class MarkerPlaced:
    company: CompanyId
    hex: HexId
    city: int


@dataclass(frozen=True, slots=True)
class MarkerRemoved:
    company: CompanyId
    hex: HexId
    city: int


@dataclass(frozen=True, slots=True)
class MarkerReplaced:
    """A marker of ``company`` replaces the marker of ``old``."""

    old: CompanyId
    company: CompanyId
    hex: HexId
    city: int


# ---- operating ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """A company has declared its earnings. ``values``: the earnings of each route. ``proven``: it is proven that no run
    earns more. ``idle``: why it could not run; empty if it could."""

    company: CompanyId
    routes: tuple[Route, ...]
    values: tuple[int, ...]
    revenue: int
    proven: bool = False
    idle: Literal["", "no_train", "no_route"] = ""


@dataclass(frozen=True, slots=True)
class EarningsJoined:
    """The earnings of the last runs of companies that became one count as those of the company that goes on."""

    company: CompanyId
    revenue: int


@dataclass(frozen=True, slots=True)
class Distributed:
    """The earnings have been used: the company has operated. The money is in ``Paid``."""

    company: CompanyId
    kind: Literal["full", "half", "none", "minor"]
    revenue: int
    dividend: int
    kept: int


# ---- the course of the game ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    phase: PhaseName


@dataclass(frozen=True, slots=True)
class RoundBegan:
    round: Round


@dataclass(frozen=True, slots=True)
class PriorityMoved:
    player: PlayerId


@dataclass(frozen=True, slots=True)
class OrderOfPlay:
    """The new order of play, first player first."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LotDrawn:
    purpose: str
    candidates: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A value is stored in the title's memory (``State.marks``). ``value``: None removes it."""

    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Restored:
    """Everything since ``state`` is undone (after a merger that failed), except lots: they stay drawn. ``state`` has no
    seed, so that it can be shown."""

    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class BankBroke:
    """The bank has no money left, or not enough for a payment; it pays with IOUs from now on."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """Final wealth of each player, best first; players with equal wealth share a place."""

    standings: tuple[tuple[PlayerId, int], ...]
    reason: str


# ---- told only ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """Bidding is opened. ``player``: the one who opens it; a company, if a company sells."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid is made. ``player``: the bidder; a company, if a company pays."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """A player leaves an auction. ``forced``: he could not have bid again."""

    player: PlayerId
    item: str
    forced: bool


@dataclass(frozen=True, slots=True)
class Won:
    """An auction is won. ``player``: the winner; a company, if a company pays."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class MinimumReduced:
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidsSealed:
    """A player has given his sealed bids; nobody else may know them yet."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class BidsUnsealed:
    """The sealed bids of a player become public."""

    player: PlayerId
    bids: tuple[tuple[PrivateId, int], ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A pass. ``forced``: no other order was legal."""

    actor: Actor
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Sold:
    player: Actor
    company: CompanyId
    count: int
    amount: int


@dataclass(frozen=True, slots=True)
class Bought:
    player: Actor
    company: CompanyId
    count: int
    amount: int
    source: str


@dataclass(frozen=True, slots=True)
class Shorted:
    """A share has been sold short."""

    player: PlayerId
    company: CompanyId
    amount: int


@dataclass(frozen=True, slots=True)
class Covered:
    """``count`` shorts have been matched with shares and removed."""

    player: PlayerId
    company: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class Transferred:
    """Shares have moved from a company to the player who controls it, or to another of his companies."""

    company: CompanyId
    count: int
    source: CompanyId
    target: Actor
    amount: int


@dataclass(frozen=True, slots=True)
class Floated:
    """A company has been floated. ``goods``: the things brought in besides ``cash``, each with its value."""

    founder: Actor
    company: CompanyId
    kind: str
    price: int
    cash: int
    goods: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PrivateUsed:
    """The power of a private has been used. ``hexes``: the places, if any."""

    private: PrivateId
    actor: Actor
    hexes: tuple[HexId, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectorChanged:
    company: CompanyId
    player: Actor


@dataclass(frozen=True, slots=True)
class TurnBegan:
    company: CompanyId


@dataclass(frozen=True, slots=True)
class TurnEnded:
    company: CompanyId


@dataclass(frozen=True, slots=True)
class ConsentAsked:
    player: PlayerId
    actor: Actor
    subject: Subject


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    player: PlayerId
    actor: Actor
    subject: Subject


@dataclass(frozen=True, slots=True)
class ConsentRefused:
    player: PlayerId
    actor: Actor
    subject: Subject


@dataclass(frozen=True, slots=True)
class Nationalised:
    """A company or private goes to the state railway. ``price``: the price paid for each share, or for the private."""

    name: str
    price: int


@dataclass(frozen=True, slots=True)
class Formed:
    """Minors have become a public company."""

    minors: tuple[CompanyId, ...]
    company: CompanyId
    price: int
    director: PlayerId | None


@dataclass(frozen=True, slots=True)
class Merged:
    """``companies`` have merged into ``company``, which starts at ``price``."""

    companies: tuple[CompanyId, ...]
    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Divided:
    """``company`` has been divided into ``parts``."""

    company: CompanyId
    parts: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A holder's old shares have become ``shares`` shares of ``company``. ``money``: the amount that he also receives;
    if negative, that he pays."""

    holder: Actor
    company: CompanyId
    shares: int
    director: bool = False
    money: int = 0


@dataclass(frozen=True, slots=True)
class Converted:
    """A minor has become a public company."""

    company: CompanyId


@dataclass(frozen=True, slots=True)
class Refinanced:
    """A company has halved its shares and doubled its price. ``price``: the new price."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Acquired:
    """``buyer`` has bought the whole of ``company``. ``price``: the price paid for each share."""

    company: CompanyId
    buyer: Actor
    amount: int
    price: int


@dataclass(frozen=True, slots=True)
class RateSet:
    """The interest on loans changes. ``rate``: the interest on each loan from now on."""

    rate: int


@dataclass(frozen=True, slots=True)
class CrisisBegan:
    """A company cannot pay its bill. ``missing``: the amount that it lacks."""

    company: CompanyId
    missing: int


@dataclass(frozen=True, slots=True)
class Liquidated:
    """A company has been liquidated. ``price``: the price paid for each share."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Froze:
    """Nobody controls ``company`` any more. ``circle``: the companies that own each other, if that is the reason."""

    company: CompanyId
    circle: tuple[CompanyId, ...] = ()


@dataclass(frozen=True, slots=True)
class TokensBought:
    """A company has bought station markers. ``count``: the number that it now has in all."""

    company: CompanyId
    count: int
    cost: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A bankrupt player has left the game."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class DestinationReached:
    """A company is connected to its destination and gets ``amount``."""

    company: CompanyId
    hex: HexId
    amount: int


@dataclass(frozen=True, slots=True)
class Activated:
    """A private begins to pay, because it has been used for the first time."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class Exported:
    """The bank takes a new train out of the game."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class EndSignalled:
    """The end of the game has been triggered. ``reason``: a key. ``rounds``: the key of the words for
    the rounds left."""

    reason: str
    rounds: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """An order given together with another one (a fallback, an offer) is dropped, because it is no longer needed or no
    longer possible."""

    order: Order


Event: TypeAlias = (
    Pushed
    | Popped
    | Became
    | Paid
    | CertificatesMoved
    | CertificatesSet
    | Chartered
    | PrivateMoved
    | PrivateClosed
    | TrainMoved
    | SupplySet
    | TrainsRusted
    | TrainsFlipped
    | DebtChanged
    | LoansChanged
    | CompanyOpened
    | ParSet
    | CompanyLeft
    | PriceSet
    | PriceRemoved
    | TileLaid
    | OverlayLaid
    | MarkerPlaced
    | MarkerRemoved
    | MarkerReplaced
    | Ran
    | EarningsJoined
    | Distributed
    | PhaseBegan
    | RoundBegan
    | PriorityMoved
    | OrderOfPlay
    | LotDrawn
    | Marked
    | Restored
    | GameOver
    | Opened
    | BidMade
    | Dropped
    | Won
    | MinimumReduced
    | BidsSealed
    | BidsUnsealed
    | Passed
    | Sold
    | Bought
    | Shorted
    | Covered
    | Transferred
    | Floated
    | PrivateUsed
    | DirectorChanged
    | TurnBegan
    | TurnEnded
    | ConsentAsked
    | ConsentGiven
    | ConsentRefused
    | Nationalised
    | Formed
    | Merged
    | Divided
    | Exchanged
    | Converted
    | Refinanced
    | Acquired
    | RateSet
    | CrisisBegan
    | Liquidated
    | Froze
    | TokensBought
    | Resigned
    | DestinationReached
    | Activated
    | Exported
    | BankBroke
    | EndSignalled
    | Lapsed
)
