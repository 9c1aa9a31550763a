"""Who announces a company's run in 1861, and the order in which companies have their turns."""

from __future__ import annotations

import pytest

from engine.core.events import Distributed, Ran, TurnBegan
from tests.course_1861 import operating_turn, whole_round
from tests.situations import Played, company, fresh, situation

EDITIONS = ("v2.0", "first", "2020")
TO_VORONEZH = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}


def runner(runs: str = "director", edition: str = "v2.0", public: bool = False) -> Played:
    """From Moscow a 2-train earns 50 to Tula and 60 to Voronezh."""
    name = "MVR" if public else "M-K"
    owner = {"Bob": 2} if public else "Bob"
    described = company(name, owner, at="r6c4", trains="2", markers="H8")
    game = situation(described, edition=edition, phase="2", tiles=TO_VORONEZH, options={"runs": runs})
    return operating_turn(game, name)


@pytest.mark.rule("9.10", "9.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_directors_run_stands(edition: str) -> None:
    game = runner(edition=edition)
    game.do("M-K: run 2 H8-H10")
    assert [e.revenue for e in game.told(Distributed)] == [50]


@pytest.mark.rule("9.10")
def test_a_director_may_run_none_of_his_trains() -> None:
    game = runner()
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
    assert game.refusals("Ann: announce M-K 2 H8-I13") == {"announce.not_better"}
    game.do("Ann: pass")
    assert [e.revenue for e in game.told(Distributed)] == [60]
    assert game.money("Bob") == 30


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
