"""Named rulings as options: a title's frozen dataclass of them, read and written as names and values.

A ruling is a field whose type is ``bool`` (written ``no`` and ``yes``) or a ``Literal`` of texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_type_hints


class Dataclass(Protocol):
    """An instance of any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Dataclass)


def choices(kind: type[Dataclass]) -> dict[str, tuple[str, ...]]:
    """Every ruling of a title with the values it may take, as options are written."""
    hints = get_type_hints(kind)
    return {f.name: ("no", "yes") if hints[f.name] is bool else tuple(get_args(hints[f.name])) for f in fields(kind)}


Renamed = Mapping[str, tuple[str, Mapping[str, str]]]
"""A ruling's name in games begun earlier -> its name now, and each of its values then -> the value now."""


Later = Mapping[str, str | None]
"""A ruling that was named later -> the reading by which games begun before are played on; None if they follow their
edition, because the reading of then was a mistake."""


Decided = Mapping[str, Mapping[str, str]]
"""The last version of Railpost with a ruling as an option -> the ruling -> its value that is a plain decision now."""


class WithdrawnOption(ValueError):
    """A game's options have another value of a ruling than the one that became a plain decision. ``names``: all such
    options of the game. The text says which version of Railpost plays them."""

    def __init__(self, title: str, found: Mapping[str, tuple[str, str, str]]) -> None:
        self.names = frozenset(found)
        super().__init__(
            "; ".join(
                f"{name} is no option of {title} any more: {decided!r} is played always; Railpost {version} plays"
                f" {value!r}"
                for name, (value, decided, version) in sorted(found.items())
            )
        )


def still_open(title: str, options: Mapping[str, str], decided: Decided) -> dict[str, str]:
    """``options`` without those that became plain decisions. ``WithdrawnOption`` if one has another value."""
    found: dict[str, tuple[str, str, str]] = {}
    settled: set[str] = set()
    for version, rulings in decided.items():
        for name, value in options.items():
            key = name.replace("-", "_")
            if key in rulings:
                settled.add(name)
                if value != rulings[key]:
                    found[name] = (value, rulings[key], version)
    if found:
        raise WithdrawnOption(title, found)
    return {name: value for name, value in options.items() if name not in settled}


def with_options(
    title: str, base: R, options: dict[str, str], renamed: Renamed = MappingProxyType({}),
    later: Later = MappingProxyType({}), decided: Decided = MappingProxyType({}),
) -> R:  # fmt: skip
    """``base`` with named options changed; those of games begun earlier may have names that are ``renamed``, or be
    ``decided`` now. A game's tags name every ruling of its time, so one whose options name all but the ``later`` ones
    was begun before those. ``ValueError`` names what is unknown and what ``title`` has; ``WithdrawnOption``, which is
    one, a value that is not played any more."""
    known, options = choices(type(base)), still_open(title, options, decided)
    former = {name: then for then, (name, _) in renamed.items()}
    if later and all(name in options or former.get(name) in options for name in known.keys() - later.keys()):
        options = {**{name: value for name, value in later.items() if value is not None}, **options}
    changes: dict[str, Any] = {}
    for name, value in options.items():
        key = name.replace("-", "_")
        if key in renamed:
            key, values = renamed[key]
            value = values.get(value, value)
        if key not in known:
            raise ValueError(f"{title} has no option {name!r}; there are: {', '.join(known)}")
        if value not in known[key]:
            raise ValueError(f"option {name} cannot be {value!r}; it can be: {', '.join(known[key])}")
        changes[key] = value == "yes" if known[key] == ("no", "yes") else value
    return replace(base, **changes)


def as_options(rulings: Dataclass) -> dict[str, str]:
    """All rulings as options, for a game's tags."""
    return {
        f.name: ("yes" if v else "no") if isinstance(v := getattr(rulings, f.name), bool) else str(v)
        for f in fields(rulings)
    }
