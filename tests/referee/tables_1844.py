"""The figures of 1844: what the rulebook prints, and what stands on its board and papers only."""

from __future__ import annotations

from tests.referee.tables import Chart, Tables, Train, costs, tiles

PRIVATES = {
    "P1": (20, 5), "P2": (50, 10), "P3": (80, 15), "P4": (110, 20), "P5": (140, 25), "P6": (180, 30), "P7": (100, 0),
}  # fmt: skip
"""p. 19: face value, income."""
MOUNTAINS = ("B1", "B2", "B3", "B4", "B5")
TUNNELS = ("T1", "T2", "T3", "T4", "T5")
PRICE_OF_PAPER = {"B": 150, "T": 50}
"""p. 5: what one costs, and what it is worth at the end once it has been used."""
INCOME_OF_PAPER = {"B": 40, "T": 10}
PRE_SBB = ("NOB", "SCB", "VSB", "JS", "GB")
"""V1 to V5."""
REGIONAL = ("JN", "ChA", "VZ")
HISTORICAL = ("FNM", "RhB", "BLS", "STB", "AB", "MOB")
GRID = """
.  .  90 100 110 120 130 140 155 170 185 200 220 240 260 290 320 350
.  70 80 90  100 110 120 130 145 160 175 190 210 230 250 280 310 340
55 60 70 80  90  100 110 120 135 150 165 180 200 220 240 270 300 330
50 56 60 70  80  90  100 110 125 140 155 170 190 210 230
45 52 57 60  70  80  90  100 115 130 145 160
40 50 54 58  60  70  80  90  100 120
35 45 52 56  59  64  70  80
30 40 48 54  58  60
"""
PAR = {60: (5, 4), 70: (4, 4), 80: (3, 4), 90: (2, 4), 100: (1, 4)}
SBB_START = (5, 8)
RED_LINE = 11
"""p. 18: regional companies stay in this column or left of it."""
LIMITS = {
    "1": {"historical": 4}, "2": {"historical": 4}, "3": {"historical": 4}, "4": {"historical": 3},
    "5": {"historical": 2}, "6": {"historical": 2}, "7": {"historical": 2},
}  # fmt: skip
"""p. 15; regional and pre-SBB companies two, the SBB four."""
MARKERS_BY_PAR = {60: 1, 70: 2, 80: 3, 90: 4, 100: 5}
ROUNDS = {"1": 1, "2": 1, "3": 2, "4": 2, "5": 3, "6": 3, "7": 3}
"""Operating rounds after a stock round."""
TILES = """
3:3 4:6 5:5 6:6 7:5 8:11 9:11 57:6 58:6
14:4 15:7 16:2 19:2 20:2 23:6 24:6 25:2 26:2 27:2 28:2 29:2 59:2 87:2 88:2 204:2 619:4 901:1 904:1 907:1 908:1
39:1 40:1 41:1 42:1 43:1 44:1 45:1 46:1 47:1 64:1 65:1 66:1 67:1 68:1 70:1 611:6 902:1 905:1 909:1 911:2
903:1 906:1 910:1 915:2
"""
TERRAIN = """
20 B19 C12 C16 D13 D19 E10 E12 E18 E22 F7 F9 F17 F25 G26 H13 I6 J1 K8 K10 K20 K22 L21
30 C22 D7 D9 D11 D23 E6 F13 F15 F21 G28 H3 H5 H15 I8 I10 I28 J7 J11 L11
60 F23 G10 G24 H9 H11 H25 I22 I24 I26 J15 J19 J21 J23 J27 K6 K12 L7 L9
90 G22 I18 I20
"""
PRINTED = frozenset({"C20", "D15", "G8", "I4"})


def tables(edition: str, players: int) -> Tables:
    colours, counts = tiles(TILES)
    kinds = dict.fromkeys(PRE_SBB, "pre-SBB") | dict.fromkeys(REGIONAL, "regional")
    kinds |= dict.fromkeys(HISTORICAL, "historical") | {"SBB": "SBB"}
    fronts = {"2": (90, 70, 13), "3": (180, 150, 9), "4": (300, 260, 6), "5": (450, 400, 4), "6": (630, 550, 4)}
    trains: dict[str, Train] = {}
    for name, (front, back, stock) in fronts.items():
        trains |= {name: Train(front, stock, name), f"{name}H": Train(back, stock, name)}
    trains |= {"8E": Train(960, None, "8E"), "8H": Train(700, None, "8E")}
    trains |= {"SBB5H": Train(400, 0, "SBB5H")}
    return Tables(
        title="1844",
        edition=edition,
        bank=12_000,
        capital={3: 800, 4: 620, 5: 510, 6: 440, 7: 400},
        certificates={3: 24, 4: 18, 5: 15, 6: 13, 7: 11},
        chart=Chart.read(GRID),
        kinds=kinds,
        units={
            "pre-SBB": {"director": (2, 1), "ordinary": (1, 2)},
            "regional": {"director": (2, 1), "ordinary": (1, 3)},
            "historical": {"director": (2, 1), "ordinary": (1, 8)},
            "SBB": {"director": (2, 1), "double": (2, 4), "ordinary": (1, 10)},
        },
        trains=trains,
        starts={face: phase for n, phase in zip("23456", "23456", strict=True) for face in (n, f"{n}H")}
        | {"8E": "7", "8H": "7"},
        gone={"4": ("2", "2H"), "6": ("3", "3H"), "7": ("4", "4H")},
        turned={"3": ("2", "2H"), "4": ("3", "3H"), "6": ("4", "4H"), "7": ("5", "5H")},
        colours=colours,
        counts=counts,
        palette={"1": 0, "2": 0, "3": 1, "4": 1, "5": 2, "6": 2, "7": 3},
        printed=PRINTED,
        terrain=costs(TERRAIN),
        readings={},
    )
