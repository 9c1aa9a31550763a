"""Pages of games link to the desk, if the service has one: each position opens there as a board to look at."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

import engine
from engine.core.ids import PlayerId
from engine.core.view import view
from engine.positions import read_position, seat_of
from moderator.archive.site import Site
from moderator.desk.sitting import Sitting
from moderator.entrypoints import cli
from moderator.service.archive.builds import bring_up_to_date
from tests.kit.browser.archive import Built, build, robots_record
from tests.kit.browser.pages import DESK, visited
from tests.kit.service.mail_service import Service

PAGE = "https://games.example.org/desk/"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("archive")
    return build(robots_record(folder), folder / "site", PAGE)


def texts_of(folder: Path) -> list[str]:
    found = (folder / "positions.js").read_text().removeprefix("railpostPositions(").rstrip().removesuffix(");")
    texts: list[str] = json.loads(found)
    return texts


def test_every_position_is_that_of_the_game_as_everybody_may_see_it(built: Built) -> None:
    texts = texts_of(Path(built.page.removeprefix("file://")).parent)
    assert len(texts) == len(built.game.orders) + 1
    for at in range(0, len(texts), 7):
        seen = view(built.game.at(at), PlayerId(""))
        assert read_position(texts[at]).told_digest() == engine.told_digest(built.game.title, seen)
        assert seat_of(texts[at]) == ""
    desk = Sitting.open(texts[-1])
    assert isinstance(desk, Sitting)
    assert desk.give(desk.view()["asked"][0]["answers"][0]["text"]) == {"refused": []}
    assert desk.mail()["lines"] == [], "a board sends nothing"


def test_the_link_goes_to_the_position_that_is_shown(built: Built, browser: Browser) -> None:
    texts = texts_of(Path(built.page.removeprefix("file://")).parent)
    with visited(browser, f"{built.page}#20", DESK) as seen:
        link = seen.page.get_by_role("link", name="Try this position on the desk")
        link.focus()
        expect(link).to_have_attribute("href", f"{PAGE}#p={texts[20]}")
        seen.page.keyboard.press("ArrowRight")
        expect(link).to_have_attribute("href", f"{PAGE}#p={texts[21]}")
        assert (seen.said, seen.violations()) == ([], [])
    with visited(browser, built.page, DESK, scripts=False) as seen:
        link = seen.page.get_by_role("link", name="Try this position on the desk")
        expect(link).to_have_attribute("href", f"{PAGE}#p={texts[-1]}")


def test_a_service_without_a_desk_has_no_links_and_gets_them_with_it(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "service")
    name = service.ready_game()
    for _ in range(3):
        ask = service.position(name).asked()[0]
        service.say(ask.player, f"{ask.actor}: pass")
    assert len(service.position(name).orders) == 3
    folder = tmp_path / "site" / "games" / name

    def brought(url: str) -> tuple[bool, str]:
        desk = replace(service.desk, settings=service.desk.settings.model_copy(update={"desk_url": url}))
        assert not [built.fault for built in bring_up_to_date(desk, Site(tmp_path / "site")) if built.fault]
        return (folder / "positions.js").exists(), (folder / "index.html").read_text()

    there, page = brought("")
    assert not there and "on the desk" not in page
    there, page = brought(PAGE)
    assert there and f'href="{PAGE}#p=P1.' in page
    there, page = brought("")
    assert not there and PAGE not in page


def test_a_site_of_records_has_the_links_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, site = robots_record(tmp_path), tmp_path / "site"
    folder = site / "games" / record.stem

    def brought(*words: str, url: str) -> tuple[bool, str]:
        monkeypatch.setenv("RAILPOST_DESK_URL", url)
        done = CliRunner().invoke(cli.app, ["--data", str(tmp_path / "no data"), "archive", *words])
        assert done.exit_code == 0, done.output
        return (folder / "positions.js").exists(), (folder / "index.html").read_text()

    there, page = brought("build", str(site), "--record", str(record), url="")
    assert not there and "on the desk" not in page
    there, page = brought("build", str(site), "--record", str(record), url=PAGE)
    assert there and f'href="{PAGE}#p=P1.' in page, "the address makes it another page"
    there, page = brought("redact", str(site), record.stem, "Ann", "--as", "Eva", url=PAGE)
    assert there and f'href="{PAGE}#p=P1.' in page
    players = {player for text in texts_of(folder)[::40] for player in read_position(text).state.players}
    assert players == {"Eva", "Bob", "Cat"}
    there, page = brought("build", str(site), "--record", str(record), url="")
    assert not there and PAGE not in page
