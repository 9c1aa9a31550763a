"""A merger of two companies of one class, from the price of the new company to the end of the old ones.

The exchange of shares and the choice of tokens are frames on top of ``Merging``, which goes on when they are over. A
merger that a company ordered is taken back as a whole if it ends without a president or closes a circle. A merger that
the first 4-train brings is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.acts.act import Turn
from engine.core.events import Chartered, Merged, Restored
from engine.core.ids import Cell, CompanyId, PlayerId
from engine.core.orders import Merge, Order
from engine.core.secret import HIDDEN
from engine.core.state import Frame, Note, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.holders.control import controller_of, owner_of
from engine.steps.automatic import NobodyAsked
from engine.titles.t1841.mergers.assets import (
    discard_held,
    end_company,
    form_company,
    give_up_all,
    leave_without_president,
    major_charter,
    move_assets,
)
from engine.titles.t1841.mergers.decision_order import deciders
from engine.titles.t1841.mergers.exchange import MergerExchange, exchange_minors, old_shares
from engine.titles.t1841.mergers.tokens import (
    CITY,
    MOST,
    KeepTokens,
    drop_doubles,
    merged_tokens,
    standing,
    staying,
    tokens_of,
)
from engine.titles.t1841.names import FIRENZE, MAJOR, PISA
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.circles import new_circle
from engine.titles.t1841.stock.market import merged_choices
from engine.titles.t1841.stock.presidency import frozen, tell_frozen
from engine.titles.t1841.turn.surplus import Surplus

Stage = Literal["shares", "tokens", "end"]


@dataclass(frozen=True, slots=True)
class Merging(Frame):
    """``parts`` become ``into``. ``leader``: the player with whom decision order begins, and who decides what nobody
    else can. ``kind``: the kind of ``parts``.

    ``before``: the position to restore if the merger fails, without the seed of lots; None if the merger must stand.
    ``tuscan``: the merger belongs to the Tuscan merge. It makes the SFLi or, with ``between``, the major of two minors
    that then merges into the SFLi."""

    parts: tuple[CompanyId, CompanyId]
    into: CompanyId
    leader: PlayerId
    kind: str
    stage: Stage = "shares"
    before: State | None = None
    tuscan: bool = False
    between: bool = False
    owned: int = 0
    """The tokens of both companies, less those lost because two shared a place or a hex."""
    was_frozen: frozenset[CompanyId] = frozenset()


@dataclass(frozen=True, slots=True)
class Tried(Note):
    """``partners``: companies with which a merger was taken back or refused in this turn."""

    partners: tuple[CompanyId, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a merger; see ``Merging``."""

    leader: PlayerId
    price: int | None = None
    voluntary: bool = True
    between: bool = False


def prices_of(title: Title, state: State, parts: tuple[CompanyId, CompanyId]) -> tuple[Cell, ...]:
    """The spaces in which the new company's price marker may begin. There is more than one only if both companies are
    majors dearer than 250 L. at different prices."""  # rule 10.14
    first, second = (title.cell(state, part) for part in parts)
    return merged_choices(title, first, second, charter_of(title, state, parts[0]).kind)


def price_merged(title: Title, state: State, order: Order) -> int | None:
    """The price of the company that a merger forms, the chosen one if there is a choice; None for other orders."""
    if (
        not isinstance(order, Merge)
        or order.actor not in state.prices
        or not all(m in state.prices for m in order.minors)
    ):
        return None
    found = [title.chart.price(cell) for cell in prices_of(title, state, (order.actor, order.minors[0]))]
    return order.price or found[0]


def begin_merger(play: Play, parts: tuple[CompanyId, CompanyId], into: CompanyId, terms: Terms) -> None:
    """Carry out a checked merger up to the first question. The frame on top must be ready to go on when the merger is
    over. If it is a company's turn, that company may be gone by then."""  # rule 10.15
    title, before = play.title, play.state
    kind = charter_of(title, before, parts[0]).kind
    cells = prices_of(title, before, parts)
    cell = next((c for c in cells if title.chart.price(c) == terms.price), cells[0])
    order = tuple(d for d in deciders(title, before, terms.leader) if d[0] not in parts)
    old = tuple((d, old_shares(title, before, d[0], parts)) for d in order)
    holders = tuple((d, number) for d, number in old if number)
    first, second = parts
    discard_held(play, first, second)
    discard_held(play, second, first)
    if kind != MAJOR:
        for part in parts:
            give_up_all(play, part)
    form_company(play, into, major_charter(title, into, min(MOST, tokens_of(title, before, parts))), cell, "merged")
    for part in parts:
        move_assets(play, part, into)
    play.emit(Merged(parts, into, title.chart.price(cell)))
    play.push(
        Merging(
            parts,
            into,
            terms.leader,
            kind,
            before=replace(before, seed=HIDDEN) if terms.voluntary else None,
            tuscan=not terms.voluntary,
            between=terms.between,
            was_frozen=frozen(title, before),
        )
    )
    if kind == MAJOR:
        rulings = rulings_of(title)
        surplus = rulings.surplus_trains == "before_exchange" and rulings.discards == "at_once"
        decides = tuple(d for d, _ in holders)
        play.push(MergerExchange(parts, into, terms.leader, decides, forced=not terms.voluntary, surplus=surplus))
    else:
        exchange_minors(play, holders, [owner_of(title, before, part) for part in parts], into)


# ---- the end of a merger --------------------------------------------------------------------------------------------


class MergingStep(NobodyAsked):
    """Continue a merger after the exchange of shares, and after the choice of tokens."""

    def advance(self, play: Play, frame: Merging) -> None:
        match frame.stage:
            case "shares":
                self._shares_done(play, frame)
            case "tokens":
                self._tokens(play, frame)
            case "end":
                self._end(play, frame)

    def _shares_done(self, play: Play, frame: Merging) -> None:
        if frame.before is not None:
            if (reason := failure_of(play.title, frame, play.state)) is not None:
                take_back(play, frame, reason)
                return
        else:
            leave_without_president(play, frame.into)
        play.become(replace(frame, stage="tokens"))
        tell_frozen(play, frame.was_frozen | {*frame.parts})
        if rulings_of(play.title).discards == "at_once":
            play.push(Surplus(frame.into, frame.leader))

    def _tokens(self, play: Play, frame: Merging) -> None:
        title = play.title
        owned = tokens_of(title, play.state, frame.parts) - drop_doubles(play, frame.parts)
        play.become(replace(frame, stage="end", owned=owned))
        places = standing(play.state, frame.parts)
        hexes = len({hex for hex, _, _ in places})
        if frame.between:
            least = most = hexes
        else:
            least, most = staying(owned, hexes)
        ask = KeepTokens(frame.into, frame.leader, frame.parts, places, least, most)
        if frame.tuscan and not frame.between:
            ask = _sfli_tokens(title, play.state, ask)
        play.push(ask)

    def _end(self, play: Play, frame: Merging) -> None:
        number = MOST if frame.tuscan and not frame.between else merged_tokens(frame.owned)
        charter = charter_of(play.title, play.state, frame.into)
        play.emit(Chartered(frame.into, replace(charter, markers=number)))
        for part in frame.parts:
            if part != frame.into:
                end_company(play, part, "merged")
        play.pop()


def failure_of(title: Title, frame: Merging, now: State) -> str | None:
    """Why an ordered merger is taken back after the exchange of shares; None if it stands."""
    # rule 10.19, 11.1, clarification 3.1, 3.6
    assert frame.before is not None
    if rulings_of(title).circles == "refused" and new_circle(title, frame.before, now):
        return "circle"
    return "no_president" if controller_of(title, now, frame.into) is None else None


def take_back(play: Play, frame: Merging, reason: str) -> None:
    """Restore the position before the order. The company may not order the same merger again in its turn."""
    assert frame.before is not None
    play.emit(Restored(frame.before, reason))
    turn = play.state.top
    assert isinstance(turn, Turn), turn
    tried = turn.note(Tried).partners
    other = next(part for part in frame.parts if part != turn.company)
    play.become(turn.noting(Tried((*tried, other))))


def _sfli_tokens(title: Title, state: State, ask: KeepTokens) -> KeepTokens:
    """Limit the SFLi's choice of tokens. Those in Firenze and Pisa stay. Its president may keep others; without a
    president, no other stays. If it has neither, one stays in another city: the decider chooses it or, under the site's
    ruling, it is the first by name."""
    # rule 9.19, 9.20, clarification 2.28, 3.4
    there = dict.fromkeys(hex for hex, _, _ in ask.places)
    fixed = frozenset(hex for hex in there if hex in (FIRENZE, PISA))
    fewest = max(1, len(fixed))
    if controller_of(title, state, ask.company) is not None:
        return replace(ask, least=fewest, most=min(MOST, len(there)), fixed=fixed)
    if not fixed and rulings_of(title).frozen_sfli_token == "by_name":
        cities = [h for h, c, _ in ask.places if state.board.face(h).cities[c].kind == CITY]
        fixed = frozenset(sorted(cities, key=lambda h: title.map.hexes[h].name or h)[:1])
    return replace(ask, least=fewest, most=fewest, fixed=fixed)
