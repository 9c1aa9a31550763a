"""The named rulings of 1841: every point in which the editions differ, as one value.

An edition is a set of these; an option of a game changes one. A game's tags pin all of them, so that a later correction
of an edition never changes a game that is under way.
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
    """The defaults are those of the first version with its clarifications. The numbers are rules of ``rules.toml``."""

    # ---- the box ----
    version: Literal["1", "2"] = "1"
    """1.2: map, tiles and companies of the first or the second version."""
    map: Literal["full", "lite"] = "full"
    """1.3: the whole map, or the short one without Tuscany, with fewer trains and less money."""

    # ---- concessions ----
    concessions: Literal["sealed", "open"] = "sealed"
    """2.1: whether concessions go by sealed bids or by open auctions."""
    open_raise: Literal["5", "1"] = "5"
    """2.11: the least raise in an open auction."""
    open_seats: Literal["spent", "cash"] = "spent"
    """2.13: the seats after open auctions. ``spent``: the player who spent most first, then the lowest number, the
    others by lot. ``cash``: the player with the least cash first, then the lowest number; those without a concession
    keep their order."""

    # ---- stock rounds ----
    player_trades: bool = True
    """3.11: whether players may buy certificates from each other."""
    bundles: Literal["certificate", "any"] = "certificate"
    """3.11: what one purchase from another player may be: one certificate, or any number of his shares."""
    consent: Literal["asked", "not_asked"] = "asked"
    """3.12, 6.25, 8.2: whether the other side of a purchase of a certificate, a token or a train is asked."""
    sale_falls: Literal["together", "each"] = "together"
    """3.7: when prices fall in a group of sales: at its end, the cheapest first; or after the sale of each company's
    shares."""
    sfma_home: Literal["north_west", "either"] = "north_west"
    """4.7: the home of SFMA in Firenze: the city with the exit to the north-west, or the one its president names."""
    company_successors: Literal["controller", "priority"] = "controller"
    """5.7: the player from whom on, clockwise, equal holders take over from a company: the one who controls it, or the
    priority holder."""
    concession_keeps: Literal["always", "trades"] = "always"
    """5.8: whether a concession keeps the president in office whatever happens, or not when shares of his company pass
    to a company that is formed."""
    purchase_limit: Literal["after", "before"] = "after"
    """5.12: which companies count for the 60 % of a purchase: those that its buyer controls after it, or before it."""
    president_limit: Literal["that_stock", "any"] = "that_stock"
    """5.14: what a company must sell while its controller has more than 60 % of another: shares of that one, or
    any."""
    owners_stock: Literal["kept", "sold"] = "kept"
    """10.5: whether a company may keep shares of a company that owns it, or must sell them in its financial step."""
    round_end: Literal["two_passes", "one_pass"] = "two_passes"
    """3.19: the moves of prices at the end of a stock round: all falls and then all rises, or each marker in its
    turn."""

    turn_order: Literal["always", "sales"] = "always"
    """6.1: when the order of the companies still to operate is determined: before every turn, or only when shares are
    sold, except those of a bankrupt player."""

    # ---- track, tokens, runs ----
    veneto_border_until: Literal["5", "6"] = "6"
    """6.13: the number of the train whose first purchase ends the border of Veneto."""
    blind_ends: bool = False
    """6.10: whether track may end at a barrier that is printed on the other hex alone."""
    city_upgrades: Literal["any", "changed"] = "any"
    """6.9: whether a large city within reach may be upgraded even if nothing new can be reached, or only if a connected
    path is new or the value changes."""
    pass_tokens_run: bool = False
    """7.2: whether a token in a pass is enough for a route."""

    # ---- trains, emergencies ----
    half_prices: Literal["total_down", "order_up"] = "total_down"
    """8.11: the rounding of half prices: once down for the total that a seller raises, or up for each order."""
    emergency_order: Literal["levels", "stock_first", "free"] = "levels"
    """8.10: the order and the size of sales. ``levels``: the company sells, then those above it, none more than is
    needed and each what it likes. ``stock_first``: the same, but certificates of others before its own. ``free``: all
    of them sell in any order."""
    emergency_presidencies: Literal["control_kept", "chain_kept"] = "control_kept"
    """8.14: what an emergency sale may not give away: control of the chain of the operating company; or any
    presidency in that chain and that of a historical company before the first 4-train, nor so many shares that
    another has more."""
    bankrupt_stock: Literal["all", "operated"] = "all"
    """8.16: the stock that counts before a player is bankrupt: all of it, or of his own only that of companies that
    have operated."""
    bankrupt_money: Literal["chain", "sellers"] = "chain"
    """8.16: the money that counts before a player is bankrupt: that of the whole chain, or without that of the
    companies above the operating one up to the first that has something to sell."""
    bankrupt_falls: Literal["normal", "emergency"] = "normal"
    """8.17: the sales of a bankrupt player that move prices: those that normal limits allow, or those that an emergency
    allows."""
    frozen_trains: Literal["kept", "sold"] = "kept"
    """8.5: whether others may buy trains of a frozen company."""

    last_city_token: Literal["kept", "sold"] = "kept"
    """6.26: whether a company may lose its last token in a city if it has one in a pass."""
    discards: Literal["at_once", "next_question"] = "at_once"
    """8.4, 9.1, 10.15: when trains over the limit go. ``at_once``: before anything else, all companies being asked
    together; a frozen one gives up its cheapest. ``next_question``: before the next question, once all that needs none
    is done, company by company in the title's order; a player chooses for a frozen one."""

    # ---- the first 4-train ----
    fragments_capped: bool = True
    """9.6: whether both fragments of the IRSFF go to column K if its marker is right of it."""
    fragment_surplus: Literal["removed", "stay"] = "removed"
    """9.7: whether tokens of the IRSFF that are too many for its fragments leave the map."""
    dealt_certificates: Literal["together", "one_by_one"] = "together"
    """9.8: how the fragments get the IRSFF's certificates of others. ``together``: all at once, equally dear ones in
    the title's order. ``one_by_one``: one after the other, so that presidents may change on the way, and of equally
    dear ones those first that the IRSFF came to hold last."""
    second_presidency: Literal["in_order", "owner"] = "in_order"
    """9.9: whether the second presidency goes to the first pair in decision order, or to the president of the IRSFF if
    he has another pair."""
    pooled_presidency: Literal["pairs", "one_each"] = "pairs"
    """9.10: the exchange if the president's certificate of the IRSFF lies in the pool. ``pairs``: pairs are exchanged
    as usual. ``one_each``: the pool has the presidency of SFV, and each holder gets one certificate for all that he
    has; the first who takes one of SFL gets its president's."""
    secession_leftovers: Literal["paid", "nothing"] = "paid"
    """9.12: whether holders for whom no certificate is left are paid the price."""
    fragment_offers: bool = False
    """9.13: whether the holders of SFV and SFL are then offered further certificates."""
    fragment_tokens: bool = False
    """9.14: whether fragments may buy tokens."""
    decision_order: Literal["price", "listed"] = "price"
    """9.22: the order of a player's companies: dearest first, or the title's order. Frozen companies follow the same
    order."""
    sfli_runs: bool = False
    """9.21: whether the SFLi operates in the round in which it is formed, if none of its parts has."""
    frozen_sfli_token: Literal["decider", "by_name"] = "decider"
    """9.20: the token that a frozen SFLi keeps if it has none in Pisa or Firenze: the choice of its decider, or the
    first city by name."""

    # ---- financial step ----
    sold_in_round: Literal["all", "financial"] = "all"
    """10.6: the sales of the operating round that keep a company from buying the same stock: all, or those of the
    financial step."""
    price_protection: bool = False
    """10.3: whether the price stays if a company sells few dear shares of another company."""
    foreign_shares: bool = True
    """10.8: whether a company may buy stock of one that has a token beyond an active border."""
    merger_consent: bool = False
    """10.13: whether the president of the other company must agree to a merger."""
    lowest_merger: Literal["lowest", "top"] = "lowest"
    """10.14: the price of a merger below all those of the chart: the lowest of it, or the top of its first column."""
    merger_presidency: Literal["all", "players"] = "all"
    """10.17: the holders to whom the presidency of a merged major is offered: all, or players alone."""
    merger_control: Literal["before", "now"] = "before"
    """10.17: who decides for a company owned by a company that ends: its controller when the exchange began, or its
    controller when it is asked, which is nobody as long as the new company has no president."""
    surplus_trains: Literal["after_exchange", "before_exchange"] = "after_exchange"
    """10.15: when a merged company gives up trains over its limit: when it has a president, or before the exchange."""
    pair_and_share: bool = False
    """10.17: whether a holder of one new share may turn it and a pair into a free presidency when no share is left."""
    token_help: Literal["after_sales", "before_sales"] = "after_sales"
    """10.24: when those above a company help to pay for its second token: after all sales that help, or before. They
    then pay all that it lacks if they can, and it sells for the price of a token afterwards."""

    # ---- circles ----
    circles: Literal["refused", "owners"] = "refused"
    """11.1: what nobody may do voluntarily: close a circle of companies; or only, for a company, buy stock of one that
    owns it."""
    frozen_in_turn: Literal["ends", "goes_on"] = "ends"
    """11.3: the turn of a company that is frozen during it: it ends; or it goes on, led by the player who controlled
    the company when it began."""
    circle_sales: bool = True
    """11.5: whether a company in a circle must sell its shares of its controllers."""

    # ---- bankruptcy, end ----
    bankruptcy: Literal["loan", "resign"] = "loan"
    """8.18: whether a bankrupt player may take a loan and go on, or must resign."""
    ends: Literal["at_once", "turn"] = "at_once"
    """12.2, 12.3, 12.4: when the top price, the connected areas and the last player end the game: at once, or after the
    turn."""
    bank_breaks: Literal["at_zero", "below_zero"] = "at_zero"
    """12.1: whether the bank is broken when it has nothing left, or when it would have to pay more than it has."""
    finish_round: bool = False
    """12.5: whether the operating round is played to its end after that."""
    areas_connected: Literal["builder", "track"] = "builder"
    """12.3: when an area is connected: when the company that has just built can reach it from a token, or when any
    track meets it."""
    stalemate: Literal["ends", "goes_on"] = "ends"
    """12.7: whether the game ends when all companies are frozen, nobody can act, and nothing changes any more."""
    concession_value: Literal["0", "50"] = "0"
    """12.6: the value at the end of a concession that a player still holds."""


DECIDED: Final[named.Decided] = {
    "0.1.0": {
        "sealed_seats": "bids",
        "concession_trades": "yes",
        "first_purchase": "to_40",
        "token_price": "distance",
        "frozen_rows": "2",
        "frozen_columns": "2",
        "presidency_bought": "yes",
        "historical_changes": "phase_4",
        "transformation": "any",
        "transformation_offers": "yes",
        "further_tokens": "100",
    }
}
"""Rulings that became plain decisions, by the last version of Railpost that had them as options."""


def choices() -> dict[str, tuple[str, ...]]:
    """Every ruling with the values it may take, as options are written."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """``base`` with named options changed. ``ValueError`` names what is unknown and what exists."""
    return named.with_options("1841", base, options, decided=DECIDED)


def rulings_of(title: Title) -> Rulings:
    """The rulings that a game is played with, with their type. This is the one way to read them."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings
