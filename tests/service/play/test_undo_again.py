"""Undo after undo in games of robots by the service: what is stored always leads to what was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.samples import amount
from tests.kit.service.mail_service import Service
from tests.kit.service.undo_chaos import undo_again_and_again

TITLES = ("1861", "1844", "1841", "1863", "1867")


@pytest.mark.parametrize(("title", "seed"), [("1861", 1), ("1841", 2)])
def test_undo_after_undo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, seed: int) -> None:
    seen = undo_again_and_again(tmp_path, monkeypatch, title, seed, 6)
    assert seen["kept"] and seen["robot"] and seen["lapsed"], seen


def test_a_service_that_starts_anew_twice_draws_nothing_twice(tmp_path: Path) -> None:
    service, drawn = Service.open(tmp_path), []
    service.ready_game()
    for _ in range(3):
        drawn += [service.desk.secret_word() for _ in range(3)]
        service = service.again()
    assert len(drawn) == len(set(drawn)) == 9


@pytest.mark.prove
@pytest.mark.parametrize("title", TITLES)
def test_undo_after_undo_in_long_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    for seed in range(amount("UNDO_GAMES", 20)):
        undo_again_and_again(tmp_path / str(seed), monkeypatch, title, 50 + seed, 25)
