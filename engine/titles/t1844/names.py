"""Names used in the rules of 1844."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId, PrivateId, TrainName

PRE_SBB: Final = "pre-sbb"
REGIONAL: Final = "regional"
HISTORICAL: Final = "historical"
NATIONAL: Final = "sbb"
"""Kinds of company."""

SBB: Final = CompanyId("SBB")
FNM: Final = CompanyId("FNM")
MOB: Final = CompanyId("MOB")
GB: Final = CompanyId("GB")

BRIENZ: Final = PrivateId("P1")
BOEDELI: Final = PrivateId("P2")
GOTTHARD_MAIL: Final = PrivateId("P3")
FURKA: Final = PrivateId("P4")
MONTREUX: Final = PrivateId("P5")
FERROVIE: Final = PrivateId("P6")
OERLIKON: Final = PrivateId("P7")
FIRST_TUNNEL: Final = PrivateId("T1")

PRIVATE: Final = "private"
MOUNTAIN: Final = "mountain"
TUNNEL: Final = "tunnel"
"""Kinds of private."""

GOTTHARD: Final = HexId("H19")
OWN_5H: Final = TrainName("SBB5H")
"""The SBB's own train, which it gets when it is formed."""
EVA: Final = TrainName("5H")
"""The train EVA, which a company gets from Oerlikon."""

EMERGENCY: Final = "emergency"
FORMATION: Final = "formation"
"""Kinds of debt."""

# Keys of the marks that a position has beyond the common state.
REACHED: Final = "destinations"
"""Companies that have reached their destination, or for which it is void."""
PAID_AT_ONCE: Final = "paid_at_once"
"""Companies whose destination is void, because they got all their capital at the launch."""
MOUNTAINS: Final = "mountains"
"""Maps each placed mountain railway to its hex."""
TUNNELS: Final = "tunnels"
"""Maps each used tunnel certificate to the hex of its tunnel."""
ACTIVE: Final = "active"
"""Mountain railways and tunnel certificates that pay income."""
EXTRA_TILE: Final = "extra_tile"
"""True once the additional tile of Bödelibahn has been laid."""
SBB_DUE: Final = "sbb_due"
"""True while the formation of the SBB is due."""
ROUNDS: Final = "rounds"
"""Number of operating rounds in the present set."""

# Phases in which certain rules begin to apply.
FIRST_POWERS_PHASE: Final = "3"
"""The first phase in which P2 and P4 can be used and companies may trade trains."""
PRIVATE_PHASES: Final = ("3", "4")
"""Phases in which companies may buy privates."""
EVA_PHASE: Final = "5"
FIRST_FULL_PHASE: Final = "6"
"""The first phase in which historical companies get all their capital at the launch."""
FIRST_EXPORT_PHASE: Final = "2"
