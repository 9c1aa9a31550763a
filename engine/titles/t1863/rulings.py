"""The named rulings of 1863: every point that the rulebook leaves open or says twice, and the options of the game.

An edition is a set of these; an option of a game changes one. A game's tags pin all of them, so that a later correction
of an edition never changes a game that is under way.
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
    """Defaults are those of historical play. The numbers are rules of ``rules.toml``; those from 12.1 are open points
    of the rulebook."""

    # ---- variants of the rulebook ----
    play: Literal["historical", "equal"] = "historical"
    """13.1: whether companies have homes, and the Metropolitan opens the game; or all are equal."""
    short_game: Literal["no", "II", "III", "both"] = "no"
    """13.2: the phases in which there are two trains fewer."""
    long_game: bool = False
    """13.3: whether phase IV has two trains more."""
    refinancing: bool = False
    """13.4: whether a company may double its price and halve its shares."""
    loose_valuations: bool = False
    """13.5: whether loans are limited by the size of the company alone."""
    clink_club: bool = False
    """3.6: whether the thirteenth private is played."""
    quick_auction: bool = False
    """3.7: whether the privates are dealt out."""
    first_bankruptcy_ends: bool = False
    """11.2: whether the first bankruptcy signals the end of the game."""

    # ---- auction of privates ----
    privates_drawn: Literal["lot", "listed"] = "lot"
    """12.3: the privates of a game that has not all: drawn by lot, or the first of the list."""
    openings: Literal["any", "listed"] = "any"
    """12.4: what an opener may name: any private on offer, or the first of the list."""
    uneven_deal: Literal["auctioned", "dealt"] = "auctioned"
    """12.6: what becomes of the privates that cannot be dealt out evenly."""

    # ---- phases ----
    lptb_from: Literal["V", "IV"] = "V"
    """12.9: the phase in which the LPTB begins to act."""

    # ---- stock rounds ----
    company_sales: bool = True
    """12.11: whether companies sell shares of others in a turn."""
    buy_back: Literal["entity", "chain"] = "entity"
    """12.12: who may not buy a company's shares again in the round: the one who sold, or all whom his player
    controls too."""
    circles: Literal["shares", "presidencies"] = "shares"
    """12.13: what no company may hold of one above it: any share, or its presidency."""
    bid_means: Literal["float", "cash"] = "float"
    """12.14: the most that is bid for the right to start a company: what leaves enough for the cheapest float, or all
    cash."""
    capital_over: Literal["last", "none"] = "last"
    """12.16: whether the last of the goods may exceed the capital."""
    after_start: Literal["opener", "winner"] = "opener"
    """12.17: on whose left the round goes on after a company has been started."""
    lost_presidency: Literal["two", "one"] = "two"
    """12.18: the columns for the share with whose sale the seller loses the presidency."""
    sell_unoperated: bool = True
    """12.19: whether shares of a company may be sold that has not operated."""
    transfer_fall: Literal["one", "two"] = "one"
    """12.21: the columns for each share that a president takes from his company."""
    purchase_shorts: Literal["paid", "void"] = "paid"
    """12.22: what becomes of shorts of a company that the LPTB buys."""
    short_then_buy: bool = True
    """12.59: whether a player who has sold short may still buy in the same turn."""
    short_own_subsidiary: bool = False
    """12.63: whether a player may short a company of which only his companies hold shares."""

    # ---- operating rounds ----
    operating_ties: Literal["live", "fixed"] = "live"
    """12.25: whether prices that move in the round change the order of those that have still to operate."""
    second_lay_anywhere: bool = False
    """12.26: whether the second lay may be in the hex of the first."""
    plain_track_free: bool = False
    """12.27: whether plain track and its upgrades cost nothing."""
    intersecting: Literal["connected", "pairs"] = "connected"
    """12.28: how the routes of a company hang together: each with another of them, or each with every other."""
    loops: bool = True
    """12.29: whether a route may end where it began."""
    express_ends: Literal["held", "open"] = "held"
    """12.30: the ends of an express train: they need an own marker, or only not to be filled by others."""
    dividend_step: Literal["5", "1"] = "5"
    """12.32: the step of dividends."""
    short_fractions: Literal["up", "down"] = "up"
    """12.33: how a dividend's fraction is rounded that is paid on shorts."""
    first_supply: Literal["left", "sold"] = "left"
    """12.34: the number of trains of phase II: so many are left after the first operating round, or so many there are
    with those that were sold."""
    toll: Literal["route", "company"] = "route"
    """12.51: whether the pirate's toll is due for each route, or once for each company in a round."""
    north_east_tile: bool = True
    """12.68: whether the tile of the North East may be laid in phase V."""

    # ---- loans, crises ----
    loan_value: Literal["round", "each"] = "round"
    """12.36: the loans that the value must exceed: all that were taken in the round, or those that are wanted now."""
    own_shares_valued: bool = False
    """12.37: whether the shares on its own charter count in a company's value."""
    marker_crisis: bool = True
    """12.38: whether markers that a new company cannot pay for lead to a cash crisis, or are given back."""
    final_loans: Literal["president", "void"] = "president"
    """12.55: who pays at the end what a company cannot repay."""

    # ---- mergers and acquisitions ----
    merger_order: Literal["low", "high"] = "low"
    """12.40: the price that comes first in a merger round."""
    private_lots: Literal["all", "companies"] = "all"
    """12.45: who may buy the privates of a company in liquidation."""
    lptb_frees: bool = False
    """12.46: whether a company that the LPTB has taken may be started again."""
    last_rounds_build: bool = False
    """12.54: whether track and markers are laid in the last two operating rounds."""
    early_conversion: bool = True
    """12.61: whether a minor may convert in phase II."""

    # ---- private companies ----
    private_price: Literal["double", "face"] = "double"
    """12.49: the most that a company pays for a private."""
    thompson: Literal["each", "once"] = "each"
    """12.50: how often Thompson keeps trains: at each rust, or once."""
    tunnel_anywhere: bool = True
    """12.50: whether the Thames Tunnel's tiles need not join the company's track."""

    # ---- the end ----
    stalemate: Literal["ends", "goes_on"] = "ends"
    """12.69: whether the game ends when no company is left, nobody can start another, and nothing else has changed for
    a set of rounds."""


def rulings_of(title: Title) -> Rulings:
    """The rulings that a game of this title is played with."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings


def choices() -> dict[str, tuple[str, ...]]:
    """Every ruling with the values it may take, as options are written."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """``base`` with named options changed. ``ValueError`` names what is unknown and what there is."""
    return named.with_options("1863", base, options)
