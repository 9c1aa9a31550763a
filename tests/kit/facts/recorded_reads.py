"""Facts that know which of their keys somebody asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.facts.value_shapes import ANY_ENTRY, ANY_NAME, Place


@dataclass(frozen=True, slots=True)
class Reads:
    """The places of the objects of a file, and those of the keys that were asked for."""

    objects: set[Place] = field(default_factory=set)
    asked: set[Place] = field(default_factory=set)


class Recorded(dict[str, Any]):
    """An object of facts: a key that is asked for is added to ``reads``, whether it is there or not."""

    def __init__(self, given: dict[str, Any], place: Place, reads: Reads) -> None:
        super().__init__({key: recorded(inner, (*place, key), reads) for key, inner in dict.items(given)})
        self.place, self.reads = place, reads
        reads.objects.add(place)

    def _ask(self, key: object) -> None:
        self.reads.asked.add((*self.place, str(key)))

    def __getitem__(self, key: str) -> Any:
        self._ask(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._ask(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._ask(key)
        return super().__contains__(key)

    def __eq__(self, other: object) -> bool:
        for key in {*self, *(other if isinstance(other, dict) else ())}:
            self._ask(key)
        return super().__eq__(other)

    __hash__ = None

    def __or__(self, other: Any) -> Any:
        """A copy with some keys replaced, which records the same."""
        found = Recorded({}, self.place, self.reads)
        for key in self:
            found.update({key: super().__getitem__(key)})
        found.update(other)
        return found

    def items(self) -> Any:
        for key in self:
            self._ask(key)
        return super().items()

    def values(self) -> Any:
        for key in self:
            self._ask(key)
        return super().values()


def recorded(given: Any, place: Place, reads: Reads) -> Any:
    """A copy whose objects record what is asked for."""
    if isinstance(given, dict):
        return Recorded(given, place, reads)
    if isinstance(given, list):
        return [recorded(inner, (*place, ANY_ENTRY), reads) for inner in given]
    return given


def fits(place: Place, declared: Place) -> bool:
    """True if ``place`` is one that the schema has declared."""
    return len(place) == len(declared) and all(
        said == word or (said == ANY_NAME and word != ANY_ENTRY) for word, said in zip(place, declared, strict=True)
    )


def unread(declared: Iterable[Place], reads: Reads) -> set[Place]:
    """The declared keys for which nobody asked, though there are objects that can have them."""
    return {
        key
        for key in declared
        if any(fits(place, key[:-1]) for place in reads.objects) and not any(fits(place, key) for place in reads.asked)
    }
