"""Games of chance to their end, in all editions, for all numbers of players, with options in turn: every position adds
up, what the menu lists is accepted, what it does not list is refused with its rule, and all of it can be done again."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import Ask, Game, Refused, Setup, Title, orders
from engine.acts import run_trains
from engine.board.board import Board
from engine.core.decide import objection
from engine.core.events import Lapsed
from engine.core.evolve import evolve
from engine.core.storage.snapshot import read_events, read_state, write_events, write_state
from engine.core.view import resealed
from engine.robots import random_order, sensible
from engine.routes import optimum as optimise
from engine.routes.optimum import Best
from engine.routes.reach import RunTraits
from engine.titles import t1841, t1844, t1863, t1867
from engine.titles.rulebook import load_rulebook
from engine.titles.t1841.names import LOAN_AMOUNT
from moderator.domain.records import limits as record_limits
from moderator.domain.records.past import Past
from moderator.domain.records.record import read_record, write_record
from tests.kit.checkout import CHECKOUT
from tests.kit.properties import menu_orders as prove_orders
from tests.kit.properties import of_position as prove_position
from tests.kit.samples import sampled
from tests.kit.titles import TITLES

SHORT_MAP = range(3, 7)
"""Numbers of players that the short map of 1841 is for."""
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
MOST_ORDERS, MOST = 4_000, {"1841": record_limits.MOST_ORDERS}
"""No game may last longer, nor one of a title that is named. In 1841 players by chance sell each other concessions, and
each purchase keeps the stock round going: games ended after 4720, 5383 and 12,166 orders, most of which were passes and
concessions. A record may have so many. A game without end repeats itself for any number of orders."""
TABLES = [
    (name, edition, players)
    for name in TITLES
    for edition in engine.editions(name)
    for players in sorted(engine.load_title(name, edition=edition).table)
]
SAMPLE = [
    ("1861", "2020", 2, 22), ("1844", "18xx.games", 3, 5), ("1841", "v1", 3, 103),
    ("1863", "historical", 3, 4), ("1863", "equal", 4, 5), ("1867", "18xx.games", 4, 3),
]  # fmt: skip
"""Games that are played every time: of each title, with different numbers of players."""
PROVED = [
    (name, edition, players, first)
    for name, edition, players in TABLES
    for first in range(0, 200 if name == "1841" and players in SHORT_MAP else 100, 20)
    if name != "1844" or engine.editions(name).index(edition) == (first // 20 + players) % len(engine.editions(name))
]
"""A hundred games for each table, and of 1841 for each map; of 1844, in which options are all that editions are, a
hundred for each number of players, the editions in turn."""
PLAIN = [
    (name, edition, players, map)
    for name, edition, players in TABLES
    for map in (("full", "lite") if name == "1841" and players in SHORT_MAP else ("full",))
    if name != "1844" or (edition == "rulebook") == (players % 2 == 1)
]
"""Games of the plain player: of 1844 one for each number of players, of 1841 one for each map too."""
PLAIN_SAMPLE = [
    ("1861", "first", 3, "full"),
]  # fmt: skip
"""One of the shortest. Plain games of all titles are played by tests of their own, for a part of their length."""
MOST_SETS, MOST_PLAIN = {"1863": 30}, {"1863": 6_000}
"""The most sets of rounds, and orders, of a plain game, where they are not twelve and 2000: in 1863 trains are sold
slowly, and everybody is asked in each merger round."""
CHOICES = {"1844": t1844.choices, "1841": t1841.choices, "1863": t1863.choices, "1867": t1867.choices}
RULES = Path(engine.__file__).parent / "titles"
BOOKS = [load_rulebook(RULES / f"t{name}" / "rules.toml") for name in TITLES]
"""Checks that belong to no rulebook are listed with one of the titles."""
OPTIONS_1861: tuple[dict[str, str], ...] = (
    {},
    {},
    {"chart": "column"},
    {"runs": "players"},
    {"runs": "moderator", "trains_2_2": "2"},
    {"long_game": "yes"},
    {"marker_at_start": "yes", "trains_2_2": "unlimited"},
    {"next_after_auction": "proposer", "chart": "column"},
    {"reduced_private": "dutch", "k7_upgrade": "20", "express_offboards": "must"},
    {"trains_5_5e": "unlimited", "trains_2_2": "2", "merger_two_shares": "ahead"},
)
"""Game number n of a table is played with set n of these, round and round."""
SETS = 10
"""Game number n of a table of other titles is played with set n of so many: the edition as it is, or with rulings by
chance."""


@dataclass(frozen=True, slots=True)
class Thorough:
    """How much is tried: orders ``accepted`` and ``refused`` in ``often`` of the positions; going back at every so
    many; whether the record tells the position after each order (``told``). What is tried has its own chance, so that
    the same seed is the same game."""

    accepted: int = 2
    refused: int = 3
    often: float = 1.0
    back: int = 40
    told: bool = True


FAIRLY = Thorough(often=0.03, back=200)
"""The games that are played every time."""
BRIEFLY = Thorough(often=0.1, back=200, told=False)
"""Most of the hundreds: around every tenth position only. Trying what is around takes half the time of a thorough
game."""


def options_of(name: str, edition: str, players: int, seed: int) -> dict[str, str]:
    """The options that game number ``seed`` of a table is played with. Of two sets in a row one has the values that
    the other has not. Of 1841 every other hundred is on the short map, where there are not too many players."""
    if name == "1861":
        return OPTIONS_1861[seed % len(OPTIONS_1861)]
    number = seed % SETS
    fixed = {}
    if name == "1841":
        short = players in SHORT_MAP and seed // 100 % 2 == 1
        fixed = {"map": "lite" if short else "full", "version": {"v2": "2"}.get(edition, "1"), "stalemate": "ends"}
    if number < 2:
        return fixed
    chance = random.Random(f"{edition} {number // 2}")
    by_chance = {
        ruling: values[(chance.randrange(len(values)) + number) % len(values)]
        for ruling, values in CHOICES[name]().items()
    }
    return {**by_chance, **fixed}


SENSE = {"1863": (0.0, 0.5, 0.8, 0.9)}
"""How much of a game the plain player gives, game after game in turn: companies of which chance alone disposes fail
before the later phases."""


def order_of(game: Game, ask: Ask, chance: random.Random) -> orders.Order:
    """An order by chance, or by a title's part of the games the plain player's."""
    parts = SENSE.get(game.title.name)
    if parts is not None and chance.random() < parts[int(game.setup.seed) % len(parts)]:
        return sensible(game, ask)
    return random_order(game, ask, chance)


def title_of(name: str, edition: str, players: int, seed: int) -> Title:
    return engine.load_title(name, edition=edition, options=options_of(name, edition, players, seed))


@contextmanager
def remembered_runs() -> Iterator[None]:
    """The search for the best run is pure, slow and tested by itself; a game that is played, undone and replayed asks
    it the same again and again, and is answered once."""
    known: dict[Any, Best] = {}

    def best_run(board: Board, traits: RunTraits) -> Best:
        on_map = (frozenset(part.items()) for part in (board.tiles, board.overlays, board.markers))
        key = (*on_map, traits)
        if key not in known:
            known[key] = optimise.best_run(board, traits)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_trains, "best_run", best_run)
        yield


def play(name: str, edition: str, players: int, seed: int, thorough: Thorough = Thorough()) -> Game:
    """One game of chance from its first question to its end, with everything held on the way."""
    title = title_of(name, edition, players, seed)
    game = Game.start(title, Setup(NAMES[:players], seed=str(seed)))
    try:
        with remembered_runs():
            to_the_end(game, seed, thorough)
            written = write_record(game, {}, past=None if thorough.told else Past())
            again = engine.replay(title, game.setup, read_record(written).orders)
            assert again.orders == game.orders and again.digest() == game.digest(), "replayed otherwise"
            assert again.told_digest() == game.told_digest()
    except Exception as error:
        raise AssertionError(f"{name} {edition}, {players} players, seed {seed}, order {len(game.orders)}") from error
    return game


def by_chance(name: str, edition: str) -> Game:
    """A game of chance, with nothing held on the way."""
    game, chance = Game.start(engine.load_title(name, edition=edition), Setup(NAMES[:3], seed="7")), random.Random(7)
    with remembered_runs():
        while not game.finished:
            assert game.submit(random_order(game, game.asked()[0], chance))
    return game


def to_the_end(game: Game, seed: int, thorough: Thorough) -> None:
    chance, trying = random.Random(seed), random.Random(f"around {seed}")
    before = None
    while not game.finished:
        prove_position.hold(game, before)
        asks = game.asked()
        assert asks, f"nobody is asked: {game.state.agenda}"
        if trying.random() < thorough.often:
            for ask in asks:
                around(game, ask, trying, thorough)
        assert len(game.orders) < MOST.get(game.title.name, MOST_ORDERS), "the game does not end"
        before = game.state
        step(game, asks[int(chance.random() * len(asks))], chance, trying)
        if len(game.orders) % thorough.back == 0:
            back_and_forth(game, trying)
    prove_position.hold(game, before)
    assert game.asked() == () and engine.Refused is type(game.check(game.orders[-1]))


def step(game: Game, ask: Ask, chance: random.Random, trying: random.Random) -> None:
    """One order by chance; its events lead to the same position as the order does, and both can be written down."""
    old = game.state
    order = order_of(game, ask, chance)
    events = game.submit(order)
    assert not isinstance(events, Refused), f"{order}: {events}"
    if trying.random() < 0.1:
        for event in events:
            old = evolve(game.title, old, event)
        assert engine.digest(old) == game.digest(), f"{order}: events lead elsewhere"
        kept = read_state(game.title, write_state(game.title, old), seed=game.setup.seed)
        assert resealed(kept, game.orders) == old
        written = write_events(game.title, events)
        read = read_events(game.title, written)
        assert write_events(game.title, read) == written
        assert read == events or isinstance(order, orders.SealedBids), "only what is sealed is not written down"


def around(game: Game, ask: Ask, chance: random.Random, thorough: Thorough) -> None:
    """The menu of one question, and what is not on it."""
    menu = game.legal(ask.actor)
    assert menu, f"nothing is legal for {ask}"
    assert ask.player in game.state.players
    if ask.silence is not None:
        found = game.check(ask.silence)
        assert found, f"{ask}: the answer to silence is refused: {found}"
    for order in prove_orders.sampled(menu, chance, thorough.accepted):
        found = game.check(order)
        assert found, f"{ask}: {order} is listed, but refused: {found}"
        assert objection(game.title, game.state, order) is None
    free = tuple(choice for player in game.state.players for choice in game.unasked(player))
    for choice in free:
        found = game.check(choice.order)
        assert found, f"{choice.order} may be given at any moment, but is refused: {found}"
    for order in prove_orders.outside(game, ask, (*menu, *free), chance, thorough.refused):
        found = game.check(order)
        assert objection(game.title, game.state, order) == (found if isinstance(found, Refused) else None)
        if isinstance(found, Refused):
            unknown = [f for f in found.failures if not addressed(game.title, f.check)]
            assert found.failures and not unknown, f"{order}: refused without a rule: {unknown}"
        elif isinstance(order, orders.UsePrivate):
            assert prove_orders.meant(game, free, order), f"{order} is accepted from somebody who may not give it"
        elif order.actor == ask.actor and Lapsed(order) not in found:
            allowed = isinstance(order, prove_orders.BEYOND_THE_MENU) or prove_orders.meant(game, menu, order)
            assert allowed, f"{ask}: {order} is accepted, but not listed"


def addressed(title: Title, check: str) -> bool:
    return check in title.addresses or any(book.is_general(check) for book in BOOKS)


def back_and_forth(game: Game, chance: random.Random) -> None:
    """Undo some orders and give them again: the same position."""
    there, given = game.digest(), list(game.orders)
    number = max(0, len(given) - chance.randint(1, 30))
    game.undo(number)
    assert len(game.orders) == number
    for order in given[number:]:
        assert game.submit(order), f"{order} is refused the second time"
    assert game.digest() == there, "undone and done again, the position is another"


@pytest.mark.parametrize(("name", "edition", "players", "seed"), SAMPLE)
def test_games_of_chance(name: str, edition: str, players: int, seed: int) -> None:
    play(name, edition, players, seed, FAIRLY)


@pytest.mark.prove
@pytest.mark.parametrize(("name", "edition", "players", "first"), PROVED)
def test_a_hundred_games_of_chance(name: str, edition: str, players: int, first: int) -> None:
    """In portions of twenty, so that they can run side by side; the first of each thoroughly."""
    lengths = [
        len(play(name, edition, players, 1000 + seed, BRIEFLY if seed % 20 else Thorough()).orders)
        for seed in range(first, first + 20)
    ]
    seeds = f"seeds {1000 + first} to {1019 + first}"
    sys.stdout.write(f"{name} {edition}, {players} players, {seeds}: {sorted(lengths)} orders\n")


@pytest.mark.prove
def test_every_kind_of_order_of_1844_comes_up() -> None:
    """But for what hardly any game has: a bankruptcy, a marker chosen at the formation, an SBB without a director."""
    given = set[str]()
    for seed in range(10):
        title = title_of("1844", "rulebook", 3 + seed % 5, seed)
        game, chance = Game.start(title, Setup(NAMES[: 3 + seed % 5], seed=str(seed))), random.Random(seed)
        with remembered_runs():
            while not game.finished:
                order = random_order(game, game.asked()[0], chance)
                assert game.submit(order)
                given.add(_kind(game, order))
    assert given == {
        "Agree", "Bid", "Buy", "Buy double", "BuyMountain", "BuyPrivate", "BuyTunnel", "Discard", "Done", "Drop",
        "Lay", "Lay P2", "Pass", "Pay", "Refuse", "Repay", "Run", "RunBest", "Sell", "Sell doubles", "Sell to help",
        "Start", "Token", "Train", "Train of a company", "Tunnel", "UsePrivate P4", "UsePrivate P7",
    } | (given & {"Bankrupt", "Keep", "Buy director"})  # fmt: skip


def _kind(game: Game, order: orders.Order) -> str:
    more = ""
    match order:
        case orders.Buy(certificate=str(kind)):
            more = kind
        case orders.Sell(actor=actor) if actor in game.title.companies:
            more = "to help"
        case orders.Sell(doubles=int()):
            more = "doubles"
        case orders.Lay(using=str(private)) | orders.UsePrivate(private=private):
            more = private
        case orders.Train(source=str(source)) if source in game.title.companies:
            more = "of a company"
        case _:
            pass
    return f"{type(order).__name__} {more}".strip()


@pytest.mark.parametrize(
    ("name", "edition"), [(name, edition) for name in CHOICES for edition in engine.editions(name)]
)
def test_every_ruling_is_played_with_every_value(name: str, edition: str) -> None:
    played = [title_of(name, edition, 4, seed).options for seed in (*range(SETS), 100)]
    for ruling, values in CHOICES[name]().items():
        if ruling == "stalemate" or (name == "1841" and ruling == "version"):
            continue  # with the other value a game of chance may have no end; the version is the edition's
        missing = set(values) - {options[ruling] for options in played}
        assert not missing, f"{ruling} is never {missing}"


@pytest.mark.parametrize(("name", "edition", "players", "map"), sampled(PLAIN, PLAIN_SAMPLE))
def test_the_plain_player_brings_a_game_to_its_end(name: str, edition: str, players: int, map: str) -> None:
    title = engine.load_title(name, edition=edition, options={"map": map} if name == "1841" else None)
    game = Game.start(title, Setup(NAMES[:players], seed="plain"))
    while not game.finished:
        order = sensible(game, game.asked()[0])
        found = game.submit(order)
        assert found, f"order {len(game.orders)}, {order}: {found}"
        assert len(game.orders) < MOST_PLAIN.get(name, MOST_ORDERS / 2)
    assert game.state.round.set <= MOST_SETS.get(name, 12), "a game of ordinary length"
    most = players * LOAN_AMOUNT if name == "1841" else game.title.bank // 20
    assert sum(game.state.debts.values()) <= most, f"too much debt: {game.state.debts}"


@pytest.mark.prove
@pytest.mark.parametrize(("name", "edition"), [("1861", "v2.0"), ("1844", "rulebook")])
def test_another_process_comes_to_the_same_position(name: str, edition: str) -> None:
    """Played again from the seed where strings hash otherwise, a game has the same orders and the same digest."""
    game = by_chance(name, edition)
    program = (
        f"import sys; from tests.proofs.test_games import by_chance; game = by_chance('{name}', '{edition}');"
        "sys.stdout.write(f'{len(game.orders)} {game.digest()}')"
    )
    for hashing in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            cwd=CHECKOUT,
            env={"PYTHONHASHSEED": hashing, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == f"{len(game.orders)} {game.digest()}"
