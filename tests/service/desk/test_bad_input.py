"""Input that a page cannot use: spoilt and foreign positions, files that are none, a browser that keeps
nothing, two windows. Each is told in a sentence, and another try works."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import engine
from engine import Game, Setup, positions
from engine.positions import write_position
from engine.robots import random_order, sensible
from moderator.desk.talk import Talk
from moderator.render.desk_link import desk_link
from tests.kit.browser.desk import PATIENCE, desk_in
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.pages import DESK, PHONE
from tests.kit.titles import TITLES

SPOILT = 40
"""The number of spoilt positions of each title."""
SHUT = """
for (const name of ["localStorage", "sessionStorage", "caches", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("shut", "SecurityError"); } });
}
Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { return undefined; } });
"""
"""A browser that lets a page keep nothing."""


FAILS = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (data, ...more) {
  if (window.spoil && data.request?.includes('"board"')) data.request = data.request.replace("board", "bored");
  return post.call(this, data, ...more);
};
"""
"""A page whose requests for the map go wrong if it is told so."""


def played(title: str, orders: int) -> Game:
    chance = random.Random(title)
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="x"))
    for _ in range(orders):
        game.submit(random_order(game, game.asked()[0], chance))
    return game


def written(head: str, state: bytes) -> str:
    """A position with a right check, whatever it holds."""
    body = f"{head}.{positions._coded(zlib.compress(state))}"
    return f"P1.{body}.{positions._check(body)}"


def parts(text: str) -> tuple[str, bytes]:
    _, head, state, _ = text.split(".")
    return head, zlib.decompress(positions._decoded(state))


def changed(state: bytes, chance: random.Random) -> bytes:
    """The same with other numbers or letters in a few places."""
    found = bytearray(state)
    for _ in range(chance.randint(1, 3)):
        at = chance.choice([at for at, sign in enumerate(found) if chr(sign).isalnum()])
        found[at] = ord(chance.choice("0123456789" if chr(found[at]).isdigit() else "ABNRS"))
    return bytes(found)


def unknown_title(text: str) -> str:
    head, state = parts(text)
    fields = json.loads(positions._unpacked(head))
    return written(positions._packed(json.dumps(["1899", *fields[1:]]).encode()), state)


def one_city_too_many() -> str:
    """A position with markers in a city that is not on the map: it can be read, and the rules fail on it."""
    game = Game.start(engine.load_title("1861"), Setup(("Ann", "Bob", "Cat"), seed="x"))
    while game.asked()[0].what != "company.turn":
        game.submit(sensible(game, game.asked()[0]))
    board = game.state.board
    markers = {hex: (*circles, circles[0] or circles[-1]) for hex, circles in board.markers.items()}
    game.state = replace(game.state, board=replace(board, markers=markers))
    return write_position(game, "")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_a_spoilt_position_is_opened_or_told_and_nothing_else(title: str) -> None:
    chance, told = random.Random(title), 0
    for orders in (10, 60, 110):
        head, state = parts(write_position(played(title, orders)))
        for _ in range(SPOILT // 3):
            text = written(head, changed(state, chance))
            answer = json.loads(Talk().answer(json.dumps({"do": "open", "with": {"position": text}})))
            assert ("view" in answer) != ("why" in answer)
            told += "why" in answer
            assert answer.get("said", "it opened")
    assert told


def test_rules_that_fail_on_a_position_are_no_open_sitting() -> None:
    text = write_position(played("1861", 60))
    talk = Talk()
    talk.answer(json.dumps({"do": "open", "with": {"position": text}}))
    answer = json.loads(talk.answer(json.dumps({"do": "open", "with": {"position": one_city_too_many()}})))
    assert answer["why"] == "wrong" and "does not hold together" in answer["said"]
    with pytest.raises(ValueError, match="no answer"):
        talk.answer(json.dumps({"do": "board"}))


def test_what_is_no_position_is_told_and_another_try_works(
    browser: Browser, url: str, memory: Memory, tmp_path: Path
) -> None:
    text = write_position(played("1861", 60), "Ann")
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.page.goto(desk_link(url, unknown_title(text)))
        fault = desk.find("#fault")
        expect(fault).to_contain_text("does not know the title", timeout=PATIENCE)
        expect(desk.find("#newer")).to_be_visible()
        for spoilt, said in (
            (one_city_too_many(), "does not hold together"),
            (text[: len(text) // 2], "not whole"),
            ("[Title 1861]\n1. Ann: pass", "not whole"),
        ):
            desk.find("#pasted").fill(spoilt)
            desk.press("Open it")
            expect(fault).to_contain_text(said)
            expect(desk.find("#desk")).to_be_hidden()
        for name, content in (("picture.png", bytes(range(256)) * 40), ("empty.txt", b"")):
            (tmp_path / name).write_bytes(content)
            desk.find("#file").set_input_files(tmp_path / name)
            expect(fault).to_contain_text("not whole")
        assert desk.violations() == []
        desk.find("#pasted").fill(text)
        desk.press("Open it")
        expect(desk.find("#desk")).to_be_visible()
        expect(fault).to_be_hidden()


def test_a_part_that_cannot_be_drawn_closes_the_position(browser: Browser, url: str, memory: Memory) -> None:
    text = write_position(played("1861", 60), "Ann")
    with desk_in(browser, DESK, script=FAILS, memory=memory) as desk:
        desk.open(url, "There is no position here yet.")
        desk.page.evaluate("window.spoil = true")
        desk.find("#pasted").fill(text)
        desk.press("Open it")
        expect(desk.find("#fault")).to_contain_text("there is no answer to 'bored'", timeout=PATIENCE)
        expect(desk.find("#desk")).to_be_hidden()
        desk.page.evaluate("window.spoil = false")
        desk.press("Open it")
        expect(desk.find("#desk")).to_be_visible()


def test_it_works_where_nothing_may_be_kept(browser: Browser, url: str) -> None:
    with desk_in(browser, DESK, script=SHUT) as desk:
        desk.open(desk_link(url, write_position(played("1861", 3), "Ann")))
        desk.press("pass")
        desk.stands("Tried: pass")
        expect(desk.find("#draft-says")).to_have_text("This browser keeps no draft.")
        desk.press("Undo")
        desk.stands("The last order is undone.")


def test_two_windows_on_one_turn_share_the_draft_and_nothing_else(browser: Browser, url: str, memory: Memory) -> None:
    game = played("1861", 0)
    player = game.asked()[0].player
    link = desk_link(url, write_position(game, player), game="1861-1", at="0")
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(link)
        desk.press("pass")
        desk.stands("Tried: pass")
        first, desk.page = desk.page, desk.context.new_page()
        desk.open(link)
        expect(desk.find("#draft-says")).to_contain_text("is back", timeout=PATIENCE)
        expect(desk.find("#given li.own")).to_have_count(1)
        desk.press("Undo")
        expect(desk.find("#given li.own")).to_have_count(0)
        expect(first.locator("#given li.own")).to_have_count(1)
        first.reload()
        expect(first.locator("#status")).to_have_text("Ready.", timeout=PATIENCE)
        expect(first.locator("#given li.own")).to_have_count(0)
