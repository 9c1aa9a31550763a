"""Named rulings as options: a title's frozen dataclass of them, read and written as names and values.

A ruling is a field whose type is ``bool`` (written ``no`` and ``yes``) or a ``Literal`` of texts.
"""

from __future__ import annotations

from dataclasses import Field, fields, replace
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_type_hints


class Dataclass(Protocol):
    """An instance of any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Dataclass)


def choices(kind: type[Dataclass]) -> dict[str, tuple[str, ...]]:
    """Every ruling of a title with the values it may take, as options are written."""
    hints = get_type_hints(kind)
    return {f.name: ("no", "yes") if hints[f.name] is bool else tuple(get_args(hints[f.name])) for f in fields(kind)}


def with_options(title: str, base: R, options: dict[str, str]) -> R:
    """``base`` with named options changed. ``ValueError`` names what is unknown and what ``title`` has."""
    known = choices(type(base))
    changes: dict[str, Any] = {}
    for name, value in options.items():
        key = name.replace("-", "_")
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
