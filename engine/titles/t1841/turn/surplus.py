"""Trains over the limit of a company that has just been formed, with or without a president; under a ruling, those of
every company."""

from __future__ import annotations

from dataclasses import dataclass

from engine.acts.buy_train import train_room
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import TrainMoved
from engine.core.ids import POOL, CompanyId, PlayerId, TrainName
from engine.core.orders import Discard, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.holders.control import controller_of
from engine.titles.t1841.policies import acting
from engine.titles.t1841.rulings import rulings_of


@dataclass(frozen=True, slots=True)
class Surplus(Frame):
    """Trains of ``company`` over its limit go to the pool. Its president chooses, or ``player`` if it has none."""

    company: CompanyId
    player: PlayerId


class SurplusStep:
    """Discard the trains one by one. Nobody is asked if all trains are alike."""

    def asked(self, title: Title, state: State, frame: Surplus) -> tuple[Ask, ...]:
        if train_room(title, state, frame.company) >= 0 or len(_types(state, frame.company)) < 2:
            return ()
        player = controller_of(title, state, frame.company) or frame.player
        return (Ask(player, frame.company, "discard", (frame.company,)),)

    def menu(self, title: Title, state: State, frame: Surplus, ask: Ask) -> Menu:
        return tuple(Exact(Discard(frame.company, train)) for train in _types(state, frame.company))

    def decide(self, play: Play, frame: Surplus, ask: Ask, order: Order) -> None:
        if not isinstance(order, Discard):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        has = play.state.companies[frame.company].trains
        if play.require(order.train in has, "discard.not_owned", train=order.train, has=tuple(map(str, has))):
            play.emit(TrainMoved(order.train, frame.company, POOL))

    def advance(self, play: Play, frame: Surplus) -> None:
        if train_room(play.title, play.state, frame.company) < 0:
            play.emit(TrainMoved(_types(play.state, frame.company)[0], frame.company, POOL))
        else:
            play.pop()


def _types(state: State, company: CompanyId) -> tuple[TrainName, ...]:
    return tuple(dict.fromkeys(state.companies[company].trains))


def ask_for_surplus(play: Play) -> None:
    """Under a ruling, ask for trains over a limit before the next question. The company that the title lists first
    comes first."""  # rule 8.4, 9.1, 10.15
    title, state = play.title, play.state
    if rulings_of(title).discards == "at_once" or state.finished or isinstance(state.top, Surplus):
        return
    owners = (c for c in title.companies if (now := state.companies[c]).trains and now.status == "open")
    company = next((c for c in owners if train_room(title, state, c) < 0), None)
    if company is not None and title.steps[type(state.top)].asked(title, state, state.top):
        play.push(Surplus(company, acting(title, state)))
