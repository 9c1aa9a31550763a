"""Records as a reader of docs/notation.md writes them in a text editor: they are played as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from moderator.archive.record_files import play_file
from moderator.domain.records.record import read_record, replay_record
from tests.kit.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "notation.md").read_text(encoding="utf-8")
ON_THE_PAGE = re.findall(r"^```record\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {
    "game-1861.txt": (41, "SR 2"),
    "game-1844.txt": (28, "SR 1"),
    "game-1841.txt": (17, "OR 1.1"),
    "game-1863.txt": (18, "AR 1"),
}
"""File -> orders in it and the round that it has come to."""


def test_the_page_has_a_record_of_every_title() -> None:
    assert [re.search(r'\[Title "(\d+)"\]', text)[1] for text in ON_THE_PAGE] == ["1861", "1844", "1841", "1863"]  # type: ignore[index]


@pytest.mark.parametrize("text", ON_THE_PAGE)
def test_a_record_on_the_page_is_played(text: str) -> None:
    record = read_record(text)
    assert len(replay_record(record).orders) == len(record.orders) > 3


@pytest.mark.parametrize("name", FILES)
def test_a_record_written_from_the_page_is_played(name: str) -> None:
    game, _, fault = play_file(Path(__file__).parent / "by_hand" / name)
    assert not fault
    assert (len(game.orders), str(game.state.round)) == FILES[name]


def test_the_long_one_leads_where_its_orders_say() -> None:
    game, _, _ = play_file(Path(__file__).parent / "by_hand" / "game-1861.txt")
    state = game.state
    assert state.privates["TSR"] == "Ann" and state.privates["MRR"] == "Cat"  # type: ignore[index]
    assert state.companies["SP-W"].trains == ("2",) and state.board.tiles["B8"] == ("58", 4)  # type: ignore[index]
    assert game.asked()[0].player == "Bob"
