"""The course of a game of 1841, every way in which it ends, and the score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.acts.act import turn_of
from engine.acts.run_trains import Earned
from engine.core.events import EndSignalled, GameOver, RoundBegan
from engine.core.ids import CompanyId
from engine.core.state import Round
from engine.core.title import Play
from engine.titles.t1841.ending.end_signals import look_at_areas
from engine.titles.t1841.names import CONNECTED, END, ROUNDS
from engine.titles.t1841.pieces import external_boxes
from engine.titles.t1841.stock.market import move_price
from tests.kit.games.situations_1841 import Italian, firm, fresh, situation, title

SFTG, SFMA = CompanyId("SFTG"), CompanyId("SFMA")


def rounds(game: Italian) -> list[str]:
    return [str(event.round) for event in game.told(RoundBegan)]


def ending(game: Italian) -> str | None:
    """Why the game is over; None while it goes on."""
    over = game.told(GameOver)
    assert bool(over) == game.state.finished and len(over) <= 1
    return over[0].reason if over else None


# ---- rounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:2.1")
def test_the_game_begins_with_concessions_and_a_stock_round() -> None:
    game = fresh()
    assert str(game.state.round) == "ISR 1"
    game.do("Ann: bids 20 on C-SFTG")
    for player in ("Bob", "Cat"):
        game.do(f"{player}: bids none")
    assert str(game.state.round) == "SR 1" and game.told(RoundBegan)[-1].round == Round("SR", 1)


@pytest.mark.rule("1841:1.6")
def test_who_begins_sits_first() -> None:
    """Whoever the players have agreed on; all others follow clockwise."""
    assert fresh("Bob Cat Ann").state.players == ("Bob", "Cat", "Ann")


@pytest.mark.rule("1841:8.8")
@pytest.mark.parametrize(("phase", "number"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)])
def test_the_phase_says_how_many_operating_rounds_follow(phase: str, number: int) -> None:
    game = situation(phase=phase, round="SR 2", cash={"Ann": 500}, privates={"Bayard": "Ann"} if phase < "4" else None)
    game.after_round()
    assert rounds(game)[: number + 1] == [*(f"OR 2.{n}" for n in range(1, number + 1)), "SR 3"]


@pytest.mark.rule("1841:8.8")
def test_the_number_is_fixed_when_the_stock_round_ends() -> None:
    game = situation(phase="5", round="OR 2.1", marks={ROUNDS: 2}, cash={"Ann": 500}).after_round()
    assert rounds(game)[:2] == ["OR 2.2", "SR 3"]


# ---- a price at the top ----------------------------------------------------------------------------------------------


def at_the_top(edition: str = "clarified", **options: str) -> Italian:
    """SFTG has reached 516 in its turn, and SFTN is still to operate."""
    game = situation(
        firm("SFTG", {"Ann": 3}, "S1", markers="H4/0 J6"), firm("SFTN", {"Bob": 3}, "F4", cash=20),
        edition=edition, options=options, phase="8", round="OR 4.1", marks={END: "price"},
    )  # fmt: skip
    return game.turn("SFTG", "sell", waiting="SFTN")


@pytest.mark.rule("1841:12.2")
@pytest.mark.clarification("2.30")
def test_516_ends_the_game_at_once() -> None:
    assert ending(at_the_top()) == "price"


@pytest.mark.rule("1841:12.2")
@pytest.mark.clarification("2.30", site=True)
def test_18xx_games_plays_the_turn_to_its_end() -> None:
    game = at_the_top("v2")
    assert ending(game) is None and game.asked == ["Ann SFTG company.turn"]
    game.do("SFTG: done")
    assert ending(game) == "price"


@pytest.mark.rule("1841:12.5")
@pytest.mark.clarification("4.5")
def test_by_agreement_the_round_is_played_to_its_end() -> None:
    game = at_the_top(finish_round="yes")
    game.do("SFTG: done")
    assert ending(game) is None and game.asked == ["Bob SFTN company.turn"]
    game.do("SFTN: done")
    assert ending(game) == "price" and rounds(game) == []


@pytest.mark.rule("1841:12.2")
@pytest.mark.parametrize(
    ("edition", "options", "told"),
    [("clarified", {}, []), ("v2", {}, ["this_turn"]), ("clarified", {"finish_round": "yes"}, ["this_round"])],
)
def test_a_marker_that_reaches_the_top_is_remembered(edition: str, options: dict[str, str], told: list[str]) -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "R1"), edition=edition, options=options, phase="8", round="OR 4.1")
    play = Play(game.title, game.state)
    move_price(play, SFTG, "right", 1, "earnings")
    assert play.state.marks[END] == "price"
    assert [e.rounds for e in play.events if isinstance(e, EndSignalled)] == told
    move_price(play, SFTG, "down", 1, "sale")
    assert play.state.marks[END] == "price"  # it has been reached


@pytest.mark.rule("1841:12.2")
@pytest.mark.parametrize("edition", ["clarified", "v2"])
def test_516_at_the_end_of_a_stock_round(edition: str) -> None:
    game = situation(firm("SFTG", {"Ann": 6, "Bob": 4}, "S2", cash=10), edition=edition, phase="8", round="SR 4")
    game.stock("Ann").quietly("OR 4.1")
    assert ending(game) == "price" and rounds(game) == []


@pytest.mark.rule("1841:12.2")
@pytest.mark.clarification("2.30")
@pytest.mark.parametrize(("options", "last"), [({}, 100), ({"finish_round": "yes"}, 105)])
def test_after_516_no_other_price_moves_unless_the_round_is_finished(options: dict[str, str], last: int) -> None:
    """SFTG at 449 rises first. SFTN at 100 is sold out, too, but the game is over by then."""
    game = situation(
        firm("SFTN", {"Ann": 6, "Bob": 4}, "F4"), firm("SFTG", {"Ann": 6, "Bob": 4}, "S2"),
        options=options, phase="8", round="SR 4",
    )  # fmt: skip
    game.stock("Ann").quietly("OR 4.1")
    assert ending(game) == "price"
    assert (game.score("Ann"), game.score("Bob")) == (6 * 516 + 6 * last, 4 * 516 + 4 * last)


# ---- all external areas ----------------------------------------------------------------------------------------------


def near_roma(edition: str = "clarified", known: int = 7, waiting: str = "", **options: str) -> Italian:
    """SFMA is about to build to Roma, on the map of the second version; other areas are connected."""
    options = {"version": "2", **options}
    areas = [name for name in external_boxes(title(edition, **options)) if name != "Roma"]
    game = situation(
        firm("SFMA", "Ann", markers="R14/0", trains="2"), firm("SFTN", "Bob", "A1", cash=20), edition=edition,
        options=options, phase="3", round="OR 1.1", marks={CONNECTED: frozenset(areas[:known])},
    )  # fmt: skip
    return game.turn("SFMA", waiting=waiting)


@pytest.mark.rule("1841:12.3")
@pytest.mark.clarification("2.30")
def test_the_last_area_connected_ends_the_game_at_once() -> None:
    game = near_roma()
    game.do("SFMA: lay 58 S15 0")
    assert ending(game) == "areas" and game.state.marks[CONNECTED] == set(external_boxes(game.title))


@pytest.mark.rule("1841:12.3")
def test_18xx_games_ends_after_the_turn_in_which_it_is_connected() -> None:
    game = near_roma("v2")
    game.do("SFMA: lay 58 S15 0")
    assert ending(game) is None
    game.do("SFMA: run none; done")
    assert ending(game) == "areas"


@pytest.mark.rule("1841:12.5")
@pytest.mark.clarification("4.5")
def test_by_agreement_the_round_in_which_it_is_connected_is_played_to_its_end() -> None:
    game = near_roma(finish_round="yes", waiting="SFTN")
    game.do("SFMA: lay 58 S15 0")
    game.do("SFMA: run none; done")
    assert ending(game) is None and game.asked == ["Bob SFTN company.turn"]
    game.do("SFTN: done")
    assert ending(game) == "areas" and rounds(game) == []


@pytest.mark.rule("1841:12.3")
def test_all_areas_must_be_connected() -> None:
    game = near_roma(known=6)
    game.do("SFMA: lay 58 S15 0")
    assert ending(game) is None and len(game.state.marks[CONNECTED]) == 7


@pytest.mark.rule("1841:12.3")
@pytest.mark.parametrize(("reading", "connected"), [("builder", set()), ("track", {"Roma"})])
def test_what_connects_an_area(reading: str, connected: set[str]) -> None:
    """Its builder's way to it, or by a ruling any track that meets it."""
    game = situation(
        firm("SFMA", "Ann", markers="R14/0"), firm("SFTG", "Bob", markers="J6"), phase="3", tiles={"S15": "58#0"},
        options={"version": "2", "areas_connected": reading},
    )  # fmt: skip
    play = Play(game.title, game.state)
    look_at_areas(play, SFTG)
    assert play.state.marks.get(CONNECTED, frozenset()) == connected
    look_at_areas(play, SFMA)
    assert play.state.marks[CONNECTED] == {"Roma"}


# ---- the bank, and the last player -----------------------------------------------------------------------------------


def broken(kind: str, number: int = 0, marks: dict[str, Any] | None = None) -> Italian:
    round = f"{kind} 3" + (f".{number}" if number else "")
    game = situation(phase="5", round=round, marks=marks, cash={"Ann": 500})
    game.state = replace(game.state, broke=game.state.round)
    return game


@pytest.mark.rule("1841:12.1")
def test_a_bank_that_breaks_in_an_operating_round_ends_the_game_with_it() -> None:
    game = broken("OR", 1, {ROUNDS: 3}).after_round()
    assert ending(game) == "bank" and rounds(game) == []


@pytest.mark.rule("1841:12.1")
def test_a_bank_that_breaks_in_a_stock_round_leaves_one_operating_round() -> None:
    game = broken("SR").after_round()
    assert [(e.reason, e.rounds) for e in game.told(EndSignalled)] == [("bank", "next_round")]
    assert ending(game) == "bank" and rounds(game) == ["OR 3.1"]


@pytest.mark.rule("1841:12.2")
@pytest.mark.clarification("2.30")
def test_516_ends_the_game_at_once_after_the_bank_has_broken() -> None:
    game = broken("OR", 1, {ROUNDS: 3, END: "price"}).after_round()
    assert ending(game) == "price"


@pytest.mark.rule("1841:12.2")
@pytest.mark.clarification("2.30")
@pytest.mark.parametrize(("edition", "over"), [("clarified", True), ("v2", False)])
def test_it_does_so_before_those_who_still_wait_have_operated(edition: str, over: bool) -> None:
    """SFTN, which comes after SFTG, would operate if the bank alone ended the game."""
    game = situation(
        firm("SFTG", {"Ann": 3}, "R1", markers="H4/0 J6", trains="8"), firm("SFTN", {"Bob": 3}, "F4", cash=20),
        edition=edition, phase="8", round="OR 4.1",
    )  # fmt: skip
    game.state = replace(game.state, broke=game.state.round)
    game.turn("SFTG", "pay", waiting="SFTN")
    turn = replace(turn_of(game.state), stage="pay").noting(Earned(500))
    game.state = replace(game.state, agenda=(*game.state.agenda[:-1], turn))
    game.do("SFTG: pay full")
    assert game.place("SFTG") == "516 S1"
    assert (ending(game) == "price") is over and bool(game.asked) is not over


@pytest.mark.rule("1841:12.4")
def test_one_player_who_is_left_ends_the_game_at_once() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4"), resigned="Bob Cat").turn("SFTG", "sell")
    assert ending(game) == "bankruptcy"
    assert ending(situation(firm("SFTG", {"Ann": 3}, "F4"), resigned="Bob").turn("SFTG", "sell")) is None


@pytest.mark.rule("1841:12.4")
def test_18xx_games_ends_the_turn_of_the_last_bankrupt_first() -> None:
    game = situation(firm("SFTG", {"Ann": 3}, "F4"), edition="v2", resigned="Bob Cat").turn("SFTG", "sell")
    assert ending(game) is None
    game.do("SFTG: done")
    assert ending(game) == "bankruptcy"


# ---- nobody can do anything any more -----------------------------------------------------------------------------


def stuck(edition: str = "clarified", cash: int = 0, **options: str) -> Italian:
    """SFTN belongs to SFTG, whose presidency is in the pool; nobody else has shares, Bob alone has money."""
    return situation(
        firm("SFTG", {"Pool": 2}, "D3", cash=50), firm("SFTN", {"SFTG": 3}, "C2"), edition=edition,
        options=options, phase="3", round="SR 4", cash={"Bob": cash}, closed="SFLP SFMA SSFL SFTC SFLi SB SFL",
    ).stock("Ann")  # fmt: skip


def play_on(game: Italian, most: int = 12) -> int:
    """Nobody does more than pass and end a turn. The number of stock rounds that begin until the game is over; ``most``
    if it goes on."""
    while not game.state.finished and _stock_rounds(game) < most:
        (asked,) = game.asked
        *_, actor, what = asked.split()
        game.do(f"{actor}: {'done' if what == 'company.turn' else 'pass'}")
    return _stock_rounds(game)


def _stock_rounds(game: Italian) -> int:
    return sum(name.startswith("SR") for name in rounds(game))


@pytest.mark.rule("1841:12.7")
@pytest.mark.parametrize("edition", ["clarified", "v2", "v1"])
def test_the_game_ends_when_nobody_can_do_anything_and_nothing_changes(edition: str) -> None:
    """Prices fall for four sets until both are at their lowest; one more shows that the position repeats itself."""
    game = stuck(edition)
    assert play_on(game) == 5
    assert ending(game) == "stalemate"
    assert [game.place(c) for c in ("SFTG", "SFTN")] == ["8 A13", "8 A13"]


@pytest.mark.rule("1841:12.7")
@pytest.mark.parametrize(("cash", "ends"), [(2, True), (100, False)])
def test_a_company_that_can_do_nothing_keeps_no_game_alive(cash: int, ends: bool) -> None:
    """Bob leads CTS, whose price is the lowest. It has no train and no marker on the map, the pool has its shares."""
    game = situation(
        firm("SFTG", {"Pool": 2}, "A13"), firm("CTS", {"Bob": 2}, "A13", cash=cash, pool=8),
        phase="4", round="SR 4", closed="SFLP SFMA SSFL SFTN SFTC SFLi SFV SFL",
    ).stock("Ann")  # fmt: skip
    play_on(game)
    assert game.state.finished == ends
    assert (ending(game) == "stalemate") == ends


@pytest.mark.rule("1841:12.7")
def test_it_does_not_end_while_somebody_can_act_or_by_another_ruling() -> None:
    """Bob may buy the president's certificate; whether he ever does is his affair."""
    for game in (stuck(cash=16), stuck(stalemate="goes_on")):
        assert play_on(game) == 12 and not game.state.finished


def trading(cash: int = 7, pool: int = 3, cats: int = 0, phase: str = "4", **options: str) -> Italian:
    """Everything is frozen at the lowest price; Bob has money, and Ann a share of SFTG that he could buy. The pool has
    so many shares of SFTG beside the president's certificate."""
    holders = {"Pool": 2, "Ann": 1} | ({"Cat": cats} if cats else {})
    return situation(
        firm("SFTG", holders, "A13", pool=pool), firm("SFTN", {"SFTG": 3}, "A13"),
        options=options, phase=phase, round="SR 4", cash={"Bob": cash}, closed="SFLP SFMA SSFL SFTC SFLi SFV SFL",
    ).stock("Ann")  # fmt: skip


@pytest.mark.rule("1841:12.7")
def test_trade_between_players_that_leads_nowhere_keeps_no_game_alive() -> None:
    """Bob may buy from Ann, but a certificate costs 8, the pool takes no more, and one share is no presidency."""
    game = trading()
    assert game.asked == ["Bob stock.turn"]
    assert any(entry.startswith("buy 1 SFTG from Ann") for entry in game.accepted())
    assert play_on(game) < 4
    assert ending(game) == "stalemate"


@pytest.mark.rule("1841:12.7")
@pytest.mark.rule("1841:5.8")
@pytest.mark.parametrize(("phase", "ends"), [("3", True), ("4", False)])
def test_shares_of_a_company_whose_concession_the_bank_has_lead_nowhere(phase: str, ends: bool) -> None:
    """Until the first 4-train the president's certificate goes with the concession, which nobody can pay for."""
    game = trading(cats=1, phase=phase)
    play_on(game)
    assert game.state.finished == ends


@pytest.mark.rule("1841:12.7")
@pytest.mark.parametrize("changed", [{"cash": 8}, {"pool": 1}, {"cats": 1}, {"stalemate": "goes_on"}])
def test_a_game_goes_on_while_trade_could_lead_further(changed: dict[str, Any]) -> None:
    """To money for a certificate, or to two shares for a presidency; and while a share can be sold to the pool."""
    game = trading(**changed)
    assert play_on(game) == 12 and not game.state.finished


# ---- the score -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("1841:12.6")
@pytest.mark.clarification("1.2")
@pytest.mark.parametrize(("edition", "concessions"), [("clarified", 0), ("v2", 100)])
def test_the_score(edition: str, concessions: int) -> None:
    """Each share at the price, of a minor and of a major alike, the president's certificate twice; no treasury."""
    game = situation(
        firm("SFTG", {"Ann": 3, "Bob": 1}, "F4", cash=700), firm("SFLP", {"Bob": 2, "SFTG": 1}, "H3", cash=300),
        firm("SSFL", {"Pool": 2, "Cat": 1}, "C5"), edition=edition, phase="3", cash={"Ann": 40, "Bob": 7, "Cat": 1000},
        privates={"Bayard": "Ann", "C-SFTG": "Ann"}, loans={"Cat": 1000},
    )  # fmt: skip
    assert game.place("SFTG") == "100 F4" and game.place("SFLP") == "129 H3" and game.place("SSFL") == "68 C5"
    assert [game.score(p) for p in ("Ann", "Bob", "Cat")] == [40 + 300 + concessions, 7 + 100 + 258, 1000 + 68 - 1000]


@pytest.mark.rule("1841:12.6")
def test_standings_are_those_of_the_score() -> None:
    game = at_the_top()
    (over,) = game.told(GameOver)
    assert over.standings == (("Ann", 3 * 516), ("Bob", 300), ("Cat", 0))
