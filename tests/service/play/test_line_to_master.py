"""A line to the game master: it reaches him, his answer comes back to who asked, and nothing else follows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import col, select

from grammar import MASTER
from moderator.adapters.tables import PendingRow, PressRow, SeatRow
from moderator.domain.info import Master
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.hand_over import hand_over
from moderator.service.people.reach import stop
from moderator.service.play.masters.master import end, name_master
from moderator.service.play.masters.pauses import pause
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")

OPERATOR, MAX, EVE, EVIL = "master@example.net", "max@master.example", "eve@master.example", "forger@evil.example"
ANN, DAN = "ann@players.example", "dan@elsewhere.example"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    """Ann is asked to open TSR; Max is the game master."""
    game = service.ready_game()
    name_master(service.desk, game, Person("Max", MAX))
    service.run()
    return game


def text_of(letter: Letter | None) -> str:
    assert letter is not None
    return " ".join(letter.text.split())


def plain(letter: Letter | None) -> str:
    assert letter is not None
    return "\n".join(letter.text.splitlines())


def lines(service: Service, address: str = MAX) -> list[Letter]:
    """The lines that a game master has got, or a player's answers from him."""
    return [letter for letter in service.mailbox(address) if letter.kind == "master"]


def ask(service: Service, text: str = "master: may I ask?", player: str = "Ann", address: str = MAX) -> str:
    """The address for the answer to a player's line."""
    service.say(player, text)
    return lines(service, address)[-1].reply_to


def answer(service: Service, to: str, text: str = "You may.", sender: str = MAX, **more: str) -> None:
    service.send(mail(text, sender=sender, to=to, **more), to, sender)  # type: ignore[arg-type]
    service.run()


def secret_of(service: Service, player: str) -> str:
    """A player's secret address, whatever else he got at his address of record."""
    found = (one.reply_to for one in reversed(service.letters(player)))
    return next(address for address in found if re.match(r"railpost\+1861-1\.\d\.", address))


def press(service: Service) -> list[tuple[str, list[str], str]]:
    with service.session() as session:
        return [(row.player, row.to, row.text) for row in session.exec(select(PressRow).order_by(col(PressRow.id)))]


# ---- both ways


def test_a_line_reaches_the_master_and_his_answer_who_asked(service: Service, game: str) -> None:
    told = service.say("Ann", "master: may I ask?\nIt is about NW.")
    assert "Your line was sent to Max, the game master." in text_of(told)
    (line,) = lines(service)
    assert line.subject == f"[{game}] Ann asks the game master"
    assert "| may I ask?\n| It is about NW.\n" in plain(line) and "TSR is on offer" in plain(line)
    answer(service, line.reply_to, "You may, Ann.\n\nMax\n\nOn Sunday Railpost wrote:\n> | may I ask?")
    (back,) = lines(service, ANN)
    assert back.subject == f"[{game}] Max, the game master, writes to you"
    assert "Max, the game master, writes:\n\n| You may, Ann.\n|\n| Max\n\nYour line of" in plain(back)
    assert "| may I ask?\n| It is about NW.\n" in plain(back)
    assert service.outcomes() == ["press", "press"] and service.log(game) == ["master 0"]
    assert press(service) == [
        ("Ann", [MASTER], "may I ask?\nIt is about NW."), (MASTER, ["Ann"], "You may, Ann.\n\nMax"),
    ]  # fmt: skip
    others = [letter.kind for player in ("Bob", "Cat") for letter in service.letters(player)]
    assert "master" not in others and "press" not in others


def test_the_master_learns_no_address_and_no_secret(service: Service, game: str) -> None:
    secret = service.address("Ann")
    ask(service)
    content = lines(service)[-1].content.decode()
    assert ANN not in content and secret not in content and "token" not in content
    assert str(lines(service)[-1].head["From"]).endswith("<railpost@example.org>")


def test_an_answer_may_be_followed_by_another_and_by_another_line(service: Service, game: str) -> None:
    to = ask(service)
    answer(service, to, "Let me see.")
    answer(service, to, "You may.")
    assert [plain(letter).split("\n")[3] for letter in lines(service, ANN)] == ["| Let me see.", "| You may."]
    service.say("Ann", "master: thank you!", to=lines(service, ANN)[-1].reply_to)
    assert "| thank you!" in lines(service)[-1].text


def test_several_lines_of_one_mail_are_one_mail(service: Service, game: str) -> None:
    service.say("Ann", "master: one\nmaster: two\npass")
    assert len(lines(service)) == 1 and "| one\n|\n| two\n" in plain(lines(service)[0])
    assert service.log(game)[1:] == ["Ann: pass"]


def test_without_a_named_master_the_operator_is_asked(service: Service) -> None:
    service.ready_game()
    assert f"ask the game master ({OPERATOR}): write a line `master: your question`" in text_of(
        service.letters("Ann")[0]
    )
    answer(service, ask(service, address=OPERATOR), sender=OPERATOR)
    assert "The game master writes:" in text_of(lines(service, ANN)[0])


def test_without_anybody_to_ask_it_says_so(service: Service) -> None:
    settings = service.desk.settings.model_copy(update={"operator": ""})
    service = replace(service, desk=replace(service.desk, settings=settings))
    service.game()
    assert "if you have questions about the game or this service, ask the game master." in text_of(
        service.letters("Ann")[0]
    ).replace("If", "if")
    told = service.say("Ann", "master: hello?")
    assert "this service does not know how to reach the game master" in text_of(told)
    assert service.outcomes() == ["refused"] and press(service) == []


def test_a_master_who_plays_gets_the_lines_too(service: Service, game: str) -> None:
    name_master(service.desk, game, Person("Bob", "bob@players.example"))
    service.run()
    to = ask(service, address="bob@players.example")
    answer(service, to, sender="bob@players.example")
    assert "| You may." in lines(service, ANN)[-1].text
    told = service.say("Bob", "master: to myself", to=secret_of(service, "Bob"))
    assert "You are the game master yourself" in text_of(told) and len(lines(service, "bob@players.example")) == 1


# ---- beside orders


@pytest.mark.parametrize("bad", ["redeem 3", "psas", "Ann: buy NW"])
def test_a_line_goes_out_although_the_orders_are_refused_and_only_once(service: Service, game: str, bad: str) -> None:
    service.say("Ann", f"master: why can I not?\n{bad}")
    assert service.outcomes()[-1] in ("refused", "unreadable") and len(lines(service)) == 1
    told = service.say("Ann", "master: why can I not?\npass")
    assert "has had this line from you already" in text_of(told)
    assert service.outcomes()[-1] == "applied" and len(lines(service)) == 1


def test_check_only_says_where_it_would_go(service: Service, game: str) -> None:
    told = service.say("Ann", "check\nmaster: may I?\npass")
    assert "Your line would be sent to Max, the game master." in text_of(told)
    assert lines(service) == [] and press(service) == []


def test_a_paused_game_and_one_that_is_over_have_a_master(service: Service, game: str) -> None:
    pause(service.desk, game, "A rest.")
    service.run()
    to = ask(service, "master: how long?")
    assert "The game is paused." in lines(service)[-1].text
    answer(service, to, "Until Monday.")
    end(service.desk, game)
    service.run()
    to = ask(service, "master: who won?")
    assert "The game is over." in lines(service)[-1].text
    answer(service, to, "Nobody.")
    assert [plain(letter).split("\n")[3] for letter in lines(service, ANN)] == ["| Until Monday.", "| Nobody."]


# ---- limits


def test_too_long_and_too_many_and_secrets(service: Service, game: str) -> None:
    settings = service.desk.settings.model_copy(update={"press_per_day": 2, "longest_press": 100})
    service = replace(service, desk=replace(service.desk, settings=settings))
    assert "more than 100 characters" in text_of(service.say("Ann", f"master: {'a' * 101}"))
    assert "your own secret addresses" in text_of(service.say("Ann", f"master: {service.address('Ann')}"))
    for number in range(2):
        ask(service, f"master: {number}?")
    assert "At most 2 lines a day" in text_of(service.say("Ann", "master: 3?"))
    assert len(lines(service)) == 2 and service.outcomes()[-1] == "refused"
    to = lines(service)[-1].reply_to
    answer(service, to, "a" * 101)
    assert "has more than 100 characters" in text_of(service.mailbox(MAX)[-1])
    for number in range(3):
        answer(service, to, f"{number}.")
    assert len(lines(service, ANN)) == 2 and "At most 2 answers a day" in text_of(service.mailbox(MAX)[-1])
    service.clock.pass_by(days=1)
    answer(service, to, "Late.")
    assert len(lines(service, ANN)) == 3


def test_an_answer_that_comes_twice_is_passed_on_once(service: Service, game: str) -> None:
    to = ask(service)
    for _ in range(2):
        answer(service, to)
    assert len(lines(service, ANN)) == 1 and service.outcomes()[-1] == "duplicate"


@pytest.mark.parametrize("text", ["", "##- reply above this line -##\nYou may.", "> You may."])
def test_an_answer_without_a_text_is_told(service: Service, game: str, text: str) -> None:
    answer(service, ask(service), text)
    assert lines(service, ANN) == [] and "has no text" in text_of(service.mailbox(MAX)[-1])


def test_an_answer_with_the_address_of_the_line_in_it_is_not_passed_on(service: Service, game: str) -> None:
    to = ask(service)
    answer(service, to, f"Write to {to}")
    assert lines(service, ANN) == [] and "one of your own secret addresses" in text_of(service.mailbox(MAX)[-1])


def test_what_programs_answer_is_not_passed_on(service: Service, game: str) -> None:
    to = ask(service)
    away = robot_mails.plain("Away", "I am away.", sender=MAX, to=to, headers={"Auto-Submitted": "auto-replied"})
    service.send(away, to, MAX)
    service.run()
    assert service.outcomes()[-1] == "auto_reply" and lines(service, ANN) == []


def test_a_line_that_comes_back_is_told_to_the_player_and_the_operator(service: Service, game: str) -> None:
    ask(service)
    path = str(lines(service)[-1].message["Return-Path"]).strip("<>")
    service.send(robot_mails.status(MAX, to=path), return_path="")
    service.run()
    assert "The mail with your line to Max, the game master came back" in text_of(service.letters("Ann")[-1])
    assert any(f"railpost game master {game}" in text_of(letter) for letter in service.mailbox(OPERATOR))


# ---- who answers


@pytest.mark.parametrize("sender", [EVIL, "bob@players.example", f'"{MAX}" <{EVIL}>', f"{MAX}, {EVIL}"])
def test_an_answer_of_somebody_else_is_told_to_the_master_alone(service: Service, game: str, sender: str) -> None:
    to = ask(service)
    answer(service, to, "You have lost your seat.", sender=sender)
    assert lines(service, ANN) == [] and press(service)[1:] == []
    told = service.mailbox(MAX)[-1]
    assert f"without proof that it is from {MAX}" in text_of(told) and "lost your seat" not in told.text


def test_a_mail_to_somebody_else_that_only_comes_to_the_address_is_no_answer(service: Service, game: str) -> None:
    to = ask(service)
    content = mail("Of course.", sender=MAX, to="bob@players.example", headers={"Delivered-To": to})
    service.send(content, to, MAX)
    service.run()
    assert lines(service, ANN) == [] and service.outcomes()[-1] == "unconfirmed"


def test_the_word_of_a_line_opens_nothing_else(service: Service, game: str) -> None:
    word = ask(service).partition("+master.")[2].partition("@")[0]
    for to in (f"railpost+{game}.1.{word}@example.org", f"railpost+confirm.{word}@example.org"):
        service.send(mail("yes\nopen TSR 25", sender=ANN, to=to), to, ANN)
        service.run()
        assert service.outcomes()[-1] == "wrong_token"
    assert service.log(game) == ["master 0"]


def test_a_line_from_elsewhere_waits_for_the_players_word(service: Service, game: str) -> None:
    to = service.address("Ann")
    service.send(mail("master: I resign", sender=EVIL, to=to), to, EVIL)
    service.run()
    assert lines(service) == []
    asked = service.letters("Ann")[-1]
    assert "What it would say to others" in text_of(asked) and "| I resign" in asked.text
    service.send(mail("yes", sender=ANN, to=asked.reply_to), asked.reply_to, ANN)
    service.run()
    assert "| I resign" in lines(service)[-1].text


# ---- other people in between


def test_the_late_answer_of_an_earlier_master_is_refused_and_told(service: Service, game: str) -> None:
    to = ask(service)
    name_master(service.desk, game, Person("Eve", EVE))
    service.run()
    told = text_of(service.letters("Ann")[-1])
    assert "Eve is the game master from now on, in place of Max." in told and "send them again" in told
    assert "You are no longer the game master" in text_of(service.mailbox(MAX)[-1])
    answer(service, to)
    assert lines(service, ANN) == [] and service.outcomes()[-1] == "stale"
    assert "you are that no longer" in text_of(service.mailbox(MAX)[-1])
    answer(service, ask(service, address=EVE), sender=EVE)
    assert "Eve, the game master, writes" in text_of(lines(service, ANN)[-1])


def test_an_answer_to_who_had_the_seat_is_not_for_his_successor(service: Service, game: str) -> None:
    to = ask(service, "master: Bob and I are in league. Is that allowed?")
    service.clock.pass_by(hours=1)
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.game == game, SeatRow.player == "Ann")).one()
        hand_over(sitting, seat, "Dan", DAN)
    service.run()
    answer(service, to, "It is not.")
    assert lines(service, ANN) == lines(service, DAN) == [] and service.outcomes()[-1] == "stale"
    assert "the seat has been given to somebody else" in text_of(service.mailbox(MAX)[-1])
    assert not any("league" in letter.text for letter in service.mailbox(DAN))


def test_a_player_who_moves_gets_the_answer_at_the_new_address(service: Service, game: str) -> None:
    to = ask(service)
    with service.session() as session:
        session.exec(select(SeatRow).where(SeatRow.player == "Ann")).one().address = DAN
        session.commit()
    answer(service, to)
    assert "| You may." in lines(service, DAN)[-1].text and lines(service, ANN) == []


def test_a_line_ends_after_weeks(service: Service, game: str) -> None:
    to = ask(service)
    service.clock.pass_by(days=61)
    sweep_pending(service.desk)
    answer(service, to)
    assert lines(service, ANN) == [] and "the line is closed" in text_of(service.mailbox(MAX)[-1])
    with service.session() as session:
        assert session.exec(select(PendingRow.state)).all() == ["lapsed"]


def test_an_answer_to_who_gets_no_mail_is_kept_and_told(service: Service, game: str) -> None:
    to = ask(service)
    with service.desk.sitting() as sitting:
        stop(sitting, sitting.session.exec(select(SeatRow).where(SeatRow.player == "Ann")).one(), "complaint")
    answer(service, to)
    assert lines(service, ANN) == [] and "is kept: at present no mail can be sent to Ann" in text_of(
        service.mailbox(MAX)[-1]
    )
    service.say("Ann", "notify turn", to=service.address("Ann"))
    assert "| You may." in lines(service, ANN)[-1].text


# ---- who the master is


def test_a_game_begins_with_its_master(service: Service) -> None:
    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    new_game(service.desk, Terms("1861", master=Person("Max", MAX)), people)
    service.run()
    assert f"ask Max, the game master ({MAX}): write a line `master:" in text_of(service.letters("Ann")[0])
    (greeted,) = service.mailbox(MAX)
    assert "You are a game master of 1861-1" in text_of(greeted) and OPERATOR in greeted.text
    with pytest.raises(ValueError, match="one of the service itself"):
        name_master(service.desk, "1861-1", Person("Eve", "railpost+x@example.org"))
    with pytest.raises(ValueError, match="is the game master of 1861-1 already"):
        name_master(service.desk, "1861-1", Person("Max", MAX))


def test_the_operator_is_the_master_again(service: Service, game: str) -> None:
    name_master(service.desk, game, None)
    service.run()
    told = text_of(service.letters("Ann")[-1])
    assert (
        f"Max is no longer the game master. If you have questions about this game, ask the game master ({OPERATOR})"
        in told
    )
    answer(service, ask(service, address=OPERATOR), sender=OPERATOR)
    assert "The game master writes:" in text_of(lines(service, ANN)[-1])
    assert Master("", OPERATOR) == Master("", OPERATOR)


# ---- messages that are no orders


@pytest.mark.parametrize(
    "text",
    [
        "Dear GM, I am on holiday.",
        "Dear GM,\nI am on holiday until Monday.\nPlease wait for me.\n\nBest regards\nAnn",
        "Can I still sell NW after the run? The rules are not clear to me.",
        "Bob is late again, can you do something?",
        "master, please look at the merger of NW and N",
    ],
)
def test_a_message_is_offered_as_a_line_and_goes_out_when_it_is_sent_so(service: Service, game: str, text: str) -> None:
    told = service.say("Ann", text)
    assert told is not None and "This looks like a message, not an order" in text_of(told)
    assert lines(service) == [] and service.log(game) == ["master 0"]
    block = plain(told).partition("\nmaster:\n")[2].partition("end master")[0]
    service.say("Ann", f"master:\n{block}end master")
    (line,) = lines(service)
    assert all(part in text_of(line) for part in text.split("\n"))


@pytest.mark.parametrize(
    "text", ["psas", "bdi 30", "open TSR", "GRR run best", "buy a share of NW", "pass please", "Ann", "biete 30"]
)
def test_an_attempt_at_an_order_is_no_message(service: Service, game: str, text: str) -> None:
    told = service.say("Ann", text)
    assert told is not None and "looks like a message" not in text_of(told)


def test_a_long_message_is_offered_without_its_text(service: Service, game: str) -> None:
    told = service.say("Ann", "I am on holiday. " * 200)
    assert "send it again with a line `master:` above it" in text_of(told)


def test_a_message_from_elsewhere_is_not_offered(service: Service, game: str) -> None:
    to = service.address("Ann")
    service.send(mail("Dear GM, I am on holiday.", sender=EVIL, to=to), to, EVIL)
    service.run()
    assert not any("looks like a message" in text_of(letter) for letter in service.letters("Ann"))
