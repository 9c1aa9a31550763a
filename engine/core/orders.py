"""The orders that players give: a closed union of frozen values, and nothing else.

Every order carries ``actor``: who acts (a player, or a company through its director). The notation writes each of
them in one canonical form; the rules decide them. Amounts are whole units of the game's currency.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import Actor, CompanyId, HexId, PlayerId, PrivateId, TileId, TrainName


@dataclass(frozen=True, slots=True)
class Space:
    """A city space on the map. If the hex has several, ``exit`` (an edge of the hex, 0 to 5) or ``company`` (a company
    with its home or a marker there) says which; if both are None, only one can be meant."""

    hex: HexId
    exit: int | None = None
    company: CompanyId | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """One train's run: the coordinates of its stops in order, and of a hex between two stops only where the track
    would be ambiguous without it."""

    train: TrainName
    hexes: tuple[HexId, ...]


# ---- auctions and stock turns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """Put a private or minor up for auction with a first bid (or take it, where the rules sell at the asked price).
    ``item`` None is the only thing on offer; ``amount`` None is the minimum."""

    actor: Actor
    item: PrivateId | CompanyId | None = None
    amount: int | None = None


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
class SealedBids:
    """All bids of a player in a round of sealed bids, one for each item; he does not bid on items that he does not
    name. The bids are opened when all players have given theirs."""

    actor: PlayerId
    bids: tuple[tuple[PrivateId, int], ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass: leave a stock turn unused, or do not open an auction."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell ``count`` shares of ``company`` into the pool. If ``actor`` is a company, its director sells his own shares
    to pay for its train. ``doubles``: the number of certificates that count two shares, if the seller has a choice."""

    actor: Actor
    company: CompanyId
    count: int
    doubles: int | None = None


@dataclass(frozen=True, slots=True)
class SellGroup:
    """Sell shares of several companies into the pool in one group: ``sales`` are companies and numbers of shares. All
    are paid at the prices before the sale."""

    actor: Actor
    sales: tuple[tuple[CompanyId, int], ...]


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy one certificate of ``company``. ``source``: may be None if only one of treasury (or IPO) and pool has any.
    ``certificate``: the kind wanted, None for one share."""

    actor: Actor
    company: CompanyId
    source: Literal["treasury", "ipo", "pool"] | None = None
    certificate: Literal["director", "double"] | None = None


@dataclass(frozen=True, slots=True)
class BuyFrom:
    """Buy ``count`` shares of ``company`` from another player at an agreed price, all together."""

    actor: PlayerId
    company: CompanyId
    count: int
    seller: PlayerId
    price: int


@dataclass(frozen=True, slots=True)
class BuyConcession:
    """Buy a concession: from another player at an agreed ``price``, or from the bank at the printed price (None)."""

    actor: PlayerId
    concession: PrivateId
    price: int | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Start a public company: its ``price``, and the space of its first marker if the founder chooses it. If the right
    to start it is auctioned, ``price`` is the first bid."""

    actor: Actor
    company: CompanyId
    price: int
    space: Space | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """Answer an offer of shares: buy ``count`` (0 declines). ``company`` names the offer when it is answered ahead."""

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
    """Use the special power of a private. ``company``: the company that it is used for, if there is a choice;
    ``hexes``: the places. Such an order may also come from a player who is not asked anything."""

    actor: Actor
    private: PrivateId
    company: CompanyId | None = None
    hexes: tuple[HexId, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepPrivate:
    """Keep a private that was dealt, for half its face, or return it."""

    actor: PlayerId
    private: PrivateId
    keep: bool


@dataclass(frozen=True, slots=True)
class OfferPrivate:
    """Put up a private for auction; ``minimum`` is the lowest bid."""

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
    """Take ``count`` shares of ``company`` from the company ``source``, for ``target``: the player who orders it, or
    another company that he controls. A minor is taken whole."""

    actor: PlayerId
    company: CompanyId
    count: int
    source: CompanyId
    target: Actor


@dataclass(frozen=True, slots=True)
class Float:
    """Float ``company``, whose right to be started has been won. ``actor`` founds it: a player, or a company.

    ``kind`` of company; ``price`` on the chart; ``markers`` in all, the first included. The capital consists of
    ``trains``, ``privates`` and ``shares`` (companies and numbers) of the founder, and of ``cash``: None is the
    rest of the capital.
    """

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
    """Lay or upgrade: tile ``tile`` in ``hex``, turned clockwise by ``rotation`` sixths from its listed position.
    ``using``: the private whose power brings this tile beside the usual ones; where it is the power of a player's own
    private, ``actor`` is that player."""

    actor: CompanyId
    tile: TileId
    hex: HexId
    rotation: int
    using: PrivateId | None = None


@dataclass(frozen=True, slots=True)
class Tunnel:
    """Build a tunnel in ``hex`` between two of its edges with a tunnel certificate of the director: any of his unused
    ones where ``certificate`` is None."""

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
    """A company buys station markers: ``count`` is the number that it then has in all, including those on the map."""

    actor: CompanyId
    count: int


@dataclass(frozen=True, slots=True)
class BuyToken:
    """Take the place of another company's marker on the map, at an agreed price."""

    actor: CompanyId
    space: Space
    owner: CompanyId
    price: int


@dataclass(frozen=True, slots=True)
class Run:
    """Declare the runs of a company's trains; with no routes, earnings of zero."""

    actor: CompanyId
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class RunBest:
    """Run the best routes: the moderator works them out, with proof."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Announce:
    """Another player announces a better run for a company, if the table plays with that option."""

    actor: PlayerId
    company: CompanyId
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class Pay:
    """The use of the earnings: all paid out, half, or none."""

    actor: CompanyId
    kind: Literal["full", "half", "none"]


@dataclass(frozen=True, slots=True)
class Dividend:
    """The total that a company pays for all its shares, if any amount is allowed."""

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
    """A company cannot pay its bill: it goes into liquidation, or its president helps."""

    actor: CompanyId
    way: Literal["liquidate", "help"]


@dataclass(frozen=True, slots=True)
class Refinance:
    """The company's price is doubled, and everybody's shares are halved."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Settle:
    """Pay interest (loans are then redeemed), or the markers of a new company, now. The order is needed only if
    something else could still be done first; otherwise the next step brings the payment."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Train:
    """Buy a train: new from the bank (``source`` None), used from the ``"Pool"``, or from another company at ``price``.
    ``otherwise`` is bought instead if the other company's director refuses."""

    actor: CompanyId
    train: TrainName
    source: str | None = None
    price: int | None = None
    otherwise: Train | None = None


@dataclass(frozen=True, slots=True)
class BuyPrivate:
    """A company buys a private company from its owner."""

    actor: CompanyId
    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class Bankrupt:
    """A director cannot pay for the train that his company must have. ``way``: he leaves the game or goes on with a
    loan, if the title has that choice."""

    actor: CompanyId
    way: Literal["resign", "loan"] | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """End a company's turn; steps left out are skipped."""

    actor: CompanyId


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a train over the limit."""

    actor: CompanyId
    train: TrainName


@dataclass(frozen=True, slots=True)
class KeepTrains:
    """The trains that a company keeps for a while, though they rust."""

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
    """A minor becomes the public company ``into``; ``markers``: the number that it then buys, if it has the choice."""

    actor: CompanyId
    into: CompanyId
    markers: int | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """The acting company and ``minors`` become the company ``into``. ``keep`` names the markers that stay, if the
    leader has to choose them. ``price``: the price of the new company, if there is a choice."""

    actor: CompanyId
    minors: tuple[CompanyId, ...]
    into: CompanyId
    keep: tuple[Space, ...] = ()
    price: int | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """The use that a holder makes of his old shares in a merger: the ``director``'s certificate of the new company, for
    the difference in price if they are too few; a ``share`` of it; or ``cash``."""

    actor: Actor
    into: Literal["director", "share", "cash"]


@dataclass(frozen=True, slots=True)
class HalfShort:
    """Half a short is left over in a merger: the player gets money and keeps a whole short, or pays and keeps none."""

    actor: PlayerId
    keep: bool


@dataclass(frozen=True, slots=True)
class Prefer:
    """The company that a holder chooses, of several whose shares could take the place of his old ones."""

    actor: Actor
    company: CompanyId


@dataclass(frozen=True, slots=True)
class OfferAgain:
    """Offer the company's new shares to its shareholders once more, or not."""

    actor: CompanyId
    yes: bool


@dataclass(frozen=True, slots=True)
class Keep:
    """The new company's director names the markers that stay."""

    actor: CompanyId
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """A minor neither converts nor leads a merger."""

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
    """Subject of a consent: ``private`` goes to ``buyer`` for ``price``. ``company``: the one whose director's
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
    """Subject of a consent: ``count`` shares of ``company`` go to ``buyer`` for ``price`` together."""

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
    """Consent. ``subject`` None means the present question; with a subject the answer can be given ahead."""

    actor: Actor
    subject: Subject | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    """Withhold consent."""

    actor: Actor
    subject: Subject | None = None


Order: TypeAlias = (
    Open
    | Bid
    | Drop
    | Limit
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
