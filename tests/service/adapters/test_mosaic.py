"""Pictures from pieces: the same with and without what was kept, within bounds, and whatever happens to the files."""

from __future__ import annotations

import hashlib
import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import engine
from engine import svg
from engine.robots import sensible
from engine.svg.mosaic import Mosaic, board_mosaic
from moderator.adapters.mosaic import Pieces
from moderator.adapters.piece_files import PieceFiles
from moderator.adapters.png import palette_of, png
from tests.kit.checkout import CHECKOUT
from tests.kit.png_positions import Kept, pictures_of, robots_game

TITLES = engine.title_names()
MOST = 20_000_000
BLOCK = 4096


def played(name: str, orders: int) -> engine.Game:
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="mosaic"))
    while len(game.orders) < orders:
        assert game.submit(sensible(game, game.asked()[0]))
    return game


@pytest.fixture(scope="module")
def maps() -> list[Mosaic]:
    """The map in three positions of a game."""
    game = played("1861", 160)
    return [board_mosaic(game.title, game.at(number), width=500) for number in (0, 80, 160)]


@pytest.fixture(scope="module")
def right(maps: list[Mosaic]) -> list[bytes]:
    """The pictures, drawn without anything kept."""
    nothing = Pieces(0)
    return [nothing.png(mosaic) for mosaic in maps]


def on_disk(folder: Path) -> int:
    return sum(-(-path.stat().st_size // BLOCK) * BLOCK for path in folder.iterdir())


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_what_was_kept_changes_no_pixel(name: str, tmp_path: Path) -> None:
    """The long proof sees 100 positions of each title."""
    chance, stores = random.Random(name), Kept(Pieces(MOST, tmp_path), Pieces(0))
    for game in robots_game(name, seed=1, every=70, most=210):
        for mosaic in pictures_of(game, chance):
            stores.check(mosaic)
    assert 0 < stores.kept.drawn < stores.anew.drawn


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("dark", [False, True])
def test_a_map_in_pieces_looks_like_the_map_drawn_whole(name: str, dark: bool) -> None:
    game = played(name, 200)
    mosaic = board_mosaic(game.title, game.state, width=1000, dark=dark)
    pieces = image(Pieces(0).png(mosaic))
    whole, early = (
        image(png(svg.board_svg(game.title, state, size=1000, dark=dark), width=1000)).resize(pieces.size)
        for state in (game.state, game.at(0))
    )
    assert pieces.size == mosaic.size
    assert difference(pieces, whole) < 9 < difference(pieces, early)


def image(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as found:
        return found.convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of a channel, after the pictures were reduced to a quarter: lines may lie a pixel aside."""
    small = [
        picture.resize((picture.width // 4, picture.height // 4), Image.Resampling.BOX) for picture in (one, other)
    ]
    return sum(ImageStat.Stat(ImageChops.difference(*small)).rms) / 3


def test_a_palette_has_the_colours_of_the_title_exactly(maps: list[Mosaic], right: list[bytes]) -> None:
    colors = palette_of(maps[0].inks)
    assert len(colors.colors) <= 256
    counts = image(right[2]).getcolors(256)
    assert counts is not None and {color for _, color in counts} <= set(colors.colors)
    assert {(0xF3, 0xEF, 0xE3), (0xFD, 0xD4, 0x14)} <= {color for _, color in counts}


def test_a_picture_costs_only_its_new_pieces(maps: list[Mosaic], tmp_path: Path) -> None:
    pieces = Pieces(MOST, tmp_path)
    drawn = []
    for mosaic in (*maps, maps[0], maps[2]):
        before = pieces.drawn
        pieces.png(mosaic)
        drawn.append(pieces.drawn - before)
    assert drawn[0] > drawn[1] > 0 and drawn[3:] == [0, 0]
    assert Pieces(MOST, tmp_path).png(maps[0]) == pieces.png(maps[0])


def test_memory_is_bounded(maps: list[Mosaic], right: list[bytes]) -> None:
    pieces = Pieces(60_000)
    for mosaic, wanted in zip(maps * 2, right * 2, strict=True):
        assert pieces.png(mosaic) == wanted
        assert 0 < pieces.bytes <= 60_000


def test_the_folder_is_bounded(maps: list[Mosaic], right: list[bytes], tmp_path: Path) -> None:
    most = 60 * BLOCK
    one, other = Pieces(most, tmp_path), Pieces(most, tmp_path)
    for mosaic, wanted in zip(maps * 2, right * 2, strict=True):
        for pieces in (one, other):
            assert pieces.png(mosaic) == wanted
            assert 0 < on_disk(tmp_path) <= most
    assert one.drawn > 60


def test_files_that_were_needed_lately_stay(maps: list[Mosaic], tmp_path: Path) -> None:
    names = []
    for number, mosaic in ((0, maps[0]), (2, maps[2])):
        Pieces(MOST, tmp_path / str(number)).png(mosaic)
        names.append({path.name for path in (tmp_path / str(number)).iterdir()})
    shared, early, late = names[0] & names[1], names[0] - names[1], names[1] - names[0]
    assert len(early) > 5 and len(late) > 5
    folder = tmp_path / "0"
    for path in folder.iterdir():
        os.utime(path, (1, 1))
    bound = (len(shared | late) + 3) * BLOCK * 4 // 3 + BLOCK
    Pieces(bound, folder).png(maps[2])
    PieceFiles(folder, bound).write("f" * 32, b"one more")
    left = {path.name for path in folder.iterdir()}
    assert shared | late < left and early - left


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def other(path: Path) -> None:
    """Another piece's file, whole and of the same size in pixels."""
    path.write_bytes(max((p for p in path.parent.iterdir() if p != path), key=lambda p: p.stat().st_size).read_bytes())


@pytest.mark.parametrize("spoil", [cut, flip, empty, longer, other])
def test_a_damaged_file_is_not_used(
    maps: list[Mosaic], right: list[bytes], tmp_path: Path, spoil: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    Pieces(MOST, tmp_path).png(maps[0])
    files = sorted(tmp_path.iterdir())
    whole = [path.read_bytes() for path in files]
    for path in files:
        spoil(path)
    spoiled = [path for path, content in zip(files, whole, strict=True) if path.read_bytes() != content]
    again = Pieces(MOST, tmp_path)
    assert again.png(maps[0]) == right[0]
    assert again.drawn == len(spoiled) > 0
    assert "is damaged; it is written anew" in caplog.text
    assert [path.read_bytes() for path in files] == whole


def test_a_file_half_written_is_not_used(
    maps: list[Mosaic], right: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that stops while it writes leaves a file that has not got its name yet."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            Pieces(MOST, tmp_path).png(maps[0])
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".new"
    again = Pieces(MOST, tmp_path)
    assert again.png(maps[0]) == right[0]
    assert again.drawn == len({piece for _, piece in maps[0].pieces})


def test_a_folder_that_cannot_be_used_is_reported_once(
    maps: list[Mosaic], right: list[bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "pictures"
    place.write_text("a file")
    pieces = Pieces(MOST, place)
    with caplog.at_level(logging.WARNING):
        assert [pieces.png(mosaic) for mosaic in maps] == right
    assert caplog.text.count("cannot be kept") == 1


def test_a_folder_may_be_deleted_at_any_time(maps: list[Mosaic], right: list[bytes], tmp_path: Path) -> None:
    place = tmp_path / "pictures"
    pieces = Pieces(MOST, place)
    assert pieces.png(maps[0]) == right[0]
    for path in place.iterdir():
        path.unlink()
    place.rmdir()
    assert pieces.png(maps[1]) == right[1]
    assert place.is_dir()


_DRAW = """
import hashlib, sys
from pathlib import Path
from moderator.adapters.mosaic import Pieces
from tests.service.adapters.test_mosaic import MOST, board_mosaic, played
game = played("1861", 160)
pieces = Pieces(MOST, Path(sys.argv[1]))
drawn = [pieces.png(board_mosaic(game.title, game.at(number), width=500)) for number in (0, 80, 160) * 2]
print(hashlib.sha256(b"".join(drawn)).hexdigest(), pieces.drawn)
"""


def test_two_processes_share_a_folder(maps: list[Mosaic], right: list[bytes], tmp_path: Path) -> None:
    wanted = hashlib.sha256(b"".join(right * 2)).hexdigest()
    command = [sys.executable, "-c", _DRAW, str(tmp_path)]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)

    together = [start() for _ in range(2)]
    assert [process.communicate()[0].split()[0] for process in together] == [wanted, wanted]
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".new"]
    assert start().communicate()[0].split() == [wanted, "0"], "a third process finds every piece drawn"
