"""Mergers: of minors, of majors, their halves, goods and markers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import CompanyId
from engine.titles.t1863.mergers.markers import MarkersOver, MarkersOverStep, join_markers
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.money.loans import check_loans
from engine.titles.t1863.money.value import value_of
from engine.titles.t1863.names import BORROWED, EXTRA
from tests.kit.games.situations_1863 import London, Tube, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def begun(*companies: Tube, **more: Any) -> London:
    """A merger round has begun."""
    return situation(*companies, **{"cash": CASH, "round": "MR 2.1", **more}).frames(MergerRound())


def minor(name: str, owner: str, price: int = 100, **more: Any) -> Tube:
    return tube(name, owner, price, minor=True, **more)


def done(game: London, *orders: str) -> London:
    for order in orders:
        game.do(order)
    return game


def balanced(game: London, company: str) -> bool:
    """Ten shares outside the open short interest and one for each short, pairs in it."""
    held, shorts = game.shares(company), game.shorts(company)
    osi, out = held.pop("OSI", 0), sum(n for place, n in shorts.items() if place != "OSI")
    return osi == shorts.get("OSI", 0) == 10 - out and sum(held.values()) == 10 + out


# ---- minors ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.2", "1863:8.15", "1863:8.16")
@pytest.mark.parametrize(
    ("order", "price", "held"),
    [
        ("merge CLR into CLR", 160, {"Ann": 2, "Treasury": 8, "OSI": 10}),
        ("merge CLR, CIR into CLR", 225, {"Ann": 3, "Treasury": 7, "OSI": 10}),
    ],
)
def test_t15_minors_become_a_major(order: str, price: int, held: dict[str, int]) -> None:
    game = begun(minor("CLR", "Ann", 90), minor("BAK", "Ann", 75), minor("CIR", "Ann", 60))
    if "CIR" not in order:
        done(game, "CIR: decline")
    actor = game.asked[0].split()[1]
    done(game, f"{actor}: {order.replace('CIR', 'BAK') if actor == 'CIR' else order}")
    assert game.share_price("CLR") == price and game.shares("CLR") == held
    assert game.status("BAK") == "unstarted" and game.asked == ["Ann window.buyer"]


@pytest.mark.rule("1863:8.2", "1863:8.7", "1863:12.46", "1863:8.17")
def test_all_goods_join() -> None:
    game = begun(
        minor("BAK", "Ann", 75, cash=80, loans=1, trains="2T", markers="F9", last_run=40),
        minor("CLR", "Ann", 90, cash=20, loans=2, trains="3T", markers="I10", last_run=60),
        tube("MET", {"BAK": 3, "CLR": 1}, 100),
        privates={"GRE": "BAK"},
        marks={BORROWED: {"BAK": 1, "CLR": 1}, EXTRA: (("BAK", "2T", 2, 2),)},
    )
    done(game, "BAK: pass", "BAK: merge CLR into CLR")
    assert (game.money("CLR"), game.loans("CLR"), game.fleet("CLR")) == (100, 3, ["3T", "2T"])
    assert game.owner("GRE") == "CLR" and game.markers("CLR") == ["F9", "I10"] and game.tokens("CLR") == 2
    assert game.shares("MET")["CLR"] == 4 and game.president("MET") == "CLR"
    assert game.state.marks[BORROWED] == {"CLR": 2} and game.state.marks[EXTRA] == (("CLR", "2T", 2, 2),)
    assert game.status("BAK") == "unstarted" and game.shares("BAK")["Treasury"] == 20
    assert game.state.companies[CompanyId("CLR")].last_run == 40 + 60


@pytest.mark.rule("1863:8.3", "1863:12.36", "1863:6.3")
@pytest.mark.parametrize("into", ["BAK", "CLR"])
def test_the_last_earnings_count_for_the_value_whichever_company_survives(into: str) -> None:
    """Sections 8.c and 9.b: the value is 200 in trains and 300 of earnings, less two loans."""
    game = begun(
        tube("BAK", {"Ann": 4}, 100, loans=1, trains="2T", last_run=260),
        tube("CLR", {"Ann": 4}, 110, loans=1, trains="2T", last_run=40),
    )
    done(game, f"BAK: merge CLR into {into}")
    company = CompanyId(into)
    assert value_of(game.title, game.state, company) == 300
    assert not check_loans(game.title, game.state, company, 2) and check_loans(game.title, game.state, company, 3)


@pytest.mark.rule("1863:8.2", "1863:12.41")
def test_r41_loans_over_the_limit_are_repaid_or_there_is_no_merger() -> None:
    six = [minor(name, "Ann", 75, loans=2, cash=34) for name in ("BAK", "CLR", "CIR", "CSL", "DIS", "ELR")]
    order = "merge BAK, CLR, CIR, CSL, DIS into ELR"
    assert begun(*six).refusals(f"ELR: {order}") == set()
    game = done(begun(*six), f"ELR: {order}")
    assert game.loans("ELR") == 10 and game.money("ELR") == 4
    assert begun(*six[:5], minor("ELR", "Ann", 75, loans=2, cash=29)).refusals(f"ELR: {order}") == {"merge.surplus"}


@pytest.mark.rule("1863:8.2", "1863:12.41", "1863:8.18")
def test_trains_over_the_limit_are_given_up_before_shares_are_bought() -> None:
    trains = minor("BAK", "Ann", 75, trains="2T 3T"), minor("CLR", "Ann", 90, trains="2T 2+1e")
    game = begun(*trains, minor("CIR", "Ann", 100, trains="2T"))
    done(game, "BAK: merge CLR, CIR into BAK")
    assert game.asked == ["Ann BAK discard"]
    done(game, "BAK: discard 2T")
    assert len(game.fleet("BAK")) == 4 and game.asked == ["Ann window.buyer"]


@pytest.mark.rule("1863:8.2", "1863:12.42")
def test_r42_the_owner_of_the_survivor_buys_a_second_share() -> None:
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Bob", 90))
    done(game, "BAK: merge CLR into CLR")
    assert game.asked == ["Bob consent"]
    done(game, "Bob: agree")
    assert game.president("CLR") == "Bob" and game.money("Bob") == 840 and game.money("CLR") == 160
    assert game.shares("CLR") == {"Ann": 1, "Bob": 2, "Treasury": 7, "OSI": 10} and game.asked == ["Bob window.buyer"]
    poor = begun(minor("BAK", "Ann", 75), minor("CLR", "Bob", 90), cash={"Ann": 1000, "Bob": 159})
    assert poor.refusals("BAK: merge CLR into CLR") == {"merge.president"}
    assert poor.refusals("BAK: merge CLR into BAK") == set()


@pytest.mark.rule("1863:8.2", "1863:6.3")
def test_a_company_that_becomes_president_takes_loans_for_its_second_share() -> None:
    game = begun(tube("MET", {"Ann": 2}, 100, cash=50), minor("BAK", "MET", 75), minor("CLR", "Bob", 90))
    done(game, "BAK: merge CLR into BAK", "Bob: agree")
    assert game.president("BAK") == "MET" and game.loans("MET") == 2 and game.money("MET") == 90
    assert game.shares("BAK")["MET"] == 2 and game.asked == ["Bob window.buy_or_short"]


@pytest.mark.rule("1863:8.2")
def test_most_shares_make_the_president_whoever_owned_the_survivor() -> None:
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Ann", 90), minor("CIR", "Bob", 100))
    done(game, "BAK: merge CLR, CIR into CIR", "Bob: agree")
    assert game.president("CIR") == "Ann" and game.shares("CIR")["Bob"] == 1 and game.money("Ann") == 1000


@pytest.mark.rule("1863:8.2")
def test_a_minor_that_the_other_owns_brings_no_share() -> None:
    game = begun(minor("BAK", "Ann", 75, cash=30), minor("CLR", "BAK", 90, cash=20))
    done(game, "BAK: merge CLR into CLR")
    assert game.shares("CLR") == {"Ann": 2, "Treasury": 8, "OSI": 10} and game.president("CLR") == "Ann"
    assert game.money("CLR") == 210 and game.money("Ann") == 840 and game.status("BAK") == "unstarted"


@pytest.mark.rule("1863:8.2", "1863:8.3", "1863:8.9", "1863:8.12")
@pytest.mark.parametrize(
    ("order", "checks"),
    [
        ("merge MET into MET", {"merge.kind"}),
        ("merge CLR into MET", {"merge.survivor"}),
        ("merge BAK into BAK", {"merge.partner"}),
        ("merge PIC into BAK", {"merge.partner"}),
        ("merge CLR, CLR into BAK", {"merge.partner"}),
        ("merge CIR into BAK", {"merge.not_operated"}),
        ("merge ELR into BAK", {"merge.zone"}),
    ],
)
def test_mergers_that_are_refused(order: str, checks: set[str]) -> None:
    game = begun(
        minor("BAK", "Ann", 50),
        minor("CLR", "Ann", 90),
        minor("CIR", "Ann", 100, operated=False),
        minor("ELR", "Ann", 30),
        tube("MET", "Ann", 100),
        cash={},
    )
    done(game, *(["Bob: drop", "Cat: drop", "Ann: drop"] if "lot" in game.asked[0] else []))
    assert game.asked == ["Ann BAK merger.turn"] and game.refusals(f"BAK: {order}") == checks


@pytest.mark.rule("1863:8.3", "1863:8.19")
def test_only_two_majors_merge() -> None:
    game = begun(tube("MET", "Ann", 90), tube("DIS", "Ann", 100), tube("CIR", "Ann", 110))
    assert game.refusals("MET: merge DIS, CIR into MET") == {"merge.two"}


@pytest.mark.rule("1863:8.2", "1863:4.1")
def test_a_merger_that_would_close_a_circle_is_refused() -> None:
    """BAK is president of MET, which owns CLR: MET would hold shares of a company above it."""
    game = begun(minor("BAK", "Ann", 75), tube("MET", {"BAK": 2}, 100), minor("CLR", "MET", 90))
    assert game.refusals("BAK: merge CLR into BAK") == {"limit.circle"}
    assert game.refusals("BAK: merge CLR into CLR") == {"limit.circle"}


# ---- majors ----------------------------------------------------------------------------------------------------------


def t16(**more: Any) -> London:
    met = tube("MET", {"Ann": 5, "Bob": 3}, 110, cash=30, markers="C10", trains="3T")
    dis = tube("DIS", {"Ann": 2}, 100, cash=20, loans=1, shorts={"Cat": 1}, pool=1, markers="C18")
    return begun(met, dis, **more)


@pytest.mark.rule("1863:8.3", "1863:12.43", "1863:8.16", "1863:8.20", "1863:8.21")
@pytest.mark.parametrize(
    ("orders", "held", "shorts", "changes"),
    [
        (
            ("Ann: exchange for share", "Bob: exchange for share", "Cat: half short keep"),
            {"Ann": 4, "Bob": 2, "Pool": 1, "Treasury": 4, "OSI": 9},
            {"Cat": 1, "OSI": 9},
            {"Ann": -100, "Bob": -100, "Cat": 100, "MET": 200},
        ),
        (
            ("Ann: exchange for cash", "Bob: exchange for cash", "Cat: half short close"),
            {"Ann": 3, "Bob": 1, "Pool": 2, "Treasury": 4, "OSI": 10},
            {"OSI": 10},
            {"Ann": 100, "Bob": 100, "Cat": -100, "MET": 0},
        ),
    ],
)
def test_t16_majors_merge(
    orders: tuple[str, ...], held: dict[str, int], shorts: dict[str, int], changes: dict[str, int]
) -> None:
    game = done(t16(), "DIS: merge MET into MET")
    assert game.share_price("MET") == 200 and game.money("MET") == 50 and game.loans("MET") == 1
    assert game.shares("MET") == {"Ann": 3, "Bob": 1, "Treasury": 6, "OSI": 10} and game.president("MET") == "Ann"
    assert game.markers("MET") == ["C10", "C18"] and game.status("DIS") == "unstarted"
    assert game.asked == ["Ann window.buyer"]
    done(game, "Ann: take 0", *orders)
    assert game.shares("MET") == held and game.shorts("MET") == shorts and balanced(game, "MET")
    assert {name: game.money(name) - {"MET": 50}.get(name, 1000) for name in changes} == changes
    assert game.asked == ["Bob window.buy_or_sell"]


@pytest.mark.rule("1863:8.3", "1863:8.22")
def test_every_player_buys_or_sells_once_the_president_last() -> None:
    game = done(t16(), "DIS: merge MET into MET", "Ann: take 1", "Ann: exchange for cash", "Bob: exchange for cash")
    done(game, "Cat: half short close", "Bob: sell 1 MET")
    assert game.share_price("MET") == 190 and game.asked == ["Cat window.buy_or_sell"]
    done(game, "Cat: buy MET from pool")
    assert game.share_price("MET") == 200 and game.asked == ["Ann window.buy_or_sell"]
    assert game.money("MET") == 250
    done(game, "Ann: pass")
    assert "window" not in game.asked[0]


@pytest.mark.rule("1863:8.3", "1863:8.23")
def test_halves_are_asked_from_the_largest_holder_and_end_with_the_charter() -> None:
    """The last share on the charter goes to Ann's company; Bob and Cat are paid, their halves make none for the pool,
    because ten shares are all."""
    met = tube("MET", {"Ann": 5, "Bob": 3, "Cat": 2}, 110)
    dis = tube("DIS", {"Ann": 4, "CLR": 3, "Bob": 2, "Cat": 1}, 100)
    game = begun(met, dis, minor("CLR", "Cat", 120, cash=100))
    done(game, "DIS: merge MET into MET")
    assert game.shares("MET") == {"Ann": 4, "Bob": 2, "Cat": 1, "CLR": 1, "Treasury": 2, "OSI": 10}
    done(game, "Ann: take 0")
    assert game.asked == ["Ann halves.share"]
    done(game, "Ann: exchange for share")
    assert game.asked == ["Bob halves.share"]
    done(game, "Bob: exchange for share")
    assert game.shares("MET") == {"Ann": 5, "Bob": 3, "Cat": 1, "CLR": 1, "OSI": 10}
    assert game.money("Cat") == 1100 and game.money("CLR") == 200 and balanced(game, "MET")


@pytest.mark.rule("1863:8.3", "1863:8.24")
@pytest.mark.parametrize(("into", "pool"), [("DIS", 0), ("MET", 4)])
def test_a_half_that_is_given_up_is_a_share_for_the_pool_unless_it_was_one_of_the_defunct_company(
    into: str, pool: int
) -> None:
    """Section 8.c.ii. The odd share in the pool itself is no other."""
    met = tube("MET", {"Ann": 5, "Bob": 1, "Cat": 1}, 110, pool=1)
    dis = tube("DIS", {"Ann": 2}, 100)
    game = done(begun(met, dis), f"DIS: merge MET into {into}", "Ann: take 0")
    assert game.shares(into) == {"Ann": 3, "Treasury": 7, "OSI": 10}
    done(game, "Ann: exchange for cash", "Bob: exchange for cash", "Cat: exchange for cash")
    assert game.shares(into).get("Pool", 0) == pool and balanced(game, into)
    assert [game.money(player) for player in ("Ann", "Bob", "Cat")] == [1000 + 200 // 2] * 3


@pytest.mark.rule("1863:8.3", "1863:8.24")
@pytest.mark.parametrize(
    ("met", "elr", "cash", "pool"),
    [
        ({"Ann": 4, "Bob": 3}, {"Ann": 2}, ("Bob",), 1),
        ({"Ann": 4}, {"Ann": 2, "Bob": 1, "Cat": 1}, ("Bob", "Cat"), 0),
        ({"Ann": 4, "Bob": 2}, {"Ann": 2, "Bob": 1}, ("Bob",), 0),
        ({"Ann": 4, "Bob": 1}, {"Ann": 2, "Bob": 2}, ("Bob",), 1),
        ({"Ann": 4, "Bob": 1, "Cat": 1}, {"Ann": 2}, ("Bob", "Cat"), 2),
    ],
)
def test_the_shares_of_the_pool_after_halves_were_given_up(
    met: dict[str, int], elr: dict[str, int], cash: tuple[str, ...], pool: int
) -> None:
    game = done(begun(tube("ELR", elr, 60), tube("MET", met, 110)), "ELR: merge MET into MET", "Ann: take 0")
    done(game, *(f"{player}: exchange for cash" for player in cash))
    assert game.shares("MET").get("Pool", 0) == pool and balanced(game, "MET")


@pytest.mark.rule("1863:4.7", "1863:8.3")
@pytest.mark.parametrize(("answer", "pool", "out"), [("keep", 1, 1), ("close", 0, 0)])
def test_the_regular_share_of_a_half_short_that_is_kept_goes_to_the_pool(answer: str, pool: int, out: int) -> None:
    """Section 6.k: the regular share of a short is placed in the bank pool."""
    met = tube("MET", {"Ann": 6, "Bob": 4}, 110, pool=1, shorts={"Cat": 1})
    game = begun(tube("ELR", {"Ann": 6, "Bob": 4}, 60), met)
    done(game, "ELR: merge MET into MET")
    while game.asked != ["Cat halves.short"]:
        done(game, f"{game.asked[0].split()[0]}: take 0")
    done(game, f"Cat: half short {answer}")
    held = game.shares("MET")
    assert (held.get("Pool", 0), held.get("Treasury", 0)) == (pool, 0) and balanced(game, "MET")
    assert game.shorts("MET").get("Cat", 0) == out


@pytest.mark.rule("1863:8.3", "1863:4.7", "1863:12.43")
@pytest.mark.parametrize(("answer", "money", "short"), [("keep", 1100, 1), ("close", 900, 0)])
def test_a_player_with_as_many_shares_as_shorts_chooses_for_his_half_short(answer: str, money: int, short: int) -> None:
    """Section 8.c: at the player's choice. Cat has a share, and a short and a half."""
    met, dis = tube("MET", {"Ann": 4, "Cat": 2}, 110), tube("DIS", {"Ann": 4}, 100, shorts={"Cat": 3}, pool=3)
    game = done(begun(met, dis, cash={"Cat": 1000}), "DIS: merge MET into MET")
    assert game.asked == ["Cat halves.short"]
    done(game, f"Cat: half short {answer}")
    assert (game.money("Cat"), game.shorts("MET").get("Cat", 0), game.shares("MET").get("Cat", 0)) == (money, short, 0)
    assert balanced(game, "MET")


@pytest.mark.rule("1863:8.3", "1863:4.1")
def test_a_half_is_not_filled_up_beyond_a_limit() -> None:
    met = tube("MET", {"Ann": 6, "Bob": 3}, 110)
    dis = tube("DIS", {"Ann": 6, "Cat": 1, "CLR": 1}, 100)
    game = begun(met, dis, minor("CLR", "Ann", 120, cash=500))
    done(game, "DIS: merge MET into MET", "Bob: exchange for cash", "Cat: exchange for cash")
    assert game.shares("MET")["Ann"] == 6 and game.money("CLR") == 600


@pytest.mark.rule("1863:8.3", "1863:4.7")
def test_shorts_are_matched_at_the_end() -> None:
    met = tube("MET", {"Ann": 4}, 110, shorts={"Bob": 2}, pool=2)
    dis = tube("DIS", {"Ann": 2, "Bob": 2}, 100)
    game = done(begun(met, dis), "DIS: merge MET into MET", "Ann: take 0")
    assert game.shorts("MET") == {"OSI": 10}
    assert game.shares("MET") == {"Ann": 3, "Pool": 1, "Treasury": 6, "OSI": 10}


@pytest.mark.rule("1863:8.3", "1863:8.21")
@pytest.mark.rule("1863:12.43")
def test_half_shorts_without_a_choice_are_not_asked_about() -> None:
    met, dis = tube("MET", {"Ann": 4}, 110, shorts={"Bob": 1}, pool=1), tube("DIS", {"Ann": 2}, 100)
    game = done(begun(met, dis, cash={"Ann": 1000, "Bob": 99}), "DIS: merge MET into MET", "Ann: take 0")
    assert game.shorts("MET") == {"Bob": 1, "OSI": 9} and game.money("Bob") == 199 and balanced(game, "MET")


@pytest.mark.rule("1863:8.3", "1863:12.42")
def test_the_president_needs_two_shares() -> None:
    met, dis = tube("MET", {"Ann": 2}, 110, pool=5), tube("DIS", {"Bob": 2}, 100, pool=5)
    game = begun(met, dis, cash={"Ann": 200, "Bob": 199})
    assert game.refusals("DIS: merge MET into DIS") == {"merge.president"}
    done(game, "DIS: merge MET into MET", "Ann: agree")
    assert game.shares("MET") == {"Ann": 2, "Bob": 1, "Pool": 5, "Treasury": 2, "OSI": 10}
    assert game.money("Ann") == 0 and game.money("MET") == 200


@pytest.mark.rule("1863:8.3")
def test_shares_of_each_other_lie_on_the_charter() -> None:
    met, dis = tube("MET", {"Ann": 4, "DIS": 1}, 110), tube("DIS", {"MET": 3, "Ann": 2}, 100)
    game = done(begun(met, dis), "DIS: merge MET into MET", "Ann: take 0")
    assert game.shares("MET") == {"Ann": 3, "Treasury": 7, "OSI": 10}


# ---- markers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.7", "1863:8.36")
def test_more_than_seven_markers_are_lost_the_charters_first() -> None:
    met = tube("MET", {"Ann": 5}, 110, markers="C10 F9 H11", tokens=5)
    dis = tube("DIS", {"Ann": 5}, 100, markers="C18 C10 K22", tokens=4)
    game = done(begun(met, dis), "DIS: merge MET into MET")
    assert game.tokens("MET") == 7 and game.markers("MET") == ["C10", "C18", "F9", "H11", "K22"]


@pytest.mark.rule("1863:8.7")
def test_of_more_than_seven_on_the_map_the_president_chooses() -> None:
    met = tube("MET", {"Ann": 5}, 110, markers="C10 F9 H11 I10")
    dis = tube("DIS", {"Ann": 5}, 100, markers="C18 G18 K22 I22")
    game = done(begun(met, dis), "DIS: merge MET into MET")
    assert game.asked == ["Ann MET markers.stay"] and len(game.menu()) == 8
    assert game.refusals("MET: keep C10, F9, H11, I10, C18, G18") == {"keep.markers"}
    assert game.refusals("MET: keep C10, F9, H11, I10, C18, G18, K2") == {"keep.markers"}
    done(game, "MET: keep C10, F9, H11, I10, C18, G18, I22")
    assert len(game.markers("MET")) == 7 and "K22" not in game.markers("MET") and game.asked == ["Ann window.buyer"]


@pytest.mark.rule("1863:8.7", "1863:8.36")
def test_the_underground_electric_has_no_limit_but_its_eleven_markers() -> None:
    uer = tube("UER", {"Ann": 5}, 110, markers="C10 F9 H11 I10")
    dis = tube("DIS", {"Ann": 5}, 100, markers="C18 G18 K22 I22", tokens=6)
    game = done(begun(uer, dis), "DIS: merge UER into UER")
    assert game.tokens("UER") == 10 and len(game.markers("UER")) == 8
    more = tube("UER", {"Ann": 5}, 110, markers="C10 F9 H11 I10", tokens=6)
    assert done(begun(more, dis), "DIS: merge UER into UER").tokens("UER") == 11


@pytest.mark.rule("1863:8.7")
def test_where_nobody_can_choose_the_first_markers_stay() -> None:
    game = situation(tube("MET", "Pool", 100, markers="C10 F9 H11"))
    play = game.play()
    play.push(MarkersOver(CompanyId("MET"), 2))
    MarkersOverStep().advance(play, MarkersOver(CompanyId("MET"), 2))
    assert game.take(play).markers("MET") == ["C10", "F9"]


@pytest.mark.rule("1863:8.7")
@pytest.mark.parametrize(("tokens", "stay"), [(1, 1), (2, 2)])
def test_a_minor_that_buys_markers_has_no_more_than_before(tokens: int, stay: int) -> None:
    game = situation(
        minor("BAK", "Ann", markers="F9", tokens=tokens),
        tube("MET", {"Bob": 2}, markers="C10 H11", tokens=4),
    )
    play = game.play()
    join_markers(play, CompanyId("MET"), CompanyId("BAK"))
    game.take(play).frames(*game.state.agenda)
    assert game.asked == ["Ann BAK markers.stay"] and game.tokens("BAK") == stay and game.tokens("MET") == 0
    done(game, "BAK: keep H11" if stay == 1 else "BAK: keep H11, F9")
    assert len(game.markers("BAK")) == stay and "H11" in game.markers("BAK") and game.markers("MET") == []


@pytest.mark.rule("1863:8.7", "1863:8.37")
def test_of_two_markers_in_a_hex_one_is_lost() -> None:
    game = situation(
        tube("BAK", {"Ann": 2}, markers="F9 C10", tokens=3), tube("MET", {"Bob": 2}, markers="C10", tokens=2)
    )
    play = game.play()
    join_markers(play, CompanyId("MET"), CompanyId("BAK"))
    game.take(play)
    assert game.tokens("BAK") == 4 and game.markers("BAK") == ["C10", "F9"] and game.markers("MET") == []


@pytest.mark.rule("1863:8.2", "1863:12.20")
def test_the_survivor_stands_in_for_the_president_it_takes_over() -> None:
    """Bob has as many shares of MET, but a tie changes no president."""
    game = begun(minor("BAK", "Ann", 75), minor("CLR", "Ann", 90), tube("MET", {"BAK": 3, "Bob": 3}, 100))
    done(game, "BAK: merge CLR into CLR")
    assert game.president("MET") == "CLR"


@pytest.mark.rule("1863:8.3", "1863:12.20")
@pytest.mark.parametrize(("bob", "president"), [(2, "Ann"), (3, "Bob")])
@pytest.mark.parametrize("into", ["DIS", "MET"])
def test_who_controlled_parent_and_subsidiary_stays_president_on_a_tie(bob: int, president: str, into: str) -> None:
    """Section 6.g: a player remains the president unless another player gains the majority."""
    met, dis = tube("MET", {"Ann": 4, "Bob": 2}, 110), tube("DIS", {"MET": 4, "Bob": bob}, 100)
    game = done(begun(met, dis), f"DIS: merge MET into {into}")
    assert game.president(into) == president
