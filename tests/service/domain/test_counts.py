"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from moderator.domain.counts import counted


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("order",), "0 orders"),
        (1, ("order",), "1 order"),
        (2, ("order",), "2 orders"),
        (1, ("pass", "passes"), "1 pass"),
        (2, ("pass", "passes"), "2 passes"),
        (-1, ("order",), "-1 orders"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, nouns: tuple[str, ...], said: str) -> None:
    assert counted(number, *nouns) == said
