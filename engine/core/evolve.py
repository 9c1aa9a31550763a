"""``evolve``: the only function that changes a position. It applies an event and never decides anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.core import events as ev
from engine.core.copies import changed
from engine.core.data import TitleData
from engine.core.ids import BANK, POOL, TrainName
from engine.core.state import Company, PriceMarker, State

K = TypeVar("K")
V = TypeVar("V")


def evolve(title: TitleData, state: State, event: ev.Event) -> State:
    """The position after ``event``."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(title, state, event)


def put(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """A copy of ``mapping`` with ``key`` set."""
    return {**mapping, key: value}


def without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """A copy of ``mapping`` without ``key``."""
    return {k: v for k, v in mapping.items() if k != key}


def _company(state: State, company: Any, **changes: Any) -> State:
    return changed(state, companies=put(state.companies, company, changed(state.companies[company], **changes)))


def _pushed(title: TitleData, state: State, e: ev.Pushed) -> State:
    return changed(state, agenda=(*state.agenda, e.frame))


def _popped(title: TitleData, state: State, e: ev.Popped) -> State:
    return changed(state, agenda=state.agenda[:-1])


def _became(title: TitleData, state: State, e: ev.Became) -> State:
    return changed(state, agenda=(*state.agenda[:-1], e.frame))


def _paid(title: TitleData, state: State, e: ev.Paid) -> State:
    cash = dict(state.cash)
    cash[e.payer] = cash.get(e.payer, 0) - e.amount
    cash[e.payee] = cash.get(e.payee, 0) + e.amount
    return changed(state, cash=cash)


def _certificates_moved(title: TitleData, state: State, e: ev.CertificatesMoved) -> State:
    holdings = dict(state.holdings)
    source, target = (e.source, e.company, e.kind), (e.target, e.company, e.kind)
    left = holdings.get(source, 0) - e.count
    if left < 0:
        raise ValueError(f"{e.source} has no {e.count} {e.kind} certificates of {e.company}")
    if left:
        holdings[source] = left
    else:
        del holdings[source]
    holdings[target] = holdings.get(target, 0) + e.count
    return changed(state, holdings=holdings)


def _certificates_set(title: TitleData, state: State, e: ev.CertificatesSet) -> State:
    holdings = {k: n for k, n in state.holdings.items() if k[1] != e.company}
    holdings.update({(place, e.company, kind): n for place, kind, n in e.holdings})
    return changed(state, holdings=holdings)


def _chartered(title: TitleData, state: State, e: ev.Chartered) -> State:
    charters = without(state.charters, e.company) if e.charter is None else put(state.charters, e.company, e.charter)
    return changed(state, charters=charters)


def _private_moved(title: TitleData, state: State, e: ev.PrivateMoved) -> State:
    return changed(state, privates=put(state.privates, e.private, e.owner))


def _private_closed(title: TitleData, state: State, e: ev.PrivateClosed) -> State:
    return changed(state, privates=without(state.privates, e.private))


def _train_moved(title: TitleData, state: State, e: ev.TrainMoved) -> State:
    if e.source == BANK:
        card = title.trains[e.train].card or e.train
        if card in state.supply:
            state = changed(state, supply=put(state.supply, card, state.supply[card] - 1))
        state = changed(state, bought=state.bought | {e.train})
    elif e.source == POOL:
        state = changed(state, pool_trains=_less(state.pool_trains, e.train))
    elif e.source:
        state = _company(state, e.source, trains=_less(state.companies[e.source].trains, e.train))  # type: ignore[index]
    if e.target == POOL:
        return changed(state, pool_trains=(*state.pool_trains, e.train))
    if e.target:
        return _company(state, e.target, trains=(*state.companies[e.target].trains, e.train))  # type: ignore[index]
    return state


def _less(trains: tuple[Any, ...], train: str) -> tuple[Any, ...]:
    i = trains.index(train)
    return trains[:i] + trains[i + 1 :]


def _supply_set(title: TitleData, state: State, e: ev.SupplySet) -> State:
    return changed(state, supply=put(state.supply, e.train, e.left))


def _trains_rusted(title: TitleData, state: State, e: ev.TrainsRusted) -> State:
    companies = {
        c: changed(s, trains=tuple(t for t in s.trains if t != e.train)) if e.train in s.trains else s
        for c, s in state.companies.items()
    }
    supply = put(state.supply, e.train, 0) if e.train in state.supply else state.supply
    return changed(
        state, companies=companies, pool_trains=tuple(t for t in state.pool_trains if t != e.train), supply=supply
    )


def _trains_flipped(title: TitleData, state: State, e: ev.TrainsFlipped) -> State:
    def flip(trains: tuple[TrainName, ...]) -> tuple[TrainName, ...]:
        return tuple(e.into if t == e.train else t for t in trains)

    companies = {c: changed(s, trains=flip(s.trains)) if e.train in s.trains else s for c, s in state.companies.items()}
    return changed(state, companies=companies, pool_trains=flip(state.pool_trains))


def _debt_changed(title: TitleData, state: State, e: ev.DebtChanged) -> State:
    key = (e.player, e.kind)
    owed = state.debts.get(key, 0) + e.change
    return changed(state, debts=put(state.debts, key, owed) if owed else without(state.debts, key))


def _loans_changed(title: TitleData, state: State, e: ev.LoansChanged) -> State:
    return _company(state, e.company, loans=state.companies[e.company].loans + e.change)


def _company_opened(title: TitleData, state: State, e: ev.CompanyOpened) -> State:
    return _company(state, e.company, status="open")


def _par_set(title: TitleData, state: State, e: ev.ParSet) -> State:
    return _company(state, e.company, par=e.price)


def _company_left(title: TitleData, state: State, e: ev.CompanyLeft) -> State:
    gone = Company(status="closed" if e.closed else "unstarted")
    return changed(state, companies=put(state.companies, e.company, gone))


def _price_set(title: TitleData, state: State, e: ev.PriceSet) -> State:
    return changed(state, prices=put(state.prices, e.company, PriceMarker(e.cell, state.tick)), tick=state.tick + 1)


def _price_removed(title: TitleData, state: State, e: ev.PriceRemoved) -> State:
    return changed(state, prices=without(state.prices, e.company))


def _tile_laid(title: TitleData, state: State, e: ev.TileLaid) -> State:
    return changed(state, board=state.board.lay(e.hex, e.tile, e.rotation))


def _overlay_laid(title: TitleData, state: State, e: ev.OverlayLaid) -> State:
    return changed(state, board=state.board.add(e.hex, e.tile, e.rotation))


def _marker_placed(title: TitleData, state: State, e: ev.MarkerPlaced) -> State:
    return changed(state, board=state.board.place(e.hex, e.city, e.company))


def _marker_removed(title: TitleData, state: State, e: ev.MarkerRemoved) -> State:
    return changed(state, board=state.board.remove(e.hex, e.city, e.company))


def _marker_replaced(title: TitleData, state: State, e: ev.MarkerReplaced) -> State:
    return changed(state, board=state.board.substitute(e.hex, e.city, e.old, e.company))


def _ran(title: TitleData, state: State, e: ev.Ran) -> State:
    return _company(state, e.company, last_run=e.revenue)


def _earnings_joined(title: TitleData, state: State, e: ev.EarningsJoined) -> State:
    return _company(state, e.company, last_run=e.revenue)


def _distributed(title: TitleData, state: State, e: ev.Distributed) -> State:
    return _company(state, e.company, operated=True)


def _phase_began(title: TitleData, state: State, e: ev.PhaseBegan) -> State:
    return changed(state, phase=e.phase)


def _round_began(title: TitleData, state: State, e: ev.RoundBegan) -> State:
    return changed(state, round=e.round)


def _priority_moved(title: TitleData, state: State, e: ev.PriorityMoved) -> State:
    return changed(state, priority=e.player)


def _order_of_play(title: TitleData, state: State, e: ev.OrderOfPlay) -> State:
    return changed(state, players=e.players)


def _lot_drawn(title: TitleData, state: State, e: ev.LotDrawn) -> State:
    return changed(state, lots=state.lots + 1)


def _marked(title: TitleData, state: State, e: ev.Marked) -> State:
    return changed(state, marks=without(state.marks, e.key) if e.value is None else put(state.marks, e.key, e.value))


def _restored(title: TitleData, state: State, e: ev.Restored) -> State:
    return changed(e.state, lots=state.lots, seed=state.seed)


def _bank_broke(title: TitleData, state: State, e: ev.BankBroke) -> State:
    return changed(state, broke=state.round)


def _game_over(title: TitleData, state: State, e: ev.GameOver) -> State:
    return changed(state, finished=True, agenda=())


_CHANGES: dict[type, Callable[[TitleData, State, Any], State]] = {
    ev.Pushed: _pushed,
    ev.Popped: _popped,
    ev.Became: _became,
    ev.Paid: _paid,
    ev.CertificatesMoved: _certificates_moved,
    ev.CertificatesSet: _certificates_set,
    ev.Chartered: _chartered,
    ev.PrivateMoved: _private_moved,
    ev.PrivateClosed: _private_closed,
    ev.TrainMoved: _train_moved,
    ev.SupplySet: _supply_set,
    ev.TrainsRusted: _trains_rusted,
    ev.TrainsFlipped: _trains_flipped,
    ev.DebtChanged: _debt_changed,
    ev.LoansChanged: _loans_changed,
    ev.CompanyOpened: _company_opened,
    ev.ParSet: _par_set,
    ev.CompanyLeft: _company_left,
    ev.PriceSet: _price_set,
    ev.PriceRemoved: _price_removed,
    ev.TileLaid: _tile_laid,
    ev.OverlayLaid: _overlay_laid,
    ev.MarkerPlaced: _marker_placed,
    ev.MarkerRemoved: _marker_removed,
    ev.MarkerReplaced: _marker_replaced,
    ev.Ran: _ran,
    ev.EarningsJoined: _earnings_joined,
    ev.Distributed: _distributed,
    ev.PhaseBegan: _phase_began,
    ev.RoundBegan: _round_began,
    ev.PriorityMoved: _priority_moved,
    ev.OrderOfPlay: _order_of_play,
    ev.LotDrawn: _lot_drawn,
    ev.Marked: _marked,
    ev.Restored: _restored,
    ev.BankBroke: _bank_broke,
    ev.GameOver: _game_over,
}
