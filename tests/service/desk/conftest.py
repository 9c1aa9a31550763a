"""The fixture by which tests print their figures."""

from __future__ import annotations

import pytest

from tests.kit.figures import Say


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints a figure whatever happens to the output of tests."""

    def print_it(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="")  # noqa: T201 - printing figures is what this is for

    return print_it
