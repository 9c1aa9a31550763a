"""The legal orders of a moment, in the words that order them: grouped, ranges by their bounds, long lists counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import ask_for, cost, decide, decide_to_state, objection
from engine.core.decide import menu as menu_of
from engine.core.ids import POOL, CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from grammar import write, write_section, write_space
from moderator.domain.vocabulary import vocabulary
from moderator.render import views
from moderator.render.words import Words

SHORT = 8
"""A group of at most so many orders is listed in full."""


@dataclass(slots=True)
class Line:
    """One order, as it can be sent. ``note`` says which other numbers may stand there, and what it costs."""

    order: str
    note: str = ""


@dataclass(slots=True)
class Group:
    """Orders of one kind. ``kind`` is the type's name, a key for a heading; ``hidden``: how many are not listed, and
    ``where``; ``choices``: what may stand in the example's place, by key."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    hidden: int = 0
    where: tuple[str, ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()


def groups(own: Words, title: Title, state: State, menu: Menu) -> list[Group]:
    """The menu by kind of order, in its own sequence."""
    kinds: dict[str, list[Choice]] = {}
    for choice in menu:
        kinds.setdefault(_kind(choice.order), []).append(choice)
    return [group for kind, choices in kinds.items() for group in _groups(own, title, state, kind, choices)]


def anytime(title: Title, menu: Iterable[Choice]) -> list[Group]:
    """Orders that may come at any moment, each with its head, for they stand alone."""
    orders = [choice.sample(0) for choice in menu]
    names = vocabulary(title)
    return [Group("Anytime", [Line(write_section(order.actor, [order], names)) for order in orders])] if orders else []


def _kind(order: o.Order) -> str:
    """The type's name, a key for a heading; a tile that a private brings is of a kind of its own."""
    if isinstance(order, o.Lay) and order.using is not None:
        return "Lay.using"
    return type(order).__name__


def _groups(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    if kind == "Start":
        return _starts(title, kind, choices)
    if kind == "BuyMountain":
        return [_mountains(title, kind, choices)]
    if kind == "SealedBids":
        return [_bids(title, kind, choices)]
    if kind == "BuyFrom" and len(choices) > SHORT:
        return [_from_players(title, kind, choices)]
    if kind == "Tunnel" and len(choices) > SHORT:
        return [_tunnels(title, kind, choices)]
    if kind in ("Merge", "Convert") and len(choices) > 1:
        return _formations(title, kind, choices)
    if kind in ("Lay", "Lay.using") and len(choices) > SHORT:
        hexes = _names(c.order.hex for c in choices if isinstance(c.order, o.Lay))
        return [Group(kind, hidden=len(choices), where=hexes)]
    return [Group(kind, [_line(own, title, state, choice) for choice in choices])]


def _line(own: Words, title: Title, state: State, choice: Choice) -> Line:
    """The order, which can be copied as it stands: a range shows its least number, and its bounds in the note."""
    notes = [_bounds(own, choice), note(own, title, state, choice.order)]
    return Line(write(choice.sample(0), vocabulary(title)), "; ".join(filter(None, notes)))


def _bounds(own: Words, choice: Choice) -> str:
    if isinstance(choice, Exact) or choice.low == choice.high:
        return ""
    key = "range" if choice.step == 1 else "range_step"
    return own.say("words", key, low=choice.low, high=choice.high, step=choice.step)


def _starts(title: Title, kind: str, choices: list[Choice]) -> list[Group]:
    """One example, and what there is to choose from; one group for each set of spaces that companies share."""
    orders = [c.order for c in choices if isinstance(c.order, o.Start)]
    spaces: dict[tuple[str, ...], list[o.Start]] = {}
    for company in dict.fromkeys(order.company for order in orders):
        own = [order for order in orders if order.company == company]
        spaces.setdefault(_names(_space(title, order) for order in own if order.space is not None), []).extend(own)
    return [
        Group(kind, [Line(write(own[0], vocabulary(title)))], choices=(
            ("companies", _names(order.company for order in own)),
            ("prices", _names(str(order.price) for order in own)),
            *((("spaces", where),) if where else ()),
        ))
        for where, own in spaces.items()
    ]  # fmt: skip


def _space(title: Title, order: o.Start) -> str:
    return write_space(order.space, title.map.edge_names) if order.space is not None else ""


def _mountains(title: Title, kind: str, choices: list[Choice]) -> Group:
    """One example, and the hexes and panels to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.BuyMountain)]
    names = vocabulary(title)
    panels = _names(names.incomes(each.panel) for each in orders)
    example = Line(write(orders[0], names))
    return Group(kind, [example], choices=(("hexes", _names(each.hex for each in orders)), ("panels", panels)))


def _bids(title: Title, kind: str, choices: list[Choice]) -> Group:
    """The longest set of bids as an example, and the concessions to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.SealedBids)]
    example = max(orders, key=lambda order: len(order.bids))
    items = _names(item for order in orders for item, _ in order.bids)
    return Group(kind, [Line(write(example, vocabulary(title)))], choices=(("concessions", items),))


def _from_players(title: Title, kind: str, choices: list[Choice]) -> Group:
    """One example, and the companies and sellers to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.BuyFrom)]
    lists = (("companies", _names(each.company for each in orders)), ("sellers", _names(e.seller for e in orders)))
    return Group(kind, [Line(write(choices[0].sample(0), vocabulary(title)))], choices=lists)


def _tunnels(title: Title, kind: str, choices: list[Choice]) -> Group:
    """One example, and the other places as the order names them."""
    orders = [write(c.order, vocabulary(title)) for c in choices]
    places = _names(order.partition(" ")[2] for order in orders)
    return Group(kind, [Line(orders[0])], choices=(("tunnels", places),))


def _formations(title: Title, kind: str, choices: list[Choice]) -> list[Group]:
    """Conversions or mergers: one example, and the companies to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.Convert | o.Merge)]
    partners = _names(", ".join(order.minors) for order in orders if isinstance(order, o.Merge))
    companies = ("companies", _names(order.into for order in orders))
    lists = (("partners", partners), companies) if partners else (companies,)
    return [Group(kind, [Line(write(orders[0], vocabulary(title)))], choices=lists)]


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def note(own: Words, title: Title, state: State, order: o.Order) -> str:
    """The price of the order, or its income."""
    facts: dict[str, object] = {}
    match order:
        case o.Buy():
            facts = {"price": _paid(title, state, order)}
        case o.Sell():
            facts = {"price": _paid(title, state, order) // order.count}
        case o.BuyConcession(price=None):
            facts = {"price": _paid(title, state, order)}
        case o.BuyMountain() | o.BuyTunnel():
            facts = {"cost": _paid(title, state, order)}
        case o.Repay():
            facts = {"debt": state.debt(order.actor)}
        case o.Redeem():
            facts = {"price": title.price(state, order.actor)}
        case o.Tunnel():
            facts = {"cost": cost(title, state, order)}
        case o.Token():
            hex = order.space.hex
            facts = {"cost": cost(title, state, order), "hex": hex}
        case o.Lay():
            facts = {"cost": cost(title, state, order), "hex": order.hex}
        case o.Train(source=source) if source in (None, POOL):
            facts = {"cost": title.trains[order.train].cost, **_helped(title, state, order)}
        case o.Train() if order.source is not None:
            director = title.policies.director(title, state, order.source)  # type: ignore[arg-type]
            own_director = title.policies.director(title, state, order.actor)
            facts = {"consent": director if director != own_director else None}
        case o.BuyPrivate():
            owner = state.privates.get(order.private)
            facts = {"consent": owner if owner != title.policies.director(title, state, order.actor) else None}
        case _:
            return ""
    return own.say("words", f"note.{type(order).__name__}", title=title, **facts)


def _paid(title: Title, state: State, order: o.Order) -> int:
    """The sum that the actor pays for an order, or gets for a sale."""
    played = decide(title, state, order)
    for event in () if isinstance(played, Refused) else played:
        if isinstance(event, ev.Sold | ev.Bought):
            return event.amount
        if isinstance(event, ev.Paid) and order.actor == event.payer:
            return event.amount
    return 0


def _helped(title: Title, state: State, order: o.Train) -> dict[str, int]:
    """The sums that the director pays (``help``) and comes to owe (``debt``) for a train his company cannot pay."""
    if title.trains[order.train].cost <= state.money(order.actor):
        return {"help": 0, "debt": 0}
    played = decide(title, state, order)
    events = () if isinstance(played, Refused) else played
    debt = sum(e.change for e in events if isinstance(e, ev.DebtChanged) and e.reason == "taken")
    paid = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.reason == "help")
    lent = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.reason == "debt")
    return {"help": paid - lent, "debt": debt}


Lays: TypeAlias = list[tuple[str, list[tuple[str, list[int]]]]]
"""By hex and tile: ``[(hex, [(tile, [turns])])]``."""


def lays(menu: Menu) -> dict[str, Lays]:
    """Legal lays by the private that brings them, those that none does under ``""``."""
    found = {str(c.order.using or ""): _lays(menu, c.order.using) for c in menu if isinstance(c.order, o.Lay)}
    return {"": found.pop("", []), **found}


def _lays(menu: Menu, using: str | None) -> Lays:
    found: dict[str, dict[str, list[int]]] = {}
    for choice in menu:
        order = choice.order
        if isinstance(order, o.Lay) and order.using == using:
            found.setdefault(order.hex, {}).setdefault(order.tile, []).append(order.rotation)
    return [(hex, [(tile, sorted(turns)) for tile, turns in tiles.items()]) for hex, tiles in found.items()]


def later(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> str:
    """The later steps of a company's turn, its duties before them, and the limits of a debtor; "" elsewhere."""
    kinds = {type(choice.order) for choice in menu}
    if ask.what == "company.turn" and o.Train in kinds and not kinds & {o.Done, o.RunBest, o.Run}:
        return own.say("words", "must_buy", title=title, company=ask.actor)
    if ask.what == "company.turn" and kinds == {o.Lay}:
        return own.say("words", "first_lay", title=title, company=ask.actor)
    if ask.what == "stock.turn" and (debt := state.debt(ask.player)):
        sell = not any(isinstance(c.order, o.Pass) for c in menu)
        return own.say("words", "debtor", title=title, debt=debt, sell=sell)
    if ask.what != "company.turn" or not any(isinstance(c.order, o.RunBest) for c in menu):
        return ""
    shares = len(charter_of(title, state, CompanyId(ask.actor)).certificates) > 1
    offered = (face for line in views.trains(title, state) if line.now for face in line.faces)
    could = {c.order.train for c in menu if isinstance(c.order, o.Train) and c.order.source is None}
    new = [face for face in offered if not could or face[0] in could]
    return own.say("words", "later", title=title, shares=shares, new=new, pool=tuple(dict.fromkeys(state.pool_trains)))


def example(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> list[str]:
    """An answer that is legal, in canonical text: the first choice of each kind that the ask's words name."""
    kinds = own.listed("asks", f"{ask.what}.example", title.name)
    first: dict[str, o.Order] = {}
    for choice in menu:
        if not (isinstance(choice, Range) and isinstance(choice.order, o.Train | o.BuyPrivate)):  # a price is a deal
            first.setdefault(type(choice.order).__name__, choice.sample(0))
    if "RunBest" in first and ask.actor in title.companies:
        for order in _from_run(title, CompanyId(ask.actor)):
            first.setdefault(type(order).__name__, order)
    chosen = [first[kind] for kind in kinds if kind in first] or list(first.values())[:1]
    if own.find("asks", f"{ask.what}.one_of", title.name) is not False:
        chosen = chosen[:1]
    chosen = _together(title, state, chosen)
    return write_section(ask.actor, chosen, vocabulary(title)).splitlines() if chosen else []


def _run_first(title: Title, state: State, done: o.Done) -> list[o.Order]:
    """The end of a turn in which the company must run, now that the track lies."""
    company = CompanyId(done.actor)
    ask = ask_for(title, state, company)
    runs = ask is not None and any(isinstance(c.order, o.RunBest) for c in menu_of(title, state, ask))
    return _from_run(title, company) if runs else []


def _from_run(title: Title, company: CompanyId) -> list[o.Order]:
    """The rest of a turn from its run on, as it may be suggested; a minor's dividend is not chosen."""
    pay = [o.Pay(company, "full")] if len(title.companies[company].charter.certificates) > 1 else []
    return [o.RunBest(company), *pay, o.Done(company)]


def _together(title: Title, state: State, orders: list[o.Order]) -> list[o.Order]:
    """Those of ``orders`` that can be given one after the other: track may cost what a train would. From a run on they
    are not tried, for the best run may take long to find."""
    if len(orders) == 1:
        return orders  # one of the menu can be given
    kept: list[o.Order] = []
    for number, order in enumerate(orders):
        if isinstance(order, o.RunBest):
            return kept + orders[number:]
        if number == len(orders) - 1:  # nothing has to be given after it
            if objection(title, state, order) is None:
                return [*kept, order]
            return kept + (_run_first(title, state, order) if isinstance(order, o.Done) else [])
        played = decide_to_state(title, state, order)
        if not isinstance(played, Refused):
            kept.append(order)
            state = played.state
    return kept
