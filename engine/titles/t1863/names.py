"""The names of 1863 that its rules speak of."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from engine.core.ids import CompanyId, HexId, PhaseName, Place, PrivateId, TileId, TrainName
from engine.core.state import State

MINOR: Final = "minor"
MAJOR: Final = "major"
"""Kinds of company."""
DIRECTOR: Final = "director"
ORDINARY: Final = "ordinary"
SHORT: Final = "short"
"""Kinds of certificate."""
OSI: Final[Place] = "OSI"
"""The open short interest: a place where a major has as many shorts as shares that are paired with them."""
TEN: Final = 10
"""Shares of a major, those that are paired with shorts left out."""
TWO: Final = 2
"""Shares of a minor."""

MET: Final = CompanyId("MET")
"""The Metropolitan, which opens a historical game."""
PCN: Final = CompanyId("PCN")
"""It may begin in the red hex in the north-east."""
UER: Final = CompanyId("UER")
"""It is not started in the first stock round of a historical game, and has no maximum of markers."""
LPTB: Final = CompanyId("LPTB")
"""The London Passenger Transport Board. It is no company: it only has markers on the map."""
PIRATE: Final = CompanyId("Pirate")
"""The pirate marker, where it takes a space."""

GREATHEAD: Final = PrivateId("GRE")
FOWLER: Final = PrivateId("FOW")
REDEVELOPMENT: Final = PrivateId("ARD")
THOMPSON: Final = PrivateId("THO")
NECROPOLIS: Final = PrivateId("LNR")
TUNNEL: Final = PrivateId("THT")
NINE_ELMS: Final = PrivateId("NEL")
IMPROVEMENTS: Final = PrivateId("AIM")
LODGINGS: Final = PrivateId("RLO")
BREWERY: Final = PrivateId("POR")
MAIL_RAIL: Final = PrivateId("RMR")
CHOCOLATE: Final = PrivateId("CHO")
CLINK: Final = PrivateId("CLK")
LASTING: Final = frozenset({THOMPSON, MAIL_RAIL, CLINK})
"""Privates that phase IV does not close."""

NINE_ELMS_HEX: Final = HexId("I22")
WATERLOO_HEX: Final = HexId("K14")
NORTH_EAST: Final = HexId("Q4")
NORTH_EAST_TILE: Final = TileId("LU11")

TWO_T: Final = TrainName("2T")
"""The train whose number is not limited in the first operating round."""
PHASE_II: Final = PhaseName("II")
PHASE_III: Final = PhaseName("III")
PHASE_IV: Final = PhaseName("IV")
PHASE_V: Final = PhaseName("V")

LIQUIDATION: Final = "liquidation"
ACQUISITION: Final = "acquisition"
WHITE: Final = "white"
"""Zones of the price row, as marks of its cells."""

AUCTION_ROUND: Final = "AR"
STOCK_ROUND: Final = "SR"
OPERATING_ROUND: Final = "OR"
MERGER_ROUND: Final = "MR"
"""Kinds of round."""

# What the position remembers beyond the common state, as keys of its marks.
RATE: Final = "rate"
"""Interest on a loan."""
BORROWED: Final = "borrowed"
"""Company -> loans that it has taken since the round began."""
OWED: Final = "owed"
"""Company in liquidation -> the bill that it could not pay."""
MARKERS_DUE: Final = "markers_due"
"""Company -> what it must still pay for the markers that it was floated with."""
OUT: Final = "out"
"""Players who are bankrupt."""
PIRATE_AT: Final = "pirate"
"""Hex and city index of the pirate marker."""
MAIL_AT: Final = "mail"
"""Hexes of the mail markers."""
USED: Final = "used"
"""Powers of privates that are used up: private and a key of the power."""
EXTRA: Final = "extra"
"""Trains that outlast their rust: company, train, set and number of the last operating round that they run in."""
LAID: Final = "necropolis"
"""Hexes in which tiles of the London Necropolis have been laid, each with the tile."""
ENDING: Final = "ending"
"""The reason why the game ends: the last train, the last marker of the LPTB, a bankruptcy, or that nothing
is left to play."""
FINAL: Final = "final"
"""The last stock round has begun."""
STILL: Final = "still"
"""The money and the privates of the players at the end of a stock round in which nobody could start a company, and none
was left."""
OFFERED: Final = "offered"
"""Privates that were put up in this merger round."""

V = TypeVar("V")


def mark(state: State, key: str, default: V) -> V:
    """The value that the position remembers under ``key``; ``default`` where it is nothing."""
    found: Any = state.marks.get(key, default)
    return found  # type: ignore[no-any-return]
