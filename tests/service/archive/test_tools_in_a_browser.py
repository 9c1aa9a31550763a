"""The tools of a page of the archive, in Chromium: playing, finding, the larger map, the graphs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from playwright.sync_api import Browser

from engine.core.orders import Lay
from engine.svg import history
from engine.svg.marks import changed_hexes
from tests.kit.browser.archive import Built, build, robots_record
from tests.kit.browser.pages import DESK, PHONE, Seen, visited

SLOW, NORMAL, FAST = 2500, 1000, 250


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("archive")
    return build(robots_record(folder), folder / "site")


def order_of(seen: Seen) -> int:
    return int(seen.value("document.body.dataset.order"))


@contextmanager
def with_clock(browser: Browser, built: Built, number: int, calm: bool = False) -> Iterator[Seen]:
    """The page at an order, with a clock that only the test moves."""
    with visited(browser, built.index) as seen:
        seen.page.clock.install(time=0)
        seen.page.clock.pause_at(10)
        seen.page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
        seen.page.goto(f"{built.page}#{number}")
        seen.page.wait_for_selector("body[data-order]")
        yield seen


# ---- playing ---------------------------------------------------------------------------------------------------------


def test_nothing_moves_before_somebody_asks_for_it(browser: Browser, built: Built) -> None:
    with with_clock(browser, built, 3) as seen:
        seen.page.clock.run_for(60_000)
        assert order_of(seen) == 3


def test_play_and_pause(browser: Browser, built: Built) -> None:
    with with_clock(browser, built, 3) as seen:
        seen.page.get_by_role("button", name="Play").click()
        seen.page.clock.run_for(2 * NORMAL)
        assert order_of(seen) == 5
        assert seen.page.get_attribute("#order", "aria-live") == "off"
        seen.page.get_by_label("Speed").select_option("fast")
        seen.page.clock.run_for(NORMAL + 3 * FAST)  # the step that had begun ends at its own pace
        assert order_of(seen) == 9
        seen.page.get_by_role("button", name="Pause").click()
        seen.page.clock.run_for(10 * NORMAL)
        assert order_of(seen) == 9
        assert seen.page.get_attribute("#order", "aria-live") == "polite"
        assert seen.said == []


@pytest.mark.parametrize("key", ["Escape", "ArrowRight", "End"])
def test_a_key_ends_playing(browser: Browser, built: Built, key: str) -> None:
    with with_clock(browser, built, 3) as seen:
        seen.page.get_by_role("button", name="Play").click()
        seen.page.keyboard.press(key)
        stopped = order_of(seen)
        seen.page.clock.run_for(10 * NORMAL)
        assert order_of(seen) == stopped
        assert seen.page.get_by_role("button", name="Play").is_visible()


def test_playing_ends_with_the_game_and_begins_again_at_its_start(browser: Browser, built: Built) -> None:
    last = len(built.game.orders)
    with with_clock(browser, built, last - 1) as seen:
        play = seen.page.get_by_role("button", name="Play")
        play.click()
        seen.page.clock.run_for(5 * NORMAL)
        assert order_of(seen) == last
        play.click()
        assert order_of(seen) == 0


def test_calm_readers_get_a_slow_pace_only(browser: Browser, built: Built) -> None:
    with with_clock(browser, built, 3, calm=True) as seen:
        assert seen.page.locator("#speed option:not([disabled])").all_inner_texts() == ["slow"]
        seen.page.get_by_role("button", name="Play").click()
        seen.page.clock.run_for(SLOW - 1)
        assert order_of(seen) == 3
        seen.page.clock.run_for(1)
        assert order_of(seen) == 4


# ---- finding ---------------------------------------------------------------------------------------------------------


def test_orders_of_a_hex_are_found_by_its_name(browser: Browser, built: Built) -> None:
    game, hexes = built.game, built.game.title.map.hexes
    hex = next(order.hex for order in game.orders if isinstance(order, Lay) and hexes[order.hex].name)
    numbers = [
        n for n in range(1, len(game.orders) + 1) if hex in changed_hexes(game.at(n - 1).board, game.at(n).board)
    ]
    with visited(browser, f"{built.page}#0") as seen:
        field = seen.page.get_by_label("Company or hex")
        field.fill(hexes[hex].name.upper())
        assert seen.page.inner_text("#found") == f"{hex}: 0 of {len(numbers)}"
        for number in numbers:
            field.press("Enter")
            assert order_of(seen) == number
            assert seen.page.locator(".spot").get_attribute("data-part") == f"map.hexes.{hex}"
        field.press("Enter")
        assert seen.page.inner_text("#found") == f"{hex}: no later order"
        seen.page.keyboard.press("Home")  # of the text
        assert order_of(seen) == numbers[-1]
        for number in reversed(numbers[:-1]):
            field.press("Shift+Enter")
            assert order_of(seen) == number
        assert seen.said == []


def test_orders_of_a_company(browser: Browser, built: Built) -> None:
    company = next(order.actor for order in built.game.orders if order.actor in built.game.title.companies)
    with visited(browser, f"{built.page}#0") as seen:
        seen.page.get_by_label("Company or hex").fill(str(company))
        seen.page.get_by_role("button", name="Later order").click()
        first = order_of(seen)
        assert str(company) in seen.page.inner_text("#order")
        assert seen.page.locator("tr.spot th").get_attribute("data-name") == company
        seen.page.get_by_role("button", name="Later order").click()
        assert order_of(seen) > first
        seen.page.get_by_role("button", name="Earlier order").click()
        assert order_of(seen) == first
        seen.page.get_by_label("Company or hex").fill("no such place")
        seen.page.get_by_role("button", name="Later order").click()
        assert (seen.page.inner_text("#found"), order_of(seen)) == ("no company or hex of that name", first)


# ---- map, graphs, marks, orders --------------------------------------------------------------------------------------

MIDDLE = """(hex) => {
  const frame = document.querySelector("#map .frame").getBoundingClientRect();
  const box = document.querySelector(`[data-part="map.hexes.${hex}"]`).getBoundingClientRect();
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}"""


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_larger_map_shows_the_hex_of_the_order(browser: Browser, built: Built, size: tuple[int, int]) -> None:
    lays = [(n, order.hex) for n, order in enumerate(built.game.orders, 1) if isinstance(order, Lay)]
    assert len(lays) > 3
    with visited(browser, f"{built.page}#{lays[0][0]}", size) as seen:
        seen.page.get_by_role("button", name="Larger map").click()
        for number, hex in lays:
            seen.page.evaluate(f"location.hash = '#{number}'")
            seen.page.wait_for_selector(f"body[data-order='{number}']")
            assert seen.value(MIDDLE, hex)
        assert seen.width() == size[0]


GRAPH = """(graph) => {
  const figure = document.querySelector(`[data-graph=${graph}]`);
  const lines = [...figure.querySelectorAll("[data-line]")].filter((line) => line.checkVisibility());
  return {
    values: Object.fromEntries(lines.map((line) =>
      [line.dataset.line, Number(line.querySelector("b").textContent.replace(/[^0-9-]/g, ""))])),
    veiled: Number([...figure.querySelectorAll("svg > rect")].pop().getAttribute("width")),
  };
}"""


def test_the_graphs_follow_the_position(browser: Browser, built: Built) -> None:
    game, title = built.game, built.game.title
    with visited(browser, f"{built.page}#0") as seen:
        veiled = float("inf")
        for number in (0, 20, 50, len(game.orders)):
            seen.page.evaluate(f"location.hash = '#{number}'")
            seen.page.wait_for_selector(f"body[data-order='{number}']")
            state = game.at(number)
            worth, cash, price = (seen.value(GRAPH, graph) for graph in ("worth", "cash", "price"))
            assert worth["values"] == {p: title.score(title, state, p) for p in state.players}
            assert cash["values"] == {p: state.money(p) for p in state.players}
            assert price["values"] == {c: title.chart.price(marker.cell) for c, marker in state.prices.items()}
            assert worth["veiled"] < veiled
            veiled = worth["veiled"]


def test_the_slider_has_a_mark_for_each_round(browser: Browser, built: Built) -> None:
    game = built.game
    rounds = history(game.title, [game.at(n) for n in range(len(game.orders) + 1)])
    for size in (PHONE, DESK):
        with visited(browser, f"{built.page}#0", size) as seen:
            assert seen.page.locator("#marks line").count() == len(rounds)
            boxes = [box for text in seen.page.locator("#marks text").all() if (box := text.bounding_box())]
            assert boxes and all(a["x"] + a["width"] < b["x"] for a, b in pairwise(boxes))


def test_the_orders_are_one_tab_stop(browser: Browser, built: Built) -> None:
    with visited(browser, f"{built.page}#30") as seen:
        assert seen.page.locator("#log a:not([tabindex='-1'])").all_inner_texts() == ["#30"]
        seen.page.keyboard.press("Tab")
        seen.page.keyboard.press("Enter")  # the link that skips to the orders
        for _ in range(3):
            seen.page.keyboard.press("Tab")
            if seen.value("document.activeElement.textContent") == "#30":
                break
        for key, number in (("ArrowDown", 31), ("ArrowDown", 32), ("ArrowUp", 31)):
            seen.page.keyboard.press(key)
            assert order_of(seen) == number
            assert seen.value("document.activeElement.textContent") == f"#{number}"
        assert seen.said == []


def test_everybody_can_use_the_tools(browser: Browser, built: Built) -> None:
    for size, dark in ((PHONE, True), (DESK, False)):
        with visited(browser, f"{built.page}#40", size, dark=dark) as seen:
            seen.page.locator("#keys summary").click()
            seen.page.get_by_label("Company or hex").fill("Wien")
            seen.page.get_by_role("button", name="Larger map").click()
            seen.page.get_by_role("button", name="Play").click()
            assert seen.violations() == []
            assert seen.width() == size[0]
            assert "a round back or on" in seen.page.inner_text("#keys")
