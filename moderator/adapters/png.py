"""Pictures as PNG, drawn from SVG with only the shipped font and in few colours. Equal pictures give equal bytes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

import resvg_py
from PIL import Image

FAMILY: Final = "Railpost Sans"
FONTS: Final = tuple(Path(__file__).with_name("fonts") / f"RailpostSans-{weight}.ttf" for weight in ("Regular", "Bold"))
"""The files of the shipped font. The machine's own fonts are not used: finding them takes ten times as long, and
pictures would differ from machine to machine."""

_COLOR: Final = re.compile(r"#([0-9a-f]{6})\b")
_MOST: Final = 256
"""Most colours of a palette."""
_MIXED: Final = 12
"""Number of the most frequent colours of a picture that get a shade and a tint, for the edges of shapes in these
colours."""
_NEAR: Final = 12
"""Largest difference of a colour channel at which a mixture counts as equal to another colour and is left out."""
_BLACK: Final = (17, 17, 17)
_WHITE: Final = (255, 255, 255)

_Color: TypeAlias = tuple[int, int, int]


def png(svg: str, *, width: int) -> bytes:
    """``svg`` as a PNG file ``width`` pixels wide, opaque, with a palette. Raises ``ValueError`` if it is no SVG.

    The palette has the colours that the SVG names, so areas keep theirs exactly. A letter that the shipped font lacks
    is drawn as a box.
    """
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(path) for path in FONTS],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    with Image.open(BytesIO(drawn)) as image:
        few = image.convert("RGB").quantize(palette=_as_image(palette(svg)), dither=Image.Dither.NONE)
    target = BytesIO()
    few.save(target, "PNG", compress_level=7)
    return target.getvalue()


def palette(svg: str) -> list[_Color]:
    """The colours that a picture names, and mixtures of the most frequent ones."""
    used = Counter(_COLOR.findall(svg))
    return _mixed([_rgb(code) for code in used], [_rgb(code) for code, _ in used.most_common(_MIXED)])


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a picture, as an image that has this palette."""

    colors: tuple[_Color, ...]
    image: Image.Image

    @property
    def flat(self) -> list[int]:
        """The channels of all colours, one after the other."""
        return [part for color in self.colors for part in color]

    def index(self, color: str) -> int:
        """The number of a colour that is in the palette. ``ValueError`` for another one."""
        return self.colors.index(_rgb(color.removeprefix("#")))


@lru_cache(maxsize=64)
def palette_of(inks: tuple[str, ...]) -> Palette:
    """The palette of a picture that names these colours, the most frequent first."""
    named = [_rgb(ink.removeprefix("#")) for ink in inks]
    colors = tuple(_mixed(named, named[:_MIXED]))
    return Palette(colors, _as_image(list(colors)))


def _mixed(named: list[_Color], frequent: list[_Color]) -> list[_Color]:
    shades = [_mix(color, _BLACK, 0.5) for color in frequent]
    tints = [_mix(color, _WHITE, 0.35) for color in frequent]
    found = list(dict.fromkeys([_WHITE, _BLACK, *named]))
    for color in (*shades, *tints):
        if all(max(abs(a - b) for a, b in zip(color, other, strict=True)) > _NEAR for other in found):
            found.append(color)
    return found[:_MOST]


def _rgb(code: str) -> _Color:
    return int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)


def _mix(color: _Color, other: _Color, share: float) -> _Color:
    """``share`` of ``color`` and the rest of ``other``."""
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(color, other, strict=True))
    return red, green, blue


def _as_image(colors: list[_Color]) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for color in colors for part in color])
    return image
