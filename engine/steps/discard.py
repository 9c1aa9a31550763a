"""Giving up trains over the limit, company after company."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import TrainMoved
from engine.core.ids import POOL, CompanyId
from engine.core.orders import Discard, Order
from engine.core.play import Play
from engine.core.state import Frame, State
from engine.core.title import Title
from engine.steps.buy_train import train_room


@dataclass(frozen=True, slots=True)
class Discards(Frame):
    """``companies`` to be looked at, in their order; ``together``: all that have a choice are asked at once."""

    companies: tuple[CompanyId, ...]
    together: bool = False


class DiscardStep:
    """A company whose excess trains are all alike has no choice and is not asked."""

    def _over(self, title: Title, state: State, frame: Discards) -> list[CompanyId]:
        return [c for c in frame.companies if state.companies[c].status == "open" and train_room(title, state, c) < 0]

    def asked(self, title: Title, state: State, frame: Discards) -> tuple[Ask, ...]:
        over = self._over(title, state, frame)
        asks: list[Ask] = []
        for company in over if frame.together else over[:1]:
            director = title.policies.director(title, state, company)
            if director is None or len(set(state.companies[company].trains)) == 1:
                return ()
            asks.append(Ask(director, company, "discard", (company,)))
        return tuple(asks)

    def menu(self, title: Title, state: State, frame: Discards, ask: Ask) -> Menu:
        company = CompanyId(ask.actor)
        return tuple(Exact(Discard(company, t)) for t in dict.fromkeys(state.companies[company].trains))

    def decide(self, play: Play, frame: Discards, ask: Ask, order: Order) -> None:
        if not isinstance(order, Discard):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        has = play.state.companies[order.actor].trains
        play.require(order.train in has, "discard.not_owned", train=order.train, has=tuple(map(str, has)))
        if not play.failures:
            play.emit(TrainMoved(order.train, order.actor, POOL))

    def advance(self, play: Play, frame: Discards) -> None:
        over = self._over(play.title, play.state, frame)
        alike = next((c for c in over if len(set(play.state.companies[c].trains)) == 1), None)
        if not over:
            play.pop()
        elif alike is not None:
            play.emit(TrainMoved(play.state.companies[alike].trains[0], alike, POOL))
