"""The referee of 1863 in positions that its games seldom bring: what he must accept, and what he must not."""

from __future__ import annotations

import pytest

from engine.core import events as ev
from engine.core import orders as od
from engine.core.ids import CompanyId, HexId, PrivateId, TrainName
from engine.core.state import Round
from tests.kit.games.referee_1863 import ANN, BOB, CAT, Scene, major
from tests.referee.bench import Subject
from tests.referee.books_1863 import OSI
from tests.referee.failures_1863 import Failures
from tests.referee.gifts_1863 import Gifts
from tests.referee.market_1863 import Prices
from tests.referee.money_1863 import Payments
from tests.referee.rounds_1863 import Course
from tests.referee.shares_1863 import Holdings
from tests.referee.state import BANK, POOL, TREASURY
from tests.referee.trains_1863 import Ground, Stock

MET, BAK, DIS = CompanyId("MET"), CompanyId("BAK"), CompanyId("DIS")
TWO_T, THREE_T = TrainName("2T"), TrainName("3T")
THO = PrivateId("THO")


# ---- Thompson --------------------------------------------------------------------------------------------------------


def bought(train: str, phase: str, rusting: TrainName) -> tuple[ev.Event, ...]:
    return ev.TrainMoved(TrainName(train), "Bank", BAK), ev.PhaseBegan(phase), ev.TrainsRusted(rusting)  # type: ignore[arg-type]


def keeping(*trains: TrainName) -> Scene:
    """MET, which owns Thompson, and BAK in phase III, with the trains of MET."""
    return Scene(
        Stock,
        *major(MET, 80, (ANN, "director", 1)),
        *major(BAK, 80, (BOB, "director", 1)),
        ev.PrivateMoved(THO, MET),
        ev.RoundBegan(Round("OR", 5, 1)),
        ev.PhaseBegan("III"),  # type: ignore[arg-type]
        *(ev.TrainMoved(train, "Bank", MET) for train in trains),
        ev.SupplySet(TWO_T, 0),
        ev.SupplySet(THREE_T, 0),
    )


def test_thompson_keeps_trains_when_3t_rust_after_2t_have_been_kept_and_are_gone() -> None:
    """Section 14, R50: once for 2T, once for 3T. What went in between counts no more."""
    scene = keeping(TWO_T, TWO_T, THREE_T, THREE_T)
    scene.follow(od.Train(BAK, TrainName("4T")), *bought("4T", "IV", TWO_T))
    kept = od.KeepTrains(MET, (TWO_T, TWO_T))
    assert not scene.follow(kept, ev.TrainMoved(TWO_T, "", MET), ev.TrainMoved(TWO_T, "", MET))
    assert not scene.follow(od.Done(MET), ev.TrainsRusted(TWO_T))
    scene.books.new["4T"] = 0
    assert not scene.follow(od.Train(BAK, TrainName("5T")), *bought("5T", "V", THREE_T))
    assert not scene.follow(od.KeepTrains(MET, (THREE_T,)), ev.TrainMoved(THREE_T, "", MET))


def test_a_train_that_does_not_rust_is_seen() -> None:
    scene = keeping(THREE_T)
    scene.books.new["4T"] = 0
    moved, phase, _ = bought("5T", "V", THREE_T)
    assert "1863 §5.b rust" in scene.follow(od.Train(BAK, TrainName("5T")), moved, phase)


@pytest.mark.parametrize(("number", "broken"), [(2, set[str]()), (3, {"1863 §14 Thompson"})])
def test_thompson_keeps_two_trains_of_a_type(number: int, broken: set[str]) -> None:
    scene = keeping(*[TWO_T] * number)
    scene.follow(od.Train(BAK, TrainName("4T")), *bought("4T", "IV", TWO_T))
    kept = [ev.TrainMoved(TWO_T, "", MET)] * number
    assert set(scene.follow(od.KeepTrains(MET, (TWO_T,) * number), *kept)) == broken


@pytest.mark.parametrize(("owner", "broken"), [(ANN, list[str]()), (MET, list[str]()), (BOB, ["1863 §14 powers"])])
def test_nine_elms_gives_its_train_to_the_company_of_its_holder(owner: str, broken: list[str]) -> None:
    """Section 14: the founder has it himself, or has brought it in."""
    nine_elms = PrivateId("NEL")
    scene = Scene(Ground, *major(MET, 80, (ANN, "director", 1)), ev.PrivateMoved(nine_elms, owner))
    assert scene.follow(None, ev.PrivateUsed(nine_elms, MET)) == broken


# ---- limits ----------------------------------------------------------------------------------------------------------


def over(subject: type[Subject]) -> Scene:
    """Ann has seven shares of DIS with her company MET, one too many, and some of BAK, which Bob controls."""
    return Scene(
        subject,
        *major(MET, 80, (ANN, "director", 1)),
        *major(DIS, 80, (ANN, "director", 1), (ANN, "ordinary", 3), (MET, "ordinary", 2)),
        *major(BAK, 80, (BOB, "director", 1), (ANN, "ordinary", 1)),
        ev.RoundBegan(Round("SR", 5, 0)),
    )


def sale(actor: str, company: CompanyId) -> tuple[od.Order, ev.Event]:
    return od.Sell(actor, company, 1), ev.CertificatesMoved(company, "ordinary", 1, actor, POOL)  # type: ignore[arg-type]


def test_a_sale_that_a_limit_forces_does_not_say_as_whom_the_player_acts() -> None:
    """Section 6.a, R12: such sales come first, for whichever entity."""
    scene = over(Course)
    assert not scene.follow(*sale(ANN, DIS))
    assert not scene.follow(od.Borrow(MET, 1))


def test_a_sale_that_nothing_forces_does() -> None:
    scene = over(Course)
    assert not scene.follow(*sale(ANN, BAK))
    assert scene.follow(od.Borrow(MET, 1)) == ["1863 §6 one entity a turn"]


@pytest.mark.parametrize(("before", "broken"), [([], ["1863 §6.a selling first"]), ([sale(MET, DIS)], list[str]())])
def test_who_is_over_60_percent_with_his_companies_sells_before_he_buys(
    before: list[tuple[od.Order, ev.Event]], broken: list[str]
) -> None:
    """Section 6.a: until he is within the limit he does nothing but sell."""
    scene = over(Holdings)
    for order, event in before:
        scene.follow(order, event)
    moved = ev.CertificatesMoved(BAK, "ordinary", 1, TREASURY, ANN)
    assert scene.follow(od.Buy(ANN, BAK), moved) == broken


# ---- the shorts of a bankrupt ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "broken"), [(0, list[str]()), (1, ["1863 R39 shorts"])])
def test_a_short_of_a_bankrupt_lies_on_the_charter_where_no_share_is_left_for_it(left: int, broken: list[str]) -> None:
    """R39: the pair cannot go back to the open short interest, so that one is short of it."""
    scene = Scene(
        Holdings,
        ev.CompanyOpened(MET),
        ev.CertificatesSet(
            MET,
            (
                (BOB, "director", 1),
                (BOB, "ordinary", 9 - left),
                (TREASURY, "ordinary", left),
                (ANN, "short", 1),
                (OSI, "ordinary", 9),
                (OSI, "short", 9),
            ),
        ),
        ev.PriceSet(MET, (0, 13), 80, "start"),
    )
    gone = ev.CertificatesMoved(MET, "short", 1, ANN, TREASURY)
    assert scene.follow(od.Done(BAK), ev.Resigned(ANN), gone) == broken


# ---- the pirate ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "cash", "seen"), [(90, 0, False), (80, 10, True), (90, 20, True)])
def test_shares_of_a_company_in_a_capital_are_worth_their_price_each(second: int, cash: int, seen: bool) -> None:
    """Section 6.c.ii: Ann starts BAK at 90 with two shares of MET at 90, and needs no cash."""
    held = major(MET, 90, (BOB, "director", 1), (ANN, "ordinary", 2))
    scene = Scene(Payments, *held, ev.PhaseBegan("II"), ev.RoundBegan(Round("SR", 3)))  # type: ignore[arg-type]
    goods = ((str(MET), 90), (str(MET), second))
    order = od.Float(ANN, BAK, "minor", 90, shares=((MET, 2),))
    broken = scene.follow(order, ev.Floated(ANN, BAK, "minor", 90, cash, goods))
    assert ("1863 §6.c capital" in broken) == seen


@pytest.mark.parametrize("owner", [MET, CAT])
@pytest.mark.parametrize(("toll", "broken"), [(5, False), (0, True), (10, True)])
def test_a_company_pays_the_toll_once_to_whoever_owns_the_pirate(owner: str, toll: int, broken: bool) -> None:
    """Section 14: "£5 to the owner", out of the revenue, also where a player has bought it; not for each route."""
    scene = Scene(
        Payments, *major(MET, 100, (ANN, "director", 1)), *major(DIS, 90, (BOB, "director", 1)),
        ev.PrivateMoved(PrivateId("CHO"), MET),
    )  # fmt: skip
    assert scene.follow(None, ev.Marked("pirate", ("F9", 0))) == []
    scene.books.enter(ev.PrivateMoved(PrivateId("CHO"), owner))
    routes = (od.Route(TWO_T, (HexId("F9"), HexId("H11"))), od.Route(TWO_T, (HexId("C10"), HexId("F9"))))
    events: list[ev.Event] = [
        ev.Ran(DIS, routes, (20, 40), 60 - toll, proven=True),
        ev.Paid(BANK, DIS, 60, "withheld", DIS),
    ]
    events += [ev.Paid(DIS, owner, toll, "toll", DIS)] if toll else []
    assert bool(scene.follow(od.RunBest(DIS), *events)) is broken


# ---- payments between players ----------------------------------------------------------------------------------------


def paying(*questions: tuple[str, str], bid: str = "", out: bool = False) -> Scene:
    """Ann leads MET. Some are asked; there may be a bid, by a player or by MET; Cat may be bankrupt."""
    made = [ev.RoundBegan(Round("MR", 2, 1))]
    scene = Scene(Gifts, *major(MET, 80, (ANN, "director", 1)), *made, *([ev.Resigned(CAT)] if out else []))
    if bid:
        scene.follow(None, ev.BidMade(bid, "DIS", 20))  # type: ignore[arg-type]
    scene.bench.questions = questions
    return scene


@pytest.mark.parametrize(
    ("questions", "bid", "free"),
    [
        ([(ANN, "stock.turn")], "", True),
        ([(ANN, "company.turn")], "", True),
        ([(ANN, "merger.turn")], "", True),
        ([(CAT, "debt.sell")], "", True),
        ([(CAT, "auction.lot")], BOB, True),
        ([(CAT, "auction.lot")], MET, True),
        ([(CAT, "auction.lot")], ANN, False),
        ([(ANN, "auction.lot")], BOB, False),
        ([(ANN, "debt.sell")], "", False),
        ([(ANN, "bill.crisis")], "", False),
    ],
)
def test_a_player_pays_another_unless_a_bid_or_a_debt_binds_his_cash(
    questions: list[tuple[str, str]], bid: str, free: bool
) -> None:
    """Section 3.f and ruling 2.6: at any time, unless a bid or a bill waits for the cash. A refusal is judged too."""
    order, rule = od.PayPlayer(ANN, BOB, 350), ["1863 §3.f payments"]
    assert paying(*questions, bid=bid).refuse(order) == (rule if free else [])
    given = paying(*questions, bid=bid).follow(order, ev.Paid(ANN, BOB, 350, "gift"))
    assert given == ([] if free else rule)


@pytest.mark.parametrize(("payee", "amount"), [(BOB, 0), (BOB, -5), (BOB, 351), (ANN, 5), (CAT, 5)])
def test_nobody_pays_what_he_has_not_or_one_who_is_out(payee: str, amount: int) -> None:
    """Section 3.f: a player's own funds. Cat is bankrupt."""
    order = od.PayPlayer(ANN, payee, amount)  # type: ignore[arg-type]
    assert paying(out=True).refuse(order) == []
    assert paying(out=True).follow(order, ev.Paid(ANN, payee, amount, "gift")) == ["1863 §3.f payments"]


@pytest.mark.parametrize(("payer", "amount"), [(CAT, 20), (ANN, 25)])
def test_a_payment_is_the_one_that_was_ordered(payer: str, amount: int) -> None:
    order = od.PayPlayer(ANN, BOB, 20)
    assert paying().follow(order, ev.Paid(payer, BOB, amount, "gift")) == ["1863 §3.f payments"]


# ---- mergers ---------------------------------------------------------------------------------------------------------


def test_shares_and_shorts_of_a_merger_are_matched_when_its_halves_are_settled() -> None:
    """Until then the president may buy what his certificate lacks; who buys later finds them matched (8.c, 6.k)."""
    both = ((ANN, "director", 1), (BOB, "ordinary", 1), (BOB, "short", 1), (TREASURY, "ordinary", 8))
    pairs = ((OSI, "ordinary", 9), (OSI, "short", 9))
    scene = Scene(Holdings, *major(MET, 80, (ANN, "director", 1)), *major(BAK, 80, (BOB, "director", 1)))
    merged = (ev.Merged((MET, BAK), MET, 160), ev.CertificatesSet(MET, (*both, *pairs)))
    assert "1863 §6.k pairs" not in scene.follow(od.Merge(MET, (BAK,), MET), *merged)
    assert scene.follow(od.Take(ANN, 1), ev.CertificatesMoved(MET, "ordinary", 1, TREASURY, ANN)) == []
    assert scene.follow(od.Exchange(BOB, "share"), ev.CertificatesMoved(MET, "ordinary", 1, TREASURY, BOB)) == []
    assert scene.follow(od.HalfShort(CAT, True), ev.CertificatesMoved(MET, "ordinary", 1, TREASURY, "Pool")) == []
    late = scene.follow(od.Take(CAT, 1), ev.CertificatesMoved(MET, "ordinary", 1, TREASURY, CAT))
    assert late == ["1863 §6.k pairs"]


# ---- the LPTB --------------------------------------------------------------------------------------------------------


def in_phase_five(cash: int, price: int, *holdings: tuple[str, str, int]) -> Scene:
    """MET, with a train, at the end of an operating round."""
    return Scene(
        Failures,
        *major(MET, price, *holdings),
        ev.RoundBegan(Round("OR", 5, 1)),
        ev.PhaseBegan("V"),  # type: ignore[arg-type]
        ev.Paid(BANK, MET, cash, "capital", MET),
        ev.TrainMoved(THREE_T, BANK, MET),
    )


@pytest.mark.parametrize(("price", "broken"), [(15, []), (60, ["1863 §10.a seizure"])])
def test_a_company_that_nobody_leads_is_seized_even_with_a_train(price: int, broken: list[str]) -> None:
    """Of a bankrupt's company nobody has two shares. It is in the red area (R39)."""
    scene = in_phase_five(60, 0, ("Pool", "director", 1), (BOB, "ordinary", 1))
    paid = ev.Paid(MET, BOB, price, "liquidation", MET)
    assert scene.follow(od.Done(MET), ev.Nationalised(MET, price), paid) == broken


@pytest.mark.parametrize(("price", "broken"), [(15, []), (60, ["1863 §10.a seizure"])])
def test_a_company_whose_last_train_has_just_rusted_is_seized_for_half_its_value(price: int, broken: list[str]) -> None:
    """With a train it would be bought at its price, as far as its cash of 300 for five shares goes (10.a, 10.b)."""
    scene = in_phase_five(300, 80, (ANN, "director", 1), (BOB, "ordinary", 3))
    paid = [ev.Paid(MET, who, n * price, "liquidation", MET) for who, n in ((ANN, 2), (BOB, 3))]
    assert scene.follow(od.Done(MET), ev.TrainsRusted(THREE_T), ev.Nationalised(MET, price), *paid) == broken


# ---- prices ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "price", "broken"),
    [(4, 40, []), (13, 90, []), (34, 500, []), (3, 30, ["1863 §6.c.ii price"]), (12, 90, ["1863 chart"])],
)
def test_a_company_is_floated_at_any_price_of_the_white_area(column: int, price: int, broken: list[str]) -> None:
    """Section 6.c.ii sets no limit; the grey area is for companies that fail (12.70)."""
    order = od.Float(ANN, MET, "minor", price)
    opened = ev.CompanyOpened(MET), ev.CertificatesSet(MET, ((ANN, "director", 1),))
    assert Scene(Prices).follow(order, *opened, ev.PriceSet(MET, (0, column), price, "start")) == broken


@pytest.mark.parametrize(
    ("price", "revenue", "total", "broken"),
    [
        (100, 90, 0, False),
        (100, 90, 55, False),
        (100, 90, 90, False),
        (100, 90, 100, False),
        (100, 90, 95, True),
        (100, 90, 110, True),
        (100, 200, 190, False),
        (100, 200, 200, False),
        (100, 200, 105, True),
        (100, 190, 200, True),
        (100, 125, 125, False),
        (100, 125, 130, True),
    ],
)
def test_a_dividend_is_nothing_a_price_of_the_chart_or_the_whole_revenue(
    price: int, revenue: int, total: int, broken: bool
) -> None:
    """Section 7.d: "in increments defined by the bands", up to the revenue or the price, "Whatever the greater"."""
    scene = Scene(
        Payments, *major(MET, price, (ANN, "director", 1)), ev.PriceSet(MET, (0, 14), price, "purchase"),
        ev.Paid(BANK, MET, 500, "capital"),
    )  # fmt: skip
    scene.follow(
        od.RunBest(MET), ev.Ran(MET, (), (), revenue, proven=True), ev.Paid(BANK, MET, revenue, "withheld", MET)
    )
    paid = [ev.Paid(MET, BANK, total, "withheld", MET), ev.Paid(BANK, ANN, total // 5, "dividend", MET)]
    paid += [ev.Paid(BANK, MET, total * 8 // 10, "dividend", MET)]
    events: list[ev.Event] = [*(paid if total else []), ev.Distributed(MET, "half", revenue, total, revenue - total)]
    assert ("1863 §7.d dividend" in scene.follow(od.Dividend(MET, total), *events)) == broken
