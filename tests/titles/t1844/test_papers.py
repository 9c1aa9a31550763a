"""Mountain railways and tunnel certificates in the stock round of 1844."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import HexId, PrivateId, TileId
from engine.core.orders import BuyMountain, BuyTunnel
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, panel_on
from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation

both = pytest.mark.parametrize("edition", EDITIONS)
RAILWAY = "buy B1 in H7 with panel 10/20/50/80"


def stock(edition: str, **more: Any) -> Swiss:
    cash = {"Ann": 900, "Bob": 900, "Cat": 900}
    return situation(edition=edition, **{"cash": cash, **more}).stock(round="SR 2")


@both
@pytest.mark.rule("1844:4.14", "1844:4.24")
def test_a_mountain_railway(edition: str) -> None:
    game = stock(edition)
    game.do(f"Ann: {RAILWAY}")
    assert (game.money("Ann"), game.owner("B1"), game.asked) == (750, "Ann", ["Bob stock.turn"])
    assert panel_on(game.state.board, HexId("H7")) == "XM1"
    assert game.state.marks["mountains"] == {"B1": "H7"}
    assert "B1" not in game.state.marks["active"], "until a train has counted it"


@both
@pytest.mark.rule("1844:4.14", "1844:1.13")
def test_a_tunnel_certificate(edition: str) -> None:
    game = stock(edition, privates={"T1": "Bob"})
    game.do("Ann: buy T3")
    assert (game.money("Ann"), game.owner("T3"), game.asked) == (850, "Ann", ["Bob stock.turn"])
    assert game.reasons("Bob: buy T1") == {
        "paper.taken": {"paper": "T1", "owner": "Bob", "left": ("T2", "T4", "T5")},
    }


@both
@pytest.mark.rule("1844:4.14")
def test_one_of_each_in_a_round(edition: str) -> None:
    game = stock(edition)
    game.do(f"Ann: {RAILWAY}\nBob: pass\nCat: pass\nAnn: buy T2\nBob: pass\nCat: pass")
    second = "buy B2 in I14 with panel 10/20/50/80"
    assert game.reasons(f"Ann: {second}") == {"paper.one_a_round": {"kind": "mountain"}}
    assert game.reasons("Ann: buy T3") == {"paper.one_a_round": {"kind": "tunnel"}}
    assert not [order for order in game.menu() if order.startswith("buy")]
    game.do("Ann: pass")
    assert str(game.state.round) == "SR 3", "no company operates"
    game.do("Bob: pass\nCat: pass")
    assert not game.reasons(f"Ann: {second}"), "in the next round again"
    assert not game.reasons("Ann: buy T3")


@both
@pytest.mark.rule("1844:4.24")
def test_mountains_and_panels_run_out(edition: str) -> None:
    laid = {"B1": "H7 XM1", "B2": "L13 XM1"}
    game = stock(edition, mountains=laid, privates={"B1": "Bob", "B2": "Cat"})
    free = tuple(hex for hex in MOUNTAIN_HEXES if hex not in ("H7", "L13"))
    taken = game.reasons("Ann: buy B3 in H7 with panel 10/40/50/60")
    assert taken == {"mountain.hex": {"hex": "H7", "free": free}}
    gone = game.reasons("Ann: buy B3 in G14 with panel 10/20/50/80")
    assert gone == {"mountain.panel": {"panel": "XM1", "left": ("XM2", "XM3")}}
    assert game.reasons("Ann: buy B3 in D19 with panel 10/40/50/60")["mountain.hex"]["hex"] == "D19"
    menu = [order for order in game.menu() if "B3" in order]
    assert len(menu) == len(free) * 2


@both
@pytest.mark.rule("1844:4.14")
def test_who_cannot_pay_or_names_something_else(edition: str) -> None:
    game = stock(edition, cash={"Ann": 149, "Bob": 49, "Cat": 60})
    assert game.reasons(f"Ann: {RAILWAY}") == {"paper.money": {"paper": "B1", "price": 150, "cash": 149}}
    ann, hex = game.state.players[0], HexId("H7")
    wrong = game.reasons(BuyTunnel(ann, PrivateId("B1")))
    assert wrong == {"paper.unknown": {"paper": "B1", "left": ("T1", "T2", "T3", "T4", "T5")}}
    railway = game.reasons(BuyMountain(ann, PrivateId("P1"), hex, TileId("XM1")))
    assert railway == {"paper.unknown": {"paper": "P1", "left": ("B1", "B2", "B3", "B4", "B5")}}
    game.do("Ann: pass")
    assert game.asked == ["Cat stock.turn"], "Bob can buy nothing"


@both
@pytest.mark.rule("1844:4.14", "1844:4.2")
def test_a_paper_is_the_purchase_of_the_turn(edition: str) -> None:
    game = stock(edition)
    game.do("Ann: pass\nBob: pass\nCat: buy T2")
    assert game.asked == ["Ann stock.turn"], "it is no pass"
