"""Every value of every named ruling of 1863 has a test that only this value passes.

The table names the tests. Each is played once as it is, which must pass, and once in a game that has another value
instead, which must not: so a new value without a test, and a test that no longer shows a difference, are found here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import product
from typing import Any, Final

import pytest

import engine
from engine.core.title import Title
from engine.titles.t1863.rulings import as_options, choices, rulings_of
from tests.kit.games import situations_1863
from tests.kit.samples import one_in

SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "play": ("floating: test_the_metropolitan_opens_a_historical_game",),
    "short_game": ("facts: test_cards_for_six", "facts: test_trains_of_phase_ii"),
    "long_game": ("facts: test_cards_for_six",),
    "refinancing": ("refinancing: test_it_is_an_option",),
    "loose_valuations": ("loans: test_by_agreement_the_size_alone_limits_loans",),
    "clink_club": ("facts: test_r5_the_clink_club_is_one_more",),
    "quick_auction": ("auction: test_the_privates_are_auctioned_or_by_agreement_dealt",),
    "first_bankruptcy_ends": ("bankruptcy: test_by_an_option_the_first_bankruptcy_signals_the_end",),
    "openings": (
        "auction: test_who_opens_names_any_private_and_bids_five_or_more",
        "auction: test_r4_by_a_ruling_only_the_first_of_the_list_is_opened",
    ),
    "uneven_deal": ("auction: test_r6_what_cannot_be_dealt_evenly",),
    "lptb_from": (
        "trains: test_r9_the_phase_in_which_the_lptb_begins_to_act",
        "liquidation: test_r9_once_the_lptb_acts_it_gets_all_without_an_auction",
    ),
    "circles": ("stock_round: test_r13_no_company_buys_shares_of_one_above_it",),
    "bid_means": ("floating: test_r14_no_bid_is_higher_than_the_cheapest_float_leaves",),
    "capital_over": ("floating: test_r16_the_last_of_the_goods_may_exceed_the_capital",),
    "after_start": ("floating: test_r17_the_round_goes_on_from_the_left_of_the_opener",),
    "purchase_shorts": ("lptb: test_r22_shorts_pay_as_shares_are_paid",),
    "short_own_subsidiary": ("trading: test_t22_nobody_shorts_what_his_companies_hold",),
    "operating_ties": ("operating_round: test_r25_prices_that_move_in_the_round_change_the_order",),
    "second_lay_anywhere": ("track: test_r26_the_second_lay_is_in_another_hex",),
    "plain_track_free": ("track: test_r27_plain_track_costs_as_an_upgrade_does",),
    "intersecting": ("routes: test_by_a_ruling_every_two_routes_share_a_station",),
    "express_ends": ("routes: test_r30_the_ends_of_an_express",),
    "dividend_step": ("dividends: test_r32_dividends_are_prices_of_the_chart_or_go_by_steps",),
    "short_fractions": (
        "dividends: test_r33_fractions_are_rounded_down_for_holders_and_by_a_ruling_for_shorts",
    ),
    "first_supply": ("trains: test_r34_the_number_of_2t_after_the_first_operating_round",),
    "toll": ("tolls: test_r51_the_toll_of_two_routes",),
    "own_shares_valued": ("loans: test_r37_the_parts_of_a_value",),
    "bid_share": ("acquisition: test_a_tenth_of_a_bid_of_95_for_each_share",),
    "minor_bid": ("acquisition: test_each_share_of_a_minor_is_paid_half_of_the_bid",),
    "acquirers": ("acquisition: test_by_a_ruling_only_players_acquire",),
    "train_lots": ("liquidation: test_trains_go_to_a_company_that_has_room_for_all",),
    "last_rounds_build": ("track: test_r54_the_board_stays_as_it_is_in_the_last_rounds",),
    "early_conversion": ("conversions: test_r61_a_minor_converts_in_phase_two",),
    "private_price": ("private_sales: test_r49_the_price_is_at_most_twice_the_face",),
    "thompson": ("extra_life: test_r50_thompson_keeps_trains_at_each_rust_or_once",),
    "tunnel_lays": ("power_lays: test_the_tunnel_uses_the_lays_of_the_turn_or_by_a_ruling_none",),
    "necropolis_green": ("power_lays: test_by_a_ruling_four_tiles_of_the_necropolis_connect_nine_elms_to_waterloo",),
    "final_shorts": ("ends: test_r55_shorts_count_against_a_player_and_minors_for_two_shares",),
}  # fmt: skip
"""Ruling -> the tests that show its values, each with its module in this folder."""
VALUES = [(ruling, value) for ruling, values in choices().items() for value in values]


def cases(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """The arguments of a test, one case after the other."""
    tables: list[list[dict[str, Any]]] = [[{}]]
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
            keys = [name.strip() for name in names]
            rows = [getattr(row, "values", row) for row in mark.args[1]]
            tables.append([dict(zip(keys, row if len(keys) > 1 else (row,), strict=True)) for row in rows])
    for parts in product(*tables):
        yield {key: value for part in parts for key, value in part.items()}


def named(row: str) -> Callable[..., None]:
    module, _, name = row.partition(": ")
    found: Callable[..., None] = getattr(import_module(f"tests.titles.t1863.test_{module}"), name)
    return found


def values_played(
    test: Callable[..., None], case: dict[str, Any], ruling: str, instead: Mapping[str, str], patch: pytest.MonkeyPatch
) -> set[str]:
    """Play a case of a test with other values ``instead``; answers those that the titles would have had."""
    seen, load = set[str](), engine.load_title

    def loaded(name: str, edition: str | None = None, options: Mapping[str, str] | None = None, *rest: Any) -> Title:
        found = load(name, edition, options or {}, *rest)
        if found.name != "1863":
            return found
        value = as_options(rulings_of(found))[ruling]
        seen.add(value)
        other = instead.get(value, value)
        return found if other == value else load(name, edition, {**(options or {}), ruling: other}, *rest)

    with patch.context() as now:
        now.setattr(engine, "load_title", loaded)
        now.setattr(situations_1863, "load", lambda name, edition, **options: loaded(name, edition, options))
        test(**case)
    return seen


def test_every_ruling_has_its_tests() -> None:
    assert list(SHOWN) == list(choices())
    for row in (row for rows in SHOWN.values() for row in rows):
        arguments = {key for case in cases(named(row)) for key in case}
        assert set(inspect.signature(named(row)).parameters) == arguments, row


@pytest.mark.parametrize(("ruling", "value"), one_in(5, VALUES))
def test_no_other_value_passes_the_tests_of_this_one(ruling: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = set(choices()[ruling]) - {value}
    for test in map(named, SHOWN[ruling]):
        for case in cases(test):
            if value not in values_played(test, case, ruling, {}, monkeypatch):
                continue
            others -= {other for other in others if not _passes(test, case, ruling, {value: other}, monkeypatch)}
    assert not others, f"no test of {ruling} tells {value} from {others}"


def _passes(
    test: Callable[..., None], case: dict[str, Any], ruling: str, instead: Mapping[str, str], patch: pytest.MonkeyPatch
) -> bool:
    try:
        values_played(test, case, ruling, instead, patch)
    except (Exception, pytest.fail.Exception):
        return False
    return True
