"""A picture in layers, and each layer in the parts that it is made of: what a series of pictures needs, of which one
differs from the next in a few parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.svg.writing import Svg, picture


@dataclass(frozen=True, slots=True)
class Layer:
    """Everything that lies on one level. ``parts``: what it is about (a hex, a space of the chart; "" for the whole)
    -> its elements, in the order of drawing. ``style``: attributes of the group."""

    name: str
    parts: Mapping[str, str]
    style: str = ""

    def __str__(self) -> str:
        content = "".join(self.parts.values())
        return f'<g class="{self.name}"{self.style}>{content}</g>' if content else ""


@dataclass(frozen=True, slots=True)
class Layered:
    """A picture, the lowest layer first. ``box``: left, top, width and height in its own unit."""

    title: str
    box: tuple[float, float, float, float]
    layers: tuple[Layer, ...]

    def svg(self, size: float | None = None) -> Svg:
        """The whole file; ``size``: its width in pixels."""
        return picture("".join(map(str, self.layers)), self.box, size, self.title)


def whole(name: str, content: str, style: str = "") -> Layer:
    """A layer of one part."""
    return Layer(name, {"": content} if content else {}, style)
