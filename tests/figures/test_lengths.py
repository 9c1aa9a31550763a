"""How long turn mails are over a whole game: a recorded one of 1861, and one of 1844 between robots."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from sqlmodel import col, select

import engine
from engine.robots import sensible
from moderator.adapters.tables import OutboxRow
from moderator.entrypoints.records.commands import orders_with_players
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.service.post.pictures import Album
from tests.kit.service.mail_service import Service, mail

pytestmark = pytest.mark.bench

Mails = Sequence[tuple[str, str]]
"""A player and the text of a mail."""


def of_record(path: Path) -> tuple[engine.Game, Mails]:
    """A recorded game at its start, and its orders, one mail for each turn."""
    start, given, _ = orders_with_players(path)
    turns = groupby(given, lambda one: (one[0], one[1].actor))
    return start, [(player, as_text(start, [order for _, order in turn])) for (player, _), turn in turns]


def of_robots() -> tuple[engine.Game, Mails]:
    setup = engine.Setup(("Ann", "Bob", "Cat", "Dan"), "a seed", "Ann")
    start, game = (engine.Game.start(engine.load_title("1844"), setup) for _ in range(2))
    return start, list(_turns(game))


def _turns(game: engine.Game) -> Iterator[tuple[str, str]]:
    while not game.finished:
        player = game.asked()[0].player
        orders = orders_of_turn(game, player, sensible)
        yield player, as_text(game, orders)
        for order in orders:
            game.submit(order)


@pytest.mark.parametrize("name", ["1861/29683", "1844 of robots"])
def test_turn_mails(
    name: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def undrawn(_album: Album, outgoing: object, *_: object) -> object:
        return outgoing

    monkeypatch.setattr(Album, "complete", undrawn)  # what a mail says does not wait for it
    recorded = name == "1861/29683"
    start, mails = of_record(request.getfixturevalue("records") / f"{name}.json") if recorded else of_robots()
    text, html = lengths(Service.open(tmp_path, pictures=True), start, mails)
    said = f"{len(text)} turn mails of {name}: text {figures(text)} characters, HTML {figures(html)} bytes"
    with capsys.disabled():
        print(f"\n{said}", end="")  # noqa: T201 - printing figures is what this is for


def lengths(service: Service, start: engine.Game, mails: Mails) -> tuple[list[int], list[int]]:
    """Characters of the text and bytes of the HTML of each turn mail, once the game has been played by mail."""
    title, players = start.title, start.setup.players
    people = [Person(player, f"p{number}@players.example") for number, player in enumerate(players)]
    terms = Terms(title.name, title.edition, title.options)
    game = new_game(service.desk, terms, people, setup=engine.Setup(players, "a seed", start.setup.priority))
    service.run()
    addresses = {person.name: person.address for person in people}
    for player, said in mails:
        with service.session() as session:
            latest = select(OutboxRow.reply_to).where(OutboxRow.player == player).order_by(col(OutboxRow.id).desc())
            to = session.exec(latest).first() or ""
        service.send(mail(said, sender=addresses[player], to=to), to)
        service.run()
    assert service.position(game).finished, service.complaints
    with service.session() as session:
        turns = session.exec(select(OutboxRow).where(OutboxRow.kind == "turn")).all()
    return [len(row.text) for row in turns], [len(row.html.encode()) for row in turns]


def figures(found: list[int]) -> str:
    found.sort()
    return f"median {statistics.median(found):.0f}, 95 % {found[int(len(found) * 0.95)]}, longest {found[-1]}"
