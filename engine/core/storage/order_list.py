"""The orders of a game: a sequence that can be extended, cut at its end, and copied without reading old orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from engine.core.orders import Order


class Orders(Sequence[Order]):
    """A sequence of orders, equal to any sequence with the same orders. ``before``: orders given earlier, which are
    shared and never changed; they may be read lazily. ``since``: orders given after them."""

    __slots__ = ("_before", "_length", "_since")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, before: Sequence[Order] = (), since: Iterable[Order] = ()) -> None:
        self._before = before
        self._length = len(before)
        """The number of orders of ``before`` that still count."""
        self._since = list(since)

    def __len__(self) -> int:
        return self._length + len(self._since)

    @overload
    def __getitem__(self, at: int) -> Order: ...
    @overload
    def __getitem__(self, at: slice) -> list[Order]: ...
    def __getitem__(self, at: int | slice) -> Order | list[Order]:
        numbers = range(len(self))[at]
        return self._one(numbers) if isinstance(numbers, int) else [self._one(number) for number in numbers]

    def _one(self, number: int) -> Order:
        return self._before[number] if number < self._length else self._since[number - self._length]

    def __iter__(self) -> Iterator[Order]:
        yield from (self._before[number] for number in range(self._length))
        yield from self._since

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Orders({list(self)})"

    def append(self, order: Order) -> None:
        self._since.append(order)

    def cut(self, number: int) -> None:
        """Keep the first ``number`` orders."""
        del self._since[max(0, number - self._length) :]
        self._length = min(self._length, number)

    def copy(self) -> Orders:
        """An independent sequence of the same orders."""
        found = Orders(self._before, self._since)
        found._length = self._length
        return found
