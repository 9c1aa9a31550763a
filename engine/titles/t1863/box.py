"""The facts of the box, and what an owner of the game can correct in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.titles.corrected import Corrections
from engine.titles.correction import Form
from engine.titles.factfile import Facts, read_facts
from engine.titles.t1863.names import NINE_ELMS_HEX, NORTH_EAST, NORTH_EAST_TILE, WATERLOO_HEX

_HERE = Path(__file__).parent


def facts_of(rulings: object) -> Facts:
    """Everything but the first lays; the same for all editions."""
    return read_facts(_HERE / "facts.json")


def lays_of(rulings: object) -> Facts:
    """The first lays of every hex."""
    return read_facts(_HERE / "lays.json")


FORM: Final = Form(
    own=("rules", "merging_upgrades"),
    more={
        "players": ("privates",),
        "trains": ("operating_cost", "quantity_by_players"),
        "companies": ("max_tokens",),
    },
    reads=frozenset({"icons"}),
    hexes=frozenset({NINE_ELMS_HEX, WATERLOO_HEX, NORTH_EAST}),
    tiles=frozenset({NORTH_EAST_TILE}),
)
CORRECTIONS: Final = Corrections("1863", FORM, facts_of, lays_of)
