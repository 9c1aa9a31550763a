"""A game by mail whose players give all kinds of orders ahead with numbers that occur nowhere else, and the search for
these numbers in everything that is stored, logged or sent to others."""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

import sqlalchemy
from sqlmodel import SQLModel

from engine import Game
from engine.core.ids import PlayerId
from engine.holders.ledger import shares
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.service.play.journal.export import export_record
from tests.kit.service.going_out import railpost, site
from tests.kit.service.mail_service import Service, mail

PLAYERS: Final = ("Ann", "Bob", "Cat")
OWN: Final[Mapping[tuple[str, str], str]] = {
    ("held", "text"): "the orders themselves",
    ("held", "foretold"): "the reasons against them that their owner has been told",
    ("mail", "content"): "the mail in which he wrote them, until it is emptied",
    ("outbox", "subject"): "mails to their owner",
    ("outbox", "text"): "mails to their owner",
    ("outbox", "html"): "mails to their owner",
}
"""(Table, column) -> the reason why it has hidden numbers, in rows of their owner alone. No other column has any."""
_FIRST: Final = 4_137_911
_NUMBER: Final = re.compile(r"(?<![0-9a-f])\d(?:[,.' \u00a0\u202f]?\d){6}(?![0-9a-f])")
"""A number of seven digits, also with separators; not part of a longer one or of a digest."""


class HiddenNumbers:
    """``owner``: each hidden number and the player who alone knows it. ``seen``: the kinds of orders that were given,
    and of those that were kept."""

    def __init__(self, root: Path, title: str, seed: int) -> None:
        self.chance = random.Random(f"hidden {title} {seed}")
        self.service = Service.open(root)
        self.game = self.service.ready_game(title, PLAYERS)
        self.owner: dict[int, str] = {}
        self.seen: Counter[str] = Counter()
        self._looked: set[tuple[str, str]] = set()
        self._read: Counter[str] = Counter()
        """Address -> how many of its mails were looked at."""

    # ---- playing ----------------------------------------------------------------------------------------------------

    def position(self) -> Game:
        return self.service.position(self.game)

    def step(self) -> None:
        """One mail: an order given ahead, or the answer of a player who is asked, as the sensible robot would."""
        game = self.position()
        asks = game.asked()
        if self.chance.random() < 0.5 or not asks:
            self._give(game, PlayerId(self.chance.choice(PLAYERS)))
            return
        ask = self.chance.choice(asks)
        order = write(sensible(game, ask), vocabulary(game.title, game.state.players))
        self.service.say(ask.player, f"{ask.actor}: {order}")

    def _give(self, game: Game, player: PlayerId) -> None:
        kind = self.chance.choice([each for each in _KINDS if self._orders(game, player, each) is not None])
        text = self._orders(game, player, kind)
        assert text is not None
        text = re.sub("HIDDEN", lambda _: str(self._number(player)), text)
        before = len(self.service.held(self.game))
        if kind == "elsewhere":
            to = self.service.address(player)
            self.service.send(mail(text, sender="elsewhere@example.com", to=to), to)
            self.service.run()
        else:
            self.service.say(player, text)
        self.seen[f"{kind} given"] += 1
        self.seen[f"{kind} kept"] += len(self.service.held(self.game)) > before

    def _number(self, player: str) -> int:
        """A number that nobody has seen before, greater than the last."""
        number = _FIRST + 17 * len(self.owner)
        self.owner[number] = player
        return number

    def _orders(self, game: Game, player: PlayerId, kind: str) -> str | None:
        """A mail with orders of the ``kind``; None if there are none in this position."""
        state, director = game.state, game.title.policies.director
        lots = list(game.lots_to_come())
        self.chance.shuffle(lots)
        lots = (lots + lots + lots)[:3]
        company = self.chance.choice(list(state.companies))
        mine = [
            c for c, now in state.companies.items() if now.status == "open" and director(game.title, state, c) == player
        ]
        own = self.chance.choice(mine) if mine else None
        private = next((name for name, owner in state.privates.items() if owner == player), None)
        train = next((train for c in mine for train in state.companies[c].trains), None)
        seller = next((c for c in mine if train in state.companies[c].trains), None)
        other = next(each for each in PLAYERS if each != player)
        has = next((c for c in state.companies if shares(game.title, state, player, c)), None)
        plan = " HIDDEN or ".join(lots[:2]) + f" HIDDEN step HIDDEN, {' '.join(lots[2:])} HIDDEN, budget HIDDEN"
        stock = f"{company} is over HIDDEN"
        texts = {
            "limit": lots and f"limit HIDDEN on {lots[0]} step HIDDEN",
            "plan": len(set(lots)) == 3 and f"plan {plan}",
            "buy": f"buy {company} while at most HIDDEN until {stock}",
            "sell": has and f"sell down {has} to 0 if under HIDDEN",
            "pass": f"pass until {stock}",
            "pass all": f"pass in all rounds until {stock} or {other} acts",
            "only if": f"{player}: only if {company} is under HIDDEN; pass\n{player}: only if {stock}; pass",
            "unless": f"{player}: unless {stock} or {company} is at least HIDDEN; pass\n{player}: unless {other} acts"
            f" or {company} is over HIDDEN; only if {company} is at most HIDDEN; pass",
            "terms": private and f"agree {private} to {company} for at least HIDDEN",
            "refusal": private and f"refuse {private} to anybody for under HIDDEN",
            "consent": private and f"agree {private} to {company} for HIDDEN",
            "mergers": own and game.title.name != "1844" and f"{own}: refuse mergers until {stock}",
            "shares": has and game.title.name == "1841" and f"agree 1 {has} to anybody for at least HIDDEN; "
            f"refuse 1 {has} to {other} for under HIDDEN",
            "train": train and f"{seller}: refuse train {train} to anybody for under HIDDEN",
            "routine": own and f"{own}: each turn run best, pay full, train if needed, done until {stock}",
            "check": f"check\nbuy {company} up to HIDDEN",
            "unreadable": f"buy {company} up to HIDDEN and more",
            "refused": f"limit HIDDEN on {company}; plan {company} HIDDEN",
            "remark": "show kept // not above HIDDEN",
            "elsewhere": f"buy {company} while at most HIDDEN",
            "withdraw": "withdraw 1",
        }  # fmt: skip
        return texts[kind] or None

    # ---- looking ----------------------------------------------------------------------------------------------------

    def leaks(self, logged: str) -> list[str]:
        """Every place in which a hidden number is that does not belong to its owner alone. ``logged``: log lines."""
        found = [*self._in_tables(), *self._in_mails(), *self._in_positions()]
        export = export_record(self.service.desk, self.game) or ""
        public = {"logs": logged, "record": export, "told to the operator": "\n".join(self.service.complaints)}
        found += [f"{where}: {number}" for where, text in public.items() for number in self._numbers(text)]
        return found

    def leaks_from_archive(self, folder: Path) -> list[str]:
        """The same for what commands make of the game: the archive, the private archive and the sheet of one player,
        and the booklet."""
        folder.mkdir(exist_ok=True)
        made = {f"site/{path}": text for path, text in site(self.service, folder / "site").items()}
        mine = {f"Ann/{path}": text for path, text in site(self.service, folder / "Ann", "Ann").items()}
        out = folder / "out"
        railpost(self.service, "paper", "booklet", self.game, "--to", out)
        made["booklet"] = out.read_text()
        railpost(self.service, "paper", "sheet", self.game, "Ann", "--to", out)
        mine["sheet of Ann"] = out.read_text()
        found = [f"{name}: {number}" for name, text in made.items() for number in self._numbers(text)]
        others = {number for number, owner in self.owner.items() if owner != "Ann"}
        return found + [f"{name}: {number}" for name, text in mine.items() for number in self._numbers(text) & others]

    def _numbers(self, text: str) -> set[int]:
        said = (int(re.sub(r"\D", "", found)) for found in _NUMBER.findall(text))
        return {number for number in said if number in self.owner}

    def _in_tables(self) -> Iterator[str]:
        """Look at every column of every row that was not looked at before."""
        with self.service.session() as session:
            for name, table in SQLModel.metadata.tables.items():
                for row in session.execute(sqlalchemy.select(table)).mappings().all():
                    yield from self.in_row(name, row)

    def in_row(self, table: str, row: Mapping[Any, Any]) -> Iterator[str]:
        """The same for one row of a table."""
        whose = _whose(table, row)
        for column, value in row.items():
            place = (f"{table}.{column} {whose}".strip(), _text(value))
            if place in self._looked:
                continue
            self._looked.add(place)
            for number in self._numbers(place[1]):
                if (table, column) not in OWN or whose != self.owner[number]:
                    yield f"{place[0]}: {number}"

    def _in_mails(self) -> Iterator[str]:
        """Look at every mail that has come since the last look."""
        for address in (*(f"{player.lower()}@players.example" for player in PLAYERS), "elsewhere@example.com"):
            letters = self.service.mailbox(address)
            for letter in letters[self._read[address] :]:
                parts = [part for part in letter.message.walk() if isinstance(part, EmailMessage)]
                texts = [str(part.get_content()) for part in parts if part.get_content_maintype() == "text"]
                text = "\n".join((*map(str, letter.message.values()), *texts))
                whose = address.partition("@")[0].capitalize()
                yield from (f"mail to {address}: {n}" for n in self._numbers(text) if self.owner[n] != whose)
            self._read[address] = len(letters)

    def _in_positions(self) -> Iterator[str]:
        game = self.position()
        for player in game.state.players:
            view = game.seen_by(player)
            text = repr((view.state, view.orders, view.asked(), view.legal(player)))
            yield from (f"position of {player}: {number}" for number in self._numbers(text))


_KINDS: Final = (
    "limit", "plan", "buy", "sell", "pass", "pass all", "only if", "unless", "terms", "refusal", "consent", "mergers",
    "shares", "train", "routine", "check", "unreadable", "refused", "remark", "elsewhere", "withdraw",
)  # fmt: skip


def _text(value: object) -> str:
    """The content of a cell: packed data unpacked."""
    if not isinstance(value, bytes):
        return str(value)
    try:
        return zlib.decompress(value).decode("utf-8", "replace")
    except zlib.error:
        return value.decode("utf-8", "replace")


def _whose(table: str, row: Mapping[Any, Any]) -> str:
    """The player to whom a row belongs; empty if it belongs to nobody alone."""
    if table == "mail":  # a stranger's mail to a seat is asked about at its owner's address, and told to nobody
        return str(row["player"] or row["envelope_from"].partition("@")[0].capitalize())
    return str(row.get("player") or "")
