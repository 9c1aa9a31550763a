"""A game that goes on from a stored position is the game that was played, and plays only what it must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import pytest

import engine
from engine import Game, Refused, State
from engine.core import decide as rules
from engine.core.decide import decide_to_state
from engine.core.events import Event
from engine.core.orders import Order, Pass
from engine.core.storage.order_list import Orders
from engine.core.storage.snapshot import read_events, read_state, write_events, write_state
from engine.robots import sensible
from tests.kit.games.kept_games import TITLES, plain, position_as_stored
from tests.kit.samples import sampled


class Lazy(Sequence[Order]):
    """Orders that note which of them were read."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self.orders, self.read = list(orders), list[int]()

    def __len__(self) -> int:
        return len(self.orders)

    @overload
    def __getitem__(self, at: int) -> Order: ...
    @overload
    def __getitem__(self, at: slice) -> list[Order]: ...
    def __getitem__(self, at: int | slice) -> Order | list[Order]:
        assert isinstance(at, int), "asked for one by one"
        self.read.append(at + 1)
        return self.orders[at]


class Stored:
    """The written events of each order of a game, but for some; notes what was asked for."""

    def __init__(self, game: Game, without: Sequence[int] = ()) -> None:
        self.title, self.seed = game.title, game.setup.seed
        self.data = {
            n: (write_state(game.title, before), write_events(game.title, events))
            for n, (_, before, events) in enumerate(game.happened(0), 1) if n not in without
        }  # fmt: skip
        self.asked = list[int]()

    def __call__(self, number: int) -> tuple[State, tuple[Event, ...]] | None:
        self.asked.append(number)
        if number not in self.data:
            return None
        state, events = self.data[number]
        return read_state(self.title, state, seed=self.seed), read_events(self.title, events)


def resumed(game: Game, *, stored: Stored | None = None, known: bool = False) -> tuple[Game, Lazy]:
    orders = Lazy(game.orders)
    state = read_state(game.title, write_state(game.title, game.state), seed=game.setup.seed)
    lately = {n: (game.at(n - 1), game.events(n)) for n in range(len(orders) - 9, len(orders) + 1)} if known else None
    return Game.resume(game.title, game.setup, orders, state, lately=lately, recall=stored), orders


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_a_resumed_game_goes_on_as_the_other_would_have(name: str) -> None:
    game = plain(name).fork()
    other, orders = resumed(game)
    assert other.asked() == game.asked() and other.opening == game.opening
    for _ in range(40):
        order = sensible(game, game.asked()[0])
        assert sensible(other, other.asked()[0]) == order
        assert other.submit(order) == game.submit(order)
        assert other.told_digest() == game.told_digest()
    assert other.state == game.state and other.orders == game.orders
    assert set(orders.read) == set(range(1, len(orders) + 1)), "only the comparison of orders has read them"


def test_nothing_is_played_to_resume_a_game() -> None:
    other, orders = resumed(plain("1861"))
    assert other.asked() and not other.finished
    assert len(other.orders) == len(orders)
    assert other.fork().state == other.state
    assert orders.read == []


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_earlier_positions_are_those_that_are_stored(name: str) -> None:
    game = plain(name)
    other, orders = resumed(game, stored=Stored(game))
    for number in (0, 1, 24, 25, 82, len(orders) - 1):
        assert other.at(number) == position_as_stored(game.at(number))
    assert orders.read == []
    assert other.events(83) == game.events(83)


def test_what_is_not_stored_is_played() -> None:
    game = plain("1861")
    other, orders = resumed(game, stored=Stored(game, without=range(20, 31)))
    assert other.at(25) == game.at(25)
    assert orders.read == list(range(1, 26))
    assert list(other.happened(15)) == list(game.happened(15))


@pytest.mark.parametrize("name", TITLES)
def test_a_game_follows_what_was_decided_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = plain(name)
    other = Game.start(game.title, game.setup)
    monkeypatch.setattr(Game, "submit", None)
    for order, _, events in game.happened(0):
        other.follow(order, events)
    assert other.state == game.state and other.orders == game.orders
    assert other.at(len(game.orders) - 5) == game.at(len(game.orders) - 5)


def test_without_anything_stored_a_game_is_played_from_its_start() -> None:
    game = plain("1861")
    other, orders = resumed(game)
    assert other.at(30) == game.at(30)
    assert orders.read == list(range(1, 31))
    assert other.at(0) == game.at(0)


def test_what_happened_lately_is_not_played_again() -> None:
    game = plain("1861")
    other, orders = resumed(game, known=True)
    number = len(orders)
    orders.read.clear()
    assert other.events(number) == game.events(number)
    assert other.at(number - 1) == game.at(number - 1)
    assert orders.read == [number]
    assert list(other.happened(number - 5)) == list(game.happened(number - 5))


def test_what_happened_is_told_where_only_some_of_it_is_known() -> None:
    """Known and unknown orders take turns."""
    game = plain("1861")
    count = len(game.orders)
    some = {n: (game.at(n - 1), game.events(n)) for n in (count - 7, count - 6, count - 3)}
    other = Game.resume(game.title, game.setup, game.orders, game.state, lately=some, recall=Stored(game))
    assert list(other.happened(count - 10)) == list(game.happened(count - 10))


def test_reading_a_long_past_does_not_begin_at_the_start_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored; a seat that looks at each order in turn plays few of them again for each."""
    game = plain("1861")
    count, played = len(game.orders), list[Order]()

    def decide(title: engine.Title, state: State, order: Order) -> object:
        played.append(order)
        return decide_to_state(title, state, order)

    monkeypatch.setattr(rules, "decide_to_state", decide)
    other = Game.resume(game.title, game.setup, game.orders, game.state)
    seat = other.state.players[0]
    seen = [number for number, _ in enumerate(other.seen_by(seat).happened(0), 1)]
    assert seen == list(range(1, count + 1))
    assert count <= len(played) <= 2 * count


@pytest.mark.parametrize("back", sampled([1, 7, 30, 100], [30]))
def test_undo_and_another_course(back: int) -> None:
    """Everything stored beyond the place that the game went back to counts no more."""
    game = plain("1861").fork()
    stored = Stored(game)
    other, _ = resumed(game, stored=stored)
    number = len(game.orders) - back
    for each in (game, other):
        each.undo(number)
        for _ in range(60):
            menu = each.legal(each.asked()[0].actor)
            assert each.submit(menu[-1].sample(0))
    stored.asked.clear()
    assert other.orders == game.orders and other.state == game.state
    for earlier in (number - 3, number, number + 2, number + 15):
        assert other.at(earlier) == game.at(earlier)
    assert all(asked <= number for asked in stored.asked)


def test_a_fork_of_a_resumed_game_is_a_game_of_its_own() -> None:
    game = plain("1861")
    other, orders = resumed(game, stored=Stored(game))
    fork = other.fork()
    assert fork.submit(sensible(fork, fork.asked()[0]))
    assert (len(fork.orders), len(other.orders)) == (len(orders) + 1, len(orders))
    fork.undo(50)
    assert len(other.orders) == len(orders) and other.at(100) == game.at(100)
    assert fork.state == game.at(50)


def test_orders_that_the_rules_refuse_now_are_said() -> None:
    """A replay of what was played by other rules may come to nothing."""
    game = plain("1861")
    wrong = [Pass(engine.ids.CompanyId("N")), *game.orders[1:]]
    other = Game.resume(game.title, game.setup, wrong, game.state)
    with pytest.raises(RuntimeError, match="an accepted order is refused when it is played again"):
        other.at(5)


# ---- the sequence of orders -----------------------------------------------------------------------------------------


def test_orders_are_a_sequence_like_any_other() -> None:
    given = list(plain("1861").orders[:6])
    orders = Orders(given[:4], given[4:])
    assert orders == given and orders == tuple(given) and given == orders
    assert orders != given[:5] and orders != [*given[:5], given[0]] and orders != 6
    assert (orders[0], orders[-1], orders[4], orders[2:5], orders[::-1]) == (
        given[0], given[-1], given[4], given[2:5], given[::-1],
    )  # fmt: skip
    assert list(orders) == given and len(orders) == 6 and given[3] in orders
    with pytest.raises(IndexError):
        _ = orders[6]


@pytest.mark.parametrize("number", range(7))
def test_orders_are_cut_and_go_on(number: int) -> None:
    given = list(plain("1861").orders[:6])
    orders = Orders(given[:4], given[4:])
    copy = orders.copy()
    copy.cut(number)
    assert copy == given[:number]
    copy.append(given[0])
    assert copy == [*given[:number], given[0]]
    assert orders == given and copy.copy() == copy


def test_a_refused_order_is_not_among_the_orders() -> None:
    game = plain("1861").fork()
    number = len(game.orders)
    assert isinstance(game.submit(Pass(engine.ids.CompanyId("N"))), Refused)
    assert len(game.orders) == number
