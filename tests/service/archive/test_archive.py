"""The archive of a service's games: as everybody or a seat may know them, and in step with the games."""

from __future__ import annotations

import json
import logging
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from moderator.adapters.tables import GameRow
from moderator.archive.site import NotAnArchive, Site
from moderator.entrypoints.archive.archivist import archivist_of
from moderator.service.archive import builds
from moderator.service.archive.builds import bring_up_to_date
from moderator.service.archive.volumes import stamp_of
from moderator.service.desk import Sitting
from moderator.service.people.hand_over import hand_over
from moderator.service.play.journal.name_removal import redact
from moderator.service.play.undo import undo
from moderator.service.table.table import seats_of
from tests.kit.service.mail_service import Service

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def built(service: Service, folder: Path, seat: str = "", *, again: bool = False) -> dict[str, str]:
    """The text files of an archive after it has been brought up to date, by their paths."""
    site = Site(folder, seat)
    assert [one.fault for one in bring_up_to_date(service.desk, site, again=again) if one.fault] == []
    site.finish()
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def everything(files: dict[str, str]) -> str:
    return "\n".join(files.values())


def test_anybody_may_read_public_press_and_a_seat_its_own(service: Service, tmp_path: Path) -> None:
    service.ready_game()
    service.say("Ann", "open TSR 20\npress: good luck to everybody\npress Bob: a secret for two")
    service.say("Cat", "press Bob: Cat's secret")
    public = everything(built(service, tmp_path / "public"))
    assert "good luck to everybody" in public
    assert "secret" not in public
    ann = everything(built(service, tmp_path / "ann", "Ann"))
    assert "a secret for two" in ann and "Cat's secret" not in ann and "Cat&#39;s secret" not in ann
    assert "not for others" in ann
    bob = everything(built(service, tmp_path / "bob", "Bob"))
    assert "a secret for two" in bob and "Cat&#39;s secret" in bob


def test_results_name_the_person_who_plays_for_a_seat(service: Service, tmp_path: Path) -> None:
    game = service.ready_game()
    before = built(service, tmp_path / "site")
    with service.desk.sitting() as sitting:
        seat = next(seat for seat in seats_of(sitting.session, game) if seat.player == "Bob")
        hand_over(sitting, seat, "Dan", "dan@players.example")
    after = built(service, tmp_path / "site")
    told = "<bdi>Bob</bdi> (played by <bdi>Dan</bdi>)"
    assert told in everything(after) and told not in everything(before)
    with service.desk.sitting() as sitting:
        assert redact(sitting, game, 2, "Player 2")
    assert "Dan" not in everything(built(service, tmp_path / "site"))


def test_nothing_secret_and_no_address_is_in_it(service: Service, tmp_path: Path) -> None:
    service.ready_game()
    service.say("Ann", "open TSR 20")
    found = everything(built(service, tmp_path / "site"))
    assert "players.example" not in found and "a seed" not in found and "[Seed" not in found
    assert "[Commitment" in found


def test_a_page_is_written_when_its_game_changed_and_only_then(service: Service, tmp_path: Path) -> None:
    other, game = service.ready_game(), service.game()
    folder = tmp_path / "site"
    before = built(service, folder)
    assert built(service, folder) == before
    service.say("Ann", "open TSR 20")
    after = built(service, folder)
    changed = {name.split("/")[1] for name in before if "/" in name and before[name] != after[name]}
    assert changed == {game} and f"games/{other}/game.js" in before


def test_a_page_that_grew_is_the_one_written_at_once(service: Service, tmp_path: Path) -> None:
    game = service.ready_game()
    service.say("Ann", "open TSR 20")
    built(service, tmp_path / "grown")
    service.say("Bob", "drop")
    service.say("Cat", "drop")
    sold = built(service, tmp_path / "grown")
    undo(service.desk, game, 1, "a slip")
    service.run()
    service.say("Bob", "bid 30")
    grown, new = built(service, tmp_path / "grown"), built(service, tmp_path / "new")
    assert grown == new
    bought = 'data-cash="400"'  # what Ann had after she had bought it
    assert bought in sold[f"games/{game}/game.js"].replace("\\", "") and bought not in everything(new)
    assert built(service, tmp_path / "grown", again=True) == new
    assert json.loads(new[f"games/{game}/entry.json"])["orders"] == 2


def test_a_person_s_name_and_words_are_taken_out_and_the_game_stays(service: Service, tmp_path: Path) -> None:
    game = service.ready_game()
    service.say("Ann", "open TSR 20\npress: I am Ann, of Annecy")
    service.say("Bob", "bid 25\npress: Ann, that is dear")
    folder = tmp_path / "site"
    assert "Ann" in everything(built(service, folder))
    with service.desk.sitting() as sitting:
        assert redact(sitting, game, 1, "Player 1") and not redact(sitting, "1861-99", 1, "x")
    for found in (built(service, folder), built(service, tmp_path / "anew")):
        text = everything(found)
        assert "Ann" not in text and "Player 1, that is dear" in text and "Taken out" in text
        assert "Player 1: open TSR 20" in found[f"games/{game}/record.txt"]
    service.say("Cat", "drop")
    assert json.loads(built(service, folder)[f"games/{game}/entry.json"])["orders"] == 3


def test_a_private_copy_and_a_public_one_never_share_a_folder(service: Service, tmp_path: Path) -> None:
    service.ready_game()
    built(service, tmp_path / "site", "Ann")
    for seat, folder in (("", "site"), ("Bob", "site"), ("", "var")):
        with pytest.raises(NotAnArchive):
            Site(tmp_path / folder, seat)


def test_a_file_is_no_folder_for_it(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine", encoding="utf-8")
    with pytest.raises(NotAnArchive, match="site is a file: name a folder"):
        Site(tmp_path / "site")
    assert (tmp_path / "site").read_text(encoding="utf-8") == "mine"


def test_a_running_service_keeps_it_and_a_failure_is_only_logged(
    service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game = service.ready_game()
    settings = service.desk.settings.model_copy(update={"archive": tmp_path / "site"})
    keep = archivist_of(replace(service.desk, settings=settings))
    assert keep is not None
    keep()
    assert (tmp_path / "site" / "games" / game / "index.html").is_file()
    (tmp_path / "site" / "archive.json").write_text("nonsense")
    service.say("Ann", "open TSR 20")
    keep()
    keep()
    failures = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert [said.partition(":")[0] for said in failures] == ["the archive is not up to date"]


def test_a_running_service_looks_only_at_games_that_have_changed(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = service.ready_game()
    second = service.game(players=("Dan", "Eve", "Fay"))
    looked: list[str] = []

    def stamp(sitting: Sitting, row: GameRow, *more: Any) -> str:
        looked.append(row.id)
        return stamp_of(sitting, row, *more)

    monkeypatch.setattr(builds, "stamp_of", stamp)
    settings = service.desk.settings.model_copy(update={"archive": tmp_path / "site"})
    keep = archivist_of(replace(service.desk, settings=settings))
    assert keep is not None
    keep()
    assert looked == [first, second]
    keep()
    assert looked == [first, second]
    service.say("Dan", "open TSR 20")
    keep()
    assert looked == [first, second, second]
    service.say("Eve", "press: good evening")
    keep()
    assert looked == [first, second, second, second]
    page = tmp_path / "site" / "games" / first / "index.html"
    assert page.is_file()
    shutil.rmtree(tmp_path / "site")
    keep()
    assert looked[4:] == [first, second] and page.is_file()
