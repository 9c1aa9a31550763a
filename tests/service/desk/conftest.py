"""The browser and the desk that the tests of a file share, and the fixture by which they print their figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.kit.browser import chromium
from tests.kit.browser.desk import hosted
from tests.kit.figures import Say


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a desk that a host on loopback offers."""
    with hosted(tmp_path_factory.mktemp("desk") / "site") as found:
        yield found


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints a figure whatever happens to the output of tests."""

    def print_it(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="")  # noqa: T201 - printing figures is what this is for

    return print_it
