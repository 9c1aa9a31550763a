"""Positions and events that are written down come back as they were, or are refused by name."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import Game, State, Title
from engine.core.description import told_digest
from engine.core.events import Event, Marked, Restored
from engine.core.ids import CompanyId
from engine.core.secret import HIDDEN, Secret
from engine.core.state import Frame
from engine.core.storage import shapes, snapshot
from engine.core.storage.snapshot import (
    MOST_BYTES,
    NotASnapshot,
    UnknownForm,
    read_events,
    read_state,
    write_events,
    write_state,
)
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.stock.share_offers import ShareOffers
from tests.kit.checkout import CHECKOUT
from tests.kit.games.kept_games import (
    RARE,
    RECORDED,
    TITLES,
    events_as_stored,
    plain,
    position_as_stored,
    recorded,
    walk,
)
from tests.kit.samples import one_in, sampled
from tests.kit.service import toy_title


def assert_kept(title: Title, state: State, *, asked: bool = True) -> None:
    """``asked``: the agenda fits the position, so that it is known who is asked."""
    written = write_state(title, state)
    read = read_state(title, written, seed=state.seed.reveal())
    assert read == position_as_stored(state)
    assert engine.digest(read) == engine.digest(position_as_stored(state))
    assert not asked or told_digest(title, read) == told_digest(title, state)
    assert orders_of_maps(read) == orders_of_maps(state), "rules may walk through maps in their order"
    assert read.board.map is title.map
    assert write_state(title, read) == written


def assert_events_kept(title: Title, events: tuple[Event, ...]) -> None:
    assert read_events(title, write_events(title, events)) == events_as_stored(events)


def orders_of_maps(state: State) -> list[Any]:
    board = state.board
    maps: Iterable[Any] = (
        state.cash, state.holdings, state.privates, state.companies, state.prices, state.supply, state.marks,
        state.debts, board.tiles, board.markers, board.overlays,
    )  # fmt: skip
    return [list(each) for each in maps]


# ---- round trips ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", sampled(TITLES, ("1841", "1863")))
def test_a_plain_game_is_kept_at_every_order(title: str) -> None:
    game = plain(title)
    for number, _, before, events, _ in walk(game):
        assert_events_kept(game.title, events)
        if number % 25 == 0:
            assert_kept(game.title, before)
    assert_kept(game.title, game.state)


@pytest.mark.parametrize("name", one_in(2, RECORDED))
def test_a_recorded_game_is_kept_here_and_there(records: Path, name: str) -> None:
    game = recorded(records, name)
    for number, _, _, events, after in walk(game):
        if number % 25 == 0 or any(isinstance(frame, ShareOffers) for frame in after.agenda):
            assert_kept(game.title, after)
            assert_events_kept(game.title, events)
    assert_kept(game.title, game.state)


def test_equal_positions_have_equal_digests_however_their_sets_were_filled() -> None:
    game = plain("1861")
    minors = list(game.title.companies)
    one, other = next(pair for pair in permutations(minors, 2) if list(frozenset(pair)) != list(frozenset(pair[::-1])))
    failed = [frozenset({frozenset(group)}) for group in ((one, other), (other, one))]
    first, second = (replace(game.state, agenda=(MergerRound((), failed=each),)) for each in failed)
    assert first == second
    assert repr(first.agenda) != repr(second.agenda), (
        "the two are not filled in different orders: this has shown nothing"
    )
    assert engine.digest(first) == engine.digest(second)


@pytest.mark.prove
@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_is_kept_at_every_order(records: Path, name: str) -> None:
    """Sizes and kinds of what came up are printed."""
    game = recorded(records, name)
    sizes: dict[str, list[int]] = {"position": [], "events": []}
    frames = set[str]()
    for _, _, before, events, _ in walk(game):
        assert_kept(game.title, before)
        assert_events_kept(game.title, events)
        sizes["position"].append(len(write_state(game.title, before)))
        sizes["events"].append(len(write_events(game.title, events)))
        frames |= {type(frame).__name__ for frame in before.agenda}
    said = ", ".join(f"{what} {sum(s) // len(s)} bytes in the mean, at most {max(s)}" for what, s in sizes.items())
    sys.stdout.write(f"{name}: {len(game.orders)} orders, {said}; steps: {' '.join(sorted(frames))}\n")


def test_a_title_that_no_folder_has_is_kept_too() -> None:
    title = toy_title.load("toy", "one", {})
    game = Game.start(title, engine.Setup(("Ann", "Bob"), seed="x", priority="Ann"))
    while not game.finished:
        menu = game.legal(game.asked()[0].actor)
        assert game.submit(menu[-1].sample(0))
        assert_kept(title, game.state)
        assert_events_kept(title, game.events(len(game.orders)))


def test_frames_that_recorded_games_do_not_have_are_kept_too() -> None:
    for name, frames in RARE.items():
        game = plain(name)
        for frame in frames:
            assert_kept(game.title, replace(game.state, agenda=(*game.state.agenda, frame)), asked=False)


def test_a_position_within_an_event_shares_its_board() -> None:
    game = plain("1861")
    without = replace(game.state, seed=HIDDEN)
    (first, second) = read_events(
        game.title, write_events(game.title, (Restored(without, "x"), Restored(without, "y")))
    )
    assert isinstance(first, Restored) and isinstance(second, Restored)
    assert first.state == without and first.state.board is second.state.board


def test_every_event_and_order_has_a_shape() -> None:
    """A class that a union forgets could not be written."""
    known = shapes.shapes(engine.load_title("1861"))
    for module in (engine.events, engine.orders):
        own = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
        assert own and all(known[kind.__name__].type is kind for kind in own)


def test_equal_positions_are_written_alike_wherever_strings_hash_otherwise() -> None:
    program = (
        "import hashlib, sys; from engine.core.storage.snapshot import write_state;"
        "from engine.core.description import told_digest;"
        "from tests.kit.games.kept_games import plain; game = plain('1861');"
        "found = write_state(game.title, game.state);"
        "sys.stdout.write(hashlib.sha256(found).hexdigest() + told_digest(game.title, game.state))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=CHECKOUT,
            env={"PYTHONHASHSEED": hashing, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "2")
    }
    assert len(found) == 1


# ---- the seed -------------------------------------------------------------------------------------------------------


def test_the_seed_is_not_written() -> None:
    game = plain("1861")
    state = replace(game.state, seed=Secret("a secret"))
    assert b"a secret" not in zlib.decompress(write_state(game.title, state))
    assert read_state(game.title, write_state(game.title, state)).seed == HIDDEN
    assert read_state(game.title, write_state(game.title, state), seed="a secret") == state


def test_a_seed_deeper_down_is_refused() -> None:
    game = plain("1861")
    with pytest.raises(ValueError, match="the seed of lots, which must not be written"):
        write_events(game.title, (Restored(replace(game.state, seed=Secret("a secret")), "x"),))


# ---- forms that are not known ---------------------------------------------------------------------------------------


def changed(data: bytes, change: Callable[[Any], Any]) -> bytes:
    return zlib.compress(json.dumps(change(json.loads(zlib.decompress(data)))).encode())


def test_another_form_is_refused_by_name() -> None:
    game = plain("1861")
    later = changed(write_state(game.title, game.state), lambda document: ["7", *document[1:]])
    with pytest.raises(UnknownForm, match="of form '7'; this program reads form '1'"):
        read_state(game.title, later)


def test_a_class_with_other_fields_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plain("1861")
    written = write_state(game.title, game.state)
    known = dict(shapes.shapes(game.title))
    old = known["PriceMarker"]
    known["PriceMarker"] = replace(old, fields={**old.fields, "colour": next(iter(old.fields.values()))})
    monkeypatch.setattr(snapshot, "shapes", lambda title: known)
    with pytest.raises(
        UnknownForm, match=rf"the snapshot has {old.key}; this program knows {known['PriceMarker'].key}"
    ):
        read_state(game.title, written)


def test_a_class_that_is_no_more_is_refused_by_name() -> None:
    game = plain("1861")
    written = changed(write_state(game.title, game.state), lambda d: [d[0], ["Gone/123456", *d[1][1:]], *d[2:]])
    with pytest.raises(UnknownForm, match="the snapshot has Gone/123456; this program knows none of them"):
        read_state(game.title, written)


def test_what_changed_elsewhere_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot names only the classes that it holds: one that it does not hold may change."""
    game = plain("1861")
    written = write_state(game.title, game.state)
    known = dict(shapes.shapes(game.title))
    known["BidMade"] = replace(known["BidMade"], fields={})
    monkeypatch.setattr(snapshot, "shapes", lambda title: known)
    assert read_state(game.title, written, seed=game.state.seed.reveal()) == game.state


def test_the_form_of_a_title_follows_its_shapes() -> None:
    assert snapshot.form(engine.load_title("1861")) == snapshot.form(engine.load_title("1861", "2020"))
    assert snapshot.form(engine.load_title("1861")) != snapshot.form(engine.load_title("1844"))


def test_a_position_with_things_that_the_title_does_not_have_is_refused() -> None:
    game, other = plain("1861"), engine.load_title("1861", "2020")  # where the minor D is called Y
    with pytest.raises(UnknownForm, match="the snapshot has a company D, which 1861 2020 does not have"):
        read_state(other, write_state(game.title, game.state))


# ---- what is no snapshot --------------------------------------------------------------------------------------------


def spoiled() -> dict[str, Callable[[Any], Any]]:
    def put(document: Any, place: list[Any], value: Any) -> Any:
        inner = document
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = value
        return document

    def field(name: str) -> Callable[[Any, Any], Any]:
        number = list(State.__dataclass_fields__).index(name)
        return lambda document, value: put(document, [3, "0", number], value)

    return {
        "money as text": lambda d: field("cash")(d, {"m": ["Bank", "10"]}),
        "a number that is true": lambda d: field("lots")(d, True),
        "a list that is no map": lambda d: field("holdings")(d, [1, 2]),
        "a map with half an entry": lambda d: field("supply")(d, {"m": ["2", 1, "3"]}),
        "a map in place of a name": lambda d: field("supply")(d, {"m": [{"m": []}, 1]}),
        "an unknown board": lambda d: field("board")(d, {"b": 9}),
        "an unknown kind": lambda d: field("board")(d, {"z": 9}),
        "two keys": lambda d: field("board")(d, {"m": [], "s": []}),
        "a field too few": lambda d: put(d, [3, "0"], d[3]["0"][:-1]),
        "no fields": lambda d: put(d, [3, "0"], None),
        "a board of numbers": lambda d: put(d, [2], [[1, 2, 3]]),
        "a board in two parts": lambda d: put(d, [2], [[{"m": []}, {"m": []}]]),
        "no position": lambda d: put(d, [3], [1]),
        "classes that are numbers": lambda d: put(d, [1], [1, 2]),
        "a part too few": lambda d: d[:3],
        "an empty list": lambda d: [],
        "a text": lambda d: "1",
    }


@pytest.mark.parametrize("how", spoiled())
def test_what_is_no_position_is_refused(how: str) -> None:
    game = plain("1861")
    with pytest.raises((NotASnapshot, UnknownForm)):
        read_state(game.title, changed(write_state(game.title, game.state), spoiled()[how]))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a snapshot"),
        (b"no zlib", "not a snapshot"),
        (zlib.compress(b"\xff\xfe"), "not a snapshot"),
        (zlib.compress(b"[" * 100_000), "not a snapshot"),
        (zlib.compress(b"1" * 100_000), "not a snapshot"),
        (zlib.compress(b" " * (MOST_BYTES + 1)), "longer than"),
    ],
)
def test_bytes_that_are_no_snapshot_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NotASnapshot, match=reason):
        read_state(engine.load_title("1861"), data)


def test_a_snapshot_cut_short_is_refused() -> None:
    game = plain("1861")
    with pytest.raises(NotASnapshot):
        read_state(game.title, write_state(game.title, game.state)[:-20])


def test_events_are_no_position_and_a_position_no_events() -> None:
    game = plain("1861")
    with pytest.raises(NotASnapshot, match="not a position"):
        read_state(game.title, write_events(game.title, game.events(1)))
    with pytest.raises(NotASnapshot, match="does not hold events"):
        read_events(game.title, write_state(game.title, game.state))


@dataclass(frozen=True, slots=True)
class Stray(Frame):
    company: CompanyId


def test_a_value_of_an_unknown_class_cannot_be_written() -> None:
    game = plain("1861")
    with pytest.raises(TypeError, match="known to hold a Stray"):
        write_state(game.title, replace(game.state, agenda=(Stray(CompanyId("N")),)))
    with pytest.raises(TypeError, match="known to hold a float"):
        write_events(game.title, (Marked("x", 1.5),))


def test_two_classes_of_one_name_are_refused() -> None:
    title = engine.load_title("1861")
    paid = type("Paid", (Frame,), {"__slots__": (), "__dataclass_fields__": {}})
    with pytest.raises(TypeError, match="two classes are called Paid"):
        shapes.shapes(replace(title, steps={**title.steps, paid: next(iter(title.steps.values()))}))


# ---- what it costs --------------------------------------------------------------------------------------------------


@pytest.mark.bench
@pytest.mark.parametrize("name", RECORDED)
def test_what_a_position_costs(records: Path, name: str) -> None:
    game = recorded(records, name)
    title, number = game.title, min(700, len(game.orders) - 5)
    state = game.at(number)
    written = write_state(title, state)
    events = [len(write_events(title, events)) for _, _, _, events, _ in walk(game)]
    figures = {
        "reading": milliseconds(lambda: read_state(title, written)),
        "writing": milliseconds(lambda: write_state(title, state)),
        "digest": milliseconds(lambda: told_digest(title, state)),
        "resuming": milliseconds(lambda: Game.resume(title, game.setup, game.orders, state)),
    }
    said = ", ".join(f"{what} {time:.2f} ms" for what, time in figures.items())
    print(  # noqa: T201
        f"\n{name}, order {number} of {len(game.orders)}: {said}; {len(written)} bytes,"
        f" events {sum(events) / len(events):.0f} in the mean, at most {max(events)}"
    )


def milliseconds(work: Callable[[], Any]) -> float:
    """The median of a hundred."""
    times = []
    for _ in range(100):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)
