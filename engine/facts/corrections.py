"""The facts of a game that is played with a corrected file: checked, and completed by what follows from its board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine.board.map import Face, Map
from engine.core.ids import HexId, TileId
from engine.facts import sections as loaders
from engine.facts.board import complete, load_map, unlaid
from engine.facts.checks import MOST, checked, fault_at
from engine.facts.correction_file import Difference, FaultyFacts, Form, differences, export, read
from engine.facts.file import Facts, FactsError
from engine.facts.tile_fit import barred, first_lays, why_not


@dataclass(frozen=True, slots=True)
class Corrections:
    """The facts of one title: those that it brings (``facts_of``, ``lays_of``), which may differ by its rulings, and
    the ``form`` of files that correct them."""

    title: str
    form: Form
    facts_of: Callable[[Any], Facts]
    lays_of: Callable[[Any], Facts]

    def played(self, rulings: object, text: str) -> tuple[Facts, Facts]:
        """The facts and the first lays of a game: of the file ``text``, or those that Railpost brings where it is
        empty. ``FaultyFacts`` says what in the file does not hold."""
        if not text:
            return self.facts_of(rulings), self.lays_of(rulings)
        return corrected(self._shipped(rulings), text, self.form, self.title, self._box(rulings))

    def export(self, rulings: object) -> str:
        """The text of a file for corrections, as Railpost brings the facts."""
        return export(self._shipped(rulings), self.form, self.title, self._box(rulings))

    def differences(self, rulings: object, text: str) -> tuple[Difference, ...]:
        """Where a file that holds is not as Railpost brings the facts."""
        return differences(self._shipped(rulings), read(text, "facts"), self.form)

    def _shipped(self, rulings: object) -> Facts:
        return with_exceptions(self.facts_of(rulings), self.lays_of(rulings))

    def _box(self, rulings: object) -> Mapping[str, str]:
        return {name: str(getattr(rulings, name)) for name in self.form.box}


@lru_cache(maxsize=16)
def with_exceptions(facts: Facts, lays: Facts) -> Facts:
    """The facts that Railpost brings, together with those first lays that do not follow from what is printed."""
    map = load_map(facts, lays, True)
    worked_out = {hex.id: found for hex, found in first_lays(map.hexes.values(), map.tiles)}
    rows = {}
    for coord, given in lays.data["lays"].items():
        if {tile: tuple(turns) for tile, turns in given.items() if turns} != worked_out.get(HexId(coord), {}):
            rows[coord] = {tile: turns for tile, turns in given.items() if turns}
    return replace(facts, data={**facts.data, "lays": rows})


def corrected(shipped: Facts, text: str, form: Form, title: str, box: Mapping[str, str]) -> tuple[Facts, Facts]:
    """The facts and the first lays of a game that is played with the file ``text``. First lays and upgrades that it
    does not list follow from hexes and tiles. ``FaultyFacts`` says what in it does not hold."""
    given = read(text, "facts")
    facts = checked(shipped, given, form, title, box)
    try:
        map = unlaid(facts)
        facts, lays = complete(facts)
        load_map(facts, lays)
        loaders.load_charts(facts)
        loaders.load_companies(facts)
        loaders.load_privates(facts)
        loaders.load_table(facts)
        loaders.load_turns(facts)
        loaders.load_bank(facts)
    except FaultyFacts:
        raise
    except FactsError as error:
        raise FaultyFacts((error,)) from error
    if faults := tuple(_tile_faults(given, map)):
        raise FaultyFacts(faults[:MOST])
    return facts, lays


def _tile_faults(given: Facts, map: Map) -> Iterator[FactsError]:
    """Upgrades and first lays that cannot be, by colour, label or track."""
    for old, rows in given.data["upgrades"].items():
        for new, turns in rows.items():
            a, b = map.tiles[TileId(old)].face, map.tiles[TileId(new)].face
            yield from _upgrade(given, a, b, turns, a.label, ("upgrades", old, new))
    for coord, table_of in given.data.get("relabelled_upgrades", {}).items():
        future = map.hexes[coord].future_label
        if future is None:
            yield fault_at(given, ("relabelled_upgrades", coord), f"{coord} gets no other label")
            continue
        for old, rows in table_of.items():
            for new, turns in rows.items():
                a, b = map.tiles[TileId(old)].face, map.tiles[TileId(new)].face
                yield from _upgrade(given, a, b, turns, future[0], ("relabelled_upgrades", coord, old, new))
    for coord, rows in given.data.get("lays", {}).items():
        hex = map.hexes[coord]
        for new, turns in rows.items():
            for turn in turns:
                if reason := why_not(hex.face, map.tiles[TileId(new)].face, turn, barred(hex)):
                    yield fault_at(given, ("lays", coord, new), f"{new} cannot be laid there: {reason}")


def _upgrade(
    given: Facts, old: Face, new: Face, turns: Iterable[int], label: str, place: tuple[str, ...]
) -> Iterator[FactsError]:
    reasons = dict.fromkeys(reason for turn in turns if (reason := why_not(old, new, turn)))
    if turns and new.label != label:
        reasons[f"its label is {new.label or 'none'}, not {label or 'none'}"] = None
    for reason in reasons:
        yield fault_at(given, place, f"an upgrade from {place[-2]} to {place[-1]} is impossible: {reason}")
