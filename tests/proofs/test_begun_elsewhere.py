"""Games of people, begun elsewhere and cut off, that go on by mail between robots to their end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.robots import sensible
from grammar import write_block
from moderator.domain.records.import_18xx import read_game
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.records.commands import given_in
from moderator.entrypoints.robot_player import orders_of_turn
from moderator.service.operation.verification import replay_all
from moderator.service.play.journal.rebuild import rebuild
from moderator.service.play.new_games import Person, Terms, new_game
from tests.kit.service.mail_service import Service

pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("each_database")]
GAMES = ("1861/29683", "1844/160062", "1841/132002")
PARTS = {"third": 1 / 3, "half": 1 / 2, "two thirds": 2 / 3}
MOST_TURNS = 4_000


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", GAMES)
def test_it_goes_on_to_the_end(
    tmp_path: Path, records: Path, name: str, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads((records / f"{name}.json").read_text("utf-8"))
    data["actions"] = data["actions"][: int(len(data["actions"]) * PARTS[part])]
    data |= {"status": "active", "result": {}}
    found = read_game(name, {key: value for key, value in data.items() if key not in ("round", "turn")})
    for _ in found.play():
        pass
    begun = found.game
    title, players = begun.title, begun.setup.players
    service = Service.open(tmp_path / "var")
    people = [Person(f"P{number}", f"p{number}@players.example") for number, _ in enumerate(players)]
    terms = Terms(title.name, title.edition, dict(title.options))
    game = new_game(service.desk, terms, people, begun.setup, [(str(who), order) for who, order in given_in(begun)])
    service.run()
    assert service.position(game).told_digest() == begun.told_digest()
    persons = dict(zip(players, (person.name for person in people), strict=True))
    turns = 0
    while not (position := service.position(game)).finished and turns < MOST_TURNS:
        player = str(position.asked()[0].player)
        orders = orders_of_turn(position, player, sensible)
        service.say(persons[player], write_block(orders, vocabulary(title)))
        assert service.position(game).orders != position.orders or service.position(game).asked() != position.asked()
        turns += 1
    assert position.finished
    built = rebuild(service.desk, game)
    assert built is not None and built.differs == ""
    assert all(not one.fault for one in replay_all(service.desk.database, service.desk.games))
    assert service.letters("P0")[-1].kind == "over"
    played = len(position.orders) - len(begun.orders)
    with capsys.disabled():
        print(f"\n{name} at {part}: {len(begun.orders)} orders, then {played} in {turns} mails")  # noqa: T201
