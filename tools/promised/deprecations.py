"""Names of the library that will go. Each warns with a ``DeprecationWarning``, and the changelog lists it.

The warning is a call in the shipped code, with a text of one form, so that it says the same everywhere:

    warnings.warn("engine.old_name goes in 2.0.0: use engine.new_name", DeprecationWarning, stacklevel=2)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tools.promised.names import listing

FORM: Final = "NAME goes in N.0.0: use OTHER"
_TEXT: Final = re.compile(r"([\w.]+) goes in (\d+)\.0\.0: \S.*")
_SECTION: Final = re.compile(r"^### Will go\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
"""The parts of the changelog that list what will go, one for each version that announces anything."""
_SHIPPED: Final = ("engine", "moderator")


def faults(checkout: Path, version: str) -> Iterator[str]:
    """Yield a line for each warning in ``checkout``, whose version is ``version``, that is not as promised."""
    there = [*_warnings(checkout)]
    names = listing(checkout) if there else {}
    announced = "".join(_SECTION.findall((checkout / "CHANGELOG.md").read_text(encoding="utf-8"))) if there else ""
    for place, call in there:
        yield from (f"{place}: {fault}" for fault in _faults(call, names, announced, int(version.partition(".")[0])))


def _warnings(checkout: Path) -> Iterator[tuple[str, ast.Call]]:
    """File and line, and the call, of each ``DeprecationWarning``."""
    for path in sorted(path for package in _SHIPPED for path in (checkout / package).rglob("*.py")):
        if "DeprecationWarning" not in (text := path.read_text(encoding="utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and any(_is_category(given) for given in node.args):
                yield f"{path.relative_to(checkout).as_posix()}:{node.lineno}", node


def _is_category(given: ast.expr) -> bool:
    return isinstance(given, ast.Name) and given.id == "DeprecationWarning"


def _faults(call: ast.Call, names: Mapping[str, Any], announced: str, major: int) -> Iterator[str]:
    text = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    form = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if form is None:
        yield f"the text should be a constant of the form `{FORM}`"
        return
    name, goes = form[1], int(form[2])
    if not _is_promised(name, names):
        yield f"{name} is no promised name, so nobody needs the warning"
    if goes <= major:
        yield f"{name} is promised until {major + 1}.0.0"
    if f"`{name}`" not in announced:
        yield f'the changelog does not list `{name}` under "### Will go"'
    if not any(given.arg == "stacklevel" for given in call.keywords):
        yield "without `stacklevel` the warning names our own line and not that of the caller"


def _is_promised(name: str, names: Mapping[str, Any]) -> bool:
    """True for a name of the listing, and for a parameter of one that is called."""
    of, _, parameter = name.rpartition(".")
    return name in names or parameter in [one for one, *_ in names.get(of, {}).get("call", ())]
