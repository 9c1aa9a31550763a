"""Longer examples of 1861, each over several turns: those of the rulebooks, and passages of recorded games."""

from __future__ import annotations

import pytest

from engine.core.events import GameOver, LoansChanged, MarkerPlaced, Paid, RoundBegan
from tests.kit.games.course_1861 import mergers, operating_turn, whole_round
from tests.kit.games.situations import company, situation

EDITIONS = ("v2.0", "first", "2020")
FROM_EKATERINBURG = {"P4": "9#1", "O5": "9#1", "N6": "9#1", "M7": "63#0", "N8": "8#0", "N10": "621#0"}
"""Ekaterinburg Q3 to Kazan M7 and on to Samara N10."""


@pytest.mark.rule("8.4", "8.5", "8.6", "14.6", "8.2", "8.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_markers_of_a_company_formed_from_e(edition: str) -> None:
    described = company("E", "Bob", at="r6c7", cash=179, trains="5")
    game = mergers(described, tiles=FROM_EKATERINBURG, edition=edition, cash={"Ann": 50})
    game.do("E: convert to GRR")
    assert game.markers("GRR") == ["Q3"]
    assert game.asked == ["Bob GRR company.turn"], "nobody can pay for a share, and the next round has begun"
    game.do("GRR: token M7")
    assert game.money("GRR") == 99
    assert "token.one_a_turn" in game.refusals("GRR: token N10")
    operating_turn(game, "GRR")
    game.do("GRR: token N10")
    assert game.money("GRR") == 19, "two hexes from Kazan, at 40"
    assert [e.hex for e in game.told(MarkerPlaced) if e.company == "GRR"] == ["M7", "N10"]
    operating_turn(game, "GRR")
    assert "token.none_left" in game.refusals("GRR: token M7")


@pytest.mark.rule("8.5", "8.4")
@pytest.mark.parametrize(("cash", "refused"), [(79, {"token.money"}), (80, set())])
def test_no_loans_for_markers(cash: int, refused: set[str]) -> None:
    described = company("GRR", {"Bob": 2}, at="r5c6", cash=cash, trains="5", markers="Q3")
    game = operating_turn(situation(described, phase="5", tiles=FROM_EKATERINBURG), "GRR")
    assert game.refusals("GRR: token M7") == refused


@pytest.mark.rule("12.1", "12.3", "13.1", "5.3", "11.5", "12.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_first_4_train_of_the_recorded_game(edition: str) -> None:
    """SP-W borrows for it; two minors have lost their 2-trains; the state railway has its first turns."""
    game = situation(
        company("SP-W", "Ann", at="r8c3", cash=260),
        company("R-O", "Bob", at="r5c6", trains="2", cash=66),
        company("V", "Cat", at="r6c4", trains="2", cash=43, loans=2),
        company("M-K", "Bob", at="r10c1", trains="3"),
        supply={"3": 0}, round="OR 3.2", edition=edition, priority="Cat",
    )  # fmt: skip
    operating_turn(game, "SP-W", then="R-O V M-K").do("SP-W: train 4")
    assert (game.money("SP-W"), game.loans("SP-W")) == (0, 2)
    assert (game.money("Bob"), game.money("Cat"), game.money("RSR")) == (180, 110, 109)
    game.do("SP-W: done")
    assert game.asked == ["Bob M-K company.turn"], "the two that have gone are left out"
    game.do("M-K: done")
    assert (game.money("RSR"), game.loans("RSR"), game.trains("RSR")) == (29, 6, "4")
    assert game.markers("RSR") == ["B4", "E1", "I19"]


@pytest.mark.rule("12.6", "12.7", "6.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_state_railway_repays_in_its_next_turns(edition: str) -> None:
    """90 a turn by Tver: 29 + 90 - 30, one loan repaid; 39 + 90 - 25, two repaid."""
    railway = company("RSR", cash=29, trains="4", loans=6, markers="E1/1")
    game = situation(railway, company("M-K", "Bob", at="r4c7", trains="3"), phase="4", edition=edition, round="OR 4.1",
                     cash={"Ann": 200})  # fmt: skip
    whole_round(game)
    for money, loans in ((39, 5), (4, 3)):
        game.do("M-K: done")
        if edition == "2020":
            game.do("RSR: run best")
        assert (game.money("RSR"), game.loans("RSR")) == (money, loans)
    assert [e.change for e in game.told(LoansChanged)] == [-1, -2]


@pytest.mark.rule("15.6", "15.2", "12.8", "12.1")
@pytest.mark.parametrize("edition", ["v2.0", "2020"])
def test_the_bank_breaks_and_the_state_railway_buys_an_8_in_the_same_round(edition: str) -> None:
    game = situation(
        company("RSR", cash=1000, trains="5", markers="E1/1"),
        company("MVR", {"Ann": 2}, at="r5c6", markers="", trains="5"),
        phase="7", supply={"7": 0}, round="OR 7.2", bank=5, privates={"TSR": "Ann"}, edition=edition,
    )  # fmt: skip
    whole_round(game)
    assert str(game.state.broke) == "OR 7.2"
    game.quietly()
    assert [str(e.round) for e in game.told(RoundBegan)] == ["SR 8", "OR 8.1", "OR 8.2", "OR 8.3"]
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("6.8", "6.5", "6.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_loan_costs_interest_until_it_is_repaid(edition: str) -> None:
    """A loan for track in the first round, interest and repayment in the second."""
    tiles = {"H10": "4#0", "H12": "8#3", "I13": "6#0"}
    game = situation(company("M-K", "Bob", at="r6c2", cash=0, trains="2"), phase="2", tiles=tiles, edition=edition,
                     options={"runs": "director"})  # fmt: skip
    whole_round(game)
    game.do("M-K: lay 9 I15 0; run 2 H8-H10; done")
    assert (game.loans("M-K"), game.money("M-K")) == (1, 30)
    game.do("M-K: run 2 H8-I13; done")
    assert [e.amount for e in game.told(Paid) if e.reason == "interest"] == [5]
    assert (game.loans("M-K"), game.money("M-K")) == (0, 5)
