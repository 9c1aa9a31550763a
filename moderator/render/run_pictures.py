"""The pictures of runs: the best run now and the last one in a turn mail, the runs that a player asks to see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine import svg
from engine.core import events as ev
from engine.core import orders as o
from engine.core.checks import Refused
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.state import State
from grammar import read
from moderator.domain.pictures import Picture, Run
from moderator.domain.transcript import Shown
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.best_run import best_routes
from moderator.words.question.questions import Question
from moderator.words.texts import Words

_WIDTH = 600
"""The width in pixels of the pictures of runs in a turn mail."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Runs with the position on whose map they lie. ``since``: the position before the orders that it assumes."""

    state: State
    lines: tuple[svg.Line, ...]
    since: State | None = None

    @property
    def hexes(self) -> tuple[HexId, ...]:
        return tuple(dict.fromkeys(hex for line in self.lines for hex, _ in line.parts))


def of_turn(own: Words, game: Game, at: int, found: Iterable[Question]) -> dict[str, Picture]:
    """The best run now of the company that may run, and its last run, unless it earned the same. They stand beside the
    menu if the company can lay no more track, and below the tables otherwise."""
    legal = [choice.order for question in found for choice in question.legal]
    company = next((CompanyId(order.actor) for order in legal if isinstance(order, o.RunBest)), None)
    if company is None:
        return {}
    below = "-below" if any(isinstance(order, o.Lay) for order in legal) else ""
    pictures: dict[str, Picture] = {}
    last, number = game.state.companies[company].last_run, _last(game, company)
    best = best_routes(game.title, game.state, company)
    facts = {"title": game.title, "company": company, "best": best.value, "last": last}
    same = number is not None and last == best.value
    if best.routes:
        heading = own.say("words", "pictures.heading.same" if same else "pictures.heading.best", **facts)
        runs = _stored(best.routes)
        alt = _alt(own, heading, runs)
        pictures["best"] = Picture(
            f"picture-best{below}", "map", at, alt, rings=0, company=company, runs=runs, heading=heading, width=_WIDTH
        )
    if number is not None and last and not (same and best.routes):
        heading = own.say("words", "pictures.heading.last", **facts)
        pictures["last"] = Picture(
            f"picture-last{below}",
            "map",
            at,
            _alt(own, heading),
            rings=0,
            company=company,
            ran=number,
            heading=heading,
            width=_WIDTH,
        )
    return pictures


def of_shown(own: Words, game: Game, id: str, at: int, shown: Shown) -> Picture:
    """The runs that a player asked to see."""
    runs = _stored(shown.routes)
    alt = own.say("words", "pictures.run", title=game.title, company=shown.company)
    names = tuple(dict.fromkeys(hex for _, way in runs for hex in way))
    return Picture(id, "map", at, alt, names, company=shown.company, runs=runs, after=shown.after)


def _stored(routes: Iterable[o.Route]) -> tuple[Run, ...]:
    return tuple((str(route.train), tuple(map(str, route.hexes))) for route in routes)


def _alt(own: Words, heading: str, runs: tuple[Run, ...] = ()) -> str:
    ways = "; ".join(f"{train} {'-'.join(way)}" for train, way in runs)
    return own.say("words", "pictures.runs", heading=heading, ways=ways)


def _last(game: Game, company: CompanyId) -> int | None:
    """The number of orders before the latest run of a company; None if it has not run."""
    runs = (o.Run, o.RunBest)
    numbers = range(len(game.orders) - 1, -1, -1)
    return next((n for n in numbers if isinstance(order := game.orders[n], runs) and order.actor == company), None)


def ran(game: Game, picture: Picture) -> Ran:
    """The runs in ``picture``. ``ValueError`` if they are not legal or were not declared."""
    company = CompanyId(picture.company)
    if picture.ran is not None:
        _, before, events = next(iter(game.happened(picture.ran)))
        routes = next((e.routes for e in events if isinstance(e, ev.Ran) and e.company == company), ())
        return Ran(before, svg.lines_of(game.title, before, company, routes))
    routes = tuple(o.Route(TrainName(train), tuple(map(HexId, way))) for train, way in picture.runs)
    state = _after(game, company, picture.after)
    since = game.state if picture.after else None
    return Ran(state, svg.lines_of(game.title, state, company, routes), since)


def _after(game: Game, company: CompanyId, texts: tuple[str, ...]) -> State:
    """The position after the orders in ``texts``."""
    if not texts:
        return game.state
    later = game.fork()
    for order in read("\n".join(texts), vocabulary(game.title), default_actor=company).orders:
        if isinstance(refused := later.submit(order), Refused):
            raise ValueError(f"{order} is not legal: {refused.failures}")
    return later.state


def notes_of(own: Words, picture: Picture) -> Mapping[str, str]:
    """The words of the legend of a map."""
    notes = {"heading": picture.heading} if picture.heading else {}
    if picture.marked:
        notes |= {kind: own.word(f"pictures.notes.{kind}") for kind in ("marked", "changed")}
    if picture.after:
        notes["changed"] = own.word("pictures.notes.assumed")
    return notes
