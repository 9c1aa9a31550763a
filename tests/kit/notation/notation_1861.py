"""A vocabulary with the names of 1861 for tests of the notation, and orders made of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.core import orders, programs
from grammar import FLAT_TOP, Vocabulary

o: Any = orders
p: Any = programs
"""Names are plain strings here."""

MINORS: dict[str, tuple[str, ...]] = {
    "N": (), "K-B": ("KB",), "K-K": ("KK",), "K-R": ("KR",), "M-K": (), "M-NN": ("MNN",), "M-V": ("MV",),
    "O-K": ("OK",), "R-O": ("RO",), "SP-W": ("SPW",), "D": ("Y",), "E": (),
    "M-B": ("MB",), "S-V": ("SV",), "T-R": ("TR",), "V": (),
}  # fmt: skip
PUBLICS = ("GRR", "MK", "MKN", "MKV", "MVR", "NW", "SE", "SW")
PRIVATES = ("TSR", "BSS", "MYR", "MRR", "WVR")
PLAYERS = ("Ann", "Bob", "Cat", "Zoë de Vries", "O'Brien", "Иван П.", "J. R. Işık")
TRAINS = ("2", "3", "4", "5", "6", "7", "8", "2+2", "5+5E")
TILES = {
    "3": {0, 1}, "4": {0, 3}, "5": {0, 1}, "6": {0, 2}, "7": {0, 1}, "8": {0, 2}, "9": {0, 3}, "14": {0, 1, 3, 4},
    "15": {0, 1, 2, 3}, "23": {0, 3, 4}, "57": {0, 3}, "58": {0, 2}, "63": {0, 1, 2, 3, 4, 5}, "201": {0, 1},
    "621": {0, 3}, "637": {0, 1, 2, 3, 4, 5},
}  # fmt: skip
TURNS = {"4": 3, "9": 3, "14": 3, "57": 3, "63": 1}
ROWS = {
    "A": (5, 15), "B": (4, 20), "C": (3, 21), "D": (2, 20), "E": (1, 19), "F": (2, 20), "G": (3, 19), "H": (2, 20),
    "I": (3, 21), "J": (2, 20), "K": (3, 21), "L": (2, 20), "M": (3, 21), "N": (2, 20), "O": (1, 11), "P": (0, 12),
    "Q": (3, 13),
}  # fmt: skip
HEXES = frozenset(f"{letter}{n}" for letter, (first, last) in ROWS.items() for n in range(first, last + 1, 2))


def names(players: tuple[str, ...] = PLAYERS, **changes: Any) -> Vocabulary:
    """The vocabulary; ``changes`` replace fields."""
    fields: dict[str, Any] = {
        "title": "1861",
        "players": players,
        "companies": {**MINORS, **dict.fromkeys(PUBLICS, ()), "RSR": ()},
        "privates": dict.fromkeys(PRIVATES, ()),
        "kinds": {**dict.fromkeys(MINORS, "minor"), **dict.fromkeys(PUBLICS, "public"), "RSR": "national"},
        "trains": TRAINS,
        "tiles": {tile: frozenset(exits) for tile, exits in TILES.items()},
        "turns": TURNS,
        "hexes": HEXES,
        "currency": ("R", "R."),
    }
    return Vocabulary(**{**fields, **changes})


NAMES = names()
"""One for all tests that need nothing special."""

# ---- orders of every kind --------------------------------------------------------------------------------------------

amounts = st.integers(0, 999_999)
companies = st.sampled_from(tuple(NAMES.companies))
privates = st.sampled_from(PRIVATES)
trains = st.sampled_from(TRAINS)
hexes = st.sampled_from(sorted(HEXES))
items = st.none() | companies | privates
spaces = st.one_of(
    st.builds(o.Space, hexes),
    st.builds(o.Space, hexes, st.integers(0, len(FLAT_TOP) - 1)),
    st.builds(o.Space, hexes, st.none(), companies),
)
routes = st.builds(o.Route, trains, st.lists(hexes, min_size=1, max_size=12).map(tuple))
many_routes = st.lists(routes, min_size=1, max_size=4).map(tuple)
minors = st.lists(companies, min_size=1, max_size=9).map(tuple)
subjects = st.one_of(
    st.builds(o.TrainSale, trains, companies, amounts),
    st.builds(o.PrivateSale, privates, companies, amounts),
    st.builds(o.Merger, minors, companies),
)


def trains_of(actor: str) -> st.SearchStrategy[orders.Train]:
    """Purchases of trains; only one from another company can have another purchase in its place."""
    plain = st.builds(o.Train, st.just(actor), trains, st.sampled_from((None, "Pool")))
    return st.recursive(
        plain | st.builds(o.Train, st.just(actor), trains, companies, amounts),
        lambda other: st.builds(o.Train, st.just(actor), trains, companies, amounts, other),
        max_leaves=3,
    )


conditions = st.one_of(
    st.builds(
        p.Condition, st.sampled_from(("acts", "sells", "founds")), st.sampled_from(("", "Ann", "Bob", "Cat", "O'Brien"))
    ),
    st.builds(p.Condition, st.sampled_from(("starts", "floats", "sold", "direct")), companies),
    st.builds(p.Condition, st.sampled_from(("under", "over", "least", "most")), companies, amounts),
    st.builds(p.Condition, st.just("on_sale"), trains),
    st.builds(p.Condition, st.sampled_from(("track", "round"))),
)
untils = st.lists(conditions, min_size=1, max_size=3).map(tuple)
states = st.one_of(
    st.builds(p.Condition, st.sampled_from(("started", "unstarted", "direct")), companies),
    st.builds(p.Condition, st.sampled_from(("under", "over", "least", "most")), companies, amounts),
    st.builds(p.Condition, st.just("on_sale"), trains),
    st.builds(p.Condition, st.just("passed"), st.sampled_from(("Ann", "Bob", "Cat", "O'Brien"))),
)
maybe_untils = st.just(()) | untils
lots = st.builds(p.PlanLot, items.filter(bool), amounts, st.integers(1, 50), items)
groups = st.lists(st.lists(lots, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)
steps = ("run best", "run none", "pay full", "pay half", "pay none", "train if needed", "done")
shares_bought = st.builds(
    p.BuyShares, companies, amounts, st.none() | amounts, maybe_untils, st.booleans(),
    st.sampled_from((None, "pool", "treasury")),
)  # fmt: skip
terms = st.one_of(
    st.builds(p.Terms, st.just(True), privates, st.none(), st.none() | companies, amounts),
    st.builds(p.Terms, st.just(False), st.none(), trains, st.none() | companies, st.none() | amounts),
)
programs_ = st.one_of(
    st.builds(p.PassUntil, untils),
    st.builds(p.PassUntil, maybe_untils, st.sampled_from(("all", "other"))),
    shares_bought,
    st.builds(p.SellShares, companies, amounts, st.none() | amounts),
    st.builds(p.AuctionPlan, groups, st.none() | amounts, st.booleans()),
    terms,
    st.builds(
        p.TurnRoutine, st.lists(st.sampled_from(steps), min_size=1, max_size=4).map(tuple), maybe_untils, st.booleans()
    ),
    st.builds(p.MergerTerms, st.booleans(), st.none() | companies, st.none() | companies, maybe_untils),
    st.builds(p.DeclineMergers, maybe_untils),
    st.builds(p.DiscardFirst, trains),
    st.builds(p.OnlyIf, st.lists(states, min_size=1, max_size=3).map(tuple)),
    st.builds(p.Unless, untils),
)
"""Standing orders of every kind."""


def orders_of(actor: str) -> st.SearchStrategy[orders.Order]:
    """Orders of every kind, readable ones, whether or not they make sense."""
    who = st.just(actor)
    kinds: tuple[st.SearchStrategy[orders.Order], ...] = (
        st.builds(o.Open, who, items, st.none() | amounts),
        st.builds(o.Bid, who, amounts, items),
        st.builds(o.Drop, who, items),
        st.builds(o.Limit, who, amounts, items, st.integers(1, 50)),
        st.builds(o.Pass, who),
        st.builds(o.Standing, who, programs_),
        st.builds(o.Sell, who, companies, amounts),
        st.builds(o.Buy, who, companies, st.sampled_from((None, "pool", "treasury"))),
        st.builds(o.Start, who, companies, amounts, st.none() | spaces),
        st.builds(o.Take, who, amounts, st.none() | companies),
        st.builds(o.Redeem, who, amounts),
        st.builds(o.Lay, who, st.sampled_from(tuple(TILES)), hexes, st.integers(0, 5)),
        st.builds(o.Token, who, spaces),
        st.builds(o.Run, who, st.just(()) | many_routes),
        st.builds(o.RunBest, who),
        st.builds(o.Announce, who, companies, many_routes),
        st.builds(o.Pay, who, st.sampled_from(("full", "half", "none"))),
        st.builds(o.Settle, who),
        trains_of(actor),
        st.builds(o.BuyPrivate, who, privates, amounts),
        st.builds(o.Done, who),
        st.builds(o.Discard, who, trains),
        st.builds(o.Nationalise, who, st.booleans()),
        st.builds(o.Convert, who, companies),
        st.builds(o.Merge, who, minors, companies, st.lists(spaces, max_size=3).map(tuple)),
        st.builds(o.Keep, who, st.lists(spaces, min_size=1, max_size=3).map(tuple)),
        st.builds(o.Decline, who),
        st.builds(o.Agree, who, st.none() | subjects),
        st.builds(o.Refuse, who, st.none() | subjects),
    )
    return st.one_of(kinds)


actors = st.sampled_from((*PLAYERS, *NAMES.companies))
blocks = st.lists(actors.flatmap(orders_of), max_size=6)
"""Orders of several actors in their sequence."""
