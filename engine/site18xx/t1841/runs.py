"""Runs in records of 18xx.games: the form of a leg of 1841."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.orders import Route
from engine.site18xx.places import path_of
from engine.site18xx.runs import Legs
from engine.site18xx.trains import train_type


def route_of(recorded: Mapping[str, Any], legs: Legs) -> Route:
    """The run over ``legs``. The site writes a leg between two stops of one hex as that hex alone; the engine names the
    hex for each of them."""
    return Route(train_type(str(recorded["train"])), path_of([leg if len(leg) > 1 else [*leg, *leg] for leg in legs]))
