"""Files of corrected facts, as arguments of commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from moderator.entrypoints.output import complaints
from moderator.input_limits import LARGEST_FACTS, UnusableError, read_text

FactsFile = Annotated[
    Path | None,
    typer.Option(
        "--facts",
        metavar="FILE",
        help="A file in which board, counts or prices are corrected (`railpost title export`).",
    ),
]


@contextmanager
def named(path: Path | None) -> Iterator[None]:
    """Raise ``FaultyFacts`` from inside as a ``ValueError`` that names file, line and reason of each fault."""
    from engine import FaultyFacts

    try:
        yield
    except FaultyFacts as error:
        assert path is not None, error
        raise ValueError("\n".join(f"{path.name}:{fault.line}: {fault.reason}" for fault in error.faults)) from error


def facts_text(path: Path | None) -> str:
    """The text of a file of corrected facts; empty if there is none. Ends the command if the file is empty or cannot be
    read."""
    if path is None:
        return ""
    with complaints():
        try:
            text = read_text(path, LARGEST_FACTS)
        except UnusableError as error:
            raise ValueError(f"{path.name}: {error}") from error
        if not text.strip():
            raise ValueError(f"{path.name}: is empty")
        return text


def pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(f"{text!r} is not an option: write KEY=VALUE")
    return key.strip(), value.strip()
