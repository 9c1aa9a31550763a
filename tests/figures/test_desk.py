"""How long the desk takes in Chromium, for docs/desk.md. Nothing here fails because a machine is slow."""

from __future__ import annotations

import gzip
import statistics
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import engine
from engine import Game
from engine.positions import write_position
from engine.robots import sensible
from moderator.render.desk_link import desk_link
from tests.kit.browser import chromium
from tests.kit.browser.desk import OpenDesk, built, desk_in, hosted
from tests.kit.browser.pages import PHONE
from tests.kit.browser.slow import Far, slowed
from tests.kit.figures import Say

pytestmark = pytest.mark.bench

TIMES = 5
SLOW = 4
"""The part of the processor that a slow telephone has: a quarter."""
PRESS = """async ([press, watched]) => {
  const begun = performance.now();
  const changed = new Promise((done) => {
    const watch = new MutationObserver(() => { watch.disconnect(); done(); });
    watch.observe(document.querySelector(watched), {childList: true, subtree: true});
  });
  if (press.startsWith("#p=")) location.hash = press; else document.querySelector(press).click();
  await changed;
  return performance.now() - begun;
}"""
"""Milliseconds from pressing something, or from another link, until an element has changed."""


def links(url: str) -> list[str]:
    """Links to turns of companies in the middle of a game."""
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "desk"))
    found: list[str] = []
    while len(found) <= TIMES:
        ask = game.asked()[0]
        if ask.what == "company.turn" and len(game.orders) > 150:
            found.append(desk_link(url, write_position(game, ask.player), game="1861-1", at=str(len(game.orders))))
        game.submit(sensible(game, ask))
    return found


def visit(desk: OpenDesk, link: str) -> float:
    begun = time.perf_counter()
    desk.open(link)
    return (time.perf_counter() - begun) * 1000


def figures(browser: Browser, url: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {
        "first visit": [],
        "later visit": [],
        "another turn": [],
        "order": [],
        "redraw": [],
    }
    places = links(url)
    for number in range(TIMES):
        with desk_in(browser, PHONE) as desk:
            found["first visit"].append(visit(desk, places[number]))
            desk.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            desk.remembers()
            desk.page.goto("about:blank")
            found["later visit"].append(visit(desk, places[number]))
            other = places[number + 1].removeprefix(url)
            found["another turn"].append(desk.page.evaluate(PRESS, [other, "#asked"]))
            desk.stands("Ready.")
            desk.page.wait_for_timeout(2_000)
            found["order"].append(desk.page.evaluate(PRESS, ["#asked .answer", "#given"]))
            desk.page.wait_for_timeout(2_000)
            found["redraw"].append(desk.page.evaluate(PRESS, ["#undo", "#picture"]))
            desk.page.wait_for_timeout(1_000)
    return found


def told(say: Say, where: str, found: dict[str, list[float]]) -> None:
    for what, times in found.items():
        middle, best = statistics.median(times), min(times)
        say(f"{where}, {what}: {middle:.0f} ms (median of {len(times)}, at best {best:.0f} ms)")


def test_the_desk_in_a_browser(tmp_path: Path, say: Say) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    built(folder)
    with chromium() as browser:
        with hosted(folder, Far) as url, slowed(browser, SLOW):
            told(say, f"desk, a {SLOW}th of the processor, 4G", figures(browser, url))
        with hosted(folder) as url:
            told(say, "desk", figures(browser, url))
    length = [len(link) for link in links("")]
    say(f"desk, a link: {min(length)} to {max(length)} characters")
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    packed = sum(len(gzip.compress(content)) for content in files)
    say(f"desk, its folder: {sum(map(len, files)) / 1e6:.1f} MB, {packed / 1e6:.1f} MB packed by gzip")
