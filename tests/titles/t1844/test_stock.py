"""Turns in a stock round of 1844: selling and buying."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Passed
from engine.core.ids import CompanyId
from engine.core.orders import Buy, Done, Sell, Start
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
RICH = {"Ann": 600, "Bob": 600, "Cat": 600}


def stock(*rows: Described, edition: str, turn: str = "Ann", round: str = "SR 2", **more: Any) -> Swiss:
    return situation(*rows, edition=edition, **{"cash": RICH, **more}).stock(turn, round=round)


# ---- turns -----------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.1")
def test_a_pass_excludes_nobody(edition: str) -> None:
    game = stock(swiss("BLS", {"Cat": 5}), edition=edition)
    game.do("Ann: pass\nBob: pass\nCat: buy BLS")
    assert game.asked == ["Ann stock.turn"]
    game.do("Ann: buy BLS\nBob: pass\nCat: pass\nAnn: pass")
    assert str(game.state.round) == "OR 2.1", "three passes in a row"


@both
@pytest.mark.rule("1844:4.2")
def test_sales_then_one_purchase(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 5}), swiss("AB", {"Bob": 5, "Ann": 1}), swiss("JS", {"Cat": 2}), edition=edition)
    game.do("Ann: sell 2 BLS; sell 1 AB")
    assert game.asked == ["Ann stock.turn"]
    game.do("Ann: buy JS")
    assert game.asked == ["Bob stock.turn"], "nothing is sold after the purchase"


@both
@pytest.mark.rule("1844:4.2")
def test_who_has_sold_has_not_passed(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 5}), edition=edition)
    game.do("Ann: sell 2 BLS; pass\nBob: pass\nCat: pass")
    assert game.asked == ["Ann stock.turn"]
    game.do("Ann: pass")
    assert str(game.state.round) == "OR 2.1"


@both
@pytest.mark.rule("1844:4.2")
def test_who_can_do_nothing_passes_unasked(edition: str) -> None:
    game = stock(edition=edition, cash={"Bob": 600})
    assert game.asked == ["Bob stock.turn"]
    assert [e.forced for e in game.told(Passed)] == [True]
    assert game.reasons(Done(CompanyId("Bob"))) == {"order.wrong_kind": {"asked": "stock.turn"}}


# ---- selling ---------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.3")
def test_no_sales_in_the_first_stock_round(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 5}), edition=edition, round="SR 1")
    assert game.reasons("Ann: sell 1 BLS") == {"sell.first_round": {}}
    assert not [order for order in game.menu() if order.startswith("sell")]


@both
@pytest.mark.rule("1844:4.4", "1844:4.5")
def test_one_sale_of_a_company_in_a_turn(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 6}), edition=edition)
    game.do("Ann: sell 2 BLS")
    assert (game.money("Ann"), game.price("BLS")) == (760, "70 r5c5"), "two at 80, one move"
    assert game.reasons("Ann: sell 1 BLS") == {"sell.twice": {"company": "BLS"}}
    game.do("Ann: pass\nBob: pass\nCat: pass\nAnn: sell 1 BLS")
    assert (game.money("Ann"), game.price("BLS")) == (830, "60 r6c5"), "another turn, another sale"


@both
@pytest.mark.rule("1844:4.4")
@pytest.mark.parametrize(("operated", "received"), [(True, 80 + 70), (False, 70 + 60)])
def test_by_a_ruling_each_order_is_a_sale(edition: str, operated: bool, received: int) -> None:
    options = {"sales_in_turn": "any"}
    game = stock(swiss("BLS", {"Ann": 6}, operated=operated), edition=edition, options=options)
    game.do("Ann: sell 1 BLS")
    assert "sell 1 BLS" in game.menu()
    game.do("Ann: sell 1 BLS")
    assert game.state.top.sold_now == ("BLS",)  # type: ignore[attr-defined]
    assert (game.money("Ann"), game.price("BLS")) == (600 + received, "60 r6c5"), "two sales, two moves"
    assert game.reasons("Ann: buy BLS from pool") == {"buy.sold_before": {"company": "BLS", "seller": "Ann"}}


@both
@pytest.mark.rule("1844:4.5", "1844:4.6")
@pytest.mark.parametrize(("operated", "received"), [(False, 70), (True, 80)])
def test_a_company_that_has_never_operated_falls_first(edition: str, operated: bool, received: int) -> None:
    game = stock(swiss("GB", {"Bob": 2, "Ann": 1}, operated=operated), edition=edition)
    game.do("Ann: sell 1 GB; pass")
    assert (game.money("Ann"), game.price("GB")) == (600 + received, "70 r5c5")
    game.do("Bob: pass\nCat: buy GB from pool")
    assert game.money("Cat") == 530


@both
@pytest.mark.rule("1844:4.7")
@pytest.mark.parametrize(("name", "held", "room"), [("JS", 1, 2), ("VZ", 2, 2), ("BLS", 3, 5)])
def test_at_most_half_in_the_pool(edition: str, name: str, held: int, room: int) -> None:
    game = stock(swiss(name, {"Bob": 2, "Ann": held}, pool=room - 1), edition=edition)
    if held > 1:
        facts = {"company": name, "count": 2, "room": 1}
        assert game.reasons(f"Ann: sell 2 {name}") == {"sell.pool_full": facts}
    game.do(f"Ann: sell 1 {name}")
    assert game.shares(name)["Pool"] == room


@both
@pytest.mark.rule("1844:4.7", "1844:13.9")
def test_more_than_half_of_the_sbb_may_have_come_to_the_pool(edition: str) -> None:
    sbb = swiss("SBB", {"Bob": (2, 0), "Ann": (1, 2)}, pool=(2, 8))
    game = stock(sbb, edition=edition, phase="5")
    facts = {"company": "SBB", "count": 1, "room": 0}
    assert game.reasons("Ann: sell 1 SBB") == {"sell.pool_full": facts}


@both
@pytest.mark.rule("1844:4.9", "1844:4.12")
def test_what_cannot_be_sold_at_all(edition: str) -> None:
    papers = {"P3": "Ann", "T1": "Ann", "B1": "Ann"}
    game = stock(swiss("BLS", {"Ann": 3, "Bob": 2}), edition=edition, privates=papers, mountains={"B1": "H7 XM1"})
    ann = game.state.players[0]
    for name in papers:
        assert game.reasons(Sell(ann, CompanyId(name), 1)) == {"sell.not_for_sale": {"company": name}}
        assert game.reasons(Buy(ann, CompanyId(name))) == {"buy.not_for_sale": {"company": name}}
        assert not [order for order in game.menu() if order.startswith("sell") and name in order]
    assert game.reasons(Sell(ann, CompanyId("BLS"), 0)) == {"sell.none": {"company": "BLS"}}
    facts = {"company": "BLS", "count": 4, "held": 3}
    assert game.reasons("Ann: sell 4 BLS") == {"sell.not_held": facts}


@both
@pytest.mark.rule("1844:4.6", "1844:4.8", "1844:4.19")
def test_shares_of_a_company_that_is_not_launched_can_be_sold(edition: str) -> None:
    game = stock(swiss("BLS", {"Bob": 2, "Ann": 2}), edition=edition)
    game.do("Ann: sell 1 BLS")
    assert (game.money("Ann"), game.price("BLS"), game.status("BLS")) == (670, "70 r5c5", "unstarted")
    game.do("Ann: pass\nBob: buy BLS from pool")
    assert game.status("BLS") == "unstarted", "six of ten are unsold"
    game.do("Cat: buy BLS")
    assert (game.status("BLS"), game.money("BLS")) == ("open", 400), "the par counts, not the price"


# ---- buying ----------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.11", "1844:4.19", "1844:4.20")
def test_the_directors_certificate_comes_first(edition: str) -> None:
    game = stock(edition=edition)
    assert game.reasons("Ann: buy NOB") == {"buy.not_started": {"company": "NOB", "status": "unstarted"}}
    game.do("Ann: start NOB at 90")
    assert (game.money("Ann"), game.director("NOB")) == (420, "Ann")
    assert (game.status("NOB"), game.money("NOB")) == ("open", 180), "half of it is sold"
    assert game.reasons("Bob: start NOB at 60") == {"par.taken": {"company": "NOB"}}


@both
@pytest.mark.rule("1844:4.11", "1844:4.12")
def test_a_par_that_cannot_be_paid(edition: str) -> None:
    game = stock(edition=edition, cash={"Ann": 150})
    assert game.reasons("Ann: start NOB at 80") == {"start.money": {"cost": 160, "cash": 150}}
    assert [o for o in game.menu() if "NOB" in o] == ["start NOB at 60", "start NOB at 70"]


@both
@pytest.mark.rule("1844:4.11", "1844:13.3")
def test_the_sbb_and_merged_companies_have_no_par(edition: str) -> None:
    game = stock(swiss("SBB", {"Bob": (1, 2)}), edition=edition, phase="5")
    assert game.reasons("Ann: start SBB at 80") == {"par.not_for_sale": {"company": "SBB"}}
    assert game.reasons("Ann: start NOB at 80") == {"par.taken": {"company": "NOB"}}
    unformed = stock(edition=edition)
    ann = unformed.state.players[0]
    assert set(unformed.reasons(Start(ann, CompanyId("SBB"), 100))) == {"par.not_for_sale"}


@both
@pytest.mark.rule("1844:4.12")
def test_par_for_a_new_share_and_price_for_one_of_the_pool(edition: str) -> None:
    game = stock(swiss("AB", {"Cat": 5}, "r5c4", par=80, pool=1), edition=edition)
    facts = {"company": "AB", "sources": ("ipo", "pool")}
    assert game.reasons("Ann: buy AB") == {"ambiguous.source": facts}
    game.do("Ann: buy AB from pool\nBob: buy AB from ipo")
    assert (game.money("Ann"), game.money("Bob"), game.money("AB")) == (540, 520, 0)


@both
@pytest.mark.rule("1844:4.12")
def test_nothing_left_or_no_money(edition: str) -> None:
    game = stock(swiss("AB", {"Cat": 5}), edition=edition, cash={"Ann": 79})
    facts = {"company": "AB", "source": "pool", "left": ("ipo",), "kind": None}
    assert game.reasons("Ann: buy AB from pool") == {"buy.none_left": facts}
    assert game.reasons("Ann: buy AB") == {"buy.money": {"company": "AB", "price": 80, "cash": 79}}


@both
@pytest.mark.rule("1844:4.13", "1844:1.6")
def test_a_double_of_the_sbb(edition: str) -> None:
    game = stock(swiss("SBB", {"Bob": (1, 2)}, pool=(3, 2)), edition=edition, phase="5")
    facts = {"company": "SBB", "source": "ipo", "left": ("pool",), "kind": "double"}
    assert game.reasons("Ann: buy SBB double from ipo") == {"buy.none_left": facts}
    game.do("Ann: buy SBB double")
    assert (game.money("Ann"), game.certificates("SBB")["Ann"]) == (400, "1d")
    assert game.asked == ["Bob stock.turn"], "it is one certificate"


@both
@pytest.mark.rule("1844:4.15")
def test_nobody_buys_what_he_has_sold(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 4}), swiss("GB", "Bob"), edition=edition)
    game.do("Ann: sell 1 BLS")
    assert game.reasons("Ann: buy BLS from ipo") == {"buy.sold_before": {"company": "BLS", "seller": "Ann"}}
    game.do("Ann: pass\nBob: buy BLS from pool\nCat: pass")
    assert game.reasons("Ann: buy BLS from ipo") == {"buy.sold_before": {"company": "BLS", "seller": "Ann"}}


@both
@pytest.mark.rule("1844:4.16", "1844:1.5", "1844:1.6")
def test_the_share_limit(edition: str) -> None:
    """Eleven certificates to a player of seven; papers and privates do not count."""
    rows = (swiss("BLS", {"A": 6}), swiss("STB", {"A": 6}), swiss("JS", {"B": 3}))
    papers = {"P1": "A", "T1": "A", "B1": "A"}
    game = stock(*rows, swiss("VZ", {"B": 2, "A": 1}), edition=edition, turn="A", players="A B C D E F G",
                 cash={"A": 600}, privates=papers, mountains={"B1": "H7 XM1"})  # fmt: skip
    facts = {"held": 11, "limit": 11}
    assert game.reasons("A: buy JS") == {"buy.certificate_limit": facts}
    assert game.reasons("A: start AB at 60") == {"buy.certificate_limit": facts}
    game.do("A: buy T2")


@both
@pytest.mark.rule("1844:4.17")
@pytest.mark.parametrize(("name", "held", "half"), [("JS", 3, 2), ("VZ", 3, 2), ("BLS", 6, 5)])
def test_who_has_more_than_half_buys_from_the_pool_only(edition: str, name: str, held: int, half: int) -> None:
    game = stock(swiss(name, {"Ann": held}, pool=0), edition=edition)
    facts = {"company": name, "held": held, "half": half}
    assert game.reasons(f"Ann: buy {name}") == {"buy.pool_only": facts}
    game = stock(swiss(name, {"Ann": held}, pool=1), edition=edition)
    if name != "JS":
        assert game.reasons(f"Ann: buy {name} from ipo") == {"buy.pool_only": facts}
    game.do(f"Ann: buy {name}")
    assert game.shares(name)["Ann"] == held + 1


@both
@pytest.mark.rule("1844:4.17")
def test_sixty_percent_can_come_from_the_unsold(edition: str) -> None:
    game = stock(swiss("BLS", {"Ann": 5}), swiss("JS", {"Bob": 2}), edition=edition)
    game.do("Ann: buy BLS\nBob: buy JS")
    assert (game.shares("BLS")["Ann"], game.shares("JS")["Bob"]) == (6, 3)


# ---- launches --------------------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:4.19", "1844:4.20")
@pytest.mark.parametrize(("name", "before", "pool"), [("VZ", 2, 0), ("BLS", 4, 0), ("BLS", 2, 2)])
def test_when_a_company_is_launched(edition: str, name: str, before: int, pool: int) -> None:
    game = stock(swiss(name, {"Ann": before}, pool=pool, operated=False), edition=edition, turn="Bob")
    assert (game.status(name), game.director(name)) == ("unstarted", None)
    game.do(f"Bob: buy {name} from ipo")
    assert (game.status(name), game.money(name), game.director(name)) == ("open", 400, "Ann")


@both
@pytest.mark.rule("1844:4.20", "1844:4.21", "1844:12.6")
@pytest.mark.parametrize(("phase", "money"), [("5", 400), ("6", 800), ("7", 800)])
def test_the_money_of_a_late_launch(edition: str, phase: str, money: int) -> None:
    """A company with a par from an earlier phase too."""
    game = stock(swiss("BLS", {"Ann": 4}), edition=edition, phase=phase)
    game.do("Ann: buy BLS")
    assert game.money("BLS") == money
    assert ("BLS" in game.state.marks.get("destinations", ())) == (money == 800)
    regional = stock(swiss("VZ", {"Ann": 2}), edition=edition, phase=phase)
    regional.do("Ann: buy VZ")
    assert regional.money("VZ") == 400
