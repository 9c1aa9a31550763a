"""The rulings that the family asks for. Each cousin has its own: options, or decisions that nothing changes."""

from __future__ import annotations

from typing import Literal, Protocol, cast

from engine.core.title import Title


class FamilyRulings(Protocol):
    """The named rulings of 1861 that its cousins share; their texts are in ``engine/titles/t1861/rulings.py``."""

    @property
    def reduced_private(self) -> Literal["auction", "dutch"]: ...

    @property
    def dutch_price(self) -> Literal["asked", "more"]: ...

    @property
    def next_after_auction(self) -> Literal["winner", "proposer"]: ...

    @property
    def director_sale(self) -> Literal["turn", "order"]: ...

    @property
    def first_marker(self) -> Literal["space", "empty", "hex", "hex_free"]: ...

    @property
    def sold_out_top(self) -> Literal["row", "column"]: ...

    @property
    def second_marker(self) -> Literal["paid", "first_kept"]: ...

    @property
    def most_exits(self) -> Literal["brown", "all"]: ...

    @property
    def runs(self) -> Literal["director", "players", "moderator"]: ...

    @property
    def discards(self) -> Literal["operating", "together"]: ...

    @property
    def nationalised_repayment(self) -> Literal["all", "above"]: ...

    @property
    def nationalised_ties(self) -> Literal["lot", "name"]: ...

    @property
    def merger_floor(self) -> Literal["70", "100"]: ...

    @property
    def merger_director(self) -> Literal["earliest", "first_to_two"]: ...

    @property
    def merger_two_shares(self) -> Literal["offers", "ahead", "obliged"]: ...

    @property
    def merger_fails(self) -> Literal["undone", "stays"]: ...

    @property
    def merger_offers(self) -> Literal["director", "earliest"]: ...

    @property
    def offer_limit(self) -> Literal["after", "before"]: ...

    @property
    def merger_connection(self) -> Literal["hub", "chain"]: ...

    @property
    def bank_break(self) -> Literal["train", "final"]: ...

    @property
    def private_score(self) -> Literal["face", "nothing"]: ...

    @property
    def long_game(self) -> bool: ...


def rulings_of(title: Title) -> FamilyRulings:
    """The rulings of a game, as far as the family asks for them."""
    return cast(FamilyRulings, title.rulings)
