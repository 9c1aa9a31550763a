"""The frame of the commands: plain-text help that can be read in any terminal, pipe or mail."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Final

import typer
from typer._click.shell_completion import CompletionItem, split_arg_string
from typer.core import TyperCommand, TyperGroup

_WORDS: Final = {
    "<str>": "TEXT", "<int>": "NUMBER", "<int range>": "NUMBER", "<float>": "NUMBER", "<path>": "FILE", "<bool>": "",
    "<list[str]>": "TEXT", "<list[Path]>": "FILE",
}  # fmt: skip
_AFTER_EQUALS: Final = "after the equals sign"
"""The ``obj`` of a context in which a shell completes only what follows the equals sign of ``NAME=VALUE``."""
_TYPE: Final = re.compile("|".join(map(re.escape, _WORDS)))
_ARGUMENT: Final = re.compile(r"(?m)^  \[?(?!-)(.+?)\]? <(?:[a-z ]+|list\[\w+\])>(?= |$)")
"""A help line about an argument. Its type is left out, because its name already says what it is."""


def _readable(text: str) -> str:
    """``text`` without the names of Python types, with each column as wide as before."""
    text = text.replace("[[", "[").replace("]]", "]")
    text = re.sub(r"\{([A-Z\"][^{}\n]*)\}", r"\1", text)
    text = _ARGUMENT.sub(lambda found: f"  {found[1]}".ljust(len(found[0])), text)
    return _TYPE.sub(lambda found: _WORDS[found[0]].ljust(len(found[0])), text)


@contextmanager
def _unchecked_while_completing(command: TyperCommand | TyperGroup, ctx: Any) -> Iterator[None]:
    """While a shell completes a line, its values stay texts: Typer would import Pydantic to check and convert them."""
    params = command.get_params(ctx) if ctx.resilient_parsing else []
    for param in params:
        vars(param)["process_value"] = lambda _ctx, value: value
    try:
        yield
    finally:
        for param in params:
            vars(param).pop("process_value", None)


class _Command(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.find_root().obj == _AFTER_EQUALS:
            for param in self.params:
                vars(param)["shell_complete"] = partial(_values_alone, type(param).shell_complete, param)
        with _unchecked_while_completing(self, ctx):
            return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        return _readable(super().get_help(ctx))

    def get_usage(self, ctx: Any) -> str:
        return _readable(super().get_usage(ctx))


def _values_alone(complete: Callable[..., list[CompletionItem]], param: Any, ctx: Any, word: str) -> list[Any]:
    """The completions of ``NAME=VALUE``, without ``NAME=`` if the shell completes only what follows the sign."""
    found = complete(param, ctx, word)
    if ctx.find_root().obj != _AFTER_EQUALS:
        return found
    return [CompletionItem(item.value.partition("=")[2]) for item in found]


def _join_at_equals() -> bool:
    """Make one word of the three that Bash makes of ``NAME=VALUE`` on the line that it completes. True if the word to
    complete is one of them."""
    words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
    sign = at if words[at : at + 1] == ["="] else at - 1
    if sign < 1 or words[sign : sign + 1] != ["="] or words[sign - 1].startswith("-"):
        return False
    word = "".join((words[sign - 1], "=", *words[sign + 1 : at + 1]))
    os.environ["COMP_WORDS"] = " ".join(map(shlex.quote, (*words[: sign - 1], word)))
    os.environ["COMP_CWORD"] = str(sign - 1)
    return True


@dataclass(frozen=True, slots=True)
class Later:
    """A command, or a group of them, whose module is imported when it is used: ``MODULE:NAME`` in this package.
    ``said`` is the whole help of a group; of a command it is the first sentence, as the list of commands has it."""

    name: str
    where: str
    said: str

    def load(self) -> TyperCommand | TyperGroup:
        module, _, name = self.where.partition(":")
        found = getattr(import_module(f"moderator.entrypoints.{module}"), name)
        if isinstance(found, typer.Typer):
            found.info.help = self.said
            return typer.main.get_group(found)
        alone = App(add_completion=False)
        alone.command(self.name)(found)
        command = typer.main.get_command(alone)
        assert isinstance(command, TyperCommand)
        return command


class _Group(TyperGroup):
    later: ClassVar[Mapping[str, Later]] = {}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _unchecked_while_completing(self, ctx):
            return super().parse_args(ctx, args)

    def main(self, *given: Any, **more: Any) -> Any:
        if os.environ.get("_RAILPOST_COMPLETE") == "complete_bash" and _join_at_equals():
            more["obj"] = _AFTER_EQUALS
        return super().main(*given, **more)

    def list_commands(self, ctx: Any) -> list[str]:
        return [*(name for name in super().list_commands(ctx) if name not in self.later), *self.later]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.later and cmd_name not in self.commands:
            self.commands[cmd_name] = self.later[cmd_name].load()
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.list_commands(ctx):  # so that the message can name those that are meant
            for name in self.later:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[CompletionItem]:
        """The commands that begin with ``incomplete``, of which none is loaded, or the options."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name, help=said) for name, said in self._said(ctx) if name.startswith(incomplete)]

    def _said(self, ctx: Any) -> list[tuple[str, str]]:
        """Each command that is not hidden, with its first sentence, which is never cut."""
        rows = []
        for name in self.list_commands(ctx):
            if name in self.later:
                rows.append((name, self.later[name].said))
            elif (found := self.get_command(ctx, name)) and not found.hidden:
                rows.append((name, found.get_short_help_str(limit=1000)))
        return rows

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self._said(ctx))

    def get_help(self, ctx: Any) -> str:
        return _readable(super().get_help(ctx))


class App(typer.Typer):
    """A group of commands; ``later`` are those whose modules are imported when they are used. If no command is given,
    its help is shown."""

    def __init__(self, *later: Later, **options: Any) -> None:
        group = type("_Later", (_Group,), {"later": {one.name: one for one in later}})
        super().__init__(no_args_is_help=True, rich_markup_mode=None, cls=group, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": _Command, **options})
