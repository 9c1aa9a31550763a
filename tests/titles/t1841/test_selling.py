"""Selling shares in 1841: what may go, what it brings, and how prices fall."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId
from engine.core.title import Play
from engine.titles.t1841.stock.trading import check_sale, proceeds, sell_at_half, sell_group
from tests.kit.games.situations_1841 import Italian, firm, situation

Sales = tuple[tuple[CompanyId, int], ...]


def sales(text: str) -> Sales:
    return tuple((CompanyId(name), int(number)) for number, name in (part.split() for part in text.split(", ")))


def sold(game: Italian, seller: str, text: str, **how: Any) -> Italian:
    """The game after a sale that nobody checks."""
    play = Play(game.title, game.state)
    sell_group(play, CompanyId(seller), sales(text), **how)
    game.state = play.state
    return game


def market(edition: str = "clarified", **options: str) -> Italian:
    """Ann directs SFTG and SSFL, Bob the minor SFTC; SFTN has just been formed."""
    return situation(
        firm("SFTG", {"Ann": 4, "Bob": 2, "Cat": 1}, "F4", cash=50, markers="H4/0 J6"),
        firm("SSFL", {"Ann": 3}, "C5", pool=4),
        firm("SFTC", {"Bob": 3, "Ann": 1}, "F4"),
        firm("SFTN", {"Ann": 3}, "I3", history=False),
        cash={"Ann": 100, "Bob": 100, "Cat": 100},
        round="SR 2",
        edition=edition,
        options=options,
    )


@pytest.mark.parametrize(
    ("order", "reasons"),
    [
        ("Ann: sell 1 SFTG", {}),
        ("Ann: sell 4 SFTG", {}),  # Bob has two shares and takes the certificate
        ("Ann: sell 5 SFTG", {"sell.not_held": {"company": "SFTG", "count": 5, "held": 4}}),
        ("Ann: sell 1 AFI", {"sell.not_for_sale": {"company": "AFI"}}),
        ("Ann: sell 1 SFTG, 1 SFTG", {"sell.named_twice": {"company": "SFTG"}}),
        pytest.param(
            "Ann: sell 1 SFTN",
            {"sell.not_operated": {"company": "SFTN", "own": False}},
            marks=[pytest.mark.clarification("1.3"), pytest.mark.clarification("5.3"), pytest.mark.rule("1841:3.3")],
        ),
        pytest.param(
            "Ann: sell 2 SSFL",
            {
                "sell.pool_full": {"company": "SSFL", "count": 2, "room": 1},
                "sell.director": {"company": "SSFL", "count": 2, "most": 1, "others": ()},
            },
            marks=[pytest.mark.rule("1841:3.4"), pytest.mark.rule("1841:3.5")],
        ),
    ],
)
def test_a_sale_is_legal_or_refused_with_every_reason(order: str, reasons: dict[str, Any]) -> None:
    assert market().stock("Ann").failures(order) == reasons


@pytest.mark.rule("1841:3.1")
@pytest.mark.rule("1841:11.2")
def test_a_player_sells_shares_of_a_frozen_company_and_not_those_that_it_holds() -> None:
    """SFTN's director's certificate is in the pool, so that nobody directs it, nor SFTG, which it directs."""
    game = situation(
        firm("SFTN", {"Pool": 2}, "I3"),
        firm("SFTG", {"SFTN": 3, "Ann": 2}, "F4"),
        firm("AFI", {"Bob": 2, "SFTG": 1}, "F4"),
        cash={"Ann": 100},
        round="SR 2",
    ).stock("Ann")
    assert game.failures("SFTG: sell 1 AFI") == {"order.not_asked": {"actor": "SFTG", "asked": ("Ann",)}}
    game.do("Ann: sell 2 SFTG")
    assert game.money("Ann") == 300
    assert game.shares("SFTG") == {"SFTN": 3, "Pool": 2, "Treasury": 5}
    assert (game.president("SFTG"), game.price("SFTG")) == ("SFTN", "87 r6c6")


@pytest.mark.rule("1841:3.5")
def test_the_president_may_sell_half_of_his_certificate_where_another_takes_it() -> None:
    game = situation(firm("SFTG", {"Ann": 2, "Bob": 2}, "F4"), cash={"Ann": 0}, round="SR 2").stock("Ann")
    game.do("Ann: sell 1 SFTG")
    assert game.shares("SFTG") == {"Ann": 1, "Bob": 2, "Pool": 1, "Treasury": 6}
    assert game.president("SFTG") == "Bob"


@pytest.mark.rule("1841:5.8")
def test_until_the_first_4_train_a_concession_keeps_its_president() -> None:
    game = situation(
        firm("SFTG", {"Ann": 3, "Bob": 3}, "F4"), phase="3", privates={"C-SFTG": "Ann"}, round="SR 2"
    ).stock("Ann")
    facts = {"company": "SFTG", "count": 2, "most": 1, "concession": "C-SFTG"}
    assert game.failures("Ann: sell 2 SFTG") == {"sell.concession": facts}
    game.do("Ann: sell 1 SFTG")
    assert game.president("SFTG") == "Ann"


@pytest.mark.clarification("2.2")
@pytest.mark.rule("1841:3.6")
def test_a_group_is_paid_at_the_old_prices_and_falls_against_the_running_order() -> None:
    game = situation(
        firm("SFTG", {"Ann": 4, "Bob": 2}, "F4"),
        firm("SFTN", {"Bob": 4, "Ann": 2}, "F4"),
        firm("SSFL", {"Ann": 4}, "F5"),
        round="SR 2",
    ).stock("Ann")
    game.do("Ann: sell 1 SFTG, 1 SFTN, 2 SSFL")
    assert game.state.money("Ann") == 100 + 100 + 2 * 95
    assert game.place("SSFL") == "75 F7"
    assert game.pile("F5") == ["SFTN", "SFTG"]  # SFTG lay on top, so it fell last


@pytest.mark.clarification("2.2", site=True)
@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_on_the_site_each_sale_moves_its_price_at_once(edition: str) -> None:
    game = situation(
        firm("SFTG", {"Ann": 4, "Bob": 2}, "F4"),
        firm("SFTN", {"Bob": 4, "Ann": 2}, "F4"),
        round="SR 2",
        edition=edition,
    ).stock("Ann")
    game.do("Ann: sell 1 SFTG")
    game.do("Ann: sell 1 SFTN")
    game.do("Ann: sell 1 SFTG")
    assert game.state.money("Ann") == 100 + 100 + 95
    assert (game.place("SFTG"), game.place("SFTN")) == ("87 F6", "95 F5")


@pytest.mark.clarification("2.2")
def test_a_turn_has_one_group() -> None:
    game = market().stock("Ann")
    game.do("Ann: sell 1 SFTG, 1 SSFL")
    assert game.failures("Ann: sell 1 SFTG") == {"stock.one_group": {"companies": ("SFTG", "SSFL")}}
    assert not any(entry.startswith("sell") for entry in game.accepted())


@pytest.mark.rule("1841:3.6")
def test_a_price_falls_one_row_for_each_share_of_a_presidents_certificate_too() -> None:
    game = market().stock("Ann")
    game.do("Ann: sell 4 SFTG")
    assert game.place("SFTG") == "63 F8"


@pytest.mark.clarification("1.2")
@pytest.mark.rule("1841:1.8")
@pytest.mark.parametrize(("number", "brings", "president"), [(1, 100, "Bob"), (2, 200, "Ann")])
def test_a_minors_certificate_of_20_percent_brings_its_price_once(number: int, brings: int, president: str) -> None:
    """And that of its president twice: Ann, who has two shares, takes his place."""
    game = situation(firm("SFTC", {"Bob": 3, "Ann": 2}, "F4"), round="SR 2").stock("Bob")
    game.do(f"Bob: sell {number} SFTC")
    assert (game.state.money("Bob"), game.president("SFTC")) == (brings, president)


def test_menu_and_decision_agree_on_sales() -> None:
    for player in ("Ann", "Bob", "Cat"):
        assert market().stock(player).accepted()


# ---- half prices -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:8.11")
@pytest.mark.parametrize(
    ("edition", "text", "brings"),
    [
        pytest.param("clarified", "1 SFTG", 38, marks=pytest.mark.clarification("2.22")),  # 38 1/2
        pytest.param("clarified", "3 SFTG", 115, marks=pytest.mark.clarification("2.22")),
        pytest.param("clarified", "1 SFTG, 1 SFTC", 76, marks=pytest.mark.clarification("2.22")),
        pytest.param("v2", "1 SFTG", 39, marks=pytest.mark.clarification("2.22", site=True)),
        pytest.param("v2", "3 SFTG", 116, marks=pytest.mark.clarification("2.22", site=True)),
        pytest.param("v2", "1 SFTG, 1 SFTC", 39 + 38, marks=pytest.mark.clarification("2.22", site=True)),
    ],
)
def test_half_prices_are_rounded_down_once_or_up_by_order(edition: str, text: str, brings: int) -> None:
    kind = "SFTC" if edition == "clarified" else "SFMA"
    game = situation(firm("SFTG", {"Ann": 5}, "D5"), firm(kind, {"Ann": 3}, "J9"), round="SR 2", edition=edition)
    text = text.replace("SFTC", kind)
    assert sum(proceeds(game.title, game.state, sales(text), half=True)) == brings
    play = Play(game.title, game.state)
    assert sell_at_half(play, CompanyId("Ann"), sales(text)) == brings
    assert play.state.money("Ann") == brings


@pytest.mark.clarification("1.14")
@pytest.mark.clarification("1.15")
@pytest.mark.rule("1841:8.12")
def test_an_emergency_sale_goes_beyond_the_usual_limits() -> None:
    game = situation(firm("AFI", {"Ann": 3, "Bob": 1}, "F4", history=False, pool=5))
    seller = CompanyId("Ann")
    assert {f.check for f in check_sale(game.title, game.state, seller, sales("3 AFI"))} == {
        "sell.not_operated",
        "sell.pool_full",
        "sell.director",
    }
    assert not check_sale(game.title, game.state, seller, sales("3 AFI"), emergency=True)
    assert not check_sale(game.title, game.state, CompanyId("AFI"), sales("1 AFI"), emergency=True)
    sold(game, "Ann", "2 AFI", half=True)  # half of the certificate: one of the pool's shares comes back for it
    assert game.president("AFI") == "Pool"
    assert game.shares("AFI") == {"Ann": 1, "Bob": 1, "Pool": 7, "Treasury": 1}
    assert game.frozen("AFI")


def test_half_a_certificate_needs_a_share_in_the_pool() -> None:
    game = situation(firm("AFI", {"Ann": 2, "Bob": 1}, "F4"))
    failures = check_sale(game.title, game.state, CompanyId("Ann"), sales("1 AFI"), emergency=True)
    assert [f.check for f in failures] == ["sell.half_president"]


# ---- companies that sell ---------------------------------------------------------------------------------------------


@pytest.mark.clarification("2.1")
@pytest.mark.rule("1841:10.2")
@pytest.mark.parametrize(("history", "reasons"), [(True, []), (False, ["sell.not_operated"])])
def test_a_company_sells_its_own_stock_from_its_second_turn_on(history: bool, reasons: list[str]) -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4", history=history))
    failures = check_sale(game.title, game.state, CompanyId("SFTG"), sales("2 SFTG"))
    assert [f.check for f in failures] == reasons


@pytest.mark.rule("1841:10.1")
def test_a_companys_money_from_sales_is_its_own() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4"), firm("SSFL", {"Bob": 3, "SFTG": 2}, "C5"))
    sold(game, "SFTG", "1 SSFL, 2 SFTG")
    assert game.state.money("SFTG") == 68 + 200
    assert game.shares("SFTG") == {"Ann": 3, "Pool": 2, "Treasury": 5}
    assert game.shares("SSFL") == {"Bob": 3, "SFTG": 1, "Pool": 1, "Treasury": 5}


@pytest.mark.clarification("4.2")
@pytest.mark.rule("1841:10.3")
@pytest.mark.parametrize(
    ("seller", "at", "number", "to"),
    [
        ("SFTG", "L5", 1, "178 L5"),
        ("SFTG", "L5", 2, "141 L7"),
        ("SFTG", "P3", 1, "298 P3"),
        ("SFTG", "K5", 1, "146 K6"),
        ("SFTG", "Q1", 2, "419 Q1"),
        ("SFTG", "Q1", 3, "331 Q3"),
        ("SSFL", "L5", 1, "162 L6"),  # its own stock
        ("Bob", "L5", 1, "162 L6"),  # a player
    ],
)
def test_by_the_variant_few_shares_that_a_company_sells_leave_a_high_price_alone(
    seller: str, at: str, number: int, to: str
) -> None:
    game = situation(
        firm("SFTG", {"Ann": 3}, "F4"),
        firm("SSFL", {"Bob": 3, "SFTG": 3}, at),
        phase="8",
        options={"price_protection": "yes"},
    )
    assert sold(game, seller, f"{number} SSFL").place("SSFL") == to
