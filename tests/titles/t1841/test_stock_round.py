"""The course of a stock round of 1841: turns, passes, priority, and all that follows at its end."""

from __future__ import annotations

import pytest

from engine.core.events import PriceSet
from engine.core.ids import CompanyId, PlayerId
from engine.core.title import Play
from engine.titles.t1841.stock.frame import next_player
from engine.titles.t1841.stock.market import move_price
from engine.titles.t1841.stock.round_end import close_stock_round, move_market, return_concessions
from tests.kit.games.situations_1841 import Italian, firm, situation


def closed(game: Italian) -> Italian:
    """The game after the end of its stock round."""
    play = Play(game.title, game.state)
    close_stock_round(play)
    game.state, game.events = play.state, play.events
    return game


# ---- turns -----------------------------------------------------------------------------------------------------------


def table(resigned: str = "") -> Italian:
    return situation(
        firm("SFTG", {"Ann": 3, "Bob": 2}, "F4"),
        cash={"Ann": 500, "Bob": 500, "Cat": 500},
        round="SR 2",
        resigned=resigned,
    ).stock("Bob")


@pytest.mark.rule("1841:3.1")
@pytest.mark.rule("1841:3.2")
def test_the_round_ends_when_all_pass_and_priority_goes_to_the_left_of_who_acted_last() -> None:
    game = table()
    game.do("Bob: sell 1 SFTG\nBob: pass")  # who has sold has not passed
    game.do("Cat: buy SFTG from offering")
    game.do("Ann: pass\nBob: pass")
    assert game.asked == ["Cat stock.turn"]
    game.do("Cat: pass")
    assert game.state.round.kind == "OR"
    assert game.state.priority == "Ann"


@pytest.mark.rule("1841:3.2")
def test_priority_stays_where_nobody_acts() -> None:
    game = table()
    game.do("Bob: pass\nCat: pass\nAnn: pass")
    assert (game.state.round.kind, game.state.priority) == ("OR", "Bob")


@pytest.mark.rule("1841:8.18")
def test_who_has_resigned_is_passed_over() -> None:
    game = table(resigned="Cat")
    assert next_player(game.state, PlayerId("Bob")) == "Ann"
    game.do("Bob: pass")
    assert game.asked == ["Ann stock.turn"]
    game.do("Ann: pass")
    assert game.state.round.kind == "OR"


def test_who_can_do_nothing_is_not_asked_but_somebody_always_is() -> None:
    game = situation(firm("SFTG", {"Pool": 2}, "F4"), cash={"Cat": 500}, phase="2", round="SR 1").stock("Ann")
    assert game.asked == ["Cat stock.turn"]
    game = situation(firm("SFTG", {"Pool": 2}, "F4"), phase="2", round="SR 1").stock("Ann")
    assert (game.asked, game.accepted()) == (["Cat stock.turn"], ["pass"])


# ---- the market at the end -------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:3.19")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_s10_the_end_of_a_stock_round(edition: str) -> None:
    game = situation(
        firm("SFTG", {"Pool": 2}, "F4"),  # frozen: two rows
        firm("SSFL", {"Ann": 2}, "C5", pool=3),  # one row, whatever the number
        firm("SFMA", {"Bob": 3, "SSFL": 2}, "F4"),  # sold out, companies' certificates too
        firm("SFTN", {"Ann": 3}, "G4"),
        firm("IRSFF", {"SFTG": 10}, "I3"),  # sold out, but frozen
        round="SR 2",
        edition=edition,
    )
    closed(game)
    assert {name: game.place(name) for name in ("SFTG", "SSFL", "SFMA", "SFTN", "IRSFF")} == {
        "SFTG": "87 F6",
        "SSFL": "62 C6",
        "SFMA": "105 F3",
        "SFTN": "111 G4",
        "IRSFF": "144 I3",
    }


@pytest.mark.clarification("2.6")
@pytest.mark.rule("1841:3.20")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_markers_of_a_pile_that_move_alike_keep_their_order(edition: str) -> None:
    game = situation(
        firm("SFTG", {"Ann": 3}, "F4", pool=1),
        firm("SSFL", {"Ann": 3}, "F4", pool=4),
        firm("SFTN", {"Ann": 3}, "F5"),
        round="SR 2",
        edition=edition,
    )
    assert closed(game).pile("F5") == ["SFTN", "SFTG", "SSFL"]


@pytest.mark.clarification("2.7")
@pytest.mark.rule("1841:3.19")
def test_all_falls_come_before_all_rises() -> None:
    game = situation(firm("SFMA", {"Ann": 3, "Bob": 2}, "F4"), firm("SSFL", {"Ann": 3}, "F2", pool=1), round="SR 2")
    assert closed(game).pile("F3") == ["SSFL", "SFMA"]


@pytest.mark.clarification("2.7", site=True)
@pytest.mark.parametrize("edition", ["v1", "v2"])
def test_on_the_site_each_marker_moves_in_its_turn(edition: str) -> None:
    described = (
        firm("SFMA", {"Ann": 3, "Bob": 2}, "F4"),  # 100: rises before the cheaper one falls
        firm("SSFL", {"Ann": 3}, "E4", pool=1),
    )
    for played, order in (("clarified", ["SSFL", "SFMA"]), (edition, ["SFMA", "SSFL"])):
        game = situation(*described, round="SR 2", edition=played)
        play = Play(game.title, game.state)
        move_market(play)
        assert [e.company for e in play.events if isinstance(e, PriceSet)] == order


@pytest.mark.clarification("1.6")
@pytest.mark.rule("1841:5.3")
@pytest.mark.parametrize(
    ("company", "phase", "at", "to"),
    [("SFMA", "4", "K3", "195 K2"), ("SFTG", "7", "P3", "328 P2"), ("SFTG", "8", "P3", "331 Q3")],
)
def test_s10_a_marker_kept_from_going_right_goes_up(company: str, phase: str, at: str, to: str) -> None:
    game = situation(firm(company, {"Ann": 3}, at), phase=phase)
    play = Play(game.title, game.state)
    move_price(play, CompanyId(company), "right", 1, "earnings")
    game.state = play.state
    assert game.place(company) == to


# ---- concessions at the end ------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:3.21")
@pytest.mark.rule("1841:3.22")
def test_bayard_pays_and_unused_concessions_go_back() -> None:
    game = situation(
        firm("SSFL", {"Ann": 2}, "C5"),
        phase="3",
        privates={"Bayard": "Bob", "C-SSFL": "Ann", "C-SFTG": "Bob"},
        round="SR 2",
    )
    closed(game)
    assert game.state.money("Bob") == 20
    assert (game.owner("Bayard"), game.owner("C-SSFL"), game.owner("C-SFTG")) == ("Bob", "Ann", None)


@pytest.mark.rule("1841:3.21")
def test_a_bayard_of_the_bank_pays_nobody() -> None:
    game = situation(phase="3", round="SR 2")
    bank = game.state.money("Bank")
    assert closed(game).state.money("Bank") == bank


def test_nothing_goes_back_twice() -> None:
    game = situation(phase="3", privates={"C-SFTG": None}, round="SR 2")
    play = Play(game.title, game.state)
    return_concessions(play)
    assert not play.events
