"""The facts of the box that a game is played with: those of the full map in the first version, and the changes for the
second version and the short map."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from engine.facts.box_shapes import EDGE
from engine.facts.correction_file import Form
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, changed, read_facts
from engine.facts.outline import Outline
from engine.facts.value_shapes import entry, many, text
from engine.titles.t1841.names import FIRENZE, GENOVA, LUGANO, MILANO, PISA, TORINO, VENEZIA
from engine.titles.t1841.rulings import Rulings

_HERE = Path(__file__).parent


def facts_of(rulings: Rulings) -> Facts:
    """The facts of the box, except the first lays."""
    return _read("", rulings.version, rulings.map)


def lays_of(rulings: Rulings) -> Facts:
    """The first lays of every hex."""
    return _read("lays-", rulings.version, rulings.map)


@lru_cache(maxsize=8)
def _read(prefix: str, version: str, map: str) -> Facts:
    found = read_facts(_HERE / ("lays.json" if prefix else "facts.json"))
    for name in (["second"] if version == "2" else []) + (["lite"] if map == "lite" else []):
        found = changed(found, read_facts(_HERE / f"{prefix}{name}.json"))
    return found


_SIDE: Final = entry({"hex": text, "edge": EDGE, "other_hex": text, "other_edge": EDGE})
BORDERS: Final[Outline] = {("sets", name): many(_SIDE) for name in ("2", "4", "5")}
GROUPS: Final[Outline] = {(name,): many(text) for name in ("major_cities", "historical_cities", "secession_veneto")}
"""The values that the game reads of ``province_borders`` and ``city_groups``."""
FORM: Final = Form(
    box=("version", "map"),
    own=("province_borders", "city_groups", "zones"),
    outlines={"province_borders": BORDERS, "city_groups": GROUPS},
    hexes=frozenset({LUGANO, MILANO, TORINO, GENOVA, VENEZIA, FIRENZE, PISA}),
)
CORRECTIONS: Final = Corrections("1841", FORM, facts_of, lays_of)
