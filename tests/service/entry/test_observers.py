"""Observers get the news of each round, public press and the end, and nothing that is secret to a seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from moderator.adapters.tables import BounceRow
from moderator.service.desk import Sitting
from moderator.service.entry import observers
from moderator.service.entry.observers import tell_observers
from moderator.service.play.masters.master import end
from moderator.service.play.undo import undo
from moderator.service.table.table import Table, lock_table
from tests.kit.service.guests import address_of, answer, said, there, write
from tests.kit.service.mail_service import Letter, Service

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path)


@pytest.fixture
def game(service: Service) -> str:
    game = service.game()
    (asked,) = write(service, "Olga", f"observe {game}")
    assert there(service, "observer", game) == [] and "news" in said(asked)
    answer(service, "Olga")
    assert there(service, "observer", game) == ["Olga"]
    return game


def told(service: Service) -> list[Letter]:
    """The mails of one sweep to the observer."""
    before = len(service.mailbox(address_of("Olga")))
    service.clock.pass_by(minutes=1)
    tell_observers(service.desk)
    service.run()
    return service.mailbox(address_of("Olga"))[before:]


def test_an_observer_is_told_when_a_round_is_over(service: Service, game: str) -> None:
    service.say("Ann", "pass")
    assert told(service) == []
    round_before = str(service.position(game).state.round)
    service.say("Ann", "limit 80 on TSR", to=service.address("Ann"))
    while str(service.position(game).state.round) == round_before:
        service.say(str(service.position(game).asked()[0].player), "pass")
    (news,) = told(service)
    assert news.kind == "observer" and "WHAT HAPPENED" in news.text and "Passed" in said(news)
    assert "80 on TSR" not in news.text and "players.example" not in news.text and "+1861" not in news.text
    assert told(service) == []


def test_press_for_all_is_passed_on_and_no_other(service: Service, game: str) -> None:
    service.clock.pass_by(minutes=1)
    service.say("Ann", "press: good evening to all")
    service.say("Ann", "press Bob: sell NW before Cat does")
    (press,) = told(service)
    assert "good evening to all" in said(press) and "Ann writes" in said(press)
    assert told(service) == []


def test_the_end_is_told_and_ends_it(service: Service, game: str) -> None:
    service.say("Ann", "pass")
    end(service.desk, game, "nobody has time")
    (over,) = told(service)
    assert "the game is over" in over.subject and "nobody has time" in said(over)
    assert there(service, "observer", game) == [] and told(service) == []
    (late,) = write(service, "Dan", f"observe {game}")
    assert "is over" in said(late)


def test_an_observer_leaves(service: Service, game: str) -> None:
    (again,) = write(service, "Olga", f"observe {game}")
    assert "already" in said(again)
    write(service, "Olga", f"leave {game}")
    (left,) = answer(service, "Olga", kind="you leave")
    assert "You have left" in said(left) and there(service, "observer", game) == []


def test_an_observer_leaves_in_an_answer_to_news(service: Service, game: str) -> None:
    service.clock.pass_by(minutes=1)
    service.say("Ann", "press: good evening to all")
    (press,) = told(service)
    assert f"`leave {game}`" in said(press)
    quoted = "".join(f"> {line}\n" for line in press.text.splitlines())
    write(service, "Olga", f"leave {game}\n\nRailpost wrote:\n{quoted}", press.reply_to)
    answer(service, "Olga", kind="you leave")
    assert there(service, "observer", game) == []


def test_an_observer_whose_mail_comes_back_is_written_no_more(service: Service, game: str) -> None:
    with service.session() as session:
        session.add(BounceRow(address=address_of("Olga"), kind="hard", at=service.clock.now()))
        session.commit()
    end(service.desk, game)
    assert told(service) == [] and there(service, "observer", game) == []


def test_a_player_needs_not_observe_his_own_game(service: Service, game: str) -> None:
    write(service, "Ann", f"observe {game}", sender="ann@players.example")
    assert "You play in" in said(service.letters("Ann")[-1])


def test_an_observed_game_is_opened_only_when_something_may_be_new(
    service: Service, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def lock(sitting: Sitting, name: str) -> Table:
        opened.append(name)
        return lock_table(sitting, name)

    monkeypatch.setattr(observers, "lock_table", lock)
    assert told(service) == [] and told(service) == []
    assert opened == [game], "for the first time"
    service.say("Ann", "pass")
    assert told(service) == [] and told(service) == []
    assert opened == [game] * 2
    undo(service.desk, game, 0, "a slip")
    assert told(service) == [] and told(service) == []
    assert opened == [game] * 3
    service.say("Ann", "press: sorry")
    (press,) = told(service)
    assert "sorry" in said(press) and opened == [game] * 4
    assert told(service) == [] and opened == [game] * 4
