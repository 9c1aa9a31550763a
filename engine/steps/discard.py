"""Discarding trains over the train limit, one company after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.acts.buy_train import train_room
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import TrainMoved
from engine.core.ids import POOL, CompanyId, TrainName
from engine.core.orders import Discard, Order
from engine.core.state import Frame, State
from engine.core.title import Play, Title


def to_the_pool(title: Title) -> str:
    """The usual ``DiscardStep.place``: discarded trains go to the pool."""
    return POOL


def discardable(title: Title, state: State, company: CompanyId, train: TrainName) -> bool:
    """The usual ``DiscardStep.loose``: the type of the train decides."""
    return title.trains[train].discardable


@dataclass(frozen=True, slots=True)
class Discards(Frame):
    """``companies``: the companies to check, in this order. ``together``: all companies that have a choice are asked at
    once."""

    companies: tuple[CompanyId, ...]
    together: bool = False


@dataclass(frozen=True, slots=True)
class DiscardStep:
    """The step of discarding. A company whose discardable trains are all of one type has no choice and is not asked.
    ``place`` returns where discarded trains go: the pool, or out of the game (``""``). ``loose`` is true for a train of
    the company that it may discard. ``cheapest``: a company without a choice or without a director discards its
    cheapest train, otherwise its first."""

    place: Callable[[Title], str] = to_the_pool
    loose: Callable[[Title, State, CompanyId, TrainName], bool] = discardable
    cheapest: bool = False

    def _loose(self, title: Title, state: State, company: CompanyId) -> tuple[TrainName, ...]:
        """The types of train that the company may discard, each once."""
        trains = dict.fromkeys(state.companies[company].trains)
        return tuple(t for t in trains if self.loose(title, state, company, t))

    def _over(self, title: Title, state: State, frame: Discards) -> list[CompanyId]:
        return [c for c in frame.companies if state.companies[c].status == "open" and train_room(title, state, c) < 0]

    def _no_choice(self, title: Title, state: State, company: CompanyId) -> bool:
        """True if the company can discard only one type of train, or has no director to choose: a train is then
        discarded without asking."""
        return len(self._loose(title, state, company)) == 1 or title.policies.director(title, state, company) is None

    def asked(self, title: Title, state: State, frame: Discards) -> tuple[Ask, ...]:
        over = self._over(title, state, frame)
        asks: list[Ask] = []
        for company in over if frame.together else over[:1]:
            director = title.policies.director(title, state, company)
            if director is None or self._no_choice(title, state, company):
                return ()  # this company discards a train before others are asked
            asks.append(Ask(director, company, "discard", (company,)))
        return tuple(asks)

    def menu(self, title: Title, state: State, frame: Discards, ask: Ask) -> Menu:
        company = CompanyId(ask.actor)
        return tuple(Exact(Discard(company, t)) for t in self._loose(title, state, company))

    def decide(self, play: Play, frame: Discards, ask: Ask, order: Order) -> None:
        if not isinstance(order, Discard):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        has = play.state.companies[order.actor].trains
        if play.require(order.train in has, "discard.not_owned", train=order.train, has=tuple(map(str, has))):
            loose = self._loose(play.title, play.state, CompanyId(order.actor))
            play.require(order.train in loose, "discard.kept", train=order.train, trains=tuple(map(str, loose)))
        if not play.failures:
            play.emit(TrainMoved(order.train, order.actor, self.place(play.title)))

    def advance(self, play: Play, frame: Discards) -> None:
        over = self._over(play.title, play.state, frame)
        given_up = next((c for c in over if self._no_choice(play.title, play.state, c)), None)
        if given_up is None:
            play.pop()
            return
        loose = self._loose(play.title, play.state, given_up)
        train = min(loose, key=lambda t: play.title.trains[t].cost) if self.cheapest else loose[0]
        play.emit(TrainMoved(train, given_up, self.place(play.title)))
