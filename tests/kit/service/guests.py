"""People without a seat, who write to a service for tests."""

from __future__ import annotations

from sqlmodel import col, select

from moderator.adapters.tables import GuestRow, OutboxRow
from moderator.service.entry.open_seats import lapse_inquiries, offer_seats, withdraw_offers
from moderator.service.entry.roster import ask_where_full, end_confirmations, form, offer_places
from moderator.service.play.new_games import Person, Terms
from tests.kit.service.mail_service import Letter, Service, mail

OWN = "railpost@example.org"


def address_of(name: str) -> str:
    return f"{name.lower()}@guests.example"


def write(service: Service, name: str, text: str, to: str = OWN, sender: str = "") -> list[Letter]:
    """``name`` writes; the mails that he gets after that."""
    own = address_of(name)
    before = len(service.mailbox(own))
    service.send(mail(text, sender=sender or f"{name} <{own}>", to=to), OWN, own)
    service.run()
    return service.mailbox(own)[before:]


def answer(service: Service, name: str, said: str = "yes", kind: str = "") -> list[Letter]:
    """``name`` answers the latest question that he was asked, or the latest with ``kind`` in its subject."""
    asked = [one for one in service.mailbox(address_of(name)) if "+join." in one.reply_to and kind in one.subject]
    return write(service, name, said, asked[-1].reply_to)


def join(service: Service, name: str, game: str) -> list[Letter]:
    write(service, name, f"join {game}")
    return answer(service, name)


def forming(
    service: Service, players: tuple[int, int] = (3, 3), invitation: str = "", floor: int = 0, master: bool = False
) -> str:
    clock = (("floor", str(floor)),) if floor else ()
    person = Person("Max", address_of("Max")) if master else None
    terms = Terms("1861", deadline_hours=48, clock=clock, master=person)
    return form(service.desk, terms, *players, invitation)


def sweep(service: Service, **span: float) -> None:
    """Let time pass, and do what is due."""
    service.clock.pass_by(**span)
    ask_where_full(service.desk)
    end_confirmations(service.desk)
    lapse_inquiries(service.desk)
    offer_places(service.desk)
    withdraw_offers(service.desk)
    offer_seats(service.desk)
    service.run()


def there(service: Service, kind: str, game: str = "") -> list[str]:
    with service.session() as session:
        wanted = select(GuestRow.name).where(GuestRow.kind == kind, GuestRow.game == game, GuestRow.state == "in")
        return list(session.exec(wanted.order_by(col(GuestRow.id))).all())


def outgoing(service: Service) -> int:
    """The number of mails that the service has ever written."""
    with service.session() as session:
        return len(session.exec(select(OutboxRow.id)).all())


def said(letter: Letter) -> str:
    """The text of a mail as one line."""
    return " ".join(letter.text.split())
