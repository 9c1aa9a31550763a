"""Clocks that jump, services that were off, servers that are away: no deadline ends for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import GameRow, MotionRow, OutboxRow, PendingRow, SeatRow
from moderator.domain.clocks.ticks import Tick, judge
from moderator.domain.ports import Away, Barred, NotNow
from moderator.service.operation import supervision as watch
from moderator.service.table.clocks import list_clocks
from tests.kit.service.mail_service import START, Service, mail
from tests.kit.service.shop import Shop, Trouble

GAME = "1861-1"
EACH = pytest.mark.usefixtures("each_database")
"""One of each kind: what the others differ in is when things happen, not what is written."""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def an_hour_before(service: Service) -> None:
    """Ann has not answered, and an hour is left."""
    shop = Shop(service)
    assert shop.game() == GAME
    shop.pass_by(hours=47)


@pytest.fixture
def late(tmp_path: Path) -> Shop:
    return Shop(Service.made(tmp_path, an_hour_before))


# ---- the clock itself


@pytest.mark.fault(60)
@pytest.mark.parametrize(
    ("wall", "running", "boot", "jumped"),
    [
        (20, 20, "one", 0),
        (20.4, 20, "one", 0),
        (3600, 20, "one", 3580),
        (-3600, 20, "one", -3620),
        (86_400, 86_395, "one", 0),  # asleep, or out of work: both went on
        (20 + 61, 20, "one", 61),
        (1000 * 3600 + 120, 1000 * 3600, "one", 0),  # corrected a little all the while
        (3600, 5, "two", 0),  # started anew: the clock alone
        (-3600, 5, "two", -3600),
        (400 * 86_400, 5, "two", 400 * 86_400),  # the wrong year
    ],
)
def test_60_a_clock_is_held_against_the_time_that_has_passed(
    wall: float, running: float, boot: str, jumped: float
) -> None:
    then = Tick(START, 100.0, "one")
    now = Tick(START + timedelta(seconds=wall), 100.0 + running if boot == "one" else running, boot)
    assert judge(then, now, 60).jumped == pytest.approx(jumped)


@EACH
@pytest.mark.fault(60)
@pytest.mark.parametrize("restarted", [False, True])
def test_60_a_clock_that_jumps_ends_no_question_until_the_operator_agrees(shop: Shop, restarted: bool) -> None:
    game = shop.game()
    shop.meter.jump(days=365)
    if restarted:
        shop.start()
    shop.round.sweep()
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]
    assert "reminder" not in shop.kinds("Ann")
    assert sum("jumped by 31536000 seconds" in text for text in shop.told()) == 1
    assert shop.service.say("Ann", "open TSR 25") is not None  # games go on
    assert shop.service.log(game) == ["Ann: open TSR 25"]


@EACH
@pytest.mark.fault(60)
def test_60_a_clock_that_is_right_again_needs_no_operator(shop: Shop) -> None:
    shop.game()
    shop.meter.jump(days=30)
    shop.round.sweep()
    assert "clock" in shop.round.watch.frozen()
    shop.meter.jump(days=-29)
    shop.round.tick()
    assert "clock" in shop.round.watch.frozen(), "it is still a day ahead"
    shop.meter.jump(days=-1)
    shop.round.tick()
    assert shop.round.watch.frozen() == {}
    shop.round.sweep()
    assert sum("right again" in " ".join(text.split()) for text in shop.told()) == 1
    assert watch.accept_clock(shop.service.desk) is None
    shop.pass_by(hours=49)
    assert shop.due()[0][1] == "overdue"


@EACH
@pytest.mark.fault(60)
def test_60_no_mail_waits_for_the_time_that_a_clock_showed_before_it_went_back(shop: Shop) -> None:
    shop.game()
    shop.smtp.error = NotNow("451 4.7.1 try again later")
    shop.service.send(mail("show map", to=(own := shop.service.address("Ann"))), own)
    shop.round.sweep()
    before = shop.kinds("Ann")
    shop.smtp.error = None
    shop.meter.jump(seconds=-100_000)
    shop.round.sweep()
    shop.service.clock.pass_by(minutes=5)
    shop.round.sweep()
    with shop.service.desk.database.reading() as session:
        assert {row.state for row in session.exec(select(OutboxRow)).all()} == {"sent"}
    assert len(shop.kinds("Ann")) > len(before)


@EACH
@pytest.mark.fault(60)
def test_60_when_the_clock_is_accepted_questions_have_as_much_time_as_before(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=40)
    shop.meter.jump(days=100)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    shop.round.sweep()
    (_, state, due), *_ = shop.due()
    assert state == "open"
    assert due - shop.service.clock.moment >= timedelta(hours=8)
    assert "notice" in shop.kinds("Ann")
    assert watch.accept_clock(shop.service.desk) is None


@EACH
@pytest.mark.fault(60)
@pytest.mark.parametrize("hours", [7, 7.95, 8.05, 100])
def test_60_a_leap_that_is_accepted_takes_no_time_from_anybody(shop: Shop, hours: float) -> None:
    """Eight hours are left, and the clock is set to shortly before or after the deadline."""
    shop.game()
    shop.pass_by(hours=40)
    shop.meter.jump(hours=hours)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    shop.round.sweep()
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48 + hours))]
    assert shop.kinds("Ann").count("notice") == 1
    notice = next(letter for letter in shop.service.letters("Ann") if letter.kind == "notice")
    assert "you have as long as before" in " ".join(notice.text.split())
    assert any("1 deadline has been moved by that" in text for text in shop.told())
    shop.pass_by(hours=7.9)
    assert shop.due()[0][1] == "open"
    shop.pass_by(hours=0.2)
    assert shop.due()[0][1] == "overdue"


@pytest.mark.fault(60)
def test_60_a_leap_takes_nothing_from_a_bank_of_time(shop: Shop) -> None:
    game = shop.service.ready_game(clock=[("bank", "100"), ("increment", "1")])
    shop.round.sweep()
    shop.pass_by(hours=10)
    shop.meter.jump(days=3)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    shop.round.sweep()
    shop.service.say("Ann", "open TSR 25")
    with shop.service.desk.sitting() as sitting:
        ann = list_clocks(sitting, sitting.session.get_one(GameRow, game))[0]
    assert (ann.used, ann.bank) == (10 * 3_600, 91 * 3_600)


@pytest.mark.fault(60)
def test_60_a_leap_shortens_no_vote_and_no_delay_of_an_address(shop: Shop) -> None:
    game = shop.game()
    shop.service.say("Bob", "propose extend 24 hours")
    shop.service.say("Cat", "address c@players.example")
    with shop.service.session() as session:
        before = [*session.exec(select(MotionRow.due_at)).all(), *session.exec(select(PendingRow.due_at)).all()]
    assert len(before) == 2
    shop.meter.jump(days=30)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    shop.round.sweep()
    with shop.service.session() as session:
        after = [*session.exec(select(MotionRow.due_at)).all(), *session.exec(select(PendingRow.due_at)).all()]
    assert after == [one + timedelta(days=30) for one in before]
    assert shop.service.seat(game, "Cat").address == "cat@players.example"


@pytest.mark.fault(60)
def test_60_a_leap_that_was_accepted_and_was_wrong_leaves_nobody_a_year(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=1)
    for days in (365, -365):
        shop.meter.jump(days=days)
        shop.round.sweep()
        watch.accept_clock(shop.service.desk)
        shop.round.sweep()
    assert shop.due() == [("Ann", "open", shop.service.clock.moment + timedelta(hours=48))]


@EACH
@pytest.mark.fault(60)
def test_60_work_that_a_wrong_clock_put_off_is_done_when_it_is_right(shop: Shop) -> None:
    shop.game()
    shop.meter.jump(days=200)
    with shop.service.desk.database.transaction() as session:
        row = session.exec(select(OutboxRow)).first()
        assert row is not None
        row.state, row.next_attempt = "queued", shop.service.clock.moment
        row.lease_until = shop.service.clock.moment + timedelta(minutes=2)
    shop.round.sweep()
    shop.meter.jump(days=-200)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    shop.round.sweep()
    with shop.service.desk.database.reading() as session:
        assert {row.state for row in session.exec(select(OutboxRow)).all()} == {"sent"}


@EACH
@pytest.mark.fault(60)
def test_60_a_service_that_ended_under_a_wrong_clock_keeps_no_other_from_the_mailbox(shop: Shop) -> None:
    game = shop.game()
    own = shop.service.address("Ann")
    shop.meter.jump(days=365)
    shop.service.send(mail("show map", to=own), own)
    shop.service.desk = replace(shop.service.desk, owner="killed")
    shop.start()
    shop.round.sweep()
    shop.meter.jump(days=-365)
    shop.service.desk = replace(shop.service.desk, owner="another")
    shop.start()
    shop.service.send(mail("open TSR 25", to=own), own)
    shop.round.sweep()
    assert shop.service.log(game) == ["Ann: open TSR 25"]


@EACH
@pytest.mark.fault(60)
def test_60_no_mail_is_given_up_by_a_clock_that_jumps(shop: Shop) -> None:
    shop.game()
    shop.smtp.error = NotNow("451 4.7.1 try again later")
    shop.service.send(mail("show map", to=(own := shop.service.address("Ann"))), own)
    shop.round.sweep()
    shop.meter.jump(days=365)
    shop.round.sweep()
    shop.smtp.error = None
    shop.meter.jump(days=-365)
    shop.round.sweep()
    shop.service.clock.pass_by(minutes=5)  # as long as it waits after two attempts, whatever the clock showed
    shop.round.sweep()
    with shop.service.session() as session:
        assert {row.state for row in session.exec(select(OutboxRow)).all()} == {"sent"}
    assert shop.service.seat("1861-1", "Ann").bounces == 0


@EACH
@pytest.mark.fault(60)
def test_60_what_was_said_under_a_wrong_clock_counts_from_the_right_one(shop: Shop) -> None:
    game = shop.game()
    old = shop.service.address("Ann")
    shop.meter.jump(days=365)
    shop.round.sweep()
    for player, said in (("Ann", "open TSR 25"), ("Bob", "notify daily\nbid 30"), ("Cat", "address c@players.example")):
        shop.service.say(player, said)
    shop.round.sweep()
    shop.meter.jump(days=-365)
    shop.round.sweep()
    watch.accept_clock(shop.service.desk)
    now, hours = shop.service.clock.moment, shop.service.desk.settings.address_delay_hours
    assert [due for _, state, due in shop.due() if state == "open"] == [now + timedelta(hours=48)]
    with shop.service.session() as session:
        assert [row.due_at for row in session.exec(select(PendingRow)).all()] == [now + timedelta(hours=hours)]
        for seat in session.exec(select(SeatRow)).all():
            assert max(one for one in (seat.told_at, seat.heard_at, now) if one) == now
    shop.pass_by(hours=1)
    shop.service.say("Ann", "press Bob: hello", to=old)
    assert shop.service.outcomes()[-1] == "stale", "a newer address was sent since, whatever the clock said then"
    assert shop.service.log(game) == ["Ann: open TSR 25", "Bob: bid 30"]


# ---- the service was off


@EACH
@pytest.mark.fault(61)
def test_61_deadlines_that_fell_into_an_outage_move_by_a_day_and_the_player_is_told(late: Shop) -> None:
    late.service.clock.pass_by(hours=3)  # nobody was there
    late.start()
    late.round.sweep()
    assert late.due() == [("Ann", "open", START + timedelta(hours=72))]
    notice = late.service.letters("Ann")[-1]
    assert notice.kind == "notice"
    assert "until Wed 4 Mar 2026" in " ".join(notice.text.split())
    assert not any("] late: " in letter.subject for letter in late.service.letters("Ann"))
    assert any("1 deadline that fell into it" in text for text in late.told())
    late.round.sweep()
    assert late.due() == [("Ann", "open", START + timedelta(hours=72))]
    late.pass_by(hours=23)
    assert late.due()[0][1] == "overdue"


@pytest.mark.fault(61)
def test_61_a_long_outage_moves_them_by_its_length(late: Shop) -> None:
    late.service.clock.pass_by(days=5)
    late.start()
    late.round.sweep()
    (_, state, due), *_ = late.due()
    assert state == "open"
    assert due - (START + timedelta(hours=48)) >= timedelta(days=5)


@pytest.mark.fault(61)
def test_61_what_does_not_fall_into_it_stays(shop: Shop) -> None:
    shop.game()
    shop.service.clock.pass_by(hours=3)
    shop.start()
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]
    assert "notice" not in shop.kinds("Ann")


@EACH
@pytest.mark.fault(61)
@pytest.mark.parametrize(
    ("off", "left"), [(timedelta(minutes=55), timedelta(minutes=55)), (timedelta(minutes=20), None)]
)
def test_61_a_deadline_soon_after_an_outage_leaves_as_much_time_as_it_lasted(
    late: Shop, off: timedelta, left: timedelta | None
) -> None:
    late.service.clock.pass_by(seconds=off.total_seconds())
    late.start()
    late.round.sweep()
    (_, state, due), *_ = late.due()
    assert state == "open"
    assert due == (START + timedelta(hours=48) if left is None else late.service.clock.moment + left)
    assert ("until shortly before your time" in " ".join(late.service.letters("Ann")[-1].text.split())) == bool(left)
    late.round.sweep()
    assert late.due()[0][2] == due


@pytest.mark.fault(61)
def test_61_after_a_long_outage_nobody_has_less_than_his_whole_time(late: Shop) -> None:
    late.service.clock.pass_by(hours=1, minutes=1)
    late.service.clock.pass_by(days=5)
    late.start()
    late.round.sweep()
    assert late.due()[0][2] - late.service.clock.moment >= timedelta(hours=48)


@pytest.mark.fault(61)
def test_61_a_vote_does_not_lapse_in_an_outage(shop: Shop) -> None:
    shop.game()
    shop.service.say("Bob", "propose extend 24 hours")
    with shop.service.session() as session:
        due = session.exec(select(MotionRow.due_at)).one()
    shop.pass_by(seconds=(due - shop.service.clock.moment - timedelta(hours=1)).total_seconds())
    for player in ("Ann", "Cat"):
        shop.service.send(mail("vote yes", to=(to := shop.service.address(player))), to)
    shop.service.clock.pass_by(hours=30)
    shop.start()
    shop.round.sweep()
    with shop.service.session() as session:
        assert session.exec(select(MotionRow.state)).one() == "carried"


@pytest.mark.fault(61)
def test_61_mail_that_came_during_the_outage_is_decided_before_any_deadline(late: Shop) -> None:
    order = mail("open TSR 25", sender="ann@players.example", to=late.service.address("Ann"))
    late.service.send(order, late.service.address("Ann"))
    late.service.clock.pass_by(hours=3)
    late.start()
    late.round.sweep()
    assert late.service.log(GAME) == ["Ann: open TSR 25"]
    assert late.due()[0][:2] == ("Ann", "met")
    assert not any("] late: " in letter.subject for letter in late.service.letters("Ann"))


@pytest.mark.fault(61, 54)
def test_61_a_mail_that_came_in_time_and_waits_to_be_decided_holds_the_deadline(late: Shop) -> None:
    from sqlalchemy import update

    from moderator.adapters.tables import MailRow

    late.service.send(mail("open TSR 25", to=late.service.address("Ann")), late.service.address("Ann"))
    late.service.take_in()
    with late.service.desk.database.transaction() as session:  # another service works on it
        until = late.service.clock.moment + timedelta(hours=9)
        early = late.service.clock.moment
        session.exec(update(MailRow).values(lease_until=until, lease_owner="other", received_at=early))
    late.pass_by(hours=2)
    assert late.due()[0][1] == "open"


@pytest.mark.fault(61)
def test_61_an_outage_that_ends_in_another_one_is_dealt_with_once(late: Shop) -> None:
    late.service.clock.pass_by(hours=3)
    late.start()
    late.round.watch.tick()  # and killed before anything else was done
    late.service.clock.pass_by(hours=3)
    late.start()
    late.round.sweep()
    assert late.due() == [("Ann", "open", START + timedelta(hours=72))]
    assert late.kinds("Ann").count("notice") == 1


@pytest.mark.fault(62)
def test_62_deadlines_are_rows_and_what_was_missed_is_made_up_by_the_next_sweep(late: Shop) -> None:
    late.service.clock.pass_by(minutes=29)
    late.round.mail()
    late.service.clock.pass_by(minutes=29)
    late.round.mail()
    late.service.clock.pass_by(minutes=29)
    late.start()  # no timer survived
    late.round.sweep()
    assert late.due()[0][1] == "overdue"
    assert "reminder" in late.kinds("Ann")


# ---- servers that are away


@pytest.mark.fault(61, 81)
@pytest.mark.parametrize("which", ["imap", "smtp"])
def test_81_while_a_server_is_away_no_deadline_ends_and_then_it_moves(late: Shop, which: str) -> None:
    server: Trouble = getattr(late, which)
    server.error = Away("it says nothing")
    if which == "smtp":
        late.service.send(mail("help", to=late.service.address("Bob"), sender="bob@players.example"))
    late.pass_by(hours=4)
    assert which in late.round.watch.frozen()
    assert late.due() == [("Ann", "open", START + timedelta(hours=48))]
    server.error = None
    late.pass_by(minutes=20)
    late.round.sweep()
    assert late.round.watch.frozen() == {}
    assert late.due() == [("Ann", "open", START + timedelta(hours=72))]
    assert sum("has been unreachable since" in text for text in late.told()) == 1


@pytest.mark.fault(81)
def test_81_a_short_absence_is_told_to_nobody_and_moves_nothing(shop: Shop) -> None:
    shop.game()
    shop.imap.error = Away("it is started anew")
    shop.round.sweep()
    shop.imap.error = None
    shop.service.clock.pass_by(minutes=5)
    shop.round.sweep()
    assert shop.told() == []
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]


@EACH
@pytest.mark.fault(81)
def test_81_a_refused_login_is_told_at_once_and_once(shop: Shop) -> None:
    shop.game()
    shop.imap.error = Barred("imap.example.org refuses our login: password expired")
    shop.pass_by(hours=3)
    assert sum("refuses the login" in text for text in shop.told()) == 1
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]
    shop.pass_by(hours=4)
    assert sum("refuses the login" in text for text in shop.told()) == 2


@EACH
@pytest.mark.fault(81)
def test_81_a_server_that_another_service_missed_and_is_there_is_found_out(shop: Shop) -> None:
    shop.game()
    other = shop.another()
    shop.round.mail()
    other.watch.away("imap", Away("gone"))
    assert "imap" in shop.round.watch.frozen()
    shop.round.sweep()
    assert shop.round.watch.frozen() == {}


@EACH
@pytest.mark.fault(60, 82)
@pytest.mark.parametrize("noticed", [False, True])
def test_60_a_clock_that_jumps_gives_no_mail_up(shop: Shop, noticed: bool) -> None:
    """The server has had every mail wait for a day. By the wrong clock that is ten years."""
    asked_while_no_mail_goes_out(shop)
    try_for(shop, hours=40)
    assert {(row.state, row.attempts > 6) for row in waiting(shop)} == {("queued", True)}
    shop.meter.jump(days=3650)
    if noticed:
        shop.round.tick()
        try_for(shop, hours=10)
    shop.round.send()
    assert {row.state for row in waiting(shop)} == {"queued"}
    shop.meter.jump(days=-3650)
    shop.round.sweep()
    shop.smtp.error = None
    try_for(shop, hours=5)
    assert {row.state for row in waiting(shop)} == {"sent"}


@pytest.mark.fault(82)
def test_82_a_mail_that_has_been_tried_for_five_days_is_given_up(shop: Shop) -> None:
    asked_while_no_mail_goes_out(shop)
    try_for(shop, hours=119)
    assert {row.state for row in waiting(shop)} == {"queued"}
    try_for(shop, hours=10)
    assert {row.state for row in waiting(shop)} == {"failed"}


def try_for(shop: Shop, *, hours: int) -> None:
    """Time passes, and mails are sent, every hour."""
    for _ in range(hours):
        shop.service.clock.pass_by(hours=1)
        shop.round.send()


def asked_while_no_mail_goes_out(shop: Shop) -> None:
    shop.game()
    shop.smtp.error = NotNow("451 try again later")
    to = shop.service.address("Ann")
    shop.service.send(mail("show map", sender="ann@players.example", to=to), to)
    shop.round.mail()


def waiting(shop: Shop) -> list[OutboxRow]:
    """The answer to Ann."""
    with shop.service.session() as session:
        return list(session.exec(select(OutboxRow).where(col(OutboxRow.answers).is_not(None))).all())
