"""Pictures as PNG: with the shipped font on any machine, in few colours, the same bytes each time."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image

import engine
from engine.svg.elements import escaped
from engine.svg.letters import ADVANCES, ems
from moderator.adapters.png import FAMILY, FONTS, palette, png
from tests.kit.checkout import CHECKOUT
from tools import fonts

TITLES = engine.title_names()


def start(name: str) -> engine.Game:
    return engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="png"))


def image(data: bytes) -> Image.Image:
    found = Image.open(BytesIO(data))
    found.load()
    return found


def line(text: str, size: int = 100, weight: int = 700) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3000 200" font-family="{FAMILY}">'
        f'<text x="0" y="150" font-size="{size}" font-weight="{weight}">{escaped(text)}</text></svg>'
    )


def inked(data: bytes) -> tuple[int, int, int, int] | None:
    """The rectangle round what is not white."""
    found = image(data).convert("L").point([255 if i < 200 else 0 for i in range(256)]).getbbox()
    return None if found is None else (int(found[0]), int(found[1]), int(found[2]), int(found[3]))


@pytest.mark.parametrize("name", TITLES)
def test_a_map_keeps_its_size_and_colours(name: str) -> None:
    svg = start(name).board_svg()
    data = png(svg, width=780)
    found = image(data)
    assert found.format == "PNG"
    assert found.mode == "P"
    assert found.width == 780
    counts = found.convert("RGB").getcolors(256)
    assert counts is not None, "more colours than a palette has"
    assert {color for _, color in counts} <= set(palette(svg))
    assert {(0xF3, 0xEF, 0xE3), (255, 255, 255)} <= {color for _, color in counts}
    assert len(data) < 80_000
    assert data == png(svg, width=780)


def test_text_is_there_without_any_font_of_the_machine() -> None:
    assert inked(png(line(""), width=300)) is None
    assert inked(png(line("Москва 40"), width=300)) is not None
    box = inked(png(line("한"), width=300))  # a letter that the font lacks has a box
    assert box is not None


@pytest.mark.parametrize("weight", [400, 700])
@pytest.mark.parametrize("text", ["0123456789", "Winterthur & Frauenfeld", "St. Petersburg", "Ekaterinoslav", "MOB"])
def test_text_takes_the_room_that_it_was_measured_to_take(text: str, weight: int) -> None:
    box = inked(png(line(text, 100, weight), width=3000))
    assert box is not None
    drawn, measured = box[2], ems(text) * 100  # from the beginning of the text
    assert drawn <= measured <= drawn * 1.12


def test_the_table_of_advances_is_that_of_the_font() -> None:
    true = fonts.advances()
    assert true.keys() == ADVANCES.keys()
    assert {
        letter: ADVANCES[letter] for letter, width in true.items() if not 0 <= ADVANCES[letter] - width < 0.0101
    } == {}
    assert fonts.TABLE.read_text(encoding="utf-8") == fonts.table()


def test_the_font_has_every_letter_of_the_titles_and_is_small() -> None:
    names = {hex.name for name in TITLES for hex in engine.load_title(name).map.hexes.values()}
    companies = {str(company) for name in TITLES for company in engine.load_title(name).companies}
    assert set("".join(names | companies)) <= ADVANCES.keys()
    assert [path.stat().st_size < 100_000 for path in FONTS] == [True, True]
    assert "SIL OPEN FONT LICENSE" in (FONTS[0].parent / "OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("broken", ["", "<svg", "no picture", "<p>text</p>"])
def test_what_is_no_svg_is_refused(broken: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        png(broken, width=100)


_DRAW = """
import hashlib, engine
from moderator.adapters.png import png
game = engine.Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), seed="x"))
print(hashlib.sha256(png(game.board_svg(), width=390)).hexdigest())
"""


def test_every_process_draws_the_same() -> None:
    drawn = {
        subprocess.run(
            [sys.executable, "-c", _DRAW],
            cwd=CHECKOUT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1
