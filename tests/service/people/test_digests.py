"""One daily mail for all games of a person: what waits for him, the news of each game, and an address for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from moderator.adapters.tables import OutboxRow, PersonRow, SeatToken
from moderator.entrypoints.processes.web import site_of
from moderator.service.people.address_change import take_effect
from moderator.service.people.hand_over import hand_over
from moderator.service.post.list_headers import stop_token
from moderator.service.robots.unsubscribe import unsubscribe
from moderator.service.table import digests as digest_module
from moderator.service.table.digests import daily_news
from moderator.service.table.table import lock_seat
from tests.kit.service import robot_mails
from tests.kit.service.mail_service import Letter, Service, mail

pytestmark = pytest.mark.usefixtures("each_database")
ANN, OWN = "ann@players.example", "railpost@example.org"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def game_of(service: Service, *players: str) -> str:
    return service.game("1861", players, deadline_hours=200)


def to(service: Service, player: str, game: str) -> str:
    return next(one.reply_to for one in reversed(service.letters(player)) if f"+{game}." in one.reply_to)


def say(service: Service, player: str, game: str, text: str) -> Letter | None:
    return service.say(player, text, to=to(service, player, game))


@pytest.fixture
def games(service: Service) -> tuple[str, str, str]:
    """Ann is third in two games, in which others begin, and first in another; she wants daily news in all of them."""
    found = (
        game_of(service, "Bob", "Cat", "Ann"),
        game_of(service, "Dan", "Eve", "Ann"),
        game_of(service, "Ann", "Fay", "Gil"),
    )
    for game in found:
        say(service, "Ann", game, "notify daily")
    return found


def digests(service: Service, player: str = "Ann") -> list[Letter]:
    return [one for one in service.letters(player) if one.kind == "digest"]


def a_day_later(service: Service, *moved: tuple[str, str]) -> int:
    """Each (player, game) passes, and a day goes by. Returns the number of daily mails."""
    for player, game in moved:
        say(service, player, game, "pass")
    service.clock.pass_by(days=1, minutes=1)
    written = daily_news(service.desk)
    service.run()
    return written


def plain(letter: Letter) -> str:
    return " ".join(letter.text.split())


def test_one_mail_a_day_has_what_waits_and_the_news_of_each_game(service: Service, games: tuple[str, str, str]) -> None:
    first, second, third = games
    say(service, "Ann", third, "zone Asia/Tokyo")
    before = len(service.letters("Ann"))
    assert a_day_later(service, ("Bob", first), ("Dan", second)) == 1
    (digest,) = service.letters("Ann")[before:]
    text = plain(digest)
    assert digest.kind == "digest" and digest.subject == "Your games: 1 question waits for you, news of 2 games"
    assert text.index("WAITS FOR YOU") < text.index(f"{third}, Ann") < text.index("NEWS") < text.index(f"{first}, Ann")
    assert re.search(rf"{third}, Ann: .* is due by [^.]*Asia/Tokyo", text)
    assert "Bob: passed." in text and "Dan: passed." in text
    assert daily_news(service.desk) == 0
    assert a_day_later(service) == 0, "nothing has happened since"
    assert a_day_later(service, ("Cat", first)) == 0, "now both wait for her, and nothing is news"


def test_each_game_has_its_own_address_and_orders_to_it_count(service: Service, games: tuple[str, str, str]) -> None:
    first, second, third = games
    a_day_later(service, ("Bob", first), ("Dan", second))
    (digest,) = digests(service)
    found = re.findall(r"railpost\+(1861-\d+)\.\d+\.[a-z2-7]+@example\.org", digest.text)
    assert sorted(found) == sorted(games)
    assert {f"+{game}." in digest.html for game in games} == {True} and 'href="mailto:railpost+' in digest.html
    address = re.search(rf"railpost\+{third}\.[^\s]+", digest.text)
    assert address is not None
    service.say("Ann", "open TSR 20", to=address.group())
    assert service.outcomes()[-1] == "applied" and service.log(third) == ["Ann: open TSR 20"]


@pytest.mark.parametrize("text", ["pass", "open TSR 20", "BEGIN 1861-3\npass\nEND", "BEGIN\nopen TSR 20\nEND", "yes"])
def test_an_answer_to_the_digest_itself_is_carried_out_in_no_game(
    service: Service, games: tuple[str, str, str], text: str
) -> None:
    first, second, _ = games
    a_day_later(service, ("Bob", first), ("Dan", second))
    (digest,) = digests(service)
    assert digest.reply_to == OWN
    logs = [service.log(game) for game in games]
    quoted = "\n".join(f"> {line}" for line in digest.text.splitlines())
    answer = service.say("Ann", f"{text}\n\n{quoted}", to=digest.reply_to)
    assert [service.log(game) for game in games] == logs
    assert answer is not None and answer.subject == "Railpost: your mail went to no game"
    assert "Nothing of it was carried out" in plain(answer)
    assert "write to the address that stands under the game" in plain(answer)


def test_a_digest_that_is_quoted_without_marks_does_nothing_either(
    service: Service, games: tuple[str, str, str]
) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    (digest,) = digests(service)
    logs = [service.log(game) for game in games]
    service.say("Ann", f"pass\n\n{digest.text}", to=digest.reply_to)
    assert [service.log(game) for game in games] == logs and service.outcomes()[-1] == "wrong_token"


def test_a_block_with_its_secret_word_is_for_its_game_alone(service: Service, games: tuple[str, str, str]) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    (digest,) = digests(service)
    word = re.search(rf"railpost\+{games[2]}\.\d+\.([a-z2-7]+)@", digest.text)
    assert word is not None
    service.say("Ann", f"BEGIN {games[2]} token {word.group(1)}\nopen TSR 20\nEND", to=digest.reply_to)
    assert service.log(games[2]) == ["Ann: open TSR 20"]


def test_nobody_gets_the_news_of_another(service: Service, games: tuple[str, str, str]) -> None:
    first, second, _ = games
    game_of(service, "Ivo", "Kim", "Lea")
    a_day_later(service, ("Bob", first), ("Dan", second))
    assert all(not digests(service, player) for player in ("Bob", "Cat", "Dan", "Eve", "Fay", "Ivo", "Lea"))
    (digest,) = digests(service)
    assert set(re.findall(r"1861-\d+", digest.text)) == set(games)
    with service.session() as session:
        seat = service.seat(first, "Ann")
        others = session.exec(select(SeatToken.token).where(col(SeatToken.seat).not_in(_seats(service, games)))).all()
        assert seat.id is not None and others and not any(word in digest.text for word in others)


def _seats(service: Service, games: Sequence[str]) -> list[int | None]:
    return [service.seat(game, "Ann").id for game in games]


def test_a_person_with_one_daily_game_gets_the_mail_of_that_game(service: Service) -> None:
    first = game_of(service, "Bob", "Cat", "Ann")
    game_of(service, "Dan", "Eve", "Ann")
    say(service, "Ann", first, "notify daily")
    assert a_day_later(service, ("Bob", first)) == 1
    letter = service.letters("Ann")[-1]
    assert letter.kind == "news" and f"+{first}." in letter.reply_to and not digests(service)


def test_a_hand_over_on_the_same_day_separates_the_games(service: Service, games: tuple[str, str, str]) -> None:
    first, second, _ = games
    say(service, "Bob", first, "pass")
    say(service, "Dan", second, "pass")
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, first, "Ann"), "Zoe", "zoe@else.example")
    assert a_day_later(service) == 1
    (digest,) = digests(service)
    assert first not in digest.text and second in digest.text
    assert not [one for one in service.mailbox("zoe@else.example") if one.kind == "digest"]
    assert all(second not in one.text for one in service.mailbox("zoe@else.example"))


def test_a_digest_of_the_day_follows_the_person_to_a_new_address(service: Service, games: tuple[str, str, str]) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    with service.desk.sitting() as sitting:
        take_effect(sitting, lock_seat(sitting, games[0], "Ann"), "ann@new.example")
    with service.session() as session:
        assert session.get_one(PersonRow, "ann@new.example").digest_at == service.clock.now()
        assert session.get(PersonRow, ANN) is None


def test_the_unsubscribe_address_of_a_digest_ends_digests_and_keeps_turn_mails(
    service: Service, games: tuple[str, str, str]
) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    (digest,) = digests(service)
    stop = re.search(r"mailto:([^?]+)", str(digest.message["List-Unsubscribe"]))
    assert stop is not None
    service.send(mail("unsubscribe", sender=ANN, to=stop.group(1)), stop.group(1), ANN)
    service.run()
    assert service.outcomes()[-1] == "unsubscribe"
    assert [service.seat(game, "Ann").notify for game in games] == ["turn"] * 3
    assert [service.seat(game, "Ann").stopped_at for game in games] == [None] * 3
    assert service.letters("Ann")[-1].subject == "No more daily mail about your games"
    with service.desk.looking() as sitting:
        token = stop_token(sitting, service.seat(games[0], "Ann"), "digest")
    assert unsubscribe(service.desk, token) == "already"


def test_the_page_of_a_digest_asks_and_stops(service: Service, games: tuple[str, str, str]) -> None:
    with service.desk.sitting() as sitting:
        token = stop_token(sitting, service.seat(games[1], "Ann"), "digest")
    site = site_of(service.desk)
    assert "no more daily mail about your games" in str(site.ask(token).body)
    assert service.seat(games[0], "Ann").notify == "daily", "looking changes nothing"
    assert "You get no more daily mail" in str(site.stop(token).body)
    assert service.seat(games[0], "Ann").notify == "turn"


def test_a_complaint_about_a_digest_ends_digests_and_a_bounce_counts(
    service: Service, games: tuple[str, str, str]
) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    path = str(digests(service)[-1].message["Return-Path"]).strip("<>")
    service.send(robot_mails.status(ANN, to=path), return_path="")
    service.run()
    assert [service.seat(game, "Ann").bounces for game in games] == [1, 1, 1]
    service.send(robot_mails.complaint(ANN, to=path, returned=f"To: {ANN}\n"), return_path="")
    service.run()
    assert [service.seat(game, "Ann").notify for game in games] == ["turn"] * 3
    assert any("reported his daily mail" in one.text for one in service.mailbox("master@example.net"))


def test_the_addresses_of_a_digest_supersede_older_ones_once_it_is_sent(
    service: Service, games: tuple[str, str, str]
) -> None:
    a_day_later(service, ("Bob", games[0]), ("Dan", games[1]))
    words = re.findall(r"railpost\+1861-\d+\.\d+\.([a-z2-7]+)@", digests(service)[-1].text)
    with service.session() as session:
        assert len(words) == 3 and all(session.get_one(SeatToken, word).sent_at is not None for word in words)
        row = session.exec(select(OutboxRow).where(OutboxRow.kind == "digest")).one()
        assert row.game is None and row.player is None


def test_two_services_write_one_digest(service: Service, games: tuple[str, str, str]) -> None:
    say(service, "Bob", games[0], "pass")
    service.clock.pass_by(days=1, minutes=1)
    with service.desk.sitting() as sitting:  # both have read the games before either writes
        part = digest_module._part(sitting, service.seat(games[0], "Ann").id, games[0], ANN)
    assert part is not None
    written = []
    for _ in range(2):
        with service.desk.sitting() as sitting:
            written.append(digest_module._write(sitting, ANN, [part]))
    service.run()
    assert written == [True, False] and len(digests(service)) == 1


def test_one_query_finds_who_is_due(service: Service, games: tuple[str, str, str]) -> None:
    assert games
    said: list[str] = []
    event.listen(service.desk.database.engine, "before_cursor_execute", lambda *all: said.append(all[2]))
    assert daily_news(service.desk) == 0
    assert len([one for one in said if "FROM seat" in one]) == 1
