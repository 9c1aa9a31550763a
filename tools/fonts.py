"""The shipped font: a subset of Lato under another name, because its licence reserves the name for the whole font.

python -m tools.fonts FOLDER

FOLDER holds Lato-Regular.ttf and Lato-Bold.ttf of version 2.0 (Debian has them in `fonts-lato`). The subset has the
letters of Latin, Greek and Cyrillic and the signs that pictures and pages use. It has no kerning, so a text is as wide
as its letters together, and `engine/svg` measures it by the table `engine/svg/advances.py`, which is written here too.
So are the outlines of its letters, with which the service draws words sooner than it could read the font.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import TypeAlias

from fontTools.pens.basePen import BasePen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

CHECKOUT = Path(__file__).resolve().parents[1]
TARGET = CHECKOUT / "moderator" / "adapters" / "fonts"
TABLE = CHECKOUT / "engine" / "svg" / "advances.py"
OUTLINES = TARGET / "outlines.json"
FAMILY = "Railpost Sans"
Point: TypeAlias = tuple[float, float]
WEIGHTS = ("Regular", "Bold")
LETTERS = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x1FA, 0x1FF), (0x218, 0x21B), (0x386, 0x3CE), (0x400, 0x45F),
    (0x490, 0x491), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EF2, 0x1EF3),
)  # fmt: skip
SIGNS = "‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€№™←↑→↓−∞≈≠≤≥□"
_ACROSS = 60


def main(source: str) -> None:
    for weight in WEIGHTS:
        font = TTFont(Path(source) / f"Lato-{weight}.ttf", recalcTimestamp=False)
        reduce(font)
        rename(font, weight)
        font.save(font_file(weight))
    TABLE.write_text(table(), encoding="utf-8")
    OUTLINES.write_text(outlines(), encoding="utf-8")


def font_file(weight: str) -> Path:
    return TARGET / f"{FAMILY.replace(' ', '')}-{weight}.ttf"


def reduce(font: TTFont) -> None:
    """Keep the letters that are listed here, without hints, kerning and alternates."""
    options = Options()
    options.hinting = False
    options.layout_features = []
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.name_languages = [0x409]
    options.drop_tables += ["DSIG", "GPOS", "GSUB", "meta"]
    subsetter = Subsetter(options)
    wanted = {code for first, last in LETTERS for code in range(first, last + 1)} | set(map(ord, SIGNS))
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)


def rename(font: TTFont, weight: str) -> None:
    plain = FAMILY.replace(" ", "")
    names = {1: FAMILY, 2: weight, 3: f"{plain}-{weight}", 4: f"{FAMILY} {weight}", 6: f"{plain}-{weight}"}
    for record in font["name"].names:
        if record.nameID in names:
            record.string = names[record.nameID]


def advances() -> dict[str, float]:
    """The advance of each letter of the shipped font in ems, of its wider weight."""
    found: dict[str, float] = {}
    for weight in WEIGHTS:
        font = TTFont(font_file(weight))
        units = font["head"].unitsPerEm
        for code, glyph in font.getBestCmap().items():
            found[chr(code)] = max(found.get(chr(code), 0.0), font["hmtx"][glyph][0] / units)
    return found


class Steps(BasePen):  # type: ignore[misc]
    """Writes an outline as the data of an SVG path, in whole units and in steps from point to point, so that only its
    first point changes when it is moved."""

    def __init__(self, glyphs: object) -> None:
        super().__init__(glyphs)
        self.first: Point | None = None
        self.data = ""
        self._at = self._start = (0, 0)

    def _step(self, kind: str, *points: Point) -> None:
        steps = [f"{round(x) - self._at[0]} {round(y) - self._at[1]}" for x, y in points]
        self.data += kind + " ".join(steps)
        self._at = (round(points[-1][0]), round(points[-1][1]))

    def _moveTo(self, point: Point) -> None:  # noqa: N802
        if self.first is None:
            self.first = self._at = (round(point[0]), round(point[1]))
        else:
            self._step("m", point)
        self._start = self._at

    def _lineTo(self, point: Point) -> None:  # noqa: N802
        self._step("l", point)

    def _qCurveToOne(self, control: Point, point: Point) -> None:  # noqa: N802
        self._step("q", control, point)

    def _closePath(self) -> None:  # noqa: N802
        self.data += "z"
        self._at = self._start


def outlines() -> str:
    """The file with the outlines: weight -> letter -> its advance, the first point of its outline, and the rest as the
    data of an SVG path, all in units of the font. The letter "" is the box for letters that the font lacks."""
    found: dict[str, dict[str, tuple[int, float, float, str]]] = {}
    for weight in WEIGHTS:
        font = TTFont(font_file(weight))
        glyphs, letters = font.getGlyphSet(), {"": ".notdef"}
        letters |= {chr(code): glyph for code, glyph in sorted(font.getBestCmap().items())}
        for letter, glyph in letters.items():
            pen = Steps(glyphs)
            glyphs[glyph].draw(pen)
            found.setdefault(weight, {})[letter] = (font["hmtx"][glyph][0], *(pen.first or (0, 0)), pen.data)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


def table() -> str:
    """The module with the advances, in hundredths of an em, rounded up."""
    groups: dict[int, str] = {}
    for letter, advance in sorted(advances().items()):
        groups.setdefault(ceil(round(advance * 100, 6)), "")
        groups[ceil(round(advance * 100, 6))] += letter
    rows = "".join(line for width, letters in sorted(groups.items()) for line in _row(width, letters))
    return f'''"""Advances of the shipped font's letters in hundredths of an em, of the wider one of regular and bold.

Written by `python -m tools.fonts` from the font.
"""

from __future__ import annotations

from typing import Final

# fmt: off
GROUPS: Final = {{
{rows}}}
# fmt: on
'''


def _row(width: int, letters: str) -> Iterator[str]:
    parts = [letters[i : i + _ACROSS] for i in range(0, len(letters), _ACROSS)]
    strings = [
        json.dumps(part, ensure_ascii=False).replace("\u00a0", "\\xa0").replace("\u00ad", "\\xad") for part in parts
    ]
    if len(strings) == 1:
        yield f"    {width}: {strings[0]},\n"
    else:
        yield f"    {width}: (\n" + "".join(f"        {string}\n" for string in strings) + "    ),\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m tools.fonts FOLDER")
    main(sys.argv[1])
