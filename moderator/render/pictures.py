"""Choose the pictures of a mail, with their alternative texts, and draw them when the mail is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine import svg
from engine.core import orders as o
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.holders.charters import charter_of
from moderator.domain.history import history
from moderator.domain.info import GameInfo
from moderator.domain.pictures import Kind, Picture, wanted
from moderator.domain.transcript import Shown
from moderator.render import views
from moderator.render.facts import Question
from moderator.render.print.turn_sheet import marks
from moderator.render.shows import AROUND_ONE
from moderator.render.words import Words, words

_TELEPHONE: Final = 390
"""The width of a phone's screen, in CSS pixels."""
_SHARP: Final = 2
"""The number of pixels of a picture for each CSS pixel of a phone."""
_WIDE: Final = 1200
"""The width in pixels of whole maps, charts and sheets of tiles."""
_COLUMNS: Final = 9
"""The maximum number of columns of hexes in a part of the map drawn for a phone; wider ones get the width ``_WIDE``."""
_NARROW: Final = 2
"""The maximum number of columns of hexes in a part shown with two further rings of hexes; wider parts have one."""
_PLACES: Final = 12
"""The maximum number of spaces of the chart that its alternative text lists."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as SVG, and the width in pixels of the PNG to make from it."""

    svg: str
    width: int


def of_position(
    own: Words, game: Game, info: GameInfo, found: tuple[Question, ...] = (), since: int | None = None
) -> tuple[Picture, ...]:
    """The pictures of a mail that shows the position, the most useful first: the map around the company that is asked,
    the chart, and the whole map."""
    asked = next((q.ask.actor for q in found if q.ask.actor in game.state.companies), None)
    hexes = () if asked is None else _around(game.title, game.state, CompanyId(asked), found)

    def map(id: str, hexes: tuple[HexId, ...]) -> Picture:
        names = tuple(str(hex) for hex in hexes)
        rings = 2 if hexes and _columns(game.title, hexes) <= _NARROW else 1
        return Picture(id, "map", info.at, _alt(own, game, "map", hexes), names, rings, since)

    shown = [map("picture-part", hexes)] if hexes else []
    shown.append(Picture("picture-chart", "chart", info.at, _alt(own, game, "chart"), near=True))
    shown.append(map("picture-map", ()))
    return tuple(picture for picture in shown if wanted(info.pictures, picture.kind))


def of_shown(own: Words, game: Game, at: int, shown: Iterable[Shown]) -> dict[int, Picture]:
    """Index in ``shown`` -> picture of what was asked for. Seats that want no pictures in their mails get these too."""
    return {i: picture for i, one in enumerate(shown) if (picture := _shown(own, game, at, i, one)) is not None}


def _shown(own: Words, game: Game, at: int, number: int, shown: Shown) -> Picture | None:
    id = f"picture-{number}"
    match shown.what:
        case "map":
            hexes = tuple(HexId(hex.upper()) for hex in shown.argument.split("-") if hex)
            rings = AROUND_ONE if len(hexes) == 1 else 0
            return Picture(id, "map", at, _alt(own, game, "map", hexes), tuple(map(str, hexes)), rings)
        case "chart" | "tiles":
            kind: Kind = "chart" if shown.what == "chart" else "tiles"
            return Picture(id, kind, at, _alt(own, game, kind))
        case "history" if shown.argument.lower() != "csv" and game.state.round.set:
            return Picture(id, "history", at, _alt(own, game, "history"), company=shown.argument.upper())
        case "run":
            runs = tuple((str(r.train), tuple(map(str, r.hexes))) for r in shown.routes)
            alt = own.say("words", "pictures.run", title=game.title, company=shown.company)
            names = tuple(dict.fromkeys(hex for _, way in runs for hex in way))
            return Picture(id, "map", at, alt, names, company=shown.company, runs=runs)
    return None


def _around(title: Title, state: State, company: CompanyId, found: Iterable[Question]) -> tuple[HexId, ...]:
    """The hexes where a company has tokens or a home, and those that its legal orders name."""
    board = state.board
    hexes = [hex for hex, cities in board.markers.items() if any(company in city for city in cities)]
    hexes += [hex for hex, _ in charter_of(title, state, company).homes]
    named = (getattr(choice.order, "hex", None) for question in found for choice in question.legal)
    hexes += [HexId(hex) for hex in named if isinstance(hex, str)]
    return tuple(hex for hex in dict.fromkeys(hexes) if hex in title.map.hexes)


def _alt(own: Words, game: Game, kind: Kind, hexes: tuple[HexId, ...] = ()) -> str:
    facts = {"title": game.title, "state": game.state, "round": game.state.round}
    if kind == "chart":
        stacks = views.market(game.title, game.state)
        return own.say("words", "pictures.chart", **facts, stacks=stacks[:_PLACES], left=len(stacks[_PLACES:]))
    if kind in ("tiles", "history"):
        return own.say("words", f"pictures.{kind}", **facts)
    return own.say("words", "pictures.part" if hexes else "pictures.map", **facts, hexes=hexes)


def drawn(game: Game, picture: Picture, language: str = "en") -> Drawn:
    """Draw ``picture``. ``game``: the game at the picture's decision. ``KeyError`` or ``ValueError`` if the game lacks
    what it shows."""
    title, state = game.title, game.state
    if picture.kind == "chart":
        meant = marks(words(language), title)
        if picture.near:
            return _for_telephone(svg.chart_svg(title, state, size=_TELEPHONE, near=True, words=meant))
        return Drawn(svg.chart_svg(title, state, size=_WIDE, words=meant), _WIDE)
    if picture.kind == "tiles":
        return Drawn(svg.tiles_svg(title, state, size=_WIDE), _WIDE)
    if picture.kind == "history":
        return _history(game, picture)
    return _map(game, picture)


def _history(game: Game, picture: Picture) -> Drawn:
    told = [one for one in history(game) if one.companies]
    names = dict.fromkeys(company for one in told for company in one.companies)
    revenue = {name: [one.companies[name].revenue if name in one.companies else None for one in told] for name in names}
    return _for_telephone(
        svg.revenue_svg([one.round for one in told], revenue, size=_TELEPHONE, own=(CompanyId(picture.company),))
    )


def _map(game: Game, picture: Picture) -> Drawn:
    title, state = game.title, game.state
    since = None if picture.since is None or not 0 <= picture.since <= len(game.orders) else game.at(picture.since)
    lines: tuple[svg.Line, ...] = ()
    hexes: tuple[HexId, ...] = tuple(HexId(hex) for hex in picture.hexes)
    if picture.runs:
        routes = tuple(o.Route(TrainName(train), tuple(map(HexId, way))) for train, way in picture.runs)
        lines = svg.lines_of(title, state, CompanyId(picture.company), routes)
        hexes = tuple(dict.fromkeys(hex for line in lines for hex, _ in line.parts)) or hexes
    shown = svg.part(title.map, hexes or None, picture.rings)
    small = bool(hexes) and _columns(title, shown) <= _COLUMNS
    drawing = svg.board_svg(
        title, state, hexes=hexes or None, rings=picture.rings, size=_TELEPHONE if small else _WIDE, since=since,
        runs=lines,
    )  # fmt: skip
    return _for_telephone(drawing) if small else Drawn(drawing, _WIDE)


def _columns(title: Title, hexes: Iterable[HexId]) -> float:
    """The width of a part of the map, in columns of hexes."""
    columns = {title.map.hexes[hex].x for hex in hexes}
    return (max(columns) - min(columns)) / (1 if title.map.flat else 2) + 1


def _for_telephone(drawing: str) -> Drawn:
    return Drawn(drawing, _SHARP * _TELEPHONE)
