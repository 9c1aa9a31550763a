"""Every example that the rulebook of 1863 prints, and every one of the tricky situations T1 to T23, has its tests."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

PRINTED: Final[Mapping[str, tuple[str, ...]]] = {
    "5.b a phase begins with its first train": (
        "trains: test_r56_a_phase_begins_with_the_first_train_of_the_next_supply",
    ),
    "6.c a major pays 50 to 200 for its markers": (
        "floating: test_t17_goods_and_cash_are_the_capital_and_markers_may_need_loans",
    ),
    "6.d a president sells two shares at 100": (
        "trading: test_t1_a_president_costs_two_columns_a_share_and_others_one",
    ),
    "6.f the Metropolitan gives three shares": ("presidents: test_t13_a_player_takes_shares_from_his_company",),
    "6.k two shorts and a dividend of 10": (
        "dividends: test_a_player_who_cannot_pay_for_his_shorts_sells_before_the_turn_goes_on",
    ),
    "6.l a 3T and a 2+1e at Oxford Circus": (
        "routes: test_t5_minor_stations_pay_a_train_and_not_an_express_whose_better_end_counts_twice",
    ),
    "7.b track in St John's Wood": ("track: test_t9_a_minor_station_with_a_printed_price_and_its_upgrade",),
    "7.c Acton and Paddington": ("routes: test_t6_minor_stations_use_no_stop",),
    "7.c Marylebone to Euston by two minor stations": ("routes: test_t6_minor_stations_use_no_stop",),
    "7.c Gloucester Road to Victoria": ("routes: test_t6_minor_stations_use_no_stop",),
    "7.c Finsbury Park to Nine Elms": ("routes: test_t20_mail_is_paid_besides_the_bonus_from_edge_to_edge",),
    "7.d a": ("dividends: test_t3_a_price_of_100_and_a_revenue_of_90",),
    "7.d a, no more funds are added": ("dividends: test_t3_padding_goes_up_to_the_price_and_needs_the_money",),
    "7.d b": ("dividends: test_t4_a_price_of_100_and_a_revenue_of_200",),
    "7.d b, a revenue of 190": ("dividends: test_t4_a_revenue_of_190_is_the_most_where_it_is_above_the_price",),
    "7.f a marker, two 2T and a loan": ("operating_round: test_t11_interest_markers_and_trains",),
    "8.b two minors merge, and three": ("mergers: test_t15_minors_become_a_major",),
    "9 the loan chart of three players at 15": ("loans: test_t10_the_rate_of_the_highest_row_that_is_taken",),
    "9.b a company of value 260": ("loans: test_t7_the_printed_example_of_a_value",),
    "9.b the LPTB pays 13 a share": ("lptb: test_t8_what_a_share_is_worth_to_the_lptb",),
    "12 the final table": ("ends: test_t12_the_printed_table",),
    "14 a mail marker: 10; two: 20 each": ("routes: test_one_route_through_one_mail_marker_or_two",),
    "14 the farthest mail markers: 30 each": ("routes: test_t20_mail_is_paid_besides_the_bonus_from_edge_to_edge",),
}
"""Section and example -> its tests, each with its module in this folder."""
SITUATIONS = range(1, 24)


@pytest.mark.parametrize("example", PRINTED)
def test_a_printed_example_has_its_test(example: str) -> None:
    for row in PRINTED[example]:
        module, _, name = row.partition(": ")
        assert callable(getattr(import_module(f"tests.titles.t1863.test_{module}"), name))


def test_each_tricky_situation_has_a_test_with_its_number() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [number for number in SITUATIONS if f"def test_t{number}_" not in written] == []
