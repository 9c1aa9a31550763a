"""Presidents when shares have moved, and shares taken from one's own companies."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.titles.t1863.mergers.choice import outcome
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.presidency import move_shares, settle_president, successor_of
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def stock(*described: Tube, first: str = "Ann", **more: Any) -> London:
    """A stock round in which ``first`` is on turn."""
    given = {"cash": CASH, "round": "SR 2", **more}
    return situation(*described, **given).frames(StockRound(PlayerId(first)))


def moved(game: London, number: int, company: str, source: str, target: str) -> London:
    """The game after shares have changed hands, for nothing."""
    play = game.play()
    move_shares(play, CompanyId(company), number, source, target)
    return game.take(play)


@pytest.mark.rule("1863:4.7", "1863:4.4")
@pytest.mark.parametrize(("shorts", "left", "out"), [(1, {"Bob": 4, "Cat": 1}, {}), (3, {"Bob": 4}, {"Cat": 1})])
def test_a_president_with_shorts_returns_them_with_the_single_shares_for_his_certificate(
    shorts: int, left: dict[str, int], out: dict[str, int]
) -> None:
    """A merger can leave a president his certificate and shorts: no single share matches them before."""
    game = moved(stock(tube("DIS", {"Cat": 2, "Bob": 2}, shorts={"Cat": shorts})), 2, "DIS", "Treasury", "Bob")
    held = game.shares("DIS")
    assert game.president("DIS") == "Bob" and {p: held[p] for p in held if p in game.state.players} == left
    assert {p: n for p, n in game.shorts("DIS").items() if p != "OSI"} == out
    assert game.shorts("DIS")["OSI"] == held["OSI"]


# ---- presidents ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.4")
@pytest.mark.rule("1863:12.20")
@pytest.mark.parametrize(
    ("holders", "number", "source", "target", "president", "after"),
    [
        ({"Ann": 3, "Bob": 3}, 1, "Treasury", "Bob", "Bob", {"Ann": 3, "Bob": 4}),
        ({"Ann": 3, "Bob": 2}, 1, "Treasury", "Bob", "Ann", {"Ann": 3, "Bob": 3}),  # ties change nothing
        ({"Ann": 3, "BAK": 3}, 1, "Treasury", "BAK", "BAK", {"Ann": 3, "BAK": 4}),
        ({"Bob": 3, "Ann": 2, "Cat": 2}, 2, "Bob", "Pool", "Cat", {"Ann": 2, "Bob": 1, "Cat": 2, "Pool": 2}),
        ({"Ann": 3, "BAK": 2, "Cat": 2}, 2, "Ann", "Pool", "BAK", {"Ann": 1, "BAK": 2, "Cat": 2, "Pool": 2}),
        ({"Ann": 3, "BAK": 2, "Bob": 2}, 2, "Ann", "Pool", "Bob", {"Ann": 1, "BAK": 2, "Bob": 2, "Pool": 2}),
        ({"BAK": 3, "Bob": 2, "Ann": 2}, 2, "BAK", "Pool", "Ann", {"BAK": 1, "Bob": 2, "Ann": 2, "Pool": 2}),
        ({"Ann": 4, "Bob": 3}, 3, "Ann", "Pool", "Bob", {"Ann": 1, "Bob": 3, "Pool": 3}),
    ],
)
def test_r20_who_has_most_is_president_and_ties_go_round_the_table(
    holders: dict[str, int], number: int, source: str, target: str, president: str, after: dict[str, int]
) -> None:
    """BAK is Bob's and counts at his seat, after him; the left of Ann is Bob, then Cat."""
    game = stock(tube("BAK", "Bob", 50), tube("MET", holders, 100))
    moved(game, number, "MET", source, target)
    assert game.president("MET") == president
    assert {p: n for p, n in game.shares("MET").items() if p not in ("Treasury", "OSI")} == after


@pytest.mark.rule("1863:12.20", "1863:12.39")
@pytest.mark.parametrize(("leader", "president"), [("Bob", "BAK"), ("Pool", "Cat")])
def test_a_company_that_nobody_leads_succeeds_nobody(leader: str, president: str) -> None:
    """Section 6.h: "Each company must be able to trace a line of ownership back to, and ending with, a player"."""
    game = stock(tube("BAK", leader, 50), tube("MET", {"Ann": 4, "BAK": 3, "Cat": 2}, 100))
    moved(game, 3, "MET", "Ann", "Pool")
    assert game.president("MET") == president


@pytest.mark.rule("1863:8.3", "1863:12.20")
@pytest.mark.parametrize(("more", "president"), [(3, "BAK"), (4, "Cat")])
def test_who_directed_a_merged_company_through_another_stays_on_a_tie(more: int, president: str) -> None:
    """Bob directs CSL through BAK and CLR. Cat, on Bob's left, has as much as BAK: a tie changes no control (6.g)."""
    upper = tube("BAK", "Bob", 50), tube("CLR", "BAK", 60, minor=True)
    csl, cir = tube("CSL", {"CLR": 3, "BAK": 2, "Cat": 2}, 100), tube("CIR", {"BAK": 3, "Cat": more}, 90)
    game = stock(*upper, csl, cir)
    parts = CompanyId("CIR"), CompanyId("CSL")
    assert outcome(game.title, game.state, parts, CompanyId("CSL"))[0].president == president


@pytest.mark.rule("1863:4.4")
def test_a_president_stays_who_is_settled_again() -> None:
    game = stock(tube("MET", {"Ann": 3, "Bob": 3}, 100))
    play = game.play()
    settle_president(play, CompanyId("MET"))
    assert not play.events


@pytest.mark.rule("1863:4.3")
def test_the_successor_is_whoever_has_more_than_is_left() -> None:
    game = stock(tube("MET", {"Ann": 5, "Bob": 3, "Cat": 1}, 100))
    found = [successor_of(game.title, game.state, CompanyId("MET"), left) for left in (None, 3, 2, 0)]
    assert found == [None, None, "Bob", "Bob"]


@pytest.mark.rule("1863:4.7")
def test_shares_that_come_to_a_player_with_shorts_are_matched() -> None:
    """Bob has two shorts, and gets three shares of a company of which Ann is president with two."""
    game = stock(tube("MET", {"Ann": 2, "Cat": 2}, 100, pool=2, shorts={"Bob": 2}))
    moved(game, 3, "MET", "Treasury", "Bob")
    assert game.shares("MET") == {"Ann": 2, "Bob": 1, "Cat": 2, "Pool": 2, "Treasury": 3, "OSI": 10}
    assert (game.shorts("MET"), game.president("MET")) == ({"OSI": 10}, "Ann")


@pytest.mark.rule("1863:4.1")
def test_nobody_takes_over_a_company_that_is_above_him() -> None:
    """EHL, which MET owns, has more of MET than Ann, and does not become its president."""
    game = stock(tube("MET", {"Ann": 4, "EHL": 3, "Bob": 2}, 100), tube("EHL", {"MET": 3}, 100))
    moved(game, 3, "MET", "Ann", "Pool")
    assert game.president("MET") == "Bob"


# ---- taking shares from one's company --------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.5", "1863:4.33", "1863:4.34")
@pytest.mark.rule("1863:12.21")
def test_t13_a_player_takes_shares_from_his_company() -> None:
    """R21: the price falls one column a share."""
    game = stock(
        tube("MET", "Ann", 110), tube("EHL", {"MET": 4}, 100), tube("BAK", "MET", 100, minor=True),
    )  # fmt: skip
    game.do("Ann: transfer 3 of EHL from MET to Ann")
    assert (game.money("Ann"), game.money("MET"), game.share_price("EHL")) == (700, 300, 75)
    assert (game.president("EHL"), game.shares("EHL")["MET"]) == ("Ann", 1)
    less = stock(tube("MET", "Ann", 110), tube("EHL", {"Bob": 4, "MET": 2}, 100))
    less.do("Ann: transfer 2 of EHL from MET to Ann")
    assert less.share_price("EHL") == 80  # MET is not its president
    other = stock(tube("MET", "Ann", 110), tube("BAK", "MET", 100, minor=True))
    other.do("Ann: transfer 2 of BAK from MET to Ann")
    assert (other.money("Ann"), other.money("MET"), other.share_price("BAK")) == (800, 200, 80)
    assert other.president("BAK") == "Ann"


@pytest.mark.rule("1863:4.5")
@pytest.mark.rule("1863:12.21")
def test_r21a_shares_go_between_ones_companies_too_and_the_giver_has_sold() -> None:
    game = stock(
        tube("MET", "Ann", 110, cash=100), tube("CIR", "Ann", 90, cash=200), tube("EHL", {"Bob": 3, "MET": 2}, 100)
    )
    game.do("Ann: transfer 2 of EHL from MET to CIR")
    assert (game.money("CIR"), game.money("MET"), game.share_price("EHL")) == (0, 300, 80)
    assert game.asked[0] == "Bob stock.turn"
    for order in ("Bob: pass", "Cat: pass"):
        game.do(order)
    assert game.refusals("MET: buy EHL") == {"buy.sold_before"}
    assert game.refusals("Ann: buy EHL") == set()


@pytest.mark.rule("1863:4.5", "1863:4.35")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("transfer 1 of EHL from DIS to Ann", "transfer.source"),  # Bob's company
        ("transfer 1 of MET from MET to Ann", "transfer.source"),
        ("transfer 1 of EHL from MET to Bob", "transfer.target"),
        ("transfer 1 of EHL from MET to DIS", "transfer.target"),
        ("transfer 1 of EHL from MET to EHL", "transfer.target"),
        ("transfer 4 of EHL from MET to Ann", "transfer.count"),
        ("transfer 1 of BAK from MET to Ann", "transfer.count"),
        ("transfer 2 of PIC from MET to CIR", "transfer.money"),
        ("transfer 3 of EHL from MET to CIR", "limit.company"),
        ("transfer 2 of LCR from CIR to PIC", "limit.circle"),  # LCR owns PIC
        ("transfer 2 of HAM from MET to Ann", "trade.red"),
    ],
)
def test_transfers_that_are_refused(order: str, check: str) -> None:
    described = (
        tube("MET", "Ann", 110),
        tube("CIR", "Ann", 90, cash=150),
        tube("EHL", {"CIR": 3, "MET": 3}, 50),
        tube("BAK", "MET", 100, minor=True),
        tube("PIC", {"LCR": 3, "MET": 3}, 100, cash=300),
        tube("LCR", {"Ann": 3, "CIR": 2}, 100),
        tube("DIS", "Bob", 100),
        tube("HAM", {"Bob": 3, "MET": 2}, 0),
    )
    assert stock(*described).refusals(f"Ann: {order}") == {check}


@pytest.mark.rule("1863:4.5")
def test_a_transfer_needs_room_for_certificates() -> None:
    names = "Ann Bob Cat Dan Eve Flo"
    full = [tube(c, "Ann", 100) for c in ("BAK", "CIR", "DIS", "ELR", "HAM", "LCR", "PIC", "WCR", "WWR", "WBR")]
    game = stock(tube("MET", "Ann", 110), tube("EHL", {"MET": 2}, 50), *full, players=names)
    assert game.refusals("Ann: transfer 2 of EHL from MET to Ann") == {"limit.certificates"}
    less = stock(tube("MET", "Ann", 110), tube("EHL", {"MET": 2}, 50), *full[1:], players=names)
    assert less.refusals("Ann: transfer 2 of EHL from MET to Ann") == set()  # the president's certificate alone


@pytest.mark.rule("1863:4.5")
@pytest.mark.rule("1863:4.7")
def test_a_transfer_that_only_matches_shorts_may_leave_no_president() -> None:
    """Both shares that MET has of EHL would go to the open short interest with Ann's two shorts."""
    game = stock(tube("MET", "Ann", 110), tube("EHL", {"MET": 2, "Bob": 1}, 50, pool=2, shorts={"Ann": 2}))
    assert game.refusals("Ann: transfer 2 of EHL from MET to Ann") == {"transfer.presidency"}
