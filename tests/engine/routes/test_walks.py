"""What follows from the track is worked out again only where track has changed, and is the same as worked out anew."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

import engine
from engine import Game, Setup, events
from engine.board.board import Board
from engine.board.track import track_of
from engine.robots import random_order
from engine.routes.graph import graph_of
from engine.routes.walks import walked
from tests.kit.samples import sampled


def anew(board: Board) -> Board:
    """The same board, of which nothing is known yet."""
    return Board(board.map, board.tiles, board.markers, board.overlays)


def boards(name: str, seed: int) -> Iterator[Board]:
    """The boards of a game of chance, each with what is known of the one before."""
    game, chance = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), str(seed))), random.Random(seed)
    board = game.state.board
    while not game.finished:
        found = game.submit(random_order(game, game.asked()[0], chance))
        assert not isinstance(found, engine.Refused)
        for event in found:
            if isinstance(event, events.TileLaid):
                board = board.lay(event.hex, event.tile, event.rotation)
        if board.tiles != game.state.board.tiles or board.overlays != game.state.board.overlays:
            board = game.state.board  # pieces laid over others, tiles laid by a formation
        yield board


@pytest.mark.parametrize(
    ("name", "asked"),
    sampled(
        [(name, asked) for name in ("1861", "1844", "1841") for asked in (1, 3)],
        [("1841", 3)],
    ),
)
def test_what_is_patched_is_what_is_found_anew(name: str, asked: int) -> None:
    compared = 0
    for seed in itertools.count(5):  # a game of chance may lay little track
        compared += compared_boards(name, seed, asked)
        if compared > 20:
            return


def compared_boards(name: str, seed: int, asked: int) -> int:
    """Look at each new board of a game after every ``asked`` orders; the number of boards looked at."""
    seen, compared = None, 0
    for number, board in enumerate(boards(name, seed)):
        if board is seen or number % asked:
            continue
        seen, compared = board, compared + 1
        fresh = anew(board)
        assert walked(board) == walked(fresh)
        assert graph_of(board) == graph_of(fresh)
        assert track_of(board) == track_of(fresh)
    return compared


def test_markers_leave_the_trackwork_as_it_is() -> None:
    board = Board.start(engine.load_title("1861").map)
    graph = graph_of(board)
    company = next(iter(engine.load_title("1861").companies))
    assert graph_of(board.place(next(h for h in board.map.hexes if board.face(h).cities), 0, company)) is graph


def test_a_board_that_is_past_keeps_nothing() -> None:
    board = Board.start(engine.load_title("1861").map)
    graph = graph_of(board)
    hex = next(h for h, printed in board.map.hexes.items() if printed.buildable and not printed.face.paths)
    tile = next(t for t, data in board.map.tiles.items() if data.face.color == "yellow" and not data.face.cities)
    after = board.lay(hex, tile, 0)
    board.forget(after)
    assert graph_of(board) is not graph and graph_of(board) == graph
    assert graph_of(after) == graph_of(anew(after))
