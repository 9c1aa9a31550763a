"""The names that the rules of 1863 use."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, TypeVar

from engine.core.ids import CompanyId, HexId, PhaseName, Place, PrivateId, TileId, TrainName
from engine.core.state import State

MINOR: Final = "minor"
MAJOR: Final = "major"
"""The kinds of company."""
DIRECTOR: Final = "director"
ORDINARY: Final = "ordinary"
SHORT: Final = "short"
"""The kinds of certificate."""
OSI: Final[Place] = "OSI"
"""The open short interest: the place for the shorts of a major, each paired with one more share."""
TEN: Final = 10
"""The number of shares of a major, without those paired with shorts."""
TWO: Final = 2
"""The number of shares of a minor."""

MET: Final = CompanyId("MET")
"""The Metropolitan, the first company to be started in a historical game."""
PCN: Final = CompanyId("PCN")
"""The company that may start in the red hex in the north-east."""
UER: Final = CompanyId("UER")
"""The company that may not be started in the first stock round of a historical game, and has no marker limit."""
LPTB: Final = CompanyId("LPTB")
"""The London Passenger Transport Board. It is not a company, but it has markers on the map."""
PIRATE: Final = CompanyId("Pirate")
"""The pirate marker, as the holder of the space that it takes."""

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
"""The privates that stay open when phase IV begins."""

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
"""The zones of the price row, as marks of its cells."""

AUCTION_ROUND: Final = "AR"
STOCK_ROUND: Final = "SR"
OPERATING_ROUND: Final = "OR"
MERGER_ROUND: Final = "MR"
"""The kinds of round."""

# Keys of the marks of a position: what it remembers beyond the state common to all titles.
RATE: Final = "rate"
"""The interest on a loan."""
BORROWED: Final = "borrowed"
"""Company -> loans that it has taken since the round began."""
OWED: Final = "owed"
"""Company -> its unpaid bills, which are settled when it is taken apart."""
MARKERS_DUE: Final = "markers_due"
"""Company -> the amount that it still owes for the markers of its float."""
OUT: Final = "out"
"""The bankrupt players."""
PIRATE_AT: Final = "pirate"
"""The hex and city index of the pirate marker."""
MAIL_AT: Final = "mail"
"""The hexes of the mail markers."""
USED: Final = "used"
"""The used-up powers of privates: the private and the key of the power."""
EXTRA: Final = "extra"
"""Trains that have rusted but may still run."""
Extended: TypeAlias = tuple[CompanyId, TrainName, int, int]
"""A company, its train that has rusted but may still run, and set and number of the last operating round in which it
runs."""
LAID: Final = "necropolis"
"""The hexes in which the London Necropolis has laid tiles, each with its tile."""
ENDING: Final = "ending"
"""The reason for the end of the game: the last train, the last marker of the LPTB, a bankruptcy, or a stalemate."""
FINAL: Final = "final"
"""True once the last stock round has begun."""
STILL: Final = "still"
"""The money and the privates of the players at the end of a stock round with no company left and nobody able to start
one."""
OFFERED: Final = "offered"
"""The privates that were put up in this merger round."""
ACQUIRED: Final = "acquired"
"""The companies that have acquired another or been acquired in this merger round."""

V = TypeVar("V")


def mark(state: State, key: str, default: V) -> V:
    """The value of the position's mark ``key``, or ``default`` if it has none."""
    found: Any = state.marks.get(key, default)
    return found  # type: ignore[no-any-return]


def extended(state: State) -> tuple[Extended, ...]:
    """The trains that have rusted but may still run."""  # rule 9.4
    return mark(state, EXTRA, ())
