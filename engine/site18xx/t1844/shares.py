"""Purchases and sales of certificates in records of 18xx.games, as orders: the source, certificates of two shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from engine.core.ids import IPO, CompanyId, PlayerId
from engine.core.orders import Buy, Sell
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import double_kind
from engine.holders.control import count as held
from engine.holders.ledger import shares
from engine.holders.succession import successor
from engine.site18xx.certificates import DIRECTOR, Books, company_of, index_of
from engine.site18xx.shares import shares_in
from engine.titles.t1844.names import SBB

WITHIN_SALES: Final = frozenset({"choose_ability", "payoff_player_debt"})
"""Actions that do not end the sales of a turn."""
DOUBLES: Final = range(11, 15)
"""Numbers of the doubles of the SBB, which has no IPO."""


def purchase(books: Books, player: PlayerId, company: CompanyId, numbers: Sequence[str]) -> Buy:
    """Return the purchase of the certificate ``numbers`` (one, by the rules), and note it in the ``books``."""
    indices = list(map(index_of, numbers))
    place = books.place_of(company, numbers[0])
    source: Literal["ipo", "pool"] = "ipo" if place == IPO else "pool"
    books.name(company, indices)
    kind = books.kind(company, indices[0]) if company == SBB and len(indices) == 1 else "ordinary"
    return Buy(player, company, source, None if kind == "ordinary" else kind)  # type: ignore[arg-type]


def sale(title: Title, state: State, actor: str, seller: PlayerId, action: Mapping[str, Any]) -> Sell:
    """Return the sale of the shares in ``percent``, which may be only a part of the last certificate. Raises
    ``ValueError`` if they are not whole shares."""
    company = CompanyId(company_of(action["shares"]))
    count = shares_in(title, state, company, action)
    doubles = _doubles(title, state, seller, company, count, action["shares"]) if company == SBB else None
    return Sell(actor, company, count, doubles)  # type: ignore[arg-type]


def _doubles(
    title: Title, state: State, seller: PlayerId, company: CompanyId, count: int, numbers: Sequence[str]
) -> int:
    """Number of doubles that go to the pool. For the director's certificate, or one share of it, the next director
    gives a double if he has one."""
    indices = [index_of(n) for n in numbers]
    doubles = sum(1 for i in indices if i in DOUBLES)
    if DIRECTOR not in indices:
        return doubles
    heir = successor(title, state, company, seller, shares(title, state, seller, company) - count)
    double = double_kind(title, state, company)
    return doubles + (heir is not None and double is not None and held(state, heir, company, double) > 0)


def sold_again(actions: Iterable[Mapping[str, Any]]) -> bool:
    """True if a player sells shares of a company in two actions of the same turn."""
    seller, sold = None, set[str]()
    for action in actions:
        if action["type"] in WITHIN_SALES:
            continue
        if action["type"] != "sell_shares" or action["entity"] != seller:
            sold.clear()
        if action["type"] == "sell_shares":
            seller, company = action["entity"], company_of(action["shares"])
            if company in sold:
                return True
            sold.add(company)
    return False
