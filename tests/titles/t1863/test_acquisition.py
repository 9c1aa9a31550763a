"""Companies in the area of acquisition: the auction of the whole company, who pays, and what the buyer has."""

from __future__ import annotations

import pytest

from engine.core.events import Acquired, DirectorChanged, Paid, RoundBegan
from engine.core.ids import CompanyId, PlayerId
from engine.core.orders import Merge
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.mergers.choice import check_merge
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.names import ACQUIRED, BORROWED
from engine.titles.t1863.remarks import remarks
from engine.titles.t1863.turn.company_turn import TURNS
from tests.kit.games.situations_1863 import London, Tube, situation, tube

OTHER = tube("UER", "Cat", 100, markers="", cash=60)
ON = ["Cat UER company.turn"]
"""The game has gone on."""


def begun(*companies: Tube, **more: object) -> London:
    """The acquisitions of a merger round have begun; after them comes the turn of another company."""
    game = situation(*companies, OTHER, **more)  # type: ignore[arg-type]
    return game.frames(TURNS.begin(OTHER.id), Failing())


def all_drop(game: London) -> London:
    while game.asked[0].split()[1] == "auction.lot":
        game.do(f"{game.asked[0].split()[0]}: drop")
    return game


# ---- the auction -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.6", "1863:8.31")
def test_from_the_left_of_the_president_who_may_bid_too() -> None:
    game = begun(tube("MET", "Ann", 30), cash={"Ann": 100, "Bob": 100})
    assert game.asked == ["Bob auction.lot"]
    assert game.refusals("Bob: bid 4") == {"bid.too_low"} and game.refusals("Bob: bid 301") == {"lot.means"}
    game.do("Bob: bid 5")
    assert game.asked == ["Cat auction.lot", "Cat UER auction.lot.for"]
    game.do("Cat: drop")
    assert game.asked == ["Ann auction.lot"] and game.refusals("Ann: bid 9") == {"bid.too_low"}
    game.do("Ann: bid 10")
    all_drop(game)
    assert game.told(Acquired) == [Acquired(CompanyId("MET"), PlayerId("Ann"), 10, 1)]
    assert not game.told(DirectorChanged)


@pytest.mark.rule("1863:8.6", "1863:8.32")
def test_without_a_bid_nothing_happens() -> None:
    game = all_drop(begun(tube("MET", {"Ann": 3, "Bob": 1}, 30, cash=100)))
    assert game.asked == ON and game.shares("MET")["Ann"] == 3 and game.share_price("MET") == 30


@pytest.mark.rule("1863:8.6", "1863:10.1", "1863:8.35")
def test_once_the_lptb_acts_there_is_no_auction() -> None:
    game = begun(tube("MET", "Ann", 30, cash=100), phase="V", cash={"Bob": 100})
    assert game.asked == ON and game.status("MET") == "open"


@pytest.mark.rule("1863:8.6", "1863:4.1")
def test_a_company_buys_neither_itself_nor_one_that_it_belongs_to() -> None:
    game = begun(tube("MET", "Ann", 30, cash=300), tube("DIS", "MET", 100, cash=300), cash={"Ann": 9})
    for player in ("Bob", "Cat"):
        game.do(f"{player}: drop")
    assert game.asked == ["Ann auction.lot"]
    game = begun(tube("MET", "DIS", 30, cash=300), tube("DIS", "Ann", 100, cash=300))
    for player in ("Bob", "Cat"):
        game.do(f"{player}: drop")
    assert game.asked == ["Ann auction.lot", "Ann DIS auction.lot.for"]


@pytest.mark.rule("1863:8.6", "1863:4.1", "1863:12.13")
@pytest.mark.parametrize(("holder", "able"), [("Ann", True), ("MET", False)])
def test_a_company_does_not_take_over_shares_of_a_company_above_it(holder: str, able: bool) -> None:
    above = tube("DIS", {"Bob": 4, holder: 2}, 100), tube("CIR", "DIS", 100, cash=300)
    game = begun(tube("MET", "Ann", 30, cash=300), *above)
    assert ("Bob CIR auction.lot.for" in game.asked) is able


@pytest.mark.rule("1863:8.9", "1863:8.6")
def test_each_company_is_put_up_once_the_cheapest_first() -> None:
    game = begun(tube("MET", "Ann", 30, cash=20), tube("DIS", "Bob", 20, cash=20), tube("CLR", "Bob", 0))
    order = []
    while game.asked != ON:
        order.append(game.state.top.item)  # type: ignore[attr-defined]
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert list(dict.fromkeys(order)) == ["CLR markers", "DIS", "MET"]


@pytest.mark.rule("1863:8.9", "1863:8.6")
def test_a_company_buys_one_company_in_a_round() -> None:
    """Section 8 and the players' aid: each company takes part in one activity of a round."""
    game = begun(tube("MET", "Ann", 20), tube("DIS", "Ann", 30), tube("CIR", "Bob", 100, cash=300))
    while game.asked[0] != "Bob auction.lot":
        game.do(f"{game.asked[0].split()[0]}: drop")
    game.do("CIR: bid 5")
    all_drop(game)
    assert [(each.company, each.buyer) for each in game.told(Acquired)] == [("MET", "CIR")]
    assert game.asked == ON


@pytest.mark.rule("1863:8.9", "1863:8.6")
@pytest.mark.parametrize("by", ["loans for its bid", "sales of a debtor"])
def test_a_company_that_has_acquired_another_is_not_auctioned_in_the_round(by: str) -> None:
    """Its loans, and players who sell its shares to pay for their shorts, may move its price into the grey area."""
    bid, cash, shorts = (360, 0, {}) if by == "loans for its bid" else (300, 300, {"Cat": 1})
    sold, buyer = tube("MET", {"Ann": 2}, 20, shorts=shorts), tube("CIR", {"Bob": 4, "Cat": 2}, 45, cash=cash)
    game = begun(sold, buyer, cash={"Bob": 0})
    game.do(f"CIR: bid {bid}")
    all_drop(game)
    assert [(each.company, each.buyer) for each in game.told(Acquired)] == [("MET", "CIR")]
    if shorts:
        game.do("Cat: sell 2 CIR")
    assert game.share_price("CIR") == 30 and game.asked == ON
    assert game.frames().asked[0] == "Cat auction.lot" and game.told(RoundBegan)[-1].round.kind == "MR"  # the next one


@pytest.mark.rule("1863:8.6", "1863:6.3", "1863:6.4")
@pytest.mark.parametrize(("held", "most"), [(3, 100), (0, 200)])
def test_a_buyer_borrows_on_shares_of_the_company_at_the_price_that_its_loans_leave(held: int, most: int) -> None:
    """Section 8.f: "paid in full". With shares at 20 CIR is worth 110, or one loan; a loan of MET makes them 10."""
    sold = tube("MET", {"Ann": 4, "CIR": held} if held else {"Ann": 4}, 20, loans=1)
    game = begun(sold, tube("CIR", "Bob", 90, trains="3T", loans=2, cash=0 if held else 60), cash={"Bob": 0})
    least = 0 if held else 60
    assert game.refusals(f"CIR: bid {most + least + 1}") == {"lot.means"}
    game.do(f"CIR: bid {most + least}")
    all_drop(game)
    assert sum(each.amount for each in game.told(Paid) if each.reason == "bid") == most + least


@pytest.mark.rule("1863:8.9", "1863:8.6")
def test_a_company_that_was_bought_buys_no_other_in_the_round() -> None:
    game = begun(tube("MET", "Ann", 20, cash=500), tube("DIS", "Ann", 30), cash={"Bob": 100, "Cat": 100})
    game.do("Bob: bid 5")
    while game.told(Acquired) == []:
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert game.told(Acquired)[0].company == "MET" and game.money("MET") > 400
    assert game.asked == ["Bob auction.lot"]  # not for MET, which is his


@pytest.mark.rule("1863:8.9", "1863:8.6")
def test_a_company_that_is_itself_to_be_auctioned_buys_no_other() -> None:
    game = begun(tube("MET", "Ann", 20), tube("DIS", "Bob", 30, cash=500))
    assert game.state.top.item == "MET"  # type: ignore[attr-defined]
    assert game.asked == ["Bob auction.lot"]  # not for DIS, which is his


# ---- a player buys ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.6", "1863:12.47", "1863:8.34")
def test_r47_under_a_player_the_company_goes_on_with_all_else_on_its_charter() -> None:
    game = begun(
        tube("MET", {"Ann": 3, "Cat": 2, "UER": 1}, 30, cash=90, loans=1, trains="3T", pool=1, shorts={"Ann": 1}),
        cash={"Bob": 200, "Ann": 50},
    )
    game.do("Bob: bid 105")
    all_drop(game)
    # 10 a share; Ann owes 10 for her short
    assert [game.money(x) for x in ("Ann", "Bob", "Cat", "UER")] == [50 + 30 - 10, 95, 20, 60 + 10]
    assert game.shares("MET") == {"Bob": 2, "Treasury": 8, "OSI": 10} and game.shorts("MET") == {"OSI": 10}
    assert game.president("MET") == "Bob" and game.share_price("MET") == 30
    assert (game.money("MET"), game.loans("MET"), game.fleet("MET")) == (90, 1, ["3T"]) and game.asked == ON


@pytest.mark.rule("1863:8.6")
def test_a_minor_pays_half_the_bid_for_each_of_two_shares() -> None:
    game = begun(tube("MET", "Ann", 30, minor=True), cash={"Bob": 200})
    game.do("Bob: bid 105")
    all_drop(game)
    assert game.money("Ann") == 104 and game.shares("MET") == {"Bob": 2} and game.told(Acquired)[0].price == 52


@pytest.mark.rule("1863:8.6", "1863:12.71")
@pytest.mark.parametrize(("ruling", "ann", "cat"), [("share", 45, 9), ("holding", 47, 10)])
def test_a_tenth_of_a_bid_of_95_for_each_share(ruling: str, ann: int, cat: int) -> None:
    """Ann has five shares; Cat has sold one short and pays the equivalent."""
    parts = tube("MET", {"Ann": 5}, 30, shorts={"Cat": 1})
    game = begun(parts, cash={"Bob": 200, "Cat": 100}, options={"bid_share": ruling})
    game.do("Bob: bid 95")
    all_drop(game)
    assert (game.money("Ann"), game.money("Bob"), game.money("Cat")) == (ann, 105, 100 - cat)


@pytest.mark.rule("1863:8.6", "1863:12.72")
@pytest.mark.parametrize(("ruling", "ann"), [("half", 94), ("tenth", 18)])
def test_each_share_of_a_minor_is_paid_half_of_the_bid(ruling: str, ann: int) -> None:
    game = begun(tube("MET", "Ann", 30, minor=True), cash={"Bob": 200}, options={"minor_bid": ruling})
    game.do("Bob: bid 95")
    all_drop(game)
    assert game.money("Ann") == ann


@pytest.mark.rule("1863:8.6", "1863:12.73")
@pytest.mark.parametrize(("ruling", "able"), [("all", True), ("players", False)])
def test_by_a_ruling_only_players_acquire(ruling: str, able: bool) -> None:
    game = begun(tube("MET", "Ann", 30), cash={"Cat": 100}, options={"acquirers": ruling})
    while game.asked[0].startswith("Bob"):
        game.do("Bob: drop")
    assert game.asked == ["Cat auction.lot", *["Cat UER auction.lot.for"] * able]
    if able:
        game.do("UER: bid 5")
        all_drop(game)
        assert game.told(Acquired)[0].buyer == "UER" and game.status("MET") == "unstarted"


@pytest.mark.rule("1863:8.6", "1863:6.3", "1863:8.33")
def test_the_bid_may_be_paid_with_the_cash_and_the_loans_of_the_company() -> None:
    game = begun(tube("MET", {"Ann": 10}, 30, cash=90, trains="3T"), cash={"Bob": 20})
    assert game.refusals("Bob: bid 411") == {"lot.means"}
    game.do("Bob: bid 150")
    all_drop(game)
    assert (game.money("Bob"), game.money("MET"), game.loans("MET"), game.share_price("MET")) == (0, 60, 1, 20)
    assert game.money("Ann") == 150 and game.state.marks[BORROWED] == {"MET": 1}


@pytest.mark.rule("1863:8.6", "1863:7.3", "1863:8.34")
def test_who_cannot_pay_for_shorts_sells_shares() -> None:
    game = begun(
        tube("MET", "Bob", 30, shorts={"Ann": 2}, pool=2), tube("DIS", {"Bob": 3, "Ann": 2}, 100), cash={"Cat": 300}
    )
    game.do("Cat: bid 200")
    shared = remarks(game.title, game.state, "MET")["shared"]
    assert (shared["amount"], shared["owes"]) == (200, (("Ann", 40),)) and dict(shared["paid"])["Bob"] >= 40
    all_drop(game)
    assert game.asked == ["Ann debt.sell"] and game.president("MET") == "Cat" and game.shorts("MET") == {"OSI": 10}
    game.do("Ann: sell 1 DIS")
    assert game.money("Ann") == 60 and game.asked == ON


# ---- a company buys --------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.6", "1863:8.2", "1863:12.46", "1863:12.47")
def test_r47_a_company_takes_over_all_of_it_and_the_charter_is_unopened_again() -> None:
    game = begun(
        tube("MET", {"Ann": 3, "DIS": 1}, 30, cash=90, loans=1, trains="3T", markers="C10", shorts={"Cat": 1}, pool=1),
        tube("DIS", {"Bob": 2, "MET": 2}, 100, cash=140, loans=1, trains="3T", markers="C18"),
        tube("CLR", "MET", 80, minor=True), privates={"GRE": "MET"}, cash={"Cat": 30},
    )  # fmt: skip
    game.do("DIS: bid 200")
    all_drop(game)
    assert game.status("MET") == "unstarted" and game.shares("MET") == {"Treasury": 20}
    assert (game.money("DIS"), game.loans("DIS"), game.fleet("DIS")) == (140 + 90 - 200 + 20, 2, ["3T", "3T"])
    assert game.markers("DIS") == ["C10", "C18"] and game.owner("GRE") == "DIS" and game.president("CLR") == "DIS"
    assert game.shares("DIS") == {"Bob": 2, "Treasury": 8, "OSI": 10} and game.money("Ann") == 60
    assert game.money("Cat") == 10 and game.share_price("DIS") == 100 and game.asked == ON


@pytest.mark.rule("1863:8.6", "1863:12.41")
@pytest.mark.parametrize(
    ("loans", "own", "most"),
    [(0, 0, 90 + 110 + 200), (1, 0, 90 + 110 + 100), (2, 0, 90 + 110), (2, 1, 90 + 110 - 100), (2, 2, None)],
)
def test_it_must_keep_its_limit_of_loans_or_repay_what_is_over(loans: int, own: int, most: int | None) -> None:
    game = begun(
        tube("MET", "Ann", 30, cash=90, loans=loans, minor=True, markers=""),
        tube("DIS", "Bob", 100, cash=110, loans=own, minor=True, markers=""),
    )
    assert ("Bob DIS auction.lot.for" in game.asked) == (most is not None)
    if most is None:
        return
    assert game.refusals(f"DIS: bid {most + 1}") == {"lot.means"}
    game.do(f"DIS: bid {most}")
    all_drop(game)
    assert game.money("DIS") == 0 and game.loans("DIS") == 2 and game.asked == ON


@pytest.mark.rule("1863:8.6", "1863:3.2")
def test_trains_over_its_limit_are_given_up() -> None:
    game = begun(
        tube("MET", "Ann", 30, trains="3T 3T"),
        tube("DIS", "Bob", 100, minor=True, trains="3T 2+1e", cash=50),
    )
    game.do("DIS: bid 5")
    all_drop(game)
    assert game.asked == ["Bob DIS discard"]


@pytest.mark.rule("1863:8.5", "1863:8.7")
def test_markers_of_a_company_in_liquidation_become_those_of_the_buyer() -> None:
    game = begun(
        tube("MET", "Ann", 0, markers="C10 H11", tokens=3), tube("DIS", "Bob", 100, cash=50, markers="C18", tokens=2)
    )
    game.do("DIS: bid 10")
    game.do("Cat: drop")
    assert game.markers("DIS") == ["C10", "C18", "H11"] and game.tokens("DIS") == 5 and game.money("DIS") == 40
    assert game.asked == ON and game.status("MET") == "unstarted" and game.money("Ann") == 10


@pytest.mark.rule("1863:12.39")
def test_r39_a_buyer_who_is_bankrupt_by_his_shorts_loses_it_to_a_liquidation_in_the_same_round() -> None:
    """Its holdings are sold or taken over, so that no company stays without a controller."""
    met = tube("MET", {"Ann": 2}, 30, shorts={"Bob": 5}, pool=5)
    game = begun(met, tube("CLR", "MET", 90, minor=True), cash={"Bob": 200, "Cat": 50})
    game.do("Bob: bid 200")
    all_drop(game)
    assert game.told(Acquired) and game.status("MET") == "unstarted" and "MET" not in game.state.prices
    assert game.asked == ON and game.status("CLR") == "unstarted"


@pytest.mark.rule("1863:8.9", "1863:8.6")
@pytest.mark.parametrize("acquires", [False, True])
def test_a_company_that_has_acquired_another_does_not_merge_in_the_same_round(acquires: bool) -> None:
    """Section 8 and the players' aid: each company takes part in one activity of a round."""
    parts = tube("MET", {"Ann": 4}, 100, cash=300), tube("DIS", {"Ann": 4}, 110, cash=300)
    later = tube("CIR", "Bob", 120, minor=True, cash=100)
    game = situation(tube("ELR", "Bob", 30), *parts, later, round="MR 2.1").frames(MergerRound())
    game.do("Cat: drop")
    assert "Ann MET auction.lot.for" in game.asked
    if acquires:
        game.do("MET: bid 5")
    all_drop(game)
    assert [each.buyer for each in game.told(Acquired)] == ["MET"] * acquires
    assert ("Ann MET merger.turn" in game.asked) is not acquires
    if acquires:
        order = Merge(CompanyId("DIS"), (CompanyId("MET"),), CompanyId("DIS"))
        used = game.state.marks[ACQUIRED]
        assert used == {"MET"} and game.asked == ["Bob CIR merger.turn"]
        assert {f.check for f in check_merge(game.title, game.state, order, used, ())} == {"merge.used"}
