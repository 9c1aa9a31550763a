"""The runs of a company on the map of the page: the best ones, or those that the player taps, train by train."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine import svg
from engine.core import orders as o
from engine.core.checks import Failure, Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, TrainName
from engine.routes.legality import check_run
from engine.svg.colors import LINES
from engine.svg.hexes import centre
from engine.svg.layers import Layered, whole
from engine.svg.runs import lines_svg, stops_svg
from grammar import write
from moderator.desk.effects import best_of
from moderator.domain.vocabulary import vocabulary
from moderator.words.texts import Words
from moderator.words.wording import describe_failure

Json = dict[str, Any]
Ways = Sequence[Sequence[str]]
"""For each train of a company, in the order of ``trains_of``: the hexes of its run; none if it does not run."""
LAYERS: Final = ("runs", "counted")
"""The layers of a map that show runs."""


def runner(game: Game, actors: Sequence[str]) -> CompanyId | None:
    """The first of ``actors`` that may run its trains now."""
    for actor in actors:
        company = CompanyId(actor)
        if any(isinstance(choice.order, o.Run | o.RunBest) for choice in game.legal(company)):
            return company
    return None


def trains_of(game: Game, company: CompanyId) -> tuple[TrainName, ...]:
    """The trains that may run, each as often as the company has it."""
    return tuple(game.title.policies.run_traits(game.title, game.state, company).trains)


def best_ways(game: Game, company: CompanyId) -> list[list[str]]:
    """The best runs as ways, one for each train."""
    left = list(best_of(game, company).routes)
    ways: list[list[str]] = []
    for train in trains_of(game, company):
        route = next((route for route in left if route.train == train), None)
        ways.append([] if route is None else list(map(str, route.hexes)))
        if route is not None:
            left.remove(route)
    return ways


def run_view(own: Words, game: Game, company: CompanyId, ways: Ways) -> Json:
    """The runs ``ways`` with their values, the order for them and why it is refused, if it is, and the layers of the
    map with their lines. A run that is refused by itself has its reasons and no line."""
    title, state, board = game.title, game.state, game.state.board
    traits = title.policies.run_traits(title, state, company)
    trains: list[Json] = []
    good: list[o.Route] = []
    routes: list[o.Route] = []
    for train, way in zip(traits.trains, ways, strict=True):
        row: Json = {"train": str(train), "way": list(way), "value": None, "refused": [], "color": ""}
        trains.append(row)
        if not way:
            row["value"] = own.word("desk.run.none")
            continue
        route = o.Route(train, tuple(map(HexId, way)))
        routes.append(route)
        alone = check_run(board, traits, (route,))
        if alone.failures:
            row["refused"] = _sentences(own, game, alone.failures)
        else:
            row["value"] = own.say("words", "desk.run.value", title=title, value=alone.values[0])
            row["color"] = LINES[len(good) % len(LINES)]
            good.append(route)
    order = o.Run(company, tuple(routes))
    result = game.check(order)
    together = check_run(board, traits, tuple(good))
    lines = () if together.failures else svg.lines_of(title, state, company, good)
    said = {sentence for row in trains for sentence in row["refused"]}
    return {
        "actor": company,
        "trains": trains,
        "order": write(order, vocabulary(title)),
        "says": "" if together.failures else own.say(
            "words", "desk.run.total", title=title, value=together.total, best=best_of(game, company).value
        ),
        "refused": [
            text for text in (_sentences(own, game, result.failures) if isinstance(result, Refused) else [])
            if text not in said
        ],
        "legal": not isinstance(result, Refused),
        "layers": _drawn(game, lines),
    }  # fmt: skip


def with_runs(game: Game, company: CompanyId | None) -> tuple[svg.Line, ...]:
    """The lines of the best runs of ``company``."""
    if company is None:
        return ()
    return svg.lines_of(game.title, game.state, company, best_of(game, company).routes)


def with_places(layers: Layered) -> Layered:
    """The same map with a place for runs where none are drawn yet."""
    found = (whole(one.name, "<g/>") if one.name in LAYERS and not one.parts else one for one in layers.layers)
    return Layered(layers.title, layers.box, tuple(found), layers.background)


def _drawn(game: Game, lines: Sequence[svg.Line]) -> dict[str, str]:
    map = game.title.map
    centres = {hex: centre(map.hexes[hex].x, map.hexes[hex].y, map.flat) for line in lines for hex, _ in line.parts}
    return dict(zip(LAYERS, (lines_svg(lines, centres), stops_svg(lines, centres)), strict=True))


def _sentences(own: Words, game: Game, failures: Sequence[Failure]) -> list[str]:
    return [describe_failure(game.title, failure, own.language) for failure in failures]
