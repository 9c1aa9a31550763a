"""Output of the commands: results on standard output, messages on standard error, and the meanings of exit statuses.

Only this module writes to the terminal. Everything that is printed is plain text: Rich reads no markup in it, and
escape sequences are spelt out (``domain/shown.py``).
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from moderator.domain.escape import in_line, shown

if TYPE_CHECKING:
    from rich.progress import Progress


class Terminal(Console):
    """A console that treats text as plain text everywhere: printed directly, in a cell, or in an object of Rich."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **_: Any) -> Text:
        """``text`` without markup, emoji codes and highlighting, whatever is asked for."""
        return Text(shown(text))

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render an object, with escape sequences spelt out. Every object comes through here, also those inside
        others."""
        if isinstance(renderable, Text) and (fit := shown(renderable.plain)) != renderable.plain:
            renderable = Text(fit, overflow=renderable.overflow, no_wrap=renderable.no_wrap, end=renderable.end)
        return super().render(renderable, options)


class Table:
    """Rows of cells under column headings. A cell is one line of text."""

    def __init__(self, *columns: str) -> None:
        self._columns, self._rows = columns, list[tuple[str, ...]]()

    def add_row(self, *cells: str) -> None:
        self._rows.append(cells)

    def print(self, as_json: bool = False) -> None:
        """Print the rows, each as one line however narrow the terminal is, because scripts read them; or with
        ``as_json`` a JSON list with an object for each row. Its names are the columns, and its values are the cells,
        with what is not ASCII escaped as JSON has it."""
        if as_json:
            out.print(json.dumps([dict(zip(self._columns, row, strict=True)) for row in self._rows], ensure_ascii=True))
        else:
            head, *lines = self._lines()
            out.print(Text(head, "bold"))
            out.file.writelines(f"{line}\n" for line in lines)

    def _lines(self) -> list[str]:
        """The headings and the rows, in columns. Rich's own tables take half a millisecond for each row."""
        columns = zip(self._columns, *self._rows, strict=True)
        return list(map("  ".join, zip(*map(_as_wide, columns), strict=True)))


def _as_wide(cells: Sequence[str]) -> list[str]:
    """``cells`` of one column, each on one line and all as wide as the widest."""
    together = "".join(cells)
    if together.isascii() and together.isprintable():  # as most columns are, of which each character is a cell wide
        most = max(map(len, cells))
        return [cell.ljust(most) for cell in cells]
    cells = [in_line(cell) for cell in cells]
    widths = [len(cell) if cell.isascii() else cell_len(cell) for cell in cells]
    most = max(widths)
    return [cell + " " * (most - width) for cell, width in zip(cells, widths, strict=True)]


out = Terminal(soft_wrap=True)
err = Terminal(stderr=True, soft_wrap=True)


def prose(text: str) -> None:
    """Print lines for a person. On a terminal they break between words at its width, and what follows is indented."""
    if not out.is_terminal:
        out.print(text)
        return
    for line in text.splitlines() or [""]:
        indent = line[: len(line) - len(line.lstrip())]
        broken = textwrap.wrap(
            shown(line), max(20, out.width), subsequent_indent=indent + "    ", break_on_hyphens=False
        )
        out.print("\n".join(broken))


def drawing(text: Text) -> None:
    """Print a picture in letters and colours."""
    out.print(text, end="")


def picture_room() -> tuple[int, bool]:
    """The columns for a picture in letters, 0 if the terminal cannot show one, and whether it has colours."""
    if not out.is_terminal or out.is_dumb_terminal or not out.encoding.startswith("utf"):
        return 0, False
    return out.width, out.color_system is not None and not out.no_color


AsJson = Annotated[bool, typer.Option("--json", help="A JSON list with an object for each row, for programs.")]


class Status(IntEnum):
    """Exit statuses."""

    OK = 0
    NO = 1
    """The answer is no: an order is refused, a record does not verify, there is no such game."""
    USAGE = 2
    """The command line, a setting or an input file cannot be used; nothing was done."""
    FAILED = 3
    """Something failed on the way."""


def data(content: bytes) -> None:
    """Write ``content`` to standard output unchanged if that is a file or a pipe. On a terminal, show it as text."""
    if sys.stdout.isatty():
        out.print(content.decode("utf-8", "replace"), end="")
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def progress() -> Progress:
    """A progress bar on standard error that shows how many orders of a game are done."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(),
        TextColumn("{task.completed} orders", markup=False), TimeElapsedColumn(), console=err, transient=True,
    )  # fmt: skip


def fail(message: str, status: Status = Status.USAGE) -> NoReturn:
    """Print ``message`` on standard error and end the command with ``status``."""
    err.print(message)
    raise typer.Exit(status)


@contextmanager
def complaints() -> Iterator[None]:
    """Report bad input (``OSError``, ``ValueError``) without a traceback, and end the command."""
    try:
        yield
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:
        fail(str(error))
