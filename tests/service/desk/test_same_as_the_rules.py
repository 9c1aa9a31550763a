"""The desk against the rules: in positions of robots' games of all titles and editions its menu is that of the rules,
and each order has the same events or the same refusal, word for word."""

from __future__ import annotations

import json
import random
import re

import pytest
from playwright.sync_api import Browser

from engine import Refused
from engine.core.events import LotDrawn
from engine.core.ids import PlayerId
from grammar import read
from moderator import library
from moderator.desk.sitting import Sitting
from moderator.domain.vocabulary import vocabulary
from tests.kit.browser.desk import PATIENCE
from tests.kit.figures import Say
from tests.kit.samples import amount, prove
from tests.service.desk.positions_of_robots import EDITIONS, Asked, Page, menu_of, positions

FEW = 3
"""The number of positions of each edition in every run of the tests."""
ORDERS = 5
"""The number of orders tried in each position."""
WHOLE = 200
"""The number of positions of the long proof."""
NUMBER = re.compile(r"-?\d*\.?\d+")
IN_A_WORKER = """async (requests) => {
  const worker = new Worker("worker.js", {type: "module"});
  const answers = [];
  await new Promise((done, broken) => {
    worker.onerror = (event) => broken(new Error(event.message));
    worker.onmessage = ({data}) => {
      if (data.stage === "broken") broken(new Error(data.why));
      if (!data.stage) answers[data.id] = data.answer ?? `fault: ${data.fault}`;
      if (data.id === requests.length - 1) done();
    };
    requests.forEach((request, id) => worker.postMessage({id, request}));
  });
  worker.terminate();
  return answers;
}"""
"""The answers of Python in the browser, as the page gets them."""


def same_menu(asked: Asked, page: Page) -> None:
    """Every question of the seat has the menu of the rules."""
    shown = page.ask("open", position=asked.position)["view"]["asked"]
    asks = [ask for ask in asked.game.asked() if ask.player == asked.seat]
    assert [one["actor"] for one in shown] == [ask.actor for ask in asks]
    for one, ask in zip(shown, asks, strict=True):
        assert page.menu(one) == menu_of(asked.game, ask.actor), (asked.game.title.full_name, ask)


def same_result(asked: Asked, text: str) -> str:
    """An order has the result that it has in the game: ``legal``, ``refused``, or ``lot`` where it draws a lot, which
    the desk draws with another seed than the game."""
    desk, ready, game = Sitting.open(asked.position), Sitting.open(asked.position), asked.game
    assert isinstance(desk, Sitting) and isinstance(ready, Sitting)
    said = desk.give(text)["refused"]
    ready.prepare(text)
    assert (ready.give(text)["refused"], ready.given) == (said, desk.given), "what was prepared is the same"
    order = read(text, vocabulary(game.title, game.state.players), default_actor=None).orders[0]
    direct = game.check(order)
    if isinstance(direct, Refused):
        assert said == library.describe(game, direct).split("\n"), (asked.position, text)
        return "refused"
    assert said == [], (asked.position, text)
    if any(isinstance(event, LotDrawn) for event in direct):
        direct = game.seen_by(PlayerId(asked.seat)).check(order)
        assert desk.given[-1].events == direct
        return "lot"
    assert desk.given[-1].events == direct, (asked.position, text)
    return "legal"


def held_to_the_rules(places: list[Asked], chance: random.Random) -> dict[str, int]:
    counts = {"positions": 0, "legal": 0, "refused": 0, "lot": 0}
    for asked in places:
        same_menu(asked, Page())
        counts["positions"] += 1
        for text in asked.texts(chance, ORDERS):
            counts[same_result(asked, text)] += 1
    return counts


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_menus_and_results_are_those_of_the_rules(title: str, edition: str) -> None:
    found = held_to_the_rules(positions(title, edition, FEW), random.Random(f"{title}{edition}"))
    assert found["legal"] and found["refused"]


@pytest.mark.parametrize("seed", [prove("menus")])
def test_two_hundred_positions_of_all_editions(seed: str, say: Say) -> None:
    number = -(-amount("DESK_POSITIONS", WHOLE) // len(EDITIONS))
    places = [asked for title, edition in EDITIONS for asked in positions(title, edition, number, seed)]
    found = held_to_the_rules(places, random.Random(seed))
    say(f"desk, the same as the rules: {found}")
    assert found["legal"] > len(places) and found["refused"] > len(places)


# ---- in the browser


def talk_of(asked: Asked, chance: random.Random) -> list[tuple[str, str]]:
    """Requests of a page on a position with all their answers under CPython."""
    page = Page()
    same_menu(asked, page)
    for look in ("board", "chart", "tables", "runs"):
        page.ask(look)
    for text in asked.texts(chance, ORDERS):
        page.ask("effect", text=text)
        page.ask("prepare", text=text)
        page.ask("give", text=text)
        page.ask("undo")
    return page.record


def alike(answer: str, expected: str) -> bool:
    """True if two answers are the same but for the last decimal of lengths in pictures: newer versions of Python add
    numbers more exactly."""
    if answer == expected or json.loads(answer) == json.loads(expected):
        return True
    words = [NUMBER.split(text) for text in (answer, expected)]
    lengths = zip(*(map(float, NUMBER.findall(text)) for text in (answer, expected)), strict=False)
    return "<svg" in answer and words[0] == words[1] and all(abs(one - other) < 0.11 for one, other in lengths)


def test_python_in_the_browser_gives_the_same_answers(browser: Browser, url: str, say: Say) -> None:
    chance = random.Random(8)
    places = [positions(title, edition, 5, "browser")[-1] for title, edition in EDITIONS]
    record = [pair for asked in places for pair in talk_of(asked, chance)]
    page = browser.new_page()
    page.set_default_timeout(3 * PATIENCE)
    page.goto(url)
    answers = page.evaluate(IN_A_WORKER, [request for request, _ in record])
    page.context.close()
    for (request, expected), answer in zip(record, answers, strict=True):
        assert alike(answer, expected), request[:300]
    say(f"desk, {len(places)} positions in the browser: {len(answers)} answers as those of CPython")
