"""The titles that can be played. Each lives in a folder of its own and is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.core.title import Title
from engine.facts.correction_file import Difference, FaultyFacts, read
from engine.facts.corrections import Corrections
from engine.facts.sections import FactsError
from engine.titles.changelog import Change, load_changes
from engine.titles.registry import PACKAGES


def add_title(name: str, package: str) -> None:
    """Make a title known that lives in another package, which has ``EDITIONS`` and ``load`` as the folders here have
    them, and ``changes.toml``. ``ValueError`` where the name is taken by another package."""
    if PACKAGES.setdefault(name, package) != package:
        raise ValueError(f"{name!r} is a title already, of {PACKAGES[name]}")


def title_names() -> tuple[str, ...]:
    """Names of all titles, as ``load_title`` takes them."""
    return tuple(PACKAGES)


def editions(name: str) -> tuple[str, ...]:
    """Editions of a title, the default first."""
    return tuple(_module(name).EDITIONS)


def load_title(
    name: str, edition: str | None = None, options: Mapping[str, str] | None = None, facts: str | None = None
) -> Title:
    """A title in one edition with named options. ``facts``: the text of a file in which board, counts or prices are
    corrected (``export_facts``). ``ValueError`` says what is unknown and what there is; ``FaultyFacts``, which is one,
    names every fault of the file with its line. Nothing of such a file is loaded."""
    module = _module(name)
    title: Title = module.load(edition, dict(options or {}))
    if not facts:
        return title
    _corrections(name)
    if facts.endswith(".json") and "\n" not in facts:
        raise FaultyFacts((FactsError("facts", 1, "must be a JSON object: the text of a file, not its name"),))
    corrected: Title = module.load(edition, dict(options or {}), facts)
    return corrected


def export_facts(title: Title) -> str:
    """The text of a file for corrections of ``title``, with the facts that Railpost brings: what can be corrected, and
    nothing else. ``ValueError`` for a title whose facts cannot be corrected."""
    return _corrections(title.name).export(title.rulings)


def facts_about(text: str) -> tuple[str, Mapping[str, str]]:
    """The title that a file of corrected facts is for, and the options that it goes with. ``FaultyFacts`` where it does
    not say so."""
    given = read(text, "facts")
    name, box = given.data.get("title"), given.data.get("box", {})
    if not isinstance(name, str) or name not in PACKAGES:
        raise FaultyFacts((given.error(f"must be one of {', '.join(PACKAGES)}, not {name!r}", "title"),))
    if not isinstance(box, dict) or not all(isinstance(value, str) for value in box.values()):
        raise FaultyFacts((given.error("must be an object of texts", "box"),))
    return name, box


def compare_facts(title: Title) -> tuple[Difference, ...]:
    """Where the file that ``title`` was loaded with is not as the facts that Railpost brings now."""
    return _corrections(title.name).differences(title.rulings, title.own_facts) if title.own_facts else ()


def changes(name: str) -> tuple[Change, ...]:
    """Versions of a title's rules, the newest last; a title's ``rules_version`` is the number of the newest.
    ``ValueError`` where there is no such title."""
    return load_changes(Path(str(_module(name).__file__)).parent / "changes.toml")


def _corrections(name: str) -> Corrections:
    found = getattr(_module(name), "CORRECTIONS", None)
    if not isinstance(found, Corrections):
        raise ValueError(f"the facts of {name} cannot be corrected")
    return found


def _module(name: str) -> Any:
    if name not in PACKAGES:
        raise ValueError(f"no title {name!r}; there are: {', '.join(PACKAGES)}")
    return import_module(PACKAGES[name])
