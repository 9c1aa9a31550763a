"""Nobody acts for somebody else, and nobody has the service write to somebody else: attempts of many kinds.

The games are played by people whose mail server proves who they are; between the attempts days pass, so that what only
waits for its time would come to pass.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from engine import Setup
from moderator import render
from moderator.adapters.message import build
from moderator.adapters.tables import (
    AliasRow,
    EntryRow,
    GameRow,
    HeldRow,
    MailRow,
    OutboxRow,
    SeatRow,
    SeatToken,
)
from moderator.service.people.address_change import sweep_pending
from moderator.service.play.table import Person, new_game
from moderator.service.post.outbox import _outgoing
from tests.mail_service import Service, mail
from tests.spoof_kinds import KINDS
from tests.spoofs import ANN, BOB, CAT, ORDERS, OUR_SERVER, Attempt, Draft, Forger, Known

SEED = 20260301
ATTEMPTS = 1_024
"""32 of each of the 32 kinds."""
OPERATOR, ZED = "master@example.net", "zed@players.example"
ODD_NAME = "Zed<script>alert(1)</script>{{7*7}}"
HEADERS = {
    "message-id", "date", "from", "to", "reply-to", "subject", "auto-submitted", "in-reply-to", "references", "list-id",
    "x-railpost", "list-unsubscribe", "mime-version", "content-type", "content-transfer-encoding",
}  # fmt: skip


@dataclass
class Report:
    """What came of the attempts. ``faults`` must be empty."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    strangers: int = 0
    told: int = 0
    faults: list[str] = field(default_factory=list)


class Scene:
    """A service with two games, one of them under way, and Ann asked something in both."""

    def __init__(self, root: Path, identity: str) -> None:
        service = Service.open(root)
        changed: dict[str, Any] = {
            "identity": identity, "authserv_id": OUR_SERVER, "arc_sealers": ("lists.example.net",),
            "breaker_per_hour": 100_000,
        }  # fmt: skip
        settings = service.desk.settings.model_copy(update=changed)
        self.service = replace(service, desk=replace(service.desk, settings=settings))
        self.game = self.service.game()
        old = self.service.address("Ann")
        sent = self.honest("Ann", "pass", ANN)
        self.honest("Bob", "pass", BOB)
        self.honest("Cat", "pass", CAT)
        now = self.service.address("Ann")
        turn = bytes(self.service.letters("Ann")[-1].message)
        bob, cat = self.service.address("Bob"), self.service.address("Cat")
        players = ("Ann", "Bob", "Cat", ODD_NAME)
        people = [Person(name, f"{name[:3].lower()}@players.example") for name in players]
        new_game(self.service.desk, "1861", None, {}, people, setup=Setup(players, "a seed", "Ann"))
        self.service.run()
        elsewhere = self.service.address("Ann")
        self.known = Known(self.game, old, now, bob, cat, elsewhere, turn, sent)
        assert self.service.outcomes() == ["applied"] * 3 and old != now
        self.seen = 0  # the first mails are looked at, too: the odd name is in them
        self.strangers: Counter[tuple[str, str]] = Counter()

    def honest(self, player: str, text: str, sender: str, to: str = "") -> bytes:
        """A player's own mail through our server."""
        recipient = to or self.service.address(player)
        head = (
            f"Authentication-Results: {OUR_SERVER}; dmarc=pass header.from=players.example\r\nReceived: from x; x\r\n"
        )
        content = head.encode() + mail(text, sender=sender, to=recipient)
        self.service.send(content, recipient, sender)
        self.service.run()
        return content

    def state(self) -> list[object]:
        """All of the games and their people that an attempt could change."""
        with self.service.session() as session:
            games = [(g.id, g.at, g.orders, g.status) for g in session.exec(select(GameRow).order_by(GameRow.id)).all()]
            entries = list(session.exec(select(EntryRow.game, EntryRow.at, EntryRow.text).order_by(EntryRow.id)).all())  # type: ignore[arg-type]
            held = list(session.exec(select(HeldRow.id, HeldRow.status).order_by(HeldRow.id)).all())  # type: ignore[arg-type]
            seats = [
                (s.id, s.address, s.notify, s.zone, s.question, s.since, s.unreachable_at, s.stopped_at, s.bounces)
                for s in session.exec(select(SeatRow).order_by(SeatRow.id)).all()  # type: ignore[arg-type]
            ]
            aliases = list(session.exec(select(AliasRow.address)).all())
            revoked = list(session.exec(select(SeatToken.token).where(col(SeatToken.revoked))).all())
        return [games, entries, held, seats, aliases, revoked]

    def attempt(self, one: Attempt, report: Report) -> None:
        before, count = self.state(), len(self.service.outcomes())
        self.service.send(one.content, return_path=one.return_path)
        self.service.run()
        self.service.clock.pass_by(hours=5)
        sweep_pending(self.service.desk)
        self.service.run()
        for outcome in self.service.outcomes()[count:]:
            report.outcomes.setdefault(one.kind, Counter())[str(outcome)] += 1
            if outcome == "press" and one.kind != "hostile_press":
                report.faults.append(f"{one.kind} {one.mark}: passed on")
            if outcome in (None, "error", "applied", "partial", "held", "withdrawn", "notified", "confirmed"):
                report.faults.append(f"{one.kind} {one.mark}: {outcome}")
        if self.state() != before:
            report.faults.append(f"{one.kind} {one.mark}: it changed something")
        report.faults.extend(f"{one.kind} {one.mark}: {fault}" for fault in self.written(one, report))
        report.faults.extend(f"{one.kind} {one.mark}: {fault}" for fault in self.service.complaints)
        self.service.complaints.clear()

    def written(self, one: Attempt, report: Report) -> list[str]:
        """What is wrong with the mails that followed."""
        faults = []
        with self.service.session() as session:
            rows = session.exec(
                select(OutboxRow).where(col(OutboxRow.id) > self.seen).order_by(col(OutboxRow.id))
            ).all()
        for row in rows:
            self.seen = row.id or self.seen
            content = build(_outgoing(self.service.desk, row))
            faults.extend(wrong_form(content, one.mark))
            if row.kind == "press" and (one.kind != "hostile_press" or row.recipient not in (ANN, CAT)):
                faults.append(f"press to {row.recipient}")
            if row.recipient in (ANN, BOB, CAT, ZED, OPERATOR):
                report.told += 1
                continue
            day = (row.recipient, row.created_at.date().isoformat())
            self.strangers[day] += 1
            report.strangers += 1
            fixed = render.stranger_mail()
            if row.recipient != one.return_path or self.strangers[day] > 1:
                faults.append(f"{row.kind} to {row.recipient}")
            if (row.kind, row.subject, row.text, row.html) != ("stranger", fixed.subject, fixed.text, fixed.html):
                faults.append(f"another text to {row.recipient}")
            if set(row.headers) != {"Auto-Submitted", "X-Railpost"} or one.mark.encode() in content:
                faults.append(f"something of his in what is written to {row.recipient}")
        return faults


def wrong_form(content: bytes, mark: str) -> list[str]:
    """Headers that no mail of ours has, or text of a player where it would do something."""
    message = message_from_bytes(content, policy=default)
    names = [name.lower() for name in message]
    faults = [f"header {name}" for name in names if name not in HEADERS or names.count(name) > 1]
    faults += [
        f"{name} has the mark"
        for name, value in message.items()
        if mark in value and name != "In-Reply-To" and name != "References"
    ]
    html = message.get_body(("html",))
    if html is not None:
        said = html.get_content()
        faults += [f"{bad} in HTML" for bad in ("<script", "<img", "<h1>Railpost", "evil.example'>") if bad in said]
    plain = message.get_body(("plain",))
    assert plain is not None
    text = plain.get_content()
    faults += ["the mark of an answer in the text"] if len(re.findall(r"^##-.*-##\s*$", text, re.MULTILINE)) > 1 else []
    return faults


def play(root: Path, identity: str, number: int) -> Report:
    scene, report = Scene(root, identity), Report()
    for one in Forger(scene.known, SEED).attempts(KINDS, number):
        scene.attempt(one, report)
    log = scene.service.log(scene.game)
    scene.honest("Ann", "open TSR 25", ANN, scene.known.now)  # and she herself is still heard
    assert scene.service.log(scene.game) == [*log, "Ann: open TSR 25"]
    shown = {kind: dict(sorted(count.items())) for kind, count in sorted(report.outcomes.items())}
    lines = [f"{kind:28} {sum(count.values()):4}  {count}" for kind, count in shown.items()]
    kinds = f"{number} attempts of {len(shown)} kinds, seed {SEED}"
    written = f"{report.strangers} fixed texts to strangers, {report.told} mails to players and operator"
    print("\n".join([f"{identity}: {kinds}; {written}", *lines]))  # noqa: T201
    return report


@pytest.mark.fault(34, 35, 36, 37, 38, 39, 40, 41, 43, 44, 46)
@pytest.mark.parametrize("identity", ["token", "token+authenticated"])
def test_some_attempts_of_each_kind(tmp_path: Path, identity: str) -> None:
    report = play(tmp_path, identity, len(KINDS))
    assert report.faults == []
    assert len(report.outcomes) == len(KINDS) >= 15


@pytest.mark.prove
@pytest.mark.parametrize("identity", ["token", "token+authenticated"])
def test_a_thousand_attempts(tmp_path: Path, identity: str) -> None:
    report = play(tmp_path, identity, ATTEMPTS)
    assert report.faults == []
    assert sum(sum(c.values()) for c in report.outcomes.values()) == ATTEMPTS


def test_the_attempts_would_be_seen(tmp_path: Path) -> None:
    """The same orders from Ann herself change the game, and the scene says so."""
    scene, report = Scene(tmp_path, "token+authenticated"), Report()
    for orders in ORDERS:
        scene.honest("Ann", f"check\n{orders}", ANN, scene.known.now)
        assert scene.service.outcomes()[-1] == "checked", orders
    forger = Forger(scene.known, SEED)
    forger.mark = "mark"
    draft = Draft("open TSR 25", scene.known.now, ANN, return_path=ANN, domain="players.example")
    scene.attempt(Attempt("honest", forger.arrive(draft), draft.to, ANN, "mark"), report)
    assert [fault.partition(": ")[2] for fault in report.faults] == ["applied", "it changed something"]


def test_who_wrote_is_kept(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "token")
    with scene.service.session() as session:
        rows = session.exec(select(MailRow).order_by(col(MailRow.id))).all()
    assert [(row.sender, row.verdict) for row in rows] == [(ANN, "pass"), (BOB, "pass"), (CAT, "pass")]
