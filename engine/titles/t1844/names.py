"""The names of 1844 that its rules speak of."""

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
"""The train that the SBB is formed with."""
EVA: Final = TrainName("5H")
"""The train of Oerlikon once a company has it."""

EMERGENCY: Final = "emergency"
FORMATION: Final = "formation"
"""Kinds of debt."""

# What the position remembers beyond the common state, as keys of its marks.
REACHED: Final = "destinations"
"""Companies whose destination is reached or void."""
PAID_AT_ONCE: Final = "paid_at_once"
"""Those of them for which it is void, because all the money came with the launch."""
MOUNTAINS: Final = "mountains"
"""Mountain railway -> the hex where it lies."""
TUNNELS: Final = "tunnels"
"""Used tunnel certificate -> the hex of its tunnel."""
ACTIVE: Final = "active"
"""Mountain railways and tunnel certificates that pay."""
EXTRA_TILE: Final = "extra_tile"
"""The additional tile of Bödelibahn is laid."""
SBB_DUE: Final = "sbb_due"
"""The SBB is to be formed."""
SCRAPPED_OWN: Final = "scrapped_own"
"""By a ruling: companies that have scrapped trains of their own by a purchase, and have not bought a train since."""
ROUNDS: Final = "rounds"
"""Operating rounds of the present set."""

# Phases in which something begins that rules name.
FIRST_POWERS_PHASE: Final = "3"
"""P2 and P4 can be used, and companies may trade trains."""
PRIVATE_PHASES: Final = ("3", "4")
"""Companies may buy privates."""
EVA_PHASE: Final = "5"
FIRST_FULL_PHASE: Final = "6"
"""Historical companies are launched with all their money."""
FIRST_EXPORT_PHASE: Final = "2"
