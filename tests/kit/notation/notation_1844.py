"""A vocabulary with the names of 1844 for tests of the notation, and orders made of it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.core import orders
from grammar import POINTY_TOP, Vocabulary

o: Any = orders
"""Names are plain strings here."""

KINDS = {
    "pre-sbb": ("NOB", "SCB", "VSB", "JS", "GB"),
    "regional": ("JN", "ChA", "VZ"),
    "historical": ("FNM", "RhB", "BLS", "STB", "AB", "MOB"),
    "sbb": ("SBB",),
}
COMPANIES = tuple(company for group in KINDS.values() for company in group)
PRIVATES = ("P1", "P2", "P3", "P4", "P5", "P6", "P7")
MOUNTAINS = ("B1", "B2", "B3", "B4", "B5")
TUNNELS = ("T1", "T2", "T3", "T4", "T5")
PANELS = {"XM1": (10, 20, 50, 80), "XM2": (10, 40, 50, 60), "XM3": (10, 50, 80, 10)}
PLAYERS = ("Ann", "Bob", "Cat", "Zoë de Vries", "Heidi P4")
TRAINS = ("2", "2H", "3", "3H", "4", "4H", "5", "5H", "SBB5H", "6", "6H", "8E", "8H")
TILES = {
    "3": {0, 1}, "4": {0, 3}, "5": {0, 1}, "6": {0, 2}, "7": {0, 1}, "8": {0, 2}, "9": {0, 3}, "57": {0, 3},
    "58": {0, 2}, "14": {0, 1, 3, 4}, "15": {0, 1, 2, 3}, "619": {0, 2, 3, 4}, "901": {0, 1, 2, 3},
    "611": {0, 1, 2, 3, 4}, "915": {0, 1, 2, 3, 4},
}  # fmt: skip
TURNS = {"4": 3, "9": 3, "14": 3, "57": 3}
ROWS = {
    "A": (18, 20), "B": (11, 23), "C": (8, 26), "D": (7, 25), "E": (6, 26), "F": (3, 27), "G": (2, 30), "H": (1, 29),
    "I": (2, 30), "J": (1, 29), "K": (2, 26), "L": (1, 23), "M": (8, 22),
}  # fmt: skip
HEXES = frozenset(f"{letter}{n}" for letter, (first, last) in ROWS.items() for n in range(first, last + 1, 2))


def names(**changes: Any) -> Vocabulary:
    """The vocabulary; ``changes`` replace fields."""
    fields: dict[str, Any] = {
        "title": "1844",
        "players": PLAYERS,
        "companies": dict.fromkeys(COMPANIES, ()),
        "privates": dict.fromkeys(PRIVATES, ()),
        "mountains": dict.fromkeys(MOUNTAINS, ()),
        "tunnels": dict.fromkeys(TUNNELS, ()),
        "kinds": {company: kind for kind, group in KINDS.items() for company in group},
        "trains": TRAINS,
        "tiles": {tile: frozenset(exits) for tile, exits in TILES.items()},
        "turns": TURNS,
        "panels": PANELS,
        "hexes": HEXES,
        "edges": POINTY_TOP,
        "currency": ("SFR", "SFR."),
    }
    return Vocabulary(**{**fields, **changes})


SWISS = names()
"""One for all tests that need nothing special."""

# ---- orders of every kind --------------------------------------------------------------------------------------------

amounts = st.integers(0, 999_999)
companies = st.sampled_from(COMPANIES)
privates = st.sampled_from(PRIVATES)
trains = st.sampled_from(TRAINS)
hexes = st.sampled_from(sorted(HEXES))
spaces = st.one_of(
    st.builds(o.Space, hexes),
    st.builds(o.Space, hexes, st.integers(0, len(POINTY_TOP) - 1)),
    st.builds(o.Space, hexes, st.none(), companies),
)
ends = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: (min(pair), max(pair)))
routes = st.builds(o.Route, trains, st.lists(hexes, min_size=1, max_size=12).map(tuple))
many_routes = st.lists(routes, min_size=1, max_size=4).map(tuple)
subjects = st.builds(o.TrainSale, trains, companies, amounts) | st.builds(o.PrivateSale, privates, companies, amounts)


def orders_of(actor: str) -> st.SearchStrategy[orders.Order]:
    """Orders of every kind, readable ones, whether or not they make sense."""
    who = st.just(actor)
    plain = st.builds(o.Train, who, trains, st.sampled_from((None, "Pool")))
    bought = st.builds(o.Train, who, trains, companies, amounts, st.none() | plain)
    sources, kinds = st.sampled_from((None, "pool", "ipo")), st.sampled_from((None, "director", "double"))
    each: tuple[st.SearchStrategy[orders.Order], ...] = (
        st.builds(o.Bid, who, amounts, st.none() | privates),
        st.builds(o.Drop, who, st.none() | privates),
        st.builds(o.Limit, who, amounts, st.none() | privates, st.integers(1, 50)),
        st.builds(o.Pass, who),
        st.builds(o.Sell, who, companies, amounts, st.none() | st.integers(0, 5)),
        st.builds(o.Buy, who, companies, sources, kinds),
        st.builds(o.BuyMountain, who, st.sampled_from(MOUNTAINS), hexes, st.sampled_from(tuple(PANELS))),
        st.builds(o.BuyTunnel, who, st.sampled_from(TUNNELS)),
        st.builds(o.Start, who, companies, amounts),
        st.builds(o.Repay, who, amounts),
        st.builds(o.UsePrivate, who, privates, st.none() | companies),
        st.builds(o.Lay, who, st.sampled_from(tuple(TILES)), hexes, st.integers(0, 5), st.none() | privates),
        st.builds(o.Tunnel, who, hexes, ends, st.none() | st.sampled_from(TUNNELS)),
        st.builds(o.Token, who, spaces),
        st.builds(o.Run, who, st.just(()) | many_routes),
        st.builds(o.RunBest, who),
        st.builds(o.Announce, who, companies, many_routes),
        st.builds(o.Pay, who, st.sampled_from(("full", "none"))),
        plain | bought,
        st.builds(o.BuyPrivate, who, privates, amounts),
        st.builds(o.Bankrupt, who),
        st.builds(o.Done, who),
        st.builds(o.Discard, who, trains),
        st.builds(o.Keep, who, st.lists(spaces, min_size=1, max_size=3).map(tuple)),
        st.builds(o.Agree, who, st.none() | subjects),
        st.builds(o.Refuse, who, st.none() | subjects),
    )
    return st.one_of(each)


actors = st.sampled_from((*PLAYERS, *COMPANIES))
blocks = st.lists(actors.flatmap(orders_of), max_size=6)
"""Orders of several actors in their sequence."""
