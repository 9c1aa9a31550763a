"""``away everywhere``: one mail for all games of a person, judged by the terms of each."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from moderator.adapters.tables import AbsenceRow, DeadlineRow, GameRow, SeatRow
from moderator.service.people.hand_over import hand_over
from moderator.service.table.table import lock_seat
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")
ANN, EVIL = "ann@players.example", "eve@evil.example"
DAYS = "2026-03-10 to 2026-03-20"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Its mail server checks senders."""
    service = Service.open(tmp_path / "var")
    settings = service.desk.settings.model_copy(update={"authserv_id": "mx.example.org"})
    return replace(service, desk=replace(service.desk, settings=settings))


@pytest.fixture
def games(service: Service) -> tuple[str, str, str]:
    """Ann sits in three games; the second allows five days, and the third is over."""
    found = (
        service.game("1861", ("Ann", "Bob", "Cat"), deadline_hours=300),
        service.game("1861", ("Dan", "Eve", "Ann"), deadline_hours=300, clock=[("away_days", "5")]),
        service.game("1861", ("Ann", "Fay", "Gil"), deadline_hours=300),
    )
    with service.desk.database.transaction() as session:
        session.get_one(GameRow, found[2]).status = "ended"
    return found


def write(service: Service, text: str, to: str, sender: str = ANN, *, proved: bool = True) -> Letter:
    """The answer to a mail, with proof of its sender unless told otherwise."""
    content = mail(text, sender=sender, to=to)
    if proved:
        domain = sender.rpartition("@")[2]
        head = f"Authentication-Results: mx.example.org; dmarc=pass header.from={domain}\r\n"
        content = head.encode() + b"Received: from x by mx.example.org; x\r\n" + content
    service.send(content, return_path=sender)
    service.run()
    return service.letters("Ann")[-1]


def to(service: Service, game: str, player: str = "Ann") -> str:
    return next(one.reply_to for one in reversed(service.letters(player)) if f"+{game}." in one.reply_to)


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


def absences(service: Service) -> set[tuple[str, str, str, str, bool]]:
    with service.session() as session:
        rows = session.exec(select(AbsenceRow, SeatRow).join(SeatRow, col(SeatRow.id) == col(AbsenceRow.seat))).all()
    return {(seat.game, seat.player, row.first, row.last, row.ended_at is not None) for row, seat in rows}


def due(service: Service, game: str) -> list[DeadlineRow]:
    with service.session() as session:
        return list(session.exec(select(DeadlineRow).where(DeadlineRow.game == game)).all())


def test_each_game_judges_by_its_own_terms_and_its_table_is_told(service: Service, games: tuple[str, str, str]) -> None:
    first, second, third = games
    before = due(service, first)[0].due_at
    answer = plain(write(service, f"away everywhere {DAYS}", to(service, first)))
    assert absences(service) == {(first, "Ann", "2026-03-10", "2026-03-20", False)}
    assert f"{first}: You are away: Tue 10 Mar 2026 to Fri 20 Mar 2026" in answer
    assert f"{second}: In this game you may be away on 5 days in a year" in answer
    assert "`away 2026-03-10 to 2026-03-14` would fit" in answer and f"{third}:" not in answer
    assert due(service, first)[0].due_at == before + timedelta(days=11)
    assert service.letters("Bob")[-1].subject == f"[{first}] Ann will be away"
    assert not any("away" in one.subject for name in ("Dan", "Eve", "Fay") for one in service.letters(name))
    write(service, "away everywhere 2026-04-01 to 2026-04-04", to(service, second))
    assert {(game, first_day) for game, _, first_day, *_ in absences(service)} == {
        (first, "2026-03-10"), (first, "2026-04-01"), (second, "2026-04-01"),
    }  # fmt: skip
    assert service.letters("Dan")[-1].subject == f"[{second}] Ann will be away"


def test_back_everywhere_ends_it_in_each_game(service: Service, games: tuple[str, str, str]) -> None:
    first, second, _ = games
    write(service, "away everywhere 2026-03-01 to 2026-03-04", to(service, first))
    answer = plain(write(service, "back everywhere", to(service, second)))
    assert f"{first}: Welcome back" in answer and f"{second}: Welcome back" in answer
    assert {ended for *_, ended in absences(service)} == {True}
    assert service.letters("Cat")[-1].subject == f"[{first}] Ann is back"
    assert service.letters("Eve")[-1].subject == f"[{second}] Ann is back"
    answer = plain(write(service, "back everywhere", to(service, second)))
    assert answer.count("You have not said that you are away") == 1


def test_plain_away_is_for_one_game_and_names_the_form_for_all(service: Service, games: tuple[str, str, str]) -> None:
    first, second, _ = games
    answer = plain(write(service, f"away {DAYS}", to(service, first)))
    assert f"`away everywhere {DAYS}` is for {second} too." in answer
    assert {game for game, *_ in absences(service)} == {first}
    answer = plain(write(service, "away everywhere 2026-03-10 to 2026-03-20", to(service, first)))
    assert f"{first}: You have said already that you are away" in answer


def test_a_person_with_one_game_is_not_told_of_others(service: Service, games: tuple[str, str, str]) -> None:
    service.say("Bob", f"away {DAYS}", to=to(service, games[0], "Bob"))
    assert "everywhere" not in plain(service.letters("Bob")[-1])


def test_check_and_a_list_change_nothing(service: Service, games: tuple[str, str, str]) -> None:
    answer = plain(write(service, "check\naway everywhere 2026-03-10 to 2026-03-12", to(service, games[0])))
    assert answer.count("You would be away") == 2 and not absences(service)
    answer = plain(write(service, "away everywhere", to(service, games[0]), proved=False))
    assert "You may be away on 30 days in 2026" in answer and "You may be away on 5 days in 2026" in answer


def test_the_secret_word_of_one_game_and_a_from_line_change_no_other_game(
    service: Service, games: tuple[str, str, str]
) -> None:
    for text in (f"away everywhere {DAYS}", "back everywhere"):
        for sender in (ANN, EVIL):
            asked = write(service, text, to(service, games[0]), sender, proved=False)
            assert not absences(service) and service.outcomes()[-1] == "unconfirmed"
            assert asked.kind == "notice" and "+confirm." in asked.reply_to
            reason = "counts for this game, but it asks for something in all your games"
            assert (reason in plain(asked)) == (sender == ANN)
    assert not any("away" in one.subject for name in ("Bob", "Dan") for one in service.letters(name))


def test_a_mail_without_proof_counts_once_the_address_of_record_agrees(
    service: Service, games: tuple[str, str, str]
) -> None:
    asked = write(service, "away everywhere 2026-03-10 to 2026-03-12", to(service, games[0]), proved=False)
    assert "`away everywhere 2026-03-10 to 2026-03-12`" in plain(asked)
    answer = plain(write(service, "yes", asked.reply_to, proved=False))
    assert answer.count("You are away") == 2 and {game for game, *_ in absences(service)} == set(games[:2])


def test_a_seat_that_was_given_away_is_not_his(service: Service, games: tuple[str, str, str]) -> None:
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, games[1], "Ann"), "Zoe", "zoe@else.example")
    write(service, "away everywhere 2026-03-10 to 2026-03-12", to(service, games[0]))
    assert {game for game, *_ in absences(service)} == {games[0]}


def test_two_seats_of_one_game_are_named(service: Service) -> None:
    game = service.game("1861", ("Ann", "Bob", "Cat"), deadline_hours=300)
    with service.desk.database.transaction() as session:
        session.exec(select(SeatRow).where(SeatRow.player == "Bob")).one().address = ANN
    write(service, "away everywhere 2026-03-10 to 2026-03-12", to(service, game))
    answer = plain(next(one for one in service.letters("Ann") if one.kind == "transcript"))
    assert f"{game} (Ann): You are away" in answer and f"{game} (Bob): You are away" in answer
    assert len(absences(service)) == 2
