"""Sales as a menu lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.core.agenda import Choice, Exact, Range
from engine.core.orders import Sell


def in_ranges(orders: Iterable[Sell]) -> Iterator[Choice]:
    """Yield the sales as choices: consecutive numbers of shares of one company become one range."""
    low: Sell | None = None
    high = 0
    for order in orders:
        if low is not None and order.company == low.company and order.count == high + 1:
            high = order.count
            continue
        if low is not None:
            yield _choice(low, high)
        low, high = order, order.count
    if low is not None:
        yield _choice(low, high)


def _choice(low: Sell, high: int) -> Choice:
    return Range(low, "count", low.count, high) if high > low.count else Exact(low)
