"""A cache of recent answers about a position, because several parts of a turn ask the same question."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar, TypeVarTuple

from engine.core.state import State
from engine.core.title import Title

Rest = TypeVarTuple("Rest")
R = TypeVar("R")


def lately(most: int) -> Callable[[Callable[[Title, State, *Rest], R]], Callable[[Title, State, *Rest], R]]:
    """Cache up to ``most`` answers of a pure function of a title, a position and other hashable arguments. Title and
    position are identified by their ``id``, which stays unique because both are kept with the answer."""

    def keeping(function: Callable[[Title, State, *Rest], R]) -> Callable[[Title, State, *Rest], R]:
        known: dict[Hashable, tuple[Title, State, R]] = {}

        @wraps(function)
        def answer(title: Title, state: State, *rest: *Rest) -> R:
            name = id(title), id(state), *rest
            if (found := known.get(name)) is None:
                answered = function(title, state, *rest)
                if len(known) >= most:
                    known.clear()
                found = known[name] = title, state, answered
            return found[2]

        return answer

    return keeping
