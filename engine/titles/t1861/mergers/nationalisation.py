"""Nationalisation of privates and companies, and the transfer of their assets to the state railway."""

from __future__ import annotations

from engine.core.events import (
    CertificatesSet,
    CompanyLeft,
    LoansChanged,
    Marked,
    MarkerRemoved,
    MarkerReplaced,
    Nationalised,
    PriceRemoved,
    PrivateMoved,
    TrainMoved,
)
from engine.core.ids import BANK, TREASURY, CompanyId, HexId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.shares.price import move_price
from engine.titles.t1861.mergers.state_railway import has_marker
from engine.titles.t1861.names import FREE_MARKER, MINOR, MOSCOW, ST_PETERSBURG, STATE
from engine.titles.t1861.policies import operating_order
from engine.titles.t1861.rulings import rulings_of
from engine.titles.t1861.turn.loans import repay_all_possible

MARKERS_ELSEWHERE = 6
"""The most markers that the state railway may have outside Moscow and St. Petersburg."""


def nationalise_private(play: Play, private: PrivateId) -> None:
    """Transfer the private to the state railway and pay its owner, if any, the face value. Do nothing if the state
    railway owns it already."""
    # rule 13.4
    owner = play.state.privates[private]
    if owner == STATE:
        return
    face = play.title.privates[private].face
    if owner is not None:
        play.pay(BANK, owner, face, "face_value", private)
    play.emit(Nationalised(private, face), PrivateMoved(private, STATE))


def nationalise(play: Play, company: CompanyId, reason: str) -> None:
    """Nationalise a minor or public company: pay out its shareholders and transfer its assets to the state railway."""
    # rule 13.7, 13.11
    title = play.title
    repay_all_possible(play, company, kept=1 if rulings_of(title).nationalised_repayment == "above" else 0)
    unpaid = play.state.companies[company].loans
    move_price(play, company, "left", 1 + unpaid, "nationalised")
    price = title.price(play.state, company)
    play.emit(Nationalised(company, price))
    for player in play.state.players:
        play.pay(BANK, player, price * shares(title, play.state, player, company), "nationalised", company)
    play.pay(company, STATE, play.state.money(company), "seized", company)
    for train in play.state.companies[company].trains:
        play.emit(TrainMoved(train, company, STATE))
    for private, owner in play.state.privates.items():
        if owner == company:
            play.emit(PrivateMoved(private, STATE))
    if unpaid:
        play.emit(LoansChanged(company, -unpaid, "void"))
    _take_markers(play, company)
    withdraw(play, company, reason)


def withdraw(play: Play, company: CompanyId, reason: str) -> None:
    """Remove a company's price marker and take back all its certificates. A public company may be started again."""
    # rule 13.9
    title = play.title
    closed = charter_of(title, play.state, company).kind == MINOR
    certificates = charter_of(title, play.state, company).certificates
    back = () if closed else tuple((TREASURY, kind, n) for kind, (_, n) in certificates.items())
    if FREE_MARKER + company in play.state.marks:
        play.emit(Marked(FREE_MARKER + company, None))
    play.emit(CertificatesSet(company, back), PriceRemoved(company), CompanyLeft(company, closed, reason))


def _take_markers(play: Play, company: CompanyId) -> None:
    """Replace the company's markers by the state railway's where permitted, richest city first. Remove the others."""
    # rule 13.8, 12.5
    left = list(play.state.board.places_of(company))
    while left:
        hex, city = _next_place(play, left)
        left.remove((hex, city))
        if _may_take(play.title, play.state, company, hex):
            play.emit(MarkerReplaced(company, STATE, hex, city))
        else:
            play.emit(MarkerRemoved(company, hex, city))


def _next_place(play: Play, places: list[tuple[HexId, int]]) -> tuple[HexId, int]:
    """The place of the next marker to replace or remove. A lot is drawn only where it makes a difference."""
    state, color = play.state, play.title.phase(play.state).colors[-1]

    def value(place: tuple[HexId, int]) -> int:
        return state.board.face(place[0]).cities[place[1]].value(color)

    best = max(map(value, places))
    equal = sorted(p for p in places if value(p) == best)
    if rulings_of(play.title).nationalised_ties == "name":
        return equal[-1]
    left = MARKERS_ELSEWHERE - markers_elsewhere(state)
    wanted = [p for p in equal if p[0] not in (MOSCOW, ST_PETERSBURG) and not has_marker(state, p[0])]
    if 0 < left < len(wanted):
        hex = play.draw("state railway marker", [p[0] for p in wanted])
        return next(p for p in wanted if p[0] == hex)
    return equal[0]


def markers_elsewhere(state: State) -> int:
    """Number of markers of the state railway outside Moscow and St. Petersburg."""
    return sum(1 for hex, _ in state.board.places_of(STATE) if hex not in (MOSCOW, ST_PETERSBURG))


def _may_take(title: Title, state: State, company: CompanyId, hex: HexId) -> bool:
    if has_marker(state, hex):
        return False
    if hex == ST_PETERSBURG:
        return True
    return hex == MOSCOW or markers_elsewhere(state) < MARKERS_ELSEWHERE


def trainless(title: Title, state: State, kind: str) -> list[CompanyId]:
    """Companies of ``kind`` that have operated and own no train, in operating order."""
    # rule 13.1, 13.3, 13.6
    return [
        c
        for c in operating_order(title, state)
        if charter_of(title, state, c).kind == kind and state.companies[c].operated and not state.companies[c].trains
    ]
