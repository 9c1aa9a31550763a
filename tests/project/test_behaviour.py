"""The tool that compares the games of two versions of the code: it sees changes of play, and nothing else."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

import engine
from engine import Game
from tools.behaviour import TABLES, by_chance, line, withdrawn

FIRST = 80


def begun(number: int) -> list[tuple[str, str, str]]:
    return list(islice(by_chance(number), FIRST))


@pytest.mark.parametrize("number", [2, 5])
def test_another_sequence_of_the_menu_changes_nothing(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before, legal = begun(number), Game.legal
    monkeypatch.setattr(Game, "legal", lambda game, actor: tuple(reversed(legal(game, actor))))
    assert begun(number) == before


def test_a_shorter_menu_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before, legal = begun(2), Game.legal
    monkeypatch.setattr(Game, "legal", lambda game, actor: legal(game, actor)[:1])
    assert [menu for *_, menu in begun(2)] != [menu for *_, menu in before]


def test_every_title_edition_and_number_of_players_is_played() -> None:
    assert {(table.title, table.edition, table.players) for table in TABLES} == {
        (title, edition, players)
        for title in engine.title_names()
        for edition in engine.editions(title)
        for players in engine.load_title(title, edition=edition).table
    }


def test_a_game_with_a_withdrawn_option_has_a_line_that_says_so() -> None:
    gone = withdrawn()
    assert 0 < len(gone) < len(TABLES) // 4
    found = line(gone[0])
    assert found.startswith(f"{gone[0]}: cannot be played: ") and "Railpost 0.1.0 plays" in found


@pytest.mark.parametrize("name", ["spoiled.json", "spoiled.18xx", "missing.json"])
def test_a_record_that_cannot_be_played_has_a_line(name: str, tmp_path: Path) -> None:
    """Games are played in other processes: what goes wrong with one of them must come back as text."""
    path = tmp_path / name
    if not name.startswith("missing"):
        path.write_text('{"title": "1841"}', encoding="utf-8")
    assert line(path).startswith(f"{path}: cannot be played: ")
