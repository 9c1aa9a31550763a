"""The facts of the box, and those of them that an owner of the game can correct."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.facts.correction_file import Form
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, read_facts
from engine.titles.t1861.names import (
    EKATERINBURG,
    KHARKOV,
    KIEV,
    MOSCOW,
    NIZHNII_NOVGOROD,
    SMALL_KHARKOV,
    ST_PETERSBURG,
)

_HERE = Path(__file__).parent


def facts_of(rulings: object) -> Facts:
    """All facts but the first lays. They are the same for all editions."""
    return read_facts(_HERE / "facts.json")


def lays_of(rulings: object) -> Facts:
    """The first lays of every hex. They are the same for all editions."""
    return read_facts(_HERE / "lays.json")


FORM: Final = Form(
    hexes=frozenset({MOSCOW, ST_PETERSBURG, EKATERINBURG, KIEV, NIZHNII_NOVGOROD, KHARKOV}),
    tiles=frozenset({SMALL_KHARKOV}),
    fixed={
        ("trains", "2+2", "quantity"): "the ruling trains_2_2",
        ("trains", "5+5E", "quantity"): "the ruling trains_5_5e",
    },
)
CORRECTIONS: Final = Corrections("1861", FORM, facts_of, lays_of)
