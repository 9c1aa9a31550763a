"""1867: the books with the map as it lies: tiles and how they are turned, and each marker in its city."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.core import events as ev
from tests.referee.state import Books
from tests.referee.tables import Tables
from tests.referee.tables_1867 import NEUTRAL, PRIVATES, PRIVATES_REMOVED
from tests.referee.tiles_1867 import FACES, MAP, RIVERS, Face, beyond, borders


class GroundBooks(Books):
    def __init__(self, tables: Tables, players: tuple[str, ...]) -> None:
        super().__init__(tables, players)
        self.turned: dict[str, int] = {}
        """Hex -> how its tile is turned."""
        self.standing: dict[str, tuple[tuple[str, ...], ...]] = {
            hex: ((),) * len(face.values) for hex, face in MAP.items() if face.kind == "city"
        }
        """Hex -> the companies in each of its cities."""
        self.rivers = borders(RIVERS)
        """Borders that nobody has bridged."""
        self.left = len(PRIVATES) - PRIVATES_REMOVED.get(len(players), 0)
        """Privates in the game."""

    def copy(self) -> GroundBooks:
        other = super().copy()
        assert isinstance(other, GroundBooks)
        other.turned, other.standing = dict(self.turned), dict(self.standing)
        return other

    # ---- what can be asked -----------------------------------------------------------------------------------------

    def face(self, hex: str) -> Face:
        return FACES[self.laid[hex]].turned(self.turned[hex]) if hex in self.laid else MAP[hex]

    def colour(self) -> int:
        """9.5: the colour of off-board values: yellow, green in 3 and 4, brown in 5 and 6, grey in 7 and 8."""
        return {"2": 0, "3": 1, "4": 1, "5": 2, "6": 2}.get(self.phase, 3)

    def free(self, hex: str, city: int) -> int:
        """Circles that are free."""
        neutral = self.phase == "2" and NEUTRAL.get(hex) == city
        return self.face(hex).circles[city] - len(self.standing[hex][city]) - neutral

    def empty(self, hex: str, city: int) -> bool:
        """True if it has no marker and a free circle."""
        return not self.standing[hex][city] and self.free(hex, city) > 0

    def leads_to(self, hex: str, side: int) -> frozenset[tuple[str, str]]:
        """The stations that track over a side of a hex comes to first, each as hex and name."""
        found, seen, todo = set[tuple[str, str]](), set[tuple[str, int]](), [(hex, side)]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            other, entry = beyond(*at), str((at[1] + 3) % 6)
            for end in self.face(other).joined(entry) if other in MAP else []:
                if end.isdigit():
                    todo.append((other, int(end)))
                else:
                    found.add((other, end))
        return frozenset(found)

    def unconnected(self, hex: str) -> bool:
        """3.13: no city of the hex is joined by track to another place."""
        face = self.face(hex)
        return not any(
            self.leads_to(hex, side) - {(hex, station)} for station in face.stations() for side in face.sides(station)
        )

    # ---- what happens ----------------------------------------------------------------------------------------------

    def enter(self, event: ev.Event) -> None:
        match event:
            case ev.TileLaid(hex=hex, rotation=rotation):
                old = self.face(hex)
                super().enter(event)
                self.turned[hex] = rotation
                if old.kind == "city":
                    self.standing[hex] = self.moved(old, self.face(hex), self.standing[hex])
                for border in [b for b in self.rivers if hex in b and self.meets(b)]:
                    self.rivers -= {border}
                return
            case ev.PrivateClosed(unused=False):
                self.left -= 1
            case ev.MarkerPlaced(company, hex, city):
                self.change(hex, city, "", company)
            case ev.MarkerRemoved(company, hex, city):
                self.change(hex, city, company, "")
            case ev.MarkerReplaced(old_company, company, hex, city):
                self.change(hex, city, old_company, company)
            case _:
                pass
        super().enter(event)

    def meets(self, border: frozenset[str]) -> bool:
        """True if track meets across the border."""
        one, other = sorted(border)
        side = next(side for side in range(6) if beyond(one, side) == other)
        return side in self.face(one).exits and (side + 3) % 6 in self.face(other).exits

    @staticmethod
    def moved(old: Face, new: Face, standing: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        """7.12: markers go with their city, which keeps its exits; the one without track gets the rest."""
        cities: list[list[str]] = [[] for _ in new.values]
        homes: dict[int, int] = {}
        for n, station in enumerate(old.stations()):
            if exits := old.sides(station):
                homes[n] = next((m for m, s in enumerate(new.stations()) if exits <= new.sides(s)), 0)
        for n, there in enumerate(standing):
            rest = [m for m in range(len(cities)) if m not in homes.values()]
            cities[homes.get(n, rest[0] if rest else 0)] += there
        return tuple(map(tuple, cities))

    def change(self, hex: str, city: int, old: str, new: str) -> None:
        cities = [list(there) for there in self.standing[hex]]
        if old and old in cities[city]:
            cities[city].remove(old)
        if new:
            cities[city].append(new)
        self.standing[hex] = tuple(map(tuple, cities))

    def _sides(self, told: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        yield from super()._sides(told)
        yield "number of privates", self.left, len(told["privates"])
        tiles = {hex: [tile, self.turned[hex]] for hex, tile in self.laid.items()}
        yield "tiles", tiles, {hex: list(lies) for hex, lies in told["tiles"].items()}
        standing = {h: [sorted(there) for there in cities] for h, cities in self.standing.items() if any(cities)}
        yield "cities", standing, {h: [sorted(there) for there in cities] for h, cities in told["markers"].items() if any(cities)}  # fmt: skip  # noqa: E501
