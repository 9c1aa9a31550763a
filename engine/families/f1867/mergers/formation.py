"""Formation of a public company from minors: its price, director, markers, certificates and assets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from engine.core.agenda import Ask, Exact, Menu
from engine.core.checks import Failure
from engine.core.events import (
    CertificatesSet,
    CompanyOpened,
    Formed,
    LoansChanged,
    Marked,
    MarkerRemoved,
    MarkerReplaced,
    PriceSet,
    PrivateMoved,
    TrainMoved,
)
from engine.core.ids import TREASURY, Cell, CompanyId, HexId, PlayerId
from engine.core.orders import Keep, Merge, Order, Space
from engine.core.state import Frame, State
from engine.core.title import Play, Title
from engine.families.f1867.mergers.nationalisation import withdraw
from engine.families.f1867.names import FREE_MARKER
from engine.families.f1867.rulings import rulings_of
from engine.families.f1867.stock.share_offers import begin_offers
from engine.families.f1867.stock.starts import PUBLIC_START_MARKS
from engine.holders.control import controller_of
from engine.steps.discard import Discards

HIGHEST_PRICE = 200
KEPT = 2
"""The most markers of its minors that a new company may keep."""


@dataclass(frozen=True, slots=True)
class KeepMarkers(Frame):
    """The director chooses the markers to keep among ``places`` (hex, city, minor)."""

    company: CompanyId
    places: tuple[tuple[HexId, int, CompanyId], ...]


def in_operating_order(title: Title, state: State, group: tuple[CompanyId, ...]) -> tuple[CompanyId, ...]:
    return tuple(c for c in title.policies.operating_order(title, state) if c in group)


def merged_cell(title: Title, price: int) -> Cell:
    cell = title.chart.start_below(price, *PUBLIC_START_MARKS)
    assert cell is not None
    return cell


def merged_price(title: Title, state: State, group: tuple[CompanyId, ...]) -> int:
    """Highest plus lowest price, at least the edition's floor and at most 200, rounded down to a start space."""
    # rule 14.9
    prices = [title.price(state, m) for m in group]
    total = max(int(rulings_of(title).merger_floor), min(HIGHEST_PRICE, max(prices) + min(prices)))
    return title.chart.price(merged_cell(title, total))


def price_of_merger(title: Title, state: State, order: Order) -> int | None:
    """The price of the company that a merger would form, with the minor that leads it; None for any other order."""
    if not isinstance(order, Merge):
        return None
    return merged_price(title, state, tuple(dict.fromkeys((order.actor, *order.minors))))


def first_director(title: Title, state: State, group: tuple[CompanyId, ...]) -> PlayerId:
    """The owner of most minors of the group. The owner of the earliest minor to operate wins a tie, or by a ruling
    the first player with two shares stays ahead until somebody has more."""  # rule 14.11
    owners = [p for m in in_operating_order(title, state, group) if (p := controller_of(title, state, m))]
    held = Counter(owners)
    if rulings_of(title).merger_director == "first_to_two" and max(held.values()) > 1:
        so_far: Counter[PlayerId] = Counter()
        director: PlayerId | None = None
        for player in owners:
            so_far[player] += 1
            if director is None:
                director = player if so_far[player] >= 2 else None
            elif so_far[player] > so_far[director]:
                director = player
        assert director is not None
        return director
    return max(dict.fromkeys(owners), key=lambda p: held[p])


# ---- markers ------------------------------------------------------------------------------------------------------


def marker_places(title: Title, state: State, group: tuple[CompanyId, ...]) -> tuple[tuple[HexId, int, CompanyId], ...]:
    """Each space in which the group has a marker, once, with a minor that has one there. Where the ruling makes it
    matter which marker of a city stays, return every marker of the group."""  # rule 8.6, 14.13
    if rulings_of(title).second_marker == "first_kept":
        return tuple((h, c, m) for m in group for h, c in state.board.places_of(m))
    found = {(h, c): m for m in group for h, c in state.board.places_of(m)}
    return tuple((h, c, m) for (h, c), m in found.items())


def keep_sets(places: tuple[tuple[HexId, int, CompanyId], ...]) -> list[tuple[tuple[HexId, int, CompanyId], ...]]:
    """The sets of markers that may be kept: two in different hexes where possible, otherwise one."""  # rule 14.13
    number = min(KEPT, len({h for h, _, _ in places}))
    return [kept for kept in combinations(places, number) if len({h for h, _, _ in kept}) == number]


def keep_problem(title: Title, state: State, group: tuple[CompanyId, ...], keep: tuple[Space, ...]) -> Failure | None:
    """The reason why the markers ``keep`` may not be kept; None if they may."""
    places = marker_places(title, state, group)
    if chosen_set(state, places, keep) is not None:
        return None
    names = tuple(f"{h}/{m}" for h, _, m in places)
    return Failure("keep.markers", {"markers": names, "number": min(KEPT, len({h for h, _, _ in places}))})


def chosen_set(
    state: State, places: tuple[tuple[HexId, int, CompanyId], ...], keep: tuple[Space, ...]
) -> tuple[tuple[HexId, int, CompanyId], ...] | None:
    """The permitted set of markers that ``keep`` names; None if it fits no set or more than one."""

    def names(space: Space, place: tuple[HexId, int, CompanyId]) -> bool:
        if space.hex != place[0]:
            return False
        if any(space.company == minor for _, _, minor in places):
            return space.company == place[2]
        return space.bare or state.board.city_at(space) == place[1]

    fitting = [
        kept
        for kept in keep_sets(places)
        if len(keep) == len(kept) and all(any(names(s, p) for s in keep) for p in kept)
    ]
    return fitting[0] if len(fitting) == 1 else None


def keep_markers(
    play: Play,
    company: CompanyId,
    kept: tuple[tuple[HexId, int, CompanyId], ...],
    places: tuple[tuple[HexId, int, CompanyId], ...],
) -> None:
    """Replace the markers kept by the new company's and remove the others. Where the ruling asks for it, ``places``
    begins with the marker of the minor that operates earliest."""
    one_hex = len(places) > 1 and len({hex for hex, _, _ in places}) == 1
    if one_hex and places[0] not in kept and rulings_of(play.title).second_marker == "first_kept":  # rule 8.6
        play.emit(Marked(FREE_MARKER + company, True))
    for hex, city, minor in places:
        if (hex, city, minor) in kept:
            play.emit(MarkerReplaced(minor, company, hex, city))
        else:
            play.emit(MarkerRemoved(minor, hex, city))


class KeepMarkersStep:
    """Asks the director of the new company for the markers to keep, where there is a choice."""

    def asked(self, title: Title, state: State, frame: KeepMarkers) -> tuple[Ask, ...]:
        director = title.policies.director(title, state, frame.company)
        assert director is not None
        return (Ask(director, frame.company, "merger.keep", tuple(f"{h}/{m}" for h, _, m in frame.places)),)

    def menu(self, title: Title, state: State, frame: KeepMarkers, ask: Ask) -> Menu:
        return tuple(
            Exact(Keep(frame.company, tuple(Space(h, None, m) for h, _, m in kept))) for kept in keep_sets(frame.places)
        )

    def decide(self, play: Play, frame: KeepMarkers, ask: Ask, order: Order) -> None:
        if not isinstance(order, Keep):
            play.refuse("order.wrong_kind", asked=ask.what)
            return
        kept = chosen_set(play.state, frame.places, order.spaces)
        if kept is None:
            number = min(KEPT, len({h for h, _, _ in frame.places}))
            play.refuse("keep.markers", markers=tuple(f"{h}/{m}" for h, _, m in frame.places), number=number)
            return
        play.pop()
        keep_markers(play, frame.company, kept, frame.places)

    def advance(self, play: Play, frame: KeepMarkers) -> None:
        raise AssertionError("the director is always asked")


# ---- formation ----------------------------------------------------------------------------------------------------


def form(
    play: Play,
    group: tuple[CompanyId, ...],
    company: CompanyId,
    price: int,
    keep: tuple[Space, ...],
    leader: PlayerId,
    again: Frame,
) -> None:
    """Replace the minors by the public company and offer its shares. The caller has checked everything and obtained
    consent. ``again``: the frame that asks the leader once more if the merger is undone."""
    # rule 14.5, 14.6, 14.10, 14.14, 14.19
    title, before = play.title, play.state
    director = first_director(title, before, group)
    merger = len(group) > 1
    in_order = [p for m in in_operating_order(title, before, group) if (p := controller_of(title, before, m))]
    owners = Counter(in_order)
    by_order = rulings_of(title).second_marker == "first_kept"  # rule 8.6
    places = marker_places(title, before, in_operating_order(title, before, group) if by_order else group)
    cell = merged_cell(title, price)
    play.emit(CompanyOpened(company), CertificatesSet(company, _certificates(owners, director, merger)))
    for minor in in_operating_order(title, before, group):
        _hand_over(play, minor, company)
        for hex, city in before.board.places_of(minor):
            if (hex, city, minor) not in places:
                play.emit(MarkerRemoved(minor, hex, city))
        withdraw(play, minor, "merged" if merger else "converted")
    play.emit(PriceSet(company, cell, title.chart.price(cell), "start"), Marked(f"acting {company}", director))
    play.emit(Formed(group, company, title.chart.price(cell), director))
    begin_offers(play, company, before, again, in_order[0])
    play.push(Discards((company,)))
    sets = keep_sets(places)
    chosen = chosen_set(before, places, keep) if keep and leader == director else None
    if len(sets) == 1 or chosen is not None:
        keep_markers(play, company, chosen or sets[0], places)
    else:
        play.push(KeepMarkers(company, places))


def _certificates(owners: Counter[PlayerId], director: PlayerId, merger: bool) -> tuple[tuple[str, str, int], ...]:
    """Places of the new company's certificates: one share for each minor, or two for a conversion; the treasury has the
    rest."""
    ordinary = 8
    rows: list[tuple[str, str, int]] = []
    for player, minors in owners.items():
        held = minors if merger else 2
        if player == director and held >= 2:
            rows.append((player, "director", 1))
            held -= 2
        if held:
            rows.append((player, "ordinary", held))
            ordinary -= held
    if not any(kind == "director" for _, kind, _ in rows):
        rows.append((TREASURY, "director", 1))
    if ordinary:
        rows.append((TREASURY, "ordinary", ordinary))
    return tuple(rows)


def _hand_over(play: Play, minor: CompanyId, company: CompanyId) -> None:
    """Transfer the money, trains, privates and loans of a minor to the new company."""
    play.pay(minor, company, play.state.money(minor), "merged", minor)
    for train in play.state.companies[minor].trains:
        play.emit(TrainMoved(train, minor, company))
    for private, owned in play.state.privates.items():
        if owned == minor:
            play.emit(PrivateMoved(private, company))
    loans = play.state.companies[minor].loans
    if loans:
        play.emit(LoansChanged(minor, -loans, "merged"), LoansChanged(company, loans, "merged"))
