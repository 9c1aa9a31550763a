"""The tool that compares the games of two versions of the code: it sees changes of play, and nothing else."""

from __future__ import annotations

from itertools import islice

import pytest

import engine
from engine import Game
from tools.behaviour import GAMES, by_chance, table

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
    assert {table(number) for number in range(GAMES)} == {
        (title, edition, players)
        for title in engine.title_names()
        for edition in engine.editions(title)
        for players in engine.load_title(title, edition=edition).table
    }
