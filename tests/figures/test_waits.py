"""How often tables wait for a mail over whole games, with attentive players under each policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.figures import Say
from tests.kit.waits.attentive import Policy, play
from tests.kit.waits.by_mail import send_all
from tests.kit.waits.games import GAMES, RECORDED, course_of
from tests.kit.waits.policies import ALL, KnowingOneself

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("policy", ALL, ids=lambda policy: policy.name)
@pytest.mark.parametrize("name", GAMES)
def test_waits(name: str, policy: Policy, request: pytest.FixtureRequest, tmp_path: Path, say: Say) -> None:
    """The service counts what the short table counts, and the game is the same order by order."""
    course = course_of(name, request.getfixturevalue("records") if name in RECORDED else None)
    played = play(course, policy)
    mailed = send_all(tmp_path, played)
    assert mailed.refused == []
    assert sum(mailed.waits.values()) == played.waits
    assert mailed.standings == course.end.standings() and mailed.orders == len(course.steps)
    each = mailed.received.total() / len(course.players) / course.rounds
    said = f"{name}: who is asked changes {course.changes} times; {policy.name}: {played.waits} waits,"
    say(f"{said} {len(played.mails)} mails written, {each:.1f} received per player and round")
    if isinstance(policy, KnowingOneself):
        second = played.kinds(second=True)
        left = (f"{kind} {count} ({second[kind]})" for kind, count in played.kinds().most_common())
        say(f"    what is left (in brackets: the next but one when he last wrote): {', '.join(left)}")
