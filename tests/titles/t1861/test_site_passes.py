"""Passes in auctions of 1861 that 18xx.games records and our game does not ask for."""

from __future__ import annotations

import pytest

import engine
from engine.core.agenda import Ask
from engine.core.events import BidMade, Dropped, Passed
from engine.core.ids import PlayerId
from engine.site18xx.f1867.auction import AuctionPasses

ANN, BOB = PlayerId("Ann"), PlayerId("Bob")


class Asking:
    """A record of one pass by Ann that is still to come, where Ann is asked ``what``."""

    at = 0
    actions = ({"type": "bid", "entity": 2}, {"type": "pass", "entity": 1})

    def __init__(self, what: str) -> None:
        self._what = what

    def actor(self, number: int) -> str:
        return str((BOB, ANN)[number])

    def ask(self, actor: str) -> Ask | None:
        return Ask(ANN, ANN, self._what, ()) if self._what else None


def at_the_limit() -> AuctionPasses:
    """Ann had the money for the next bid, but may take no more certificates."""
    state = engine.Game.start(engine.load_title("1861"), engine.Setup((ANN, BOB, "Cat"))).state
    passes = AuctionPasses()
    passes.hear(BidMade(BOB, "TSR", 50), state)
    passes.hear(Dropped(ANN, "TSR", True), state)
    return passes


@pytest.mark.parametrize(("asked", "of_auction"), [("", True), ("stock.turn", True), ("offer.shares", False)])
def test_a_pass_that_answers_a_question_is_none_of_an_auction(asked: str, of_auction: bool) -> None:
    passes, record = at_the_limit(), Asking(asked)
    assert passes.comes(record, 1) == of_auction  # type: ignore[arg-type]
    assert passes.take(ANN, record.ask(ANN)) == of_auction


def test_nobody_passes_for_an_auction_after_somebody_has_acted() -> None:
    passes = at_the_limit()
    passes.hear(Passed(BOB, False), engine.Game.start(engine.load_title("1861"), engine.Setup((ANN, BOB, "Cat"))).state)
    assert not passes.comes(Asking(""), 1)  # type: ignore[arg-type]
