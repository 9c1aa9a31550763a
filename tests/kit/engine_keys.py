"""Finds, in the engine's sources, every key that needs words: checks with the names of their facts, asks, reasons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.kit.checkout import CHECKOUT

ENGINE = CHECKOUT / "engine"
KEY = re.compile(r"[a-z]+(_[a-z]+)*\.[a-z0-9]+(_[a-z0-9]+)*")
NOT_KEYS = re.compile(r".*\.(toml|json|py|txt)|engine\..*")
REASON_AT = {
    "pay": 3, "pay_with_loans": 4, "Paid": 3, "LoansChanged": 2, "CompanyLeft": 2, "PriceSet": 3, "Restored": 1,
    "GameOver": 1, "EndSignalled": 0, "LotDrawn": 0, "draw": 0, "move_price": 4,
}  # fmt: skip
"""Position of the reason (or purpose) in a call; a method's ``self`` not counted."""


@cache
def nodes() -> tuple[tuple[Path, tuple[ast.Constant, ...], tuple[ast.Call, ...]], ...]:
    """Every source with its constants and its calls, read once."""
    return tuple(_nodes())


def _nodes() -> Iterator[tuple[Path, tuple[ast.Constant, ...], tuple[ast.Call, ...]]]:
    for path in sorted(ENGINE.rglob("*.py")):
        all_nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        constants = tuple(node for node in all_nodes if isinstance(node, ast.Constant))
        yield path, constants, tuple(node for node in all_nodes if isinstance(node, ast.Call))


def keys() -> dict[str, set[str]]:
    """Every string that looks like a check or ask key -> files that have it."""
    found: dict[str, set[str]] = {}
    for path, constants, _ in nodes():
        for node in constants:
            text = node.value if isinstance(node.value, str) else ""
            if KEY.fullmatch(text) and not NOT_KEYS.fullmatch(text):
                found.setdefault(text, set()).add(path.name)
    return found


def facts() -> list[tuple[str, str, set[str]]]:
    """Title (empty for shared code), check key and names of its facts, for every place that says both in full."""
    found: list[tuple[str, str, set[str]]] = []
    for path, _, calls in nodes():
        folder = path.relative_to(ENGINE).parent.name
        title = folder[1:] if folder[:1] == "t" and folder[1:].isdigit() else ""
        for node in calls:
            found.extend((title, key, names) for key, names in _facts_of(node))
    return found


def _facts_of(call: ast.Call) -> Iterator[tuple[str, set[str]]]:
    name = _name(call.func)
    if name == "Failure" and len(call.args) in (1, 2) and isinstance(call.args[0], ast.Constant):
        given = call.args[1] if len(call.args) == 2 else ast.Dict([], [])
        if isinstance(given, ast.Dict) and None not in given.keys:
            yield str(call.args[0].value), {k.value for k in given.keys if isinstance(k, ast.Constant)}  # type: ignore[misc]
    elif name in ("require", "refuse"):
        at = 1 if name == "require" else 0
        key = call.args[at] if len(call.args) > at else None
        if isinstance(key, ast.Constant) and all(k.arg is not None for k in call.keywords):
            yield str(key.value), {k.arg for k in call.keywords if k.arg}


def asks() -> dict[str, int]:
    """Ask key -> how many names it is about (-1: not written out), for asks that are made in full."""
    found: dict[str, int] = {}
    for _, _, calls in nodes():
        for node in calls:
            if _name(node.func) == "Ask" and len(node.args) >= 3:
                what = node.args[2]
                if isinstance(what, ast.Constant):
                    about = node.args[3] if len(node.args) > 3 else None
                    found[str(what.value)] = len(about.elts) if isinstance(about, ast.Tuple) else -1
    return found


def reasons() -> set[tuple[str, str]]:
    """(name called, reason) for every event or payment whose reason is written out."""
    found: set[tuple[str, str]] = set()
    for _, _, calls in nodes():
        for node in calls:
            if _name(node.func) not in REASON_AT:
                continue
            name, at = _name(node.func), REASON_AT[_name(node.func)]
            given = node.args[at] if len(node.args) > at else None
            for keyword in node.keywords:
                if keyword.arg in ("reason", "purpose"):
                    given = keyword.value
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                found.add((name, given.value))
    return found


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
