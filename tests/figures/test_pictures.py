"""The time and size of pictures, for docs/performance.md. Nothing here fails because a machine is slow."""

from __future__ import annotations

import gc
import os
import statistics
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from engine import svg
from engine.svg import labels as labels_of
from engine.svg import lettering, stations, stops, track
from moderator.adapters.png import png
from tests.figures.test_engine import imported
from tests.kit.figures import Say

pytestmark = pytest.mark.bench

_KEPT = (
    labels_of.labels, lettering.labels_svg, stations.stations_svg, stops.spots, track.pieces, track.track_svg,
    track.tunnels_svg,
)  # fmt: skip
"""Values that are worked out once for each face and kept."""


Drawn = TypeVar("Drawn")


def timed(draw: Callable[[], Drawn]) -> tuple[float, Drawn]:
    """Milliseconds of the processor, so that others who use it count less; and what was drawn."""
    gc.collect()
    began = time.process_time()
    picture = draw()
    return (time.process_time() - began) * 1000, picture


@pytest.mark.parametrize("name", ["1861/29683", "1844/160062", "1841/132002"])
def test_a_map_1200_pixels_wide(records: Path, say: Say, name: str) -> None:
    game = imported(records / f"{name}.json")
    first, _ = timed(lambda: svg.board_svg(game.title, game.state, size=1200))
    again = []
    for number in range(len(game.orders) - 40, len(game.orders)):
        state = game.at(number)  # each position as a mail would show it, after the one before
        again.append(timed(lambda state=state: svg.board_svg(game.title, state, size=1200))[0])  # type: ignore[misc]
    for kept in _KEPT:
        kept.cache_clear()
    cold, picture = timed(lambda: svg.board_svg(game.title, game.state, size=1200))
    packed = len(zlib.compress(picture.encode()))
    as_png = [timed(lambda: png(picture, width=1200)) for _ in range(9)]
    say(
        f"map of {name}, 1200 px: {statistics.median(again):.1f} ms (median of 40 positions),"
        f" {cold:.0f} ms with nothing kept, {first:.0f} ms the first time in a process;"
        f" {len(picture) / 1000:.0f} kB, {packed / 1000:.0f} kB packed;"
        f" as PNG {statistics.median(ms for ms, _ in as_png):.0f} ms, at best {min(as_png)[0]:.0f} ms,"
        f" {len(as_png[0][1]) / 1000:.0f} kB (load {os.getloadavg()[0]:.1f})"
    )
    assert picture.startswith("<svg")
