"""The parts into which the Secession divides the IRSFF: their price markers, tokens, trains, cash and certificates."""

from __future__ import annotations

from dataclasses import replace

from engine.core.events import (
    CertificatesMoved,
    Chartered,
    CompanyOpened,
    Divided,
    MarkerRemoved,
    MarkerReplaced,
    TrainMoved,
)
from engine.core.ids import Cell, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of
from engine.titles.t1841.names import IRSFF, MINOR, SB, SFL, SFV
from engine.titles.t1841.pieces import veneto_tokens
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.founding import token_limits
from engine.titles.t1841.stock.market import MINOR_COLUMN, put_in_place_of
from engine.titles.t1841.stock.presidency import settle_president, transfer

SFL_TENTH = 10
"""SFL gets one part in this many of the cash of the IRSFF."""
TOKENS = 2
"""The fewest tokens that each part has."""


def parts_of(title: Title) -> tuple[CompanyId, CompanyId]:
    """The part in Veneto and the other part, in this order."""
    return (SFV if SFV in title.companies else SB, SFL)


def divide(play: Play) -> None:
    """Give the IRSFF's price, tokens, trains, cash and certificates of other companies to its parts. The IRSFF's own
    certificates are exchanged afterwards."""  # rule 9.5, 9.7, 9.8, clarification 1.17
    parts = parts_of(play.title)
    play.emit(*(CompanyOpened(part) for part in parts), Divided(IRSFF, parts))
    put_in_place_of(play, IRSFF, parts, _cell(play.title, play.state, parts), "secession")
    _divide_tokens(play, parts)
    _divide_trains(play, parts)
    veneto, rest = parts
    tenth = play.state.money(IRSFF) // SFL_TENTH
    play.pay(IRSFF, rest, tenth, "merged", IRSFF)
    play.pay(IRSFF, veneto, play.state.money(IRSFF), "merged", IRSFF)
    _divide_certificates(play, parts)


def _cell(title: Title, state: State, parts: tuple[CompanyId, CompanyId]) -> Cell:
    """The space of the IRSFF on the chart. For minors, it is never right of their last column, unless a ruling allows
    it."""  # rule 9.6
    row, column = title.cell(state, IRSFF)
    if not rulings_of(title).fragments_capped or charter_of(title, state, parts[0]).kind != MINOR:
        return row, column
    return row, min(column, MINOR_COLUMN)


def _divide_tokens(play: Play, parts: tuple[CompanyId, CompanyId]) -> None:
    """Divide the tokens on the map by country, those placed first, and the spare ones alternately. Each part has at
    least two. Tokens that are too many leave the map; under the site's ruling they stay, and fill their places for
    good."""  # rule 9.7
    title, state = play.title, play.state
    _, most = token_limits(title, state, parts[0])
    number = dict.fromkeys(parts, 0)
    places = state.board.places_of(IRSFF)
    for hex, city in places:
        part = parts[0] if hex in veneto_tokens(title) else parts[1]
        if number[part] < most:
            number[part] += 1
            play.emit(MarkerReplaced(IRSFF, part, hex, city))
        elif rulings_of(title).fragment_surplus == "removed":
            play.emit(MarkerRemoved(IRSFF, hex, city))
    for i in range(charter_of(title, state, IRSFF).markers - len(places)):
        number[parts[i % 2]] = min(most, number[parts[i % 2]] + 1)
    for part in parts:
        charter = charter_of(title, state, part)
        play.emit(Chartered(part, replace(charter, markers=max(TOKENS, number[part]))))


def _divide_trains(play: Play, parts: tuple[CompanyId, CompanyId]) -> None:
    """Divide the trains alternately, the best first."""  # rule 9.8
    rank = {train: i for i, train in enumerate(play.title.trains)}
    trains = sorted(play.state.companies[IRSFF].trains, key=lambda t: -rank[t])
    for i, train in enumerate(trains):
        play.emit(TrainMoved(train, IRSFF, parts[i % 2]))


def _first_held(state: State) -> tuple[CompanyId, ...]:
    """The companies of which the IRSFF has stock, the first that it came to hold first: positions keep holdings in the
    order in which they began."""
    return tuple(dict.fromkeys(company for place, company, _ in state.holdings if place == IRSFF))


def _divide_certificates(play: Play, parts: tuple[CompanyId, CompanyId]) -> None:
    """Divide the certificates of other companies alternately, the dearest first. A president's certificate is worth
    twice the price. Equally dear ones go in the title's order; under the site's ruling, those of companies whose stock
    the IRSFF came to hold last go first."""
    # rule 9.8
    title, state = play.title, play.state
    single: list[tuple[int, CompanyId, str]] = []
    for (place, company, kind), n in state.holdings.items():
        if place == IRSFF:
            worth = charter_of(title, state, company).certificates[kind][0].shares
            single += [(worth * title.price(state, company), company, kind)] * n
    one_by_one = rulings_of(title).dealt_certificates == "one_by_one"
    listed = tuple(reversed(_first_held(state))) if one_by_one else tuple(title.companies)
    single.sort(key=lambda row: (-row[0], listed.index(row[1])))
    if one_by_one:
        for i, (_, company, kind) in enumerate(single):
            worth = charter_of(title, state, company).certificates[kind][0].shares
            transfer(play, company, worth, IRSFF, parts[i % 2])
        return
    for i, (_, company, kind) in enumerate(single):
        play.emit(CertificatesMoved(company, kind, 1, IRSFF, parts[i % 2]))
    for company in dict.fromkeys(company for _, company, _ in single):
        settle_president(play, company)
