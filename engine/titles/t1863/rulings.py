"""The named rulings of 1863: the points that the rulebook leaves open or contradicts itself on, and the optional rules.

An edition is a set of rulings, and an option of a game changes one of them. The tags of a game record all its rulings,
so a later correction of an edition never changes a game in progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.core.title import Title
from engine.titles import options as named
from engine.titles.options import as_options

__all__ = ["Rulings", "as_options", "choices", "rulings_of", "with_options"]


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a game. The defaults are for historical play. The numbers are rules in ``rules.toml``; numbers
    from 12.1 are open points of the rulebook."""

    # ---- variants of the rulebook ----
    play: Literal["historical", "equal"] = "historical"
    """13.1: whether companies have homes and the Metropolitan opens the game, or all companies are equal."""
    short_game: Literal["no", "II", "III", "both"] = "no"
    """13.2: the phases in which there are two trains fewer."""
    long_game: bool = False
    """13.3: whether phase IV has two trains more."""
    refinancing: bool = False
    """13.4: whether a company may double its price and halve its shares."""
    loose_valuations: bool = False
    """13.5: whether loans are limited only by the kind of company."""
    clink_club: bool = False
    """3.6: whether the thirteenth private is played."""
    quick_auction: bool = False
    """3.7: whether the privates are dealt out."""
    first_bankruptcy_ends: bool = False
    """11.2: whether the first bankruptcy signals the end of the game."""

    # ---- auction of privates ----
    openings: Literal["any", "listed"] = "any"
    """12.4: the privates that an opener may name: any on offer, or only the first in the list."""
    uneven_deal: Literal["auctioned", "dealt"] = "auctioned"
    """12.6: the use of privates that cannot be dealt out evenly."""

    # ---- phases ----
    lptb_from: Literal["V", "IV"] = "V"
    """12.9: the phase in which the LPTB begins to act."""

    # ---- stock rounds ----
    circles: Literal["shares", "presidencies"] = "shares"
    """12.13: the holdings that a company may not have in a company above it: any shares, or its presidency."""
    bid_means: Literal["float", "cash"] = "float"
    """12.14: the highest bid for the right to start a company: the bid that leaves enough for the cheapest float, or
    all cash."""
    capital_over: Literal["last", "none"] = "last"
    """12.16: whether the last of the goods may exceed the capital."""
    after_start: Literal["opener", "winner"] = "opener"
    """12.17: the player on whose left the round continues after a company is started: the opener or the winner."""
    purchase_shorts: Literal["paid", "void"] = "paid"
    """12.22: the treatment of shorts of a company that the LPTB buys."""
    short_own_subsidiary: bool = False
    """12.63: whether a player may sell short shares of a company that only his companies hold."""

    # ---- operating rounds ----
    operating_ties: Literal["live", "fixed"] = "live"
    """12.25: whether price moves during the round change the order of the companies still to operate."""
    second_lay_anywhere: bool = False
    """12.26: whether the second lay may be in the hex of the first."""
    plain_track_free: bool = False
    """12.27: whether plain track and upgrades of it are free."""
    intersecting: Literal["connected", "pairs"] = "connected"
    """12.28: the connection between the routes of a company: each with at least one other, or each with every other."""
    express_ends: Literal["held", "open"] = "held"
    """12.30: the ends of an express route: stations with the company's marker, or any that others do not fill."""
    dividend_step: Literal["bands", "5", "1"] = "bands"
    """12.32: the possible dividends: the prices of the chart and the whole revenue, or all sums with a step between
    them."""
    short_fractions: Literal["up", "down"] = "up"
    """12.33: the rounding of a fraction in the dividend charged for shorts."""
    first_supply: Literal["left", "sold"] = "left"
    """12.34: the number of trains of phase II: either left after the first operating round, or including those already
    sold."""
    toll: Literal["company", "route"] = "company"
    """12.51: whether the pirate's toll is due once per company in a round, or for each route."""

    # ---- loans, crises ----
    own_shares_valued: bool = False
    """12.37: whether shares on a company's own charter count toward its value."""

    # ---- mergers and acquisitions ----
    bid_share: Literal["share", "holding"] = "share"
    """12.71: the rounding of a tenth of the bid for a company: for each share, or for the sum of a holder."""
    minor_bid: Literal["half", "tenth"] = "half"
    """12.72: the fraction of the bid for a minor that each of its two shares is paid."""
    acquirers: Literal["all", "players"] = "all"
    """12.73: the entities that may bid for a company in acquisition."""
    train_lots: Literal["room", "excess"] = "room"
    """12.76: whether a company that buys the trains of a liquidation must have room for all, or gives up the excess."""
    last_rounds_build: bool = False
    """12.54: whether track and markers may be placed in the last two operating rounds."""
    early_conversion: bool = True
    """12.61: whether a minor may convert in phase II."""

    # ---- private companies ----
    private_price: Literal["double", "face"] = "double"
    """12.49: the highest price that a company may pay for a private."""
    thompson: Literal["each", "once"] = "each"
    """12.50: the occasions on which Thompson keeps trains: each time that trains rust, or once."""
    tunnel_lays: Literal["within", "beside"] = "within"
    """12.75: whether the tiles of the Thames Tunnel are among the two lays of a turn."""
    necropolis_green: Literal["upgrades", "bare"] = "upgrades"
    """12.74: whether green tiles of the London Necropolis only replace yellow ones, or may be laid in bare hexes."""

    # ---- the end ----
    final_shorts: Literal["owed", "void"] = "owed"
    """12.77: whether the shorts of a player count against him at the end."""


DECIDED: Final[named.Decided] = {
    "0.1.0": {
        "privates_drawn": "lot",
        "company_sales": "yes",
        "buy_back": "entity",
        "float_prices": "chart",
        "lost_presidency": "two",
        "sell_unoperated": "yes",
        "transfer_fall": "one",
        "short_then_buy": "yes",
        "loops": "yes",
        "north_east_tile": "yes",
        "loan_value": "round",
        "marker_crisis": "yes",
        "final_loans": "president",
        "merger_order": "low",
        "private_lots": "all",
        "lptb_frees": "no",
        "tunnel_anywhere": "yes",
        "stalemate": "ends",
    }
}
"""Rulings that became plain decisions, by the last version of Railpost that had them as options."""


def rulings_of(title: Title) -> Rulings:
    """The rulings with which a game of this title is played."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings


def choices() -> dict[str, tuple[str, ...]]:
    """Every ruling with its possible values, as they are written in options."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """Return ``base`` with the named options changed. ``ValueError`` names an unknown option or value, and the known
    ones."""
    return named.with_options("1863", base, options, decided=DECIDED)
