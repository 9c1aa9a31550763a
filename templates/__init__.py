"""All texts that people read, in one folder for each language: tables of sentences (TOML) and mails (Jinja2).

``<language>/checks.toml``   reasons for a refusal: check key -> sentence, with the facts of the failure as variables
``<language>/asks.toml``     questions to a player: ask key -> question, heading, example
``<language>/defaults.toml`` what is done for a silent player: key of a default -> clause, case and reason
``<language>/events.toml``   reports of events: event type (and reason) -> clause; an empty clause is not reported
``<language>/words.toml``    nouns, headings, and the short lines that mails are made of
``<language>/glossary.toml`` terms of 18xx -> their meaning, for readers who are new to them
``<language>/*.txt.j2, *.html.j2``  the mails
``<language>/*.typ``   documents to be printed, in the language of Typst
``<language>/<title>/``      additions and changes of a title: the same tables, and examples of its orders
``<language>/<family>/``     additions and changes that cousins share, which ``family`` in ``words.toml`` of each names

A new language is a new folder with the same files. Missing keys are shown as they are, with their facts.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable

LANGUAGES = ("en",)


_added: dict[str, Traversable] = {}


def add_title(title: str, folder: Traversable) -> None:
    """Register the words of a title from another package. ``folder`` has a folder for each language, with the same
    content as ``<language>/<title>/`` here. Raises ``ValueError`` if the title has other words already."""
    if title in titles(LANGUAGES[0]) and _added.get(title) != folder:
        raise ValueError(f"{title!r} has its words already")
    _added[title] = folder


def table(language: str, name: str, title: str = "") -> str:
    """Text of a table of sentences: ``table("en", "checks")``. With ``title``, the text of that title's additions;
    empty if there are none."""
    file = (_folder(language, title) if title else files(__name__) / language) / f"{name}.toml"
    return "" if title and not file.is_file() else file.read_text(encoding="utf-8")


def family(language: str, title: str) -> str:
    """The family whose tables stand between those of all titles and those of ``title``; empty if it has none."""
    return str(tomllib.loads(table(language, "words", title)).get("family", "")) if title else ""


def document(language: str, name: str) -> str:
    """Text of a document in the language of Typst: ``document("en", "sheet")``."""
    return (files(__name__) / language / f"{name}.typ").read_text(encoding="utf-8")


def page(language: str, path: str) -> str | None:
    """Text of the page ``<title>/<file>`` of a title from another package; None if there is none."""
    title, _, name = path.partition("/")
    file = _folder(language, title) / name if title in _added else None
    return file.read_text(encoding="utf-8") if file is not None and file.is_file() else None


def titles(language: str) -> tuple[str, ...]:
    """Titles that have their own words."""
    folder = files(__name__) / language
    return (*sorted(entry.name for entry in folder.iterdir() if (entry / "orders.txt.j2").is_file()), *_added)


def _folder(language: str, title: str) -> Traversable:
    return _added[title] / language if title in _added else files(__name__) / language / title
