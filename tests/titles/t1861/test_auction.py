"""The auctions of 1861: privates with their falling minimum, N first of the minors, and what a bid buys."""

from __future__ import annotations

import pytest

from engine.core.events import Dropped, MinimumReduced, PriorityMoved
from engine.core.ids import PlayerId
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import stock
from tests.kit.games.situations import Played, company, fresh

EDITIONS = ("v2.0", "first", "2020")
FOUR = "Ann Bob Cat Dan"


def passes(game: Played, players: str) -> None:
    for player in players.split():
        game.do(f"{player}: pass")


def sell_privates(game: Played, winners: str) -> Played:
    """Each private to the player named for it, at its least bid; all others pass or drop."""
    for winner in winners.split():
        while game.asked[0].split()[0] != winner:
            passes(game, game.asked[0].split()[0])
        game.do(f"{winner}: open")
        while game.asked[0].endswith("auction.bid"):
            game.do(f"{game.asked[0].split()[0]}: drop")
    return game


# ---- privates -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2.2", "2.9")
@pytest.mark.parametrize(
    ("order", "check"),
    [
        ("open BSS 30", "open.order"),
        ("open N 100", "open.order"),
        ("open TSR 15", "open.too_low"),
        ("open TSR 22", "bid.step"),
        ("open TSR 320", "bid.money"),
        ("buy MK", "open.privates_first"),
        ("sell 1 MK", "open.privates_first"),
        ("start MK at 100 in F18", "open.privates_first"),
    ],
)
def test_only_the_first_private_can_be_opened(order: str, check: str) -> None:
    assert check in fresh(FOUR).refusals(f"Ann: {order}")


@pytest.mark.rule("2.3")
def test_a_pass_before_the_opening_does_not_exclude_from_the_bidding() -> None:
    game = fresh(FOUR)
    game.do("Ann: pass\nBob: open TSR 25")
    assert game.asked == ["Cat auction.bid"]
    game.do("Cat: drop\nDan: drop\nAnn: bid 30")
    assert game.asked == ["Bob auction.bid"]


@pytest.mark.rule("2.4")
@pytest.mark.parametrize(
    ("bid", "check"),
    [("bid 20", "bid.too_low"), ("bid 27", "bid.step"), ("bid 320", "bid.money"), ("bid 30 on BSS", "bid.item")],
)
def test_a_bid_is_higher_by_fives_and_within_cash(bid: str, check: str) -> None:
    game = fresh(FOUR)
    game.do("Ann: open TSR 20")
    assert game.refusals(f"Bob: {bid}") == {check}
    assert game.refusals("Bob: bid 25") == game.refusals("Bob: bid 315") == set()


@pytest.mark.rule("2.4")
def test_who_dropped_is_not_asked_again() -> None:
    game = fresh(FOUR)
    game.do("Ann: open TSR 20\nBob: drop\nCat: bid 25\nDan: bid 30\nAnn: drop")
    assert game.asked == ["Cat auction.bid"]
    assert game.refusals("Bob: bid 40") == {"order.not_asked"}
    game.do("Cat: drop")
    assert game.state.privates["TSR"] == "Dan"  # type: ignore[index]


@pytest.mark.rule("2.4")
def test_who_cannot_pay_the_next_bid_is_dropped_unasked() -> None:
    game = fresh(FOUR)
    game.do("Ann: open TSR 315")
    assert [e.player for e in game.told(Dropped) if e.forced] == ["Bob", "Cat", "Dan"]
    assert game.money("Ann") == 0
    assert game.asked == ["Bob auction.open"]


@pytest.mark.rule("2.5", "2.6")
def test_the_winner_pays_the_bank_and_the_turn_is_on_his_left() -> None:
    game = fresh(FOUR)
    game.do("Ann: open TSR 20\nBob: drop\nCat: bid 35\nDan: drop\nAnn: drop")
    assert (game.money("Cat"), game.money("Bank")) == (280, 15_000 - 4 * 315 + 35)
    assert game.asked == ["Dan auction.open"]


@pytest.mark.rule("2.7", "2.6")
@pytest.mark.parametrize("edition", ["v2.0", "first"])
def test_a_reduced_private_is_still_auctioned(edition: str) -> None:
    game = fresh(FOUR, edition=edition)
    passes(game, FOUR)
    assert [(e.item, e.amount) for e in game.told(MinimumReduced)] == [("TSR", 15)]
    assert game.asked == ["Ann auction.open"]
    game.do("Ann: pass\nBob: open TSR 15\nCat: bid 20\nDan: drop\nAnn: drop\nBob: drop")
    assert game.state.privates["TSR"] == "Cat"  # type: ignore[index]
    assert game.money("Cat") == 295
    assert game.asked == ["Dan auction.open"]


@pytest.mark.rule("2.7")
@pytest.mark.parametrize("edition", ["v2.0", "first"])
def test_a_reduced_private_may_be_opened_above_its_minimum(edition: str) -> None:
    game = fresh(FOUR, edition=edition)
    passes(game, FOUR)
    assert game.refusals("Ann: open TSR 10") == {"open.too_low"}
    assert game.refusals("Ann: open TSR 40") == set()


@pytest.mark.rule("2.7")
@pytest.mark.parametrize(("edition", "options"), [("2020", {}), ("v2.0", {"reduced_private": "dutch"})])
def test_a_reduced_private_goes_to_the_first_who_takes_it(edition: str, options: dict[str, str]) -> None:
    game = fresh(FOUR, edition=edition, **options)
    passes(game, FOUR)
    game.do("Ann: pass")
    assert game.refusals("Bob: open TSR 20") == {"open.asked_price"}
    game.do("Bob: open TSR")
    assert game.state.privates["TSR"] == "Bob"  # type: ignore[index]
    assert game.money("Bob") == 300
    assert game.asked == ["Cat auction.open"]
    assert game.refusals("Cat: open BSS 45") == set(), "the next one is auctioned as always"


@pytest.mark.rule("2.7")
def test_by_a_ruling_who_takes_it_may_pay_more_than_is_asked() -> None:
    game = fresh(FOUR, edition="2020", dutch_price="more")
    passes(game, FOUR)
    assert game.refusals("Ann: open TSR 10") == {"open.too_low"}
    assert game.refusals("Ann: open TSR 17") == {"bid.step"}
    game.do("Ann: open TSR 40")
    assert (game.state.privates["TSR"], game.money("Ann")) == ("Ann", 275)  # type: ignore[index]
    assert game.asked == ["Bob auction.open"], "nobody may raise"


@pytest.mark.rule("2.7")
def test_the_reduced_round_begins_with_who_led_the_passes() -> None:
    game = sell_privates(fresh(FOUR), "Bob")
    passes(game, "Cat Dan Ann Bob")
    assert game.asked == ["Cat auction.open"]
    assert "Cat: open BSS" not in game.menu()
    assert game.refusals("Cat: open BSS 25") == set()


@pytest.mark.rule("2.8", "3.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_four_full_rounds_of_passes_give_the_first_private_away(edition: str) -> None:
    game = fresh(FOUR, edition=edition)
    for _ in range(4):
        assert game.state.privates["TSR"] is None  # type: ignore[index]
        passes(game, FOUR)
    assert game.state.privates["TSR"] == "Ann"  # type: ignore[index]
    assert game.money("Ann") == 315
    assert game.asked == ["Bob auction.open"]
    assert game.refusals("Bob: open BSS 25") == {"open.too_low"}
    assert game.refusals("Bob: open BSS 30") == set()


# ---- N --------------------------------------------------------------------------------------------------------------


def pass_out(edition: str) -> Played:
    """Ann owns TSR and WVR, Bob BSS, Cat MYR, Dan MRR; nobody opens N."""
    game = sell_privates(fresh(FOUR, edition=edition), "Ann Bob Cat Dan Ann")
    assert game.asked == ["Bob stock.turn"]
    passes(game, "Bob Cat Dan Ann")
    return game


@pytest.mark.rule("2.10", "2.11", "3.3", "6.11", "14.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_when_nobody_opens_n_two_operating_rounds_follow_and_n_is_offered_again(edition: str) -> None:
    game = pass_out(edition)
    assert [e.player for e in game.told(PriorityMoved)][-1] == "Bob"
    assert str(game.state.round) == "SR 2", "nobody has anything to decide in the operating rounds"
    income = {"Ann": 40, "Bob": 15, "Cat": 20, "Dan": 25}
    paid = {"Ann": 80, "Bob": 30, "Cat": 40, "Dan": 50}
    for player, income_a_round in income.items():
        assert game.money(player) == 315 - paid[player] + 2 * income_a_round
    assert game.asked == ["Bob stock.turn"]
    assert game.refusals("Bob: open K-R 100") == {"open.first_minor"}
    assert game.menu() == ["open N 100", "pass"]


@pytest.mark.rule("2.10")
def test_by_a_ruling_any_minor_may_be_the_first() -> None:
    game = sell_privates(fresh(FOUR, edition="2020", first_minor="any"), "Ann Bob Cat Dan Ann")
    assert game.refusals("Bob: open M-K 100") == set()
    assert game.refusals("Bob: open N 100") == set()


@pytest.mark.rule("2.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_before_n_nothing_else_and_after_n_everything(edition: str) -> None:
    game = sell_privates(fresh(FOUR, edition=edition), "Ann Bob Cat Dan Ann")
    assert game.refusals("Bob: open M-K 100") == {"open.first_minor"}
    game.do("Bob: open 100")
    while game.asked[0].endswith("auction.bid"):
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert game.director("N") == "Bob"
    assert game.refusals("Cat: open M-K 100") == set()


@pytest.mark.rule("2.10")
def test_the_rule_of_n_is_over_even_when_n_has_gone() -> None:
    game = stock(company("K-R", "Ann", at="r6c4"), cash={"Bob": 300})
    assert game.refusals("Bob: open M-K 100") == set()


# ---- minors ---------------------------------------------------------------------------------------------------------

BID_AND_SPACE = [
    (100, "50 r8c2"), (105, "50 r8c2"), (110, "55 r8c3"), (115, "55 r8c3"), (120, "60 r7c3"), (125, "60 r7c3"),
    (130, "65 r7c4"), (135, "65 r7c4"), (140, "70 r6c4"), (155, "70 r6c4"), (160, "80 r6c5"), (175, "80 r6c5"),
    (180, "90 r5c5"), (195, "90 r5c5"), (200, "100 r5c6"), (215, "100 r5c6"), (220, "110 r4c6"), (235, "110 r4c6"),
    (240, "120 r4c7"), (265, "120 r4c7"), (270, "135 r3c7"), (330, "135 r3c7"),
]  # fmt: skip


@pytest.mark.rule("4.5", "4.6", "4.7", "4.8")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("bid", "space"), BID_AND_SPACE)
def test_what_a_bid_buys(edition: str, bid: int, space: str) -> None:
    game = stock(edition=edition, cash={"Bob": 400})
    assert game.markers("K-R") == []
    game.do(f"Bob: open K-R {bid}")
    assert game.money("K-R") == bid
    assert game.money("Bob") == 400 - bid
    assert game.price("K-R") == space
    assert game.markers("K-R") == ["G15"]
    assert game.director("K-R") == "Bob"


@pytest.mark.rule("4.4")
@pytest.mark.parametrize(
    ("order", "check"), [("open K-R 95", "open.too_low"), ("open K-R 103", "bid.step"), ("open K-R 305", "bid.money")]
)
def test_the_first_bid_for_a_minor(order: str, check: str) -> None:
    assert stock(cash={"Bob": 300}).refusals(f"Bob: {order}") == {check}


@pytest.mark.rule("4.8")
def test_the_marker_is_placed_when_the_auction_is_over() -> None:
    game = stock(cash={"Bob": 300, "Cat": 300})
    game.do("Bob: open M-K 100")
    assert game.markers("M-K") == []
    game.do("Cat: drop")
    assert game.markers("M-K") == ["H8"]


@pytest.mark.rule("4.8", "7.12")
def test_the_marker_goes_to_its_own_space_of_a_city_that_was_upgraded() -> None:
    game = stock(tiles={"H8": "637#0"}, cash={"Bob": 300})
    game.do("Bob: open M-NN 100")
    ((hex, city),) = game.state.board.places_of("M-NN")  # type: ignore[arg-type]
    assert game.state.board.home_city(hex, 2) == city


@pytest.mark.rule("4.1", "4.2")
@pytest.mark.parametrize("minor", ["D", "E", "M-B", "S-V", "T-R", "V"])
def test_six_minors_come_with_phase_3(minor: str) -> None:
    assert stock(cash={"Bob": 300}, phase="2").refusals(f"Bob: open {minor} 100") == {"open.too_early"}
    assert stock(cash={"Bob": 300}, phase="3").refusals(f"Bob: open {minor} 100") == set()


@pytest.mark.rule("4.2")
@pytest.mark.parametrize(("edition", "name"), [("v2.0", "D"), ("first", "D"), ("2020", "Y")])
def test_the_minor_of_yuzovka_is_understood_by_both_names(edition: str, name: str) -> None:
    for said in ("D", "Y"):
        game = stock(edition=edition, cash={"Bob": 300})
        game.do(f"Bob: open {said} 100")
        assert game.markers(name) == ["H18"]


@pytest.mark.rule("4.3", "5.4")
@pytest.mark.parametrize(("phase", "refused"), [("3", set()), ("4", set()), ("5", {"open.too_late"})])
def test_minors_are_offered_until_phase_4(phase: str, refused: set[str]) -> None:
    assert stock(cash={"Bob": 300}, phase=phase).refusals("Bob: open K-R 100") == refused


@pytest.mark.rule("4.10")
def test_a_minor_in_play_is_not_offered_again() -> None:
    assert stock(company("K-R", "Ann", at="r6c4"), cash={"Bob": 300}).refusals("Bob: open K-R 100") == {"open.taken"}


@pytest.mark.rule("4.1")
@pytest.mark.parametrize("name", ["MK", "RSR"])
def test_only_minors_are_auctioned(name: str) -> None:
    assert stock(cash={"Bob": 300}).refusals(f"Bob: open {name} 100") == {"open.not_a_minor"}


@pytest.mark.rule("4.9", "16.5", "3.3")
@pytest.mark.parametrize(("ruling", "following"), [("winner", "Ann"), ("proposer", "Cat")])
def test_who_is_next_after_an_auction(ruling: str, following: str) -> None:
    game = stock(options={"next_after_auction": ruling}, cash={"Ann": 300, "Bob": 300, "Cat": 300}, priority="Bob")
    game.do("Bob: open K-R 100\nCat: bid 105\nAnn: drop\nBob: drop")
    assert game.director("K-R") == "Cat"
    assert game.asked == [f"{following} stock.turn"]
    for _ in range(3):
        game.do(f"{game.asked[0].split()[0]}: pass")
    assert game.state.priority == "Ann", "the winner is the one who bought"


@pytest.mark.rule("16.5")
@pytest.mark.parametrize(("ruling", "following"), [("winner", "Dan"), ("proposer", "Bob")])
def test_the_proposer_of_a_private_is_who_opened_it(ruling: str, following: str) -> None:
    game = fresh(FOUR, next_after_auction=ruling)
    game.do("Ann: open TSR 20\nBob: drop\nCat: bid 25\nDan: drop\nAnn: drop")
    assert game.asked == [f"{following} auction.open"]


@pytest.mark.rule("3.14")
def test_nobody_bids_at_the_certificate_limit() -> None:
    many = [company(m, "Cat", at="r8c2") for m in ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-V", "M-NN")]
    twelve = [company("MK", {"Bob": 2, "Cat": 4}, at="r3c8", markers="")]
    cash = {"Bob": 500, "Cat": 500, "Dan": 500}
    game = stock(*many, *twelve, players="Ann Bob Cat Dan Eve", cash=cash, phase="4")
    assert counted(game.title, game.state, PlayerId("Cat")) == 13
    game.do("Bob: open K-R 100")
    assert [e.player for e in game.told(Dropped)] == ["Cat"]
    assert game.asked == ["Dan auction.bid"]
