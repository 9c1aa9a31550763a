"""A refusal of 1841 says who runs what, and which circle or sum is the reason."""

from __future__ import annotations

import pytest

import engine
import grammar
from engine.core.checks import Fact, Failure
from moderator.domain.vocabulary import vocabulary
from moderator.words.wording import describe_failure
from tests.kit.games.render_1841 import MOMENTS
from tests.kit.games.situations_1841 import title

SEAT: dict[str, Fact] = {"actor": "SFTG", "player": "Cat", "chain": (), "circle": (), "frozen": False}


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (
            Failure("seat.not_yours", {**SEAT, "chain": ("SFTN", "Ann")}),
            "You cannot give orders for SFTG: you are Cat; SFTG is run by SFTN, which is run by Ann",
        ),
        (Failure("seat.not_yours", SEAT), "You cannot give orders for SFTG: you are Cat"),
        (
            Failure("seat.not_yours", {**SEAT, "chain": ("SFTN",), "frozen": True}),
            "you are Cat, and nobody can order it now: SFTG is run by SFTN, and nobody runs SFTN",
        ),
        (
            Failure("seat.not_yours", {**SEAT, "chain": ("SFTN", "SFTG"), "circle": ("SFTG", "SFTN"), "frozen": True}),
            "nobody can order it now: SFTG is run by SFTN, which is run by SFTG",
        ),
        (
            Failure("buy.own_owner", {"company": "SFTN", "buyer": "SFTG", "chain": ("SFTN", "Ann")}),
            "SFTG cannot buy shares of SFTN, which owns it: SFTG is run by SFTN, which is run by Ann",
        ),
        (
            Failure("turn.owners_stock", {"company": "SFTG", "of": "SFTN", "held": 2, "chain": ("SFTN", "Ann")}),
            "SFTG has 2 shares of SFTN, which owns it (SFTG is run by SFTN, which is run by Ann): it must sell first",
        ),
        (
            Failure("sell.circle", {"circle": ("AFI", "CFCC", "ATFA")}),
            "AFI would be owned by CFCC, which is owned by ATFA, which is owned by AFI again",
        ),
        (
            Failure(
                "buy.sixty_percent",
                {
                    "company": "SFTG",
                    "player": "Ann",
                    "holders": (("Ann", 20), ("SFTN", 40)),
                    "gained": (),
                    "held": 60,
                    "more": 10,
                    "most": 60,
                },
            ),
            "Ann would have 70 % of SFTG with all that Ann controls, and the limit is 60 %: Ann has 20 %, SFTN has 40",
        ),
        (
            Failure(
                "buy.sixty_percent",
                {
                    "company": "AFI",
                    "player": "Cat",
                    "holders": (("Cat", 30), ("CFCC", 30)),
                    "held": 60,
                    "more": 10,
                    "most": 60,
                    "gained": ("CFCC",),
                },
            ),
            "Cat would have 70 % of AFI with all that Cat controls, CFCC too after this purchase, and the limit",
        ),
        (
            Failure("sell.director", {"company": "SFTG", "count": 2, "most": 0, "others": (("Bob", 1),)}),
            "None of SFTG may be sold, not 2: the president's certificate cannot go to the pool, and",
        ),
    ],
)
def test_the_reason_is_told_with_its_facts(failure: Failure, says: str) -> None:
    assert says in describe_failure(title(), failure)


@pytest.mark.parametrize(
    ("moment", "typed", "says"),
    [
        ("help", "SFTN: train 4", "A 4-train costs L. 350: SFTN has L. 0; shares must be sold first"),
        (
            "stock",
            "Bob: buy SFTG from pool",
            "no certificate in the pool; there is an ordinary one in the initial offering",
        ),
        ("stock", "Bob: buy AFI director from pool", "an ordinary one in the initial offering and in the pool"),
        ("company", "SFTN: token M7", "SFTN has placed its only token"),
        ("company", "SFTN: tokens 3", "`lay`, `token`, `run`, `pay`, `train`, `sell`, `buy` ("),
        ("company", "SFTN: buy 1 SFTG from Bob for 10", "`buy` (from an initial offering or the pool), `start`"),
        ("company", "SFTN: lay 26 G5 4", "does not keep its track; the only possible turn is 1"),
    ],
)
def test_a_refused_order_reads_as_a_sentence(moment: str, typed: str, says: str) -> None:
    game = MOMENTS[moment]()
    reading = grammar.read(typed, vocabulary(game.title, game.state.players))
    assert reading.errors == () and len(reading.orders) == 1
    refused = game.check(reading.orders[0])
    assert isinstance(refused, engine.Refused), typed
    said = " ".join(describe_failure(game.title, failure) for failure in refused.failures)
    assert says in " ".join(said.split())
