"""What 1841 adds to the notation: every form as typed, as understood, as written back, and mistakes in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, seed, settings

import grammar
from engine.core import orders, programs
from engine.core.ids import POOL
from grammar import Unreadable
from tests.kit.notation.notation_1841 import CONCESSIONS, ITALIAN, PLAYERS, actors, blocks, names, orders_of
from tests.kit.samples import today

A = "SFTG"
o: Any = orders
p: Any = programs
"""Names are plain strings here."""

FORMS: list[tuple[str, orders.Order, str]] = [
    # concessions
    ("bids 40 on Bayard", o.SealedBids(A, (("Bayard", 40),)), "bids 40 on Bayard"),
    (
        "bids L.40 on bayard, 25 on c-sflp and 30 on concession SFTC",
        o.SealedBids(A, (("Bayard", 40), ("C-SFLP", 25), ("C-SFTC", 30))),
        "bids 40 on Bayard, 25 on C-SFLP, 30 on C-SFTC",
    ),
    (
        "bid 40 on concession 1, 100 on concession 8",
        o.SealedBids(A, (("Bayard", 40), ("C-IRSFF", 100))),
        "bids 40 on Bayard, 100 on C-IRSFF",
    ),
    ("bids none", o.SealedBids(A, ()), "bids none"),
    ("bid 45", o.Bid(A, 45), "bid 45"),
    ("bid 45 on concession SFTG", o.Bid(A, 45, "C-SFTG"), "bid 45 on C-SFTG"),
    ("drop", o.Drop(A), "drop"),
    ("drop concession 7", o.Drop(A, "C-SFTG"), "drop C-SFTG"),
    ("limit 80 on C-SFTG step 10", o.Limit(A, 80, "C-SFTG", 10), "limit 80 on C-SFTG step 10"),
    ("open C-SFTG 20", o.Open(A, "C-SFTG", 20), "open C-SFTG 20"),
    ("open concession 5 at 20", o.Open(A, "C-SFTN", 20), "open C-SFTN 20"),
    ("auction concession Bayard", o.Open(A, "Bayard"), "open Bayard"),
    ("open 20", o.Open(A, None, 20), "open 20"),
    ("pass", o.Pass(A), "pass"),
    # stock turns
    ("sell 2 SFTG", o.Sell(A, "SFTG", 2), "sell 2 SFTG"),
    ("sell 2 of SFTG, 1 SFLP", o.SellGroup(A, (("SFTG", 2), ("SFLP", 1))), "sell 2 SFTG, 1 SFLP"),
    (
        "sell 2 SFTG and 1 of SFLP and 3 SFLi",
        o.SellGroup(A, (("SFTG", 2), ("SFLP", 1), ("SFLi", 3))),
        "sell 2 SFTG, 1 SFLP, 3 SFLi",
    ),
    ("buy SFTG", o.Buy(A, "SFTG"), "buy SFTG"),
    ("buy SFTG from IPO", o.Buy(A, "SFTG", "treasury"), "buy SFTG from offering"),
    ("buy SFTG from IO", o.Buy(A, "SFTG", "treasury"), "buy SFTG from offering"),
    ("buy SFTG from market", o.Buy(A, "SFTG", "pool"), "buy SFTG from pool"),
    ("buy SFTG president certificate from pool", o.Buy(A, "SFTG", "pool", "director"), "buy SFTG director from pool"),
    ("buy SFTG director", o.Buy(A, "SFTG", None, "director"), "buy SFTG director"),
    ("buy 2 SFTG from Bob for 150", o.BuyFrom(A, "SFTG", 2, "Bob", 150), "buy 2 SFTG from Bob for 150"),
    ("buy SFTG from cat for L.80", o.BuyFrom(A, "SFTG", 1, "Cat", 80), "buy 1 SFTG from Cat for 80"),
    (
        "buy 1 of SFTG from zoë  DE vries for 80",
        o.BuyFrom(A, "SFTG", 1, "Zoë de Vries", 80),
        "buy 1 SFTG from Zoë de Vries for 80",
    ),
    ("buy 1 AFI from Smith, John for 8", o.BuyFrom(A, "AFI", 1, "Smith, John", 8), "buy 1 AFI from Smith, John for 8"),
    ("buy 1 SFTG from jean–luc for 8", o.BuyFrom(A, "SFTG", 1, "Jean-Luc", 8), "buy 1 SFTG from Jean-Luc for 8"),
    ("buy 1 SFTG from Pool for 8", o.BuyFrom(A, "SFTG", 1, "Pool", 8), "buy 1 SFTG from Pool for 8"),
    ("buy SFTG from Pool", o.Buy(A, "SFTG", "pool"), "buy SFTG from pool"),
    ("buy C-SFTG", o.BuyConcession(A, "C-SFTG"), "buy C-SFTG"),
    ("buy concession SFTG", o.BuyConcession(A, "C-SFTG"), "buy C-SFTG"),
    ("buy concession c-sftg", o.BuyConcession(A, "C-SFTG"), "buy C-SFTG"),
    ("buy concession 7 for 80", o.BuyConcession(A, "C-SFTG", 80), "buy C-SFTG for 80"),
    ("buy Bayard for 80", o.BuyConcession(A, "Bayard", 80), "buy Bayard for 80"),
    ("start SFTG at 100", o.Start(A, "SFTG", 100), "start SFTG at 100"),
    ("par sftg 100", o.Start(A, "SFTG", 100), "start SFTG at 100"),
    ("take 1", o.Take(A, 1), "take 1"),
    ("take 0 of AFI", o.Take(A, 0, "AFI"), "take 0 of AFI"),
    (
        "agree 2 of SFTG to Bob for at least L.150",
        o.Standing(A, p.Terms(True, None, None, "Bob", 150, "SFTG", 2)),
        "agree 2 SFTG to Bob for at least 150",
    ),
    (
        "refuse 1 SFTG to anyone",
        o.Standing(A, p.Terms(False, None, None, None, None, "SFTG", 1)),
        "refuse 1 SFTG to anybody",
    ),
    (
        "agree marker H4/NE to SFTN for at least 60",
        o.Standing(A, p.Terms(True, None, None, "SFTN", 60, hex="H4", exit=4)),
        "agree token H4/NE to SFTN for at least 60",
    ),
    (
        "refuse token J6 to anybody for below 60",
        o.Standing(A, p.Terms(False, None, None, None, 60, hex="J6")),
        "refuse token J6 to anybody for under 60",
    ),
    ("refuse mergers with SFTN", o.Standing(A, p.MergerTerms(False, "SFTN")), "refuse mergers with SFTN"),
    # a company's turn
    ("lay 8 a4 2", o.Lay(A, "8", "a4", 2), "lay 8 a4 2"),
    ("token H4/NE", o.Token(A, o.Space("H4", 4)), "token H4/NE"),
    ("marker J6", o.Token(A, o.Space("J6")), "token J6"),
    ("tokens 3", o.Tokens(A, 3), "tokens 3"),
    ("token J6 from SFTN for 7", o.BuyToken(A, o.Space("J6"), "SFTN", 7), "token J6 from SFTN for 7"),
    ("buy token H4/SFTN from SFTN for 7", o.BuyToken(A, o.Space("H4", None, "SFTN"), "SFTN", 7),
     "token H4/SFTN from SFTN for 7"),
    ("run 3 H4-I5-J6, 2 H8-F8", o.Run(A, (o.Route("3", ("H4", "I5", "J6")), o.Route("2", ("H8", "F8")))),
     "run 3 H4-I5-J6, 2 H8-F8"),
    ("run best", o.RunBest(A), "run best"),
    ("run none", o.Run(A, ()), "run none"),
    ("announce SFTN 3 H4-J6", o.Announce(A, "SFTN", (o.Route("3", ("H4", "J6")),)), "announce SFTN 3 H4-J6"),
    ("pay full", o.Pay(A, "full"), "pay full"),
    ("withhold", o.Pay(A, "none"), "pay none"),
    ("train 3", o.Train(A, "3"), "train 3"),
    ("train 3 from pool", o.Train(A, "3", POOL), "train 3 from pool"),
    ("train 3 from SFTN for 1 or 4", o.Train(A, "3", "SFTN", 1, o.Train(A, "4")), "train 3 from SFTN for 1 or train 4"),
    ("bankrupt", o.Bankrupt(A), "bankrupt"),
    ("bankrupt resign", o.Bankrupt(A, "resign"), "bankrupt resign"),
    ("bankrupt loan", o.Bankrupt(A, "loan"), "bankrupt loan"),
    ("done", o.Done(A), "done"),
    # companies that become others
    ("merge SFTN into AFI", o.Merge(A, ("SFTN",), "AFI"), "merge SFTN into AFI"),
    ("merge with SFTN into AFI at 276", o.Merge(A, ("SFTN",), "AFI", (), 276), "merge SFTN into AFI at 276"),
    ("transform into AFI", o.Convert(A, "AFI"), "convert to AFI"),
    ("convert AFI", o.Convert(A, "AFI"), "convert to AFI"),
    ("exchange for director", o.Exchange(A, "director"), "exchange for director"),
    ("exchange presidency", o.Exchange(A, "director"), "exchange for director"),
    ("exchange for share", o.Exchange(A, "share"), "exchange for share"),
    ("exchange cash", o.Exchange(A, "cash"), "exchange for cash"),
    ("choose SFV", o.Prefer(A, "SFV"), "choose SFV"),
    ("prefer SFL", o.Prefer(A, "SFL"), "choose SFL"),
    ("offer again yes", o.OfferAgain(A, True), "offer again yes"),
    ("offer again no", o.OfferAgain(A, False), "offer again no"),
    ("keep R14/SW, Q11", o.Keep(A, (o.Space("R14", 1), o.Space("Q11"))), "keep R14/SW, Q11"),
    ("discard 2", o.Discard(A, "2"), "discard 2"),
    # consent
    ("agree", o.Agree(A), "agree"),
    ("agree train 3 to SFTN for 1", o.Agree(A, o.TrainSale("3", "SFTN", 1)), "agree train 3 to SFTN for 1"),
    ("refuse 2 of SFTG to Zoë de Vries for 99", o.Refuse(A, o.ShareSale("SFTG", 2, "Zoë de Vries", 99)),
     "refuse 2 SFTG to Zoë de Vries for 99"),
    ("agree concession 7 to Bob for 60", o.Agree(A, o.PrivateSale("C-SFTG", "Bob", 60)), "agree C-SFTG to Bob for 60"),
    ("agree marker J6 to AFI for 7", o.Agree(A, o.TokenSale(o.Space("J6"), "AFI", 7)), "agree token J6 to AFI for 7"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "order", "canonical"), FORMS, ids=[form[0] for form in FORMS])
def test_form(typed: str, order: orders.Order, canonical: str) -> None:
    reading = grammar.read(typed, ITALIAN, default_actor=A)
    assert reading.errors == ()
    assert reading.orders == (order,)
    assert grammar.write(order, ITALIAN) == canonical
    assert grammar.read(canonical, ITALIAN, default_actor=A).orders == (order,)


def test_the_word_after_buy_decides() -> None:
    """A company and its concession have the same name."""
    reading = grammar.read("buy SFTG; buy concession SFTG; buy token J6 from SFTG for 1; buy train 3 from SFTG for 1; "
                           "buy 1 SFTG from Ann for 1", ITALIAN, default_actor=A)  # fmt: skip
    assert reading.errors == ()
    assert [type(order) for order in reading.orders] == [
        orders.Buy, orders.BuyConcession, orders.BuyToken, orders.Train, orders.BuyFrom,
    ]  # fmt: skip


@pytest.mark.parametrize("name", PLAYERS)
def test_players_with_names_of_every_kind_are_named_in_orders(name: str) -> None:
    reading = grammar.read(f"buy 1 AFI from {name} for 5; agree 1 AFI to {name} for 5", ITALIAN, default_actor=A)
    assert reading.orders == (o.BuyFrom(A, "AFI", 1, name, 5), o.Agree(A, o.ShareSale("AFI", 1, name, 5)))


def test_the_longest_name_of_a_player_counts() -> None:
    both = names(players=("Ann", "Ann Lee", "Ann Lee for 5"))
    reading = grammar.read("buy 1 AFI from Ann Lee for 5 for 6; buy 1 AFI from Ann for 6", both, default_actor=A)
    assert reading.orders == (o.BuyFrom(A, "AFI", 1, "Ann Lee for 5", 6), o.BuyFrom(A, "AFI", 1, "Ann", 6))


def test_every_concession_has_its_number_and_its_company() -> None:
    for name, words in CONCESSIONS.items():
        for said in (name, *(f"concession {word}" for word in words)):
            (order,) = grammar.read(f"buy {said}", ITALIAN, default_actor=A).orders
            assert order == o.BuyConcession(A, name)


@given(blocks)
@settings(max_examples=4)
def test_what_is_written_is_read_as_the_same(block: list[orders.Order]) -> None:
    text = grammar.write_block(block, ITALIAN)
    reading = grammar.read(text, ITALIAN)
    assert reading.errors == ()
    assert reading.orders == tuple(block)
    assert grammar.write_block(reading.orders, ITALIAN) == text


@given(actors.flatmap(orders_of))
@settings(max_examples=15)
def test_one_order_there_and_back(order: orders.Order) -> None:
    text = grammar.write(order, ITALIAN)
    assert "\n" not in text
    assert grammar.read(text, ITALIAN, default_actor=order.actor).orders == (order,)
    assert grammar.read(text.upper(), ITALIAN, default_actor=order.actor).orders == (order,)


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
NUMBER = "a number such as 25"
COMPANY = "the name of a company such as SFLP or SFTN"
CONCESSION = "a concession such as C-SFTG"
AFTER_SHARE = "`director`, `from`, `until`, `up` or `while`"
PLAYER = "a player (Ann, Bob, Cat, Zoë de Vries, Jean-Luc, Smith, John, Pool or R. Işık)"
LOT = (CONCESSION, "`concession`")
YES_OR_NO = ("`no` or `yes`",)

MISTAKES: list[tuple[str, int, str, tuple[str, ...], str | None, str]] = [
    # text, column, piece, what was expected, what may be meant, reason
    ("bids", 5, "", (NUMBER, "`none`"), None, "incomplete"),
    ("bids 40", 8, "", ("`on`",), None, "incomplete"),
    ("bids 40 on", 11, "", LOT, None, "incomplete"),
    ("bids 40 on SFTG", 12, "SFTG", LOT, "C-SFTG", "unexpected"),
    ("bids 40 on 7", 12, "7", LOT, "C-SFTG", "unexpected"),
    ("bids 40 on Bayrad", 12, "Bayrad", LOT, "Bayard", "unexpected"),
    ("bids 40 on Bayard, 25", 22, "", ("`on`",), None, "incomplete"),
    ("bid 40 on concession 9", 22, "9", (CONCESSION,), None, "unexpected"),
    ("bid 40 on concession", 21, "", (CONCESSION,), None, "incomplete"),
    ("open SFTG 20", 6, "SFTG", (NUMBER, CONCESSION, "`at` or `concession`", END), "C-SFTG", "unexpected"),
    ("sell 2 SFTG, 1", 15, "", (COMPANY, "`of`"), None, "incomplete"),
    ("buy 2 SFTG", 11, "", ("`from`",), None, "incomplete"),
    ("buy 2 SFTG from pool", 21, "", ("`for`",), None, "incomplete"),
    ("buy 2 SFTG from Dan for 5", 17, "Dan", (PLAYER,), None, "unexpected"),
    ("buy 2 SFTG from Bbo for 5", 17, "Bbo", (PLAYER,), "Bob", "unexpected"),
    ("buy SFTG from Bob", 18, "", ("`for`",), None, "incomplete"),
    ("buy SFTG presidnet", 10, "presidnet", (AFTER_SHARE, END), "president", "unexpected"),
    ("buy C-SFGT", 5, "C-SFGT", (NUMBER, COMPANY, CONCESSION, "`concession`, `marker`, `token` or `train`"), "C-SFTG",
     "unexpected"),
    ("buy SFTG for 80", 10, "for", (AFTER_SHARE, END), None, "unexpected"),
    ("start SFTG at 100 in H4", 19, "in", (END,), None, "complete"),
    ("tokens", 7, "", (NUMBER,), None, "incomplete"),
    ("tokens 3 H4", 10, "H4", (END,), None, "complete"),
    ("token J6 from SFTN", 19, "", ("`for`",), None, "incomplete"),
    ("token J6 from Bob for 7", 15, "Bob", (COMPANY,), None, "unexpected"),
    ("merge SFTN", 11, "", ("`into`",), None, "incomplete"),
    ("merge SFTN, SFTG into AFI", 11, ",", ("`into`",), None, "unexpected"),
    ("merge SFTN into AFI for 5", 21, "for", ("`at`", END), None, "unexpected"),
    ("trasnform into AFI", 1, "trasnform", (ORDER,), "transform", "unknown"),
    ("exchange", 9, "", ("`cash`, `director`, `for` or `share`",), None, "incomplete"),
    ("exchange for chash", 14, "chash", ("`cash`, `director` or `share`",), "cash", "unexpected"),
    ("offer", 6, "", ("`again`",), None, "incomplete"),
    ("offer again", 12, "", YES_OR_NO, None, "incomplete"),
    ("bankrupt lone", 10, "lone", ("`loan` or `resign`", END), None, "unexpected"),
    ("agree SFTG to Bob for 5", 7, "SFTG",
     (NUMBER, CONCESSION, "`concession`, `marker`, `merger`, `mergers`, `token` or `train`", END), "C-SFTG",
     "unexpected"),
    ("agree C-SFTG to SFTN for 5", 17, "SFTN", (PLAYER, "`anybody`"), None, "unexpected"),
    ("pay half", 5, "half", ("`full` or `none`",), None, "unexpected"),
    ("redeem 1", 1, "redeem", (ORDER,), None, "unknown"),
]  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake[0] for mistake in MISTAKES])
def test_mistake(mistake: tuple[str, int, str, tuple[str, ...], str | None, str]) -> None:
    text, column, piece, expected, nearest, reason = mistake
    reading = grammar.read(text, ITALIAN, default_actor=A)
    (error,) = reading.errors
    assert replace(error, whole=()) == Unreadable(1, column, piece, expected, nearest, "unreadable", reason)
    assert reading.orders == ()
