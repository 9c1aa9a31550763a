"""The share price chart: spaces, their marks, and where each move leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import Cell

Direction: TypeAlias = Literal["left", "right", "up", "down"]


@dataclass(frozen=True, slots=True)
class Chart:
    """``moves`` is kind of company -> cell -> direction -> cell reached; a marker that cannot move reaches its own.
    ``tints``: the printed colours of marks, as ``#rrggbb``."""

    name: str
    prices: Mapping[Cell, int]
    marks: Mapping[Cell, frozenset[str]]
    moves: Mapping[str, Mapping[Cell, Mapping[Direction, Cell]]]
    tints: Mapping[str, str] = field(default_factory=dict)
    _marked: dict[frozenset[str], tuple[Cell, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def price(self, cell: Cell) -> int:
        return self.prices[cell]

    def move(self, kind: str, cell: Cell, direction: Direction, steps: int = 1) -> Cell:
        """The cell reached by ``steps`` moves of a company of ``kind``."""
        for _ in range(steps):
            cell = self.moves[kind][cell][direction]
        return cell

    def cells_marked(self, *marks: str) -> tuple[Cell, ...]:
        """Cells with any of ``marks``, cheapest first."""
        wanted = frozenset(marks)
        if wanted not in self._marked:
            found = [c for c, m in self.marks.items() if m & wanted]
            self._marked[wanted] = tuple(sorted(found, key=lambda c: (self.prices[c], c)))
        return self._marked[wanted]

    def start_cell(self, price: int, *marks: str) -> Cell | None:
        """The cell for a start at exactly ``price``."""
        return next((c for c in self.cells_marked(*marks) if self.prices[c] == price), None)

    def start_below(self, price: int, *marks: str) -> Cell | None:
        """The dearest start cell not above ``price``."""
        fitting = [c for c in self.cells_marked(*marks) if self.prices[c] <= price]
        return fitting[-1] if fitting else None
