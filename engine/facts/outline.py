"""Sections of facts of which a game reads single values: what can be corrected in them is listed by place, and all else
there is a rule or an explanation that stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from engine.facts.json_places import Path
from engine.facts.value_shapes import REMARKS, Fault, Nested, Shape, entry, shown

Outline: TypeAlias = Mapping[tuple[str, ...], Shape]
"""Place in a section -> the form of the value there."""


def part(given: Mapping[str, Any], outline: Outline) -> dict[str, Any]:
    """The values of the outline, each with the remarks that stand beside it."""
    out: dict[str, Any] = {}
    for place in outline:
        at, into = given, out
        for word in place[:-1]:
            at, into = at[word], into.setdefault(word, {})
        into.update({key: at[key] for key in at if key == place[-1] or key in REMARKS})
    return out


def laid_over(shipped: Mapping[str, Any], given: Mapping[str, Any], outline: Outline) -> dict[str, Any]:
    """The section as it is shipped, with the values of the outline as they are ``given``, which has been checked."""
    tree = _tree(outline)
    out = dict(shipped)
    for key, inner in tree.items():
        out[key] = laid_over(shipped[key], given[key], inner) if isinstance(inner, Mapping) else given[key]
    return out


def shape(shipped: Mapping[str, Any], outline: Outline) -> Shape:
    """The form of such a section: every value of the outline is there. What is not in the outline may stay, as files
    had it that were exported earlier, but not change."""

    tree = _tree(outline)
    needed: dict[str, Shape] = {}
    for key, inner in tree.items():
        needed[key] = shape(shipped[key], inner) if isinstance(inner, Mapping) else inner

    def faults(value: Any, path: Path) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield path, f"must be an object, not {shown(value)}"
            return
        for key in value:
            if key in shipped and key not in tree and key not in REMARKS and value[key] != shipped[key]:
                yield (*path, key), f"must stay {shown(shipped[key])}: it is a rule, or explains one"
        kept = {key: inner for key, inner in value.items() if key not in shipped or key in tree or key in REMARKS}
        yield from entry(needed)(kept, path)

    return Nested(faults, tuple(needed.items()))


def _tree(outline: Outline) -> dict[str, Any]:
    """First words of places -> the form of the value there, or an outline of what lies below."""
    out: dict[str, Any] = {}
    for (word, *rest), form in outline.items():
        if rest:
            out.setdefault(word, {})[tuple(rest)] = form
        else:
            out[word] = form
    return out
