"""Checks of the long game of the tour, wherever it was played."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import Final

from sqlmodel import Session, col, select

from moderator.adapters.tables import AbsenceRow, EntryRow, GameRow, GuestRow, InquiryRow, MotionRow, SeatRow
from moderator.domain.records.record import read_record, replay_record
from moderator.service.play.journal.export import export_record
from tools.long_game.game import LongGame, reply_to, text_of
from tools.long_game.joining import LIMIT, PLAYERS, TO_ALL, TO_ONE
from tools.long_game.script import ANSWER, QUESTION

TOKEN: Final = re.compile(r"(?:\+(?:[\w-]+\.)*|\btoken )([a-z2-7]{12,})\b")
BEGUN: Final = (
    *((kind, name) for kind in ("join", "confirm") for name in PLAYERS), ("begin", "Max"), ("observe", "Olga"),
    ("wait", "Dan"),
)  # fmt: skip
"""Agreements before the first order."""


def check(game: LongGame) -> None:
    """All that should have happened has happened, and the record leads to the end."""
    now = game.position()
    assert now.finished
    with game.stage.desk.database.reading() as session:
        happened(session, game)
        joined(session, game)
    watched(game)
    for name in PLAYERS:
        last = text_of(game.letters(name)[-1])
        assert "FINAL STANDINGS" in last and "Cat (played by Dan)" in last
    text = export_record(game.stage.desk, game.name)
    assert text is not None
    assert replay_record(read_record(text)).told_digest() == now.told_digest()


def happened(session: Session, game: LongGame) -> None:
    entries = session.exec(select(EntryRow).where(EntryRow.game == game.name).order_by(col(EntryRow.at))).all()
    origins = {entry.origin for entry in entries if entry.kind == "order"}
    assert {"mail", "kept"} <= origins
    assert {"silence", "default"} & origins, "somebody was late"
    assert [entry.kind for entry in entries if entry.kind != "order"].count("undo") == 1
    seats = {seat.player: seat.address for seat in session.exec(select(SeatRow).where(SeatRow.game == game.name))}
    assert seats["Cat"] == game.addresses["Dan"]
    assert len(session.exec(select(AbsenceRow)).all()) == 1
    motions = session.exec(select(MotionRow).order_by(col(MotionRow.id))).all()
    assert {motion.state for motion in motions} == {"carried"}
    assert [motion.needs for motion in motions if motion.needs == "most"] == ["most"]
    row = session.get_one(GameRow, game.name)
    assert [office["name"] for office in row.masters] == ["Max", "Eve"]


def agreed(session: Session) -> list[tuple[str, str]]:
    """A question by mail that somebody has agreed to: its kind and his name."""
    asked = session.exec(select(InquiryRow)).all()
    return sorted((row.kind, row.name) for row in asked if row.state == "confirmed")


def begun(game: LongGame) -> None:
    """The game was joined by mail, somebody watches and somebody waits, and the companies of the auction are sold."""
    with game.stage.desk.database.reading() as session:
        assert agreed(session) == sorted(BEGUN)
    assert not game.position().asked()[0].what.startswith("auction.")
    for name in PLAYERS:
        assert f"+{game.name}." in reply_to(game.letters(name)[-1])


def joined(session: Session, game: LongGame) -> None:
    """Everybody has his seat by mail, and was asked before."""
    assert agreed(session) == sorted([*BEGUN, ("offer", "Dan")])
    assert session.exec(select(GuestRow).where(GuestRow.state == "in")).all() == []
    opened = session.exec(select(EntryRow.text).where(EntryRow.game == game.name, EntryRow.kind == "open")).all()
    assert len(opened) == 1 and str(opened[0]).startswith("Cat")
    assert any("all that has happened so far" in str(mail["Subject"]) for mail in game.letters("Dan"))
    assert game.refused is not None and "pass" in text_of(game.refused)


def watched(game: LongGame) -> None:
    """The observer has the public news and nothing that is secret to a seat."""
    news = game.letters("Olga")
    told = " ".join(" ".join(as_sent(mail) for mail in news).split())
    rounds = [text_of(mail) for mail in news if "WHAT HAPPENED" in text_of(mail)]
    assert len(rounds) > 15, len(rounds)
    assert TO_ALL in told
    assert "the game is over" in str(news[-1]["Subject"]), [str(mail["Subject"]) for mail in news[-3:]]
    others = {*game.addresses.values(), game.left} - {game.addresses["Olga"]}
    mails = [as_sent(mail) for address in others for mail in game.stage.letters(address)]
    theirs = " ".join(" ".join(mails).split())
    secrets = {LIMIT, TO_ONE, QUESTION, ANSWER, *others}
    tokens = {token for mail in mails for token in TOKEN.findall(mail)}
    assert len(tokens) > 10
    for secret in secrets | tokens:
        assert secret in theirs, f"{secret} was never written to anybody"
        assert secret not in told, f"the observer has read {secret}"
    seed = game.position().setup.seed
    assert seed not in " ".join(as_sent(mail) for mail in news[:-1])


def as_sent(mail: EmailMessage) -> str:
    """All that somebody may see in a mail: its headers and each text in it."""
    texts = [str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in mail.items()), *texts])
