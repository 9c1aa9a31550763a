"""Say before the run what each way of paying does to the price of the company."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, TypeAlias

from engine.core import events as ev
from engine.core import orders as o
from engine.core.checks import Refused
from engine.core.decide import decide_to_state
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from moderator.words.question.best_run import best_routes
from moderator.words.texts import Words

Way: TypeAlias = Literal["full", "half", "none"]
_WAYS: Final[tuple[Way, ...]] = ("full", "half", "none")


def told_ways(
    own: Words, title: Title, state: State, company: CompanyId, ways: Collection[str],
    trains: Iterable[tuple[str, int]] = (),
) -> str:  # fmt: skip
    """The ``ways`` of paying as orders, each with the price that it brings after the best run found, and the cash that
    the company has then. ``trains``: the trains on sale with their costs; those that the cash pays are named if not
    all ways leave enough for the same."""
    ran = _ran(title, state, company)
    able = [way for way in _WAYS if way in ways]
    found = [None if ran is None else decide_to_state(title, ran[0], o.Pay(company, way)) for way in able]
    told = [
        None if paid is None or isinstance(paid, Refused) else {
            **_price(title, state, company, paid.events),
            "cash": (cash := paid.state.money(company)),
            "trains": tuple(name for name, cost in trains if cost <= cash),
        }
        for paid in found
    ]  # fmt: skip
    differ = len({way["trains"] for way in told if way}) > 1
    return own.say("words", "pay_ways", title=title, ways=able, told=told, differ=differ)


def fixed_dividend(own: Words, title: Title, state: State, company: CompanyId) -> str:
    """A sentence for a company that does not choose its dividend, with price and cash after the best run found."""
    ran = _ran(title, state, company)
    price = _price(title, state, company, () if ran is None else ran[1])
    cash = None if ran is None else ran[0].money(company)
    return own.say("words", "fixed_dividend", title=title, company=company, cash=cash, **price)


def _ran(title: Title, state: State, company: CompanyId) -> tuple[State, Sequence[ev.Event]] | None:
    """The position after the best run, and its events; None if it earns nothing, or if little work does not prove it
    the best: then the rules might search for long."""
    best = best_routes(title, state, company)
    played = decide_to_state(title, state, o.Run(company, best.routes)) if best.value and best.proven else None
    return None if played is None or isinstance(played, Refused) else (played.state, played.events)


def _price(title: Title, state: State, company: CompanyId, events: Sequence[ev.Event]) -> dict[str, int | None]:
    """The price of a company ``before`` the events and ``after`` them: None if it does not change."""
    moved = [event.price for event in events if isinstance(event, ev.PriceSet) and event.company == company]
    return {"before": title.price(state, company), "after": moved[-1] if moved else None}
