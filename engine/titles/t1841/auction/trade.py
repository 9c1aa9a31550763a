"""Buying a concession in a stock round, from the bank or from another player. The concession of a running company
brings the company's president's certificate along."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.agenda import Choice, Exact, Range
from engine.core.checks import Failure
from engine.core.events import CertificatesMoved, DirectorChanged, PrivateMoved
from engine.core.ids import BANK, POOL, CompanyId, PlayerId, PrivateId
from engine.core.orders import BuyConcession
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, directors_worth
from engine.holders.control import count
from engine.titles.t1841.names import COMPANY_OF
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.limits import check_certificates, check_sixty, check_sixty_then
from engine.titles.t1841.stock.presidency import frozen, tell_frozen

FROM_BANK_SINCE = 2
"""The stock round from which on the bank sells concessions."""


def owner_of_concession(state: State, concession: PrivateId) -> PlayerId | None:
    """The player who has the concession; None if the bank has it or it is out of the game."""
    owner = state.privates.get(concession)
    return next((p for p in state.players if p == owner), None)


def running(title: Title, state: State, concession: PrivateId) -> CompanyId | None:
    """The started company of the concession, if its president's certificate comes with the concession: from the owner,
    or from the pool. None otherwise; under a ruling, somebody else may have the certificate."""  # rule 3.17, 5.8
    company = COMPANY_OF.get(concession)
    if company is None or state.companies[company].status != "open":
        return None
    place = owner_of_concession(state, concession) or POOL
    return company if count(state, place, company, director_kind(title, state, company)) else None


def total_cost(title: Title, state: State, order: BuyConcession) -> int:
    """The money that the buyer needs: the agreed price alone, or the bank's price and twice the share price of a
    running company."""
    # rule 3.15, 3.17
    if order.price is not None:
        return order.price
    company = running(title, state, order.concession)
    extra = 0 if company is None else title.price(state, company) * directors_worth(title, state, company)
    return title.privates[order.concession].face + extra


def check_concession(title: Title, state: State, order: BuyConcession) -> list[Failure]:
    """Every reason why the player may not buy the concession, consent aside."""  # rule 3.15, 3.16
    concession, buyer = order.concession, order.actor
    if concession not in title.privates:
        return [Failure("concession.unknown", {"concession": concession})]
    if concession not in state.privates:
        return [Failure("concession.gone", {"concession": concession})]
    owner, failures = owner_of_concession(state, concession), list[Failure]()
    if owner == buyer:
        return [Failure("concession.own", {"concession": concession})]
    if owner is None:
        if state.round.set < FROM_BANK_SINCE:
            failures.append(Failure("concession.first_round", {"concession": concession}))
        if order.price is not None:
            face = title.privates[concession].face
            failures.append(Failure("concession.bank_price", {"concession": concession, "price": face}))
    else:
        if not rulings_of(title).player_trades:
            failures.append(Failure("concession.no_trades", {"concession": concession, "owner": owner}))
        if order.price is None or order.price < 1:
            failures.append(Failure("concession.price", {"concession": concession, "owner": owner}))
            return failures
    cost, cash = total_cost(title, state, order), state.money(buyer)
    if cost > cash:
        failures.append(Failure("concession.money", {"concession": concession, "cost": cost, "cash": cash}))
    company = running(title, state, concession)
    if company is not None:
        failures += check_certificates(title, state, buyer)
        failures += check_sixty(title, state, buyer, company, directors_worth(title, state, company))
        if not failures:
            failures += check_sixty_then(title, state, buyer, company, partial(buy_concession, order=order))
    return failures


def buy_concession(play: Play, order: BuyConcession) -> None:
    """Carry out a checked and agreed purchase."""  # rule 3.15, 3.16, 3.17
    title, state, concession, buyer = play.title, play.state, order.concession, order.actor
    owner, company = owner_of_concession(state, concession), running(title, state, concession)
    play.pay(buyer, owner or BANK, total_cost(title, state, order), "concession", concession)
    play.emit(PrivateMoved(concession, buyer))
    if company is not None:
        before = frozen(title, play.state)
        place = POOL if owner is None else owner
        play.emit(
            CertificatesMoved(company, director_kind(title, state, company), 1, place, buyer),
            DirectorChanged(company, buyer),
        )
        tell_frozen(play, before)


def list_concessions(title: Title, state: State, buyer: PlayerId) -> Iterator[Choice]:
    """Every concession that the player may buy: from the bank, or from another player at any price that he can pay."""
    for concession in state.privates:
        if owner_of_concession(state, concession) is None:
            order = BuyConcession(buyer, concession)
            if not check_concession(title, state, order):
                yield Exact(order)
        elif not check_concession(title, state, BuyConcession(buyer, concession, 1)):
            yield Range(BuyConcession(buyer, concession, 1), "price", 1, state.money(buyer))
