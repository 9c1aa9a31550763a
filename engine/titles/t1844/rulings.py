"""The named rulings of 1844: every point in which the editions differ, as one value.

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
    """Defaults are those of the rulebook. The numbers are rules of ``rules.toml``."""

    poor_auctioneer: Literal["opens", "skipped", "asked"] = "opens"
    """2.1, 2.4: whether a player who can pay for none of the privates left is an auctioneer all the same, or the next
    one takes his place, and all that follow move on; ``asked``: this, and an auctioneer who can pay for another private
    passes himself."""
    debt_blocks: Literal["all", "shares", "not_par"] = "all"
    """4.18: whether a debtor can buy nothing at all, no share but mountain railways and tunnel certificates, or nothing
    but a director's certificate at a par."""
    sbb_split: Literal["no", "director", "pool"] = "no"
    """4.29: whether a double of the SBB is sold whole; or also one share of it, with a single of the pool as change, if
    an outgoing director has it for his certificate; or of any double."""
    limit_sales: Literal["enough", "any"] = "enough"
    """4.25: whether who holds too many certificates may make a sale after which the others could not do the rest."""
    private_owner: Literal["own_director", "any"] = "own_director"
    """5.8: whose privates a company may buy."""
    home_tile: Literal["must", "may"] = "must"
    """6.3: whether a company must lay its home tile in its first turn while a fitting one is left."""
    extra_tile: Literal["own_turn", "sisters_turn"] = "own_turn"
    """6.15: whether a company that has P2 lays its tile in its own turn only, or also in that of another company of its
    director."""
    aarau_upgrade: Literal["0", "20"] = "0"
    """6.9: cost of the first tile of Aarau, which replaces a printed yellow one."""
    same_side_route: bool = True
    """8.7: whether two areas of one side of the map can be the ends of a route."""
    h_trains_to_vaduz: bool = True
    """8.10: whether H-trains visit the grey area of Vaduz."""
    torino: Literal["no_station", "station", "duty"] = "no_station"
    """8.14, 10.14: what Torino is while it is worth nothing: no station, neither for runs nor for the duty to have a
    train; a station that earns nothing; or a station for that duty alone."""
    empty_mountains: Literal["never", "uncounted"] = "never"
    """8.12: whether an 8E that counts eight other stations may end at a mountain without a mountain railway."""
    destination_from: Literal["home", "turns", "marker"] = "home"
    """6.24: whether a launched company that has not operated reaches its destination from its reserved home: at once,
    in the turns of companies, or only when its marker stands there."""
    runs: Literal["best", "any"] = "best"
    """8.17: whether the runs must be the best there are, or any legal ones stand."""
    opened_by: Literal["counted", "visited"] = "counted"
    """8.18: whether a mountain railway is opened by a train that counts it, or also by an 8E that only ends there."""
    consent: Literal["asked", "not_asked"] = "asked"
    """10.10: whether the director of another company is asked before it sells a train."""
    sbb_trains: Literal["negotiable", "printed"] = "negotiable"
    """10.11: whether the SBB and companies of its director trade trains at any price, or at the printed one only."""
    train_duty: Literal["railway", "mountain"] = "railway"
    """10.14: what makes a mountain hex a station for the duty to have a train: a mountain railway, or nothing more."""
    duty_after_scrapping: Literal["kept", "suspended"] = "kept"
    """10.13: whether a company that scrapped trains of its own, by buying the first of a new number, must have a train
    before it has bought another one."""
    own_director_train: Literal["debt", "cash"] = "debt"
    """11.3: how a director may help to buy a train of another company of his: also with debt, or with cash alone."""
    lending: Literal["after", "before"] = "after"
    """11.4: whether the bank lends when it has been paid for the train, or before, so that the loan may break it."""
    emergency_sales: Literal["any", "needed"] = "any"
    """11.7: how much a director may sell: what he wants, or what the dearest train on offer needs."""
    help_purpose: Literal["short", "train"] = "short"
    """11.13: what a director who has sold shares buys: a train that the treasury cannot pay, or any of bank and pool
    or EVA, and one of another company that needs some of what a share of the sale brought."""
    bankruptcy: bool = False
    """11.9: whether a director may end the game who could not pay for the cheapest train without debt."""
    repayment: Literal["any", "all_possible"] = "any"
    """11.11: whether a debtor names the sum he repays, or repays all that his cash allows."""
    discards: Literal["pool", "removed"] = "pool"
    """12.10: where trains over the limit go."""
    discard_after_export: Literal["at_once", "next_turn"] = "at_once"
    """12.11: when an export has lowered the limit, trains are given up before the stock round, or in the company's next
    turn (or when the SBB is formed)."""
    eva_company: Literal["any", "operating"] = "any"
    """12.12: to which of his companies the owner of P7 may give EVA: any at any time, or the one that is operating."""
    eva_limit: Literal["kept", "discard"] = "kept"
    """12.12: whether EVA needs room in the company, or brings it over its limit, so that it gives up a train."""
    formation: Literal["after_export", "before_export"] = "after_export"
    """13.2: whether a formation that is due after the last operating round of a set follows the export, or precedes
    it."""
    exchange: Literal["player", "company"] = "player"
    """13.10: whether the money of the exchange is settled once for each player, or company by company."""
    sbb_debt_interest: bool = False
    """13.11: whether debt of the exchange grows at the end of a stock round."""
    sbb_debt_sales: Literal["must", "may"] = "must"
    """13.12: whether who owes for the exchange must first sell shares."""
    sbb_double: Literal["company", "director"] = "company"
    """13.14: who gives a double when the pool has none: the director of the last pre-SBB company that was launched, or
    the last in the list of the pre-SBB directors, each named once at his first company."""
    sbb_own_train: Literal["kept", "discardable"] = "kept"
    """13.15: whether the SBB's own 5H can be given up."""
    bank_breaks: Literal["at_zero", "below_zero"] = "at_zero"
    """14.1: whether the end comes when the bank has nothing left, or when it would have to pay more than it has."""


RENAMED: Final = {"bank_end": ("bank_breaks", {"zero": "at_zero", "below_zero": "below_zero"})}
"""Rulings of games begun earlier: their name then -> the name now, and each value then -> the value now."""


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
"""Readings that became named rulings with version 2 of the rules."""
NAMED_SINCE_4: Final[named.Later] = {"limit_sales": "enough", "extra_tile": "own_turn"}
"""Those of version 4."""


def choices() -> dict[str, tuple[str, ...]]:
    """Every ruling with the values it may take, as options are written."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """``base`` with named options changed. ``ValueError`` names what is unknown and what there is."""
    return named.with_options("1844", base, options, RENAMED, {**NAMED_SINCE_2, **NAMED_SINCE_4})


def rulings_of(title: Title) -> Rulings:
    """The rulings that a game is played with: the one way to read them, which knows their names and values."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings
