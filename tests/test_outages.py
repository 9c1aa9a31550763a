"""Clocks that jump, services that were off, servers that are away: no deadline ends for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from moderator.adapters.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.tables import DeadlineRow, OutboxRow
from moderator.domain.ports import Away, Barred, Incoming, Outgoing
from moderator.domain.ticks import Tick, judge
from moderator.entrypoints.rounds import Round
from moderator.service import watch
from moderator.service.desk import Desk
from tests.mail_service import START, Service, mail


class StillMeter:
    """Passes with the service's clock, unless that is set."""

    def __init__(self, service: Service) -> None:
        self._service, self.ahead, self.boot = service, timedelta(0), "one"

    def seconds(self) -> float:
        return (self._service.clock.moment - START - self.ahead).total_seconds() + 1_000

    def jump(self, **span: float) -> None:
        """The clock is set; no time has passed."""
        self._service.clock.pass_by(**span)
        self.ahead += timedelta(**span)


class Trouble:
    """A server that can be taken away: ``error`` is what it raises then."""

    error: Exception | None = None

    def probe(self) -> None:
        if self.error:
            raise self.error


class Box(Trouble):
    def __init__(self, service: Service) -> None:
        settings = service.desk.settings
        self._box = MaildirIntake(folder_for(settings.mail_folder, settings.address))
        self.name = self._box.name

    def waiting(self, largest: int, known: Container[str] = ()) -> Iterator[Incoming]:
        self.probe()
        return self._box.waiting(largest, known)

    def file(self, reference: str, outcome: str) -> None:
        self._box.file(reference, outcome)


class Way(Trouble):
    def __init__(self, service: Service) -> None:
        self._way = MaildirOutlet(service.desk.settings.mail_folder)

    def send(self, mail: Outgoing) -> None:
        self.probe()
        self._way.send(mail)


class Shop:
    """A service with its rounds, a meter and its troubles."""

    def __init__(self, root: Path) -> None:
        self.service = Service.open(root)
        self.meter = StillMeter(self.service)
        self.imap, self.smtp = Box(self.service), Way(self.service)
        self.start()

    def start(self) -> None:
        """The process begins, perhaps again: what it knew is gone."""
        self.round = self.another()

    def another(self, desk: Desk | None = None) -> Round:
        """One more service on the same database."""
        return Round(desk or self.service.desk, self.imap, self.smtp, self.service.complaints.append, self.meter)

    def game(self, **more: object) -> str:
        game = self.service.game(deadline_hours=48, **more)  # type: ignore[arg-type]
        self.round.sweep()
        return game

    def pass_by(self, **span: float) -> None:
        """Time passes while the service does its work."""
        end = self.service.clock.moment + timedelta(**span)
        while self.service.clock.moment < end:
            self.service.clock.pass_by(minutes=20)
            self.round.sweep()

    def due(self) -> list[tuple[str, str, datetime]]:
        with self.service.desk.database.reading() as session:
            rows = session.exec(select(DeadlineRow).order_by(col(DeadlineRow.id))).all()
            return [(row.player, row.state, row.due_at) for row in rows]

    def kinds(self, player: str) -> list[str]:
        return [letter.kind for letter in self.service.letters(player)]

    def told(self) -> list[str]:
        """What the operator got."""
        return [letter.text for letter in self.service.mailbox("master@example.net")]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


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


@pytest.mark.fault(60)
def test_60_a_clock_that_was_set_right_again_still_waits_for_the_operator(shop: Shop) -> None:
    shop.game()
    shop.meter.jump(days=30)
    shop.round.sweep()
    shop.meter.jump(days=-30)
    shop.round.sweep()
    assert "clock" in shop.round.watch.frozen()
    by = watch.accept_clock(shop.service.desk)
    assert by is not None and abs(by) < timedelta(seconds=1)
    assert shop.round.watch.frozen() == {}
    shop.pass_by(hours=49)
    assert shop.due()[0][1] == "overdue"


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


# ---- the service was off


@pytest.mark.fault(61)
def test_61_deadlines_that_fell_into_an_outage_move_by_a_day_and_the_player_is_told(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=47)
    shop.service.clock.pass_by(hours=3)  # nobody was there
    shop.start()
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=72))]
    notice = shop.service.letters("Ann")[-1]
    assert notice.kind == "notice"
    assert "until Wed 4 Mar 2026" in " ".join(notice.text.split())
    assert "reminder" not in shop.kinds("Ann")
    assert any("1 deadline that fell into it" in text for text in shop.told())
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=72))]
    shop.pass_by(hours=23)
    assert shop.due()[0][1] == "overdue"


@pytest.mark.fault(61)
def test_61_a_long_outage_moves_them_by_its_length(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=47)
    shop.service.clock.pass_by(days=5)
    shop.start()
    shop.round.sweep()
    (_, state, due), *_ = shop.due()
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


@pytest.mark.fault(61)
def test_61_mail_that_came_during_the_outage_is_decided_before_any_deadline(shop: Shop) -> None:
    game = shop.game()
    shop.pass_by(hours=47)
    order = mail("open TSR 25", sender="ann@players.example", to=shop.service.address("Ann"))
    shop.service.send(order, shop.service.address("Ann"))
    shop.service.clock.pass_by(hours=3)
    shop.start()
    shop.round.sweep()
    assert shop.service.log(game) == ["Ann: open TSR 25"]
    assert shop.due()[0][:2] == ("Ann", "met")
    assert "reminder" not in shop.kinds("Ann")


@pytest.mark.fault(61, 54)
def test_61_a_mail_that_came_in_time_and_waits_to_be_decided_holds_the_deadline(shop: Shop) -> None:
    from sqlalchemy import update

    from moderator.adapters.tables import MailRow

    shop.game()
    shop.pass_by(hours=47)
    shop.service.send(mail("open TSR 25", to=shop.service.address("Ann")), shop.service.address("Ann"))
    shop.service.take_in()
    with shop.service.desk.database.transaction() as session:  # another service works on it
        until = shop.service.clock.moment + timedelta(hours=9)
        early = shop.service.clock.moment
        session.exec(update(MailRow).values(lease_until=until, lease_owner="other", received_at=early))
    shop.pass_by(hours=2)
    assert shop.due()[0][1] == "open"


@pytest.mark.fault(61)
def test_61_an_outage_that_ends_in_another_one_is_dealt_with_once(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=47)
    shop.service.clock.pass_by(hours=3)
    shop.start()
    shop.round.watch.tick()  # and killed before anything else was done
    shop.service.clock.pass_by(hours=3)
    shop.start()
    shop.round.sweep()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=72))]
    assert shop.kinds("Ann").count("notice") == 1


@pytest.mark.fault(62)
def test_62_deadlines_are_rows_and_what_was_missed_is_made_up_by_the_next_sweep(shop: Shop) -> None:
    shop.game()
    shop.pass_by(hours=47)
    shop.service.clock.pass_by(minutes=29)
    shop.round.mail()
    shop.service.clock.pass_by(minutes=29)
    shop.round.mail()
    shop.service.clock.pass_by(minutes=29)
    shop.start()  # no timer survived
    shop.round.sweep()
    assert shop.due()[0][1] == "overdue"
    assert "reminder" in shop.kinds("Ann")


# ---- servers that are away


@pytest.mark.fault(61, 81)
@pytest.mark.parametrize("which", ["imap", "smtp"])
def test_81_while_a_server_is_away_no_deadline_ends_and_then_it_moves(shop: Shop, which: str) -> None:
    shop.game()
    shop.pass_by(hours=47)
    server: Trouble = getattr(shop, which)
    server.error = Away("it says nothing")
    if which == "smtp":
        shop.service.send(mail("help", to=shop.service.address("Bob"), sender="bob@players.example"))
    shop.pass_by(hours=4)
    assert which in shop.round.watch.frozen()
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]
    server.error = None
    shop.pass_by(minutes=20)
    shop.round.sweep()
    assert shop.round.watch.frozen() == {}
    assert shop.due() == [("Ann", "open", START + timedelta(hours=72))]
    assert sum("has been away since" in text for text in shop.told()) == 1


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


@pytest.mark.fault(81)
def test_81_a_refused_login_is_told_at_once_and_once(shop: Shop) -> None:
    shop.game()
    shop.imap.error = Barred("imap.example.org refuses our login: password expired")
    shop.pass_by(hours=3)
    assert sum("does not let us in" in text for text in shop.told()) == 1
    assert shop.due() == [("Ann", "open", START + timedelta(hours=48))]
    shop.pass_by(hours=4)
    assert sum("does not let us in" in text for text in shop.told()) == 2


@pytest.mark.fault(81)
def test_81_a_server_that_another_service_missed_and_is_there_is_found_out(shop: Shop) -> None:
    shop.game()
    other = shop.another()
    shop.round.mail()
    other.watch.away("imap", Away("gone"))
    assert "imap" in shop.round.watch.frozen()
    shop.round.sweep()
    assert shop.round.watch.frozen() == {}


# ---- storage


@pytest.fixture
def full(shop: Shop) -> Callable[[bool], None]:
    """The database has no room for one more page, or has again."""
    desk = shop.service.desk

    def set_to(full: bool) -> None:
        desk.database.close()
        from sqlalchemy import event

        def limited(connection: sqlite3.Connection, _record: object) -> None:
            connection.execute(f"PRAGMA max_page_count = {1 if full else 1_000_000}")

        event.listen(desk.database.engine, "connect", limited)

    return set_to


@pytest.mark.fault(89)
def test_89_with_a_full_disk_nothing_is_acknowledged_and_afterwards_nothing_is_lost(
    shop: Shop, full: Callable[[bool], None]
) -> None:
    game = shop.game()
    before = {player: len(shop.service.letters(player)) for player in ("Ann", "Bob", "Cat")}
    shop.service.send(
        mail("open TSR 25\n" + "x" * 20_000, sender="ann@players.example", to=shop.service.address("Ann")),
        shop.service.address("Ann"),
    )
    full(True)
    for _ in range(5):
        with pytest.raises(OperationalError):
            shop.round.mail()
    box = folder_for(shop.service.desk.settings.mail_folder, shop.service.desk.settings.address)
    assert len(list((box / "new").iterdir())) == 1
    assert {player: len(shop.service.letters(player)) for player in before} == before
    full(False)
    shop.round.mail()
    assert shop.service.outcomes() == ["unreadable"] or shop.service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(89)
def test_89_a_database_that_cannot_be_written_is_told_by_the_command(shop: Shop, tmp_path: Path) -> None:
    from dataclasses import replace

    told = tmp_path / "told"
    settings = shop.service.desk.settings.model_copy(update={"alarm_command": f"tee -a {told}"})
    desk = replace(shop.service.desk, settings=settings)
    work = shop.another(desk)
    shop.game()
    holder = sqlite3.connect(tmp_path / "railpost.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    desk.database.close()
    from sqlalchemy import event

    event.listen(desk.database.engine, "connect", lambda c, _: c.execute("PRAGMA busy_timeout=50"))
    for _ in range(3):
        try:
            shop.service.clock.pass_by(minutes=1)
            work.mail()
        except OperationalError as error:
            work.failed(error)
    text = told.read_text()
    assert text.count("The database cannot be used") == 1
    assert "locked" in text
    holder.execute("ROLLBACK")
    work.mail()


# ---- walls


@pytest.mark.fault(58)
@pytest.mark.parametrize(
    ("now", "said", "shown", "moment"),
    [
        # 02:30 does not exist on 29 March in Zurich: the later one, 03:30 there
        ((2026, 3, 28, 12), "2:30 Europe/Zurich", "2026-03-29T02:30 Europe/Zurich", (2026, 3, 29, 1, 30)),
        # 02:30 comes twice on 25 October: the second
        ((2026, 10, 24, 12), "02:30 Europe/Zurich", "2026-10-25T02:30 Europe/Zurich", (2026, 10, 25, 1, 30)),
        ((2026, 3, 7, 12), "02:30 America/New_York", "2026-03-08T02:30 America/New_York", (2026, 3, 8, 7, 30)),
        ((2026, 10, 31, 12), "01:30 America/New_York", "2026-11-01T01:30 America/New_York", (2026, 11, 1, 6, 30)),
        # half an hour only: Lord Howe
        ((2026, 4, 4, 3), "01:45 Australia/Lord_Howe", "2026-04-05T01:45 Australia/Lord_Howe", (2026, 4, 4, 15, 15)),
        ((2026, 7, 1, 12), "20:00 Asia/Kolkata", "2026-07-01T20:00 Asia/Kolkata", (2026, 7, 1, 14, 30)),
        ((2026, 7, 1, 12), "08:00 UTC", "2026-07-02T08:00 UTC", (2026, 7, 2, 8)),
    ],
)
def test_58_a_time_of_day_that_is_missing_or_comes_twice_is_the_later_moment(
    now: tuple[int, ...], said: str, shown: str, moment: tuple[int, ...]
) -> None:
    from moderator.domain import wall

    time = wall.WallTime.parse(said)
    found = time.next_after(datetime(*now, tzinfo=UTC))  # type: ignore[misc,arg-type]
    assert wall.write(found, time.zone) == shown
    assert wall.instant(found, time.zone) == datetime(*moment, tzinfo=UTC)  # type: ignore[misc,arg-type]
    assert wall.read(shown) == (found, time.zone)


@pytest.mark.fault(58)
def test_58_deadlines_end_at_the_time_of_day_of_the_game(shop: Shop) -> None:
    from moderator.domain.wall import WallTime
    from moderator.service.table import Person, new_game

    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    new_game(shop.service.desk, "1861", None, {}, people, deadline_hours=24, deadline_time="20:00 Europe/Zurich")
    assert [due for _, _, due in shop.due()] == [datetime(2026, 3, 2, 19, tzinfo=UTC)]
    for wrong in ("25:00 UTC", "20:00", "20:00 Mars/Olympus"):
        with pytest.raises(ValueError, match="zone"):
            WallTime.parse(wrong)


@pytest.mark.fault(59)
def test_59_when_a_government_moves_its_clocks_the_moment_moves_and_players_are_told(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zoneinfo import ZoneInfo

    from moderator.domain import wall
    from moderator.service.table import Person, new_game

    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    new_game(shop.service.desk, "1861", None, {}, people, deadline_hours=24, deadline_time="20:00 Europe/Zurich")
    shop.round.sweep()
    (player, _, before), *_ = shop.due()
    assert "notice" not in shop.kinds(player)
    new_rule = ZoneInfo("Africa/Cairo")  # an hour further east from tomorrow on
    monkeypatch.setattr(wall, "zone_of", lambda name: new_rule)
    shop.round.sweep()
    (_, state, due), *_ = shop.due()
    assert (state, due) == ("open", before - timedelta(hours=1))
    assert shop.kinds(player).count("notice") == 1
    assert "stays at the time of day" in " ".join(shop.service.letters(player)[-1].text.split())
    shop.round.sweep()
    assert shop.kinds(player).count("notice") == 1


@pytest.mark.fault(93)
def test_93_a_game_whose_deadline_breaks_the_engine_holds_up_no_other(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service import deadlines

    first, second = shop.game(), shop.service.game(deadline_hours=48)
    answer = deadlines._answer_for_silence

    def broken(desk: object, session: object, row: object, *more: object) -> object:
        if row.id == first:  # type: ignore[attr-defined]
            raise RuntimeError("the bank is empty")
        return answer(desk, session, row, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(deadlines, "_answer_for_silence", broken)
    shop.pass_by(hours=49)
    states = {due[1] for due in shop.due()}
    assert states == {"open", "overdue"}
    assert sum(f"{first} is stuck" in text for text in shop.told()) == 1
    monkeypatch.undo()
    shop.round.sweep()
    assert {due[1] for due in shop.due()} == {"overdue"}
    assert second != first
