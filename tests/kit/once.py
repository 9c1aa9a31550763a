"""Things that take long to make and never change, made once for all processes of a run of the tests."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder ``name`` of this run: the first process that needs it calls ``make`` with it, and the others wait.
    Nobody may write to it later."""
    own = temporary.getbasetemp()
    folder = (own.parent if own.name.startswith("popen-") else own) / f"once-{name}"
    with _alone(folder.with_suffix(".lock")):
        if not folder.exists():
            making = folder.with_suffix(".making")
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            make(making)
            making.rename(folder)
    return folder


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one process at a time do something."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
