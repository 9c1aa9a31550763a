"""The changes that the next new kind of train brings, found by a trial purchase whose result is discarded.

The module contains no words of any language, only names and numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core import events as ev
from engine.core.ids import CompanyId, TrainName
from engine.core.state import State
from engine.core.title import Play, Title
from moderator.words.position.over_limit import Over, over_limit
from moderator.words.position.views import TrainLine, limits


@dataclass(frozen=True, slots=True)
class NextTrain:
    """The effects of the first purchase of ``train``, which begins ``phase``. ``colors``: new colours of track.
    ``rusts``: trains that rust. ``flips``: trains that flip, each with its other side. ``limits``: train limits that
    change, by kind of company. ``closes``: privates that close. ``leaves``: companies that would leave the game if the
    train were bought now. ``value``: the column of off-board values that then counts. ``national``: companies, then
    privates, that would be nationalised, each with what its owners are paid. ``over``: the companies that
    would have to discard trains. ``trainless``: those that would lose their last train and stay in play."""

    train: str
    phase: str
    colors: tuple[str, ...]
    rusts: tuple[str, ...]
    flips: tuple[tuple[str, str], ...]
    limits: tuple[tuple[str, int], ...]
    closes: tuple[str, ...]
    leaves: tuple[str, ...]
    value: str
    national: tuple[tuple[str, int], ...] = ()
    over: Over = ()
    trainless: tuple[str, ...] = ()


def next_train(title: Title, state: State, trains: tuple[TrainLine, ...]) -> NextTrain | None:
    """The changes that the next new kind among ``trains`` brings; None if no train begins a phase, or if companies are
    in play but none has a director."""
    buyer = _buyer(title, state)
    if buyer is None:
        return None
    for line in trains:
        for face, _ in line.faces:
            play = Play(title, state)
            title.policies.train_bought(play, buyer, TrainName(face))
            events = tuple(play.events)
            if began := next((e.phase for e in events if isinstance(e, ev.PhaseBegan)), None):
                found = _told(title, state, face, str(began), events)
                over, bare = over_limit(title, state, events, play.state), without_train(state, play.state)
                return replace(found, over=over, trainless=bare)
    return None


def without_train(before: State, now: State) -> tuple[str, ...]:
    """The companies in play that have lost their last train."""
    return tuple(
        str(name)
        for name, company in now.companies.items()
        if company.status == "open" and before.companies[name].trains and not company.trains
    )


def _buyer(title: Title, state: State) -> CompanyId | None:
    """The first company in operating order that has a director; None if none has. If no company is in play, the first
    company of the title."""
    open = title.policies.operating_order(title, state)
    if not open:
        return next(iter(title.companies))
    return next((company for company in open if title.policies.director(title, state, company) is not None), None)


def _told(title: Title, state: State, train: str, phase: str, events: tuple[ev.Event, ...]) -> NextTrain:
    now, then = title.phase(state), title.phases[title.phase_index(phase)]
    before = dict(limits(title, state, now))
    gone = [e.company for e in events if isinstance(e, ev.CompanyLeft)]
    national = nationalised(title, events)
    gone = [company for company in gone if company not in dict(national)]
    return NextTrain(
        train=train,
        phase=phase,
        colors=tuple(color for color in then.colors if color not in now.colors),
        rusts=tuple(e.train for e in events if isinstance(e, ev.TrainsRusted)),
        flips=tuple((e.train, e.into) for e in events if isinstance(e, ev.TrainsFlipped)),
        limits=tuple((kind, n) for kind, n in limits(title, state, then) if before.get(kind) != n),
        closes=tuple(e.private for e in events if isinstance(e, ev.PrivateClosed)),
        leaves=tuple(dict.fromkeys(str(company) for company in gone if state.companies[company].status == "open")),
        value=then.revenue_color,
        national=national,
    )


def nationalised(title: Title, events: Sequence[ev.Event]) -> tuple[tuple[str, int], ...]:
    """The companies, then the privates, that are nationalised, each with what its owners are paid in all."""
    paid: dict[str, int] = {e.name: 0 for e in events if isinstance(e, ev.Nationalised)}
    for event in events:
        if isinstance(event, ev.Paid) and event.reason in ("nationalised", "face_value") and event.about in paid:
            paid[event.about] += event.amount
    return tuple(sorted(paid.items(), key=lambda one: one[0] not in title.companies))
