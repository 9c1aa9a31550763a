"""Notices that a person's mail program writes for him are told from what he writes himself."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from moderator.service.robots.classify import classify
from moderator.settings import Settings
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")

OWN = Settings(domain="example.org")
SEAT = "railpost+toy-1.1.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org"
OURS = "[toy-1] Your turn"
AWAY = [
    "[부재중]", "자동응답:", "부재중 자동응답입니다", "【自動返信】", "不在通知", "Autoodpowiedź:",
    "Jawaban otomatis:", "Absence:",
    "On annual leave", "Maternity leave", "Afwezig:", "Niet aanwezig:", "Urlaub:", "Fuera de la oficina", "휴가중 -",
    "（自動応答）", "休暇中：", "Nieobecny:", "Urlop:", "Cuti:", "Sedang cuti -", "Met vakantie:", "Nicht im Büro:",
    "*Abwesend*",
    "On parental leave |", "Im Urlaub -", "En congés :", "In ferie:", "De vacaciones:", "Férias:", "Dovolená:",
    "отпуск:",
]  # fmt: skip


def kind(subject: str, text: str = "x") -> str | None:
    found = classify(mail(text, to=SEAT, subject=subject), "ann@players.example", OWN)
    return None if found is None else found.outcome


@pytest.mark.fault(63, 64)
@pytest.mark.parametrize("words", AWAY)
def test_a_notice_of_absence_before_our_subject(words: str) -> None:
    assert kind(f"{words} {OURS}") == "auto_reply"
    assert kind(f"{words} Re: {OURS}") == "auto_reply"
    assert kind(normalize("NFD", f"{words} {OURS}")) == "auto_reply"


@pytest.mark.parametrize("words", [*AWAY, "Read:", "Recall:", "Undeliverable:", "Reaction:"])
def test_an_answer_to_our_mail_is_a_persons(words: str) -> None:
    assert kind(f"Re: {OURS} {words}") is None
    assert kind(f"AW: {OURS}", f"{words} open P 10") is None


@pytest.mark.parametrize(
    "subject",
    ["Holiday plans and my bid", "Away from the north: pass", "Read this first", "Recall that I pass", "Urlaubsreise"],
)
def test_a_subject_of_a_person(subject: str) -> None:
    assert kind(subject) is None


@pytest.mark.fault(73)
@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (f"Read: {OURS}", "Your message\n\n  To: Ann\n\nwas read on Monday, 1 March 2026 12:00."),
        ("Read: the game", "Your message\n\n  To: Ann\n\nwas read on Monday, 1 March 2026 12:00."),
        (f"Gelesen: {OURS}", "x"),
        (f"읽음: {OURS}", "x"),
        (f"開封済み: {OURS}", "x"),
        (f"Not read: {OURS}", "Your message was deleted without being read."),
        (f"Recall: {OURS}", 'Ann would like to recall the message, "x".'),
        (f"Recall: Re: {OURS}", "pass"),
        (f"Rückruf: {OURS}", 'Ann möchte die Nachricht "x" zurückrufen.'),
        (f"Re: {OURS}", "[Like] Ann reacted to your message:\n\n________________\nFrom: Railpost\nopen P 10"),
        (f"Re: {OURS}", "👍 Ann reacted to your message:\n"),
        (f"Re: {OURS}", "Ann hat auf Ihre Nachricht reagiert:\n"),
    ],
)
def test_notices_of_reading_recalling_and_liking(subject: str, text: str) -> None:
    assert kind(subject, text) == "receipt"


@pytest.mark.fault(73)
@pytest.mark.parametrize(
    ("subject", "text"),
    [(f"Recall: Re: {OURS}", "pass"), (f"Re: {OURS}", "[Like] Ann reacted to your message:\n\npass")],
)
def test_such_a_notice_changes_nothing_and_is_not_answered(table: Table, game: str, subject: str, text: str) -> None:
    told = len(table.letters("Ann"))
    table.send(robot_mails.plain(subject.replace("toy-1", game), text, to=table.address("Ann")))
    table.run()
    assert table.outcomes() == ["receipt"]
    assert table.log(game) == [] and len(table.letters("Ann")) == told
    assert table.seat(game, "Ann").away_at is None
