"""1867: runs. Whether a route is one, and what it earns. Whether a better one exists is not judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.core import events as ev
from tests.referee.ground_subject import GroundSubject
from tests.referee.tables_1867 import MONTREAL, PLACES, QUEBEC, TIMMINS, TORONTO
from tests.referee.tiles_1867 import MAP, ONE_AREA, beyond

DOUBLED = ("2+2", "5+5E")
THREE_CITIES = (TORONTO, MONTREAL, QUEBEC)
BONUS, PRIVATE = 40, 10

Stop = tuple[str, str]
"""Hex and station."""


@dataclass(frozen=True)
class Walk:
    """A way along track. ``track``: the sides of hexes that it uses."""

    stops: tuple[Stop, ...]
    track: frozenset[str]


def disjoint(ways: Sequence[Sequence[Walk]], used: frozenset[str]) -> bool:
    """True if each route can take one of its ways so that no track is used twice."""
    if not ways:
        return True
    return any(not walk.track & used and disjoint(ways[1:], used | walk.track) for walk in ways[0])


class Runs(GroundSubject):
    """8.1, 9.1 to 9.12."""

    def see(self, event: ev.Event) -> None:
        if isinstance(event, ev.Ran) and event.routes:
            self.ran(event)

    def ran(self, event: ev.Ran) -> None:
        company, check = event.company, self.bench.check
        mine, used = Counter(self.books.trains[company]), Counter[str](route.train for route in event.routes)
        check("1867 9.1 trains", not used - mine, f"{company} runs {dict(used)} of {dict(mine)}")
        ways: list[list[Walk]] = []
        for route, value in zip(event.routes, event.values, strict=True):
            found = [walk for walk in self.walks(route.hexes) if not self.objection(company, route.train, walk)]
            if not found:
                wrong = {self.objection(company, route.train, walk) for walk in self.walks(route.hexes)}
                check("1867 8.1 route", False, f"{company}: {route} is no route: {wrong or 'no track'}")
                continue
            good = [walk for walk in found if self.worth(company, route.train, walk.stops) == value]
            due = sorted({self.worth(company, route.train, walk.stops) for walk in found})
            rule = self.rule(company, route.train, found[0].stops)
            check(rule, bool(good), f"{company}: {route.train} of {route.hexes} earns {value}, by the rules {due}")
            ways.append(good or found)
        check("1867 9.3 track once", disjoint(ways, frozenset()), f"{company} runs twice over the same track")

    def rule(self, company: str, train: str, stops: Sequence[Stop]) -> str:
        hexes = {hex for hex, _ in stops}
        if TIMMINS in hexes:
            return "1867 9.6 Timmins"
        if any(self.books.privates.get(p) == company and hexes & set(places) for p, places in PLACES.items()):
            return "1867 9.7 private"
        return f"1867 9.8, 9.9 {train}" if train in DOUBLED else "1867 9.1 value"

    def walks(self, hexes: tuple[str, ...]) -> list[Walk]:
        """The ways along track that come to these hexes in this sequence, and to no other city or area. No place and no
        side of a hex twice; of a hex with two tracks both may be used."""
        if len(hexes) < 2 or hexes[0] not in MAP:
            return []
        face, found = self.books.face(hexes[0]), list[Walk]()
        for station in face.stations():
            for side in face.sides(station):
                found += self.onward(hexes[0], side, Walk(((hexes[0], station),), frozenset()), hexes[1:])
        return found

    def onward(self, hex: str, side: int, walk: Walk, rest: tuple[str, ...]) -> list[Walk]:
        """The ways that go on over a side of a hex to the rest of the hexes."""
        other, entry = beyond(hex, side), (side + 3) % 6
        used = {f"{hex} {side}", f"{other} {entry}"}
        if other not in MAP or used & walk.track:
            return []
        found, face = list[Walk](), self.books.face(other)
        left = rest[1:] if other == rest[0] else rest
        for end in face.joined(str(entry)):
            way = Walk(walk.stops, walk.track | used)
            if end.isdigit():
                for names in {rest, left} - {()}:
                    found += self.onward(other, int(end), way, names)
            elif other not in {stop[0] for stop in way.stops}:
                way = Walk((*way.stops, (other, end)), way.track)
                found += [] if left else [way]
                if left and (left != rest or face.kind == "town"):
                    for out in face.sides(end) - {entry}:
                        found += self.onward(other, out, way, left)
        return found

    def objection(self, company: str, train: str, walk: Walk) -> str:
        """8.1: an own marker, off-boards at the ends only, no city in between that is full of others' markers."""
        stops = walk.stops
        if not any(self.own(company, stop) for stop in stops):
            return "no own marker"
        if len({hex for hex, _ in stops} & ONE_AREA) == 2:
            return "twice in Detroit"
        for stop in stops[1:-1]:
            if MAP[stop[0]].kind == "offboard":
                return f"through {stop[0]}"
            if self.blocked(company, stop):
                return f"{stop[0]} is full"
        big = sum(self.big(stop) for stop in stops)
        return "too long" if train != "5+5E" and big > int(train[0]) else ""

    def big(self, stop: Stop) -> bool:
        return MAP[stop[0]].kind != "town"

    def own(self, company: str, stop: Stop) -> bool:
        hex, station = stop
        return MAP[hex].kind == "city" and company in self.books.standing[hex][ord(station) - ord("a")]

    def blocked(self, company: str, stop: Stop) -> bool:
        """A neutral marker does not block: 1.13."""
        hex, station = stop
        if MAP[hex].kind != "city":
            return False
        n = ord(station) - ord("a")
        there = self.books.standing[hex][n]
        return company not in there and len(there) >= self.books.face(hex).circles[n]

    # ---- what it earns ----------------------------------------------------------------------------------------------

    def worth(self, company: str, train: str, stops: Sequence[Stop]) -> int:
        if train == "5+5E":
            return 2 * max((self.counted(company, list(five)) for five in self.fives(company, stops)), default=0)
        big = [stop for stop in stops if self.big(stop)]
        small = [stop for stop in stops if not self.big(stop)]
        counted = [*big, *small[: max(0, int(train[0]) - len(big))]]
        return self.counted(company, counted) * (2 if train in DOUBLED else 1)

    def fives(self, company: str, stops: Sequence[Stop]) -> list[tuple[Stop, ...]]:
        """9.8: off-boards and ports that are visited are among the five, and one of them has an own marker."""
        must = {stop for stop in stops if MAP[stop[0]].kind == "offboard"}
        found = combinations(stops, min(5, len(stops)))
        return [five for five in found if must <= set(five) and any(self.own(company, stop) for stop in five)]

    def counted(self, company: str, stops: Sequence[Stop]) -> int:
        books, total, hexes = self.books, 0, {hex for hex, _ in stops}
        for hex, station in stops:
            face = books.face(hex)
            if face.kind == "town":
                total += 10
            elif face.kind == "offboard":
                total += face.values[books.colour()]
            else:
                total += face.values[ord(station) - ord("a")]
        if TIMMINS in hexes and hexes & set(THREE_CITIES):
            total += BONUS
        total += sum(
            PRIVATE for p, places in PLACES.items() if books.privates.get(p) == company and hexes & set(places)
        )
        return total
