"""Orders of 1841 given ahead: each is kept for the occasion that it is for, or refused where there is none."""

from __future__ import annotations

import pytest

import engine
from engine import Game
from grammar import read
from moderator.domain.ahead.occasion import Occasion
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.situations_1841 import Italian, firm, fresh, situation


def game_of(position: Italian) -> Game:
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    return Game(position.title, setup, position.state, _kept={0: position.state})


def said(game: Game, player: str, text: str) -> tuple[Block, Fork]:
    """A mail of ``player``; the game goes on with it if it stands."""
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=player)
    fork = Fork(game)
    block = play_block(fork, player, reading, text, partial=False)
    return block, fork


def kept(game: Game, player: str, text: str) -> str:
    """The occasion that the first order is kept for, or why it is not."""
    block, _ = said(game, player, text)
    if block.held:
        return str(block.held[0].occasion)
    return next((failure.check for line in block.lines for failure in line.failures), "accepted")


def operating(company: str = "SFTG") -> Game:
    """SFTG runs SFTN, and RSFS is Bob's; ``company`` has its turn."""
    position = situation(
        firm("SFTG", {"Ann": 5, "Bob": 1}, at="I2", cash=900, trains="4", history=True),
        firm("RSFS", {"Bob": 4, "Ann": 1}, at="F4", cash=200, trains="4", history=True, markers="M7"),
        firm("SFTN", {"SFTG": 3, "Cat": 1}, at="C3", cash=300, trains="4", history=True),
        cash={"Ann": 400, "Bob": 400, "Cat": 400},
    )
    return game_of(position.turn(company, waiting="RSFS SFTN"))


@pytest.mark.parametrize(
    ("player", "text", "occasion"),
    [
        ("Bob", "RSFS: merge SFTG into AFI", "turn RSFS"),
        ("Bob", "RSFS: convert to AFI", "turn RSFS"),
        ("Bob", "RSFS: buy SFTG from pool; done", "turn RSFS"),
        ("Bob", "RSFS: start AFI at 100", "turn RSFS"),
        ("Bob", "RSFS: sell 1 SFTG; done", "turn RSFS"),
        ("Bob", "RSFS: token J6 from SFTG for 7", "turn RSFS"),
        ("Ann", "SFTG: done\nSFTN: run best; pay none; done", "turn SFTN"),
        ("Bob", "start AFI at 100", "stock"),
        ("Bob", "sell 1 SFTG, 1 RSFS", "stock"),
        ("Bob", "buy 1 SFTN from Cat for 95", "stock"),
        ("Cat", "agree 1 SFTN to Bob for 95", "stock"),
        ("Bob", "agree token M7 to SFTG for 7", "turn SFTG"),
        ("Bob", "RSFS: agree train 4 to SFTN for 30", "turn SFTN"),
        ("Bob", "RSFS: agree merge RSFS into AFI", "operating"),
        ("Bob", "RSFS: tokens 3", "order.not_asked"),
        ("Bob", "RSFS: keep M7", "order.not_asked"),
        ("Bob", "RSFS: offer again yes", "order.not_asked"),
        ("Bob", "exchange for cash", "order.not_asked"),
        ("Bob", "choose SFL", "order.not_asked"),
    ],
)
def test_what_an_order_given_ahead_is_kept_for(player: str, text: str, occasion: str) -> None:
    assert kept(operating(), player, text) == occasion


def test_a_start_before_the_first_stock_round_is_for_that_round() -> None:
    game = game_of(fresh("Ann Bob Cat", "v2"))
    (asked,) = {ask.player for ask in game.asked()}
    assert {kept(game, player, "start SFTG at 100") for player in game.state.players if player != asked} == {"stock"}


def test_what_is_kept_for_a_company_s_turn_is_not_used_where_it_is_to_help_another() -> None:
    """SFTN must have a train and cannot pay for it; SFTG, which owns it, may sell. SFTG's turn is still to come."""
    position = situation(
        firm("SFTG", {"Ann": 5, "Bob": 1}, at="I2", cash=100, trains="4", history=True),
        firm("SFTN", {"SFTG": 4, "Cat": 1, "Bob": 5}, at="A13", cash=0, history=True),
        cash={"Ann": 0, "Bob": 400, "Cat": 400}, tiles={"G5": "7#0", "I5": "87#2"},
    )  # fmt: skip
    game = game_of(position.turn("SFTN", "trains", waiting="SFTG"))
    (ask,) = game.asked()
    assert (ask.actor, ask.what, ask.player) == ("SFTG", "company.help", "Ann")
    reading = read("SFTG: sell 1 SFTG", vocabulary(game.title, game.state.players), default_actor="Ann")
    order = reading.sections[0].orders[0].order
    assert not Occasion("turn", "SFTG").is_now(game, ask, order)
    turn = game_of(position.turn("SFTG", "sell"))
    assert Occasion("turn", "SFTG").is_now(turn, turn.asked()[0], order)
