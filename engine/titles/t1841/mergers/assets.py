"""Forming a company out of others: its charter and price, the transfer of assets, and the end of the old companies."""

from __future__ import annotations

from dataclasses import replace

from engine.core.charter import Charter
from engine.core.events import (
    CertificatesMoved,
    CertificatesSet,
    Chartered,
    CompanyLeft,
    CompanyOpened,
    DirectorChanged,
    Marked,
    PriceRemoved,
    PriceSet,
    TrainMoved,
)
from engine.core.ids import POOL, TREASURY, Cell, CompanyId, Place
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind, directors_worth, ordinary_kind
from engine.holders.control import count
from engine.holders.ledger import shares
from engine.titles.t1841.mergers.decision_order import as_actor
from engine.titles.t1841.names import HISTORICAL, HISTORY, MAJOR, SOLD
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.presidency import settle_president, transfer
from engine.titles.t1841.turn.queue import replace_in_round


def is_free_major(title: Title, state: State, company: CompanyId) -> bool:
    """True if a company may be formed with this charter: it is that of a non-historical major that is not in play."""
    # rule 10.12
    data = title.companies.get(company)
    if data is None or company in HISTORICAL or data.charter.kind != MAJOR:
        return False
    return state.companies[company].status == "unstarted"


def free_majors(title: Title, state: State) -> tuple[CompanyId, ...]:
    """The charters with which a company may be formed now."""
    return tuple(c for c in title.companies if is_free_major(title, state, c))


def major_charter(title: Title, company: CompanyId, markers: int) -> Charter:
    """The charter of the major ``company`` with ``markers`` tokens. For the name of a minor, a charter like those of
    the other majors, without homes."""
    own = title.companies[company].charter
    if own.kind == MAJOR:
        return replace(own, markers=markers)
    model = next(c.charter for c in title.companies.values() if c.charter.kind == MAJOR)
    return replace(model, homes=(), markers=markers)


def form_company(play: Play, company: CompanyId, charter: Charter, cell: Cell, reason: str) -> None:
    """Put a company into play. All its certificates lie in its Initial Offering, and its price marker lies at the
    bottom of a pile. The company may be in play already and become another kind of company."""
    if play.state.companies[company].status != "open":
        play.emit(CompanyOpened(company))
    play.emit(
        Chartered(company, charter),
        CertificatesSet(company, _all_unsold(charter)),
        PriceSet(company, cell, play.title.chart.price(cell), reason),
    )


def _all_unsold(charter: Charter) -> tuple[tuple[Place, str, int], ...]:
    return tuple((TREASURY, kind, n) for kind, (_, n) in charter.certificates.items())


def move_assets(play: Play, source: CompanyId, target: CompanyId) -> None:
    """Move money, trains and certificates of other companies from ``source`` to ``target``, and settle the president of
    each of those other companies. Under the site's ruling, a concession does not keep a president in place here."""
    # rule 5.8, 10.12
    if source == target:
        return
    play.pay(source, target, play.state.money(source), "merged", source)
    for train in play.state.companies[source].trains:
        play.emit(TrainMoved(train, source, target))
    moved = dict.fromkeys(of for (place, of, _), n in play.state.holdings.items() if place == source and n)
    for company in moved:
        for kind in charter_of(play.title, play.state, company).certificates:
            if n := count(play.state, source, company, kind):
                play.emit(CertificatesMoved(company, kind, n, source, target))
        settle_president(play, company, binds=rulings_of(play.title).concession_keeps == "always")


def discard_held(play: Play, holder: CompanyId, company: CompanyId) -> None:
    """Discard the certificates of ``company`` that ``holder`` has: return them to ``company``."""  # rule 10.15
    for kind in charter_of(play.title, play.state, company).certificates:
        if n := count(play.state, holder, company, kind):
            play.emit(CertificatesMoved(company, kind, n, holder, TREASURY))


def give_up(play: Play, holder: Place, companies: tuple[CompanyId, ...], number: int) -> None:
    """Return ``number`` shares of companies that end, counted together, to those companies. President's certificates go
    first."""
    for company, kind, worth in _largest_first(play.title, play.state, companies):
        given = min(count(play.state, holder, company, kind), number // worth)
        if given:
            play.emit(CertificatesMoved(company, kind, given, holder, TREASURY))
        number -= given * worth
    assert number == 0, (holder, companies, number)


def _largest_first(
    title: Title, state: State, companies: tuple[CompanyId, ...]
) -> tuple[tuple[CompanyId, str, int], ...]:
    kinds = [
        (company, name, kind.shares)
        for company in companies
        for name, (kind, _) in charter_of(title, state, company).certificates.items()
    ]
    return tuple(sorted(kinds, key=lambda row: -row[2]))


def give_up_all(play: Play, company: CompanyId) -> None:
    """Return every certificate of a company that ends to that company at once."""
    for (place, of, kind), n in tuple(play.state.holdings.items()):
        if of == company and place != TREASURY and n:
            play.emit(CertificatesMoved(company, kind, n, place, TREASURY))


def receive(play: Play, company: CompanyId, number: int, holder: Place) -> None:
    """Give ``holder`` so many shares of a new company. The first holder to reach two shares gets the president's
    certificate for them. The pool gets it only if too few other certificates are left."""  # rule 10.16, 10.17
    title, state = play.title, play.state
    director, worth = director_kind(title, state, company), directors_worth(title, state, company)
    free, ordinary = count(state, TREASURY, company, director), ordinary_kind(title, state, company)
    if holder == POOL:
        needed = number > count(state, TREASURY, company, ordinary)
    else:
        needed = shares(title, state, holder, company) + number >= worth
    if not free or not needed:
        transfer(play, company, number, TREASURY, holder)
        return
    play.emit(CertificatesMoved(company, director, 1, TREASURY, holder))
    beside = number - worth
    if beside > 0:
        play.emit(CertificatesMoved(company, ordinary, beside, TREASURY, holder))
    elif beside < 0:
        play.emit(CertificatesMoved(company, ordinary, -beside, holder, TREASURY))
    if holder != POOL:
        play.emit(DirectorChanged(company, as_actor(state, holder)))


def end_company(play: Play, company: CompanyId, reason: str) -> None:
    """Remove a company from the game. A historical company is gone for good. Any other may be started again, as a
    company without history that has no turn in this round."""  # rule 10.21
    title, marks = play.title, play.state.marks
    closed = company in HISTORICAL
    charter = title.companies[company].charter
    if company in marks.get(HISTORY, frozenset()):  # clarification 1.3
        play.emit(Marked(HISTORY, marks[HISTORY] - {company}))
    if forgotten := frozenset(pair for pair in marks.get(SOLD, frozenset()) if company in pair):
        play.emit(Marked(SOLD, marks[SOLD] - forgotten))
    replace_in_round(play, company)
    play.emit(CertificatesSet(company, () if closed else _all_unsold(charter)))
    if company in play.state.charters:
        play.emit(Chartered(company, None))
    if company in play.state.prices:
        play.emit(PriceRemoved(company))
    play.emit(CompanyLeft(company, closed, reason))


def leave_without_president(play: Play, company: CompanyId) -> None:
    """Move a president's certificate that nobody has taken to the pool. It replaces shares that lie there, at most as
    many as it counts."""  # clarification 3.3, 3.4
    title, state = play.title, play.state
    director, ordinary = director_kind(title, state, company), ordinary_kind(title, state, company)
    if not count(state, TREASURY, company, director):
        return
    back = min(count(state, POOL, company, ordinary), directors_worth(title, state, company))
    if back:
        play.emit(CertificatesMoved(company, ordinary, back, POOL, TREASURY))
    play.emit(CertificatesMoved(company, director, 1, TREASURY, POOL))


def close_unused(play: Play, company: CompanyId) -> None:
    """Remove a historical company that can never be formed any more from the game."""
    if company in play.state.companies and play.state.companies[company].status == "unstarted":
        play.emit(CertificatesSet(company, ()), CompanyLeft(company, True, "unused"))
