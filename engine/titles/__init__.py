"""The titles that can be played. Each lives in a folder of its own and is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.core.title import Title
from engine.titles.changelog import Change, load_changes

_FOLDERS = {"1861": "engine.titles.t1861", "1844": "engine.titles.t1844", "1841": "engine.titles.t1841"}


def add_title(name: str, package: str) -> None:
    """Make a title known that lives in another package, which has ``EDITIONS`` and ``load`` as the folders here have
    them, and ``changes.toml``. ``ValueError`` where the name is taken by another package."""
    if _FOLDERS.setdefault(name, package) != package:
        raise ValueError(f"{name!r} is a title already, of {_FOLDERS[name]}")


def title_names() -> tuple[str, ...]:
    """Names of all titles, as ``load_title`` takes them."""
    return tuple(_FOLDERS)


def editions(name: str) -> tuple[str, ...]:
    """Editions of a title, the default first."""
    return tuple(_module(name).EDITIONS)


def load_title(name: str, edition: str | None = None, options: Mapping[str, str] | None = None) -> Title:
    """A title in one edition with named options. ``ValueError`` says what is unknown and what there is."""
    title: Title = _module(name).load(edition, dict(options or {}))
    return title


def changes(name: str) -> tuple[Change, ...]:
    """Versions of a title's rules, the newest last; a title's ``rules_version`` is the number of the newest.
    ``ValueError`` where there is no such title."""
    return load_changes(Path(str(_module(name).__file__)).parent / "changes.toml")


def site_converter(name: str) -> Any:
    """The class that turns a title's records of 18xx.games into orders. ``ValueError`` where there is none."""
    if name not in _FOLDERS:
        raise ValueError(f"no title {name!r}; there are: {', '.join(_FOLDERS)}")
    return import_module(f"{_FOLDERS[name]}.site").Converter


def _module(name: str) -> Any:
    if name not in _FOLDERS:
        raise ValueError(f"no title {name!r}; there are: {', '.join(_FOLDERS)}")
    return import_module(_FOLDERS[name])
