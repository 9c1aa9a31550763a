"""The terms of a merger or conversion, found by trying it: the price, the shares of each holder, who must agree, and
who is asked what after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.checks import Refused
from engine.core.decide import asked, decide_to_state
from engine.core.decide import menu as menu_of
from engine.core.events import Event
from engine.core.ids import POOL, TREASURY, CompanyId, PlayerId
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Title
from moderator.words.position.over_limit import Over, over_limit
from moderator.words.position.views import hands
from moderator.words.question.discards import discards
from moderator.words.texts import Words

_MOST_ASKED: Final = 12
"""The maximum number of consents that are followed."""
_MOST_AFTER: Final = 24
"""The maximum number of questions after the consents that are followed."""
_IDLE: Final = (o.Pass, o.Decline, o.Refuse)
"""The orders of those who do nothing."""


@dataclass(frozen=True, slots=True)
class Terms:
    """``price``: of the new company. ``consent``: the other players who must agree. ``shares``: of the new company, by
    holder. ``money``: what each player receives; below zero, what he pays. ``follows``: the questions that come next,
    with the holders who are asked, in order, as far as they are if nobody takes anything. ``over``: the companies that
    are over their train limit then. ``holds``: the new company with its cash, its trains and the number of its markers
    then."""

    price: int | None
    consent: tuple[PlayerId, ...]
    shares: tuple[tuple[str, int], ...]
    money: tuple[tuple[PlayerId, int], ...]
    follows: tuple[tuple[str, tuple[str, ...]], ...] = ()
    over: Over = ()
    holds: tuple[CompanyId, int, tuple[str, ...], int] | None = None


def terms_of(title: Title, state: State, order: o.Merge | o.Convert) -> dict[str, object]:
    """The terms of ``order`` up to the first question that is no consent, as facts. If they cannot be known, only the
    price is told, as far as the rules fix it."""
    try:
        found = _tried(title, state, order, CompanyId(order.into or order.actor))
    except NotKnownHere:  # a lot, or something sealed, comes first
        found = None
    chosen = order.price if isinstance(order, o.Merge) else None
    price = chosen or title.policies.merged_price(title, state, order)
    known = {} if price is None else {"price": price}
    return {**asdict(found or Terms(None, (), (), ())), **known, "outcomes": _outcomes(title, state, order)}


def held_after(own: Words, title: Title, state: State, order: o.Agree) -> str:
    """What the new company has if all agree to the merger that ``order`` speaks of, in words; "" if that is not
    known."""
    assert isinstance(order.subject, o.Merger), order
    try:
        found = _tried(title, state, order, order.subject.into)
    except NotKnownHere:
        found = None
    return holds(own, title, {"holds": None if found is None else found.holds})


def holds(own: Words, title: Title, terms: Mapping[str, object]) -> str:
    """What the new company of ``terms`` has then, in words; "" if it is not known, or the title does not tell it."""
    if not isinstance(held := terms["holds"], tuple):
        return ""
    company, cash, trains, markers = held
    return own.say("words", "holds", title=title, company=company, cash=cash, trains=trains, markers=markers)


def _outcomes(title: Title, state: State, order: o.Merge | o.Convert) -> tuple[tuple[object, ...], ...]:
    """The remarks of the title on each company that may result from a merger of these companies; empty if nothing."""
    mergers = title.policies.remarks(title, state, order.actor).get("mergers", ())
    return tuple(one for one in mergers if isinstance(order, o.Merge) and one[0] == (order.actor, *order.minors))


def then(own: Words, title: Title, terms: Mapping[str, object]) -> str:
    """The trains that must go after an order with these ``terms``, and the questions that follow with those who are
    asked; "" if there are none."""
    follows, over = terms["follows"], terms["over"]
    assert isinstance(follows, tuple) and isinstance(over, tuple)
    keys = [(f"follows.{what}", who) for what, who in follows if own.word(f"follows.{what}", "", title.name)]
    said = (own.say("words", key, title=title, who=who) for key, who in keys)
    return "; ".join(filter(None, (discards(own, title, over), *said)))


def _tried(title: Title, state: State, order: o.Order, into: CompanyId) -> Terms | None:
    played = decide_to_state(title, state, order)
    consent, events = dict[PlayerId, None](), list[Event]()
    for _ in range(_MOST_ASKED):
        if isinstance(played, Refused):
            return None
        now = played.state
        events += played.events
        ask = next((ask for ask in asked(title, now) if ask.what == "consent"), None)
        agree = None if ask is None else next(
            (c.order for c in menu_of(title, now, ask) if isinstance(c.order, o.Agree)), None
        )  # fmt: skip
        if ask is None or agree is None:
            break
        consent[ask.player] = None
        played = decide_to_state(title, now, agree)
    else:
        return None
    away = (POOL, TREASURY, title.unsold)
    follows, later, end = _followed(title, state, now)
    moved = tuple((p, sum) for p in state.players if (sum := now.money(p) - state.money(p)))
    return Terms(
        title.price(now, into) if into in now.prices else None,
        tuple(consent),
        tuple((str(holder), count) for holder, count in hands(title, now, into) if holder not in away),
        moved if now.round == state.round else (),  # in another round there may be incomes too
        follows,
        over_limit(title, state, (*events, *later), end),
        _held(title, end, into),
    )


def _held(title: Title, state: State, company: CompanyId) -> tuple[CompanyId, int, tuple[str, ...], int]:
    trains = tuple(map(str, state.companies[company].trains))
    return company, state.money(company), trains, title.policies.markers(title, state, company)


def _followed(
    title: Title, before: State, now: State
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], list[Event], State]:
    """The questions from the position ``now`` on that belong to the order given in ``before``: those asked before
    anything that waited on the agenda goes on. Everybody is supposed to take as little as possible. Then the events,
    and the position after them."""
    found: dict[str, dict[str, None]] = {}
    events = list[Event]()
    for _ in range(_MOST_AFTER):
        asks = asked(title, now)
        if not asks or now.round != before.round or len(now.agenda) <= len(before.agenda):
            break
        found.setdefault(asks[0].what, {})[asks[0].actor] = None
        try:
            played = decide_to_state(title, now, _least(title, now, asks[0]))
        except NotKnownHere:
            break
        if isinstance(played, Refused):
            break
        now = played.state
        events += played.events
    return tuple((what, tuple(holders)) for what, holders in found.items()), events, now


def _least(title: Title, state: State, ask: Ask) -> o.Order:
    """The answer that takes as little as possible."""
    if ask.silence is not None:
        return ask.silence
    orders = [choice.sample(0) for choice in menu_of(title, state, ask)]
    return next((order for kind in _IDLE for order in orders if isinstance(order, kind)), orders[0])
