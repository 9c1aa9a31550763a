"""A player gives up his seat; it is offered to those who wait, and the successor is told all that has happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

import engine
from engine.acts.act import Turn
from engine.core.ids import Actor
from engine.core.orders import Order
from engine.core.state import Round
from engine.robots import sensible
from moderator.adapters.tables import TenureRow
from moderator.domain.clocks.timetable import Timetable
from moderator.render.guest_mails import guest_mail
from moderator.service.people.hand_over import hand_over
from moderator.service.people.reach import heard
from moderator.service.play.deputy import set_caretaker
from moderator.service.play.masters.master import name_master
from moderator.service.play.new_games import Person
from moderator.service.play.resignation import hindrance
from moderator.service.table.table import lock_table, table_of
from moderator.words.texts import words
from tests.kit.service.guests import address_of, answer, said, sweep, there, write
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


def waits(service: Service, *names: str, title: str = "1861") -> None:
    for name in names:
        write(service, name, f"wait {title}")
        answer(service, name)


def resigns(service: Service, player: str) -> None:
    service.say(player, "resign")
    asked = service.letters(player)[-1]
    assert "+confirm." in asked.reply_to and "give up" in said(asked)
    service.say(player, "yes", to=asked.reply_to)


def opened(service: Service, game: str, player: str) -> None:
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        seat = table.seat_of(player)
        assert seat is not None
        set_caretaker(table, seat, "open")


def test_a_mail_lists_the_open_seats(service: Service) -> None:
    game = service.game(deadline_hours=48)
    opened(service, game, "Bob")
    (listed,) = write(service, "Dan", "games")
    assert f"{game}: the seat of Bob (1861, 0 orders so far)" in said(listed)


def test_a_resigned_seat_goes_to_the_next_who_says_yes(service: Service) -> None:
    game = service.game(deadline_hours=48)
    waits(service, "Dan", "Eve")
    waits(service, "Fay", title="1844")
    service.say("Ann", "pass")
    service.say("Bob", "pass")
    resigns(service, "Bob")
    assert service.seat(game, "Bob").caretaker == "open"
    assert "Bob gives up the seat" in said(service.letters("Ann")[-1])
    sweep(service, minutes=1)
    offered = service.mailbox(address_of("Dan"))[-1]
    assert "the seat of Bob is open" in said(offered) and "2 orders" in said(offered)
    assert "it is in Stock round 1." in said(offered)
    assert "open" not in service.mailbox(address_of("Eve"))[-1].subject
    sweep(service, hours=73)
    assert "open seat" in service.mailbox(address_of("Eve"))[-1].subject
    (late,) = answer(service, "Dan")
    assert "too late" in said(late) and service.seat(game, "Bob").address == "bob@players.example"
    mails = answer(service, "Eve")
    assert service.seat(game, "Bob").address == address_of("Eve") and there(service, "waiting") == ["Dan", "Fay"]
    assert service.seat(game, "Bob").caretaker == ""
    assert [one.kind for one in mails][:2] == ["notice", "catchup"]
    digest = mails[1]
    assert "round by round" in digest.text.lower() and "WEALTH AFTER EACH ROUND" in digest.text
    assert "Passed: Ann and Bob." in said(digest) and "Cat must play" in said(digest)
    assert "Wealth after each round" in digest.html and "MAP" in digest.text
    assert not any("open seat" in one.subject for one in service.mailbox(address_of("Fay")))


@pytest.mark.parametrize("late", ["robot", "open"])
def test_the_game_master_is_told_of_a_seat_that_changes_hands(service: Service, late: str) -> None:
    game = service.game(deadline_hours=48, clock=(("late", late),))
    name_master(service.desk, game, Person("Max", address_of("Max")))
    resigns(service, "Bob")
    told = service.mailbox(address_of("Max"))[-1]
    assert told.subject == f"[{game}] the seat of Bob is open" and "Bob gives up the seat" in said(told)
    assert "give Bob to" in said(told)
    waits(service, "Dan")
    sweep(service, minutes=1)
    answer(service, "Dan")
    told = service.mailbox(address_of("Max"))[-1]
    assert told.subject == f"[{game}] Dan plays for Bob" and "was on the waiting list" in said(told)
    gone = service.letters("Bob")[-1]
    assert "Somebody else has taken the open seat of Bob." in said(gone)


def test_an_offer_names_the_round_as_its_title_does() -> None:
    facts = {"player": "Ann", "title": "1863", "edition": "first", "orders": 3, "round": Round("AR", 1),
             "others": ("Bob", "Cat"), "game": "1863-1", "due": "tomorrow", "terms": Timetable()}  # fmt: skip
    assert "Auction of privates 1" in guest_mail("ask_offer", facts).text


def test_the_digest_comes_before_the_first_turn_mail(service: Service) -> None:
    game = service.game()
    waits(service, "Dan")
    service.say("Ann", "pass")
    assert service.position(game).asked()[0].player == "Bob"
    resigns(service, "Bob")
    sweep(service, minutes=1)
    mails = answer(service, "Dan")
    assert [one.kind for one in mails] == ["notice", "catchup", "turn"]
    to = mails[-1].reply_to
    write(service, "Dan", "pass", to)
    assert len(service.log(game)) == 3  # two passes, and the act that opened the seat


def test_any_mail_of_the_player_takes_an_open_seat_back(service: Service) -> None:
    game = service.game()
    waits(service, "Dan")
    resigns(service, "Bob")
    sweep(service, minutes=1)
    service.say("Bob", "show clock")
    (gone,) = answer(service, "Dan")
    assert "not open any more" in said(gone) and service.seat(game, "Bob").address == "bob@players.example"
    assert there(service, "waiting") == ["Dan"]


def test_a_seat_that_the_table_opens_is_offered_too(service: Service) -> None:
    game = service.game()
    opened(service, game, "Cat")
    waits(service, "Dan")
    sweep(service, minutes=1)
    answer(service, "Dan", "no")
    sweep(service, minutes=1)
    asked = [one for one in service.mailbox(address_of("Dan")) if "open seat" in one.subject]
    assert len(asked) == 1 and service.seat(game, "Cat").caretaker == "open"


def test_a_floor_keeps_the_seat_from_whoever_is_below_it(service: Service) -> None:
    game = service.game(deadline_hours=24, clock=(("floor", "80"),))
    with service.session() as session:
        tenure = session.exec(select(TenureRow)).first()
        assert tenure is not None
        tenure.address, tenure.answers, tenure.missed = address_of("Dan"), 1, 3
        session.add(tenure)
        session.commit()
    waits(service, "Dan", "Eve")
    opened(service, game, "Cat")
    sweep(service, minutes=1)
    assert not any("open seat" in one.subject for one in service.mailbox(address_of("Dan")))
    assert "open seat" in service.mailbox(address_of("Eve"))[-1].subject


def test_nobody_gives_up_his_seat_from_elsewhere(service: Service) -> None:
    game = service.game()
    to = service.address("Bob")
    write(service, "Evil", "resign", to)
    asked = service.letters("Bob")[-1]
    assert "give up" in said(asked)
    write(service, "Evil", "yes", asked.reply_to)
    assert service.seat(game, "Bob").caretaker == ""
    (told,) = write(service, "Bob", "leave 1861-1", sender="bob@players.example") or service.letters("Bob")[-1:]
    assert "with `resign`" in said(told)


def test_a_request_to_resign_ends_with_the_seat(service: Service) -> None:
    game = service.game()
    service.say("Bob", "resign")
    asked = service.letters("Bob")[-1]
    with service.desk.sitting() as sitting:
        seat = lock_table(sitting, game).seat_of("Bob")
        assert seat is not None and not heard(sitting, seat)
        hand_over(sitting, seat, "Dan", address_of("Dan"))
    service.say("Bob", "yes", to=asked.reply_to)
    assert service.seat(game, "Bob").caretaker == ""


def stays(game: engine.Game, order: Order, company: Actor) -> bool:
    """True if the company's turn goes on after ``order``."""
    copy = game.fork()
    top = copy.state.top if copy.submit(order) else None
    return isinstance(top, Turn) and top.company == company and bool(copy.legal(company))


def test_nobody_gives_up_his_seat_in_the_middle_of_a_turn(service: Service) -> None:
    course = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "a seed", "Ann"))
    while not isinstance(course.state.top, Turn):
        assert course.submit(sensible(course, course.asked()[0]))
    game = begin_at(service, "1861", course.state)
    (ask,) = service.position(game).asked()
    player = str(ask.player)
    trial = service.say(player, "check\nresign")
    assert trial is not None and "would ask you" in said(trial)
    with service.desk.looking() as sitting:
        table = table_of(sitting, service.seat(game, player))
        seat, other = (table.seat_of(one) for one in (player, next(p for p in course.state.players if p != player)))
        assert seat is not None and other is not None and hindrance(table, seat) is None
        begun = table.game.fork()
        assert begun.submit(next(one.order for one in begun.legal(ask.actor) if stays(begun, one.order, ask.actor)))
        assert hindrance(table.after(begun), seat) == ("resign.turn", {"company": ask.actor})
        assert hindrance(table.after(begun), other) is None
    for key in ("resign.turn", "resign.open", "resign.over"):
        assert words("en").find("words", f"notes.{key}") and words("en").find(
            "words", f"notice.{key.replace('.', '_')}"
        )


def test_a_successor_has_a_name_that_nobody_else_at_the_table_has(service: Service) -> None:
    game = service.game()
    opened(service, game, "Cat")
    write(service, "Dan", "wait", sender=f"ANN <{address_of('Dan')}>")
    answer(service, "Dan")
    sweep(service, minutes=1)
    answer(service, "Dan")
    assert service.seat(game, "Cat").person == "ANN 2"


@pytest.mark.parametrize("called", ["moderator", "\u202enad", "", "x" * 80])
def test_a_name_that_cannot_be_one_is_not_used(service: Service, called: str) -> None:
    write(service, "Dan", "wait", sender=f'"{called}" <{address_of("Dan")}>')
    answer(service, "Dan")
    assert there(service, "waiting") == ["dan"]


def test_an_offer_is_withdrawn_when_the_seat_is_not_open_any_more(service: Service) -> None:
    game = service.game()
    waits(service, "Dan", "Eve")
    resigns(service, "Bob")
    sweep(service, minutes=1)
    service.say("Bob", "show clock")
    sweep(service, minutes=1)
    assert "not open any more" in said(service.mailbox(address_of("Dan"))[-1])
    assert len(service.mailbox(address_of("Dan"))) == 4 and len(service.mailbox(address_of("Eve"))) == 2
    (late,) = answer(service, "Dan")
    assert "too late" in said(late) and service.seat(game, "Bob").address == "bob@players.example"
