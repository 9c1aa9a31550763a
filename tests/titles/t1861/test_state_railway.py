"""The state railway of 1861: when it operates, its markers, its money and its trains."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.core.events import Distributed, LoansChanged, MarkerPlaced, Paid, Ran, TrainMoved, TurnBegan
from engine.core.ids import HexId
from engine.families.f1867.names import FREE_MARKER
from engine.titles.t1861.names import RAN_BEFORE
from tests.kit.games.course_1861 import operating_turn, state_turn
from tests.kit.games.situations import Described, Played, company, fresh, situation

EDITIONS = ("v2.0", "first", "2020")
BY_MODERATOR = ("v2.0", "first")


def railway(cash: int = 0, trains: str = "", loans: int = 0, markers: str = "E1/1") -> Described:
    return company("RSR", cash=cash, trains=trains, loans=loans, markers=markers)


def waiting() -> Described:
    """Somebody who will be asked afterwards: a minor that can convert."""
    return company("K-R", "Bob", at="r4c7", trains="7")


def its_turn(*described: Described, phase: str = "5", edition: str = "v2.0", **rest: object) -> Played:
    game = situation(*described, waiting(), phase=phase, edition=edition, round="OR 4.1", **rest)  # type: ignore[arg-type]
    state_turn(game)
    if game.asked[0].endswith("state_railway.run"):
        game.do("RSR: run best")
    return game


# ---- when -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.1", "5.3")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("phase", "operates"), [("2", False), ("3", False), ("4", True), ("7", True), ("8", False)])
def test_it_operates_last_in_phases_4_to_7(edition: str, phase: str, operates: bool) -> None:
    described = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5"), waiting()
    game = situation(*described, phase=phase, edition=edition, privates={"TSR": "RSR"})
    operating_turn(game, "MVR").do("MVR: done")
    assert ("RSR" in [e.company for e in game.told(TurnBegan)]) == operates


@pytest.mark.rule("12.1", "12.3", "12.8")
@pytest.mark.parametrize("edition", ["v2.0", "2020"])
def test_it_operates_in_the_round_of_the_first_4_train(edition: str) -> None:
    described = company("MVR", {"Ann": 2}, at="r5c6", markers="", cash=350), waiting()
    game = situation(*described, supply={"3": 0}, edition=edition)
    operating_turn(game, "MVR").do("MVR: train 4; done")
    assert game.markers("RSR") == ["E1"]
    assert (game.trains("RSR"), game.loans("RSR"), game.money("RSR")) == ("4", 8, 10)


@pytest.mark.rule("12.1", "15.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_does_not_operate_once_somebody_has_bought_an_8(edition: str) -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", cash=1000)
    game = situation(mvr, railway(cash=3000, trains="5"), phase="7", supply={"7": 0}, edition=edition)
    operating_turn(game, "MVR").do("MVR: train 8; done")
    assert "RSR" not in [e.company for e in game.told(TurnBegan)]
    assert game.trains("RSR") == "5"


# ---- markers --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.3", "8.8", "12.7", "12.8", "11.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_its_first_turn_in_the_recorded_game(edition: str) -> None:
    game = its_turn(railway(cash=109, markers=""), phase="4", edition=edition)
    assert [(e.hex, e.city) for e in game.told(MarkerPlaced)] == [("E1", 1)]
    assert [e.revenue for e in game.told(Ran)] == [0]
    assert [(e.change, e.reason) for e in game.told(LoansChanged)] == [(6, "taken")]
    assert (game.trains("RSR"), game.money("RSR"), game.loans("RSR")) == ("4", 29, 6)


@pytest.mark.rule("12.3")
@pytest.mark.parametrize("tiles", [{"E1": "641#0"}, {"E1": "642#0"}])
def test_in_a_joined_st_petersburg_it_stands_in_the_one_city(tiles: dict[str, str]) -> None:
    assert its_turn(railway(markers="", trains="5"), phase="6", tiles=tiles).markers("RSR") == ["E1"]


@pytest.mark.rule("12.3")
def test_with_a_marker_in_st_petersburg_none_is_placed() -> None:
    assert not its_turn(railway(markers="E1/0", trains="5")).told(MarkerPlaced)


@pytest.mark.rule("12.4", "8.8")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("phase", ["6", "8"])
def test_its_marker_comes_to_moscow_with_the_grey_tile(edition: str, phase: str) -> None:
    publics = [company(n, {"Ann": 2}, at="r5c6", markers="H8", trains="7", cash=500) for n in ("MVR", "GRR", "NW")]
    game = situation(*publics, phase=phase, tiles={"H8": "638#0"}, edition=edition)
    operating_turn(game, "MVR").do("MVR: lay 639 H8 0")
    assert game.state.board.at(HexId("H8"), 0) == ("MVR", "GRR", "NW", "RSR")


@pytest.mark.rule("12.4")
def test_no_second_marker_in_moscow() -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="H8", trains="7")
    game = situation(mvr, railway(markers="H8 E1/1"), phase="6", tiles={"H8": "638#0"})
    operating_turn(game, "MVR").do("MVR: lay 639 H8 0")
    assert game.state.board.at(HexId("H8"), 0) == ("MVR", "RSR")


@pytest.mark.rule("8.8")
@pytest.mark.parametrize(("stands", "refused"), [("", {"token.reserved"}), ("E1/0", set())])
def test_its_space_in_st_petersburg_is_kept_until_it_stands_there(stands: str, refused: set[str]) -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="H8/1", trains="7", cash=500)
    game = situation(mvr, railway(markers=stands), phase="5")
    operating_turn(game, "MVR")
    assert game.refusals("MVR: token E1/SE") == refused


# ---- money ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.6", "12.7", "12.2", "6.8", "6.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_withholds_pays_interest_and_repays(edition: str) -> None:
    """From St. Petersburg by Tver to Moscow its 4-train earns 40 + 10 + 40."""
    game = its_turn(railway(cash=29, trains="4", loans=6), phase="4", edition=edition)
    assert [(e.kind, e.revenue, e.kept) for e in game.told(Distributed)] == [("none", 90, 90)]
    assert [e.amount for e in game.told(Paid) if e.reason == "interest"] == [30]
    assert (game.money("RSR"), game.loans("RSR")) == (39, 5)


@pytest.mark.rule("12.7", "6.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_borrows_for_interest_without_limit(edition: str) -> None:
    game = its_turn(railway(cash=0, trains="4", loans=20), phase="4", edition=edition)
    assert [e.change for e in game.told(LoansChanged)] == [1], "it earns 90 and owes 100"
    assert (game.money("RSR"), game.loans("RSR")) == (35, 21)


@pytest.mark.rule("12.2")
@pytest.mark.parametrize("edition", BY_MODERATOR)
def test_the_moderator_runs_it(edition: str) -> None:
    game = situation(railway(trains="4"), waiting(), phase="4", edition=edition)
    state_turn(game)
    assert [(e.revenue, e.proven) for e in game.told(Ran)] == [(90, True)]
    assert game.asked == ["Bob K-R merger.turn"]


@pytest.mark.rule("12.2")
def test_in_the_2020_edition_the_holder_of_the_priority_deal_runs_it() -> None:
    game = situation(railway(trains="4"), waiting(), phase="4", edition="2020", priority="Cat")
    state_turn(game)
    assert game.asked == ["Cat RSR state_railway.run"]
    assert game.refusals("RSR: done") == {"order.wrong_kind"}
    game.do("RSR: run 4 E1-G5")
    assert [e.revenue for e in game.told(Distributed)] == [50], "the best would be 90"


@pytest.mark.rule("9.7", "12.9")
def test_its_privates_earn_for_its_runs() -> None:
    game = its_turn(railway(trains="4"), phase="5", privates={"MYR": "RSR", "MRR": "RSR", "WVR": "Ann"})
    assert [e.revenue for e in game.told(Distributed)] == [110]


# ---- trains ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.8", "11.2")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("cash", "trains", "pool", "supply", "after", "left", "loans"),
    [
        (0, "", "", {"5": 2}, "5", 35, 13),
        (0, "", "3", {"5": 2}, "3", 0, 5),
        (600, "", "3", {"5": 2}, "3", 375, 0),
        (800, "", "3", {"5": 2}, "3 5", 25, 0),
        (459, "5", "3 4", {"5": 2}, "5", 549, 0),
        (460, "5", "3 4", {"5": 2}, "5 5", 0, 0),
        (1109, "5", "", {"5": 2}, "5 5 5", 99, 0),
    ],
)
def test_what_it_buys(
    edition: str, cash: int, trains: str, pool: str, supply: dict[str, int], after: str, left: int, loans: int
) -> None:
    """With a train it earns 90 first."""
    described = railway(cash=cash, trains=trains), company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5")
    game = its_turn(*described, pool_trains=pool, supply=supply, edition=edition)
    bought = [e.train for e in game.told(TrainMoved)]
    assert " ".join([*trains.split(), *bought]) == after
    assert (game.money("RSR"), game.loans("RSR")) == (left, loans)


@pytest.mark.rule("12.8", "13.4", "13.3", "5.9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_its_purchase_begins_a_phase_in_the_middle_of_its_turn(edition: str) -> None:
    described = railway(cash=1310, trains="5"), company("MVR", {"Ann": 2}, at="r5c6", markers="")
    game = its_turn(*described, supply={"5": 0}, privates={"TSR": "Cat"}, edition=edition)
    assert (game.state.phase, game.money("Cat")) == ("6", 30)
    assert game.asked == ["Ann MVR nationalise"]
    game.do("MVR: nationalise yes")
    assert (game.trains("RSR"), game.money("RSR")) == ("5 6 6", 100)


@pytest.mark.rule("12.8", "12.10", "13.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_goes_on_buying_with_what_it_takes_over(edition: str) -> None:
    """It has 750, and after a 6-train 100; the company that loses its 3-train has 590."""
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="3", cash=590)
    game = its_turn(railway(cash=660, trains="5"), mvr, supply={"5": 0}, edition=edition)
    assert game.asked == ["Ann MVR nationalise"]
    game.do("MVR: nationalise yes")
    assert (game.trains("RSR"), game.money("RSR")) == ("5 6 6", 40)


@pytest.mark.rule("12.8", "12.10", "13.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_two_companies_that_are_taken_over_pay_for_its_second_train(edition: str) -> None:
    """It has 1,036 and pays 650. SW brings 500 and NW 161: with 1,047 it pays 650 again."""
    sw = company("SW", {"Ann": 2}, at="r5c6", markers="", trains="3", cash=500)
    nw = company("NW", {"Bob": 2}, at="r4c5", markers="", trains="3", cash=161)
    game = its_turn(railway(cash=946, trains="5"), sw, nw, supply={"5": 0}, edition=edition)
    assert (game.money("RSR"), game.trains("RSR")) == (386, "5 6")
    while (asked := game.asked[0].split())[-1] == "nationalise":
        game.do(f"{asked[1]}: nationalise yes")
    assert (game.trains("RSR"), game.money("RSR")) == ("5 6 6", 397)


@pytest.mark.rule("12.8", "12.10", "13.3")
@pytest.mark.parametrize(("edition", "trains", "left"), [("v2.0", "6 7 8 7", 1410), ("2020", "6 7 8 7 8", 410)])
def test_what_answers_bring_begins_the_next_phase(edition: str, trains: str, left: int) -> None:
    """A 6 leaves it 570, and MVR brings 1,740 for a 7 and the first 8. That brings a minor's 7, and MK's 900."""
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="3", cash=1740)
    mk = company("MK", {"Cat": 2}, at="r4c5", markers="", trains="4", cash=900)
    supply = {"5": 0, "6": 1, "7": 1}
    game = its_turn(railway(cash=1220, trains=""), mvr, mk, supply=supply, edition=edition)
    while game.asked and (asked := game.asked[0].split())[-1] == "nationalise":
        game.do(f"{asked[1]}: nationalise yes")
    assert (game.trains("RSR"), game.money("RSR")) == (trains, left)


@pytest.mark.rule("12.8", "13.3", "11.10")
def test_after_two_phases_at_once_every_question_is_asked_once() -> None:
    """The 2020 edition: it buys the last 6-train and the first 8-train; NW has had the choice since the 6-train."""
    nw = company("NW", {"Bob": 2}, at="r5c6", markers="", trains="3")
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="4 4")
    mk = company("MK", {"Cat": 2}, at="r4c7", markers="", trains="4 5 6")
    supply = {"5": 0, "6": 1, "7": 0}
    game = its_turn(railway(cash=1600, trains="5"), nw, mvr, mk, phase="5", supply=supply, edition="2020")
    assert game.state.phase == "8"
    assert game.trains("RSR") == "5 6 8 7"  # the last one was a minor's
    assert game.asked == ["Bob NW nationalise"]
    game.do("NW: nationalise no")
    assert game.asked == ["Ann MVR nationalise"]
    game.do("MVR: nationalise no")
    assert not [ask for ask in game.asked if "nationalise" in ask]


@pytest.mark.rule("12.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_takes_a_new_train_before_a_used_one_that_costs_as_much(edition: str) -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5")
    game = its_turn(railway(cash=560), mvr, pool_trains="5", supply={"5": 2}, edition=edition)
    assert [(e.train, e.source) for e in game.told(TrainMoved)] == [("5", "Bank")]
    assert game.state.pool_trains == ("5",)


@pytest.mark.rule("12.8")
@pytest.mark.parametrize(
    ("edition", "trains", "left"), [("v2.0", "5 8 7", 1500), ("first", "5 8 7", 1500), ("2020", "5 8 7 8", 500)]
)
def test_it_stops_when_its_purchase_begins_phase_8(edition: str, trains: str, left: int) -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5")
    game = its_turn(railway(cash=2410, trains="4 5"), mvr, phase="7", supply={"7": 0}, edition=edition)
    assert (game.trains("RSR"), game.money("RSR")) == (trains, left)


@pytest.mark.rule("11.2", "12.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_it_never_sells(edition: str) -> None:
    mvr = company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5", cash=500)
    game = operating_turn(situation(mvr, railway(trains="5 5"), phase="5", edition=edition), "MVR", "trains")
    assert game.refusals("MVR: train 5 from RSR for 100") == {"train.seller"}
    assert not [line for line in game.menu() if "RSR" in line]


# ---- options --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("16.3", "13.8")
def test_with_its_marker_from_the_start_sp_w_only_leaves() -> None:
    assert fresh("Ann Bob Cat", marker_at_start="yes").markers("RSR") == ["E1"]
    assert fresh("Ann Bob Cat").markers("RSR") == []
    described = (
        railway(),
        company("SP-W", "Bob", at="r6c4"),
        company("MVR", {"Ann": 2}, at="r5c6", markers="", cash=350),
    )
    game = situation(*described, options={"marker_at_start": "yes"}, supply={"3": 0})
    operating_turn(game, "MVR", "trains").do("MVR: train 4")
    assert game.state.board.circles(HexId("E1")) == ((), ("RSR",))


# ---- trains of companies that have run before it --------------------------------------------------------------------


AGAIN = {"state_railway_trains": "all"}


def taken_over(edition: str, *others: Described, options: Mapping[str, str] | None = None) -> Played:
    """MVR runs between Moscow and Voronezh, cannot pay its interest, and its 3-train and its marker in Moscow are the
    state railway's before that has its own turn in the same round."""
    public = company("MVR", {"Bob": 2}, at="r6c4", trains="3", markers="H8", loans=40)
    tiles = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}
    game = situation(
        public, *others, waiting(), phase="5", edition=edition, round="OR 4.1", tiles=tiles, options=options
    )
    operating_turn(game, "MVR").do("MVR: run best; pay full")
    assert game.status("MVR") == "unstarted"
    return game


@pytest.mark.rule("12.2", "12.10")
@pytest.mark.parametrize("options", [{}, AGAIN])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_train_that_has_run_for_its_former_company_runs_again(edition: str, options: dict[str, str]) -> None:
    """In the edition of 2020 it does not, and without another train the railway does not run at all."""
    game, earned = taken_over(edition, options=options), 0 if edition == "2020" and not options else 90
    if earned and edition == "2020":
        assert game.asked == ["Ann RSR state_railway.run"]
        game.do("RSR: run best")
    assert not any(ask.endswith("state_railway.run") for ask in game.asked)
    runs = [(e.revenue, e.idle) for e in game.told(Ran) if e.company == "RSR"]
    assert runs == [(earned, "")]


@pytest.mark.rule("12.2", "12.10")
def test_its_other_trains_run_and_in_the_next_round_all_of_them() -> None:
    game = taken_over("2020", railway(trains="3", markers="E1/1"))
    assert game.asked == ["Ann RSR state_railway.run"]
    assert "run.train_twice" in game.refusals("RSR: run 3 H8-H10, 3 H8-I13")
    game.do("RSR: run best")
    game.quietly("OR 4.2")
    assert game.asked[0].endswith("company.turn") or game.asked == ["Ann RSR state_railway.run"]
    while game.asked != ["Ann RSR state_railway.run"]:
        game.do(f"{game.asked[0].split()[1]}: done")
    assert "run.train_twice" not in game.refusals("RSR: run 3 H8-H10, 3 H8-I13")


@pytest.mark.rule("12.2", "12.10")
def test_the_second_company_taken_over_adds_its_trains() -> None:
    """Two that cannot pay in one round: neither of their trains runs again."""
    other = company("NW", {"Cat": 2}, at="r6c4", trains="4", markers="I13", loans=40)
    public = company("MVR", {"Bob": 2}, at="r6c4", trains="3", markers="H8", loans=40)
    tiles = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}
    game = situation(public, other, waiting(), phase="5", edition="2020", round="OR 4.1", tiles=tiles)
    operating_turn(game, "MVR", then="NW").do("MVR: run best; pay full\nNW: run best; pay full")
    assert [e.revenue for e in game.told(Ran) if e.company == "RSR"] == [0]
    assert sorted(game.trains("RSR").split()) == ["3", "4"]


@pytest.mark.rule("12.2", "5.3")
def test_a_train_that_ran_before_it_may_rust_before_its_turn() -> None:
    """The 4-train that another company buys afterwards takes it; the railway runs what it has left."""
    tiles = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}
    game = situation(
        company("MVR", {"Bob": 2}, at="r6c4", trains="2", markers="H8", loans=40),
        company("NW", {"Cat": 2}, at="r6c4", markers="B4", cash=600),
        railway(trains="3", markers="E1/1"),
        waiting(),
        phase="3", edition="2020", round="OR 4.1", tiles=tiles, supply={"3": 0},
    )  # fmt: skip
    operating_turn(game, "MVR", then="NW").do("MVR: run best; pay full")
    assert sorted(game.trains("RSR").split()) == ["2", "3"]
    game.do("NW: train 4; done")
    assert game.trains("RSR") == "3"
    assert game.asked == ["Ann RSR state_railway.run"]
    game.do("RSR: run best")
    runs = [[route.train for route in e.routes] for e in game.told(Ran) if e.company == "RSR"]
    assert runs == [["3"]]


@pytest.mark.rule("12.2", "8.6")
def test_what_a_ruling_remembers_is_told_only_while_there_is_any() -> None:
    """A position without it is told as before, so that games under way keep their digests."""
    tell = situation(waiting(), edition="2020").title.telling.marks
    assert set(tell({})) == {"Nikolaev sold", "last round", "acting directors"}
    told = tell({RAN_BEFORE: (4, 1, "3"), FREE_MARKER + "NW": True})
    assert told["ran before the state railway"] == ["OR 4.1", "3"]
    assert told["second marker free"] == ["NW"]
