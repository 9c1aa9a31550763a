"""Disks that are full, databases that are locked, times of day that come twice, games that break the engine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from moderator.adapters.database import Database
from moderator.adapters.mail.maildir import folder_for
from moderator.service.table.table import Table
from tests.kit.service.broken_database import full, impatient, locked, read_only
from tests.kit.service.mail_service import mail
from tests.kit.service.shop import Shop

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


# ---- storage


@pytest.mark.fault(89)
def test_89_with_a_full_disk_nothing_is_acknowledged_and_afterwards_nothing_is_lost(
    shop: Shop,
) -> None:
    game = shop.game()
    before = {player: len(shop.service.letters(player)) for player in ("Ann", "Bob", "Cat")}
    shop.service.send(
        mail("open TSR 25\n" + "x" * 20_000, sender="ann@players.example", to=shop.service.address("Ann")),
        shop.service.address("Ann"),
    )
    with full(shop.service.desk.database):
        for _ in range(5):
            with pytest.raises(OperationalError):
                shop.round.mail()
        box = folder_for(shop.service.desk.settings.mail_folder, shop.service.desk.settings.address)
        assert len(list((box / "new").iterdir())) == 1
        assert {player: len(shop.service.letters(player)) for player in before} == before
    shop.round.mail()
    assert shop.service.outcomes() == ["unreadable"] or shop.service.log(game) == ["Ann: open TSR 25"]


@pytest.mark.fault(89)
def test_89_a_database_that_cannot_be_written_is_told_by_the_command(shop: Shop, tmp_path: Path) -> None:
    told = tmp_path / "told"
    settings = shop.service.desk.settings.model_copy(update={"alarm_command": f"tee -a {told}"})
    desk = replace(shop.service.desk, settings=settings)
    work = shop.another(desk)
    shop.game()
    with impatient(desk.database), locked(desk.database):
        for _ in range(3):
            try:
                shop.service.clock.pass_by(minutes=1)
                work.mail()
            except OperationalError as error:
                work.failed(error)
    text = told.read_text()
    assert text.count("The database cannot be used") == 1
    assert "locked" in text or "lock timeout" in text
    work.mail()


@pytest.mark.fault(89)
@pytest.mark.parametrize("broken", [read_only, locked], ids=["read-only", "locked"])
def test_89_a_service_that_starts_while_nothing_can_be_written_recovers_by_itself(
    shop: Shop, broken: Callable[[Database], AbstractContextManager[None]]
) -> None:
    game = shop.game()
    shop.service.send(mail("open TSR 25", to=shop.service.address("Ann")), shop.service.address("Ann"))
    started = replace(shop.service.desk, database=Database(shop.service.desk.settings.database_url))
    work = shop.another(started)
    with impatient(started.database), broken(started.database):
        for _ in range(3):
            with pytest.raises(OperationalError):
                work.mail()
    work.mail()
    assert shop.service.log(game) == ["Ann: open TSR 25"]
    started.database.close()


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
    from moderator.domain.clocks import wall

    time = wall.WallTime.parse(said)
    found = time.next_after(datetime(*now, tzinfo=UTC))  # type: ignore[misc,arg-type]
    assert wall.write(found, time.zone) == shown
    assert wall.instant(found, time.zone) == datetime(*moment, tzinfo=UTC)  # type: ignore[misc,arg-type]
    assert wall.read(shown) == (found, time.zone)


@pytest.mark.fault(58)
def test_58_deadlines_end_at_the_time_of_day_of_the_game(shop: Shop) -> None:
    from moderator.domain.clocks.wall import WallTime
    from moderator.service.play.new_games import Person, Terms, new_game

    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    new_game(shop.service.desk, Terms("1861", deadline_hours=24, deadline_time="20:00 Europe/Zurich"), people)
    assert [due for _, _, due in shop.due()] == [datetime(2026, 3, 2, 19, tzinfo=UTC)]
    for wrong in ("25:00 UTC", "20:00", "20:00 Mars/Olympus"):
        with pytest.raises(ValueError, match="zone"):
            WallTime.parse(wrong)


@pytest.mark.fault(59)
def test_59_when_a_government_moves_its_clocks_the_moment_moves_and_players_are_told(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zoneinfo import ZoneInfo

    from moderator.domain.clocks import wall
    from moderator.entrypoints.processes import worker
    from moderator.service.play.new_games import Person, Terms, new_game

    people = [Person(name, f"{name.lower()}@players.example") for name in ("Ann", "Bob", "Cat")]
    new_game(shop.service.desk, Terms("1861", deadline_hours=24, deadline_time="20:00 Europe/Zurich"), people)
    shop.round.sweep()
    (player, _, before), *_ = shop.due()
    assert "notice" not in shop.kinds(player)
    new_rule = ZoneInfo("Africa/Cairo")  # an hour further east from tomorrow on
    monkeypatch.setattr(wall, "zone_of", lambda name: new_rule)
    monkeypatch.setattr(worker, "_ZONES", 0)  # the service begins anew, or an hour is over
    shop.round.sweep()
    (_, state, due), *_ = shop.due()
    assert (state, due) == ("open", before - timedelta(hours=1))
    assert shop.kinds(player).count("notice") == 1
    assert "the time of day there stays the same" in " ".join(shop.service.letters(player)[-1].text.split())
    shop.round.sweep()
    assert shop.kinds(player).count("notice") == 1


@pytest.mark.fault(93)
def test_93_a_game_whose_deadline_breaks_the_engine_holds_up_no_other(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moderator.service.play import deadlines, deputy

    first, second = shop.game(), shop.service.game(deadline_hours=48)
    answer = deputy.answer_for_silence

    def broken(table: Table, *more: object) -> object:
        if table.row.id == first:
            raise RuntimeError("the bank is empty")
        return answer(table, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(deadlines, "answer_for_silence", broken)
    shop.pass_by(hours=49)
    states = {due[1] for due in shop.due()}
    assert states == {"open", "overdue"}
    assert sum(f"{first} is stuck" in text for text in shop.told()) == 1
    monkeypatch.undo()
    shop.round.sweep()
    assert {due[1] for due in shop.due()} == {"overdue"}
    assert second != first
