"""Pars, launches and destinations of companies, and the capital that they bring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.acts.act import Turn
from engine.board.network import joins
from engine.core.events import (
    CertificatesMoved,
    CompanyOpened,
    DestinationReached,
    DirectorChanged,
    Marked,
    ParSet,
    PriceSet,
)
from engine.core.ids import BANK, IPO, CompanyId, HexId, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, director_kind
from engine.holders.ledger import shares
from engine.titles.t1844.names import FIRST_FULL_PHASE, GB, GOTTHARD, HISTORICAL, PAID_AT_ONCE, REACHED
from engine.titles.t1844.policies import bound_for, capital
from engine.titles.t1844.rulings import rulings_of

PAR_MARK: Final = "par"


def set_par(play: Play, company: CompanyId, player: PlayerId, price: int) -> None:
    """Set the par of a company, put its price on the market and give ``player`` its director's certificate."""
    # rule 3.3, 4.11
    title = play.title
    cell = title.chart.start_cell(price, PAR_MARK)
    assert cell is not None
    play.emit(
        ParSet(company, price),
        PriceSet(company, cell, price, "start"),
        CertificatesMoved(company, director_kind(title, play.state, company), 1, IPO, player),
        DirectorChanged(company, player),
    )
    launch_if_due(play, company)


def launch_if_due(play: Play, company: CompanyId) -> None:
    """Launch a company with its capital once enough of it has been sold. Track built by others may bring its
    destination bonus at the same time."""
    # rule 4.19, 4.20, 4.21, 6.24, 12.6
    title, state = play.title, play.state
    now, data = state.companies[company], title.companies[company]
    if now.status != "unstarted" or now.par is None:
        return
    unsold, total = shares(title, state, IPO, company), all_shares(title, state, company)
    if (total - unsold) * 100 < data.launch_percent * total:
        return
    money = capital(title, state, company)
    full = charter_of(title, state, data.id).kind == HISTORICAL and title.reached(state, FIRST_FULL_PHASE)
    play.emit(CompanyOpened(company))
    play.pay(BANK, company, 2 * money if full else money, "capital", company)
    if full:
        _strike(play, company)
        play.emit(Marked(PAID_AT_ONCE, play.state.marks.get(PAID_AT_ONCE, frozenset()) | {company}))
    else:
        _look_in_time(play, (company,))


def look_at_destinations(play: Play, turn: bool = False) -> None:
    """Pay the bonus to every company that is now connected to its destination. ``turn``: True if a company's turn
    begins."""
    _look_in_time(play, tuple(play.title.companies), turn)


def _look_in_time(play: Play, companies: Iterable[CompanyId], turn: bool = False) -> None:
    """Pay destination bonuses. By a ruling they are paid only in turns of companies; others wait for the next turn."""
    # rule 6.24, 6.25
    turn = turn or any(isinstance(frame, Turn) for frame in play.state.agenda)
    if turn or rulings_of(play.title).destination_from == "home":
        for company in companies:
            _look_at_destination(play, company)


def _look_at_destination(play: Play, company: CompanyId) -> None:
    """Pay the bonus to a launched company if it is connected to its destination."""  # rule 6.23, 6.24, 6.25
    title, state = play.title, play.state
    hex = bound_for(title, state, company)
    if hex is None or state.companies[company].status != "open" or not _connected(title, state, company, hex):
        return
    amount = capital(title, state, company)
    _strike(play, company)
    play.emit(DestinationReached(company, hex, amount))
    play.pay(BANK, company, amount, "destination", company)


def _connected(title: Title, state: State, company: CompanyId, hex: HexId) -> bool:
    home = charter_of(title, state, company).home
    if home is None:
        return False
    start = (home[0], state.board.home_city(*home))
    if rulings_of(title).destination_from == "marker" and company not in state.board.at(*start):
        return False
    if company == GB:
        return bool(state.board.face(GOTTHARD).tunnels)
    key = ("destination", company)
    found = state.board.cache.get(key)
    if found is None:
        found = state.board.remember(key, joins(state.board, start, hex, company))
    return bool(found)


def _strike(play: Play, company: CompanyId) -> None:
    play.emit(Marked(REACHED, play.state.marks.get(REACHED, frozenset()) | {company}))
