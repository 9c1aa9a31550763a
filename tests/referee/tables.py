"""The figures that both titles have: the share price chart and the shape of a title's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Cell = tuple[int, int]
"""Row and column of the chart, counted from 0 at the top left."""


@dataclass(frozen=True)
class Chart:
    """The spaces of a chart and how a marker goes from one to another. A move to a space that is not there leaves the
    marker where it is, but for the two that turn at the edge: left goes down, right goes up."""

    prices: Mapping[Cell, int]

    @staticmethod
    def read(text: str) -> Chart:
        """Rows of prices, top to bottom; ``.`` is no space."""
        rows = [line.split() for line in text.strip().splitlines()]
        return Chart({(r, c): int(p) for r, row in enumerate(rows) for c, p in enumerate(row) if p != "."})

    def first(self, *cells: Cell) -> Cell:
        return next(cell for cell in cells if cell in self.prices)

    def left(self, cell: Cell) -> Cell:
        r, c = cell
        return self.first((r, c - 1), (r + 1, c), cell)

    def right(self, cell: Cell) -> Cell:
        r, c = cell
        return self.first((r, c + 1), (r - 1, c), cell)

    def up(self, cell: Cell) -> Cell:
        return self.first((cell[0] - 1, cell[1]), cell)

    def down(self, cell: Cell) -> Cell:
        return self.first((cell[0] + 1, cell[1]), cell)


@dataclass(frozen=True)
class Column(Chart):
    """A chart of one row: up is right, and down is left."""

    def up(self, cell: Cell) -> Cell:
        return self.right(cell)

    def down(self, cell: Cell) -> Cell:
        return self.left(cell)


@dataclass(frozen=True)
class Train:
    """``stock``: how many cards there are, None for no end of them; ``card`` names the front where this is a back."""

    price: int
    stock: int | None
    card: str


@dataclass(frozen=True)
class Kin:
    """The figures that 1861 and 1867 have for rules that both have: minors, loans, a state that takes over."""

    state: str
    privates: Mapping[str, tuple[int, int, int]]
    """Least bid, face value, income."""
    early: tuple[str, ...]
    """Minors that are on offer from the start; the others from phase 3."""
    minor_starts: Mapping[int, Cell]
    public_starts: Mapping[int, Cell]
    zone: frozenset[Cell]
    """The spaces in which minors may convert."""
    border: frozenset[Cell]
    """The spaces in which minors go up instead of right, if they can."""
    limits: Mapping[str, Mapping[str, int]]
    """Phase -> kind of company -> how many trains it may own."""
    loans: Mapping[str, int]
    markers: Mapping[str, int]
    closed_in_phase_2: frozenset[str]
    steps_per_loan: int
    """Steps to the left for each loan that is not repaid in a nationalisation."""
    merger_floor: int


@dataclass(frozen=True)
class Tables:
    """What the referee knows of one edition of a title."""

    title: str
    edition: str
    bank: int
    capital: Mapping[int, int]
    certificates: Mapping[int, int]
    """Number of players -> certificate limit."""
    chart: Chart
    kinds: Mapping[str, str]
    """Company -> its kind."""
    units: Mapping[str, Mapping[str, tuple[int, int]]]
    """Kind of company -> kind of certificate -> shares in one, number of them."""
    trains: Mapping[str, Train]
    starts: Mapping[str, str]
    """Train -> phase that its first one begins."""
    gone: Mapping[str, tuple[str, ...]]
    """Phase -> trains that leave the game."""
    turned: Mapping[str, tuple[str, str]]
    """Phase -> train that is turned over, and what it becomes."""
    colours: Mapping[str, int]
    """Tile -> 0 yellow, 1 green, 2 brown, 3 grey."""
    counts: Mapping[str, int | None]
    palette: Mapping[str, int]
    """Phase -> the last colour that may be laid."""
    printed: frozenset[str]
    """Hexes with printed track of a colour that is upgraded."""
    terrain: Mapping[str, int]
    readings: Mapping[str, str]
    """Where editions differ: what this one says."""
    kin: Kin | None = None
    """None in titles that have no such rules."""

    def kind(self, company: str) -> str:
        return self.kinds[company]

    def size(self, company: str) -> int:
        """Shares of the whole company."""
        return sum(each * number for each, number in self.units[self.kinds[company]].values())

    def worth(self, company: str, certificate: str) -> int:
        """Shares in one certificate."""
        return self.units[self.kinds[company]][certificate][0]


def tiles(text: str) -> tuple[dict[str, int], dict[str, int | None]]:
    """Lines of ``tile:count``, one for each colour from yellow to grey; ``-`` is no limit."""
    colours: dict[str, int] = {}
    counts: dict[str, int | None] = {}
    for colour, line in enumerate(text.strip().splitlines()):
        for word in line.split():
            tile, _, count = word.partition(":")
            colours[tile], counts[tile] = colour, None if count == "-" else int(count)
    return colours, counts


def costs(text: str) -> dict[str, int]:
    """Lines of a sum and the hexes that cost it."""
    return {hex: int(sum_) for sum_, *hexes in map(str.split, text.strip().splitlines()) for hex in hexes}
