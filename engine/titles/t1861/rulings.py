"""The named rulings of 1861: all points on which editions, options and tables differ, in one value.

An edition is a set of rulings; an option of a game changes one. A game's tags pin all of them, so that a later
correction of an edition never changes a game that is under way.
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
    """Defaults are those of version 2.0. The numbers are rules of ``rules.toml``."""

    reduced_private: Literal["auction", "dutch"] = "auction"
    """2.7: whether a private that all have passed is auctioned from the lower minimum, or sold to the first taker."""
    dutch_price: Literal["asked", "more"] = "asked"
    """2.7: whether the first taker may pay more than the price asked."""
    first_minor: Literal["nikolaev", "any"] = "nikolaev"
    """2.10: whether Nikolaev must be the first minor sold."""
    next_after_auction: Literal["winner", "proposer"] = "winner"
    """16.5: the player whose left neighbour has the next turn."""
    director_sale: Literal["turn", "order"] = "turn"
    """3.6: whether a director's sales of a company count as one sale a turn, or one an order."""
    first_marker: Literal["space", "empty", "hex"] = "space"
    """3.13: what must be unconnected for the first marker of a started company: its space; its space, which must also
    be empty; or every space of the hex, from off-board areas too, and the chosen space must be empty."""
    sold_out_top: Literal["row", "column"] = "row"
    """3.16: where a sold-out company moves right and down: in the top row of the chart, or at the top of every
    column."""
    k7_upgrade: Literal["0", "20"] = "0"
    """7.9: cost of the upgrade of Nizhnii Novgorod to green."""
    second_marker: Literal["paid", "first_kept"] = "paid"
    """8.6: whether a company formed from minors of one hex always pays for its second marker, or only if it kept the
    marker of the minor that operates earliest."""
    kharkov_over_801: bool = False
    """7.14: whether 640 may replace 801 in Kharkov."""
    most_exits: Literal["brown", "all"] = "brown"
    """7.13: colours of which a city must take the tile with the most exits."""
    blocking: Literal["full", "any"] = "full"
    """8.1: cities that end the routes of companies without a marker there: full cities, or all with a marker."""
    hex_twice: bool = False
    """7.5, 8.2: whether track and markers may be reached by way of two spaces of one hex, as no run may."""
    runs: Literal["director", "players", "moderator"] = "players"
    """9.10: who announces runs: the director alone, the other players too, or the moderator with the proven best
    run."""
    express_offboards: Literal["may", "must"] = "may"
    """9.8: whether an off-board area that a 5+5E visits must be among its counted places."""
    express_own_marker: Literal["route", "counted"] = "route"
    """9.8: where the company's own marker must be: on the route, or at a counted place."""
    ekaterinburg: Literal["includes", "counts"] = "includes"
    """9.6: whether Moscow must be on the route, or be counted, for Ekaterinburg to count double."""
    interest_shortfall: Literal["bank", "state", "kept"] = "bank"
    """6.9: who gets the cash of a company that cannot pay its interest: the bank, the state railway, or nobody until
    its nationalisation disposes of it."""
    discards: Literal["operating", "together"] = "operating"
    """11.10: whether companies over the limit discard in operating order, or all are asked at once."""
    state_railway_operates: Literal["phase", "taken_over"] = "phase"
    """12.1: whether the state railway operates from phase 4 on, or only if it has taken something over by then."""
    state_railway_runs: Literal["moderator", "priority"] = "moderator"
    """12.2: who runs the state railway."""
    state_railway_trains: Literal["all", "rested"] = "all"
    """12.2, 12.10: whether the state railway runs all its trains, or only those with which no company that it took over
    has had its turn to run in the same operating round."""
    state_railway_phase_8: Literal["stops", "goes_on"] = "stops"
    """12.8: whether the state railway stops buying once its purchase has begun phase 8, or goes on, and before anybody
    is asked a question that a new phase brings; with what the answers bring it goes on again."""
    nationalised_repayment: Literal["all", "above"] = "all"
    """13.7: whether a nationalised company repays all the loans it can, or only while it has more cash than a loan
    costs. No edition plays ``above``: games of 2020 that began with version 5 of the rules may."""
    nationalised_ties: Literal["lot", "name"] = "lot"
    """13.8: which of equally valuable cities get markers of the state railway when it has too few: by lot, or by
    name."""
    merger_floor: Literal["70", "100"] = "70"
    """14.9: the lowest price of a merged company."""
    merger_director: Literal["earliest", "first_to_two"] = "earliest"
    """14.11: the director among players with equally many shares: the owner of the earliest minor, or the first to have
    two shares."""
    merger_two_shares: Literal["offers", "ahead", "obliged"] = "offers"
    """14.12: where no owner has two minors: the offers decide, the merger is refused in advance if nobody could pay for
    a second share, or the owner of the earliest minor must buy one."""
    merger_fails: Literal["undone", "stays"] = "undone"
    """14.12: whether a merger in which nobody comes to two shares is undone, or its company stays."""
    merger_offers: Literal["director", "earliest"] = "director"
    """14.15, 14.16: who is offered shares first in the first stage: the director, or the owner of the minor that
    operates earliest. With ``earliest`` the last player to answer is not asked again at once in the second stage."""
    offer_limit: Literal["after", "before"] = "after"
    """14.15: whether the certificate limit binds what a player has after his purchase of offered shares, the exchange
    for the director's certificate included, or what he has before each share."""
    merger_connection: Literal["hub", "chain"] = "hub"
    """14.8: one minor reaches every other, or each is reached from one already in the group."""
    bank_break: Literal["train", "final"] = "train"
    """15.6: whether an 8-train that is bought after the bank broke brings its extra rounds, or the end stands."""
    bank_breaks: Literal["at_zero", "below_zero"] = "at_zero"
    """15.4, 15.5: whether the bank breaks when it has paid its last rouble, or with the first payment that it cannot
    make in full."""
    private_score: Literal["face", "nothing"] = "face"
    """15.8: the value of a player's private at the end."""
    chart: Literal["grid", "column"] = "grid"
    """17.1: the share price chart."""
    trains_2_2: Literal["0", "2", "unlimited"] = "0"
    """16.1, 16.2: number of 2+2-trains on sale after the first 8-train."""
    trains_5_5e: Literal["2", "unlimited"] = "2"
    """16.2: number of 5+5E-trains."""
    marker_at_start: bool = False
    """16.3: whether the state railway has its marker in St. Petersburg from the start."""
    long_game: bool = False
    """16.4: whether only the bank ends the game, and not the first 8-train."""


NAMED_SINCE_2: Final[named.Later] = {
    "second_marker": "paid",
    "hex_twice": "no",
    "state_railway_trains": "all",
    "offer_limit": "before",
    "bank_breaks": "below_zero",
    "nationalised_repayment": "all",
    "dutch_price": None,
    "first_minor": None,
    "merger_fails": None,
}
"""Rulings named in version 2 of the rules or later, with the values for games begun before. None stands for the value
of the edition."""


def choices() -> dict[str, tuple[str, ...]]:
    """Names of all rulings with the values that each may take, as written in options."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """Return ``base`` changed by ``options``. Raises ``ValueError`` for an unknown name or value and lists the known
    ones."""
    return named.with_options("1861", base, options, later=NAMED_SINCE_2)


def rulings_of(title: Title) -> Rulings:
    """Return the rulings of a game. Only this typed access to them should be used."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings
