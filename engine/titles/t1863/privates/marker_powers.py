"""Markers placed by privates: the mail markers of the Royal Mail Rail and the pirate marker of the Chocolate
Express."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.acts.act import Act, Turn
from engine.acts.lay_track import Laid
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import Marked, PrivateUsed
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId
from engine.core.orders import Order, UsePrivate
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.titles.t1863.names import CHOCOLATE, MAIL_AT, MAIL_RAIL, PIRATE_AT, mark
from engine.titles.t1863.pieces import mail_hexes
from engine.titles.t1863.privates.powers import LaidBeside, owns
from engine.titles.t1863.turn.markers import board_closed

MARKERS = (MAIL_RAIL, CHOCOLATE)
MAILS = 2
"""The number of mail markers."""


@dataclass(frozen=True, slots=True)
class MarkersMoved(Note):
    """The privates whose markers have been placed or moved in the turn."""

    privates: frozenset[PrivateId] = frozenset()


@dataclass(frozen=True, slots=True)
class PlacePrivateMarkers(Act):
    """Place the mail markers at the beginning of the turn, or the pirate marker at any time in it, once each."""

    # rule 9.11, 9.12

    takes = (UsePrivate,)
    notes = (MarkersMoved,)

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        return Failure("use.last_rounds", {"company": company}) if board_closed(title, state) else None

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for order in (*_mails(title, state, turn.company), *_pirates(title, state, turn.company)):
            if not check_markers(title, state, turn, order):
                yield Exact(order)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, UsePrivate)
        play.note(check_markers(play.title, play.state, turn, order))
        if play.failures:
            return
        play.become(turn.noting(MarkersMoved(turn.note(MarkersMoved).privates | {order.private})))
        play.emit(PrivateUsed(order.private, turn.company, order.hexes))
        if order.private == MAIL_RAIL:
            play.emit(Marked(MAIL_AT, tuple(sorted(order.hexes))))
        else:
            play.emit(Marked(PIRATE_AT, _pirate_place(play.state, order)))


def check_markers(title: Title, state: State, turn: Turn, order: UsePrivate) -> list[Failure]:
    """Every reason why a private's markers may not be placed as ordered."""
    private, company = order.private, turn.company
    if private not in MARKERS:
        return [Failure("use.none", {"private": private, "privates": MARKERS})]
    failures = []
    if not owns(state, company, private):
        facts: dict[str, Fact] = {"private": private, "owner": state.privates.get(private), "company": company}
        failures.append(Failure("use.owner", facts))
    if private in turn.note(MarkersMoved).privates:
        failures.append(Failure("use.once", {"private": private, "company": company}))
    if board_closed(title, state):  # rule 11.1, 12.54
        failures.append(Failure("use.last_rounds", {"private": private}))
    if order.company is not None:
        failures.append(Failure("order.no_such_part", {"part": "company"}))
    check = _check_mail if private == MAIL_RAIL else _check_pirate
    return [*failures, *check(title, state, turn, order.hexes)]


# ---- the mail --------------------------------------------------------------------------------------------------------


def _check_mail(title: Title, state: State, turn: Turn, hexes: tuple[HexId, ...]) -> Iterator[Failure]:
    """Refuse mail markers after a tile lay or later in the turn. One or two markers may go to different mail hexes that
    have a station; their number on the map may not fall."""
    # rule 9.11
    if turn.stage != "track" or turn.note(Laid).hexes or turn.note(LaidBeside).hexes:
        yield Failure("use.late", {"private": MAIL_RAIL, "company": turn.company})
    places, placed = _mail_places(title, state), mark(state, MAIL_AT, tuple[HexId, ...]())
    facts: dict[str, Fact] = {"hexes": hexes, "places": places}
    if not set(hexes) <= set(places):
        yield Failure("use.mail_hex", facts)
    if not max(1, len(placed)) <= len(hexes) == len(set(hexes)) <= MAILS:
        yield Failure("use.mail_number", {"hexes": hexes, "least": max(1, len(placed)), "most": MAILS})


def _mail_places(title: Title, state: State) -> tuple[HexId, ...]:
    return tuple(sorted(hex for hex in mail_hexes(title) if state.board.face(hex).cities))


def _mails(title: Title, state: State, company: CompanyId) -> Iterator[UsePrivate]:
    """Every placement of the mail markers that changes something."""
    if owns(state, company, MAIL_RAIL):
        places, placed = _mail_places(title, state), mark(state, MAIL_AT, tuple[HexId, ...]())
        for number in range(max(1, len(placed)), MAILS + 1):
            for hexes in combinations(places, number):
                if hexes != placed:
                    yield UsePrivate(company, MAIL_RAIL, hexes=hexes)


# ---- the pirate ------------------------------------------------------------------------------------------------------


def _check_pirate(title: Title, state: State, turn: Turn, hexes: tuple[HexId, ...]) -> Iterator[Failure]:
    """Check that the marker goes to one hex with a free space in a major station. An order without a hex takes it off
    the map."""  # rule 9.12
    at: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
    if not hexes:
        if at is None:
            yield Failure("use.pirate_off", {"private": CHOCOLATE})
    elif len(hexes) > 1 or hexes[0] not in title.map.hexes or free_city(state, hexes[0]) is None:
        yield Failure("use.pirate_hex", {"hexes": hexes})


def free_city(state: State, hex: HexId) -> int | None:
    """The first major station of the hex with a free space, or None if there is none."""
    cities = state.board.face(hex).cities
    return next((i for i, city in enumerate(cities) if city.kind == "city" and state.board.free(hex, i) > 0), None)


def _pirate_place(state: State, order: UsePrivate) -> tuple[HexId, int] | None:
    if not order.hexes:
        return None
    city = free_city(state, order.hexes[0])
    assert city is not None, order
    return order.hexes[0], city


def _pirates(title: Title, state: State, company: CompanyId) -> Iterator[UsePrivate]:
    """Every placement of the pirate marker that changes something, and its removal."""
    if owns(state, company, CHOCOLATE):
        at: tuple[HexId, int] | None = mark(state, PIRATE_AT, None)
        for hex in title.map.hexes:
            if free_city(state, hex) is not None and (at is None or at[0] != hex):
                yield UsePrivate(company, CHOCOLATE, hexes=(hex,))
        if at is not None:
            yield UsePrivate(company, CHOCOLATE)
