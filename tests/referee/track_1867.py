"""1867: tiles and markers. Rivers, closed borders, the three cities of Montreal, circles that are free.

Whether a tile continues a route of its company, or a marker can be reached, is not judged.
"""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from tests.referee.bench import Bench
from tests.referee.ground_subject import GroundSubject
from tests.referee.tables_1867 import MONTREAL, RIVER, STATE
from tests.referee.tiles_1867 import CLOSED, COLOURS, COUNTS, FACES, GREY_HEXES, MAP, STUBS, Face, beyond, borders
from tests.referee.track import Track

BARRED = borders(CLOSED)


class Ground(Track, GroundSubject):
    """7.2 to 7.21, 8.2 to 8.4, 12.4."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.earliest: dict[str, str] = {}
        """Company of minors that all stood in one hex -> the one that operated first."""
        self.free_second: set[str] = set()
        """8.6: companies that have kept the marker of another minor."""

    def see(self, event: ev.Event) -> None:
        super().see(event)
        match event:
            case ev.Formed(minors, company):
                before = self.before
                self.earliest.pop(company, None)  # it may have been formed before, and the merger undone
                self.free_second.discard(company)
                if len(minors) > 1 and len({hex for minor in minors for hex in before.hexes(minor)}) == 1:
                    self.earliest[company] = min(minors, key=before.rank)
            case ev.MarkerReplaced(old, company) if self.earliest.get(company, old) != old:
                self.free_second.add(company)
            case ev.CompanyLeft(company):
                self.earliest.pop(company, None)
                self.free_second.discard(company)
            case _:
                pass
        match event:
            case ev.MarkerPlaced(company, hex, city):
                free = self.books.free(hex, city)
                self.bench.check("1867 8.2 free circle", free > 0, f"{company} in {hex}, city {city}: {free} are free")
            case ev.MarkerReplaced(old, company, hex):
                twice = company in self.books.markers[hex]
                self.bench.check("1867 8.3 one per hex", not twice, f"{company} has two in {hex}, one for {old}'s")
            case _:
                pass

    def end(self) -> None:
        super().end()
        if self.books.laid.get(MONTREAL) == "639":
            there = STATE in self.books.markers[MONTREAL]
            self.bench.check("1867 12.4 grey Montreal", there, f"{STATE} is not in grey Montreal")

    def lay(self, company: str, hex: str, tile: str) -> None:
        super().lay(company, hex, tile)
        books = self.books
        event = next(e for e in self.bench.events if isinstance(e, ev.TileLaid) and (e.hex, e.tile) == (hex, tile))
        old, new = books.face(hex), FACES[tile].turned(event.rotation)
        what = f"{tile} turned by {event.rotation} in {hex} over {books.laid.get(hex)}"
        check = self.bench.check
        check("1867 7.6 printed grey", hex not in GREY_HEXES and old.kind != "offboard", what)
        check("1867 7.6 kind", new.kind == old.kind and new.label == self.label(hex, tile), what)
        check("1867 7.12 track kept", self.keeps(old, new), what)
        check("1867 7.7, 7.20 sides", all(self.open_side(hex, side) for side in new.exits), what)
        if hex in STUBS and hex not in books.laid:
            check("1867 7.21 stubs", STUBS[hex] in new.exits, what)
        if new.kind == "city":
            most = self.most_exits(hex, COLOURS[tile])
            check("1867 7.13 most exits", len(new.exits) >= most, f"{what}: {most} exits are possible")

    @staticmethod
    def label(hex: str, tile: str) -> str:
        """7.14: Ottawa is Y till brown, and O when it is grey."""
        return "O" if hex == "J12" and COLOURS[tile] == 3 else MAP[hex].label

    def cost(self, company: str, hex: str, standing: list[str]) -> int:
        """8.4; by 8.6 a second marker may be free."""
        free = len(standing) == 1 and company in self.free_second
        self.bench.checked["1867 8.6 free second marker"] += free
        return 0 if free else super().cost(company, hex, standing)

    def ground(self, hex: str, tile: str, old: str | None) -> int:
        """7.8 terrain and 7.19 rivers: 80 for each border across which track meets now."""
        due = self.tables.terrain.get(hex, 0) if old is None else 0
        if hex == MONTREAL and COLOURS[tile] == 1:
            due += 20
        laid = next(e for e in self.bench.events if isinstance(e, ev.TileLaid) and (e.hex, e.tile) == (hex, tile))
        exits = FACES[tile].turned(laid.rotation).exits
        crossed = 0
        for side in exits:
            other = beyond(hex, side)
            if frozenset({hex, other}) in self.books.rivers and (side + 3) % 6 in self.books.face(other).exits:
                crossed += 1
        if crossed:
            self.bench.checked["1867 7.19 river" if crossed == 1 else "1867 7.19 two rivers"] += 1
        return due + RIVER * crossed

    def printed(self, hex: str) -> int:
        return 0 if hex in self.tables.printed else -1

    def open_side(self, hex: str, side: int) -> bool:
        """7.7, 7.20: not off the map, nor across a closed border, nor into a blank side of a printed hex."""
        other = beyond(hex, side)
        if other not in MAP or frozenset({hex, other}) in BARRED:
            return False
        blank = other in GREY_HEXES or MAP[other].kind == "offboard"
        return not blank or (side + 3) % 6 in MAP[other].exits

    @staticmethod
    def keeps(old: Face, new: Face) -> bool:
        """Plain track and exits of a town stay; each city keeps its exits, and no two get into one but by the tile."""
        if old.kind != "city":
            return {frozenset(path) for path in old.paths} <= {frozenset(path) for path in new.paths}
        return all(
            any(old.sides(one) <= new.sides(other) for other in new.stations())
            for one in old.stations()
            if old.sides(one)
        )

    def most_exits(self, hex: str, colour: int) -> int:
        """7.13: of the tiles of this colour that fit and are left. A tile that lies there now is not left."""
        old, lying = self.books.face(hex), Counter(self.books.laid.values())
        most = 0
        for tile, count in COUNTS.items():
            if COLOURS[tile] != colour or (count is not None and lying[tile] >= count):
                continue
            if FACES[tile].kind != "city" or FACES[tile].label != self.label(hex, tile):
                continue
            for rotation in range(6):
                new = FACES[tile].turned(rotation)
                fits = self.keeps(old, new) and all(self.open_side(hex, side) for side in new.exits)
                if hex in STUBS and hex not in self.books.laid:
                    fits = fits and STUBS[hex] in new.exits
                if fits:
                    most = max(most, len(new.exits))
        return most
