"""Additions of 1863 to the notation: every form as typed, as understood and as written back."""

from __future__ import annotations

from typing import Any

import pytest

import grammar
from engine import load_title
from engine.core import orders, programs
from moderator.domain.vocabulary import vocabulary

o: Any = orders
p: Any = programs
"""Names are plain strings here."""
NAMES = vocabulary(load_title("1863"), ("Ann", "Bob", "Jean-Luc"))
A = "MET"

FORMS = [
    ("open GRE at 25", o.Open(A, "GRE", 25), "open GRE 25"),
    ("bid 30", o.Bid(A, 30), "bid 30"),
    ("bid 30 on GRE", o.Bid(A, 30, "GRE"), "bid 30 on GRE"),
    ("drop GRE", o.Drop(A, "GRE"), "drop GRE"),
    ("limit 60 on GRE", o.Limit(A, 60, "GRE"), "limit 60 on GRE"),
    ("pass", o.Pass(A), "pass"),
    ("sell 2 MET", o.Sell(A, "MET", 2), "sell 2 MET"),
    ("lay 57 C10 0", o.Lay(A, "57", "C10", 0), "lay 57 C10 0"),
    ("token H11", o.Token(A, o.Space("H11")), "token H11"),
    ("buy GRE for 70", o.BuyPrivate(A, "GRE", 70), "buy GRE for 70"),
    ("run best", o.RunBest(A), "run best"),
    ("announce MET 2T C10-F9", o.Announce(A, "MET", (o.Route("2T", ("C10", "F9")),)), "announce MET 2T C10-F9"),
    ("discard 2T", o.Discard(A, "2T"), "discard 2T"),
    ("agree", o.Agree(A), "agree"),
    ("refuse", o.Refuse(A), "refuse"),
    ("done", o.Done(A), "done"),
    ("keep GRE", o.KeepPrivate(A, "GRE", True), "keep GRE"),
    ("return GRE", o.KeepPrivate(A, "GRE", False), "return GRE"),
    ("auction GRE at 50", o.OfferPrivate(A, "GRE", 50), "auction GRE at 50"),
    ("use RMR in C10 and Q10", o.UsePrivate(A, "RMR", None, ("C10", "Q10")), "use RMR in C10, Q10"),
    ("use CHO", o.UsePrivate(A, "CHO"), "use CHO"),
    ("lay 8 F5 1 with THT", o.Lay(A, "8", "F5", 1, "THT"), "lay 8 F5 1 with THT"),
    ("pay Jean-Luc £50", o.PayPlayer(A, "Jean-Luc", 50), "pay Jean-Luc 50"),
    ("start BAK at 25 in F9", o.Start(A, "BAK", 25, o.Space("F9")), "start BAK at 25 in F9"),
    ("float BAK as minor at 100", o.Float(A, "BAK", "minor", 100), "float BAK as minor at 100 tokens 1"),
    (
        "float BAK as major at 110 tokens 4 with train 2T, GRE and 2 of DIS, cash 20",
        o.Float(A, "BAK", "major", 110, 4, ("2T",), ("GRE",), (("DIS", 2),), 20),
        "float BAK as major at 110 tokens 4 with train 2T, GRE, 2 DIS, cash 20",
    ),
    ("short DIS", o.Short(A, "DIS"), "short DIS"),
    ("transfer 3 DIS from MET to Ann", o.Transfer(A, "DIS", 3, "MET", "Ann"), "transfer 3 DIS from MET to Ann"),
    ("transfer 1 of DIS from MET to BAK", o.Transfer(A, "DIS", 1, "MET", "BAK"), "transfer 1 DIS from MET to BAK"),
    ("redeem 1", o.Redeem(A, 1), "redeem 1"),
    ("buy DIS from treasury", o.Buy(A, "DIS", "treasury"), "buy DIS from charter"),
    ("take 2 of DIS", o.Take(A, 2, "DIS"), "take 2 of DIS"),
    ("loan 2", o.Borrow(A, 2), "loan 2"),
    ("borrow 1", o.Borrow(A, 1), "loan 1"),
    ("repay 1", o.RepayLoans(A, 1), "repay 1"),
    ("settle", o.Settle(A), "settle"),
    ("dividend 95", o.Dividend(A, 95), "dividend 95"),
    ("crisis liquidate", o.Crisis(A, "liquidate"), "crisis liquidate"),
    ("crisis help", o.Crisis(A, "help"), "crisis help"),
    ("refinance", o.Refinance(A), "refinance"),
    ("train 2+1e", o.Train(A, "2+1e"), "train 2+1e"),
    ("keep trains 2T and 2T", o.KeepTrains(A, ("2T", "2T")), "keep trains 2T, 2T"),
    ("keep trains none", o.KeepTrains(A, ()), "keep trains none"),
    ("convert tokens 3", o.Convert(A, A, 3), "convert tokens 3"),
    ("merge BAK and DIS into MET", o.Merge(A, ("BAK", "DIS"), "MET"), "merge BAK, DIS into MET"),
    ("agree merger BAK into MET", o.Agree(A, o.Merger(("BAK",), "MET")), "agree merger BAK into MET"),
    ("decline", o.Decline(A), "decline"),
    ("decline in all rounds", o.Standing(A, p.DeclineMergers()), "decline in all rounds"),
    ("agree mergers into MET", o.Standing(A, p.MergerTerms(True, None, "MET")), "agree mergers into MET"),
    (
        "each turn run best, pay none without loans",
        o.Standing(A, p.TurnRoutine(("run best", "pay none"), loans=False)),
        "each turn run best, pay none without loans",
    ),
    ("exchange for share", o.Exchange(A, "share"), "exchange for share"),
    ("half short keep", o.HalfShort(A, True), "half short keep"),
    ("half short close", o.HalfShort(A, False), "half short close"),
    ("offer yes", o.Nationalise(A, True), "nationalise yes"),
    ("run 2+1e C10-H11", o.Run(A, (o.Route("2+1e", ("C10", "H11")),)), "run 2+1e C10-H11"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "order", "canonical"), FORMS, ids=[form[0] for form in FORMS])
def test_form(typed: str, order: orders.Order, canonical: str) -> None:
    reading = grammar.read(typed, NAMES, default_actor=A)
    assert reading.errors == ()
    assert reading.orders == (order,)
    assert grammar.write(order, NAMES) == canonical
    assert grammar.read(canonical, NAMES, default_actor=A).orders == (order,)


@pytest.mark.parametrize(
    ("typed", "piece", "expected"),
    [
        ("dividend full", "full", "a number such as 25"),
        ("float BAK as mior at 100", "mior", "`major` or `minor`"),
        ("float BAK at 100", "at", "`as`"),
        ("crisis", "", "`help` or `liquidate`"),
        ("half short", "", "`close` or `keep`"),
        ("transfer 3 DIS to Ann", "to", "`from`"),
        ("loan", "", "a number such as 25"),
    ],
)
def test_what_would_be_right(typed: str, piece: str, expected: str) -> None:
    (error,) = grammar.read(typed, NAMES, default_actor=A).errors
    assert (error.piece, error.expected) == (piece, (expected,))
