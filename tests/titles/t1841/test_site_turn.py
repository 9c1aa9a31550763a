"""The progress of a company's turn, and choices without a question, in records of 18xx.games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import engine
from engine.core.events import TokensBought
from engine.core.ids import CompanyId
from engine.core.orders import Done, Lay, Order
from engine.site18xx.t1841.converter import Converter
from engine.site18xx.t1841.mergers import Mergers
from engine.site18xx.t1841.turn import SiteTurn
from engine.site18xx.t1841.writer import Writer
from tests.kit.games.situations_1841 import firm, situation


def action(kind: str, number: int) -> Mapping[str, Any]:
    return {"type": kind, "entity": "RCP", "id": number}


@pytest.mark.rule("6.2")
@pytest.mark.parametrize(
    ("played", "following", "past"),
    [
        ("buy_shares pass", "merge", False),
        ("buy_shares pass pass", "merge", True),
        ("par buy_shares pass pass", "merge", False),  # the founder could buy once more, and passed
        ("par buy_shares buy_shares pass", "buy_shares", True),
        ("buy_shares", "buy_shares", True),
        ("par buy_shares", "buy_shares", False),
        ("par buy_shares", "buy_train", True),
    ],
)
def test_the_company_in_turn_has_come_as_far_as_its_actions_show(played: str, following: str, past: bool) -> None:
    turn = SiteTurn(_of=("OR 1.1", "RCP"))
    for number, kind in enumerate(played.split()):
        turn.note(action(kind, number))
    assert turn.past(action(following, 99)) == past


class Played:
    """A record of one choice of a number of tokens, whose orders are taken as they come."""

    at, game, actions, orders = 0, None, [{"type": "choose", "entity": "RCP", "choice": 0}, {}], 0

    def actor(self, number: int) -> str:
        return str(self.actions[number]["entity"])

    def ask(self, actor: str) -> None:
        """Nobody is asked."""

    def play(self, order: Order) -> None:
        self.orders += 1


@pytest.mark.rule("10.24")
def test_a_choice_of_no_tokens_does_not_answer_for_a_purchase_without_a_choice_later() -> None:
    """RCP buys none. Later it is the target of a minor, whose token it buys without a choice; the record says so."""
    record = Played()
    mergers = Mergers(record)  # type: ignore[arg-type]
    mergers.choose(0)
    mergers.follow([])
    assert record.orders == 1
    mergers.follow([TokensBought(CompanyId("RCP"), 3, 50)])
    record.actions = [{}, {"type": "choose", "entity": "RCP", "choice": 1}]
    assert mergers.settled(1)


@pytest.mark.rule("10.24")
def test_a_sale_that_ends_a_turn_is_no_part_of_the_sellers_next_one() -> None:
    """SFTC has become CTS, which sells for its token. That ends the round, and CTS comes first in the next."""
    position = situation(
        firm("SFTC", {"Cat": 2, "Ann": 1}, "F3", markers="D8"),
        firm("AFI", {"Bob": 2, "Cat": 1}, "D9"),
        cash={"Cat": 100},
        edition="v1",
        phase="4",
        round="OR 4.1",
    ).turn("SFTC", "merge")
    players = position.state.players
    live = engine.Game(position.title, engine.Setup(players), position.state)
    moves: list[dict[str, object]] = [
        {"type": "merge", "entity": "SFTC", "corporation": "CTS"},
        {"type": "sell_shares", "entity": "CTS", "shares": ["CTS_4"], "percent": 10, "share_price": 56.0},
        {"type": "lay_tile", "entity": "CTS", "hex": "D8", "tile": "5-0", "rotation": 0},
    ]
    record = [{**move, "entity_type": "corporation"} for move in moves]
    converter = Converter(live, {str(n): player for n, player in enumerate(players)}, record, over=False)
    played = [order for n in range(len(record)) for order in converter.step(n).orders]
    assert [type(order).__name__ for order in played] == ["Convert", "Sell", "Lay"]
    assert str(live.state.round) == "OR 4.2" and live.asked()[0].actor == "CTS"


@pytest.mark.rule("6.2")
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_passes_of_several_turns_in_a_row_are_told_apart(turns: int) -> None:
    """Nobody else has a company. The site asks SFTN several times in a turn in which it does nothing."""
    position = situation(
        firm("SFTN", {"Ann": 2, "Bob": 1}, "F4", markers="H4/0", cash=60, tokens=2), edition="v1", phase="5",
        round="OR 4.1",
    ).turn("SFTN", "track")  # fmt: skip
    players = position.state.players
    played, read = (engine.Game(position.title, engine.Setup(players), position.state) for _ in range(2))
    company = CompanyId("SFTN")
    for _ in range(turns):
        assert not isinstance(played.submit(Done(company)), engine.Refused)
    lay = next(order for choice in played.legal(company) for order in [choice.sample(0)] if isinstance(order, Lay))
    assert not isinstance(played.submit(lay), engine.Refused)
    record = Writer(played, {player: n for n, player in enumerate(players)}).write()
    assert sum(move["type"] == "pass" for move in record) > turns or not turns
    converter = Converter(read, {str(n): player for n, player in enumerate(players)}, record, over=False)
    for number in range(len(record)):
        converter.step(number)
    assert (str(read.state.round), read.told_digest()) == (str(played.state.round), played.told_digest())
