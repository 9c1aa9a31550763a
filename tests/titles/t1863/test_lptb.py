"""The LPTB: seizures and purchases after an operating round, and its markers."""

from __future__ import annotations

import pytest

from engine.core.events import MarkerRemoved, Nationalised, Paid, Resigned
from engine.core.ids import CompanyId, HexId
from engine.titles.t1863.failures.lptb import begin_lptb, markers_left, replace_markers
from engine.titles.t1863.failures.takeover import half_value
from engine.titles.t1863.money.value import value_of
from engine.titles.t1863.names import ENDING, LPTB, OWED
from engine.titles.t1863.remarks import remarks
from tests.kit.games.situations_1863 import London, Tube, situation, tube


def acting(*companies: Tube, **more: object) -> London:
    """The LPTB has begun to act after an operating round of phase V."""
    game = situation(*companies, **({"phase": "V", "round": "SR 4"} | more))  # type: ignore[arg-type]
    play = game.play()
    begin_lptb(play)
    game.take(play)
    return game.frames(*play.state.agenda)


def taken(game: London, name: str) -> bool:
    return game.status(name) == "closed" and CompanyId(name) not in game.state.prices


WELL = tube("UER", "Cat", 100, markers="", trains="5T")
"""A company that nothing happens to; its controller is asked last."""
OFFER = "Cat UER lptb.offer"


# ---- seizure ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:10.1", "1863:5.32")
def test_companies_without_a_train_and_those_in_acquisition_are_seized() -> None:
    game = acting(
        tube("MET", "Ann", 100), tube("DIS", "Bob", 30, trains="5T"), tube("CLR", "Bob", 0), tube("HAM", "Pool", 0),
        WELL,
    )  # fmt: skip
    assert [name for name in ("MET", "DIS", "CLR", "HAM", "UER") if taken(game, name)] == ["MET", "DIS", "HAM"]
    assert [e.name for e in game.told(Nationalised)] == ["HAM", "DIS", "MET"] and game.asked == [OFFER]


@pytest.mark.rule("1863:10.1", "1863:12.39")
@pytest.mark.parametrize("holders", [{"Bob": 2, "MET": 1}, {"MET": 2, "Bob": 2}, {"MET": 2}])
def test_r39_companies_below_one_without_a_president_come_to_another_or_go_with_it(holders: dict[str, int]) -> None:
    game = acting(tube("MET", "Pool", 0), tube("DIS", holders, 100, trains="5T"), WELL)
    assert taken(game, "MET") and taken(game, "DIS") == ("Bob" not in holders)
    if "Bob" in holders:
        assert game.president("DIS") == "Bob" and game.asked == ["Bob DIS lptb.offer", OFFER]


@pytest.mark.rule("1863:10.1")
def test_a_company_that_its_sales_bring_into_acquisition_is_left_alone() -> None:
    game = acting(tube("MET", "Ann", 100), tube("DIS", {"Bob": 3, "MET": 2}, 45, trains="5T"), WELL)
    assert taken(game, "MET") and game.share_price("DIS") == 30 and game.asked == [OFFER]


@pytest.mark.rule("1863:10.2", "1863:12.52")
@pytest.mark.parametrize(
    ("holders", "minor", "paid", "rest"),
    [({"Ann": 6}, False, 78, 22), ({"Ann": 6, "Bob": 4}, False, 60, 0), ({"Ann": 2}, True, 100, 0)],
)
def test_t8_half_the_value_a_share_as_far_as_the_cash_reaches(
    holders: dict[str, int], minor: bool, paid: int, rest: int
) -> None:
    owner = "Ann" if minor else holders
    game = acting(tube("MET", owner, 30, minor=minor, cash=100, trains="2T", last_run=60), WELL)
    assert game.money("Ann") == paid and game.money("MET") == 0
    assert sum(e.amount for e in game.told(Paid) if e.reason == "seized") == rest


@pytest.mark.rule("1863:10.2")
@pytest.mark.parametrize(("minor", "share"), [(False, 13), (True, 65)])
def test_t8_what_a_share_is_worth_to_the_lptb(minor: bool, share: int) -> None:
    game = situation(tube("MET", "Ann", 30, minor=minor, cash=100, trains="2T", last_run=60))
    value = value_of(game.title, game.state, CompanyId("MET"))
    assert value == 260 and half_value(game.title, game.state, CompanyId("MET"), value) == share


@pytest.mark.rule("1863:10.2")
def test_its_value_is_taken_before_its_loans_are_paid() -> None:
    # value 520 - 200 = 320: 16 a share; 320 are left after the loans
    game = acting(tube("MET", "Ann", 100, cash=520, loans=2), WELL)
    assert game.money("Ann") == 32 and game.loans("MET") == 0


@pytest.mark.rule("1863:10.2", "1863:10.6")
def test_the_president_pays_what_lacks_and_nothing_is_left_for_shares() -> None:
    game = acting(
        tube("MET", {"Ann": 2, "Bob": 2}, 100, cash=20, loans=2, last_run=900), WELL,
        marks={OWED: {CompanyId("MET"): 30}}, cash={"Ann": 300},
    )  # fmt: skip
    assert game.money("Ann") == 300 - 210 and game.money("Bob") == 0 and OWED not in game.state.marks


@pytest.mark.rule("1863:10.2", "1863:7.3")
def test_a_president_who_cannot_is_bankrupt() -> None:
    game = acting(tube("MET", "Ann", 100, cash=20, loans=2), WELL, cash={"Ann": 70})
    assert [e.player for e in game.told(Resigned)] == ["Ann"] and taken(game, "MET") and game.asked == [OFFER]


@pytest.mark.rule("1863:10.2", "1863:4.7", "1863:10.7")
def test_at_a_seizure_shorts_are_void() -> None:
    game = acting(tube("MET", "Ann", 100, cash=500, shorts={"Bob": 1}, pool=1), WELL, cash={"Bob": 9})
    assert game.money("Bob") == 9 and game.shorts("MET") == {"Treasury": 10}


@pytest.mark.rule("1863:10.2")
def test_its_privates_and_trains_leave_the_game() -> None:
    game = acting(tube("MET", "Ann", 30, trains="5T 4T"), WELL, privates={"RMR": "MET"})
    assert game.state.privates == {} and game.fleet("MET") == []


@pytest.mark.rule("1863:10.3", "1863:12.39")
def test_a_company_that_lost_its_president_in_the_meantime_is_not_bought() -> None:
    """Ann offers both, and is bankrupt by the debts of the first. Nobody has two shares of the second, which is seized
    for half its value: 2,100, of which 900 are cash."""
    game = acting(
        tube("MET", {"Ann": 2}, 50, trains="5T", loans=10),
        tube("DIS", {"Ann": 2, "Bob": 1}, 60, trains="5T", cash=900), WELL,
    )  # fmt: skip
    for company in ("MET", "DIS"):
        game.do(f"{company}: nationalise yes")
    game.do("UER: nationalise no")
    assert [e.player for e in game.told(Resigned)] == ["Ann"]
    assert [(e.name, e.price) for e in game.told(Nationalised)] == [("MET", 0), ("DIS", 105)]


@pytest.mark.rule("1863:10.2", "1863:12.65", "1863:10.6")
def test_its_shares_are_sold_and_a_company_nobody_takes_over_goes_the_same_way() -> None:
    game = acting(
        tube("MET", "Ann", 30, trains="5T"),
        tube("DIS", {"Bob": 3, "MET": 2}, 100, trains="5T"),
        tube("CLR", "MET", 80, minor=True, trains="5T", cash=300, last_run=100),
        WELL,
    )
    assert taken(game, "MET") and taken(game, "CLR") and game.share_price("DIS") == 80
    # CLR: value 1600, 400 a share, 150 by its cash: 300 to MET, which has 500 with its sale
    assert [(e.name, e.price) for e in game.told(Nationalised)] == [("CLR", 150), ("MET", 85)]
    assert game.money("Ann") == 170


@pytest.mark.rule("1863:12.65", "1863:10.2")
def test_debts_of_such_a_company_fall_to_its_parent_as_it_is_taken() -> None:
    game = acting(
        tube("MET", "Ann", 30, trains="5T", cash=50), tube("CLR", "MET", 80, minor=True, trains="5T", loans=2), WELL,
        cash={"Ann": 500},
    )  # fmt: skip
    assert taken(game, "MET") and taken(game, "CLR") and game.money("Ann") == 500 - 150


@pytest.mark.rule("1863:12.46")
def test_r46_a_company_that_was_taken_is_out_of_the_game() -> None:
    game = acting(tube("MET", "Ann", 100), WELL)
    assert game.status("MET") == "closed"


# ---- purchase --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:8.4", "1863:10.3", "1863:12.44", "1863:10.5", "1863:10.9")
def test_r44_all_controllers_are_asked_at_once_but_not_for_companies_in_acquisition() -> None:
    game = acting(
        tube("MET", "Ann", 100, trains="5T"),
        tube("DIS", "MET", 80, trains="5T"),
        tube("CLR", "Bob", 0, trains="5T"),
        WELL,
    )
    assert game.asked == ["Ann DIS lptb.offer", OFFER, "Ann MET lptb.offer"]
    assert game.accepted("MET") == ["nationalise yes", "nationalise no"]
    assert game.refusals("MET: done") == {"order.wrong_kind"}


@pytest.mark.rule("1863:10.3", "1863:12.52", "1863:10.8")
@pytest.mark.parametrize(("cash", "price"), [(900, 100), (420, 80)])
def test_each_share_is_paid_the_price_or_what_the_cash_has(cash: int, price: int) -> None:
    game = acting(tube("MET", {"Ann": 3, "Bob": 1}, 100, cash=cash, loans=1, trains="5T", pool=0), WELL)
    game.do("MET: nationalise yes")
    assert not taken(game, "MET")
    game.do("UER: nationalise no")
    assert taken(game, "MET") and game.money("Ann") == 3 * price and game.money("Bob") == price


@pytest.mark.rule("1863:10.3", "1863:10.10")
def test_the_cheapest_is_bought_first_and_sells_its_shares_before() -> None:
    game = acting(
        tube("MET", "Ann", 100, cash=900, trains="5T"),
        tube("DIS", {"Bob": 3, "MET": 2}, 110, cash=900, trains="5T"),
        WELL,
    )
    for name in ("DIS", "MET"):
        game.do(f"{name}: nationalise yes")
    game.do("UER: nationalise no")
    assert [(e.name, e.price) for e in game.told(Nationalised)] == [("MET", 100), ("DIS", 90)]


@pytest.mark.rule("1863:12.22", "1863:10.3")
@pytest.mark.parametrize(("ruling", "left"), [("paid", 200), ("void", 300)])
def test_r22_shorts_pay_as_shares_are_paid(ruling: str, left: int) -> None:
    game = acting(
        tube("MET", "Ann", 100, cash=900, trains="5T", shorts={"Bob": 1}, pool=1), WELL,
        options={"purchase_shorts": ruling}, cash={"Bob": 300},
    )  # fmt: skip
    game.do("MET: nationalise yes")
    game.do("UER: nationalise no")
    assert game.money("Bob") == left and taken(game, "MET")


@pytest.mark.rule("1863:12.22", "1863:7.3")
def test_r22_who_cannot_pay_for_shorts_sells_shares() -> None:
    game = acting(
        tube("MET", "Ann", 100, cash=900, trains="5T", shorts={"Bob": 2}, pool=2),
        tube("DIS", {"Ann": 3, "Bob": 2}, 100, trains="5T"),
        WELL,
    )
    for name in ("DIS: nationalise no", "MET: nationalise yes", "UER: nationalise no"):
        game.do(name)
    assert game.asked == ["Bob debt.sell"] and taken(game, "MET")


# ---- markers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1863:12.53", "1863:10.4")
def test_r53_eight_markers_and_when_none_is_left_the_space_is_emptied() -> None:
    places = ["C10", "F9", "I6", "K2", "Q20", "Q10", "H11"]
    game = situation(
        tube("MET", "Ann", 100, markers=" ".join(places)), tube("CLR", "Bob", 100, markers="I10 C10"), WELL, phase="V"
    )
    play = game.play()
    assert markers_left(game.title, play.state) == 8
    replace_markers(play, CompanyId("MET"))
    assert markers_left(game.title, play.state) == 1 and ENDING not in play.state.marks
    replace_markers(play, CompanyId("CLR"))
    game.take(play)
    assert markers_left(game.title, game.state) == 0 and game.markers("CLR") == []
    assert [e.hex for e in game.told(MarkerRemoved)] == ["I10"]


@pytest.mark.rule("1863:10.4", "1863:11.1", "1863:11.6")
def test_the_last_marker_signals_the_end() -> None:
    game = situation(tube("MET", "Ann", 100, markers="C10 F9 I6 K2 Q20 Q10 H11 I10"))
    play = game.play()
    replace_markers(play, CompanyId("MET"))
    assert play.state.marks[ENDING] == "lptb"


@pytest.mark.rule("1863:10.4")
def test_it_may_have_both_spaces_of_a_city() -> None:
    game = situation(tube("MET", "Ann", 100, markers="H11"), tube("CLR", "Bob", 100, markers="H11"), phase="V")
    play = game.play()
    replace_markers(play, CompanyId("MET"))
    replace_markers(play, CompanyId("CLR"))
    assert play.state.board.at(HexId("H11"), 0) == (LPTB, LPTB)
    assert markers_left(game.title, play.state) == 6
    assert remarks(game.title, play.state, "")["left"] == 6


@pytest.mark.parametrize(("cash", "loans", "pays"), [(30, 2, 170), (300, 1, 0), (2000, 0, 0)])
def test_the_sums_of_an_offer_are_those_of_the_sale(cash: int, loans: int, pays: int) -> None:
    met = tube("MET", {"Ann": 3, "Bob": 2}, 100, trains="5T", loans=loans, cash=cash)
    game = acting(met, WELL, cash={"Ann": 500})
    offer, before = remarks(game.title, game.state, "MET")["offer"], game.money("Ann")
    game.do("MET: nationalise yes")
    game.do("UER: nationalise no")
    paid = dict(offer["paid"])
    assert offer["pays"] == pays and [e.price for e in game.told(Nationalised)] == [offer["each"]]
    assert game.money("Ann") == before - pays + paid.get("Ann", 0) and paid.get("Bob", 0) == 2 * offer["each"]
