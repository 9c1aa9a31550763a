"""Subjects stay short enough for the lists of mail programs, and keep the game and the first thing that is asked."""

from __future__ import annotations

import pytest

from engine.core.ids import PlayerId
from engine.titles.t1863.stock.stock_round import begin_stock_round
from moderator import render
from moderator.domain.info import LONGEST_SUBJECT
from moderator.render.subjects import cut
from moderator.service.play.answers import subject_of_several
from tests.kit.games.render_1863 import game_from
from tests.kit.games.render_games import info, played
from tests.kit.games.situations_1863 import situation, tube


def subject(firms: int) -> str:
    """The subject of a stock turn of 1863 for a player with so many companies."""
    names = ("MET", "DIS", "CIR", "CSL", "LCR", "UER", "WWR")[:firms]
    position = situation(*(tube(name, {"Ann": 3}, 100, cash=100) for name in names), round="SR 3")
    play = position.play()
    begin_stock_round(play)
    game = game_from(position.frames(*play.state.agenda))
    return render.turn_mail(game, info(game, "Ann", id="1863-7"), PlayerId("Ann"), 0).subject


def test_a_subject_names_as_many_questions_as_fit_and_counts_the_others() -> None:
    assert subject(1) == "[1863-7] your stock turn; your stock turn as MET"
    assert subject(2).endswith("; your stock turn as MET; your stock turn as DIS")
    assert subject(7) == "[1863-7] your stock turn; your stock turn as MET; and 6 more"
    assert all(len(subject(n)) <= LONGEST_SUBJECT for n in range(1, 8))


def test_a_subject_of_news_names_as_many_players_as_fit() -> None:
    game = played(40)
    names = tuple(f"Ferdinand the {n}th" for n in range(4, 10))
    found = render.news_mail(game, info(game, "Ann", asked=names), PlayerId("Ann"), 0).subject
    assert found.startswith("[1861-7] ") and "Ferdinand the 4th" in found and found.endswith(" others to play")
    assert len(found) <= LONGEST_SUBJECT
    few = render.news_mail(game, info(game, "Ann", asked=("Bob", "Cat")), PlayerId("Ann"), 0).subject
    assert few.endswith("Bob and Cat to play")


@pytest.mark.parametrize("name", ["x" * 300, "word " * 60])
def test_any_other_subject_is_cut(name: str) -> None:
    game = played(40)
    found = render.press_mail(info(game, "Ann"), name, (), ("hello",)).subject
    assert len(found) <= LONGEST_SUBJECT and found.startswith("[1861-7] press from ") and found.endswith("…")
    assert cut("[1861-7] your stock turn") == "[1861-7] your stock turn"


def test_the_subject_of_an_answer_about_several_games_names_them_all() -> None:
    two = [("1861-1", "[1861-1] your orders: carried out"), ("1844-2", "[1844-2] your orders: refused")]
    assert subject_of_several(two) == "[1861-1] your orders: carried out, [1844-2] your orders: refused"
    three = [*two, ("1841-3", "[1841-3] your orders: carried out")]
    assert subject_of_several(three) == "[1861-1] your orders: carried out, [1844-2], [1841-3]"
    unread = [(f"1861-{n}", f"[1861-{n}] your orders: not readable, nothing changed") for n in range(1, 7)]
    found = subject_of_several(unread)
    assert found == "[1861-1] your orders: not readable, nothing changed, [1861-2] and 4 more"
    assert len(found) <= LONGEST_SUBJECT
