"""The time and size of the archive of a whole recorded game, for docs/performance.md."""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

import pytest

from moderator.archive.record_files import read_volume
from moderator.archive.site import Site
from moderator.service.play.journal.export import teller
from tests.kit.figures import Say

pytestmark = pytest.mark.bench

LARGEST = 6_000_000
"""Bytes of the files of one game, with scripts, styles and the index."""
LONGEST = 60.0
"""Seconds of the processor."""


@pytest.mark.parametrize("name", ["1861/29683", "1844/160062", "1841/132002"])
def test_the_archive_of_a_game(records: Path, say: Say, tmp_path: Path, name: str) -> None:
    began, clock = time.process_time(), time.perf_counter()
    site = Site(tmp_path / "site")
    volume = read_volume(records / f"{name}.json", "", teller)
    read = time.process_time() - began
    site.add(volume)
    site.finish()
    spent, waited = time.process_time() - began, time.perf_counter() - clock
    files = [path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file()]
    size, packed = sum(map(len, files)), sum(len(gzip.compress(content)) for content in files)
    say(
        f"archive of {name}, {len(volume.game.orders)} orders: {size / 1e6:.2f} MB ({packed / 1e6:.2f} MB packed),"
        f" built in {spent:.1f} s of the processor, {read:.1f} s of them to read and play the record; {waited:.1f} s by"
        f" the clock (load {os.getloadavg()[0]:.1f})"
    )
    assert size <= LARGEST and spent <= LONGEST
