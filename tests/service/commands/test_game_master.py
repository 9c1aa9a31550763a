"""What a game master needs to settle a dispute, and what the commands say when they are asked for what is not there."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from moderator.adapters.mail.maildir import MaildirOutlet
from moderator.adapters.tables import DeadlineRow, SeatToken
from moderator.domain.ports import Outgoing
from moderator.entrypoints import demo
from tests.kit.service.mail_service import Service, mail
from tests.service.commands.test_cli import SEATS, Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    (tmp_path / "var").mkdir()
    return Service.open(tmp_path / "var")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game", "show", "x"], "there are: 1861-1"),
        (["game", "undo", "x", "0"], "there are: 1861-1"),
        (["seat", "start", "x", "Ann"], "there are: 1861-1"),
        (["seat", "revoke", "x", "Ann"], "there are: 1861-1"),
        (["seat", "give", "x", "Ann", "Dan <dan@example.org>"], "there are: 1861-1"),
        (["mail", "list", "--game", "x"], "there are: 1861-1"),
        (["outbox", "list", "--game", "x"], "there are: 1861-1"),
        (["seat", "start", "1861-1", "Zed"], "no player 'Zed' in 1861-1; there are: "),
        (["seat", "address", "1861-1", "Zed", "zed@example.org"], "no player 'Zed' in 1861-1; there are: "),
        (["seat", "alias", "1861-1", "ann"], "no player 'ann' in 1861-1; there are: "),
        (["seat", "start", "1861-1", "Ann"], "mail to Ann in 1861-1 was not stopped"),
    ],
)
def test_what_is_not_there_is_answered_with_what_there_is(shell: Shell, words: list[str], said: str) -> None:
    shell("game", "new", "1861", *SEATS)
    assert said in shell(*words, status=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mail", "list", "--outcome", "aplied"], "there are: waiting, applied, "),
        (["outbox", "list", "--state", "lost"], "there are: queued, sent, failed, kept"),
        (["backup", "nowhere/copy.db"], "nowhere: no such folder"),
        (["check", "orders.txt", "--game", "1861-1", "--at", "9"], "1861-1 has no decision 9: it has 1 to 1"),
    ],
)
def test_a_word_that_means_nothing_is_not_an_empty_list(shell: Shell, words: list[str], said: str) -> None:
    shell("game", "new", "1861", *SEATS)
    assert said in shell(*words, status=2)


@pytest.mark.fault(66)
def test_the_service_plays_no_seat(shell: Shell) -> None:
    own = ["Railpost@railpost.example", "railpost+x@railpost.example", "railpost-bounces+1@railpost.example"]
    for address in own:
        seats = ["--seat", "Ann <ann@example.org>", "--seat", "Bob <bob@example.org>", "--seat", f"Cat <{address}>"]
        assert "of the service itself" in shell("game", "new", "1861", *seats, status=2)
    shell("game", "new", "1861", *SEATS)
    assert "of the service itself" in shell("seat", "address", "1861-1", "Ann", own[0], "--at-once", status=2)
    assert "of the service itself" in shell("seat", "give", "1861-1", "Ann", f"Dan <{own[1]}>", status=2)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ann@example.org", "is an address of the player already"),
        ("seven@other.example", "would be one alias too many (setting `most_aliases`)"),
        ("me@railpost.example", "is an address of the service's own domain"),
    ],
)
def test_why_an_address_is_no_alias_is_said_in_words(shell: Shell, address: str, said: str) -> None:
    shell("game", "new", "1861", *SEATS)
    for number in range(5):
        shell("seat", "alias", "1861-1", "Ann", f"a{number}@other.example")
    assert f"{address} {said}" in shell("seat", "alias", "1861-1", "Ann", address, status=1)


def test_the_position_tells_the_question_of_its_moment_in_words_and_no_address(shell: Shell, service: Service) -> None:
    game = service.game()
    service.say("Ann", "open TSR 20")
    then, now = shell("game", "show", game, "--at", "1"), shell("game", "show", game)
    assert "Ann: TSR is on offer from R20" in then
    assert "Bob: Ann has bid R20 on TSR" not in then
    assert "Bob: Ann has bid R20 on TSR" in now
    assert "Ann: TSR is on offer" not in now
    for shown in (then, now):
        assert "@" not in shown
        assert "auction." not in shown


def test_until_when_an_answer_is_due_is_shown(shell: Shell) -> None:
    shell("game", "new", "1861", *SEATS, "--deadline-hours", "72")
    service = Service.open(shell.folder / "var")
    with service.desk.database.transaction() as session:
        due = session.exec(select(DeadlineRow)).one()
        player, moment = due.player, f"{due.due_at:%Y-%m-%d %H:%M}"
        due.state = "overdue"
    assert f"(until {moment} late, UTC)" in shell("game", "show", "1861-1")
    (listed,) = json.loads(shell("game", "list", "--json"))
    assert (listed["asked"], listed["until"]) == (player, f"{moment} late") and listed["since"]
    (line,) = [one for one in shell("seat", "list", "1861-1").splitlines() if f" {player} " in one]
    assert f"{moment} late" in line


def test_a_mail_that_came_too_late_or_from_nowhere_is_found_and_explained(shell: Shell, service: Service) -> None:
    game = service.game()
    old = service.letters("Ann")[-1].reply_to
    service.say("Ann", "open TSR 20")
    service.send(mail("pass", sender="ann@players.example", to=old), old)
    service.send(mail("open TSR 20", sender="Ann.At.Work@office.example"))
    service.run()
    late = shell("mail", "show", "2")
    assert "outcome: stale" in late
    assert re.search(r"received \S+ \S+, decided \S+ \S+ UTC", late)
    assert f"to Ann's address for decision 1 of {game}, of " in late
    lines = shell("mail", "list", "--from", "ann.at.work").splitlines()
    assert len(lines) == 2
    assert "ann.at.work@office.example" in lines[1]
    assert "unknown_sender" in lines[1]


def test_who_confirmed_a_mail_from_elsewhere_is_shown(shell: Shell, service: Service) -> None:
    service.game()
    to = service.address("Ann")
    for order in ("open TSR 20", "open TSR 25"):
        service.send(mail(order, sender="eve@elsewhere.example", to=to), to)
    service.run()
    assert "asked whether it is his" in (shown := shell("mail", "show", "1"))
    assert "UTC: open\n" in shown
    first, second = [letter.reply_to for letter in service.letters("Ann")][-2:]
    service.say("Ann", "yes", to=first)
    service.say("Ann", "no", to=second)
    assert "UTC: confirmed by mail 3\n" in shell("mail", "show", "1")
    assert "order 1 of 1861-1: Ann: open TSR 20" in shell("mail", "show", "1")
    assert "UTC: refused\n" in shell("mail", "show", "2")


def test_what_is_shown_to_a_table_has_no_secret_in_it(shell: Shell, service: Service) -> None:
    service.game()
    service.say("Ann", "open TSR 20")
    with service.desk.database.reading() as session:
        secrets = [row.token for row in session.exec(select(SeatToken)).all()]
    shown = shell("mail", "show", "1") + "".join(shell("outbox", "show", str(n)) for n in range(1, 6))
    assert "open TSR 20" in shown
    assert not [secret for secret in secrets if secret in shown.lower()]
    assert [secret for secret in secrets if secret in shell("mail", "show", "1", "--raw").lower()]


def test_orders_are_tried_on_an_earlier_decision_of_a_running_game(shell: Shell, service: Service) -> None:
    game = service.game()
    service.say("Ann", "open TSR 20")
    orders = shell.write("orders.txt", "open TSR 25")
    assert "opened TSR at R25" in shell("check", orders, "--game", game, "--at", "1")
    shell("check", orders, "--game", game, status=1)
    assert "decision 2, 1 order\n" in shell("game", "show", game)


def test_the_record_of_a_game_under_way_is_not_called_illegal(shell: Shell) -> None:
    """Its seed is sealed: what was drawn from it cannot be drawn again, and that is all that can be said."""
    shell("game", "new", "1861", *SEATS)
    record = shell.write("record.txt", shell("game", "export", "1861-1"))
    for words in (["record", "verify", record], ["record", "show", record], ["check", record, "--record", record]):
        output = shell(*words, status=2)
        assert "the seed of 1861-1 is sealed until the game is over" in output
        assert "illegal" not in output
    shell("record", "verify", "--database")


def test_the_demo_waits_for_its_first_mails_however_slowly_they_go(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = MaildirOutlet.send

    def slowly(outlet: MaildirOutlet, mail: Outgoing) -> None:
        time.sleep(0.3)
        send(outlet, mail)

    def seen(show: Any, *_: object) -> str:
        for robot in show.robots.values():
            robot.read_mail()
        return f"mails that came: {[robot.got for robot in show.robots.values()]}"

    monkeypatch.setattr(MaildirOutlet, "send", slowly)
    monkeypatch.setattr(demo._Show, "_one_mail", seen)
    output = shell("demo", "--folder", "games", status=1)
    assert sorted(output.partition("mails that came: ")[2][1:8].split(", ")) == ["1", "1", "2"]
