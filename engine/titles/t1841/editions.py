"""The editions of 1841 as sets of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.titles.t1841.rulings import Rulings

CLARIFIED: Final = Rulings()
"""The first version with the clarifications of Steve Thomas, version 1.5."""

SITE_1: Final = replace(
    CLARIFIED,
    open_seats="cash",
    player_trades=False,
    bundles="any",
    consent="not_asked",
    sale_falls="each",
    company_successors="priority",
    concession_keeps="trades",
    purchase_limit="before",
    president_limit="any",
    owners_stock="sold",
    round_end="one_pass",
    turn_order="sales",
    veneto_border_until="5",
    blind_ends=True,
    city_upgrades="changed",
    pass_tokens_run=True,
    half_prices="order_up",
    emergency_order="free",
    emergency_presidencies="chain_kept",
    bankrupt_stock="operated",
    bankrupt_money="sellers",
    bankrupt_falls="emergency",
    frozen_trains="sold",
    discards="next_question",
    fragment_surplus="stay",
    dealt_certificates="one_by_one",
    second_presidency="owner",
    pooled_presidency="one_each",
    secession_leftovers="nothing",
    fragment_offers=True,
    decision_order="listed",
    frozen_sfli_token="by_name",
    sold_in_round="financial",
    lowest_merger="top",
    merger_presidency="players",
    merger_control="now",
    surplus_trains="before_exchange",
    pair_and_share=True,
    token_help="before_sales",
    circles="owners",
    frozen_in_turn="goes_on",
    circle_sales=False,
    bank_breaks="below_zero",
    ends="turn",
    concession_value="50",
)
"""The game as 18xx.games plays it with its option for the first version."""

SITE_2: Final = replace(
    SITE_1,
    version="2",
    concessions="open",
    sfma_home="either",
    fragments_capped=False,
    fragment_tokens=True,
    sfli_runs=True,
)
"""The second version, as 18xx.games plays it."""

EDITIONS: Final[Mapping[str, Rulings]] = {"clarified": CLARIFIED, "v2": SITE_2, "v1": SITE_1}
"""The editions by name, the default first."""

PLAYERS: Final[Mapping[str, range]] = {"full": range(3, 9), "lite": range(3, 7)}
"""The numbers of players for each map."""
