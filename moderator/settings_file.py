"""Reading of the settings: a TOML file over the defaults, and ``RAILPOST_…`` in the environment over both."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource

from moderator.input_limits import LARGEST_SETTINGS, UnusableError, read_text, shortened
from moderator.settings import Settings

_LONGEST_LINE = 4_000
"""Characters in a line of the file; the longest in the example has 120."""
GONE = {
    "clock_tolerance": "the clock may always differ by 60 seconds",
    "most_hops": "a mail that passed more than 30 servers always counts as a loop",
}
"""Settings of earlier versions, and the rule that took the place of each."""
_NOT_SETTINGS = frozenset({"RAILPOST_CONFIG", "RAILPOST_DEBUG", "RAILPOST_COMPLETE"})
"""Variables that are none of the settings: the file of them, tracebacks, and a shell that completes."""
_OF_TESTS = frozenset(
    f"RAILPOST_{name}" for name in ("RECORDS", "RULEBOOKS", "APPROVE", "SEED", "LOAD", "SERVICES", "FLOOD", "CHAOS")
)
"""Variables of the tests and of `make bench`, which run the commands in their own environment."""


class BadConfiguration(Exception):
    """A setting that cannot be used: file, line and reason in one sentence."""


def load(path: Path | None = None, **given: Any) -> Settings:
    """Settings with those of the TOML file ``path``; ``given`` ones win. ``BadConfiguration`` says what is wrong."""
    _all_known(os.environ)
    text, values = "", {}
    if path is not None:
        try:
            text = read_text(path, LARGEST_SETTINGS)
            values = _parsed(text)
        except OSError as error:
            raise BadConfiguration(f"{path}: {error.strerror}") from error
        except UnusableError as error:
            where = f"{path}, line {error.line}" if error.line else f"{path}"
            raise BadConfiguration(f"{where}: {error}") from error
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            number = line[1] if line else text.count("\n") + 1  # at its end
            raise BadConfiguration(f"{path}, line {number}: {error}") from error

    try:
        return (Settings if path is None else _read_from(values))(**given)
    except ValidationError as error:
        raise BadConfiguration("\n".join(_complaints(error, path, text))) from error


def _read_from(values: dict[str, Any]) -> type[Settings]:
    """Settings that are ``values`` where neither arguments nor the environment say otherwise."""

    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource, dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:  # fmt: skip
            return (init_settings, env_settings, InitSettingsSource(settings_cls, values))

    return FromFile


def load_for_command(config: Path | None, data: Path | None) -> Settings:
    """Settings as a command line has them: ``railpost.toml`` of the present folder if no file is named.
    ``BadConfiguration`` as ``load``."""
    if config is None and Path("railpost.toml").is_file():
        config = Path("railpost.toml")
    return load(config, **({"data": data} if data is not None else {}))


def _all_known(environment: Mapping[str, str]) -> None:
    """``BadConfiguration`` for a variable that looks like a setting and is none: it would be ignored."""
    known = {f"RAILPOST_{name.upper()}" for name in Settings.model_fields}
    for name in sorted(environment):
        if name.upper().startswith("RAILPOST_") and name.upper() not in known | _NOT_SETTINGS | _OF_TESTS:
            if gone := GONE.get(name.upper().removeprefix("RAILPOST_").lower()):
                raise BadConfiguration(f"{name} in the environment: this setting is gone, remove it: {gone}")
            near = difflib.get_close_matches(name.upper(), known, 1)
            raise BadConfiguration(
                f"{name} in the environment: there is no such setting" + (f"; is it {near[0]}?" if near else "")
            )


def _parsed(text: str) -> dict[str, Any]:
    """The settings of a TOML text. ``UnusableError`` besides TOML's own: no setting is a table or a list of lists."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            raise UnusableError(f"has {len(line)} characters in one line; at most {_LONGEST_LINE} are read", number)
    try:
        values = tomllib.loads(text)
    except RecursionError as error:
        raise UnusableError("has lists within lists without end; no setting is more than a list of texts") from error
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise UnusableError(f"has a value that cannot be read: {error}") from error
    for name, value in values.items():
        if isinstance(value, dict):
            raise UnusableError(f"{shortened(name)} is a table; a setting is written NAME = VALUE, without tables")
        if isinstance(value, list) and any(isinstance(one, list | dict) for one in value):
            raise UnusableError(f"{shortened(name)} has lists or tables in a list; it can be a list of texts")
    return values


def _complaints(error: ValidationError, path: Path | None, text: str) -> list[str]:
    found = []
    variables = {name.upper(): name for name in os.environ}
    for fault in error.errors():
        name = str(fault["loc"][0]) if fault["loc"] else "?"
        variable = variables.get(f"RAILPOST_{name.upper()}")  # it is taken before the file
        at = re.compile(rf"\s*{re.escape(name)}\s*=")
        number = next((n for n, line in enumerate(text.split("\n"), 1) if at.match(line)), 0)
        where = f"{path}, line {number}: " if number else ""
        unknown = fault["type"] == "extra_forbidden"
        said = _unknown(name) if unknown else str(fault["msg"]).removeprefix("Value error, ")
        found.append(f"{variable} in the environment: {said}" if variable else f"{where}{name}: {said}")
    return found


def _unknown(name: str) -> str:
    return f"this setting is gone, remove it: {GONE[name]}" if name in GONE else "there is no such setting"
