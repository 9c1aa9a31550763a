"""The rows of docs/faults.md with the tests that hold them.

    python -m tools.faults [--results REPORT.xml] [CHECKOUT]

Prints a table: number, fault, tests, and with the JUnit report of a run how they ended. Exits 1 if a row has neither a
test nor a reason, or a test that failed or did not run.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROWS = 96
_ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_REASON = re.compile(r"^\| (\d+) \| (.+?) \|$", re.MULTILINE)
_REASONS = "## Not shown by a test of its own"


@dataclass(frozen=True, slots=True)
class Test:
    """A marked test: its file below ``tests`` and its name."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Faults:
    """``rows`` by number: fault and what is done. ``reasons`` of those without a test. ``tests`` by number."""

    rows: dict[int, tuple[str, str]]
    reasons: dict[int, str]
    tests: dict[int, list[Test]]

    @property
    def wrong(self) -> list[str]:
        """Everything that does not fit together, in sentences."""
        found = [f"row {n} is not on the page" for n in range(1, ROWS + 1) if n not in self.rows]
        found += [f"there is no row {n}" for n in sorted({*self.rows, *self.tests, *self.reasons}) if not 0 < n <= ROWS]
        for n in sorted(self.rows):
            if n in self.tests and n in self.reasons:
                found.append(f"row {n} has a test, and a reason for having none")
            elif n not in self.tests and n not in self.reasons:
                found.append(f"row {n} has neither a test nor a reason: {self.rows[n][0]}")
        return found


def read(checkout: Path) -> Faults:
    """The page and the marks of a checkout."""
    page = (checkout / "docs" / "faults.md").read_text(encoding="utf-8")
    table, _, reasons = page.partition(_REASONS)
    tests: dict[int, list[Test]] = {}
    for path in sorted((checkout / "tests").rglob("*.py")):
        for number, name in marks(path.read_text(encoding="utf-8")):
            tests.setdefault(number, []).append(Test(path.relative_to(checkout / "tests").as_posix(), name))
    return Faults(
        {int(number): (fault, done) for number, fault, done in _ROW.findall(table)},
        {int(number): why for number, why in _REASON.findall(reasons)},
        tests,
    )


def marks(source: str) -> Iterator[tuple[int, str]]:
    """Rows and names of the tests in a file that are marked; a mark for the whole file counts for each of its tests."""
    if "fault(" not in source:
        return
    tree = ast.parse(source)
    whole = [n for node in tree.body if isinstance(node, ast.Assign) and _is_pytestmark(node) for n in _numbers(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test"):
            own = [number for decorator in node.decorator_list for number in _numbers(decorator)]
            for number in dict.fromkeys([*own, *whole]):
                yield number, node.name


def _is_pytestmark(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)


def _numbers(node: ast.AST) -> Iterator[int]:
    """Numbers in every ``pytest.mark.fault(…)`` below ``node``."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.fault":
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, int):
                    yield argument.value


def results(report: Path) -> dict[Test, str]:
    """The outcome of each test in a JUnit report: ``passed``, ``failed`` or ``skipped``; of several cases the worst."""
    worst = {"passed": 0, "skipped": 1, "failed": 2}
    ended: dict[Test, str] = {}
    for case in ET.parse(report).iter("testcase"):
        file = case.get("classname", "").removeprefix("tests.").replace(".", "/") + ".py"
        test = Test(file, case.get("name", "").split("[")[0])
        broken = case.find("failure") is not None or case.find("error") is not None
        end = "failed" if broken else "skipped" if case.find("skipped") is not None else "passed"
        ended[test] = max(ended.get(test, "passed"), end, key=lambda one: worst[one])
    return ended


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="The rows of docs/faults.md with the tests that hold them.")
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--results", type=Path, metavar="REPORT.xml")
    options = parser.parse_args(arguments)
    faults = read(options.checkout)
    ended = results(options.results) if options.results else None
    bad = list(faults.wrong)
    print("| # | fault | tests |" + (" result |" if ended is not None else ""))
    print("|---|-------|-------|" + ("--------|" if ended is not None else ""))
    for number, (fault, _) in sorted(faults.rows.items()):
        tests = faults.tests.get(number, [])
        shown = "<br>".join(f"`{test.file}::{test.name}`" for test in tests) or faults.reasons.get(number, "NONE")
        line = f"| {number} | {fault} | {shown} |"
        if ended is not None:
            ends = [ended.get(test, "not run") for test in tests]
            bad += [f"row {number}: {t.name} {e}" for t, e in zip(tests, ends, strict=True) if e != "passed"]
            line += f" {ends.count('passed')} of {len(tests)} passed |" if tests else " - |"
        print(line)
    for sentence in bad:
        print(sentence, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
