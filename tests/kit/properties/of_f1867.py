"""What holds in every position of 1861 and 1867, beside what holds of every title."""

from __future__ import annotations

from collections import Counter

from engine import Game, State, Title
from engine.core.ids import POOL, TREASURY, CompanyId, TrainName
from engine.core.state import Company
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.steps.discard import Discards

LOANS = {"minor": 2, "public": 5}


def hold(game: Game, before: State | None) -> None:
    """Assert everything that adds up in the position, given the one before it."""
    title, state = game.title, game.state
    privates(title, state)
    for company, now in state.companies.items():
        paper(title, state, company, now)
        price(title, state, company, now)
        loans(title, state, company, now, before)
        if now.status != "open" and charter_of(title, state, company).kind != "national":
            assert not now.trains and not state.money(company), (company, now)
    trains(title, state)
    markers(title, state)


def privates(title: Title, state: State) -> None:
    for private, owner in state.privates.items():
        assert owner is None or owner in state.players or state.companies[CompanyId(owner)].status != "closed", private
        if owner is not None and owner in state.companies:
            company = CompanyId(owner)
            national = charter_of(title, state, company).kind == "national"
            assert national or state.companies[company].status == "open", (private, owner)


def paper(title: Title, state: State, company: CompanyId, now: Company) -> None:
    """Certificates of one company: where they are, and that none is lost or doubled."""
    data = title.companies[company]
    held = {(place, kind): n for (place, c, kind), n in state.holdings.items() if c == company and n}
    assert all(n > 0 for n in held.values()), (company, held)
    if data.charter.kind == "national":
        return
    if now.status == "closed":
        assert not held, (company, held)
        return
    for kind, (_, number) in data.charter.certificates.items():
        assert sum(n for (_, k), n in held.items() if k == kind) == number, (company, kind, held)
    if now.status == "unstarted":
        assert {place for place, _ in held} == {TREASURY}, (company, held)
        return
    if data.charter.kind == "minor":
        assert len(held) == 1 and next(iter(held))[0] in state.players, (company, held)
        return
    assert sum(shares(title, state, place, company) for place in (*state.players, POOL, TREASURY)) == 10
    assert shares(title, state, POOL, company) <= 5
    most = 10 * title.table[len(state.players)].holding_percent // 100
    director = controller_of(title, state, company)
    for player in state.players:
        mine = shares(title, state, player, company)
        assert mine <= most, (company, player, mine)
        assert director is None or mine <= shares(title, state, director, company), f"{player} should direct {company}"
    assert director is not None or f"acting {company}" in state.marks, company


def price(title: Title, state: State, company: CompanyId, now: Company) -> None:
    on_chart = now.status == "open" and charter_of(title, state, company).kind != "national"
    assert (company in state.prices) == on_chart, (company, now)


def loans(title: Title, state: State, company: CompanyId, now: Company, before: State | None) -> None:
    assert now.loans >= 0
    most = LOANS.get(charter_of(title, state, company).kind)
    if most is None or now.loans <= most:
        assert now.status == "open" or most is None or not now.loans, (company, now)
        return
    assert before is not None and charter_of(title, state, company).kind == "public", (company, now)
    old = before.companies[company]
    assert old.status != "open" or old.loans >= now.loans, f"{company} took a loan too many"


def trains(title: Title, state: State) -> None:
    owned = Counter[TrainName](t for now in state.companies.values() for t in now.trains)
    everywhere = owned + Counter(state.pool_trains)
    gone = {t.rusts for t in title.trains.values() if t.rusts is not None and t.name in state.bought}
    removed = title.table[len(state.players)].trains_removed
    for name, data in title.trains.items():
        if name in gone:
            assert not everywhere[name] and not state.supply.get(name), f"{name} has left the game"
        elif data.quantity is not None:
            there, box = everywhere[name] + state.supply[name], data.quantity - removed.get(name, 0)
            leave = title.name == "1867"  # by export, and with nationalised companies
            assert (there <= box if leave else there == box) and state.supply[name] >= 0, (name, there)
    if not any(isinstance(frame, Discards) for frame in state.agenda):
        for company, now in state.companies.items():
            limit = title.phase(state).train_limits.get(charter_of(title, state, company).kind)
            assert limit is None or len(now.trains) <= limit, (company, now.trains)


def markers(title: Title, state: State) -> None:
    """Only companies in play stand on the map."""
    for company in {c for cities in state.board.markers.values() for there in cities for c in there}:
        kind = charter_of(title, state, company).kind
        assert kind == "national" or state.companies[company].status == "open" or _merging(state), company


def _merging(state: State) -> bool:
    """While the markers that stay are chosen, those of the minors still stand."""
    return any(type(frame).__name__ == "KeepMarkers" for frame in state.agenda)
