"""Sales and purchases of shares: their checks, prices and effects."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.checks import Fact, Failure
from engine.core.events import Bought, CertificatesMoved, DirectorChanged, Sold
from engine.core.ids import BANK, IPO, POOL, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, director_kind, directors_worth, double_kind, ordinary_kind
from engine.holders.control import count, owner_of
from engine.holders.ledger import shares
from engine.holders.succession import hand_over, settle_director, successor
from engine.steps.trade_shares import check_certificates, move_price
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import launch_if_due

MOST_IN_POOL = 2
"""The divisor of the pool limit: 2 means that half a company may be in the pool. A player with more than half buys from
the pool only."""


def dealt_in(state: State) -> Iterator[CompanyId]:
    """Companies that have a price."""
    yield from state.prices


# ---- selling --------------------------------------------------------------------------------------------------------


def check_sale(
    title: Title, state: State, player: PlayerId, order: Sell, sold: tuple[CompanyId, ...], keep_directors: bool = False
) -> list[Failure]:
    """Every reason why ``player`` may not make the sale. ``sold``: companies that he has sold in this turn.
    ``keep_directors``: True if the sale may not change a director."""
    company = order.company
    if company not in title.companies:
        return [Failure("sell.not_for_sale", {"company": company})]
    held = shares(title, state, player, company)
    failures = list[Failure]()
    if order.count < 1:
        failures.append(Failure("sell.none", {"company": company}))
    if order.count > held:
        return [*failures, Failure("sell.not_held", {"company": company, "count": order.count, "held": held})]
    if company not in state.prices or owner_of(title, state, company) is None:  # rule 4.8
        return [*failures, Failure("sell.no_director", {"company": company})]
    if company in sold:  # rule 4.4
        failures.append(Failure("sell.twice", {"company": company}))
    room = max(0, all_shares(title, state, company) // MOST_IN_POOL - shares(title, state, POOL, company))  # rule 4.7
    if order.count > room:
        failures.append(Failure("sell.pool_full", {"company": company, "count": order.count, "room": room}))
    failures.extend(_check_director(title, state, player, order, held, keep_directors))
    if not failures and certificates_for(title, state, player, order) is None:
        facts: dict[str, Fact] = {"company": company, "count": order.count, "doubles": order.doubles}
        failures.append(Failure("sell.certificates", facts))
    return failures


def _check_director(
    title: Title, state: State, player: PlayerId, order: Sell, held: int, keep_directors: bool
) -> Iterator[Failure]:
    """Refuse a sale that needs the director's certificate, unless another player can take it over."""
    # rule 4.10, 11.6
    company = order.company
    if owner_of(title, state, company) != player:
        return
    worth = directors_worth(title, state, company)
    heir = successor(title, state, company, player, held - order.count)
    if keep_directors and heir is not None:
        yield Failure("sell.director_change", {"company": company, "count": order.count, "player": heir})
    elif heir is None and held - order.count < worth:
        facts: dict[str, Fact] = {"company": company, "count": order.count, "most": max(0, held - worth)}
        yield Failure("sell.director", facts)


def certificates_for(title: Title, state: State, player: PlayerId, order: Sell) -> tuple[int, int] | None:
    """Numbers of doubles and ordinary certificates that the sale takes, after any change of director. The number of
    ordinary ones is -1 if the pool gives one as change. None if no certificates match the number of shares."""
    # rule 4.23
    company = order.company
    ordinary, double = ordinary_kind(title, state, company), double_kind(title, state, company)
    singles = count(state, player, company, ordinary)
    doubles = count(state, player, company, double) if double else 0
    split = rulings_of(title).sbb_split
    given = False  # a double for the director's certificate
    if owner_of(title, state, company) == player:
        left = shares(title, state, player, company) - order.count
        heir = successor(title, state, company, player, left)
        given = heir is not None and double is not None and count(state, heir, company, double) > 0
        if given:
            doubles += 1
        elif heir is not None:
            singles += directors_worth(title, state, company)
    choices = range(doubles + 1) if order.doubles is None else (order.doubles,)
    splits = split == "pool" or (split == "director" and given)
    change = double is not None and splits and count(state, POOL, company, ordinary) > 0
    for number in choices:
        least = -1 if change and number else 0
        if 0 <= number <= doubles and least <= order.count - 2 * number <= singles:
            return number, order.count - 2 * number
    return None


def sell(play: Play, player: PlayerId, order: Sell) -> None:
    """Carry out a checked sale. The director changes first if necessary, and the price falls once."""
    # rule 4.4, 4.5, 4.6
    title, state, company = play.title, play.state, order.company
    taken = certificates_for(title, state, player, order)
    assert taken is not None
    doubles, singles = taken
    if not state.companies[company].operated:
        move_price(play, company, "down", 1, "sale")
    price = title.price(play.state, company)
    if owner_of(title, state, company) == player:
        heir = successor(title, state, company, player, shares(title, state, player, company) - order.count)
        if heir is not None:
            hand_over(play, company, player, heir)
    double = double_kind(title, state, company)
    if doubles and double:
        play.emit(CertificatesMoved(company, double, doubles, player, POOL))
    if singles:
        way = (player, POOL) if singles > 0 else (POOL, player)
        play.emit(CertificatesMoved(company, ordinary_kind(title, state, company), abs(singles), *way))
    play.pay(BANK, player, price * order.count, "sale", company)
    play.emit(Sold(player, company, order.count, price * order.count))
    if state.companies[company].operated:
        move_price(play, company, "down", 1, "sale")


def sales(
    title: Title, state: State, player: PlayerId, actor: PlayerId | CompanyId, sold: tuple[CompanyId, ...],
    keep_directors: bool = False,
) -> Iterator[Sell]:  # fmt: skip
    """Every legal sale of the player, without a choice of certificates."""
    for company in dealt_in(state):
        for number in range(1, shares(title, state, player, company) + 1):
            order = Sell(actor, company, number)
            if not check_sale(title, state, player, order, sold, keep_directors):
                yield order


# ---- buying ---------------------------------------------------------------------------------------------------------


def price_at(title: Title, state: State, company: CompanyId, place: str) -> int:
    """The price of one share in ``place``: the par in the IPO, the market price in the pool."""  # rule 4.12
    par = state.companies[company].par
    return par if place == IPO and par is not None else title.price(state, company)


def kind_of(title: Title, state: State, order: Buy) -> str | None:
    """The kind of certificate that the order names; None if the company has no such certificate."""
    if order.certificate == "director":
        return director_kind(title, state, order.company)
    if order.certificate == "double":
        return double_kind(title, state, order.company)
    return ordinary_kind(title, state, order.company)


def places(title: Title, state: State, order: Buy) -> tuple[str, ...]:
    """The places (``ipo``, ``pool``) in which the certificate that the order names is for sale."""
    kind = kind_of(title, state, order)
    found = (("ipo", IPO), ("pool", POOL))
    return tuple(name for name, place in found if kind and count(state, place, order.company, kind))


def check_buy(title: Title, state: State, player: PlayerId, order: Buy, sold: frozenset[CompanyId]) -> list[Failure]:
    """Every reason why ``player`` may not buy the certificate. ``sold``: companies that he has sold in this stock
    round."""
    company = order.company
    if company not in title.companies:
        return [Failure("buy.not_for_sale", {"company": company})]
    if company not in state.prices:  # rule 4.11
        return [Failure("buy.not_started", {"company": company, "status": state.companies[company].status})]
    failures = list[Failure]()
    if owner_of(title, state, company) is None and order.certificate != "director":  # rule 13.17
        failures.append(Failure("buy.director_first", {"company": company}))
    found = places(title, state, order)
    if not found or (order.source is not None and order.source not in found):
        kind = order.certificate
        facts: dict[str, Fact] = {"company": company, "source": order.source, "left": found, "kind": kind}
        return [*failures, Failure("buy.none_left", facts)]
    held, total = shares(title, state, player, company), all_shares(title, state, company)
    if held * MOST_IN_POOL > total:  # rule 4.17
        if order.source == "ipo" or found == ("ipo",):
            failures.append(Failure("buy.pool_only", {"company": company, "held": held, "half": total // 2}))
        found = tuple(name for name in found if name != "ipo")
    if order.source is None and len(found) > 1:
        failures.append(Failure("ambiguous.source", {"company": company, "sources": found}))
    failures.extend(_check_price(title, state, player, order, found))
    if company in sold:  # rule 4.15
        failures.append(Failure("buy.sold_before", {"company": company}))
    failures.extend(check_certificates(title, state, player))  # rule 4.16
    return failures


def _check_price(title: Title, state: State, player: PlayerId, order: Buy, found: tuple[str, ...]) -> Iterator[Failure]:
    source = order.source or (found[0] if found else None)
    if source is None:
        return
    price, cash = cost_of(title, state, order, source), state.money(player)
    if cash < price:
        yield Failure("buy.money", {"company": order.company, "price": price, "cash": cash})


def cost_of(title: Title, state: State, order: Buy, source: str) -> int:
    """The price of the certificate from ``ipo`` or ``pool``."""  # rule 4.12, 4.13
    kind = kind_of(title, state, order)
    assert kind is not None
    number = charter_of(title, state, order.company).certificates[kind][0].shares
    return price_at(title, state, order.company, IPO if source == "ipo" else POOL) * number


def buy(play: Play, player: PlayerId, order: Buy) -> None:
    """Carry out a checked purchase. It may change the director and launch the company."""
    # rule 4.12, 4.19, 4.22
    title, company = play.title, order.company
    found = places(title, play.state, order)
    if shares(title, play.state, player, company) * MOST_IN_POOL > all_shares(title, play.state, company):
        found = tuple(name for name in found if name != "ipo")
    source = order.source or found[0]
    kind = kind_of(title, play.state, order)
    assert kind is not None
    price, number = (
        cost_of(title, play.state, order, source),
        charter_of(title, play.state, company).certificates[kind][0].shares,
    )
    play.pay(player, BANK, price, "share", company)
    play.emit(
        CertificatesMoved(company, kind, 1, IPO if source == "ipo" else POOL, player),
        Bought(player, company, number, price, source),
    )
    if order.certificate == "director":
        play.emit(DirectorChanged(company, player))
    else:
        settle_director(play, company, player)
    launch_if_due(play, company)


def purchases(title: Title, state: State, player: PlayerId, sold: frozenset[CompanyId]) -> Iterator[Buy]:
    """Every legal purchase of a share."""
    for company in dealt_in(state):
        for certificate in (None, "double", "director"):
            for source in ("ipo", "pool"):
                order = Buy(player, company, source, certificate)
                if not check_buy(title, state, player, order, sold):
                    yield order
