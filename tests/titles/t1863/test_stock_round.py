"""Turns of the stock round: entities, loans that are no action, limits that must be sold for, and its end."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PlayerId, TrainName
from engine.titles.t1863.names import ENDING, FINAL, MARKERS_DUE, OUT, RATE
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.limits import excess
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def stock(*described: Tube, first: str = "Ann", **more: Any) -> London:
    """A stock round in which ``first`` is on turn."""
    given = {"cash": CASH, "round": "SR 2", **more}
    return situation(*described, **given).frames(StockRound(PlayerId(first)))


def done(game: London, *orders: str) -> London:
    for order in orders:
        game.do(order)
    return game


def stands(game: London) -> StockRound:
    frame = game.state.top
    assert isinstance(frame, StockRound), frame
    return frame


# ---- turns -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.9", "1863:4.10")
def test_a_player_is_asked_for_himself_and_for_each_of_his_companies() -> None:
    game = stock(tube("MET", "Ann", 100, cash=100), tube("BAK", {"MET": 3}, 90, cash=100), tube("EHL", {"Bob": 3}, 80))
    assert game.asked == ["Ann stock.turn", "Ann MET stock.turn.for", "Ann BAK stock.turn.for"]
    game.do("MET: loan 1")
    assert game.asked == ["Ann stock.turn", "Ann MET stock.turn.for"]
    assert game.refusals("Ann: buy EHL") == {"stock.wrong_actor"}
    assert game.menu("Ann") == ["pass"]


@pytest.mark.rule("1863:4.9", "1863:4.11")
def test_whoever_buys_has_ended_his_turn_and_sales_come_before() -> None:
    game = stock(tube("BAK", {"Bob": 3, "Ann": 3}, 100), tube("EHL", {"Bob": 3}, 80))
    done(game, "Ann: sell 1 BAK", "Ann: sell 1 BAK", "Ann: buy EHL")
    assert (game.share_price("BAK"), game.asked[0]) == (80, "Bob stock.turn")
    assert stands(game).sold == frozenset({("Ann", "BAK")})


@pytest.mark.rule("1863:12.11")
def test_r11_companies_sell_what_they_hold_of_others() -> None:
    game = stock(tube("MET", "Ann", 100), tube("BAK", {"Bob": 3, "MET": 2}, 90))
    assert game.refusals("MET: sell 1 BAK") == set()


@pytest.mark.rule("1863:4.6")
@pytest.mark.rule("1863:12.62")
def test_r62_a_turn_of_loans_is_a_pass() -> None:
    """Bob bought last, so priority goes to Cat, though Cat and Ann then took loans."""
    game = stock(
        tube("MET", "Ann", 100), tube("BAK", "Cat", 100, cash=100, loans=1), tube("EHL", {"Bob": 3}, 80), first="Bob"
    )
    done(game, "Bob: buy EHL", "BAK: repay 1", "Cat: pass", "MET: loan 1", "Ann: pass", "Bob: pass")
    assert (game.loans("MET"), game.money("MET"), game.share_price("MET"), game.loans("BAK")) == (1, 100, 90, 0)
    assert (game.state.priority, game.state.round.kind) == ("Cat", "OR")


@pytest.mark.rule("1863:4.9")
def test_a_sale_makes_the_passes_before_it_count_no_more() -> None:
    game = stock(tube("BAK", {"Bob": 3, "Ann": 3}, 100))
    done(game, "Ann: sell 1 BAK", "Ann: pass")
    assert (stands(game).passes, stands(game).last) == (0, "Ann")
    done(game, "Bob: pass", "Cat: pass")
    assert stands(game).passes == 2


@pytest.mark.rule("1863:12.39")
def test_bankrupt_players_are_left_out() -> None:
    game = stock(tube("BAK", {"Ann": 3}, 100), marks={OUT: frozenset({"Bob"})})
    done(game, "Ann: pass")
    assert game.asked[0] == "Cat stock.turn"


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.1", "1863:4.13")
def test_no_purchase_over_sixty_per_cent_with_ones_companies() -> None:
    game = stock(tube("MET", "Ann", 100, cash=500), tube("BAK", {"Ann": 4, "MET": 2}, 90))
    assert game.refusals("Ann: buy BAK") == {"limit.player"}
    assert game.refusals("MET: buy BAK") == {"limit.player"}


@pytest.mark.rule("1863:4.1", "1863:4.14")
def test_no_company_has_more_than_half_of_another() -> None:
    game = stock(tube("MET", "Ann", 100, cash=500), tube("BAK", {"MET": 5}, 90))
    assert game.refusals("MET: buy BAK") == {"limit.company"}
    assert game.refusals("Ann: buy BAK") == set()


@pytest.mark.rule("1863:4.1", "1863:4.12")
def test_certificates_are_limited_in_a_players_own_hand() -> None:
    """11 with six players: five presidents' certificates, a minor and five single shares. Shorts, privates and what
    her companies have do not count. Taking over a presidency gives two for one."""
    names = "Ann Bob Cat Dan Eve Flo"
    described = (
        tube("MET", {"Ann": 5}, 100), tube("BAK", {"Ann": 4}, 100), tube("EHL", "Ann", 100), tube("CIR", "Ann", 100),
        tube("DIS", "Ann", 100), tube("ELR", "Ann", 100, minor=True), tube("HAM", {"Bob": 3}, 100),
        tube("LCR", {"ELR": 3}, 100), tube("PIC", {"Bob": 3}, 100, pool=1, shorts={"Ann": 1}),
        tube("WCR", {"Bob": 2}, 100),
    )  # fmt: skip
    game = stock(*described, players=names, privates={"GRE": "Ann"})
    assert game.refusals("Ann: buy HAM") == {"limit.certificates"}
    assert game.refusals("Ann: buy PIC from pool") == set()
    takes = (*described[:-1], tube("WCR", {"Bob": 2}, 100))
    less = tuple(row for row in takes if row.id != "BAK")
    other = stock(*less, tube("BAK", {"Bob": 3, "Ann": 3}, 100), players=names)
    assert other.refusals("Ann: buy BAK") == set()
    assert other.refusals("Ann: buy HAM") == {"limit.certificates"}


@pytest.mark.rule("1863:4.1", "1863:4.15")
def test_who_is_over_a_limit_does_nothing_but_sell() -> None:
    game = stock(tube("MET", "Ann", 100, cash=500), tube("BAK", {"Ann": 5, "MET": 2}, 100), tube("EHL", {"Bob": 3}, 80))
    assert game.menu("Ann") == ["sell 1 BAK"]  # and up to 5
    assert game.menu("MET") == ["sell 1 BAK"]
    assert game.refusals("Ann: pass") == {"limit.sell_player"}
    assert game.refusals("MET: loan 1") == {"limit.sell_player"}
    game.do("MET: sell 1 BAK")
    assert game.refusals("Ann: buy EHL") == set()
    assert stands(game).sold == frozenset({("MET", "BAK")})


@pytest.mark.rule("1863:4.1")
def test_what_no_legal_sale_lessens_does_not_bind() -> None:
    """Shares of a company in liquidation are not dealt in."""
    game = stock(tube("MET", "Ann", 100, cash=500), tube("BAK", {"Ann": 5, "MET": 2}, 0), tube("EHL", {"Bob": 3}, 80))
    assert game.refusals("Ann: buy EHL") == set()


@pytest.mark.rule("1863:4.1", "1863:4.16")
@pytest.mark.rule("1863:12.13")
@pytest.mark.parametrize(("ruling", "refused"), [("shares", {"limit.circle"}), ("presidencies", set())])
def test_r13_no_company_buys_shares_of_one_above_it(ruling: str, refused: set[str]) -> None:
    game = stock(tube("MET", {"Ann": 3}, 100), tube("BAK", {"MET": 3}, 90, cash=500), options={"circles": ruling})
    assert game.refusals("BAK: buy MET") == refused


@pytest.mark.rule("1863:4.1")
@pytest.mark.rule("1863:12.13")
@pytest.mark.parametrize("ruling", ["shares", "presidencies"])
def test_r13_no_change_of_president_closes_a_ring(ruling: str) -> None:
    """EHL would be president of MET with one share more, and MET is president of EHL."""
    game = stock(
        tube("MET", {"Ann": 2, "EHL": 2}, 100), tube("EHL", {"MET": 3}, 90, cash=500), options={"circles": ruling}
    )
    if ruling == "shares":  # the circle of shares is there already, and must be sold
        assert game.refusals("EHL: buy MET") == {"limit.sell_circle", "limit.circle"}
        assert game.asked == ["Ann EHL stock.turn.for"]
        game.do("EHL: sell 2 MET")
        assert game.refusals("Ann: pass") == set()
    else:
        assert game.refusals("EHL: buy MET") == {"limit.circle"}


@pytest.mark.rule("1863:4.1", "1863:4.15")
@pytest.mark.rule("1863:12.13")
@pytest.mark.parametrize(("ruling", "few"), [("shares", 3), ("presidencies", 1)])
def test_r13_a_circle_that_nobody_chose_is_sold_first(ruling: str, few: int) -> None:
    """A president has gone bankrupt, say, and EHL, which belongs to MET, has more shares of it than the new one."""
    game = stock(
        tube("MET", {"Ann": 2, "EHL": 3}, 100), tube("EHL", {"MET": 3}, 90, cash=500), tube("HAM", {"Bob": 3}, 60),
        options={"circles": ruling},
    )  # fmt: skip
    assert game.menu("EHL") == ["sell 1 MET"]
    for number in range(few, 0, -1):
        assert [e.over for e in excess(game.title, game.state, PlayerId("Ann"))] == [number]
        assert game.refusals("EHL: buy HAM") == {"limit.sell_circle"}
        game.do("EHL: sell 1 MET")
    assert game.refusals("Ann: pass") == set()


@pytest.mark.rule("1863:4.1", "1863:4.5")
@pytest.mark.rule("1863:12.13")
@pytest.mark.parametrize("ruling", ["shares", "presidencies"])
def test_r13_no_minor_goes_to_a_company_that_belongs_to_it(ruling: str) -> None:
    """The minor PCN is president of the minor WWR. Ann may move it to BAK, but not to WWR."""
    companies = (
        tube("UER", {"Ann": 6}, 100), tube("BAK", {"Ann": 6}, 90, cash=500), tube("PCN", "UER", 80, minor=True),
        tube("WWR", "PCN", 70, minor=True, cash=500),
    )  # fmt: skip
    game = stock(*companies, options={"circles": ruling})
    assert game.refusals("Ann: transfer 2 PCN from UER to WWR") == {"limit.circle"}
    assert game.refusals("Ann: transfer 2 PCN from UER to BAK") == set()


# ---- the end of the round --------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.8", "1863:4.42", "1863:4.43")
@pytest.mark.rule("1863:12.23")
def test_r23_the_round_ends_with_priority_prices_and_the_rate() -> None:
    """MET is in the hands of players and companies; BAK has a share in the pool, EHL one on its charter. Nine loans are
    out, with three players the row of 10 is not yet full but that of 5 and 10 are."""
    game = stock(
        tube("MET", {"Ann": 6, "BAK": 4}, 100, loans=4), tube("BAK", {"Bob": 6, "Cat": 3}, 90, pool=1, loans=5),
        tube("EHL", {"Cat": 6, "Bob": 3}, 80), tube("CIR", "Cat", 70, minor=True), first="Bob",
    )  # fmt: skip
    done(game, "Bob: sell 1 EHL", "Bob: pass", "Cat: pass", "Ann: pass", "Bob: pass")
    assert game.state.priority == "Cat"
    assert [game.share_price(c) for c in ("MET", "BAK", "EHL", "CIR")] == [110, 90, 75, 70]
    assert game.state.marks[RATE] == 15


@pytest.mark.rule("1863:4.8")
def test_priority_stays_where_nobody_did_anything() -> None:
    game = stock(tube("BAK", {"Ann": 6, "Bob": 4}, 100), first="Bob")
    done(game, "Bob: pass", "Cat: pass", "Ann: pass")
    assert (game.state.priority, game.share_price("BAK")) == ("Ann", 110)


@pytest.mark.rule("1863:4.8", "1863:4.44")
@pytest.mark.parametrize(("phase", "final", "left"), [("IV", False, 3), ("V", False, 2), ("V", True, 3)])
def test_in_phase_v_a_train_goes_to_the_lptb(phase: str, final: bool, left: int) -> None:
    marks = {FINAL: True, ENDING: "lptb"} if final else {}
    supply = {"5T": 3} if phase == "V" else {"4T": 3}
    game = stock(tube("BAK", {"Ann": 6}, 100, trains="4T"), phase=phase, supply=supply, marks=marks)
    done(game, "Ann: pass", "Bob: pass", "Cat: pass")
    assert game.state.supply[TrainName("5T" if phase == "V" else "4T")] == left


@pytest.mark.rule("1863:4.2", "1863:4.23")
@pytest.mark.rule("1863:4.8")
def test_markers_are_paid_in_time_or_when_the_round_ends() -> None:
    due = {MARKERS_DUE: {"MET": 100, "BAK": 50}}
    game = stock(tube("MET", "Ann", 100, cash=120), tube("BAK", "Bob", 90, cash=60), marks=due)
    assert game.refusals("MET: settle") == set()
    done(game, "MET: settle")
    assert (game.money("MET"), game.state.marks[MARKERS_DUE]) == (20, {"BAK": 50})
    assert game.refusals("MET: settle") == {"markers.none_due"}


@pytest.mark.rule("1863:4.8")
@pytest.mark.rule("1863:12.38")
def test_r38_markers_that_cannot_be_paid_bring_a_crisis() -> None:
    """MET has ten loans and 60 in cash; three of its four markers cost 150."""
    met = tube("MET", {"Ann": 3}, 100, cash=60, loans=10, tokens=4)
    game = stock(met, marks={MARKERS_DUE: {"MET": 150}})
    done(game, "Ann: pass", "Bob: pass", "Cat: pass")
    assert game.asked == ["Ann MET bill.crisis"]


@pytest.mark.rule("1863:4.8", "1863:4.23")
def test_markers_are_paid_with_loans_before_the_round_ends() -> None:
    game = stock(tube("MET", {"Ann": 3}, 100, cash=60, tokens=4), marks={MARKERS_DUE: {"MET": 150}})
    done(game, "Ann: pass", "Bob: pass", "Cat: pass")
    assert (game.asked, game.state.round.kind) == (["Ann MET bill.loans"], "SR")
    game.do("MET: loan 1")
    assert (game.money("MET"), game.share_price("MET"), game.state.round.kind) == (10, 90, "OR")
    assert MARKERS_DUE not in game.state.marks


@pytest.mark.rule("1863:4.8")
@pytest.mark.rule("1863:12.25")
def test_r25_of_equal_prices_that_rise_the_first_one_stays_first() -> None:
    """MET came to 100 before BAK; CIR is at 110 already and stays before both."""
    game = stock(
        tube("MET", {"Ann": 6, "Bob": 4}, 100, since=0), tube("BAK", {"Bob": 6, "Cat": 4}, 100, since=1),
        tube("CIR", "Cat", 110, minor=True, since=2),
    )  # fmt: skip
    done(game, "Ann: pass", "Bob: pass", "Cat: pass")
    assert (game.share_price("MET"), game.order()) == (110, ["CIR", "MET", "BAK"])
