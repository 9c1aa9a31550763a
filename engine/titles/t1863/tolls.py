"""The pirate's toll: payments for routes of other companies that touch its station, to the company that owns it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.acts.run_trains import declare
from engine.core.events import Ran
from engine.core.ids import BANK, CompanyId, HexId
from engine.core.orders import Route, Run, RunBest
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import CHOCOLATE, PIRATE_AT, mark
from engine.titles.t1863.pieces import bonuses
from engine.titles.t1863.rulings import rulings_of


def toll_to(state: State, company: CompanyId) -> tuple[CompanyId, HexId] | None:
    """The company that gets toll from this company, and the hex of the pirate. None if no toll is due: a company pays
    none for its own pirate."""  # rule 9.12
    at: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
    owner = next((c for c in state.companies if c == state.privates.get(CHOCOLATE)), None)
    return None if at is None or owner in (None, company) else (owner, at[0])


def toll_of(title: Title, state: State, company: CompanyId, routes: Iterable[Route]) -> int:
    """The toll for the routes: once for each that touches the station, or by a ruling once for all of them."""
    # rule 9.12, 12.51, 9.21
    paid = toll_to(state, company)
    touching = 0 if paid is None else sum(paid[1] in route.hexes for route in routes)
    return bonuses(title).toll * (touching if rulings_of(title).toll == "route" else min(1, touching))


def declare_run(play: Play, company: CompanyId, order: Run | RunBest) -> int | None:
    """Check and declare a run, and return its revenue, or None if it is not allowed. The value of each route is already
    without its toll; a toll that is due once for all routes is deducted here."""  # rule 12.51
    tried = Play(play.title, play.state)
    if declare(tried, company, order) is None:
        play.note(tried.failures)
        return None
    (ran,) = (event for event in tried.events if isinstance(event, Ran))
    if rulings_of(play.title).toll == "company":
        ran = replace(ran, revenue=ran.revenue - toll_of(play.title, play.state, company, ran.routes))
    play.emit(ran)
    return ran.revenue


def collect(play: Play, company: CompanyId) -> None:
    """Move the revenue of the run just declared to the treasury, and pay the toll from it."""
    # rule 5.4, 9.12
    ran = next(e for e in reversed(play.events) if isinstance(e, Ran) and e.company == company)
    toll, to = toll_of(play.title, play.state, company, ran.routes), toll_to(play.state, company)
    play.pay(BANK, company, ran.revenue + toll, "withheld", company)
    if to is not None:
        play.pay(company, to[0], toll, "toll", company)
