"""Corrected facts: a file in which an owner of a game puts board, counts and prices right, laid over the facts that
Railpost brings. What is a rule cannot be changed in it, and is always that of the program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from engine.facts import outline
from engine.facts.file import NAMED_BY, Facts, FactsError, step_to
from engine.facts.json_places import NotJson, Path, parse

LARGEST: Final = 1_000_000
"""Characters of a file; the largest that Railpost writes has 100,000."""
WHOLE: Final = ("hexes", "tiles", "upgrades", "relabelled_upgrades", "lays", "one_sided_borders", "reconstructed")
"""Sections that a file holds whole."""
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "players": (
        "cash", "certificate_limit", "bank", "max_percent_per_player", "trains_removed", "privates_removed_at_random",
    ),
    "phases": ("train_limit", "tiles"),
    "trains": ("cost", "quantity", "multiplier", "reach", "rusts_on_first", "other_side"),
    "privates": ("name", "face", "revenue", "min_bid", "price"),
    "companies": ("name", "home", "color", "text_color"),
}  # fmt: skip
"""Sections of which a file holds some keys of every entry, and nothing else."""
UNREAD: Final = frozenset({
    "loc", "hide", "icons", "custom", "destination_of",  # of hexes, tiles and stops
    "may_count", "may_pass_uncounted", "kinds", "visited",  # of the reach of trains
})  # fmt: skip
"""Keys that draw or explain, and that nothing reads; a file of corrections has none of them."""
_LINE: Final = 180


@dataclass(frozen=True, slots=True)
class Form:
    """The part of a title's facts that can be corrected, beside what is so for all. ``box``: rulings by which the
    shipped facts differ. ``own``: sections that it alone has, held whole, but for those with an entry in ``outlines``:
    of them the values that it reads. ``more``: further keys of the entries of a
    section. ``fixed``: places whose value something else decides, and what. ``reads``: keys of ``UNREAD`` that it does
    read. ``rivers``: its rules charge the cost of a border. ``hexes``, ``tiles``: those that its rules name."""

    box: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    outlines: Mapping[str, outline.Outline] = field(default_factory=dict)
    more: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fixed: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    reads: frozenset[str] = frozenset()
    rivers: bool = False
    hexes: frozenset[str] = frozenset()
    tiles: frozenset[str] = frozenset()

    @property
    def unread(self) -> frozenset[str]:
        """Keys that nothing reads in this title."""
        return UNREAD - self.reads

    def keys(self, section: str) -> tuple[str, ...]:
        return (*PARTS[section], *self.more.get(section, ()))

    @property
    def sections(self) -> tuple[str, ...]:
        """Sections of a file in their order."""
        return ("players", "phases", "trains", "markets", "privates", "companies", *WHOLE, *self.own)


class FaultyFacts(FactsError):
    """A file of corrected facts that cannot be used: every fault that was found. Nothing of it is loaded."""

    def __init__(self, faults: tuple[FactsError, ...]) -> None:
        first = faults[0]
        super().__init__(first.file, first.line, first.reason)
        self.args = ("\n".join(map(str, faults)),)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Difference:
    """A place at which corrected facts are not as Railpost brings them; ``line`` is that of the corrected file, 0 where
    something was left out. None stands for nothing."""

    place: tuple[str, ...]
    line: int
    shipped: Any
    corrected: Any


def export(shipped: Facts, form: Form, name: str, box: Mapping[str, str]) -> str:
    """The text of a file for corrections, an entry a line: all that can be corrected, as it is in ``shipped``."""
    data: dict[str, Any] = {"title": name}
    if form.box:
        data["box"] = dict(box)
    for section in form.sections:
        if section in shipped.data:
            data[section] = _part(shipped.data[section], section, form)
    return f"{_text(data)}\n"


def _part(given: Any, section: str, form: Form) -> Any:
    """The part of a section that can be corrected."""
    if section == "markets":
        return {"charts": given["charts"]}
    if section in ("hexes", "tiles"):
        return _read(given, form.unread)
    if section in form.outlines:
        return outline.part(given, form.outlines[section])
    if section not in PARTS:
        return given
    keys = form.keys(section)
    if isinstance(given, dict):
        return {name: {k: entry[k] for k in keys if k in entry} for name, entry in given.items()}
    return [
        {k: _read(v, form.unread) for k, v in entry.items() if k in keys or k == named_by(entry)} for entry in given
    ]


def named_by(entry: Mapping[str, Any]) -> str:
    """The key by which an entry calls itself."""
    return next((key for key in NAMED_BY if key in entry), "name")


def _read(given: Any, unread: frozenset[str]) -> Any:
    """Without the keys that nothing reads."""
    if isinstance(given, dict):
        return {key: _read(value, unread) for key, value in given.items() if key not in unread}
    return [_read(value, unread) for value in given] if isinstance(given, list) else given


def read(text: str, name: str) -> Facts:
    """A file as it is, with nothing of it looked at. ``FaultyFacts`` for what is no JSON object."""
    if len(text) > LARGEST:
        raise FaultyFacts((FactsError(name, 1, f"{len(text)} characters; at most {LARGEST} are read"),))
    try:
        placed = parse(text.removeprefix("\ufeff"))
    except NotJson as error:
        raise FaultyFacts((FactsError(name, error.line, error.reason),)) from error
    if not isinstance(placed.data, dict):
        raise FaultyFacts((FactsError(name, 1, "must be a JSON object"),))
    return Facts(name, text.removeprefix("\ufeff"), placed.data)


def laid_over(shipped: Facts, given: Facts, form: Form) -> Facts:
    """The facts of a game: what can be corrected from ``given``, which has been checked, and everything else from
    ``shipped``. Lines of faults are those of ``given``."""
    data = {key: value for key, value in shipped.data.items() if key not in WHOLE}
    for section in form.sections:
        if section == "markets":
            data[section] = {**shipped.data[section], "charts": given.data[section]["charts"]}
        elif section in PARTS:
            data[section] = _merged(shipped.data[section], given.data[section], form.keys(section))
        elif section in form.outlines:
            data[section] = outline.laid_over(shipped.data[section], given.data[section], form.outlines[section])
        elif section in given.data:
            data[section] = given.data[section]
    return Facts(given.name, given.text, data)


def _merged(old: Any, new: Any, keys: tuple[str, ...]) -> Any:
    """The entries of a section with the corrected keys of each, in the order of ``old``."""
    if isinstance(old, dict):
        return {name: {**_without(entry, keys), **new[name]} for name, entry in old.items()}
    by_name = {entry[named_by(entry)]: entry for entry in new}
    return [{**_without(entry, keys), **by_name[entry[named_by(entry)]]} for entry in old]


def _without(entry: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Without what can be corrected, which comes from the corrected file alone."""
    return {key: value for key, value in entry.items() if key not in keys}


def differences(shipped: Facts, given: Facts, form: Form) -> tuple[Difference, ...]:
    """The places at which ``given`` is not as ``shipped``, in the order of the file."""
    found: list[Difference] = []
    for section in form.sections:
        old = _part(shipped.data[section], section, form) if section in shipped.data else None
        new = given.data.get(section)
        if section in form.outlines:
            new = outline.part(given.data[section], form.outlines[section])
        for path, before, now in _compared(old, new):
            place = (section, *path)
            found.append(Difference(place, given.line(*place) if now is not None else 0, before, now))
    return tuple(found)


def _compared(old: Any, new: Any) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in (*old, *(key for key in new if key not in old)):
            for path, before, now in _compared(old.get(key), new.get(key)):
                yield (str(key), *path), before, now
    elif _has_names(old) and _has_names(new):
        yield from _compared({e[named_by(e)]: e for e in old}, {e[named_by(e)]: e for e in new})
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and any(map(_inner, (*old, *new))):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            for path, before, now in _compared(one, other):
                yield (str(number), *path), before, now
    elif old != new:
        yield (), old, new


def _has_names(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) and named_by(e) in e for e in value)


def _inner(value: Any) -> bool:
    return isinstance(value, (dict, list))


def path_words(facts: Facts, path: Path) -> tuple[str, ...]:
    """A place as it is told: entries of lists by their names where they have one."""
    words, at = list[str](), cast(Any, facts.data)
    for step in path:
        found = step_to(at, step)
        at = None if found is None else at[found]
        name = at.get(named_by(at)) if isinstance(step, int) and isinstance(at, dict) else None
        words.append(name if isinstance(name, str) else str(step))
    return tuple(words)


def _text(data: Any, indent: str = "") -> str:
    """JSON in which what fits on a line stands on one."""
    line = json.dumps(data, ensure_ascii=False)
    if not isinstance(data, (dict, list)) or not data or (indent and len(line) + len(indent) <= _LINE):
        return line
    deeper = f"{indent}  "
    if isinstance(data, dict):
        rows = [f"{deeper}{json.dumps(key, ensure_ascii=False)}: {_text(value, deeper)}" for key, value in data.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{deeper}{_text(value, deeper)}" for value in data) + f"\n{indent}]"
