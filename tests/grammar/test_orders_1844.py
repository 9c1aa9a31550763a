"""What 1844 adds to the notation: every form as typed, as understood, as written back, and mistakes in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, seed, settings

import grammar
from engine.core import orders
from engine.core.ids import POOL
from grammar import Unreadable
from tests.kit.notation.notation_1844 import (
    COMPANIES,
    MOUNTAINS,
    PRIVATES,
    SWISS,
    TUNNELS,
    actors,
    blocks,
    names,
    orders_of,
)
from tests.kit.samples import today

A = "MOB"
o: Any = orders
"""Names are plain strings here."""

FORMS: list[tuple[str, orders.Order, str]] = [
    # the auction of the privates
    ("bid 25 on P1", o.Bid(A, 25, "P1"), "bid 25 on P1"),
    ("bid SFR25", o.Bid(A, 25), "bid 25"),
    ("drop p2", o.Drop(A, "P2"), "drop P2"),
    ("drop", o.Drop(A), "drop"),
    ("limit 120 on P4 step 10", o.Limit(A, 120, "P4", 10), "limit 120 on P4 step 10"),
    ("pass", o.Pass(A), "pass"),
    # pars and shares
    ("start MOB at 80", o.Start(A, "MOB", 80), "start MOB at 80"),
    ("par mob at SFR80", o.Start(A, "MOB", 80), "start MOB at 80"),
    ("par FNM 100", o.Start(A, "FNM", 100), "start FNM at 100"),
    ("sell 3 MOB", o.Sell(A, "MOB", 3), "sell 3 MOB"),
    ("sell 1 of cha", o.Sell(A, "ChA", 1), "sell 1 ChA"),
    ("sell 4 SBB with 1 double", o.Sell(A, "SBB", 4, 1), "sell 4 SBB with 1 double"),
    ("sell 4 of SBB with 2 double", o.Sell(A, "SBB", 4, 2), "sell 4 SBB with 2 doubles"),
    ("sell 2 SBB with 0 doubles", o.Sell(A, "SBB", 2, 0), "sell 2 SBB with 0 doubles"),
    ("sell 1 SBB double", o.Sell(A, "SBB", 2, 1), "sell 2 SBB with 1 double"),
    ("sell 2 of SBB doubles", o.Sell(A, "SBB", 4, 2), "sell 4 SBB with 2 doubles"),
    ("buy MOB", o.Buy(A, "MOB"), "buy MOB"),
    ("buy MOB from IPO", o.Buy(A, "MOB", "ipo"), "buy MOB from ipo"),
    ("buy MOB from pool", o.Buy(A, "MOB", "pool"), "buy MOB from pool"),
    ("buy SBB double", o.Buy(A, "SBB", None, "double"), "buy SBB double"),
    ("buy SBB double certificate from pool", o.Buy(A, "SBB", "pool", "double"), "buy SBB double from pool"),
    ("buy SBB director certificate", o.Buy(A, "SBB", None, "director"), "buy SBB director"),
    ("buy SBB director from pool", o.Buy(A, "SBB", "pool", "director"), "buy SBB director from pool"),
    # mountain railways, tunnel certificates, debts, powers
    (
        "buy B1 in H7 with panel 10/40/50/60",
        o.BuyMountain(A, "B1", "H7", "XM2"),
        "buy B1 in H7 with panel 10/40/50/60",
    ),
    ("BUY b5 IN l13 panel 10/50/80/10", o.BuyMountain(A, "B5", "L13", "XM3"), "buy B5 in L13 with panel 10/50/80/10"),
    ("buy B1 in H7 with 10 / 20/50 /80", o.BuyMountain(A, "B1", "H7", "XM1"), "buy B1 in H7 with panel 10/20/50/80"),
    ("buy B1 in H7 with panel XM1", o.BuyMountain(A, "B1", "H7", "XM1"), "buy B1 in H7 with panel 10/20/50/80"),
    ("buy T2", o.BuyTunnel(A, "T2"), "buy T2"),
    ("repay 50", o.Repay(A, 50), "repay 50"),
    ("use P4", o.UsePrivate(A, "P4"), "use P4"),
    ("use P7 for SBB", o.UsePrivate(A, "P7", "SBB"), "use P7 for SBB"),
    # a company's turn
    ("lay 8 D13 2", o.Lay(A, "8", "D13", 2), "lay 8 D13 2"),
    ("lay 8 B11 SE", o.Lay(A, "8", "B11", 5), "lay 8 B11 5"),
    ("lay 8 D13 2 with P2", o.Lay(A, "8", "D13", 2, "P2"), "lay 8 D13 2 with P2"),
    ("lay d13 tile #8 W with p2", o.Lay(A, "8", "D13", 1, "P2"), "lay 8 D13 1 with P2"),
    ("lay 57 B17 exits E,W with P2", o.Lay(A, "57", "B17", 1, "P2"), "lay 57 B17 1 with P2"),
    ("tunnel H19 W-SE", o.Tunnel(A, "H19", (1, 5)), "tunnel H19 W-SE"),
    ("tunnel h19 se – w", o.Tunnel(A, "H19", (1, 5)), "tunnel H19 W-SE"),
    ("tunnel H23 NW SE with T5", o.Tunnel(A, "H23", (2, 5), "T5"), "tunnel H23 NW-SE with T5"),
    ("token I4", o.Token(A, o.Space("I4")), "token I4"),
    ("token I4/W", o.Token(A, o.Space("I4", 1)), "token I4/W"),
    ("token I4/JS", o.Token(A, o.Space("I4", None, "JS")), "token I4/JS"),
    ("run 3H D19-E18-F17, 2 B19-B17", o.Run(A, (o.Route("3H", ("D19", "E18", "F17")), o.Route("2", ("B19", "B17")))),
     "run 3H D19-E18-F17, 2 B19-B17"),
    ("run 8e E8-E10, sbb5h H9", o.Run(A, (o.Route("8E", ("E8", "E10")), o.Route("SBB5H", ("H9",)))),
     "run 8E E8-E10, SBB5H H9"),
    ("run best", o.RunBest(A), "run best"),
    ("run none", o.Run(A, ()), "run none"),
    ("announce SBB 5H F11-D15", o.Announce(A, "SBB", (o.Route("5H", ("F11", "D15")),)), "announce SBB 5H F11-D15"),
    ("pay full", o.Pay(A, "full"), "pay full"),
    ("withhold", o.Pay(A, "none"), "pay none"),
    ("train 3H", o.Train(A, "3H"), "train 3H"),
    ("train 5 from pool", o.Train(A, "5", POOL), "train 5 from pool"),
    ("train 3h from bls for 150", o.Train(A, "3H", "BLS", 150), "train 3H from BLS for 150"),
    (
        "train 3H from BLS for 150 or 4H",
        o.Train(A, "3H", "BLS", 150, o.Train(A, "4H")),
        "train 3H from BLS for 150 or train 4H",
    ),
    ("buy P1 for 30", o.BuyPrivate(A, "P1", 30), "buy P1 for 30"),
    ("bankrupt", o.Bankrupt(A), "bankrupt"),
    ("done", o.Done(A), "done"),
    # asked out of turn
    ("discard 3H", o.Discard(A, "3H"), "discard 3H"),
    ("keep D15/W", o.Keep(A, (o.Space("D15", 1),)), "keep D15/W"),
    ("keep D15/E and I4/W", o.Keep(A, (o.Space("D15", 4), o.Space("I4", 1))), "keep D15/E, I4/W"),
    ("agree", o.Agree(A), "agree"),
    ("refuse train 3H to SBB for 150", o.Refuse(A, o.TrainSale("3H", "SBB", 150)), "refuse train 3H to SBB for 150"),
    ("agree P1 to AB for 30", o.Agree(A, o.PrivateSale("P1", "AB", 30)), "agree P1 to AB for 30"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "order", "canonical"), FORMS, ids=[form[0] for form in FORMS])
def test_form(typed: str, order: orders.Order, canonical: str) -> None:
    reading = grammar.read(typed, SWISS, default_actor=A)
    assert reading.errors == ()
    assert reading.orders == (order,)
    assert grammar.write(order, SWISS) == canonical
    assert grammar.read(canonical, SWISS, default_actor=A).orders == (order,)


def test_a_company_sells_for_its_director() -> None:
    (order,) = grammar.read("JN: sell 3 FNM", SWISS).orders
    assert order == o.Sell("JN", "FNM", 3)
    assert grammar.write_block([order], SWISS) == "JN: sell 3 FNM"


def test_the_ends_of_a_tunnel_in_any_order() -> None:
    assert grammar.write(o.Tunnel(A, "H19", (5, 1)), SWISS) == grammar.write(o.Tunnel(A, "H19", (1, 5)), SWISS)


def test_a_panel_without_the_names_of_the_game_is_called_by_its_piece() -> None:
    """Whoever writes with the compass alone still writes what can be read."""
    order = o.BuyMountain(A, "B1", "H7", "XM2")
    text = grammar.write(order, SWISS.edges)
    assert text == "buy B1 in H7 with panel XM2"
    assert grammar.read(text, SWISS, default_actor=A).orders == (order,)


def test_the_place_decides_what_a_word_is() -> None:
    """``B1`` is a mountain railway and no hex, ``B11`` a hex; ``5`` a tile, a train, a turn and an amount."""
    text = "token B11; buy B1 in B11 with panel 10/40/50/60; lay 5 B11 5; train 5; repay 5; run 5 B17-B19; bid 5 on P5"
    reading = grammar.read(text, SWISS, default_actor=A)
    assert reading.errors == ()
    assert [grammar.write(order, SWISS) for order in reading.orders] == text.split("; ")


def test_every_private_is_read_as_what_it_is() -> None:
    for group, form in (
        (PRIVATES, "buy {} for 1"),
        (PRIVATES, "use {}"),
        (MOUNTAINS, "buy {} in H7 with panel 10/20/50/80"),
        (TUNNELS, "buy {}"),
        (COMPANIES, "buy {}"),
    ):
        for name in group:
            text = form.format(name)
            (order,) = grammar.read(text, SWISS, default_actor=A).orders
            assert grammar.write(order, SWISS) == text


def test_numbers_of_companies_are_no_names() -> None:
    """The cards number the companies V1 to H6; in orders these are hexes or nothing."""
    for number in ("V1", "V5", "R1", "R3", "H1", "H6"):
        assert grammar.read(f"buy {number}; {number}: pass", SWISS, default_actor=A).orders == ()


@given(blocks)
@settings(max_examples=4)
def test_what_is_written_is_read_as_the_same(block: list[orders.Order]) -> None:
    text = grammar.write_block(block, SWISS)
    reading = grammar.read(text, SWISS)
    assert reading.errors == ()
    assert reading.orders == tuple(block)
    assert grammar.write_block(reading.orders, SWISS) == text


@given(actors.flatmap(orders_of))
@settings(max_examples=15)
def test_one_order_there_and_back(order: orders.Order) -> None:
    for text in (grammar.write(order, SWISS), grammar.write(order, SWISS.edges)):
        assert grammar.read(text.upper(), SWISS, default_actor=order.actor).orders == (order,)
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


# ---- mistakes --------------------------------------------------------------------------------------------------------

ORDER = "an order such as `bid`, `lay` or `done`"
END = "the end of the order"
AFTER_SHARE = "`director`, `double`, `from`, `until`, `up` or `while`"
NUMBER = "a number such as 25"
HEX = "a hex such as F13"
POINT = "a compass point (`SW`, `W`, `NW`, `NE`, `E` or `SE`)"
PANEL = "a panel (`10/20/50/80`, `10/40/50/60` or `10/50/80/10`)"
COMPANY = "the name of a company such as NOB, JN, FNM or SBB"
PRIVATE = "the name of a private company such as P4"
MOUNTAIN = "a mountain railway such as B3"
TUNNEL = "a tunnel certificate such as T3"
BUY = (COMPANY, MOUNTAIN, TUNNEL, PRIVATE, "`train`")

MISTAKES: list[tuple[str, int, str, tuple[str, ...], str | None, str]] = [
    # text, column, piece, what was expected, what may be meant, reason
    # orders of another title
    ("redeem 1", 1, "redeem", (ORDER,), None, "unknown"),
    ("open P1 20", 1, "open", (ORDER,), None, "unknown"),
    ("take 1", 1, "take", (ORDER,), None, "unknown"),
    ("merge NOB into SBB", 1, "merge", (ORDER,), None, "unknown"),
    ("pay half", 5, "half", ("`full` or `none`",), None, "unexpected"),
    ("buy MOB from treasury", 14, "treasury", ("`pool`", "`ipo`"), None, "unexpected"),
    ("start MOB at 80 in I6", 17, "in", (END,), None, "complete"),
    ("agree merger NOB into SBB", 7, "merger", (PRIVATE, "`train`", END), None, "unexpected"),
    # tunnels
    ("tunnel", 7, "", (HEX,), None, "incomplete"),
    ("tunnel H19", 11, "", (POINT,), None, "incomplete"),
    ("tunnel H19 W", 13, "", (POINT,), None, "incomplete"),
    ("tunnel H19 N-SE", 12, "N", (POINT,), None, "unexpected"),
    ("tunnel H19 W-S", 14, "S", (POINT,), None, "unexpected"),
    ("tunnel H19 1-5", 12, "1", (POINT,), None, "unexpected"),
    ("tunnel H19 W-SE with P2", 22, "P2", (TUNNEL,), "T2", "unexpected"),
    ("tunel H19 W-SE", 1, "tunel", (ORDER,), "tunnel", "unknown"),
    # mountain railways and tunnel certificates
    ("buy B1", 7, "", (HEX, "`in`"), None, "incomplete"),
    ("buy B1 for 150", 8, "for", (HEX, "`in`"), None, "unexpected"),
    ("buy B1 in H7", 13, "", (PANEL, "`panel` or `with`"), None, "incomplete"),
    ("buy B1 in H7 with", 18, "", (PANEL, "`panel`"), None, "incomplete"),
    ("buy B1 in H7 with panel 10/40/50/70", 25, "10/40/50/70", (PANEL,), "10/40/50/60", "unexpected"),
    ("buy B1 in H7 with panel 10/40", 25, "10/40", (PANEL,), None, "unexpected"),
    ("buy B1 in H7 with panel 10", 25, "10", (PANEL,), None, "unexpected"),
    ("buy B1 in B2 with panel 10/40/50/60", 11, "B2", (HEX,), None, "unexpected"),
    ("buy B6 in H7 with panel 10/40/50/60", 5, "B6", BUY, None, "unexpected"),
    ("buy T2 for 50", 8, "for", (END,), None, "complete"),
    ("buy P1", 7, "", ("`for`",), None, "incomplete"),
    # shares
    ("sell 2 SBB with 1", 18, "", ("`double`",), None, "incomplete"),
    ("sell 2 SBB as doubles", 12, "as", ("`double` or `with`", END), None, "unexpected"),
    (
        "buy SBB directors",
        9,
        "directors",
        (AFTER_SHARE, END),
        "director",
        "unexpected",
    ),
    ("par MOB", 8, "", (NUMBER, "`at`"), None, "incomplete"),
    # powers and debts
    ("bancrupt", 1, "bancrupt", (ORDER,), "bankrupt", "unknown"),
    ("use MOB", 5, "MOB", (PRIVATE,), None, "unexpected"),
    ("use P7 to SBB", 8, "to", ("`for`", END), None, "unexpected"),
    ("lay 8 D13 2 with T2", 18, "T2", (PRIVATE,), "P2", "unexpected"),
    ("repay", 6, "", (NUMBER,), None, "incomplete"),
    ("repay all", 7, "all", (NUMBER,), None, "unexpected"),
    ("bid 25 on MOB", 11, "MOB", (PRIVATE,), None, "unexpected"),
    ("train 7H", 7, "7H", ("a train (2, 2H, 3, 3H, 4, 4H, 5, 5H, SBB5H, 6, 6H, 8E or 8H)",), None, "unexpected"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_mistake(mistake: tuple[str, int, str, tuple[str, ...], str | None, str]) -> None:
    text, column, piece, expected, nearest, reason = mistake
    reading = grammar.read(text, SWISS, default_actor=A)
    (error,) = reading.errors
    assert replace(error, whole=()) == Unreadable(1, column, piece, expected, nearest, "unreadable", reason)
    assert reading.orders == ()


def test_a_map_with_a_flat_top_has_other_tunnels() -> None:
    flat = names(edges=grammar.FLAT_TOP)
    (order,) = grammar.read("tunnel H19 N-SE", flat, default_actor=A).orders
    assert order == o.Tunnel(A, "H19", (3, 5))


def test_one_name_for_one_thing() -> None:
    with pytest.raises(ValueError, match="'P1' is taken"):
        names(tunnels={"P1": ()})
    with pytest.raises(ValueError, match="not a single word"):
        names(mountains={"B 1": ()})
