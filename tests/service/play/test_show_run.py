"""``show run`` and ``show lays`` with lays that are not made yet."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

import engine
from engine import orders as o
from engine.core.game import Game
from engine.core.ids import CompanyId
from engine.robots import sensible
from grammar import read, write
from moderator import render
from moderator.domain.transcript import Shown
from moderator.domain.vocabulary import vocabulary
from moderator.service.play.shows import show
from moderator.words.question.questions import questions
from moderator.words.texts import words
from tests.kit.games.render_games import info


@pytest.fixture(scope="module")
def game() -> Game:
    """A company with a train is asked to lay track, and some lay makes its best run better."""
    played = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="show"))
    while not better(played):
        assert played.submit(sensible(played, played.asked()[0]))
    return played


def better(game: Game) -> tuple[o.Lay, int] | None:
    """A lay after which the company that is asked earns more, and the sum."""
    company = game.asked()[0].actor
    if company not in game.title.companies or not game.state.companies[CompanyId(company)].trains:
        return None
    now = game.best_run(CompanyId(company)).value
    for choice in game.legal(company):
        later = game.fork()
        if isinstance(choice.order, o.Lay) and not isinstance(later.submit(choice.order), engine.Refused):
            then = later.best_run(CompanyId(company)).value
            if then > now > 0:
                return choice.order, then
    return None


def asked(game: Game, argument: str) -> Any:
    """The answer to ``show run ARGUMENT`` from the player who is asked, read as a line of a mail."""
    names = vocabulary(game.title)
    (word,) = read(f"show run {argument}", names).words
    sitting = SimpleNamespace(words=render)
    table: Any = SimpleNamespace(game=game, live=SimpleNamespace(vocabulary=names), sitting=sitting)
    seat: Any = SimpleNamespace(player=game.asked()[0].player)
    return show(table, seat, word.argument or "")


def test_the_run_after_a_lay_is_that_of_the_track_with_it(game: Game) -> None:
    found = better(game)
    assert found is not None
    lay, value = found
    before = game.state
    text = write(lay, vocabulary(game.title))
    for argument in (f"after {text}", f"{lay.actor} after {text}", f"{lay.actor} best after {text}"):
        shown = asked(game, argument)
        assert isinstance(shown, Shown)
        assert (shown.company, shown.after) == (lay.actor, (text,))
        assert f"R{value}" in shown.text and f"after {text}, which is not laid yet" in shown.text
    assert game.state is before


def test_given_routes_are_tried_on_the_track_with_the_lay(game: Game) -> None:
    found = better(game)
    assert found is not None
    lay, value = found
    later = game.fork()
    later.submit(lay)
    routes = later.best_run(lay.actor).routes
    said = ", ".join(f"{route.train} {'-'.join(route.hexes)}" for route in routes)
    shown = asked(game, f"{said} after {write(lay, vocabulary(game.title))}")
    assert isinstance(shown, Shown) and shown.routes == routes and f"R{value}" in shown.text


def test_a_lay_that_is_not_legal_is_refused_with_the_reasons(game: Game) -> None:
    key, facts = asked(game, "after lay 8 A5 0")
    assert key == "show.run_after"
    assert facts["failures"]


def test_two_lays_are_joined_by_and() -> None:
    names = vocabulary(engine.load_title("1861"))
    (word,) = read("show run GRR after lay 8 K9 SW-N and lay 57 H8 2", names).words
    assert word.argument == "run GRR after lay 8 K9 1 and lay 57 H8 2"
    (word,) = read("show run 2 K9-H8, 3 H8-I13 after lay 8 K9 1", names, default_actor="GRR").words
    assert word.argument == "run 2 K9-H8, 3 H8-I13 after lay 8 K9 1"


def test_the_lays_after_a_lay_are_those_of_a_second_tile() -> None:
    """Reproduced: a mail gave the first lay, and nobody knew what the second could be."""
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="show"))
    while not any(isinstance(c.order, o.Lay) for c in game.legal(game.asked()[0].actor)):
        assert game.submit(sensible(game, game.asked()[0]))
    player, names = game.asked()[0].player, vocabulary(game.title)
    (question,) = questions(words(), game, player)
    (group,) = [group for group in question.groups if group.kind == "Lay"]
    said = group.second.split("`")[1]
    assert said.startswith("show lays after lay ")
    assert said in render.turn_mail(game, info(game, player), player, len(game.orders)).text.replace("\n  ", " ")
    (word,) = read(said, names, default_actor=game.asked()[0].actor).words
    table: Any = SimpleNamespace(
        game=game, live=SimpleNamespace(vocabulary=names), sitting=SimpleNamespace(words=render)
    )
    seat: Any = SimpleNamespace(player=player)
    before, shown = game.state, show(table, seat, word.argument or "")
    assert isinstance(shown, Shown) and game.state is before
    lay = said.removeprefix("show lays after ")
    assert f"after {lay}, which is not laid yet" in " ".join(shown.text.split())
    later = game.fork()
    (order,) = read(lay, names, default_actor=game.asked()[0].actor).orders
    assert later.submit(order)
    second = {c.order.hex for c in later.legal(game.asked()[0].actor) if isinstance(c.order, o.Lay)}
    assert second and all(re.search(rf"^{hex}\b", shown.text, re.M) for hex in second)
    assert show(table, seat, "lays after lay 8 A5 0")[0] == "show.run_after"  # type: ignore[index]


@pytest.mark.parametrize(("name", "several"), [("1861", True), ("1867", True), ("1863", True), ("1844", False)])
def test_the_second_tile_is_told_where_there_is_one(name: str, several: bool) -> None:
    played = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="second"))
    while not any(isinstance(c.order, o.Lay) and c.order.using is None for c in played.legal(played.asked()[0].actor)):
        assert played.submit(sensible(played, played.asked()[0]))
    found = questions(words(), played, played.asked()[0].player)
    assert any(group.second for question in found for group in question.groups) == several
