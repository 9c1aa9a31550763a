"""Mails about one position to several readers say to each what they would say if he were the only one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.ids import PlayerId
from engine.core.view import holds_sealed
from engine.robots import sensible
from moderator import render
from moderator.render import facts
from moderator.render.mails import Rendered
from moderator.service.table.seats import info_for
from moderator.service.table.table import lock_table
from tests.kit.service.mail_service import Service
from tests.kit.service.straight import play_on
from tests.kit.titles import TITLES

PLAYERS = ("Ann", "Bob", "Cat", "Dan")


def mails(service: Service, game: str, players: tuple[str, ...]) -> dict[str, tuple[Rendered, ...]]:
    """The turn mail, the news and the observer's mail to each seat, in this order of seats."""
    with service.desk.sitting() as sitting:
        table = lock_table(sitting, game)
        found: dict[str, tuple[Rendered, ...]] = {}
        for player in players:
            seat = table.seat_of(player)
            assert seat is not None
            info = info_for(table, seat)
            found[player] = (
                render.turn_mail(table.game, info, PlayerId(player), 0),
                render.news_mail(table.game, info, PlayerId(player), 0),
                render.observer_mail(table.game, info, 0),
            )
        return found


def alone(service: Service, game: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[Rendered, ...]]:
    with monkeypatch.context() as patched:
        patched.setattr(facts, "_shared", lambda *_: {})
        return mails(service, game, PLAYERS)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("orders", [0, 40])
def test_each_reader_gets_his_own_mail(
    title: str, orders: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service.open(tmp_path)
    game = service.game(title, PLAYERS, options={"concessions": "open"} if title == "1841" else {})
    if orders:
        play_on(service, game, sensible, lambda at: len(at.orders) >= orders)
    expected = alone(service, game, monkeypatch)
    assert mails(service, game, PLAYERS) == expected
    assert mails(service, game, PLAYERS[::-1]) == expected
    assert len({news.text for _, news, _ in expected.values()}) == len(PLAYERS)


def test_sealed_orders_are_no_facts_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service.open(tmp_path)
    game = service.game("1841", PLAYERS, options={"concessions": "sealed"})
    play_on(service, game, sensible, lambda at: holds_sealed(at.state))
    with service.desk.sitting() as sitting:
        assert holds_sealed(lock_table(sitting, game).game.state)
    monkeypatch.setattr(facts, "_shared", lambda *_: pytest.fail("shared"))
    assert len(mails(service, game, PLAYERS)) == len(PLAYERS)
