"""Numbers, texts and elements in the form of an SVG file, and the text type that notebooks show as a picture."""

from __future__ import annotations

from typing import Final

FONTS: Final = "Railpost Sans,Lato,Carlito,Helvetica,Arial,sans-serif"
"""Font families: first the shipped font, by which text is measured, then others that are similarly narrow."""


class Svg(str):
    """An SVG picture: a text that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def number(value: float) -> str:
    """A length with at most one decimal place."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") and text != "-0.0" else "0" if text == "-0.0" else text


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_FORBIDDEN: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), "�")
"""Characters that an XML file must not contain, with their replacement."""
_SURROGATES: Final = range(0xD800, 0xE000)


def escaped(text: str) -> str:
    """Any text, escaped for an element or an attribute."""
    if not text.isprintable():
        text = "".join("\N{REPLACEMENT CHARACTER}" if ord(c) in _SURROGATES else c for c in text)
    return text.translate(_FORBIDDEN).translate(_ESCAPES)


def group(content: str, kind: str) -> str:
    """A group of elements; empty if ``content`` is empty."""
    return f'<g class="{kind}">{content}</g>' if content else ""


def text(x: float, y: float, size: float, content: str, extra: str = "") -> str:
    """A text with its centre at ``x``, ``y``."""
    place = f'x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{number(size)}"'
    return f"<text {place}{extra}>{escaped(content)}</text>"


def picture(
    content: str, box: tuple[float, float, float, float], size: float | None, title: str, background: str = "#ffffff"
) -> Svg:
    """The complete file. ``box``: left, top, width and height in the picture's own unit. ``size``: its width in pixels;
    None leaves it to the program that shows the picture."""
    left, top, width, height = (number(v) for v in box)
    pixels = "" if size is None else f' width="{number(size)}" height="{number(size * box[3] / box[2])}"'
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}"{pixels} role="img"'
        f' font-family="{FONTS}" text-anchor="middle"><title>{escaped(title)}</title>'
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{background}"'
        f' shape-rendering="crispEdges"/>{content}</svg>\n'
    )
