"""Starting companies: the privates and minors on offer, and the start of minors and public companies."""

from __future__ import annotations

from engine.core.events import CertificatesMoved, CompanyOpened, DirectorChanged, MarkerPlaced, PriceSet
from engine.core.ids import BANK, TREASURY, Cell, CompanyId, PlayerId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin
from engine.families.f1867.names import MINOR
from engine.holders.charters import director_kind, of_kind
from engine.shares.limits import over_limit

MINOR_START_MARKS = ("par_any", "par_minor")
PUBLIC_START_MARKS = ("par_any", "par_public")


def on_offer(title: Title, state: State) -> PrivateId | None:
    """The private to be sold next, in printed order; None if all are sold."""  # rule 2.2
    return next((p for p in title.privates if state.privates.get(p, BANK) is None), None)


def offered_minors(title: Title, state: State) -> tuple[CompanyId, ...]:
    """Minors that may be put up for auction now."""  # rule 2.10, 4.1, 4.2, 4.3
    if title.reached(state, "5"):
        return ()
    first_of_all = kin(title).first_minor(title, state)
    if first_of_all is not None:
        return (first_of_all,)
    return tuple(
        minor
        for minor in of_kind(title, state, MINOR)
        if state.companies[minor].status == "unstarted"
        and ((first := title.companies[minor].available_from) is None or title.reached(state, first))
    )


def may_take_certificate(title: Title, state: State, player: PlayerId) -> bool:
    return over_limit(title, state, player) < 0  # rule 3.14


def start_minor(play: Play, company: CompanyId, player: PlayerId, amount: int) -> None:
    """Start a minor for the winner of its auction: certificate, treasury, price and home marker."""
    # rule 4.6, 4.7, 4.8
    title = play.title
    home = kin(title).home(title, play.state, company)
    kind = director_kind(title, play.state, company)
    cell = title.chart.start_below(amount // 2, *MINOR_START_MARKS)
    assert cell is not None
    play.pay(player, company, amount, "bid", company)
    play.emit(
        CertificatesMoved(company, kind, 1, TREASURY, player),
        CompanyOpened(company),
        PriceSet(company, cell, title.chart.price(cell), "start"),
        MarkerPlaced(company, *home),
    )
    kin(title).minor_started(play, company)


def start_public(play: Play, company: CompanyId, cell: Cell, player: PlayerId) -> None:
    """Open a public company at the price of ``cell`` and give its director's certificate to ``player``."""
    title = play.title
    play.emit(
        CertificatesMoved(company, director_kind(title, play.state, company), 1, TREASURY, player),
        CompanyOpened(company),
        PriceSet(company, cell, title.chart.price(cell), "start"),
        DirectorChanged(company, player),
    )
