"""The end of a game of 1844, and what is counted."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.core.events import BankBroke, EndSignalled, Exported, Formed, GameOver
from engine.titles.t1844.rulings import NAMED_SINCE_2, NAMED_SINCE_4
from tests.kit.games.situations_1844 import EDITIONS, Described, Swiss, situation, swiss

both = pytest.mark.parametrize("edition", EDITIONS)


def last_money(bank: int, round: str = "OR 2.1", edition: str = "rulebook", **more: Any) -> Swiss:
    """NOB is about to pay 31 to Ann and Bob for earnings of 30."""
    nob = swiss("NOB", {"Ann": 3, "Bob": 1}, "r1c12")
    return situation(nob, edition=edition, round=round, bank=bank, **more).turn("NOB", "pay", revenue=30)


# ---- when ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1844:14.1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("ruling", ["at_zero", "below_zero"])
@pytest.mark.parametrize(("bank", "over"), [(32, set()), (31, {"at_zero"}), (30, {"at_zero", "below_zero"})])
def test_when_the_bank_is_broken(edition: str, ruling: str, bank: int, over: set[str]) -> None:
    """Nothing left is enough by the rulebook; on the site it must owe."""
    game = last_money(bank, edition=edition, options={"bank_breaks": ruling})
    game.do("NOB: pay full")
    assert bool(game.told(BankBroke)) == (ruling in over)
    usual = last_money(bank, edition=edition)
    usual.do("NOB: pay full")
    assert bool(usual.told(BankBroke)) == (("at_zero" if edition == "rulebook" else "below_zero") in over)


@both
@pytest.mark.rule("1844:14.1", "1844:14.2", "1844:14.4", "1844:14.5")
def test_in_an_operating_round_the_set_is_played_to_its_end(edition: str) -> None:
    game = last_money(30, edition=edition)
    game.do("NOB: pay full; done")
    assert (game.money("Ann"), game.money("Bob")) == (23, 8), "the bank goes on paying"
    assert (str(game.state.round), game.asked) == ("OR 2.2", ["Ann NOB company.turn"])
    assert [e.reason for e in game.told(EndSignalled)] == ["bank"]
    game.do("NOB: done")
    assert (game.state.finished, [e.reason for e in game.told(GameOver)]) == (True, ["bank"])
    assert not game.told(Exported)


@both
@pytest.mark.rule("1844:14.1")
def test_it_stays_broken_when_money_comes_back(edition: str) -> None:
    game = last_money(30, edition=edition, cash={"NOB": 180})
    game.do("NOB: pay full; train 3")
    assert game.money("Bank") > 100
    game.quietly()
    assert str(game.state.round) == "OR 2.2"


@both
@pytest.mark.rule("1844:14.3")
def test_in_a_stock_round_a_whole_set_follows(edition: str) -> None:
    rows = (swiss("NOB", {"Ann": 4}), swiss("BLS", {"Bob": 6}))
    game = situation(*rows, edition=edition, bank=100, cash={"Ann": 60}).stock("Bob", round="SR 2")
    game.do("Bob: sell 2 BLS")
    assert game.told(BankBroke)
    game.do("Bob: pass\nCat: pass\nAnn: pass\nBob: pass")
    assert str(game.state.round) == "OR 2.1"
    game.quietly()
    assert (game.state.finished, str(game.state.round)) == (True, "OR 2.2")


@both
@pytest.mark.rule("1844:14.3", "1844:14.5")
def test_when_the_formation_after_a_set_breaks_it(edition: str) -> None:
    rows = (swiss("NOB", {"Ann": 4}, "r1c12"), swiss("BLS", {"Bob": 6}))
    game = situation(*rows, edition=edition, phase="5", round="OR 2.3", bank=500, marks={"sbb_due": True})
    game.after_round()
    assert game.told(Formed)
    assert game.told(BankBroke), "400 for the SBB and 400 for Ann"
    assert str(game.state.round) == "SR 3"
    game.quietly()
    assert (game.state.finished, str(game.state.round)) == (True, "OR 3.3")


@both
@pytest.mark.rule("1844:14.5", "1844:13.1")
def test_no_sbb_after_the_last_set(edition: str) -> None:
    game = last_money(20, "OR 2.3", edition, phase="5", marks={"sbb_due": True})
    game.do("NOB: pay full; done")
    assert game.state.finished
    assert not game.told(Formed)
    assert not game.told(Exported)


@both
@pytest.mark.rule("1844:14.5", "1844:13.1")
def test_it_is_formed_within_the_last_set(edition: str) -> None:
    game = last_money(20, "OR 2.2", edition, phase="5", marks={"sbb_due": True})
    game.do("NOB: pay full; done")
    assert (str(game.state.round), game.asked) == ("OR 2.3", ["Ann SBB company.turn"])


@pytest.mark.rule("1844:14.1", "1844:11.4")
@pytest.mark.parametrize(
    ("edition", "options", "broken"),
    [
        ("rulebook", {}, False),
        ("rulebook", {"lending": "before"}, True),
        ("18xx.games", {}, True),
        ("18xx.games", {"lending": "after"}, False),
    ],
)
def test_a_debt_for_its_own_train(edition: str, options: dict[str, str], broken: bool) -> None:
    """It lends what it is paid with; or first it lends more than it has."""
    mob = swiss("MOB", {"Ann": 5}, cash=20)
    given: dict[str, Any] = {"mountains": {"B1": "H7 XM1"}, "tiles": {"I6": "57#0"}, "supply": {"3": 0}}
    game = situation(mob, edition=edition, options=options, bank=15, **given).turn("MOB", "trains")
    game.do("MOB: train 4")
    assert (game.money("Bank"), game.debts("Ann"), len(game.told(BankBroke))) == (35, {"emergency": 420}, broken)


# ---- what is counted -------------------------------------------------------------------------------------------------


def recorded() -> tuple[Described, ...]:
    """The shares of the winner of a recorded game, worth 3300."""
    return (
        swiss("ChA", {"Ann": 3}, "r1c9"),
        swiss("STB", {"Bob": 4, "Ann": 1}, "r4c10"),
        swiss("VZ", {"Cat": 3, "Ann": 2}, "r1c11"),
        swiss("RhB", {"Bob": 5, "Ann": 3}, "r2c9"),
        swiss("SBB", {"Ann": (2, 5), "Bob": (2, 0)}, "r4c14"),
    )


@both
@pytest.mark.rule("1844:14.6")
def test_the_winner_of_a_recorded_game(edition: str) -> None:
    papers = {"T1": "Ann", "B1": "Ann", "B4": "Ann"}
    game = situation(
        *recorded(), edition=edition, phase="7", cash={"Ann": 4480}, privates=papers, active="T1 B1 B4",
        mountains={"B1": "H7 XM1", "B4": "G14 XM2"}, tunnels={"T1": "H19 X79 2"},
    )  # fmt: skip
    assert game.score("Ann") == 4480 + 3300 + 50 + 150 + 150 == 8130
    assert game.score("Cat") == 3 * 185, "treasuries count nothing"


@both
@pytest.mark.rule("1844:14.6")
def test_debts_of_every_kind_are_subtracted(edition: str) -> None:
    game = situation(edition=edition, cash={"Ann": 100}, debts={"Ann": 300}, formation_debts={"Ann": 20})
    assert game.score("Ann") == -220


@both
@pytest.mark.rule("1844:14.7")
def test_what_counts_nothing(edition: str) -> None:
    papers = {"P1": "Ann", "P7": "Ann", "T1": "Ann", "T2": "Ann", "B1": "Ann", "B2": "Bob"}
    game = situation(
        swiss("NOB", "Ann", cash=500), edition=edition, privates=papers, cash={"Ann": 10},
        mountains={"B1": "H7 XM1", "B2": "G14 XM1"}, tunnels={"T2": "H19 X79 2"}, active="B2",
    )  # fmt: skip
    assert (game.score("Ann"), game.score("Bob")) == (10 + 160, 150)


@both
@pytest.mark.rule("1844:14.6", "1844:1.6")
def test_a_double_of_the_sbb_counts_twice(edition: str) -> None:
    game = situation(swiss("SBB", {"Bob": (1, 0), "Ann": (1, 0)}), edition=edition, phase="5")
    assert (game.score("Ann"), game.score("Bob")) == (200, 200)


@both
@pytest.mark.rule("1844:14.8")
def test_the_share_of_mob(edition: str) -> None:
    assert situation(swiss("MOB", {"Ann": 1}, par=None), edition=edition).score("Ann") == 0
    assert situation(swiss("MOB", {"Bob": 2, "Ann": 1}), edition=edition).score("Ann") == 80


@both
@pytest.mark.rule("1844:14.9")
def test_equal_wealth_shares_the_place(edition: str) -> None:
    nob = swiss("NOB", {"Ann": 2, "Bob": 2}, "r8c1")
    game = situation(nob, edition=edition, round="OR 2.2", bank=0, players="Ann Bob Cat").turn("NOB", "pay", revenue=4)
    game.do("NOB: pay full; done")
    standings = game.told(GameOver)[0].standings
    assert [p for p, _ in standings] == ["Cat", "Ann", "Bob"]
    assert standings[1][1] == standings[2][1]


@pytest.mark.rule("1844:14.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_begun_before_version_2_keeps_its_rulings(edition: str) -> None:
    """Its tags name every ruling of that time, one by a name that has changed, and none that came later."""
    now, later = engine.load_title("1844", edition).options, {**NAMED_SINCE_2, **NAMED_SINCE_4}
    then = {name: value for name, value in now.items() if name not in (*later, "bank_breaks")}
    title = engine.load_title("1844", edition, {**then, "bank_end": "zero"})
    kept = {name: value for name, value in later.items() if value is not None}
    assert title.options == {**now, **kept, "bank_breaks": "at_zero"}
    assert engine.load_title("1844", edition, {"bank_end": "zero"}).options == {**now, "bank_breaks": "at_zero"}
    assert engine.load_title("1844", edition, dict(title.options)).options == title.options


@pytest.mark.rule("1844:4.25", "1844:6.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_begun_with_version_3_keeps_its_rulings(edition: str) -> None:
    now = engine.load_title("1844", edition).options
    then = {name: value for name, value in now.items() if name not in NAMED_SINCE_4}
    assert engine.load_title("1844", edition, then).options == {**now, **NAMED_SINCE_4}
