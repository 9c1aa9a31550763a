"""Nobody acts for somebody else, and nobody has the service write to somebody else: attempts of many kinds.

Between the attempts time passes, so that what only waits for its time would come to pass, and the players go on
writing: each refused order of theirs is answered.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from pathlib import Path
from typing import Final

import pytest
from sqlmodel import col, select

from moderator import render
from moderator.adapters.mail.message import build
from moderator.adapters.tables import MailRow, OutboxRow, SeatRow
from moderator.service.post.delivery import _outgoing
from moderator.service.robots.unsubscribe import unsubscribe
from tests.kit.checkout import CHECKOUT
from tests.kit.samples import amount, prove
from tests.kit.spoofing import clock_words as spoof_clocks
from tests.kit.spoofing import entry_words as spoof_entry
from tests.kit.spoofing import evidence_rows as spoof_stated
from tests.kit.spoofing import headers as spoof_headers
from tests.kit.spoofing import kinds as spoof_kinds
from tests.kit.spoofing import master_lines as spoof_lines
from tests.kit.spoofing import master_words as spoof_masters
from tests.kit.spoofing import reports as spoof_reports
from tests.kit.spoofing import seats as spoof_seats
from tests.kit.spoofing.attempts import (
    ANN,
    AWAY,
    BOB,
    CAT,
    DAN,
    EVE,
    FAY,
    HAL,
    MAX,
    MOE,
    ORDERS,
    Arrived,
    Attempt,
    Draft,
    Forger,
    Kind,
    kind,
    kinds_in,
)  # fmt: skip
from tests.kit.spoofing.scene import PLAYERS, Scene
from tests.kit.spoofing.state import Key, State, changed, state
from tools.evidence import words_of

SEED = 20260301
ATTEMPTS = amount("SPOOFING_ATTEMPTS", 10_000)
KINDS: Final = tuple(
    one
    for module in (
        spoof_kinds,
        spoof_seats,
        spoof_headers,
        spoof_reports,
        spoof_stated,
        spoof_lines,
        spoof_clocks,
        spoof_masters,
        spoof_entry,
    )
    for one in kinds_in(module)
)
BURST = 100
"""After so many attempts, minutes apart, days pass."""
ROUND = 50
"""After so many attempts each player writes."""
CHANGING: Final = frozenset(
    {None, "error", "applied", "partial", "held", "withdrawn", "notified", "confirmed", "declined"}
)
"""Outcomes of which none is to be seen where nothing may follow."""
BY_TOKEN: Final = ("claimed", "yes", "master", "office")
"""Rows by which something follows under ``token`` alone."""
BY_A_ROW: Final = tuple(one for number, one in enumerate(KINDS) if one.row or number % 4 == 0)
"""Those that the policies treat differently, and one in four of the others."""
OTHERWISE: Final = tuple(one for number, one in enumerate(KINDS) if one.row or number % 4)
"""Those that the policies treat differently, and the rest of the others."""
HEADERS = {
    "message-id", "date", "from", "to", "reply-to", "subject", "auto-submitted", "in-reply-to", "references", "list-id",
    "x-railpost", "list-unsubscribe", "mime-version", "content-type", "content-transfer-encoding",
}  # fmt: skip


@dataclass
class Report:
    """The results of the attempts. ``faults`` must be empty. ``acted`` counts, by kind, attempts after which something
    followed that a row of the table allows."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    acted: Counter[Kind] = field(default_factory=Counter)
    strangers: int = 0
    told: int = 0
    refusals: int = 0
    shown: int = 0
    faults: list[str] = field(default_factory=list)


class Run:
    """Attempts in a scene."""

    def __init__(self, scene: Scene, kinds: Sequence[Kind] = KINDS) -> None:
        self.scene, self.kinds, self.report = scene, kinds, Report()
        self.state = state_of(scene)
        self.seen = 0  # the first mails are looked at, too: the odd name is in them
        self.mails = 0
        self.strangers: Counter[tuple[str, str]] = Counter()
        with scene.reading() as session:
            self.begun = session.exec(select(OutboxRow.id).order_by(col(OutboxRow.id).desc()).limit(1)).one() or 0
            self.mails = session.exec(select(MailRow.id).order_by(col(MailRow.id).desc()).limit(1)).one() or 0

    def attempt(self, one: Attempt) -> None:
        """Make it, and look at everything afterwards."""
        scene, report = self.scene, self.report
        name = f"{one.kind.name} {one.mark}"
        for arrived in one.mails:
            scene.arrive(arrived.content, arrived.return_path)
        if one.link:
            unsubscribe(scene.desk, one.link)
        scene.run()
        scene.tick(minutes=3)
        allowed = self.allowed(one.kind)
        for outcome in self.outcomes():
            report.outcomes.setdefault(one.kind.name, Counter())[str(outcome)] += 1
            if outcome == "error" or (outcome in CHANGING and not allowed):
                report.faults.append(f"{name}: {outcome}")
        before, self.state = self.state, state_of(scene)
        moved = self.changed(before)
        wrong = [
            key
            for key in moved
            if not (allowed and may_change(one.kind, key, before, scene.known.loose_game))
            and not (key[-1] == "heard_at" and before[*key[:3], "address"] == one.himself)
        ]
        if wrong:
            report.faults.append(f"{name}: it changed {wrong}")
        pressed, faults = self.written(one)
        if allowed and (pressed or any(key[-1] not in ("heard_at", "told_at", "told") for key in moved)):
            report.acted[one.kind] += 1
        report.faults += [f"{name}: {fault}" for fault in (*faults, *scene.complaints)]
        scene.complaints.clear()

    def changed(self, before: State) -> list[Key]:
        return changed(before, self.state, self.scene.clock.now(), self.scene.own_questions)

    def allowed(self, kind: Kind) -> bool:
        """True if a row of the table says that something follows, under this policy."""
        return bool(kind.row) and not (kind.row in BY_TOKEN and self.scene.policy == "token+authenticated")

    def outcomes(self) -> list[str | None]:
        """Of the mails since the last look."""
        with self.scene.reading() as session:
            wanted = select(MailRow.id, MailRow.outcome).where(col(MailRow.id) > self.mails).order_by(col(MailRow.id))
            rows = session.exec(wanted).all()
        self.mails = rows[-1][0] or 0 if rows else self.mails
        return [outcome for _, outcome in rows]

    def honest(self) -> None:
        """Each player orders what cannot be, and looks at the position: both are answered."""
        report, known = self.report, self.scene.known
        given = known.given.partition("+")[2].partition(".")[0]
        seats = (
            (known.game, "Ann", ANN, "open TSR 1"), (known.game, "Bob", BOB, "sell NW"),
            (known.game, "Cat", CAT, "sell NW"), (given, "Gus", HAL, "open TSR 1"),
            (known.loose_game, "Dan", DAN, "open TSR 1"),
        )  # fmt: skip
        for game, player, address, order in seats:
            sent = self.answered(game, player, address, order, {"refused", "unreadable"})
            report.refusals += sent
            report.shown += self.answered(
                game, player, AWAY if player == "Ann" else address, "show position", {"shown"}
            )
        self.look_again()

    def answered(self, game: str, player: str, sender: str, text: str, wanted: set[str]) -> int:
        """A player's own mail, which is answered at the address of record; how many that were."""
        scene = self.scene
        marked = f"{text}\n// {next(scene.numbers)}"
        number, _ = scene.say(marked, sender, scene.address(game, player), proved=player != "Dan")
        with scene.reading() as session:
            mail = session.get(MailRow, number)
            seat = session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == player)).one()
            answers = session.exec(select(OutboxRow).where(OutboxRow.answers == number)).all()
            told = [(row.recipient, row.kind, row.state) for row in answers]
        assert mail is not None
        if mail.outcome in wanted and told == [(seat.address, "transcript", "sent")]:
            return 1
        self.report.faults.append(f"{player}'s own `{text}` came to {mail.outcome}, {told}")
        return 0

    def look_again(self) -> None:
        """A change by the players themselves, or by time, is no fault of an attempt."""
        self.outcomes()
        self.state = state_of(self.scene)
        self.scene.outlet.seen.clear()
        self._skip()

    def _skip(self) -> None:
        with self.scene.reading() as session:
            self.seen = session.exec(select(OutboxRow.id).order_by(col(OutboxRow.id).desc()).limit(1)).one() or 0

    def days_pass(self, after: str) -> None:
        """Whatever waits for its time: nothing but questions lapse."""
        before = self.state
        self.scene.pass_by(hours=80)
        self.state = state_of(self.scene)
        if moved := self.changed(before):
            self.report.faults.append(f"within days after {after}: {moved}")

    def written(self, one: Attempt) -> tuple[int, list[str]]:
        """How many were passed on, and what is wrong with the mails that followed."""
        faults, pressed, report = [], 0, self.report
        with self.scene.reading() as session:
            rows = session.exec(
                select(OutboxRow).where(col(OutboxRow.id) > self.seen).order_by(col(OutboxRow.id))
            ).all()
        went = {mail.message_id: content for mail, content in self.scene.outlet.seen}
        self.scene.outlet.seen.clear()
        for row in rows:
            self.seen = row.id or self.seen
            content = went.get(row.message_id) or build(_outgoing(self.scene.desk, row).mail)
            faults.extend(wrong_form(content, one.mark))
            if row.kind == "press":
                pressed += 1
                table = (EVE, FAY) if one.kind.row else (ANN, CAT)
                if not one.kind.press or row.recipient not in table or (one.kind.row and not self.allowed(one.kind)):
                    faults.append(f"press to {row.recipient}")
            if row.kind == "master" and self.seen > self.begun:
                pressed += 1
                readers = {"claimed": MOE, "master": DAN}
                if not one.kind.press or row.recipient != readers.get(one.kind.row, MAX):
                    faults.append(f"a line or its answer to {row.recipient}")
                if one.kind.row and not self.allowed(one.kind):
                    faults.append("a line or its answer passed on")
            if row.recipient in PLAYERS:
                report.told += 1
                continue
            day = (row.recipient, row.created_at.date().isoformat())
            self.strangers[day] += 1
            report.strangers += 1
            fixed = render.stranger_mail()
            if row.recipient not in one.return_paths or self.strangers[day] > 1:
                faults.append(f"{row.kind} to {row.recipient}")
            if (row.kind, row.subject, row.text, row.html) != ("stranger", fixed.subject, fixed.text, fixed.html):
                faults.append(f"another text to {row.recipient}")
            if set(row.headers) != {"Auto-Submitted", "X-Railpost"} or one.mark.encode() in content:
                faults.append(f"something of his in what is written to {row.recipient}")
        return pressed, faults


def state_of(scene: Scene) -> State:
    with scene.reading() as session:
        return state(session)


def may_change(kind: Kind, key: Key, before: State, loose: str) -> bool:
    """True if the row by which ``kind`` acts allows that ``key`` is changed: Dan's game goes on, and nobody loses a
    seat."""
    table, game, *rest = key
    if kind.row == "master":
        return False
    if kind.row == "office":  # he is asked about all that takes something, and may write to the table
        return table in ("motion", "voice", "game", "entry") and game in (loose, "")
    if kind.row == "yes" and kind.needs == "alias":
        return table in ("alias", "pending")
    if table == "person":
        return kind.row == "claimed" and rest == ["dan@unproved.example"]
    if game != loose:
        return table == "alias" and game == "" and kind.row == "claimed" and key[-1] == "dan@else.example"
    if kind.row in ("return path", "link"):
        return table == "seat" and rest[0] == "Dan" and rest[1] in ("bounces", "unreachable_at", "stopped_at")
    if table == "seat":
        own = {"notify", "pictures", "bounces", "heard_at"} if rest[0] == "Dan" else set()
        return rest[1] in {"question", "since", "told", "told_at"} | own
    if table == "token":  # others get new ones with new questions, and keep those that they have
        return rest[0] == "Dan" or key not in before
    if table == "absence":
        return rest[0] == "Dan"
    return table in ("game", "entry", "held", "deadline", "pending")


def wrong_form(content: bytes, mark: str) -> list[str]:
    """Headers that no mail of ours has, or text of a player where it would do something."""
    message = message_from_bytes(content, policy=compat32)
    names = [name.lower() for name in message]
    faults = [f"header {name}" for name in names if name not in HEADERS or names.count(name) > 1]
    faults += [
        f"{name} has the mark"
        for name, value in message.items()
        if mark in (value if "=?" not in value else str(make_header(decode_header(value))))
        and name not in ("In-Reply-To", "References")
    ]
    parts = {part.get_content_type(): part for part in message.walk()}
    assert set(parts) <= {"text/plain", "text/html", "text/calendar", "multipart/alternative", "multipart/mixed"}
    said = _text(parts["text/html"]) if "text/html" in parts else ""
    faults += [f"{bad} in HTML" for bad in ("<script", "<img", "<h1>Railpost", "evil.example'>") if bad in said]
    text = _text(parts["text/plain"])
    games = max(1, str(message["Subject"]).count("[1861-"))  # answers about several games go in one mail
    marks = re.findall(r"^##-.*-##\s*$", text, re.MULTILINE)
    faults += ["the mark of an answer in the text"] if len(marks) > games else []
    return faults


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode("utf-8")


def play(root: Path, identity: str, number: int, kinds: Sequence[Kind] = KINDS) -> Report:
    """Attempts of all kinds in turn, with the players' own mails and days between them. It ends with the first fault:
    on a seat that somebody has, what comes next proves nothing."""
    run = Run(Scene(root, identity), kinds)
    scene, report = run.scene, run.report
    forger, began, count = Forger(scene.known, SEED), time.perf_counter(), 0
    while count < number and not report.faults:
        count += 1
        step(run, forger, count, last=count == number)
    took = time.perf_counter() - began
    if not report.faults:
        log = _log(run, scene.known.game)
        scene.say("open TSR 25", ANN, scene.known.now)  # and she herself is still heard
        after = _log(run, scene.known.game)
        if after[: len(log) + 1] != [*log, "Ann: open TSR 25"]:
            report.faults.append(f"Ann is not heard: {after}")
    show(report, identity, count, took)
    return report


def step(run: Run, forger: Forger, count: int, *, last: bool) -> None:
    """One attempt, and what comes after it."""
    scene, chosen = run.scene, run.kinds[count % len(run.kinds)]
    waits = bool(chosen.needs or chosen.row)
    if waits:
        scene.prepare(chosen.needs)
        run.look_again()
    forger.known = scene.known
    run.attempt(forger.attempt(chosen))
    if run.report.faults:
        return
    if waits:
        scene.settle(chosen.needs)
        scene.set_back()
        run.look_again()
    if count % ROUND == 0 or last:
        run.honest()
    if count % BURST == 0 or last:
        run.days_pass(f"attempt {count}")


def _log(run: Run, game: str) -> list[str]:
    state = state_of(run.scene)
    entries = sorted((value for key, value in state.items() if key[:2] == ("entry", game)), key=lambda one: one[0])
    return [str(one[1]) for one in entries]


def show(report: Report, identity: str, number: int, took: float) -> None:
    """The figures of a run."""
    kinds = f"{number} attempts of {len(report.outcomes)} kinds, seed {SEED}, {number / took:.1f} a second"
    written = f"{report.strangers} fixed texts to strangers, {report.told} mails to players and operator"
    own = f"{report.refusals} refused orders and {report.shown} looks of the players' own answered"
    acted = [f"by the row `{kind.row}`: {kind.name} {count}" for kind, count in report.acted.items()]
    shown = {kind: dict(sorted(count.items())) for kind, count in sorted(report.outcomes.items())}
    lines = [f"{kind:44} {sum(count.values()):4}  {count}" for kind, count in shown.items()]
    print("\n".join([f"{identity}: {kinds}; {written}; {own}", *sorted(acted), *lines]))  # noqa: T201


def faultless(report: Report, identity: str) -> None:
    """Nothing followed but by a row that says so, and under ``token+authenticated`` nothing by a mere claim."""
    assert report.faults == []
    rows = Counter(dict.fromkeys(("claimed", "yes", "return path", "link", "master", "office"), 0))
    for acted, count in report.acted.items():
        rows[acted.row] += count
    assert all(rows[row] > 0 for row in ("return path", "link"))
    assert all((rows[row] > 0) == (identity == "token") for row in BY_TOKEN)


@pytest.mark.fault(34, 35, 36, 37, 38, 39, 40, 41, 43, 44, 46)
@pytest.mark.parametrize(
    ("identity", "kinds"),
    [
        ("token", OTHERWISE),
        ("token+authenticated", BY_A_ROW),
        prove(("token", KINDS)),
        prove(("token+authenticated", KINDS)),
    ],
    ids=["token", "token+authenticated", "token, all", "token+authenticated, all"],
)
def test_some_attempts_of_each_kind(tmp_path: Path, identity: str, kinds: Sequence[Kind]) -> None:
    report = play(tmp_path, identity, len(kinds), kinds)
    faultless(report, identity)
    assert len(report.outcomes) == len(kinds)
    assert len(KINDS) >= 60 and {*OTHERWISE, *BY_A_ROW} == {*KINDS}


@pytest.mark.prove
@pytest.mark.parametrize("identity", ["token", "token+authenticated"])
def test_ten_thousand_attempts(tmp_path: Path, identity: str) -> None:
    report = play(tmp_path, identity, ATTEMPTS)
    faultless(report, identity)
    assert report.refusals >= ATTEMPTS // ROUND * 5


def test_every_word_is_tried(tmp_path: Path) -> None:
    """A new word of players, of game masters or of people without a seat needs an attempt here."""
    forger = Forger(Scene(tmp_path, "token").known, SEED)
    forger.known = replace(forger.known, confirm="railpost+confirm.x@example.org")
    tried = "\n".join(one.make(forger).text for one in KINDS for _ in range(60))
    said = {line.strip() for line in tried.casefold().splitlines()}
    known = {word for words in words_of(CHECKOUT).values() for word in words}
    known |= {"show seats", "correct move", "correct pay", "propose option", "propose option anonymous", "yes", "no"}
    missing = {word for word in known if not any(re.match(rf"{word}\b", line) for line in said)}
    assert missing == set()
    assert any(" prefer " in line for line in said if line.startswith("join"))


def test_the_attempts_would_be_seen(tmp_path: Path) -> None:
    """The same orders from Ann herself change the game, and the scene says so."""
    run = Run(Scene(tmp_path, "token+authenticated"))
    scene = run.scene
    for orders in ORDERS:
        scene.say(f"check\n{orders}", ANN, scene.known.now)
        assert run.outcomes() == ["checked"], orders
    run.look_again()
    forger = Forger(scene.known, SEED)
    forger.mark = "mark"
    draft = Draft("open TSR 25", scene.known.now, ANN, return_path=ANN, domain="players.example")
    honest = kind()(lambda f: draft)
    run.attempt(Attempt(honest, (Arrived(forger.arrive(draft), ANN),), "mark"))
    said = [fault.partition(": ")[2] for fault in run.report.faults]
    assert said[0] == "applied" and said[1].startswith("it changed [('deadline', '1861-1'")


def test_who_wrote_is_kept(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "token")
    with scene.reading() as session:
        rows = session.exec(select(MailRow).order_by(col(MailRow.id)).limit(3)).all()
    assert [(row.sender, row.verdict) for row in rows] == [(ANN, "pass"), (BOB, "pass"), (CAT, "pass")]
