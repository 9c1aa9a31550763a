"""Companies in liquidation: their lots, their debts, and what is shared out."""

from __future__ import annotations

import pytest

from engine.core.events import Liquidated, LoansChanged, MarkerReplaced, Paid, Resigned
from engine.core.ids import CompanyId
from engine.core.state import Frame
from engine.titles.t1863.failures.failure import Liquidation, owed
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.names import LPTB, OWED
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, Tube, situation, tube

OTHER = tube("UER", "Cat", 100, markers="", cash=60)
ON = ["Cat UER company.turn"]
"""The game has gone on."""


def begun(*companies: Tube, **more: object) -> London:
    """The liquidations of a merger round have begun; after them comes the turn of another company."""
    game = situation(*companies, OTHER, **more)  # type: ignore[arg-type]
    frames: tuple[Frame, ...] = (TURNS.begin(OTHER.id), Failing())
    return game.frames(*frames)


def drop(game: London, *lots: str) -> None:
    """Nobody bids on these lots; players who can bid with nothing are not asked."""
    for lot in lots:
        while game.state.agenda and getattr(game.state.top, "item", "") == lot:
            game.do(f"{game.asked[0].split()[0]}: drop")


def gone(game: London, name: str) -> bool:
    return game.status(name) == "unstarted" and CompanyId(name) not in game.state.prices


# ---- the lots --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.5", "1863:8.26")
def test_three_lots_from_the_left_of_the_president_each_from_nothing_in_steps_of_five() -> None:
    game = begun(
        tube("MET", "Ann", 0, trains="3T 3T"),
        tube("DIS", "Bob", 100, cash=40),
        cash={"Bob": 500},
        privates={"GRE": "MET"},
    )
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"]
    assert game.refusals("Bob: bid 5") == {"lot.entity"} and game.refusals("DIS: bid 900") == {"lot.means"}
    drop(game, "MET markers")
    game.do("DIS: bid 0")
    assert game.asked == ["Cat auction.lot", "Cat UER auction.lot.for"]
    assert game.refusals("UER: bid 4") == {"bid.too_low"}
    game.do("UER: bid 5")
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"]
    game.do("Bob: drop")
    assert game.fleet("UER") == ["3T", "3T"] and game.money("UER") == 55
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"]
    game.do("DIS: bid 0")
    drop(game, "MET privates")
    assert game.owner("GRE") == "DIS"
    assert gone(game, "MET") and game.money("Ann") == 4 and game.asked == ON


@pytest.mark.rule("1863:8.5", "1863:12.45", "1863:12.76")
@pytest.mark.parametrize(("ruling", "able"), [("room", False), ("excess", True)])
def test_trains_go_to_a_company_that_has_room_for_all(ruling: str, able: bool) -> None:
    lot = tube("MET", "Ann", 0, trains="3T 3T 3T")
    game = begun(lot, tube("DIS", "Bob", 100, minor=True, cash=40, trains="3T"), options={"train_lots": ruling})
    drop(game, "MET markers")
    assert game.asked == [
        f"{'Bob' if able else 'Cat'} auction.lot",
        *[f"{('Cat UER', 'Bob DIS')[able]} auction.lot.for"],
    ]
    if able:
        game.do("DIS: bid 0")
        drop(game, "MET trains")
        assert game.fleet("DIS") == ["3T", "3T"]
    game = begun(tube("MET", "Ann", 0, trains="3T"), tube("DIS", "Bob", 100, minor=True, cash=40, trains="3T"))
    drop(game, "MET markers")
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"]


@pytest.mark.rule("1863:12.45")
def test_r45_privates_go_to_players_too() -> None:
    game = begun(
        tube("MET", "Ann", 0), tube("DIS", "Bob", 100),
        privates={"GRE": "MET", "FOW": "MET"}, cash={"Bob": 100},
    )  # fmt: skip
    drop(game, "MET markers")
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"]
    game.do("Bob: bid 20")
    drop(game, "MET privates")
    assert game.owner("GRE") == game.owner("FOW") == "Bob"
    assert game.money("Ann") == 20 and game.money("Bob") == 80


@pytest.mark.rule("1863:8.5", "1863:12.66")
def test_r66_a_company_may_pay_more_than_twice_the_face_for_the_privates_of_another() -> None:
    game = begun(tube("MET", "Ann", 0), tube("DIS", "Bob", 100, cash=400), privates={"GRE": "MET"})
    drop(game, "MET markers")
    game.do("DIS: bid 200")
    drop(game, "MET privates")
    assert game.owner("GRE") == "DIS" and game.money("DIS") == 200


@pytest.mark.rule("1863:8.5", "1863:10.4", "1863:8.28")
def test_what_nobody_buys_goes_to_the_lptb() -> None:
    game = begun(tube("MET", "Ann", 0, trains="3T", markers="C10 H11"), privates={"GRE": "MET"})
    drop(game, "MET markers", "MET trains", "MET privates")
    assert [e.hex for e in game.told(MarkerReplaced)] == ["C10", "H11"]
    assert game.markers("LPTB") == ["C10", "H11"] and game.state.privates == {} and gone(game, "MET")


@pytest.mark.rule("1863:8.5", "1863:10.1", "1863:8.28")
@pytest.mark.parametrize(("phase", "option"), [("V", "V"), ("IV", "IV")])
def test_r9_once_the_lptb_acts_it_gets_all_without_an_auction(phase: str, option: str) -> None:
    game = begun(
        tube("MET", "Ann", 0, trains="4T", cash=30),
        phase=phase, options={"lptb_from": option}, cash={"Bob": 500},
    )  # fmt: skip
    assert game.asked == ON and gone(game, "MET") and game.markers("LPTB") == ["C10"]
    assert game.money("Ann") == 30


# ---- debts and what is left ------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.5", "1863:8.30")
def test_cash_pays_the_bill_and_the_loans_and_the_rest_is_shared_equally() -> None:
    game = begun(
        tube("MET", {"Ann": 3, "Bob": 2, "DIS": 1}, 0, pool=1, cash=261, loans=1), tube("DIS", "Bob"),
        marks={OWED: {CompanyId("MET"): 15}}, phase="V",
    )  # fmt: skip
    # 261 - 15 - 100 = 146 for 7 shares: 20 each, the pool's and what is left to the bank
    assert [game.money(x) for x in ("Ann", "Bob", "DIS", "MET")] == [60, 40, 20, 0]
    assert game.told(Liquidated) == [Liquidated(CompanyId("MET"), 20)] and OWED not in game.state.marks
    assert game.told(LoansChanged) == [LoansChanged(CompanyId("MET"), -1, "repaid")]


@pytest.mark.rule("1863:8.5", "1863:7.2", "1863:8.29")
def test_what_is_left_unpaid_the_president_pays_at_once() -> None:
    game = begun(
        tube("MET", "Ann", 0, minor=True, cash=20, loans=2), tube("DIS", {"Bob": 3, "Ann": 2}, 100),
        marks={OWED: {CompanyId("MET"): 35}}, phase="V", cash={"Ann": 115},
    )  # fmt: skip
    assert game.asked == ["Ann debt.sell"]
    game.do("Ann: sell 1 DIS")
    assert game.money("Ann") == 0 and game.asked == ON and game.loans("MET") == 0
    assert [e.amount for e in game.told(Paid) if e.reason == "crisis"] == [215]


@pytest.mark.rule("1863:7.3", "1863:8.5")
def test_a_president_who_cannot_is_bankrupt_and_the_liquidation_goes_on() -> None:
    game = begun(tube("MET", {"Ann": 2, "Bob": 2}, 0, loans=2), phase="V", cash={"Ann": 115})
    assert [e.player for e in game.told(Resigned)] == ["Ann"] and gone(game, "MET") and game.asked == ON


@pytest.mark.rule("1863:12.22", "1863:8.5")
def test_r22_shorts_are_void() -> None:
    game = begun(tube("MET", "Ann", 0, cash=100, shorts={"Bob": 1}, pool=1), phase="V", cash={"Bob": 50})
    assert game.money("Bob") == 50 and game.shorts("MET") == {"Treasury": 10} and game.money("Ann") == 66


@pytest.mark.rule("1863:12.46")
def test_r46_it_may_be_started_again() -> None:
    game = begun(tube("MET", "Ann", 0), phase="V")
    assert gone(game, "MET") and game.shares("MET") == {"Treasury": 20} and game.markers("MET") == []


# ---- what it holds ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.5", "1863:12.65", "1863:8.27")
def test_its_shares_are_sold_first() -> None:
    game = begun(tube("MET", "Ann", 0), tube("DIS", {"Bob": 3, "MET": 2}, 100), phase="V")
    assert game.shares("DIS") == {"Bob": 3, "Pool": 2, "Treasury": 5, "OSI": 10} and game.share_price("DIS") == 80
    assert game.money("Ann") == 200


@pytest.mark.rule("1863:8.5", "1863:12.64", "1863:12.65")
def test_shares_of_companies_that_are_not_dealt_in_go_to_the_pool_for_nothing() -> None:
    game = situation(tube("MET", "Ann", 0), tube("DIS", {"Bob": 3, "MET": 2}, 0), OTHER, phase="V")
    game.frames(TURNS.begin(OTHER.id), Liquidation(CompanyId("MET")))
    assert game.shares("DIS") == {"Bob": 3, "Pool": 2, "Treasury": 5, "OSI": 10} and game.money("Ann") == 0


@pytest.mark.rule("1863:8.5", "1863:12.65")
@pytest.mark.parametrize("buyer", ["Bob", "DIS"])
def test_t23_a_minor_that_it_holds_is_a_lot_of_its_own(buyer: str) -> None:
    game = begun(
        tube("MET", "Ann", 0), tube("CLR", "MET", 80, minor=True, loans=2, trains="3T", cash=11),
        tube("DIS", "Bob", 100, cash=90), cash={"Bob": 90},
    )  # fmt: skip
    drop(game, "MET markers")
    assert game.asked == ["Bob auction.lot", "Bob DIS auction.lot.for"] and game.accepted(buyer)
    game.do(f"{buyer}: bid 70")
    drop(game, "CLR")
    assert game.president("CLR") == buyer and game.money(buyer) == 20 and game.money("Ann") == 70
    assert game.loans("CLR") == 2 and game.fleet("CLR") == ["3T"] and game.markers("CLR") == ["I10"]
    assert game.share_price("CLR") == 80 and game.money("CLR") == 11 and game.asked == ON


@pytest.mark.rule("1863:8.5", "1863:12.65")
def test_t23_with_no_bid_it_is_broken_up_too_and_its_debts_fall_to_the_parent() -> None:
    game = begun(
        tube("MET", "Ann", 0, cash=50), tube("CLR", "MET", 80, minor=True, loans=2, cash=11), cash={"Ann": 500}
    )
    drop(game, "MET markers", "CLR")
    assert game.state.top.item == "CLR markers"  # type: ignore[attr-defined]
    drop(game, "CLR markers")
    assert gone(game, "CLR") and gone(game, "MET") and game.asked == ON
    assert game.money("Ann") == 500 - (200 - 11 - 50) and owed(game.state, CompanyId("MET")) == 0


@pytest.mark.rule("1863:8.5", "1863:12.65")
def test_t23_what_is_left_of_it_goes_to_the_parent() -> None:
    game = begun(
        tube("MET", {"Ann": 2, "Bob": 2}, 0, loans=1),
        tube("CLR", {"MET": 2, "Bob": 1}, 80, cash=390),
        phase="V",
        cash={"Ann": 500},
    )
    # CLR pays 130 a share: 260 to MET, 130 to Bob; MET repays 100 and has 40 for each of four shares
    assert gone(game, "CLR") and gone(game, "MET")
    assert game.money("Ann") == 500 + 80 and game.money("Bob") == 130 + 80


@pytest.mark.rule("1863:8.5", "1863:4.1")
def test_a_company_it_holds_does_not_buy_itself_and_a_short_seller_does_not_buy_it() -> None:
    game = begun(
        tube("MET", "Ann", 0), tube("CLR", "MET", 80, cash=500, shorts={"Bob": 1}, pool=1), cash={"Ann": 9, "Bob": 9}
    )
    drop(game, "MET markers")
    assert game.asked == ["Cat auction.lot", "Cat UER auction.lot.for"]
    game.do("Cat: drop")
    assert game.asked == ["Ann auction.lot"] and game.refusals("CLR: bid 0") == {"order.not_asked"}


@pytest.mark.rule("1863:8.5", "1863:4.1")
def test_its_shares_count_already_for_the_player_who_controls_it_and_he_may_buy_them() -> None:
    """Section 6.a: six shares with all companies that he controls. Ann and hers have five, two of them MET's."""
    clr = tube("CLR", {"MET": 2, "Ann": 1, "DIS": 1, "BAK": 1}, 80)
    game = begun(tube("MET", "Ann", 0), clr, tube("DIS", "Ann"), tube("BAK", "Ann"), cash={"Ann": 9, "Bob": 9})
    drop(game, "MET markers")
    while game.asked[0].split()[0] != "Ann":
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert {ask.split()[1] for ask in game.asked} >= {"auction.lot", "DIS", "BAK"}
    game.do("Ann: bid 0")
    assert (game.president("CLR"), game.shares("CLR")["Ann"]) == ("Ann", 3)


@pytest.mark.rule("1863:8.5", "1863:4.1")
def test_whose_companies_have_nearly_six_already_does_not_buy_it_from_another_player() -> None:
    his = [tube(name, "Bob", cash=500) for name in ("DIS", "BAK", "CIR", "WBR")]
    clr = tube("CLR", {"MET": 2, "Bob": 1, "DIS": 1, "BAK": 1, "CIR": 1, "WBR": 1}, 80)
    game = begun(tube("MET", "Ann", 0), clr, *his, cash={"Ann": 9, "Bob": 9})
    drop(game, "MET markers")
    assert game.asked == ["Cat auction.lot", "Cat UER auction.lot.for"]


@pytest.mark.rule("1863:8.5", "1863:4.1")
def test_a_company_does_not_take_over_one_that_holds_shares_of_it() -> None:
    companies = tube("MET", "Ann", 0), tube("CLR", "MET", 80, minor=True), tube("DIS", {"Bob": 4, "CLR": 2}, cash=500)
    game = begun(*companies, tube("CIR", "DIS", cash=500), tube("BAK", "Bob", 80, cash=500), cash={"Bob": 9})
    drop(game, "MET markers")
    assert game.asked == ["Bob auction.lot", "Bob BAK auction.lot.for"]


# ---- the order -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.9", "1863:12.40")
def test_the_last_to_arrive_comes_first() -> None:
    game = begun(tube("MET", "Ann", 0), tube("CLR", "Bob", 0), phase="V")
    assert [e.company for e in game.told(Liquidated)] == ["CLR", "MET"]


@pytest.mark.rule("1863:8.9")
def test_a_company_that_falls_into_the_red_meanwhile_follows_in_the_same_round() -> None:
    game = begun(
        tube("MET", "DIS", 0, minor=True, loans=1), tube("DIS", "Bob", 60, minor=True, loans=2, cash=5),
        phase="V", cash={"Bob": 500},
    )  # fmt: skip
    assert game.asked == ["Bob DIS bill.crisis"]
    game.do("DIS: crisis liquidate")
    assert gone(game, "MET") and gone(game, "DIS") and game.money("Bob") == 500 - (200 + 100 - 5)


@pytest.mark.rule("1863:12.39")
@pytest.mark.parametrize(("phase", "left"), [("III", False), ("V", True)])
def test_r39_one_without_a_president_is_liquidated_and_in_phase_v_waits_for_its_seizure(phase: str, left: bool) -> None:
    game = begun(tube("MET", "Pool", 0, minor=True, loans=2), phase=phase)
    drop(game, "MET markers")
    assert gone(game, "MET") != left and game.asked == ON
    assert game.markers("MET" if left else LPTB) == ["C10"]


@pytest.mark.rule("1863:8.5", "1863:4.1")
@pytest.mark.parametrize("circles", ["shares", "presidencies"])
def test_a_company_does_not_take_over_the_one_to_which_it_belongs(circles: str) -> None:
    """It could not be its president, whatever else a company may hold of those above it."""
    companies = tube("MET", "Ann", 0), tube("CLR", "MET", 80, pool=1), tube("DIS", "CLR", 100, cash=500)
    game = begun(*companies, options={"circles": circles}, cash={"Ann": 9, "Bob": 9})
    drop(game, "MET markers")
    while game.asked[0] != "Ann auction.lot":
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert game.asked == ["Ann auction.lot"] and game.refusals("DIS: bid 0") == {"order.not_asked"}
