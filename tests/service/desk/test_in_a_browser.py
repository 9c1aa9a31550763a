"""The desk in Chromium: a turn is tried by taps, by keys and as text, and its mail is what the service carries out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.core import orders as o
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.browser.desk import PATIENCE, desk_in
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.desk_table import company_turn, some_position, table_at
from tests.kit.browser.pages import DESK, PHONE

# ---- turns, from the link to the log of the game


def test_an_auction_by_a_number(browser: Browser, url: str, memory: Memory, tmp_path: Path) -> None:
    begun = table_at(tmp_path, url, "auction.bid")
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(begun.link())
        number = desk.find("#asked input[type=number]").first
        wanted = int(number.get_attribute("min") or 0) + 5
        number.fill("9999")
        number.press("Enter")
        desk.stands("Refused: nothing has changed.")
        expect(desk.find("#refused")).to_contain_text("more than you have")
        number.fill(str(wanted))
        number.press("Enter")
        expect(desk.find("#given li.own")).to_have_count(1)
        expect(desk.find("#asked")).to_contain_text("Your turn is over")
        player = begun.ask.player
        assert desk.mail()[2] == f"{player}: bid {wanted}"
        assert begun.carries_out(desk) == [f"{player}: bid {wanted}"]


def test_a_stock_turn_by_keys_alone(browser: Browser, url: str, memory: Memory, tmp_path: Path) -> None:
    begun = table_at(tmp_path, url, "stock.turn")
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(begun.link())
        for _ in range(20):
            desk.page.keyboard.press("Tab")
            if desk.page.evaluate("document.activeElement.textContent") == "pass":
                break
        desk.page.keyboard.press("Enter")
        desk.stands("Tried: pass")
        assert desk.page.evaluate("document.activeElement.id") == "decide-head", "the focus is not lost"
        player = begun.ask.player
        assert desk.mail()[2] == f"{player}: pass"
        assert begun.carries_out(desk) == [f"{player}: pass"]


@pytest.mark.parametrize("title", ["1861", "1867"])
def test_a_company_lays_track_by_taps_on_a_telephone(
    browser: Browser, url: str, memory: Memory, title: str, tmp_path: Path
) -> None:
    begun = company_turn(url, title, tmp_path)
    company, menu = begun.ask.actor, begun.game.legal(begun.ask.actor)
    lays = [choice.order for choice in menu if isinstance(choice.order, o.Lay)]
    hex = str(lays[0].hex)
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(begun.link())
        marked = desk.find("#marks .lay").evaluate_all("all => all.map((one) => one.dataset.hex)")
        assert set(marked) == {str(lay.hex) for lay in lays}
        desk.find(f"#tap-{hex}").tap()
        said = desk.find("#hex-says")
        expect(said).to_contain_text("est run")
        seen = {(said.text_content() or "").partition(":")[0]}
        for tile in range(desk.find("#tiles button").count()):
            shown = desk.find("#tiles button").nth(tile)
            if shown.get_attribute("aria-pressed") == "false":
                shown.tap()
                expect(shown).to_have_attribute("aria-pressed", "true")
            for _ in range(6):
                seen.add((said.text_content() or "").partition(":")[0])
                if desk.find("#turn").is_enabled():
                    desk.find(f"#tap-{hex}").tap()
        names = vocabulary(begun.game.title)
        assert seen == {write(lay, names) for lay in lays if lay.hex == hex}, "each tile in each turn"
        chosen = (said.text_content() or "").partition(":")[0]
        assert desk.find("#marks image.ghost").count() == 1
        desk.find("#lay").tap()
        desk.stands(f"Tried: {chosen}")
        assert desk.mail()[2] == f"{company}: {chosen}"
        assert begun.carries_out(desk) == [f"{company}: {chosen}"]


def test_a_run_is_put_together_by_taps(browser: Browser, url: str, memory: Memory, tmp_path: Path) -> None:
    begun = table_at(tmp_path, url, "company.turn", run=True)
    company = begun.ask.actor
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(begun.link())
        expect(desk.find("#runs-how")).to_have_text("The map shows the best run.")
        best = [field.input_value() for field in desk.find("#trains input").all()]
        assert desk.find("#picture g.runs path").count() == 2 * len(list(filter(None, best)))
        desk.find("#run-own").tap()
        way = best[0].split("-")
        desk.find("#run-clear").tap()
        expect(desk.find("#way-0")).to_have_value("")
        desk.find(f"#tap-{way[0]}").tap()
        expect(desk.find("#earns-0")).to_contain_text("a run needs at least two")
        expect(desk.find("#run-it")).to_be_disabled()
        for at, hex in enumerate(way[1:], 2):
            desk.find(f"#tap-{hex}").tap()
            expect(desk.find("#way-0")).to_have_value("-".join(way[:at]))
        desk.find(f"#tap-{way[-1]}").tap()
        expect(desk.find("#way-0")).to_have_value("-".join(way[:-1]))
        desk.find("#way-0").fill(best[0].lower())
        desk.find("#way-0").press("Enter")
        expect(desk.find("#way-0")).to_have_value(best[0])
        expect(desk.find("#run-it")).to_be_enabled()
        assert desk.violations() == []
        desk.find("#run-it").tap()
        expect(desk.find("#given li.own")).to_have_count(1)
        carried, *_ = begun.carries_out(desk)
        assert carried.startswith(f"{company}: run ") and best[0] in carried


# ---- the orders as a list and as text


def test_orders_are_edited_undone_and_refused_in_words(
    browser: Browser, url: str, memory: Memory, tmp_path: Path
) -> None:
    begun = company_turn(url, "1861", tmp_path)
    company = begun.ask.actor
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(begun.link())
        first = desk.find("#asked .answer").first.text_content() or ""
        desk.press(first)
        desk.stands(f"Tried: {first}")
        text = desk.find("#text").input_value()
        assert text.startswith(f"{company}:\n")
        count = desk.find("#given li").count()
        desk.press("Undo")
        expect(desk.find("#given li.own")).to_have_count(count - 1)
        desk.press("Redo")
        expect(desk.find("#given li.own")).to_have_count(count)
        assert desk.find("#text").input_value() == text
        desk.find("#text").fill(text + "\n  lay 9 A1 0")
        desk.press("Try this text")
        desk.stands("Refused: nothing has changed.")
        expect(desk.find("#refused li").first).not_to_be_empty()
        expect(desk.find("#given li.own")).to_have_count(count)
        below = "document.querySelector('#refused').getBoundingClientRect().top"
        assert desk.page.evaluate(below) >= desk.page.evaluate(
            "document.querySelector('#steps').getBoundingClientRect().bottom"
        ), "the reasons do not lie under the buttons"
        desk.find("#text").fill("")
        desk.press("Try this text")
        expect(desk.find("#given li.own")).to_have_count(0)
        expect(desk.find("#mail")).to_be_hidden()


def test_a_what_if_of_others_is_marked_and_never_sent(browser: Browser, url: str, memory: Memory) -> None:
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(some_position(url))
        desk.press("pass")
        desk.stands("Tried: pass")
        expect(desk.find("#asked")).to_contain_text("never in the mail")
        mail = desk.find("#mail-text").input_value()
        desk.press("pass")
        expect(desk.find("#given li.what-if")).to_have_count(1)
        assert desk.find("#mail-text").input_value() == mail
        expect(desk.find("#mail-says")).to_contain_text("copy the text into a reply")


@pytest.mark.parametrize(("size", "dark"), [(PHONE, False), (DESK, True)])
def test_it_keeps_the_standards_of_accessibility(
    browser: Browser, url: str, memory: Memory, size: tuple[int, int], dark: bool, tmp_path: Path
) -> None:
    begun = company_turn(url, "1861", tmp_path)
    with desk_in(browser, size, dark=dark, memory=memory) as desk:
        desk.open(begun.link())
        desk.find("#tables-part > summary").click()
        desk.find(".hexes > summary").first.click()
        assert desk.violations() == []
        desk.find(".hexes button").first.click()
        expect(desk.find("#hex-head")).to_be_focused(timeout=PATIENCE)
        expect(desk.find("#hex-says")).to_contain_text("est run")
        assert desk.violations() == []
        desk.press("Lay it")
        expect(desk.find("#given li.own")).to_have_count(1)
        desk.find("#text").fill("nonsense")
        desk.press("Try this text")
        desk.stands("Refused: nothing has changed.")
        assert desk.violations() == []
        assert desk.page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
