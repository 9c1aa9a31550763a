"""The named rulings of 1863: the points that the rulebook leaves open or contradicts itself on, and the optional rules.

An edition is a set of rulings, and an option of a game changes one of them. The tags of a game record all its rulings,
so a later correction of an edition never changes a game in progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    privates_drawn: Literal["lot", "listed"] = "lot"
    """12.3: the privates in a game without all of them: drawn by lot, or the first in the list."""
    openings: Literal["any", "listed"] = "any"
    """12.4: the privates that an opener may name: any on offer, or only the first in the list."""
    uneven_deal: Literal["auctioned", "dealt"] = "auctioned"
    """12.6: the use of privates that cannot be dealt out evenly."""

    # ---- phases ----
    lptb_from: Literal["V", "IV"] = "V"
    """12.9: the phase in which the LPTB begins to act."""

    # ---- stock rounds ----
    company_sales: bool = True
    """12.11: whether companies may sell shares of others in a turn."""
    buy_back: Literal["entity", "chain"] = "entity"
    """12.12: the entities that may not buy shares of a company again in the round: only the seller, or all entities of
    its player."""
    circles: Literal["shares", "presidencies"] = "shares"
    """12.13: the holdings that a company may not have in a company above it: any shares, or its presidency."""
    bid_means: Literal["float", "cash"] = "float"
    """12.14: the highest bid for the right to start a company: the bid that leaves enough for the cheapest float, or
    all cash."""
    float_prices: Literal["chart", "range"] = "chart"
    """12.70: the prices of a float: all of the white area of the chart, or only those from 40 to 200."""
    capital_over: Literal["last", "none"] = "last"
    """12.16: whether the last of the goods may exceed the capital."""
    after_start: Literal["opener", "winner"] = "opener"
    """12.17: the player on whose left the round continues after a company is started: the opener or the winner."""
    lost_presidency: Literal["two", "one"] = "two"
    """12.18: the number of columns for the share with whose sale the seller loses the presidency."""
    sell_unoperated: bool = True
    """12.19: whether shares of a company that has not operated may be sold."""
    transfer_fall: Literal["one", "two"] = "one"
    """12.21: the number of columns for each share that a president takes from his company."""
    purchase_shorts: Literal["paid", "void"] = "paid"
    """12.22: the treatment of shorts of a company that the LPTB buys."""
    short_then_buy: bool = True
    """12.59: whether a player who has sold short may still buy in the same turn."""
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
    loops: bool = True
    """12.29: whether a route may end where it began."""
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
    north_east_tile: bool = True
    """12.68: whether the tile of the North East may be laid in phase V."""

    # ---- loans, crises ----
    loan_value: Literal["round", "each"] = "round"
    """12.36: the loans that the value must exceed: all those taken in the round, or only those wanted now."""
    own_shares_valued: bool = False
    """12.37: whether shares on a company's own charter count toward its value."""
    marker_crisis: bool = True
    """12.38: whether markers that a new company cannot pay for lead to a cash crisis or are given back."""
    final_loans: Literal["president", "void"] = "president"
    """12.55: the payer of debts that a company cannot repay at the end: its president, or nobody."""

    # ---- mergers and acquisitions ----
    merger_order: Literal["low", "high"] = "low"
    """12.40: the end of the price row at which the order of a merger round begins."""
    bid_share: Literal["share", "holding"] = "share"
    """12.71: the rounding of a tenth of the bid for a company: for each share, or for the sum of a holder."""
    minor_bid: Literal["half", "tenth"] = "half"
    """12.72: the fraction of the bid for a minor that each of its two shares is paid."""
    acquirers: Literal["all", "players"] = "all"
    """12.73: the entities that may bid for a company in acquisition."""
    train_lots: Literal["room", "excess"] = "room"
    """12.76: whether a company that buys the trains of a liquidation must have room for all, or gives up the excess."""
    private_lots: Literal["all", "companies"] = "all"
    """12.45: the entities that may buy privates of a company in liquidation."""
    lptb_frees: bool = False
    """12.46: whether a company that the LPTB has taken may be started again."""
    last_rounds_build: bool = False
    """12.54: whether track and markers may be placed in the last two operating rounds."""
    early_conversion: bool = True
    """12.61: whether a minor may convert in phase II."""

    # ---- private companies ----
    private_price: Literal["double", "face"] = "double"
    """12.49: the highest price that a company may pay for a private."""
    thompson: Literal["each", "once"] = "each"
    """12.50: the occasions on which Thompson keeps trains: each time that trains rust, or once."""
    tunnel_anywhere: bool = True
    """12.50: whether the tile of the Thames Tunnel may be laid without connection to the company's track."""
    tunnel_lays: Literal["within", "beside"] = "within"
    """12.75: whether the tiles of the Thames Tunnel are among the two lays of a turn."""
    necropolis_green: Literal["upgrades", "bare"] = "upgrades"
    """12.74: whether green tiles of the London Necropolis only replace yellow ones, or may be laid in bare hexes."""

    # ---- the end ----
    final_shorts: Literal["owed", "void"] = "owed"
    """12.77: whether the shorts of a player count against him at the end."""
    stalemate: Literal["ends", "goes_on"] = "ends"
    """12.69: whether the game ends if no company is left, nobody can start one, and nothing else has changed for a set
    of rounds."""


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
    return named.with_options("1863", base, options)
