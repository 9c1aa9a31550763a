"""Borders with a cost: track pays for one when it first crosses it, in the turn in which the tile is laid."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Final

import pytest

import engine
from engine import Game, Refused, Setup, Title
from engine.acts.lay_track import LayRules, check_lay, lay_price, list_lays
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Policies
from engine.robots import random_order
from tests.kit import twins
from tests.kit.twins import L

RIVER: Final = 30
RULES: Final = LayRules()
NORTH, SOUTH = HexId("A3"), HexId("A5")
"""A3 lies south of A1, the home of L, whose track leads there; A5 lies south of A3, on a hill of 20."""


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    with twins.known():
        yield


def title(*banks: tuple[HexId, int]) -> Title:
    """Two Valleys with a river at these edges."""
    plain = engine.load_title(twins.NAME)
    hexes = dict(plain.map.hexes)
    for id, edge in banks:
        hexes[id] = replace(hexes[id], crossings={**hexes[id].crossings, edge: RIVER})
    return replace(plain, map=replace(plain.map, hexes=hexes))


RIVER_AT_A1: Final = ((HexId("A1"), 0), (NORTH, 3))
RIVER_AT_A5: Final = ((NORTH, 0), (SOUTH, 3))


def position(title: Title, *laid: tuple[str, str, int]) -> State:
    state = Game.start(title, Setup(("Ann", "Bob"), seed="1")).state
    board = state.board.place(HexId("A1"), 0, L)
    for hex, tile, rotation in laid:
        board = board.lay(HexId(hex), TileId(tile), rotation)
    return replace(state, board=board)


def price(title: Title, state: State, hex: str, tile: str, rotation: int) -> int:
    return lay_price(title, state, Lay(L, TileId(tile), HexId(hex), rotation), (), RULES)


def test_the_turn_of_the_tile_decides_if_track_crosses_a_river() -> None:
    """Tile 9 is straight; turned by 0 it leads from side 0 to side 3, turned by 1 it does not."""
    here = title(*RIVER_AT_A1)
    state = position(here)
    assert [price(here, state, "A3", "9", turn) for turn in (0, 1, 2, 3)] == [RIVER, 0, 0, RIVER]


def test_a_river_costs_once_when_track_meets_across_it() -> None:
    here = title(*RIVER_AT_A5)
    first = position(here)
    assert price(here, first, "A3", "9", 0) == 0, "no track on the other bank yet"
    second = position(here, ("A3", "9", 0))
    assert price(here, second, "A5", "9", 0) == 20 + RIVER
    assert price(here, second, "A5", "9", 1) == 20
    third = position(here, ("A3", "9", 0), ("A5", "9", 0))
    assert price(here, third, "A5", "9", 0) == 0, "already crossed"


def test_who_cannot_pay_for_the_river_lays_only_what_does_not_cross_it() -> None:
    here = title(*RIVER_AT_A1)
    state = position(here)

    def turns(spendable: int) -> set[tuple[HexId, TileId, int]]:
        found = list_lays(here, state, L, (), spendable, RULES)
        for lay in found:
            assert check_lay(here, state, L, lay, (), spendable, RULES) == ()
        return {(lay.hex, lay.tile, lay.rotation) for lay in found}

    dry = {row for row in turns(RIVER) if row[0] == NORTH}
    assert dry and not {row for row in turns(RIVER - 1) if row[0] == NORTH}
    assert turns(RIVER) - turns(RIVER - 1) == dry
    order = Lay(L, TileId("9"), NORTH, 0)
    (failure,) = check_lay(here, state, L, order, (), RIVER - 1, RULES)
    assert failure == Failure("lay.money", {"hex": NORTH, "cost": RIVER, "spendable": RIVER - 1, "missing": 1})


def test_the_company_pays_what_the_river_costs() -> None:
    """In a game: the same order of the same company costs more where there is a river."""
    paid = []
    for banks in ((), RIVER_AT_A1):
        chance = random.Random(3)
        game = Game.start(title(*banks), Setup(("Ann", "Bob"), seed="1"))
        lay = Lay(L, TileId("9"), NORTH, 0)
        while not any(choice.order == lay for choice in game.legal(L)):
            assert not game.finished
            assert not isinstance(game.submit(random_order(game, game.asked()[0], chance)), Refused)
        before = game.state.money(L)
        assert not isinstance(game.submit(lay), Refused)
        paid.append(before - game.state.money(L))
    assert paid == [0, RIVER]


def test_titles_without_their_own_cost_of_a_lay_charge_a_river_too() -> None:
    here = title(*RIVER_AT_A1)
    usual = {field.name: field.default for field in fields(Policies)}["lay_cost"]
    assert callable(usual)
    policies = replace(here.policies, lay_cost=usual)
    assert price(replace(here, policies=policies), position(here), "A3", "9", 0) == RIVER


def test_the_company_of_the_order_does_not_matter() -> None:
    here = title(*RIVER_AT_A1)
    order = Lay(CompanyId("U"), TileId("9"), NORTH, 0)
    assert lay_price(here, position(here), order, (), RULES) == RIVER
