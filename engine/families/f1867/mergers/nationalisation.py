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
)
from engine.core.ids import BANK, TREASURY, CompanyId, HexId, PrivateId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.families.f1867.kin import kin
from engine.families.f1867.mergers.state_markers import MARKERS_ELSEWHERE, has_marker, markers_elsewhere, may_take
from engine.families.f1867.names import FREE_MARKER, MINOR
from engine.families.f1867.policies import operating_order
from engine.families.f1867.rulings import rulings_of
from engine.families.f1867.turn.loans import repay_all_possible
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.shares.price import move_price


def nationalise_private(play: Play, private: PrivateId) -> None:
    """Transfer the private to the state railway and pay its owner, if any, the face value. Do nothing if the state
    railway owns it already."""
    # rule 13.4
    owner = play.state.privates[private]
    state = kin(play.title).state
    if owner == state:
        return
    face = play.title.privates[private].face
    if owner is not None:
        play.pay(BANK, owner, face, "face_value", private)
    play.emit(Nationalised(private, face), PrivateMoved(private, state))


def nationalise(play: Play, company: CompanyId, reason: str) -> None:
    """Nationalise a minor or public company: pay out its shareholders and transfer its assets to the state railway."""
    # rule 13.7, 13.11
    title = play.title
    repay_all_possible(play, company, kept=1 if rulings_of(title).nationalised_repayment == "above" else 0)
    unpaid = play.state.companies[company].loans
    move_price(play, company, "left", 1 + kin(title).steps_per_loan * unpaid, "nationalised")
    price = title.price(play.state, company)
    play.emit(Nationalised(company, price))
    for player in play.state.players:
        play.pay(BANK, player, price * shares(title, play.state, player, company), "nationalised", company)
    kin(title).take_over(play, company)
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
        if may_take(play.title, play.state, hex):
            play.emit(MarkerReplaced(company, kin(play.title).state, hex, city))
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
    left = MARKERS_ELSEWHERE - markers_elsewhere(play.title, state)
    wanted = [p for p in equal if p[0] not in kin(play.title).capitals and not has_marker(play.title, state, p[0])]
    if 0 < left < len(wanted):
        hex = play.draw("state railway marker", [p[0] for p in wanted])
        return next(p for p in wanted if p[0] == hex)
    return equal[0]


def trainless(title: Title, state: State, kind: str) -> list[CompanyId]:
    """Companies of ``kind`` that have operated and own no train, in operating order."""
    # rule 13.1, 13.3, 13.6
    return [
        c
        for c in operating_order(title, state)
        if charter_of(title, state, c).kind == kind and state.companies[c].operated and not state.companies[c].trains
    ]
