"""Players for the demonstration: robots that know only the rules and the mails they get."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime, parseaddr
from pathlib import Path

from engine import Ask, Game, Refused
from engine.core.events import LotDrawn
from engine.core.ids import PlayerId
from engine.core.orders import Order
from grammar import write_block
from moderator.adapters.mail.maildir import MaildirIntake, deliver, folder_for
from moderator.domain.vocabulary import vocabulary

Choose = Callable[[Game, Ask], Order]
"""A robot's strategy: the order with which it answers a question."""

_LARGEST = 10_000_000
_LONGEST_TURN = 60


@dataclass(slots=True)
class RobotPlayer:
    """A robot player with its own Maildir. ``wrote`` counts the mails it sent, ``got`` those it received."""

    name: str
    address: str
    mail_folder: Path
    wrote: int = 0
    got: int = 0
    reply_to: str | None = field(default=None)
    """Address for the answer to the latest question; None before the first one."""
    _subject: str = ""
    _reference: str = ""
    _question: str = ""

    def read_mail(self) -> None:
        """Read all new mail. The newest welcome, turn or transcript mail is the one to answer."""
        mailbox = MaildirIntake(folder_for(self.mail_folder, self.address))
        for incoming in mailbox.waiting(_LARGEST):
            self.got += 1
            message = message_from_bytes(incoming.content, policy=default)
            if str(message["X-Railpost"]).endswith((" welcome", " turn", " transcript")):
                self.reply_to = parseaddr(str(message["Reply-To"]))[1]
                self._subject, self._reference = str(message["Subject"]), str(message["Message-ID"])
                body = message.get_body(("plain",))
                self._question = "" if body is None else str(body.get_content())
            mailbox.file(incoming.reference, "read")

    def write(self, text: str) -> None:
        """Send ``text`` above a quotation of the question, as mail programs do."""
        assert self.reply_to is not None
        self.wrote += 1
        message = EmailMessage(policy=SMTP)
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = self.reply_to
        message["Subject"] = re.sub(r"\s+", " ", f"Re: {self._subject}")
        message["Date"] = format_datetime(datetime.now(UTC))
        message["Message-ID"] = f"<{self.wrote}.{self.address}>"
        message["In-Reply-To"] = self._reference
        quoted = "\n".join(f"> {line}" for line in self._question.splitlines())
        message.set_content(
            f"{text}\n\nOn Monday, 2 March 2026, Railpost <{self.reply_to}> wrote:\n\n{quoted}\n", cte="8bit"
        )
        deliver(self.mail_folder, self.reply_to, message.as_bytes(), self.address)


def orders_of_turn(game: Game, player: str, choose: Choose) -> list[Order]:
    """The orders with which a robot answers all that ``player`` is asked now. They end before another player or actor
    is asked, and after an order that draws a lot, because the robot cannot foresee it."""
    trial = game.seen_by(PlayerId(player))
    given: list[Order] = []
    actor = None
    while len(given) < _LONGEST_TURN:
        asks = [ask for ask in trial.asked() if ask.player == player and actor in (None, ask.actor)]
        if not asks:
            return given
        actor = asks[0].actor
        order = choose(trial, asks[0])
        followed = trial.submit(order)
        if isinstance(followed, Refused):
            return given
        given.append(order)
        if any(isinstance(event, LotDrawn) for event in followed) or [ask.actor for ask in trial.asked()] != [actor]:
            return given
    return given


def as_text(game: Game, orders: list[Order]) -> str:
    """``orders`` as they are written in a mail."""
    return write_block(orders, vocabulary(game.title))
