"""Visits to the desk in Chromium: what is kept for the next one, what works without a network or without storage, and
what is told when something is wrong."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

import engine
from engine.positions import write_position
from tests.kit.browser.desk import desk_in, hosted
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.desk_table import STRANGE, begun, some_position
from tests.kit.browser.pages import DESK, PHONE
from tests.kit.titles import TITLES

SPOIL = """async () => {
  const cache = await caches.open((await caches.keys()).find((name) => name.includes("memory")));
  await cache.put("memory", new Response("spoilt"));
}"""
"""Spoils the memory that an earlier visit has left."""
HOLDS = """async (word) => {
  const holds = (bytes) => Array.from({length: 3}, (_, at) => new TextDecoder(["utf-8", "utf-16le", "utf-16le"][at])
    .decode(bytes.subarray(at === 2 ? 1 : 0))).some((text) => text.includes(word));
  if ([localStorage, sessionStorage].some((kept) => JSON.stringify(kept).includes(word))) return true;
  if ((await indexedDB.databases()).length) return true;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const one of await cache.keys()) {
      if (one.url.includes(word) || holds(new Uint8Array(await (await cache.match(one)).arrayBuffer()))) return true;
    }
  }
  return false;
}"""
"""True if anything that the page has stored has a word in it."""


def test_a_draft_is_kept_until_it_is_forgotten(browser: Browser, url: str, memory: Memory) -> None:
    link = some_position(url)
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(link)
        desk.press("pass")
        desk.stands("Tried: pass")
        desk.page.reload()
        expect(desk.find("#draft-says")).to_contain_text("is back", timeout=60_000)
        expect(desk.find("#given li.own")).to_have_count(1)
        desk.press("Forget the draft")
        desk.page.reload()
        desk.stands("Ready.")
        expect(desk.find("#given li.own")).to_have_count(0)


def test_it_works_after_the_first_visit_when_its_server_is_gone(browser: Browser, site: Path) -> None:
    with desk_in(browser, PHONE) as desk:
        with hosted(site) as url:
            desk.open(some_position(url))
            desk.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        desk.page.reload()
        desk.stands("Ready.")
        desk.press("pass")
        desk.stands("Tried: pass")


def test_the_memory_of_python_is_kept_for_the_next_visit(browser: Browser, url: str, memory: Memory) -> None:
    """It stands in for one that does not fit, which is thrown away."""
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(some_position(url))
        desk.page.evaluate(SPOIL)
        desk.asked.clear()
        desk.page.reload()
        desk.stands("Ready.")
        assert any(link.endswith("app.zip") for link in desk.asked), "Python was begun anew"
        desk.said.clear()
        desk.press("pass")
        desk.stands("Tried: pass")
        desk.remembers()
        assert desk.page.evaluate("Object.keys(localStorage).length") == 1, "the draft"
        desk.find("#forget").click()
        assert desk.page.evaluate("Object.keys(localStorage).length") == 0
        assert desk.page.evaluate("document.cookie") == ""
        assert desk.page.evaluate(HOLDS, "Ann"), "the search finds the names of the game that is played for it"
        assert not desk.page.evaluate(HOLDS, STRANGE), "and no word of the player's own position"
        desk.asked.clear()
        desk.page.reload()
        desk.stands("Ready.")
        assert not any(link.endswith("app.zip") for link in desk.asked), "Python was not begun anew"
        for title in TITLES:
            desk.follow("p=" + write_position(begun(title), STRANGE))
            expect(desk.find("#title")).to_have_text(engine.load_title(title).full_name)
        desk.press("pass")
        desk.stands("Tried: pass")


def test_it_works_without_storage(browser: Browser, url: str, memory: Memory) -> None:
    shut = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('shut'); }});"
    with desk_in(browser, DESK, script=shut, memory=memory) as desk:
        desk.open(some_position(url))
        desk.press("pass")
        desk.stands("Tried: pass")
        expect(desk.find("#draft-says")).to_have_text("This browser keeps no draft.")


def test_what_cannot_be_opened_is_told_and_another_try_works(browser: Browser, url: str, memory: Memory) -> None:
    link = some_position(url)
    position = re.sub(r".*#p=", "", link)
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.page.goto(link[:-30])
        fault = desk.find("#fault")
        expect(fault).to_contain_text("has probably cut it", timeout=60_000)
        expect(fault).to_contain_text("the mail's own links")
        desk.find("#pasted").fill(position.replace("P1.", "P9."))
        desk.press("Open it")
        expect(fault).to_contain_text("another version")
        expect(desk.find("#newer")).to_be_visible()
        desk.find("#pasted").fill("no position at all")
        desk.press("Open it")
        expect(fault).to_contain_text("not whole")
        middle = len(position) // 2
        desk.find("#pasted").fill(f"Here it is:\n{position[:middle]}\n  {position[middle:]}\n")
        desk.press("Open it")
        expect(desk.find("#desk")).to_be_visible()
        expect(fault).to_be_hidden()


def test_without_a_position_it_says_how_to_get_one(browser: Browser, url: str, memory: Memory, tmp_path: Path) -> None:
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(url, "There is no position here yet.")
        expect(desk.find("#bring")).to_contain_text("in the mail of your turn")
        assert desk.violations() == []
        file = tmp_path / "position.txt"
        file.write_text(some_position(url).partition("#p=")[2])
        desk.find("#file").set_input_files(file)
        desk.stands("Ready.")


def test_a_browser_without_webassembly_is_told_so(browser: Browser, url: str) -> None:
    with desk_in(browser, DESK, script="delete window.WebAssembly;") as desk:
        desk.page.goto(some_position(url))
        expect(desk.find("#fault")).to_contain_text("it has no WebAssembly. The mail's own links")
