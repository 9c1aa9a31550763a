"""The browser and the desk that the tests of a file share, and the fixture by which they print their figures."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.kit.browser import chromium
from tests.kit.browser.desk import built, hosted
from tests.kit.browser.desk_memory import Memory, leave
from tests.kit.figures import Say
from tests.kit.once import once


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the desk, for all processes of this run."""
    return once(tmp_path_factory, "desk", built)


@pytest.fixture(scope="module")
def own_site(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same files in a folder that other things may stand in."""
    folder = tmp_path_factory.mktemp("desk") / "site"
    shutil.copytree(site, folder, copy_function=os.link)
    return folder


@pytest.fixture(scope="module")
def url(own_site: Path) -> Iterator[str]:
    """The address of a desk that a host on loopback offers."""
    with hosted(own_site) as found:
        yield found


@pytest.fixture(scope="module")
def memory(browser: Browser, url: str, own_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """The memory of Python that an earlier visit to ``url`` has left."""
    folder = once(tmp_path_factory, "memory", lambda folder: leave(browser, url, own_site, folder))
    return Memory.of(url, own_site, folder)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints a figure whatever happens to the output of tests."""

    def print_it(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="")  # noqa: T201 - printing figures is what this is for

    return print_it
