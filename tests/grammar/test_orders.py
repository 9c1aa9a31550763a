"""Every form of every order: as typed, as understood, as written back."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, seed, settings

import grammar
from engine.core import orders, programs
from engine.core.ids import POOL
from tests.grammar.test_orders_1841 import FORMS as FORMS_1841
from tests.grammar.test_orders_1844 import FORMS as FORMS_1844
from tests.grammar.test_orders_1863 import FORMS as FORMS_1863
from tests.kit.notation.notation_1861 import NAMES, actors, blocks, names, orders_of
from tests.kit.samples import today

A = "GRR"
o: Any = orders
p: Any = programs
"""Names are plain strings here."""

FORMS: list[tuple[str, orders.Order, str]] = [
    # auctions
    ("open TSR 20", o.Open(A, "TSR", 20), "open TSR 20"),
    ("OPEN tsr R20", o.Open(A, "TSR", 20), "open TSR 20"),
    ("open N 100", o.Open(A, "N", 100), "open N 100"),
    ("auction N 100", o.Open(A, "N", 100), "open N 100"),
    ("open TSR", o.Open(A, "TSR"), "open TSR"),
    ("open 20", o.Open(A, None, 20), "open 20"),
    ("open", o.Open(A), "open"),
    ("bid 25 on TSR", o.Bid(A, 25, "TSR"), "bid 25 on TSR"),
    ("Bid 25.", o.Bid(A, 25), "bid 25"),
    ("bid £25 on M-K", o.Bid(A, 25, "M-K"), "bid 25 on M-K"),
    ("bid 25₽", o.Bid(A, 25), "bid 25"),
    ("bid 025", o.Bid(A, 25), "bid 25"),
    ("drop", o.Drop(A), "drop"),
    ("drop TSR", o.Drop(A, "TSR"), "drop TSR"),
    ("limit 80 on TSR step 10", o.Limit(A, 80, "TSR", 10), "limit 80 on TSR step 10"),
    ("limit 80 step 5", o.Limit(A, 80), "limit 80"),
    ("pass", o.Pass(A), "pass"),
    # standing orders
    ("pass until anyone acts", o.Standing(A, p.PassUntil((p.Condition("acts"),))), "pass until anybody acts"),
    (
        "pass until Bob acts or GRR starts or nw floats",
        o.Standing(
            A, p.PassUntil((p.Condition("acts", "Bob"), p.Condition("starts", "GRR"), p.Condition("floats", "NW")))
        ),
        "pass until Bob acts or GRR starts or NW floats",
    ),
    (
        "pass until MKN sold or MKN below 60 or MKN above R90 or I direct NW or round ends",
        o.Standing(
            A,
            p.PassUntil(
                (
                    p.Condition("sold", "MKN"), p.Condition("under", "MKN", 60), p.Condition("over", "MKN", 90),
                    p.Condition("direct", "NW"), p.Condition("round"),
                )
            ),
        ),
        "pass until MKN is sold or MKN is under 60 or MKN is over 90 or I direct NW or the round ends",
    ),
    (
        "pass in all rounds until anybody sells or Bob starts a company",
        o.Standing(A, p.PassUntil((p.Condition("sells"), p.Condition("founds", "Bob")), "all")),
        "pass in all rounds until anybody sells or Bob starts a company",
    ),
    ("pass in all rounds", o.Standing(A, p.PassUntil((), "all")), "pass in all rounds"),
    ("pass other questions", o.Standing(A, p.PassUntil((), "other")), "pass other questions"),
    (
        "plan TSR up to 35 and MYR up to 50, at most 80 in all",
        o.Standing(A, p.AuctionPlan(((p.PlanLot("TSR", 35),), (p.PlanLot("MYR", 50),)), 80)),
        "plan TSR 35, MYR 50, budget 80",
    ),
    ("buy MKN up to 3", o.Standing(A, p.BuyShares("MKN", 3)), "buy MKN up to 3"),
    (
        "buy MKN from pool up to 3 while at most 90 until GRR starts not as director",
        o.Standing(A, p.BuyShares("MKN", 3, 90, (p.Condition("starts", "GRR"),), leading=False, source="pool")),
        "buy MKN from pool up to 3 while at most 90 until GRR starts not as director",
    ),
    ("sell down MKN to 2", o.Standing(A, p.SellShares("MKN", 2)), "sell down MKN to 2"),
    ("sell down MKN to 0 while under 60", o.Standing(A, p.SellShares("MKN", 0, 60)), "sell down MKN to 0 if under 60"),
    (
        "plan TSR 60 or WVR 45 step 10, N 200 unless TSR, budget 260, drop the rest",
        o.Standing(
            A,
            p.AuctionPlan(
                ((p.PlanLot("TSR", 60), p.PlanLot("WVR", 45, 10)), (p.PlanLot("N", 200, unless="TSR"),)), 260, True
            ),
        ),
        "plan TSR 60 or WVR 45 step 10, N 200 unless TSR, budget 260, drop the rest",
    ),
    (
        "agree WVR to GRR for at least 80",
        o.Standing(A, p.Terms(agree=True, private="WVR", train=None, buyer="GRR", amount=80)),
        "agree WVR to GRR for at least 80",
    ),
    (
        "refuse train 2 to somebody for below 100",
        o.Standing(A, p.Terms(agree=False, private=None, train="2", buyer=None, amount=100)),
        "refuse train 2 to anybody for under 100",
    ),
    (
        "refuse WVR to anybody",
        o.Standing(A, p.Terms(agree=False, private="WVR", train=None, buyer=None, amount=None)),
        "refuse WVR to anybody",
    ),
    (
        "each turn run best, pay half, train if needed then done until train 4 on sale or track changes",
        o.Standing(
            A,
            p.TurnRoutine(
                ("run best", "pay half", "train if needed", "done"),
                (p.Condition("on_sale", "4"), p.Condition("track")),
            ),
        ),
        "each turn run best, pay half, train if needed, done until train 4 is on sale or the track changes",
    ),
    (
        "each turn run best, pay full without loans until train 5 is on sale",
        o.Standing(A, p.TurnRoutine(("run best", "pay full"), (p.Condition("on_sale", "5"),), loans=False)),
        "each turn run best, pay full without loans until train 5 is on sale",
    ),
    ("refuse mergers", o.Standing(A, p.MergerTerms(agree=False)), "refuse mergers"),
    (
        "agree mergers with M-K into NW until GRR starts",
        o.Standing(A, p.MergerTerms(True, "M-K", "NW", (p.Condition("starts", "GRR"),))),
        "agree mergers with M-K into NW until GRR starts",
    ),
    (
        "decline in all rounds until GRR floats",
        o.Standing(A, p.DeclineMergers((p.Condition("floats", "GRR"),))),
        "decline in all rounds until GRR floats",
    ),
    (
        "only if MKN is over 59 and GRR has started and I direct NW and train 4 on sale",
        o.Standing(
            A,
            p.OnlyIf(
                (
                    p.Condition("over", "MKN", 59), p.Condition("started", "GRR"), p.Condition("direct", "NW"),
                    p.Condition("on_sale", "4"),
                )
            ),
        ),
        "only if MKN is over 59 and GRR has started and I direct NW and train 4 is on sale",
    ),
    (
        "only if GRR has not started and MKN at least 60 and NW is at most R90 and Bob has passed",
        o.Standing(
            A,
            p.OnlyIf(
                (
                    p.Condition("unstarted", "GRR"), p.Condition("least", "MKN", 60), p.Condition("most", "NW", 90),
                    p.Condition("passed", "Bob"),
                )
            ),
        ),
        "only if GRR has not started and MKN is at least 60 and NW is at most 90 and Bob has passed",
    ),
    (
        "unless Bob acts or MKN sold or MKN is at most 60",
        o.Standing(
            A, p.Unless((p.Condition("acts", "Bob"), p.Condition("sold", "MKN"), p.Condition("most", "MKN", 60)))
        ),
        "unless Bob acts or MKN is sold or MKN is at most 60",
    ),
    ("only if nobody acts", o.Standing(A, p.Unless((p.Condition("acts"),))), "unless anybody acts"),
    ("discard 2 first", o.Standing(A, p.DiscardFirst("2")), "discard 2 first"),
    # shares
    ("sell 2 MKN", o.Sell(A, "MKN", 2), "sell 2 MKN"),
    ("sell 1 of mk", o.Sell(A, "MK", 1), "sell 1 MK"),
    ("buy MKN", o.Buy(A, "MKN"), "buy MKN"),
    ("buy MKN from pool", o.Buy(A, "MKN", "pool"), "buy MKN from pool"),
    ("buy MKN from Treasury", o.Buy(A, "MKN", "treasury"), "buy MKN from treasury"),
    ("start SE at 150 in F18", o.Start(A, "SE", 150, o.Space("F18")), "start SE at 150 in F18"),
    ("start SE at R150", o.Start(A, "SE", 150), "start SE at 150"),
    ("take 1", o.Take(A, 1), "take 1"),
    ("take 0 of NW", o.Take(A, 0, "NW"), "take 0 of NW"),
    ("redeem 1", o.Redeem(A, 1), "redeem 1"),
    # track
    ("lay 8 K9 1", o.Lay(A, "8", "K9", 1), "lay 8 K9 1"),
    ("lay k9 8 1", o.Lay(A, "8", "K9", 1), "lay 8 K9 1"),
    ("lay K9 8 SW", o.Lay(A, "8", "K9", 1), "lay 8 K9 1"),
    ("lay 57 H8 se", o.Lay(A, "57", "H8", 5), "lay 57 H8 5"),
    ("lay tile #57 H8 2", o.Lay(A, "57", "H8", 2), "lay 57 H8 2"),
    ("lay tile 57 H8 2", o.Lay(A, "57", "H8", 2), "lay 57 H8 2"),
    ("lay 9 K9 3", o.Lay(A, "9", "K9", 3), "lay 9 K9 3"),
    ("lay #8 K9 exits NW,S", o.Lay(A, "8", "K9", 0), "lay 8 K9 0"),
    ("lay 8 K9 exits S NW", o.Lay(A, "8", "K9", 0), "lay 8 K9 0"),
    ("lay 8 K9 exits N, SE", o.Lay(A, "8", "K9", 3), "lay 8 K9 3"),
    ("lay 9 K9 exits N,S", o.Lay(A, "9", "K9", 0), "lay 9 K9 0"),
    ("lay 63 H8 exits S,SW,NW,N,NE,SE", o.Lay(A, "63", "H8", 0), "lay 63 H8 0"),
    # markers
    ("token I13", o.Token(A, o.Space("I13")), "token I13"),
    ("marker I13", o.Token(A, o.Space("I13")), "token I13"),
    ("token H8/NW", o.Token(A, o.Space("H8", 2)), "token H8/NW"),
    ("token H8 / n", o.Token(A, o.Space("H8", 3)), "token H8/N"),
    ("token H8/M-K", o.Token(A, o.Space("H8", None, "M-K")), "token H8/M-K"),
    ("token H8/(M-K)", o.Token(A, o.Space("H8", None, "M-K")), "token H8/M-K"),
    ("token H8/(N)", o.Token(A, o.Space("H8", None, "N")), "token H8/(N)"),
    ("token Q3/E", o.Token(A, o.Space("Q3", None, "E")), "token Q3/(E)"),
    # runs
    ("run 3 G15-I13-H8", o.Run(A, (o.Route("3", ("G15", "I13", "H8")),)), "run 3 G15-I13-H8"),
    (
        "run 3 g15 - i13 – h8,4 Q3—M7",
        o.Run(A, (o.Route("3", ("G15", "I13", "H8")), o.Route("4", ("Q3", "M7")))),
        "run 3 G15-I13-H8, 4 Q3-M7",
    ),
    ("run 2+2 G15-H8", o.Run(A, (o.Route("2+2", ("G15", "H8")),)), "run 2+2 G15-H8"),
    ("run 5+5e G15-H8", o.Run(A, (o.Route("5+5E", ("G15", "H8")),)), "run 5+5E G15-H8"),
    ("run best", o.RunBest(A), "run best"),
    ("run none", o.Run(A, ()), "run none"),
    ("announce GRR 3 G15-I13", o.Announce(A, "GRR", (o.Route("3", ("G15", "I13")),)), "announce GRR 3 G15-I13"),
    ("pay full", o.Pay(A, "full"), "pay full"),
    ("pay half", o.Pay(A, "half"), "pay half"),
    ("pay none", o.Pay(A, "none"), "pay none"),
    ("pay withhold", o.Pay(A, "none"), "pay none"),
    ("withhold", o.Pay(A, "none"), "pay none"),
    ("settle", o.Settle(A), "settle"),
    # trains and privates
    ("train 4", o.Train(A, "4"), "train 4"),
    ("buy train 4", o.Train(A, "4"), "train 4"),
    ("train 4 from bank", o.Train(A, "4"), "train 4"),
    ("train 5+5E from pool", o.Train(A, "5+5E", POOL), "train 5+5E from pool"),
    ("train 2 from R-O for 119", o.Train(A, "2", "R-O", 119), "train 2 from R-O for 119"),
    ("train 2 from RO for R119", o.Train(A, "2", "R-O", 119), "train 2 from R-O for 119"),
    (
        "train 2 from R-O for 119 or train 3",
        o.Train(A, "2", "R-O", 119, o.Train(A, "3")),
        "train 2 from R-O for 119 or train 3",
    ),
    (
        "train 2 from R-O for 119 or 3 from pool",
        o.Train(A, "2", "R-O", 119, o.Train(A, "3", POOL)),
        "train 2 from R-O for 119 or train 3 from pool",
    ),
    ("buy WVR for 90", o.BuyPrivate(A, "WVR", 90), "buy WVR for 90"),
    ("discard 3", o.Discard(A, "3"), "discard 3"),
    ("nationalise yes", o.Nationalise(A, True), "nationalise yes"),
    ("nationalize no", o.Nationalise(A, False), "nationalise no"),
    ("done", o.Done(A), "done"),
    # mergers and consent
    ("convert to NW", o.Convert(A, "NW"), "convert to NW"),
    ("convert NW", o.Convert(A, "NW"), "convert to NW"),
    ("merge N into NW", o.Merge(A, ("N",), "NW"), "merge N into NW"),
    (
        "merge N and M-K into NW keep H8/M-K, G15",
        o.Merge(A, ("N", "M-K"), "NW", (o.Space("H8", None, "M-K"), o.Space("G15"))),
        "merge N, M-K into NW keep H8/M-K, G15",
    ),
    ("keep E9 and H8", o.Keep(A, (o.Space("E9"), o.Space("H8"))), "keep E9, H8"),
    ("decline", o.Decline(A), "decline"),
    ("agree", o.Agree(A), "agree"),
    ("refuse", o.Refuse(A), "refuse"),
    ("agree train 2 to SPW for 70", o.Agree(A, o.TrainSale("2", "SP-W", 70)), "agree train 2 to SP-W for 70"),
    ("refuse WVR to GRR for 90", o.Refuse(A, o.PrivateSale("WVR", "GRR", 90)), "refuse WVR to GRR for 90"),
    ("agree merger M-K, N into NW", o.Agree(A, o.Merger(("M-K", "N"), "NW")), "agree merger M-K, N into NW"),
    ("refuse merge M-K and N into NW", o.Refuse(A, o.Merger(("M-K", "N"), "NW")), "refuse merger M-K, N into NW"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "order", "canonical"), FORMS, ids=[form[0] for form in FORMS])
def test_form(typed: str, order: orders.Order, canonical: str) -> None:
    reading = grammar.read(typed, NAMES, default_actor="GRR")
    assert reading.errors == ()
    assert reading.orders == (order,)
    assert grammar.write(order) == canonical
    assert grammar.read(canonical, NAMES, default_actor="GRR").orders == (order,)


def test_every_order_has_a_form() -> None:
    forms = (*FORMS, *FORMS_1841, *FORMS_1844, *FORMS_1863)
    assert {type(order) for _, order, _ in forms} == set(get_args(orders.Order))


def test_m_k_is_not_mk() -> None:
    read = grammar.read("buy M-K; buy MK", NAMES, default_actor="Ann")
    assert read.orders == (o.Buy("Ann", "M-K"), o.Buy("Ann", "MK"))


def test_compass_of_a_map_with_points_on_top() -> None:
    pointy = names(edges=grammar.POINTY_TOP)
    (order,) = grammar.read("token H8/W", pointy, default_actor="GRR").orders
    assert order == o.Token("GRR", o.Space("H8", 1))
    assert grammar.write(order, pointy.edges) == "token H8/W"


def test_names_that_differ_in_capitals_only() -> None:
    both = names(hexes=frozenset({"a4", "A4", "B5"}))
    read = grammar.read("token a4; token A4; token b5", both, default_actor="GRR")
    assert [order.space.hex for order in read.orders if isinstance(order, o.Token)] == ["a4", "A4", "B5"]


@given(blocks)
@settings(max_examples=4)
def test_what_is_written_is_read_as_the_same(block: list[orders.Order]) -> None:
    text = grammar.write_block(block)
    reading = grammar.read(text, NAMES)
    assert reading.errors == ()
    assert reading.orders == tuple(block)
    assert grammar.write_block(reading.orders) == text


@given(actors.flatmap(orders_of))
@settings(max_examples=15)
def test_one_order_there_and_back(order: orders.Order) -> None:
    text = grammar.write(order)
    assert grammar.read(text.upper(), NAMES, default_actor=order.actor).orders == (order,)
    assert text.isascii() and "\n" not in text


@pytest.mark.prove
@seed(today())
@settings(max_examples=500, derandomize=False)
@given(actors.flatmap(orders_of))
def test_many_orders_there_and_back(order: orders.Order) -> None:
    test_one_order_there_and_back.hypothesis.inner_test(order)  # type: ignore[attr-defined]


@pytest.mark.prove
@seed(today())
@settings(max_examples=100, derandomize=False)
@given(blocks)
def test_many_blocks_are_read_as_they_are_written(block: list[orders.Order]) -> None:
    test_what_is_written_is_read_as_the_same.hypothesis.inner_test(block)  # type: ignore[attr-defined]
