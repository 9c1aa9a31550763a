"""The named rulings of 1867: points on which tables differ. The other decisions of its family are fixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.core.title import Title
from engine.titles import options as named
from engine.titles.options import as_options

__all__ = ["Rulings", "as_options", "choices", "rulings_of", "with_options"]


@dataclass(frozen=True, slots=True)
class Rulings:
    """Defaults are what 18xx.games plays."""

    homes: Literal["empty_city", "free_circle"] = "empty_city"
    """4.11: whether a home may be in Toronto or Montreal only while one of the cities there is empty, or wherever a
    circle is free."""
    director_sale: Literal["turn", "order"] = "order"
    """3.6: whether a director's sales of a company count as one sale a turn, or one an order."""
    excess_loans: Literal["lower", "ignored"] = "lower"
    """11.13: whether each loan above the limit, which a merger can bring, is 45 less to a company that asks whether it
    must buy a train."""
    nationalised_ties: Literal["lot", "name"] = "name"
    """13.8: which of equally valuable cities get markers of CN when it has too few: by lot, or by name."""
    merger_fails: Literal["undone", "stays"] = "undone"
    """14.12: whether a merger in which nobody comes to two shares is undone, or its company stays."""
    chart: Literal["column", "grid"] = "column"
    """17.1: the share price chart."""

    reduced_private: ClassVar[Literal["dutch"]] = "dutch"
    dutch_price: ClassVar[Literal["asked"]] = "asked"
    next_after_auction: ClassVar[Literal["winner"]] = "winner"
    first_marker: ClassVar[Literal["hex_free"]] = "hex_free"
    sold_out_top: ClassVar[Literal["row"]] = "row"
    second_marker: ClassVar[Literal["first_kept"]] = "first_kept"
    most_exits: ClassVar[Literal["all"]] = "all"
    runs: ClassVar[Literal["director"]] = "director"
    discards: ClassVar[Literal["together"]] = "together"
    nationalised_repayment: ClassVar[Literal["all"]] = "all"
    merger_floor: ClassVar[Literal["100"]] = "100"
    merger_director: ClassVar[Literal["first_to_two"]] = "first_to_two"
    merger_two_shares: ClassVar[Literal["ahead"]] = "ahead"
    merger_offers: ClassVar[Literal["earliest"]] = "earliest"
    offer_limit: ClassVar[Literal["before"]] = "before"
    merger_connection: ClassVar[Literal["chain"]] = "chain"
    bank_break: ClassVar[Literal["train"]] = "train"
    private_score: ClassVar[Literal["face"]] = "face"
    long_game: ClassVar[bool] = False


def choices() -> dict[str, tuple[str, ...]]:
    """Names of all rulings with the values that each may take, as written in options."""
    return named.choices(Rulings)


def with_options(base: Rulings, options: dict[str, str]) -> Rulings:
    """Return ``base`` changed by ``options``. Raises ``ValueError`` for an unknown name or value and lists the known
    ones."""
    return named.with_options("1867", base, options)


def rulings_of(title: Title) -> Rulings:
    """Return the rulings of a game."""
    assert isinstance(title.rulings, Rulings), title
    return title.rulings
