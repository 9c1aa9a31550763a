"""docs/operating.md lists every setting with its default, and every exit status."""

from __future__ import annotations

import re
from pathlib import Path

from engine.site18xx import walk as site_walk
from moderator import input_limits as bounded
from moderator.domain.records import import_shape
from moderator.domain.records import limits as record_limits
from moderator.entrypoints.output import Status
from moderator.settings import Settings


def test_every_setting_is_listed_with_its_default(checkout: Path) -> None:
    page = (checkout / "docs" / "operating.md").read_text(encoding="utf-8")
    table = page.partition("| setting |")[2].partition("\n\n")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", table, re.M))

    def shown(value: object) -> str:
        return "(none)" if value is None else f"`{value}`" if str(value) else "(empty)"

    assert listed == {name: shown(field.default) for name, field in Settings.model_fields.items()}


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
