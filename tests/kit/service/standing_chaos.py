"""Standing orders in a game with masters, votes, deaths, restarts, copies and upgrades. Their hidden numbers are
searched for in everything that others can see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sqlmodel import col, select

from engine.core.ids import PlayerId
from engine.robots import sensible
from moderator.adapters.tables import EntryRow, GameRow, HeldRow, OutboxRow, SeatRow
from moderator.service.table.table import lock_table
from tests.kit.games.standing_chance import random_text
from tests.kit.service.master_chaos import Chaos

_FIRST: int = 71_003
"""Hidden numbers count from here: no game has such an amount."""
_HIDDEN = re.compile(r"(?<=while at most )\d+|(?<=budget )\d+|(?<=plan )(\w\S*) \d+")


class StandingChaos(Chaos):
    """The chaos of masters, in which players also give standing orders. ``hidden``: number -> address of the only one
    who knows it."""

    def __init__(self, root: Path, title: str, seed: int) -> None:
        self.hidden: dict[str, str] = {}
        self.looked = 0
        super().__init__(root, title, seed)

    def acts(self) -> tuple[Callable[[], None], ...]:
        return (*super().acts(), *[self.give_many] * 8, self.take_back)

    def step(self) -> None:
        """The players who are asked answer some mails, as the sensible robot would; then something happens."""
        for _ in range(self.chance.randint(1, 10)):
            with self.service.desk.sitting() as sitting:
                row = sitting.session.get_one(GameRow, self.game)
                live = lock_table(sitting, self.game).live
                running = row.status == "running"
            asks = [ask for ask in live.game.asked() if not ask.sealed]
            if not running or not asks:
                break
            ask = self.chance.choice(asks)
            self._say(ask.player, live.write_order(sensible(live.game, ask)))
        super().step()

    def give_many(self) -> None:
        """Several players give standing orders."""
        for _ in range(self.chance.randint(2, 6)):
            self.give_standing()

    def give_standing(self) -> None:
        """A player gives a standing order by mail."""
        game = self.position()
        if game.finished:
            return
        player = PlayerId(self.chance.choice(game.state.players))
        director = game.title.policies.director
        mine = [
            company
            for company, now in game.state.companies.items()
            if now.status == "open" and director(game.title, game.state, company) == player
        ]
        head, text = random_text(game, player, mine, self.chance)
        self.seen["standing given"] += 1
        self._say(player, f"{head}: {self._with_hidden_numbers(text, player)}")

    def take_back(self) -> None:
        self._say(self.chance.choice(self.position().state.players), self.chance.choice(("withdraw", "withdraw 1")))

    def _say(self, player: str, text: str) -> None:
        self.send(text, self._address(player), self._seat(player), proof=False)

    def _address(self, player: str) -> str:
        with self.service.session() as session:
            wanted = select(SeatRow.address).where(SeatRow.game == self.game, SeatRow.player == player)
            return session.exec(wanted).one()

    def _with_hidden_numbers(self, text: str, player: str) -> str:
        """The text with amounts that occur nowhere else; limits of lots are below the budget."""
        address = self._address(player)

        def number(match: re.Match[str]) -> str:
            self.looked += 1
            found = str((99_000 if text[: match.start()].endswith("budget ") else _FIRST) + self.looked)
            self.hidden[found] = address
            return re.sub(r"\d+$", found, match[0])

        return _HIDDEN.sub(number, text)

    def origins(self) -> list[str]:
        """The origin of each order in the log."""
        with self.service.session() as session:
            wanted = select(EntryRow.origin).where(EntryRow.game == self.game, EntryRow.kind == "order")
            return list(session.exec(wanted).all())

    def verdict(self) -> None:
        self.seen["moves by them"] = self.origins().count("standing")
        super().verdict()

    def look_at_mails(self) -> None:
        """Besides, no hidden number is in a mail to another, in the log, or in what is shown of it."""
        before = self.read
        super().look_at_mails()
        with self.service.session() as session:
            rows = session.exec(select(OutboxRow).where(col(OutboxRow.id) > before)).all()
            entries = session.exec(select(EntryRow.text).where(EntryRow.game == self.game)).all()
            held = session.exec(select(HeldRow).where(HeldRow.game == self.game, HeldRow.kind == "standing")).all()
        for row in rows:
            for word in re.findall(r"(?<!\d)\d{5}(?!\d)", f"{row.text} {row.html} {row.headers}"):
                owner = self.hidden.get(word, row.recipient)
                assert owner == row.recipient, f"{word} of {owner} is in a mail to {row.recipient}"
        told = " ".join(entries)
        assert not [number for number in self.hidden if number in told]
        self.seen["standing kept"] = len(held)
        self.seen["standing ended"] = sum(row.status == "lapsed" for row in held)


def stand(root: Path, title: str, seed: int, steps: int) -> Counter[str]:
    """Play ``steps`` steps. Returns what was seen."""
    chaos = StandingChaos(root, title, seed)
    chaos.play(steps)
    return chaos.seen
