"""Tiles and markers: how many, of which colours, and what they cost. Whether track connects is not judged here."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1844
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK


def distance(one: str, other: str) -> int:
    """Hexes from one to the other on 1861's grid: columns A to Q, and in each every second row number."""
    across = abs(ord(one[0]) - ord(other[0]))
    down = abs(int(one[1:]) - int(other[1:]))
    return across + max(0, (down - across) // 2)


class Track(Subject):
    """v2.0 §10.4 and §10.5; 1844 pp. 10 to 12."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.hexes: list[str] = []
        self.upgrades = 0
        self.placed = 0
        self.extra = False
        """1844: the tile of P2 has been laid."""
        self.paid: list[ev.Paid] = []
        self.panels: Counter[str] = Counter()
        self.company: str | None = None

    def begin(self) -> None:
        self.paid = []

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.TurnBegan(company):
                self.hexes, self.upgrades, self.placed, self.company = [], 0, 0, company
            case ev.Paid(reason="terrain" | "token" | "tunnel"):
                self.paid.append(event)
            case ev.TileLaid(company, hex, tile):
                self.lay(company, hex, tile)
            case ev.OverlayLaid(actor, hex, tile):
                self.piece(actor, hex, tile)
            case ev.MarkerPlaced(company, hex):
                self.marker(company, hex)
            case _:
                pass

    def end(self) -> None:
        self.bench.check("v2.0 §10.4, 1844 p. 10 terrain", not self.paid, f"paid without a cause: {self.paid}")
        if any(isinstance(e, ev.TileLaid) for e in self.bench.events):
            lying = Counter(self.books.laid.values())
            for tile, number in lying.items():
                count = self.tables.counts[tile]
                self.bench.check("tiles", count is None or number <= count, f"{number} of tile {tile}")

    def charge(self, rule: str, what: str, company: str, reason: str, due: int) -> None:
        """What ``company`` has paid for this, and nothing else."""
        mine = [(e.payer, e.payee, e.amount) for e in self.paid if e.reason == reason]
        self.bench.same(rule, what, mine, [(company, BANK, due)] if due else [])
        self.paid = [e for e in self.paid if e.reason != reason]

    # ---- tiles ------------------------------------------------------------------------------------------------------

    def lay(self, company: str, hex: str, tile: str) -> None:
        bench, books, order = self.bench, self.books, self.bench.order
        colour = self.tables.colours[tile]
        old = books.laid.get(hex)
        rule = "v2.0 §10.4, 1844 p. 10 lays"
        bench.check(rule, colour <= self.tables.palette[books.phase], f"tile {tile} in phase {books.phase}")
        lies = self.tables.colours[old] if old is not None else self.printed(hex)
        bench.same(rule, f"colour of tile {tile} in {hex} over {old}", colour, lies + 1)
        upgrade = lies >= 0
        if bench.cousins:
            bench.check(
                rule, hex not in self.hexes and len(self.hexes) < 2, f"{company} lays in {hex} after {self.hexes}"
            )
            self.upgrades += upgrade
            bench.check(rule, self.upgrades < 2, f"{company} upgrades {hex} after {self.hexes}")
            if books.phase == "2":
                bench.check("v2.0 §8 privates' hexes", hex not in bench.kin.closed_in_phase_2, f"{hex} in phase 2")
            due = self.ground(hex, tile, old) + 20 * len(self.hexes)
            self.hexes.append(hex)
        else:
            if isinstance(order, od.Lay) and order.using is not None:
                bench.check(
                    "1844 p. 19 P2", order.using == "P2" and not self.extra and not upgrade, f"P2 lays {tile} in {hex}"
                )
                bench.check("1844 p. 19 P2", books.phase in "34", f"P2 is used in phase {books.phase}")
                self.extra = True
            else:
                bench.check(rule, not self.hexes, f"{company} lays in {hex} after {self.hexes}")
                self.hexes.append(hex)
            due = 0 if old is not None else self.tables.terrain.get(hex, 0)
        self.charge("v2.0 §10.4, 1844 p. 10 terrain", f"{company} pays for {tile} in {hex}", company, "terrain", due)

    def ground(self, hex: str, tile: str, old: str | None) -> int:
        """The costs of 1861's ground: v2.0 §10.4."""
        due = 0 if old is not None else self.tables.terrain.get(hex, 0)
        return due + (40 if (hex, self.tables.colours[tile]) == ("D14", 2) else 0)

    def printed(self, hex: str) -> int:
        if hex == "E1" and self.bench.cousins:
            return 1
        return 0 if hex in self.tables.printed else -1

    def piece(self, actor: str, hex: str, tile: str) -> None:
        """Panels of mountain railways, tunnels (p. 11: 100) and the Furka-Oberalp track."""
        if tile.startswith("XM"):
            self.panels[tile] += 1
            self.bench.check("p. 5 panels", self.panels[tile] <= 2, f"{self.panels[tile]} panels {tile}")
        elif tile.startswith("X"):
            self.panels["X"] += 1
            self.bench.check("p. 11 tunnels", self.panels["X"] <= 5, f"{self.panels['X']} tunnels")
            self.charge("p. 11 tunnels", f"{actor} pays for a tunnel in {hex}", actor, "tunnel", 100)

    # ---- markers ----------------------------------------------------------------------------------------------------

    def marker(self, company: str, hex: str) -> None:
        bench, books = self.bench, self.books
        standing = books.hexes(company)
        rule = "v2.0 §10.5, 1844 p. 12 markers"
        bench.check(rule, hex not in standing, f"{company} has two markers in {hex}")
        bench.check(
            rule, len(standing) < self.most(company), f"{company} has {len(standing)} markers on the map already"
        )
        bought = isinstance(bench.order, od.Token) and bench.order.actor == company
        due = 0
        if bought:
            self.placed += 1
            bench.same(rule, f"markers of {company} in this turn", self.placed, 1)
            due = self.cost(company, hex, standing)
        elif bench.cousins:
            good = not standing or self.tables.kind(company) == "state"
            bench.check(rule, good, f"{company} places a marker in {hex} for nothing")
        else:
            bench.check(rule, not standing and company not in books.operated, f"{company} places a marker for nothing")
        self.charge(rule, f"{company} pays for its marker in {hex}", company, "token", due)

    def cost(self, company: str, hex: str, standing: list[str]) -> int:
        """v2.0 §10.5: 20 for each hex to the first, 40 to the nearer. 1844 p. 12: 40, then 100; the SBB's all 100."""
        if self.bench.cousins:
            return (20 if len(standing) == 1 else 40) * min(distance(hex, other) for other in standing)
        return 40 if len(standing) == 1 and company != "SBB" else 100

    def most(self, company: str) -> int:
        kind = self.tables.kind(company)
        if self.bench.cousins:
            return self.bench.kin.markers[kind]
        if kind == "historical":
            return tables_1844.MARKERS_BY_PAR[self.books.par[company]]
        return {"pre-SBB": 2, "regional": 3, "SBB": 10}[kind]
