"""Our actions for 18xx.games against those that the site has recorded of the same game, one by one.

``lockstep``: our record of a game that the site's engine played at the same time. The others are records of the site
that are imported first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine import Game
from engine.core.orders import Train
from engine.site18xx import site_writer
from moderator import library
from moderator.domain.records.import_18xx import Import, read_game, read_import
from tests.kit.records.recorded_books import Hands, books_of, hands_of
from tests.kit.records.site_lists import BEYOND, PRIVATES, Comparison, Difference, laid_out
from tests.kit.samples import sampled
from tests.service.domain.test_export_18xx import PLAYED
from tests.titles.test_recorded_games import GAMES, GENERATED

LOCKSTEP = tuple(
    f"1841/lockstep/{name}"
    for name in (
        *("v1_3p_13", "v1_6p_55", "v1_8p_83", "v1lite_3p_9", "v1lite_6p_303", "v2_4p_206"),
        *("v2_5p_304", "v2_5p_64", "v2_7p_404", "v2_8p_418", "v2_8p_82", "v2lite_5p_60"),
    )
)
REFUSED = ("1841/refused/p2plite_3p_02", "1841/refused/v1_4p_07")
SAMPLE = (
    "1841/lockstep/v1_6p_55",
    "1867/generated/g_6p_15",
    "played/1844_16",
    "1861/29683",
)
"""Those that are compared every time. In the first, `run best` three times chooses between sets of runs that earn the
same, as it did when the game was played."""
FREE = (PRIVATES, BEYOND)
"""Differences that cannot matter."""
REASONS: Mapping[str, Mapping[str, int]] = {
    "played/1861_538": {PRIVATES: 2},
    "1841/generated/v2_5p_03": {"which of two equal trains the pool sells": 2},
    "1844/160062": {PRIVATES: 2},
    "1861/29683": {PRIVATES: 6},
    "1861/167259": {BEYOND: 3, "purchases after the last train, which change nothing": 1},
    "1867/21268": {PRIVATES: 4},
    "1867/generated/g_2p_08": {PRIVATES: 2, BEYOND: 15},
    "1867/generated/g_3p_22": {PRIVATES: 1, BEYOND: 36},
    "1867/generated/g_4p_24": {PRIVATES: 2, BEYOND: 21},
    "1867/generated/g_4p_31": {PRIVATES: 4, BEYOND: 41},
    "1867/generated/g_5p_29": {PRIVATES: 3, BEYOND: 21},
    "1867/generated/g_6p_15": {BEYOND: 30},
}
"""The differences of records by their reasons. The others are equal but for the places of tokens."""


def compared(records: Path, name: str) -> list[Difference]:
    """The differences between the list of a record and ours. A certificate must lie in the same hand, by the site's
    books of the record and by those of our list."""
    data = json.loads((records / f"{name}.json").read_text(encoding="utf-8"))
    names = [player["id"] for player in data["players"]]
    source = records / f"{name}.txt"
    recorded = read_import(records / f"{name}.json")
    bought, _ = _read_back(recorded)
    game = library.read_record(source.read_text(encoding="utf-8")) if source.exists() else recorded.game
    ids = _numbers(game, data, recorded)
    written = site_writer(game.title.name).Writer(game, ids).write()
    read = read_game(name, {**data, "actions": written})
    back, ours = _read_back(read)
    theirs = islice(books_of(records / "books", name), len(data["actions"]) + 1)
    hands = ([{}, *map(_holders, theirs)], ours)
    lists = (laid_out(data["actions"], names), laid_out(written, names))
    return list(Comparison(*lists, (bought, back), hands).differences())


def _numbers(game: Game, data: Mapping[str, Any], recorded: Import) -> dict[Any, Any]:
    """Our players -> the numbers that the record gives them."""
    if recorded.game is game:
        return {player: int(number) for number, player in recorded.names.items()}
    return {player["name"]: player["id"] for player in data["players"]}


def _read_back(record: Import) -> tuple[list[str], list[Mapping[str, str]]]:
    """The owner of each train that is bought, and who has each certificate before each action, by its number."""
    found: list[str] = []
    hands: list[Mapping[str, str]] = [{}, {}]
    for played in record.play():
        if played.action["type"] == "buy_train":
            order = next((order for order in played.orders if isinstance(order, Train)), None)
            found.append("" if order is None else order.source or "bank")
        if played.last:
            hands += [hands[-1]] * (played.number - len(hands) + 1)
            hands.append(_holders(hands_of(record)))
    return found, hands


def _holders(hands: Hands) -> Mapping[str, str]:
    return {number: holder for holder, numbers in hands.items() for number in numbers}


@pytest.mark.parametrize("name", sampled((*LOCKSTEP, *GENERATED, *PLAYED, *REFUSED, *GAMES), SAMPLE))
def test_our_list_of_actions_is_the_site_s(records: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(records, name)
    said = Counter(difference.free for difference in found if difference.free)
    with capsys.disabled():
        print(f"\n{name}: {'equal' if not found else dict(said) or len(found)}")  # noqa: T201 - a result
    reasons = REASONS.get(name, {})
    assert len([d for d in found if not d.free]) == sum(n for why, n in reasons.items() if why not in FREE), found
    assert all(said[why] == reasons.get(why, 0) for why in FREE), found
    if name in (*LOCKSTEP, *PLAYED) or name.startswith("1867/generated"):
        assert set(said) <= set(FREE), found
