"""Sealed orders: the service keeps each player's to itself until all are opened together."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from sqlmodel import select

from engine.core.orders import SealedBids
from moderator.adapters.tables import SealedRow, SeatRow
from moderator.service.decision import resumption
from moderator.service.people.hand_over import hand_over
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.export import export_record
from moderator.service.play.masters import master, pauses
from moderator.service.play.undo import undo
from tests.kit.samples import sampled
from tests.kit.service.mail_service import Letter, Service, mail

PLAYERS = ("Ann", "Bob", "Cat")
_PAIR = re.compile(r"^\| ([0-9a-f]{32} \w+: bids .+)\n\| ([0-9a-f]{64})$", re.MULTILINE)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    return service.ready_game("1841", PLAYERS, deadline_hours=48)


def say(service: Service, player: str, text: str) -> Letter:
    answer = service.say(player, text)
    assert answer is not None
    return answer


def sweep(service: Service, **span: float) -> None:
    service.clock.pass_by(**span)
    sweep_deadlines(service.desk)
    service.run()


def states(service: Service) -> list[tuple[str, str, str]]:
    with service.session() as session:
        return [(row.player, row.text, row.status) for row in session.exec(select(SealedRow)).all()]


def subjects(service: Service, player: str) -> list[str]:
    return [letter.subject for letter in service.letters(player)]


def plain(letter: Letter) -> str:
    return letter.text.replace("\r\n", "\n")


def pairs(letter: Letter) -> list[tuple[str, str]]:
    """Lines with their digests, as a mail has them."""
    return _PAIR.findall(plain(letter))


def given(service: Service, game: str) -> list[str]:
    """What the game itself has been given."""
    return [order.actor for order in service.position(game).orders if isinstance(order, SealedBids)]


def test_an_order_is_sealed_and_the_game_does_not_see_it(service: Service, game: str) -> None:
    answer = say(service, "Ann", "bids 41 on Bayard, 37 on C-SFLP")
    assert answer.subject.endswith("your orders: sealed")
    assert given(service, game) == [] and service.log(game) == []
    assert states(service) == [("Ann", "Ann: bids 41 on Bayard, 37 on C-SFLP", "waiting")]


def test_its_owner_is_told_what_was_read_and_how_its_digest_is_made(service: Service, game: str) -> None:
    answer = say(service, "Ann", "BIDS 41 on concession 1")
    ((line, digest),) = pairs(answer)
    assert line.endswith(" Ann: bids 41 on Bayard")
    assert sha256(line.encode()).hexdigest() == digest


def test_the_others_are_told_the_digest_and_who_is_missing(service: Service, game: str) -> None:
    ((_, digest),) = pairs(say(service, "Ann", "bids 41 on Bayard"))
    for player in ("Bob", "Cat"):
        told = service.letters(player)[-1]
        assert digest in told.text and digest in told.html
        assert "Not sealed yet: Bob and Cat." in " ".join(told.text.split())
        assert "41" not in told.text.replace(digest, "").replace("1841", "")


def test_the_same_order_has_another_digest_each_time(service: Service, game: str) -> None:
    digests = {pairs(say(service, "Ann", text))[0][1] for text in ("bids none", "bids none // again")}
    assert len(digests) == 2


def test_a_later_order_takes_the_place_of_an_earlier_one(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    say(service, "Ann", "bids 43 on Bayard")
    assert [(text, state) for _, text, state in states(service)] == [
        ("Ann: bids 41 on Bayard", "replaced"),
        ("Ann: bids 43 on Bayard", "waiting"),
    ]
    assert subjects(service, "Cat")[-1].endswith("Ann has sealed another order")


def test_what_is_sealed_can_be_withdrawn(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    answer = say(service, "Ann", "withdraw")
    assert "Withdrawn: `Ann: bids 41 on Bayard`." in answer.text
    assert subjects(service, "Bob")[-1].endswith("Ann has withdrawn a sealed order")
    assert [state for *_, state in states(service)] == ["withdrawn"]
    for player in PLAYERS[1:]:
        say(service, player, "bids none")
    assert given(service, game) == []


def test_a_trial_withdraws_and_seals_nothing(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    for text in ("check\nwithdraw", "check\nbids 45 on Bayard"):
        say(service, "Ann", text)
    assert states(service) == [("Ann", "Ann: bids 41 on Bayard", "waiting")]
    assert subjects(service, "Bob")[-1].endswith("Ann has sealed an order")


def test_only_its_owner_is_shown_it(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    assert "sealed: Ann: bids 41 on Bayard" in say(service, "Ann", "show orders").text
    assert "41 on" not in say(service, "Bob", "show orders\nshow record\nshow position").text
    assert "41 on" not in (export_record(service.desk, game) or "")


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("bids 9999 on Bayard", "Your bids add up to"),
        ("bids 41 on Bayard\nbids 37 on C-SFLP", "Ann can seal only one order"),
        ("pass", "Concessions are sold by sealed bids"),
    ],
)
def test_what_is_against_a_rule_is_refused_at_once(service: Service, game: str, text: str, check: str) -> None:
    answer = say(service, "Ann", text)
    assert answer.subject.endswith("refused, nothing changed") and check in " ".join(answer.text.split())
    assert states(service) == []


def test_the_last_one_opens_all(service: Service, game: str) -> None:
    lines = {pairs(say(service, p, f"bids {n} on Bayard"))[0] for p, n in (("Cat", 43), ("Ann", 41))}
    say(service, "Bob", "bids none")
    assert given(service, game) == ["Ann", "Bob", "Cat"]
    assert service.log(game) == ["Ann: bids 41 on Bayard", "Bob: bids none", "Cat: bids 43 on Bayard"]
    assert service.outcomes() == ["sealed", "sealed", "applied"]
    for player in PLAYERS:
        opened = next(letter for letter in reversed(service.letters(player)) if pairs(letter))
        found = pairs(opened)
        assert lines < set(found) and len(found) == 3
        assert all(sha256(line.encode()).hexdigest() == digest for line, digest in found)


def test_whoever_has_sent_nothing_in_time_has_bid_nothing_and_is_told_before(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    say(service, "Bob", "bids 43 on Bayard")
    sweep(service, hours=37)
    reminder = service.letters("Cat")[-1]
    assert "this counts as your order: `Cat: bids none`." in " ".join(reminder.text.split())
    assert not any("you have not sealed an order" in subject for subject in subjects(service, "Ann"))
    sweep(service, hours=1)
    assert subjects(service, "Cat").count(reminder.subject) == 1
    assert given(service, game) == []
    sweep(service, hours=11)
    assert service.log(game)[-1] == "Cat: bids none" and len(given(service, game)) == 3
    assert any("Not sealed: Cat." in " ".join(letter.text.split()) for letter in service.letters("Ann"))


def test_nobody_sends_anything(service: Service, game: str) -> None:
    sweep(service, hours=49)
    assert service.log(game) == [f"{player}: bids none" for player in PLAYERS]
    assert service.complaints == []


def test_after_a_withdrawal_past_the_deadline_nothing_is_bid(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    master.move_deadlines(service.desk, game, service.clock.now().replace(tzinfo=None, day=20))
    service.clock.pass_by(days=18)
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.player == "Bob")).one()
        hand_over(sitting, seat, "Bea", "bea@players.example")
    sweep(service, days=1, hours=1)
    assert given(service, game) == []  # Bob's successor has time left
    say(service, "Ann", "withdraw")
    sweep(service, hours=1)
    assert given(service, game) == []
    sweep(service, days=2)
    assert service.log(game)[1:] == [f"{player}: bids none" for player in PLAYERS]


def test_a_successor_sees_what_his_seat_has_sealed_and_may_replace_it(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    with service.desk.sitting() as sitting:
        seat = sitting.session.exec(select(SeatRow).where(SeatRow.player == "Ann")).one()
        hand_over(sitting, seat, "Amy", "amy@players.example")
    service.run()
    letters = service.mailbox("amy@players.example")
    assert any("| Ann: bids 41 on Bayard" in letter.text for letter in letters)
    to = letters[-1].reply_to
    service.send(mail("bids 47 on Bayard", sender="amy@players.example", to=to), to)
    service.run()
    assert [(text, state) for _, text, state in states(service)] == [
        ("Ann: bids 41 on Bayard", "replaced"),
        ("Ann: bids 47 on Bayard", "waiting"),
    ]
    for player in PLAYERS[1:]:
        say(service, player, "bids none")
    assert service.log(game)[0] == "Ann: bids 47 on Bayard"


@pytest.mark.parametrize("number", sampled([0, 1, 2], [1]))
def test_an_undo_past_the_opening_seals_the_same_orders_again(
    service: Service, game: str, number: int, tmp_path: Path
) -> None:
    for player, bid in zip(PLAYERS, (41, 43, 47), strict=True):
        say(service, player, f"bids {bid} on Bayard")
    other = Service.open(tmp_path)  # it knows the game from what is stored
    assert undo(other.desk, game, number) == 3
    service.run()
    assert given(service, game) == [] and [state for *_, state in states(service)] == ["kept"] * 3
    assert "| Ann: bids 41 on Bayard" in service.letters("Ann")[-1].text
    say(service, "Ann", "bids 53 on Bayard")
    assert given(service, game) == []  # the others may replace theirs too
    sweep(service, hours=49)
    assert service.log(game)[-3:] == ["Ann: bids 53 on Bayard", "Bob: bids 43 on Bayard", "Cat: bids 47 on Bayard"]


def test_after_an_undo_all_can_seal_the_same_again_and_need_not_wait(service: Service, game: str) -> None:
    for _ in range(2):
        for player, bid in zip(PLAYERS, (41, 43, 47), strict=True):
            say(service, player, f"bids {bid} on Bayard")
        assert len(given(service, game)) == 3
        undo(service.desk, game, 0)
        service.run()


def test_the_same_mail_twice_seals_once(service: Service, game: str) -> None:
    to = service.address("Ann")
    for _ in range(2):
        service.send(mail("bids 41 on Bayard", to=to, message_id="<one@players.example>"), to)
        service.run()
    say(service, "Ann", "bids 43 on Bayard")
    service.send(mail("bids 41 on Bayard", to=to, message_id="<one@players.example>"), to)
    service.run()
    assert service.outcomes() == ["sealed", "duplicate", "sealed", "duplicate"]
    assert states(service)[-1] == ("Ann", "Ann: bids 43 on Bayard", "waiting")


def test_a_mail_that_comes_after_the_opening_is_too_late(service: Service, game: str) -> None:
    to = service.address("Bob")
    for player in PLAYERS:
        say(service, player, "bids none")
    service.send(mail("bids 41 on Bayard", sender="bob@players.example", to=to), to)
    service.run()
    assert service.outcomes()[-1] == "stale" and len(states(service)) == 3


def test_a_paused_game_opens_nothing_and_one_that_ends_nothing_ever(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    pauses.pause(service.desk, game)
    sweep(service, hours=100)
    assert say(service, "Bob", "bids none").subject.endswith("kept for later")
    assert given(service, game) == []
    resumption.resume(service.desk, game)
    service.run()
    assert ("Ann", "Ann: bids 41 on Bayard", "waiting") in states(service) and len(states(service)) == 2
    asked = [letter for letter in service.letters("Ann") if letter.kind == "turn"]
    assert "| Ann: bids 41 on Bayard" in asked[-1].text
    master.end(service.desk, game)
    service.run()
    assert {status for *_, status in states(service)} == {"lapsed"}
    assert "41 on" not in service.letters("Bob")[-1].text


def test_what_other_rules_refuse_by_the_opening_lapses_and_is_asked_for_again(service: Service, game: str) -> None:
    say(service, "Ann", "bids 41 on Bayard")
    with service.session() as session:  # as if it had been allowed when it was sealed
        row = session.exec(select(SealedRow)).one()
        row.text = "Ann: bids 9999 on Bayard"
        session.add(row)
        session.commit()
    say(service, "Bob", "bids 43 on Bayard")
    assert say(service, "Cat", "bids none").subject.endswith("your orders: sealed")
    assert given(service, game) == []
    assert [(player, state) for player, _, state in states(service)] == [
        ("Ann", "lapsed"),
        ("Bob", "waiting"),
        ("Cat", "waiting"),
    ]
    told = next(
        one for one in service.letters("Ann") if one.subject.endswith("your sealed order is no longer possible")
    )
    assert "Your bids add up to" in " ".join(told.text.split())
    assert not any("9999" in letter.text for letter in service.letters("Bob"))
    say(service, "Ann", "bids 41 on Bayard")
    assert given(service, game) == ["Ann", "Bob", "Cat"]


def test_two_services_seal_and_open_together(service: Service, game: str, tmp_path: Path) -> None:
    other = Service.open(tmp_path)
    say(service, "Ann", "bids 41 on Bayard")
    say(other, "Bob", "bids 43 on Bayard")
    say(service, "Cat", "bids none")
    assert service.log(game) == ["Ann: bids 41 on Bayard", "Bob: bids 43 on Bayard", "Cat: bids none"]
    assert given(other, game) == list(PLAYERS)


def test_orders_given_ahead_follow_the_opening(service: Service, game: str) -> None:
    say(service, "Ann", "bids none")
    assert say(service, "Cat", "bids none\npress Bob: good luck").subject.endswith("your orders: sealed")
    assert "good luck" in service.letters("Bob")[-1].text
