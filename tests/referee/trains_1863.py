"""1863: trains, tiles and markers. Whether track connects is not judged here."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import TubeSubject
from tests.referee.state import BANK

CARDS = ("2T", "3T", "4T", "5T")


class Stock(TubeSubject):
    """Sections 5.b, 5.c, 7.c, 7.e, 10 (export)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.exported = 0
        self.until: dict[tuple[str, str], tuple[int, int]] = {}
        """Company, type of such trains -> set and number of the last operating round in which they may be there."""

    def current(self) -> str | None:
        """The supply on sale: cards go in order."""
        new = self.books.new
        return next((card for card in CARDS if new[card] is None or (new[card] or 0) > 0), None)

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TrainMoved(train, "Bank", company) if company:
                card = self.tables.trains[train].card
                bench.same("1863 §7.e supply", f"{company} buys from", card, self.current())
                room = self.limit(company) - len(books.trains[company]) + self.kept(company)
                bench.check("1863 §7.e train limit", room > 0, f"{company} buys {train} beside {books.trains[company]}")
            case ev.TrainMoved(train, "", company):
                self.keeps(company, train)
            case ev.TrainMoved(train, source, target) if books.kept[source, train] and target in books.status:
                self.until[target, train] = max(self.until[source, train], self.until.get((target, train), (0, 0)))
            case ev.TrainMoved(train, "Bank", ""):
                bench.same("1863 §10 export", "exported", self.tables.trains[train].card, self.current())
            case ev.Exported(train):
                bench.same("1863 §10 export", f"{train} in phase", (books.phase, books.round[0]), ("V", "SR"))
                self.exported += 1
            case ev.SupplySet(train, left):
                due = figures.SUPPLIES[len(books.players)]["2T"]
                found = train, left, books.round
                bench.same("1863 §7.e first supply", "2T trains left", found, ("2T", due, ("OR", 1, 1)))
            case ev.PhaseBegan(phase):
                self.phase_begins(phase)
            case ev.RoundBegan() if books.round[0] == "OR":
                late = {c: self.until[c] for c, n in books.kept.items() if n and self.until[c] <= books.round[1:]}
                bench.check("1863 §14 Thompson", not late, f"still there after {books.round}: {late}")
            case ev.RoundBegan(round) if books.round[0] == "SR" and round.kind == "OR":
                due = int(books.phase == "V" and self.left_at_round_end() and not books.final)
                bench.same("1863 §10 export", "trains exported", self.exported, due)
                self.exported = 0
            case ev.TurnEnded():
                self.within_limits()
            case ev.Ran(company, routes):
                self.runs(company, [r.train for r in routes])
            case _:
                pass

    def old(self) -> list[str]:
        """Trains that have rusted by now."""
        order = list(figures.LIMITS)
        reached = order[: order.index(self.books.phase) + 1]
        return [train for phase in reached for train in self.tables.gone.get(phase, ())]

    def keeps(self, company: str, train: str) -> None:
        """Up to two trains of Thompson's owner may run in one more operating round (14, R50)."""
        books, rule = self.books, "1863 §14 Thompson"
        good = books.privates.get("THO") == company and train in self.old()
        self.bench.check(rule, good and isinstance(self.bench.order, od.KeepTrains), f"{company} keeps {train}")
        now = sum(isinstance(e, ev.TrainMoved) and not e.source for e in self.bench.events)
        self.bench.check(rule, now <= 2, f"{company} keeps {now} trains")
        _, set_, number = books.round if books.round[0] != "SR" else ("OR", books.round[1], 0)
        self.until[company, train] = (set_, number + 1) if number < 2 else (set_ + 1, 1)

    def kept(self, company: str) -> int:
        return sum(n for (owner, _), n in self.books.kept.items() if owner == company)

    def left_at_round_end(self) -> bool:
        return self.exported > 0 or self.current() is not None

    def limit(self, company: str) -> int:
        return figures.LIMITS[self.books.phase][self.books.minor(company)]

    def phase_begins(self, phase: str) -> None:
        """With the purchase of the first train of the phase, at once (5.b, 5.c)."""
        firsts = [e.train for e in self.bench.events if isinstance(e, ev.TrainMoved) and e.source == BANK and e.target]
        good = any(self.tables.starts.get(train) == phase for train in firsts)
        self.bench.check("1863 §5.c phases", good, f"phase {phase} begins with {firsts}")

    def within_limits(self) -> None:
        books = self.books
        for company in books.playing():
            trains = books.trains[company]
            old = sum(1 for t in trains if t in self.tables.gone.get(books.phase, ()))
            over = len(trains) - old > self.limit(company)
            self.bench.check("1863 §5.b train limit", not over, f"{company} has {trains} in phase {books.phase}")

    def runs(self, company: str, trains: list[str]) -> None:
        owned = Counter(self.books.trains[company])
        more = Counter(trains) - owned
        self.bench.check("1863 §7.c runs", not more, f"{company} runs {trains}, owns {dict(owned)}")

    def end(self) -> None:
        phases = [e.phase for e in self.bench.events if isinstance(e, ev.PhaseBegan)]
        bought = [e.train for e in self.bench.events if isinstance(e, ev.TrainMoved) and e.source == BANK and e.target]
        for train in bought:
            phase = self.tables.starts.get(train)
            order = list(figures.LIMITS)
            late = phase is not None and order.index(self.books.phase) < order.index(phase)
            self.bench.check("1863 §5.c phases", not late, f"{train} is bought, and the phase is {self.books.phase}")
        if "IV" in phases:
            left = [p for p, who in self.books.privates.items() if who is not None and p not in figures.LASTING]
            self.bench.check("1863 §14 closing", not left, f"{left} are open in phase IV")
        for company in self.books.playing():
            self.rusted(company)

    def rusted(self, company: str) -> None:
        """Of the types that have rusted nothing is left, but what Thompson's owner has kept."""
        old = [train for train in self.books.trains[company] if train in self.old()]
        good = Counter(old) == Counter({train: self.books.kept[company, train] for train in self.old()})
        self.bench.check("1863 §5.b rust", good, f"{company} has {old} in phase {self.books.phase}")


class Ground(TubeSubject):
    """Sections 7.b, 8.g, 14 (powers over tiles)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.company: str | None = None
        self.lays: list[tuple[str, bool]] = []
        """Normal lays of this turn: hex, and whether it was an upgrade."""
        self.placed = 0
        self.paid: list[tuple[str, str, int]] = []
        self.by: dict[str, int] = {}

    def begin(self) -> None:
        self.paid = []

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.TurnBegan(company):
                self.company, self.lays, self.placed = company, [], 0
            case ev.TurnEnded():
                self.company = None
            case ev.Paid(payer, payee, amount, "terrain"):
                self.paid.append((payer, payee, amount))
            case ev.TileLaid(company, hex, tile):
                self.lay(company, hex, tile)
            case ev.MarkerPlaced(company, hex):
                self.marker(company, hex)
            case ev.PrivateUsed(private, user):
                owner = self.books.privates.get(private)
                able = {user, self.books.owner(user)} if private == "NEL" else {user}  # who founds may keep it (R50)
                self.bench.check("1863 §14 powers", owner in able - {None}, f"{user} uses {private} of {owner}")
            case _:
                pass

    # ---- tiles ------------------------------------------------------------------------------------------------------

    def lay(self, company: str, hex: str, tile: str) -> None:
        bench, books, order = self.bench, self.books, self.bench.order
        rule = "1863 §7.b tiles"
        colour, old = self.tables.colours[tile], books.laid.get(hex)
        if tile == "LU11":
            bench.same("1863 R68 North East", "LU11", (hex, books.phase), (figures.NORTH_EAST, "V"))
            bench.same("1863 §7.b costs", "LU11 costs", self.paid, [(company, BANK, figures.UPGRADE)])
            self.paid = []
            self.lays.append((hex, True))
            self.turn(company)
            return
        bench.check(rule, colour <= self.tables.palette[books.phase], f"tile {tile} in phase {books.phase}")
        lies = -1 if old is None else self.tables.colours[old]
        bench.same(rule, f"colour of {tile} in {hex} over {old}", colour, lies + 1)
        using = order.using if isinstance(order, od.Lay) else None
        if using not in ("LNR", "CLK") and books.round[0] == "OR":
            self.lays.append((hex, old is not None))
            self.turn(company)
        self.stations(company, hex, tile, old, using)
        due = self.cost(company, hex, tile, old, using)
        payer = company if company in figures.COMPANIES else BANK
        bench.same("1863 §7.b costs", f"{tile} in {hex} costs", self.paid, [(payer, BANK, due)] if due else [])
        self.paid = []

    def turn(self, company: str) -> None:
        """An upgrade or a yellow tile, then a yellow one, not twice in a hex; the engineer Fowler is freer."""
        hexes = [hex for hex, _ in self.lays]
        fowler = self.books.privates.get("FOW") == company
        rule = "1863 §7.b two lays"
        self.bench.check(rule, len(hexes) <= 2 and len(set(hexes)) == len(hexes), f"{company} lays in {hexes}")
        second = len(self.lays) > 1 and self.lays[1][1]
        self.bench.check(rule, not second or fowler, f"{company} upgrades second: {self.lays}")

    def stations(self, company: str, hex: str, tile: str, old: str | None, using: str | None) -> None:
        """A tile shows what the hex has, but for two privates: Area Redevelopment and Area Improvements."""
        if old is not None:
            was = "major" if old in figures.SLOTS else "minor" if old in figures.STOPS else "plain"
        else:
            was = "major" if hex in figures.MAJORS else "minor" if hex in figures.MINORS else "plain"
        now = "major" if tile in figures.SLOTS else "minor" if tile in figures.STOPS else "plain"
        was = {("ARD", "major"): "plain", ("AIM", "minor"): "major"}.get((using or "", was), was)
        self.bench.same("1863 §7.b stations", f"{tile} in {hex} by {company}", now, was)

    def cost(self, company: str, hex: str, tile: str, old: str | None, using: str | None) -> int:
        """10, 20 for a minor station, 30 for a major one; upgrades 10; once, what is printed in the hex (R27)."""
        if using in ("LNR", "CLK", "THT"):
            good = using != "THT" or (hex in figures.RIVER and old is None)
            self.bench.check("1863 §14 free tiles", good, f"{using} lays {tile} in {hex}")
            return 0
        if old is not None:
            return figures.UPGRADE
        terrain = self.tables.terrain.get(hex, 0)
        terrain = terrain // 2 if self.books.privates.get("GRE") == company else terrain
        if tile in figures.SLOTS:
            return figures.MAJOR_STATION + terrain
        return (figures.MINOR_STATION if tile in figures.STOPS else figures.PLAIN) + terrain

    def end(self) -> None:
        self.bench.check("1863 §7.b costs", not self.paid, f"paid without a cause: {self.paid}")
        if any(isinstance(e, ev.TileLaid) for e in self.bench.events):
            lying = Counter(self.books.laid.values())
            for tile, n in lying.items():
                self.bench.check("1863 tiles", n <= (self.tables.counts[tile] or 0), f"{n} of tile {tile}")
            for faces in figures.SHARED_CARDS:
                n = sum(lying[face] for face in faces)
                self.bench.check("1863 tiles", n <= self.shared(faces), f"{n} of tiles {sorted(faces)}")
        for company in self.books.playing():
            self.standing(company)

    def shared(self, faces: frozenset[str]) -> int:
        return sum(self.tables.counts[face] or 0 for face in faces)

    # ---- markers ----------------------------------------------------------------------------------------------------

    def marker(self, company: str, hex: str) -> None:
        bench, books, rule = self.bench, self.books, "1863 §7.b markers"
        place = hex in figures.MAJORS or hex == figures.NORTH_EAST or books.laid.get(hex) in figures.SLOTS
        bench.check(rule, place and books.laid.get(hex) not in ("8", "9"), f"{company} places a marker in {hex}")
        bench.check(rule, company not in books.markers[hex], f"{company} has a marker in {hex}")
        bench.check(rule, len(books.markers[hex]) < self.spaces(hex), f"{books.markers[hex]} are in {hex}")
        if books.status[company] != "open":
            home = figures.NORTH_EAST
            bench.check("1863 §6.c.i first marker", hex != home or company == "PCN", f"{company} begins in {hex}")
            return
        self.placed += 1
        bench.same(rule, f"markers of {company} in this turn", (company, self.placed), (self.company, 1))
        charter = books.tokens.get(company, 0) - len(books.hexes(company))
        bench.check(rule, charter > 0, f"{company} has {charter} markers on its charter")

    def spaces(self, hex: str) -> int:
        tile = self.books.laid.get(hex)
        if hex == figures.NORTH_EAST:
            return 2 if tile == "LU11" else 1
        return 1 if tile is None else figures.SLOTS.get(tile, 0)

    def standing(self, company: str) -> None:
        """7 in all, the UERL its 8 and 3 more; a minor one, or two with the Railway Lodgings (2, 6.b.i, 8.g, R50)."""
        books, rule = self.books, "1863 §8.g markers"
        hexes = books.hexes(company)
        owned = books.tokens.get(company, len(hexes))
        self.bench.check(rule, len(set(hexes)) == len(hexes) or self.choosing(), f"{company} stands in {hexes}")
        usual = figures.MOST_OF_UNLIMITED if company == figures.UNLIMITED else figures.MOST_MARKERS
        most = 2 if books.minor(company) else usual
        self.bench.check(rule, owned <= most or self.choosing(), f"{company} has {owned} markers")

    def choosing(self) -> bool:
        """Markers that are too many are being given up."""
        return self.books.round[0] == "MR"
