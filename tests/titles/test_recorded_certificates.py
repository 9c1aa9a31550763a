"""The certificates of every holder after every action of recorded games, compared with the site's own books."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from moderator.domain.records.export_18xx import export_game
from moderator.domain.records.import_18xx import read_game, read_import
from tests.kit.records.recorded_books import books_of, difference, hands_of
from tests.kit.samples import sampled
from tests.titles.test_recorded_games import ALL

PAIRS = (
    *("v1_3p_13", "v1_6p_55", "v1_8p_83", "v1lite_3p_9", "v1lite_6p_303", "v2_4p_206", "v2_5p_304", "v2_5p_64"),
    *("v2_7p_404", "v2_8p_418", "v2_8p_82", "v2lite_5p_60"),
)
PLAYED = (
    *("1844_10", "1844_11", "1844_12", "1844_13", "1844_14", "1844_16", "1844_20"),
    *("1861_415", "1861_417", "1861_428", "1861_504", "1861_523", "1861_538"),
)
EVERY = (*ALL, *(f"1841/lockstep/{name}" for name in PAIRS), *(f"played/{name}" for name in PLAYED))
SAMPLE = (
    *("1861/29683", "1844/160062", "1867/21268", "1841/refused/p2plite_3p_02", "1841/lockstep/v1lite_6p_303"),
    "played/1861_504",
)
"""Those that are compared every time: formations of companies, the SBB, purchases from players, the Secession."""


@pytest.mark.parametrize("name", sampled(EVERY, SAMPLE))
def test_every_holder_has_the_certificates_that_the_site_gives_him(
    records: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record, books = read_import(records / f"{name}.json"), books_of(records / "books", name)
    at = compared = 0
    recorded = next(books)
    for played in record.play():
        if not played.last:
            continue
        for _ in range(played.number - at):
            recorded = next(books)
        at = played.number
        if played.open:
            continue  # the middle of an order of ours
        found = difference(hands_of(record), recorded)
        assert not found, f"after action {played.number} ({played.action['type']}): {found}"
        compared += 1
    assert compared > len(record.actions) * 0.9
    assert record.converter.books.strangers == []
    with capsys.disabled():
        print(f"\n{name}: the hands after {compared} of {len(record.actions)} actions")  # noqa: T201 - a result


@pytest.mark.parametrize("name", sampled(EVERY, SAMPLE[:3]))
def test_an_export_names_certificates_that_their_givers_have(records: Path, name: str) -> None:
    """The books that are checked above follow the exported game, in which the names are our own."""
    record = read_import(records / f"{name}.json")
    for _ in record.play():
        pass
    exported = json.loads(export_game(record.game))
    again = read_game(name, exported)
    named = 0
    for played in again.play():
        named += len(played.action.get("shares") or ())
    assert again.converter.books.strangers == []
    assert named == sum(len(action.get("shares") or ()) for action in exported["actions"]) > 0
