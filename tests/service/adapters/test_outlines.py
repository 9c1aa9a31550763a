"""Words as outlines: the letters of the shipped font, where a text would have them."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
import resvg_py
from PIL import Image, ImageChops

import engine
from engine.svg.elements import FONTS, text
from engine.svg.mosaic import board_mosaic
from moderator.adapters import outlines, png
from moderator.adapters.outlines import outlined
from tools import fonts

WORDS = ("St. Petersburg", "Zürich & Łódź", "Москва 40", "»CGR", "23 (4)", "<1/2>", "한 ?")


def drawn(content: str) -> Image.Image:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60" width="800" height="120" text-anchor="middle"'
        f' font-family="{FONTS}"><rect width="400" height="60" fill="#ffffff"/>{content}</svg>'
    )
    files = [str(path) for path in png.FONTS]
    data = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=files, font_family=png.FAMILY)
    with Image.open(BytesIO(data)) as image:
        return image.convert("L")


def test_the_file_of_outlines_is_that_of_the_font() -> None:
    assert outlines.FILE.read_text(encoding="utf-8") == fonts.outlines()


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(
    "style", ["", ' font-weight="700"', ' text-anchor="start"', ' fill="#c2185b" font-weight="400"']
)
@pytest.mark.parametrize("group", ["{}", '<g font-weight="700">{}</g>', '<g fill="#003fbf"><g>{}</g></g>'])
def test_outlines_look_like_the_text(words: str, style: str, group: str) -> None:
    content = group.format(text(200, 30, 24, words, style))
    assert "<text" not in outlined(content)
    one, other = drawn(content), drawn(outlined(content))
    worst = max(value for value, count in enumerate(ImageChops.difference(one, other).histogram()) if count)
    assert worst <= 48
    assert sum(one.histogram()[:200]) > 20, "nothing was drawn"


@pytest.mark.parametrize("name", engine.title_names())
def test_no_text_is_left_in_a_map(name: str) -> None:
    game = engine.Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="outlines"))
    for _, piece in board_mosaic(game.title, game.state, width=1000).pieces:
        found = outlined(piece.svg)
        assert "<text" not in found and found.count("<g") == found.count("</g>")
        assert bool(re.search("<text", piece.svg)) == (found != piece.svg)
