"""Write the terms of 18xx on docs/glossary.md from the words that mails explain.

python -m tools.glossary [CHECKOUT]          what does not fit; exits 1 if there is anything
python -m tools.glossary --write [CHECKOUT]  write the table into docs/glossary.md
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import engine
from moderator.words.glossary import glossary
from moderator.words.texts import words
from tools.code_tables import run, table_of, with_table

PAGE: Final = Path("docs/glossary.md")
NAME: Final = "terms"


def table() -> str:
    """The table of all terms, in Markdown. A term that titles explain differently has a row for each meaning."""
    titles = engine.title_names()
    uses: dict[tuple[str, str], list[str]] = {}
    for title in titles:
        for row in glossary(words(), engine.load_title(title)):
            uses.setdefault(row, []).append(title)
    rows = sorted(uses.items(), key=lambda found: (found[0][0].casefold(), found[1]))
    said = [(*row, "all" if len(of) == len(titles) else ", ".join(of)) for row, of in rows]
    lines = ["| " + " | ".join(row) + " |" for row in (("word", "meaning", "titles"), *said)]
    return "\n".join([lines[0], "|------|---------|--------|", *lines[1:]])


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    if table_of((checkout / PAGE).read_text(encoding="utf-8"), NAME) == table():
        return []
    return [f"{PAGE}: the table is not that of the words; `python -m tools.glossary --write`"]


def _write(checkout: Path) -> None:
    page = checkout / PAGE
    page.write_text(with_table(page.read_text(encoding="utf-8"), NAME, table()), encoding="utf-8")


def _said() -> str:
    return f"{len(table().splitlines()) - 2} terms, and the page that lists them"


def main(arguments: Sequence[str]) -> int:
    return run(arguments, _write, problems, _said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
