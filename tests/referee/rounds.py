"""The course of the game: whose turn it is, which round follows, when the game ends and what everybody is worth."""

from __future__ import annotations

from engine.core import events as ev
from tests.referee import tables_1844, tables_1861
from tests.referee.bench import Bench, Subject
from tests.referee.state import BANK


class Rounds(Subject):
    """v2.0 §9, §10, §13; 1844 pp. 6, 9, 15 and 17."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.gone: list[str] = []
        """Companies that have had their turn in this round."""
        self.passes = 0
        self.acted = False
        """Whether the player on turn has sold."""
        self.last: str | None = None
        """1861: who bought or sold last in this stock round."""
        self.exported = 0
        self.number = 0
        """1844: operating rounds in this set."""
        self.eight: tuple[int, int] | None = None
        """1861: set and number of the round in which the first 8-train was bought."""
        self.broke: tuple[str, int, int] | None = None
        """The round in which the bank broke."""
        self.broke_first = False
        self.told_broke = False
        self.lending = False
        self.active: set[str] = set()
        self.begun = False

    # ---- what happens -----------------------------------------------------------------------------------------------

    def see(self, event: ev.Event) -> None:
        bench, books = self.bench, self.books
        match event:
            case ev.TurnBegan(company):
                self.turn(company)
            case ev.TurnEnded(company) if company == tables_1861.STATE:
                self.state_railway_ends()
            case ev.RoundBegan(round):
                self.round((round.kind, round.set, round.number))
            case ev.PhaseBegan("8") if bench.cousins and books.round[0] == "OR":
                self.eight = books.round[1:]
                self.broke_first = self.broke is not None
            case ev.Passed(actor) if actor in books.players:
                self.passes = 0 if self.acted else self.passes + 1
                self.acted = False
            case ev.Sold(player):
                self.passes, self.acted, self.last = 0, True, player
            case ev.Bought(player) | ev.Won(player):
                self.passes, self.acted, self.last = 0, False, player
            case ev.Opened() | ev.Paid(reason="paper"):
                self.passes, self.acted = 0, False
            case ev.DirectorChanged(_, player) if books.round[0] == "SR" and type(bench.order).__name__ == "Start":
                self.passes, self.acted, self.last = 0, False, player
            case ev.OrderOfPlay(players) if self.begun:
                self.order_of_play(players)
            case ev.Exported():
                self.exported += 1
            case ev.Formed(_, "SBB"):
                self.gone.append("SBB")  # 1844 p. 16: it operates in the next round
            case ev.BankBroke():
                self.told_broke = True
            case ev.Activated(private):
                self.active.add(private)
            case ev.GameOver(standings):
                self.game_over(standings)
            case _:
                pass

    def entered(self, event: ev.Event) -> None:
        match event:
            case ev.Paid(payer, _, _, reason):
                self.bank(payer, reason)
            case _:
                pass

    def end(self) -> None:
        self.begun = True
        if self.lending:
            self.lending = False
            self.bank(BANK, "")
        rule = "v2.0 §13, 1844 p. 17 bank"
        told = self.told_broke
        self.bench.check(
            rule, told == (self.broke is not None), f"the bank has {self.books.cash[BANK]}: broken is {told}"
        )
        if self.bench.cousins and self.books.laid.get("H8") == "639":
            there = tables_1861.STATE in self.books.markers["H8"]
            self.bench.check("v2.0 §7.4 Moscow", there, "the state railway is not in grey Moscow")

    def bank(self, payer: str, reason: str) -> None:
        """1861: a payment that it cannot make in full. 1844: no money left; what it lends for a train comes back."""
        if payer != BANK or self.broke is not None:
            return
        if not self.bench.cousins and reason == "debt":
            self.lending = True
            return
        if self.broken():
            kind, number, k = self.books.round
            last = not self.bench.cousins and kind == "OR" and k == self.number
            self.broke = ("SR", number + 1, 0) if last and reason in ("exchange", "capital") else (kind, number, k)

    def broken(self) -> bool:
        return self.books.cash[BANK] < 1

    # ---- whose turn -------------------------------------------------------------------------------------------------

    def waiting(self) -> list[str]:
        """Who has not yet operated in this round, in sequence."""
        books = self.books
        kinds = (("minor",), ("public",)) if self.bench.cousins else (("pre-SBB", "regional", "historical", "SBB"),)
        found = [c for each in kinds for c in books.open(*each) if c not in self.gone]
        return [c for c in found if c != "SBB" or books.director(c) is not None]

    def state_railway_operates(self) -> bool:
        """v2.0 §7.4: phases 4 to 7. The first edition adds: if it has taken over anything."""
        books, state = self.books, tables_1861.STATE
        if not self.bench.cousins or state in self.gone or books.phase not in "4567":
            return False
        owns = books.cash[state] or books.trains[state] or state in books.privates.values() or books.hexes(state)
        return self.bench.reading("state_operates") == "phase" or bool(owns)

    def turn(self, company: str) -> None:
        """v2.0 §10; 1844 p. 9."""
        waiting = self.waiting()
        if not waiting and self.state_railway_operates():
            waiting = [tables_1861.STATE]
        self.bench.same("v2.0 §10, 1844 p. 9 order", "turn of", company, next(iter(waiting), None))
        self.gone.append(company)

    def state_railway_ends(self) -> None:
        """v2.0 §7.4, §10.10: it stands in St. Petersburg, has a train, and has bought all it could."""
        bench, books, state = self.bench, self.books, tables_1861.STATE
        bench.check(
            "v2.0 §7.4 St. Petersburg", state in books.markers["E1"], "the state railway is not in St. Petersburg"
        )
        if books.phase == "8":
            return
        new = books.next_new()
        price = self.tables.trains[new].price if new else 0
        spendable = books.cash[state]
        good = bool(books.trains[state]) and spendable < price
        bench.check(
            "v2.0 §10.10 state railway",
            good,
            f"it keeps {spendable} with {books.trains[state]}; a {new} costs {price}",
        )

    # ---- rounds -----------------------------------------------------------------------------------------------------

    def round(self, found: tuple[str, int, int]) -> None:
        bench, books = self.bench, self.books
        rule = "v2.0 §4, §13, 1844 p. 6, p. 15 rounds"
        if books.round[0]:
            due = self.follows() if bench.cousins else self.follows_1844()
            bench.same(rule, f"after {books.round}", found, due)
        if books.round[0] == "OR":
            self.all_had_turns()
        if books.round[0] == "SR":
            bench.same("v2.0 §9.5, 1844 p. 7 end", "passes in a row", self.passes, len(books.players))
            self.number = tables_1844.ROUNDS.get(books.phase, 0) if not bench.cousins else 2
            if bench.cousins:
                seats = books.players
                due_player = seats[(seats.index(self.last) + 1) % len(seats)] if self.last else books.priority
                bench.same("v2.0 §9 priority", "Priority Deal", books.priority, due_player)
        if not bench.cousins and found[0] == "SR" and books.round[0] == "OR":
            bench.same("1844 p. 16 export", "trains sold abroad", self.exported, int(books.phase != "1"))
        if not bench.cousins and books.phase in "567" and found[0] != "ISR":
            bench.same("1844 p. 16 SBB", "the SBB", books.status["SBB"], "open")
        self.gone, self.passes, self.last, self.exported, self.acted = [], 0, None, 0, False

    def all_had_turns(self) -> None:
        rule = "v2.0 §10, 1844 p. 9 order"
        left = self.waiting()
        self.bench.check(rule, not left, f"{left} have had no turn")
        if self.bench.cousins:
            bought = self.eight == self.books.round[1:]
            self.bench.check(rule, bought or not self.state_railway_operates(), "the state railway has had no turn")

    def over_by_bank(self) -> bool:
        """1861: whether the game ends now because the bank broke."""
        if self.broke is None:
            return False
        if self.eight is not None and (not self.broke_first or self.bench.reading("bank_break") == "train"):
            return False
        return self.books.round[0] == "OR"

    def follows(self) -> tuple[str, int, int] | None:
        """v2.0 §4, §12, §13. None is the end."""
        kind, number, k = self.books.round
        if kind == "SR":
            return ("OR", number, 1)
        if self.over_by_bank():
            return None
        last = 2
        if self.eight is not None:
            final = self.final_set(*self.eight)
            last = 3 if number == final else 2
            if number == final and k == 3:
                return None
        if kind == "OR" and self.books.phase in "34567":
            return ("MR", number, k)
        return ("OR", number, k + 1) if k < last else ("SR", number + 1, 0)

    def final_set(self, bought_in: int, k_bought: int) -> int:
        """v2.0 §13: the set of three rounds, if the first 8-train was bought in round ``k_bought`` of this set."""
        return bought_in if k_bought == 1 else bought_in + 1

    def follows_1844(self) -> tuple[str, int, int] | None:
        """p. 6, p. 15, p. 17. None is the end."""
        kind, number, k = self.books.round
        if kind == "ISR":
            return ("SR", 1, 0)
        if kind == "SR":
            return ("OR", number, 1)
        if k < self.number:
            return ("OR", number, k + 1)
        return None if self.broke is not None and self.broke[1] <= number else ("SR", number + 1, 0)

    def order_of_play(self, players: tuple[str, ...]) -> None:
        """p. 6: least cash first after the auction; p. 9: most cash first after a stock round; equals as before."""
        cash = self.books.cash
        sign = 1 if self.books.round[0] == "ISR" else -1
        due = tuple(sorted(self.books.players, key=lambda p: sign * cash[p]))
        self.bench.same("1844 p. 6, p. 9 order of play", "order of play", players, due)

    # ---- the end ----------------------------------------------------------------------------------------------------

    def game_over(self, standings: tuple[tuple[str, int], ...]) -> None:
        bench = self.bench
        bankrupt = type(bench.order).__name__ == "Bankrupt"
        if not bankrupt:
            self.all_had_turns()
            due = self.follows() if bench.cousins else self.follows_1844()
            bench.same("v2.0 §13, 1844 p. 17 end", f"after {self.books.round}", None, due)
        if bench.cousins:
            owing = [c for c in self.books.cells if self.books.loans[c]]
            bench.check("v2.0 §13 last price", not owing, f"prices have not gone left for the loans of {owing}")
        worth = {p: self.worth(p) for p in self.books.players}
        bench.same("v2.0 §13, 1844 p. 17 worth", "worth", dict(standings), worth)
        falling = sorted((n for _, n in standings), reverse=True)
        bench.same("v2.0 §13, 1844 p. 17 worth", "standings", [n for _, n in standings], falling)

    def worth(self, player: str) -> int:
        """v2.0 §13: cash, stock, privates at face, minors twice their price. 1844 p. 17: cash, shares, mountain
        railways and tunnels that were used; debts are taken off."""
        books = self.books
        total = books.cash[player] + sum(n * self.last_price(c) for c in books.cells if (n := books.shares(player, c)))
        if self.bench.cousins:
            if self.bench.reading("private_score") == "face":
                total += sum(self.bench.kin.privates[p][1] for p, owner in books.privates.items() if owner == player)
            return total
        papers = [p for p, owner in books.privates.items() if owner == player and p in self.active]
        total += sum(tables_1844.PRICE_OF_PAPER[p[0]] for p in papers)
        return total - sum(n for (p, _), n in books.debts.items() if p == player)

    def last_price(self, company: str) -> int:
        """v2.0 §13: one step to the left for each loan that is left."""
        cell, chart = self.books.cells[company], self.tables.chart
        for _ in range(self.books.loans[company]):
            cell = chart.left(cell)
        return chart.prices[cell]
