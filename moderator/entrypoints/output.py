"""How the commands speak: results on standard output, messages on standard error, and what their exit statuses mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text

out = Console(highlight=False, soft_wrap=True)
wide = Console(highlight=False, width=10_000)
"""For tables: a row is one line however narrow the terminal, for scripts read them."""
err = Console(stderr=True, highlight=False, soft_wrap=True)


class Status(IntEnum):
    """Exit statuses."""

    OK = 0
    NO = 1
    """The answer is no: an order is refused, a record does not verify, there is no such game."""
    USAGE = 2
    """The command line, a setting or an input file cannot be used; nothing was done."""
    FAILED = 3
    """Something went wrong on the way."""


def fail(message: str, status: Status = Status.USAGE) -> NoReturn:
    """Say why not, and end."""
    err.print(Text(message))
    raise typer.Exit(status)


@contextmanager
def complaints() -> Iterator[None]:
    """Bad input is said in one sentence, without a traceback."""
    try:
        yield
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:
        fail(str(error))
