"""Put small faults into code, one at a time, and say which of them no test notices.

    python -m tools.mutate engine/acts engine/holders --number 100 --seed 1

Each fault changes one expression or leaves out one statement: a comparison is turned round or moved by one, a condition
is negated, ``and`` becomes ``or``, a number is one more, a call is not made. It is put into a copy of the checkout,
where the stages of tests run one after the other until one fails. A fault that survives them all is printed; it is
either without effect, or there is a test to write.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
COPIED = ("engine", "grammar", "moderator", "templates", "tests", "tools", "docs", "deploy")
STAGES: tuple[tuple[str, ...], ...] = (
    ("tests/engine/acts", "tests/engine/holders", "tests/engine/core/test_secrets.py"),
    ("tests/titles", "--deselect=tests/titles/test_rules_versions.py"),
    ("tests/proofs/test_games.py", "tests/proofs/test_referee.py", "tests/engine/sensible"),
)
"""Arguments of pytest, the quickest tests first."""
MOST_SECONDS = 900
"""A stage that takes longer counts as failed: the fault has made a loop."""
COMPARED: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.In: ("not in",), ast.NotIn: ("in",),
    ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """The text of ``path`` from ``start`` to ``end`` becomes ``new``."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())} -> {' '.join(self.new.split())}"

    def put_in(self, root: Path) -> None:
        """Write the changed file."""
        text = (CHECKOUT / self.path).read_text("utf-8")
        (root / self.path).write_text(text[: self.start] + self.new + text[self.end :], "utf-8")

    def take_out(self, root: Path) -> None:
        """Write the file as it was."""
        shutil.copyfile(CHECKOUT / self.path, root / self.path)


def faults(path: Path) -> Iterator[Fault]:
    """Every fault that a file can have; annotations and texts have none."""
    text = (CHECKOUT / path).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))

    def place(line: int, column: int) -> int:
        return begins[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def fault(node: ast.expr | ast.stmt, new: str) -> Fault:
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Fault(path, node.lineno, start, end, text[start:end], new)

    for node in _executed(ast.parse(text)):
        for old, new in _changes(node):
            yield fault(old, new)


def _executed(tree: ast.Module) -> Iterator[ast.AST]:
    """Nodes inside functions, without annotations."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from _inside(statement)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        return
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name != "annotation":
                yield from _inside(child)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """The changes of a node: what is replaced, and the new text."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            for sign in COMPARED[type(op)]:
                yield node, f"({ast.unparse(left)} {sign} {ast.unparse(right)})"
        case ast.BoolOp(op=op, values=values):
            sign = " or " if isinstance(op, ast.And) else " and "
            yield node, "(" + sign.join(f"({ast.unparse(value)})" for value in values) + ")"
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, f"(not ({ast.unparse(test)}))"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield node, f"({ast.unparse(left)} {'-' if isinstance(op, ast.Add) else '+'} {ast.unparse(right)})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.Expr(value=ast.Call()):
            yield node, "pass"


def survives(fault: Fault, root: Path, stages: Sequence[Sequence[str]]) -> bool:
    """Whether every stage passes with the fault."""
    fault.put_in(root)
    try:
        return all(_passes(stage, root) for stage in stages)
    finally:
        fault.take_out(root)


def _passes(stage: Sequence[str], root: Path) -> bool:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-m",
        "not prove and not bench",
        *stage,
    ]
    records = os.environ.get("RAILPOST_RECORDS", str(CHECKOUT.parent / "shared" / "records"))
    environment = {
        **os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "RAILPOST_RECORDS": records,
    }  # fmt: skip
    try:
        run = subprocess.run(command, cwd=root, env=environment, capture_output=True, check=False, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def main() -> int:
    reader = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__)
    reader.add_argument("folders", nargs="+", type=Path)
    reader.add_argument("--number", type=int, default=100)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--part", type=int, default=0, help="which part of the faults, of --parts")
    reader.add_argument("--parts", type=int, default=1)
    given = reader.parse_args()
    files = sorted(
        file.relative_to(CHECKOUT)
        for folder in given.folders
        for file in ([CHECKOUT / folder] if folder.suffix else (CHECKOUT / folder).glob("*.py"))
    )
    every = [fault for path in files for fault in faults(path)]
    taken = random.Random(given.seed).sample(every, min(given.number, len(every)))[given.part :: given.parts]
    left = 0
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        root = Path(name)
        for folder in COPIED:
            shutil.copytree(
                CHECKOUT / folder, root / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        for file in CHECKOUT.glob("*.*"):
            if file.is_file():
                shutil.copyfile(file, root / file.name)
        if not all(_passes(stage, root) for stage in STAGES):
            sys.stdout.write("the tests do not pass without any fault\n")
            return 1
        for fault in taken:
            found = survives(fault, root, STAGES)
            left += found
            sys.stdout.write(f"{'SURVIVES' if found else 'noticed '} {fault}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(taken)} of {len(every)} faults, {left} survive\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
