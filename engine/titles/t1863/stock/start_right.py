"""The right to start a company: putting it up, the place of the first marker, and its auction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.acts.place_token import city_space
from engine.core.agenda import Choice, Range
from engine.core.answer_cache import lately
from engine.core.checks import Failure
from engine.core.events import MarkerPlaced, Opened
from engine.core.ids import Actor, CompanyId, HexId, PlayerId
from engine.core.orders import Space, Start
from engine.core.state import State
from engine.core.title import Play, Title
from engine.steps.auction import Auction
from engine.titles.t1863.entities import founders_of, player_of
from engine.titles.t1863.names import MET, PCN, UER
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.floats import Floating, most_bid
from engine.titles.t1863.stock.frame import StockRound, next_seat, turn_goes_to
from engine.titles.t1863.stock.shares import seats_after

LEAST: Final = 5
"""The lowest first bid, and the smallest raise."""


# ---- opening ---------------------------------------------------------------------------------------------------------


def _richest(title: Title, state: State, player: PlayerId) -> int:
    """The cash of the richest entity with which the player could found a company."""
    return max((state.money(founder) for founder in founders_of(title, state, player)), default=0)


def check_start(title: Title, state: State, player: PlayerId, order: Start) -> list[Failure]:
    """Every reason why the player may not put up the right to start this company, for himself or as one of his
    companies."""
    # rule 4.2
    company = order.company
    failures = list(_check_charter(title, state, company))
    if failures:
        return failures
    if player_of(state, order.actor) is None and not state.companies[CompanyId(order.actor)].operated:
        failures.append(Failure("start.not_operated", {"company": order.actor}))
    failures += _check_space(title, state, company, order.space)
    if order.price < LEAST:
        failures.append(Failure("start.least", {"amount": order.price, "least": LEAST}))
    means = most_bid(title, state, player, company)
    if order.price > means:
        failures.append(
            Failure(
                "start.money", {"amount": order.price, "means": max(0, means), "cash": _richest(title, state, player)}
            )
        )
    return failures


def _check_charter(title: Title, state: State, company: CompanyId) -> Iterator[Failure]:
    """Every reason why this company cannot be started now, wherever its marker may go. ``state.tick`` is 0 until the
    first price marker is placed, and so until the first company is started."""  # rule 4.2, 13.1, 13.6, 13.7
    if company not in state.companies or state.companies[company].status != "unstarted":
        yield Failure("start.open", {"company": company, "left": _unstarted(state)})
    elif rulings_of(title).play == "historical":
        if company != MET and not state.tick:
            yield Failure("start.first", {"company": company, "first": MET})
        if company == UER and state.round.set == 1:
            yield Failure("start.first_round", {"company": company})


def _unstarted(state: State) -> tuple[CompanyId, ...]:
    return tuple(c for c, now in state.companies.items() if now.status == "unstarted")


# ---- the first marker ------------------------------------------------------------------------------------------------


def _check_space(title: Title, state: State, company: CompanyId, space: Space | None) -> Iterator[Failure]:
    found = space or home_space(title, state, company)
    if found is None:
        yield Failure("start.space", {"company": company})
    elif found.hex not in title.map.hexes or not state.board.face(found.hex).cities:
        yield Failure("start.hex", {"company": company, "hex": found.hex})
    elif (city := start_city(title, state, company, found)) is None:
        free = _free_cities(title, state, company, found.hex)
        exits = [city_space(state, found.hex, i).exit for i in free]
        names = tuple(title.map.edge_names[e] for e in exits if e is not None)
        facts = {"hex": found.hex, "company": found.company, "exit": found.exit, "number": found.number, "exits": names}
        if free:
            yield Failure("ambiguous.space", facts)
        else:
            yield Failure("start.full", {"hex": found.hex, "company": company})
    elif city not in _free_cities(title, state, company, found.hex):
        yield Failure("start.full", {"hex": found.hex, "company": company})


def home_space(title: Title, state: State, company: CompanyId) -> Space | None:
    """The home of the company in historical play, or None if it has none."""  # rule 13.1
    home = title.companies[company].charter.home
    if home is None or rulings_of(title).play != "historical":
        return None
    return city_space(state, home[0], state.board.home_city(*home))


def start_city(title: Title, state: State, company: CompanyId, space: Space) -> int | None:
    """The index of the city that ``space`` means: the city that it names, or the only one in the hex with room. None if
    it is unclear."""
    named = state.board.city_at(space)
    if named is not None or space.exit is not None or space.company is not None:
        return named
    free = _free_cities(title, state, company, space.hex)
    return free[0] if len(free) == 1 else None


def _free_cities(title: Title, state: State, company: CompanyId, hex: HexId) -> list[int]:
    """The major stations of the hex with a free space. The red hex in the north-east counts only for its own
    company."""
    board = state.board
    return [
        city
        for city, stop in enumerate(board.face(hex).cities)
        if (stop.kind == "city" or _own_red_hex(title, company, hex))
        and board.free(hex, city)
        > sum(1 for _, at in title.policies.reserved(title, state, hex, company) if at == city)
    ]


def _own_red_hex(title: Title, company: CompanyId, hex: HexId) -> bool:
    """True if the hex is the red one in the north-east and the company may start there, in historical play."""
    # rule 4.2
    homes = title.companies[company].charter.homes
    return company == PCN and rulings_of(title).play == "historical" and any(home == hex for home, _ in homes)


def start_spaces(title: Title, state: State, company: CompanyId) -> Iterator[Space]:
    """Every space where the first marker of the company may stand, in map order."""
    for hex in title.map.hexes:
        for city in _free_cities(title, state, company, hex):
            yield city_space(state, hex, city)


def list_starts(title: Title, state: State, player: PlayerId, actor: Actor) -> Iterator[Choice]:
    """Every legal way to put up a company, with the range of first bids."""
    if player_of(state, actor) is None and not state.companies[CompanyId(actor)].operated:
        return
    for company in _unstarted(state):
        if any(_check_charter(title, state, company)):
            continue
        most = most_bid(title, state, player, company)
        if most >= LEAST:
            for space in start_spaces(title, state, company):
                yield Range(Start(actor, company, LEAST, space), "price", LEAST, most)


def begin_start(play: Play, player: PlayerId, order: Start) -> None:
    """Carry out a checked opening: place the marker and begin the auction. The other players are asked from the left of
    the player."""
    # rule 4.2, 4.17
    title, state, company = play.title, play.state, order.company
    space = order.space or home_space(title, state, company)
    assert space is not None, order
    city = start_city(title, state, company, space)
    assert city is not None, order
    play.emit(MarkerPlaced(company, space.hex, city), Opened(player, company, order.price))
    play.push(Auction(company, player, player, order.price, seats_after(state, player)))


# ---- the auction -----------------------------------------------------------------------------------------------------


def may_bid(title: Title, state: State, player: PlayerId) -> bool:
    """True if the player may bid for the right to start a company: he or one of his companies could float it."""
    # rule 4.2
    return funds(title, state, player) >= LEAST


@lately(8)  # the player to ask, the menu and the answer depend on this
def funds(title: Title, state: State, player: PlayerId) -> int:
    """The most that the player may bid: one of his entities must keep enough for the cheapest float."""
    # rule 4.2, 12.14
    top = state.top
    assert isinstance(top, Auction), top
    return most_bid(title, state, player, CompanyId(top.item))


def won(play: Play, frame: Auction) -> None:
    """Let the winner float the company. The round continues on the left of the player who put it up, or by a ruling on
    the left of the winner."""
    # rule 4.2, 12.17
    round = play.state.top
    if rulings_of(play.title).after_start == "winner" and isinstance(round, StockRound):
        turn_goes_to(play, round, next_seat(play.state, frame.holder))
    play.push(Floating(frame.holder, CompanyId(frame.item), frame.amount))
