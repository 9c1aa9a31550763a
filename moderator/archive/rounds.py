"""The rounds of a game, with the worth of players and companies at the end of each. They are kept from build to build,
and drawn as lines over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Protocol

from engine import svg
from engine.core.state import Round, State
from engine.core.title import Title
from moderator.archive.volume import Step
from moderator.render.words import Words


class _Draw(Protocol):
    def __call__(self, moments: Sequence[svg.Moment], *, name: str) -> str: ...


GRAPHS: Final[Mapping[str, _Draw]] = {"worth": svg.worth_svg, "cash": svg.cash_svg, "prices": svg.prices_svg}


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


def graphs_of(own: Words, moments: Sequence[svg.Moment]) -> dict[str, str]:
    """Wealth, cash and share prices over time as SVG."""
    return {key: draw(moments, name=own.word(f"archive.graphs.{key}")) for key, draw in GRAPHS.items()}
