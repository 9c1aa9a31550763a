"""The position as lines of facts: what templates show of players, companies, market, trains and map.

No words here, only names, numbers and keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.core.data import PhaseData, PrivateData
from engine.core.ids import BANK, POOL, TREASURY, Cell, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of, double_kind
from engine.holders.control import chain_of, circle_of, controller_of, count, owner_of
from engine.holders.ledger import counted, holders, shares
from engine.svg.colors import plain_color
from moderator.render.board_views import place

NO_LIMIT = 50
"""A limit on trains that is none for people."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Shares of one company in one hand. ``all``: the company is a single certificate; ``director`` as it says;
    ``doubles``: how many certificates of two shares are among them besides the director's; ``shorts``: how many shares
    were sold short."""

    name: str
    shares: int
    director: bool
    all: bool
    doubles: int = 0
    shorts: int = 0


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """``debts``: kind and amount."""

    name: str
    cash: int
    debts: tuple[tuple[str, int], ...]
    certificates: int
    limit: int
    priority: bool
    privates: tuple[str, ...]
    holdings: tuple[Holding, ...]
    worth: int
    """Wealth by the rules of the end, were it now."""


@dataclass(frozen=True, slots=True)
class CompanyLine:
    """A company in play, or with a price. ``space``: row and column on the chart counted from 1; ``par``: what a new
    share costs, where that stays fixed; ``launch``: shares sold and shares that must be, until it is launched;
    ``hands``: shares by place; ``places``: markers as orders name them; ``left``: markers still to place.

    ``owns``: shares of other companies. ``chain``: the companies above it, from its owner up to the one that a player
    directs; ``frozen``: it is in play and nobody controls it, and ``circle``: the companies that own each other, if
    that is why."""

    id: str
    name: str
    kind: str
    director: str | None
    cash: int
    price: int | None
    space: tuple[int, int] | None
    par: int | None
    launch: tuple[int, int] | None
    trains: tuple[str, ...]
    limit: int | None
    loans: int
    privates: tuple[str, ...]
    hands: tuple[tuple[str, int], ...]
    places: tuple[str, ...]
    left: int
    operated: bool
    last_run: int | None
    color: str
    text_color: str
    owns: tuple[Holding, ...] = ()
    chain: tuple[str, ...] = ()
    frozen: bool = False
    circle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """One space of the chart with its markers, the upper one first. ``moves``: direction and price, where the marker on
    top would come to; up and down only where that is not as right and left."""

    price: int
    space: tuple[int, int]
    companies: tuple[CompanyId, ...]
    moves: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TrainLine:
    """A card of train on sale or still to come; ``left`` None is unlimited. ``faces``: name and price of each side it
    can be bought with."""

    faces: tuple[tuple[str, int], ...]
    left: int | None
    rusts: str | None
    now: bool


@dataclass(frozen=True, slots=True)
class PhaseLine:
    name: str
    colors: tuple[str, ...]
    limits: tuple[tuple[str, int], ...]


def players(title: Title, state: State) -> tuple[PlayerLine, ...]:
    """Every player in order of play."""
    limit = title.table[len(state.players)].certificate_limit
    return tuple(
        PlayerLine(
            p,
            state.money(p),
            tuple((kind, amount) for (player, kind), amount in state.debts.items() if player == p),
            counted(title, state, p),
            limit,
            state.priority == p,
            tuple(private for private, owner in state.privates.items() if owner == p),
            holdings(title, state, p),
            title.score(title, state, p),
        )
        for p in state.players
    )


def holdings(title: Title, state: State, place: str) -> tuple[Holding, ...]:
    there = {company for (at, company, _), n in state.holdings.items() if at == place and n}
    found = []
    for company in (c for c in title.companies if c in there):
        certificates = charter_of(title, state, company).certificates
        held = shares(title, state, place, company)
        sold_short = (name for name, (kind, _) in certificates.items() if kind.paid_for < 0)
        shorts = sum(count(state, place, company, name) for name in sold_short)
        if held or shorts:
            director = owner_of(title, state, company) == place
            kind = double_kind(title, state, company)
            doubles = count(state, place, company, kind) if kind is not None else 0
            found.append(Holding(company, held, director, len(certificates) == 1, doubles, shorts))
    return tuple(found)


def companies(title: Title, state: State) -> tuple[CompanyLine, ...]:
    """Companies in play: those that operate in their order, then the others with a price or that own anything."""
    ordered = title.policies.operating_order(title, state)
    rest = tuple(
        c
        for c, now in state.companies.items()
        if c not in ordered
        and (now.status == "open" or c in state.prices or state.money(c) or now.trains or c in state.privates.values())
    )
    return tuple(company(title, state, c) for c in (*ordered, *rest))


def company(title: Title, state: State, id: CompanyId) -> CompanyLine:
    data, now = title.companies[id], state.companies[id]
    cell = state.prices[id].cell if id in state.prices else None
    markers = state.board.places_of(id)
    limit = title.policies.train_limit(title, state, id)
    return CompanyLine(
        id=id,
        name=data.name,
        kind=charter_of(title, state, id).kind,
        director=_director(title, state, id),
        cash=state.money(id),
        price=None if cell is None else title.chart.price(cell),
        space=None if cell is None else (cell[0] + 1, cell[1] + 1),
        par=now.par,
        launch=_launch(title, state, id),
        trains=now.trains,
        limit=limit if limit < NO_LIMIT else None,
        loans=now.loans,
        privates=tuple(p for p, owner in state.privates.items() if owner == id),
        hands=hands(title, state, id),
        places=tuple(place(title, state, hex, city) for hex, city in markers),
        left=max(0, title.policies.markers(title, state, id) - len(markers)),
        operated=now.operated,
        last_run=now.last_run,
        color=plain_color(data.color),
        text_color=plain_color(data.text_color),
        owns=holdings(title, state, id),
        **_control(title, state, id),
    )


def _control(title: Title, state: State, id: CompanyId) -> dict[str, Any]:
    """The holders above a company that is in play and that people can direct, and whether nobody is there."""
    kinds = charter_of(title, state, id).certificates.values()
    if state.companies[id].status != "open" or not any(kind.director for kind, _ in kinds):
        return {}
    return {
        "chain": tuple(owner for owner in chain_of(title, state, id) if owner not in state.players),
        "frozen": controller_of(title, state, id) is None,
        "circle": circle_of(title, state, id),
    }


def _director(title: Title, state: State, id: CompanyId) -> PlayerId | None:
    """The director, or the future director of a company that has a par and is not launched yet."""
    found = title.policies.director(title, state, id)
    return controller_of(title, state, id) if found is None and state.companies[id].par is not None else found


def _launch(title: Title, state: State, id: CompanyId) -> tuple[int, int] | None:
    data, all = title.companies[id], all_shares(title, state, id)
    if state.companies[id].status != "unstarted" or not data.launch_percent:
        return None
    return all - shares(title, state, title.unsold, id), -(-all * data.launch_percent // 100)


def hands(title: Title, state: State, id: CompanyId) -> tuple[tuple[str, int], ...]:
    """Shares of a company by place, players first, then companies, pool and treasury; nothing for single
    certificates."""
    if len(charter_of(title, state, id).certificates) < 2:
        return ()
    companies_ = (holder for holder in holders(state, id) if holder not in state.players)
    places = dict.fromkeys((*state.players, *companies_, POOL, TREASURY, title.unsold))
    return tuple((p, n) for p in places if (n := shares(title, state, p, id)))


def market(title: Title, state: State) -> tuple[Stack, ...]:
    """Occupied spaces of the chart, dearest and furthest right first."""
    cells: dict[Cell, list[CompanyId]] = {}
    for id, marker in state.prices.items():
        cells.setdefault(marker.cell, []).append(id)
    rows = sorted(cells, key=lambda c: (-title.chart.price(c), -c[1], c[0]))

    def higher(company: CompanyId) -> int:
        return state.prices[company].since

    return tuple(_stack(title, state, cell, tuple(sorted(cells[cell], key=higher))) for cell in rows)


def _stack(title: Title, state: State, cell: Cell, pile: tuple[CompanyId, ...]) -> Stack:
    chart = title.chart
    moves = chart.moves.get(charter_of(title, state, pile[0]).kind) or next(iter(chart.moves.values()))
    prices = {way: chart.price(to) for way, to in moves[cell].items() if to != cell}
    if prices.get("up") == prices.get("right"):
        prices.pop("up", None)
    if prices.get("down") == prices.get("left"):
        prices.pop("down", None)
    return Stack(chart.price(cell), (cell[0] + 1, cell[1] + 1), pile, tuple(prices.items()))


def trains(title: Title, state: State) -> tuple[TrainLine, ...]:
    """Cards of which new trains are left, the cheapest first; ``now`` marks those on sale."""
    lines, first = [], True
    for data in title.trains.values():
        if data.card is not None:
            continue  # listed with its other side
        left = state.supply.get(data.name)
        if data.name in state.supply and not left:
            continue
        open_now = data.available_from is None or title.reached(state, data.available_from)
        sides = (data, *(other for other in title.trains.values() if other.card == data.name))
        faces = tuple((str(side.name), side.cost) for side in sides)
        lines.append(TrainLine(faces, left, data.rusts, open_now if data.special else first))
        first = first and data.special
    return tuple(lines)


def phase(title: Title, state: State) -> PhaseLine:
    """The phase with its colours, and the limits of the kinds of companies that are still in the game."""
    data = title.phase(state)
    return PhaseLine(data.name, data.colors, limits(title, state, data))


def limits(title: Title, state: State, phase: PhaseData) -> tuple[tuple[str, int], ...]:
    """Limits on trains in a phase, of the kinds of companies that are still in the game."""
    kinds = {charter_of(title, state, c).kind for c, now in state.companies.items() if now.status != "closed"}
    gone = {company.charter.kind for company in title.companies.values()} - kinds
    return tuple((kind, n) for kind, n in phase.train_limits.items() if n < NO_LIMIT and kind not in gone)


def unsold(title: Title, state: State) -> tuple[tuple[str, int, int, int], ...]:
    """Privates that nobody owns yet: name, minimum, face value, income. Those of other kinds are ``for_sale``."""
    return tuple((p.id, p.minimum, p.face, p.income) for p in _of_nobody(title, state) if p.kind == "private")


def for_sale(title: Title, state: State) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Other things that the bank sells at a fixed price, certificates apart: kind, price, names. Things ``kept`` for
    somebody are not among them."""
    found: dict[tuple[str, int], list[str]] = {}
    for private in _of_nobody(title, state):
        if private.kind != "private" and not title.policies.remarks(title, state, private.id).get("kept"):
            found.setdefault((private.kind, private.minimum), []).append(private.id)
    return tuple((kind, price, tuple(names)) for (kind, price), names in found.items())


def _of_nobody(title: Title, state: State) -> Iterable[PrivateData]:
    return (p for p in title.privates.values() if state.privates.get(p.id, BANK) is None)


def unstarted(title: Title, state: State) -> tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]:
    """Companies that may still be started: kind -> names, each with its homes. Those ``kept`` for something else are
    not among them."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for id, now in state.companies.items():
        if now.status != "unstarted" or id in state.prices or title.policies.remarks(title, state, id).get("kept"):
            continue
        charter = charter_of(title, state, id)
        if charter.certificates:
            homes = tuple(place(title, state, hex, state.board.home_city(hex, city)) for hex, city in charter.homes)
            found.setdefault(charter.kind, []).append((str(id), homes))
    return tuple((kind, tuple(names)) for kind, names in found.items())


def bank(state: State) -> int:
    return state.money(BANK)


def directed(lines: Iterable[CompanyLine], player: PlayerId) -> tuple[CompanyLine, ...]:
    return tuple(c for c in lines if c.director == player)
