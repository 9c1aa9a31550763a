"""People join games by mail: each is asked at his own address, and a game begins when all have agreed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import FormingRow, GuestRow, InquiryRow, TenureRow
from moderator.service.entry.guests import forget_gone
from moderator.service.entry.roster import call, unform
from tests.kit.service.guests import OWN, address_of, answer, forming, join, outgoing, said, sweep, there, write
from tests.kit.service.mail_service import Service, mail
from tests.kit.service.restoration import go_back, railpost

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def state(service: Service, game: str) -> str:
    with service.session() as session:
        return session.exec(select(FormingRow.state).where(FormingRow.name == game)).one()


def test_a_game_fills_is_agreed_and_begins(service: Service) -> None:
    game = forming(service)
    listed = write(service, "Ann", "games")
    assert len(listed) == 1 and f"{game}: 1861" in listed[0].text and "0 of 3 players" in listed[0].text
    (asked,) = write(service, "Ann", f"join {game}")
    assert "as Ann" in said(asked) and "48 hours" in said(asked) and there(service, "entrant", game) == []
    (joined,) = answer(service, "Ann")
    assert "1 of 3" in said(joined) and there(service, "entrant", game) == ["Ann"]
    join(service, "Bob", game)
    write(service, "Cleo", f"join {game} as Cat")
    mails = answer(service, "Cleo")
    assert {one.subject for one in mails} == {f"[{game}] you have joined", f"[{game}] yes or no: the game may begin"}
    assert state(service, game) == "confirming"
    (agreed,) = answer(service, "Ann", kind="may begin")
    assert "Bob and Cat" in said(agreed)
    answer(service, "Cleo", kind="may begin")
    mails = answer(service, "Bob", kind="may begin")
    assert "welcome" in [one.kind for one in mails] and state(service, game) == "begun"
    assert sorted(service.position(game).state.players) == ["Ann", "Bob", "Cat"]
    assert service.seat(game, "Cat").address == address_of("Cleo")
    first = service.position(game).asked()[0].player
    mailed = {"Ann": "Ann", "Bob": "Bob", "Cat": "Cleo"}[str(first)]
    to = service.mailbox(address_of(mailed))[-1].reply_to
    write(service, mailed, "pass", to)
    assert len(service.log(game)) == 1
    (under_way,) = write(service, "Dan", f"join {game}")
    assert "under way" in said(under_way) and "wait 1861" in said(under_way)


@pytest.mark.fault(46)
def test_a_forged_sender_leads_to_one_mail_to_that_address_and_nothing_else(service: Service) -> None:
    game = forming(service)
    before = outgoing(service)
    service.send(mail(f"join {game} as Ann", sender="ann@guests.example", to=OWN), OWN, "forger@evil.example")
    service.run()
    assert outgoing(service) == before + 1 and len(service.mailbox("ann@guests.example")) == 1
    assert there(service, "entrant", game) == [] and service.mailbox("forger@evil.example") == []
    to = service.mailbox("ann@guests.example")[0].reply_to
    service.send(mail("yes", sender="forger@evil.example", to=to), to, "forger@evil.example")
    service.run()
    assert there(service, "entrant", game) == []
    sweep(service, hours=80)
    (late,) = answer(service, "Ann")
    assert "too late" in said(late) and there(service, "entrant", game) == []


def test_who_says_no_or_nothing_is_taken_off_and_all_are_told(service: Service) -> None:
    game = forming(service)
    for name in ("Ann", "Bob", "Cat"):
        join(service, name, game)
    write(service, "Dan", "wait 1861")
    answer(service, "Dan")
    write(service, "Eve", "wait 1844")
    answer(service, "Eve")
    answer(service, "Ann", kind="may begin")
    answer(service, "Bob", "no", kind="may begin")
    assert there(service, "entrant", game) == ["Ann", "Cat"] and state(service, game) == "open"
    for name in ("Ann", "Cat"):
        assert "Bob does not play" in said(service.mailbox(address_of(name))[-1])
    sweep(service, minutes=1)
    assert "a place is free" in service.mailbox(address_of("Dan"))[-1].subject
    assert not any("place" in one.subject for one in service.mailbox(address_of("Eve")))
    mails = answer(service, "Dan")
    assert there(service, "entrant", game) == ["Ann", "Cat", "Dan"] and there(service, "waiting") == ["Eve"]
    assert any("may begin" in one.subject for one in mails)
    asked = [one for one in service.mailbox(address_of("Ann")) if "may begin" in one.subject]
    assert len(asked) == 1, "her consent counts still"
    answer(service, "Dan", kind="may begin")
    sweep(service, hours=73)
    assert there(service, "entrant", game) == ["Ann", "Dan"], "Cat has said nothing"
    assert "did not agree in time" in said(service.mailbox(address_of("Cat"))[-1])
    assert state(service, game) == "open"


def test_the_operator_calls_a_game_that_is_not_full(service: Service) -> None:
    game = forming(service, (3, 5))
    for name in ("Ann", "Bob"):
        join(service, name, game)
    with pytest.raises(ValueError, match="2 of at least 3"):
        call(service.desk, game)
    join(service, "Cat", game)
    join(service, "Dan", game)
    assert call(service.desk, game) == 4
    service.run()
    for name in ("Ann", "Bob", "Cat"):
        answer(service, name, kind="may begin")
    assert state(service, game) == "confirming"
    sweep(service, hours=73)
    assert state(service, game) == "begun" and len(service.position(game).state.players) == 3


def test_the_game_master_is_told_that_it_forms_and_when_it_can_begin(service: Service) -> None:
    game = forming(service, (3, 5), master=True)
    service.run()
    (told,) = service.mailbox(address_of("Max"))
    assert told.subject == f"[{game}] it is forming, and you are its game master"
    assert f"`start {game}` to {OWN}" in said(told)
    for name in ("Ann", "Bob"):
        join(service, name, game)
    assert len(service.mailbox(address_of("Max"))) == 1
    join(service, "Cat", game)
    enough = service.mailbox(address_of("Max"))[-1]
    assert "enough players have joined" in enough.subject and "Ann, Bob and Cat have joined" in said(enough)
    join(service, "Dan", game)
    assert len(service.mailbox(address_of("Max"))) == 2


def test_the_game_master_of_a_fixed_number_cannot_begin_with_fewer(service: Service) -> None:
    game = forming(service, (3, 3), master=True)
    service.run()
    (told,) = service.mailbox(address_of("Max"))
    assert "start" not in said(told) and f"join {game}" in said(told)
    for name in ("Ann", "Bob", "Cat"):
        join(service, name, game)
    assert len(service.mailbox(address_of("Max"))) == 1


def test_the_game_master_begins_it_from_his_address(service: Service) -> None:
    game = forming(service, (3, 5), master=True)
    service.run()
    (few,) = write(service, "Max", f"start {game}")
    assert "0 of at least 3" in said(few)
    for name in ("Ann", "Bob", "Cat"):
        join(service, name, game)
    (other,) = write(service, "Ann", f"start {game}")
    assert "Only the game master" in said(other)
    write(service, "Max", f"start {game}")
    assert state(service, game) == "open"
    answer(service, "Max")
    assert state(service, game) == "confirming"


def test_an_entrant_leaves_before_it_begins(service: Service) -> None:
    game = forming(service)
    join(service, "Ann", game)
    (asked,) = write(service, "Ann", f"leave {game}")
    assert there(service, "entrant", game) == ["Ann"] and "leave" in said(asked)
    (left,) = answer(service, "Ann", kind="you leave")
    assert there(service, "entrant", game) == [] and "You have left" in said(left)
    (nothing,) = write(service, "Ann", f"leave {game}")
    assert "no entrant" in said(nothing)


def test_a_game_is_taken_back(service: Service) -> None:
    game = forming(service)
    join(service, "Ann", game)
    assert unform(service.desk, game, "too few") == 1
    service.run()
    assert "too few" in said(service.mailbox(address_of("Ann"))[-1])
    (gone,) = write(service, "Bob", f"join {game}")
    assert "does not take place" in said(gone)


def test_each_obstacle_is_told_and_nothing_changes(service: Service) -> None:
    game = forming(service, (3, 3), invitation="Rosebud")
    (wrong,) = write(service, "Ann", f"join {game} as Ann invitation tulip")
    assert "not the right one" in said(wrong)
    (without,) = write(service, "Ann", f"join {game}")
    assert "by invitation only" in said(without)
    write(service, "Ann", f"join {game} invitation rosebud")
    answer(service, "Ann")
    (taken,) = write(service, "Bob", f"join {game} as ann invitation rosebud")
    assert "Somebody else is called ann" in said(taken)
    (wrong_name,) = write(service, "Bob", f"join {game} as moderator invitation rosebud")
    assert "cannot be" in said(wrong_name)
    (again,) = write(service, "Ann", f"join {game} as Anna invitation rosebud")
    assert "joined" in said(again) and there(service, "entrant", game) == ["Ann"]
    (unknown,) = write(service, "Bob", "join 1861-2")
    assert f"join {game}" in said(unknown)
    (misspelt,) = write(service, "Bob", f"jion {game}")
    assert "Did you mean" in said(misspelt)
    (nameless,) = write(service, "Cat", f"join {game} invitation rosebud", sender=address_of("Cat"))
    assert "under which name" in nameless.subject
    for name in ("Bob", "Cat"):
        write(service, name, f"join {game} invitation rosebud")
        answer(service, name)
    (full,) = write(service, "Dan", f"join {game} invitation rosebud")
    assert "is full" in said(full) and there(service, "entrant", game) == ["Ann", "Bob", "Cat"]


def test_a_floor_keeps_out_who_answers_too_seldom(service: Service) -> None:
    game = forming(service, floor=80)
    other = service.game()
    with service.session() as session:
        tenure = session.exec(select(TenureRow)).first()
        assert tenure is not None
        tenure.address, tenure.answers, tenure.missed = address_of("Ann"), 1, 3
        session.add(tenure)
        session.commit()
    (below,) = write(service, "Ann", f"join {game}")
    assert "25 %" in said(below) and "80 %" in said(below) and other != game
    assert len(join(service, "Bob", game)) == 1 and there(service, "entrant", game) == ["Bob"]


def test_no_address_gets_more_than_its_share_of_answers(service: Service) -> None:
    forming(service)
    for _ in range(9):
        write(service, "Ann", "games")
    assert len(service.mailbox(address_of("Ann"))) == service.desk.settings.words_per_address
    for number in range(100):
        sender = f"guest{number}@guests.example"
        service.send(mail("games", sender=sender, to=OWN), OWN, sender)
    service.run()
    assert outgoing(service) == service.desk.settings.words_per_domain
    service.send(mail("games", sender="zoe@elsewhere.example", to=OWN), OWN, "zoe@elsewhere.example")
    service.run()
    assert len(service.mailbox("zoe@elsewhere.example")) == 1


def test_help_and_a_mail_without_a_word(service: Service) -> None:
    (helped,) = write(service, "Ann", "help")
    assert "join 1861-9 as Ann" in said(helped) and "join 1861-9 as Ann" in helped.html
    (fixed,) = write(service, "Bob", "Hello, is anybody there?")
    assert fixed.kind == "stranger"


def test_what_is_kept_of_people_who_are_gone_is_deleted(service: Service) -> None:
    game = forming(service)
    join(service, "Ann", game)
    write(service, "Ann", f"leave {game}")
    answer(service, "Ann", kind="you leave")
    write(service, "Bob", "wait")
    answer(service, "Bob")
    write(service, "Bob", "leave wait")
    answer(service, "Bob", kind="you leave")
    service.clock.pass_by(days=60)

    def kept() -> tuple[int, int]:
        forget_gone(service.desk)
        with service.session() as session:
            return len(session.exec(select(GuestRow)).all()), len(session.exec(select(InquiryRow)).all())

    assert kept() == (1, 2), "Ann's place is still to be offered"
    unform(service.desk, game)
    assert kept() == (0, 0)


@pytest.mark.fault(46)
@pytest.mark.parametrize(
    "word",
    [
        "games", "help", "join {}", "join {} as Bob", "join {} invitation x", "join 1861-99", "wait", "wait 1861",
        "wait 1999", "observe {}", "observe 1861-99", "leave {}", "leave waiting list", "leave 1861-99", "start {}",
        "join", "jion {}", "games\nhelp", "Dear all", "join {}\nyes",
    ],
)  # fmt: skip
def test_each_mail_leads_to_one_mail_and_changes_nothing(service: Service, word: str) -> None:
    game = forming(service)
    before = outgoing(service)
    assert len(write(service, "Ann", word.format(game))) == 1 and outgoing(service) == before + 1
    assert there(service, "entrant", game) == there(service, "waiting") == []


@pytest.mark.fault(46)
@pytest.mark.parametrize(
    "headers",
    [{"X-Spam-Flag": "YES"}, {"List-Id": "<all.players.example>", "Precedence": "list"}, {"Precedence": "bulk"}],
)
def test_spam_and_lists_are_not_answered(service: Service, headers: dict[str, str]) -> None:
    game = forming(service)
    content = mail(f"join {game} as Ann", sender=address_of("Ann"), to=OWN, headers=headers)
    service.send(content, OWN, address_of("Ann"))
    service.run()
    assert outgoing(service) == 0


@pytest.mark.fault(46)
def test_a_sender_who_is_proved_to_be_forged_is_not_written_to(service: Service) -> None:
    game = forming(service)
    settings = service.desk.settings.model_copy(update={"authserv_id": "mx.example.org"})
    service = replace(service, desk=replace(service.desk, settings=settings))
    head = b"Authentication-Results: mx.example.org; dmarc=fail header.from=guests.example\r\n"
    head += b"Received: from x by mx.example.org; x\r\n"
    service.send(head + mail(f"join {game} as Ann", sender=address_of("Ann"), to=OWN), OWN, address_of("Ann"))
    service.run()
    assert outgoing(service) == 0


def test_proof_is_asked_for_where_the_service_asks_for_it(service: Service) -> None:
    game = forming(service)
    write(service, "Ann", f"join {game}")
    changed = {"identity": "token+authenticated", "authserv_id": "mx.example.org"}
    settings = service.desk.settings.model_copy(update=changed)
    (told,) = answer(replace(service, desk=replace(service.desk, settings=settings)), "Ann")
    assert "without proof" in said(told) and there(service, "entrant", game) == []


def test_a_restore_makes_old_questions_void_and_asks_again(service: Service, tmp_path: Path) -> None:
    game = forming(service)
    for name in ("Ann", "Bob", "Cat"):
        join(service, name, game)
    copy = tmp_path / "copy.db"
    railpost(service, "backup", str(copy))
    go_back(service, copy)
    (past,) = answer(service, "Ann", kind="may begin")
    assert "too late" in said(past) and state(service, game) == "open"
    sweep(service, minutes=1)
    for name in ("Ann", "Bob", "Cat"):
        answer(service, name, kind="may begin")
    assert state(service, game) == "begun"
