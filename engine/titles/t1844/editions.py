"""The editions of 1844 as sets of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.titles.t1844.rulings import Rulings

RULEBOOK: Final = Rulings()
"""The English rulebook, with the rulings of ``docs/rulings.md`` where it is silent."""

SITE: Final = replace(
    RULEBOOK,
    poor_auctioneer="asked",
    debt_blocks="not_par",
    sbb_split="director",
    limit_sales="any",
    private_owner="any",
    home_tile="may",
    extra_tile="sisters_turn",
    aarau_upgrade="20",
    same_side_route=False,
    torino="duty",
    empty_mountains="uncounted",
    destination_from="turns",
    runs="any",
    opened_by="visited",
    consent="not_asked",
    sbb_trains="printed",
    train_duty="mountain",
    own_director_train="cash",
    lending="before",
    emergency_sales="needed",
    help_purpose="train",
    bankruptcy=True,
    repayment="all_possible",
    discards="removed",
    discard_after_export="next_turn",
    eva_company="operating",
    eva_limit="discard",
    exchange="company",
    sbb_debt_interest=True,
    sbb_debt_sales="may",
    sbb_double="director",
    sbb_own_train="discardable",
    bank_breaks="below_zero",
)
"""The game as its public implementation on 18xx.games plays it."""

EDITIONS: Final[Mapping[str, Rulings]] = {"rulebook": RULEBOOK, "18xx.games": SITE}
"""Rulings of each edition, the default edition first."""

PLAYERS: Final[Mapping[str, range]] = {"rulebook": range(3, 8), "18xx.games": range(3, 8)}
"""Permitted numbers of players in each edition."""
