"""The numbers of limits, budgets, plans and standing orders are in nothing that another player, a log or the archive
has, nor in any column of the database but those that hold their owner's own orders and mails."""

from __future__ import annotations

import logging
import zlib
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select, text

from moderator.adapters.tables import EntryRow
from tests.kit.samples import sampled
from tests.kit.service.going_out import plain_paper
from tests.kit.service.hidden_numbers import OWN, HiddenNumbers

GAMES = [("1861", 12), ("1844", 1), ("1863", 1), ("1867", 1), ("1841", 1)]
MAILS = 150
LOOK = 50
"""The archive is made after so many mails."""


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_paper(monkeypatch)


def said(log: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in log.records)


def play(root: Path, title: str, seed: int, mails: int, log: pytest.LogCaptureFixture) -> HiddenNumbers:
    playing = HiddenNumbers(root / "var", title, seed)
    with log.at_level(logging.DEBUG):
        for number in range(1, mails + 1):
            playing.step()
            assert playing.leaks(said(log)) == []
            if number % LOOK == 0:
                assert playing.leaks_from_archive(root / f"made {number}") == []
    return playing


def right(playing: HiddenNumbers) -> set[str]:
    """Assert that enough was hidden. Returns the origins of all orders that were carried out."""
    service, game = playing.service, playing.game
    kept = {kind.partition(" kept")[0] for kind, number in playing.seen.items() if number and kind.endswith("kept")}
    assert len(playing.owner) > 60 and len(kept) >= 5, playing.seen
    with service.session() as session:
        return set(session.exec(select(EntryRow.origin).where(EntryRow.game == game)).all())


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize(("title", "seed"), sampled(GAMES, GAMES[:1]))
def test_no_hidden_number_is_known_to_anybody_but_its_owner(
    tmp_path: Path, title: str, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    origins = right(play(tmp_path, title, seed, MAILS, caplog))
    assert (title, seed) != GAMES[0] or {"limit", "standing"} <= origins, "what is hidden there has acted too"


@pytest.mark.prove
@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize("title", ["1861", "1844", "1841", "1863", "1867"])
@pytest.mark.parametrize("seed", range(2, 12))
def test_in_many_games_no_hidden_number_is_known_to_anybody_but_its_owner(
    tmp_path: Path, title: str, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    play(tmp_path, title, seed, 2 * MAILS, caplog)


# ---- the search finds what is there ---------------------------------------------------------------------------------


def ann_hides(root: Path) -> tuple[HiddenNumbers, int]:
    """Ann has a limit with a number that nobody else knows."""
    playing = HiddenNumbers(root / "var", "1861", 0)
    number = 4_137_911
    playing.owner[number] = "Ann"
    playing.service.say("Ann", f"limit {number} on BSS")
    assert playing.leaks("") == [] and playing.service.held(playing.game)[-1][2] == "waiting"
    return playing, number


def test_a_number_in_any_column_of_another_row_is_found(tmp_path: Path) -> None:
    """The number comes into rows as the search reads them: the database would refuse many of them."""
    playing, number = ann_hides(tmp_path)
    bob, ann = ({"player": who, "envelope_from": f"{who.lower()}@players.example"} for who in ("Bob", "Ann"))
    for name, table in SQLModel.metadata.tables.items():
        for column in (one.name for one in table.columns if one.name not in bob):
            place = f"{name}.{column}"
            assert list(playing.in_row(name, {**bob, column: f"at most {number:,}"})) == [f"{place} Bob: {number}"]
            for value in (number, {"most": number}, zlib.compress(f"up to {number}".encode())):
                found = list(playing.in_row(name, {**ann, column: value}))
                assert found == ([] if (name, column) in OWN else [f"{place} Ann: {number}"])


def test_a_number_in_the_log_of_the_game_is_found(tmp_path: Path) -> None:
    playing, number = ann_hides(tmp_path)
    playing.service.say("Ann", "open TSR 20")
    with playing.service.desk.database.transaction() as session:
        session.connection().execute(text(f"update entry set text = 'Ann: bid {number}'"))
    assert f"entry.text Ann: {number}" in playing.leaks("")


@pytest.mark.parametrize("written", ["4137911", "4,137,911", "R4,137,911.", "4 137 911", "4137911 // 3"])
def test_a_number_in_a_line_of_a_log_is_found_however_it_is_written(tmp_path: Path, written: str) -> None:
    playing, number = ann_hides(tmp_path)
    assert playing.leaks(f"mail 3: held, at most {written}") == [f"logs: {number}"]
    assert playing.leaks("mail 3: 84137911, 41379110 and a4137911f0") == []


def test_a_number_in_a_mail_to_another_is_found(tmp_path: Path) -> None:
    playing, number = ann_hides(tmp_path)
    playing.service.say("Ann", f"press Bob: I go up to {number}")
    found = playing.leaks("")
    assert f"mail to bob@players.example: {number}" in found and f"press.text Ann: {number}" in found


def test_a_number_in_a_page_is_found(tmp_path: Path) -> None:
    playing, number = ann_hides(tmp_path)
    assert playing.leaks_from_archive(tmp_path / "made") == []
    (tmp_path / "made" / "site" / "notes.html").write_text(f"<p>{number}</p>")
    assert playing.leaks_from_archive(tmp_path / "made") == [f"site/notes.html: {number}"]


def test_every_place_that_may_have_the_numbers_is_a_column() -> None:
    tables = SQLModel.metadata.tables
    assert [(table, column) for table, column in OWN if column not in tables[table].columns] == []
