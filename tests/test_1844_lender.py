"""Who lends what players of 1844 owe: the bank, or nobody whose money could run out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import BANK, OUTSIDE
from tests.situations_1844 import Swiss, situation, swiss
from tests.test_1844_sbb import due

MOB: dict[str, Any] = {"tiles": {"I6": "57#0"}, "mountains": {"B1": "H7 XM1"}, "supply": {"3": 0}}
lenders = pytest.mark.parametrize(
    ("edition", "options", "outside"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"lender": "outside"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"lender": "bank"}, False),
    ],
)


def all_money(game: Swiss) -> int:
    return sum(game.state.cash.values())


@lenders
@pytest.mark.rule("1844:11.4")
def test_an_emergency_and_its_repayment(edition: str, options: dict[str, str], outside: bool) -> None:
    mob = swiss("MOB", {"Ann": 5}, "r4c5", cash=100)
    game = situation(mob, edition=edition, options=options, cash={"Ann": 20}, **MOB).turn("MOB", "trains")
    bank = game.money(BANK)
    game.do("MOB: train 4H")
    assert (game.money("Ann"), game.debts("Ann")) == (0, {"emergency": 210})
    assert game.money(BANK) == bank + (260 if outside else 120)
    assert game.money(OUTSIDE) == (-140 if outside else 0)
    debtor = situation(
        mob, edition=edition, options=options, cash={"Ann": 300}, debts={"Ann": 210}
    ).stock(round="SR 3")  # fmt: skip
    bank = debtor.money(BANK)
    debtor.do("Ann: repay 210")
    assert (debtor.money("Ann"), debtor.debts("Ann")) == (90, {})
    assert debtor.money(BANK) == bank + (0 if outside else 210)
    assert all_money(game) == all_money(debtor) == game.title.bank


@lenders
@pytest.mark.rule("1844:11.4", "1844:13.11")
def test_the_exchange(edition: str, options: dict[str, str], outside: bool) -> None:
    """At 80 all four shares cost 80; Ann has 30."""
    nob = swiss("NOB", {"Ann": 4}, "r4c5")
    game = due(nob, edition=edition, options=options, bank=2000, cash={"Ann": 30})
    assert (game.money("Ann"), game.debts("Ann")) == (0, {"formation": 50})
    assert game.money(BANK) == 2000 - 400 + (80 if outside else 30)
    assert all_money(game) == game.title.bank
