"""A position in parts: layers of the map and the chart, rows of tables, lines. Parts have names such as
``map.track.H8`` and ``players.0``. Their contents are SVG or HTML, with every name escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import svg
from engine.core.data import CompanyData
from engine.core.events import Ran
from engine.core.state import State
from engine.core.title import Title
from engine.svg.elements import number
from engine.svg.runs import stroke
from engine.svg.stations import badge
from moderator.archive.volume import Step
from moderator.words.position import views
from moderator.words.texts import Words

PICTURES = ("map", "chart")


@dataclass(frozen=True, slots=True)
class Frame:
    """The layers of a picture without their contents: names and attributes, lowest first."""

    layers: tuple[tuple[str, str], ...]


class Pieces:
    """Shows the positions of a game in parts."""

    def __init__(self, own: Words, title: Title) -> None:
        self.own, self.title = own, title
        self.frames: dict[str, Frame] = {}
        """The layers of each picture, once a position has been shown."""
        self._rows: dict[str, str] = {}

    def of_start(self, state: State) -> dict[str, str]:
        """The parts of the position before the first order."""
        return self._parts(state, None, ())

    def of_step(self, step: Step) -> dict[str, str]:
        """The parts of the position after an order, with its changes on the map and the runs that it declared."""
        return self._parts(step.after, step.before, self._runs(step))

    def _runs(self, step: Step) -> Sequence[svg.Line]:
        """The runs that an order declared, by name or as the best; none if the record says what the rules refuse."""
        ran = next((event for event in step.events if isinstance(event, Ran)), None)
        if ran is None or not ran.routes:
            return ()
        try:
            return svg.lines_of(self.title, step.before, ran.company, ran.routes)
        except ValueError:  # the position is kept without the picture of the runs
            return ()

    def _parts(self, state: State, since: State | None, runs: Sequence[svg.Line]) -> dict[str, str]:
        own, title = self.own, self.title
        words = {key: own.word(f"marks.{key}", key.replace("_", " "), title.name) for key in _marks(title)}
        parts = dict(self._picture("map", svg.board_layers(title, state, since=since, runs=runs, legend=False)))
        parts["runs.0"] = "".join(self._row("run", state, n=n, line=line) for n, line in enumerate(runs))
        parts |= self._picture("chart", svg.chart_layers(title, state, words=words))
        parts |= self._tables(state)
        return {name: text for name, text in parts.items() if text}

    def _picture(self, name: str, picture: svg.Layered) -> Iterator[tuple[str, str]]:
        self.frames.setdefault(name, Frame(tuple((layer.name, layer.style) for layer in picture.layers)))
        yield f"{name}.box", " ".join(map(number, picture.box))
        for layer in picture.layers:
            for key, content in layer.parts.items():
                yield f"{name}.{layer.name}.{key}", content

    def _tables(self, state: State) -> dict[str, str]:
        title, players = self.title, state.players
        parts = {f"players.{i}": self._row("player", state, p=p) for i, p in enumerate(views.players(title, state))}
        for i, company in enumerate(views.companies(title, state)):
            parts[f"companies.{i}"] = self._row("company", state, c=company, players=players)
        facts = {"phase": views.phase(title, state), "trains": views.trains(title, state), "bank": views.bank(state)}
        more = {"pool": state.pool_trains, "unsold": views.unsold(title, state), "broke": state.broke is not None}
        parts["facts.0"] = self._row("facts", state, **facts, **more)
        parts["round.0"] = self.own.say("words", "archive.round", title=title, round=state.round, phase=state.phase)
        return parts

    def _row(self, kind: str, state: State, **facts: Any) -> str:
        """A row of a table. Equal facts give equal rows, so each row is made only once."""
        key = f"{kind} {facts}"
        if key not in self._rows:
            context = {
                "title": self.title,
                "state": state,
                "badge": _badge,
                "stroke": stroke,
                "companies": self.title.companies,
            }
            self._rows[key] = self.own.page(f"archive_{kind}", **context, **facts).strip()
        return self._rows[key]


def _marks(title: Title) -> set[str]:
    return {mark for marks in title.chart.marks.values() for mark in marks}


def _badge(company: CompanyData) -> str:
    """The marker of a company as a small picture beside its name."""
    return badge(company, company.id, 23)


def layers_of(name: str, frame: Frame, parts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The layers of a picture, each with its parts of all positions."""
    found = []
    for layer, style in frame.layers:
        start = f"{name}.{layer}."
        found.append({"name": layer, "style": style, "parts": {p: t for p, t in parts.items() if p.startswith(start)}})
    return found
