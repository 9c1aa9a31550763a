"""Money of 1844 where 18xx.games looks at it in its own way: how far a director sells, and interest."""

from __future__ import annotations

import pytest

from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss
from tests.titles.t1844.test_emergency import last_resort

both = pytest.mark.parametrize("edition", EDITIONS)


def regional(edition: str, cash: int = 0, director: int = 0, **options: str) -> Swiss:
    """VZ needs a train: the 8H for 700, the 8E on its other side (960) is not for it. Ann has eight BLS at 100."""
    rows = (swiss("VZ", {"Ann": 2, "Bob": 1}, cash=cash), swiss("BLS", {"Cat": 3, "Ann": 5}, "r3c6", par=80))
    tiles = {"K10": "57#0", "J11": "3#0"}
    game = situation(
        *rows, edition=edition, options=options, cash={"Ann": director}, phase="6", supply={"6": 0}, tiles=tiles
    )  # fmt: skip
    return game.turn("VZ", "trains")


@pytest.mark.rule("1844:11.7")
@pytest.mark.parametrize("ruling", ["any", "needed"])
@both
def test_how_much_is_sold_for_a_regional_company(edition: str, ruling: str) -> None:
    """The dearest train on offer is the 8E, though the company could not have it."""
    game = regional(edition, 500, emergency_sales=ruling)
    assert game.reasons("VZ: sell 5 BLS") == {}
    enough = regional(edition, 500, 60, emergency_sales=ruling)
    refused = enough.reasons("VZ: sell 5 BLS")
    assert refused == ({} if ruling == "any" else {"help.too_much": {"company": "BLS", "missing": 400}})
    rich = regional(edition, 700, emergency_sales=ruling)
    no_need = {"help.no_need": {"company": "VZ", "cash": 700, "price": 700}}
    assert rich.reasons("VZ: sell 1 BLS") == (no_need if ruling == "any" else {})


@pytest.mark.rule("1844:11.9", "1844:4.4")
@both
def test_who_has_sold_of_a_company_has_no_more_of_it_to_give_up(edition: str) -> None:
    """One of the three FNM brings 90, and the other two nothing more in this turn: 60 + 90 + 312 are too little."""
    game = last_resort(edition, bankruptcy="yes", emergency_sales="any")
    game.do("VZ: sell 1 FNM; bankrupt")
    assert game.shares("FNM")["Ann"] == 2 and game.price("FNM") == "80 r4c5"
    assert game.money("Ann") == 0


@pytest.mark.rule("1844:11.10", "1844:13.11")
@pytest.mark.parametrize(("edition", "owed"), [("rulebook", 20 + 5), ("18xx.games", 27)])
def test_interest_is_rounded_once(edition: str, owed: int) -> None:
    """13 beside 5 of the exchange: 18 grow by 9 where all grows (not by 7 and 3), otherwise 13 by 7."""
    rows = swiss("MOB", {"Cat": 5})
    game = situation(rows, edition=edition, debts={"Ann": 13}, formation_debts={"Ann": 5}).stock(round="SR 3")
    game.all_pass()
    assert sum(game.debts("Ann").values()) == owed


@pytest.mark.rule("1844:11.11", "1844:4.25")
@pytest.mark.parametrize(("edition", "first"), [("rulebook", True), ("18xx.games", False)])
def test_a_debtor_with_too_many_certificates(edition: str, first: bool) -> None:
    """Whether he must sell before he repays."""
    rows = [swiss(c, {"Ann": 6}, "r3c5", par=80) for c in ("BLS", "STB", "AB", "MOB", "RhB")]
    game = situation(*rows, edition=edition, cash={"Ann": 100}, debts={"Ann": 40}).stock(round="SR 3")
    assert game.refusals("Ann: pass") == {"stock.over_limit"}
    assert game.refusals("Ann: repay 40") == ({"stock.over_limit"} if first else set())
    assert ("repay 40" in game.menu()) == (not first)


@pytest.mark.rule("1844:4.18", "1844:11.11")
def test_after_a_par_a_debtor_repays_with_what_is_left() -> None:
    mob = swiss("MOB", {"Cat": 5})
    game = situation(mob, edition="18xx.games", cash={"Ann": 200, "Bob": 90}, debts={"Ann": 50}).stock(round="SR 3")
    game.do("Ann: start AB at 80")
    assert (game.money("Ann"), game.debts("Ann")) == (0, {"emergency": 10})
    assert game.asked == ["Bob stock.turn"]
