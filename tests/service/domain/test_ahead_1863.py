"""Orders of 1863 that are given ahead, and those that need no question."""

from __future__ import annotations

import engine
from engine import Game
from engine.core.ids import HexId, PlayerId
from engine.titles.t1863.stock_frame import StockRound
from grammar import read
from moderator.domain.block import Block, play_block
from moderator.domain.fork import Fork
from moderator.domain.vocabulary import vocabulary
from tests.kit.games.situations_1863 import London, situation, tube


def operating(round: str = "OR 2.1") -> Game:
    """MET is on turn; BAK, which is Bob's, comes after it and has the mail."""
    position = situation(
        tube("MET", {"Ann": 5}, 100, cash=500, markers="C10"),
        tube("BAK", "Bob", 50, minor=True, markers="F9", cash=300),
        privates={"RMR": "BAK", "GRE": "Bob"}, cash={"Bob": 80}, round=round,
    ).turn("MET", waiting="BAK")  # fmt: skip
    return game_of(position)


def game_of(position: London) -> Game:
    setup = engine.Setup(tuple(position.state.players), seed="a seed for tests")
    return Game(position.title, setup, position.state, _kept={0: position.state})


def said(game: Game, player: str, text: str) -> tuple[Block, Fork]:
    reading = read(text, vocabulary(game.title, game.state.players), default_actor=player)
    fork = Fork(game)
    return play_block(fork, player, reading, text, partial=False), fork


def test_a_turn_that_begins_with_the_marker_of_a_private_is_kept() -> None:
    block, fork = said(operating(), "Bob", "BAK: use RMR in C10, Q10; done")
    assert [str(held.occasion) for held in block.held] == ["turn BAK"] and not fork.moves


def test_on_turn_the_marker_of_a_private_is_a_step_among_others() -> None:
    block, fork = said(operating(), "Ann", "MET: use CHO in H11; done")
    assert [f.check for f in block.lines[0].failures] == ["use.owner"]
    assert not fork.moves


def test_money_is_given_at_once_by_who_is_not_asked() -> None:
    block, fork = said(operating(), "Bob", "pay Cat 30")
    assert [line.verdict for line in block.lines] == ["accepted"] and fork.game.state.money("Cat") == 30
    assert fork.renewed == set()


def test_a_private_is_put_up_at_once_in_a_round_of_mergers() -> None:
    block, fork = said(operating("MR 2.1"), "Bob", "auction GRE at 5")
    assert [line.verdict for line in block.lines] == ["accepted"]
    assert {ask.what for ask in fork.game.asked()} == {"auction.lot", "auction.lot.for"}
    block, _ = said(operating(), "Bob", "auction GRE at 5")
    assert [f.check for f in block.lines[0].failures] == ["offer.round"]


def test_a_player_lays_the_tile_of_his_private_in_his_stock_turn() -> None:
    position = situation(privates={"CLK": "Ann"}, cash={"Ann": 300}, phase="II", round="SR 1")
    game = game_of(position.frames(StockRound(PlayerId("Ann"))))
    block, fork = said(game, "Ann", "lay 9 K8 1 with CLK; pass")
    assert [line.verdict for line in block.lines] == ["accepted", "accepted"]
    assert fork.game.state.board.tiles[HexId("K8")] == ("9", 1)
