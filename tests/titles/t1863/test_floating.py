"""Starting companies: the right that is auctioned, the float of a company, and its markers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.steps.auction import Auction
from engine.titles.t1863.names import MARKERS_DUE
from engine.titles.t1863.stock.floats import Floating, most_bid
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.stock.windows import Window
from tests.kit.games.situations_1863 import London, Tube, situation, tube

DIS = CompanyId("DIS")
CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def stock(*described: Tube, first: str = "Ann", **more: Any) -> London:
    """A stock round in which ``first`` is on turn."""
    given = {"cash": CASH, "round": "SR 2", **more}
    return situation(*described, **given).frames(StockRound(PlayerId(first)))


def done(game: London, *orders: str) -> London:
    for order in orders:
        game.do(order)
    return game


def floating(*described: Tube, hex: str = "C18", **more: Any) -> London:
    """Ann has won the right to start DIS for 5; its marker stands in ``hex``."""
    game = stock(*described, tube("UER", "Bob", 50, markers="P17"), **more)
    return done(game, f"Ann: start DIS at 5 in {hex}", "Bob: drop", "Cat: drop")


# ---- the right to start ----------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.2", "1863:4.17")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("start BAK at 5 in F9", "start.open"),
        ("start CIR at 4 in G18", "start.least"),
        ("start CIR at 925 in G18", "start.money"),
        ("start CIR at 5 in I2", "start.hex"),  # a minor station
        ("start CIR at 5 in A10", "start.full"),  # a red hex
        ("start CIR at 5 in F9", "start.full"),
        ("start CIR at 5 in Q4", "start.full"),  # for PCN alone
    ],
)
def test_starts_that_are_refused(order: str, check: str) -> None:
    assert stock(tube("BAK", "Bob", 50)).refusals(f"Ann: {order}") == {check}


@pytest.mark.rule("1863:4.2", "1863:9.12")
@pytest.mark.parametrize(("pirate", "refused"), [("G18", {"start.full"}), ("H11", set())])
def test_the_space_of_the_pirate_is_taken(pirate: str, refused: set[str]) -> None:
    game = stock(tube("BAK", "Bob", 50), privates={"CHO": "BAK"}, marks={"pirate": (pirate, 0)})
    assert game.refusals("Ann: start CIR at 5 in G18") == refused


@pytest.mark.rule("1863:4.2", "1863:13.6", "1863:13.7")
@pytest.mark.rule("1863:13.1")
@pytest.mark.parametrize(
    ("edition", "company", "refused"),
    [
        ("historical", "CIR", {"start.first"}),
        ("historical", "UER", {"start.first", "start.first_round"}),
        ("historical", "MET", set()),
        ("equal", "CIR", set()),
        ("equal", "UER", set()),
    ],
)
def test_the_metropolitan_opens_a_historical_game(edition: str, company: str, refused: set[str]) -> None:
    game = stock(edition=edition, round="SR 1", phase="II")
    assert game.refusals(f"Ann: start {company} at 5 in H11") == refused


@pytest.mark.rule("1863:13.1")
@pytest.mark.parametrize(("edition", "refused"), [("historical", set()), ("equal", {"start.full"})])
def test_pcn_may_begin_in_the_north_east(edition: str, refused: set[str]) -> None:
    assert stock(tube("BAK", "Bob", 50), edition=edition).refusals("Ann: start PCN at 5 in Q4") == refused


@pytest.mark.rule("1863:4.2")
@pytest.mark.rule("1863:12.17")
@pytest.mark.parametrize(("ruling", "next_one"), [("opener", "Bob"), ("winner", "Ann")])
def test_r17_the_round_goes_on_from_the_left_of_the_opener(ruling: str, next_one: str) -> None:
    game = stock(tube("BAK", "Bob", 50), options={"after_start": ruling})
    done(game, "Ann: start DIS at 5 in C18", "Bob: bid 10", "Cat: bid 17", "Ann: drop", "Bob: drop")
    assert game.asked == ["Cat floating.float"]
    game.do("Cat: float DIS as minor at 100")
    assert (game.money("Cat"), game.money("DIS"), game.asked[0]) == (783, 200, f"{next_one} stock.turn")
    assert game.state.board.places_of(DIS) == (("C18", 0),)


@pytest.mark.rule("1863:4.2")
@pytest.mark.rule("1863:12.14")
@pytest.mark.parametrize(("ruling", "means"), [("float", (270, 130, 120)), ("cash", (350, 130, 130))])
def test_r14_no_bid_is_higher_than_the_cheapest_float_leaves(ruling: str, means: tuple[int, ...]) -> None:
    """The lowest price is 40, which takes 80. Bob brings two shares of 50; his company has not operated, so that its
    money does not count. Cat brings a private of face 70."""
    game = stock(
        tube("BAK", "Bob", 50, cash=900, operated=False), tube("MET", "Ann", 50, cash=350),
        cash={"Ann": 100, "Bob": 130, "Cat": 130}, privates={"GRE": "Cat"}, options={"bid_means": ruling},
    )  # fmt: skip
    assert tuple(most_bid(game.title, game.state, PlayerId(p), DIS) for p in ("Ann", "Bob", "Cat")) == means


@pytest.mark.rule("1863:4.2", "1863:12.14")
@pytest.mark.parametrize(
    ("cash", "held", "price", "most"),
    [(10, 4, 60, 10), (300, 4, 60, 300), (10, 2, 60, 10), (5, 4, 30, 5), (25, 2, 30, 5), (10, 2, 30, -1)],
)
def test_as_many_shares_of_one_company_as_the_capital_needs_count(cash: int, held: int, price: int, most: int) -> None:
    """Section 6.c.ii: shares are part of the capital; the lowest price, 40, takes 80. Ann directs BAK; if she has two
    shares, they are the president's certificate."""
    game = stock(tube("BAK", {"Ann": held, "Bob": 1}, price), cash={"Ann": cash})
    assert most_bid(game.title, game.state, PlayerId("Ann"), DIS) == most
    if most >= 5:
        done(game, f"Ann: start DIS at {most} in C18")
        assert "Ann floating.float" in game.asked
        enough = min(held, -(-80 // price))
        assert game.refusals(f"Ann: float DIS as minor at 40 with {enough} of BAK") == set()


BOTH = tube("MET", {"Bob": 2, "Ann": 5}, 10), tube("BAK", {"Cat": 3, "Ann": 3}, 20)
"""Shares worth 50 and 60."""


@pytest.mark.rule("1863:4.2", "1863:12.14", "1863:12.16")
@pytest.mark.parametrize(
    ("ruling", "companies", "cash", "most", "order"),
    [
        ("last", BOTH, 5, 5, "at 40 with 5 of MET and 2 of BAK"),
        ("none", BOTH, 5, 5, "at 40 with 2 of MET and 3 of BAK"),
        ("none", (tube("BAK", {"Cat": 3, "Ann": 3}, 30),), 25, 25, "at 45 with 3 of BAK"),
        ("none", (tube("BAK", {"Cat": 3, "Ann": 1}, 90),), 5, 5, "at 45 with 1 of BAK"),
        ("last", (tube("BAK", {"Ann": 2}, 90),), 5, 5, "at 50 with 2 of BAK"),  # nobody else could be its president
    ],
)
def test_what_can_be_floated_with_all_goods_at_any_price_can_be_bid_for(
    ruling: str, companies: tuple[Tube, ...], cash: int, most: int, order: str
) -> None:
    """Section 6.c.i knows no highest bid. It must only leave enough for a float."""
    game = stock(tube("HAM", "Cat", 100), *companies, cash={"Ann": cash}, options={"capital_over": ruling})
    assert most_bid(game.title, game.state, PlayerId("Ann"), DIS) == most
    done(game, f"Ann: start DIS at {most} in C18")
    assert "Ann floating.float" in game.asked and game.accepted("Ann")
    assert game.refusals(f"Ann: float DIS as minor {order}") == set()


# ---- the float -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:4.2", "1863:4.24", "1863:4.25")
@pytest.mark.rule("1863:4.7")
def test_a_major_has_ten_shares_and_ten_pairs() -> None:
    game = floating()
    game.do("Ann: float DIS as major at 110 markers 3")
    assert game.shares("DIS") == {"Ann": 2, "Treasury": 8, "OSI": 10}
    assert (game.money("Ann"), game.money("DIS"), game.share_price("DIS")) == (775, 220, 110)
    assert (game.tokens("DIS"), game.state.marks[MARKERS_DUE]) == (3, {"DIS": 100})
    assert (game.asked, game.accepted()) == (["Ann window.buyer"], ["take 1", "pass"])
    game.do("Ann: take 4")
    assert (game.shares("DIS")["Ann"], game.money("DIS"), game.share_price("DIS")) == (6, 660, 110)
    assert game.asked[0] == "Bob stock.turn"


@pytest.mark.rule("1863:4.2", "1863:4.21")
def test_a_minor_is_one_certificate_with_one_marker() -> None:
    game = floating(phase="II")
    assert game.refusals("Ann: float DIS as minor at 100 markers 2") == {"float.markers"}
    game.do("Ann: float DIS as minor at 100")
    assert (game.shares("DIS"), game.tokens("DIS"), MARKERS_DUE in game.state.marks) == ({"Ann": 2}, 1, False)


@pytest.mark.rule("1863:4.2", "1863:4.18", "1863:4.22", "1863:13.8")
@pytest.mark.rule("1863:13.1")
@pytest.mark.parametrize(
    ("edition", "hex", "due"), [("historical", "C18", 150), ("historical", "G18", 200), ("equal", "C18", 200)]
)
def test_t17_goods_and_cash_are_the_capital_and_markers_may_need_loans(edition: str, hex: str, due: int) -> None:
    """MET founds with a private of 100, a 2T and 20 in cash."""
    met = tube("MET", "Ann", 100, cash=25, trains="2T")
    game = floating(met, hex=hex, privates={"RMR": "MET"}, edition=edition)
    assert game.asked == ["Ann floating.float", "Ann MET floating.float.for"]
    game.do("MET: float DIS as major at 110 markers 4 with train 2T, RMR and cash 20")
    assert (game.money("MET"), game.money("DIS"), game.fleet("DIS"), game.owner("RMR")) == (0, 20, ["2T"], "DIS")
    assert (game.state.marks[MARKERS_DUE], game.president("DIS")) == ({"DIS": due}, "MET")
    done(game, "MET: pass", "Bob: pass", "Cat: pass")
    assert game.refusals("DIS: settle") == {"markers.money"}
    game.do("DIS: loan 2")
    assert (game.money("DIS"), game.share_price("DIS")) == (220, 90)
    game.do("DIS: settle")
    assert game.money("DIS") == 220 - due


@pytest.mark.rule("1863:3.2", "1863:3.12")
@pytest.mark.parametrize(("phase", "kinds"), [("II", {"minor"}), ("III", {"minor", "major"}), ("IV", {"major"})])
def test_the_phase_says_which_kind_may_be_started(phase: str, kinds: set[str]) -> None:
    game = floating(phase=phase)
    legal = {kind for kind in ("minor", "major") if not game.refusals(f"Ann: float DIS as {kind} at 100")}
    assert legal == kinds


@pytest.mark.rule("1863:4.2", "1863:4.19")
@pytest.mark.rule("1863:12.15")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("Ann: float DIS as major at 35", "float.price"),
        ("Ann: float DIS as major at 30", "float.price"),  # of the grey area
        ("Ann: float CIR as major at 100", "float.company"),
        ("Ann: float DIS as major at 100 markers 5", "float.markers"),
        ("Ann: float DIS as major at 100 with GRE", "float.private"),  # it is MET's
        ("Ann: float DIS as major at 100 with CLK", "float.clink"),
        ("Ann: float DIS as major at 100 with train 2T", "float.train"),
        ("Ann: float DIS as major at 100 with 3 of BAK", "float.shares"),
        ("Ann: float DIS as major at 100 with 1 of ELR", "float.shares"),  # a minor goes whole
        ("Ann: float DIS as major at 100 with 1 of HAM", "trade.red"),
        ("Ann: float DIS as major at 100 with 1 of PIC", "float.presidency"),
        ("Ann: float DIS as major at 100 with cash 150", "float.capital"),
        ("MET: float DIS as minor at 100 with train 2T, train 2T and train 2T", "float.train_limit"),
        ("MET: float DIS as major at 200", "float.money"),
        ("WCR: float DIS as major at 100", "order.not_asked"),  # it has not operated
    ],
)
def test_floats_that_are_refused(order: str, check: str) -> None:
    described = (
        tube("MET", "Ann", 100, cash=300, trains="2T 2T 2T"), tube("BAK", {"Bob": 3, "Ann": 2}, 50),
        tube("ELR", "Ann", 50, minor=True), tube("HAM", {"Bob": 3, "Ann": 1}, 0),
        tube("PIC", {"Ann": 2, "Cat": 1}, 50), tube("WCR", "Ann", 50, cash=500, operated=False),
    )  # fmt: skip
    game = floating(*described, privates={"GRE": "MET", "CLK": "Ann"}, options={"clink_club": "yes"})
    assert game.refusals(order) == {check}


@pytest.mark.rule("1863:12.70")
def test_a_company_is_floated_at_any_price_that_its_founder_can_pay_for() -> None:
    """Section 6.c.ii sets no limit. At 500 the capital is 1,000, and 995 are left after the bid of 5."""
    game = floating()
    for price in (40, 200, 225, 450):
        assert game.refusals(f"Ann: float DIS as major at {price}") == set()
    assert game.refusals("Ann: float DIS as major at 500") == {"float.money"}
    assert game.refusals("Ann: float DIS as major at 35") == {"float.price"}


@pytest.mark.rule("1863:12.16")
@pytest.mark.parametrize(("ruling", "refused"), [("last", set()), ("none", {"float.goods_over"})])
def test_r16_the_last_of_the_goods_may_exceed_the_capital(ruling: str, refused: set[str]) -> None:
    """120 at a price of 60: a private of 80 and a share of 50 are 130."""
    game = floating(tube("BAK", {"Bob": 3, "Ann": 2}, 50), privates={"FOW": "Ann"}, options={"capital_over": ruling})
    assert game.refusals("Ann: float DIS as major at 60 with FOW and 1 of BAK") == refused
    assert game.refusals("Ann: float DIS as major at 60 with FOW and 2 of BAK") == (
        {"float.goods_over"} if ruling == "none" else set()
    )
    assert game.refusals("Ann: float DIS as major at 40 with FOW and 2 of BAK") == {"float.goods_over"}


@pytest.mark.rule("1863:4.2", "1863:4.20")
@pytest.mark.rule("1863:12.15")
def test_shares_brought_are_no_sale_and_presidencies_move_with_them() -> None:
    game = floating(tube("BAK", {"Ann": 4, "Bob": 2}, 50), tube("ELR", "Ann", 45, minor=True))
    game.do("Ann: float DIS as major at 120 with 3 of BAK and 2 of ELR")
    assert (game.money("Ann"), game.money("DIS")) == (1000 - 5 - 0, 0)
    assert (game.share_price("BAK"), game.president("BAK"), game.president("ELR")) == (50, "DIS", "DIS")
    assert game.shares("BAK") == {"Ann": 1, "Bob": 2, "DIS": 3, "Treasury": 4, "OSI": 10}


@pytest.mark.rule("1863:9.9")
def test_the_railway_lodgings_bring_one_marker_more() -> None:
    game = floating(privates={"RLO": "Ann"}, hex="G18")
    game.do("Ann: float DIS as minor at 100 with RLO")
    assert (game.tokens("DIS"), game.state.marks[MARKERS_DUE]) == (2, {"DIS": 50})


@pytest.mark.rule("1863:9.9", "1863:12.50")
def test_the_railway_lodgings_bring_it_once() -> None:
    game = floating(privates={"RLO": "Ann"})
    done(game, "Ann: float DIS as minor at 100 with RLO", "Bob: pass", "Cat: pass")
    game.state = replace(
        game.state, companies={**game.state.companies, DIS: replace(game.state.companies[DIS], operated=True)}
    )
    done(game, "Ann: start CIR at 5 in G18", "Bob: drop", "Cat: drop", "DIS: float CIR as minor at 50 with RLO")
    assert (game.tokens("DIS"), game.tokens("CIR"), game.owner("RLO")) == (2, 1, "CIR")


@pytest.mark.rule("1863:4.1")
def test_a_founder_needs_room_for_the_certificate() -> None:
    names = "Ann Bob Cat Dan Eve Flo"
    full = [tube(c, "Ann", 100) for c in ("BAK", "CIR", "CLR", "ELR", "HAM", "LCR", "PIC", "WCR", "WWR", "WBR")]
    game = stock(tube("MET", "Ann", 110, cash=500), *full, players=names)
    done(game, "Ann: start DIS at 5 in C18", "Bob: drop", "Cat: drop")
    assert game.asked == ["Ann floating.float", "Ann MET floating.float.for"]
    over = game.failures("Ann: float DIS as major at 100")
    assert list(over) == ["limit.certificates"] and over["limit.certificates"]["more"] == 2
    assert game.refusals("Ann: float DIS as major at 100 with 2 of BAK") == set()  # one certificate less
    assert game.refusals("MET: float DIS as major at 100") == set()


@pytest.mark.rule("1863:4.2")
def test_everything_listed_for_a_float_is_accepted() -> None:
    game = floating(
        tube("MET", "Ann", 100, cash=90, trains="2T"), tube("BAK", {"Bob": 3, "Ann": 2}, 50),
        cash={"Ann": 300, "Bob": 500, "Cat": 500}, privates={"GRE": "MET", "FOW": "Ann"},
    )  # fmt: skip
    assert isinstance(game.state.top, Floating)
    assert "float DIS as major at 40 tokens 1 with FOW" in " ".join(game.accepted("Ann"))
    assert game.accepted("MET")


@pytest.mark.rule("1863:4.2")
def test_everything_listed_in_a_stock_turn_is_accepted() -> None:
    game = stock(
        tube("MET", {"Ann": 4, "Bob": 3}, 100, cash=190, trains="2T", loans=1), tube("BAK", {"MET": 3, "Ann": 2}, 50),
        tube("EHL", {"Bob": 3}, 60, pool=1), edition="equal",
        cash={"Ann": 130, "Bob": 500, "Cat": 500}, closed="CIR CLR CSL ELR HAM LCR PIC PCN UER WCR WWR",
    )  # fmt: skip
    for ask in [entry.split()[-2] for entry in game.asked]:
        assert game.accepted(ask if ask in ("MET", "BAK") else "Ann")
    assert not isinstance(game.state.top, Auction | Window)


@pytest.mark.rule("1863:4.2")
def test_a_company_that_has_not_operated_starts_none() -> None:
    game = stock(tube("MET", {"Ann": 3}, 100, cash=500, operated=False))
    assert game.refusals("MET: start DIS at 5 in C18") == {"start.not_operated"}
    other = stock(tube("MET", {"Ann": 3}, 100, cash=500))
    done(other, "MET: start DIS at 5 in C18", "Bob: drop", "Cat: drop")
    assert other.asked == ["Ann floating.float", "Ann MET floating.float.for"]


@pytest.mark.rule("1863:12.14")
def test_r14_whoever_may_bid_all_his_cash_may_lose_the_right() -> None:
    game = stock(tube("BAK", "Bob", 50), cash={"Ann": 100, "Bob": 300}, options={"bid_means": "cash"})
    done(game, "Ann: start DIS at 90 in C18", "Bob: drop")
    assert (game.money("Ann"), game.state.companies[DIS].status) == (10, "unstarted")
    assert (game.state.board.places_of(DIS), game.asked[0]) == ((), "Bob stock.turn")
