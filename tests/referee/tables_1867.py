"""The figures of 1867: as 18xx.games plays it, for no rulebook was at hand. The ground is in ``tiles_1867``.

Its rules are numbered as in ``docs/rules``; where 1867 plays as 1861 does, they are 1861's.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.referee.tables import Cell, Chart, Column, Kin, Tables, Train
from tests.referee.tables_1861 import BROWN, GRID, PURPLE, RED, YELLOW_COLUMN
from tests.referee.tiles_1867 import COLOURS, COUNTS

PRIVATES = {"C&SL": (20, 30, 10), "NFB": (30, 45, 15), "MB": (40, 60, 20), "QB": (50, 75, 25), "SCT": (60, 90, 30)}
"""2.1: least bid, face value, income."""
PLACES = {"NFB": ("F18",), "MB": ("L12",), "QB": ("O7",), "SCT": ("A17", "A19")}
"""2.1, 9.7: where its owner's trains get 10 more."""
EARLY = ("BO", "CS", "CV", "KP", "OP", "TN", "AE", "CA", "NO", "PM")
LATE = ("BBG", "LPS", "QLS", "SLA", "TGB", "THB")
"""4.1, 4.2."""
PUBLICS = ("CNR", "CPR", "C&O", "GTR", "GWR", "ICR", "NTR", "NYC")
STATE = "CN"
COLUMN = "35 40 45 50 55 60 65 70 80 90 100 110 120 135 150 165 180 200 220 245 270 300 330 360 400 440 490 540"
MINOR_PARS = (50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 135)
PUBLIC_PARS = (70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200)
CONVERSION = (100, 110, 120, 135, 150, 165)
"""14.4: where a minor may convert; the last is its limit."""
LIMITS = {
    "2": {"minor": 2}, "3": {"minor": 2, "public": 4}, "4": {"minor": 1, "public": 3}, "5": {"minor": 1, "public": 3},
    "6": {"minor": 1, "public": 2}, "7": {"minor": 1, "public": 2}, "8": {"public": 2},
}  # fmt: skip
"""5.1 to 5.7."""
LOANS = {"minor": 2, "public": 5}
MARKERS = {"minor": 1, "public": 3, "state": 8}
NEUTRAL = {"D2": 0, "L12": 2}
"""1.13: the cities with neutral markers until the first 3-train."""
TERRAIN = {"K11": 20, "J12": 20}
"""7.8: when the yellow tile is laid; Montreal's 20 when its tile becomes green."""
MONTREAL, TORONTO, TIMMINS, QUEBEC = "L12", "F16", "D2", "O7"
RIVER = 80
REMOVED = {"2": 3, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1}
"""1.1: trains that are not there with two players."""
PRIVATES_REMOVED = {2: 2}
TRADED = ("5", "6", "7", "8", "2+2", "5+5E")
"""11.12: what the bank takes in part payment."""
FOR_TRADE = ("8", "2+2", "5+5E")
EXPORTS = "4567"
"""6.13: phases after whose operating rounds a train leaves."""
READINGS = {
    "homes": "empty_city", "director_sale": "order", "excess_loans": "lower", "nationalised_ties": "name",
    "merger_fails": "undone", "chart": "column",
}  # fmt: skip
FIXED = {
    "sold_out_top": "row", "shortfall": "bank", "bank_break": "train", "private_score": "face",
    "reduced_private": "dutch",
}  # fmt: skip
"""The readings of 1867 of points on which 1861's editions differ."""


def kin(grid: bool) -> Kin:
    cells = {int(price): (0, n) for n, price in enumerate(COLUMN.split())}
    zone: Mapping[int, Cell] = {row: (row, YELLOW_COLUMN) for row in range(6)} if grid else {p: cells[p] for p in CONVERSION}  # fmt: skip  # noqa: E501
    return Kin(
        state=STATE,
        privates=PRIVATES,
        early=EARLY,
        minor_starts=BROWN | RED if grid else {p: cells[p] for p in MINOR_PARS},
        public_starts=RED | PURPLE if grid else {p: cells[p] for p in PUBLIC_PARS},
        zone=frozenset(zone.values()),
        border=frozenset(zone.values()) if grid else frozenset({cells[165]}),
        limits=LIMITS,
        loans=LOANS,
        markers=MARKERS,
        closed_in_phase_2=frozenset({"M13"}),
        steps_per_loan=2,
        merger_floor=100,
    )


def tables(edition: str, players: int, options: Mapping[str, str] | None = None) -> Tables:
    readings = READINGS | FIXED | dict(options or {})
    grid = readings["chart"] == "grid"
    trains = {
        "2": (100, 10), "3": (225, 7), "4": (350, 4), "5": (550, 4), "6": (650, 2), "7": (800, 2), "8": (1000, None),
        "2+2": (600, None), "5+5E": (1500, None),
    }  # fmt: skip
    fewer = REMOVED if players == 2 else {}
    names = dict.fromkeys((*EARLY, *LATE), "minor") | dict.fromkeys(PUBLICS, "public") | {STATE: "state"}
    return Tables(
        title="1867",
        edition=edition,
        bank=15_000,
        capital={2: 420, 3: 420, 4: 315, 5: 252, 6: 210},
        certificates={2: 21, 3: 21, 4: 16, 5: 13, 6: 11},
        chart=Chart.read(GRID) if grid else Column({(0, n): int(p) for n, p in enumerate(COLUMN.split())}),
        kinds=names,
        units={"minor": {"minor": (2, 1)}, "public": {"director": (2, 1), "ordinary": (1, 8)}, "state": {}},
        trains={
            name: Train(price, None if stock is None else stock - fewer.get(name, 0), name)
            for name, (price, stock) in trains.items()
        },
        starts={"3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8"},
        gone={"4": ("2",), "6": ("3",), "8": ("4",)},
        turned={},
        colours=COLOURS,
        counts=COUNTS,
        palette={"2": 0, "3": 1, "4": 1, "5": 2, "6": 2, "7": 3, "8": 3},
        printed=frozenset({MONTREAL, TORONTO}),
        terrain=TERRAIN,
        readings=readings,
        kin=kin(grid),
    )
