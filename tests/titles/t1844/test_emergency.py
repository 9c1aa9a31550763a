"""A company of 1844 that must buy a train and cannot pay for it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import decide as rules
from engine.core.agenda import Range
from engine.core.events import GameOver
from engine.core.ids import CompanyId
from engine.core.orders import Sell
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)
MONTREUX = {"I6": "57#0"}
"""Track from Montreux to the mountain H7."""


def mob(*rows: Described, cash: int = 275, director: int = 7, edition: str = "rulebook", **more: Any) -> Swiss:
    """MOB has a route and no train; the 4 is next. Bob directs it."""
    held: dict[str, Any] = {
        "mountains": {"B1": "H7 XM1"},
        "tiles": MONTREUX,
        "supply": {"3": 0},
        "cash": {"Bob": director},
    }
    own = swiss("MOB", {"Bob": 5}, cash=cash)
    return situation(own, *rows, edition=edition, **{**held, **more}).turn("MOB", "trains")


def fnm(cash: int = 353, director: int = 1000, edition: str = "rulebook", **more: Any) -> Swiss:
    """FNM has a route to Milano and no train; 8E and 8H are for sale."""
    own = swiss("FNM", {"Bob": 5}, cash=cash)
    given: dict[str, Any] = {"phase": "6", "supply": {"6": 0}, "cash": {"Bob": director}}
    return situation(own, edition=edition, **{**given, **more}).turn("FNM", "trains")


# ---- what the director pays ------------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:11.1", "1844:11.4")
def test_what_is_missing_becomes_a_debt(edition: str) -> None:
    game = mob(edition=edition)
    assert game.reasons("MOB: done") == {"train.must_own": {"company": "MOB"}}
    bank = game.money("Bank")
    game.do("MOB: train 4")
    assert (game.money("MOB"), game.money("Bob"), game.debts("Bob")) == (0, 0, {"emergency": 27})
    assert (game.trains("MOB"), game.money("Bank")) == ("4", bank + 275 + 7)


@both
@pytest.mark.rule("1844:11.4", "1844:11.10")
@pytest.mark.parametrize(("repaid", "owed"), [(True, {}), (False, {"emergency": 41})])
def test_repaid_in_the_next_stock_round_it_does_not_grow(edition: str, repaid: bool, owed: dict[str, int]) -> None:
    game = mob(edition=edition, debts={"Cat": 1})
    game.do("MOB: train 4; done")
    while game.state.round.kind == "OR":
        game.do(f"{game.asked[0].split()[1]}: run best; pay none; done")
    assert game.state.round.kind == "SR"
    if repaid:
        game.do("Bob: sell 1 MOB; repay 27")
    game.all_pass()
    assert game.debts("Bob") == owed


@both
@pytest.mark.rule("1844:11.1")
def test_cash_before_debt(edition: str) -> None:
    game = mob(director=100, edition=edition)
    game.do("MOB: train 4")
    assert (game.money("Bob"), game.money("MOB"), game.debts("Bob")) == (75, 0, {})


@both
@pytest.mark.rule("1844:11.2", "1844:11.4", "1844:11.8")
def test_the_dearer_face_is_his_choice(edition: str) -> None:
    game = fnm(edition=edition)
    assert {"train 8E", "train 8H"} <= set(game.menu())
    game.do("FNM: train 8E")
    assert (game.money("Bob"), game.money("FNM"), game.debts("Bob")) == (1000 - 607, 0, {})
    facts = {"train": "8H", "cost": 700, "cash": 0}
    assert game.reasons("FNM: train 8H") == {"train.money": facts}, "he helps with no other"
    cheap = fnm(edition=edition)
    cheap.do("FNM: train 8H")
    assert cheap.money("Bob") == 1000 - 347


@both
@pytest.mark.rule("1844:11.2", "1844:10.4")
def test_a_regional_company_has_the_h_train_only(edition: str) -> None:
    row = swiss("JN", {"Bob": 3}, cash=100, markers="F7")
    more: dict[str, Any] = {
        "tiles": {"F7": "5#0", "E6": "57#0"},
        "phase": "6",
        "supply": {"6": 0},
        "cash": {"Bob": 900},
    }
    game = situation(row, edition=edition, **more).turn("JN", "trains")
    assert "train.regional" in game.reasons("JN: train 8E")


@both
@pytest.mark.rule("1844:11.2", "1844:10.5")
def test_a_train_of_the_pool(edition: str) -> None:
    game = mob(edition=edition, cash=100, pool_trains="3H")
    game.do("MOB: train 3H from pool")
    assert (game.money("Bob"), game.debts("Bob"), game.trains("MOB")) == (0, {"emergency": 65}, "3H")


@both
@pytest.mark.rule("1844:10.16", "1844:11.1")
def test_pre_sbb_companies_are_not_helped(edition: str) -> None:
    game = situation(swiss("NOB", "Bob", cash=50), edition=edition, cash={"Bob": 900}).turn("NOB", "trains")
    assert game.reasons("NOB: train 3") == {"train.money": {"train": "3", "cost": 180, "cash": 50}}
    game.do("NOB: done")


# ---- trains of other companies ---------------------------------------------------------------------------------------


@both
@pytest.mark.rule("1844:11.3", "1844:11.2")
def test_another_companys_train_at_most_at_its_printed_price(edition: str) -> None:
    game = mob(swiss("BLS", {"Bob": 5}, trains="3H"), cash=100, director=500, edition=edition)
    facts = {"train": "3H", "price": 151, "cost": 150, "cash": 100}
    assert game.reasons("MOB: train 3H from BLS for 151") == {"train.help_price": facts}
    game.do("MOB: train 3H from BLS for 150")
    assert (game.money("Bob"), game.money("BLS"), game.money("MOB")) == (450, 150, 0)


@pytest.mark.rule("1844:11.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["debt", "cash"])
def test_debt_for_a_train_of_his_own_company(edition: str, ruling: str) -> None:
    """The rulebook lets him borrow for it; on the site treasury and cash must do."""
    bls = swiss("BLS", {"Bob": 5}, trains="3H")
    game = mob(bls, cash=100, director=20, edition=edition, options={"own_director_train": ruling})
    if ruling == "debt":
        game.do("MOB: train 3H from BLS for 150")
        assert (game.money("Bob"), game.debts("Bob"), game.money("BLS")) == (0, {"emergency": 45}, 150)
    else:
        facts = {"train": "3H", "price": 150, "most": 120}
        assert game.reasons("MOB: train 3H from BLS for 150") == {"train.help_cash": facts}
        game.do("MOB: train 3H from BLS for 120")
    usual = mob(bls, cash=100, director=20, edition=edition).refusals("MOB: train 3H from BLS for 150")
    assert usual == (set() if edition == "rulebook" else {"train.help_cash"})


@both
@pytest.mark.rule("1844:11.2", "1844:11.3", "1844:10.9")
def test_a_train_of_another_director(edition: str) -> None:
    game = mob(swiss("BLS", {"Cat": 5}, trains="3H"), cash=100, director=20, edition=edition)
    game.do("MOB: train 3H from BLS for 150")
    if edition == "rulebook":
        assert game.asked == ["Cat BLS consent"]
        game.do("BLS: agree")
    assert (game.debts("Bob"), game.money("BLS")) == ({"emergency": 45}, 150)


# ---- sales -----------------------------------------------------------------------------------------------------------


def seller(edition: str, **more: Any) -> Swiss:
    """Bob directs MOB and the BLS, and has shares of the STB and the JS."""
    rows = (
        swiss("BLS", {"Bob": 5, "Cat": 4}, "r3c5", par=80),
        swiss("STB", {"Ann": 5, "Bob": 3}, "r5c5", operated=False, pool=1),
        swiss("JS", {"Ann": 2, "Bob": 1}, operated=False),
    )
    return mob(*rows, edition=edition, **{"cash": 30, **more})


@both
@pytest.mark.rule("1844:11.5", "1844:4.5", "1844:4.6")
def test_shares_are_sold_by_the_usual_rules(edition: str) -> None:
    game = seller(edition)
    game.do("MOB: sell 1 STB")
    assert (game.money("Bob"), game.price("STB")) == (67, "60 r6c5"), "never operated: the price falls first"
    assert game.reasons("MOB: sell 1 STB") == {"sell.twice": {"company": "STB"}}
    game.do("MOB: train 4")
    assert (game.money("Bob"), game.debts("Bob")) == (0, {"emergency": (300 - 30 - 67) * 3 // 2 + 1})


@both
@pytest.mark.rule("1844:11.5", "1844:4.4")
def test_by_a_ruling_a_company_is_sold_twice_to_help(edition: str) -> None:
    game = seller(edition, options={"sales_in_turn": "any"})
    game.do("MOB: sell 1 STB\nMOB: sell 1 STB")
    assert (game.money("Bob"), game.price("STB")) == (7 + 60 + 59, "59 r7c5")


@both
@pytest.mark.rule("1844:11.6")
def test_no_director_changes(edition: str) -> None:
    game = seller(edition)
    facts = {"company": "BLS", "count": 2, "player": "Cat"}
    assert game.reasons("MOB: sell 2 BLS") == {"sell.director_change": facts}
    game.do("MOB: sell 1 BLS")
    assert game.director("BLS") == "Bob"


@both
@pytest.mark.rule("1844:11.5", "1844:4.7")
def test_the_pool_has_its_limit(edition: str) -> None:
    game = seller(edition)
    assert game.reasons("MOB: sell 4 MOB")["sell.director"] == {"company": "MOB", "count": 4, "most": 3, "others": ()}
    stb = swiss("STB", {"Ann": 2, "Bob": 3}, pool=4)
    full = mob(stb, cash=30, edition=edition)
    assert full.reasons("MOB: sell 2 STB") == {"sell.pool_full": {"company": "STB", "count": 2, "room": 1}}
    bob = full.state.players[1]
    assert bob == "Bob"
    assert full.reasons(Sell(CompanyId("MOB"), CompanyId("B1"), 1)) == {"sell.not_for_sale": {"company": "B1"}}


@both
@pytest.mark.rule("1844:11.5")
def test_only_for_a_train_that_must_be_bought_and_cannot_be_paid(edition: str) -> None:
    rich = seller(edition, cash=320)
    assert rich.reasons("MOB: sell 1 JS") == {"help.no_need": {"company": "MOB", "cash": 320, "price": 300}}
    js = swiss("JS", {"Ann": 2, "Bob": 1})
    idle = situation(swiss("MOB", {"Bob": 5}, trains="3H", cash=30), js, edition=edition).turn("MOB", "trains")
    assert idle.reasons("MOB: sell 1 JS") == {"help.not_obliged": {"company": "MOB"}}


@pytest.mark.rule("1844:11.7")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["any", "needed"])
def test_how_much_he_sells(edition: str, ruling: str) -> None:
    """Missing for the 4 are 263: three of the BLS at 90 are enough, and then nothing is missing."""
    bls = swiss("BLS", {"Bob": 8, "Cat": 1}, "r3c5", par=80)
    js = swiss("JS", {"Ann": 2, "Bob": 1})
    given: dict[str, Any] = {"cash": 30, "edition": edition, "options": {"emergency_sales": ruling}}
    game = mob(bls, js, **given)
    refused = game.reasons("MOB: sell 4 BLS")
    assert refused == ({} if ruling == "any" else {"help.too_much": {"company": "BLS", "missing": 263}})
    game.do("MOB: sell 3 BLS")
    more = game.reasons("MOB: sell 1 JS")
    assert more == ({} if ruling == "any" else {"help.too_much": {"company": "JS", "missing": 0}})
    usual = mob(bls, js, cash=30, edition=edition).refusals("MOB: sell 4 BLS")
    assert usual == (set() if edition == "rulebook" else {"help.too_much"})


@pytest.mark.rule("1844:11.7")
@pytest.mark.parametrize(
    ("director", "reasons"), [(600, {}), (607, {"help.too_much": {"company": "SBB", "missing": 0}})]
)
def test_a_double_may_bring_more_than_18xx_games_finds_missing(director: int, reasons: dict[str, Any]) -> None:
    """The 8E is dearest: 7 are missing, and Bob has nothing smaller to sell than a double at 120 a share."""
    own, sbb = swiss("FNM", {"Bob": 5}, cash=353), swiss("SBB", {"Cat": (4, 8), "Bob": (1, 0)}, "r6c10", pool=(0, 2))
    given: dict[str, Any] = {"phase": "6", "supply": {"6": 0}, "cash": {"Bob": director}}
    game = situation(own, sbb, edition="18xx.games", **given).turn("FNM", "trains")
    assert game.reasons("FNM: sell 2 SBB") == reasons


@pytest.mark.rule("1844:11.7", "1844:4.6")
@pytest.mark.parametrize(("cash", "allowed"), [(58, True), (63, False)])
def test_18xx_games_takes_one_share_off_at_the_price_before_the_fall(cash: int, allowed: bool) -> None:
    """BLS has not operated: four shares bring 80 each, and one at 90 off that leaves 230; 235 or 230 are missing."""
    bls = swiss("BLS", {"Cat": 3, "Bob": 5}, "r3c5", par=90, operated=False)
    game = mob(bls, cash=cash, edition="18xx.games")
    assert game.refusals("MOB: sell 4 BLS") == (set() if allowed else {"help.too_much"})


@pytest.mark.rule("1844:11.7", "1844:4.6")
@pytest.mark.parametrize(("cash", "reasons"), [(309, set()), (310, {"help.no_need"})])
def test_18xx_games_may_find_something_missing_where_nothing_is(cash: int, reasons: set[str]) -> None:
    """The 4 costs 300, and one share of BLS off a sale of one leaves 80 less 90."""
    bls = swiss("BLS", {"Cat": 3, "Bob": 5}, "r3c5", par=90, operated=False)
    assert mob(bls, cash=cash, director=0, edition="18xx.games").refusals("MOB: sell 1 BLS") == reasons
    usual = mob(bls, cash=300, edition="18xx.games", options={"emergency_sales": "any"})
    assert usual.refusals("MOB: sell 1 BLS") == {"help.no_need"}


# ---- bankruptcy ------------------------------------------------------------------------------------------------------


def last_resort(edition: str, **options: str) -> Swiss:
    """VZ has nothing and needs an 8H for 700. Ann, who directs it, has 60, owes 132, and has shares worth 1128; of them
    she can sell three of FNM for 270 and others for 312."""
    rows = (
        swiss("VZ", {"Ann": 2, "Bob": 1}, "r1c9"),
        swiss("FNM", {"Bob": 5, "Ann": 3}, "r3c5"),
        swiss("AB", {"Bob": 5, "Ann": 2}, "r4c2"),
        swiss("JS", {"Cat": 2, "Ann": 1}, "r1c12"),
        swiss("BLS", {"Bob": 3, "Ann": 2}, "r7c5", pool=5),
        swiss("STB", {"Bob": 3, "Ann": 2}, "r7c5", pool=5),
    )
    given: dict[str, Any] = {
        "phase": "6",
        "supply": {"6": 0},
        "tiles": {"K10": "57#0", "J11": "3#0"},
        "options": options,
    }
    game = situation(*rows, cash={"Ann": 60}, debts={"Ann": 132}, edition=edition, **given)
    return game.turn("VZ", "trains")


@both
@pytest.mark.rule("1844:11.9", "1844:11.4", "1844:14.6")
def test_debt_instead_of_bankruptcy(edition: str) -> None:
    game = last_resort(edition)
    assert game.score("Ann") == 60 + 1128 - 132
    game.do("VZ: train 8H")
    assert (game.money("Ann"), game.debts("Ann"), game.score("Ann")) == (0, {"emergency": 1092}, 36)
    selling = last_resort(edition)
    selling.do("VZ: sell 3 FNM; train 8H")
    assert (selling.debts("Ann"), selling.score("Ann")) == ({"emergency": 687}, 171)
    assert selling.price("FNM") == "80 r4c5"


@pytest.mark.rule("1844:11.9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["no", "yes"])
def test_giving_up(edition: str, ruling: str) -> None:
    """On the site what can be sold is sold and all cash goes to the bank: 1128 less 582 less 132 are left."""
    game = last_resort(edition, bankruptcy=ruling)
    if ruling == "no":
        assert game.reasons("VZ: bankrupt") == {"bankrupt.never": {"company": "VZ"}}
        assert "bankrupt" not in game.menu()
    else:
        assert "bankrupt" in game.menu()
        game.do("VZ: bankrupt")
        over = game.told(GameOver)[0]
        assert (dict(over.standings)[game.state.players[0]], over.reason) == (414, "bankruptcy")
        assert game.money("Ann") == 0
    assert last_resort(edition).refusals("VZ: bankrupt") == ({"bankrupt.never"} if edition == "rulebook" else set())


@pytest.mark.rule("1844:11.9")
def test_on_the_site_only_who_cannot_pay_the_cheapest() -> None:
    edition = "18xx.games"
    rich = mob(director=25, edition=edition)
    facts = {"company": "MOB", "funds": 300 + 240, "price": 260}
    assert rich.reasons("MOB: bankrupt") == {"bankrupt.can_pay": facts}
    duty = situation(swiss("MOB", {"Bob": 5}, trains="3H"), edition=edition).turn("MOB", "trains")
    assert duty.reasons("MOB: bankrupt") == {"help.not_obliged": {"company": "MOB"}}


@pytest.mark.rule("1844:11.5")
@both
def test_numbers_in_a_row_are_one_choice(edition: str) -> None:
    game = seller(edition)
    assert [line for line in game.menu() if line.startswith("sell")] == [
        f"sell 1 {c}" for c in ["MOB", "BLS", "STB", "JS"]
    ]
    choices = rules.menu(game.title, game.state, rules.asked(game.title, game.state)[0])
    highs = [c.high for c in choices if isinstance(c, Range) and isinstance(c.order, Sell) and c.order.company == "STB"]
    assert highs == [3]
    game.accepted()
