"""Places of tokens in cities, as 18xx.games numbers them: a purchase names the place of the token."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.events import Event, MarkerPlaced, MarkerRemoved, MarkerReplaced, Paid, TileLaid
from engine.core.ids import CompanyId, HexId, TileId
from engine.site18xx.actions import unfolded
from engine.site18xx.t1841.converter import Converter
from engine.site18xx.t1841.slots import SettlingSlots
from moderator.domain.records.import_18xx import read_import
from tests.kit.games.situations_1841 import firm, situation
from tests.kit.samples import sampled
from tests.titles.test_recorded_games import OF_CHANCE, states_of

SFTG, SFTN, CTS = map(CompanyId, ("SFTG", "SFTN", "CTS"))
FIRENZE = HexId("L12")
GAP: Sequence[Event] = (MarkerPlaced(SFTG, FIRENZE, 0), MarkerPlaced(SFTN, FIRENZE, 0), MarkerRemoved(SFTG, FIRENZE, 0))
BOUGHT = (Paid(CTS, SFTN, 50, "token", FIRENZE), MarkerReplaced(SFTN, CTS, FIRENZE, 0))
IN_A_MERGER = {("v2lite_5p_03", 547)}
"""The site replaces the tokens one by one, where one order of ours replaces them all."""


@pytest.mark.parametrize(
    ("events", "places"),
    [
        (GAP, [None, SFTN]),
        ((*GAP, *BOUGHT), [CTS, None]),
        ((*GAP, MarkerReplaced(SFTN, CTS, FIRENZE, 0)), [None, CTS]),
        ((*GAP, TileLaid(CTS, FIRENZE, TileId("6"), 0)), [SFTN, None]),
    ],
    ids=["gap", "bought", "merged", "tile laid"],
)
def test_a_tile_and_a_purchase_close_a_gap(events: Sequence[Event], places: list[CompanyId | None]) -> None:
    game = situation(firm("SFTN", "Ann", "F3", markers="L12"))
    slots = SettlingSlots(title=game.title)
    slots.follow(events, game.state)
    assert [slots.at((FIRENZE, 0), number) for number in range(2)] == places


@pytest.mark.parametrize("name", sampled(OF_CHANCE, ("v2lite_4p_06", "v1lite_5p_03")))
def test_tokens_stand_in_the_recorded_places(records: Path, name: str) -> None:
    """Of the two that are compared every time, the first has places that are kept for homes."""
    record = read_import(records / "1841" / "generated" / f"{name}.json")
    states = states_of(records, f"1841/generated/{name}")
    moves = list(unfolded(record.actions))
    converter = Converter(record.game, record.names, [action for _, action in moves], over=record.over)
    for at, (number, _) in enumerate(moves):
        step = converter.step(at)
        if step.open or (name, number) in IN_A_MERGER or number in {later for later, _ in moves[at + 1 : at + 2]}:
            continue
        for hex, cities in states[number].get("slots", {}).items():
            for city, recorded in enumerate(cities):
                found = [converter.slots.at((HexId(hex), city), place) for place in range(len(recorded))]
                assert found == recorded, f"{hex} after action {number}"
