"""The facts of the box, and those of them that an owner of the game can correct."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.facts.correction_file import Form
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, read_facts
from engine.titles.t1844.pieces import CURVE, FURKA, MOUNTAIN_HEXES, PANELS, STRAIGHT, TUNNEL_HEXES

_HERE = Path(__file__).parent


def facts_of(rulings: object) -> Facts:
    """All facts but the first lays. They are the same for all editions."""
    return read_facts(_HERE / "facts.json")


def lays_of(rulings: object) -> Facts:
    """The first lays of every hex. They are the same for all editions."""
    return read_facts(_HERE / "lays.json")


FORM: Final = Form(
    hexes=frozenset({*TUNNEL_HEXES, *MOUNTAIN_HEXES, *FURKA}),
    tiles=frozenset({CURVE, STRAIGHT, *PANELS, *(tile for tile, _ in FURKA.values())}),
)
CORRECTIONS: Final = Corrections("1844", FORM, facts_of, lays_of)
