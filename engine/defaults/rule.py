"""A question to a silent player, and the rules that answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from engine.core.agenda import Ask, Choice, Menu, Range
from engine.core.ids import CompanyId
from engine.core.orders import Order
from engine.core.state import State
from engine.core.title import Title

Kind = TypeVar("Kind", bound=Order)
TURN: Final = "company."
"""The prefix of questions in a company's turn, of which the first thing named is the company."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a silent player. ``state``: the position as he may see it. ``menu``: all that he may answer, also
    for the others for whom he acts in the same decision. ``past``: all orders of the game; a rule reads none that may
    be sealed."""

    title: Title
    state: State
    ask: Ask
    menu: Menu
    past: Sequence[Order] = ()

    @property
    def company(self) -> CompanyId:
        """The company that the question is about: in its turn the one that operates, otherwise the actor."""
        return CompanyId(self.ask.about[0] if self.ask.what.startswith(TURN) else self.ask.actor)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The orders of a kind; of a range the lowest."""
        return [c.order for c in self.menu if isinstance(c.order, kind)]

    def every(self, kind: type[Kind]) -> Iterator[Kind]:
        """The orders of a kind, with every order of a range."""
        for choice in self.menu:
            if isinstance(choice.order, kind):
                for number in range(_size(choice)):
                    order: Any = choice.sample(number)
                    yield order


def _size(choice: Choice) -> int:
    return (choice.high - choice.low) // choice.step + 1 if isinstance(choice, Range) else 1


Choose: TypeAlias = Callable[[Question], Order | None]
"""Returns an order from the menu, or None if the rule does not apply."""


@dataclass(frozen=True, slots=True)
class DefaultRule:
    """The default for a silent player in one kind of decision. ``key``: its words and its reason in the templates
    (``defaults.toml``)."""

    key: str
    choose: Choose


Table: TypeAlias = Mapping[str, tuple[DefaultRule, ...]]
"""Kind of decision (``Ask.what``) -> rules; the first that finds an order counts."""


@dataclass(frozen=True, slots=True)
class Default:
    """An order for a silent player, and the ``key`` of the rule that chose it."""

    order: Order
    key: str
