"""The orders that players give: a closed union of frozen values.

Every order has an ``actor``, who acts: a player, or a company through its director. The notation writes each order in
one canonical form; the rules decide it. Amounts are whole units of the game's currency.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import Actor, CompanyId, HexId, PlayerId, PrivateId, TileId, TrainName
from engine.core.programs import Program


@dataclass(frozen=True, slots=True)
class Space:
    """A city space on the map. If the hex has several cities, ``exit`` (an edge of the hex, 0 to 5), ``company`` (a
    company with its home or a marker there) or ``number`` (the first city is 1) names one. If all are None, only one
    city can be meant."""

    hex: HexId
    exit: int | None = None
    company: CompanyId | None = None
    number: int | None = None

    @property
    def bare(self) -> bool:
        """True if it names only a hex."""
        return self.exit is None and self.company is None and self.number is None


@dataclass(frozen=True, slots=True)
class Route:
    """A train's run: the coordinates of its stops in order. A hex between two stops is named only if the track would be
    ambiguous without it."""

    train: TrainName
    hexes: tuple[HexId, ...]


# ---- auctions and stock turns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """Put a private or minor up for auction with a first bid, or take it, if the rules sell at the asked price.
    ``item``: None means the only thing on offer. ``amount``: None means the minimum. ``space``: the home of a minor
    whose home is chosen."""

    actor: Actor
    item: PrivateId | CompanyId | None = None
    amount: int | None = None
    space: Space | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """Raise the bid of the running auction to ``amount``."""

    actor: Actor
    amount: int
    item: PrivateId | CompanyId | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """Leave the running auction for good."""

    actor: Actor
    item: PrivateId | CompanyId | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """A standing order: keep bidding in steps of ``step`` up to ``maximum``, then drop. The moderator keeps it secret
    and turns it into bids; the rules never see it."""

    actor: PlayerId
    maximum: int
    item: PrivateId | CompanyId | None = None
    step: int = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing order: answer by ``program`` until it ends. The moderator turns it into ordinary orders; the rules
    never see it."""

    actor: Actor
    program: Program


@dataclass(frozen=True, slots=True)
class SealedBids:
    """All bids of a player in a round of sealed bids, one for each item; he does not bid on items that he does not
    name. The bids are opened when all players have given theirs."""

    actor: PlayerId
    bids: tuple[tuple[PrivateId, int], ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass: do nothing in a stock turn, or do not open an auction."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell ``count`` shares of ``company`` into the pool. If ``actor`` is a company, its director sells his own shares
    to pay for its train. ``doubles``: the number of double certificates sold, if the seller has a choice."""

    actor: Actor
    company: CompanyId
    count: int
    doubles: int | None = None


@dataclass(frozen=True, slots=True)
class SellGroup:
    """Sell shares of several companies into the pool together. ``sales``: the companies, each with a number of shares.
    All are paid at the prices before the sale."""

    actor: Actor
    sales: tuple[tuple[CompanyId, int], ...]


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy one certificate of ``company``. ``source`` may be None if only one of treasury (or IPO) and pool has any.
    ``certificate``: the kind wanted; None means one share."""

    actor: Actor
    company: CompanyId
    source: Literal["treasury", "ipo", "pool"] | None = None
    certificate: Literal["director", "double"] | None = None


@dataclass(frozen=True, slots=True)
class BuyFrom:
    """Buy ``count`` shares of ``company`` from another player at an agreed total price."""

    actor: PlayerId
    company: CompanyId
    count: int
    seller: PlayerId
    price: int


@dataclass(frozen=True, slots=True)
class BuyConcession:
    """Buy a concession from another player at an agreed ``price``, or from the bank at the printed price (``price``
    None)."""

    actor: PlayerId
    concession: PrivateId
    price: int | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Start a public company. ``price``: its price, or the first bid if the right to start it is auctioned. ``space``:
    the place of its first marker, if the founder chooses it."""

    actor: Actor
    company: CompanyId
    price: int
    space: Space | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """Answer an offer of shares: buy ``count``; 0 declines. ``company`` names the offer if the answer
    is given ahead."""

    actor: Actor
    count: int
    company: CompanyId | None = None


@dataclass(frozen=True, slots=True)
class BuyMountain:
    """Buy a mountain railway, put it on the mountain ``hex`` and choose its panel of incomes."""

    actor: PlayerId
    mountain: PrivateId
    hex: HexId
    panel: TileId


@dataclass(frozen=True, slots=True)
class BuyTunnel:
    """Buy a tunnel certificate."""

    actor: PlayerId
    tunnel: PrivateId


@dataclass(frozen=True, slots=True)
class Repay:
    """Repay ``amount`` of a player's debt."""

    actor: PlayerId
    amount: int


@dataclass(frozen=True, slots=True)
class UsePrivate:
    """Use the special power of a private. ``company``: the company that it is used for, if there is a choice.
    ``hexes``: the places. A player may give such an order even if he is not asked."""

    actor: Actor
    private: PrivateId
    company: CompanyId | None = None
    hexes: tuple[HexId, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepPrivate:
    """Keep a private that was dealt, paying half its face value, or return it."""

    actor: PlayerId
    private: PrivateId
    keep: bool


@dataclass(frozen=True, slots=True)
class OfferPrivate:
    """Put a private up for auction. ``minimum``: the lowest bid."""

    actor: Actor
    private: PrivateId
    minimum: int


@dataclass(frozen=True, slots=True)
class Short:
    """Sell one share of ``company`` short."""

    actor: PlayerId
    company: CompanyId


@dataclass(frozen=True, slots=True)
class Transfer:
    """Take ``count`` shares of ``company`` from the company ``source`` and give them to ``target``: the player who
    orders it, or another company that he controls. A minor is taken whole."""

    actor: PlayerId
    company: CompanyId
    count: int
    source: CompanyId
    target: Actor


@dataclass(frozen=True, slots=True)
class Float:
    """Float ``company``, after winning the right to start it. ``actor``: the founder, a player or a company. ``kind``:
    the kind of company. ``price``: its price on the chart. ``markers``: the number of markers in all, including the
    first. The capital consists of the founder's ``trains``, ``privates`` and ``shares`` (companies, each with a
    number), and of ``cash``: None means the rest of the capital."""

    actor: Actor
    company: CompanyId
    kind: Literal["minor", "major"]
    price: int
    markers: int = 1
    trains: tuple[TrainName, ...] = ()
    privates: tuple[PrivateId, ...] = ()
    shares: tuple[tuple[CompanyId, int], ...] = ()
    cash: int | None = None


@dataclass(frozen=True, slots=True)
class PayPlayer:
    """Give money to another player, with or without an agreement."""

    actor: PlayerId
    payee: PlayerId
    amount: int


# ---- a company's turn ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Redeem:
    """A company buys back ``count`` of its own shares from the pool."""

    actor: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay or upgrade track: tile ``tile`` in ``hex``, turned clockwise by ``rotation`` sixths from its listed position.
    ``using``: the private whose power allows this tile in addition to the usual ones. If it is the power of a player's
    own private, ``actor`` is that player."""

    actor: CompanyId
    tile: TileId
    hex: HexId
    rotation: int
    using: PrivateId | None = None


@dataclass(frozen=True, slots=True)
class Tunnel:
    """Build a tunnel in ``hex`` between two of its edges with a tunnel certificate of the director. ``certificate``:
    None means any that he has not used."""

    actor: CompanyId
    hex: HexId
    edges: tuple[int, int]
    certificate: PrivateId | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """Place a station marker."""

    actor: CompanyId
    space: Space


@dataclass(frozen=True, slots=True)
class Tokens:
    """Buy station markers. ``count``: the number that the company then has in all, including those on the map."""

    actor: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class BuyToken:
    """Replace another company's marker on the map with a marker of the acting company, at an agreed price."""

    actor: CompanyId
    space: Space
    owner: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Run:
    """Declare the runs of a company's trains; no routes mean earnings of zero."""

    actor: CompanyId
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class RunBest:
    """Run the best routes. The moderator finds them and proves that they are the best."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce a better run for another player's company, if the option is in use."""

    actor: PlayerId
    company: CompanyId
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class Pay:
    """Decide how the earnings are used: all paid out, half, or none."""

    actor: CompanyId
    kind: Literal["full", "half", "none"]


@dataclass(frozen=True, slots=True)
class Dividend:
    """Set the total dividend for all shares of a company, in titles that allow any amount."""

    actor: CompanyId
    amount: int


@dataclass(frozen=True, slots=True)
class Borrow:
    """Take ``count`` loans."""

    actor: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class RepayLoans:
    """Repay ``count`` loans."""

    actor: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class Crisis:
    """Decide about a company that cannot pay its bill: it goes into liquidation, or its president helps."""

    actor: CompanyId
    way: Literal["liquidate", "help"]


@dataclass(frozen=True, slots=True)
class Refinance:
    """Refinance the company: double its price and halve everybody's shares."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Settle:
    """Pay interest (after which loans are redeemed), or the markers of a new company, now. The order is needed only if
    something else could still be done first; otherwise the next step includes the payment."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Train:
    """Buy a train: new from the bank (``source`` None), used from the ``"Pool"``, or from another company at ``price``.
    ``otherwise``: the train to buy instead if the other company's director refuses. ``trade``: the train that is given
    in part payment."""

    actor: CompanyId
    train: TrainName
    source: str | None = None
    price: int | None = None
    otherwise: Train | None = None
    trade: TrainName | None = None


@dataclass(frozen=True, slots=True)
class BuyPrivate:
    """Buy a private company from its owner, for the acting company."""

    actor: CompanyId
    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class Bankrupt:
    """Declare that the director cannot pay for the train that his company must have. ``way``: he leaves the game or
    continues with a loan, if the title has that choice."""

    actor: CompanyId
    way: Literal["resign", "loan"] | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """End a company's turn; its remaining steps are skipped."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a train over the train limit."""

    actor: CompanyId
    train: TrainName


@dataclass(frozen=True, slots=True)
class KeepTrains:
    """Name the rusting trains that a company keeps for a while."""

    actor: CompanyId
    trains: tuple[TrainName, ...]


@dataclass(frozen=True, slots=True)
class Nationalise:
    """Give, or offer, a company to the state railway, or keep it."""

    actor: CompanyId
    yes: bool


# ---- mergers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Convert:
    """Convert a minor into the public company ``into``. ``markers``: the number of markers that it then buys, if there
    is a choice."""

    actor: CompanyId
    into: CompanyId
    markers: int | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """Merge the acting company and ``minors`` into the company ``into``. ``keep``: the markers that stay, if the leader
    has to choose them. ``price``: the price of the new company, if there is a choice."""

    actor: CompanyId
    minors: tuple[CompanyId, ...]
    into: CompanyId
    keep: tuple[Space, ...] = ()
    price: int | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Decide how a holder uses his old shares in a merger: he takes the ``director``'s certificate of the new company,
    paying the difference if his shares are too few; a ``share`` of it; or ``cash``."""

    actor: Actor
    into: Literal["director", "share", "cash"]


@dataclass(frozen=True, slots=True)
class HalfShort:
    """Settle half a short that is left over in a merger: the player gets money and keeps a whole short, or pays and
    keeps none."""

    actor: PlayerId
    keep: bool


@dataclass(frozen=True, slots=True)
class Prefer:
    """Choose among several companies whose shares could replace a holder's old shares."""

    actor: Actor
    company: CompanyId


@dataclass(frozen=True, slots=True)
class OfferAgain:
    """Decide whether the company's new shares are offered to its shareholders once more."""

    actor: CompanyId
    yes: bool


@dataclass(frozen=True, slots=True)
class Keep:
    """Name the markers that stay, for the director of a new company."""

    actor: CompanyId
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline for a minor: it neither converts nor leads a merger."""

    actor: CompanyId


# ---- consent ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrainSale:
    """Subject of a consent: ``train`` goes to ``buyer`` for ``price``."""

    train: TrainName
    buyer: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class PrivateSale:
    """Subject of a consent: ``private`` goes to ``buyer`` for ``price``. ``company``: the company whose director's
    certificate goes with it; None if there is none. It follows from the private: texts do not contain it, and it does
    not distinguish subjects."""

    private: PrivateId
    buyer: Actor
    price: int
    company: CompanyId | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Merger:
    """Subject of a consent: ``minors`` (all of the group, in any order) merge into ``into``."""

    minors: tuple[CompanyId, ...]
    into: CompanyId


@dataclass(frozen=True, slots=True)
class ShareSale:
    """Subject of a consent: ``count`` shares of ``company`` go to ``buyer`` for a total of ``price``."""

    company: CompanyId
    count: int
    buyer: PlayerId
    price: int


@dataclass(frozen=True, slots=True)
class TokenSale:
    """Subject of a consent: the place of the marker in ``space`` goes to ``buyer`` for ``price``."""

    space: Space
    buyer: CompanyId
    price: int


Subject: TypeAlias = TrainSale | PrivateSale | ShareSale | TokenSale | Merger


@dataclass(frozen=True, slots=True)
class Agree:
    """Give consent. ``subject``: None means the present question; an answer that names its subject can
    be given ahead."""

    actor: Actor
    subject: Subject | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuse consent. ``subject``: as in ``Agree``."""

    actor: Actor
    subject: Subject | None = None


Order: TypeAlias = (
    Open
    | Bid
    | Drop
    | Limit
    | Standing
    | SealedBids
    | Pass
    | Sell
    | SellGroup
    | Buy
    | BuyFrom
    | BuyConcession
    | Start
    | Take
    | BuyMountain
    | BuyTunnel
    | Repay
    | UsePrivate
    | KeepPrivate
    | OfferPrivate
    | Short
    | Transfer
    | Float
    | PayPlayer
    | Redeem
    | Lay
    | Tunnel
    | Token
    | Tokens
    | BuyToken
    | Run
    | RunBest
    | Announce
    | Pay
    | Dividend
    | Borrow
    | RepayLoans
    | Crisis
    | Refinance
    | Settle
    | Train
    | BuyPrivate
    | Bankrupt
    | Done
    | Discard
    | KeepTrains
    | Nationalise
    | Convert
    | Merge
    | Exchange
    | HalfShort
    | Prefer
    | OfferAgain
    | Keep
    | Decline
    | Agree
    | Refuse
)
