"""The same mails, through the whole service: what each player gets, and what the service counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import col, func, select

from engine import Setup
from engine.core.ids import PlayerId
from moderator.adapters.tables import OutboxRow
from moderator.domain.ports import Incoming
from moderator.service.intake import store
from moderator.service.pipeline import process
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.post.delivery import send_due
from moderator.service.table.tenure import waits_of
from tests.kit.service.mail_service import Service, mail
from tests.kit.waits.attentive import Played


@dataclass(frozen=True, slots=True)
class Mailed:
    """``waits``: of each player, as the service counts them; ``received``: the mails to each player; ``orders``: the
    number of those of the game."""

    waits: dict[str, int]
    received: Counter[str]
    orders: int
    standings: tuple[tuple[PlayerId, int], ...]
    refused: list[str]
    """Mails that were not carried out as they were meant, with their outcomes."""


def send_all(root: Path, played: Played) -> Mailed:
    """Send the mails of a game through a service of its own."""
    service, start = Service.open(root), played.course.start
    people = [Person(player, f"p{number}@players.example") for number, player in enumerate(played.course.players, 1)]
    setup, title = start.setup, start.title
    terms = Terms(title.name, title.edition, title.options)
    setup = Setup(setup.players, setup.seed or "recorded", setup.priority, setup.privates)
    game = new_game(service.desk, terms, people, setup=setup)
    addresses = {person.name: person.address for person in people}
    collector = _Collector()
    send_due(service.desk, collector, service.complaints.append)
    for number, sent in enumerate(played.mails):
        sender = addresses[sent.player]
        content = mail(sent.text, sender=sender, to=collector.reply_to[sender])
        incoming = Incoming(str(number), service.desk.clock.now(), len(content), content, sender)
        (stored,) = store(service.desk, "test", [incoming])
        assert stored is not None
        process(service.desk, stored, service.complaints.append)
        assert not service.complaints, (service.complaints, sent)
        send_due(service.desk, collector, service.complaints.append)
    with service.session() as session:
        rows = select(OutboxRow.player, func.count()).where(OutboxRow.game == game).group_by(col(OutboxRow.player))
        received = Counter({str(player): count for player, count in session.exec(rows).all()})
        waits = waits_of(session, game)
    outcomes = zip(service.outcomes(), played.mails, strict=True)
    refused = [f"{outcome}: {sent.text}" for outcome, sent in outcomes if outcome not in ("applied", "held")]
    end = service.position(game)
    service.desk.database.close()
    return Mailed(waits, received, len(end.orders), end.standings(), refused)


class _Collector:
    def __init__(self) -> None:
        self.reply_to: dict[str, str] = {}

    def send(self, outgoing: object) -> None:
        self.reply_to[outgoing.recipient] = outgoing.reply_to  # type: ignore[attr-defined]
