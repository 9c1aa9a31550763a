"""The public part of a position, described in the terms of the game, and the digest of that description.

The description does not depend on the names or the order of classes and fields in the code, so a published digest stays
valid when the code is rearranged. ``docs/position.md`` describes the form. Change the description only together with
``FORM``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.core import decide as rules
from engine.core.charter import Charter
from engine.core.ids import BANK, CompanyId
from engine.core.state import PriceMarker, State
from engine.core.title import Title

FORM: Final = 1
"""The version of the description. A digest begins with it."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_NAMED: Final = {
    "cash": "cash of {0}",
    "debts": "debt of {0} ({1})",
    "certificates": "certificates of {1} ({2}) with {0}",
    "privates": "owner of {0}",
    "companies": "{1} of {0}",
    "prices": "{1} of {0}",
    "tiles": "tile in {0}",
    "pieces over tiles": "pieces over the tile in {0}",
    "markers": "markers in {0}",
    "new trains": "new trains of type {0}",
    "steps": "{rest}",
    "remembered": "{rest}",
}
"""The heading of a difference, by the part of the description that contains it. The keys below are filled in."""


_WHOLE: Final[Mapping[str, tuple[Callable[[State], Any], Callable[[Title, Any], Any]]]] = {
    "order of play": (lambda s: s.players, lambda t, players: list(players)),
    "debts": (lambda s: s.debts, lambda t, debts: _nested(debts)),
    "certificates": (lambda s: s.holdings, lambda t, holdings: _nested({key: n for key, n in holdings.items() if n})),
    "privates": (lambda s: s.privates, lambda t, privates: dict(privates)),
    "tiles": (lambda s: s.board.tiles, lambda t, tiles: {hex: [tile, turn] for hex, (tile, turn) in tiles.items()}),
    "pieces over tiles": (
        lambda s: s.board.overlays,
        lambda t, laid: {hex: [list(piece) for piece in pieces] for hex, pieces in laid.items()},
    ),
    "markers": (
        lambda s: s.board.markers,
        lambda t, markers: {h: [sorted(city) for city in cities] for h, cities in markers.items() if any(cities)},
    ),
    "new trains": (lambda s: s.supply, lambda t, supply: dict(supply)),
    "trains bought": (lambda s: s.bought, lambda t, bought: sorted(bought)),
    "trains in the pool": (lambda s: s.pool_trains, lambda t, trains: sorted(trains)),
}  # fmt: skip
"""Parts that follow from a single value of the position: a function that finds the value, and one that describes it.
Most orders change few of these values, so their texts are kept for the next digest."""
_ORDER: Final = (
    "round", "phase", "order of play", "priority", "cash", "debts", "certificates", "privates", "companies", "prices",
    "tiles", "pieces over tiles", "markers", "new trains", "trains bought", "trains in the pool", "asked", "steps",
    "remembered", "lots drawn", "bank broke", "finished",
)  # fmt: skip
"""The order of the parts for people, in which differences are listed."""
_MOST_TEXTS: Final = 4_000
_texts: dict[tuple[str, int, int], tuple[Title, Any, str]] = {}
"""Part, and ``id`` of the title and of the value -> title, value and text. While both are kept here, no other object
can have the same ``id``."""


def told(title: Title, state: State) -> dict[str, Any]:
    """The public part of a position as JSON values, without the seed of lots."""
    parts = _other_parts(title, state)
    parts |= {key: describe(title, find(state)) for key, (find, describe) in _WHOLE.items()}
    return {key: parts[key] for key in _ORDER}


def _other_parts(title: Title, state: State) -> dict[str, Any]:
    return {
        "round": str(state.round),
        "phase": state.phase,
        "priority": state.priority,
        "cash": _cash(title, state),
        "prices": _prices(title, state.prices),
        "companies": {c: _company(title, state, c) for c in state.companies},
        "asked": _asked(title, state),
        "steps": _steps(title, state),
        "remembered": dict(title.telling.marks(state.marks)),
        "lots drawn": state.lots,
        "bank broke": None if state.broke is None else str(state.broke),
        "finished": state.finished,
    }


def told_digest(title: Title, state: State) -> str:
    """``1:`` and the SHA-256 of the description as canonical JSON (keys sorted, no spaces, UTF-8)."""
    parts = {key: _canonical(value) for key, value in _other_parts(title, state).items()}
    for key, (find, describe) in _WHOLE.items():
        value = find(state)
        name = key, id(title), id(value)
        if (kept := _texts.get(name)) is None:
            if len(_texts) >= _MOST_TEXTS:
                _texts.clear()
            kept = _texts[name] = title, value, _canonical(describe(title, value))
        parts[key] = kept[2]
    text = ",".join(f'"{key}":{parts[key]}' for key in sorted(parts))
    return f"{FORM}:{hashlib.sha256(f'{{{text}}}'.encode()).hexdigest()}"


_canonical: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """One line for each difference between two descriptions: ``cash of Ann: 420, now 430``."""
    old, new = dict(_leaves(before)), dict(_leaves(after))
    parts = list(dict.fromkeys((*before, *after)))
    paths = sorted({*old, *new}, key=lambda path: (parts.index(path[0]), path))
    pairs = [(path, _shown(old.get(path)), _shown(new.get(path))) for path in paths if old.get(path) != new.get(path)]
    return [f"{_named(path)}: {was}, now {now}" for path, was, now in pairs if was != now]


def form_of(digest: str) -> int:
    """The form of the description that a digest was made from, which ``told_digest`` writes in front; 0 for a digest
    without a form (``engine.digest``), made from names of the code. ``ValueError`` for anything else."""
    form, _, rest = digest.rpartition(":")
    if (form and not form.isdecimal()) or _DIGEST.fullmatch(rest) is None:
        raise ValueError(f"{digest!r:.100} is no digest of a position: it should be like 1:9f86d0…, with 64 digits")
    return int(form or 0)


def _cash(title: Title, state: State) -> dict[str, int]:
    shown = (BANK, *state.players, *(c for c, now in state.companies.items() if now.status == "open"))
    return dict.fromkeys(shown, 0) | {owner: amount for owner, amount in state.cash.items() if amount}


def _nested(flat: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for (*way, last), value in flat.items():
        inner = found
        for step in way:
            inner = inner.setdefault(step, {})
        inner[last] = value
    return found


def _company(title: Title, state: State, company: CompanyId) -> dict[str, Any]:
    now = state.companies[company]
    changed = {"charter": _charter(state.charters[company])} if company in state.charters else {}
    if now.status != "open":
        return {"status": now.status, **changed}
    return {
        **changed,
        "status": now.status,
        "director": title.policies.director(title, state, company),
        "trains": sorted(now.trains),
        "loans": now.loans,
        "operated": now.operated,
        "last run": now.last_run,
        "par": now.par,
    }


def _charter(charter: Charter) -> dict[str, Any]:
    """Describe the charter of a company that has changed; others are not described."""
    return {
        "kind": charter.kind,
        "certificates": {name: [kind.shares, number] for name, (kind, number) in charter.certificates.items()},
        "home": None if charter.home is None else list(charter.home),
        **({"further homes": [list(home) for home in charter.homes[1:]]} if len(charter.homes) > 1 else {}),
        "markers": charter.markers,
    }


def _prices(title: Title, prices: Mapping[CompanyId, PriceMarker]) -> dict[str, Any]:
    """Describe the price markers. Rows and columns are counted from 1 at the top left; ``markers above`` lists markers
    in the same space."""
    found: dict[str, Any] = {}
    for company, marker in prices.items():
        row, column = marker.cell
        found[company] = {
            "price": title.chart.prices.get(marker.cell),
            "space on the chart": [row + 1, column + 1],
            "markers above": sorted(c for c, m in prices.items() if m.cell == marker.cell and m.since < marker.since),
        }
    return found


def _asked(title: Title, state: State) -> list[dict[str, Any]]:
    asks = sorted(rules.asked(title, state), key=lambda ask: (ask.player, ask.actor))
    return [{"player": a.player, "for": a.actor, "what": a.what, "about": list(a.about)} for a in asks]


def _steps(title: Title, state: State) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for frame in state.agenda:
        if (describe := title.telling.steps.get(type(frame))) is not None:
            name, facts = describe(frame)
            while name in found:
                name += ", again"
            found[name] = dict(facts)
    return found


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping) and value:
        for key in value:
            yield from _leaves(value[key], (*path, str(key)))
    elif path:
        yield path, value


def _named(path: tuple[str, ...]) -> str:
    first, *rest = path
    known = _NAMED.get(first)
    if known is None or not rest:
        return ", ".join(path)
    return known.format(*rest, *([""] * 2), rest=", ".join(rest))


def _shown(value: Any) -> str:
    if value is None or value == [] or value == {}:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return " ".join(_shown(each) for each in value.values() if each is not None and each != [])
    if isinstance(value, list):
        inner = [_shown(each) for each in value]
        return (" | " if any(isinstance(each, list | Mapping) for each in value) else " ").join(inner)
    return str(value)
