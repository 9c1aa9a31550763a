"""The reasons why an order is refused. A check has a key (``lay.color``) and facts. The title gives the rulebook
section for each key, and the templates give its words. All failed checks are collected, so that one answer names them
all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Fact: TypeAlias = str | int | bool | tuple["Fact", ...] | None


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that failed: its key, and the facts that explain the failure to a person."""

    check: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = ", ".join(f"{k}={v}" for k, v in self.facts.items())
        return f"{self.check}({shown})"


@dataclass(frozen=True, slots=True)
class Refused:
    """An order that may not be carried out, with every reason found. It is false, so that ``if game.submit(order)``
    works."""

    failures: tuple[Failure, ...]

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return "; ".join(map(str, self.failures))
