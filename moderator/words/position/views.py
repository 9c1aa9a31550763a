"""Views of the position for templates: players, companies, share prices, trains, phases, privates and the bank.

The module contains no words of any language, only names, numbers and keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.core.data import PhaseData, PrivateData
from engine.core.ids import BANK, POOL, TREASURY, Cell, CompanyId, PlayerId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of, double_kind
from engine.holders.control import chain_of, circle_of, controller_of, count, owner_of
from engine.holders.ledger import counted, holders, shares
from engine.svg.colors import plain_color
from moderator.words.position.board_views import place

NO_LIMIT = 50
"""A train limit of this value or more means that there is none."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A holder's shares of one company. ``name``: the company. ``director``: the holder has the director's certificate.
    ``all``: the company has a single certificate. ``doubles``: the number of double certificates besides the
    director's. ``shorts``: the number of shares sold short."""

    name: str
    shares: int
    director: bool
    all: bool
    doubles: int = 0
    shorts: int = 0


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player. ``debts``: kind and amount of each. ``certificates``: their number as it counts against ``limit``."""

    name: str
    cash: int
    debts: tuple[tuple[str, int], ...]
    certificates: int
    limit: int
    priority: bool
    privates: tuple[str, ...]
    holdings: tuple[Holding, ...]
    worth: int
    """The player's wealth if the game ended now."""


@dataclass(frozen=True, slots=True)
class CompanyLine:
    """A company in play, or with a share price. ``space``: row and column on the chart, from 1. ``par``: the
    fixed price of its new shares, if there is one. ``launch``: until it is launched, the shares sold and the shares
    needed. ``limit``: its train limit; None if it has none. ``hands``: shares by holder. ``places``: the cities of its
    tokens, as orders name them. ``left``: the number of tokens still to place.

    ``owns``: its shares of other companies. ``chain``: the companies that control it, from its owner up to the one that
    a player directs. ``frozen``: it is in play and nobody controls it. ``circle``: the companies that own each other,
    if that is the reason. ``waits``: it is not frozen, though nobody controls it, because of a decision under way: what
    happens, and the name that goes with it; ``above`` is a decision on a company that controls it."""

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
    waits: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Stack:
    """An occupied space of the chart. ``companies``: the companies with a marker there, the top one first. ``moves``:
    directions in which the top marker can move, each with the price it would reach; up is left out if it reaches the
    same price as right, and down if it reaches the same price as left."""

    price: int
    space: tuple[int, int]
    companies: tuple[CompanyId, ...]
    moves: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TrainLine:
    """A kind of train card on sale or still to come. ``faces``: the name and price of each side that can be bought.
    ``left``: the number left; None if unlimited. ``rusts``: the trains that rust when the first of these is bought;
    None if none do. ``now``: it is on sale."""

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
    """All players, in order of play."""
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
    """The companies in play: those in operating order, then the others that are open, have a share price or own
    anything."""
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
    """The fields ``chain``, ``frozen``, ``circle`` and ``waits`` for a company that is in play and can have a director;
    empty for all others."""
    kinds = charter_of(title, state, id).certificates.values()
    if state.companies[id].status != "open" or not any(kind.director for kind, _ in kinds):
        return {}
    nobody = controller_of(title, state, id) is None
    waits = _waits(title, state, id) if nobody else None
    return {
        "chain": tuple(owner for owner in chain_of(title, state, id) if owner not in state.players),
        "frozen": nobody and waits is None,
        "circle": circle_of(title, state, id),
        "waits": waits,
    }


def _waits(title: Title, state: State, id: CompanyId) -> tuple[str, str] | None:
    unsettled = title.policies.unsettled(title, state)
    if id in unsettled:
        return unsettled[id]
    above = next((owner for owner in chain_of(title, state, id) if owner in unsettled), None)
    return None if above is None else ("above", above)


def _director(title: Title, state: State, id: CompanyId) -> PlayerId | None:
    """The director, or the future director of a company that has a par but is not launched yet; None if there is
    none."""
    found = title.policies.director(title, state, id)
    return controller_of(title, state, id) if found is None and state.companies[id].par is not None else found


def _launch(title: Title, state: State, id: CompanyId) -> tuple[int, int] | None:
    data, all = title.companies[id], all_shares(title, state, id)
    if state.companies[id].status != "unstarted" or not data.launch_percent:
        return None
    return all - shares(title, state, title.unsold, id), -(-all * data.launch_percent // 100)


def hands(title: Title, state: State, id: CompanyId) -> tuple[tuple[str, int], ...]:
    """The shares of a company by holder: players, then companies, the pool, and the company's own or unsold shares.
    Empty for a company of a single certificate."""
    if len(charter_of(title, state, id).certificates) < 2:
        return ()
    companies_ = (holder for holder in holders(state, id) if holder not in state.players)
    places = dict.fromkeys((*state.players, *companies_, POOL, TREASURY, title.unsold))
    return tuple((p, n) for p in places if (n := shares(title, state, p, id)))


def market(title: Title, state: State) -> tuple[Stack, ...]:
    """The occupied spaces of the chart, by falling price and from right to left."""
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
    """The kinds of train cards of which new ones are left, in the order of sale."""
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
        rusts = data.rusts if data.rusts is not None and _in_game(state, data.rusts) else None
        lines.append(TrainLine(faces, left, rusts, open_now if data.special else first))
        first = first and data.special
    return tuple(lines)


def _in_game(state: State, train: TrainName) -> bool:
    """True if a train of this kind is left: with a company, in the pool or in the bank."""
    owned = any(train in company.trains for company in state.companies.values())
    return owned or train in state.pool_trains or state.supply.get(train, 1) > 0


def phase(title: Title, state: State) -> PhaseLine:
    """The present phase with its colours, and the train limits of the kinds of companies that are still in the game."""
    data = title.phase(state)
    return PhaseLine(data.name, data.colors, limits(title, state, data))


def limits(title: Title, state: State, phase: PhaseData) -> tuple[tuple[str, int], ...]:
    """The train limits in a phase, for the kinds of companies that are still in the game."""
    kinds = {charter_of(title, state, c).kind for c, now in state.companies.items() if now.status != "closed"}
    gone = {company.charter.kind for company in title.companies.values()} - kinds
    return tuple((kind, n) for kind, n in phase.train_limits.items() if n < NO_LIMIT and kind not in gone)


def unsold(title: Title, state: State) -> tuple[tuple[str, int, int, int], ...]:
    """The private companies that nobody owns yet: name, minimum price, face value, income. ``for_sale`` has privates of
    other kinds."""
    return tuple((p.id, p.minimum, p.face, p.income) for p in _of_nobody(title, state) if p.kind == "private")


def for_sale(title: Title, state: State) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """The privates of other kinds that nobody owns yet, which the bank sells at a fixed price: kind, price, names.
    Those ``kept`` for somebody are left out."""
    found: dict[tuple[str, int], list[str]] = {}
    for private in _of_nobody(title, state):
        if private.kind != "private" and not title.policies.remarks(title, state, private.id).get("kept"):
            found.setdefault((private.kind, private.minimum), []).append(private.id)
    return tuple((kind, price, tuple(names)) for (kind, price), names in found.items())


def _of_nobody(title: Title, state: State) -> Iterable[PrivateData]:
    return (p for p in title.privates.values() if state.privates.get(p.id, BANK) is None)


def unstarted(title: Title, state: State) -> tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]:
    """The companies that may still be started: kind, and names, each with its homes. Those ``kept`` for something else
    are left out."""
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
