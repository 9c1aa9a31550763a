"""The terms of a merger or conversion, found by trying it: the price, the shares of each holder, who must agree, and
who is asked what after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final, TypeAlias

from engine.core import orders as o
from engine.core.agenda import Ask, Range
from engine.core.checks import Refused
from engine.core.decide import asked, decide_to_state
from engine.core.decide import menu as menu_of
from engine.core.events import Event
from engine.core.ids import POOL, TREASURY, CompanyId, PlayerId
from engine.core.secret import NotKnownHere
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of
from moderator.words.position.over_limit import Over, over_limit
from moderator.words.position.views import company, hands
from moderator.words.question.discards import discards
from moderator.words.texts import Words

Follows: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Questions, each with the holders who are asked."""
_MOST_ASKED: Final = 12
"""The maximum number of consents that are followed."""
_MOST_AFTER: Final = 24
"""The maximum number of questions after the consents that are followed."""
_OF_MARKERS: Final = ("merger.keep", "markers.stay", "tokens.number")
"""Questions that decide which markers a new company has."""
_IDLE: Final = (o.Pass, o.Decline, o.Refuse)
"""The orders of those who do nothing."""


@dataclass(frozen=True, slots=True)
class Terms:
    """``price``: of the new company. ``consent``: the other players who must agree. ``shares``: of the new company, by
    holder. ``money``: what each player receives; below zero, what he pays. ``follows``: the questions that come next,
    with the holders who are asked, in order, as far as they are if nobody takes anything. ``over``: the companies that
    are over their train limit then. ``formed``: what the new company has."""

    price: int | None
    consent: tuple[PlayerId, ...]
    shares: tuple[tuple[str, int], ...]
    money: tuple[tuple[PlayerId, int], ...]
    follows: Follows = ()
    over: Over = ()
    formed: Formed | None = None
    undone: bool = False
    """True if the order is undone when nobody takes a share."""
    most: tuple[tuple[str, int], ...] = ()
    """The most shares that each holder who is asked may take."""
    at_once: str = ""
    """The director, if he is asked first, so that his answer may stand below the order; "" if not."""


@dataclass(frozen=True, slots=True)
class Formed:
    """A company as a merger or conversion makes it. ``all``: the number of its shares, 0 if it has a single
    certificate. ``left``: the number of markers still to place."""

    name: str
    all: int
    cash: int
    trains: tuple[str, ...]
    loans: int
    privates: tuple[str, ...]
    places: tuple[str, ...]
    left: int


def terms_of(title: Title, state: State, order: o.Merge | o.Convert) -> dict[str, object]:
    """The terms of ``order`` up to the first question that is no consent, as facts. If they cannot be known, only the
    price is told, as far as the rules fix it."""
    found = _known(title, state, order, CompanyId(order.into or order.actor))
    chosen = order.price if isinstance(order, o.Merge) else None
    price = chosen or title.policies.merged_price(title, state, order)
    known = {} if price is None else {"price": price}
    return {**asdict(found), **known, "outcomes": _outcomes(title, state, order)}


def terms_agreed(title: Title, state: State, order: o.Agree, merger: o.Merger) -> dict[str, object]:
    """The terms of the ``merger`` to which ``order`` agrees, if all others agree too."""
    found = _known(title, state, order, merger.into)
    price = title.policies.merged_price(title, state, o.Merge(merger.minors[0], merger.minors, merger.into))
    return {**asdict(found), **({} if price is None else {"price": price})}


def _known(title: Title, state: State, order: o.Order, into: CompanyId) -> Terms:
    try:
        found = _tried(title, state, order, into)
    except NotKnownHere:  # a lot, or something sealed, comes first
        found = None
    return found or Terms(None, (), (), ())


def _outcomes(title: Title, state: State, order: o.Merge | o.Convert) -> tuple[tuple[object, ...], ...]:
    """The remarks of the title on the company that a merger leaves; empty if there are none."""
    mergers = title.policies.remarks(title, state, order.actor).get("mergers", ())
    wanted = ((order.actor, *order.minors), order.into) if isinstance(order, o.Merge) else None
    return tuple(one for one in mergers if one[:2] == wanted)


def then(own: Words, title: Title, terms: Mapping[str, object]) -> str:
    """The trains that must go after an order with these ``terms``, and the questions that follow with those who are
    asked; "" if there are none."""
    follows, over, takers = terms["follows"], terms["over"], terms["most"]
    assert isinstance(follows, tuple) and isinstance(over, tuple) and isinstance(takers, tuple)
    keys = [(f"follows.{what}", who) for what, who in follows if own.word(f"follows.{what}", "", title.name)]
    facts = {"price": terms["price"], "most": dict(takers), "at_once": terms["at_once"]}
    said = (own.say("words", key, title=title, who=who, **facts) for key, who in keys)
    undone = own.say("words", "undone", title=title) if terms["undone"] else ""
    return "; ".join(filter(None, (discards(own, title, over), *said, undone)))


def told(own: Words, title: Title, terms: Mapping[str, object]) -> dict[str, object]:
    """These ``terms``, with what the new company ``has``, as a clause, and the number of ``all`` its shares."""
    formed = terms["formed"]
    has = own.say("words", "formed", title=title, **formed) if isinstance(formed, dict) else ""
    return {**terms, "has": has, "all": formed["all"] if isinstance(formed, dict) else 0}


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
    follows, later, end, most = _followed(title, state, now)
    led = order.actor in title.companies
    director = title.policies.director(title, state, CompanyId(order.actor)) if led else None
    first = most[0][0] if most and follows and follows[0][1][0] == most[0][0] else ""
    moved = tuple((p, sum) for p in state.players if (sum := now.money(p) - state.money(p)))
    over = over_limit(title, state, (*events, *later), end)
    undone = into in now.prices and into not in end.prices
    return Terms(
        title.price(now, into) if into in now.prices else None,
        tuple(consent),
        tuple((str(holder), count) for holder, count in hands(title, now, into) if holder not in away),
        moved if now.round == state.round else (),  # in another round there may be incomes too
        follows,
        over,
        _formed(title, now if undone else end, into, follows, over),
        undone,
        most,
        first if first == director and not consent else "",
    )


def _formed(title: Title, end: State, into: CompanyId, follows: Follows, over: Over) -> Formed | None:
    """The company as it is formed; None if it is not. Trains of which it discards some are left out, and
    markers that are chosen then."""
    if into not in end.prices:
        return None
    all = all_shares(title, end, into) if len(charter_of(title, end, into).certificates) > 1 else 0
    line = company(title, end, into)
    if any(what in _OF_MARKERS for what, _ in follows):
        line = replace(line, places=(), left=0)
    trains = () if into in [name for name, *_ in over] else line.trains
    return Formed(into, all, line.cash, trains, line.loans, line.privates, line.places, line.left)


def _followed(
    title: Title, before: State, now: State
) -> tuple[Follows, list[Event], State, tuple[tuple[str, int], ...]]:
    """The questions from the position ``now`` on that belong to the order given in ``before``: those asked before
    anything that waited on the agenda goes on. Everybody is supposed to take as little as possible. Then the events,
    the position after them, and the most shares that each may take."""
    found: dict[str, dict[str, None]] = {}
    events, most = list[Event](), dict[str, int]()
    for _ in range(_MOST_AFTER):
        asks = asked(title, now)
        if not asks or now.round != before.round or len(now.agenda) <= len(before.agenda):
            break
        found.setdefault(asks[0].what, {})[asks[0].actor] = None
        takes = [c.high for c in menu_of(title, now, asks[0]) if isinstance(c, Range) and isinstance(c.order, o.Take)]
        if takes:
            most.setdefault(asks[0].actor, takes[0])
        try:
            played = decide_to_state(title, now, _least(title, now, asks[0]))
        except NotKnownHere:
            break
        if isinstance(played, Refused):
            break
        now = played.state
        events += played.events
    return tuple((what, tuple(holders)) for what, holders in found.items()), events, now, tuple(most.items())


def _least(title: Title, state: State, ask: Ask) -> o.Order:
    """The answer that takes as little as possible."""
    if ask.silence is not None:
        return ask.silence
    orders = [choice.sample(0) for choice in menu_of(title, state, ask)]
    return next((order for kind in _IDLE for order in orders if isinstance(order, kind)), orders[0])
