"""1863: who may hold and trade what, who is president, and shorts."""

from __future__ import annotations

from collections import Counter

from engine.core import events as ev
from engine.core import orders as od
from tests.referee import tables_1863 as figures
from tests.referee.bench import Bench
from tests.referee.books_1863 import OSI, TubeSubject
from tests.referee.state import POOL, TREASURY


class Holdings(TubeSubject):
    """Sections 6.a, 6.d to 6.k."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.sold: set[tuple[str, str]] = set()
        """Sellers and the companies that they have sold or shorted in this stock round."""
        self.fresh: set[str] = set()
        """Companies that were converted or merged and have not operated since."""
        self.bought: list[ev.Bought | ev.Transferred] = []
        self.halves: set[str] = set()
        """Companies of a merger whose halves are not settled: only then shares and shorts of one player are matched."""

    def begin(self) -> None:
        self.bought = []
        match self.bench.order:
            case od.Exchange() | od.HalfShort() | od.Discard() | od.Keep() | od.Borrow() | od.PayPlayer():
                pass
            case od.Sell() if "debt" in self.bench.asked:
                pass  # for a half short that he must pay for
            case od.Take(actor) | od.Pass(actor) if actor in {self.books.owner(company) for company in self.halves}:
                pass
            case _:
                self.halves.clear()

    # ---- trades -----------------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        match event:
            case ev.RoundBegan():
                self.sold.clear()
            case ev.Sold(seller, company, count):
                self.sale(seller, company, count)
            case ev.Shorted(player, company):
                self.short(player, company)
                self.sold.add((player, company))
            case ev.Transferred(company, count, source, target):
                self.transfer(company, count, source, target)
                self.sold.add((source, company))
                self.bought.append(event)
            case ev.Bought(buyer, company, count, _, source):
                self.purchase(buyer, company, source)
                self.bought.append(event)
            case ev.CertificatesMoved(company, "short", _, player, target) if target == TREASURY:
                self.out_of_use(company, player)
            case ev.Converted(company):
                self.fresh.add(company)
            case ev.Merged(_, company):
                self.fresh.add(company)
                self.halves.add(company)
            case ev.CompanyLeft(company) | ev.CompanyOpened(company):
                self.fresh.discard(company)
            case _:
                pass

    def sale(self, seller: str, company: str, count: int) -> None:
        books = self.books
        self.sold.add((seller, company))
        held = self.before.shares(seller, company)
        if self.merging():  # a company that merged and failed in one order sells what it has by then
            held = max(held, books.shares(seller, company) + count)
        good = seller != company and held >= count > 0
        self.bench.check("1863 §6.d sale", good, f"{seller} sells {count} of {company}")
        self.bench.check("1863 §6.d sale", not books.minor(company), f"{seller} sells the minor {company}")
        self.bench.check("1863 §7 red area", books.zone(company) != "red", f"{company} is sold in the red area")

    def short(self, player: str, company: str) -> None:
        """Majors that have operated, were converted or merged; nothing of it with the player or his companies (R63)."""
        books, bench, rule = self.books, self.bench, "1863 §6.k short"
        good = company in books.operated or company in self.fresh
        bench.check(rule, good and not books.minor(company), f"{company} has not operated")
        bench.check(rule, books.zone(company) == "white", f"{company} is in the {books.zone(company)} area")
        bench.check(rule, self.before.paper[OSI, company, "short"] > 0, f"no short of {company} is left")
        owned = {c: n for c in books.tree(player) if (n := self.before.shares(c, company))}
        bench.check(rule, not owned and player in books.players, f"{player} and his companies hold {owned}")
        bench.check(rule, not books.final, "a short in the last stock round")

    def out_of_use(self, company: str, player: str) -> None:
        """Shorts of a bankrupt that no share is left for lie on the charter (R39)."""
        left = {p: n for p in (POOL, TREASURY) if (n := self.books.paper[p, company, "ordinary"])}
        good = player in self.books.out and not left
        self.bench.check("1863 R39 shorts", good, f"{player}'s short lies on the charter of {company}, beside {left}")

    def transfer(self, company: str, count: int, source: str, target: str) -> None:
        """From one's own company to oneself, or to another company of one's own; a minor whole (6.f, R21a)."""
        books, rule = self.before, "1863 §6.f transfer"
        order = self.bench.order
        player = order.actor if isinstance(order, od.Transfer) else ""
        good = books.controller(source) == player and (target == player or books.controller(target) == player)
        self.bench.check(rule, good, f"{player} takes {company} from {source} for {target}")
        self.bench.check(rule, not books.minor(company) or count == 2, f"{count} shares of the minor {company}")
        self.buy_back(target, company)

    def purchase(self, buyer: str, company: str, source: str) -> None:
        books, rule = self.books, "1863 §6.e purchase"
        place = POOL if source == "pool" else TREASURY
        self.bench.check(rule, source in ("pool", "treasury"), f"{buyer} buys from {source}")
        self.bench.check(rule, buyer != company or place == POOL, f"{buyer} redeems from {source}")
        merged = any(isinstance(e, ev.Merged) and e.company == company for e in self.bench.events)  # its stock is new
        there = merged or self.opened(company) or self.before.shares(place, company) > 0
        self.bench.check(rule, there, f"no {company} in {source}")
        self.bench.check("1863 §7 red area", books.zone(company) != "red", f"{company} is bought in the red area")
        if buyer != company:
            self.buy_back(buyer, company)

    def opened(self, company: str) -> bool:
        return self.before.status[company] != "open" or self.before.minor(company)

    def buy_back(self, buyer: str, company: str) -> None:
        good = self.books.round[0] != "SR" or (buyer, company) not in self.sold
        self.bench.check("1863 §6.d.ii no buying back", good, f"{buyer} has sold {company} in this round")

    # ---- after the order --------------------------------------------------------------------------------------------

    def end(self) -> None:
        for event in self.bought:
            buyer = event.player if isinstance(event, ev.Bought) else event.target
            if buyer != event.company:
                self.limits(buyer, event.company)
        touched = {e.company for e in self.bench.events if isinstance(e, ev.CertificatesMoved | ev.CertificatesSet)}
        for company in self.books.playing():
            if company in touched:
                self.certificates(company)
                self.president(company)
        if touched:
            self.circles()
        order = self.bench.order
        if self.books.round[0] == "SR" and isinstance(order, od.Buy | od.Short | od.Start | od.Transfer):
            self.selling_first(order.actor)

    def certificates(self, company: str) -> None:
        """Ten shares and the shorts that are open; pairs in the open short interest (2, 6.c.v, 6.k)."""
        books, bench, rule = self.books, self.bench, "1863 §6.k pairs"
        paper = Counter[str]()
        for (_, c, kind), n in books.paper.items():
            paper[kind] += n if c == company else 0
        below = {k: n for k, n in books.paper.items() if n < 0}
        bench.check(rule, not below, f"less than none: {below}")
        if books.minor(company):
            bench.same(rule, f"certificates of {company}", dict(+paper), {"director": 1})
            return
        pairs = books.paper[OSI, company, "ordinary"], books.paper[OSI, company, "short"]
        out = books.shorts_out(company) + books.paper[TREASURY, company, "short"]
        due = {"director": 1, "ordinary": 8 + figures.PAIRS, "short": figures.PAIRS}
        bench.same(rule, f"certificates of {company}", dict(+paper), due)
        bench.same(rule, f"pairs of {company}", pairs, (figures.PAIRS - out, figures.PAIRS - out))
        shorters = books.shorters(company)
        both = [p for p in shorters if books.paper[p, company, "ordinary"]]
        if company in self.halves:
            return
        bench.check(rule, not both, f"{both} have shares and shorts of {company}")
        presidents = [p for p in shorters if books.paper[p, company, "director"]]
        bench.check("1863 §6.k shorts of a president", not presidents, f"{presidents} have shorts of {company}")

    def president(self, company: str) -> None:
        """A holder of more than the president takes over: the largest, then the nearest to his left (6.g, R20)."""
        books, before, rule = self.books, self.before, "1863 §6.g president"
        now, old = books.owner(company), before.owner(company) or POOL
        held = {who: n for who, n in books.owners(company).items() if who != company and (who == now or books.led(who))}
        if now is None or now not in held:
            return
        more = {who: n for who, n in held.items() if n > held[now]}
        self.bench.check(rule, not more, f"{now} has {held[now]} of {company}, others {more}")
        if old in (now, POOL) or before.status[company] != "open" or self.merging():
            return
        bound = held.get(old, 0)
        self.bench.check(rule, held[now] > bound, f"{now} with {held[now]} follows {old} with {bound}")
        seats = self.seats(old)
        if not seats:
            return  # it was nobody's
        rivals = [who for who, n in held.items() if n == held[now] and who != old]
        nearest = min(rivals, key=lambda who: seats.index(self.player(who) or ""), default=now)
        same = self.player(nearest) == self.player(now)
        self.bench.check(rule, same, f"{now} follows {old} in {company}, {nearest} is nearer")

    def merging(self) -> bool:
        return any(isinstance(e, ev.Merged | ev.Converted | ev.Acquired | ev.Resigned) for e in self.bench.events)

    def seats(self, old: str) -> list[str]:
        """Players from the old president's left on, he himself last; a company sits where its controller sits."""
        player = old if old in self.books.players else self.before.controller(old)
        return [*self.books.from_seat(player)[1:], player, ""] if player else []

    def limits(self, buyer: str, company: str) -> None:
        """6.a: certificates in hand, 60 % with one's companies, 50 % for a company; minors are exempt."""
        books, before, rule = self.books, self.before, "1863 §6.a limits"
        player = self.player(buyer) or ""
        if buyer in books.players:
            held = books.counted(buyer)
            limit = self.tables.certificates[len(books.players)]
            self.bench.check(rule, held <= limit, f"{buyer} has {held} of {limit} certificates")
        if books.minor(company):
            return
        chain = books.chained(player, company)
        good = chain <= figures.MOST_CHAIN or chain <= before.chained(player, company)
        self.bench.check(rule, good, f"{player} and his companies hold {chain} of {company}")
        if buyer not in books.players:
            self.bench.check(rule, books.shares(buyer, company) <= figures.MOST_HELD, f"{buyer} holds more than half of {company}")  # fmt: skip  # noqa: E501

    def circles(self) -> None:
        books = self.books
        for company in books.playing():
            self.bench.check("1863 §6.h circles", not books.circle(company), f"{company} owns itself through {books.chain(company)}")  # fmt: skip  # noqa: E501

    def selling_first(self, actor: str) -> None:
        """A player over a limit does nothing but sell, while he can (6.a, sheet 4.1)."""
        before, player = self.before, self.player(actor)
        if player is None:
            return
        able = {
            (who, c)
            for c in before.playing()
            for who in before.tree(player)
            if before.shares(who, c) and before.owner(c) != who and not before.minor(c) and before.zone(c) != "red"
        }
        for (holder, company), over in before.excess(player).items():
            whole = company and holder == player  # with all his companies
            sellable = [c for who, c in able if (who == holder or whole) and company in ("", c)]
            text = f"{holder} has {over} too many {company or 'certificates'}: {self.bench.order}"
            self.bench.check("1863 §6.a selling first", not sellable, text)
