"""Pieces of pictures as files in a folder that several services may share."""

from __future__ import annotations

import hashlib
import logging
import os
import zlib
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final

log = logging.getLogger("railpost")

_MARK: Final = b"railpost piece 1\n"
_DIGEST: Final = 16
_BLOCK: Final = 4096
"""A file takes a multiple of this many bytes of the disk."""
_LEFT: Final = 0.75
"""The share of the most bytes that is left when old files have been deleted."""
_WRITTEN: Final = 0.125
"""The share of the most bytes that one service writes before it deletes old files again."""
_SUFFIX: Final = ".new"


class PieceFiles:
    """Pixels by name. ``most``: the bytes that the files may take on the disk, with two services at the same folder;
    each further service may add an eighth for a while. A file appears at its name only when it is complete. One that is
    damaged is not used, and is written anew. A folder that cannot be used costs time and nothing else: the log says
    so once."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder, self._most = folder, most
        self._written = most
        """Bytes written since old files were deleted last."""
        self._complained = False

    def read(self, name: str, size: int) -> bytes | None:
        """The ``size`` bytes stored under this name; None if there are none, or not these."""
        path = self._folder / name
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(error)
            return None
        packed = content[len(_MARK) + _DIGEST :]
        pixels = _unpacked(packed, size) if content == _file(name, packed) else None
        if pixels is None:
            log.warning("%s is damaged; it is written anew", path)
            return None
        with suppress(OSError):
            os.utime(path)  # it was needed lately
        return pixels

    def write(self, name: str, pixels: bytes) -> None:
        """Store ``pixels`` under this name."""
        content = _file(name, zlib.compress(pixels, 1))
        try:
            try:
                self._put(name, content)
            except FileNotFoundError:  # the first file, or somebody has deleted the folder
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._put(name, content)
            self._written += _on_disk(len(content))
            if self._written > self._most * _WRITTEN:
                self._delete_old()
        except OSError as error:
            self._complain(error)

    def _put(self, name: str, content: bytes) -> None:
        """Write a file elsewhere, then give it its name: nobody reads half of it."""
        handle, new = mkstemp(_SUFFIX, f"{name}.", self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(new).replace(self._folder / name)
        except OSError:
            Path(new).unlink(missing_ok=True)
            raise

    def _delete_old(self) -> None:
        """Delete the files that were not needed for the longest time, if there are too many."""
        self._written = 0
        files = []
        for entry in os.scandir(self._folder):
            with suppress(FileNotFoundError):  # another service deleted it
                found = entry.stat()
                files.append((found.st_mtime_ns, _on_disk(found.st_size), entry.path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most * _LEFT:
                break
            Path(path).unlink(missing_ok=True)
            total -= size

    def _complain(self, error: OSError) -> None:
        if not self._complained:
            log.warning("pieces of pictures cannot be kept in %s: %s", self._folder, error)
        self._complained = True


def _file(name: str, packed: bytes) -> bytes:
    """The content of a file. Its digest covers its name, so that no file is taken for another."""
    return _MARK + hashlib.blake2b(name.encode() + packed, digest_size=_DIGEST).digest() + packed


def _unpacked(packed: bytes, size: int) -> bytes | None:
    """Exactly ``size`` bytes, or None."""
    try:
        pixels = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error:
        return None
    return pixels if len(pixels) == size else None


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
