"""The programmed actions of recorded games: each can be said as a standing order, and does the same there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import Game
from engine.core.orders import Order
from moderator.domain.asks import giver
from moderator.domain.records.import_18xx import read_import
from tests.kit.games.ahead_table import AheadTable

GAME = "1844/160062"
"""The only one of the records that has programmed actions."""
PROGRAMS = 21


@dataclass(frozen=True)
class Programmed:
    """A programmed action: its ``player``, the ``text`` that says the same, the number of orders before it, that of the
    orders when it was over, and the ``moves`` that the site made for the player by it, by number of the order."""

    player: str
    text: str
    begin: int
    end: int
    moves: tuple[int, ...] = field(default=())


def said(action: Mapping[str, Any]) -> str:
    """The standing order that says what a programmed action says. Without more the site stops passing when somebody
    sells or starts a company."""
    if action["type"] == "program_buy_shares":
        assert action["until_condition"] == "float"
        return f"buy {action['corporation']} until {action['corporation']} floats"
    if action["indefinite"]:
        return "pass in all rounds"
    return (
        "pass until the round ends"
        if action["unconditional"]
        else "pass until anybody sells or anybody starts a company"
    )


@cache
def recorded(records: Path) -> tuple[Game, tuple[Order, ...], tuple[Programmed, ...]]:
    """The game at its beginning, all its orders, and its programmed actions."""
    record = read_import(records / f"{GAME}.json")
    start = record.game.fork()
    before, automatic = dict[int, int](), dict[int, str]()
    for played in record.play():
        count = len(record.game.orders) - len(played.orders) - len(played.added)
        before.setdefault(played.number, count)
        if played.action is not record.actions[played.number - 1]:
            automatic.update(
                {count + n: str(record.names[str(played.action["entity"])]) for n in range(len(played.orders))}
            )
    programs = [(n, a) for n, a in enumerate(record.actions, 1) if str(a["type"]).startswith("program_")]
    last = len(record.game.orders)

    def orders_before(number: int) -> int:
        return next((before[n] for n in range(number, len(record.actions) + 1) if n in before), last)

    found = []
    for number, action in programs:
        player = str(record.names[str(action["entity"])])
        end = next(iter(_ends(record.actions, number, action)), len(record.actions))
        begin, over = orders_before(number), orders_before(end + 1)
        moves = tuple(n for n, who in automatic.items() if who == player and begin <= n < over)
        found.append(Programmed(player, said(action), begin, over, moves))
    return start, tuple(record.game.orders), tuple(found)


def _ends(actions: list[Mapping[str, Any]], number: int, action: Mapping[str, Any]) -> Iterator[int]:
    """The numbers of the actions at which the program is over: the player gives another, or it is disabled."""
    who = action["entity"]
    for later in range(number, len(actions) + 1):
        one = actions[later - 1]
        if later > number and one["entity"] == who and str(one["type"]).startswith("program_"):
            yield later - 1
        if any(b["type"] == "program_disable" and b["entity"] == who for b in one.get("auto_actions") or ()):
            yield later


def test_all_of_them_are_looked_at(records: Path) -> None:
    assert len(recorded(records)[2]) == PROGRAMS


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_a_standing_order_does_what_the_programmed_action_did(records: Path, number: int) -> None:
    start, orders, programs = recorded(records)
    one = programs[number]
    game = start.fork()
    for order in orders[: one.begin]:
        game.submit(order)
    table = AheadTable(game)
    block = table.say(one.player, one.text)
    if not block.stands:
        assert one.moves == (), "what is refused did nothing there either"
        return
    while (at := one.begin + len(table.moves)) < one.end and table.standing():
        table.submit(orders[at], giver(table.game, orders[at]))
    for order in orders[one.begin : one.begin + len(table.moves)]:
        game.submit(order)
    assert table.game.digest() == game.digest(), "it has led to the recorded position"
    made = {one.begin + n for n, move in enumerate(table.moves) if move.origin == "standing"}
    assert set(one.moves) <= made, "it has made all moves of the programmed action"
