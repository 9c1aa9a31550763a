"""docs/operating.md lists every setting with its default, and every exit status."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from engine.site18xx import walk as site_walk
from moderator import input_limits as bounded
from moderator.domain.records import import_shape
from moderator.domain.records import limits as record_limits
from moderator.entrypoints.output import Status
from moderator.settings import Settings

UNITS = {
    "_seconds": "seconds", "_minutes": "minutes", "_hours": "hours", "_days": "days", "_timeout": "seconds",
    "_mb": "megabytes", "_per_day": "in a day", "_per_hour": "in an hour",
}  # fmt: skip
COUNTED = ("bytes", "characters", "port", "number of", "most ", "answers", "attempts")
"""Words of which a number without a unit in its name has one."""


def settings_of(checkout: Path) -> dict[str, tuple[str, str]]:
    """Setting -> its cells in the table: the default and the explanation."""
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    table = page.partition("| setting |")[2].partition("<!--")[0]
    return {
        name: (default, text) for name, default, text in re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", table, re.M)
    }


def test_every_setting_is_listed_with_its_default(checkout: Path) -> None:
    def read(cell: str) -> object:
        if cell in ("(none)", "(empty)"):
            return None if cell == "(none)" else ""
        value = tomllib.loads(f"x = {cell.strip('`')}")["x"]
        return tuple(value) if isinstance(value, list) else value

    listed = {name: read(default) for name, (default, _) in settings_of(checkout).items()}
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    assert listed == {name: str(value) if isinstance(value, Path) else value for name, value in defaults.items()}


def test_every_number_among_the_settings_has_its_unit(checkout: Path) -> None:
    for name, (_, text) in settings_of(checkout).items():
        default = Settings.model_fields[name].default
        if isinstance(default, bool) or not isinstance(default, int | float):
            continue
        unit = next((unit for end, unit in UNITS.items() if name.endswith(end)), None)
        assert any(word in text.lower() for word in ([unit] if unit else COUNTED)), (name, text)


def test_every_exit_status_is_listed(checkout: Path) -> None:
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    table = page.partition("| status |")[2].partition("\n\n")[0]
    assert [int(number) for number in re.findall(r"^\| (\d) \|", table, re.M)] == [status.value for status in Status]


def test_every_limit_on_files_is_listed(checkout: Path) -> None:
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    table = page.partition("| what | at most |")[2].partition("\n\n")[0]
    assert [int(number) for number in re.findall(r"^\| [^|]+ \| (\d+) \|", table, re.M)] == [
        bounded.LARGEST_RECORD, record_limits.LONGEST, record_limits.MOST_LINES, record_limits.MOST_ORDERS,
        record_limits.MOST_TAGS, bounded.LARGEST_EXPORT, bounded.MOST_VALUES, bounded.DEEPEST,
        import_shape.MOST_ACTIONS, site_walk.MOST_ORDERS, site_walk.MOST_LOOKS, bounded.LARGEST_ORDERS,
        bounded.LARGEST_FACTS,
        bounded.LARGEST_SETTINGS, bounded.LARGEST_SECRET,
    ]  # fmt: skip
