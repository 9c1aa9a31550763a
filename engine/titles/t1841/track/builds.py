"""Track: the number of builds that a company has in its turn, and the bases from which it builds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.lay_track import Laid, LayRules, check_lay, lay_price, lays_left, list_lays
from engine.acts.lays_left import LaysLeft, TrackAct
from engine.acts.reach import reach_for
from engine.acts.track_connection import check_joined
from engine.board.network import bases
from engine.board.ways import Base
from engine.core.agenda import Choice, Exact
from engine.core.checks import Fact, Failure
from engine.core.events import TileLaid
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.orders import Lay, Order
from engine.core.state import Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1841.ending.end_signals import look_at_areas
from engine.titles.t1841.names import MINOR
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.track.bases import all_apart, joined_bases

NEW_TRACK: Final = frozenset({"plain", "town", "pass"})
"""Kinds of hex in which an upgrade must bring new track within reach. A city within reach need not."""
ONE_A_BASE: Final = "2"
TWO_AT_MOST: Final = ("3", "4")
"""Phases by the number of builds that a major has; in later phases it has one."""


@dataclass(frozen=True, slots=True)
class Built(Note):
    """For each build of the turn, the bases that it is joined to."""

    bases: tuple[frozenset[Base], ...] = ()


@dataclass(frozen=True, slots=True)
class BuildTrack(TrackAct):
    """Build track. Each build of a turn is in another hex, and from another base."""  # rule 6.5

    takes = (Lay,)
    notes = (Laid, Built)

    def offers(self, title: Title, state: State, turn: Turn, player: PlayerId) -> Iterator[Choice]:
        for order in list_builds(title, state, turn):
            yield Exact(order)

    def cost(self, title: Title, state: State, turn: Turn, order: Order) -> int | None:
        assert isinstance(order, Lay)
        return lay_price(title, state, order, (), rules(title, state, turn.company))

    def left(self, title: Title, state: State, turn: Turn) -> LaysLeft:
        return replace(lays_left(rules(title, state, turn.company), turn.note(Laid).hexes), apart=True)

    def carry_out(self, play: Play, turn: Turn, player: PlayerId, order: Order) -> None:
        assert isinstance(order, Lay)
        play.note(check_build(play.title, play.state, turn, order))
        if not play.failures:
            build(play, turn, order)


def most_builds(title: Title, state: State, company: CompanyId) -> int:
    """The number of builds that the company has in a turn. A minor has one. A major has one for each base in phase 2,
    one for each base but at most two in phases 3 and 4, and one later."""  # rule 6.4
    if charter_of(title, state, company).kind == MINOR:
        return 1
    if state.phase == ONE_A_BASE:
        return len(own_bases(title, state, company))
    return min(2, len(own_bases(title, state, company))) if state.phase in TWO_AT_MOST else 1


def own_bases(title: Title, state: State, company: CompanyId) -> tuple[Base, ...]:
    """The company's tokens in cities; a token in a pass is no base."""  # clarification 1.8
    return bases(state.board, company, title.policies.ways(title, state, company, "lay"))


def rules(title: Title, state: State, company: CompanyId) -> LayRules:
    """The rules of a build for the company now."""  # rule 6.4, 6.9, clarification 3.2
    most = most_builds(title, state, company)
    return LayRules(most, most, new_track=NEW_TRACK, chosen_homes=False, home_first=False)


def check_build(title: Title, state: State, turn: Turn, order: Lay) -> list[Failure]:
    """Every reason against a build."""
    company, earlier = turn.company, turn.note(Laid).hexes
    failures = [] if order.using is None else [Failure("order.no_such_part", {"part": "using"})]
    here = rules(title, state, company)
    failures += check_lay(title, state, company, order, earlier, state.money(company), here)
    if not failures:
        failures += _check_change(title, state, company, order)
    if not failures and not _from_another_base(title, state, turn, order):
        facts: dict[str, Fact] = {"hex": order.hex, "company": company, "hexes": tuple(h for h, _ in earlier)}
        failures.append(Failure("lay.same_base", facts))
    return failures


def _check_change(title: Title, state: State, company: CompanyId, order: Lay) -> list[Failure]:
    """Under a ruling, a city must change in value if no new track is reached."""  # rule 6.9, clarification 3.2
    old, new = state.board.face(order.hex).cities, title.map.tiles[order.tile].face.cities
    if rulings_of(title).city_upgrades == "any" or not old or not new or old[0].revenue != new[0].revenue:
        return []
    hex, found = title.map.hexes[order.hex], reach_for(title, state, company, "lay")
    return list(
        check_joined(title, state, company, hex, order.tile, order.rotation % 6, frozenset({"city", "pass"}), found)
    )


def _from_another_base(title: Title, state: State, turn: Turn, order: Lay) -> bool:
    """True if each build of the turn, with this one, can be given a base of its own."""  # rule 6.5
    earlier = turn.note(Built).bases
    return not earlier or all_apart((*earlier, joined_bases(title, state, turn.company, order, NEW_TRACK)))


def list_builds(title: Title, state: State, turn: Turn) -> Iterator[Lay]:
    """Every legal build."""
    company = turn.company
    here = rules(title, state, company)
    for order in list_lays(title, state, company, turn.note(Laid).hexes, state.money(company), here):
        if _from_another_base(title, state, turn, order) and not _check_change(title, state, company, order):
            yield order


def build(play: Play, turn: Turn, order: Lay) -> None:
    """Carry out a checked build. The bases from which it can be reached are remembered while another build may
    follow."""
    title, state, company = play.title, play.state, turn.company
    earlier = turn.note(Built).bases
    if len(earlier) + 1 < most_builds(title, state, company):
        turn = turn.noting(Built((*earlier, joined_bases(title, state, company, order, NEW_TRACK))))
    upgrade = bool(state.board.face(order.hex).paths)
    play.pay(company, BANK, lay_price(title, state, order, (), rules(title, state, company)), "terrain", order.hex)
    play.emit(TileLaid(company, order.hex, order.tile, order.rotation))
    play.become(turn.noting(Laid((*turn.note(Laid).hexes, (order.hex, upgrade)))))
    look_at_areas(play, company)
