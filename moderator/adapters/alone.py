"""A lock on a folder, for processes of one machine that would write the same files."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Yields True while no other process is alone in the ``folder``, which is created if it does not exist; False if
    one is. The lock of a process that is killed ends with it."""
    folder.mkdir(parents=True, exist_ok=True)
    entry = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(entry, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(entry)
