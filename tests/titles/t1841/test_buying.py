"""Buying shares in 1841, of the Initial Offering, the pool and other players; and buying concessions."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.decide import cost
from engine.core.events import ConsentAsked
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.core.orders import Buy, BuyConcession
from engine.core.title import Play
from engine.titles.t1841.names import SOLD
from engine.titles.t1841.stock.trading import buy, check_buy, sell_at_half, sell_group
from moderator.words.wording import describe_subject
from tests.kit.games.situations_1841 import Italian, firm, situation


def checks(game: Italian, buyer: str, company: str, source: Any = "treasury", kind: Any = None) -> dict[str, Any]:
    """Reasons against a purchase, with what companies have sold in the operating round."""
    order = Buy(CompanyId(buyer), CompanyId(company), source, kind)
    sold = game.state.marks.get(SOLD, frozenset())
    return {f.check: dict(f.facts) for f in check_buy(game.title, game.state, order.actor, order, sold)}


def chain(edition: str = "clarified", **options: str) -> Italian:
    """Ann runs SFTN, which runs SFTG; Bob runs SSFL, and the minor SFTC."""
    return situation(
        firm("SFTN", {"Ann": 3}, "F4", cash=500, markers="H4/1"),
        firm("SFTG", {"SFTN": 4, "Ann": 1, "Bob": 1}, "F4", cash=500, markers="H4/0 J6"),
        firm("SSFL", {"Bob": 3}, "C5", cash=500, pool=2, markers="Q11"),
        firm("SFMA", {"Bob": 2}, "F4", cash=500, markers="R14/1"),
        cash={"Ann": 500, "Bob": 500, "Cat": 500},
        round="SR 2",
        edition=edition,
        options=options,
    )


# ---- from the Initial Offering and the pool --------------------------------------------------------------------------


@pytest.mark.clarification("1.2")
@pytest.mark.clarification("5.1")
@pytest.mark.rule("1841:1.8")
def test_a_minors_certificate_costs_its_price_once_and_the_presidents_twice() -> None:
    game = situation(
        firm("SFMA", {"Bob": 2}, "F4"), firm("SFLP", {"Pool": 2}, "C5"), cash={"Ann": 300}, round="SR 2"
    ).stock("Ann")
    game.do("Ann: buy SFMA")
    assert game.state.money("Ann") == 200
    assert game.state.money("SFMA") == 100
    game = situation(firm("SFLP", {"Pool": 2}, "C5"), cash={"Ann": 300}, round="SR 2").stock("Ann")
    game.do("Ann: buy SFLP director")
    assert game.state.money("Ann") == 300 - 2 * 68
    assert game.state.money("SFLP") == 0
    assert (game.president("SFLP"), game.shares("SFLP")["Ann"]) == ("Ann", 2)


@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        ("Cat: buy SFTG", {}),
        ("Cat: buy SSFL from pool", {}),
        ("Cat: buy SSFL", {"ambiguous.source": {"company": "SSFL", "sources": ("treasury", "pool")}}),
        ("Cat: buy AFI", {"buy.not_started": {"company": "AFI", "status": "unstarted"}}),
        (
            "Cat: buy SSFL director",
            {"buy.none_left": {"company": "SSFL", "source": None, "left": ("treasury", "pool"), "kind": "director"}},
        ),
        (
            "Cat: buy SFTG from pool",
            {"buy.none_left": {"company": "SFTG", "source": "pool", "left": ("treasury",), "kind": None}},
        ),
    ],
)
@pytest.mark.rule("1841:3.9")
def test_a_purchase_is_legal_or_refused(order: str, reasons: dict[str, Any]) -> None:
    assert chain().stock("Cat").failures(order) == reasons


@pytest.mark.rule("1841:3.8")
def test_who_has_sold_buys_none_of_it_in_the_same_round() -> None:
    game = chain().stock("Bob")
    game.do("Bob: sell 1 SSFL")
    assert game.failures("Bob: buy SSFL from pool") == {"buy.sold_before": {"company": "SSFL", "seller": "Bob"}}
    game.do("Bob: pass")
    game.do("Cat: pass")
    game.do("Ann: pass")
    assert game.refusals("Bob: buy SSFL from pool") == {"buy.sold_before"}


def test_the_money_that_is_missing_is_told() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4"), cash={"Cat": 60}, round="SR 2").stock("Cat")
    assert game.failures("Cat: buy SFTG") == {"buy.money": {"company": "SFTG", "price": 100, "cash": 60}}


@pytest.mark.rule("1841:5.12")
def test_a_purchase_over_60_percent_of_the_chain_shows_the_sum_by_holder() -> None:
    game = situation(
        firm("SFTN", {"Ann": 3}, "F4"),
        firm("SFTG", {"SFTN": 4, "Ann": 2}, "F4"),
        cash={"Ann": 500},
        round="SR 2",
    ).stock("Ann")
    assert game.failures("Ann: buy SFTG") == {
        "buy.sixty_percent": {
            "company": "SFTG",
            "player": "Ann",
            "holders": (("Ann", 20), ("SFTN", 40)),
            "gained": (),
            "held": 60,
            "more": 10,
            "most": 60,
        }
    }


def gaining(shares: int, edition: str = "clarified", **other: Any) -> Italian:
    """AFI and CFCC own each other, and CFCC has so many shares of AFI; Cat has three, the pool one."""
    return situation(
        firm("AFI", {"CFCC": shares, "Cat": 3, "Ann": 1}, "F4", pool=1),
        firm("CFCC", {"AFI": 3}, "G4"),
        cash={"Cat": 500},
        phase="4",
        round="SR 5",
        edition=edition,
        **other,
    ).stock("Cat")


@pytest.mark.rule("1841:5.12")
def test_companies_that_a_purchase_brings_count_for_60_percent() -> None:
    """With a fourth share Cat presides over AFI, and so controls CFCC, which has 30 % of AFI as well."""
    game = gaining(3)
    assert game.failures("Cat: buy AFI from pool") == {
        "buy.sixty_percent": {
            "company": "AFI",
            "player": "Cat",
            "holders": (("Cat", 30), ("CFCC", 30)),
            "held": 60,
            "more": 10,
            "most": 60,
            "gained": ("CFCC",),
        }
    }
    assert not any(entry.startswith("buy AFI") for entry in game.accepted())


@pytest.mark.rule("1841:5.12")
@pytest.mark.parametrize("edition", ["v2", "v1"])
def test_on_the_site_companies_that_a_purchase_brings_do_not_count(edition: str) -> None:
    game = gaining(3, edition)
    game.do("Cat: buy AFI from pool")
    assert game.president("AFI") == "Cat"


@pytest.mark.rule("1841:5.12")
def test_60_percent_with_the_companies_that_a_purchase_brings_is_allowed() -> None:
    game = gaining(2)
    game.do("Cat: buy AFI from pool")
    assert game.president("AFI") == "Cat"


@pytest.mark.rule("1841:5.12")
def test_a_presidents_certificate_from_the_pool_brings_companies_too() -> None:
    """Of a minor 20 % and 40 % are allowed, but AFI, which SLDV owns, has 20 % as well."""
    game = situation(
        firm("SLDV", {"Pool": 2, "Cat": 1, "AFI": 1}, "F4"),
        firm("AFI", {"SLDV": 2}, "G4"),
        cash={"Cat": 500},
        phase="4",
        round="SR 5",
    ).stock("Cat")
    assert game.failures("Cat: buy SLDV director")["buy.sixty_percent"]["gained"] == ("AFI",)


@pytest.mark.rule("1841:5.12")
def test_shares_from_another_player_bring_companies_too() -> None:
    game = situation(
        firm("AFI", {"Bob": 3, "Cat": 3, "CFCC": 3}, "F4"),
        firm("CFCC", {"AFI": 3}, "G4"),
        cash={"Cat": 500},
        phase="4",
        round="SR 5",
    ).stock("Cat")
    assert game.failures("Cat: buy 1 AFI from Bob for 50")["buy.sixty_percent"]["gained"] == ("CFCC",)


@pytest.mark.rule("1841:5.12")
def test_a_concession_brings_the_companies_of_its_company_too() -> None:
    game = situation(
        firm("SFTG", {"Pool": 2, "AFI": 5}, "F4"),
        firm("AFI", {"SFTG": 2}, "G4"),
        cash={"Cat": 500},
        phase="3",
        round="SR 5",
        privates={"C-SFTG": None},
    ).stock("Cat")
    assert game.failures("Cat: buy C-SFTG")["buy.sixty_percent"]["gained"] == ("AFI",)


@pytest.mark.rule("1841:11.6")
def test_two_shares_are_exchanged_for_the_presidents_certificate_of_a_frozen_company() -> None:
    game = situation(firm("SSFL", {"Pool": 2, "Cat": 1}, "C5", pool=1), cash={"Cat": 500}, round="SR 2").stock("Cat")
    assert game.frozen("SSFL")
    game.do("Cat: buy SSFL from offering")
    assert (game.president("SSFL"), game.shares("SSFL")) == ("Cat", {"Cat": 2, "Pool": 3, "Treasury": 5})


@pytest.mark.rule("1841:3.10")
@pytest.mark.parametrize(("phase", "reasons"), [("3", {"buy.concession"}), ("4", set[str]())])
def test_a_historical_presidents_certificate_is_bought_when_the_concessions_are_gone(
    phase: str, reasons: set[str]
) -> None:
    game = situation(firm("SSFL", {"Pool": 2}, "C5"), cash={"Cat": 500}, phase=phase, round="SR 2").stock("Cat")
    assert game.refusals("Cat: buy SSFL director") == reasons


# ---- companies that buy ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:10.4")
def test_a_company_pays_for_its_own_certificate() -> None:
    game = chain()
    play = Play(game.title, game.state)
    buy(play, CompanyId("SFTG"), Buy(CompanyId("SFTG"), CompanyId("SSFL"), "pool"))
    game.state = play.state
    assert game.state.money("SFTG") == 500 - 68
    assert game.shares("SSFL") == {"Bob": 3, "SFTG": 1, "Pool": 1, "Treasury": 5}


@pytest.mark.rule("1841:10.5")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_a_company_buys_neither_its_own_stock_nor_that_of_who_owns_it(edition: str) -> None:
    game = chain(edition)
    assert checks(game, "SFTG", "SFTG") == {"buy.own": {"company": "SFTG"}}
    facts = {"company": "SFTN", "buyer": "SFTG", "chain": ("SFTN", "Ann")}
    assert checks(game, "SFTG", "SFTN") == {"buy.own_owner": facts}
    assert not checks(game, "SFTN", "SFTG")


@pytest.mark.clarification("1.21")
@pytest.mark.parametrize("buyer", ["SFTG", "Cat"])
def test_what_another_company_owns_is_not_for_sale(buyer: str) -> None:
    game = situation(
        firm("SFTN", {"Ann": 3}, "F4"), firm("SFMA", {"Bob": 2, "SFTN": 3}, "F4"),
        firm("SFTG", {"Cat": 3}, "F4", cash=500), cash={"Cat": 500},
    )  # fmt: skip
    facts = {"company": "SFMA", "source": None, "left": (), "kind": None}
    assert checks(game, buyer, "SFMA", None) == {"buy.none_left": facts}


@pytest.mark.clarification("3.5")
@pytest.mark.rule("1841:10.6")
def test_a_company_buys_nothing_that_it_has_sold_in_the_operating_round() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4", cash=500), firm("SSFL", {"Bob": 3, "SFTG": 2}, "C5"))
    play = Play(game.title, game.state)
    sell_at_half(play, CompanyId("SFTG"), ((CompanyId("SSFL"), 1),))
    game.state = play.state
    assert checks(game, "SFTG", "SSFL") == {"buy.sold_before": {"company": "SSFL", "seller": "SFTG"}}


@pytest.mark.clarification("3.5", site=True)
def test_on_the_site_only_sales_of_the_financial_step_count() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4", cash=500), firm("SSFL", {"Bob": 3, "SFTG": 2}, "C5"), edition="v2")
    play = Play(game.title, game.state)
    sell_at_half(play, CompanyId("SFTG"), ((CompanyId("SSFL"), 1),))
    game.state = play.state
    assert not checks(game, "SFTG", "SSFL")
    sell_group(play, CompanyId("SFTG"), ((CompanyId("SSFL"), 1),))
    game.state = play.state
    assert checks(game, "SFTG", "SSFL") == {"buy.sold_before": {"company": "SSFL", "seller": "SFTG"}}


@pytest.mark.clarification("4.4")
@pytest.mark.rule("1841:10.8")
@pytest.mark.parametrize(
    ("phase", "markers", "refused"),
    [
        ("3", "K11", {"buy.abroad": {"company": "AFI", "hexes": ("K11",)}}),
        ("3", "M7", {}),
        ("4", "K11", {}),
        ("4", "F14 K11", {"buy.abroad": {"company": "AFI", "hexes": ("F14",)}}),
        ("6", "F14", {}),
    ],
)
def test_by_the_variant_no_stock_of_a_company_with_a_token_beyond_a_border(
    phase: str, markers: str, refused: dict[str, Any]
) -> None:
    game = situation(
        firm("ATFA", {"Ann": 3}, "F4", cash=500, markers="J6"),
        firm("AFI", {"Bob": 3}, "F4", markers=markers),
        phase=phase,
        options={"foreign_shares": "no"},
    )
    assert checks(game, "ATFA", "AFI") == refused


# ---- from other players ----------------------------------------------------------------------------------------------


@pytest.mark.clarification("2.4")
@pytest.mark.rule("1841:3.12")
@pytest.mark.rule("1841:3.13")
def test_a_purchase_from_a_player_is_no_sale_by_him() -> None:
    game = situation(
        firm("SFTG", {"Ann": 4, "Bob": 3}, "F4", history=False), cash={"Ann": 500, "Cat": 500}, round="SR 2"
    ).stock("Cat")
    game.do("Cat: buy 1 SFTG from Ann for 70")
    assert game.asked == ["Ann consent"]
    game.do("Ann: agree")
    assert game.shares("SFTG") == {"Ann": 3, "Bob": 3, "Cat": 1, "Treasury": 3}
    assert (game.place("SFTG"), game.state.money("Ann"), game.state.money("Cat")) == ("100 F4", 570, 430)
    assert game.refusals("Ann: buy SFTG") == set()


def test_a_refusal_leaves_the_turn_to_the_buyer() -> None:
    game = situation(firm("SFTG", {"Ann": 4}, "F4"), cash={"Cat": 500}, round="SR 2").stock("Cat")
    game.do("Cat: buy 1 SFTG from Ann for 70")
    game.do("Ann: refuse")
    assert (game.asked, game.shares("SFTG")["Ann"]) == (["Cat stock.turn"], 4)


@pytest.mark.clarification("2.3")
@pytest.mark.rule("1841:3.14")
def test_a_share_of_a_lone_presidents_certificate_is_bought_where_somebody_can_be_president() -> None:
    game = situation(firm("SFTG", {"Ann": 2}, "F4"), cash={"Cat": 500}, round="SR 2").stock("Cat")
    facts = {"company": "SFTG", "seller": "Ann", "others": ()}
    assert game.failures("Cat: buy 1 SFTG from Ann for 70") == {"buy.no_president": facts}
    game = situation(firm("SFTG", {"Ann": 2, "Cat": 1}, "F4"), cash={"Cat": 500}, round="SR 2").stock("Cat")
    game.do("Cat: buy 1 SFTG from Ann for 70")
    game.do("Ann: agree")
    assert (game.president("SFTG"), game.shares("SFTG")) == ("Cat", {"Ann": 1, "Cat": 2, "Treasury": 7})
    game = situation(firm("SFTG", {"Ann": 2, "Bob": 2}, "F4"), cash={"Cat": 500}, round="SR 2").stock("Cat")
    game.do("Cat: buy 1 SFTG from Ann for 70")
    game.do("Ann: agree")
    assert (game.president("SFTG"), game.shares("SFTG")) == ("Bob", {"Ann": 1, "Bob": 2, "Cat": 1, "Treasury": 6})


@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        ("buy 2 SFTG from Ann for 70", set[str]()),  # the president's certificate
        ("buy 3 SFTG from Ann for 70", {"buy.one_certificate"}),
        ("buy 2 SFTG from Bob for 70", {"buy.one_certificate"}),
        ("buy 4 SFTG from Bob for 70", {"buy.seller_has_less"}),
        ("buy 1 SFTG from Ann for 700", {"buy.money"}),
        ("buy 1 SFTG from Ann for 0", {"buy.price_from_one"}),
    ],
)
@pytest.mark.rule("1841:3.11")
def test_a_turn_buys_one_certificate_of_another_player(order: str, reasons: set[str]) -> None:
    game = situation(firm("SFTG", {"Ann": 3, "Bob": 2}, "F4"), cash={"Cat": 500}, round="SR 2").stock("Cat")
    assert game.refusals(f"Cat: {order}") == reasons


def test_before_the_first_4_train_a_historical_presidents_certificate_stays_with_its_concession() -> None:
    game = situation(
        firm("SFTG", {"Ann": 3}, "F4"), cash={"Cat": 500}, phase="3", privates={"C-SFTG": "Ann"}, round="SR 2"
    ).stock("Cat")
    assert game.refusals("Cat: buy 2 SFTG from Ann for 70") == {"buy.concession"}


@pytest.mark.parametrize(("edition", "options"), [("v2", {}), ("clarified", {"player_trades": "no"})])
def test_where_players_do_not_trade_nothing_is_bought_of_them(edition: str, options: dict[str, str]) -> None:
    game = situation(
        firm("SFTG", {"Ann": 3}, "F4"), cash={"Cat": 500}, round="SR 2", edition=edition, options=options
    ).stock("Cat")
    assert game.refusals("Cat: buy 1 SFTG from Ann for 70") == {"buy.no_trades"}
    assert not any("from Ann" in entry for entry in game.accepted())


# ---- concessions -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:3.15")
@pytest.mark.parametrize(
    ("round", "order", "reasons"),
    [
        ("SR 2", "buy C-SFTC", set[str]()),
        ("SR 1", "buy C-SFTC", {"concession.first_round"}),
        ("SR 2", "buy C-SFTC for 60", {"concession.bank_price"}),
        ("SR 2", "buy C-SSFL", {"concession.price"}),
        ("SR 2", "buy C-SSFL for 60", set[str]()),
        ("SR 2", "buy C-SSFL for 600", {"concession.money"}),
        ("SR 2", "buy Bayard for 20", {"concession.own"}),
    ],
)
def test_a_concession_is_bought_of_the_bank_or_of_a_player(round: str, order: str, reasons: set[str]) -> None:
    game = situation(cash={"Cat": 500}, phase="3", privates={"C-SSFL": "Ann", "Bayard": "Cat"}, round=round).stock(
        "Cat"
    )
    assert game.refusals(f"Cat: {order}") == reasons


@pytest.mark.rule("1841:3.16")
@pytest.mark.rule("1841:3.17")
@pytest.mark.parametrize("answer", ["Ann: agree", "Ann: agree C-SSFL to Cat for 90"])
def test_the_concession_of_a_running_company_brings_its_presidents_certificate(answer: str) -> None:
    """The player who is asked is told so."""
    game = situation(
        firm("SSFL", {"Ann": 4}, "C5"), cash={"Cat": 500}, phase="3", privates={"C-SSFL": "Ann"}, round="SR 2"
    ).stock("Cat")
    game.do("Cat: buy C-SSFL for 90")
    (told,) = game.told(ConsentAsked)
    said = "Cat buys C-SSFL, with the president's certificate of SSFL, for L. 90"
    assert describe_subject(game.title, told.subject).replace("\u00a0", " ") == said
    game.do(answer)
    assert (game.owner("C-SSFL"), game.president("SSFL")) == ("Cat", "Cat")
    assert game.shares("SSFL") == {"Ann": 2, "Cat": 2, "Treasury": 6}
    assert (game.state.money("Ann"), game.state.money("Cat")) == (90, 410)


@pytest.mark.rule("1841:3.17")
def test_of_the_bank_that_certificate_costs_twice_the_price() -> None:
    game = situation(
        firm("SSFL", {"Pool": 2, "Ann": 2}, "C5"), cash={"Cat": 500}, phase="3", privates={"C-SSFL": None}, round="SR 2"
    ).stock("Cat")
    order = BuyConcession(PlayerId("Cat"), PrivateId("C-SSFL"))
    assert cost(game.title, game.state, order) == 50 + 2 * 68, "what the menu says"
    game.do("Cat: buy C-SSFL")
    assert (game.owner("C-SSFL"), game.president("SSFL")) == ("Cat", "Cat")
    assert game.state.money("Cat") == 500 - 50 - 2 * 68


def test_menu_and_decision_agree_on_purchases() -> None:
    game = chain().stock("Cat")
    offered = game.accepted()
    assert "buy SFTG from offering" in offered
    game = situation(
        firm("SSFL", {"Ann": 4}, "C5"),
        cash={"Cat": 500},
        phase="3",
        privates={"C-SSFL": "Ann", "C-SFTG": None},
        round="SR 2",
    ).stock("Cat")
    offered = game.accepted()
    assert "buy C-SFTG" in offered
