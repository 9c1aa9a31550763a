"""Choose the pictures of a mail, with their alternative texts, and draw them when the mail is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import svg
from engine.core import orders as o
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId
from engine.core.state import State
from engine.core.title import Title
from engine.svg.mosaic import Mosaic, board_mosaic, chart_mosaic
from engine.svg.parts import columns
from moderator.domain.figures.history import history
from moderator.domain.info import GameInfo
from moderator.domain.pictures import Kind, Lay, Picture, Wish, wanted
from moderator.domain.transcript import Shown
from moderator.render import run_pictures
from moderator.render.lay_pictures import BY_HEX, pieces_of_sheet, sheet
from moderator.render.print.turn_sheet import marks
from moderator.render.shows import AROUND_ONE
from moderator.words.position import views
from moderator.words.position.board_views import home_hexes
from moderator.words.question.questions import Question
from moderator.words.texts import Words, words

_TELEPHONE: Final = 390
"""The width of a phone's screen, in CSS pixels."""
_SHARP: Final = 2
"""The number of pixels of a picture for each CSS pixel of a phone."""
_WIDE: Final = 1200
"""The width in pixels of whole maps, charts and sheets of tiles."""
_COLUMNS: Final = 7
"""The maximum number of columns of hexes in a picture for a phone; a wider part of the map is shown in strips."""
_STRIPS: Final = 3
"""The maximum number of such strips; a part that needs more is one picture of the width ``_WIDE``."""
_NEARLY: Final = 0.6
"""The share of the hexes that parts of the map must show for the whole map to be left out."""
_STRIP: Final = 580
"""The width in pixels of one of several strips."""
_PLAIN: Final = 600
"""The width in pixels of sheets of lays, which have less detail than a map."""
_PLAIN_MANY: Final = 520
"""The same if there are many lays."""
_OVERVIEW: Final = 1000
"""The width in pixels of the whole map in a mail that has a part of it too."""
_NARROW: Final = 2
"""The maximum number of columns of hexes in a part shown with two further rings of hexes; wider parts have one."""
_SHORT: Final = 3
"""The maximum number of columns of hexes with runs that are shown with the hexes around them."""
FEW_HEXES: Final = 8
"""The maximum number of hexes whose lays an HTML mail lists with the other orders; more follow further below."""
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
    its legal lays, its best run, the chart, its last run, and the whole map."""
    asked = next((q.ask.actor for q in found if q.ask.actor in game.state.companies), None)
    hexes = () if asked is None else _around(game.title, game.state, CompanyId(asked), found)
    strips, lays = _strips(game.title, hexes), _lays(found)
    own_hexes = () if asked is None else _around(game.title, game.state, CompanyId(asked), ())
    near = _strips(game.title, own_hexes)
    afar = 0 < len(near) < len(strips)  # the lays are all over the map: the whole one, further below, marks them
    hexes, strips = (own_hexes, near) if afar else (hexes, strips)
    marked = tuple(dict.fromkeys(hex for hex, _, _ in lays))

    def map(id: str, alt: str, hexes: Iterable[HexId] = (), width: int = 0) -> Picture:
        named = tuple(str(hex) for hex in hexes)
        return Picture(id, "map", info.at, alt, named, 0, since, marked=marked, width=width)

    around = _alt(own, game, "map", hexes)
    ids = ("picture-part", *(f"picture-part-{n}" for n in range(1, _STRIPS)))
    narrow = _STRIP if len(strips) > 1 else 0
    shown = [map(id, around, strip, narrow) for id, strip in zip(ids, strips, strict=False)]
    if lays:
        shown.append(Picture(_place(marked), "lays", info.at, _alt(own, game, "lays", lays=lays), lays=lays))
    runs = run_pictures.of_turn(own, game, info.at, found)
    shown += [runs["best"]] if "best" in runs else []
    shown.append(Picture("picture-chart", "chart", info.at, _alt(own, game, "chart"), near=True))
    shown += [runs["last"]] if "last" in runs else []
    if afar or len({hex for strip in strips for hex in strip}) < _NEARLY * len(game.title.map.hexes):
        shown.append(map("picture-map", _alt(own, game, "map"), width=_OVERVIEW if strips else 0))
    dark = info.pictures == "dark"
    return tuple(replace(picture, dark=dark) for picture in shown if wanted(info.pictures, picture.kind))


def _lays(found: Iterable[Question]) -> tuple[Lay, ...]:
    """The legal lays of the first question that has any, in the order of its menu."""
    for question in found:
        lays = (choice.order for choice in question.legal if isinstance(choice.order, o.Lay))
        if named := tuple(dict.fromkeys((str(lay.hex), str(lay.tile), lay.rotation) for lay in lays)):
            return _by_hex(named)
    return ()


def _by_hex(lays: tuple[Lay, ...]) -> tuple[Lay, ...]:
    """The lays as the menu groups them: by hex, by tile, by turn."""
    hexes = {hex: n for n, hex in enumerate(dict.fromkeys(hex for hex, _, _ in lays))}
    tiles = {key: n for n, key in enumerate(dict.fromkeys((hex, tile) for hex, tile, _ in lays))}
    return tuple(sorted(lays, key=lambda lay: (hexes[lay[0]], tiles[lay[:2]], lay[2])))


def _place(hexes: Sequence[str]) -> str:
    """The id of the sheet of lays: it stands beside the lays in words, which are further below if there are many."""
    return "picture-lays" if len(hexes) <= FEW_HEXES else "picture-many-lays"


def _strips(title: Title, hexes: tuple[HexId, ...]) -> tuple[tuple[HexId, ...], ...]:
    """The part of the map around ``hexes``, in strips that a phone shows large enough to read."""
    if not hexes:
        return ()
    rings = 2 if columns(title.map, hexes) <= _NARROW else 1
    found = svg.strips(title.map, hexes, rings, _COLUMNS)
    return found if len(found) <= _STRIPS else (svg.part(title.map, hexes, rings),)


def of_shown(own: Words, game: Game, at: int, shown: Iterable[Shown], wish: Wish) -> dict[int, Picture]:
    """Index in ``shown`` -> picture of what was asked for. Seats that want no pictures in their mails get these too."""
    found = ((i, _shown(own, game, at, i, one)) for i, one in enumerate(shown))
    return {i: replace(picture, dark=wish == "dark") for i, picture in found if picture is not None}


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
            return run_pictures.of_shown(own, game, id, at, shown)
    return None


def _around(title: Title, state: State, company: CompanyId, found: Iterable[Question]) -> tuple[HexId, ...]:
    """The hexes where a company has tokens or a home, and those that its legal orders name."""
    board = state.board
    hexes = [hex for hex, cities in board.markers.items() if any(company in city for city in cities)]
    hexes += home_hexes(title, state, company)
    named = (getattr(choice.order, "hex", None) for question in found for choice in question.legal)
    hexes += [HexId(hex) for hex in named if isinstance(hex, str)]
    return tuple(hex for hex in dict.fromkeys(hexes) if hex in title.map.hexes)


def _alt(own: Words, game: Game, kind: Kind, hexes: tuple[HexId, ...] = (), lays: tuple[Lay, ...] = ()) -> str:
    facts = {"title": game.title, "state": game.state, "round": game.state.round}
    if kind == "lays":
        return own.say("words", "pictures.lays", **facts, count=len(lays))
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
            return _for_telephone(
                svg.chart_svg(title, state, size=_TELEPHONE, near=True, words=meant, dark=picture.dark)
            )
        return Drawn(svg.chart_svg(title, state, size=_WIDE, words=meant, dark=picture.dark), _WIDE)
    if picture.kind == "tiles":
        return Drawn(svg.tiles_svg(title, state, size=_WIDE, dark=picture.dark), _WIDE)
    if picture.kind == "lays":
        drawing = sheet(words(language), title, state, picture.lays, _TELEPHONE, dark=picture.dark)
        return Drawn(drawing, _lays_width(picture))
    if picture.kind == "history":
        return _history(game, picture)
    return _map(words(language), game, picture)


def _history(game: Game, picture: Picture) -> Drawn:
    told = [one for one in history(game) if one.companies]
    names = dict.fromkeys(company for one in told for company in one.companies)
    revenue = {name: [one.companies[name].revenue if name in one.companies else None for one in told] for name in names}
    return _for_telephone(
        svg.revenue_svg([one.round for one in told], revenue, size=_TELEPHONE, own=(CompanyId(picture.company),))
    )


def _map(own: Words, game: Game, picture: Picture) -> Drawn:
    view = _view(own, game, picture)
    drawing = svg.board_svg(
        game.title, view.state, hexes=view.hexes, rings=view.rings, size=view.size, since=view.since,
        runs=view.lines, marked=view.marked, notes=run_pictures.notes_of(own, picture), dark=picture.dark,
    )  # fmt: skip
    return Drawn(drawing, view.width)


@dataclass(frozen=True, slots=True)
class _View:
    """The part of the map in a picture. ``size``: the width in which it is shown. ``width``: its width in pixels."""

    state: State
    since: State | None
    lines: tuple[svg.Line, ...]
    hexes: tuple[HexId, ...] | None
    rings: int
    marked: tuple[HexId, ...]
    size: int
    width: int


def _view(own: Words, game: Game, picture: Picture) -> _View:
    state = game.state
    since = None if picture.since is None or not 0 <= picture.since <= len(game.orders) else game.at(picture.since)
    lines: tuple[svg.Line, ...] = ()
    hexes: tuple[HexId, ...] = tuple(HexId(hex) for hex in picture.hexes)
    if picture.runs or picture.ran is not None:
        ran = run_pictures.ran(game, picture)
        state, lines, since, hexes = ran.state, ran.lines, ran.since or since, ran.hexes or hexes
    rings = picture.rings
    if lines and columns(game.title.map, svg.part(game.title.map, hexes, rings)) <= _SHORT:
        rings += 1
    shown = svg.part(game.title.map, hexes or None, rings)
    small = bool(hexes) and columns(game.title.map, shown) <= _COLUMNS + 0.5
    width = picture.width or (_SHARP * _TELEPHONE if small else _WIDE)
    marked = tuple(map(HexId, picture.marked))
    return _View(state, since, lines, hexes or None, rings, marked, _TELEPHONE if small else width, width)


def in_pieces(game: Game, picture: Picture, language: str = "en") -> Mosaic | None:
    """``picture`` as pieces that can be kept; None for a kind that is always drawn whole. For the rest see
    ``drawn``."""
    own, title, state = words(language), game.title, game.state
    if picture.kind == "chart":
        width = _SHARP * _TELEPHONE if picture.near else _WIDE
        return chart_mosaic(title, state, width=width, near=picture.near, words=marks(own, title), dark=picture.dark)
    if picture.kind == "lays":
        return pieces_of_sheet(own, title, state, picture.lays, _lays_width(picture), dark=picture.dark)
    if picture.kind == "map":
        view = _view(own, game, picture)
        return board_mosaic(
            title, view.state, width=view.width, size=view.size, hexes=view.hexes, rings=view.rings,
            since=view.since, runs=view.lines, marked=view.marked, notes=run_pictures.notes_of(own, picture),
            dark=picture.dark,
        )  # fmt: skip
    return None


def _lays_width(picture: Picture) -> int:
    return _PLAIN if len(picture.lays) <= BY_HEX else _PLAIN_MANY


def _for_telephone(drawing: str) -> Drawn:
    return Drawn(drawing, _SHARP * _TELEPHONE)
