"""Docstrings and sizes of the code that is shipped: the noun comes first, and what is long says why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.checkout import CHECKOUT

FILES = sorted(
    path for name in ("engine", "grammar", "moderator", "templates") for path in (CHECKOUT / name).rglob("*.py")
)
MOST_OF_A_FUNCTION, MOST_OF_A_FILE = 60, 400
QUESTION = re.compile(r"(What|Who|Whether)\b")
LONG_FUNCTIONS = {
    "grammar/write.py: write",
    "moderator/adapters/migrations/versions/0016_the_tables.py: upgrade",
}
"""They are tables; their docstrings say so."""
LONG_FILES = {"engine/core/events.py", "engine/core/orders.py"}
"""Lists of types; their docstrings say so."""


def texts(tree: ast.Module) -> Iterator[str]:
    """Every string that stands alone: docstrings, and texts beneath fields and constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in FILES}


def test_no_docstring_begins_with_a_question_word(trees: dict[Path, ast.Module]) -> None:
    found = {
        f"{path.relative_to(CHECKOUT)}: {text}"
        for path, tree in trees.items()
        for text in texts(tree)
        if QUESTION.match(text)
    }
    assert not found


def test_functions_are_short(trees: dict[Path, ast.Module]) -> None:
    found = {
        f"{path.relative_to(CHECKOUT)}: {node.name}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= MOST_OF_A_FUNCTION
    }
    assert found == LONG_FUNCTIONS


def test_files_are_short() -> None:
    found = {str(path.relative_to(CHECKOUT)) for path in FILES if path.read_text("utf-8").count("\n") > MOST_OF_A_FILE}
    assert found == LONG_FILES
