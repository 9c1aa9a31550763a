"""The pictures of a game, as methods. ``engine.svg`` draws them; it is imported only when a picture is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.core import arguments
from engine.core.ids import CompanyId, HexId
from engine.core.orders import Route
from engine.core.state import State
from engine.core.title import Title

if TYPE_CHECKING:
    from engine.svg import Svg


class Pictured:
    """A title with a position, and its pictures. Each picture is SVG text, which notebooks show as a picture."""

    __slots__ = ()
    title: Title
    state: State

    def board_svg(
        self,
        *,
        hexes: Iterable[HexId | str] | None = None,
        rings: int = 1,
        size: float | None = None,
        since: State | None = None,
        runs: tuple[CompanyId | str, Sequence[Route]] | None = None,
    ) -> Svg:
        """The map. ``hexes``: draw only the part around these, with this many more ``rings`` of hexes. ``size``: the
        width in pixels. ``since``: an earlier position (``game.at(n)``); later changes are marked. ``runs``: a company
        and legal routes of its trains, which are drawn over the map. ``KeyError`` for an unknown hex or company,
        ``ValueError`` for illegal runs."""
        from engine import svg

        chosen = None if hexes is None else arguments.hexes(self.title, hexes)
        if since is not None:
            arguments.a_position(since)
        lines: tuple[svg.Line, ...] = ()
        if runs is not None:
            company, routes = arguments.runs(runs)
            lines = svg.lines_of(
                self.title, self.state, arguments.a_company(self.title, company), arguments.routes(routes)
            )
        return svg.board_svg(self.title, self.state, hexes=chosen, rings=rings, size=size, since=since, runs=lines)

    def chart_svg(self, *, size: float | None = None, near: bool = False) -> Svg:
        """The share price chart with the companies on it. ``size``: the width in pixels. ``near``: draw only the part
        around occupied spaces."""
        from engine import svg

        return svg.chart_svg(self.title, self.state, size=size, near=near)

    def tiles_svg(self, *, size: float | None = None) -> Svg:
        """The tiles, each with the number left. ``size``: the width in pixels."""
        from engine import svg

        return svg.tiles_svg(self.title, self.state, size=size)

    def _repr_svg_(self) -> str:
        return self.board_svg(size=1000)
