"""Entries of a game's log in words."""

from __future__ import annotations

from moderator.domain.list_rows import LogEntry
from moderator.words.texts import words

_CORRECTED = "correct "
"""The beginning of an adopted position that the game master has corrected."""

_HERE = "\ue000"
"""Stands for the text, which is said as it stands: whoever shows it shows its control characters, too."""


def log_words(entry: LogEntry, language: str = "en") -> str:
    """An entry of the log; an order as it was written."""
    kind, text = entry.kind, entry.text
    if kind == "order":
        return text
    if kind == "rules":
        text = text.partition(" ")[0]
    elif kind == "adopt" and text.startswith(_CORRECTED):
        kind, text = "corrected", text.removeprefix(_CORRECTED)
    said = words(language).say(
        "words", f"logged.{kind}", orders=entry.orders, player=entry.player, text=_HERE if text else ""
    )  # fmt: skip
    return said.replace(_HERE, text)
