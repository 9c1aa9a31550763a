"""The price row: moves by whole columns, its three zones, and the orders of companies that follow from it.

A marker that enters a column is placed behind the markers already there. No move except liquidation itself enters the
red column.
"""

from __future__ import annotations

from engine.core.events import PriceSet
from engine.core.ids import Cell, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import ACQUISITION, LIQUIDATION, WHITE


def price_of(title: Title, state: State, company: CompanyId) -> int:
    """The price of a share of the company."""
    return title.price(state, company)


def column(title: Title, state: State, company: CompanyId) -> int:
    """The column of the company's marker. Columns count from 0, the red one."""
    return state.prices[company].cell[1]


def cell_at(title: Title, column: int) -> Cell:
    """The cell of a column, limited to the row: no lower than the first column that is not red, and no higher than the
    last."""
    first = min(c for (_, c), marks in title.chart.marks.items() if LIQUIDATION not in marks)
    return 0, max(first, min(column, max(c for _, c in title.chart.prices)))


def zone_at(title: Title, cell: Cell) -> str:
    """The zone of a cell: ``liquidation``, ``acquisition`` or ``white``."""
    marks = title.chart.marks[cell]
    if LIQUIDATION in marks:
        return LIQUIDATION
    return ACQUISITION if ACQUISITION in marks else WHITE


def zone(title: Title, state: State, company: CompanyId) -> str:
    """The zone of the company's marker."""
    return zone_at(title, state.prices[company].cell)


def in_white(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company is in neither the liquidation area nor the acquisition area."""
    return zone(title, state, company) == WHITE


def in_red(title: Title, state: State, company: CompanyId) -> bool:
    """True if the company awaits its liquidation: it cannot act, and its shares are not traded."""  # rule 5.7, 12.64
    return zone(title, state, company) == LIQUIDATION


# ---- moves -----------------------------------------------------------------------------------------------------------


def moved_by(title: Title, state: State, company: CompanyId, columns: int) -> Cell:
    """The cell that the marker reaches after ``columns`` to the right, or to the left if negative. A marker in the red
    column stays."""
    now = state.prices[company].cell
    return now if zone_at(title, now) == LIQUIDATION else cell_at(title, now[1] + columns)


def move_price(play: Play, company: CompanyId, columns: int, reason: str) -> None:
    """Move the marker by ``columns``, to the left if negative. A marker that stays in its cell keeps its place in the
    order."""
    set_price(play, company, moved_by(play.title, play.state, company, columns), reason)


def set_price(play: Play, company: CompanyId, cell: Cell, reason: str) -> None:
    """Put the marker into a cell. A marker that is already there keeps its place in the order."""
    prices, marker = play.title.chart.prices, play.state.prices.get(company)
    if marker is None or marker.cell != cell:
        play.emit(PriceSet(company, cell, prices[cell], reason, None if marker is None else prices[marker.cell]))


def into_liquidation(play: Play, company: CompanyId) -> None:
    """Put the marker into the red area."""  # rule 7.1
    red = next(cell for cell in sorted(play.title.chart.prices) if zone_at(play.title, cell) == LIQUIDATION)
    set_price(play, company, red, "liquidation")


def highest_not_above(title: Title, amount: int) -> Cell:
    """The highest column whose price is not above ``amount``, but never the red one."""  # rule 7.2, 8.2, 8.3
    fitting = [c for (_, c), price in title.chart.prices.items() if price <= amount]
    return cell_at(title, max(fitting, default=0))


def _starts(title: Title) -> tuple[tuple[int, Cell], ...]:
    """The prices at which companies may be floated, each with its cell, the lowest first: all of the white
    area."""  # rule 4.2, 12.70
    return tuple(sorted((price, cell) for cell, price in title.chart.prices.items() if zone_at(title, cell) == WHITE))


def start_cell(title: Title, price: int) -> Cell | None:
    """The cell for a company floated at exactly ``price``, or None if that price is not allowed."""
    return dict(_starts(title)).get(price)


def start_prices(title: Title) -> tuple[int, ...]:
    """The prices at which companies may be floated, the lowest first."""
    return tuple(price for price, _ in _starts(title))


# ---- dividends -------------------------------------------------------------------------------------------------------


def next_above(title: Title, cell: Cell) -> int | None:
    """The price of the next column to the right, or None in the last column."""
    return title.chart.prices.get((cell[0], cell[1] + 1))


def dividend_columns(title: Title, cell: Cell, dividend: int) -> int:
    """The number of columns, from -2 to 2, by which a dividend moves a marker in ``cell``."""  # rule 5.4, 5.29
    price, above = title.chart.price(cell), next_above(title, cell)
    if dividend >= 2 * price > 0:
        return 2
    if above is not None and dividend >= above:
        return 1
    if dividend >= price:
        return 0
    return -1 if 2 * dividend > price else -2


# ---- orders ----------------------------------------------------------------------------------------------------------


def operating_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    """The companies that operate, the highest price first. At equal prices, the marker that came first."""
    # rule 5.7, 12.25, 12.64
    able = [c for c in state.prices if state.companies[c].status == "open" and not in_red(title, state, c)]
    return tuple(sorted(able, key=lambda c: (-title.price(state, c), state.prices[c].since)))


def merger_order(title: Title, state: State) -> tuple[CompanyId, ...]:
    """All companies in play, the lowest price first. At equal prices, the marker that came last."""
    # rule 8.9, 12.40
    able = [c for c in state.prices if state.companies[c].status == "open"]
    return tuple(sorted(able, key=lambda c: (title.price(state, c), -state.prices[c].since)))
