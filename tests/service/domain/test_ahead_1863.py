"""Orders of 1863 that are given ahead, and those that need no question."""

from __future__ import annotations

import pytest

import engine
from engine import Game
from engine.core import orders as o
from engine.core.ids import HexId, PlayerId
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.stock.frame import StockRound
from engine.titles.t1863.turn.company_turn import TURNS
from grammar import read
from moderator.domain.ahead.orders import Held, settle
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


# ---- the auctions of a merger round ----------------------------------------------------------------------------------


def for_sale(price: int, **more: object) -> Game:
    """MET, Ann's, is for sale in a merger round: in parts at price 0, as a whole at 30. UER belongs to Cat."""
    met, uer = tube("MET", "Ann", price, trains="3T"), tube("UER", "Cat", 100, markers="", cash=60)
    position = situation(met, uer, round="MR 2.1", **more)  # type: ignore[arg-type]
    return game_of(position.frames(TURNS.begin(uer.id), Failing()))


def kept(game: Game, player: str, text: str) -> tuple[Held, ...]:
    block, fork = said(game, player, text)
    assert block.stands and not fork.moves
    return tuple(block.held)


def after(game: Game, waiting: tuple[Held, ...], player: str, text: str) -> tuple[Fork, list[str]]:
    """The moves that ``text`` brings with it, of those who wait too."""
    _, fork = said(game, player, text)
    settle(fork, waiting)
    orders = [(move.player, move.order) for move in fork.moves]
    return fork, [f"{player} {type(order).__name__} {getattr(order, 'amount', '')}" for player, order in orders]


@pytest.mark.parametrize(("price", "name"), [(0, "MET markers"), (30, "MET")])
def test_a_pass_is_for_the_auction_of_a_merger_round_that_is_up(price: int, name: str) -> None:
    game = for_sale(price, cash={"Ann": 100, "Bob": 100})
    lot = game.lot()
    assert lot is not None and (lot.item, lot.holder, lot.amount) == (name, None, None)
    (held,) = kept(game, "Ann", "pass")
    assert str(held.occasion) == f"lot {name}" and isinstance(held.orders[0], o.Drop)
    block, _ = said(game, "Ann", "bid 25 on UER")  # a company that nobody can bid for
    assert [f.check for f in block.lines[0].failures] == ["ahead.sold"]


def test_a_pass_of_who_bids_highest_would_be_for_an_unknown_question() -> None:
    _, fork = said(for_sale(30, cash={"Ann": 100, "Bob": 100}), "Bob", "bid 15")
    block, _ = said(fork.game, "Bob", "pass")
    assert [f.check for f in block.lines[0].failures] == ["ahead.holds"]
    _, fork = said(fork.game, "Cat", "UER: bid 20")
    block, _ = said(fork.game, "Cat", "pass")
    assert [f.check for f in block.lines[0].failures] == ["ahead.holds"]


def test_what_waits_for_a_part_ends_with_it() -> None:
    game = for_sale(0, cash={"Ann": 100})
    waiting = kept(game, "Ann", "bid 25")
    fork = Fork(game)
    assert not isinstance(fork.submit(o.Drop(PlayerId("Cat")), "Cat", "mail"), engine.Refused)
    lot = fork.game.lot()
    assert lot is not None and lot.item == "MET trains"
    assert [end.ending for end in settle(fork, waiting).closed] == ["lapsed"]


def test_a_limit_goes_on_in_its_steps_over_the_bid_that_stands() -> None:
    game = for_sale(30, cash={"Ann": 100, "Bob": 100})
    waiting = kept(game, "Cat", "UER: limit 60 step 20")
    fork, moves = after(game, waiting, "Bob", "bid 15")
    assert moves == ["Bob Bid 15", "Cat Bid 35"]
    lot = fork.game.lot()
    assert lot is not None and (lot.holder, lot.amount) == ("Cat", 35)


def test_who_bids_for_a_company_too_leaves_when_both_limits_are_reached() -> None:
    game = for_sale(30, cash={"Ann": 100, "Bob": 200, "Cat": 100})
    waiting = (*kept(game, "Cat", "Cat: limit 10"), *kept(game, "Cat", "UER: limit 50"))
    _, moves = after(game, waiting, "Bob", "bid 20")
    assert moves == ["Bob Bid 20", "Cat Bid 25"]
    _, moves = after(game, waiting, "Bob", "bid 55")
    assert moves == ["Bob Bid 55", "Cat Drop "]
