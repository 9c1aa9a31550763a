"""The facts of the box, and those of them that an owner of the game can correct."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.facts.correction_file import Form
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, read_facts
from engine.titles.t1867.names import MONTREAL, OTTAWA, QUEBEC, TIMMINS, TORONTO

_HERE = Path(__file__).parent


def facts_of(rulings: object) -> Facts:
    """All facts but the first lays."""
    return read_facts(_HERE / "facts.json")


def lays_of(rulings: object) -> Facts:
    """The first lays of every hex."""
    return read_facts(_HERE / "lays.json")


FORM: Final = Form(hexes=frozenset({TORONTO, MONTREAL, QUEBEC, TIMMINS, OTTAWA}), rivers=True)
CORRECTIONS: Final = Corrections("1867", FORM, facts_of, lays_of)
