"""Games of 1867 in the form of 18xx.games: homes, trade-ins, and the lot of privates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.ids import CompanyId, HexId, TrainName
from engine.core.orders import Open, Space, Train
from engine.site18xx import site_writer
from engine.site18xx.f1867.privates import drawn
from engine.site18xx.t1867.converter import PRIVATES
from moderator.domain.records.export_18xx import export_game
from moderator.domain.records.import_18xx import Import, RecordError, read_game

Action = dict[str, Any]
PRICES = (20, 30, 40, 50, 60)


def bid(player: int, price: int, **item: str) -> Action:
    return {"type": "bid", "entity": player, "entity_type": "player", "price": price, **item}


def passes(*players: int) -> list[Action]:
    return [{"type": "pass", "entity": player, "entity_type": "player"} for player in players]


def place(minor: str, city: str) -> Action:
    return {"type": "place_token", "entity": minor, "entity_type": "corporation", "city": city, "slot": 0}


def record(*actions: Action) -> Import:
    """A game of three, in which the privates go in turn to 1, 2, 3, 1 and 2, and then ``actions`` begin with 3."""
    before: list[Action] = []
    for number, (private, price) in enumerate(zip(PRIVATES, PRICES, strict=True)):
        here = number % 3
        before += [bid(here + 1, price, company=private), *passes((here + 1) % 3 + 1, (here + 2) % 3 + 1)]
    data = {
        "id": 7,
        "title": "1867",
        "players": [{"id": n, "name": name} for n, name in enumerate(("Ann", "Bob", "Cat"), 1)],
        "settings": {"optional_rules": []},
        "status": "active",
        "actions": [{"id": n, **action} for n, action in enumerate((*before, *actions), 1)],
    }
    found = read_game("test", data)
    for _ in found.play():
        pass
    return found


@pytest.mark.rule("1867:1.1")
def test_the_lot_of_the_site_takes_two_privates_out_of_a_game_of_two() -> None:
    assert drawn(PRIVATES, 1) == ("C&SL", "QB", "SCT")


@pytest.mark.rule("1867:4.8")
def test_the_opening_bid_and_the_home_become_one_order() -> None:
    game = record(bid(3, 100, corporation="CA"), place("CA", "M9-0-0"), *passes(1), bid(2, 105, corporation="CA")).game
    opened = next(order for order in reversed(list(game.orders)) if isinstance(order, Open))
    assert (opened.item, opened.amount, opened.space) == ("CA", 100, Space(HexId("M9")))
    assert not game.state.board.places_of(CompanyId("CA"))
    game = record(bid(3, 100, corporation="CA"), place("CA", "M9-0-0"), *passes(1, 2)).game
    assert game.state.board.places_of(CompanyId("CA")) == ((HexId("M9"), 0),)


@pytest.mark.parametrize(("city", "number"), [("L12-0-0", 0), ("L12-0-1", 1), ("F16-0-1", 1)])
def test_a_home_in_a_hex_of_several_cities_is_the_one_that_is_named(city: str, number: int) -> None:
    game = record(bid(3, 100, corporation="NO"), place("NO", city), *passes(1, 2)).game
    assert game.state.board.places_of(CompanyId("NO")) == ((HexId(city[:3]), number),)


@pytest.mark.parametrize("city", ["L12-0-2", "D2-0-0", "F16-0-0"])
def test_a_home_where_a_marker_stands_is_refused(city: str) -> None:
    with pytest.raises(RecordError, match=r"action 17 .* is refused: open\.home"):
        record(bid(3, 100, corporation="NO"), place("NO", city))


@pytest.mark.parametrize("after", [passes(1), [bid(1, 105, corporation="CA")]])
def test_a_home_that_is_not_named_is_missed(after: list[Action]) -> None:
    with pytest.raises(RecordError, match=r"action 17 .*: the place of CA has not been named before it"):
        record(bid(3, 100, corporation="CA"), *after)


def test_a_home_is_written_after_its_bid_by_the_number_of_its_hex() -> None:
    game = record(bid(3, 100, corporation="CA"), place("CA", "E13-2-0"), *passes(1, 2)).game
    written = json.loads(export_game(game))["actions"][15:]
    assert [(a["type"], a.get("corporation"), a.get("city")) for a in written[:2]] == [
        ("bid", "CA", None),
        ("place_token", None, "E13-2-0"),
    ]


# ---- trade-ins -------------------------------------------------------------------------------------------------------


def with_trade_in(records: Path, **changes: Any) -> dict[str, Any]:
    """A recorded game whose first trade-in has been changed."""
    data: dict[str, Any] = json.loads((records / "1867" / "generated" / "g_3p_22.json").read_text(encoding="utf-8"))
    next(action for action in data["actions"] if action.get("exchange")).update(changes)
    return data


def played(data: dict[str, Any]) -> Import:
    found = read_game("test", data)
    for _ in found.play():
        pass
    return found


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"exchange": "5-9"}, r"buy_train of C&O\): C&O has no 5-9"),
        ({"price": 700}, r"train\.face_value\(train=5\+5E, price=700, cost=1225\)"),
    ],
)
@pytest.mark.rule("1867:11.12")
def test_a_trade_in_that_cannot_be_is_refused(records: Path, changes: dict[str, Any], said: str) -> None:
    """The site does not check the price in a record."""
    with pytest.raises(RecordError, match=said):
        played(with_trade_in(records, **changes))


def test_trade_ins_are_written_with_the_train_that_is_given(records: Path) -> None:
    data = with_trade_in(records)
    found = played(data)
    ids = {player: int(number) for number, player in found.names.items()}
    written = site_writer("1867").Writer(found.game, ids).write()
    ours, theirs = (list(_trades(actions)) for actions in (written, data["actions"]))
    traded = [order for order in found.game.orders if isinstance(order, Train) and order.trade is not None]
    assert ours == theirs and len(theirs) == len(traded) > 2
    assert all(order.price is None for order in traded)


def _trades(actions: list[Action]) -> Iterator[tuple[str, TrainName, str, int]]:
    for action in actions:
        if action.get("exchange"):
            given = str(action["exchange"]).rsplit("-", 1)[0]
            yield action["entity"], TrainName(action["variant"]), given, action["price"]


def test_a_game_of_all_trains_of_chance_is_the_same_there(records: Path) -> None:
    """Trains that were exported are never sold: the numbers of the later ones go on behind them."""
    found = played(with_trade_in(records))
    again = played(json.loads(export_game(found.game)))
    assert again.game.told_digest() == found.game.told_digest()
    assert again.game.finished
