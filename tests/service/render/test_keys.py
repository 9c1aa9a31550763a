"""What the moderator itself refuses has words, as what the rules refuse has."""

from __future__ import annotations

import re

import pytest

from moderator.words.texts import words
from tests.kit.checkout import CHECKOUT

MODERATOR = CHECKOUT / "moderator"
FAILURE = re.compile(r"""\bFailure\(\s*"([a-z_.]+)\"""")
KEYS = sorted({key for path in MODERATOR.rglob("*.py") for key in FAILURE.findall(path.read_text(encoding="utf-8"))})


def test_the_keys_are_found() -> None:
    assert "seat.not_yours" in KEYS


@pytest.mark.parametrize("key", KEYS)
def test_every_refusal_of_the_moderator_has_words(key: str) -> None:
    assert words("en").find("checks", key) is not None
