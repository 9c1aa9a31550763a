"""Files and folders that hold secrets. Only the service's own user may read them, whatever the umask is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
_OTHERS: Final = 0o077


def make_private(path: Path) -> None:
    """Create ``path`` as an empty file of mode 0600 if it does not exist. An existing file keeps its mode."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def make_private_folder(path: Path) -> None:
    """Create the folder ``path``, and those above it that do not exist, with mode 0700. Existing ones keep theirs."""
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def is_open_to_others(path: Path) -> bool:
    """True if anybody but its owner has any right to ``path``; False if the file does not exist."""
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except FileNotFoundError:
        return False
