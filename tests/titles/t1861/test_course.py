"""What holds in every edition from the first bid on: turns, passes, certificates, the first operating round."""

from __future__ import annotations

from dataclasses import fields

import pytest

import engine
from engine import orders
from engine.core.events import Distributed, LotDrawn, PriceSet
from engine.core.ids import CompanyId, PhaseName, PlayerId, TrainName
from engine.core.lots import lot
from engine.holders.ledger import counted

ANN, BOB, CAT = map(PlayerId, ("Ann", "Bob", "Cat"))
N, M_K = CompanyId("N"), CompanyId("M-K")
PRIVATES = (("TSR", 20), ("BSS", 30), ("MYR", 40), ("MRR", 50), ("WVR", 60))


def fresh(seed: str = "course") -> engine.Game:
    title = engine.load_title("1861")
    return engine.Game.start(title, engine.Setup((ANN, BOB, CAT), seed=seed, priority=ANN))


def take(game: engine.Game, order: orders.Order) -> tuple[engine.events.Event, ...]:
    done = game.submit(order)
    assert not isinstance(done, engine.Refused), str(done)
    return done


def auction(game: engine.Game, item: str, amount: int) -> PlayerId:
    """The player on turn opens, and nobody else wants it."""
    opener = game.asked()[0].player
    take(game, orders.Open(opener, CompanyId(item), amount))
    while game.asked()[0].what == "auction.bid":
        take(game, orders.Drop(game.asked()[0].player))
    return opener


def privates_sold() -> engine.Game:
    """Ann has TSR and MRR, Bob BSS and WVR, Cat MYR; Cat is on turn with 380."""
    game = fresh()
    for item, least in PRIVATES:
        auction(game, item, least)
    return game


def first_operating_round() -> engine.Game:
    """Cat has N, bought for 300, Ann M-K, bought for 200; both are to operate, N first."""
    game = privates_sold()
    auction(game, "N", 300)
    auction(game, "M-K", 200)
    while game.state.round.kind == "SR":
        take(game, orders.Pass(game.asked()[0].player))
    return game


@pytest.mark.rule("1.5")
def test_privates_and_minors_count_as_certificates_of_their_player() -> None:
    game = privates_sold()
    assert [counted(game.title, game.state, p) for p in (ANN, BOB, CAT)] == [2, 2, 1]
    auction(game, "N", 100)
    assert counted(game.title, game.state, CAT) == 2


@pytest.mark.rule("1.7")
def test_the_priority_deal_is_drawn_by_a_lot_that_can_be_drawn_again() -> None:
    title = engine.load_title("1861")
    holders = set()
    for n in range(20):
        game = engine.Game.start(title, engine.Setup((ANN, BOB, CAT), seed=f"seed {n}"))
        (drawn,) = (e for e in game.opening if isinstance(e, LotDrawn))
        assert drawn.chosen == lot(f"seed {n}", 0, drawn.purpose, drawn.candidates) == game.state.priority
        holders.add(game.state.priority)
    assert holders == {ANN, BOB, CAT}


@pytest.mark.rule("1.11")
def test_a_seat_sees_everything_but_the_lots_to_come() -> None:
    game = privates_sold()
    view = game.view(BOB)
    hidden = [f.name for f in fields(view) if getattr(view, f.name) != getattr(game.state, f.name)]
    assert hidden == ["seed"]
    assert not view.seed and game.state.seed


@pytest.mark.rule("3.2", "2.10")
def test_the_stock_round_ends_when_all_have_passed_in_a_row() -> None:
    game = privates_sold()
    take(game, orders.Pass(CAT))
    take(game, orders.Pass(ANN))
    auction(game, "N", 100)
    assert game.state.round.kind == "SR", "two passes before the auction of N count no more"
    first = game.asked()[0].player
    assert first == CAT, "left of the winner, though he passed before"
    for _ in range(3):
        assert game.state.round.kind == "SR"
        take(game, orders.Pass(game.asked()[0].player))
    assert game.state.round.kind == "OR"


@pytest.mark.rule("3.3", "2.6")
def test_the_priority_deal_goes_to_the_left_of_the_last_winner() -> None:
    assert first_operating_round().state.priority == BOB


@pytest.mark.rule("4.5", "4.6", "4.7")
def test_a_bid_for_a_minor_is_limited_by_cash_alone() -> None:
    game = privates_sold()
    auction(game, "N", 380)
    assert game.state.money(N) == 380
    assert game.title.price(game.state, N) == 135
    assert game.state.money(CAT) == 0


@pytest.mark.rule("6.12", "4.10")
def test_a_company_is_asked_through_its_owner_and_nobody_else_is() -> None:
    game = first_operating_round()
    (ask,) = game.asked()
    assert (ask.player, ask.actor) == (CAT, N)
    refused = game.submit(orders.Done(M_K))
    assert isinstance(refused, engine.Refused)
    assert [f.check for f in refused.failures] == ["order.not_asked"]


@pytest.mark.rule("2.11")
def test_privates_pay_before_anybody_operates() -> None:
    before, after = privates_sold().state, first_operating_round().state
    spent = {ANN: 200, BOB: 0, CAT: 300}
    assert {p: after.money(p) - before.money(p) + spent[p] for p in spent} == {ANN: 35, BOB: 45, CAT: 20}


@pytest.mark.rule("9.11", "10.2")
def test_a_company_without_a_train_earns_nothing_and_its_price_falls() -> None:
    game = first_operating_round()
    events = take(game, orders.Train(N, TrainName("2")))
    (earned,) = (e for e in events if isinstance(e, Distributed))
    (moved,) = (e for e in events if isinstance(e, PriceSet))
    assert (earned.revenue, earned.dividend) == (0, 0)
    assert (moved.old, moved.price) == (135, 120)


@pytest.mark.rule("11.4", "11.3")
def test_several_trains_may_be_bought_up_to_the_limit() -> None:
    game = first_operating_round()
    take(game, orders.Train(N, TrainName("2")))
    take(game, orders.Train(N, TrainName("2")))
    assert game.state.companies[N].trains == ("2", "2")
    refused = game.check(orders.Train(N, TrainName("2")))
    assert isinstance(refused, engine.Refused)
    assert [f.check for f in refused.failures] == ["train.limit"]


@pytest.mark.rule("10.7", "4.7")
def test_a_price_marker_goes_beneath_those_that_lie_there() -> None:
    game = privates_sold()
    auction(game, "N", 100)
    auction(game, "M-K", 100)
    state = game.state
    assert state.prices[N].cell == state.prices[M_K].cell
    assert state.prices[N].since < state.prices[M_K].since
    assert game.title.policies.operating_order(game.title, state) == (N, M_K)


@pytest.mark.rule("6.1", "6.2")
def test_the_dearer_minor_operates_first() -> None:
    game = privates_sold()
    auction(game, "N", 100)
    auction(game, "M-K", 150)
    while game.state.round.kind == "SR":
        take(game, orders.Pass(game.asked()[0].player))
    assert game.asked()[0].actor == M_K


@pytest.mark.rule("14.1")
def test_no_merger_round_in_phase_2() -> None:
    game = first_operating_round()
    for company in (N, M_K):
        take(game, orders.Train(company, TrainName("2")))
        take(game, orders.Done(company))
    assert game.state.phase == PhaseName("2")
    assert str(game.state.round) == "OR 1.2"
