"""A refusal of 1863 says what is missing, where, by which parts, and what would be right."""

from __future__ import annotations

import pytest

import engine
import grammar
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.titles.t1863.stock.frame import StockRound
from moderator.domain.vocabulary import vocabulary
from moderator.words.wording import describe_failure
from tests.kit.games.render_1863 import MOMENTS, game_from
from tests.kit.games.situations_1863 import situation, tube


def poor() -> Game:
    """DIS is worth too little for a third loan."""
    return game_from(situation(tube("DIS", {"Ann": 3}, 80, cash=40, loans=2, trains="2T", last_run=60)).turn("DIS"))


def first() -> Game:
    """Ann has 400 and no goods: the cheapest float costs 80."""
    position = situation(tube("BAK", "Bob", 50), round="SR 2", cash={"Ann": 400})
    return game_from(position.frames(StockRound(PlayerId("Ann"))))


GAMES = {**MOMENTS, "poor": poor, "first": first}


def said(moment: str, typed: str) -> str:
    game = GAMES[moment]()
    reading = grammar.read(typed, vocabulary(game.title, game.state.players))
    assert reading.errors == () and len(reading.orders) == 1
    refused = game.check(reading.orders[0])
    assert isinstance(refused, engine.Refused), typed
    return " ".join(describe_failure(game.title, failure) for failure in refused.failures)


@pytest.mark.parametrize(
    ("moment", "typed", "says"),
    [
        ("auction", "Bob: bid 8", "A bid must be at least £11 now, not £8"),
        ("stock", "Ann: start CIR at 315 in G18", "You can bid £310 at most, not £315: there is no more cash"),
        ("first", "Ann: start CIR at 350 in G18", "You can bid £320 at most, not £350: the rest is needed to float"),
        ("stock", "Ann: short DIS", "must have no shares of DIS: MET has 3"),
        ("stock", "Ann: short ELR", "must have no shares of ELR: Ann has 1"),
        ("stock", "Ann: transfer 4 DIS from MET to Ann", "MET has 3 shares of DIS: it cannot give 4"),
        ("stock", "Ann: sell 2 ELR", "There is 1 share of ELR to sell, not 2"),
        ("stock", "Ann: transfer 1 CLR from MET to Ann", "MET has no share of CLR: it cannot give 1"),
        ("stock", "MET: lay 57 C10 0", "Companies lay track in their turns of an operating round."),
        ("stock", "BAK: buy MET", "BAK would hold shares of MET, which is above it"),
        (
            "floating",
            "Cat: float CIR as major at 110 with RMR, cash 150",
            "with RMR (£100) and £120 in cash it is complete",
        ),
        ("floating", "Cat: float CIR as major at 200", "£25 for the bid and £400 for the capital: £5 is missing"),
        ("floating", "Cat: float CIR as minor at 100 tokens 2", "A minor has one marker, not 2"),
        (
            "poor",
            "DIS: loan 1",
            "DIS is £0 (cash £40, privates £0, trains £100, shares £0, last revenue £60, loans -£200): 1 loan now",
        ),
        (
            "dividend",
            "MET: dividend 93",
            "A dividend is a price of the chart, or all that the company has earned, not £93: £90 or £100",
        ),
        ("dividend", "MET: dividend 113", "it pays £110 at most, not £113"),
        ("dividend", "MET: dividend 115", "has earned £60, and its price is £110: it pays £110 at most, not £115"),
        (
            "company",
            "MET: run 2T C10-F9, 3T C10-D9",
            "may begin and end only at major stations or red hexes; it begins",
        ),
        ("company", "MET: pay full", "`dividend`, `train` or `done`"),
        ("company", "MET: token F9", "F9 Marylebone has no free space: BAK is there"),
        ("lot", "Bob: bid 15", "Bob may not bid for the trains of CLR: only companies may"),
        ("lot", "ELR: bid 500", "ELR can pay £450 at most, not £500; all the loans that it can take are counted"),
        ("acquisition", "Ann: bid 900", "£720 at most, not £900; the cash of ELR and all loans that can be taken are"),
        ("private", "Cat: bid 450", "Cat can pay £420 at most, not £450 ("),
    ],
)
def test_a_refusal_says_what_would_be_right(moment: str, typed: str, says: str) -> None:
    assert says in said(moment, typed)
