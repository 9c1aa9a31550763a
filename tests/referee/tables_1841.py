"""The figures of 1841 as the first version with the clarifications has them."""

from __future__ import annotations

from tests.referee.tables import Cell, Chart, Tables, Train, costs, tiles


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONCESSIONS = ("Bayard", "C-SFLP", "C-SFTC", "C-SFMA", "C-SFTN", "C-SSFL", "C-SFTG", "C-IRSFF")
"""In order of their numbers."""
LEAST_BID, RAISE, FACE, BAYARD = 20, 5, 50, 20
MINORS = ("SFLP", "SFTC", "SFMA", "SFV", "SFL", "CTLP", "FTP", "SLDV")
MAJORS = (
    "SFTN", "SSFL", "SFTG", "IRSFF", "SFLi", "AFI", "ATFA", "CFCC", "CGTF", "CTDA", "CTS", "ICSF", "IFAI", "ILTF",
    "RATF", "RSFS",
)  # fmt: skip
STARTED = ("SFLP", "SFTC", "SFMA", "SFTN", "SSFL", "SFTG", "IRSFF")
HISTORICAL = (*STARTED, "SFV", "SFL", "SFLi")
FRAGMENTS = ("SFV", "SFL")
TUSCAN = ("SFLP", "SFMA", "SSFL")
VENETO = ("H12", "G13", "F14", "G15", "F16", "D16", "D14", "C15")
HOMES = {
    "SFLP": ("P12",), "SFTC": ("M3",), "SFMA": ("R14",), "SFTN": ("H4",), "SSFL": ("Q11",), "SFTG": ("H4", "J6"),
    "IRSFF": ("F8", "F16"),
}  # fmt: skip
CITIES = _names("H4 J6 M3 M7 R14 P12 Q11 S11 K11 L12 K13 L14 K15 D8 E7 F8 E9 H8 H10 E11 H12 G13 F14 G15 F16 D16")
"""Where other companies may begin."""
BUSY = _names("F8 F16 H4 J6 M3 R14 P12 Q11")
AUSTRIA = _names("D8 E7 F8 E9 H8 H10 E11 H12 G13 F14 G15 F16 D16")
"""Neither of these before phase 4."""
WITH_TRACK = _names("F8 H4 P12 Q11 R14")
"""Cities with printed track."""
NO_MINOR = _names("L14 R14 M7 F8 H4 F16")
PASSES = _names("A5 G1 C15 D12 D14 K7 L6 L8 M5 M9 M11 N10 N12 O3 O11 O13 P14 Q15")
GRID = """
72 83 95 107 120 133 147 164 182 202 224 248 276 306 340 377 419 465 516
63 72 82 93 104 116 128 142 158 175 195 216 240 266 295 328 365 404 449
57 66 75 84 95 105 117 129 144 159 177 196 218 242 269 298 331 367 408
54 62 71 80 90 100 111 123 137 152 169 187 208 230 256 284
52 59 68 77 86 95 106 117 130 145 160 178 198 219
47 54 62 70 78 87 96 107 118 131 146 162 180
41 47 54 61 68 75 84 93 103 114 127 141
34 39 45 50 57 63 70 77 86 95 106
27 31 36 40 45 50 56 62 69 76
21 24 27 31 35 39 43 48 53
16 18 20 23 26 29 32 35
11 13 15 16 18 20 23
8 9 10 11 13 14
"""
YELLOW_COLUMN, LAST_BEFORE_8 = 10, 15
"""K, beyond which no minor goes, and P, beyond which nobody goes before the first 8-train."""
START: dict[str, dict[int, Cell]] = {
    "minor": {68: (4, 2), 100: (3, 5), 144: (2, 8)},
    "major": {68: (4, 2), 100: (3, 5), 144: (2, 8), 216: (1, 11), 340: (0, 14)},
}
LAWSON = (
    (243, (2, 13)), (231, (3, 13)), (220, (4, 13)), (219, (2, 12)), (209, (3, 12)), (199, (4, 12)), (181, (5, 12)),
    (179, (4, 11)), (163, (5, 11)), (142, (6, 11)), (128, (6, 10)), (107, (7, 10)), (96, (7, 9)), (77, (8, 9)),
    (70, (8, 8)), (54, (9, 8)), (49, (9, 7)), (36, (10, 7)), (33, (10, 6)), (24, (11, 6)), (21, (11, 5)),
    (15, (12, 5)), (14, (12, 4)), (12, (12, 3)), (11, (12, 2)), (10, (12, 1)), (0, (12, 0)),
)  # fmt: skip
"""Chris Lawson's chart: from this sum of two majors on (or half that of two minors, rounded up), this space."""
MOST_MERGED = 250
LIMITS = {
    "2": (2, 4), "3": (2, 4), "4": (2, 3), "5": (2, 3), "6": (1, 2), "7": (1, 2), "8": (1, 2),
}  # fmt: skip
"""Phase -> trains of a minor, of a major."""
ROUNDS = {"2": 1, "3": 2, "4": 2, "5": 3, "6": 3, "7": 3, "8": 3}
TOKENS = {"minor": (1, 2), "major": (2, 5)}
TOKEN, FURTHER_TOKEN = 50, 100
BY_DISTANCE = (25, 50, 100, 200)
LOAN = 500
TOP = 516
MOST_HELD, MOST_CHAIN = 5, 6
"""Certificates that a company may own in others; tenths of one company over a player's chain."""
TILES = """
1:1 2:1 3:3 4:3 5:4 6:4 7:8 8:16 9:11 55:1 56:1 57:4 58:3 69:1 201:2 202:2 601:1 621:2 630:1 631:1 632:1 633:1
12:1 13:1 14:2 15:2 16:2 17:2 18:2 19:2 20:2 21:2 22:2 23:3 24:3 25:3 26:2 27:2 28:2 29:2 30:2 31:2 87:2 88:2 \
144:2 204:2 205:1 206:1 207:2 208:2 602:1 604:1 606:1 608:1 613:3 614:4 615:1 619:2 622:2 624:1 625:1 626:1
39:2 40:2 41:2 42:2 43:2 44:2 45:2 46:2 47:2 63:3 70:2 216:2 603:1 605:1 607:1 609:1 610:2 611:3 616:1 617:1 \
618:1 623:2 627:2 628:2 629:2
"""
TERRAIN = """
50 B16 F16 H2 I1 J16 J8 K9 L16 L2 M13 M3 M7 N4 N6 N8 O15 O5 O9 P16
100 C15 D12 D14 K7 L6 L8 M11 M5 M9 N10 N12 O11 O13 O3 P14 Q15
200 A5 G1
"""
PRINTED = {
    "yellow": _names("C15 D12 D14 F8 H4 K7 L6 L8 M5 M7 M9 M11 N10 N12 O3 O11 O13 P12 P14 Q11 Q15 R14"),
    "green": _names("A5 G1"),
}
GREEN_PASSES, PASS_UPGRADE = ("613", "614", "615"), 50


def tables(edition: str, players: int) -> Tables:
    colours, counts = tiles(TILES)
    prices = {"2": (100, 8), "3": (200, 6), "4": (350, 4), "5": (550, 3), "6": (800, 2), "7": (1100, 2), "8": (1450, 7)}
    return Tables(
        title="1841",
        edition=edition,
        bank=14_400,
        capital={3: 1120, 4: 840, 5: 672, 6: 560, 7: 480, 8: 420},
        certificates={3: 21, 4: 16, 5: 13, 6: 11, 7: 10, 8: 9},
        chart=Chart.read(GRID),
        kinds=dict.fromkeys(MINORS, "minor") | dict.fromkeys(MAJORS, "major"),
        units={
            "minor": {"director": (2, 1), "ordinary": (1, 3)},
            "major": {"director": (2, 1), "ordinary": (1, 8)},
        },
        trains={name: Train(price, stock, name) for name, (price, stock) in prices.items()},
        starts={name: name for name in "345678"},
        gone={"4": ("2",), "5": ("3",), "7": ("4",), "8": ("5",)},
        turned={},
        colours=colours,
        counts=counts,
        palette={"2": 0, "3": 1, "4": 1, "5": 2, "6": 2, "7": 2, "8": 2},
        printed=PRINTED["yellow"] | PRINTED["green"],
        terrain=costs(TERRAIN),
        readings={},
    )
