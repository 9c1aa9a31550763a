"""A vocabulary with the names of 1841 for tests of the notation, and orders made of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.core import orders
from grammar import FLAT_TOP, Vocabulary

o: Any = orders
"""Names are plain strings here."""

KINDS = {
    "minor": ("SFLP", "SFTC", "SFMA", "CTLP", "FTP", "SLDV", "SFV", "SFL"),
    "major": ("SFTN", "SSFL", "SFTG", "IRSFF", "SFLi", "AFI", "ATFA", "CFCC", "RATF"),
}
COMPANIES = tuple(company for group in KINDS.values() for company in group)
CONCESSIONS = {
    "Bayard": ("1",), "C-SFLP": ("SFLP", "2"), "C-SFTC": ("SFTC", "3"), "C-SFMA": ("SFMA", "4"),
    "C-SFTN": ("SFTN", "5"), "C-SSFL": ("SSFL", "6"), "C-SFTG": ("SFTG", "7"), "C-IRSFF": ("IRSFF", "8"),
}  # fmt: skip
PRIVATES = tuple(CONCESSIONS)
PLAYERS = ("Ann", "Bob", "Cat", "Zoë de Vries", "Jean-Luc", "Smith, John", "Pool", "R. Işık")
TRAINS = ("2", "3", "4", "5", "6", "7", "8")
TILES = {
    "3": {0, 1}, "4": {0, 3}, "5": {0, 1}, "6": {0, 2}, "7": {0, 1}, "8": {0, 2}, "9": {0, 3}, "57": {0, 3},
    "14": {0, 1, 3, 4}, "15": {0, 1, 2, 3}, "601": {1, 5}, "610": {0, 3}, "616": {0, 1, 3, 4},
}  # fmt: skip
TURNS = {"4": 3, "9": 3, "14": 3, "57": 3, "610": 3, "616": 3}
ROWS = {
    "A": (5, 7, 9, 11), "C": (7, 13), "D": (8, 10, 16), "E": (1, 7, 9, 11), "F": (6, 8, 14, 16), "G": (1, 13, 15, 17),
    "H": (4, 8, 10, 12), "I": (5, 9), "J": (6,), "K": (7, 11), "L": (8, 14), "M": (3, 5, 7), "O": (7,), "P": (10, 12),
    "Q": (9, 11, 13), "R": (14,), "S": (11,), "T": (10,), "U": (13,),
}  # fmt: skip
HEXES = frozenset({"a4", *(f"{letter}{number}" for letter, numbers in ROWS.items() for number in numbers)})


def names(**changes: Any) -> Vocabulary:
    """The vocabulary; ``changes`` replace fields."""
    fields: dict[str, Any] = {
        "title": "1841",
        "players": PLAYERS,
        "companies": dict.fromkeys(COMPANIES, ()),
        "privates": dict.fromkeys(PRIVATES, ()),
        "concessions": CONCESSIONS,
        "kinds": {company: kind for kind, group in KINDS.items() for company in group},
        "trains": TRAINS,
        "tiles": {tile: frozenset(exits) for tile, exits in TILES.items()},
        "turns": TURNS,
        "hexes": HEXES,
        "edges": FLAT_TOP,
        "pool": ("pool", "market"),
        "currency": ("L.", "L"),
    }
    return Vocabulary(**{**fields, **changes})


ITALIAN = names()
"""One for all tests that need nothing special."""

# ---- orders of every kind --------------------------------------------------------------------------------------------

amounts = st.integers(0, 999_999)
companies = st.sampled_from(COMPANIES)
players = st.sampled_from(PLAYERS)
privates = st.sampled_from(PRIVATES)
trains = st.sampled_from(TRAINS)
hexes = st.sampled_from(sorted(HEXES))
spaces = st.one_of(
    st.builds(o.Space, hexes),
    st.builds(o.Space, hexes, st.integers(0, len(FLAT_TOP) - 1)),
    st.builds(o.Space, hexes, st.none(), companies),
)
routes = st.builds(o.Route, trains, st.lists(hexes, min_size=1, max_size=12).map(tuple))
bids = st.lists(st.tuples(privates, amounts), max_size=8).map(tuple)
groups = st.lists(st.tuples(companies, amounts), min_size=2, max_size=5).map(tuple)
subjects = st.one_of(
    st.builds(o.TrainSale, trains, companies, amounts),
    st.builds(o.PrivateSale, privates, players, amounts),
    st.builds(o.ShareSale, companies, amounts, players, amounts),
    st.builds(o.TokenSale, spaces, companies, amounts),
)


def orders_of(actor: str) -> st.SearchStrategy[orders.Order]:
    """Orders of every kind, readable ones, whether or not they make sense."""
    who = st.just(actor)
    plain = st.builds(o.Train, who, trains, st.sampled_from((None, "Pool")))
    bought = st.builds(o.Train, who, trains, companies, amounts, st.none() | plain)
    sources = st.sampled_from((None, "pool", "treasury"))
    each: tuple[st.SearchStrategy[orders.Order], ...] = (
        st.builds(o.SealedBids, who, bids),
        st.builds(o.Open, who, st.none() | privates, st.none() | amounts),
        st.builds(o.Bid, who, amounts, st.none() | privates),
        st.builds(o.Drop, who, st.none() | privates),
        st.builds(o.Limit, who, amounts, st.none() | privates, st.integers(1, 50)),
        st.builds(o.Pass, who),
        st.builds(o.Sell, who, companies, amounts),
        st.builds(o.SellGroup, who, groups),
        st.builds(o.Buy, who, companies, sources, st.sampled_from((None, "director"))),
        st.builds(o.BuyFrom, who, companies, amounts, players, amounts),
        st.builds(o.BuyConcession, who, privates, st.none() | amounts),
        st.builds(o.Start, who, companies, amounts),
        st.builds(o.Take, who, amounts, st.none() | companies),
        st.builds(o.Lay, who, st.sampled_from(tuple(TILES)), hexes, st.integers(0, 5)),
        st.builds(o.Token, who, spaces),
        st.builds(o.Tokens, who, amounts),
        st.builds(o.BuyToken, who, spaces, companies, amounts),
        st.builds(o.Run, who, st.lists(routes, max_size=4).map(tuple)),
        st.builds(o.RunBest, who),
        st.builds(o.Announce, who, companies, st.lists(routes, min_size=1, max_size=4).map(tuple)),
        st.builds(o.Pay, who, st.sampled_from(("full", "none"))),
        plain | bought,
        st.builds(o.Bankrupt, who, st.sampled_from((None, "resign", "loan"))),
        st.builds(o.Done, who),
        st.builds(o.Discard, who, trains),
        st.builds(o.Convert, who, companies),
        st.builds(o.Merge, who, st.tuples(companies), companies, st.just(()), st.none() | amounts),
        st.builds(o.Exchange, who, st.sampled_from(("director", "share", "cash"))),
        st.builds(o.Prefer, who, companies),
        st.builds(o.OfferAgain, who, st.booleans()),
        st.builds(o.Keep, who, st.lists(spaces, min_size=1, max_size=3).map(tuple)),
        st.builds(o.Agree, who, st.none() | subjects),
        st.builds(o.Refuse, who, st.none() | subjects),
    )
    return st.one_of(each)


actors = st.sampled_from((*PLAYERS, *COMPANIES))
blocks = st.lists(actors.flatmap(orders_of), max_size=6)
"""Orders of several actors in their sequence."""
