"""The page in one file, opened from a disk: no server, no word in the console, and the same orders."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Browser, expect

from moderator.desk.one_file import NAME
from tests.kit.browser.desk import desk_in
from tests.kit.browser.desk_table import company_turn
from tests.kit.browser.pages import PHONE


def test_it_opens_from_a_disk_and_its_mail_is_carried_out(browser: Browser, site: Path, tmp_path: Path) -> None:
    alone = tmp_path / "elsewhere" / NAME
    alone.parent.mkdir()
    shutil.copy(site / NAME, alone)
    game = company_turn(alone.as_uri(), "1861", tmp_path / "service")
    with desk_in(browser, PHONE) as desk:
        desk.open(game.link())
        answer = desk.find("#asked .answer").first
        text = answer.text_content() or ""
        answer.tap()
        expect(desk.find("#given li.own").first).to_be_visible()
        licences = desk.find("footer a").get_attribute("href") or ""
        assert licences.startswith("blob:")
        assert desk.violations() == []
        assert [link for link in desk.asked if not link.startswith(alone.as_uri())] == []
        assert "; ".join(order.partition(": ")[2] for order in game.carries_out(desk)).startswith(text)
