"""The pirate's toll: payments for routes that touch its station, to the player or company that owns it."""

from __future__ import annotations

from engine.core.events import Ran
from engine.core.ids import BANK, CompanyId, HexId, Owner
from engine.core.orders import Route
from engine.core.state import State
from engine.core.title import Play, Title
from engine.routes.graph import graph_of
from engine.routes.legality import check_run
from engine.titles.t1863.names import CHOCOLATE, PIRATE_AT, mark
from engine.titles.t1863.pieces import bonuses
from engine.titles.t1863.rulings import rulings_of


def toll_to(state: State, company: CompanyId) -> tuple[Owner, HexId] | None:
    """The player or company that gets toll from this company, and the hex of the pirate. None if no toll is due: a
    company pays none for its own pirate. A player who owns it gets toll from his own companies, too."""  # rule 9.12
    at: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
    owner = state.privates.get(CHOCOLATE)
    return None if at is None or owner in (None, company) else (owner, at[0])


def toll_of(title: Title, state: State, company: CompanyId, routes: tuple[Route, ...]) -> int:
    """The toll for a legal run: once for each route that touches the station, or by a ruling once for all of them. A
    route touches it even if the order leaves out its hex."""
    # rule 9.12, 12.51, 9.21
    paid = toll_to(state, company)
    if paid is None:
        return 0
    run = check_run(state.board, title.policies.run_traits(title, state, company), routes)
    touching = sum(track.touches(graph_of(state.board), paid[1]) for track in run.tracks)
    return bonuses(title).toll * (touching if rulings_of(title).toll == "route" else min(1, touching))


def collect(play: Play, company: CompanyId) -> None:
    """Move the revenue of the run just declared to the treasury, and pay the toll from it."""
    # rule 5.4, 9.12
    ran = next(e for e in reversed(play.events) if isinstance(e, Ran) and e.company == company)
    toll, to = toll_of(play.title, play.state, company, ran.routes), toll_to(play.state, company)
    play.pay(BANK, company, ran.revenue + toll, "withheld", company)
    if to is not None:
        play.pay(company, to[0], toll, "toll", company)
