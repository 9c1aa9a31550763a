"""A file to which lines are only added: one JSON object each, on the disk when ``append`` returns."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from moderator.adapters.files import PRIVATE


class Journal:
    """``path`` is made, with mode 0600, by the first line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, objects: Iterable[dict[str, Any]]) -> None:
        """Add a line for each of ``objects``. ``OSError`` if they are not safely on the disk."""
        text = "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in objects)
        if not text:
            return
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        try:
            size = os.fstat(file).st_size
            if size and os.pread(file, 1, size - 1) != b"\n":  # the machine stopped in the midst of a line
                text = "\n" + text
            left = text.encode()
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        finally:
            os.close(file)
        if is_new:
            _sync_folder(self.path.parent)

    def read(self) -> Iterator[tuple[int, Any]]:
        """Each line's number and what it holds, None if that is no JSON. Nothing of a file that is not there;
        ``OSError`` if it cannot be read."""
        if not self.path.exists():
            return
        for number, line in enumerate(self.path.read_bytes().split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            yield number, found


def _sync_folder(folder: Path) -> None:
    """A file's name is safe only when its folder is written, too."""
    entry = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(entry)
    finally:
        os.close(entry)
