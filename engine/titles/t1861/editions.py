"""The editions of 1861 as sets of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.titles.t1861.rulings import Rulings

V2_0: Final = Rulings()
"""The English rulebook of 2012, with the rulings of ``docs/rulings.md`` where it is silent."""

FIRST: Final = replace(
    V2_0,
    first_marker="empty",
    sold_out_top="column",
    blocking="any",
    interest_shortfall="kept",
    state_railway_operates="taken_over",
    merger_two_shares="obliged",
    bank_break="final",
    private_score="nothing",
)
"""The first edition. Where its text is silent, it is played as version 2.0."""

Y2020: Final = replace(
    V2_0,
    reduced_private="dutch",
    director_sale="order",
    first_marker="hex",
    k7_upgrade="20",
    second_marker="first_kept",
    kharkov_over_801=True,
    most_exits="all",
    hex_twice=True,
    runs="director",
    express_offboards="must",
    express_own_marker="counted",
    ekaterinburg="counts",
    interest_shortfall="kept",
    discards="together",
    state_railway_runs="priority",
    state_railway_trains="rested",
    state_railway_phase_8="goes_on",
    nationalised_ties="name",
    merger_floor="100",
    merger_director="first_to_two",
    merger_two_shares="ahead",
    merger_offers="earliest",
    offer_limit="before",
    merger_connection="chain",
    bank_breaks="below_zero",
    trains_2_2="unlimited",
    trains_5_5e="unlimited",
)
"""The edition of 2020 as its public implementation plays it."""

EDITIONS: Final[Mapping[str, Rulings]] = {"v2.0": V2_0, "first": FIRST, "2020": Y2020}
"""Rulings of each edition, the default edition first."""

PLAYERS: Final[Mapping[str, range]] = {"v2.0": range(3, 7), "first": range(3, 7), "2020": range(2, 7)}
"""Permitted numbers of players in each edition."""
