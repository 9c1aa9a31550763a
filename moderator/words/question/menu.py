"""Menus of legal orders in canonical notation: grouped by kind, with ranges given by their bounds and long lists
shortened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.core import orders as o
from engine.core.agenda import Choice, Exact, Menu, Range
from engine.core.decide import asked
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId
from engine.core.state import State
from engine.core.title import Title
from grammar import write, write_section, write_space
from moderator.domain.vocabulary import vocabulary
from moderator.words.position.board_views import home_hexes
from moderator.words.position.lay_views import LayLine, lay_lines
from moderator.words.question.best_run import BestNow, best_now
from moderator.words.question.formations import terms_of, then, told
from moderator.words.question.notes import note, paid, power
from moderator.words.question.track_limits import counts, second_tile, track_limit
from moderator.words.question.turn_end import ends_turn
from moderator.words.texts import Words

SHORT = 8
"""The maximum number of orders of a group that is listed in full."""
FEW_LAYS = 3
"""The maximum number of lays that are listed as orders; more are listed by hex."""
FEW_PLACES = 6
"""The maximum number of places that are all listed with their names."""
MANY_PLACES = 16
"""The maximum number of places of which any has a name: more would fill a screen."""
_EXAMPLE_RAISE = 20
"""The amount by which an example of a limit is above the least bid."""


@dataclass(slots=True)
class Line:
    """An order as it can be sent. ``note``: the bounds of its range, and its cost."""

    order: str
    note: str = ""


@dataclass(slots=True)
class Group:
    """Orders of one kind. ``kind``: the name of their type, which is the key of the heading. ``lays``: many lays by
    hex. ``best``: the best run now. ``choices``: alternatives to parts of the example, by key."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    lays: tuple[LayLine, ...] = ()
    best: BestNow | None = None
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    second: str = ""
    """How to see what could be laid after a first tile; "" if only one tile may be laid."""
    using: str = ""
    """The private that all ``lays`` use, as they end with it, and what it does."""
    remark: str = ""
    """The words beside the heading: how many orders of the group the turn still allows, whether they end it, and what
    follows from them; "" if there is nothing to say."""

    def is_plain_in(self, shown: Collection[str]) -> bool:
        """True if all its orders are in ``shown`` and nothing is said about them."""
        more = self.lays or self.best or self.choices or self.remark
        return not more and all(line.order in shown and not line.note for line in self.lines)


def groups(own: Words, title: Title, state: State, menu: Menu) -> list[Group]:
    """The menu grouped by kind of order, in the order of the menu."""
    kinds: dict[str, list[Choice]] = {}
    for choice in menu:
        kinds.setdefault(_kind(choice.order), []).append(choice)
    found = []
    for kind, choices in kinds.items():
        ends = ends_turn(own, title, state, choices[0].order)
        for group in _groups(own, title, state, kind, choices):
            group.remark = "; ".join(filter(None, (ends, group.remark)))
            found.append(group)
    return found


def anytime(title: Title, menu: Iterable[Choice]) -> list[Group]:
    """A group of the orders that may be given at any moment, each with its head so that it can be sent alone; empty if
    there are none."""
    orders = [choice.sample(0) for choice in menu]
    names = vocabulary(title)
    return [Group("Anytime", [Line(write_section(order.actor, [order], names)) for order in orders])] if orders else []


def _kind(order: o.Order) -> str:
    """The kind of an order: the name of its type, or ``Lay.using`` for a lay that uses a private."""
    if isinstance(order, o.Lay) and order.using is not None:
        return "Lay.using"
    return type(order).__name__


def _groups(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    if kind == "Start":
        return _starts(own, title, state, kind, choices)
    if kind == "Open" and any(isinstance(c.order, o.Open) and c.order.space is not None for c in choices):
        return _openings(own, title, state, kind, choices)
    if kind == "Float":
        return _floats(own, title, state, kind, choices)
    if kind == "BuyMountain":
        return [_mountains(own, title, state, kind, choices)]
    if kind == "SealedBids":
        return [_bids(title, kind, choices)]
    if kind == "UsePrivate" and len(choices) > SHORT:
        return _used_in(own, title, state, kind, choices)
    if kind == "BuyFrom" and len(choices) > 1:
        return [_from_players(own, title, state, kind, choices)]
    if kind == "Tunnel" and len(choices) > SHORT:
        return [_tunnels(own, title, state, kind, choices)]
    if kind in ("Merge", "Convert") and len(choices) > 1:
        return _formations(own, title, state, kind, choices)
    if kind == "Lay.using" and len(choices) > FEW_LAYS:
        return _lays_using(own, title, state, choices)
    if kind == "Lay":
        remark, second = track_limit(own, title, state), second_tile(own, title, state, choices)
        if len(choices) > FEW_LAYS:
            return [Group(kind, lays=lay_lines(title, state, choices), remark=remark, second=second)]
        lines = [_line(own, title, state, choice) for choice in choices]
        return [Group(kind, lines, remark=remark, second=second)]
    if kind == "RunBest":
        lines = [_line(own, title, state, choice) for choice in choices]
        return [Group(kind, lines, best=best_now(title, state, CompanyId(choices[0].order.actor)))]
    remark = _opens(own, title, state, choices) if kind == "Open" else ""
    lines = [_line(own, title, state, choice) for choice in choices]
    return [Group(kind, lines + _limit(own, title, state, choices[0]), remark=remark)]


def _limit(own: Words, title: Title, state: State, choice: Choice) -> list[Line]:
    """An example of a limit beside the bids of a player for a lot; empty for other choices."""
    lot = title.policies.lot(title, state)
    if lot is None or not isinstance(choice, Range) or not isinstance(choice.order, o.Bid):
        return []
    if len({ask.actor for ask in asked(title, state)}) > 1:
        return []  # a limit waits until the others who may bid as well have answered
    limit = o.Limit(PlayerId(choice.order.actor), min(choice.low + _EXAMPLE_RAISE, choice.high))
    note = own.say("words", "note.Limit", title=title, maximum=limit.maximum, step=limit.step)
    return [Line(write(limit, vocabulary(title)), note)]


def _lays_using(own: Words, title: Title, state: State, choices: list[Choice]) -> list[Group]:
    """The lays with each private, which their orders must name."""
    by_private: dict[PrivateId, list[Choice]] = {}
    for choice in choices:
        if isinstance(choice.order, o.Lay) and choice.order.using is not None:
            by_private.setdefault(choice.order.using, []).append(choice)
    return [
        Group(
            "Lay.using", lays=lay_lines(title, state, lays),
            using=own.say(
                "words", "using", title=title, private=private, power=power(own, title, state, private),
                counts=counts(title, state, _lay(lays[0])),
            ),
        )
        for private, lays in by_private.items()
    ]  # fmt: skip


def _lay(choice: Choice) -> o.Lay:
    assert isinstance(choice.order, o.Lay), choice
    return choice.order


def _line(own: Words, title: Title, state: State, choice: Choice) -> Line:
    """The line for a choice. Its order can be copied as it stands; for a range it has the lowest number, and the note
    has the bounds."""
    notes = [_bounds(own, choice), note(own, title, state, choice)]
    return Line(write(choice.sample(0), vocabulary(title)), "; ".join(filter(None, notes)))


def _bounds(own: Words, choice: Choice) -> str:
    if isinstance(choice, Exact) or choice.low == choice.high:
        return ""
    key = "range" if choice.step == 1 else "range_step"
    return own.say("words", key, low=choice.low, high=choice.high, step=choice.step, field=choice.field)


def _starts(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For each set of companies with the same spaces to choose from, an example and the choices. The amount of a first
    bid is a range."""
    by_company: dict[CompanyId, list[Choice]] = {}
    for choice in choices:
        by_company.setdefault(_started(choice).company, []).append(choice)
    spaces: dict[tuple[str, ...], list[Choice]] = {}
    for of in by_company.values():
        where = _names(_space(title, _started(choice)) for choice in of if _started(choice).space is not None)
        spaces.setdefault(where, []).extend(of)
    floats = title.policies.remarks(title, state, _started(choices[0]).company).get("floats")
    cost = paid(title, state, _started(choices[0]))
    key, facts = ("floats", floats) if floats else ("starts", {"cost": cost})
    remark = own.say("words", key, title=title, **facts)
    return [
        Group(kind, [_start(own, title, state, of)], choices=(
            ("companies", _with_homes(title, state, (_started(choice).company for choice in of))),
            *((("prices", _names(str(_started(choice).price) for choice in of)),) if isinstance(of[0], Exact) else ()),
            *((("spaces", named_places(title, where)),) if where else ()),
        ), remark=remark)
        for where, of in spaces.items()
    ]  # fmt: skip


def _start(own: Words, title: Title, state: State, choices: list[Choice]) -> Line:
    """An example of a start, with the bounds of its bid or what its founder pays."""
    order = _started(at_home(title, choices))
    cost = paid(title, state, order) if isinstance(choices[0], Exact) else 0
    note = own.say("words", "amount", title=title, amount=cost) if cost else _bounds(own, choices[0])
    return Line(write(order, vocabulary(title)), note)


def _with_homes(title: Title, state: State, companies: Iterable[CompanyId]) -> tuple[str, ...]:
    """Companies with their homes, if they have any."""
    return tuple(
        f"{company} {'+'.join(home_hexes(title, state, company))}".rstrip() for company in dict.fromkeys(companies)
    )


def named_places(title: Title, places: Sequence[str]) -> tuple[str, ...]:
    """Hexes, or cities in them, with the printed names. In a long list those that share a hex have none."""
    if len(places) > MANY_PLACES:
        return tuple(places)
    hexes = Counter(place.partition("/")[0] for place in places)
    bare = {hex for hex, number in hexes.items() if number > 1 and len(places) > FEW_PLACES}
    return tuple(
        f"{place} {name}" if hex not in bare and (name := title.map.hexes[HexId(hex)].name) else place
        for place, hex in ((place, place.partition("/")[0]) for place in places)
    )


def at_home(title: Title, choices: list[Choice]) -> Choice:
    """The first choice that puts a company into its printed home; the first of all if none does."""
    for choice in choices:
        order = _started(choice)
        home = title.companies[order.company].charter.home
        if home is not None and order.space is not None and order.space.hex == home[0]:
            return choice
    return choices[0]


def _started(choice: Choice) -> o.Start:
    assert isinstance(choice.order, o.Start), choice
    return choice.order


def _openings(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For bids that name a home, an example with its bounds, and the companies and spaces to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.Open)]
    spaces = _names(write_space(order.space, title.map.edge_names) for order in orders if order.space is not None)
    lists = (("companies", _names(str(order.item) for order in orders)), ("spaces", named_places(title, spaces)))
    remark = _opens(own, title, state, choices)
    return [Group(kind, [_line(own, title, state, choices[0])], choices=lists, remark=remark)]


def _opens(own: Words, title: Title, state: State, choices: list[Choice]) -> str:
    """The words on what becomes of a bid for a company, and on companies of its kind that cannot be put up yet: the
    ``first`` comes before all others, and some come only ``later``, by phase. "" if none can be put up."""
    offered = {CompanyId(str(c.order.item)) for c in choices if isinstance(c.order, o.Open)} & set(title.companies)
    kinds = {title.companies[company].charter.kind for company in offered}
    later, others = dict[str, list[CompanyId]](), False
    for company, data in title.companies.items():
        if data.charter.kind not in kinds or company in offered or state.companies[company].status != "unstarted":
            continue
        if data.available_from is not None and not title.reached(state, data.available_from):
            later.setdefault(data.available_from, []).append(company)
        else:
            others = True
    first = min(offered) if others and len(offered) == 1 else None
    return own.say("words", "opens", title=title, first=first, later=later) if offered else ""


def _floats(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For each float that is the same but for the price, an example at the first price, and all prices."""
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


def _mountains(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> Group:
    """An example, and the hexes and panels to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.BuyMountain)]
    names = vocabulary(title)
    panels = _names(names.incomes(each.panel) for each in orders)
    example = Line(write(orders[0], names), note(own, title, state, choices[0]))
    return Group(kind, [example], choices=(("hexes", _names(each.hex for each in orders)), ("panels", panels)))


def _used_in(own_words: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For each private an example with the most hexes, the hexes to choose from, and the orders without a hex."""
    orders, names, found = [c.order for c in choices if isinstance(c.order, o.UsePrivate)], vocabulary(title), []
    for private in dict.fromkeys(order.private for order in orders):
        own = [order for order in orders if order.private == private]
        placed = [order for order in own if order.hexes]
        shown = [max(placed, key=lambda order: len(order.hexes))] if placed else []
        does = power(own_words, title, state, private)
        lines = [Line(write(order, names), does) for order in (*shown, *(order for order in own if not order.hexes))]
        hexes = _names(hex for order in placed for hex in order.hexes)
        found.append(Group(kind, lines, choices=(("hexes", hexes),) if len(placed) > 1 else ()))
    return found


def _bids(title: Title, kind: str, choices: list[Choice]) -> Group:
    """An example, the order that bids nothing, and the concessions to choose from."""
    orders = [c.order for c in choices if isinstance(c.order, o.SealedBids)]
    example = few_bids(orders)
    items = _names(item for order in orders for item, _ in order.bids)
    lines = [Line(write(order, vocabulary(title))) for order in (example, replace(example, bids=()))]
    return Group(kind, lines, choices=(("concessions", items),))


def few_bids(orders: Iterable[o.Order]) -> o.SealedBids:
    """Sealed bids on at most two lots, as an example of the notation."""
    every = max((order for order in orders if isinstance(order, o.SealedBids)), key=lambda order: len(order.bids))
    return replace(every, bids=every.bids[:2])


def _from_players(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> Group:
    """An example with its bounds, and the sellers with the companies whose shares they could sell."""
    sold: dict[str, list[str]] = {}
    for choice in choices:
        assert isinstance(choice.order, o.BuyFrom)
        sold.setdefault(choice.order.seller, []).append(choice.order.company)
    sellers = tuple(f"{seller}: {', '.join(dict.fromkeys(companies))}" for seller, companies in sold.items())
    return Group(kind, [_line(own, title, state, choices[0])], choices=(("sellers", sellers),))


def _tunnels(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> Group:
    """An example, and all places as orders name them."""
    orders = [write(c.order, vocabulary(title)) for c in choices]
    places = _names(order.partition(" ")[2] for order in orders)
    line = Line(orders[0], note(own, title, state, choices[0]))
    return Group(kind, [line], choices=(("tunnels", places),))


def _formations(own: Words, title: Title, state: State, kind: str, choices: list[Choice]) -> list[Group]:
    """For conversions an example and the companies to choose from. For mergers one order for each set of companies that
    may join, as it can be sent, or for each company of the set that may survive; of many sets one example, and all as
    orders begin with them."""
    orders = [c.order for c in choices if isinstance(c.order, o.Convert | o.Merge)]
    companies = ("companies", _names(order.into for order in orders))
    joins: dict[tuple[tuple[CompanyId, ...], int | None], list[o.Merge]] = {}
    for order in orders:
        if isinstance(order, o.Merge):
            joins.setdefault((order.minors, order.price), []).append(order)
    names = vocabulary(title)
    if not joins:
        terms = terms_of(title, state, orders[0])
        line = Line(
            write(orders[0], names),
            own.say("words", "note.Convert", title=title, **{**told(own, title, terms), "then": ""}),
        )
        return [Group(kind, [line], choices=(companies,), remark=then(own, title, terms))]
    survives = all(order.into in (order.actor, *order.minors) for of in joins.values() for order in of)
    alike = not survives and len({frozenset(order.into for order in of) for of in joins.values()}) == 1
    listed = list(joins.values())[: SHORT if len(joins) <= SHORT else 1]
    each = [[order] for of in listed for order in of] if survives else listed
    terms_of_each = [terms_of(title, state, of[0]) for of in each]
    follows = list(dict.fromkeys(then(own, title, terms) for terms in terms_of_each))
    lines, noted = list[Line](), dict[tuple[object, ...], None]()
    for of, terms in zip(each, terms_of_each, strict=True):
        into = () if alike or survives else _names(order.into for order in of[1:] if order.into != of[0].into)
        after = then(own, title, terms) if len(follows) > 1 else ""
        note = own.say("words", "note.Merge", title=title, **{**told(own, title, terms), "into": into, "then": after})
        key = (of[0].minors, of[0].price, note.replace(of[0].into, ""))
        lines.append(Line(write(of[0], names), own.say("words", "same") if key in noted else note))
        noted[key] = None
    remark = follows[0] if len(follows) == 1 else ""
    if len(joins) <= SHORT:
        return [Group(kind, lines, choices=(companies,) if alike else (), remark=remark)]
    begun = (own.say("words", "partner", title=title, **_partner(title, state, of[0])) for of in joins.values())
    return [Group(kind, lines[:1], choices=(("partners", _names(begun)), companies), remark=remark)]


def _partner(title: Title, state: State, order: o.Merge) -> dict[str, object]:
    """A merger as its order begins, with the starting price of the new company if it is known."""
    begun = write(replace(order, keep=()), vocabulary(title)).partition(" into ")[0]
    return {"begun": begun, "price": title.policies.merged_price(title, state, order), "chosen": order.price}


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
