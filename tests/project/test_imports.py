"""What the import contracts of pyproject.toml cannot say, because they must name each library or title."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

OURS = {"engine", "grammar", "moderator", "templates"}


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Full names of the modules that a file imports."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_engine_uses_the_standard_library_alone(checkout: Path) -> None:
    allowed = sys.stdlib_module_names | {"engine"}
    strange = {
        (path.relative_to(checkout).as_posix(), name)
        for path in (checkout / "engine").rglob("*.py")
        for name in imported(path)
        if name.split(".")[0] not in allowed
    }
    assert not strange


def test_titles_do_not_import_each_other(checkout: Path) -> None:
    titles = checkout / "engine" / "titles"
    strange = {
        (path.relative_to(checkout).as_posix(), name)
        for path in titles.glob("t*/**/*.py")
        for name in imported(path)
        if (other := re.match(r"engine\.titles\.(t\w+)", name)) and other[1] != path.relative_to(titles).parts[0]
    }
    assert not strange


def test_every_library_that_is_used_is_declared(checkout: Path) -> None:
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    declared = {plain(re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]) for line in project["dependencies"]}
    owners = packages_distributions()
    undeclared = {
        (path.relative_to(checkout).as_posix(), top)
        for package in OURS
        for path in (checkout / package).rglob("*.py")
        for top in {name.split(".")[0] for name in imported(path)}
        if top not in sys.stdlib_module_names | OURS
        and declared.isdisjoint(plain(owner) for owner in owners.get(top, []))
    }
    assert not undeclared


# ---- circles --------------------------------------------------------------------------------------------------------


def test_no_files_import_each_other_in_a_circle(checkout: Path) -> None:
    """Not for types alone either: what needs each other's types stands in one file."""
    modules = {
        ".".join(path.relative_to(checkout).with_suffix("").parts).removesuffix(".__init__"): path
        for name in ("engine", "grammar", "moderator", "templates")
        for path in (checkout / name).rglob("*.py")
    }
    packages = {name for name, path in modules.items() if path.name == "__init__.py"}
    left = {name: modules.keys() & set(imported(path)) - packages - {name} for name, path in modules.items()}
    while free := {name for name, wanted in left.items() if not wanted & left.keys()}:
        left = {name: wanted for name, wanted in left.items() if name not in free}
    assert not left, f"these are on the way to a circle: {sorted(left)}"
