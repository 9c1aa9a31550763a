"""Pictures of games between robots, docs/gallery: every title at its start, in the middle and at its end.

python -m tools.gallery [TITLE ...]

The same program gives the same files. They show what pictures look like; the tests of `engine/svg` say what they must
be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import engine
from engine import svg
from engine.robots import sensible
from moderator.adapters.png import png

TARGET = Path(__file__).resolve().parents[1] / "docs" / "gallery"
PLAYERS = ("Anna", "Bence", "Cecil", "Dora")
WIDE, TELEPHONE = 1200, 390
"""Pixels. A telephone shows two for each of its own."""
LATELY = 12
"""The map in the middle marks the changes of this many orders."""
CAPTIONS = {
    "map-start": "The map at the start",
    "map-middle": "The map in the middle of the game, with the changes of the last twelve orders marked",
    "map-end": "The map at the end",
    "telephone-map": "The part of the map around a company, as a turn mail shows it on a telephone",
    "runs": "The routes of a company's best run",
    "chart-start": "The share price chart at the start",
    "chart-middle": "The share price chart in the middle of the game",
    "chart-end": "The share price chart at the end",
    "telephone-chart": "The part of the share price chart with markers, on a telephone",
    "prices": "The share prices of companies over the game",
    "worth": "The worth of players over the game",
    "tiles": "The tiles that are left in the middle of the game",
}
"""The caption of each picture, in the order of the page."""
PAGE = "README.md"
INTRODUCTION = """Pictures of games between robots, drawn by `make gallery`. Maps and charts are 1200 pixels wide.
Pictures for a telephone are 390 points wide, with two pixels to a point. The tests of `engine/svg` define what a
picture must show, not these files."""


def main(names: list[str]) -> None:
    TARGET.mkdir(exist_ok=True)
    for name in names or engine.title_names():
        for file, drawn, width in pictures(play(name)):
            (TARGET / f"{name}-{file}.png").write_bytes(png(drawn, width=width))
    (TARGET / PAGE).write_text(page(), encoding="utf-8")


def play(name: str) -> engine.Game:
    """A whole game between robots."""
    game = engine.Game.start(engine.load_title(name), engine.Setup(PLAYERS, seed="gallery"))
    while not game.finished:
        game.submit(sensible(game, game.asked()[0]))
    return game


def pictures(game: engine.Game) -> Iterator[tuple[str, svg.Svg, int]]:
    """Name, picture, and width in pixels."""
    title, count = game.title, len(game.orders)
    middle, earlier = game.at(count // 2), game.at(count // 2 - LATELY)
    for when, state, since in (("start", game.at(0), None), ("middle", middle, earlier), ("end", game.state, None)):
        yield f"map-{when}", svg.board_svg(title, state, size=WIDE, since=since), WIDE
        yield f"chart-{when}", svg.chart_svg(title, state, size=WIDE), WIDE
    yield "tiles", svg.tiles_svg(title, middle, size=WIDE), WIDE
    company, hexes = busiest(middle)
    yield "telephone-map", svg.board_svg(title, middle, hexes=hexes, size=TELEPHONE, since=earlier), 2 * TELEPHONE
    yield "telephone-chart", svg.chart_svg(title, middle, size=TELEPHONE, near=True), 2 * TELEPHONE
    runner = engine.Game.resume(title, game.setup, game.orders[: count // 2], middle)
    routes = runner.best_run(company).routes
    lines = svg.lines_of(title, middle, company, routes)
    yield (
        "runs",
        svg.board_svg(title, middle, hexes=on_the_way(lines) or hexes, size=TELEPHONE, runs=lines),
        2 * TELEPHONE,
    )
    moments = svg.history(title, [*(before for _, before, _ in game.happened(0)), game.state])
    yield "worth", svg.worth_svg(moments, size=TELEPHONE, own=PLAYERS[0]), 2 * TELEPHONE
    yield "prices", svg.prices_svg(moments, size=TELEPHONE), 2 * TELEPHONE


def busiest(state: engine.State) -> tuple[engine.ids.CompanyId, list[engine.ids.HexId]]:
    """The company with the most markers among those with trains, and the places of its markers."""
    places: dict[engine.ids.CompanyId, list[engine.ids.HexId]] = {}
    for hex, cities in state.board.markers.items():
        for company in dict.fromkeys(chain(*cities)):
            places.setdefault(company, []).append(hex)
    best = max(places, key=lambda c: (c in state.companies and bool(state.companies[c].trains), len(places[c]), c))
    return best, places[best][:3]


def on_the_way(lines: tuple[svg.Line, ...]) -> list[engine.ids.HexId]:
    return [hex for line in lines for hex, _ in line.parts]


def page() -> str:
    """The page that shows all pictures."""
    shown = [
        "# Gallery",
        "",
        INTRODUCTION,
    ]
    for name in engine.title_names():
        shown += ["", f"## {engine.load_title(name).full_name}", ""]
        for file, caption in CAPTIONS.items():
            shown += [f"{caption}:", "", f"![{caption}]({name}-{file}.png)", ""]
        shown.pop()
    return "\n".join(shown) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
