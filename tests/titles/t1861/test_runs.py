"""Who announces a company's run in 1861, and the order in which companies have their turns."""

from __future__ import annotations

from random import Random

import pytest

import engine
from engine.core.events import Distributed, Ran, TurnBegan
from engine.core.ids import CompanyId, TrainName
from engine.routes.optimum import best_run
from engine.routes.reach import RunTraits
from tests.kit import routes_oracle as oracle
from tests.kit.games.course_1861 import operating_turn, whole_round
from tests.kit.games.situations import Played, company, fresh, situation
from tests.kit.samples import sampled

EDITIONS = ("v2.0", "first", "2020")
TO_VORONEZH = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}


def runner(runs: str = "", edition: str = "v2.0", public: bool = False) -> Played:
    """From Moscow a 2-train earns 50 to Tula and 60 to Voronezh. ``runs``: the ruling, the edition's own if empty."""
    name = "MVR" if public else "M-K"
    owner = {"Bob": 2} if public else "Bob"
    described = company(name, owner, at="r6c4", trains="2", markers="H8")
    game = situation(described, edition=edition, phase="2", tiles=TO_VORONEZH,
                     options={"runs": runs} if runs else {})  # fmt: skip
    return operating_turn(game, name)


@pytest.mark.rule("9.10", "9.2")
@pytest.mark.parametrize(("edition", "asked"), [("v2.0", True), ("first", True), ("2020", False)])
def test_a_director_may_run_less_where_nobody_announces_more(edition: str, asked: bool) -> None:
    """The rulebooks take the highest earnings that any player announces; on 18xx.games only the director does."""
    game = runner(edition=edition)
    game.do("M-K: run 2 H8-H10")
    assert ("Ann announce" in game.asked) == asked
    if asked:
        game.do("Ann: pass\nCat: pass")
    assert [e.revenue for e in game.told(Distributed)] == [50]


@pytest.mark.rule("9.10")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("order", ["run best", "run 2 H8-I13"])
def test_nobody_is_asked_about_the_best_run_there_is(edition: str, order: str) -> None:
    game = runner(edition=edition)
    game.do(f"M-K: {order}")
    assert [e.revenue for e in game.told(Distributed)] == [60]
    assert game.asked == ["Bob M-K company.turn"]


@pytest.mark.rule("9.10")
def test_a_director_may_run_none_of_his_trains() -> None:
    game = runner("director")
    game.do("M-K: run none")
    assert [e.revenue for e in game.told(Distributed)] == [0]
    assert len(game.told(Ran)) == 1


@pytest.mark.rule("9.10")
def test_the_moderator_runs_the_best_whatever_is_ordered() -> None:
    game = runner("moderator")
    game.do("M-K: run 2 H8-H10")
    assert [(e.revenue, e.proven) for e in game.told(Ran)] == [(60, True)]


@pytest.mark.rule("9.10")
def test_others_may_announce_better_runs_and_the_best_one_stands() -> None:
    game = runner("players")
    game.do("M-K: run 2 H8-H10")
    assert sorted(game.asked) == ["Ann announce", "Cat announce"]
    assert not game.told(Distributed)
    assert game.refusals("Ann: announce M-K 2 H10-H8") == {"announce.not_better"}
    assert game.refusals("Ann: announce M-K 2 H8-K7") & {"run.no_track", "run.stop_not_named", "run.too_long"}
    assert game.refusals("Ann: announce MVR 2 H8-I13") == {"announce.company"}
    assert game.refusals("Bob: announce M-K 2 H8-I13") == {"order.not_asked"}
    game.do("Cat: announce M-K 2 H8-I13")
    assert game.asked == ["Bob M-K company.turn"], "nobody could announce more"
    assert [e.revenue for e in game.told(Distributed)] == [60]
    assert game.money("Bob") == 30


@pytest.mark.rule("9.10")
def test_all_are_asked_until_the_best_has_been_announced() -> None:
    game = runner("players")
    game.do("M-K: run none\nCat: announce M-K 2 H8-H10")
    assert game.asked == ["Ann announce"]
    assert game.refusals("Ann: announce M-K 2 H10-H8") == {"announce.not_better"}
    game.do("Ann: announce M-K 2 I13-H8")
    assert [e.revenue for e in game.told(Distributed)] == [60]


@pytest.mark.rule("9.10")
def test_nobody_has_to_announce_more() -> None:
    game = runner("players", public=True)
    game.do("MVR: run 2 H8-H10\nAnn: pass\nCat: pass")
    assert game.asked == ["Bob MVR company.pay"]
    game.do("MVR: pay full")
    assert [e.revenue for e in game.told(Distributed)] == [50]


@pytest.mark.rule("6.1", "2.11", "12.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_minors_then_public_companies_then_the_state_railway(edition: str) -> None:
    game = situation(
        company("MVR", {"Bob": 2}, at="r1c9", markers="", trains="5"),
        company("NW", {"Bob": 2}, at="r2c10", markers="", trains="5"),
        company("SW", {"Bob": 2}, at="r2c10", markers="", trains="5"),
        company("K-R", "Bob", at="r8c1", trains="5"),
        company("M-V", "Bob", at="r5c6", trains="5"),
        edition=edition,
        phase="5",
        privates={"TSR": "RSR"},
    )
    assert game.order() == ["M-V", "K-R", "NW", "SW", "MVR"], "further right first, then higher in the stack"
    whole_round(game)
    for name in ("M-V", "K-R", "NW", "SW", "MVR"):
        assert game.asked == [f"Bob {name} company.turn"]
        game.do(f"{name}: done")
    assert [e.company for e in game.told(TurnBegan)][:6] == ["M-V", "K-R", "NW", "SW", "MVR", "RSR"]


@pytest.mark.rule("6.2", "13.1", "13.6")
def test_a_company_that_has_gone_meanwhile_has_no_turn() -> None:
    game = situation(
        company("M-K", "Bob", at="r4c7", cash=350),
        company("K-R", "Bob", at="r5c6", trains="2"),
        company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="3"),
        supply={"3": 0},
    )
    whole_round(game).do("M-K: train 4; done")
    assert game.asked == ["Ann MVR company.turn"]


@pytest.mark.rule("6.2", "10.2")
def test_the_order_stays_when_prices_move() -> None:
    """M-K falls below K-R in its turn; K-R still follows and M-K has no second turn."""
    game = situation(
        company("M-K", "Bob", at="r5c6", trains="2"), company("K-R", "Bob", at="r6c6", trains="2"), phase="2"
    )
    whole_round(game).do("M-K: done")
    assert game.price("M-K") == "90 r5c5"
    assert game.asked == ["Bob K-R company.turn"]
    game.do("K-R: done")
    assert str(game.state.round) == "OR 2.2"


@pytest.mark.rule("1.1", "2.2", "2.10")
def test_two_players_have_three_privates_and_then_n() -> None:
    game = fresh("Ann Bob", edition="2020")
    assert len(game.state.privates) == 3
    assert {t: game.state.supply[t] for t in ("2", "3", "4", "5", "6", "7")} == {  # type: ignore[index]
        "2": 7, "3": 5, "4": 3, "5": 3, "6": 1, "7": 1,
    }  # fmt: skip
    while game.asked[0].endswith("auction.open"):
        player = game.asked[0].split()[0]
        game.do(f"{player}: open")
        game.do(f"{game.asked[0].split()[0]}: drop")
    assert game.menu() == ["open N 100", "pass"]


# ---- the 5+5E -------------------------------------------------------------------------------------------------------

TO_SAMARA = {
    "I19": "5#2", "I17": "4#0", "I15": "9#0", "I13": "63#0", "H12": "8#3", "H10": "4#0", "H8": "638#0", "I7": "8#5",
    "J8": "8#2", "K7": "623#0", "L8": "8#2", "M7": "63#0", "N8": "8#0", "N10": "623#0",
}  # fmt: skip
"""From Rostov I19 by Voronezh I13, Moscow H8, Nizhnii Novgorod K7 and Kazan M7 to Samara N10."""
WHOLE = "I19-I13-H8-K7-M7-N10"


def express(edition: str, markers: str = "I19", **options: str) -> Played:
    """MVR with a 5+5E and nothing else."""
    described = company("MVR", {"Bob": 2}, at="r6c4", trains="5+5E", markers=markers)
    return operating_turn(situation(described, edition=edition, phase="8", tiles=TO_SAMARA, options=options), "MVR")


@pytest.mark.rule("9.8")
@pytest.mark.parametrize(("edition", "revenue"), [("v2.0", 500), ("first", 500), ("2020", 460)])
def test_a_5_5e_counts_any_five_cities_of_its_route(edition: str, revenue: int) -> None:
    """20, 40, 70, 50, 40 and 50: the best five are worth 250. Its only marker stands in the poorest, at an end. In the
    edition of 2020 that one must be counted."""
    for order in ("run best", f"run 5+5E {WHOLE}"):
        game = express(edition)
        game.do(f"MVR: {order}")
        assert [e.revenue for e in game.told(Ran)] == [revenue]


@pytest.mark.rule("9.8", "9.4")
@pytest.mark.parametrize(("edition", "revenue"), [("v2.0", 540), ("first", 540), ("2020", 520)])
def test_a_5_5e_need_not_count_an_off_board_area_at_its_end(edition: str, revenue: int) -> None:
    """Central Asia pays 40, less than any of the five cities; the edition of 2020 counts what is visited."""
    described = company("MVR", {"Bob": 2}, at="r6c4", trains="5+5E", markers="I13")
    tiles = {**TO_SAMARA, "I13": "623#0", "M7": "623#0", "O11": "8#2", "P10": "8#5"}
    game = situation(described, edition=edition, phase="8", tiles=tiles)
    operating_turn(game, "MVR").do("MVR: run 5+5E I13-H8-K7-M7-N10-Q11")
    assert [e.revenue for e in game.told(Ran)] == [revenue]


@pytest.mark.rule("9.8", "9.2")
@pytest.mark.parametrize("edition", sampled(["v2.0", "first"], ["v2.0"]))
def test_a_5_5e_earns_what_the_words_of_the_rule_say(edition: str) -> None:
    """On boards of chance: of every route with a marker of its own, twice the best five places. Nothing is asked of
    how the title describes the train."""
    title = engine.load_title("1861", edition)
    reach = title.trains[TrainName("5+5E")].reach
    told_apart = 0
    for seed in range(60, 68):
        board = oracle.random_board(title.map, Random(seed), CompanyId("X"), 16)
        rows = [
            [oracle.stop_of(board, stop).value("gray") for stop in walk.stops]
            for walk in oracle.walks(board, CompanyId("X"))
        ]
        any_five = max((2 * sum(sorted(row)[-5:]) for row in rows), default=0)
        with_ends = max((2 * (row[0] + row[-1] + sum(sorted(row[1:-1])[-3:])) for row in rows), default=0)
        best = best_run(board, RunTraits(CompanyId("X"), (TrainName("5+5E"),), (reach,), "gray"))
        assert (best.value, best.proven) == (any_five, True), seed
        told_apart += any_five > with_ends
    assert told_apart >= 1, "boards on which a route with an uncounted end is the best"
