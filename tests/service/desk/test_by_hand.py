"""Two fingers on the map, and keys alone: a company's turn without a finger, the map larger and smaller."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser.desk import PATIENCE, OpenDesk, desk_in
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.desk_table import company_turn, table_at
from tests.kit.browser.pages import DESK, PHONE


def pinch(desk: OpenDesk, begin: int, end: int) -> None:
    """Two fingers on the middle of the map, ``begin`` pixels apart at first and ``end`` at last."""
    box = desk.find("#viewport").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = desk.context.new_cdp_session(desk.page)

    def touch(kind: str, apart: float | None) -> None:
        points = [] if apart is None else [{"x": x - apart / 2, "y": y, "id": 0}, {"x": x + apart / 2, "y": y, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", begin)
    for step in range(1, 6):
        touch("touchMove", begin + (end - begin) * step / 5)
    touch("touchEnd", None)
    session.detach()


def width(desk: OpenDesk) -> float:
    return float(desk.page.evaluate("document.getElementById('sheet').getBoundingClientRect().width"))


def middle_of(desk: OpenDesk) -> str:
    """The hex in the middle of what is seen of the map."""
    return str(desk.page.evaluate(
        "(() => { const {x, y, width, height} = document.getElementById('viewport').getBoundingClientRect();"
        " return document.elementFromPoint(x + width / 2, y + height / 2).dataset.hex; })()"
    ))  # fmt: skip


def test_two_fingers_and_buttons_make_the_map_larger_and_smaller(
    browser: Browser, url: str, memory: Memory, tmp_path: Path
) -> None:
    game = company_turn(url, "1861", tmp_path)
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(game.link())
        desk.find("#viewport").scroll_into_view_if_needed()
        before, hex = width(desk), middle_of(desk)
        pinch(desk, 80, 160)
        assert width(desk) == pytest.approx(2 * before, rel=0.05)
        assert middle_of(desk) == hex, "what lies between the fingers stays there"
        pinch(desk, 160, 80)
        assert width(desk) == pytest.approx(before, rel=0.05)
        desk.find("#nearer").tap()
        assert width(desk) == pytest.approx(1.5 * before, rel=0.05)
        desk.find("#farther").tap()
        assert width(desk) == pytest.approx(before, rel=0.05)
        desk.find("#whole").tap()
        assert width(desk) <= 390
        assert desk.page.evaluate("visualViewport.scale") == 1, "the page itself stays as it is"


def test_a_company_lays_and_runs_by_keys_alone(browser: Browser, url: str, memory: Memory, tmp_path: Path) -> None:
    game = table_at(tmp_path, url, "company.turn", lay=True, run=True)
    with desk_in(browser, DESK, memory=memory) as desk:
        desk.open(game.link())
        keys = desk.page.keyboard

        def to(path: str) -> None:
            for _ in range(200):
                if desk.page.evaluate("(path) => document.activeElement.matches(path)", path):
                    return
                keys.press("Tab")
            raise AssertionError(f"no key leads to {path}")

        to(".hexes > summary")
        keys.press("Enter")
        to(".hexes li button")
        keys.press("Enter")
        expect(desk.find("#hex-head")).to_be_focused(timeout=PATIENCE)
        expect(desk.find("#hex-says")).to_contain_text("est run")
        to("#tiles button")
        keys.press("Enter")
        expect(desk.find("#tiles button").first).to_be_focused(timeout=PATIENCE)
        to("#lay")
        keys.press("Enter")
        expect(desk.find("#given li.own")).to_have_count(1)
        expect(desk.find("#decide-head")).to_be_focused(timeout=PATIENCE)
        to("#run-own")
        keys.press("Enter")
        to("#way-0")
        way = desk.find("#way-0").input_value()
        keys.press("Control+A")
        keys.type(way.replace("-", " ").lower())
        keys.press("Enter")
        expect(desk.find("#way-0")).to_have_value(way)
        assert desk.violations() == []
        to("#run-it")
        keys.press("Enter")
        expect(desk.find("#given li.own")).to_have_count(2)
        carried = game.carries_out(desk)
        assert len(carried) >= 2 and way in carried[1]
