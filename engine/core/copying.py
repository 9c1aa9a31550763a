"""Copies of frozen values with some fields changed: ``dataclasses.replace`` for the values that every event copies."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

V = TypeVar("V")


def changed(value: V, **changes: Any) -> V:
    """Return a copy of ``value``, a frozen dataclass with slots and at least two fields, with ``changes``.
    ``TypeError`` for a field that the class does not have.

    It takes less than half the time of ``dataclasses.replace``, which goes through ``__init__``.
    """
    kind = type(value)
    plan = _plans.get(kind)
    if plan is None:
        plan = _plans[kind] = _Plan(kind)
    found = list(plan.read(value))
    for name, new in changes.items():
        if name not in plan.places:
            raise TypeError(f"{kind.__name__} has no field {name!r}")
        found[plan.places[name]] = new
    copy = object.__new__(kind)
    for put, content in zip(plan.setters, found, strict=True):
        put(copy, content)
    return copy


class _Plan:
    """The plan for copying values of one class: a reader of all fields, the place of each field, and the setter of
    each. The setters write to the slots directly, although the class is frozen."""

    __slots__ = ("places", "read", "setters")

    def __init__(self, kind: type) -> None:
        names = tuple(field.name for field in fields(kind))
        if hasattr(kind, "__post_init__") or len(names) < 2:
            raise TypeError(f"{kind.__name__} is not copied field by field")
        self.read = attrgetter(*names)
        self.places = {name: i for i, name in enumerate(names)}
        self.setters = tuple(getattr(kind, name).__set__ for name in names)


_plans: dict[type, _Plan] = {}
