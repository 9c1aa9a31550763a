"""The legal orders of a moment, in the words that order them: grouped, ranges by their bounds, long lists counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.acts.act import Turn
from engine.acts.pay_out import PayOut
from engine.acts.run_trains import Earned, RunTrains
from engine.acts.turns import HELP, Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import ask_for, decide_to_state, objection
from engine.core.decide import menu as menu_of
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from grammar import write, write_section, write_space
from moderator.domain.vocabulary import vocabulary
from moderator.render import views
from moderator.render.notes import note
from moderator.render.words import Words

SHORT = 8
"""A group of at most so many orders is listed in full."""


_RUN = (RunTrains, PayOut)
"""The acts of a suggested run."""
_DEALS = (o.Train, o.BuyPrivate, o.BuyConcession, o.BuyFrom, o.BuyToken)
"""With a price to choose they are deals, and no example."""


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
        return _starts(own, title, kind, choices)
    if kind == "Float":
        return _floats(own, title, state, kind, choices)
    if kind == "BuyMountain":
        return [_mountains(title, kind, choices)]
    if kind == "SealedBids":
        return [_bids(title, kind, choices)]
    if kind == "UsePrivate" and len(choices) > SHORT:
        return _used_in(title, kind, choices)
    if kind == "BuyFrom" and len(choices) > 1:
        return [_from_players(own, title, state, kind, choices)]
    if kind == "Tunnel" and len(choices) > SHORT:
        return [_tunnels(title, kind, choices)]
    if kind in ("Merge", "Convert") and len(choices) > 1:
        return _formations(own, title, state, kind, choices)
    if kind in ("Lay", "Lay.using") and len(choices) > SHORT:
        hexes = _names(c.order.hex for c in choices if isinstance(c.order, o.Lay))
        return [Group(kind, hidden=len(choices), where=hexes)]
    return [Group(kind, [_line(own, title, state, choice) for choice in choices])]


def _line(own: Words, title: Title, state: State, choice: Choice) -> Line:
    """The order, which can be copied as it stands: a range shows its least number, and its bounds in the note."""
    notes = [_bounds(own, choice), note(own, title, state, choice)]
    return Line(write(choice.sample(0), vocabulary(title)), "; ".join(filter(None, notes)))


def _bounds(own: Words, choice: Choice) -> str:
    if isinstance(choice, Exact) or choice.low == choice.high:
        return ""
    key = "range" if choice.step == 1 else "range_step"
    return own.say("words", key, low=choice.low, high=choice.high, step=choice.step)


def _starts(own: Words, title: Title, kind: str, choices: list[Choice]) -> list[Group]:
    """One example, and what there is to choose from; one group for each set of spaces that companies share. The amount
    of a first bid is a range."""
    spaces: dict[tuple[str, ...], list[Choice]] = {}
    for company in dict.fromkeys(_started(choice).company for choice in choices):
        of = [choice for choice in choices if _started(choice).company == company]
        where = _names(_space(title, _started(choice)) for choice in of if _started(choice).space is not None)
        spaces.setdefault(where, []).extend(of)
    return [
        Group(kind, [Line(write(_started(of[0]), vocabulary(title)), _bounds(own, of[0]))], choices=(
            ("companies", _names(_started(choice).company for choice in of)),
            *((("prices", _names(str(_started(choice).price) for choice in of)),) if isinstance(of[0], Exact) else ()),
            *((("spaces", where),) if where else ()),
        ))
        for where, of in spaces.items()
    ]  # fmt: skip


def _started(choice: Choice) -> o.Start:
    assert isinstance(choice.order, o.Start), choice
    return choice.order


def _floats(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For each kind of company and each set of goods one example at the lowest price, and the prices."""
    alike: dict[o.Float, list[Choice]] = {}
    for choice in choices:
        assert isinstance(choice.order, o.Float), choice
        alike.setdefault(replace(choice.order, price=0), []).append(choice)
    return [
        Group(kind, [_line(own, title, state, of[0])], choices=(
            ("prices", _names(str(c.order.price) for c in of if isinstance(c.order, o.Float))),
        ) if len(of) > 1 else ())
        for of in alike.values()
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


def _used_in(title: Title, kind: str, choices: list[Choice]) -> list[Group]:
    """For each private one example with the most hexes, the hexes to choose from, and the orders without any."""
    orders, names, found = [c.order for c in choices if isinstance(c.order, o.UsePrivate)], vocabulary(title), []
    for private in dict.fromkeys(order.private for order in orders):
        own = [order for order in orders if order.private == private]
        placed = [order for order in own if order.hexes]
        shown = [max(placed, key=lambda order: len(order.hexes))] if placed else []
        lines = [Line(write(order, names)) for order in (*shown, *(order for order in own if not order.hexes))]
        hexes = _names(hex for order in placed for hex in order.hexes)
        found.append(Group(kind, lines, choices=(("hexes", hexes),) if len(placed) > 1 else ()))
    return found


def _bids(title: Title, kind: str, choices: list[Choice]) -> Group:
    """The longest set of bids as an example, and the concessions to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.SealedBids)]
    example = _most_bids(orders)
    items = _names(item for order in orders for item, _ in order.bids)
    return Group(kind, [Line(write(example, vocabulary(title)))], choices=(("concessions", items),))


def _most_bids(orders: Iterable[o.Order]) -> o.SealedBids:
    """The longest set of bids."""
    return max((order for order in orders if isinstance(order, o.SealedBids)), key=lambda order: len(order.bids))


def _from_players(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> Group:
    """One example with its bounds, and who could sell what."""
    sold: dict[str, list[str]] = {}
    for choice in choices:
        assert isinstance(choice.order, o.BuyFrom)
        sold.setdefault(choice.order.seller, []).append(choice.order.company)
    sellers = tuple(f"{seller}: {', '.join(dict.fromkeys(companies))}" for seller, companies in sold.items())
    return Group(kind, [_line(own, title, state, choices[0])], choices=(("sellers", sellers),))


def _tunnels(title: Title, kind: str, choices: list[Choice]) -> Group:
    """One example, and the other places as the order names them."""
    orders = [write(c.order, vocabulary(title)) for c in choices]
    places = _names(order.partition(" ")[2] for order in orders)
    return Group(kind, [Line(orders[0])], choices=(("tunnels", places),))


def _formations(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """Conversions or mergers: one example, and the companies to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.Convert | o.Merge)]
    partners = _names(_partner(own, title, state, order) for order in orders if isinstance(order, o.Merge))
    companies = ("companies", _names(order.into for order in orders))
    lists = (("partners", partners), companies) if partners else (companies,)
    return [Group(kind, [Line(write(orders[0], vocabulary(title)))], choices=lists)]


def _partner(own: Words, title: Title, state: State, order: o.Merge) -> str:
    """The companies that it is about to merge with, and where the price of the new one begins, if that is known."""
    price = title.policies.merged_price(title, state, order)
    return own.say("words", "partner", title=title, names=", ".join(order.minors), price=price, chosen=order.price)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


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
    if ask.what == HELP or (ask.what == "company.turn" and _owes(kinds)):
        company = ask.about[0]
        more = {**title.policies.remarks(title, state, company), "company": company}
        return own.say("words", "helps" if ask.what == HELP else "must_buy", title=title, **more)
    if ask.what == "company.turn" and kinds == {o.Lay}:
        return own.say("words", "first_lay", title=title, company=ask.actor)
    if ask.what == "stock.turn" and (debt := state.debt(ask.player)):
        sell = not any(isinstance(c.order, o.Pass) for c in menu)
        return own.say("words", "debtor", title=title, debt=debt, sell=sell)
    if o.Dividend in kinds:
        return own.say("words", "dividend", title=title, **title.policies.remarks(title, state, ask.actor))
    if ask.what != "company.turn" or not any(isinstance(c.order, o.RunBest) for c in menu):
        return ""
    shares = len(charter_of(title, state, CompanyId(ask.actor)).certificates) > 1
    offered = (face for line in views.trains(title, state) if line.now for face in line.faces)
    could = {c.order.train for c in menu if isinstance(c.order, o.Train) and c.order.source is None}
    new = [face for face in offered if not could or face[0] in could]
    facts = {"shares": shares, "new": new, "pool": tuple(dict.fromkeys(state.pool_trains))}
    return own.say("words", "later", title=title, **{**title.policies.remarks(title, state, ask.actor), **facts})


def _owes(kinds: set[type[o.Order]]) -> bool:
    """True of a turn that cannot end before a train is bought."""
    return bool(kinds & {o.Train, o.Sell}) and not kinds & {o.Done, o.RunBest, o.Run}


def example(own: Words, title: Title, state: State, ask: Ask, menu: Menu) -> list[str]:
    """An answer that is legal, in canonical text: the first choice of each kind that the ask's words name."""
    kinds = own.listed("asks", f"{ask.what}.example", title.name)
    first: dict[str, o.Order] = {}
    for choice in menu:
        if not (isinstance(choice, Range) and isinstance(choice.order, _DEALS)):
            first.setdefault(type(choice.order).__name__, _least(state, choice))
    if "SealedBids" in first:
        first["SealedBids"] = _most_bids(choice.order for choice in menu)
    if "RunBest" in first and ask.actor in title.companies:
        for order in _from_run(title, state, CompanyId(ask.actor)):
            first.setdefault(type(order).__name__, order)
    chosen = [first[kind] for kind in kinds if kind in first] or list(first.values())[:1]
    if own.find("asks", f"{ask.what}.one_of", title.name) is not False:
        chosen = chosen[:1]
    chosen = _together(title, state, chosen)
    return write_section(ask.actor, chosen, vocabulary(title)).splitlines() if chosen else []


def _least(state: State, choice: Choice) -> o.Order:
    """The first of a choice; of dividends the highest that the revenue is enough for."""
    if isinstance(choice, Range) and isinstance(choice.order, o.Dividend):
        earned = state.top.note(Earned).revenue if isinstance(state.top, Turn) else None
        return choice.sample(max(0, min(earned or 0, choice.high) - choice.low) // choice.step)
    return choice.sample(0)


def _run_first(title: Title, state: State, done: o.Done) -> list[o.Order]:
    """The end of a turn in which the company must run, now that the track lies."""
    company = CompanyId(done.actor)
    ask = ask_for(title, state, company)
    runs = ask is not None and any(isinstance(c.order, o.RunBest) for c in menu_of(title, state, ask))
    return _from_run(title, state, company) if runs else []


def _from_run(title: Title, state: State, company: CompanyId) -> list[o.Order]:
    """The rest of a turn from its run on, as it may be suggested; a minor's dividend is not chosen, and the turn is not
    ended where it owes something beside the run and the dividend, shares over a limit perhaps. Where a title pays
    dividends in a way of its own, its director chooses when he knows what the run has brought."""
    pay = [o.Pay(company, "full")] if len(title.companies[company].charter.certificates) > 1 else []
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return [o.RunBest(company), *pay, o.Done(company)]
    if not any(isinstance(place.act, PayOut) for place in step.places):
        return [o.RunBest(company)]
    owes = step.owed_besides(title, state, turn, _RUN)
    return [o.RunBest(company), *pay, *(() if owes else (o.Done(company),))]


def _together(title: Title, state: State, orders: list[o.Order]) -> list[o.Order]:
    """Those of ``orders`` that can be given one after the other: track may cost what a train would. From a run on they
    are not tried, for the best run may take long to find."""
    if len(orders) == 1:
        return orders  # one of the menu can be given
    kept: list[o.Order] = []
    for number, order in enumerate(orders):
        if isinstance(order, o.RunBest):
            rest = orders[number:]
            later = _from_run(title, state, CompanyId(order.actor))
            return kept + [each for each in rest if not isinstance(each, o.Done) or each in later]
        if number == len(orders) - 1:  # nothing has to be given after it
            if objection(title, state, order) is None:
                return [*kept, order]
            return kept + (_run_first(title, state, order) if isinstance(order, o.Done) else [])
        played = decide_to_state(title, state, order)
        if not isinstance(played, Refused):
            kept.append(order)
            state = played.state
    return kept
