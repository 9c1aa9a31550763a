"""Words of a picture as the outlines of their letters. A small picture is drawn much sooner so than with the font,
which the drawing library reads anew for each picture."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("fonts") / "outlines.json"
"""The outlines of the shipped font. ``python -m tools.fonts`` writes them."""
_EM: Final = 2000
"""The units of the font in its size."""
_ELEMENT: Final = re.compile(
    r'<text x="([^"]+)" y="([^"]+)" font-size="([^"]+)"([^>]*)>([^<]*)</text>|<g\b([^>]*)>|</g>'
)
_WEIGHT: Final = re.compile(r'font-weight="(\d+)"')
_OTHERS: Final = re.compile(r' (?:font-weight|text-anchor)="[^"]*"')


def outlined(content: str) -> str:
    """The elements of a picture without any text. Its texts are those of ``engine.svg.elements.text``; their weight
    is their own or that of a group, and they are centred or begin at their place."""
    found, end, weights = list[str](), 0, ["400"]
    for element in _ELEMENT.finditer(content):
        x, y, size, style, words, group = element.groups()
        if words is not None:
            found.append(content[end : element.start()])
            weight = _WEIGHT.search(style)
            found.append(_text(x, y, size, style, unescape(words), weight[1] if weight else weights[-1]))
            end = element.end()
        elif group is not None:
            weight = _WEIGHT.search(group)
            weights.append(weight[1] if weight else weights[-1])
        else:
            weights.pop()
    return "".join((*found, content[end:]))


def _text(x: str, y: str, size: str, style: str, words: str, weight: str) -> str:
    data, width = _outline(words, "Bold" if weight == "700" else "Regular")
    scale = float(size) / _EM
    left = float(x) - (0 if 'text-anchor="start"' in style else width * scale / 2)
    return f'<path transform="matrix({scale:.6g} 0 0 -{scale:.6g} {left:.3f} {y})"{_OTHERS.sub("", style)} d="{data}"/>'


@lru_cache(maxsize=4096)
def _outline(words: str, weight: str) -> tuple[str, int]:
    """The letters beside each other as the data of one path, which is drawn sooner than many, and their width; in units
    of the font."""
    letters, found, at = _outlines()[weight], list[str](), 0
    for letter in words:
        advance, x, y, data = letters.get(letter) or letters[""]
        if data:
            found.append(f"M{x + at} {y}{data}")
        at += advance
    return "".join(found), at


@cache
def _outlines() -> dict[str, dict[str, tuple[int, int, int, str]]]:
    read: dict[str, dict[str, tuple[int, int, int, str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return read
