"""The named rulings of 1844: all points on which the editions differ, in one value.

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
    """Defaults are those of the rulebook. The numbers are rules of ``rules.toml``."""

    poor_auctioneer: Literal["opens", "skipped", "asked"] = "opens"
    """2.1, 2.4: whether a player who can pay for none of the privates left is auctioneer all the same, or is skipped,
    so that all later turns as auctioneer move on. ``asked``: he is skipped, and an auctioneer who can pay only for
    another private must pass himself."""
    debt_blocks: Literal["all", "shares", "not_par"] = "all"
    """4.18: whether a debtor can buy nothing at all, only mountain railways and tunnel certificates, or only a
    director's certificate at a par."""
    sbb_split: Literal["no", "director", "pool"] = "no"
    """4.29: whether a double of the SBB is sold only whole, or one share of it may be sold with a single of the pool as
    change: only if an outgoing director gets it for his certificate, or for any double."""
    sales_in_turn: Literal["one", "any"] = "one"
    """4.4: whether all shares of a company that a player sells in a turn are one sale, or each order is a sale with its
    own price and move. No edition plays ``any``: records of 18xx.games from before November 2024 may."""
    limit_sales: Literal["enough", "any"] = "enough"
    """4.25: whether each sale of a player over the limit must leave enough legal sales to come down to it, or any will
    do."""
    private_owner: Literal["own_director", "any"] = "own_director"
    """5.8: the players from whom a company may buy privates."""
    home_tile: Literal["must", "may"] = "must"
    """6.3: whether a company must lay its home tile in its first turn while a fitting one is left."""
    extra_tile: Literal["own_turn", "sisters_turn"] = "own_turn"
    """6.15: whether a company that owns P2 lays its tile only in its own turn, or also in a turn of another company of
    its director."""
    shared_mouths: bool = False
    """6.20: whether a tunnel may take a mouth of the Furka-Oberalp track that lies there already. No edition plays it:
    records of 18xx.games from before the end of 2024 may."""
    aarau_upgrade: Literal["0", "20"] = "0"
    """6.9: cost of the first tile of Aarau, which replaces a printed yellow one."""
    same_side_route: bool = True
    """8.7: whether two areas on one side of the map can be the ends of a route."""
    h_trains_to_vaduz: bool = True
    """8.10: whether H-trains may visit the grey area of Vaduz."""
    torino: Literal["no_station", "station", "duty"] = "no_station"
    """8.14, 10.14: whether Torino, while worth nothing, is no station for runs or for the duty to own a train; a
    station that earns nothing; or a station only for that duty."""
    empty_mountains: Literal["never", "uncounted"] = "never"
    """8.12: whether an 8E that counts eight other stations may end at a mountain without a mountain railway."""
    destination_from: Literal["home", "turns", "marker"] = "home"
    """6.24: whether a launched company that has not operated reaches its destination from its reserved home: at once,
    in the turns of companies, or only when its marker stands there."""
    runs: Literal["best", "any"] = "best"
    """8.17: whether the runs must be the best possible, or any legal runs stand."""
    opened_by: Literal["counted", "visited"] = "counted"
    """8.18: whether a mountain railway is opened only by a train that counts it, or also by an 8E that only ends
    there."""
    consent: Literal["asked", "not_asked"] = "asked"
    """10.10: whether the director of another company is asked before it sells a train."""
    sbb_trains: Literal["negotiable", "printed"] = "negotiable"
    """10.11: whether the SBB and companies of its director trade trains at any price, or only at the printed price."""
    train_duty: Literal["railway", "mountain"] = "railway"
    """10.14: whether a mountain hex needs a mountain railway to be a station for the duty to own a train, or needs
    nothing."""
    own_director_train: Literal["debt", "cash"] = "debt"
    """11.3: whether a director may help to buy a train of another of his companies with debt too, or only with cash."""
    lending: Literal["after", "before"] = "after"
    """11.4: whether the bank lends after it has been paid for the train, or before, so that the loan may break it."""
    emergency_sales: Literal["any", "needed"] = "any"
    """11.7: whether a director may sell any number of shares, or only as many as the dearest train on offer needs."""
    help_purpose: Literal["short", "train"] = "short"
    """11.13: the train to buy after the director has sold shares: one that the treasury cannot pay for; or any train of
    bank or pool, or EVA, or a train of another company whose price needs part of the proceeds of one share of the last
    sale."""
    bankruptcy: bool = False
    """11.9: whether a director who cannot pay for the cheapest train without debt may end the game."""
    repayment: Literal["any", "all_possible"] = "any"
    """11.11: whether a debtor chooses the amount to repay, or repays all that his cash allows."""
    discards: Literal["pool", "removed"] = "pool"
    """12.10: whether trains over the limit go to the pool, or out of the game."""
    discard_after_export: Literal["at_once", "next_turn"] = "at_once"
    """12.11: when trains are discarded after an export has lowered the limit: before the stock round, or in the next
    operating round (or when the SBB is formed)."""
    eva_company: Literal["any", "operating"] = "any"
    """12.12: the companies to which the owner of P7 may give EVA: any of his at any time, or only the operating one."""
    eva_limit: Literal["kept", "discard"] = "kept"
    """12.12: whether EVA needs room under the train limit, or may bring the company over it, so that it discards a
    train."""
    formation: Literal["after_export", "before_export"] = "after_export"
    """13.2: whether a formation that is due after the last operating round of a set follows the export, or precedes
    it."""
    exchange: Literal["player", "company"] = "player"
    """13.10: whether the exchange is settled once for each player, or company by company."""
    sbb_debt_interest: bool = False
    """13.11: whether debt of the exchange grows at the end of a stock round."""
    sbb_debt_sales: Literal["must", "may"] = "must"
    """13.12: whether a player who owes money for the exchange must first sell shares."""
    sbb_double: Literal["company", "director"] = "company"
    """13.14: the player who gives a double if the pool has none: the director of the last pre-SBB company that has one,
    or the last in the list of pre-SBB directors, each listed once at his first company."""
    sbb_own_train: Literal["kept", "discardable"] = "kept"
    """13.15: whether the SBB's own 5H can be discarded."""
    bank_breaks: Literal["at_zero", "below_zero"] = "at_zero"
    """14.1: whether the bank breaks when it has nothing left, or when it would have to pay more than it has."""


RENAMED: Final = {"bank_end": ("bank_breaks", {"zero": "at_zero", "below_zero": "below_zero"})}
"""For each old name of a ruling, its present name, and the present value for each old value."""


NAMED_SINCE_2: Final[named.Later] = {
    "poor_auctioneer": "opens",
    "sbb_split": "no",
    "aarau_upgrade": "20",
    "h_trains_to_vaduz": "yes",
    "torino": "duty",
    "sbb_trains": "printed",
    "formation": "after_export",
    "help_purpose": None,
}
"""Rulings named in version 2 of the rules, with the values for games begun before."""
NAMED_SINCE_4: Final[named.Later] = {"limit_sales": "enough", "extra_tile": "own_turn"}
"""Rulings named in version 4, with the values for games begun before."""
NAMED_SINCE_6: Final[named.Later] = {"shared_mouths": "no", "sales_in_turn": "one"}
"""Rulings named in version 6, with the values for games begun before."""


DECIDED: Final[named.Decided] = {"0.1.0": {"duty_after_scrapping": "kept"}}
"""Rulings that became plain decisions, by the last version of Railpost that had them as options."""


def choices() -> dict[str, tuple[str, ...]]:
    """Names of all rulings with the values that each may take, as written in options."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """Return ``base`` changed by ``options``. Raises ``ValueError`` for an unknown name or value and lists the known
    ones."""
    later = {**NAMED_SINCE_2, **NAMED_SINCE_4, **NAMED_SINCE_6}
    return named.with_options("1844", base, options, RENAMED, later, DECIDED)


def rulings_of(title: Title) -> Rulings:
    """Return the rulings of a game. Only this typed access to them should be used."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings
