"""Sales of shares to the pool. A title says in a value of ``SaleTerms`` on what terms its shares are sold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.core.checks import Fact, Failure
from engine.core.events import Sold
from engine.core.ids import BANK, POOL, Actor, CompanyId, Place
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, directors_worth
from engine.holders.control import owner_of
from engine.holders.ledger import holders, shares
from engine.holders.succession import successor

Bars = Callable[[Title, State, Actor, CompanyId, int], Iterable[Failure]]
"""Reasons against the sale of a number of shares of a company by a seller."""


def director_stays(heir: Callable[[Title, State, CompanyId, Actor, int], Actor | None] = successor) -> Bars:
    """The reason against a sale that needs the director's certificate, which cannot go to the pool: nobody can take it
    over. ``heir``: who takes it over from an owner who is left with a number of shares."""

    def check(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterator[Failure]:
        if owner_of(title, state, company) != seller:
            return
        held, worth = shares(title, state, seller, company), directors_worth(title, state, company)
        if held - number < worth and heir(title, state, company, seller, held - number) is None:
            others = tuple((h, shares(title, state, h, company)) for h in holders(state, company) if h != seller)
            most = max(0, held - worth)
            facts: dict[str, Fact] = {"company": company, "count": number, "most": most, "others": others}
            yield Failure("sell.director", facts)

    return check


_STAYS = director_stays()


def _own_place(seller: Actor, company: CompanyId) -> Place:
    return seller


def _no_bar(title: Title, state: State, seller: Actor, company: CompanyId, number: int) -> Iterable[Failure]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaleTerms:
    """``closed`` returns the reason why the seller can sell no share of the company, whatever the number; such a sale
    has no further reason. ``place``: where the shares lie. ``pool_part``: at most one part in this many of a company
    may lie in the pool; None if it has room for all. ``bars``: the title's own reasons. ``director``: reasons for the
    sake of the director's certificate. ``last``: reasons that are looked for only if there is no other, because they
    cost much."""

    closed: Callable[[Title, State, Actor, CompanyId], Failure | None]
    place: Callable[[Actor, CompanyId], Place] = _own_place
    pool_part: int | None = 2
    bars: Bars = _no_bar
    director: Bars = _STAYS
    last: Bars = _no_bar


def check_sale(
    terms: SaleTerms, title: Title, state: State, seller: Actor, company: CompanyId, number: int
) -> list[Failure]:
    """Every reason why ``seller`` may not sell ``number`` shares of the company to the pool at once."""
    if (closed := terms.closed(title, state, seller, company)) is not None:
        return [closed]
    held = shares(title, state, terms.place(seller, company), company)
    failures = list[Failure]()
    if number < 1:
        failures.append(Failure("sell.none", {"company": company}))
    if number > held:
        return [*failures, Failure("sell.not_held", {"company": company, "count": number, "held": held})]
    failures += terms.bars(title, state, seller, company, number)
    if terms.pool_part is not None:
        room = max(0, all_shares(title, state, company) // terms.pool_part - shares(title, state, POOL, company))
        if number > room:
            failures.append(Failure("sell.pool_full", {"company": company, "count": number, "room": room}))
    failures += terms.director(title, state, seller, company, number)
    return failures or list(terms.last(title, state, seller, company, number))


def list_sales(
    terms: SaleTerms, title: Title, state: State, seller: Actor, companies: Iterable[CompanyId]
) -> Iterator[tuple[CompanyId, int]]:
    """Every legal sale of shares of one of the ``companies``, as a company and a number of shares."""
    for company in companies:
        held = shares(title, state, terms.place(seller, company), company)
        for number in range(1, held + 1):
            if not check_sale(terms, title, state, seller, company, number):
                yield company, number


def pay_for_sale(
    play: Play, seller: Actor, company: CompanyId, number: int, amount: int, emergency: bool = False
) -> None:
    """Pay the seller for shares that have gone to the pool."""
    play.pay(BANK, seller, amount, "emergency" if emergency else "sale", company)
    play.emit(Sold(seller, company, number, amount))
