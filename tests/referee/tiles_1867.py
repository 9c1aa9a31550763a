"""The ground of 1867: what its tiles and its printed hexes show.

Sides are numbered from the south, clockwise: 0 south, 1 south-west, 2 north-west, 3 north, 4 north-east, 5 south-east.
A tile: ``number:count label stations paths``. Its label is ``.`` if it has none; its stations are ``-`` (none), ``t``
(a town) or its cities, each with value and circles. A path joins two sides, or a side and a station (``a`` the first).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

YELLOW: Final = """
3:2 . t 0a 1a
4:4 . t 0a 3a
58:4 . t 0a 2a
5:2 . 20x1 0a 1a
6:2 . 20x1 0a 2a
57:2 . 20x1 0a 3a
201:3 Y 30x1 0a 1a
202:3 Y 30x1 0a 2a
621:2 Y 30x1 0a 3a
7:- . - 01
8:- . - 02
9:- . - 03
"""
GREEN: Final = """
14:2 . 30x2 0a 1a 3a 4a
15:4 . 30x2 0a 1a 2a 3a
619:2 . 30x2 0a 2a 3a 4a
207:5 Y 40x2 0a 1a 2a 3a
208:2 Y 40x2 0a 1a 3a 4a
622:2 Y 40x2 0a 2a 3a 4a
87:2 . t 0a 1a 2a 3a
88:2 . t 0a 1a 3a 4a
204:2 . t 0a 2a 3a 4a
16:2 . - 02 13
17:2 . - 13 04
18:2 . - 03 12
19:2 . - 03 24
20:2 . - 03 14
21:2 . - 02 34
22:2 . - 04 23
23:5 . - 03 04
24:5 . - 03 02
25:4 . - 02 04
26:2 . - 03 05
27:2 . - 03 01
28:2 . - 04 05
29:2 . - 02 01
30:2 . - 04 01
31:2 . - 02 05
624:1 . - 01 12
625:1 . - 01 23
626:1 . - 01 34
120:1 T 60x1,60x1 0a 1a 2b 3b
637:1 M 50x1,50x1,50x1 0a 1a 2b 3b 4c 5c
X1:1 M 50x1,50x1,50x1 0a 3a 1b 4b 2c 5c
X2:1 M 50x1,50x1,50x1 0a 3a 1b 5b 2c 4c
X3:1 M 50x1,50x1,50x1 0a 4a 1b 2b 3c 5c
X4:1 M 50x1,50x1,50x1 0a 3a 1b 2b 4c 5c
"""
BROWN: Final = """
63:3 . 40x2 0a 1a 2a 3a 4a 5a
611:3 . 40x2 0a 1a 2a 3a 4a
623:3 Y 50x2 0a 1a 2a 3a 4a 5a
801:2 Y 50x2 0a 1a 2a 3a
911:3 . t 0a 1a 2a 3a 4a
39:2 . - 02 01 12
40:2 . - 02 24 04
41:2 . - 03 01 13
42:2 . - 03 35 05
43:2 . - 03 02 13 12
44:2 . - 03 14 01 34
45:2 . - 03 24 04 23
46:2 . - 03 24 34 02
47:2 . - 03 14 13 04
70:2 . - 01 02 13 23
122:1 T 80x2,80x2 0a 1a 2b 3b
X5:1 M 70x2,70x1 1a 2a 4a 5a 0b 3b
X6:1 M 70x2,70x1 0a 3a 4a 5a 1b 2b
X7:1 M 70x2,70x1 0a 1a 3a 5a 2b 4b
"""
GREY: Final = """
X8:1 O 60x3 0a 1a 2a 3a 4a 5a
124:1 T 100x4 0a 1a 2a 3a
639:1 M 100x4 0a 1a 2a 3a 4a 5a
"""
TILES: Final = (YELLOW, GREEN, BROWN, GREY)

PLAIN: Final = """
F2 E3 G3 D4 F4 H4 C5 E5 G5 I5 K5 M5 B6 D6 F6 H6 J6 L6 N6 C7 E7 G7 I7 K7 M7 B8 H8 J8 L8 N8 C9 E9 G9 I9 K9 O9 D10 F10
J10 N10 C11 E11 G11 I11 K11 M11 O11 D12 F12 H12 C13 G13 I13 D14 F14 J14 D18 C19
"""
TOWNS: Final = "H10 L10 K13 M13 H14 C15 B18"
CITIES: Final = "D8 F8 M9 N12 E13 E15 G15 I15 C17"
Y_CITIES: Final = "O7 J12 D16 E17"
PRINTED: Final = """
L12 M 40x1,40x1,40x1 1a 3b
F16 T 30x1,30x1 1a 4b
D2 . 40x1 0a 1a 4a 5a
E1 . - 15
C3 . - 04
B16 . - 05
L14 . - 23
"""
"""The first two are yellow, the others grey."""
OFFBOARDS: Final = """
A7 20/30/40/40 45
F18 30/40/50/60 2
M15 30/40/50/60 3
O13 20/30/40/40 23
P8 30/30/40/40 12
A17 30/40/50/70 5
A19 30/40/50/70 4
H16 10/10/10/10 24
E19 10/10/10/10 3
"""
"""9.5, 9.12: value in yellow, green, brown and grey; sides with track."""
ONE_AREA: Final = frozenset({"A17", "A19"})
"""Detroit."""
RIVERS: Final = "L10-M11 M9-M11 M9-N10 N8-N10 N8-O9"
CLOSED: Final = "C9-C11 C9-D10 C11-C13 C11-D10 D10-D12 D10-E11 D12-E11 D18-E19 H14-H16"
STUBS: Final[Mapping[str, int]] = {"G15": 1, "K13": 4, "L10": 0}

DELTAS: Final = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))


def beyond(hex: str, side: int) -> str:
    """The coordinate on the other side."""
    across, down = DELTAS[side]
    return f"{chr(ord(hex[0]) + across)}{int(hex[1:]) + down}"


@dataclass(frozen=True)
class Face:
    """The tile in a hex, turned as it lies. ``kind``: plain, town, city or offboard."""

    kind: str
    label: str
    values: tuple[int, ...]
    """Of each city."""
    circles: tuple[int, ...]
    paths: tuple[tuple[str, str], ...]

    def turned(self, rotation: int) -> Face:
        def turn(end: str) -> str:
            return str((int(end) + rotation) % 6) if end.isdigit() else end

        return Face(self.kind, self.label, self.values, self.circles, tuple((turn(a), turn(b)) for a, b in self.paths))

    @property
    def exits(self) -> frozenset[int]:
        return frozenset(int(end) for path in self.paths for end in path if end.isdigit())

    def stations(self) -> list[str]:
        """The names of its cities, or of its town or area."""
        return ["a"] if self.kind in ("town", "offboard") else [chr(ord("a") + n) for n in range(len(self.values))]

    def sides(self, station: str) -> frozenset[int]:
        """The sides that have track to a station."""
        return frozenset(int(a) for a, b in self.paths if b == station)

    def joined(self, end: str) -> list[str]:
        """The ends of the track from a side or station within the hex."""
        return [a if b == end else b for a, b in self.paths if end in (a, b)]

    def station_at(self, side: int) -> str | None:
        return next((b for a, b in self.paths if a == str(side) and not b.isdigit()), None)


def face(text: str) -> Face:
    """``label stations paths``."""
    label, stations, *paths = text.split()
    cities = [tuple(map(int, city.split("x"))) for city in stations.split(",")] if stations[0].isdigit() else []
    kind = {"-": "plain", "t": "town"}.get(stations, "city")
    ends = tuple((path[0], path[1]) for path in paths)
    return Face(kind, label.replace(".", ""), tuple(c[0] for c in cities), tuple(c[1] for c in cities), ends)


def tile_faces() -> Iterator[tuple[str, int, int | None, Face]]:
    """Each tile: its number, colour, count and face."""
    for colour, text in enumerate(TILES):
        for line in text.strip().splitlines():
            head, _, rest = line.partition(" ")
            number, _, count = head.partition(":")
            yield number, colour, None if count == "-" else int(count), face(rest)


def map_faces() -> dict[str, Face]:
    """The print of each hex."""
    blank = {"plain": (PLAIN, ". -"), "town": (TOWNS, ". t"), "city": (CITIES, ". 0x1"), "Y": (Y_CITIES, "Y 0x1")}
    found = {hex: face(text) for names, text in blank.values() for hex in names.split()}
    for line in PRINTED.strip().splitlines():
        hex, _, rest = line.partition(" ")
        found[hex] = face(rest)
    for line in OFFBOARDS.strip().splitlines():
        hex, values, sides = line.split()
        found[hex] = Face("offboard", "", tuple(map(int, values.split("/"))), (), tuple((side, "a") for side in sides))
    return found


def borders(text: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("-")) for pair in text.split())


FACES: Final = {number: shown for number, _, _, shown in tile_faces()}
COLOURS: Final = {number: colour for number, colour, _, _ in tile_faces()}
COUNTS: Final = {number: count for number, _, count, _ in tile_faces()}
MAP: Final = map_faces()
GREY_HEXES: Final = frozenset({"D2", "E1", "C3", "B16", "L14"})
