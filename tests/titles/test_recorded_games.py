"""Games that people played, as judges: the state after every action, and the standings at the end."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.core.ids import CompanyId
from engine.core.orders import Run, Settle
from engine.families.f1867.kin import Kin
from engine.site18xx.actions import unfolded
from engine.site18xx.f1867.formation import BY_THE_COMPANY, while_forming
from moderator.domain.records.import_18xx import Import, Played, read_import
from tests.kit.records.recorded_state import Difference, differences
from tests.kit.samples import sampled

GAMES = {
    "1861/29683": {"Player 3": 8341, "Player 1": 8216, "Player 2": 7679},
    "1861/167259": {"Player 4": 3354, "Player 1": 2731, "Player 2": 2460, "Player 3": 2336},
    "1844/160062": {"Player 4": 8130, "Player 1": 7570, "Player 3": 7406, "Player 2": 6000, "Player 5": 5591},
    "1841/132002": {"Player 3": 5899, "Player 4": 5703, "Player 1": 5697, "Player 2": 3921},
    "1867/21268": {"Player 1": 7769, "Player 2": 7373, "Player 4": 5804, "Player 3": 4757},
}
OF_CHANCE = (
    *("v2_3p_01", "v2_3p_05", "v2_4p_04", "v2_5p_03", "v2lite_4p_02", "v2lite_4p_06", "v2lite_5p_03"),
    *("v1_3p_01", "v1_3p_05", "v1_4p_02", "v1_6p_06", "v1lite_4p_02", "v1lite_5p_03", "p2p_4p_01", "sfli_4p_03"),
)
"""Games of 1841 that random players played with the site's engine."""
OF_1867 = ("g_2p_08", "g_3p_22", "g_4p_24", "g_4p_31", "g_5p_29", "g_6p_15")
"""The same of 1867."""
GENERATED = (*(f"1841/generated/{name}" for name in OF_CHANCE), *(f"1867/generated/{name}" for name in OF_1867))
STOPPED = ("1841/generated/v1_6p_06",)
"""A record that ends before its game."""
REFUSED = ("1841/refused/v1_4p_07", "1841/refused/p2plite_3p_02")
"""Records like those that were once refused: a merger at one of two prices, purchases from players."""
ALL = (*GAMES, *GENERATED, *REFUSED)
SAMPLE = (
    *GAMES,
    *(f"1841/generated/{name}" for name in ("v1_3p_05", "v2lite_4p_02")),
    "1867/generated/g_2p_08",
    *REFUSED,
)
"""Those that are compared every time: what people played, and one of chance of each edition, each on another map."""


def states_of(records: Path, name: str) -> list[dict[str, Any]]:
    with gzip.open(records / f"{name}.states.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", sampled(ALL, SAMPLE))
def test_the_position_after_every_action_is_the_recorded_one(
    records: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = read_import(records / f"{name}.json")
    states = states_of(records, name)
    moves = {number for number, _ in unfolded(record.actions)}
    compared = elsewhere = 0
    for played in record.play():
        if not played.last:
            continue
        # Instructions to the site change nothing: the states after them are those of the action before.
        numbers = [played.number, *takewhile(lambda n: n not in moves, range(played.number + 1, len(states) - 1))]
        if played.open or _site_asks_what_we_do_not(record, played) or _site_is_behind(record, played, states):
            elsewhere += len(numbers)
            continue
        compared += len(numbers)
        for number in numbers:
            found = _compare(record, states[number])
            assert not found, f"after action {number} ({record.actions[number - 1]['type']}): {found}"
        following = record.next_move(played)
        if following is not None and not record.game.finished and following["type"] != "pass":
            asked = {who for a in record.game.asked() for who in (a.actor, a.player, *a.about)}
            assert _actor(record, following) in asked, played
    with capsys.disabled():
        print(  # noqa: T201 - what was compared is part of the result
            f"\n{name}: {compared} of {len(record.actions)} states compared, {elsewhere} where the site stands in the"
            f" middle of an order of ours or asks what we do not; {record.left_out} passes left out,"
            f" {record.added} orders added"
        )
    assert record.game.finished is (name not in STOPPED)
    if record.game.finished:
        assert dict(record.game.standings()) == GAMES.get(name, dict(record.result)) == dict(record.result)
    assert compared + elsewhere == len(record.actions)


def _compare(record: Import, recorded: dict[str, Any]) -> list[Difference]:
    """The site distributes nothing as soon as no step before is possible, and pays interest when it likes; we do both
    with the next order. The position after that is looked at too."""
    found = differences(record.game, record.names, recorded)
    trial, left = record.game.fork(), found
    for order in (Run, Settle):
        asks = [a for a in trial.asked() if a.what == "company.turn"]
        if not left or not asks:
            break
        company = CompanyId(asks[0].actor)
        empty = Run(company, ()) if order is Run else Settle(company)
        if trial.submit(empty):
            left = differences(trial, record.names, recorded)
    return found if left else []


def _site_asks_what_we_do_not(record: Import, played: Played) -> bool:
    """The site asks for a step of a turn that can be left out, or where there is no choice."""
    following = record.next_move(played)
    if following is None or following["type"] not in ("pass", "discard_train", "choose"):
        return False
    return _actor(record, following) not in {a.actor for a in record.game.asked()}


def _site_is_behind(record: Import, played: Played, states: Sequence[Mapping[str, Any]]) -> bool:
    """In a merger round the site asks minors that can do nothing, and a new company for its markers and trains after
    each other answer. Our game has gone on, or has asked before."""
    if not isinstance(record.game.title.policies, Kin) or not (round := states[played.number]["round"]).startswith(
        "MR"
    ):
        return False
    following = record.next_move(played)
    passes = following is not None and following["type"] == "pass" and round != str(record.game.state.round)
    moves, at = record.converter.actions, record.converter.walk.at
    return passes or any(moves[n]["type"] in BY_THE_COMPANY for n in while_forming(moves, at))


def _actor(record: Import, action: Any) -> str:
    if action["entity_type"] == "player":
        return record.names[str(action["entity"])]
    if action["entity_type"] == "company":  # a private: its owner uses it, or his company does
        owner = record.game.state.privates[action["entity"]]
        assert owner is not None
        return owner
    companies = record.game.title.companies.values()
    return next(str(c.id) for c in companies if action["entity"] in (c.id, *c.synonyms))


@pytest.mark.parametrize("name", sampled(GAMES, ("1861/29683", "1841/132002")))
def test_replaying_the_orders_reaches_the_same_position(records: Path, name: str) -> None:
    record = read_import(records / f"{name}.json")
    for _ in record.play():
        pass
    again = engine.replay(record.game.title, record.game.setup, record.game.orders)
    assert again.digest() == record.game.digest()
    assert dict(again.standings()) == GAMES[name]
