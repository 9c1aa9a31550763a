"""Thompson of 1863: rusted trains that run once more."""

from __future__ import annotations

import pytest

from engine.core.events import Marked, TrainsRusted
from engine.core.ids import CompanyId
from engine.titles.t1863.failures.failure import remove_trains
from engine.titles.t1863.names import EXTRA, THOMPSON, USED
from engine.titles.t1863.privates.extra_life import end_extra_life
from tests.kit.games.situations_1863 import London, situation, tube


def rust(trains: str = "2T 2T 2T", owner: str = "CLR", waiting: str = "CLR", **more: object) -> London:
    """The Metropolitan buys the first 4T. Central London has ``trains``, and ``owner`` Thompson."""
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=1000),
        tube("CLR", {"Cat": 2}, 90, trains=trains),
        tube("BAK", "Bob", 50, minor=True),
        phase="III", supply={"3T": 0}, privates={"THO": owner}, **more,  # type: ignore[arg-type]
    ).turn("MET", "trains", waiting=f"BAK {waiting}")  # fmt: skip
    game.do("MET: train 4T")
    return game


@pytest.mark.rule("1863:9.4")
def test_the_owner_keeps_up_to_two_of_its_trains() -> None:
    game = rust()
    assert game.asked == ["Cat CLR trains.keep"]
    assert game.accepted() == ["keep trains none", "keep trains 2T", "keep trains 2T, 2T"]
    assert game.refusals("CLR: keep trains 2T, 2T, 2T") == {"keep.most"}
    assert game.refusals("CLR: keep trains 3T") == {"keep.trains"}
    game.do("CLR: keep trains 2T, 2T")
    assert game.fleet("CLR") == ["2T", "2T"]
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:9.4")
def test_none_are_kept_by_a_player_or_by_a_company_without_such_trains() -> None:
    assert rust(owner="Cat").asked == ["Ann MET company.turn"]
    assert rust(trains="3T").asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:9.4")
def test_kept_trains_are_outside_the_limit() -> None:
    """Three trains are the limit in phase IV: the fourth 3T goes, the 2T do not."""
    game = rust("2T 2T 3T 3T 3T 2+1e")
    game.do("CLR: keep trains 2T, 2T")
    assert game.asked == ["Cat CLR discard"] and game.accepted() == ["discard 3T", "discard 2+1e"]
    assert game.refusals("CLR: discard 2T") == {"discard.kept"}
    game.do("CLR: discard 2+1e")
    assert game.fleet("CLR").count("3T") == 3
    assert game.asked == ["Ann MET company.turn"]


LAST = [("CLR", "OR 2.1", (2, 1)), ("", "OR 2.1", (2, 2)), ("", "OR 2.2", (3, 1)), ("CLR", "OR 2.2", (2, 2))]


@pytest.mark.rule("1863:9.4", "1863:12.50")
@pytest.mark.parametrize(("waiting", "round", "until"), LAST)
def test_kept_trains_run_once_more(waiting: str, round: str, until: tuple[int, int]) -> None:
    """In this round if the company has not operated, otherwise in the next; then they leave the game."""
    game = rust(waiting=waiting, round=round)
    game.do("CLR: keep trains 2T")
    assert game.state.marks[EXTRA] == (("CLR", "2T", *until),)
    play = game.play()
    end_extra_life(play)
    now = (game.state.round.set, game.state.round.number)
    assert [e.train for e in play.events if isinstance(e, TrainsRusted)] == (["2T"] if until == now else [])
    assert (EXTRA in play.state.marks) is (until != now)


@pytest.mark.rule("1863:9.4", "1863:12.65")
@pytest.mark.parametrize(("company", "kept"), [("CLR", ()), ("MET", (("CLR", "2T", 2, 1),))])
def test_nothing_is_remembered_of_trains_that_leave_with_their_company(
    company: str, kept: tuple[tuple[str, str, int, int], ...]
) -> None:
    game = rust()
    game.do("CLR: keep trains 2T")
    play = game.play()
    remove_trains(play, CompanyId(company))
    assert play.state.companies[CompanyId(company)].trains == () and play.state.marks.get(EXTRA, ()) == kept
    assert len([e for e in play.events if isinstance(e, Marked)]) == (not kept)


R50 = [("each", ["Cat CLR trains.keep"]), ("once", ["Ann MET company.turn"])]


@pytest.mark.rule("1863:12.50")
@pytest.mark.parametrize(("way", "asked"), R50)
def test_r50_thompson_keeps_trains_at_each_rust_or_once(way: str, asked: list[str]) -> None:
    used = frozenset({(THOMPSON, "trains")})
    assert rust(options={"thompson": way}, marks={USED: used}).asked == asked
    first = rust(options={"thompson": way})
    first.do("CLR: keep trains 2T")
    assert (USED in first.state.marks) is (way == "once")


@pytest.mark.rule("1863:9.4")
def test_nothing_is_kept_when_no_operating_round_follows() -> None:
    assert rust(waiting="", round="OR 2.2", marks={"final": True}).asked == ["Ann MET company.turn"]
    assert rust(waiting="CLR", round="OR 2.2", marks={"final": True}).asked == ["Cat CLR trains.keep"]
