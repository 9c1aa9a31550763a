"""Every word that people read, in one folder per language: tables of sentences (TOML) and mails (Jinja2).

``<language>/checks.toml``   why an order is refused: check key -> sentence, with the facts of the failure as variables
``<language>/asks.toml``     what a player is asked: ask key -> question, heading, example
``<language>/events.toml``   what happened: event type (and reason) -> clause; an empty one is not told
``<language>/words.toml``    nouns, headings, and the short lines that mails are made of
``<language>/*.txt.j2, *.html.j2``  the mails
``<language>/<title>/``      what a title adds or says otherwise: the same tables, and examples of its orders

A new language is a new folder with the same files; keys that are missing are shown as they are, with their facts.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

LANGUAGES = ("en",)


def table(language: str, name: str, title: str = "") -> str:
    """Text of a table of sentences: ``table("en", "checks")``; with ``title`` what that title adds, "" for nothing."""
    folder: Traversable = files(__name__) / language
    file = (folder / title if title else folder) / f"{name}.toml"
    return "" if title and not file.is_file() else file.read_text(encoding="utf-8")


def titles(language: str) -> tuple[str, ...]:
    """Titles that have words of their own."""
    folder = files(__name__) / language
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir()))
