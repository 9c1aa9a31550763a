"""The time and size of pictures, for docs/performance.md. Nothing here fails because a machine is slow."""

from __future__ import annotations

import gc
import os
import statistics
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import pytest

import engine
from engine import svg
from engine.robots import sensible
from engine.svg import labels as labels_of
from engine.svg import lettering, stations, stops, track
from moderator import render
from moderator.adapters.mosaic import Pieces
from moderator.adapters.png import png
from moderator.domain.pictures import Picture
from moderator.render.pictures import drawn, in_pieces
from tests.figures.test_engine import imported
from tests.kit.figures import Say
from tests.kit.games.render_games import info

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


@pytest.mark.parametrize("name", engine.title_names())
def test_pictures_of_turn_mails(say: Say, name: str, tmp_path: Path) -> None:
    """All pictures of every turn mail of a game between robots, drawn whole and from pieces, one after the other."""
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="a seed"))
    pieces, told, asked = Pieces(64_000_000, tmp_path), dict[str, int](), ""
    times: list[tuple[float, float]] = []
    while not game.finished:
        ask = game.asked()[0]
        if ask.player != asked:
            asked = ask.player
            mail = render.turn_mail(game, info(game, asked), asked, told.get(asked, 0))
            told[asked] = len(game.orders)
            if mail.pictures:
                times.append(_both(game, mail.pictures, pieces, first_whole=len(times) % 2 == 0))
        assert game.submit(sensible(game, ask))
    whole, kept = (sorted(one) for one in zip(*times, strict=True))
    say(
        f"pictures of {len(times)} turn mails of {name}: median {statistics.median(whole):.0f} ms drawn whole,"
        f" {statistics.median(kept):.0f} ms from pieces; 95 % {whole[len(whole) * 95 // 100]:.0f} and"
        f" {kept[len(kept) * 95 // 100]:.0f} ms; {pieces.drawn} pieces drawn, {pieces.bytes / 1e6:.0f} MB in memory"
        f" (load {os.getloadavg()[0]:.1f})"
    )
    assert statistics.median(kept) < statistics.median(whole)


def _both(game: engine.Game, pictures: Iterable[Picture], pieces: Pieces, *, first_whole: bool) -> tuple[float, float]:
    """Milliseconds for the pictures of a mail drawn whole, and from pieces."""

    def whole() -> None:
        for picture in pictures:
            shown = drawn(game, picture)
            png(shown.svg, width=shown.width)

    def kept() -> None:
        for picture in pictures:
            mosaic = in_pieces(game, picture)
            assert mosaic is not None
            pieces.png(mosaic)

    if first_whole:
        return timed(whole)[0], timed(kept)[0]
    later = timed(kept)[0]
    return timed(whole)[0], later
