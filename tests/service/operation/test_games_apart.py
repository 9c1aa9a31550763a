"""A game that this program cannot read holds up no other, whatever is due in it, and its operator is told once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from engine import Title
from moderator.adapters.tables import DeadlineRow, EntryRow, OutboxRow, PendingRow, SeatRow
from moderator.service.games import default_titles
from moderator.service.operation import outages
from moderator.service.operation.carry import Asked, keep_to_ask
from moderator.service.operation.restoration import Replaced, go_on
from moderator.service.people.address_change import sweep_pending
from moderator.service.people.silence import remind_silent
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.holds import look_back
from moderator.service.post.list_headers import stop_token
from moderator.service.robots.bounces import refused
from moderator.service.robots.unsubscribe import unsubscribe
from moderator.service.service_facts import all_kept
from moderator.service.table.digests import daily_news
from moderator.service.table.stuck import STUCK
from tests.kit.service.mail_service import START, Service
from tests.kit.service.upgrades import as_of_another_form, changed, dearer, play_on, row_of, upgraded

UNREADABLE, OTHER = "1861-1", "1844-1"


def dearer_1861(name: str, edition: str, options: Mapping[str, str]) -> Title:
    return (changed(dearer) if name == "1861" else default_titles)(name, edition, options)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """After an upgrade: of one of two games nothing can be read any more."""
    return upgraded(Service.made(tmp_path, two_games), dearer_1861)


def two_games(service: Service) -> None:
    """Of one of them the log keeps no events, and its positions have another form."""
    service.game("1861", deadline_hours=48)
    service.game("1844", ("Dan", "Eve", "Fay"), deadline_hours=48)
    play_on(service, UNREADABLE, 2)
    play_on(service, OTHER, 1)
    for player in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay"):
        service.say(player, f"address {player.lower()}.new@players.example\nnotify daily")
    as_of_another_form(service)
    with service.desk.database.transaction() as session:
        session.exec(update(EntryRow).where(col(EntryRow.game) == UNREADABLE).values(events=None))


def kinds(service: Service, game: str) -> list[str]:
    """The mails that are still to go, about a game."""
    with service.session() as session:
        wanted = select(OutboxRow.kind).where(OutboxRow.game == game, OutboxRow.state == "queued")
        return list(session.exec(wanted.order_by(col(OutboxRow.id))).all())


def stuck(service: Service) -> list[str]:
    with service.session() as session:
        return list(all_kept(session, STUCK))


def told(service: Service) -> int:
    service.run()
    return sum("1861-1 is stuck" in letter.text for letter in service.mailbox("master@example.net"))


@pytest.mark.fault(61)
def test_61_deadlines_of_an_outage_are_moved_in_all_games(service: Service) -> None:
    with service.desk.sitting() as sitting:
        outages.note(sitting, START + timedelta(hours=40), START + timedelta(hours=50))
    service.clock.pass_by(hours=50)
    assert outages.settle(service.desk) == 2, "also where nobody can be told"
    assert kinds(service, OTHER) == ["notice"] and stuck(service) == [UNREADABLE] and told(service) == 1
    assert outages.pending(service.desk) is None
    assert outages.settle(service.desk) == 0


@pytest.mark.fault(59)
def test_59_a_country_that_changes_its_clock_moves_the_deadlines_of_all_games(service: Service) -> None:
    with service.desk.database.transaction() as session:
        session.exec(update(DeadlineRow).values(wall="2026-03-03T20:00 Europe/Zurich"))
    assert outages.follow_zones(service.desk) >= 2
    assert kinds(service, OTHER) == ["notice"] and told(service) == 1
    assert outages.follow_zones(service.desk) == 0


@pytest.mark.fault(40)
def test_40_requests_of_other_games_end(service: Service) -> None:
    with service.desk.database.transaction() as session:
        session.exec(update(PendingRow).values(state="confirmed"))
    service.clock.pass_by(days=4)
    assert sweep_pending(service.desk) == 3
    assert service.seat(OTHER, "Dan").address == "dan.new@players.example"
    assert service.seat(UNREADABLE, "Ann").address == "ann@players.example"
    assert sweep_pending(service.desk) == 0 and told(service) == 1


@pytest.mark.fault(96)
def test_96_silent_seats_of_other_games_are_reminded(service: Service) -> None:
    service.clock.pass_by(days=20)
    assert remind_silent(service.desk) == 1
    assert kinds(service, OTHER) == ["reminder"] and told(service) == 1


def test_daily_news_of_other_games_are_written(service: Service) -> None:
    service.clock.pass_by(days=2)
    daily_news(service.desk)
    assert "news" in kinds(service, OTHER) and told(service) == 1


def test_deadlines_of_other_games_end_whoever_is_to_be_reminded(service: Service) -> None:
    with service.desk.database.transaction() as session:
        ours = update(DeadlineRow).where(col(DeadlineRow.game) == UNREADABLE)
        session.exec(ours.values(remind_at=START, due_at=START + timedelta(days=9)))
    service.clock.pass_by(hours=60)
    assert sweep_deadlines(service.desk) == 1
    assert kinds(service, OTHER) == ["reminder", "notice", "notice"] and told(service) == 1


@pytest.mark.fault(68)
def test_68_mail_that_comes_back_counts_in_all_games(service: Service) -> None:
    with service.desk.database.transaction() as session:
        session.exec(update(OutboxRow).values(state="failed", error="550 5.1.1 nobody of that name"))
        session.exec(update(SeatRow).values(bounces=service.desk.settings.bounces_allowed - 1))
    assert refused(service.desk) > 2
    for game, player in ((UNREADABLE, "Ann"), (OTHER, "Dan")):
        assert service.seat(game, player).unreachable_at is not None
    assert stuck(service) == []


@pytest.mark.fault(74)
def test_74_who_wants_no_mail_gets_none(service: Service) -> None:
    with service.desk.looking() as sitting:
        token = stop_token(sitting, service.seat(UNREADABLE, "Ann"))
    assert unsubscribe(service.desk, token) == "stopped"
    assert service.seat(UNREADABLE, "Ann").stopped_at is not None


@pytest.mark.fault(91)
def test_91_after_a_restore_other_games_go_on_and_requests_are_asked_again(service: Service) -> None:
    before = [row_of(service, game).at for game in (OTHER, UNREADABLE)]
    with service.desk.sitting() as sitting:
        seats = [service.seat(UNREADABLE, "Ann"), service.seat(OTHER, "Eve")]
        due = service.clock.moment + timedelta(days=3)
        asked = [
            Asked(seat=seat.id or 0, kind="address", address="new@players.example", state="open", due=due, digest="")
            for seat in seats
        ]
        keep_to_ask(sitting, asked)
    assert go_on(service.desk, Replaced(service.clock.moment, 0, (), (), ())) == 2
    assert all(row_of(service, game).at > at + 900 for game, at in zip((OTHER, UNREADABLE), before, strict=True))
    assert kinds(service, OTHER).count("notice") == 4 and "turn" in kinds(service, OTHER)
    assert told(service) == 1


def test_it_is_stuck_until_no_sweep_fails_any_more(service: Service) -> None:
    look_back(service.desk)
    assert row_of(service, UNREADABLE).status == "held" and stuck(service) == []
    service.clock.pass_by(days=4)
    with service.desk.database.transaction() as session:
        session.exec(update(PendingRow).values(state="confirmed"))
    sweep_pending(service.desk)
    assert stuck(service) == [UNREADABLE]
    service.clock.pass_by(minutes=50)
    look_back(service.desk)
    assert stuck(service) == [UNREADABLE]
    service.clock.pass_by(minutes=11)
    look_back(service.desk)
    assert stuck(service) == []
