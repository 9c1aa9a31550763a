"""Sections of a mail: the orders of one actor, played one after the other for as long as he is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import Ask, Failure, Game, Refused
from engine.core.events import Event, Popped, Pushed, Restored
from engine.core.ids import CompanyId
from engine.core.order_kinds import END, ENDS, NO_STEPS
from engine.core.orders import (
    BuyToken,
    Dividend,
    Done,
    Lay,
    Order,
    Pay,
    Run,
    RunBest,
    Settle,
    Standing,
    Token,
    Train,
    Tunnel,
)
from grammar import Section
from moderator.domain.ahead.standing.conditions import is_guard, unmet
from moderator.domain.asks import acting, at_any_moment, of_any_amount, turn_kinds, understood_now
from moderator.domain.consequence import NOTHING, grave
from moderator.domain.fork import Fork, Origin
from moderator.domain.transcript import Facts
from moderator.domain.waiting import WAITS, awaited, interrupts


@dataclass(slots=True)
class Played:
    """The result of a section. ``given``: the orders that were carried out, as understood, each with its events."""

    given: list[tuple[Order, tuple[Event, ...]]] = field(default_factory=list)
    failures: tuple[Failure, ...] = ()
    """The reasons why the order after those in ``given`` was refused; empty if none was."""
    rest: bool = False
    """True if the orders after those in ``given`` wait because others are asked in the middle of the turn."""
    not_needed: bool = False
    """True if the orders after those in ``given`` would only end the turn, which is already over."""
    notes: list[tuple[str, Facts]] = field(default_factory=list)


def play_section(
    fork: Fork, player: str, actor: str, orders: Sequence[Order], origin: Origin, *, whole: bool = True
) -> Played:
    """Submit ``orders`` of ``actor``, given by ``player``, until one is refused, others are asked, or all are carried
    out.

    If ``orders`` are a ``whole`` turn of a company that can then end, it is ended as if ``done`` had been written.
    """
    played = Played()
    suspended = False
    for number, order in enumerate(orders):
        ask = open_ask(fork.game, player, actor)
        if isinstance(order, Standing) and is_guard(order):
            if (failure := unmet(fork.game, player, order)) is not None:
                played.failures = (failure,)
                return played
            played.given.append((order, ()))
            continue
        if ask is None and number and suspended:
            played.rest = True
            return played
        if ask is None and number and all(isinstance(left, ENDS) for left in orders[number:]):
            played.not_needed = True
            played.notes.append(("done.not_needed", {"actor": actor, "word": type(order).__name__.lower()}))
            return played
        if ask is not None:
            order = of_any_amount(fork.game, understood_now(fork.game, ask.actor, order))
        order = acting(fork.game, order, (player,))
        depth = len(fork.game.state.agenda)
        free = ask is not None or not number or at_any_moment(fork.game, order)
        result = fork.submit(order, player, origin) if free else _turn_over(fork, actor)
        if isinstance(result, Refused):
            played.failures = result.failures
            return played
        played.given.append((order, result))
        suspended = _suspended(fork.game, depth, result) or (suspended and at_any_moment(fork.game, order))
    if whole and suspended and open_ask(fork.game, player, actor) is None:
        played.notes.append((WAITS, {"actor": actor, **awaited(fork.game)}))
    elif whole:
        _imply_done(fork, player, actor, played, origin)
    return played


def open_ask(game: Game, player: str, actor: str) -> Ask | None:
    """The open question that ``player`` must answer as ``actor``; None if there is none."""
    return next((a for a in game.asked() if a.actor == actor and a.player == player), None)


def _turn_over(fork: Fork, actor: str) -> Refused:
    asked = tuple(a.actor for a in fork.game.asked())
    return Refused((Failure("order.turn_over", {"actor": actor, "asked": asked}),))


def _suspended(game: Game, depth: int, events: tuple[Event, ...]) -> bool:
    """True if the present questions interrupt the turn at ``depth`` of the agenda, which then continues."""
    now = lowest = depth
    for event in events:
        if isinstance(event, Pushed):
            now += 1
        elif isinstance(event, Popped):
            now -= 1
        elif isinstance(event, Restored):
            now = len(event.state.agenda)
        lowest = min(lowest, now)
    if lowest < depth or len(game.state.agenda) <= depth:
        return False
    return any(interrupts(game, ask) for ask in game.asked())


def _asked_for(refused: Refused) -> str | None:
    """The question that the company is asked, if it is one that no ``done`` answers; otherwise None."""
    found = next((f for f in refused.failures if f.check == "order.wrong_kind"), None)
    return None if found is None else str(found.facts["asked"])


def _imply_done(fork: Fork, player: str, actor: str, played: Played, origin: Origin) -> None:
    steps = [order for order, _ in played.given if not isinstance(order, NO_STEPS)]
    if not steps or isinstance(steps[-1], END) or actor not in fork.game.title.companies:
        return
    if open_ask(fork.game, player, actor) is None:
        return
    done = END(CompanyId(actor))
    before = fork.game.check(done)
    lost, sum = NOTHING if isinstance(before, Refused) else grave(actor, before)
    if lost and any(not isinstance(choice.order, END) for choice in fork.game.legal(CompanyId(actor))):
        played.notes.append(("done.grave", {"actor": actor, "lost": lost, "sum": sum}))
        return
    result = fork.submit(done, player, origin)
    if isinstance(result, Refused) and (other := _asked_for(result)) is not None:
        played.notes.append(("done.other", {"actor": actor, "asked": other}))
    elif isinstance(result, Refused):
        played.notes.append(("done.missing", {"actor": actor, "failures": result.failures}))
    else:
        played.given.append((done, result))
        played.notes.append(("done.implied", {"actor": actor, "lost": lost, "sum": sum}))


def going_on(sections: Sequence[Section]) -> dict[int, int]:
    """Index of a section -> index of the section that continues its turn. The sections between them have no steps of a
    turn (only uses of powers and answers to questions), and so do not end it. A section right after it continues the
    turn of a company if its orders come later in a turn: who writes the head before each line means one turn."""
    found: dict[int, int] = {}
    for number, section in enumerate(sections):
        if section.orders and isinstance(section.orders[-1].order, ENDS):
            continue
        for later in range(number + 1, len(sections)):
            same = sections[later].actor == section.actor
            if same and (later > number + 1 or _come_later(section, sections[later])):
                found[number] = later
            if same or _has_steps(sections[later]):
                break
    return found


_ORDER: Final[Mapping[type[Order], int]] = {
    **dict.fromkeys((Lay, Tunnel), 0),
    **dict.fromkeys((Token, BuyToken), 1),
    **dict.fromkeys((Run, RunBest), 2),
    **dict.fromkeys((Pay, Dividend), 3),
    **dict.fromkeys((Settle, Train), 4),
    Done: 5,
}
"""The place of an order in a company's turn, in all titles; others may come at several places."""
_ONCE: Final = frozenset({2, 3})
"""Places at which one order is given in a turn."""


def _come_later(section: Section, following: Section) -> bool:
    """True if all orders are steps of a company's turn, and those of ``following`` come after those of ``section``."""
    before, after = ([given.order for given in one.orders] for one in (section, following))
    if not all("operate" in turn_kinds(order) for order in (*before, *after)):
        return False
    if all(_ORDER.get(type(order), _ORDER[Done]) == _ORDER[Done] for order in (*before, *after)):
        return not any("stock" in turn_kinds(order) for order in after)  # perhaps two stock turns of a company
    last = max((_ORDER[type(order)] for order in before if type(order) in _ORDER), default=-1)
    first = min((_ORDER[type(order)] for order in after if type(order) in _ORDER), default=len(_ORDER))
    return first > last or (first == last and first not in _ONCE)


def _has_steps(section: Section) -> bool:
    return any(turn_kinds(given.order) for given in section.orders)
