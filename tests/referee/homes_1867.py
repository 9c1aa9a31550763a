"""1867: where a company begins. The home of a minor is named with the opening bid; a public company's first marker."""

from __future__ import annotations

from engine.core import events as ev
from engine.core import orders as od
from tests.referee.bench import Bench
from tests.referee.ground_subject import GroundSubject
from tests.referee.tables_1867 import MONTREAL, STATE, TORONTO
from tests.referee.tiles_1867 import MAP


class Homes(GroundSubject):
    """1.12, 3.13, 4.8, 4.11."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.homes: dict[str, tuple[str, int]] = {}
        """Minor that is auctioned -> hex and city that its opener has named."""

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.Opened(_, item) if item in self.tables.kinds:
                self.opened(item)
            case ev.MarkerPlaced(company, hex, city) if self.tables.kind(company) == "minor":
                home = self.homes.pop(company, None)
                self.bench.same("1867 4.8 home", f"home of {company}", (hex, city), home)
            case ev.MarkerPlaced(company, hex, city) if isinstance(self.bench.order, od.Start):
                self.started(company, hex, city)
            case _:
                pass

    def end(self) -> None:
        if self.bench.order is None:
            self.bench.same("1867 1.12 Toronto", f"{STATE} at the start", self.books.standing[TORONTO], ((STATE,), ()))
            self.bench.same("1867 1.12 Toronto", f"hexes of {STATE}", self.books.hexes(STATE), [TORONTO])
        for event in self.bench.events:
            if isinstance(event, ev.Won) and event.item in self.tables.kinds:
                self.bench.same("1867 4.8 home", f"markers of {event.item}", len(self.books.hexes(event.item)), 1)
            if isinstance(event, ev.DirectorChanged) and isinstance(self.bench.order, od.Start):
                self.bench.same("1867 3.13 first marker", f"markers of {event.company}", len(self.books.hexes(event.company)), 1)  # fmt: skip  # noqa: E501

    def opened(self, minor: str) -> None:
        """4.11: an empty city; in Toronto and Montreal any free circle, by ``empty_city`` if a city there is empty."""
        order = self.bench.order
        assert isinstance(order, od.Open)
        rule, space = "1867 4.11 home", order.space
        if not self.bench.check("1867 4.8 home", space is not None, f"{minor} is opened without a home") or not space:
            return
        place = self.place(space)
        if not self.bench.check(rule, place is not None, f"{space} for {minor} is no city") or place is None:
            return
        self.homes[minor] = place
        hex, city = place
        books = self.books
        if hex not in (MONTREAL, TORONTO):
            self.bench.check(rule, books.empty(hex, city), f"{minor} in {place}, where {books.standing[hex]} stand")
            return
        cities = range(len(books.standing[hex]))
        some = self.bench.reading("homes") == "free_circle" or any(books.empty(hex, n) for n in cities)
        good = books.free(hex, city) > 0 and some
        self.bench.check(rule, good, f"{minor} in {place}, where {books.standing[hex]} stand")

    def place(self, space: od.Space) -> tuple[str, int] | None:
        """Hex and city that an order names: by a side with its track, or by its number from 1."""
        if space.hex not in MAP or MAP[space.hex].kind != "city":
            return None
        face = self.books.face(space.hex)
        if space.number is not None:
            return space.hex, space.number - 1
        if space.exit is not None:
            station = face.station_at(space.exit)
            return None if station is None else (space.hex, face.stations().index(station))
        if space.company is not None:
            found = [n for n, there in enumerate(self.books.standing[space.hex]) if space.company in there]
            return (space.hex, found[0]) if found else None
        cities = [n for n in range(len(face.values)) if self.books.free(space.hex, n) > 0]
        return (space.hex, cities[0]) if len(cities) == 1 else None

    def started(self, company: str, hex: str, city: int) -> None:
        """3.13: where no company stands and no city of the hex is joined; if there is none, where no company stands."""
        books = self.before
        vacant = [h for h, cities in books.standing.items() if not any(cities)]
        vacant = [h for h in vacant if any(books.free(h, n) > 0 for n in range(len(books.standing[h])))]
        apart = [h for h in vacant if books.unconnected(h)]
        best = apart or vacant
        rule = "1867 3.13 first marker" if apart else "1867 3.13 connected first marker"
        self.bench.check(rule, hex in best, f"{company} begins in {hex}, not in {sorted(best)}")
        free = books.free(hex, city)
        self.bench.check(rule, free > 0, f"{company} begins in city {city} of {hex}: {free} circles are free")
