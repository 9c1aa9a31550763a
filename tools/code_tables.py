"""Tables on pages that commands write from the code, each between two marker comments, and the texts below fields."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

_BEGIN: Final = "<!-- table: {} -->"
_END: Final = "<!-- table: end of {} -->"


def table_of(page: str, name: str) -> str:
    """The table ``name`` as the page has it; empty if there is none."""
    return page.partition(_BEGIN.format(name))[2].partition(_END.format(name))[0].strip()


def with_table(page: str, name: str, table: str) -> str:
    """The page with ``table`` between the markers of ``name``. ``SystemExit`` if they are not there once each."""
    begin, end = _BEGIN.format(name), _END.format(name)
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"`{begin}` and `{end}` must stand on the page once each")
    head, _, rest = page.partition(begin)
    return f"{head}{begin}\n{table}\n{end}\n\n{rest.partition(end)[2].lstrip()}"


def field_texts(module: Path, name: str) -> dict[str, str]:
    """Field -> the text that stands below it, in one line, for the class ``name`` of a module."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    (kind,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    found = {}
    for node, below in zip(kind.body, [*kind.body[1:], None], strict=True):
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            found[node.target.id] = " ".join(below.value.value.split())
    return found


def run(
    arguments: Sequence[str],
    write: Callable[[Path], None],
    problems: Callable[[Path], list[str]],
    said: Callable[[], str],
) -> int:
    """Run a command that keeps pages in step with the code, from a checkout: with ``--write`` it writes them, then it
    prints the problems or, if there are none, what is ``said``. Returns the exit status."""
    places = [argument for argument in arguments if argument != "--write"]
    checkout = Path(places[0]) if places else Path()
    if "--write" in arguments:
        write(checkout)
    found = problems(checkout)
    print("\n".join(found or [said()]))
    return 1 if found else 0
