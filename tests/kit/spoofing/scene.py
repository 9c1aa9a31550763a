"""The service on which forgers try: its games and players, what leaked, and everything that an attempt could change.

Five games: one under way between players of whom our server had proof, another of Ann's and Bob's, one between players
of whom it never had any, one in which a seat was given away and an address changed, and one that is forming.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event
from sqlmodel import Session, col, delete, select

from engine import Setup
from moderator.adapters.mail.maildir import return_path
from moderator.adapters.mail.message import build
from moderator.adapters.tables import (
    AbsenceRow,
    AliasRow,
    GameRow,
    HeldRow,
    InquiryRow,
    MailRow,
    MotionRow,
    OutboxRow,
    PendingRow,
    PersonRow,
    SeatRow,
    VoiceRow,
)  # fmt: skip
from moderator.domain.ports import Incoming, Outgoing
from moderator.service.desk import Desk
from moderator.service.entry.guests import add, inquiry_address
from moderator.service.entry.roster import form
from moderator.service.intake import store
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.hand_over import hand_over
from moderator.service.pipeline import work_off
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.masters.master import name_master
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.play.undo import undo
from moderator.service.post.delivery import send_due
from moderator.service.robots.bounces import refused
from moderator.service.table.game_master import offices_of
from moderator.service.table.seats import secret_address, token_for
from tests.kit.service.mail_service import WRITTEN, Service, StillClock, mail
from tests.kit.spoofing.attempts import (
    ANN,
    AWAY,
    BOB,
    CAT,
    DAN,
    DANS_ALIAS,
    EVE,
    EVIL,
    FAY,
    GUS,
    HAL,
    IVY,
    JO,
    JO_NOW,
    MAX,
    MOE,
    NED,
    OUR_SERVER,
    OWN,
    SECOND,
    Known,
    Need,
)  # fmt: skip

OPERATOR, ZED = MAX, "zed@players.example"
ODD_NAME = "Zed<script>alert(1)</script>{{7*7}}"
PLAYERS: Final = frozenset(
    {
        ANN,
        AWAY,
        SECOND,
        BOB,
        CAT,
        DAN,
        DANS_ALIAS,
        EVE,
        FAY,
        GUS,
        HAL,
        IVY,
        JO,
        JO_NOW,
        ZED,
        OPERATOR,
        MOE,
        NED,
        "ann@new.example",
    }
)
"""Expected recipients: players at addresses of theirs, and the operator."""
LONG: Final = 60_000
"""Hours: the clocks of the players' answers run, and run out in no attempt."""
SPOKEN: Final = (
    "away 2026-05-01 to 2026-05-03", "back", "zone Asia/Tokyo", "zone game", "calendar off", "calendar on",
)  # fmt: skip
"""The absences that Ann has given, and taken back."""
OFFICE_SPOKEN: Final = ("say: good evening", "extend 24 hours", "pause", "show clock", "resume")
"""The acts of Max as the game master."""
LOOSE_ORDERS: Final = 3
"""Orders of the game between players without proof, to which it is gone back each time."""


@dataclass
class Outlet:
    """Takes the service's mails. ``seen`` are all that went since that was last emptied."""

    seen: list[tuple[Outgoing, bytes]]

    def send(self, mail: Outgoing) -> None:
        self.seen.append((mail, build(mail)))


class Scene:
    def __init__(self, root: Path, identity: str) -> None:
        service = Service.open(root)
        event.listen(service.desk.database.engine, "connect", _without_waiting)
        self.settings: dict[str, Any] = {
            "authserv_id": OUR_SERVER, "arc_sealers": ("lists.example.net",),
            # Each attempt is judged by what it proves, and is not cut off because others came before it on that day.
            "others_per_seat": 100_000, "confirmations_per_day": 100_000, "press_per_day": 100_000,
        }  # fmt: skip
        self.clock: StillClock = service.clock
        self.complaints: list[str] = []
        self.outlet = Outlet([])
        self.numbers, self.moments = itertools.count(1), itertools.count(1)
        self.desk = self._under(service.desk, "token")
        self.own_questions: set[str] = set()
        """Questions that players asked for themselves: nobody else closes them."""
        self.known = self._set()
        self.desk = self._under(service.desk, identity)
        self.policy = identity
        self.outlet.seen.clear()

    def _under(self, desk: Desk, identity: str) -> Desk:
        return replace(desk, settings=desk.settings.model_copy(update={**self.settings, "identity": identity}))

    def reading(self) -> Session:
        return Session(self.desk.database.engine)

    # ---- mail and time

    def arrive(self, content: bytes, path: str, to: str = OWN) -> int:
        """Our mail server hands a mail on; its number."""
        content = f"Return-Path: <{path}>\r\nDelivered-To: {to}\r\n".encode() + content
        name, now = str(next(self.numbers)), self.clock.now()
        (number,) = store(self.desk, "scene", [Incoming(name, now, len(content), content, return_path(content))])
        assert number is not None
        return number

    def run(self) -> None:
        """All that the scheduler does with mails, once."""
        work_off(self.desk, self.complaints.append)
        send_due(self.desk, self.outlet, self.complaints.append)

    def tick(self, **span: float) -> None:
        """Time passes, and what waits for it is looked after."""
        self.clock.pass_by(**span)
        sweep_pending(self.desk)
        sweep_deadlines(self.desk)
        refused(self.desk)

    def pass_by(self, **span: float) -> None:
        """The same, and what follows from it is sent."""
        self.tick(**span)
        self.run()

    def say(self, text: str, sender: str, to: str, *, proved: bool = True, raw: bytes = b"") -> tuple[int, bytes]:
        """A player's own mail through our server: its number, and as it came."""
        found = f"dmarc=pass header.from={sender.partition('@')[2]}" if proved else "none"
        head = f"Authentication-Results: {OUR_SERVER}; {found}\r\nReceived: from x; x\r\n"
        at = next(self.moments)  # each has a Date of its own: the same words of the same moment are a copy
        date = f"Sun, 01 Mar 2026 {at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02} +0000".encode()
        written = (signed if proved else mail)(text, sender=sender, to=to).replace(WRITTEN.encode(), date)
        content = head.encode() + (raw or written)
        number = self.arrive(content, sender)
        self.run()
        return number, content

    def address(self, game: str, player: str) -> str:
        """A seat's present secret address."""
        with self.desk.sitting() as sitting:
            seat, row = _seat(sitting.session, game, player), sitting.session.get(GameRow, game)
            assert row is not None
            return secret_address(self.desk, seat, token_for(sitting, seat, row.at))

    def latest(self, recipient: str, kind: str = "") -> tuple[Outgoing, bytes]:
        return next(
            (mail, content)
            for mail, content in reversed(self.outlet.seen)
            if mail.recipient == recipient and kind in mail.headers["X-Railpost"]
        )

    def question(self, player: str, *kinds: str) -> str:
        """The answer address of the latest open question about a seat; empty if there is none."""
        wanted = (
            select(PendingRow.token)
            .join(SeatRow, col(SeatRow.id) == col(PendingRow.seat))
            .where(SeatRow.player == player, col(PendingRow.kind).in_(kinds), PendingRow.due_at > self.clock.now())
            .where(col(PendingRow.state).in_(("open", "confirmed")))
            .order_by(col(PendingRow.created_at).desc())
        )
        with self.reading() as session:
            found = session.exec(wanted).first()
        kind = "master" if kinds == ("master",) else "confirm"
        return f"railpost+{kind}.{found}@example.org" if found else ""

    # ---- the beginning

    def _game(self, *players: tuple[str, str], hours: int | None = None, master: str = "", name: str = "Moe") -> str:
        names = tuple(name for name, _ in players)
        people = [Person(name, address) for name, address in players]
        terms = Terms("1861", deadline_hours=hours, master=Person(name, master) if master else None)
        game = new_game(self.desk, terms, people, setup=Setup(names, "a seed", names[0]))
        self.run()
        return game

    def _set(self) -> Known:
        game = self._game(("Ann", ANN), ("Bob", BOB), ("Cat", CAT), hours=LONG, master=MAX, name="Max")
        old = self.address(game, "Ann")
        sent = self.say("pass", ANN, old)[1]
        self.say("pass", BOB, self.address(game, "Bob"))
        self.say("pass", CAT, self.address(game, "Cat"))
        office = self.office(game, MAX)
        office_spoken = [self.say(text, MAX, office)[1] for text in OFFICE_SPOKEN]
        now = self.address(game, "Ann")
        turn, content = self.latest(ANN, "turn")
        assert old != now == turn.reply_to.rpartition("<")[2].strip(">")
        self.say("limit 80 on TSR", ANN, now)
        self.say("limit 70 on TSR", CAT, self.address(game, "Cat"))
        spoken = [self.say(text, ANN, now)[1] for text in SPOKEN]
        self.say(f"alias {AWAY}", ANN, now)
        self.say("yes", AWAY, self.question("Ann", "alias.other"))
        self.say("show position", AWAY, now)
        self.say("notify turn", EVIL, now)
        used = self.question("Ann", "orders")
        answered = signed("yes", sender=ANN, to=used)
        self.say("", ANN, used, raw=answered)
        friendly = (signed("ok", sender=ANN, to=BOB), signed("open TSR 25", sender=ANN, to=BOB))
        elsewhere = self._game(("Ann", ANN), ("Bob", BOB), ("Cat", CAT), (ODD_NAME, ZED))
        revoked = self.address(elsewhere, "Bob")
        self.say("revoke", BOB, revoked)
        self.say("hello", EVIL, OWN)
        self.say("master: is all well?", ANN, now)
        master_answered = self.say("Yes, it is.", MAX, self.question("Ann", "master"))[1]
        loose = self._loose()
        given = self._given()
        self._absences(game, "Ann")
        known = Known(
            game=game, old=old, now=now, elsewhere=self.address(elsewhere, "Ann"), turn_mail=content,
            message_id=turn.message_id, sent=sent, answered=answered, friendly=friendly,
            bob=self.address(game, "Bob"), cat=self.address(game, "Cat"), revoked=revoked,
            bob_stop=_stop(self.latest(BOB)[0]), own_path=self.latest(EVIL)[0].return_path,
            master_friendly=signed("Of course you may.", sender=MAX, to=BOB),
            master_answered=_as_sent(master_answered), spoken=tuple(map(_as_sent, spoken)), office=office,
            office_spoken=tuple(map(_as_sent, office_spoken)), forming=self._forming(), **loose, **given,
        )  # fmt: skip
        with self.reading() as session:
            outcomes = session.exec(select(MailRow.outcome).order_by(col(MailRow.id))).all()
        held = 3 + len(OFFICE_SPOKEN)
        assert outcomes[:3] == ["applied"] * 3 and outcomes[held] == "held" and self.complaints == []
        assert len({known.given, known.given_now, known.former, known.revoked, known.loose, known.loose_old}) == 6
        return known

    def _loose(self) -> dict[str, Any]:
        game = self._game(("Dan", DAN), ("Eve", EVE), ("Fay", FAY), master=MOE)
        old = self.address(game, "Dan")
        spoken = self.say("zone Asia/Tokyo", DAN, old, proved=False)[1]
        sent = self.say("pass", DAN, old, proved=False)[1]
        self.say("pass", EVE, self.address(game, "Eve"), proved=False)
        self.say("pass", FAY, self.address(game, "Fay"), proved=False)
        turn = self.latest(DAN, "turn")[0]
        self._dans_alias()
        self._absences(game, "Dan")
        return {
            "loose_spoken": _as_sent(spoken), "loose_game": game, "loose": self.address(game, "Dan"), "loose_old": old,
            "loose_office": self.office(game, MOE), "loose_sent": _as_sent(sent), "loose_path": turn.return_path,
            "loose_stop": _stop(turn),
        }  # fmt: skip

    def _dans_alias(self) -> None:
        now = self.clock.now()
        with self.desk.database.transaction() as session:
            session.merge(AliasRow(address=DANS_ALIAS, record=DAN, created_at=now, confirmed_at=now))

    def _absences(self, game: str, player: str) -> None:
        """``player`` has said that he will be away, years from now: nobody else takes that back."""
        with self.desk.database.transaction() as session:
            seat = _seat(session, game, player)
            session.exec(delete(AbsenceRow).where(col(AbsenceRow.seat) == seat.id))
            session.add(
                AbsenceRow(seat=seat.id or 0, first="2040-01-01", last="2040-01-09", zone="UTC",
                           created_at=self.clock.now())
            )  # fmt: skip

    def _closed_line(self, game: str) -> dict[str, str]:
        """Ivy wrote a line to Ned, who was the game master then and answered it."""
        name_master(self.desk, game, Person("Ned", NED))
        self.say("master: is all well?", IVY, self.address(game, "Ivy"))
        found = self.question("Ivy", "master")
        self.say("It is.", NED, found)
        former = self.office(game, NED)
        name_master(self.desk, game, None)
        assert found and former
        return {"closed_line": found, "former_office": former}

    def _given(self) -> dict[str, Any]:
        """Gus gives his seat to Hal, and Jo has her mail sent to another address."""
        game = self._game(("Gus", GUS), ("Ivy", IVY), ("Jo", JO))
        given, former = self.address(game, "Gus"), self.address(game, "Jo")
        before, hers = self.latest(GUS)[0], self.latest(JO)[0]
        self.say("show position", GUS, given)
        self.say(f"address {JO_NOW}", JO, former)
        with self.desk.sitting() as sitting:
            hand_over(sitting, _seat(sitting.session, game, "Gus"), "Hal", HAL)
        self.pass_by(hours=73)
        self.say("show position", HAL, self.address(game, "Gus"))
        self.say("show position", JO_NOW, self.address(game, "Jo"))
        with self.reading() as session:
            assert (_seat(session, game, "Gus").address, _seat(session, game, "Jo").address) == (HAL, JO_NOW)
        return {
            "given": given, "given_path": before.return_path, "given_stop": _stop(before),
            "given_now": self.address(game, "Gus"), "former": former, "former_path": hers.return_path,
            "former_stop": _stop(hers), **self._closed_line(game),
        }  # fmt: skip

    def _forming(self) -> str:
        """A game that is forming, which Gus has joined."""
        game = form(self.desk, Terms("1861"), 3, 5)
        with self.desk.sitting() as sitting:
            add(sitting, "entrant", "Gus", GUS, game=game, title="1861")
        return game

    def _asked(self) -> str:
        """The address that answers the latest question to somebody without a seat."""
        wanted = select(InquiryRow.token).where(InquiryRow.state == "open").order_by(col(InquiryRow.created_at).desc())
        with self.reading() as session:
            return inquiry_address(self.desk, session.exec(wanted).first() or "")

    # ---- what kinds of attempts need

    def prepare(self, need: Need) -> None:
        """Have what is needed wait for an answer, and let its address leak."""
        known, confirm = self.known, ""
        match need:
            case "question":
                if not self.question("Ann", "orders"):
                    self.say("notify daily", "ann@hotel.example", known.now)
                confirm = self.question("Ann", "orders")
            case "moving":
                self.say("address ann@new.example", ANN, known.now)
                confirm = self.question("Ann", "address")
            case "alias":
                self.say(f"alias {SECOND}", ANN, known.now)
                confirm = self.question("Ann", "alias.other")
            case "loose question":
                self.say("notify daily", "dan@hotel.example", self.known.loose)
                confirm = self.question("Dan", "orders")
            case "line":
                self.say(f"master: may I ask {next(self.numbers)}?", ANN, known.now)
                confirm = self.question("Ann", "master")
            case "loose line":  # written while a claim was still enough
                policy, self.desk = self.desk, self._under(self.desk, "token")
                self.say(f"master: may I ask {next(self.numbers)}?", DAN, known.loose, proved=False)
                self.desk = policy
                confirm = self.question("Dan", "master")
            case "deputy":
                self._deputy("open")
            case "loose motion":  # written while a claim was still enough
                policy, self.desk = self.desk, self._under(self.desk, "token")
                wanted = f"give Eve to Zoe <zoe{next(self.numbers)}@players.example>"
                self.say(wanted, MOE, known.loose_office, proved=False)
                self.desk = policy
                confirm = self._consent()
            case "join question":
                self.say(f"join {known.forming} as Hal prefer last", HAL, OWN)
                confirm = self._asked()
            case "vote":
                self.say("propose robot Cat on", BOB, known.bob)
        if need and need not in ("deputy", "vote"):
            assert confirm, need
            self.own_questions.add(confirm.partition("@")[0].partition(".")[2])
        self.known = replace(
            known, confirm=confirm, loose=self.address(known.loose_game, "Dan"), loose_path=self._loose_path()
        )

    def settle(self, need: Need) -> None:
        """The player ends it."""
        if need == "moving":
            self.say("no", ANN, self.known.confirm)
            assert not self._confirmed_moves()
        elif need == "alias":
            self.say(f"alias remove {SECOND}", ANN, self.known.now)
        elif need == "deputy":
            self._deputy("")
        elif need == "loose motion":
            policy, self.desk = self.desk, self._under(self.desk, "token")
            self.say("no", MOE, self.known.confirm, proved=False)
            self.desk = policy
        elif need == "join question":
            self.say("no", HAL, self.known.confirm)
        elif need == "vote":
            self.say("vote no", BOB, self.known.bob)
            self.say("vote no", CAT, self.known.cat)
            assert not self._open("most")
        if need:
            self.own_questions.clear()

    def office(self, game: str, address: str) -> str:
        """Where the words of a game master go."""
        with self.reading() as session:
            office = next(one for one in offices_of(session.get_one(GameRow, game)) if one.address == address)
        return f"railpost+{game}.master.{office.token}@example.org"

    def _consent(self) -> str:
        """Where the latest consent goes that somebody is asked for."""
        with self.reading() as session:
            wanted = select(VoiceRow.token).where(VoiceRow.token != "").order_by(col(VoiceRow.id).desc())
            return f"railpost+motion.{session.exec(wanted.limit(1)).one()}@example.org"

    def _open(self, needs: str) -> list[MotionRow]:
        with self.reading() as session:
            wanted = select(MotionRow).where(MotionRow.needs == needs, MotionRow.state == "open")
            return list(session.exec(wanted).all())

    def _deputy(self, caretaker: str) -> None:
        with self.desk.database.transaction() as session:
            _seat(session, self.known.game, "Ann").caretaker = caretaker

    def _confirmed_moves(self) -> list[PendingRow]:
        with self.reading() as session:
            wanted = select(PendingRow).where(PendingRow.kind == "address", PendingRow.state == "confirmed")
            return list(session.exec(wanted).all())

    def _loose_path(self) -> str:
        wanted = select(OutboxRow.return_path).where(OutboxRow.recipient == DAN, OutboxRow.state == "sent")
        with self.reading() as session:
            return session.exec(wanted.order_by(col(OutboxRow.id).desc()).limit(1)).one()

    def set_back(self) -> None:
        """Dan's game as it was before somebody acted for him."""
        game = self.known.loose_game
        with self.reading() as session:
            row = session.get(GameRow, game)
            assert row is not None
            moved = row.orders > LOOSE_ORDERS
        if moved:
            undo(self.desk, game, LOOSE_ORDERS)
        with self.desk.database.transaction() as session:
            seat = _seat(session, game, "Dan")
            seat.notify, seat.pictures, seat.bounces = "turn", "on", 0
            seat.unreachable_at = seat.stopped_at = None
            session.exec(delete(PersonRow).where(col(PersonRow.address) == DAN))
            for held in session.exec(select(HeldRow).where(HeldRow.game == game, HeldRow.status == "waiting")).all():
                held.status = "withdrawn"
        self._dans_alias()
        self._absences(game, "Dan")
        self.run()
        self.known = replace(self.known, loose=self.address(game, "Dan"))


def _as_sent(content: bytes) -> bytes:
    """A mail without what our server wrote above it."""
    return content.partition(b"x; x\r\n")[2]


def signed(text: str, *, sender: str, to: str) -> bytes:
    """A mail with the signature of the player's provider, which covers no Cc where there is none."""
    domain = sender.partition("@")[2]
    signature = f"v=1; a=rsa-sha256; d={domain}; s=x; h=from:to:subject:date:message-id; bh=x; b=x"
    return mail(text, sender=sender, to=to, headers={"DKIM-Signature": signature})


def _without_waiting(connection: Any, _: object) -> None:
    """Nothing is lost with this database that would be missed, so no change waits for the disk."""
    connection.execute("PRAGMA synchronous = OFF")


def _seat(session: Session, game: str, player: str) -> SeatRow:
    return session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()


def _stop(mail: Outgoing) -> str:
    found = re.search(r"mailto:([^?>]+)", mail.headers["List-Unsubscribe"])
    assert found is not None
    return found.group(1)
