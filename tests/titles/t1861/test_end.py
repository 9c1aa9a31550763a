"""How games of 1861 end: the first 8-train, a broken bank, both, and what everybody is worth then."""

from __future__ import annotations

import pytest

import engine
from engine.core.events import BankBroke, EndSignalled, GameOver, LoansChanged, RoundBegan, TurnBegan
from engine.titles.t1861.rulings import NAMED_SINCE_2
from tests.kit.games.course_1861 import merger_round, operating_turn, state_turn, stock_turn, whole_round
from tests.kit.games.situations import Described, Played, company, situation

EDITIONS = ("v2.0", "first", "2020")


def rounds(game: Played) -> list[str]:
    return [str(e.round) for e in game.told(RoundBegan)]


def mvr(cash: int = 0, trains: str = "5", **rest: object) -> Described:
    return company("MVR", {"Ann": 2, "Bob": 2}, at="r5c6", markers="", cash=cash, trains=trains, **rest)  # type: ignore[arg-type]


def eight(round: str, edition: str = "v2.0", **rest: object) -> Played:
    """MVR buys the first 8-train in ``round``."""
    given: dict[str, object] = {"phase": "7", "supply": {"7": 0}, "cash": {"Cat": 100}, **rest}
    game = situation(mvr(cash=1000), round=round, edition=edition, **given)  # type: ignore[arg-type]
    operating_turn(game, "MVR").do("MVR: train 8")
    return game


# ---- the 8-train ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.1", "15.3", "6.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_8_train_in_the_first_round_of_a_set(edition: str) -> None:
    game = eight("OR 6.1", edition).quietly()
    assert rounds(game) == ["OR 6.2", "OR 6.3"]
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("15.2", "15.3", "6.11")
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_8_train_in_the_second_round_of_a_set(edition: str) -> None:
    game = eight("OR 7.2", edition).quietly()
    assert rounds(game) == ["SR 8", "OR 8.1", "OR 8.2", "OR 8.3"]
    assert [(e.reason, e.rounds) for e in game.told(EndSignalled)] == [("last_train", "next_set")]


@pytest.mark.rule("15.1", "12.1", "12.8", "13.2", "12.9", "15.3", "12.10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_state_railway_buys_the_first_8_as_in_the_recorded_game(edition: str) -> None:
    described = (
        company("RSR", cash=910, trains="4 5", markers="E1/1"),
        company("M-K", "Bob", at="r5c7", cash=196, trains="6"),
        company("GRR", {"Ann": 2}, at="r1c12", markers="", trains="7"),
    )
    game = situation(*described, phase="7", supply={"7": 0}, round="OR 6.1", edition=edition, privates={"WVR": "RSR"})
    state_turn(game)
    if edition == "2020":
        game.do("RSR: run best")
    assert (game.state.phase, game.money("Bob"), game.status("M-K")) == ("8", 200, "closed")
    assert (game.money("RSR"), game.trains("RSR")) == (196 + 30, "5 8 6"), "WVR has paid 30 in the next round"
    game.quietly()
    assert rounds(game) == ["OR 6.2", "OR 6.3"]
    assert "RSR" not in [e.company for e in game.told(TurnBegan)]
    assert game.money("RSR") == 196 + 60
    assert game.state.finished


@pytest.mark.rule("6.11", "4.1")
def test_two_operating_rounds_between_stock_rounds() -> None:
    game = situation(mvr(), phase="4", round="SR 3", marks={"nikolaev_sold": True}, cash={"Cat": 100})
    stock_turn(game, "Cat").quietly("SR 4")
    assert rounds(game) == ["OR 3.1", "MR 3.1", "OR 3.2", "MR 3.2", "SR 4"]


# ---- the bank -------------------------------------------------------------------------------------------------------


def selling(bank: int, **rest: object) -> Played:
    """Ann sells two shares of MVR for 200 in a stock round; Cat has the money that the bank has not."""
    described = company("MVR", {"Bob": 3, "Ann": 2}, at="r5c6", markers="", trains="5", cash=1000)
    game = situation(described, phase="5", round="SR 5", bank=bank, **rest)  # type: ignore[arg-type]
    stock_turn(game, "Ann").do("Ann: sell 2 MVR")
    return game


@pytest.mark.rule("15.4", "15.5")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_bank_breaks_in_a_stock_round(edition: str) -> None:
    game = selling(199, edition=edition)
    assert len(game.told(BankBroke)) == 1
    assert game.money("Bank") == -1
    assert game.state.round.kind == "SR", "the round goes on"
    game.quietly()
    assert rounds(game) == ["OR 5.1"]
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.4", "15.5")
@pytest.mark.parametrize(("edition", "broken"), [("v2.0", True), ("first", True), ("2020", False)])
def test_a_bank_that_has_paid_its_last_rouble_has_run_out_of_money(edition: str, broken: bool) -> None:
    game = selling(200, edition=edition)
    assert game.money("Bank") == 0
    assert bool(game.told(BankBroke)) == broken
    if broken:
        game.quietly()
        assert rounds(game) == ["OR 5.1"]
        assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.4", "15.5")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("ruling", "bank", "broken"),
    [("at_zero", 200, True), ("at_zero", 201, False), ("below_zero", 200, False), ("below_zero", 199, True)],
)
def test_a_table_may_agree_when_the_bank_breaks(edition: str, ruling: str, bank: int, broken: bool) -> None:
    game = selling(bank, edition=edition, options={"bank_breaks": ruling})
    assert bool(game.told(BankBroke)) == broken


@pytest.mark.rule("15.5", "14.1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("round", ["OR 5.1", "OR 5.2"])
def test_the_bank_breaks_in_an_operating_round(edition: str, round: str) -> None:
    """By the income of a private at its beginning, which belongs to it."""
    minor = company("K-R", "Bob", at="r4c7", trains="5")
    game = situation(mvr(), minor, phase="5", round=round, bank=9, privates={"TSR": "Ann"}, edition=edition)
    whole_round(game)
    assert str(game.state.broke) == round
    assert game.asked == ["Bob K-R company.turn"]
    game.quietly()
    assert rounds(game) == []
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.6")
@pytest.mark.parametrize("edition", ["v2.0", "2020"])
@pytest.mark.parametrize(
    ("round", "follow"), [("OR 7.1", ["OR 7.2", "OR 7.3"]), ("OR 7.2", ["SR 8", "OR 8.1", "OR 8.2", "OR 8.3"])]
)
def test_the_bank_breaks_and_an_8_train_follows_in_the_same_round(edition: str, round: str, follow: list[str]) -> None:
    game = situation(mvr(cash=1000), phase="7", supply={"7": 0}, round=round, bank=9, edition=edition,
                     privates={"TSR": "Ann"})  # fmt: skip
    whole_round(game)
    assert game.state.broke is not None
    game.do("MVR: train 8")
    game.quietly()
    assert rounds(game) == follow
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("15.6", "15.4")
def test_the_bank_breaks_in_a_stock_round_and_an_8_train_follows() -> None:
    described = company("MVR", {"Bob": 3, "Ann": 2}, at="r5c6", markers="", trains="5", cash=1000)
    game = situation(described, phase="7", supply={"7": 0}, round="SR 5", bank=199)
    stock_turn(game, "Ann").do("Ann: sell 2 MVR")
    game.quietly("OR 5.1")
    game.do("MVR: train 8")
    game.quietly()
    assert rounds(game) == ["OR 5.1", "OR 5.2", "OR 5.3"]


@pytest.mark.rule("15.6")
def test_the_bank_breaks_after_the_8_train() -> None:
    game = eight("OR 6.1")
    game.state = _poor_bank(game)
    game.quietly()
    assert game.state.broke is not None
    assert rounds(game) == ["OR 6.2", "OR 6.3"]


def _poor_bank(game: Played):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    cash = {**game.state.cash}
    cash["Cat"] += cash["Bank"]
    cash["Bank"] = 0
    return replace(game.state, cash=cash, privates={"TSR": "Ann"})  # type: ignore[dict-item]


# ---- a long game ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("16.4", "15.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_long_game_goes_on_until_the_bank_breaks(edition: str) -> None:
    game = eight("OR 6.1", edition, options={"long_game": "yes"}, cash={"Cat": 300})
    game.quietly("SR 8")
    assert rounds(game) == ["OR 6.2", "SR 7", "OR 7.1", "OR 7.2", "SR 8"]
    game.state = _poor_bank(game)
    game.quietly()
    assert rounds(game)[5:] == ["OR 8.1"]
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


# ---- wealth ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.7", "15.8")
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_everybody_is_worth(edition: str) -> None:
    game = situation(
        company("MVR", {"Ann": 5, "Bob": 2}, at="r3c8", loans=3, cash=900, trains="5", markers="", pool=2),
        company("NW", {"Bob": 2}, at="r4c3", loans=4, markers=""),
        company("K-R", "Cat", at="r7c4", loans=2, cash=77),
        cash={"Ann": 10, "Bob": 20, "Cat": 30}, privates={"WVR": "Cat", "TSR": "MVR"}, phase="5", edition=edition,
    )  # fmt: skip
    worth = {p: game.title.score(game.title, game.state, p) for p in game.state.players}
    assert worth == {
        "Ann": 10 + 5 * 110,  # 150, 135, 120, 110
        "Bob": 20 + 2 * 110 + 2 * 55,  # 80, 70, 65 (down), 60, 55 (down)
        "Cat": 30 + (0 if edition == "first" else 90) + 2 * 55,  # 65, 60, 55
    }


@pytest.mark.rule("15.7", "10.6")
def test_final_steps_end_at_the_bottom() -> None:
    game = situation(company("K-R", "Cat", at="r9c1", loans=2), phase="5")
    assert game.title.score(game.title, game.state, game.state.players[2]) == 70


@pytest.mark.rule("15.7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_at_the_end_prices_have_gone_left_and_loans_are_gone(edition: str) -> None:
    """MVR and NW come to the same space: public companies go as their charters are listed, NW first."""
    game = situation(
        company("MVR", {"Ann": 2}, at="r3c8", loans=1, trains="5", markers=""),
        company("NW", {"Bob": 2}, at="r3c9", loans=2, trains="5", markers=""),
        company("K-R", "Cat", at="r9c1", loans=2, trains="4"),
        phase="5", round="OR 5.1", bank=9, privates={"TSR": "Ann"}, edition=edition,
    )  # fmt: skip
    before = dict(game.state.prices)
    whole_round(game).quietly()
    (over,) = game.told(GameOver)
    assert before != game.state.prices
    assert not any(now.loans for now in game.state.companies.values())
    voided = [e.company for e in game.told(LoansChanged) if e.reason == "void"]
    assert voided == sorted(voided, key=["K-R", "NW", "MVR"].index)
    final = {p: game.title.score(game.title, game.state, p) for p in game.state.players}
    assert dict(over.standings) == final, "nothing goes left again"


@pytest.mark.rule("15.9")
def test_equal_wealth_is_told_as_equal() -> None:
    game = situation(mvr(), phase="5", round="OR 5.1", bank=9, privates={"TSR": "Cat"})
    whole_round(game).quietly()
    (over,) = game.told(GameOver)
    worth = dict(over.standings)
    assert worth["Ann"] == worth["Bob"] < worth["Cat"]  # type: ignore[index]
    assert [p for p, _ in over.standings] == ["Cat", "Ann", "Bob"]


@pytest.mark.rule("14.1", "15.5")
def test_a_merger_round_ends_the_set_as_usual() -> None:
    minor = company("K-R", "Bob", at="r4c7", trains="5")
    game = situation(mvr(), minor, phase="5", round="OR 5.2", cash={"Cat": 100})
    merger_round(game).do("K-R: decline")
    assert str(game.state.round) == "SR 6"


@pytest.mark.rule("15.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_begun_before_version_2_keeps_the_readings_of_then(edition: str) -> None:
    """Its tags name every ruling of that time, and none that was named later."""
    now = engine.load_title("1861", edition).options
    then = {name: value for name, value in now.items() if name not in NAMED_SINCE_2}
    readings = {name: value for name, value in NAMED_SINCE_2.items() if value is not None}
    assert engine.load_title("1861", edition, then).options == {**now, **readings}
    assert engine.load_title("1861", edition, dict(now)).options == now
    assert engine.load_title("1861", edition, {"runs": "director"}).options == {**now, "runs": "director"}
