"""An append-only file with one JSON object per line. Each line is on the disk when ``append`` returns."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from moderator.adapters.files import PRIVATE, make_private_folder


class Journal:
    """A journal in ``path``. The first line written creates the file, with mode 0600."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, objects: Iterable[dict[str, Any]]) -> None:
        """Add a line for each of ``objects``. Raises ``OSError`` if they are not safely on the disk."""
        text = "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in objects)
        if not text:
            return
        is_new = not self.path.exists()
        make_private_folder(self.path.parent)
        file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
        try:
            size = os.fstat(file).st_size
            if size and os.pread(file, 1, size - 1) != b"\n":  # the machine stopped in the middle of a line
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
        """The number of each line and the object in it; None if the line is not JSON. Yields nothing if the file does
        not exist. Raises ``OSError`` if it cannot be read."""
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
    """Flush the folder to the disk: the name of a file is safe only when its folder is written, too."""
    entry = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(entry)
    finally:
        os.close(entry)
