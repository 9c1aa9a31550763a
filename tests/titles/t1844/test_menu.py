"""Menus of a company's turn of 1844: all that is listed is accepted, and all that is accepted is listed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import engine
from engine.acts.lay_track import _look
from engine.core import decide as rules
from engine.core.ids import CompanyId, HexId, PrivateId, TileId, TrainName
from engine.core.orders import BuyPrivate, Lay, Order, Space, Token, Train, Tunnel
from engine.titles.t1844.names import MOB
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)

AROUND = {"I6": "15#1", "I8": "9#1", "I10": "58#1", "K10": "6#2", "D19": "57#1", "D17": "4#1"}

NEAR = "C18 C20 D15 D17 D19 D21 E18 E20 H5 H7 H9 H11 I4 I6 I8 I10 I12 J7 J9 J11 K8 K10 K12 L9 L11"


def legal(game: Swiss, orders: Iterable[Order]) -> list[Any]:
    return [o for o in orders if not isinstance(rules.decide(game.title, game.state, o), engine.Refused)]


def listed(game: Swiss, kind: type) -> list[Any]:
    game.accepted()
    (ask,) = rules.asked(game.title, game.state)
    return [o for c in rules.menu(game.title, game.state, ask) if isinstance(o := c.sample(0), kind)]


def position(edition: str, phase: str, company: str = "MOB", **rest: Any) -> Swiss:
    """MOB with markers in three places, P2 and two unused certificates; others stand in its way."""
    return situation(
        swiss("MOB", {"Bob": 5}, par=100, cash=400, markers="I6 D19"),
        swiss("JS", {"Cat": 2}),
        swiss("BLS", {"Bob": 5}, trains="3H 4H", operated=False),
        swiss("VZ", {"Cat": 3}, trains="3H"),
        edition=edition,
        phase=phase,
        tiles=AROUND,
        privates={"P1": "Bob", "P2": "Bob", "P5": "Cat", "T1": "Bob", "T2": "Bob", "T3": "Cat"},
        tunnels={"T3": "J9 X78 5"},
        pool_trains="4H",
    ).turn(company, **rest)


@pytest.mark.rule("1844:6.4", "1844:6.7", "1844:6.10", "1844:6.15")
@both
@pytest.mark.parametrize("phase", ["3", "5"])
@pytest.mark.parametrize("using", [None, "P2"])
def test_tiles(edition: str, phase: str, using: str | None) -> None:
    """Of turns of a tile that look alike one is listed."""
    game = position(edition, phase)
    power = PrivateId(using) if using else None
    near = [HexId(h) for h in NEAR.split()]

    def looks(orders: Iterable[Lay]) -> set[Any]:
        return {(o.tile, o.hex, _look(game.title.map, o.tile, o.rotation)) for o in orders if o.using == power}

    every = (
        Lay(MOB, tile, hex, turn, power)
        for hex in near
        for tile, data in game.title.map.tiles.items()
        if data.face.color in ("yellow", "green", "brown") and not data.overlay
        for turn in range(6)
    )
    found = looks(legal(game, every))
    assert found == looks(listed(game, Lay)) and found


@pytest.mark.rule("1844:6.18", "1844:6.19")
@both
def test_tunnels(edition: str) -> None:
    game = position(edition, "3")
    every = [Tunnel(MOB, hex, (a, b)) for hex in game.title.map.hexes for a in range(6) for b in range(a + 1, 6)]
    found = {(o.hex, frozenset(o.edges)) for o in legal(game, every)}
    assert found == {(o.hex, frozenset(o.edges)) for o in listed(game, Tunnel)}


@pytest.mark.rule("1844:7.1", "1844:7.4")
@both
def test_markers(edition: str) -> None:
    game = position(edition, "3")
    every = [Token(MOB, Space(hex, edge)) for hex in game.title.map.hexes for edge in (None, *range(6))]

    def cities(orders: Iterable[Token]) -> set[Any]:
        found = {(o.space.hex, game.state.board.city_at(o.space)) for o in orders}
        return {(hex, city) for hex, city in found if city is not None}

    found = cities(legal(game, every))
    assert found == cities(listed(game, Token)) and found


@pytest.mark.rule("1844:10.3", "1844:10.5", "1844:10.8", "1844:5.8")
@both
@pytest.mark.parametrize("phase", ["3", "4", "5"])
@pytest.mark.parametrize("company", ["MOB", "VZ", "JS"])
def test_purchases(edition: str, phase: str, company: str) -> None:
    """Of trains and privates; of a range the least price."""
    game = position(edition, phase, company, stage="trains")
    name = CompanyId(company)
    sources = [None, "Pool", *game.state.companies]
    prices = (None, 1, *sorted({t.cost for t in game.title.trains.values()}))
    trains: dict[tuple[TrainName, str | None], int | None] = {}
    for order in legal(game, [Train(name, t, s, p) for t in game.title.trains for s in sources for p in prices]):
        if order.source in (None, "Pool") or order.price is not None:
            trains.setdefault((order.train, order.source), order.price)
    assert trains == {(o.train, o.source): o.price for o in listed(game, Train)}
    privates = legal(game, [BuyPrivate(name, PrivateId(p), 1) for p in game.title.privates])
    assert sorted(o.private for o in privates) == sorted(o.private for o in listed(game, BuyPrivate))


@pytest.mark.rule("1844:6.1")
@both
def test_a_second_lay_in_a_hex_and_a_second_upgrade(edition: str) -> None:
    game = position(edition, "5")
    game.do("MOB: lay 23 I8 1")
    again = game.failures(Lay(MOB, TileId("41"), HexId("I8"), 1))
    assert again["lay.same_hex"] == {"hex": "I8"} and again["lay.most"]["hexes"] == ("I8",)
    other = game.failures("MOB: lay 611 I6 1")
    assert other["lay.second_upgrade"] == {"hex": "I6", "most": 1, "hexes": ("I8",)}


@pytest.mark.rule("1844:10.3", "1844:5.10")
@both
def test_names_that_there_are_not(edition: str) -> None:
    game = position(edition, "3", stage="trains")
    assert game.failures(Train(MOB, TrainName("7"))) == {
        "train.unknown": {"train": "7", "known": tuple(map(str, game.title.trains))}
    }
    assert game.failures(BuyPrivate(MOB, PrivateId("P9"), 1)) == {"private.unknown": {"private": "P9"}}
