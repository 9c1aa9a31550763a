"""Standing orders: when they are taken, what they do, and why they end."""

from __future__ import annotations

import pytest

import engine
from engine.robots import sensible
from tests.kit.games.ahead_table import AheadTable
from tests.kit.games.standing_positions import (
    PLAYERS,
    TITLES,
    begun,
    bought,
    cost,
    held,
    leading,
    on_sale,
    on_turn,
    refused,
    runs,
    sale,
    sold,
    stock,
    table,
)

# ---- stock rounds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
def test_passing_until_anybody_acts_goes_on_while_all_pass(title: str) -> None:
    one = table(title, "stock.turn", "SR", 120 if title == "1844" else 60)
    first, second, third = on_turn(one)
    one.say(second, "pass until anybody acts")
    one.say(third, "pass until anybody acts")
    one.say(first, "pass")
    assert one.log()[:3] == [f"{first} mail: pass", f"{second} standing: pass", f"{third} standing: pass"]


def test_who_passes_until_anybody_acts_is_asked_after_a_purchase() -> None:
    one = stock()
    first, second, third = on_turn(one)
    one.say(second, "pass until anybody acts")
    one.say(third, f"pass until {second} acts")
    ask = one.game.asked()[0]
    one.submit(next(c.sample() for c in one.game.legal(ask.actor) if type(c.order).__name__ == "Buy"), first)
    assert one.reasons() == [("standing.until",)]
    assert one.ends[0].failures[0].facts["player"] == first
    assert [ask.player for ask in one.game.asked()] == [second]
    one.say(second, "pass")
    assert one.log()[-1] == f"{third} standing: pass", "a pass is no act"


def test_a_pass_ends_with_its_round() -> None:
    one = stock()
    for player in on_turn(one)[::-1]:
        one.say(player, "pass until the round ends")
    assert one.game.state.round.kind != "SR"
    assert one.standing() == [] and one.reasons() == [("ahead.over",)] * 3


def test_it_buys_up_to_a_number_of_shares_turn_by_turn() -> None:
    one = stock()
    first, second, third = on_turn(one)
    company = bought(one)
    one.say(second, "pass until the round ends")
    one.say(third, "pass until the round ends")
    had = held(one, first, company)
    one.say(first, f"buy {company} up to {had + 2}")
    assert held(one, first, company) == had + 2
    assert one.reasons()[0] == ("standing.reached",)


def test_it_buys_while_the_price_is_low_enough() -> None:
    one = stock()
    first, *_ = on_turn(one)
    company = bought(one)
    one.say(first, f"buy {company} while at most 1")
    assert one.reasons() == [("standing.dear",)] and not one.moves
    assert one.ends[0].failures[0].facts["price"] == cost(one, first, company)


def test_it_buys_no_share_that_makes_its_player_director() -> None:
    one = stock()
    first, *_ = on_turn(one)
    company = leading(one, first)
    one.say(first, f"buy {company} up to 9 not as director")
    assert one.reasons() == [("standing.leading",)] and not one.moves


def test_it_sells_down_only_while_the_price_is_under_the_mark() -> None:
    one = stock()
    first, *_ = on_turn(one)
    company, price = sold(one, first)
    one.say(first, f"sell down {company} to {held(one, first, company) - 1} if under {price}")
    assert not one.moves and len(one.standing()) == 1
    one.say(first, f"sell down {company} to {held(one, first, company) - 1} if under {price + 1}")
    assert one.log() == [f"{first} standing: sell 1 {company}"]


def test_what_it_does_equals_the_same_orders_by_hand() -> None:
    for title in TITLES:
        one = table(title, "stock.turn", "SR", 120 if title == "1844" else 60)
        by_hand = one.game.fork()
        for player in on_turn(one)[::-1]:
            one.say(player, "pass until anybody acts")
        assert len(one.moves) >= 3
        for move in one.moves:
            assert not isinstance(by_hand.submit(move.order), engine.Refused)
        assert by_hand.digest() == one.game.digest()


def test_orders_under_a_condition_are_left_out_if_it_is_not_true() -> None:
    one = stock()
    first, _second, _third = on_turn(one)
    company, price = sold(one, first)
    one.say(first, f"only if {company} is over {price}; sell 1 {company}; pass")
    assert not one.moves
    block = one.say(first, f"only if {company} is over {price}; sell 1 {company}; pass")
    assert [f.check for line in block.lines for f in line.failures] == ["standing.unmet"]
    one.say(first, f"only if {company} is over {price - 1}; sell 1 {company}; pass")
    assert one.log()[:1] == [f"{first} mail: sell 1 {company}"]


def test_turns_kept_ahead_follow_each_other_in_a_stock_round() -> None:
    one = stock()
    first, second, third = on_turn(one)
    company = bought(one)
    had = held(one, first, company)
    one.say(second, "pass until the round ends")
    one.say(third, "pass until the round ends")
    one.say(first, f"{first}: buy {company} from ipo\n{first}: buy {company} from ipo\n{first}: pass")
    assert held(one, first, company) == had + 2
    assert [m.origin for m in one.moves if m.player == first][:3] == ["mail", "held", "held"]


def test_turns_after_one_that_was_not_carried_out_lapse_with_it() -> None:
    one = stock()
    first, second, _third = on_turn(one)
    company = bought(one)
    one.say(second, f"{second}: only if {company} is over 999; buy {company}\n{second}: pass")
    one.say(first, "pass")
    assert one.reasons() == [("standing.unmet",), ("ahead.after_lapsed",)]
    assert one.game.asked()[0].player == second


# ---- auctions -------------------------------------------------------------------------------------------------------


def test_a_plan_opens_bids_and_goes_on_with_what_is_left() -> None:
    one = AheadTable(begun("1861"))
    first, second, third = on_turn(one)
    one.say(first, "plan TSR 40, BSS 60 or MYR 90, N 150 unless TSR, budget 300")
    assert one.log() == [f"{first} standing: open TSR"]
    one.say(second, "limit 30 on TSR")
    one.say(third, "drop")
    assert one.log()[-1] == f"{second} limit: drop"
    assert one.standing() == [f"{first}: plan BSS 60 or MYR 90, budget 270"]


def test_of_two_lots_joined_by_or_one_is_enough() -> None:
    one = AheadTable(begun("1861"))
    first, second, third = on_turn(one)
    one.say(first, "plan TSR 40 or BSS 60")
    one.say(second, "drop")
    one.say(third, "drop")
    assert one.standing() == [] and one.reasons() == [("standing.no_lots",)]


def test_a_budget_caps_the_limits_that_come_after_it() -> None:
    one = AheadTable(begun("1861"))
    first, second, third = on_turn(one)
    one.say(first, "plan TSR 40, BSS 60, budget 60")
    one.say(second, "drop")
    one.say(third, "drop")
    assert one.standing() == [f"{first}: plan BSS 60, budget 40"]
    one.say(second, "open BSS 30; limit 200 on BSS")
    one.say(third, "drop")
    bids = [line for line in one.log() if line.startswith(f"{first} standing: bid")]
    assert bids == [f"{first} standing: bid 35", f"{first} standing: bid 40"][: len(bids)]
    assert one.log()[-1] == f"{first} standing: drop"


def test_a_plan_leaves_the_auctions_of_all_other_lots_if_it_says_so() -> None:
    one = AheadTable(begun("1861"))
    first, second, _ = on_turn(one)
    one.say(second, "plan BSS 60, drop the rest")
    one.say(first, "open TSR 20")
    assert one.log()[-1] == f"{second} standing: drop"


@pytest.mark.parametrize("title", ["1844", "1863"])
def test_a_plan_bids_in_each_title(title: str) -> None:
    one = AheadTable(begun(title))
    first, second, third = on_turn(one)
    lots = one.game.lots_to_come()
    one.say(first, f"plan {', '.join(f'{lot} 500' for lot in lots)}")
    one.say(second, "plan drop the rest")
    one.say(third, "plan drop the rest")
    assert one.moves and {move.origin for move in one.moves} == {"standing"}


# ---- consent, trains, companies -------------------------------------------------------------------------------------


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_a_routine_plays_each_turn_of_its_company(title: str) -> None:
    one = table(title, "company.turn", "OR", 150)
    while not runs(one.game, one.game.asked()[0].actor):
        ask = one.game.asked()[0]
        one.submit(sensible(one.game, ask), ask.player)
    one.moves.clear()
    ask = one.game.asked()[0]
    one.say(ask.player, f"{ask.actor}: each turn run best, pay full, done")
    mine = [line for line in one.log() if line.startswith(f"{ask.player} standing")]
    assert mine[0] == f"{ask.player} standing: run best" and mine[-1] == f"{ask.player} standing: done"
    for _ in range(300):
        if any(a.actor == ask.actor and a.what == "company.turn" for a in one.game.asked()):
            break
        if len([m for m in one.moves if m.origin == "standing"]) > len(mine) or not one.standing():
            break
        now = one.game.asked()[0]
        one.submit(sensible(one.game, now), now.player)
    again = [m for m in one.moves if m.origin == "standing" and m.order.actor == ask.actor]
    assert len(again) > len(mine) or not one.standing(), "the next turn is played too, or the order has ended"


def test_a_routine_ends_when_a_train_goes_on_sale() -> None:
    one = table("1844", "company.turn", "OR", 150)
    ask = one.game.asked()[0]
    assert on_sale(one.game) == "3"
    text = f"{ask.actor}: each turn run best, pay full, train if needed, done until 4 is on sale"
    one.say(ask.player, text)
    for _ in range(900):
        if not one.standing():
            break
        now = one.game.asked()[0]
        one.submit(sensible(one.game, now), now.player)
    assert one.reasons() == [("standing.until",)] and on_sale(one.game) == "4"


def test_a_routine_ends_when_another_directs_the_company() -> None:
    one = table("1844", "company.turn", "OR", 150)
    ask = one.game.asked()[0]
    game = one.game
    other = next(player for player in PLAYERS if player != ask.player)
    assert refused(one, other, f"{ask.actor}: each turn run best, done") == ["seat.not_yours"]
    assert game.digest() == one.game.digest()


def test_terms_agree_from_a_price_and_refuse_below_another() -> None:
    """1861, 8.7: a private is sold to a company with its owner's consent."""
    one = table("1861", "company.turn", "OR", 100)
    while (found := sale(one)) is None:
        ask = one.game.asked()[0]
        one.submit(sensible(one.game, ask), ask.player)
    company, director, private, owner = found
    one.say(owner, f"agree {private} to {company} for at least 12; refuse {private} to anybody for under 5")
    low = AheadTable(one.game.fork(), list(one.waiting))
    low.say(director, f"{company}: buy {private} for 3")
    assert low.log()[1:] == [f"{owner} standing: refuse {private} to {company} for 3"]
    high = AheadTable(one.game.fork(), list(one.waiting))
    high.say(director, f"{company}: buy {private} for 13")
    assert high.log()[1] == f"{owner} standing: agree {private} to {company} for 13"
    between = AheadTable(one.game.fork(), list(one.waiting))
    between.say(director, f"{company}: buy {private} for 8")
    assert len(between.log()) == 1 and between.game.asked()[0].player == owner


# ---- what is not taken ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("plan budget 200", "standing.empty"),
        ("plan TSR 60, TSR 70", "standing.lot_twice"),
        ("plan TSR 60, BSS 300, budget 200", "standing.budget"),
        ("plan N 100 unless N", "standing.unless"),
        ("plan NW 100", "ahead.sold"),
        ("pass until ME acts", "standing.never"),
        ("sell down NW to 2", "standing.held"),
        ("buy NW up to 0", "standing.reached"),
        ("each turn run best, done", "standing.companies"),
        ("plan TSR 60; plan TSR 70", "ahead.contradicts"),
        ("plan TSR 60; limit 70 on TSR", "ahead.contradicts"),
        ("buy NW up to 3; buy NW up to 4", "ahead.contradicts"),
        ("agree TSR to GRR for at least 20", "standing.not_owner"),
    ],
)
def test_a_standing_order_without_a_meaning_is_refused_with_its_reason(text: str, check: str) -> None:
    one = AheadTable(begun("1861"))
    player = on_turn(one)[1]
    assert refused(one, player, text.replace("ME", player)) == [check]
    assert one.standing() == [] and not one.moves


def test_a_condition_that_is_true_already_is_refused() -> None:
    one = table("1861", "company.turn", "OR", 100)
    ask = one.game.asked()[0]
    assert refused(one, ask.player, f"{ask.actor}: each turn run best, done until {on_sale(one.game)} is on sale") == [
        "standing.already"
    ]


def test_a_turn_with_two_dividends_is_refused() -> None:
    one = table("1861", "company.turn", "OR", 100)
    ask = one.game.asked()[0]
    assert refused(one, ask.player, f"{ask.actor}: each turn pay full, pay none") == ["standing.step_twice"]


def test_a_later_order_for_the_same_purpose_replaces_the_earlier_one() -> None:
    one = AheadTable(begun("1861"))
    player = on_turn(one)[1]
    one.say(player, "plan TSR 60")
    one.say(player, "plan TSR 70")
    assert one.standing() == [f"{player}: plan TSR 70"]


def test_routines_of_all_companies_do_not_play_for_ever() -> None:
    """All of them together give at most a number of orders in one decision; then one ends, and somebody looks."""
    one = table("1861", "company.turn", "OR", 100)
    game = one.game
    for company, now in game.state.companies.items():
        director = game.title.policies.director(game.title, game.state, company)
        if now.status == "open" and director is not None:
            before = len(one.moves)
            one.say(director, f"{company}: each turn run best, pay full, done")
            assert len(one.moves) - before < 320
