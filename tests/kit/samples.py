"""Tables of which only a part is played every time, and the whole in the long proofs."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest


def today() -> int:
    """The number of the day, by which proofs are drawn."""
    return datetime.now(UTC).date().toordinal()


def amount(variable: str, whole: int) -> int:
    """The size of a single long proof: the number in the environment's ``variable``. Without it a draw of the day has a
    tenth of ``whole``, with seeds of its own, and ``make prove ALL=1`` all of it."""
    if given := os.environ.get(variable):
        return int(given)
    return whole if os.environ.get("WHOLE_PROOFS") else max(1, whole // 10)


def sampled(rows: Iterable[Any], sample: Container[Any]) -> list[Any]:
    """All ``rows`` as parameters of a test; those that are not in ``sample`` belong to the long proofs."""
    return [row if row in sample else prove(row) for row in rows]


def one_in(number: int, rows: Iterable[Any]) -> list[Any]:
    """``rows`` as parameters of a test: one in ``number`` is played every time, the others in the long proofs."""
    return [prove(row) if at % number else row for at, row in enumerate(rows)]


def each_in_turn(first: Sequence[Any], second: Iterable[Any]) -> list[Any]:
    """Every pair as parameters of a test; each of ``second`` is played every time with one of ``first``, in turn."""
    return [
        (one, other) if at % len(first) == number else prove((one, other))
        for at, other in enumerate(second)
        for number, one in enumerate(first)
    ]


def prove(row: Any) -> Any:
    """``row`` as a parameter of the long proofs."""
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.prove)
