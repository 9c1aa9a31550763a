"""The names that programs and scripts use: of ``engine`` and ``moderator.library``, settings, commands and their JSON.

A listing maps each name to what a caller relies on: for a call its parameters, for a class its fields, for a table
its columns. A later version may add to it. ``broken`` says what is missing from a newer listing, or is no
longer as it was.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click
import typer.main

import engine
import engine.robots
from moderator import library
from moderator.entrypoints import cli
from moderator.entrypoints.output import Status
from moderator.settings import Settings

Listing = dict[str, Any]

OF_TITLE: Final = (
    "name", "edition", "full_name", "currency", "options", "map", "chart", "trains", "phases", "privates", "companies",
    "bank", "addresses", "own_facts", "reconstructed", "rules_version", "fingerprint", "notes",
)  # fmt: skip
"""The attributes of a title that a program may read. The others are for the rules themselves."""
_BUILT_BY_CALLERS: Final = ("Setup",)
"""Values outside ``engine.orders`` that callers make; all others they get and read."""
_JSON_TABLES: Final = "Table"


def listing(checkout: Path) -> Listing:
    """The names of the program in ``checkout``."""
    found: Listing = {}
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # a name that will go is still promised
        for module in (engine, library, engine.robots):
            for name in module.__all__:
                found.update(_value(f"{module.__name__}.{name}", getattr(module, name)))
    found["settings"] = sorted(Settings.model_fields)
    found["exit statuses"] = {status.name: int(status) for status in Status}
    found.update(_commands(typer.main.get_command(cli.app), "railpost"))
    found.update(_columns(checkout))
    return dict(sorted(found.items()))


def _value(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, ModuleType):
        for name, kind in vars(value).items():
            if not name.startswith("_") and getattr(kind, "__module__", None) == value.__name__:
                yield from _value(f"{path}.{name}", kind)
    elif inspect.isclass(value):
        yield from _class(path, value)
    elif inspect.isfunction(value):
        yield path, {"call": _parameters(value)}
    else:
        yield path, {"value": type(value).__name__}


def _class(path: str, kind: type) -> Iterator[tuple[str, Any]]:
    made = path.startswith("engine.orders.") or kind.__name__ in _BUILT_BY_CALLERS
    errors = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins" and issubclass(base, Exception)]
    yield path, {"call": _parameters(kind)} if made else {"raised as": errors} if errors else {"class": True}
    names = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    names |= {name for base in kind.__mro__ if base.__module__.startswith("engine") for name in vars(base)}
    names |= {name for base in kind.__mro__ for name in vars(base).get("__annotations__", {})}
    for name in sorted(names):
        if name.startswith("_") or (kind is engine.Title and name not in OF_TITLE):
            continue
        member = inspect.getattr_static(kind, name, None)
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        yield (
            f"{path}.{name}",
            {"call": _parameters(getattr(kind, name))} if inspect.isfunction(function) else {"read": True},
        )


def _parameters(called: Callable[..., Any]) -> list[list[Any]]:
    """Name, kind and whether it may be left out, for each parameter but ``self``."""
    given = inspect.signature(called).parameters.values()
    return [[p.name, p.kind.name, p.default is not p.empty] for p in given if p.name != "self"]


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command with its arguments and options, and all below it."""
    options = sorted(
        name for p in command.params if p.param_type_name == "option" for name in p.opts if name != "--help"
    )
    arguments = [[p.name, bool(p.required)] for p in command.params if p.param_type_name == "argument"]
    yield path, {"options": options, "arguments": arguments}
    if hasattr(command, "list_commands"):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from _commands(command.get_command(context, name), f"{path} {name}")


def _columns(checkout: Path) -> Iterator[tuple[str, Any]]:
    """The names in the JSON of each table, by the function that prints it."""
    for path in sorted((checkout / "moderator" / "entrypoints").rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                columns = [column for row in _tables(function) for column in row]
                if columns:
                    yield f"json of {_asked_by(function)}", {"keys": sorted(set(columns))}


def _asked_by(function: ast.FunctionDef) -> str:
    """The name of the command, with the group that its decorator names."""
    return ".".join([ast.unparse(d.func) for d in function.decorator_list if isinstance(d, ast.Call)] + [function.name])


def _tables(function: ast.FunctionDef) -> Iterator[list[str]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _JSON_TABLES:
            texts = [part for given in node.args for part in _texts(given, function)]
            if texts:
                yield texts


def _texts(given: ast.expr, function: ast.FunctionDef) -> list[str]:
    if isinstance(given, ast.Starred) and isinstance(given.value, ast.Name):
        name = given.value.id
        made = [n.value for n in ast.walk(function) if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == name]
        return [n.value for value in made for n in ast.walk(value) if _text(n)]  # type: ignore[attr-defined]
    return [given.value] if _text(given) else []  # type: ignore[attr-defined]


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


# ---- what no longer holds --------------------------------------------------------------------------------------------


def broken(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Each thing that ``before`` has and ``now`` has not, in a line. What is new is no fault."""
    for name, promise in before.items():
        if name not in now:
            yield f"{name} is gone"
        elif isinstance(promise, list):
            yield from (f"{name}: {one} is gone" for one in promise if one not in now[name])
        else:
            for key, old in promise.items():
                yield from _less(name, key, old, now[name].get(key))


def _less(name: str, key: str, old: Any, new: Any) -> Iterator[str]:
    if new is None:
        yield f"{name} has no {key} any more" if name == "exit statuses" else f"{name} is not used as before: {key}"
    elif key == "call":
        yield from _other_call(name, old, new)
    elif key == "arguments":
        if [one for one, _ in old] != [one for one, _ in new][: len(old)] or any(need for _, need in new[len(old) :]):
            yield f"{name}: its arguments were {old} (name, required)"
        yield from (
            f"{name}: {one} must be given now" for (one, need), (_, now) in zip(old, new, strict=False) if now > need
        )
    elif isinstance(old, list):
        yield from (f"{name}: {one} is gone" for one in old if one not in new)
    elif old != new:
        yield f"{name}: {key} was {old}, now {new}"


def _other_call(name: str, old: list[list[Any]], new: list[list[Any]]) -> Iterator[str]:
    """Yield the faults of a call that was right for ``old``."""
    by_name = {parameter: (number, kind, left_out) for number, (parameter, kind, left_out) in enumerate(new)}
    for number, (parameter, kind, left_out) in enumerate(old):
        at, kind_now, left_out_now = by_name.get(parameter, (-1, "", False))
        if at < 0:
            yield f"{name}: the parameter {parameter} is gone"
        elif left_out and not left_out_now:
            yield f"{name}: the parameter {parameter} must be given now"
        elif kind_now not in (kind, "POSITIONAL_OR_KEYWORD"):
            yield f"{name}: the parameter {parameter} cannot be given as before ({kind}, now {kind_now})"
        elif kind.startswith("POSITIONAL") and at != number:
            yield f"{name}: the parameter {parameter} is at another place"
    known = {parameter for parameter, _, _ in old}
    yield from (
        f"{name}: the new parameter {parameter} must be given"
        for parameter, kind, left_out in new
        if parameter not in known and not left_out and not kind.startswith("VAR")
    )


def plain(value: Any) -> Any:
    """A value as JSON has it. Fields with their defaults are left out, so that a new field changes nothing."""
    if isinstance(value, Enum):
        return plain(value.value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        told = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if not _is_default(value, f)}
        return {"": type(value).__name__, **{name: plain(part) for name, part in told.items()}}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def _is_default(value: Any, field: dataclasses.Field[Any]) -> bool:
    made = field.default_factory
    default = field.default if made is dataclasses.MISSING else made()
    return default is not dataclasses.MISSING and bool(getattr(value, field.name) == default)
