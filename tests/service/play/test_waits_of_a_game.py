"""Attentive players under each policy: a known game is played once more by mail, and its waits are counted.

Samples of games; the whole ones are in `tests/figures/test_waits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import orders as o
from engine.core.ids import PlayerId
from tests.kit.waits.attentive import Ahead, Moment, play
from tests.kit.waits.by_mail import send_all
from tests.kit.waits.course import Course
from tests.kit.waits.games import course_of
from tests.kit.waits.policies import ALL, FixedRules, KnowingOneself, Naive, WholeTurn

FIRST = 100
"""Orders of the sample."""


@pytest.fixture(scope="module", params=["1861/29683", "1867 of robots"])
def course(request: pytest.FixtureRequest) -> Course:
    recorded = request.getfixturevalue("records") if "/" in request.param else None
    return course_of(request.param, recorded, FIRST)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("policy", ALL, ids=lambda policy: policy.name)
def test_the_service_counts_the_same_and_the_game_is_the_same(course: Course, policy: object, tmp_path: Path) -> None:
    played = play(course, policy)  # type: ignore[arg-type]
    mailed = send_all(tmp_path, played)
    assert mailed.refused == []
    assert sum(mailed.waits.values()) == played.waits
    assert mailed.orders == len(course.steps) and mailed.standings == course.end.standings()


def test_whoever_says_more_in_a_mail_is_waited_for_less(course: Course) -> None:
    naive, whole, knowing, rules = (
        play(course, policy).waits for policy in (Naive(), WholeTurn(), KnowingOneself(), FixedRules())
    )
    assert knowing < rules <= whole < naive


def test_without_orders_ahead_a_whole_turn_is_a_wait_for_each_change_of_who_is_asked(course: Course) -> None:
    played = play(course, WholeTurn())
    assert all(mail.waited for mail in played.mails)
    assert abs(played.waits - course.changes) <= 2  # the last change is to nobody; a consent in between is one more


class Reckless(KnowingOneself):
    """Wants the next lot at any price, and passes in each stock round."""

    name = "reckless"

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        player = PlayerId(moment.player)
        lots = [
            Ahead(("lot", lot), ("lot", lot), (player, (o.Limit(player, 500, lot),)))  # type: ignore[arg-type]
            for lot in moment.table.game.lots_to_come()[:1]
        ]
        return [*lots, Ahead(("pass", len(moment.past)), ("stock.turn", player), (player, (o.Pass(player),)))]


def test_orders_ahead_that_would_lead_elsewhere_are_not_given(course: Course) -> None:
    played = play(course, Reckless())  # the harness compares each order with the course
    assert played.withdrawn > 0
    assert played.waits <= play(course, WholeTurn()).waits


def test_a_policy_sees_no_later_order_of_others(course: Course) -> None:
    class Curious(WholeTurn):
        def __init__(self) -> None:
            self.seen: list[Moment] = []

        def ahead(self, moment: Moment) -> Sequence[Ahead]:
            self.seen.append(moment)
            return ()

    curious = Curious()
    play(course, curious)
    assert curious.seen
    for moment in curious.seen:
        assert {piece.first.player for piece in moment.own} <= {moment.player}
        assert all(piece.first.number >= len(moment.past) for piece in moment.own)
        assert len(moment.table.game.orders) >= len(moment.past)


def test_a_wrong_course_is_noticed(course: Course) -> None:
    other = Course(course.name, course.start, [(PlayerId(s.player), s.order) for s in course.steps[:20]])
    other.steps[10] = replace(other.steps[10], events=())
    with pytest.raises(AssertionError, match="no mail gives step"):
        play(other, WholeTurn())
