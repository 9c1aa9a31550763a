"""Debts of players of 1844: what they forbid, how they grow, how they are repaid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.games.situations_1844 import EDITIONS, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
RAILWAY = "buy B1 in H7 with panel 10/20/50/80"


def debtor(owed: int = 50, cash: int = 500, edition: str = "rulebook", **more: Any) -> Swiss:
    """Ann is on turn and owes ``owed`` of an emergency."""
    rows = (swiss("BLS", {"Ann": 4, "Bob": 4}, "r3c5", par=80, pool=1), swiss("JS", {"Cat": 2}))
    money = {"Ann": cash, "Bob": 300, "Cat": 300}
    return situation(*rows, edition=edition, **{"cash": money, "debts": {"Ann": owed}, **more}).stock(round="SR 2")


# ---- buying ----------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.18")
@pytest.mark.parametrize("order", ["buy BLS from pool", "buy BLS from ipo", "buy JS", "buy T2", RAILWAY])
def test_a_debtor_buys_nothing(edition: str, order: str) -> None:
    game = debtor(edition=edition)
    assert game.reasons(f"Ann: {order}") == {"buy.debt": {"debt": 50, "cash": 500}}
    assert not [o for o in game.menu() if o.startswith("buy")]
    game.do("Ann: repay 50")
    assert not game.reasons(f"Ann: {order}"), "the turn goes on"


@pytest.mark.rule("1844:4.18")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("ruling", "refused"), [("all", {"buy.debt"}), ("not_par", set())])
def test_a_par_of_a_debtor(edition: str, ruling: str, refused: set[str]) -> None:
    """By the rulebook he buys nothing, on the site the par is left out of that."""
    game = debtor(edition=edition, options={"debt_blocks": ruling})
    assert game.refusals("Ann: start AB at 80") == refused
    assert ("start AB at 80" in game.menu()) == (not refused)
    own = debtor(edition=edition)
    assert own.refusals("Ann: start AB at 80") == ({"buy.debt"} if edition == "rulebook" else set())


@both
@pytest.mark.rule("1844:4.18", "1844:13.12")
def test_debt_of_the_exchange_forbids_too(edition: str) -> None:
    game = debtor(edition=edition, debts={}, formation_debts={"Ann": 50})
    assert game.refusals("Ann: buy JS") == {"buy.debt"}


# ---- repaying --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:11.11")
@pytest.mark.parametrize(("cash", "most"), [(500, 50), (20, 20)])
def test_a_debtor_repays_what_he_wants(cash: int, most: int) -> None:
    game = debtor(cash=cash)
    facts = {"amount": most + 1, "debt": 50, "cash": cash}
    assert game.reasons(f"Ann: repay {most + 1}") == {"repay.amount": facts}
    assert game.reasons("Ann: repay 0") == {"repay.amount": {**facts, "amount": 0}}
    game.do("Ann: repay 15")
    assert (game.money("Ann"), game.debts("Ann")) == (cash - 15, {"emergency": 35})


@pytest.mark.rule("1844:11.11")
@pytest.mark.parametrize(("cash", "most"), [(500, 50), (20, 20)])
def test_on_the_site_all_that_his_cash_allows(cash: int, most: int) -> None:
    game = debtor(cash=cash, edition="18xx.games")
    assert game.reasons("Ann: repay 15") == {"repay.all": {"amount": 15, "most": most}}
    game.do(f"Ann: repay {most}")
    assert (game.money("Ann"), game.debts("Ann").get("emergency", 0)) == (cash - most, 50 - most)


@pytest.mark.rule("1844:11.11")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("ruling", "refused"), [("any", set()), ("all_possible", {"repay.all"})])
def test_repayment_by_ruling(edition: str, ruling: str, refused: set[str]) -> None:
    assert debtor(edition=edition, options={"repayment": ruling}).refusals("Ann: repay 15") == refused


@both
@pytest.mark.rule("1844:11.11")
def test_who_owes_nothing_repays_nothing(edition: str) -> None:
    game = debtor(edition=edition, debts={})
    assert game.reasons("Ann: repay 10") == {"repay.no_debt": {"player": "Ann"}}


@both
@pytest.mark.rule("1844:11.11", "1844:4.1")
def test_repayment_alone_is_a_pass(edition: str) -> None:
    game = debtor(edition=edition)
    game.do("Ann: repay 50; pass\nBob: pass\nCat: pass")
    assert str(game.state.round) == "OR 2.1"


@both
@pytest.mark.rule("1844:11.11", "1844:13.12")
def test_debt_of_the_exchange_is_repaid_first(edition: str) -> None:
    game = debtor(edition=edition, cash=70, formation_debts={"Ann": 40})
    game.do("Ann: repay 70")
    assert game.debts("Ann") == {"emergency": 20}


# ---- growing ---------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:11.10", "1844:11.12")
@pytest.mark.parametrize(("owed", "grown"), [(27, 41), (1, 2), (50, 75)])
def test_debt_grows_by_half_at_the_end_of_a_stock_round(edition: str, owed: int, grown: int) -> None:
    game = debtor(owed, edition=edition)
    game.do("Ann: pass\nBob: pass\nCat: pass")  # he has shares and need not sell them
    assert (str(game.state.round), game.debts("Ann")) == ("OR 2.1", {"emergency": grown})


@both
@pytest.mark.rule("1844:11.10")
def test_what_is_repaid_before_does_not_grow(edition: str) -> None:
    game = debtor(27, 27, edition)
    game.do("Ann: repay 27; pass\nBob: pass\nCat: pass")
    assert (game.debts("Ann"), game.money("Ann")) == ({}, 0)


@both
@pytest.mark.rule("1844:11.10")
def test_it_grows_again_in_every_round(edition: str) -> None:
    game = situation(edition=edition, cash={"Bob": 60}, debts={"Ann": 27}).stock(round="SR 2")
    game.do("Bob: pass")
    assert (str(game.state.round), game.debts("Ann")) == ("SR 3", {"emergency": 41})
    game.do("Bob: pass")
    assert game.debts("Ann") == {"emergency": 62}


@pytest.mark.rule("1844:13.11")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("ruling", "grown"), [("no", 50), ("yes", 75)])
def test_debt_of_the_exchange(edition: str, ruling: str, grown: int) -> None:
    for options in ({"sbb_debt_interest": ruling}, {}):
        game = debtor(27, 0, edition, formation_debts={"Ann": 50}, options={**options, "sbb_debt_sales": "may"})
        game.all_pass()
        expected = grown if options else {"rulebook": 50, "18xx.games": 75}[edition]
        assert game.debts("Ann") == {"emergency": 41, "formation": expected}


# ---- the debtor of the exchange --------------------------------------------------------------------------------------


def owing(edition: str, cash: int = 20, owed: int = 100, **more: Any) -> Swiss:
    """Ann owes for the exchange and is on turn; she has shares of the BLS."""
    bls = swiss("BLS", {"Ann": 5, "Bob": 2})
    sbb = swiss("SBB", {"Bob": (2, 0), "Ann": (1, 1)})
    given: dict[str, Any] = {"phase": "5", "cash": {"Ann": cash, "Bob": 500}, "formation_debts": {"Ann": owed}, **more}
    return situation(bls, sbb, edition=edition, **given).stock("Ann", round="SR 3")


@pytest.mark.rule("1844:13.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["must", "may"])
def test_he_must_sell_first(edition: str, ruling: str) -> None:
    game = owing(edition, options={"sbb_debt_sales": ruling})
    if ruling == "may":
        assert not game.reasons("Ann: pass")
        game.do("Ann: sell 2 BLS")
        assert (game.money("Ann"), game.debts("Ann")) == (180, {"formation": 100})
    else:
        for order in ("pass", "repay 20"):
            assert game.reasons(f"Ann: {order}") == {"stock.sell_for_debt": {"debt": 100, "cash": 20}}
        game.do("Ann: sell 2 BLS")
        assert (game.money("Ann"), game.debts("Ann")) == (80, {}), "the debt is settled with what the sale brings"
        game.do("Ann: buy T2")
    usual = owing(edition).refusals("Ann: pass")
    assert usual == ({"stock.sell_for_debt"} if edition == "rulebook" else set())


@pytest.mark.rule("1844:13.12")
def test_until_it_is_paid_or_nothing_is_left_to_sell() -> None:
    """All five together bring 400 of the 480 that are missing; the pool has no room for shares of the SBB."""
    game = owing("rulebook", owed=500)
    facts = {"company": "BLS", "count": 4, "least": 5, "lack": 480, "unit": "money"}
    assert game.reasons("Ann: sell 4 BLS") == {"sell.too_few": facts}
    game.do("Ann: sell 5 BLS")
    assert (game.money("Ann"), game.debts("Ann")) == (0, {"formation": 80})
    assert game.asked == ["Bob stock.turn"], "the pool has room for nothing else of hers"


@pytest.mark.rule("1844:13.12", "1844:11.11")
def test_who_has_the_money_need_not_sell() -> None:
    game = owing("rulebook", cash=150)
    assert game.refusals("Ann: buy T2") == {"buy.debt"}
    game.do("Ann: repay 100")
    assert game.money("Ann") == 50


@pytest.mark.rule("1844:13.12")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["must", "may"])
def test_what_came_in_since_settles_it(edition: str, ruling: str) -> None:
    """Dividends after a formation within a set: the rest is due as soon as there is money."""
    given: dict[str, Any] = {"cash": {"Ann": 70, "Bob": 500}, "formation_debts": {"Ann": 50}, "debts": {"Ann": 30}}
    game = situation(edition=edition, phase="5", round="OR 3.3", options={"sbb_debt_sales": ruling}, **given)
    game.after_round()
    settled = (20, {"emergency": 30}) if ruling == "must" else (70, {"emergency": 30, "formation": 50})
    assert (game.money("Ann"), game.debts("Ann"), str(game.state.round)) == (*settled, "SR 4")
