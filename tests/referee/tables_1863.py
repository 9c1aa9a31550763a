"""The figures of 1863: what the rulebook prints, and what is rebuilt for a board that is not public."""

from __future__ import annotations

from tests.referee.tables import Chart, Tables, Train, costs, tiles


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


COMPANIES = (
    "MET", "BAK", "CLR", "CIR", "CSL", "DIS", "ELR", "EHL", "HAM", "LCR", "PIC", "PCN", "UER", "WCR", "WWR", "WBR",
)  # fmt: skip
UNLIMITED = "UER"
"""The company that may have any number of markers on the map (15.13)."""
HOMES = {
    "MET": "C10", "BAK": "F9", "CLR": "I10", "CIR": "G18", "CSL": "K22", "DIS": "C18", "ELR": "Q20", "EHL": "K2",
    "HAM": "J13", "LCR": "I6", "PIC": "H13", "PCN": "Q4", "WCR": "N11", "WWR": "K14", "WBR": "Q8",
}  # fmt: skip
NORTH_EAST = "Q4"
PRICES = (
    "0 10 20 30 40 45 50 55 60 65 70 75 80 90 100 110 120 130 140 150 160 170 180 190 200 225 250 275 300 325 350 "
    "375 400 450 500"
)
RED, LAST_GREY, LAST = 0, 3, 34
"""Columns of the row of prices: the red area, the last one of the grey area, and the last of all."""
FACES = {
    "GRE": 70, "FOW": 80, "ARD": 70, "THO": 80, "LNR": 70, "THT": 100, "NEL": 120, "AIM": 70, "RLO": 100, "POR": 100,
    "RMR": 100, "CHO": 100, "CLK": 10,
}  # fmt: skip
LASTING = frozenset({"THO", "RMR", "CLK"})
"""Privates that never close."""
PRIVATES = {3: 6, 4: 9, 5: 12, 6: 12}
LEAST_BID, RAISE = 5, 5
TEN, PAIRS = 10, 10
LOAN, LEAST_RATE, ROWS = 100, 5, 11
FREE_LOANS = 2
"""So many loans a company may always have (9)."""
LOAN_LIMIT = {"minor": 2, "major": 10}
MARKER, MARKER_COST = 50, 10
MOST_MARKERS, MOST_OF_UNLIMITED, MOST_AT_START = 7, 11, 4
LPTB, LPTB_MARKERS = "LPTB", 8
RUNNING = {"2T": 5, "3T": 10, "2+1e": 15, "4T": 20, "2+2e": 30, "5T": 40, "2+3e": 50}
SUPPLIES = {
    3: {"2T": 3, "3T": 9, "4T": 5, "5T": 6},
    4: {"2T": 4, "3T": 12, "4T": 6, "5T": 7},
    5: {"2T": 5, "3T": 15, "4T": 7, "5T": 8},
    6: {"2T": 6, "3T": 18, "4T": 8, "5T": 9},
}
LIMITS = {"II": (4, 2), "III": (4, 2), "IV": (3, 1), "V": (2, 1)}
"""Phase -> trains of a major, of a minor."""
MAY_START = {"II": ("minor",), "III": ("minor", "major"), "IV": ("major",), "V": ("major",)}
MOST_HELD, MOST_CHAIN = 5, 6
"""Shares of a major that a company may hold; that a player and his companies may."""
PLAIN, MINOR_STATION, MAJOR_STATION, UPGRADE = 10, 20, 30, 10
TOLL = 5
MAJORS = frozenset(_names("K2 I6 J7 Q8 F9 C10 I10 M10 O10 Q10 H11 N11 H13 J13 K14 B15 N15 P17 C18 G18 Q20 I22 K22"))
"""Hexes with a major station; the red ones are not among them."""
MINORS = frozenset(
    _names(
        "I2 F3 H3 L3 E4 G4 K4 M4 O4 D5 H5 J5 L5 C6 E6 B7 H7 N7 P7 C8 E8 G8 I8 O8 B9 D9 H9 L9 G10 K10 F11 J11 L11 "
        "P11 C12 I12 K12 M12 O12 Q12 B13 L13 P13 C14 G14 F15 C16 E16 I16 K16 O16 D17 H17 N17 M18 B19 F19 P19 C20 E20 "
        "K20 J21 L21 N21 G22"
    )
)
"""Hexes with a minor station."""
SLOTS = {
    **dict.fromkeys(_names("6 57"), 1), **dict.fromkeys(_names("LU10 LU14 366 512"), 3),
    **dict.fromkeys(_names("LU04 LU05 LU09 LU06 LU07 LU08 38 LU12 LU13 216"), 2),
}  # fmt: skip
"""Tile with a major station -> spaces."""
STOPS = frozenset(_names("4 58 410 411 412 413 418 419 LU01 LU02 LU03 LU15"))
"""Tiles with a minor station."""
RIVER = frozenset(_names("L13 N13 K14 M14 O14 Q14 J15 P15 J17 J19 G20 I20 F21 H21 E22"))
PRISONS = ("K8", "M16")
MAIL = frozenset(_names("C10 M10 Q10 H11"))
TERRAIN = """
20 F5 E6 G6 F7 E12 D13 F13 E14 K14 F15 H15
40 L13 N13 M14 O14 Q14 J15 P15 J17 J19 G20 I20 F21 H21 E22
"""
TILES = """
4:10 58:12 8:16 9:12 6:10 57:8
23:5 24:5 25:2 410:5 411:5 412:5 413:5 418:1 419:1 LU04:3 LU05:4 LU09:4 LU06:2 LU07:3 LU08:3
40:2 75:2 78:2 79:2 LU01:3 LU02:4 LU03:4 38:4 LU12:2 LU13:2 216:4 LU10:2
LU14:2 366:2 512:2 LU11:1 LU15:1
"""
SHARED_CARDS = (frozenset({"410", "411"}), frozenset({"412", "413"}), frozenset({"418", "419"}))
"""Tiles that the list prints together; each has a number of its own."""


def rate(out: int, players: int) -> int:
    """The highest rate whose row is wholly taken, with as many markers in a row as there are players (R2)."""
    return max(LEAST_RATE, LEAST_RATE * min(ROWS, out // players))


def tables(edition: str, players: int) -> Tables:
    colours, counts = tiles(TILES)
    supply = SUPPLIES[players]
    prices = {
        "2T": (100, "2T"), "3T": (250, "3T"), "2+1e": (300, "3T"), "4T": (700, "4T"), "2+2e": (800, "4T"),
        "5T": (1200, "5T"), "2+3e": (1300, "5T"),
    }  # fmt: skip
    return Tables(
        title="1863",
        edition=edition,
        bank=999_999,
        capital=dict.fromkeys(range(3, 7), 350),
        certificates={3: 21, 4: 16, 5: 13, 6: 11},
        chart=Chart.read(PRICES),
        kinds=dict.fromkeys(COMPANIES, "major"),
        units={"major": {"director": (2, 1), "ordinary": (1, 18), "short": (0, 10)}},
        trains={n: Train(price, None if n == "2T" else supply[card], card) for n, (price, card) in prices.items()},
        starts={"3T": "III", "2+1e": "III", "4T": "IV", "2+2e": "IV", "5T": "V", "2+3e": "V"},
        gone={"IV": ("2T",), "V": ("3T", "2+1e")},
        turned={},
        colours=colours,
        counts=counts,
        palette={"II": 0, "III": 1, "IV": 2, "V": 3},
        printed=frozenset(),
        terrain=costs(TERRAIN),
        readings={},
    )
