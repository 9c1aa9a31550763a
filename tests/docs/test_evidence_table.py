"""Every cell of the table of evidence, tried on a running service: what ``docs/trust.md`` says is what happens."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import pytest
from sqlmodel import col, func, select
from typer.testing import CliRunner

from moderator.adapters.tables import (
    AbsenceRow,
    AliasRow,
    GameRow,
    GuestRow,
    HeldRow,
    InquiryRow,
    MotionRow,
    OutboxRow,
    PendingRow,
    PersonRow,
    SeatRow,
    SeatToken,
    VoiceRow,
)
from moderator.domain.evidence import EVIDENCE, REQUESTS, Evidence, Policy, Request
from moderator.domain.ports import Never, Outgoing
from moderator.entrypoints.cli import app
from moderator.service.entry.roster import form
from moderator.service.play.masters.master import name_master
from moderator.service.play.new_games import Person, Terms
from moderator.service.post.delivery import send_due
from moderator.service.robots.bounces import refused
from moderator.service.robots.unsubscribe import unsubscribe
from tests.kit.checkout import CHECKOUT
from tests.kit.samples import sampled
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Service, mail
from tools import evidence as evidence_tool

ANN, AWAY, NEW, DAN, EVIL = (
    "ann@players.example", "ann@holiday.example", "ann@new.example", "dan@players.example", "forger@evil.example",
)  # fmt: skip
OWN, OPERATOR, MAX, GUS = "railpost@example.org", "master@example.net", "max@master.example", "gus@guests.example"
POLICIES = get_args(Policy)
PAGE = CHECKOUT / "docs/trust.md"

TEXTS: dict[Request, str] = {
    "orders": "pass",
    "check": "check\npass",
    "show": "show position",
    "help": "help",
    "press": "press Bob: sell NW!",
    "withdraw": "withdraw all",
    "notify": "notify all",
    "pictures": "pictures off",
    "zone": "zone Asia/Tokyo",
    "alias": f"alias {NEW}",
    "alias remove": f"alias remove {AWAY}",
    "address": f"address {NEW}",
    "revoke": "revoke",
    "absence": "away 2026-06-01 to 2026-06-03",
    "back": "back",
    "absence everywhere": "away everywhere 2026-06-01 to 2026-06-03",
    "calendar": "calendar off",
    "undo": "undo to 1: a slip",
    "answer": "yes",
    "heard": "notify round",
    "unsubscribe": "unsubscribe",
    "hand over": f"give Ann to Dan <{DAN}>",
    "master": "master: are you there?",
    "master's answer": "I am here.",
    "propose": "propose extend 48 hours",
    "vote": "vote yes",
    "conduct": "pause",
    "take": "robot Bob on",
    "games": "games",
    "join": "join 1861-2 as Ann",
    "resign": "resign",
}
"""The text of a person who wants it. The other requests are reports, which programs write."""


# ---- what the page says


def expected(policy: str) -> dict[tuple[str, str], str]:
    """The cells of the tables on the page: (evidence, request) in the words of the page. A row that a table lacks has
    no effect there."""
    cells = {(evidence, request): "–" for evidence in EVIDENCE.values() for request in REQUESTS.values()}
    for table in re.findall(
        r"<!-- table: \w+ -->\n(.*?)\n<!-- table: end", PAGE.read_text(encoding="utf-8"), re.DOTALL
    ):
        head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
        for evidence, *row in rows:
            name, _, under = evidence.partition(", under ")
            if not under or under.strip("`") == policy:
                columns = zip(head[1:], row, strict=True)
                cells |= {(name, request): said for alike, said in columns for request in alike.split("; ")}
    return cells


def test_a_word_without_a_column_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert evidence_tool.problems(CHECKOUT) == []
    monkeypatch.setattr(evidence_tool, "REQUESTS", dict.fromkeys(REQUESTS, "`check`, `show`, `help`"))
    found = "\n".join(evidence_tool.problems(CHECKOUT))
    for word in ("resign", "propose", "redo", "option", "join", "observe"):
        assert f"the word `{word}` has no column" in found


def test_the_page_has_every_cell() -> None:
    wanted = {(EVIDENCE[evidence], REQUESTS[request]) for evidence in EVIDENCE for request in REQUESTS}
    assert all(set(expected(policy)) == wanted for policy in POLICIES)
    assert len(wanted) >= 250


def test_the_page_names_every_kind_of_evidence_and_every_request_once_in_a_head() -> None:
    page = PAGE.read_text(encoding="utf-8")
    heads = re.findall(r"^\| evidence \| (.+) \|$", page, re.MULTILINE)
    named = [request for head in heads for alike in head.split(" | ") for request in alike.split("; ")]
    assert sorted(named) == sorted(REQUESTS.values())
    assert [kind for kind in EVIDENCE.values() if kind not in " ".join(page.split())] == []


# ---- the scene


@dataclass
class Scene:
    """Ann was asked twice, so that her first secret address is superseded. She has an alias and an order given ahead;
    a mail from elsewhere waits for her confirmation, and a line of hers for the game master, who has an address of
    his own. The table votes. Gus wants to join a game that is forming, and is asked whether he does. One bounce makes
    a seat unreachable."""

    service: Service
    old: str
    now: str
    confirm: str
    back: str
    message_id: str
    stop: str
    line: str
    office: str
    inquiry: str
    guessed: str = f"railpost+1861-1.1.{'a' * 26}@example.org"

    def send(self, content: bytes, sender: str, *, results: str = "") -> None:
        """Through our mail server, which writes its ``results`` on top."""
        if results:
            domain = sender.rpartition("@")[2]
            head = f"Authentication-Results: mx.example.org; dmarc={results} header.from={domain}\r\n"
            content = head.encode() + b"Received: from x by mx.example.org; x\r\n" + content
        self.service.send(content, OWN, sender)
        self.service.run()

    def write(self, text: str, to: str, sender: str, results: str = "") -> None:
        self.send(mail(text, sender=sender, to=to), sender, results=results)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Scene]:
    """The scene is set once, and copied for each cell."""
    root = tmp_path_factory.mktemp("scene")
    service = Service.open(root)
    name_master(service.desk, service.game(), Person("Max", MAX))
    service.run()
    office = service.mailbox(MAX)[0].reply_to
    service.say("Bob", "propose end game")
    old = service.address("Ann")
    for player in ("Ann", "Bob", "Cat"):
        service.say(player, "pass")
    now = service.address("Ann")
    service.say("Ann", "limit 80 on TSR")
    service.say("Ann", "away 2026-05-01 to 2026-05-03")
    with service.desk.database.transaction() as session:
        session.add(
            AliasRow(address=AWAY, record=ANN, created_at=service.clock.now(), confirmed_at=service.clock.now())
        )
    service.say("Ann", "master: may I ask?", to=now)
    line = service.mailbox(MAX)[-1].reply_to
    service.send(mail("notify daily", sender=EVIL, to=now), now, EVIL)
    service.run()
    asked = service.letters("Ann")[-1]
    letter = next(one for one in service.letters("Ann") if one.kind == "turn")
    back = str(letter.message["Return-Path"]).strip("<>")
    stop = re.search(r"mailto:([^?]+)", str(letter.message["List-Unsubscribe"]))
    assert stop is not None and "+confirm." in asked.reply_to and old != now
    assert form(service.desk, Terms("1861"), 3, 5) == "1861-2"
    service.send(mail("join 1861-2 as Gus", sender=GUS, to=OWN), OWN, GUS)
    service.run()
    inquiry = service.mailbox(GUS)[-1].reply_to
    scene = Scene(
        service, old, now, asked.reply_to, back, str(letter.message["Message-ID"]), stop.group(1), line, office, inquiry
    )
    service.desk.database.close()
    return root, scene


@pytest.fixture
def scene(folder: tuple[Path, Scene], tmp_path: Path) -> Scene:
    root, made = folder
    shutil.copytree(root, tmp_path / "scene")
    service = Service.open(tmp_path / "scene")
    service.clock.moment = made.service.clock.moment
    service.clock.pass_by(hours=1)
    return replace(made, service=service)


def under(scene: Scene, policy: str) -> Scene:
    changed = {"identity": policy, "authserv_id": "mx.example.org", "bounces_allowed": 1}
    settings = scene.service.desk.settings.model_copy(update=changed)
    return replace(scene, service=replace(scene.service, desk=replace(scene.service.desk, settings=settings)))


# ---- the ways in


def content_of(scene: Scene, request: Request, to: str, sender: str) -> bytes:
    """A mail that asks for ``request``: what a person writes, or a program's report without anything that proves it."""
    if request in ("bounce", "unreachable"):
        return robot_mails.status(to=to)
    if request == "complaint":
        return robot_mails.complaint(to=to)
    if request == "away":
        return robot_mails.plain("Away", "pass\n", sender=sender, to=to, headers={"Auto-Submitted": "auto-replied"})
    return mail(TEXTS[request], sender=sender, to=to)


def by_mail(place: str, sender: str, results: str = "") -> Callable[[Scene, Request], None]:
    """A way in: to the address in ``place`` of the scene (or to the service itself)."""

    def go(scene: Scene, request: Request) -> None:
        to = getattr(scene, place) if place else OWN
        scene.send(content_of(scene, request, to, sender), sender, results=results)

    return go


def confirmed(scene: Scene, request: Request) -> None:
    """From elsewhere, and then the address of record says yes to whatever it is asked about it. It is never asked about
    a program's mail."""
    if request == "away":
        by_mail("confirm", ANN, "pass")(scene, request)
        return
    by_mail("now", EVIL)(scene, request)
    asked = scene.service.letters("Ann")[-1].reply_to
    if "+confirm." in asked and asked != scene.confirm:
        scene.write("yes", asked, ANN, "pass")


def by_link(scene: Scene, request: Request) -> None:
    if request == "unsubscribe":
        assert unsubscribe(scene.service.desk, scene.stop.partition("+stop.")[2].partition("@")[0]) == "stopped"
    else:
        by_mail("stop", ANN)(scene, request)


class Refusing:
    """A server that does not take our mail, and says what the mail asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    def send(self, mail: Outgoing) -> None:
        raise Never(f"550 5.1.1 {self.text}")


def by_refusal(scene: Scene, request: Request) -> None:
    scene.write("show position", scene.old, ANN)  # something to send, which changes nothing
    with scene.service.desk.database.transaction() as session:
        row = session.exec(
            select(OutboxRow).where(OutboxRow.player == "Ann").order_by(col(OutboxRow.id).desc())
        ).first()
        assert row is not None
        row.state, row.next_attempt = "queued", scene.service.clock.now()
    send_due(scene.service.desk, Refusing(TEXTS.get(request, request)), lambda _: None)
    refused(scene.service.desk)


def by_mention(scene: Scene, request: Request) -> None:
    """A report to the service's own address, with the Message-ID and the secret address of a mail of ours."""
    returned = f"Message-ID: {scene.message_id}\nTo: {ANN}\nReply-To: {scene.old}\n"
    if request == "complaint":
        content = robot_mails.complaint(to=OWN, returned=returned)
    elif request == "away":
        headers = {"Auto-Submitted": "auto-replied", "In-Reply-To": scene.message_id}
        content = robot_mails.plain("Away", "pass\n", sender=ANN, to=OWN, headers=headers)
    elif request in ("bounce", "unreachable"):
        content = robot_mails.status(to=OWN, returned=returned)
    else:
        said = TEXTS[request]
        fields = f"Final-Recipient: rfc822; {ANN}\nAction: delayed\nStatus: 4.0.0\n"
        content = robot_mails.report("delivery-status", fields, to=OWN, returned=returned, said=said)
    scene.send(content, "")


def by_operator(scene: Scene, request: Request) -> None:
    commands: dict[Request, tuple[str, ...]] = {
        "notify": ("start",),
        "alias": ("alias", NEW),
        "alias remove": ("alias", AWAY, "--remove"),
        "address": ("address", NEW, "--at-once"),
        "revoke": ("revoke",),
        "zone": ("zone", "Asia/Tokyo"),
        "hand over": ("give", f"Dan <{DAN}>"),
    }
    name, *more = commands[request]
    if request == "notify":  # the command starts a seat's mail again
        assert unsubscribe(scene.service.desk, scene.stop.partition("+stop.")[2].partition("@")[0]) == "stopped"
    result = CliRunner().invoke(app, ["--data", str(scene.service.root), "seat", name, "1861-1", "Ann", *more])
    assert result.exit_code == 0, result.output
    scene.service.clock.pass_by(days=10_000)  # the command has the machine's clock
    scene.service.run()


def by_letter(scene: Scene, request: Request) -> None:
    """Ann's letter has it, and the game master types it in."""
    if request in TEXTS:
        scene.write(f"enter Ann:\n{TEXTS[request]}\nend enter", scene.office, MAX, "pass")
    else:
        by_mail("office", MAX, "pass")(scene, request)


WAYS: dict[Evidence, Callable[[Scene, Request], None]] = {
    "record": by_mail("now", ANN, "pass"),
    "alias": by_mail("now", AWAY, "pass"),
    "claimed": by_mail("now", ANN),
    "doubted": by_mail("now", ANN, "fail"),
    "foreign": by_mail("now", EVIL, "pass"),
    "old": by_mail("old", ANN),
    "old foreign": by_mail("old", EVIL, "pass"),
    "confirmed": confirmed,
    "yes": by_mail("confirm", ANN, "pass"),
    "yes elsewhere": by_mail("confirm", EVIL, "pass"),
    "none": by_mail("guessed", ANN, "pass"),
    "link": by_link,
    "return path": by_mail("back", "", ""),
    "refusal": by_refusal,
    "mention": by_mention,
    "operator": by_operator,
    "master": by_mail("line", MAX, "pass"),
    "master elsewhere": by_mail("line", EVIL, "pass"),
    "office": by_mail("office", MAX, "pass"),
    "office claimed": by_mail("office", MAX),
    "office elsewhere": by_mail("office", EVIL, "pass"),
    "entered": by_letter,
    "plain": by_mail("", ANN, "pass"),
    "inquiry": by_mail("inquiry", GUS, "pass"),
    "inquiry elsewhere": by_mail("inquiry", EVIL, "pass"),
}
OFFICES: frozenset[Evidence] = frozenset({"office", "office claimed", "office elsewhere"})
ACTING: frozenset[Evidence] = frozenset({"link", "return path", "refusal", "yes", "master", "inquiry"})
"""Mail that comes this way does something by itself, whatever it says."""
OPERATOR_CAN: frozenset[Request] = frozenset(
    {"notify", "zone", "alias", "alias remove", "address", "revoke", "hand over"}
)


# ---- what happened


@dataclass(frozen=True)
class Seen:
    """The visible state of Ann's seat, and the mails that were written."""

    log: tuple[str, ...]
    held: int
    seat: tuple[object, ...]
    aliases: frozenset[str]
    revoked: int
    answered: str
    pending: int
    heard: object
    stopped: bool
    press: int
    absences: tuple[bool, ...]
    """Of Ann: whether each has been taken back."""
    calendar: bool
    to_new: int
    to_ann: int
    to_operator: int
    lines: int
    answers: int
    to_master: int
    paused: bool
    robots: int
    motions: int
    votes: int
    open: int
    """Seats that are offered to others."""
    entrants: int
    to_gus: int
    listed: int
    """Mails to Ann with the words that need no secret address."""


def look(scene: Scene) -> Seen:
    service = scene.service
    seat = service.seat("1861-1", "Ann")
    with service.session() as session:
        held = session.exec(select(func.count()).select_from(HeldRow).where(HeldRow.status == "waiting")).one()
        aliases = frozenset(session.exec(select(AliasRow.address).where(col(AliasRow.confirmed_at).is_not(None))).all())
        revoked = session.exec(select(func.count()).select_from(SeatToken).where(col(SeatToken.revoked))).one()
        token = scene.confirm.partition("+confirm.")[2].partition("@")[0]
        answered = session.exec(select(PendingRow.state).where(PendingRow.token == token)).one()
        pending = session.exec(select(func.count()).select_from(PendingRow)).one()
        pending += session.exec(select(func.count()).select_from(InquiryRow)).one()
        entrants = session.exec(select(func.count()).select_from(GuestRow)).one()
        offered = session.exec(select(func.count()).select_from(SeatRow).where(SeatRow.caretaker == "open")).one()
        confirmed_address = select(PendingRow.state).where(PendingRow.kind == "address")
        moving = tuple(session.exec(confirmed_address).all())
        away = tuple(row.ended_at is not None for row in session.exec(select(AbsenceRow)).all())
        person = session.get(PersonRow, ANN)
        paused = session.get_one(GameRow, "1861-1").status == "paused"
        robots = session.exec(select(func.count()).select_from(SeatRow).where(SeatRow.caretaker == "robot")).one()
        motions = session.exec(select(func.count()).select_from(MotionRow)).one()
        votes = session.exec(select(func.count()).select_from(VoiceRow).where(VoiceRow.said != "")).one()
        zones = tuple(session.exec(select(PersonRow.zone).where(PersonRow.address == ANN)).all())
    shown = (
        zones, seat.address, seat.notify, seat.pictures, seat.bounces, seat.unreachable_at, seat.stopped_at,
        seat.away_at, "confirmed" in moving,
    )  # fmt: skip
    letters = service.letters("Bob")
    return Seen(
        tuple(service.log("1861-1")), held, shown, aliases, revoked, answered, pending, seat.heard_at,
        seat.stopped_at is not None, sum(letter.kind == "press" for letter in letters),
        away, person is None or person.calendar,
        len(service.mailbox(NEW)), len(service.letters("Ann")), len(service.mailbox(OPERATOR)),
        sum(letter.kind == "master" for letter in service.mailbox(MAX)),
        sum(letter.kind == "master" for letter in service.letters("Ann")), len(service.mailbox(MAX)),
        paused, robots, motions, votes, offered, entrants, len(service.mailbox(GUS)),
        sum(letter.subject == "Railpost: the games" for letter in service.letters("Ann")),
    )  # fmt: skip


def is_done(request: Request, before: Seen, after: Seen, seat: SeatRow) -> bool:
    """True if ``request`` was carried out."""
    done: dict[Request, bool] = {
        "orders": after.log != before.log,
        "check": False,
        "show": False,
        "help": False,
        "press": after.press > before.press,
        "withdraw": after.held < before.held,
        "notify": seat.notify == "all" or (before.stopped and not after.stopped),
        "pictures": seat.pictures == "off",
        "zone": after.seat[0] == ("Asia/Tokyo",),
        "alias": after.to_new > before.to_new,
        "alias remove": AWAY not in after.aliases,
        "address": after.seat[-1] is True or seat.address == NEW,
        "revoke": after.revoked > before.revoked,
        "absence": len(after.absences) > len(before.absences),
        "absence everywhere": len(after.absences) > len(before.absences),
        "back": any(after.absences),
        "calendar": not after.calendar,
        "undo": after.lines > before.lines,
        "answer": after.answered != before.answered or after.entrants > before.entrants,
        "heard": after.heard != before.heard,
        "away": seat.away_at is not None,
        "bounce": seat.bounces > 0 or seat.unreachable_at is not None,
        "complaint": after.stopped,
        "unsubscribe": after.stopped,
        "unreachable": seat.unreachable_at is not None,
        "hand over": seat.address == DAN,
        "master": after.lines > before.lines,
        "master's answer": after.answers > before.answers,
        "propose": after.motions > before.motions,
        "vote": after.votes > before.votes and after.motions == before.motions,
        "conduct": after.paused,
        "take": after.robots > before.robots,
        "games": after.listed > before.listed,
        "join": False,  # only a question can follow from it
        "resign": after.open > before.open,
    }
    return done[request]


READING = ("check", "show", "help")
CASES = [
    (policy, evidence, request)
    for policy in POLICIES
    for evidence in EVIDENCE
    for request in REQUESTS
    if evidence != "operator" or request in OPERATOR_CAN
]
BY_MAIL = [evidence for evidence in EVIDENCE if evidence != "operator"]
SAMPLE = [
    case
    for start, policy in enumerate(POLICIES)
    for case in (
        (policy, "operator", "notify"),
        *((policy, BY_MAIL[(7 * start + at) % len(BY_MAIL)], request) for at, request in enumerate(REQUESTS)),
    )
]
"""The cells that are tried every time: a diagonal of the table, another one under each policy, so that each kind of
evidence and each request comes up under each."""


def test_the_cells_of_each_time_have_each_evidence_and_each_request() -> None:
    def seen(cells: Sequence[tuple[Policy, str, str]]) -> set[tuple[Policy, str]]:
        return {(policy, name) for policy, *names in cells for name in names}

    assert seen(SAMPLE) == seen(CASES)


@pytest.mark.fault(34, 37, 38, 68, 70, 71, 73)
@pytest.mark.parametrize(("policy", "evidence", "request_"), sampled(CASES, SAMPLE))
def test_what_follows_is_what_the_page_says(
    scene: Scene, policy: Policy, evidence: Evidence, request_: Request
) -> None:
    said = expected(policy)[EVIDENCE[evidence], REQUESTS[request_]]
    scene = under(scene, policy)
    before = look(scene)
    if evidence == "operator" and request_ == "notify":
        before = replace(before, stopped=True)
    WAYS[evidence](scene, request_)
    after = look(scene)
    done = is_done(request_, before, after, scene.service.seat("1861-1", "Ann"))
    if request_ in READING:
        answered = after.to_master > before.to_master if evidence in OFFICES else after.to_ann > before.to_ann
        assert not done and (evidence in ACTING or unchanged(before, after))
        if evidence not in ACTING:
            assert answered == (said in ("done", "told") or evidence in ("none", "plain", "yes elsewhere"))
        return
    assert done == (said == "done"), said
    if said == "asked" and evidence in OFFICES:
        assert unchanged(before, after) and after.motions == before.motions + 1 and after.to_master > before.to_master
    elif said == "asked":
        assert unchanged(before, after) and after.pending == before.pending + 1 and after.to_ann > before.to_ann
    elif said == "told" and evidence == "mention":
        assert unchanged(before, after) and after.to_operator > before.to_operator and after.to_ann == before.to_ann
    elif said == "told" and evidence in ("master elsewhere", *OFFICES):
        assert unchanged(before, after) and after.to_master > before.to_master and after.to_ann == before.to_ann
    elif said == "told" and evidence == "inquiry elsewhere":
        assert unchanged(before, after) and after.to_gus > before.to_gus and after.to_ann == before.to_ann
    elif said == "told":
        assert unchanged(before, after) and after.pending == before.pending and after.to_ann > before.to_ann
    elif said == "–" and request_ not in ("heard", "away", "unsubscribe", "answer"):
        assert evidence in ACTING or unchanged(before, after)


def unchanged(before: Seen, after: Seen) -> bool:
    """Nothing of the game or the seat has moved. That mail came, and that the seat was heard of, is no change."""

    def state(seen: Seen) -> tuple[object, ...]:
        own = seen.log, seen.held, seen.seat, seen.aliases, seen.revoked, seen.answered, seen.press
        guests = seen.open, seen.entrants
        return (
            *own,
            seen.absences,
            seen.calendar,
            seen.lines,
            seen.answers,
            seen.paused,
            seen.robots,
            seen.votes,
            guests,
        )

    return state(before) == state(after)


def test_the_operator_has_a_command_for_each_of_his_rows_and_no_other() -> None:
    for policy in POLICIES:
        said = expected(policy)
        can = {request for request in REQUESTS if said[EVIDENCE["operator"], REQUESTS[request]] == "done"}
        assert can == OPERATOR_CAN
