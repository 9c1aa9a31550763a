"""The kinds of decision that each order belongs to. They tell which question an order answers, and decide nothing in a
game: whoever reads the orders of people needs them. Add a new type of order here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.orders import (
    Agree,
    Announce,
    Bankrupt,
    Bid,
    Borrow,
    Buy,
    BuyConcession,
    BuyFrom,
    BuyMountain,
    BuyPrivate,
    BuyToken,
    BuyTunnel,
    Convert,
    Crisis,
    Decline,
    Discard,
    Dividend,
    Done,
    Drop,
    Exchange,
    Float,
    HalfShort,
    Keep,
    KeepPrivate,
    KeepTrains,
    Lay,
    Limit,
    Merge,
    Nationalise,
    OfferAgain,
    OfferPrivate,
    Open,
    Pass,
    Pay,
    PayPlayer,
    Prefer,
    Redeem,
    Refinance,
    Refuse,
    Repay,
    RepayLoans,
    Run,
    RunBest,
    SealedBids,
    Sell,
    SellGroup,
    Settle,
    Short,
    Standing,
    Start,
    Take,
    Token,
    Tokens,
    Train,
    Transfer,
    Tunnel,
    UsePrivate,
)

_KINDS: Final[tuple[tuple[str, tuple[type, ...]], ...]] = (
    ("stock", (Open, BuyFrom, BuyConcession, BuyMountain, BuyTunnel, Repay, Pass)),
    ("operate", (Redeem, Lay, Tunnel, Token, Run, RunBest, Pay, BuyPrivate, Settle)),
    ("operate", (BuyToken, Train, Bankrupt, Done)),
    ("merge", (Convert, Merge, Decline)),
    ("bid", (Bid, Drop, Limit)),
    ("take", (Take,)),
    ("consent", (Agree, Refuse)),
    ("discard", (Discard,)),
    ("keep", (Keep,)),
    ("nationalise", (Nationalise,)),
    ("announce", (Announce,)),
    ("seal", (SealedBids,)),
    ("exchange", (Exchange, Prefer)),
    ("offer_again", (OfferAgain,)),
    ("stock", (Short, Transfer)),
    ("float", (Float,)),
    ("operate", (Dividend,)),
    ("keep_private", (KeepPrivate,)),
    ("offer_private", (OfferPrivate,)),
    ("crisis", (Crisis,)),
    ("keep_trains", (KeepTrains,)),
    ("half_short", (HalfShort,)),
    ("tokens", (Tokens,)),
)
TURNS: Final = frozenset({"stock", "operate", "merge"})
"""Kinds of which a turn consists."""
KINDS_OF: Final[Mapping[type, frozenset[str]]] = {
    kind: frozenset({name}) for name, kinds in _KINDS for kind in kinds
} | {
    Sell: frozenset({"stock", "operate"}),  # a director may sell his own shares to pay for a compulsory train
    SellGroup: frozenset({"stock", "operate"}),
    Buy: frozenset({"stock", "operate"}),  # companies may buy and start others in their turns
    Start: frozenset({"stock", "operate"}),
    Borrow: frozenset({"stock", "operate", "merge", "crisis"}),  # a company may borrow whenever it acts
    RepayLoans: frozenset({"stock", "operate"}),
    Refinance: frozenset({"stock", "operate"}),
    PayPlayer: frozenset(),  # at any moment
    Standing: frozenset(),  # it answers nothing itself
    UsePrivate: frozenset(),  # at any moment, or a step of a company's turn: it answers nothing
}
INTERRUPTIONS: Final = frozenset(
    {
        "consent",
        "discard",
        "take",
        "keep",
        "nationalise",
        "announce",
        "exchange",
        "offer_again",
        "tokens",
        "crisis",
        "keep_private",
        "offer_private",
        "keep_trains",
        "half_short",
    }
)
"""Kinds that interrupt a turn, which continues afterwards."""
NO_STEPS: Final = (
    Agree,
    Refuse,
    Discard,
    Take,
    Keep,
    Nationalise,
    Announce,
    Convert,
    Merge,
    Decline,
    Exchange,
    Prefer,
    OfferAgain,
    KeepPrivate,
    OfferPrivate,
    Crisis,
    KeepTrains,
    HalfShort,
    PayPlayer,
    Standing,
    UsePrivate,
)
"""Orders that are no step of a company's turn: they answer a question or may come at any moment. They never imply the
end of a turn."""
END: Final = Done
"""The order that ends a company's turn."""
ENDS: Final = (Done, Pass)
"""Orders with which people end a turn, or their part in what is decided."""
STANDS_FOR: Final[Mapping[type, tuple[type, ...]]] = {Pass: (Pass, Drop, Decline, Refuse, Done)}
"""An order that stands for the first of these that is offered."""
ON_A_LOT: Final = (Bid, Drop, Limit, Open)
"""Orders of an auction, which may name their lot."""
ON_A_SUBJECT: Final = (Agree, Refuse)
"""Orders of consent, which may name their subject."""
LAST: Final[Mapping[str, tuple[type, ...]]] = {
    "lot": (Bid, Drop, Open),
    "par": (Start,),
    "merger": (Convert, Merge, Decline),
}
"""The question -> the orders after which the same player decides no more in it."""
