"""The long game as its script sees it: who has which address, what was written, and which mails are to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from sqlmodel import select

from engine import Game
from engine.robots import sensible
from moderator.adapters.tables import GameRow, MailRow, SeatRow
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from tools.long_game.stage import Stage

HASTE = 10


@dataclass
class Shown:
    """A mail as a page of the tour shows it. ``whole``: with the position, which most mails leave out."""

    caption: str
    mail: EmailMessage
    whole: bool = False


@dataclass(frozen=True)
class Turn:
    """A mail of a robot: the number of orders before and after it."""

    player: str
    text: str
    before: int
    after: int


@dataclass
class LongGame:
    """``chapters``: the mails to show, by the name of their chapter. ``late``, ``away`` and the like name the players
    to whom something happened."""

    stage: Stage
    name: str = ""
    addresses: dict[str, str] = field(default_factory=dict)
    chapters: dict[str, list[Shown]] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    late: str = ""
    away: str = ""
    undone: tuple[Turn, ...] = ()
    corrected: str = ""
    command: tuple[str, ...] = ()
    """The words of ``railpost`` that offered the game."""
    left: str = ""
    """The address of the player who has left."""
    refused: EmailMessage | None = None
    """The mail of the player who has left, to his old seat."""
    asked_master: EmailMessage | None = None
    """The question whether the latest words of a game master are his; None if they needed no yes."""
    hasty: bool = False
    """The service sweeps after every tenth mail, as on a lively evening, and not after each."""
    _wrote: int = 0

    # ---- looking

    def position(self) -> Game:
        desk = self.stage.desk
        with desk.database.reading() as session:
            return desk.games.get(session, session.get_one(GameRow, self.name)).game

    def caretaker(self, name: str) -> str:
        """The caretaker of a seat: ``open`` if it is open to others; empty if its player looks after it."""
        wanted = select(SeatRow.caretaker).where(SeatRow.game == self.name, SeatRow.player == name)
        with self.stage.desk.database.reading() as session:
            return session.exec(wanted).one()

    def asked(self) -> str:
        return str(self.position().asked()[0].player)

    def others(self, *names: str) -> list[str]:
        return [player for player in map(str, self.position().state.players) if player not in names]

    def letters(self, name: str) -> list[EmailMessage]:
        return self.stage.letters(self.addresses[name])

    def from_game(self, name: str) -> EmailMessage:
        """The latest mail to somebody that he can answer as a player or game master."""
        return next(mail for mail in reversed(self.letters(name)) if f"+{self.name}." in reply_to(mail))

    def last(self, name: str, *words: str) -> EmailMessage:
        """The latest mail to somebody whose subject or text has all ``words``."""
        found = [mail for mail in self.letters(name) if has(mail, words)]
        if not found:
            raise LookupError(f"{name} has no mail with {words}")
        return found[-1]

    def show(self, caption: str, mail: EmailMessage, *, whole: bool = False) -> None:
        """Show a mail in the chapter that is played."""
        self.chapters[list(self.chapters)[-1]].append(Shown(caption, mail, whole))

    # ---- writing

    def write(self, name: str, text: str, to: str = "") -> EmailMessage:
        """Somebody answers his latest mail from the game, or writes to the address ``to``."""
        answered = self.from_game(name) if not to else self.letters(name)[-1]
        return self._send(name, text, to or reply_to(answered), answered)

    def answer(self, name: str, text: str, *words: str) -> EmailMessage:
        """Somebody answers the latest mail to him that has all ``words``."""
        answered = self.last(name, *words)
        return self._send(name, text, reply_to(answered), answered)

    def ask_service(self, name: str, text: str) -> EmailMessage:
        """Somebody who need not have a seat writes a mail to the service's own address."""
        return self._send(name, text, self.stage.desk.settings.address, None)

    def _send(self, name: str, text: str, to: str, answered: EmailMessage | None) -> EmailMessage:
        self._wrote += 1
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{name} <{self.addresses[name]}>"
        mail["To"] = to
        mail["Subject"] = text if answered is None else "Re: " + re.sub(r"\s+", " ", str(answered["Subject"]))
        mail["Date"] = format_datetime(self.stage.clock.now())
        mail["Message-ID"] = f"<{self._wrote}.{self.addresses[name]}>"
        if answered is not None:
            mail["In-Reply-To"] = str(answered["Message-ID"]).strip()
        mail.set_content(text + "\n", cte="8bit")
        self.stage.clock.moment += timedelta(minutes=7)
        self.stage.send(mail.as_bytes(), self.addresses[name], to)
        if not self.hasty or self._wrote % HASTE == 0:
            self.sweep()
        return mail

    def sweep(self) -> None:
        """Have the service do what it does from time to time."""
        self.stage.worker.sweep()
        self.stage.settle()

    def outcome(self) -> str | None:
        """The fate of the latest mail to the service."""
        with self.stage.desk.database.reading() as session:
            return session.exec(select(MailRow.outcome).order_by(MailRow.id.desc())).first()  # type: ignore[union-attr]

    def move(self) -> Turn:
        """Whoever is asked plays a turn, as a robot."""
        game, player = self.position(), self.asked()
        text = as_text(game, orders_of_turn(game, player, sensible))
        self.write(player, text)
        after = len(self.position().orders)
        if self.outcome() != "applied" or after == len(game.orders):
            raise RuntimeError(f"{player}: {text!r} was not carried out: {self.outcome()}")
        self.turns.append(Turn(player, text, len(game.orders), after))
        return self.turns[-1]

    def go_on(self, until: Callable[[Game], bool] = lambda _: False, most: int = 2_000) -> None:
        """Robots' mails until the game is where it should be, or over."""
        for _ in range(most):
            game = self.position()
            if game.finished or until(game):
                return
            self.move()

    def master(self, name: str, text: str) -> EmailMessage:
        """Words of a game master, and his ``yes`` if he is asked for one; the mail with the words."""
        office = next(mail for mail in reversed(self.letters(name)) if ".master." in reply_to(mail))
        before = len(self.letters(name))
        wrote = self.write(name, text, reply_to(office))
        question = next((mail for mail in self.letters(name)[before:] if "yes or no" in str(mail["Subject"])), None)
        self.asked_master = question
        if question is not None:
            self.write(name, "yes", reply_to(question))
        return wrote


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return "" if body is None else str(body.get_content())


def has(mail: EmailMessage, words: tuple[str, ...]) -> bool:
    text = " ".join(f"{mail['Subject']} {text_of(mail)}".split())
    return all(word in text for word in words)


def reply_to(mail: EmailMessage) -> str:
    return parseaddr(str(mail["Reply-To"]))[1]
