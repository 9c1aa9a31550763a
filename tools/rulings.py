"""Write the tables of named rulings from the code of the titles.

    python -m tools.rulings [CHECKOUT]          what does not fit; exits 1 if there is anything
    python -m tools.rulings --write [CHECKOUT]  write the tables into docs/rulings.md

The names and values are those of a title's ``rulings.py``, where the text below each begins with its rule; the value in
each edition is that of ``editions.py``. It finds:

* a ruling whose text does not begin with the number of a rule
* tables in ``docs/rulings.md`` that are not those of the code
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import engine
from tools.code_tables import field_texts, run, table_of, with_table

PAGE: Final = Path("docs/rulings.md")
_RULES: Final = re.compile(r"(\d+\.\d+(?:, \d+\.\d+)*): ")


def table(checkout: Path, title: str) -> str:
    """The table of a title's named rulings, in Markdown. ``ValueError`` names rulings without a rule."""
    rulings, editions = _module(title, "rulings"), _module(title, "editions").EDITIONS
    rules = _rules(checkout, title)
    choices: dict[str, tuple[str, ...]] = rulings.choices()
    if unruled := choices.keys() - rules.keys():
        raise ValueError(f"{_code(title)}: no rule before the text of {', '.join(sorted(unruled))}")
    played = [rulings.as_options(edition) for edition in editions.values()]
    rows = [("name", "rule", "values", *(f"`{edition}`" for edition in editions))]
    rows += [
        (f"`{name}`", rules[name], ", ".join(values), *(one[name] for one in played))
        for name, values in choices.items()
    ]  # fmt: skip
    head, *lines = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join([head, "|" + "|".join("-" * (len(cell) + 2) for cell in rows[0]) + "|", *lines])


def _module(title: str, part: str) -> Any:
    return import_module(f"engine.titles.t{title}.{part}")


def _code(title: str) -> Path:
    return Path(f"engine/titles/t{title}/rulings.py")


def _rules(checkout: Path, title: str) -> dict[str, str]:
    texts = field_texts(checkout / _code(title), "Rulings")
    return {name: found[1] for name, text in texts.items() if (found := _RULES.match(text))}


def _name(title: str) -> str:
    return f"rulings of {title}"


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    found, page = [], (checkout / PAGE).read_text(encoding="utf-8")
    for title in engine.title_names():
        try:
            wanted = table(checkout, title)
        except ValueError as error:
            found.append(str(error))
            continue
        lines = difflib.ndiff(table_of(page, _name(title)).splitlines(), wanted.splitlines())
        if changed := [line for line in lines if line.startswith(("- ", "+ "))]:
            found.append(f"{PAGE}: the table of {title} is not that of the code; `python -m tools.rulings --write`")
            found += changed
    return found


def _write(checkout: Path) -> None:
    page = (checkout / PAGE).read_text(encoding="utf-8")
    for title in engine.title_names():
        page = with_table(page, _name(title), table(checkout, title))
    (checkout / PAGE).write_text(page, encoding="utf-8")


def _said() -> str:
    count = sum(len(_module(title, "rulings").choices()) for title in engine.title_names())
    return f"{count} named rulings of {len(engine.title_names())} titles, and the page that lists them"


def main(arguments: Sequence[str]) -> int:
    """Run from a checkout; the exit status."""
    return run(arguments, _write, problems, _said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
