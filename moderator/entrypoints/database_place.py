"""The place of the service's database, for a shell that completes a word: the settings are not checked, because
Pydantic's import takes longer than a person waits."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final

from moderator.input_limits import LARGEST_SETTINGS, UnusableError, read_text

_SQLITE: Final = "sqlite:///"


def database_url(config: str | None, data: str | None) -> str:
    """The URL of the database that a command with these options would use (``settings_file.load_for_command``);
    empty if there is no such database, or if the settings that name it cannot be read."""
    if config is None and Path("railpost.toml").is_file():
        config = "railpost.toml"
    try:
        values = _file(Path(config)) if config is not None else {}
    except (OSError, UnusableError, ValueError, RecursionError):
        return ""
    values |= _environment()
    if data is not None:
        values["data"] = data
    folder, database = values.get("data", "var"), values.get("database", "")
    if not isinstance(folder, str) or not isinstance(database, str):
        return ""
    url = database or f"{_SQLITE}{Path(folder, 'railpost.db')}"
    there = not url.startswith(_SQLITE) or Path(url.removeprefix(_SQLITE)).is_file()
    return url if there else ""


def _file(path: Path) -> dict[str, Any]:
    return tomllib.loads(read_text(path, LARGEST_SETTINGS))


def _environment() -> dict[str, Any]:
    """The settings that are environment variables. Capitals do not matter in their names."""
    here = {name.lower(): value for name, value in os.environ.items()}
    return {name: here[f"railpost_{name}"] for name in ("data", "database") if f"railpost_{name}" in here}
