"""The archive in Chromium, opened from its folder: every position by keys and by touch, on a telephone and a desk."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from engine import Game, svg
from tests.kit.browser.archive import Built, build, robots_record, runs_of
from tests.kit.browser.pages import DESK, PHONE, Seen, visited
from tests.kit.samples import sampled

PLACES = 20
GAMES = ("1844 of robots", "1861/29683", "1841/132002")


@pytest.fixture(scope="module", params=sampled(GAMES, GAMES[:1]))
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("archive")
    if request.param in GAMES[1:]:
        path: Path = request.getfixturevalue("records") / f"{request.param}.json"
    else:
        path = robots_record(folder)
    return build(path, folder / "site")


def places_of(game: Game) -> list[int]:
    """Twenty positions, the first and the last among them."""
    return sorted({0, len(game.orders), *random.Random(1).sample(range(1, len(game.orders)), PLACES - 2)})


# ---- what is shown and what is true ----------------------------------------------------------------------------------

TABLES = """() => {
  const all = (path) => [...document.querySelectorAll(path)].filter((row) => row.children.length);
  const name = (row) => (row.querySelector("th bdi") ?? row.querySelector("th").lastChild).textContent.trim();
  const data = (row, key) => row.querySelector(`[data-${key}]`)?.dataset[key];
  return {
    order: Number(document.body.dataset.order),
    players: Object.fromEntries(all("tr[data-part^='players.']").map((row) =>
      [name(row), [data(row, "cash"), data(row, "worth")].map(Number)])),
    companies: Object.fromEntries(all("tr[data-part^='companies.']").map((row) => [name(row), {
      price: data(row, "price"), cash: Number(data(row, "cash")), trains: data(row, "trains"),
      shares: Object.fromEntries([...row.querySelectorAll("[data-holder]")].map((cell) =>
        [cell.dataset.holder, Number(cell.dataset.shares)])),
    }])),
  };
}"""
PICTURE = """([name, parts]) => {
  const scrap = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const wrong = [];
  for (const element of document.querySelectorAll(`[data-part^='${name}.']`)) {
    scrap.innerHTML = parts[element.dataset.part] ?? "";
    if (element.dataset.part === "chart.legend.") continue; // words, which the engine has not
    if (scrap.innerHTML !== element.innerHTML) wrong.push(element.dataset.part);
    delete parts[element.dataset.part];
  }
  return [...wrong, ...Object.keys(parts)];
}"""
"""The parts of a picture that do not show what they should, and those that are not there."""


def check_position(seen: Seen, game: Game, number: int) -> None:
    """The page shows the position of the engine after order ``number``."""
    title, state = game.title, game.at(number)
    tables = seen.value(TABLES)
    assert tables["order"] == number
    assert tables["players"] == {p: [state.money(p), title.score(title, state, p)] for p in state.players}
    assert tables["companies"].keys() >= state.prices.keys()
    for company, shown in tables["companies"].items():
        owned = state.companies[company]
        marker = state.prices.get(company)
        assert shown["price"] == ("" if marker is None else str(title.chart.price(marker.cell))), company
        assert shown["cash"] == state.money(company), company
        assert shown["trains"] == " ".join(owned.trains), company
    for name, parts in pictures_of(game, number).items():
        assert seen.value(PICTURE, [name, parts]) == []
    legend = seen.value("[...document.querySelectorAll('#runs li')].map(row => row.textContent)")
    lines = runs_of(game, number)
    assert len(legend) == len(lines)
    assert all(str(line.value) in row.replace(",", "") for line, row in zip(lines, legend, strict=True))


def pictures_of(game: Game, number: int) -> Mapping[str, dict[str, str]]:
    """The parts of map and chart after an order, as the engine draws them."""
    title, state = game.title, game.at(number)
    since = game.at(number - 1) if number else None
    layers = svg.board_layers(title, state, since=since, runs=runs_of(game, number), legend=False)
    drawn = {"map": layers, "chart": svg.chart_layers(title, state)}
    return {
        name: {
            f"{name}.{layer.name}.{key}": content
            for layer in picture.layers
            for key, content in layer.parts.items()
            if content and (name, layer.name) != ("chart", "legend")
        }
        for name, picture in drawn.items()
    }


# ---- stepping --------------------------------------------------------------------------------------------------------


def test_every_position_by_keys(browser: Browser, built: Built) -> None:
    game, places = built.game, places_of(built.game)
    with visited(browser, f"{built.page}#0") as seen:
        for number in range(len(game.orders) + 1):
            assert int(seen.value("document.body.dataset.order")) == number
            if number in places:
                check_position(seen, game, number)
            seen.page.keyboard.press("ArrowRight")
        for number in reversed(places):
            seen.page.evaluate(f"location.hash = '#{number}'")
            seen.page.wait_for_selector(f"body[data-order='{number}']")
            check_position(seen, game, number)
        seen.page.keyboard.press("End")
        seen.page.keyboard.press("ArrowLeft")
        check_position(seen, game, len(game.orders) - 1)
        seen.page.keyboard.press("Home")
        check_position(seen, game, 0)
        seen.page.keyboard.press("Shift+ArrowRight")
        check_position(seen, game, next(n for n in range(1, len(game.orders)) if game.at(n).round != game.at(0).round))
        assert seen.said == []


def test_a_run_moves_nothing_on_the_page(browser: Browser, built: Built) -> None:
    game = built.game
    number = next(n for n in range(1, len(game.orders) + 1) if runs_of(game, n))
    place = """() => {
      const map = document.querySelector("#map .picture"), box = map.getBoundingClientRect();
      const below = document.querySelector("#chart").getBoundingClientRect().top;
      return [map.getAttribute("viewBox"), box.width, box.height, below - box.top];
    }"""
    with visited(browser, f"{built.page}#{number - 1}") as seen:
        before = seen.value(place)
        seen.page.keyboard.press("ArrowRight")
        assert len(seen.value("[...document.querySelectorAll('#runs li')]")) == len(runs_of(game, number))
        assert seen.value(place) == before


def test_a_link_is_followed_even_if_the_page_writes_its_address_at_that_moment(browser: Browser, built: Built) -> None:
    with visited(browser, f"{built.page}#0") as seen:
        seen.page.evaluate("location.hash = '#5'; history.replaceState(null, '', '#0')")
        seen.page.wait_for_selector("body[data-order='5']", timeout=10_000)
        assert seen.said == []


def test_every_position_by_touch_on_a_telephone(browser: Browser, built: Built) -> None:
    game, places = built.game, places_of(built.game)
    with visited(browser, f"{built.page}#0", PHONE, touch=True) as seen:
        onward = seen.page.get_by_role("button", name="Next order")
        for number in range(len(game.orders) + 1):
            if number in places:
                check_position(seen, game, number)
                assert seen.width() == PHONE[0]
            if number < len(game.orders):
                onward.tap()
        assert onward.is_disabled()
        seen.stroke(100, 250, over="#now")
        check_position(seen, game, len(game.orders) - 1)
        seen.stroke(250, 100, over="#now")
        check_position(seen, game, len(game.orders))
        assert seen.said == []


LOOKS = (("telephone", "dark"), ("desk", "light"), ("telephone", "light"), ("desk", "dark"))


@pytest.mark.parametrize(("where", "ground"), sampled(LOOKS, LOOKS[:2]))
def test_everybody_can_use_it(browser: Browser, built: Built, where: str, ground: str) -> None:
    size = PHONE if where == "telephone" else DESK
    for page in (built.index, f"{built.page}#{len(built.game.orders) // 2}"):
        with visited(browser, page, size, dark=ground == "dark", touch=size == PHONE) as seen:
            assert seen.violations() == []
            assert seen.width() == size[0]
            assert seen.said == []


def test_it_reads_without_scripts(browser: Browser, built: Built) -> None:
    with visited(browser, built.page, scripts=False) as seen:
        text = seen.page.inner_text("body")
        assert all(f"#{number} " in text for number in range(1, len(built.game.orders) + 1))
        assert not seen.page.locator("#steps").is_visible()
        assert seen.page.locator("#map .picture").is_visible()
        assert seen.said == []


def test_the_index_finds_games(browser: Browser, built: Built) -> None:
    player = built.game.setup.players[0]
    with visited(browser, built.index) as seen:
        rows = seen.page.locator("#games tbody tr")
        seen.page.get_by_label("Search").fill("nobody plays this")
        assert (rows.locator("visible=true").count(), seen.page.inner_text("#count")) == (0, "0")
        seen.page.get_by_label("Search").fill(player)
        seen.page.get_by_label("Player").select_option(player)
        assert seen.page.inner_text("#count") == "1"
        seen.page.locator("#games a").click()
        seen.page.wait_for_selector("body[data-order]")
        assert int(seen.value("document.body.dataset.order")) == len(built.game.orders)
        assert seen.said == []
