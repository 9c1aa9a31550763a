"""The formation of the SBB: exchange of shares, payment of differences, and takeover of the pre-SBB companies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from engine.acts.place_token import city_space
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import (
    CertificatesSet,
    CompanyLeft,
    CompanyOpened,
    DebtChanged,
    Formed,
    Marked,
    MarkerRemoved,
    MarkerReplaced,
    PriceRemoved,
    PriceSet,
    TrainMoved,
)
from engine.core.ids import BANK, IPO, POOL, CompanyId, HexId, Place, PlayerId
from engine.core.orders import Keep, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.charters import director_kind, double_kind, of_kind, ordinary_kind
from engine.holders.control import controller_of, count
from engine.holders.ledger import shares
from engine.steps.discard import Discards
from engine.titles.t1844.names import FORMATION, OWN_5H, PRE_SBB, SBB, SBB_DUE
from engine.titles.t1844.policies import operating_order
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.stock.launches import look_at_destinations

START_MARK: Final = "sbb_start"
CAPITAL: Final = 400
LEAST_OF_DIRECTOR: Final = 2
"""The least number of SBB shares for its director."""


def pre_sbb(title: Title, state: State) -> tuple[CompanyId, ...]:
    """The pre-SBB companies, V1 to V5, which form the SBB."""
    return of_kind(title, state, PRE_SBB)


def form(play: Play) -> None:
    """Form the SBB, and ask for discards and for markers to keep."""  # rule 13.3
    title = play.title
    companies = pre_sbb(title, play.state)
    cell = title.chart.cells_marked(START_MARK)[0]
    price = title.chart.price(cell)  # rule 13.6
    directors = {c: controller_of(title, play.state, c) for c in companies}
    _settle(play, companies, price)
    player = _share_out(play, companies, directors)
    play.emit(CompanyOpened(SBB), PriceSet(SBB, cell, price, "start"), TrainMoved(OWN_5H, "", SBB))
    play.pay(BANK, SBB, CAPITAL, "capital", SBB)
    for company in companies:
        _take_over(play, company)
    play.emit(Formed(companies, SBB, price, player), Marked(SBB_DUE, None))
    look_at_destinations(play)  # rule 6.23: removed markers may have opened a route
    late = rulings_of(title).discard_after_export == "next_turn"
    play.push(MarkerChoice())
    play.push(Discards(operating_order(title, play.state) if late else (SBB,), together=True))  # rule 12.11, 13.15


# ---- money ----------------------------------------------------------------------------------------------------------


def _settle(play: Play, companies: tuple[CompanyId, ...], price: int) -> None:
    """Settle the price differences of each player's shares, once for all companies or, by a ruling, company by
    company."""
    # rule 13.10, 13.11
    title = play.title
    if rulings_of(title).exchange == "player":
        sums = {p: sum(_difference(title, play.state, p, c, price) for c in companies) for p in play.state.players}
        for player in sorted(sums, key=lambda p: sums[p] >= 0):  # payments to the bank first, so that it can pay out
            _pay_difference(play, player, sums[player])
        return
    for company in companies:
        for player in play.state.players:
            _pay_difference(play, player, _difference(title, play.state, player, company, price))


def _difference(title: Title, state: State, player: PlayerId, company: CompanyId, price: int) -> int:
    if company not in state.prices:
        return 0
    return shares(title, state, player, company) * (title.price(state, company) - price)


def _pay_difference(play: Play, player: PlayerId, amount: int) -> None:
    """Pay ``amount`` to the player. If it is negative, take his cash and book the rest as debt of the exchange."""
    if amount >= 0:
        play.pay(BANK, player, amount, "exchange")
        return
    paid = min(-amount, max(0, play.state.money(player)))
    play.pay(player, BANK, paid, "exchange")
    if -amount > paid:
        play.emit(DebtChanged(player, FORMATION, -amount - paid, "taken"))


# ---- shares ---------------------------------------------------------------------------------------------------------


def _share_out(
    play: Play, companies: tuple[CompanyId, ...], directors: dict[CompanyId, PlayerId | None]
) -> PlayerId | None:
    """Exchange certificates one for one and find the director. Returns him, or None if there is no director."""
    # rule 13.8, 13.9, 13.17
    title, state = play.title, play.state
    doubles: Counter[Place] = Counter()
    singles: Counter[Place] = Counter()
    for company in companies:
        for place in (*state.players, POOL, IPO):
            to = POOL if place == IPO else place
            doubles[to] += count(state, place, company, director_kind(title, state, company))
            singles[to] += count(state, place, company, ordinary_kind(title, state, company))
    player = _director(state, doubles, singles, list(directors.values()))
    if player is not None and not doubles[player]:
        _swap_for_double(play, player, doubles, singles, directors)
    doubles[POOL if player is None else player] -= 1
    kind = double_kind(title, state, SBB)
    assert kind is not None
    held = [(POOL if player is None else player, director_kind(title, state, SBB), 1)]
    held += [(place, kind, n) for place, n in doubles.items() if n]
    held += [(place, ordinary_kind(title, state, SBB), n) for place, n in singles.items() if n]
    play.emit(*(CertificatesSet(company, ()) for company in companies), CertificatesSet(SBB, tuple(held)))
    return player


def _director(
    state: State, doubles: Counter[Place], singles: Counter[Place], directors: list[PlayerId | None]
) -> PlayerId | None:
    """The player with most shares; in a tie the earlier pre-SBB director, then the first in turn order."""
    # rule 13.13

    def units(player: PlayerId) -> int:
        return 2 * doubles[player] + singles[player]

    most = max(units(p) for p in state.players)
    if most < LEAST_OF_DIRECTOR:
        return None
    return next(p for p in (*directors, *state.players) if p is not None and units(p) == most)


def _swap_for_double(
    play: Play,
    player: PlayerId,
    doubles: Counter[Place],
    singles: Counter[Place],
    directors: dict[CompanyId, PlayerId | None],
) -> None:
    """Give a double to the new director, who has only singles, in exchange for two of them."""  # rule 13.14
    if doubles[POOL]:
        giver: Place = POOL
    elif rulings_of(play.title).sbb_double == "company":
        giver = next(p for p in reversed(directors.values()) if p is not None)
    else:
        giver = list(dict.fromkeys(p for p in directors.values() if p is not None))[-1]
    doubles[giver] -= 1
    singles[giver] += 2
    doubles[player] += 1
    singles[player] -= 2


# ---- what the companies have ----------------------------------------------------------------------------------------


def _take_over(play: Play, company: CompanyId) -> None:
    """Transfer the money, trains and markers of a pre-SBB company to the SBB and close the company."""
    # rule 13.3, 13.4, 13.5, 13.7
    state = play.state
    play.pay(company, SBB, state.money(company), "merged", company)
    for train in state.companies[company].trains:
        play.emit(TrainMoved(train, company, SBB))
    for hex, city in state.board.places_of(company):
        if SBB in play.state.board.at(hex, city):
            play.emit(MarkerRemoved(company, hex, city))
        else:
            play.emit(MarkerReplaced(company, SBB, hex, city))
    if company in state.prices:
        play.emit(PriceRemoved(company))
    play.emit(CompanyLeft(company, True, "merged"))


@dataclass(frozen=True, slots=True)
class MarkerChoice(Frame):
    """The director of the SBB chooses which marker stays in a hex where it has two."""


class MarkerChoiceStep:
    """Asks for one hex after the other. The director may answer for another hex first."""  # rule 13.5

    def _twice(self, state: State) -> dict[HexId, tuple[int, ...]]:
        """Hexes in which the SBB has several markers, with their cities."""
        found: dict[HexId, tuple[int, ...]] = {}
        for hex, city in state.board.places_of(SBB):
            found[hex] = (*found.get(hex, ()), city)
        return {hex: cities for hex, cities in found.items() if len(cities) > 1}

    def asked(self, title: Title, state: State, frame: MarkerChoice) -> tuple[Ask, ...]:
        found, player = self._twice(state), title.policies.director(title, state, SBB)
        return (Ask(player, SBB, "keep.marker", (next(iter(found)),)),) if found and player is not None else ()

    def menu(self, title: Title, state: State, frame: MarkerChoice, ask: Ask) -> Menu:
        found = self._twice(state).items()
        return tuple(Exact(Keep(SBB, (city_space(state, hex, city),))) for hex, cities in found for city in cities)

    def decide(self, play: Play, frame: MarkerChoice, ask: Ask, order: Order) -> None:
        if not isinstance(order, Keep):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        found, board = self._twice(play.state), play.state.board
        hex = next((s.hex for s in order.spaces if s.hex in found), next(iter(found)))
        kept = [board.city_at(space) for space in order.spaces if space.hex == hex]
        right = len(order.spaces) == 1 and len(kept) == 1 and kept[0] in found[hex]
        if play.require(right, "keep.one", hex=hex, company=SBB):
            self._remove(play, hex, tuple(c for c in found[hex] if c != kept[0]))

    def _remove(self, play: Play, hex: HexId, cities: tuple[int, ...]) -> None:
        play.emit(*(MarkerRemoved(SBB, hex, city) for city in cities))
        look_at_destinations(play)

    def advance(self, play: Play, frame: MarkerChoice) -> None:
        found = self._twice(play.state)
        if not found:
            play.pop()
        for hex, cities in found.items():  # nobody directs the SBB
            self._remove(play, hex, cities[1:])
