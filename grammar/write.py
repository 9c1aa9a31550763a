"""Write orders as text, in canonical form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, TypeAlias, assert_never

from engine.core import orders as o
from engine.core.ids import POOL
from grammar.parser import TREASURY, notation
from grammar.vocabulary import FLAT_TOP, POINTY_TOP, Vocabulary
from grammar.write_programs import write_program

_COMPASS: Final = frozenset(point.casefold() for point in (*FLAT_TOP, *POINTY_TOP))
_STEP: Final = o.Limit.__dataclass_fields__["step"].default

Names: TypeAlias = Sequence[str] | Vocabulary
"""The compass names of the map's edges 0 to 5, or all names of the game. Only a ``Vocabulary`` lets the writer name a
panel by its incomes (otherwise by its tile) and use the title's word for the place of unsold shares. All of these forms
can be read back."""


def write(order: o.Order, names: Names = FLAT_TOP) -> str:
    """The text of ``order``, without its actor."""
    edges = _edges(names)
    match order:
        case o.Open(item=item, amount=amount, space=space):
            return _words("open", item, amount, space and f"in {write_space(space, edges)}")
        case o.Bid(amount=amount, item=item):
            return _words("bid", amount, item and f"on {item}")
        case o.Drop(item=item):
            return _words("drop", item)
        case o.Limit(maximum=maximum, item=item, step=step):
            return _words("limit", maximum, item and f"on {item}", None if step == _STEP else f"step {step}")
        case o.Standing(program=program):
            return write_program(
                program, lambda source: _source(source, names), lambda space: write_space(space, edges)
            )
        case o.SealedBids(bids=bids):
            return f"bids {', '.join(f'{amount} on {item}' for item, amount in bids)}" if bids else "bids none"
        case o.Pass():
            return "pass"
        case o.Sell(company=company, count=count, doubles=doubles):
            return _words("sell", count, company, None if doubles is None else f"with {_doubles(doubles)}")
        case o.SellGroup(sales=sales):
            return f"sell {', '.join(f'{count} {company}' for company, count in sales)}"
        case o.BuyFrom(company=company, count=count, seller=seller, price=price):
            return f"buy {count} {company} from {seller} for {price}"
        case o.Buy(company=company, source=source, certificate=certificate):
            return _words("buy", company, certificate, source and f"from {_source(source, names)}")
        case o.BuyConcession(concession=concession, price=price):
            return _words("buy", concession, None if price is None else f"for {price}")
        case o.Start(company=company, price=price, space=space):
            return _words("start", company, f"at {price}", space and f"in {write_space(space, edges)}")
        case o.Take(count=count, company=company):
            return _words("take", count, company and f"of {company}")
        case o.BuyMountain(mountain=mountain, hex=hex, panel=panel):
            called = names.incomes(panel) if isinstance(names, Vocabulary) else panel
            return f"buy {mountain} in {hex} with panel {called}"
        case o.BuyTunnel(tunnel=tunnel):
            return f"buy {tunnel}"
        case o.Repay(amount=amount):
            return f"repay {amount}"
        case o.UsePrivate(private=private, company=company, hexes=hexes):
            return _words("use", private, company and f"for {company}", f"in {', '.join(hexes)}" if hexes else None)
        case o.KeepPrivate(private=private, keep=keep):
            return f"{'keep' if keep else 'return'} {private}"
        case o.OfferPrivate(private=private, minimum=minimum):
            return f"auction {private} at {minimum}"
        case o.Short(company=company):
            return f"short {company}"
        case o.Transfer(company=company, count=count, source=source, target=target):
            return f"transfer {count} {company} from {source} to {target}"
        case o.Float():
            return _float(order)
        case o.PayPlayer(payee=payee, amount=amount):
            return f"pay {payee} {amount}"
        case o.Dividend(amount=amount):
            return f"dividend {amount}"
        case o.Borrow(count=count):
            return f"loan {count}"
        case o.RepayLoans(count=count):
            return f"repay {count}"
        case o.Crisis(way=chosen):
            return f"crisis {chosen}"
        case o.Refinance():
            return "refinance"
        case o.KeepTrains(trains=trains):
            return f"keep trains {', '.join(trains) or 'none'}"
        case o.HalfShort(keep=keep):
            return f"half short {'keep' if keep else 'close'}"
        case o.Redeem(count=count):
            return f"redeem {count}"
        case o.Lay(tile=tile, hex=hex, rotation=rotation, using=using):
            return _words("lay", tile, hex, rotation, using and f"with {using}")
        case o.Tunnel(hex=hex, edges=ends, certificate=certificate):
            way = "-".join(edges[edge] for edge in sorted(ends))
            return _words("tunnel", hex, way, certificate and f"with {certificate}")
        case o.Token(space=space):
            return f"token {write_space(space, edges)}"
        case o.Tokens(count=count):
            return f"tokens {count}"
        case o.BuyToken(space=space, owner=owner, price=price):
            return f"token {write_space(space, edges)} from {owner} for {price}"
        case o.Run(routes=routes):
            return f"run {_routes(routes)}" if routes else "run none"
        case o.RunBest():
            return "run best"
        case o.Announce(company=company, routes=routes):
            return f"announce {company} {_routes(routes)}"
        case o.Pay(kind=kind):
            return f"pay {kind}"
        case o.Settle():
            return "settle"
        case o.Train():
            return _train(order)
        case o.BuyPrivate(private=private, price=price):
            return f"buy {private} for {price}"
        case o.Bankrupt(way=way):
            return _words("bankrupt", way)
        case o.Done():
            return "done"
        case o.Discard(train=train):
            return f"discard {train}"
        case o.Nationalise(yes=yes):
            return f"nationalise {'yes' if yes else 'no'}"
        case o.Convert(actor=actor, into=into, markers=markers):
            nobody = isinstance(names, Vocabulary) and into not in names.companies  # a player's order
            other = None if into == actor and (markers is not None or nobody) else f"to {into}"
            return _words("convert", other, None if markers is None else f"tokens {markers}")
        case o.Merge(minors=minors, into=into, keep=keep, price=price):
            return _words(
                "merge",
                ", ".join(minors),
                f"into {into}",
                None if price is None else f"at {price}",
                f"keep {_spaces(keep, edges)}" if keep else None,
            )
        case o.Exchange(into=choice):
            return f"exchange for {choice}"
        case o.Prefer(company=company):
            return f"choose {company}"
        case o.OfferAgain(yes=yes):
            return f"offer again {'yes' if yes else 'no'}"
        case o.Keep(spaces=spaces):
            return f"keep {_spaces(spaces, edges)}"
        case o.Decline():
            return "decline"
        case o.Agree(subject=subject):
            return _words("agree", subject and write_subject(subject, names))
        case o.Refuse(subject=subject):
            return _words("refuse", subject and write_subject(subject, names))
        case _:
            assert_never(order)


def _float(order: o.Float) -> str:
    goods = [f"train {train}" for train in order.trains] + [str(private) for private in order.privates]
    goods += [f"{count} {company}" for company, count in order.shares]
    goods += [] if order.cash is None else [f"cash {order.cash}"]
    return _words(
        "float", order.company, f"as {order.kind}", f"at {order.price}", f"tokens {order.markers}",
        f"with {', '.join(goods)}" if goods else None,
    )  # fmt: skip


def write_section(actor: str, orders: Sequence[o.Order], names: Names = FLAT_TOP) -> str:
    """The orders of one actor under a head: a single order on the line of the head, several indented below it, one per
    line."""
    if len(orders) == 1:
        return f"{actor}: {write(orders[0], names)}"
    return "\n".join([f"{actor}:", *(f"  {write(order, names)}" for order in orders)])


def write_block(orders: Iterable[o.Order], names: Names = FLAT_TOP) -> str:
    """The text of ``orders``, one section for each run of orders of the same actor."""
    groups = groupby(orders, lambda order: order.actor)
    return "\n".join(write_section(actor, list(group), names) for actor, group in groups)


def write_subject(subject: o.Subject, names: Names = FLAT_TOP) -> str:
    """The text of the subject of an ``agree`` or ``refuse``."""
    match subject:
        case o.TrainSale(train=train, buyer=buyer, price=price):
            return f"train {train} to {buyer} for {price}"
        case o.PrivateSale(private=private, buyer=holder, price=price):
            return f"{private} to {holder} for {price}"
        case o.ShareSale(company=company, count=count, buyer=buyer, price=price):
            return f"{count} {company} to {buyer} for {price}"
        case o.TokenSale(space=space, buyer=buyer, price=price):
            return f"token {write_space(space, names)} to {buyer} for {price}"
        case o.Merger(minors=minors, into=into):
            return f"merger {', '.join(minors)} into {into}"
        case _:
            assert_never(subject)


def write_space(space: o.Space, names: Names = FLAT_TOP) -> str:
    """The text of a city space. A company whose name is also a compass point is put in brackets, because a word after a
    hex is first read as a compass point."""
    if space.exit is not None:
        return f"{space.hex}/{_edges(names)[space.exit]}"
    if space.number is not None:
        return f"{space.hex}/{space.number}"
    if space.company is None:
        return space.hex
    return f"{space.hex}/({space.company})" if space.company.casefold() in _COMPASS else f"{space.hex}/{space.company}"


def write_route(route: o.Route) -> str:
    """The text of a route: the train and its hexes, such as ``3 G15-I13-H8``."""
    return f"{route.train} {'-'.join(route.hexes)}"


def _edges(names: Names) -> Sequence[str]:
    return names.edges if isinstance(names, Vocabulary) else names


def _source(source: str, names: Names) -> str:
    """The word for ``source``: for unsold shares the title's own word, if ``names`` is a vocabulary."""
    return notation(names.title).unsold if isinstance(names, Vocabulary) and source == TREASURY else source


def _doubles(count: int) -> str:
    return f"{count} {'double' if count == 1 else 'doubles'}"


def _routes(routes: Sequence[o.Route]) -> str:
    return ", ".join(map(write_route, routes))


def _spaces(spaces: Sequence[o.Space], edges: Sequence[str]) -> str:
    return ", ".join(write_space(space, edges) for space in spaces)


def _train(order: o.Train) -> str:
    source = "pool" if order.source == POOL else order.source
    return _words(
        f"train {order.train}",
        source and f"from {source}",
        None if order.price is None else f"for {order.price}",
        order.trade and f"trade {order.trade}",
        order.otherwise and f"or {_train(order.otherwise)}",
    )


def _words(*words: object) -> str:
    return " ".join(str(word) for word in words if word is not None)
