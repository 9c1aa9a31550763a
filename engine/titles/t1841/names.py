"""The names of 1841 that its rules speak of."""

from __future__ import annotations

from typing import Final

from engine.core.ids import CompanyId, HexId, PrivateId, TrainName

MINOR: Final = "minor"
MAJOR: Final = "major"
"""Kinds of company."""

SFLP: Final = CompanyId("SFLP")
SFMA: Final = CompanyId("SFMA")
SFTC: Final = CompanyId("SFTC")
SFTN: Final = CompanyId("SFTN")
SSFL: Final = CompanyId("SSFL")
SFTG: Final = CompanyId("SFTG")
IRSFF: Final = CompanyId("IRSFF")
CONCESSIONED: Final = (SFLP, SFTC, SFMA, SFTN, SSFL, SFTG, IRSFF)
"""Historical companies that are started with a concession, in the order of the concessions' numbers."""

SFV: Final = CompanyId("SFV")
SB: Final = CompanyId("SB")
SFL: Final = CompanyId("SFL")
SFLI: Final = CompanyId("SFLi")
FRAGMENTS: Final = (SFV, SB, SFL)
"""The companies that the Secession may make of the IRSFF: SFV (SB in the second version) in Veneto, SFL in the rest."""
TUSCAN: Final = (SFLP, SFMA, SSFL)
"""The companies that the Tuscan merge joins to the SFLi."""
HISTORICAL: Final = frozenset({*CONCESSIONED, *FRAGMENTS, SFLI})

BAYARD: Final = PrivateId("Bayard")
C_SFLP: Final = PrivateId("C-SFLP")
C_SFTC: Final = PrivateId("C-SFTC")
C_SFMA: Final = PrivateId("C-SFMA")
C_SFTN: Final = PrivateId("C-SFTN")
C_SSFL: Final = PrivateId("C-SSFL")
C_SFTG: Final = PrivateId("C-SFTG")
C_IRSFF: Final = PrivateId("C-IRSFF")
COMPANY_OF: Final = {
    C_SFLP: SFLP,
    C_SFTC: SFTC,
    C_SFMA: SFMA,
    C_SFTN: SFTN,
    C_SSFL: SSFL,
    C_SFTG: SFTG,
    C_IRSFF: IRSFF,
}
"""Concession -> the company that it is for; Bayard is for none."""
CONCESSION_OF: Final = {company: concession for concession, company in COMPANY_OF.items()}

LUGANO: Final = HexId("C7")
MILANO: Final = HexId("F8")
TORINO: Final = HexId("H4")
GENOVA: Final = HexId("M7")
VENEZIA: Final = HexId("F16")
FIRENZE: Final = HexId("R14")
PISA: Final = HexId("Q11")

FIRST_4: Final = TrainName("4")
"""The train whose first purchase ends the concessions, divides the IRSFF and joins the Tuscan companies."""
LAST_TRAIN: Final = TrainName("8")

LOAN: Final = "loan"
"""The kind of debt that a bankrupt player takes on to go on."""
LOAN_AMOUNT: Final = 500

# What the position remembers beyond the common state, as keys of its marks.
HISTORY: Final = "history"
"""Companies that have performed an operating round since they were formed."""
SOLD: Final = "sold"
"""Pairs of seller and company: what companies have sold in the present operating round."""
ACTING: Final = "acting"
"""The company in turn and the player who controlled it when its turn began."""
RESIGNED: Final = "resigned"
"""Players who have left the game bankrupt."""
END: Final = "end"
"""The reason why the game ends: a price at the top of the chart, or all external areas connected."""
CONNECTED: Final = "connected"
"""External areas that have been connected."""
BANK_KNOWN: Final = "bank_known"
"""The announcement that the bank ends the game has been made."""
ROUNDS: Final = "rounds"
"""The number of operating rounds in the present set."""

# Phases in which something begins that rules name.
FIRST_PHASE: Final = "2"
"""Track may not be built across borders."""
FREE_START_PHASE: Final = "3"
"""Companies that are not historical may be started."""
NO_CONCESSIONS_PHASE: Final = "4"
"""Concessions are gone; historical companies merge, transform and change hands as others do."""
OPEN_CHART_PHASE: Final = "8"
"""Price markers may go to the last columns."""
