"""The frame of the commands: plain-text help that can be read in any terminal, pipe or mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

_WORDS: Final = {
    "<str>": "TEXT", "<int>": "NUMBER", "<int range>": "NUMBER", "<float>": "NUMBER", "<path>": "FILE", "<bool>": "",
    "<list[str]>": "TEXT", "<list[Path]>": "FILE",
}  # fmt: skip
_TYPE: Final = re.compile("|".join(map(re.escape, _WORDS)))
_ARGUMENT: Final = re.compile(r"(?m)^  \[?(?!-)(.+?)\]? <(?:[a-z ]+|list\[\w+\])>(?= |$)")
"""A help line about an argument. Its type is left out, because its name already says what it is."""


def _readable(text: str) -> str:
    """``text`` without the names of Python types, with each column as wide as before."""
    text = text.replace("[[", "[").replace("]]", "]")
    text = re.sub(r"\{([A-Z\"][^{}\n]*)\}", r"\1", text)
    text = _ARGUMENT.sub(lambda found: f"  {found[1]}".ljust(len(found[0])), text)
    return _TYPE.sub(lambda found: _WORDS[found[0]].ljust(len(found[0])), text)


class _Command(TyperCommand):
    def get_help(self, ctx: Any) -> str:
        return _readable(super().get_help(ctx))

    def get_usage(self, ctx: Any) -> str:
        return _readable(super().get_usage(ctx))


class _Group(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands with the first sentence of each, which is never cut."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, each.get_short_help_str(limit=1000)) for name, each in found if each and not each.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def get_help(self, ctx: Any) -> str:
        return _readable(super().get_help(ctx))


class App(typer.Typer):
    """A group of commands. If no command is given, its help is shown."""

    def __init__(self, **options: Any) -> None:
        super().__init__(no_args_is_help=True, rich_markup_mode=None, cls=_Group, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": _Command, **options})
