"""A name that was taken out is in nothing that is made afterwards; pages of games that stand still stay as they are."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine.robots import sensible
from moderator.archive import pages
from moderator.domain.records.record import write_record
from moderator.entrypoints.archive.archivist import archivist_of
from moderator.service.play.masters.master import end
from moderator.service.play.new_games import Person, Terms, new_game
from moderator.words.texts import Words
from tests.kit.service.going_out import going_out, plain_paper, railpost, site, texts_in
from tests.kit.service.mail_service import Service
from tests.kit.service.restoration import go_back

NAME = "Xanthippe"
PLAYERS = (NAME, "Bob", "Cat")


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_paper(monkeypatch)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def begun(service: Service, name: str = NAME) -> str:
    game = service.ready_game("1861", (name, "Bob", "Cat"))
    service.say(name, f"press: {name} greets you\nopen TSR 20")
    service.say("Bob", f"press: {name}, and {name.upper()}'s train\nbid 25")
    return game


def holding(texts: dict[str, str], word: str = NAME) -> list[str]:
    return [name for name, text in texts.items() if word.lower() in text.lower()]


# ---- games of the database -------------------------------------------------------------------------------------------


def test_it_is_out_of_all_that_is_made_afterwards(service: Service, tmp_path: Path) -> None:
    game = begun(service)
    out = tmp_path / "out"
    before = going_out(service, game, out, ("Bob",))
    old = tmp_path / "old.txt"
    shutil.copy(out / "record.txt", old)
    path = f"games/{game}"
    told = {f"site/{path}/{file}" for file in ("index.html", "game.js", "steps.json", "entry.json", "record.txt")}
    assert {*told, "site/index.html", f"Bob/{path}/index.html", "booklet", "record", "results"} <= {*holding(before)}
    railpost(service, "archive", "redact", out / "site", game, NAME)
    after = going_out(service, game, out, ("Bob",))
    assert holding(after) == [] and after.keys() == before.keys()
    assert all("Player 1" in after[name] for name in told | {"site/index.html", "booklet", "record", "results"})
    assert "Player 1, and Player 1&#39;s train" in after[f"site/{path}/index.html"]
    assert "greets you" not in after[f"site/{path}/index.html"]
    service.say("Cat", "drop")
    assert holding(going_out(service, game, out, ("Bob",))) == []
    assert holding(site(service, tmp_path / "another")) == []
    assert holding(site(service, tmp_path / "of the old record", "", old)) == []
    railpost(service, "paper", "booklet", old, "--to", tmp_path / "booklet")
    assert "Player 1" in (tmp_path / "booklet").read_text() and NAME not in (tmp_path / "booklet").read_text()


def test_what_is_kept_would_be_the_same_of_any_name(tmp_path: Path) -> None:
    """No file, digests among them, lets anybody find out whether a guess of the name is right."""
    found = []
    for name in (NAME, "Zoe"):
        service = Service.open(tmp_path / name)
        game = begun(service, name)
        folder = tmp_path / f"site of {name}"
        site(service, folder)
        railpost(service, "archive", "redact", folder, game, name)
        found.append(texts_in(folder))
    assert found[0] == found[1]


def test_names_can_be_given_again_and_several_at_once(service: Service, tmp_path: Path) -> None:
    game, folder = begun(service), tmp_path / "site"
    site(service, folder)
    railpost(service, "archive", "redact", folder, game, NAME)
    assert "there is a Cat" in railpost(service, "archive", "redact", folder, game, "Player 1", "--as", "Cat", status=2)
    railpost(service, "archive", "redact", folder, game, "Player 1", "--as", "Yann")
    railpost(service, "archive", "redact", folder, game, "Bob")
    texts = site(service, folder)
    assert not holding(texts) and not holding(texts, "Player 1") and not holding(texts, "Bob")
    assert json.loads((folder / "games" / game / "entry.json").read_text())["players"] == ["Yann", "Player 2", "Cat"]
    assert f"there is no player '{NAME}'" in railpost(service, "archive", "redact", folder, game, NAME, status=1)


def test_the_service_that_keeps_the_archive_keeps_to_it(service: Service, tmp_path: Path) -> None:
    game, folder = begun(service), tmp_path / "site"
    settings = service.desk.settings.model_copy(update={"archive": folder})
    keep = archivist_of(replace(service.desk, settings=settings))
    assert keep is not None
    keep()
    assert holding(texts_in(folder))
    railpost(service, "archive", "redact", folder, game, NAME)
    for text in ("drop", "bid 30"):
        service.say("Cat" if text == "drop" else NAME, text)
        keep()
        assert holding(texts_in(folder)) == []


def test_a_record_that_is_asked_for_by_mail_is_one_too(service: Service, tmp_path: Path) -> None:
    game = begun(service)
    site(service, tmp_path / "site")
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME)
    answer = service.say("Cat", "show record")
    assert answer is not None
    record = answer.text[answer.text.index("[Title ") : answer.text.index("WHOSE TURN")]
    assert '[Seat1 "Player 1"]' in record and "Player 1: open TSR 20" in record and NAME not in record


def test_a_sheet_has_the_names_that_orders_have_until_the_game_is_over(service: Service, tmp_path: Path) -> None:
    game, sheet = begun(service), tmp_path / "sheet"
    site(service, tmp_path / "site")
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME)
    railpost(service, "paper", "sheet", game, "Bob", "--to", sheet)
    assert NAME in sheet.read_text()
    end(service.desk, game)
    for player in PLAYERS:
        railpost(service, "paper", "sheet", game, player, "--to", sheet)
        assert NAME not in sheet.read_text() and "Player 1" in sheet.read_text()


def test_it_is_out_of_the_mails_of_the_others_and_theirs_are_left_out(service: Service, tmp_path: Path) -> None:
    game = begun(service)
    service.say("Cat", "bid 30")
    site(service, tmp_path / "site")
    before = railpost(service, "game", "mbox", game)
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME)
    for seat in ("", "Bob", "Cat"):
        mails = railpost(service, "game", "mbox", game, *(("--seat", seat) if seat else ()))
        assert NAME.lower() not in mails.lower() and "greets you" in mails
    assert "are of players whose names were taken out" in railpost(service, "game", "mbox", game)
    assert railpost(service, "game", "mbox", game, "--seat", NAME).count(NAME) > 5, "the player's own mails are whole"
    assert NAME in railpost(service, "game", "mbox", game, "--raw") and NAME in before


@pytest.mark.fault(91)
@pytest.mark.parametrize("kept", ["the old database", "the journal"])
def test_91_a_restore_brings_no_name_back(service: Service, tmp_path: Path, kept: str) -> None:
    game = begun(service)
    railpost(service, "backup", tmp_path / "copy.db")
    site(service, tmp_path / "site")
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME)
    said = go_back(service, tmp_path / "copy.db", kept)
    assert "is called Player 1 in what is passed on" in said
    assert NAME not in railpost(service, "game", "export", game)
    assert holding(site(service, tmp_path / "another")) == []


def test_a_name_that_no_player_can_have_is_refused(service: Service, tmp_path: Path) -> None:
    game = begun(service)
    site(service, tmp_path / "site")
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME, "--as", "NW", status=2)
    assert NAME in railpost(service, "game", "export", game)


# ---- records in files ------------------------------------------------------------------------------------------------


def record_of(path: Path, *tags: tuple[str, str]) -> Path:
    game = engine.Game.start(engine.load_title("1861"), engine.Setup(PLAYERS, "a seed"))
    while len(game.orders) < 40:
        game.submit(sensible(game, game.asked()[0]))
    path.write_text(write_record(game, dict(tags), sealed=False), encoding="utf-8")
    return path


def test_it_stays_out_of_the_pages_and_booklets_of_a_record(service: Service, tmp_path: Path) -> None:
    file = record_of(tmp_path / "friends.txt", ("Event", f"{NAME}'s evening"), ("Source", f"from {NAME}"))
    folder, booklet = tmp_path / "site", tmp_path / "booklet"
    assert holding(site(service, folder, "", file))
    railpost(service, "archive", "redact", folder, "friends", NAME)
    assert holding(texts_in(folder)) == [] and "Player 1's evening" in texts_in(folder)["games/friends/record.txt"]
    assert holding(site(service, folder, "", file)) == []
    railpost(service, "paper", "booklet", file, "--site", folder, "--to", booklet)
    assert NAME not in booklet.read_text() and "Player 1" in booklet.read_text()
    railpost(service, "paper", "booklet", folder / "games" / "friends" / "record.txt", "--to", booklet)
    assert NAME not in booklet.read_text()
    assert "holds no archive" in railpost(service, "paper", "booklet", file, "--site", tmp_path / "none", status=2)


def test_a_game_that_is_called_by_the_name_is_told(service: Service, tmp_path: Path) -> None:
    file = record_of(tmp_path / f"{NAME}-wins.txt")
    site(service, tmp_path / "site", "", file)
    said = railpost(service, "archive", "redact", tmp_path / "site", f"{NAME}-wins", NAME, status=1)
    assert f"the game itself is called '{NAME}-wins'" in said


def test_a_record_of_another_game_of_that_name_is_left_alone(service: Service, tmp_path: Path) -> None:
    game = begun(service)
    site(service, tmp_path / "site")
    railpost(service, "archive", "redact", tmp_path / "site", game, NAME)
    other = engine.Game.start(engine.load_title("1861"), engine.Setup(("Una", "Vic", "Wim"), "another"))
    file = tmp_path / "other.txt"
    file.write_text(write_record(other, {"Game": game, "Commitment": "c" * 64}, sealed=False), encoding="utf-8")
    assert holding(site(service, tmp_path / "others", "", file), "Una")


# ---- pages that stay -------------------------------------------------------------------------------------------------


def upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be one that tells everything otherwise."""
    inner = Words.page

    def told_otherwise(self: Words, name: str, **facts: object) -> str:
        return inner(self, name, **facts) + "<!-- said otherwise -->"

    monkeypatch.setattr(Words, "page", told_otherwise)
    monkeypatch.setattr(engine, "__version__", "99.0.0")
    monkeypatch.setattr(pages, "FORM", pages.FORM + 1)
    monkeypatch.setattr("moderator.archive.site.FORM", pages.FORM)
    monkeypatch.setattr("moderator.service.play.journal.export.describe_event", lambda *_: "said otherwise")


def test_an_upgrade_changes_no_page_of_a_game_that_stands_still(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    still, moving, folder = begun(service), begun(service), tmp_path / "site"
    file = record_of(tmp_path / "friends.txt")
    before = site(service, folder, "", file) | site(service, folder)
    upgraded(monkeypatch)
    service.say("Cat", "drop", to=service.address("Cat"))
    after = site(service, folder, "", file) | site(service, folder)
    changed = {name.split("/")[1] for name in before if name.startswith("games/") and before[name] != after[name]}
    assert changed == {moving} and {name for name in before if not name.startswith("games/")} <= set(after)
    assert before.keys() == after.keys() and f"games/{still}/index.html" in before
    assert site(service, tmp_path / "new")[f"games/{moving}/game.js"] == after[f"games/{moving}/game.js"]


def test_a_page_of_a_game_that_is_no_longer_there_stays(service: Service, tmp_path: Path) -> None:
    game, folder = begun(service), tmp_path / "site"
    site(service, folder)
    later = Service.open(tmp_path / "later")
    other = later.game("1844", ("Dan", "Eve", "Fay"))
    before = texts_in(folder)
    after = site(later, folder)
    assert {name: text for name, text in after.items() if game in name} == {
        name: text for name, text in before.items() if game in name
    }
    assert game in after["index.html"] and other in after["index.html"]
    assert "there is no game" in railpost(later, "archive", "build", folder, game, status=1)
    said = railpost(later, "archive", "redact", folder, game, NAME)
    assert "its page is removed, and not written again" in said
    assert holding(site(later, folder)) == [] and game not in texts_in(folder)["index.html"]
    assert holding(site(service, folder)) == [] and game in texts_in(folder)["index.html"]


def test_a_page_that_somebody_deleted_is_written_again(service: Service, tmp_path: Path) -> None:
    game, folder = begun(service), tmp_path / "site"
    before = site(service, folder)
    shutil.rmtree(folder / "games" / game)
    assert site(service, folder) == before


def test_another_game_of_the_same_name_gets_a_page_of_its_own(service: Service, tmp_path: Path) -> None:
    """A second database counts its games from one again, and as many decisions."""
    folder = tmp_path / "site"
    other = Service.open(tmp_path / "other")
    for number, one in enumerate((service, other)):
        people = [Person(name, f"{name.lower()}@players.example") for name in PLAYERS]
        new_game(one.desk, Terms("1861", None, {}), people, setup=engine.Setup(PLAYERS, f"seed {number}", NAME))
        one.run()
        one.say(NAME, f"open TSR {20 + 5 * number}")
    assert "open TSR 20" in site(service, folder)["games/1861-1/record.txt"]
    assert "open TSR 25" in site(other, folder)["games/1861-1/record.txt"]
    assert site(other, folder) == site(other, tmp_path / "new")


def test_a_game_that_went_on_otherwise_after_a_restore_is_shown_so(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILPOST_DOMAIN", service.desk.settings.domain)
    game, folder = service.ready_game(), tmp_path / "site"
    service.say("Ann", "open TSR 20")
    railpost(service, "backup", tmp_path / "copy.db")
    service.say("Bob", "bid 25")
    assert "bid 25" in site(service, folder)[f"games/{game}/index.html"]
    go_back(service, tmp_path / "copy.db")
    service.clock.pass_by(hours=1)
    service.say("Bob", "bid 30")
    assert service.position(game).orders[-1:] and len(service.position(game).orders) == 2
    after = site(service, folder)
    assert "bid 25" not in after[f"games/{game}/index.html"] and "bid 30" in after[f"games/{game}/index.html"]
    assert after == site(service, tmp_path / "new")
