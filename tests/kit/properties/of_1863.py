"""Properties of every position of 1863, beside what holds of every title."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine import Game, State, Title
from engine.core.ids import POOL, TREASURY, CompanyId, Place, PlayerId, TrainName
from engine.core.state import Company
from engine.holders.charters import charter_of
from engine.holders.control import chain_of, circle_of, controller_of, owner_of
from engine.holders.ledger import shares
from engine.titles.t1863.failures.lptb import markers_left
from engine.titles.t1863.money.loans import loans_out, loans_total, rate
from engine.titles.t1863.names import (
    BORROWED,
    DIRECTOR,
    LASTING,
    MAIL_AT,
    MAJOR,
    MINOR,
    ORDINARY,
    OSI,
    OUT,
    PHASE_IV,
    SHORT,
    TEN,
    extended,
    mark,
)
from engine.titles.t1863.pieces import loan_limit, loan_rates, lptb_markers
from engine.titles.t1863.stock.limits import CIRCLE, excess
from engine.titles.t1863.stock.shares import shorts_out

CERTIFICATES: Final = {MAJOR: {DIRECTOR: 1, ORDINARY: 18, SHORT: 10}, MINOR: {DIRECTOR: 1}}
RUSTED: Final = {"2T": "IV", "3T": "V", "2+1e": "V"}
"""Type -> phase from which it is out of the game."""
FORMING: Final = frozenset(
    {"Acquisition", "Failing", "Halves", "HalfShorts", "KeptMarkers", "Liquidation", "MergedMajors", "Merging"}
    | {"MergerRound", "Surplus", "Taking", "LptbActs"}
)
"""Frames in which companies join or go, and are between one thing and another."""


def hold(game: Game, before: State | None) -> None:
    """Assert everything that adds up in the position, given the one before it."""
    title, state = game.title, game.state
    forming = any(type(frame).__name__ in FORMING for frame in state.agenda)
    for company, now in state.companies.items():
        status(title, state, company, now)
        paper(title, state, company, now)
        if now.status == "open" and not forming:
            control(title, state, company)
            limits(title, state, company, now)
    for player in mark(state, OUT, frozenset[PlayerId]()):
        bankrupt(state, player)
    loans(title, state)
    trains(title, state)
    privates(title, state)
    assert 0 <= markers_left(title, state) <= lptb_markers(title), "more markers of the LPTB than there are"
    for ask in game.asked():
        assert ask.player not in mark(state, OUT, frozenset[PlayerId]()), ask


# ---- companies and their shares -------------------------------------------------------------------------------------


def status(title: Title, state: State, company: CompanyId, now: Company) -> None:
    """Companies in play have a price; others have nothing."""
    assert (now.status == "open") == (company in state.prices), (company, now)
    if now.status != "open":
        assert not now.trains and not now.loans and not state.money(company), (company, now, state.money(company))
        assert not [key for key, n in state.holdings.items() if key[0] == company and n], f"{company} owns shares"
        assert company not in state.privates.values(), f"{company} owns a private"
        starts = any(company in (getattr(f, "item", ""), getattr(f, "company", "")) for f in state.agenda)
        assert starts or not state.board.places_of(company), f"{company} has a marker"


def paper(title: Title, state: State, company: CompanyId, now: Company) -> None:
    """Every certificate is somewhere, once. Of a major there are ten shares beside those paired with shorts."""
    held = {(place, kind): n for (place, of, kind), n in state.holdings.items() if of == company and n}
    assert all(n > 0 for n in held.values()), (company, held)
    charter = charter_of(title, state, company)
    total = Counter[str]()
    for (_, kind), n in held.items():
        total[kind] += n
    assert total == CERTIFICATES[charter.kind], (company, charter.kind, held)
    places = {place for place, _ in held}
    if now.status != "open":
        assert places == {TREASURY}, (company, held)
        return
    others = {c for c, other in state.companies.items() if c != company and other.status == "open"}
    assert places <= {*state.players, *others, POOL, TREASURY, OSI}, (company, held)
    if charter.kind == MAJOR:
        pairs = held.get((OSI, ORDINARY), 0), held.get((OSI, SHORT), 0)
        assert pairs[0] == pairs[1], (company, "pairs", pairs)
        outside = sum(shares(title, state, place, company) for place in places - {Place(OSI)})
        lost = held.get((TREASURY, SHORT), 0)  # shorts of a bankrupt that no share was left for
        assert outside - shorts_out(state, company) - lost == TEN, (company, outside, shorts_out(state, company), lost)
        shorting = {place for place, kind in held if kind == SHORT} - {Place(OSI), Place(TREASURY)}
        assert shorting <= set(state.players), (company, shorting)
        halving = any(type(frame).__name__ == "Halves" for frame in state.agenda)  # matched when all are settled
        assert halving or not [p for p in shorting if (p, ORDINARY) in held], f"{company}: a short is not matched"


def control(title: Title, state: State, company: CompanyId) -> None:
    """A company in play has a president, at the top of whose chain is a player who is not bankrupt; or nobody has two
    shares of it who could be president: a company without a president cannot. Nobody has more than the president, but a
    company below: that has to sell them."""
    owner, player = owner_of(title, state, company), controller_of(title, state, company)
    assert title.policies.director(title, state, company) == player
    assert not circle_of(title, state, company), (company, circle_of(title, state, company))
    if owner is None:
        able = (*state.players, *(c for c in state.companies if controller_of(title, state, c) is not None))
        most = max((shares(title, state, place, company) for place in able), default=0)
        assert most < 2, f"{company} has no president, and somebody has {most} shares"
        return
    assert player is not None or owner in state.companies, (company, owner)
    assert player not in mark(state, OUT, frozenset[PlayerId]()), (company, player)
    for holder in (*state.players, *state.companies):
        more = shares(title, state, holder, company) - shares(title, state, owner, company)
        if holder != company and more > 0:
            assert company in chain_of(title, state, CompanyId(holder)), (company, owner, holder)
            to_sell = () if player is None else excess(title, state, player)
            found = [e.over for e in to_sell if (e.what, e.holder, e.company) == (CIRCLE, holder, company)]
            assert player is None or found[0] >= more, (company, holder, to_sell)


def limits(title: Title, state: State, company: CompanyId, now: Company) -> None:
    """Loans and trains of a company are within its limits."""
    kind = charter_of(title, state, company).kind
    assert 0 <= now.loans <= loan_limit(title, kind), (company, now.loans)
    giving_up = {"Discards", "SurvivingTrains"} & {type(frame).__name__ for frame in state.agenda}
    limit = title.policies.train_limit(title, state, company)
    assert giving_up or len(now.trains) <= limit, (company, now.trains, limit)


# ---- players, loans, trains, privates -------------------------------------------------------------------------------


def bankrupt(state: State, player: PlayerId) -> None:
    """A bankrupt player has nothing any more."""
    assert not state.money(player), (player, state.money(player))
    assert not [key for key, n in state.holdings.items() if key[0] == player and n], player
    assert player not in state.privates.values(), player


def loans(title: Title, state: State) -> None:
    """Loan markers are within the supply, and the rate is one of the row."""
    assert 0 <= loans_out(state) <= loans_total(title, len(state.players)), loans_out(state)
    assert rate(state) in loan_rates(title), rate(state)
    assert all(n > 0 for n in mark(state, BORROWED, dict[CompanyId, int]()).values())


def trains(title: Title, state: State) -> None:
    """No more trains of a card than there are; what has rusted is gone, but for trains that outlast it."""
    found = Counter[TrainName]()
    for now in state.companies.values():
        found.update(now.trains)
    kept = Counter(train for _, train, *_ in extended(state))
    waits = any(type(frame).__name__ == "SurvivingTrains" for frame in state.agenda)
    for name, phase in RUSTED.items():
        if title.reached(state, phase):
            assert waits or found[TrainName(name)] <= kept[TrainName(name)], f"{name} in phase {state.phase}"
    for name, train in title.trains.items():
        if train.card is None and train.quantity is not None:
            out = sum(n for other, n in found.items() if name in (other, title.trains[other].card))
            assert out + state.supply[name] <= train.quantity, (name, found, state.supply)


def privates(title: Title, state: State) -> None:
    """Phase IV has closed all privates but the lasting ones. There are two mail markers."""
    for private, owner in state.privates.items():
        company = owner is not None and owner in state.companies
        assert not company or state.companies[CompanyId(str(owner))].status == "open", (private, owner)
        assert private in LASTING or not title.reached(state, PHASE_IV), (private, state.phase)
    mail = mark(state, MAIL_AT, ())
    assert len(set(mail)) == len(mail) <= 2, mail
