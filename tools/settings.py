"""Write the example of a configuration and the table of settings from ``moderator/settings.py``.

    python -m tools.settings [CHECKOUT]          what does not fit; exits 1 if there is anything
    python -m tools.settings --write [CHECKOUT]  write deploy/railpost.toml, and the table into docs/operating.md

It finds:

* a setting without a text below it
* lines of ``deploy/railpost.toml``, and rows of the table in ``docs/operating.md``, that are not those of the code
"""

from __future__ import annotations

import difflib
import json
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from moderator.settings import Settings
from tools.code_tables import field_texts, run, table_of, with_table

EXAMPLE: Final = Path("deploy/railpost.toml")
PAGE: Final = Path("docs/operating.md")
_CODE: Final = Path("moderator/settings.py")
_TABLE: Final = "settings"
_HEAD: Final = """\
# Settings of Railpost: /etc/railpost/railpost.toml, readable by the user `railpost` alone.
# A line that begins with `#` and a name shows the default, or an example where there is none. To change the setting,
# take the `#` away. `python -m tools.settings --write` writes this file.
"""
_SECTIONS: Final = {
    "data": "Where things are",
    "imap_host": "Mail that comes in",
    "smtp_host": "Mail that goes out",
    "tls_ca_file": "Both mail servers",
    "identity": "Who a mail is from",
    "strangers_per_day": "Limits on answers, bounces and silent players",
    "log_format": "Alarms, health and retention",
    "outage_minutes": "Outages",
    "archive": "The archive",
    "desk_url": "The desk, a page on which turns are tried",
    "http_listen": "Unsubscribing with one click, health and metrics by HTTP",
    "lease_seconds": "The service itself",
}
"""The heading of each section, by its first setting."""
_FILLED_IN: Final = frozenset(
    ("data", "domain", "operator", "imap_host", "imap_user", "imap_password_file", "smtp_host", "smtp_user",
     "smtp_password_file")
)  # fmt: skip
"""Settings that every service with a mail server must have: their examples are no comments."""
_WIDTH: Final = 120


def example(texts: dict[str, str]) -> str:
    """The file of the example, in TOML."""
    parts = [_HEAD]
    for name, field in Settings.model_fields.items():
        if name in _SECTIONS:
            parts.append(f"# ---- {_SECTIONS[name]} ".ljust(_WIDTH, "-") + "\n")
        explained = textwrap.fill(
            _marked_up(texts[name]), _WIDTH, initial_indent="# ", subsequent_indent="# ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        value = _in_toml(field.examples[0] if field.examples else field.default)
        parts.append(f"{explained}\n{'' if name in _FILLED_IN else '#'}{name} = {value}\n")
    return "\n".join(parts)


def table(texts: dict[str, str]) -> str:
    """The table of the page, in Markdown."""
    lines = ["| setting | default | explanation |", "|---------|---------|-------------|"]
    for name, field in Settings.model_fields.items():
        lines.append(f"| `{name}` | {_default(field.default)} | {_marked_up(texts[name])} |")
    return "\n".join(lines)


def _marked_up(text: str) -> str:
    return text.replace("``", "`")


def _default(value: Any) -> str:
    return "(none)" if value is None else "(empty)" if value == "" else f"`{_in_toml(value)}`"


def _in_toml(value: Any) -> str:
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    texts = field_texts(checkout / _CODE, "Settings")
    silent = [f"{_CODE}: `{name}` has no text below it" for name in Settings.model_fields if name not in texts]
    if silent:
        return silent
    page = table_of((checkout / PAGE).read_text(encoding="utf-8"), _TABLE)
    return [
        *_differences(EXAMPLE, (checkout / EXAMPLE).read_text(encoding="utf-8"), example(texts)),
        *_differences(PAGE, page, table(texts)),
    ]


def _differences(place: Path, found: str, wanted: str) -> list[str]:
    changed = [line for line in difflib.ndiff(found.splitlines(), wanted.splitlines()) if line.startswith(("- ", "+ "))]
    if not changed:
        return []
    return [f"{place}: not that of the code (-: there, +: in the code); `python -m tools.settings --write`", *changed]


def _write(checkout: Path) -> None:
    texts = field_texts(checkout / _CODE, "Settings")
    page = with_table((checkout / PAGE).read_text(encoding="utf-8"), _TABLE, table(texts))
    (checkout / EXAMPLE).write_text(example(texts), encoding="utf-8")
    (checkout / PAGE).write_text(page, encoding="utf-8")


def _said() -> str:
    return f"{len(Settings.model_fields)} settings, and the example and the page that explain them"


def main(arguments: Sequence[str]) -> int:
    """Run from a checkout; the exit status."""
    return run(arguments, _write, problems, _said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
