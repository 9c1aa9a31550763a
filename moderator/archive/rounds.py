"""The rounds of a game, with the worth of players and companies at the end of each. They are kept from build to build,
and drawn as lines over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final

from engine import svg
from engine.core.state import Round, State
from engine.core.title import Title
from engine.svg.graphs.graph import Graph, style
from engine.svg.graphs.over_time import cash_graph, prices_graph, short, worth_graph
from moderator.archive.volume import Step
from moderator.words.texts import Words

GRAPHS: Final[Mapping[str, tuple[str, Callable[[Sequence[svg.Moment]], Graph]]]] = {
    "worth": ("players", worth_graph),
    "cash": ("players", cash_graph),
    "price": ("companies", partial(prices_graph, most=None)),
}
"""Each graph: the table that has the value of each line now, and the lines."""
WIDE: Final = 600.0
"""The width of a graph. It has no names in it, so that its numbers can be read on a telephone."""


@dataclass(slots=True)
class Rounds:
    """The rounds of a game. ``ended`` holds, in the order of play, the number of the order that ended a round and the
    figures at that moment."""

    ended: list[tuple[int, svg.Moment]] = field(default_factory=list)

    @property
    def begun(self) -> int:
        """The number of orders before the current round."""
        return self.ended[-1][0] if self.ended else 0

    def add(self, title: Title, begun: State, step: Step) -> State:
        """Note a step in the round that began with the position ``begun``. Returns the position with which the round
        after the step began."""
        if step.after.round == begun.round:
            return begun
        self.ended.append((step.number, svg.history(title, (begun, step.after))[0]))
        return step.after

    def moments(self, title: Title, begun: State, last: State) -> list[svg.Moment]:
        """The moments at the ends of all rounds. ``last`` counts as the end of the current round, which began with the
        position ``begun``."""
        under_way = () if self.ended and last is begun else svg.history(title, (begun, last))
        return [*(moment for _, moment in self.ended), *under_way]

    def as_data(self) -> list[Any]:
        """Data for a file, which ``of_data`` reads."""
        return [[number, asdict(moment)] for number, moment in self.ended]

    @staticmethod
    def of_data(data: Iterable[Any], known: int) -> Rounds:
        """The rounds that ended within the first ``known`` orders. Raises ``KeyError`` or ``TypeError`` for other
        data."""
        ended = []
        for number, said in data:
            if number <= known:
                trains = tuple(said["trains"])
                ended.append((number, svg.Moment(**{**said, "round": Round(**said["round"]), "trains": trains})))
        return Rounds(ended)

    def spans(self, moments: Sequence[svg.Moment]) -> list[list[Any]]:
        """For each of ``moments``, the number of orders before its round, its short name, and its kind."""
        begun = (0, *(number for number, _ in self.ended))
        return [
            [before, short(moment.round), moment.round.kind] for before, moment in zip(begun, moments, strict=False)
        ]


def graphs_of(own: Words, moments: Sequence[svg.Moment]) -> dict[str, dict[str, Any]]:
    """Wealth, cash and share prices over time: a picture without names, its plot, and what each line is."""
    found = {}
    for key, (table, lines_of) in GRAPHS.items():
        graph = replace(lines_of(moments), wide=WIDE, named=False)
        lines = [
            (series.name, *style(i), series.last[1] if series.last else None) for i, series in enumerate(graph.series)
        ]
        name = own.word(f"archive.graphs.{key}")
        plot = " ".join(f"{edge:g}" for edge in graph.plot)
        found[key] = {"name": name, "table": table, "svg": graph.svg(None, name), "plot": plot, "lines": lines}
    return found
