"""Shorts of a merged company beside shares of it, and the order of halves."""

from __future__ import annotations

import pytest

from engine.core.ids import POOL, TREASURY, PlayerId
from engine.titles.t1863.mergers.shares import certificate_list
from tests.kit.games.situations_1863 import tube
from tests.titles.t1863.test_mergers import balanced, begun, done


@pytest.mark.rule("1863:4.7", "1863:12.43")
@pytest.mark.parametrize(("shorts", "taken", "halves"), [(1, 0, 1), (2, 0, 2), (3, 0, 3), (1, 1, -1)])
def test_a_president_keeps_no_short_beside_his_certificate(shorts: int, taken: int, halves: int) -> None:
    """He pays for it, unless a single share of his matches it."""
    met = tube("MET", {"Ann": 4}, 110)
    dis = tube("DIS", {"Bob": 2}, 100, shorts={"Ann": shorts}, pool=shorts)
    game = done(begun(met, dis, cash={"Ann": 1000}), "DIS: merge MET into MET", "Ann: agree")
    cash, price = game.money("Ann"), game.share_price("MET")
    game.do(f"Ann: take {taken}")
    assert (game.asked == ["Ann halves.short"]) == (taken > 0)
    if taken:
        game.do("Ann: half short keep")
    assert game.shorts("MET") == {"OSI": 10} and game.shares("MET")["Ann"] == 2 and balanced(game, "MET")
    assert game.money("Ann") == cash - taken * price - halves * (price // 2)


@pytest.mark.rule("1863:4.7", "1863:8.3")
def test_a_half_short_that_is_kept_beside_a_single_share_is_matched_at_once() -> None:
    met, dis = tube("MET", {"Ann": 4}, 110), tube("DIS", {"Ann": 2}, 100, shorts={"Ann": 1, "Cat": 1}, pool=2)
    game = done(begun(met, dis, cash={"Ann": 1000, "Cat": 1000}), "DIS: merge MET into MET", "Ann: take 0")
    assert game.asked == ["Ann halves.short"]
    game.do("Ann: half short keep")
    assert game.asked == ["Cat halves.short"] and game.shorts("MET") == {"OSI": 10} and game.shares("MET")["Ann"] == 2


@pytest.mark.rule("1863:8.3", "1863:12.43")
@pytest.mark.parametrize(("bob", "pool", "left", "charter"), [(3, 4, 1, 0), (4, 2, 0, 0), (2, 1, 1, 1)])
def test_shares_in_the_pool_beyond_the_ten_are_removed(bob: int, pool: int, left: int, charter: int) -> None:
    ann, held = PlayerId("Ann"), {PlayerId("Ann"): 6, PlayerId("Bob"): bob, POOL: pool}
    rows = {(place, kind): number for place, kind, number in certificate_list(ann, held, {})}
    assert rows[ann, "director"] == 1 and rows[ann, "ordinary"] == 4
    assert (rows.get((POOL, "ordinary"), 0), rows.get((TREASURY, "ordinary"), 0)) == (left, charter)


@pytest.mark.rule("1863:8.3", "1863:8.23")
def test_the_order_of_halves_is_that_of_the_beginning() -> None:
    """Ann becomes president with her half, and directs BAK then. BAK still comes from Cat's seat, behind Bob."""
    met, cir = tube("MET", {"Ann": 4, "Cat": 3}, 75), tube("CIR", {"Cat": 2, "Ann": 1, "Bob": 1, "BAK": 1}, 150)
    bak = tube("BAK", "MET", 90, minor=True, cash=500)
    game = done(begun(met, cir, bak), "MET: merge CIR into CIR", "Cat: agree", "Cat: take 0")
    assert game.president("BAK") == "CIR" and game.asked == ["Ann halves.share"]
    done(game, "Ann: exchange for share")
    assert game.president("CIR") == "Ann" and game.asked == ["Cat halves.share"]
    done(game, "Cat: exchange for cash")
    assert game.asked == ["Bob halves.share"]
    done(game, "Bob: exchange for cash")
    assert game.asked == ["Ann BAK halves.share"]
