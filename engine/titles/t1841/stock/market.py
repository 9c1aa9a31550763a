"""The share price chart: where companies start, how markers move, and where those of merged companies go.

A marker that enters a space lies at the bottom of the pile there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.events import PriceRemoved, PriceSet
from engine.core.ids import Cell, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.finance.chart import Direction
from engine.holders.charters import charter_of
from engine.titles.t1841.ending.end_signals import PRICE, signal_end
from engine.titles.t1841.names import MAJOR, MINOR, OPEN_CHART_PHASE
from engine.titles.t1841.rulings import rulings_of

START_MARKS: Final = {MINOR: ("par_any",), MAJOR: ("par_any", "par_major")}
END_MARK: Final = "game_end"
MINOR_COLUMN: Final = 10
"""Column K, the last for minors."""
MOST: Final = 250
"""The most that the prices of two majors count together in a merger. A dearer company keeps its price."""
LAWSON: Final[tuple[Cell, ...]] = (
    (2, 13), (3, 13), (4, 13), (2, 12), (3, 12), (4, 12), (5, 12), (4, 11), (5, 11), (6, 11), (6, 10), (7, 10), (7, 9),
    (8, 9), (8, 8), (9, 8), (9, 7), (10, 7), (10, 6), (11, 6), (11, 5), (12, 5), (12, 4), (12, 3), (12, 2), (12, 1),
    (12, 0),
)  # fmt: skip
"""The chart of prices after mergers, dearest first. A merged company goes to the first space cheaper than its value."""
TOP: Final[Cell] = (0, 0)


def kind_of_moves(title: Title, state: State, company: CompanyId) -> str:
    """The set of moves on the chart that applies to the company now."""  # rule 5.2, 5.3
    if charter_of(title, state, company).kind == MINOR:
        return MINOR
    return f"{MAJOR}@from_phase_8" if title.reached(state, OPEN_CHART_PHASE) else f"{MAJOR}@before_phase_8"


def moved(title: Title, state: State, company: CompanyId, direction: Direction, steps: int = 1) -> Cell:
    """The space that a move would bring the company's marker to."""
    return title.chart.move(kind_of_moves(title, state, company), title.cell(state, company), direction, steps)


def move_price(play: Play, company: CompanyId, direction: Direction, steps: int, reason: str) -> None:
    """Move the price marker. A marker that stays in its space keeps its place in the pile."""  # rule 5.1, 5.4
    old, new = play.title.cell(play.state, company), moved(play.title, play.state, company, direction, steps)
    if new != old:
        prices = play.title.chart.prices
        play.emit(PriceSet(company, new, prices[new], reason, prices[old]))
        if END_MARK in play.title.chart.marks[new]:
            signal_end(play, PRICE)


def move_together(
    play: Play, moves: Iterable[tuple[CompanyId, int]], direction: Direction, reason: str, *, top_first: bool
) -> None:
    """Move several markers, each by its number of steps. With ``top_first`` they move in running order, so that markers
    of one pile that move alike keep their order. Otherwise they move in reverse, the cheapest first, so that the order
    of a pile is reversed."""
    # rule 3.7, 3.20
    steps = dict(moves)
    order = [c for c in play.title.policies.operating_order(play.title, play.state) if c in steps]
    for company in order if top_first else reversed(order):
        move_price(play, company, direction, steps[company], reason)


def start_prices(title: Title, company: CompanyId) -> tuple[int, ...]:
    """The prices at which the company may be started, cheapest first."""  # rule 4.3
    chart = title.chart
    return tuple(chart.price(c) for c in chart.cells_marked(*START_MARKS[title.companies[company].charter.kind]))


def cell_of_price(title: Title, price: int) -> Cell | None:
    """The start space with that price; None if there is none."""
    return title.chart.start_cell(price, *START_MARKS[MAJOR])


def merged_choices(title: Title, a: Cell, b: Cell, kind: str) -> tuple[Cell, ...]:
    """The spaces to which the company merged from those at ``a`` and ``b``, both of one ``kind``, may go. There is more
    than one only if both are majors dearer than 250; then the cheaper one comes first."""  # rule 10.14
    price = title.chart.price
    if kind == MAJOR:
        kept = sorted({cell for cell in (a, b) if price(cell) > MOST}, key=price)
        if kept:
            return tuple(kept)
    return (lawson(title, price(a) + price(b), kind),)


def lawson(title: Title, total: int, kind: str) -> Cell:
    """The space of a company merged from two whose prices add up to ``total``: the first of the chart that is cheaper
    than the sum, at most 250, for majors, or than half the sum for minors."""  # rule 10.14
    doubled = total if kind == MINOR else 2 * min(total, MOST)
    found = next((cell for cell in LAWSON if 2 * title.chart.price(cell) < doubled), LAWSON[-1])
    return TOP if found == LAWSON[-1] and rulings_of(title).lowest_merger == "top" else found


def put_in_place_of(play: Play, company: CompanyId, followers: tuple[CompanyId, ...], cell: Cell, reason: str) -> None:
    """Replace the marker of ``company`` by those of ``followers`` at ``cell``. If that is its own space, they take its
    place in the pile; otherwise they lie at the bottom of the pile there."""  # rule 9.5
    state, chart = play.state, play.title.chart
    old = state.prices[company]
    below = sorted((m.since, c) for c, m in state.prices.items() if m.cell == old.cell and m.since > old.since)
    play.emit(PriceRemoved(company))
    price = chart.price(cell)
    play.emit(*(PriceSet(c, cell, price, reason, chart.price(old.cell)) for c in followers))
    if cell == old.cell:
        play.emit(*(PriceSet(c, cell, price, "stays", price) for _, c in below))
