"""Dealings of 1861 in positions set up by hand: shares, trains between companies, private companies, the last train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

import engine
from engine import orders
from engine.core.events import EndSignalled
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, PhaseName, PlayerId, PrivateId, TrainName
from engine.core.state import Company, Frame, PriceMarker, State
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.turn.company_turn import begin_turn
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.holders.control import controller_of
from engine.holders.ledger import shares
from engine.steps.course import Course

ANN, BOB, CAT = map(PlayerId, ("Ann", "Bob", "Cat"))
N, M_K, NW, MVR, SE, RSR = map(CompanyId, ("N", "M-K", "NW", "MVR", "SE", "RSR"))
TWO, THREE, EIGHT = map(TrainName, ("2", "3", "8"))
AT_180, AT_165 = (1, 8), (2, 8)
AT_150, AT_135 = (2, 7), (3, 7)
AT_110 = (4, 6)


def game(*top: Frame, phase: str = "4", options: Mapping[str, str] | None = None) -> engine.Game:
    """Players with 420 each and nothing sold; ``top`` is on the agenda."""
    title = engine.load_title("1861", options=options)
    found = engine.Game.start(title, engine.Setup((ANN, BOB, CAT), seed="dealings", priority=ANN))
    trains = {t.name: 0 for t in title.trains.values() if t.quantity is not None and t.name < phase}
    found.state = replace(
        found.state,
        phase=PhaseName(phase),
        privates=dict.fromkeys(title.privates, BOB),
        supply={**found.state.supply, **trains},
        bought=frozenset(t.name for t in title.trains.values() if t.name <= phase and not t.special),
        agenda=(Course(), *top),
    )
    return found


def minor(found: engine.Game, name: CompanyId, owner: PlayerId, cash: int, *trains: TrainName) -> None:
    """A minor in play at 110 in the yellow zone, that has operated."""
    held = {k: n for k, n in found.state.holdings.items() if k[1] != name}
    home = found.title.companies[name].charter.home
    assert home is not None
    found.state = replace(
        found.state,
        holdings={**held, (owner, name, "minor"): 1},
        board=found.state.board.place(*home, name),
    )
    _open(found, name, AT_110, cash, trains)


def public(found: engine.Game, name: CompanyId, cell: tuple[int, int], pool: int = 0, **held: int) -> None:
    """A public company that has operated. Of the players the one who is named first directs it."""
    found_held = {k: n for k, n in found.state.holdings.items() if k[1] != name}
    director, *_ = held
    for player, count in held.items():
        found_held[(PlayerId(player), name, "ordinary")] = count - (2 if player == director else 0)
    found_held[(PlayerId(director), name, "director")] = 1
    found_held[(POOL, name, "ordinary")] = pool
    found_held[(TREASURY, name, "ordinary")] = 10 - pool - sum(held.values())
    found.state = replace(found.state, holdings={k: n for k, n in found_held.items() if n})
    _open(found, name, cell, 0, ())


def _open(found: engine.Game, name: CompanyId, cell: tuple[int, int], cash: int, trains: tuple[TrainName, ...]) -> None:
    state = found.state
    found.state = replace(
        state,
        companies={**state.companies, name: Company("open", trains, operated=True)},
        prices={**state.prices, name: PriceMarker(cell, state.tick)},
        tick=state.tick + 1,
        cash={**state.cash, name: cash, BANK: state.money(BANK) - cash},
    )


def take(found: engine.Game, order: orders.Order) -> tuple[engine.events.Event, ...]:
    done = found.submit(order)
    assert not isinstance(done, engine.Refused), str(done)
    return done


def refused(found: engine.Game, order: orders.Order) -> list[str]:
    answer = found.check(order)
    assert isinstance(answer, engine.Refused), "accepted"
    return [failure.check for failure in answer.failures]


def director(state: State, title: engine.Title, company: CompanyId) -> PlayerId | None:
    return controller_of(title, state, company)


# ---- shares ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.5", "3.6", "3.8")
def test_a_directors_sale_is_paid_at_the_old_price_and_hands_over_first() -> None:
    found = game(StockRound(BOB))
    public(found, MVR, AT_150, Bob=5, Cat=3)
    take(found, orders.Sell(BOB, MVR, 3))
    state, title = found.state, found.title
    assert state.money(BOB) == 420 + 450
    assert director(state, title, MVR) == CAT
    assert [shares(title, state, place, MVR) for place in (BOB, CAT, POOL)] == [2, 3, 3]
    assert (title.price(state, MVR), title.cell(state, MVR)) == (135, AT_135)


@pytest.mark.rule("3.6")
def test_a_sale_by_another_leaves_the_price() -> None:
    found = game(StockRound(CAT))
    public(found, MVR, AT_150, Bob=5, Cat=3)
    take(found, orders.Sell(CAT, MVR, 2))
    assert found.title.cell(found.state, MVR) == AT_150


@pytest.mark.rule("3.7", "10.7")
def test_who_sells_several_companies_decides_which_drops_first() -> None:
    for first, second in ((MVR, NW), (NW, MVR)):
        found = game(StockRound(BOB))
        public(found, MVR, AT_150, Bob=5, Cat=3)
        public(found, NW, AT_150, Bob=5, Cat=3)
        take(found, orders.Sell(BOB, first, 1))
        take(found, orders.Sell(BOB, second, 1))
        prices = found.state.prices
        assert prices[first].cell == prices[second].cell == AT_135
        assert prices[first].since < prices[second].since, "the one that drops later lies beneath"


@pytest.mark.rule("3.10", "3.9")
def test_who_has_more_than_the_director_becomes_director() -> None:
    found = game(StockRound(CAT))
    public(found, MVR, AT_150, pool=1, Bob=3, Cat=3)
    assert director(found.state, found.title, MVR) == BOB, "a tie changes nothing"
    take(found, orders.Buy(CAT, MVR, "pool"))
    assert director(found.state, found.title, MVR) == CAT
    assert shares(found.title, found.state, BOB, MVR) == 3
    assert found.state.money(CAT) == 420 - 150


@pytest.mark.rule("3.16")
def test_sold_out_companies_rise_and_keep_their_order() -> None:
    found = game(StockRound(ANN))
    public(found, MVR, AT_165, Ann=5, Bob=5)
    public(found, SE, AT_165, Bob=5, Cat=5)
    public(found, NW, AT_180, Cat=5, Ann=4)
    for player in (ANN, BOB, CAT):
        take(found, orders.Pass(player))
    cells = {c: found.title.cell(found.state, c) for c in (MVR, SE, NW)}
    assert cells == {MVR: AT_180, SE: AT_180, NW: AT_180}
    since = {c: found.state.prices[c].since for c in cells}
    assert since[NW] < since[MVR] < since[SE]


# ---- trains between companies ---------------------------------------------------------------------------------------


def two_minors(cash: int, *trains: TrainName) -> engine.Game:
    """Cat's N is at its trains, with ``cash`` and without a train; Ann's M-K has ``trains``."""
    found = game(OperatingRound((), paid=True, state_due=False), begin_turn(N, 0), phase="3")
    minor(found, N, CAT, cash)
    minor(found, M_K, ANN, 0, *trains)
    return found


@pytest.mark.rule("11.11", "11.2")
def test_the_sellers_director_must_agree() -> None:
    found = two_minors(300, THREE, THREE)
    take(found, orders.Train(N, THREE, M_K, 40))
    assert [(ask.player, ask.actor) for ask in found.asked()] == [(ANN, M_K)]
    assert found.state.companies[N].trains == ()
    take(found, orders.Agree(M_K))
    assert (found.state.companies[N].trains, found.state.companies[M_K].trains) == ((THREE,), (THREE,))
    assert (found.state.money(N), found.state.money(M_K)) == (260, 40)


@pytest.mark.rule("11.9")
def test_the_fallback_is_bought_when_the_other_side_refuses() -> None:
    found = two_minors(300, THREE)
    fallback = orders.Train(N, THREE)
    take(found, orders.Train(N, THREE, M_K, 40, otherwise=fallback))
    take(found, orders.Refuse(M_K))
    assert found.state.companies[N].trains == (THREE,)
    assert found.state.money(N) == 300 - 225


@pytest.mark.rule("11.9", "11.5")
def test_after_a_refusal_a_company_without_a_train_must_still_buy_one() -> None:
    found = two_minors(300, THREE)
    take(found, orders.Train(N, THREE, M_K, 40))
    take(found, orders.Refuse(M_K))
    assert refused(found, orders.Done(N)) == ["train.must_buy"]


@pytest.mark.rule("11.7", "6.7")
def test_what_is_left_of_the_loans_may_buy_another_companys_train() -> None:
    found = two_minors(200, THREE)
    take(found, orders.Train(N, THREE))
    assert (found.state.companies[N].loans, found.state.money(N)) == (1, 200 + 45 - 225)
    take(found, orders.Train(N, THREE, M_K, 20))
    take(found, orders.Agree(M_K))
    assert found.state.companies[N].trains == (THREE, THREE)
    assert found.state.money(N) == 0


@pytest.mark.rule("6.5")
def test_no_loan_for_another_companys_train() -> None:
    found = two_minors(10, THREE)
    assert refused(found, orders.Train(N, THREE, M_K, 40)) == ["train.price"]


# ---- private companies ----------------------------------------------------------------------------------------------


@pytest.mark.rule("2.13", "2.12")
def test_a_company_may_buy_privates_before_and_after_its_trains() -> None:
    found = game(OperatingRound((), paid=True, state_due=False), begin_turn(N, 0), phase="3")
    minor(found, N, BOB, 500)
    take(found, orders.BuyPrivate(N, PrivateId("TSR"), 30))
    take(found, orders.Train(N, THREE))
    take(found, orders.BuyPrivate(N, PrivateId("BSS"), 1))
    assert {p for p, owner in found.state.privates.items() if owner == N} == {"TSR", "BSS"}
    assert refused(found, orders.BuyPrivate(N, PrivateId("MYR"), 61)) == ["private.price"]


@pytest.mark.rule("2.14")
def test_a_private_of_a_company_is_not_sold_again() -> None:
    found = game(OperatingRound((), paid=True, state_due=False), begin_turn(N, 0), phase="3")
    minor(found, N, BOB, 500)
    minor(found, M_K, BOB, 0)
    found.state = replace(found.state, privates={**found.state.privates, PrivateId("TSR"): M_K})
    assert refused(found, orders.BuyPrivate(N, PrivateId("TSR"), 30)) == ["private.not_with_player"]


# ---- mergers --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.2")
def test_each_minor_is_asked_in_its_turn() -> None:
    found = game(MergerRound((N, M_K)), phase="3")
    minor(found, N, CAT, 0, THREE)
    minor(found, M_K, ANN, 0, THREE)
    assert [ask.actor for ask in found.asked()] == [N]
    take(found, orders.Decline(N))
    assert [ask.actor for ask in found.asked()] == [M_K]


@pytest.mark.rule("14.20", "14.4", "14.5", "14.6")
def test_a_company_that_has_been_formed_has_not_operated() -> None:
    found = game(MergerRound((N, M_K)), phase="3")
    minor(found, N, CAT, 77, THREE)
    minor(found, M_K, ANN, 0, THREE)
    take(found, orders.Convert(N, NW))
    state, title = found.state, found.title
    assert director(state, title, NW) == CAT
    assert title.price(state, NW) == 110
    assert (state.companies[NW].trains, state.money(NW)) == ((THREE,), 77)
    assert not state.companies[NW].operated
    assert state.companies[N].status == "closed"


# ---- the last train -------------------------------------------------------------------------------------------------


def before_the_last_train(options: Mapping[str, str] | None = None) -> engine.Game:
    found = game(OperatingRound((), paid=True), begin_turn(N, 0), phase="7", options=options)
    found.state = replace(found.state, supply={**found.state.supply, TrainName("7"): 0})
    minor(found, N, CAT, 1040)
    return found


@pytest.mark.rule("12.10", "13.2", "13.7", "13.10")
def test_a_minor_that_buys_the_first_8_train_is_nationalised_and_its_turn_ends() -> None:
    found = before_the_last_train()
    take(found, orders.Train(N, EIGHT))
    state = found.state
    assert state.phase == "8"
    assert state.companies[N].status == "closed"
    assert EIGHT in state.companies[RSR].trains
    assert state.money(CAT) == 420 + 2 * 90, "two steps left: one without earnings, one at nationalisation"
    assert state.money(N) == 0
    assert N not in [ask.actor for ask in found.asked()]


@pytest.mark.rule("15.1")
def test_the_first_8_train_settles_the_end() -> None:
    events = take(before_the_last_train(), orders.Train(N, EIGHT))
    assert [e for e in events if isinstance(e, EndSignalled)]


@pytest.mark.rule("16.4")
def test_in_the_long_game_the_first_8_train_settles_nothing() -> None:
    found = before_the_last_train({"long_game": "yes"})
    events = take(found, orders.Train(N, EIGHT))
    assert found.state.phase == "8"
    assert not [e for e in events if isinstance(e, EndSignalled)]
