"""The ends of standing orders: numbers that are reached, acts of others, things that are no longer there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core import orders as o
from engine.core.events import Event, MarkerPlaced, MarkerRemoved, MarkerReplaced
from engine.core.ids import CompanyId, HexId, PlayerId, PrivateId
from engine.core.programs import Condition
from moderator.domain.ahead.standing.conditions import come_true
from moderator.domain.fork import Move
from tests.kit.games import situations_1841 as italian
from tests.kit.games import situations_1844 as swiss
from tests.kit.games import situations_1863 as london
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.standing_positions import held, on_sale, on_turn, refused, sold, stock, table


def checks(one: AheadTable) -> list[str]:
    """The checks that say why orders have ended."""
    return [check for checks in one.reasons() for check in checks]


# ---- numbers of shares ----------------------------------------------------------------------------------------------


def federal(mine: int) -> AheadTable:
    """A stock round in which Ann, on turn, has so many single shares of the SBB; the IPO has doubles and singles."""
    sbb = swiss.swiss("SBB", {"Bob": (1, 2), "Ann": (0, mine)}, pool=(1, 2), cash=500)
    position = swiss.situation(sbb, phase="5", cash={"Ann": 3000, "Bob": 100, "Cat": 100})
    return AheadTable.of(position.stock("Ann"))


@pytest.mark.parametrize("mine", [1, 2])
def test_a_double_certificate_is_not_bought_beyond_the_number(mine: int) -> None:
    one = federal(mine)
    one.say("Bob", "pass until the round ends")
    one.say("Cat", "pass until the round ends")
    one.say("Ann", "buy SBB double up to 3")
    assert held(one, "Ann", "SBB") == (3 if mine == 1 else 2)
    assert checks(one)[0] == ("standing.reached" if mine == 1 else "standing.beyond")


def test_a_purchase_that_reaches_the_number_ends_the_order_at_once() -> None:
    one = federal(1)
    one.say("Ann", "buy SBB double up to 3")
    assert one.log() == ["Ann standing: buy SBB double"]
    assert one.standing() == [] and checks(one) == ["standing.reached"]


def test_a_sale_that_reaches_the_number_ends_the_order_at_once() -> None:
    one = stock()
    first, *_ = on_turn(one)
    name, price = sold(one, first)
    one.say(first, f"sell down {name} to {held(one, first, name) - 1} if under {price + 1}")
    assert one.log() == [f"{first} standing: sell 1 {name}"]
    assert one.standing() == [] and checks(one) == ["standing.sold_down"]


def test_shares_that_are_sold_by_hand_end_the_order_too() -> None:
    one = stock()
    first, *_ = on_turn(one)
    name, _ = sold(one, first)
    one.say(first, f"sell down {name} to {held(one, first, name) - 1} if under 1")
    assert len(one.standing()) == 1
    one.say(first, f"sell 1 {name}")
    assert one.standing() == [] and checks(one) == ["standing.sold_down"]


# ---- conditions -----------------------------------------------------------------------------------------------------


def building(until: str, orderer: str, head: str | None = None) -> AheadTable:
    """BAK and MET have turns, MET first; Ann directs both. ``orderer`` keeps a standing order until ``until``."""
    met = london.tube("MET", {"Ann": 5}, 100, cash=500, markers="C10")
    bak = london.tube("BAK", {"Ann": 5}, 90, cash=500, markers="F9")
    position = london.situation(met, bak, cash={"Bob": 80}, phase="II", round="OR 2.1").turn("MET", waiting="BAK")
    one = AheadTable.of(position)
    block = one.say(orderer, until, head)
    assert block.stands, block.lines
    return one


def lay_something(one: AheadTable) -> None:
    ask = one.game.asked()[0]
    lay = next(c.sample() for c in one.game.legal(ask.actor) if isinstance(c.order, o.Lay))
    one.submit(lay, ask.player)


@pytest.mark.parametrize(
    ("player", "text", "stands"),
    [
        ("Ann", "pass in all rounds until the track changes", True),
        ("Ann", "BAK: each turn run best, pay full, done until the track changes", True),
        ("Bob", "pass in all rounds until the track changes", False),
    ],
)
def test_the_track_changes_by_another_s_lay_and_not_by_one_s_own(player: str, text: str, stands: bool) -> None:
    one = building(text, player)
    lay_something(one)
    assert bool(one.standing()) is stands, checks(one)


def test_a_lay_of_another_s_company_ends_what_waits_for_the_track() -> None:
    met = london.tube("MET", {"Bob": 5}, 100, cash=500, markers="C10")
    bak = london.tube("BAK", {"Ann": 5}, 90, cash=500, markers="F9")
    position = london.situation(met, bak, phase="II", round="OR 2.1").turn("MET", waiting="BAK")
    one = AheadTable.of(position)
    one.say("Ann", "BAK: each turn run best, pay full, done until the track changes")
    lay_something(one)
    assert checks(one) == ["standing.until"]


MET, F9 = CompanyId("MET"), HexId("F9")


@pytest.mark.parametrize(
    "event", [MarkerPlaced(MET, F9, 0), MarkerRemoved(MET, F9, 0), MarkerReplaced(MET, MET, F9, 0)]
)
@pytest.mark.parametrize("actor", ["Ann", "Bob"])
def test_a_marker_of_another_that_goes_changes_the_track(event: Event, actor: str) -> None:
    """A merger or a failure takes markers away, and what they blocked is free. MET is Ann's."""
    game = building("pass in all rounds until the track changes", "Bob").game
    move = Move(o.Done(MET), actor, "mail", "OR", (event,))
    found = come_true(game, (Condition("track"),), "Ann", [move])
    assert (found is None) is (actor == "Ann")


def holding() -> AheadTable:
    """SFTN, which Ann directs, is in its turn and may sell its share of SFTG."""
    position = italian.situation(
        italian.firm("SFTG", {"Bob": 5, "SFTN": 2}, at="I2", cash=900, trains="4"),
        italian.firm("SFTN", {"Ann": 3, "Cat": 1}, at="C3", cash=300, trains="4"),
        cash={"Ann": 400, "Bob": 400, "Cat": 400},
    )
    return AheadTable.of(position.turn("SFTN", "sell", waiting="SFTG"))


@pytest.mark.parametrize(
    ("player", "condition", "stands"),
    [
        ("Ann", "SFTG is sold", True),
        ("Bob", "SFTG is sold", False),
        ("Bob", "Ann sells", False),
        ("Bob", "anybody sells", False),
        ("Ann", "anybody sells", True),
        ("Bob", "Cat sells", True),
    ],
)
def test_who_sells_for_his_company_sells(player: str, condition: str, stands: bool) -> None:
    one = holding()
    one.say(player, f"pass in all rounds until {condition}")
    one.say("Ann", "SFTN: sell 1 SFTG")
    assert one.moves and bool(one.standing()) is stands, checks(one)


def test_a_refusal_is_no_act_and_consent_is_one() -> None:
    """1841, 3.11: a player buys from another, who must agree."""
    for answer, stands in (("refuse", True), ("agree", False)):
        position = italian.situation(
            italian.firm("SFTG", {"Ann": 3, "Bob": 2}, at="D5", cash=100, trains="4"),
            cash={"Ann": 900, "Bob": 400, "Cat": 400}, round="SR 2",
        ).stock("Ann")  # fmt: skip
        one = AheadTable.of(position)
        one.say("Cat", "pass until Bob acts")
        one.say("Ann", "buy 1 SFTG from Bob for 80")
        assert [ask.player for ask in one.game.asked()] == ["Bob"]
        one.say("Bob", answer)
        assert any("pass until" in text for text in one.standing()) is stands, (answer, checks(one))


@pytest.mark.parametrize(
    ("order", "is_act"),
    [
        (o.Take(PlayerId("Bob"), 0), False),
        (o.Take(PlayerId("Bob"), 1), True),
        (o.Decline(CompanyId("SFTG")), False),
        (o.SealedBids(PlayerId("Bob"), ()), False),
        (o.SealedBids(PlayerId("Bob"), ((PrivateId("Bayard"), 25),)), True),
    ],
)
def test_to_decline_or_to_take_nothing_is_no_act(order: o.Order, is_act: bool) -> None:
    game = holding().game
    moves = [Move(order, "Bob", "mail", "SR", ())]
    assert (come_true(game, (Condition("acts"),), "Ann", moves) is not None) is is_act


def test_a_bid_in_an_auction_before_the_first_stock_round_is_an_act() -> None:
    one = table("1844", "auction.first", "ISR")
    ask = one.game.asked()[0]
    other = next(player for player in one.game.state.players if player != ask.player)
    one.say(other, f"pass in all rounds until {ask.player} acts")
    bid = next(c.sample() for c in one.game.legal(ask.actor) if isinstance(c.order, o.Bid))
    one.submit(bid, ask.player)
    assert checks(one) == ["standing.until"]


def test_a_company_s_ordinary_turn_is_no_act_of_its_director() -> None:
    one = building("pass in all rounds until Ann acts", "Bob")
    lay_something(one)
    assert len(one.standing()) == 1


# ---- one answer of several orders -----------------------------------------------------------------------------------


ROUTE = {"G5": "9#1", "F6": "1#0"}
"""Track on which SFTN has a route, so that it must have a train."""


def in_need(supply: int) -> AheadTable:
    """1841: SFTN, Ann's, must buy a 4-train, of which so many are left."""
    sftn = italian.firm("SFTN", {"Ann": 5, "Bob": 5}, "F4", cash=900, markers="H4/1")
    position = italian.situation(sftn, tiles=ROUTE, supply={"4": supply}, cash={"Ann": 50, "Bob": 50})
    return AheadTable.of(position.turn("SFTN", "trains"))


def test_a_routine_stops_where_its_condition_comes_true_in_its_own_turn() -> None:
    one = in_need(1)
    one.say("Ann", "SFTN: each turn run best, train if needed, done until train 5 is on sale")
    assert one.log() == ["Ann standing: train 4"] and on_sale(one.game) == "5"
    assert checks(one) == ["standing.until"]
    assert [(ask.player, ask.actor) for ask in one.game.asked()] == [("Ann", "SFTN")]


def test_a_routine_goes_on_to_the_end_of_the_turn_while_its_condition_is_not_true() -> None:
    one = in_need(2)
    one.say("Ann", "SFTN: each turn run best, train if needed, done until train 5 is on sale")
    assert one.log()[:2] == ["Ann standing: train 4", "Ann standing: done"]


def test_a_routine_does_not_answer_where_its_company_is_asked_to_help_another() -> None:
    """1841: SFTN cannot pay for its train; SFTG, which owns it, may sell. SFTG's own turn is still to come."""
    position = italian.situation(
        italian.firm("SFTG", {"Ann": 5, "Bob": 1}, at="I2", cash=100, trains="4"),
        italian.firm("SFTN", {"SFTG": 4, "Cat": 1, "Bob": 5}, at="A13"),
        cash={"Bob": 400, "Cat": 400}, tiles={"G5": "7#0", "I5": "87#2"},
    )  # fmt: skip
    one = AheadTable.of(position.turn("SFTN", "trains", waiting="SFTG"))
    assert [(ask.actor, ask.what) for ask in one.game.asked()] == [("SFTG", "company.help")]
    one.say("Ann", "SFTG: each turn run best, pay full, train if needed, done")
    assert not one.moves and len(one.standing()) == 1


# ---- consent --------------------------------------------------------------------------------------------------------


def test_terms_for_a_train_end_when_the_train_is_gone() -> None:
    one = trains()
    one.say("Ann", "BAK: refuse train 2T to anybody for under 100")
    assert len(one.standing()) == 1
    state = one.game.state
    bak = CompanyId("BAK")
    one.game.state = replace(state, companies={**state.companies, bak: replace(state.companies[bak], trains=())})
    one.say("Bob", "pass in all rounds until Cat acts")
    assert checks(one) == ["standing.no_train"]


def trains() -> AheadTable:
    met = london.tube("MET", {"Ann": 5}, 100, cash=500, markers="C10")
    bak = london.tube("BAK", {"Ann": 5}, 90, cash=500, markers="F9", trains="2T")
    return AheadTable.of(london.situation(met, bak, phase="II", round="OR 2.1").turn("MET", waiting="BAK"))


def test_terms_for_a_train_that_the_company_does_not_have_are_refused() -> None:
    assert refused(trains(), "Ann", "MET: refuse train 2T to anybody") == ["standing.no_train"]
    assert refused(trains(), "Ann", "refuse train 3T to anybody") == ["standing.no_train"]
