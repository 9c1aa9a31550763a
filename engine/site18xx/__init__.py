"""Games of 18xx.games: its files are read as orders, and games are written as its files.

The site records every click of its own course of play; this engine records orders. What is the same in every title lies
here: the beginnings of the two programs of a title, ``converter``, which turns actions into orders, and ``writer``,
which turns orders into actions. The folder of a title completes them. Both follow the certificates by one model
(``certificates``). Rules know nothing of either.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from engine.titles.registry import PACKAGES


def site_converter(name: str) -> Any:
    """The class that turns a title's records of 18xx.games into orders. ``ValueError`` where there is none."""
    return _module(name, "converter", f"records of 18xx.games cannot be read for {name}").Converter


def site_writer(name: str) -> Any:
    """The module that turns a title's games into records of 18xx.games: its ``Writer``, the ``EDITIONS`` that the site
    plays too, and the options that are ``SHOWN`` by a record alone. ``ValueError`` where there is none."""
    return _module(name, "writer", f"the form in which 18xx.games would record a game of {name} is not known")


def _module(name: str, role: str, without: str) -> ModuleType:
    if name not in PACKAGES:
        raise ValueError(f"no title {name!r}; there are: {', '.join(PACKAGES)}")
    folder = f"{__name__}.{PACKAGES[name].rpartition('.')[2]}"
    if find_spec(folder) is None:
        raise ValueError(f"{without}: there is no {folder}")
    return import_module(f"{folder}.{role}")
