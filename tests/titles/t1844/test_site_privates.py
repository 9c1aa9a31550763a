"""Powers and purchases of privates in records of 18xx.games: to which turn of 1844 they belong."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.ids import CompanyId
from engine.core.orders import BuyPrivate, Done, Order, Train, UsePrivate
from engine.site18xx.t1844.converter import Converter
from tests.kit.games.situations_1844 import Swiss, situation, swiss

Data = dict[str, Any]


def corporation(name: str) -> Data:
    """The actor of a company's action."""
    return {"entity": name, "entity_type": "corporation"}


def moves_of(position: Swiss, *moves: Data) -> tuple[engine.Game, list[Order]]:
    """The game of a record with these moves, and the orders that they become."""
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    players = {str(n): player for n, player in enumerate(position.state.players)}
    numbered = [{"id": n, **move} for n, move in enumerate(moves, 1)]
    converter = Converter(game, players, numbered, over=False)
    converted = [converter.step(n) for n in range(len(moves))]
    return game, [order for each in converted for order in (*each.orders, *each.added)]


@pytest.mark.parametrize(
    ("move", "cash", "passes", "next_turn"),
    [
        ("buy_company", 0, 0, True),  # nothing can be bought: the site ends the turn by itself
        ("buy_company", 50, 0, False),  # it asks for privates
        ("buy_company", 50, 1, True),  # too little for a train, so the pass is one of privates
        ("buy_company", 500, 1, False),  # the pass is one of trains
        ("buy_company", 500, 2, True),
        ("choose_ability", 0, 0, False),
        ("choose_ability", 0, 1, True),
        ("choose_ability", 500, 1, False),
        ("choose_ability", 500, 2, True),
    ],
)
def test_what_a_company_does_with_privates_after_its_turn_is_done_in_the_next(
    move: str, cash: int, passes: int, next_turn: bool
) -> None:
    """VZ operates last in a round, and first in the next. A private pays its income in between."""
    vz = swiss("VZ", {"Bob": 5}, "r3c9", trains="3H", cash=cash, markers="I6")
    privates = {"P1": "VZ", "P3": "Bob"} if move == "buy_company" else {"P4": "VZ"}
    position = situation(vz, edition="18xx.games", tiles={"I6": "57#1"}, privates=privates).turn("VZ", "pay", 50)
    by_vz = corporation("VZ")
    paid = {"type": "dividend", "kind": "payout", **by_vz}
    passed: list[Data] = [{"type": "pass", **by_vz}] * passes
    last: dict[str, Data] = {
        "buy_company": {"company": "P3", "price": 1, **by_vz},
        "choose_ability": {"choice": "Place tile", "entity": "P4", "entity_type": "company"},
    }
    _, orders = moves_of(position, paid, *passed, {"type": move, **last[move]})
    given = next(n for n, order in enumerate(orders) if isinstance(order, BuyPrivate | UsePrivate))
    assert (Done(CompanyId("VZ")) in orders[:given]) == next_turn


def test_oerlikon_is_used_before_other_companies_discard_trains() -> None:
    """The site asks VZ for trains at once, but a private can be used at any time."""
    rows = swiss("STB", {"Ann": 5}, cash=1000, markers="D13"), swiss("VZ", {"Bob": 5}, "r3c9", trains="4H 3H 3H")
    described = situation(*rows, edition="18xx.games", privates={"P7": "Ann"}, phase="4", supply={"4": 0})
    moves: list[Data] = [
        {"type": "buy_train", "train": "5-0", "price": 400, "variant": "5H", **corporation("STB")},
        {"type": "choose_ability", "choice": "STB", "entity": "P7", "entity_type": "company"},
    ]
    game, orders = moves_of(described.turn("STB", "trains", 50), *moves)
    assert [type(order) for order in orders] == [Train, UsePrivate]
    assert [ask.what for ask in game.asked()] == ["discard"]


@pytest.mark.parametrize("private", ["P2", "P4"])
def test_a_power_of_a_sister_is_used_in_the_turn_at_hand(private: str) -> None:
    """The site looks at the director: MOB's private is used in the turn of VZ, before AB of somebody else operates."""
    rows = (
        swiss("VZ", {"Bob": 3}, "r3c9", cash=500), swiss("AB", {"Cat": 5}, "r3c8"), swiss("MOB", {"Bob": 5}, cash=100),
    )  # fmt: skip
    tiles = {"I6": "57#1", "K10": "57#0", "D25": "57#0"}
    described = situation(*rows, edition="18xx.games", tiles=tiles, privates={private: "MOB"}, phase="3")
    position = described.operating("VZ", "AB", "MOB")
    game = engine.Game(position.title, engine.Setup(position.state.players), position.state)
    players = {str(n): player for n, player in enumerate(position.state.players)}
    uses: dict[str, Data] = {
        "P2": {"type": "lay_tile", "hex": "I8", "tile": "9-0", "rotation": 1},
        "P4": {"type": "choose_ability", "choice": "Place tile"},
    }
    moves: list[Data] = [
        {**uses[private], "entity": private, "entity_type": "company"},
        {"type": "lay_tile", "hex": "C26", "tile": "9-1", "rotation": 0, "entity": "AB", "entity_type": "corporation"},
    ]
    converter = Converter(game, players, moves, over=False)
    assert converter.walk.actor(0) == "VZ"
    assert len(converter.step(0).orders) == 1
    assert game.state.money(CompanyId("MOB")) == (70 if private == "P2" else 180)
    assert [a.actor for a in game.asked()] == ["AB"], "VZ does nothing more"
