"""The script of the long game: who writes which mail, and what happens in between. Robots decide the play."""

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
from engine.core.orders import Lay, Order
from engine.robots import sensible
from moderator.adapters.tables import GameRow, MailRow
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from tools.long_game.stage import Stage, command, pass_by

HOURS = 72
"""For an answer."""


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
    """The words of ``railpost`` that began the game."""
    asked_master: EmailMessage | None = None
    """The question whether the latest words of a game master are his; None if they needed no yes."""
    _chapter: str = ""
    _wrote: int = 0

    def play(self) -> None:
        """The whole game."""
        for chapter, happens in CHAPTERS.items():
            self._chapter, self.chapters[chapter] = chapter, []
            happens(self)

    # ---- looking

    def position(self) -> Game:
        desk = self.stage.desk
        with desk.database.reading() as session:
            return desk.games.get(session, session.get_one(GameRow, self.name)).game

    def asked(self) -> str:
        return str(self.position().asked()[0].player)

    def others(self, *names: str) -> list[str]:
        return [player for player in map(str, self.position().state.players) if player not in names]

    def letters(self, name: str) -> list[EmailMessage]:
        return self.stage.letters(self.addresses[name])

    def last(self, name: str, *words: str) -> EmailMessage:
        """The latest mail to somebody whose subject or text has all ``words``."""
        found = [mail for mail in self.letters(name) if has(mail, words)]
        if not found:
            raise LookupError(f"{name} has no mail with {words}")
        return found[-1]

    def show(self, caption: str, mail: EmailMessage, *, whole: bool = False) -> None:
        self.chapters[self._chapter].append(Shown(caption, mail, whole))

    # ---- writing

    def write(self, name: str, text: str, to: str = "") -> EmailMessage:
        """Somebody answers his latest mail, or writes to the address ``to``."""
        self._wrote += 1
        answered = self.letters(name)[-1]
        to, mail = to or reply_to(answered), EmailMessage(policy=SMTP)
        mail["From"] = f"{name} <{self.addresses[name]}>"
        mail["To"] = to
        mail["Subject"] = "Re: " + re.sub(r"\s+", " ", str(answered["Subject"]))
        mail["Date"] = format_datetime(self.stage.clock.now())
        mail["Message-ID"] = f"<{self._wrote}.{self.addresses[name]}>"
        mail["In-Reply-To"] = str(answered["Message-ID"]).strip()
        mail.set_content(text + "\n", cte="8bit")
        self.stage.clock.moment += timedelta(minutes=7)
        self.stage.send(mail.as_bytes(), self.addresses[name], to)
        return mail

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


# ---- the chapters


def begin(game: LongGame) -> None:
    """The operator begins the game with one command. Nobody needs a shell after that."""
    # Players have their seats from the command. If they take them by mail, the mails of that come first, here.
    names = ("Ann", "Bob", "Cat", "Max", "Eve", "Dan")
    game.addresses = {name: game.stage.address(name) for name in names}
    seats = (part for name in ("Ann", "Bob", "Cat") for part in ("--seat", f"{name} <{game.addresses[name]}>"))
    game.command = (
        "game", "new", "1861", *seats, "--master", f"Max <{game.addresses['Max']}>",
        "--deadline-hours", str(HOURS), "--clock", "late=default",
    )  # fmt: skip
    said = command(game.stage, *game.command)
    found = re.search(r"\b1861-\d+\b", said)
    assert found is not None, said
    game.name = found[0]
    game.stage.settle()
    first = game.asked()
    game.show("The first mail to a player who does not begin", game.letters(game.others(first)[0])[0])
    game.show("The first mail to the player who begins: it asks him already", game.letters(first)[-1], whole=True)
    game.show("The first mail to the game master", game.letters("Max")[0])


def bid(game: LongGame) -> None:
    """The private companies are sold, one after the other."""
    first = game.asked()
    game.write(first, "auction TSR at 5")
    game.show(f"{first} begins, with too little", game.last(first, "refused"))
    game.move()
    game.show("The same with the right amount", game.letters(first)[-1])
    game.show("The next player is asked", game.letters(game.asked())[-1])
    game.go_on(lambda now: not now.asked()[0].what.startswith("auction."))


def second_master(game: LongGame) -> None:
    """Max is away in May, and wants Eve to be a game master too."""
    game.show(
        "Max writes to his own address",
        game.master("Max", f"add master Eve <{game.addresses['Eve']}>\nreason: I am away in May"),
    )
    if game.asked_master is not None:
        game.show("Is it really Max? He answers `yes`", game.asked_master)
    game.show("Every player is told", game.last("Ann", "game masters are now"))
    game.show("Eve gets an address of her own", game.letters("Eve")[0])
    game.master("Eve", "show clock\nshow seats")
    game.show("Eve looks at the clocks", game.letters("Eve")[-1])


def lateness(game: LongGame) -> None:
    """A player does not answer. The table has agreed on the default then (`late=default`)."""
    game.late = game.asked()
    before = len(game.position().orders)
    pass_by(game.stage, HOURS - 1)
    game.show("A reminder, a day before", game.last(game.late, "Please answer by"))
    pass_by(game.stage, 2)
    if len(game.position().orders) == before:
        raise RuntimeError("no default was taken")
    game.show("The default was taken: to the late player", game.last(game.late, "has not come in time"))
    game.show("How the game goes on: to the late player", game.letters(game.late)[-1])
    game.show("The default was taken: to another player", game.letters(game.others(game.late, game.asked())[0])[-1])
    game.move()


def absence(game: LongGame) -> None:
    """A player goes away for a week, longer than he has for his answer. His clock stands still."""
    game.away = game.asked()
    today = game.stage.clock.now().date()
    before = len(game.position().orders)
    game.show("The player writes", game.write(game.away, f"away {today} to {today + timedelta(days=6)}"))
    game.show("He is answered", game.letters(game.away)[-1])
    game.show("The others are told", game.last(game.others(game.away)[0], "away"))
    pass_by(game.stage, HOURS + 30)
    if len(game.position().orders) != before:
        raise RuntimeError("his clock did not stand still")
    game.move()


def vote(game: LongGame) -> None:
    """A player needs more time, and another one proposes it."""
    mover, third = game.others(game.asked())
    game.show(
        f"{mover} proposes", game.write(mover, f"propose extend 48 hours because {game.asked()} has no electricity")
    )
    game.show("The others are asked", game.last(third, "proposes"))
    game.write(third, "vote yes")
    game.show(f"{third} has agreed", game.last(third, "The table has agreed"))
    game.move()


def letter(game: LongGame) -> None:
    """A player has no computer at hand, and has sent his orders by letter. Eve enters them."""
    now, player = game.position(), game.asked()
    text = as_text(now, orders_of_turn(now, player, sensible)).removeprefix(f"{player}: ")
    game.show("Eve copies the letter", game.master("Eve", f"enter {player}:\n{text}\nend enter\nreason: came by post"))
    if game.asked_master is not None:
        game.show("Is it really Eve?", game.asked_master)
    if len(game.position().orders) == len(now.orders):
        raise RuntimeError("the letter was not played")
    game.show("The player gets the answer that his own mail would have got", game.last(player, "has entered these"))


def question(game: LongGame) -> None:
    """A player asks the game master, and he alone gets the answer."""
    player = game.asked()
    game.show(f"{player} asks", game.write(player, "master: may I sell in the first round?"))
    asked = game.last("Max", "may I sell")
    game.show("Max gets the question", asked)
    game.write("Max", "No, not before the first operating round.", reply_to(asked))
    game.show(f"{player} gets the answer", game.last(player, "not before the first"))


def undo(game: LongGame) -> None:
    """A company laid a wrong tile, and the next one has operated since. Max goes back; what still fits is kept."""

    def operated(now: Game) -> bool:
        last = game.turns[-2:]
        rounds = now.state.round.kind == "OR"
        return rounds and len({turn.player for turn in last}) == 2 and all(" lay " in f" {turn.text}" for turn in last)

    game.go_on(operated)
    wrong, later = game.turns[-2:]
    game.undone = (wrong, later)
    reason = f"{wrong.player} laid the wrong tile"
    game.show("Max goes back", game.master("Max", f"undo to {wrong.before}\nreason: {reason}"))
    game.show("The player decides anew", game.last(wrong.player, "gone back"))
    game.show("The other one's orders are kept", game.last(later.player, "gone back"))
    now = game.position()
    given: list[Order] = [order for order in orders_of_turn(now, wrong.player, sensible) if not isinstance(order, Lay)]
    game.show("The turn again", game.write(wrong.player, as_text(now, given)))
    game.show("What fits is played again", game.last(later.player, "Played again"))


def correction(game: LongGame) -> None:
    """The players find that the bank has paid too little. Eve corrects the position."""
    game.corrected = game.asked()
    game.show(
        "Eve corrects it", game.master("Eve", f"correct pay 10 from bank to {game.corrected}\nreason: the bank owed it")
    )
    game.show("Everybody is told", game.last(game.others(game.corrected)[0], "the bank owed it"))
    game.move()


def hand_over(game: LongGame) -> None:
    """Cat has no time any more. Max gives her seat to Dan, who plays on."""
    cat = game.last("Cat")
    game.show(
        "Max gives the seat away",
        game.master("Max", f"give Cat to Dan <{game.addresses['Dan']}>\nreason: Cat has no time"),
    )
    game.show("Cat is told", game.letters("Cat")[-1])
    game.show("The others are told", game.last("Ann", "Cat has no time"))
    game.show("Dan gets his first mail", game.letters("Dan")[0])
    game.write("Cat", "pass", reply_to(cat))
    game.addresses["Cat"] = game.addresses["Dan"]
    game.go_on(lambda now: str(now.asked()[0].player) == "Cat")
    game.move()
    game.show("Dan plays", game.last("Cat", "your orders: carried out"))


def finish(game: LongGame) -> None:
    """The robots play to the end."""
    game.go_on()
    game.show("The last mail", game.last("Ann", "over"), whole=True)


CHAPTERS: dict[str, Callable[[LongGame], None]] = {
    "A game begins": begin, "The auction": bid, "A second game master": second_master, "Somebody is late": lateness,
    "Somebody is away": absence, "The table votes": vote, "Orders from a letter": letter,
    "A question": question, "Back to an earlier position": undo, "A correction": correction,
    "Somebody else takes over": hand_over, "The end": finish,
}  # fmt: skip
