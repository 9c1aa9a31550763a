"""Facts of 1863 for the tables of a position, in addition to those that all titles have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any, TypeAlias

from engine.acts.act import Turn
from engine.acts.buy_train import train_room
from engine.acts.run_trains import Earned
from engine.core.ids import Actor, CompanyId, HexId, Place, PlayerId, PrivateId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from engine.titles.t1863 import names, pieces
from engine.titles.t1863.failures.lptb import markers_left
from engine.titles.t1863.mergers.choice import list_mergers, outcome, parts_of
from engine.titles.t1863.mergers.halves import Halves
from engine.titles.t1863.mergers.merger_round import MergerRound, used_in
from engine.titles.t1863.money.loans import loan_bound, loan_room, loans_out, loans_total, most_loans, rate, rate_of
from engine.titles.t1863.money.value import value_parts
from engine.titles.t1863.names import mark
from engine.titles.t1863.privates.powers import token_rate
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.floats import kinds_now
from engine.titles.t1863.stock.markers_due import due
from engine.titles.t1863.stock.market import cell_at, dividend_columns, start_prices, zone
from engine.titles.t1863.stock.shares import open_pairs, shorters, shorts_of
from engine.titles.t1863.sums import of_bid, of_debt, of_offer
from engine.titles.t1863.turn.costs import cost_parts
from engine.titles.t1863.turn.dividends import dividend_step, dividends, payable, revenue_of, spans
from engine.titles.t1863.turn.trains import on_sale

Band: TypeAlias = tuple[int, int | None, int]
"""The lowest and the highest dividend (None if there is no upper limit), and the resulting price."""
Outcome: TypeAlias = tuple[tuple[CompanyId, ...], CompanyId, int, Actor, int, int, tuple[tuple[Place, int, bool], ...]]
"""The companies that merge, the survivor, its price, its president, the shares that he must buy and their price, and
the whole shares of each holder, with True if he also has a half."""


def remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    """The remarks on a company, a private or the game.

    A company in play: its ``kind`` and ``zone``; its ``value`` and the ``parts`` of it; ``most`` loans for its kind,
    its ``loans``, the ``room`` for more, and what it is ``bound`` by; the ``rate`` of interest; ``bill``, the parts of
    its costs in a turn, and what a ``marker`` and trains that it could buy add to it (``upkeep``); the amount ``due``
    for markers of its float, and its unpaid bills ``owed``; ``shorts`` by player, and the ``pairs`` left; the ``step``
    of dividends, None if they are prices of the chart. In its turn, until it declares a dividend: the ``bands`` of
    dividends, and the ``highest`` if it has run; the dividends as ``spans``, the lowest, the highest and the step of
    each, before the run without its revenue and all above twice the price. Where it is asked for, the sums of an
    ``offer`` to the LPTB, and how a bid for the whole company is ``shared``. An unstarted company: ``kept``, because
    the game lists it with its home; and the terms on which it ``floats``. Its ``homes`` that count, none after its
    start.

    A player, or a company that holds shares: the companies of which he has half a share after a merger, ``halves``, or
    half a short, ``half_shorts``, until they are settled. A player who must pay now: his ``debt``.

    A private: its ``power``, whether it is ``used``, and what routes earn (``pays``) and a ``marker`` costs. A company
    in its merger turn: its ``mergers``.

    The game (an empty name): the ``rate`` on loans, the rate if it were set ``now``, loans ``out`` and in ``all``, the
    loans in a ``row`` of the chart and its ``rates``, markers that the LPTB has ``left``, ``bankrupt`` players, the
    reason for the ``ending``, and companies that may be ``started``, each with its home. ``map``: the hexes of the
    ``mail`` and of the ``pirate``. ``printed``: the hexes of the ``sides``, of the ``ring`` around the white circle,
    and those where ``mail`` may stand; the amounts of bonuses (``pays``), the ``upkeep`` of trains and of a ``marker``,
    and whether texts of ``charters`` are lost.
    """
    if name in title.companies:
        return _of_company(title, state, CompanyId(name))
    if name in title.privates:
        return {"power": name, "used": _used(state, PrivateId(name)), **_paid(title)}
    if name == "map":
        return _on_map(state)
    if name == "printed":
        return _printed(title)
    if name in state.players:
        halves, debt = _halves(state, PlayerId(name)), of_debt(title, state, PlayerId(name))
        return {"halves": (), "half_shorts": (), **halves, "debt": debt} if debt else halves
    return _of_game(title, state) if name == "" else {}


# ---- companies -------------------------------------------------------------------------------------------------------


def _of_company(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    if company not in state.prices:
        if state.companies[company].status != "unstarted":
            return {"homes": ()}
        return {"kept": True, "homes": _homes(title, company), "floats": _floats(title, state, company)}
    parts = {key: amount for key, amount in value_parts(title, state, company).items() if amount}
    return {
        "homes": (),
        "kind": charter_of(title, state, company).kind,
        "zone": zone(title, state, company),
        "value": sum(parts.values()),
        "parts": tuple(parts.items()),
        "most": most_loans(title, state, company),
        "room": loan_room(title, state, company),
        "loans": state.companies[company].loans,
        "bound": loan_bound(title, state, company),
        "rate": rate(state),
        "marker": token_rate(title, state, company),
        "upkeep": _upkeep(title, state, company),
        "bill": tuple((key, amount) for key, amount in cost_parts(title, state, company).items() if amount),
        "due": due(state, company),
        "owed": mark(state, names.OWED, dict[CompanyId, int]()).get(company, 0),
        "shorts": tuple((player, shorts_of(state, player, company)) for player in shorters(state, company)),
        "pairs": open_pairs(state, company),
        "mergers": tuple(_mergers(title, state, company)),
        "offer": of_offer(title, state, company),
        "shared": of_bid(title, state, company),
        **_of_dividend(title, state, company),
        **_halves(state, company),
    }


def _floats(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    """The terms of a float now: the kinds, the lowest and the highest price, the price of a marker, and True if the
    first one stands at home, where it costs nothing."""  # rule 4.2, 13.8
    prices, homes = start_prices(title), _homes(title, company)
    return {
        "kinds": kinds_now(title, state),
        "lowest": min(prices),
        "highest": max(prices),
        "marker": pieces.costs(title).marker,
        "at_home": any(hex in homes for hex, _ in state.board.places_of(company)),
    }


def _homes(title: Title, company: CompanyId) -> tuple[HexId, ...]:
    """The home of a company before its start; empty if it has none, or if all companies are equal."""  # rule 13.1
    home = title.companies[company].charter.home
    return () if home is None or rulings_of(title).play != "historical" else (home[0],)


def _upkeep(title: Title, state: State, company: CompanyId) -> tuple[tuple[TrainName, int], ...]:
    """Each train that the company could still buy, with the amount that it adds to the costs of a turn."""
    if train_room(title, state, company) < 1:
        return ()
    return tuple((train, pieces.operating_cost(title, train)) for train in on_sale(title, state))


def _halves(state: State, holder: Actor) -> Mapping[str, Any]:
    """The companies of which ``holder`` has half a share or half a short that is not settled; empty if there are
    none."""
    frames = [frame for frame in state.agenda if isinstance(frame, Halves)]
    odd = tuple(frame.company for frame in frames if holder in frame.odd)
    shorts = tuple(frame.company for frame in frames if holder in frame.shorts)
    return {"halves": odd, "half_shorts": shorts} if odd or shorts else {}


def _mergers(title: Title, state: State, company: CompanyId) -> Iterator[Outcome]:
    """The outcomes of the mergers of two that the company may propose now."""  # rule 8.2, 8.3
    frame = state.agenda[-1] if state.agenda else None  # a game that is over asks nothing
    if not isinstance(frame, MergerRound) or frame.turn != company:
        return
    for order in list_mergers(title, state, company, used_in(state, frame), frame.failed):
        new, price = outcome(title, state, parts_of(order), order.into)
        held = tuple((place, count, place in new.odd) for place, count in new.held.items() if count or place in new.odd)
        yield parts_of(order), order.into, price, new.president, new.bought, new.bought * price, held


def _of_dividend(title: Title, state: State, company: CompanyId) -> Mapping[str, Any]:
    """The bands until the company declares its dividend, and the most that it may pay once it has run, or if it has no
    train."""
    turn = next((f for f in state.agenda if isinstance(f, Turn) and f.company == company), None)
    if turn is None or turn.stage not in ("track", "run", "pay"):
        return {"bands": (), "highest": None, "step": dividend_step(title), "spans": ()}
    sums = None
    if turn.stage == "pay" or turn.note(Earned).revenue is not None:
        sums = payable(title, state, company, revenue_of(state, company))
    elif not state.companies[company].trains:
        sums = payable(title, state, company, 0)
    most = 2 * title.chart.price(state.prices[company].cell)
    return {
        "bands": tuple(bands(title, state, company, sums)),
        "highest": None if sums is None else sums[-1],
        "step": dividend_step(title),
        "spans": tuple(spans(dividends(title, 0, most) if sums is None else sums)),
    }


def bands(title: Title, state: State, company: CompanyId, sums: Sequence[int] | None) -> Iterator[Band]:
    """The ranges of dividends that move the price alike, from 0 up, each with the resulting price. ``sums``: the
    dividends that may be declared; None before the run, because its revenue may be any sum."""  # rule 5.4
    cell, highest = state.prices[company].cell, sums
    if sums is None:
        sums = range(2 * title.chart.price(cell) + 1)
    moved = [(sum, title.chart.price(cell_at(title, cell[1] + dividend_columns(title, cell, sum)))) for sum in sums]
    for price, same in groupby(moved, key=lambda one: one[1]):
        part = [sum for sum, _ in same]
        yield part[0], None if highest is None and part[-1] == sums[-1] else part[-1], price


# ---- privates, game and map ------------------------------------------------------------------------------------------


def _used(state: State, private: PrivateId) -> bool:
    """True if the private has a one-time power that has been used."""
    return any(used == private for used, _ in mark(state, names.USED, frozenset[tuple[str, str]]()))


def _of_game(title: Title, state: State) -> Mapping[str, Any]:
    players, out = len(state.players), loans_out(state)
    return {
        "rate": rate(state),
        "now": rate_of(title, players, out),
        "out": out,
        "all": loans_total(title, players),
        "row": pieces.loans_in_row(title, players),
        "rates": pieces.loan_rates(title),
        "left": markers_left(title, state),
        "bankrupt": tuple(p for p in state.players if p in mark(state, names.OUT, frozenset[str]())),
        "ending": mark(state, names.ENDING, ""),
        "started": tuple(_unstarted(title, state)),
    }


def _unstarted(title: Title, state: State) -> Iterator[tuple[CompanyId, HexId | None]]:
    """The companies not yet started, each with the hex of its first marker if it is on the map, or else its home; None
    if there is neither."""
    for company, now in state.companies.items():
        if now.status == "unstarted":
            placed = next((hex for hex, _ in state.board.places_of(company)), None)
            yield company, placed or next(iter(_homes(title, company)), None)


def _on_map(state: State) -> Mapping[str, Any]:
    pirate: tuple[HexId, int] | None = mark(state, names.PIRATE_AT, None)
    mail: tuple[HexId, ...] = mark(state, names.MAIL_AT, ())
    return {"mail": mail, "pirate": None if pirate is None else pirate[0]} if mail or pirate else {}


def _paid(title: Title) -> Mapping[str, Any]:
    """The amounts that routes earn besides their stops, and the cost of a marker in a turn."""
    return {"pays": asdict(pieces.bonuses(title)), "marker": pieces.costs(title).upkeep}


def _printed(title: Title) -> Mapping[str, Any]:
    sides: tuple[pieces.Side, ...] = ("N", "E", "S", "W")
    return {
        "sides": tuple((side, tuple(sorted(pieces.tagged(title, side)))) for side in sides),
        "ring": tuple(sorted(pieces.inner_circle(title, "ring"))),
        "mail": tuple(sorted(pieces.mail_hexes(title))),
        "pays": _paid(title)["pays"],
        "upkeep": tuple((name, pieces.operating_cost(title, name)) for name in title.trains),
        "marker": _paid(title)["marker"],
        "charters": rulings_of(title).play == "historical",
    }
