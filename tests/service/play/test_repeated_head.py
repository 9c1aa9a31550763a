"""A head before each line, as an example of the mail has it, means one turn."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from grammar import read
from moderator.domain.section import going_on
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.course_1861 import minor, operating_turn
from tests.kit.games.situations import situation
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at


@pytest.mark.parametrize(
    ("text", "one_turn"),
    [
        ("N: lay 8 B4 1\nN: run best", True),
        ("N: run best\nN: train 3", True),
        ("N: lay 8 B4 1\nN: lay 9 B6 1\nN: run best\nN: done", True),
        ("N: run best\nN: run best", False),  # this turn and the next one
        ("N: train 3\nN: lay 8 B4 1", False),
        ("N: run best; done\nN: train 3", False),
    ],
)
def test_lines_with_the_same_head_are_one_turn_if_they_come_one_after_the_other_in_it(
    text: str, one_turn: bool
) -> None:
    title = engine.load_title("1861")
    sections = read(text, vocabulary(title)).sections
    assert len(sections) > 1
    assert going_on(sections) == ({n: n + 1 for n in range(len(sections) - 1)} if one_turn else {})


def test_each_line_of_a_turn_may_have_the_head_of_its_company(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    game = begin_at(service, "1861", operating_turn(situation(minor("N", "Ann", trains="2")), "N").state)
    answer = service.say("Ann", "N: lay 637 H8 0\nN: run best\nN: done\n")
    assert answer is not None and "kept for" not in answer.text
    assert [line for line in service.log(game) if line.startswith("N:")] == [
        "N: lay 637 H8 0",
        "N: run best",
        "N: done",
    ]
