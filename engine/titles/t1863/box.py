"""The facts of the box, and the facts that an owner of the game can correct."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.facts.correction_file import Form
from engine.facts.corrections import Corrections
from engine.facts.file import Facts, read_facts
from engine.facts.outline import Outline
from engine.facts.value_shapes import entry, rising, whole
from engine.titles.t1863.names import NINE_ELMS_HEX, NORTH_EAST, NORTH_EAST_TILE, WATERLOO_HEX

_HERE = Path(__file__).parent
COSTS: Final = ("plain", "minor", "major", "upgrade", "token_purchase", "token_operating")
"""The names of the costs, in the order of ``pieces.Costs``."""


def facts_of(rulings: object) -> Facts:
    """All facts except the first lays. They are the same for all editions."""
    return read_facts(_HERE / "facts.json")


def lays_of(rulings: object) -> Facts:
    """The first lays of every hex."""
    return read_facts(_HERE / "lays.json")


_SUM: Final = whole(0, 10_000)
_PLAYERS: Final = entry(dict.fromkeys(("3", "4", "5", "6"), whole(1, 99)))
_BONUSES: Final = (
    ("edge_to_edge", "N-S"), ("edge_to_edge", "E-W"), ("outer_circle", "amount"), ("inner_circle", "amount"),
    ("pirate_toll",),
)  # fmt: skip
RULES: Final[Outline] = {
    ("loans", "value", "value"): whole(1, 10_000),
    ("loans", "rates", "value"): rising(whole(1, 1_000)),
    ("loans", "per_rate", "value"): _PLAYERS,
    ("loans", "limit", "minor", "value"): whole(1, 99),
    ("loans", "limit", "major", "value"): whole(1, 99),
    **{("bonuses", *place, "value"): _SUM for place in _BONUSES},
    ("bonuses", "mail", "value"): entry(dict.fromkeys(("one", "two", "C10 and Q10"), _SUM)),
    **{("costs", name, "value"): _SUM for name in COSTS},
    ("limits", "lptb_tokens", "value"): whole(1, 99),
}
"""The values that the game reads from the section ``rules``."""
FORM: Final = Form(
    own=("rules", "merging_upgrades"),
    outlines={"rules": RULES},
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
