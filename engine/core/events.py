"""Everything that can happen: a closed union of frozen values. ``evolve`` applies them, templates put them into words.

Events below the line "told only" change nothing; they give the reasons for others, or information for readers.
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
"""The reasons why money moves; each has its own words in the templates."""


@dataclass(frozen=True, slots=True)
class Paid:
    """Money moves. ``about``: the company, private, train or hex that it is paid for."""

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
    """A company's certificates are made or withdrawn: the whole list of its holdings from now on."""

    company: CompanyId
    holdings: tuple[tuple[Place, str, int], ...]


@dataclass(frozen=True, slots=True)
class Chartered:
    """A company's kind, certificates, home or markers change. ``charter`` None: it is again the charter that the title
    gives."""

    company: CompanyId
    charter: Charter | None


@dataclass(frozen=True, slots=True)
class PrivateMoved:
    private: PrivateId
    owner: Owner | None


@dataclass(frozen=True, slots=True)
class PrivateClosed:
    """The private leaves the game; ``unused`` if it is removed before the game begins."""

    private: PrivateId
    unused: bool = False


@dataclass(frozen=True, slots=True)
class TrainMoved:
    """A train moves from ``Bank``, ``Pool``, a company or the trains set aside (``""``) to a company, the ``Pool``, or
    out of the game (``""``)."""

    train: TrainName
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class SupplySet:
    """The number of new trains of the card ``train`` that are left from now on."""

    train: TrainName
    left: int


@dataclass(frozen=True, slots=True)
class TrainsRusted:
    """Every train of the type leaves the game, wherever it is."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class TrainsFlipped:
    """Every train of the type is turned over, wherever it is, and is of the type ``into`` from now on."""

    train: TrainName
    into: TrainName


@dataclass(frozen=True, slots=True)
class DebtChanged:
    """A player's debt of one kind grows (``change`` > 0) or shrinks; the money itself is in ``Paid``.
    ``reason``: taken, interest, repaid."""

    player: PlayerId
    kind: str
    change: int
    reason: str


@dataclass(frozen=True, slots=True)
class LoansChanged:
    """Loan markers come (``change`` > 0) or go; the money is in ``Paid``. ``reason``: taken, repaid, settled (in part
    by others), void, merged."""

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
    """The price of a company's new shares is fixed."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class CompanyLeft:
    """A company leaves play; ``closed`` for good, otherwise it may be started again."""

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
    """A piece is laid over what the hex shows. ``actor``: the company or private that laid it."""

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
    """``company`` takes over the place of ``old``'s marker."""

    old: CompanyId
    company: CompanyId
    hex: HexId
    city: int


# ---- operating ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """Declared earnings; ``values`` are the earnings of each route. ``proven``: nothing better exists."""

    company: CompanyId
    routes: tuple[Route, ...]
    values: tuple[int, ...]
    revenue: int
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Distributed:
    """Earnings have been dealt with: the company has operated. Money is in ``Paid``."""

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
    """The players' new order of play, first to last."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LotDrawn:
    purpose: str
    candidates: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A title remembers something; ``value`` None forgets it."""

    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Restored:
    """Everything since ``state`` is taken back (a merger that failed); lots drawn stay drawn. ``state`` is without the
    seed, so that showing it reveals nothing."""

    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class BankBroke:
    """The bank has no money left, or not enough for a payment; IOUs from now on."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """Final wealth of each player, best first; players with equal wealth share a place."""

    standings: tuple[tuple[PlayerId, int], ...]
    reason: str


# ---- told only ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """``player``: the one who opens the bidding; a company, if a company sells."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """``player``: the bidder; a company, if a company pays."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """``forced`` if the player could not have bid again."""

    player: PlayerId
    item: str
    forced: bool


@dataclass(frozen=True, slots=True)
class Won:
    """``player``: the winner, as he bid: for himself, or for a company that pays."""

    player: Actor
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class MinimumReduced:
    item: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidsSealed:
    """A player's sealed bids are in; nobody else may know them yet."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class BidsUnsealed:
    """The bids of a player, known to all from now on."""

    player: PlayerId
    bids: tuple[tuple[PrivateId, int], ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """``forced`` if nothing else would have been legal."""

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
    """``count`` shorts have been matched with shares, and are gone."""

    player: PlayerId
    company: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class Transferred:
    """Shares have gone from a company to the player who controls it, or to another of his companies."""

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
    """The power of a private has been used, in ``hexes`` if it concerns any."""

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
    """A company or private goes to the state railway; ``price`` is what each share (or the private) is paid."""

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
    """``companies`` have become ``company``, which begins at ``price``."""

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
    """A holder's old shares have become ``shares`` shares of ``company``. ``money``: the amount that he also
    receives; below 0, pays."""

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
    """A company has halved its shares and doubled its price, to ``price``."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Acquired:
    """``buyer`` has bought the whole of ``company``; each share is paid ``price``."""

    company: CompanyId
    buyer: Actor
    amount: int
    price: int


@dataclass(frozen=True, slots=True)
class RateSet:
    """The interest on each loan from now on."""

    rate: int


@dataclass(frozen=True, slots=True)
class CrisisBegan:
    """A company cannot pay its bill: ``missing`` is the amount that it lacks."""

    company: CompanyId
    missing: int


@dataclass(frozen=True, slots=True)
class Liquidated:
    """A company has been broken up; each share was paid ``price``."""

    company: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Froze:
    """Nobody controls ``company`` any more. ``circle``: the companies that own each other, if that is why."""

    company: CompanyId
    circle: tuple[CompanyId, ...] = ()


@dataclass(frozen=True, slots=True)
class TokensBought:
    """``company`` has ``count`` station markers in all."""

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
    """A private begins to pay: it has been used for the first time."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class Exported:
    """The bank takes a new train out of the game."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class EndSignalled:
    """The end of the game is in sight; ``reason`` is a key, ``rounds`` is the key of the words for the rounds left."""

    reason: str
    rounds: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """An order that was given with another one (a fallback, an offer) and is no longer needed."""

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
