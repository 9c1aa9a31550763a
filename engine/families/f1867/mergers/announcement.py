"""Announcements of better runs: by a ruling other players may improve on the director's run, and the best stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.acts.run_trains import best_for
from engine.core.agenda import Ask, Exact, Menu
from engine.core.events import Passed, Ran
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Announce, Order, Pass
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.routes.legality import check_run


@dataclass(frozen=True, slots=True)
class AnnounceWindow(Frame):
    """``revenue``: the highest legal revenue so far. ``waiting``: the players who have not answered. All are asked at
    once, until the best possible run has been announced."""

    company: CompanyId
    revenue: int
    waiting: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class AnnounceStep:
    """``closed`` is called with the final revenue once no answer is outstanding."""

    closed: Callable[[Play, int], None]

    def asked(self, title: Title, state: State, frame: AnnounceWindow) -> tuple[Ask, ...]:
        about = (frame.company, str(frame.revenue))
        return tuple(Ask(p, p, "announce", about, Pass(p)) for p in frame.waiting)

    def menu(self, title: Title, state: State, frame: AnnounceWindow, ask: Ask) -> Menu:
        return (Exact(Pass(ask.actor)),)

    def decide(self, play: Play, frame: AnnounceWindow, ask: Ask, order: Order) -> None:
        left = tuple(p for p in frame.waiting if p != ask.player)
        if isinstance(order, Pass):
            play.emit(Passed(ask.player))
            play.become(replace(frame, waiting=left))
            return
        if not isinstance(order, Announce):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        if not play.require(order.company == frame.company, "announce.company", company=frame.company):
            return
        traits = play.title.policies.run_traits(play.title, play.state, frame.company)
        checked = check_run(play.state.board, traits, order.routes)
        play.note(checked.failures)
        revenue = sum(checked.values)
        if not play.failures:
            play.require(revenue > frame.revenue, "announce.not_better", revenue=revenue, declared=frame.revenue)
        if play.failures:
            return
        play.emit(Ran(frame.company, order.routes, checked.values, revenue))
        if best_for(play.title, play.state, frame.company).bound <= revenue:
            left = ()  # nobody could announce more
        play.become(replace(frame, revenue=revenue, waiting=left))

    def advance(self, play: Play, frame: AnnounceWindow) -> None:
        play.pop()
        self.closed(play, frame.revenue)
