"""The figures of 1861: what the rulebook of 2012 (version 2.0) prints, and what stands on its board only."""

from __future__ import annotations

from tests.referee.tables import Chart, Kin, Tables, Train, costs, tiles

PRIVATES = {"TSR": (20, 30, 10), "BSS": (30, 45, 15), "MYR": (40, 60, 20), "MRR": (50, 75, 25), "WVR": (60, 90, 30)}
"""§7.1, table 1: least bid, face value, income."""
MINORS = {
    "N": "H8", "K-B": "D14", "K-K": "D14", "K-R": "G15", "M-K": "H8", "M-NN": "H8", "M-V": "I13", "O-K": "D20",
    "R-O": "B4", "SP-W": "E1", "D": "H18", "E": "Q3", "M-B": "E9", "S-V": "N10", "T-R": "K17", "V": "I19",
}  # fmt: skip
EARLY = ("N", "K-B", "K-K", "K-R", "M-K", "M-NN", "M-V", "O-K", "R-O", "SP-W")
"""§7.2: on offer from the start; the others from phase 3."""
PUBLICS = ("GRR", "MK", "MKV", "MKN", "MVR", "NW", "SE", "SW")
STATE = "RSR"
GRID = """
.  .  .  .   135 150 165 180 200 220 245 270 300 330 360 400 440 490 540
.  .  .  110 120 135 150 165 180 200 220 245 270 300 330 360 400 440 490
.  .  90 100 110 120 135 150 165 180 200 220 245 270 300 330 360 400 440
.  70 80 90  100 110 120 135 150 165 180 200
60 65 70 80  90  100 110 120 135 150
55 60 65 70  80  90  100 110
50 55 60 65  70  80
45 50 55 60  65
40 45 50 55
35 40 45
"""
BROWN = {50: (7, 1), 55: (7, 2), 60: (6, 2), 65: (6, 3)}
RED = {70: (5, 3), 80: (5, 4), 90: (4, 4), 100: (4, 5), 110: (3, 5), 120: (3, 6), 135: (2, 6)}
PURPLE = {150: (2, 7), 165: (1, 7), 180: (1, 8), 200: (0, 8)}
YELLOW_COLUMN = 6
"""§10.7, §12: minors go no further right, and may convert in its top six rows."""
LIMITS = {
    "2": {"minor": 2}, "3": {"minor": 2, "public": 4}, "4": {"minor": 1, "public": 3}, "5": {"minor": 1, "public": 3},
    "6": {"minor": 1, "public": 2}, "7": {"minor": 1, "public": 2}, "8": {"public": 2},
}  # fmt: skip
"""§8: how many trains a company may own."""
LOANS = {"minor": 2, "public": 5}
"""§10.2."""
MARKERS = {"minor": 1, "public": 3, "state": 8}
"""§10.5, §7.4."""
TILES = """
3:2 4:4 5:2 6:2 7:- 8:- 9:- 57:2 58:4 201:3 202:3 621:2
14:2 15:2 16:2 17:2 18:2 19:2 20:2 21:2 22:2 23:5 24:5 25:4 26:2 27:2 28:2 29:2 30:2 31:2 87:2 88:2 204:2 207:5 208:2 619:2 622:2 624:1 625:1 626:1 635:1 637:1
39:2 40:2 41:2 42:2 43:2 44:2 45:2 46:2 47:2 63:3 611:3 623:3 636:1 638:1 641:1 801:2 911:3
639:1 640:1 642:1
"""  # noqa: E501
TERRAIN = """
20 C17 C19 D10 I5 J6 L6 N6 O5 P2 P4
40 E15 E19 F16 F18 I15 J16 J18 M7
80 C11 D12 M9 M11
"""
PRINTED = frozenset({"E1", "D2", "F2", "D4", "F4", "G5", "C7", "G7", "K7", "H8", "D14"})
CLOSED_IN_PHASE_2 = frozenset({"E3", "H6", "I5", "I9", "J10"})
"""§8: the hexes of privates."""
READINGS = {
    "v2.0": {
        "sold_out_top": "row", "shortfall": "bank", "state_operates": "phase", "bank_break": "train",
        "private_score": "face", "director_sale": "turn", "excess_loans": "ignored", "reduced_private": "auction",
    },
    "first": {
        "sold_out_top": "column", "shortfall": "kept", "state_operates": "taken_over", "bank_break": "final",
        "private_score": "nothing", "director_sale": "turn", "excess_loans": "ignored", "reduced_private": "auction",
    },
}  # fmt: skip
"""Of the editions that no record covers: those of 18xx.games judge the third, for every number of players."""
KIN = Kin(
    state=STATE,
    privates=PRIVATES,
    early=EARLY,
    minor_starts=BROWN | RED,
    public_starts=RED | PURPLE,
    zone=frozenset((row, YELLOW_COLUMN) for row in range(6)),
    border=frozenset((row, YELLOW_COLUMN) for row in range(6)),
    limits=LIMITS,
    loans=LOANS,
    markers=MARKERS,
    closed_in_phase_2=CLOSED_IN_PHASE_2,
    steps_per_loan=1,
    merger_floor=70,
)


def tables(edition: str, players: int) -> Tables:
    colours, counts = tiles(TILES)
    names = dict.fromkeys(MINORS, "minor") | dict.fromkeys(PUBLICS, "public") | {STATE: "state"}
    return Tables(
        title="1861",
        edition=edition,
        bank=15_000,
        capital={3: 420, 4: 315, 5: 252, 6: 210},
        certificates={3: 21, 4: 16, 5: 13, 6: 11},
        chart=Chart.read(GRID),
        kinds=names,
        units={"minor": {"minor": (2, 1)}, "public": {"director": (2, 1), "ordinary": (1, 8)}, "state": {}},
        trains={
            "2": Train(100, 10, "2"), "3": Train(225, 7, "3"), "4": Train(350, 4, "4"), "5": Train(550, 4, "5"),
            "6": Train(650, 2, "6"), "7": Train(800, 2, "7"), "8": Train(1000, None, "8"),
            "5+5E": Train(1500, 2, "5+5E"), "2+2": Train(600, 0, "2+2"),
        },
        starts={"3": "3", "4": "4", "5": "5", "6": "6", "7": "7", "8": "8"},
        gone={"4": ("2",), "6": ("3",), "8": ("4",)},
        turned={},
        colours=colours,
        counts=counts,
        palette={"2": 0, "3": 1, "4": 1, "5": 2, "6": 3, "7": 3, "8": 3},
        printed=PRINTED,
        terrain=costs(TERRAIN),
        readings=READINGS[edition],
        kin=KIN,
    )  # fmt: skip
