"""A picture in layers, each divided into parts, for a series of pictures in which only a few parts change from one to
the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.svg.elements import Svg, picture


@dataclass(frozen=True, slots=True)
class Layer:
    """Everything on one level of a picture. ``parts``: the subject of a part (a hex, a space of the chart; "" for the
    whole) -> its elements, in the order of drawing. ``style``: the attributes of the group."""

    name: str
    parts: Mapping[str, str]
    style: str = ""

    def __str__(self) -> str:
        content = "".join(self.parts.values())
        return f'<g class="{self.name}"{self.style}>{content}</g>' if content else ""


@dataclass(frozen=True, slots=True)
class Layered:
    """A picture as layers, the lowest first. ``box``: left, top, width and height in its own unit.
    ``background``: the colour of the paper."""

    title: str
    box: tuple[float, float, float, float]
    layers: tuple[Layer, ...]
    background: str = "#ffffff"

    def svg(self, size: float | None = None) -> Svg:
        """The complete file. ``size``: its width in pixels."""
        return picture("".join(map(str, self.layers)), self.box, size, self.title, self.background)


def whole(name: str, content: str, style: str = "") -> Layer:
    """A layer with a single part."""
    return Layer(name, {"": content} if content else {}, style)
