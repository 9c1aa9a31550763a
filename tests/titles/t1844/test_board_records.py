"""The board of 1844 against a recorded game: every lay and tunnel fits, every marker and destination was in reach."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from engine.board.board import Board
from engine.board.map import Map
from engine.board.network import joins, reach
from engine.core.data import CompanyData
from engine.core.ids import CompanyId, HexId, TileId
from engine.facts.sections import load_companies, load_map, read_facts
from engine.titles.t1844.pieces import CURVE, FURKA, PANELS, STRAIGHT, furka_laid, tunnel_rotations
from tests.kit.checkout import CHECKOUT

HERE = CHECKOUT / "engine" / "titles" / "t1844"
Step = tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]]
"""An action, the state before it and the one after it."""


@lru_cache(maxsize=1)
def the_map() -> Map:
    return load_map(read_facts(HERE / "facts.json"), read_facts(HERE / "lays.json"))


def companies() -> Mapping[CompanyId, CompanyData]:
    return load_companies(read_facts(HERE / "facts.json"))


@pytest.fixture(scope="module")
def steps(records: Path) -> list[Step]:
    name = records / "1844" / "160062"
    actions = json.loads(name.with_suffix(".actions.json").read_text(encoding="utf-8"))
    with gzip.open(name.with_suffix(".states.jsonl.gz"), "rt", encoding="utf-8") as lines:
        states = [state for state in map(json.loads, lines) if "tiles" in state]
    return list(zip(actions, states, states[1:], strict=False))


def board_of(state: Mapping[str, Any]) -> Board:
    """The recorded board. Its tunnels and panels stand apart from its tiles."""
    board = Board.start(the_map())
    for hex, what in state["tiles"].items():
        tile, rotation = what.split("#")
        if not board.map.tiles[TileId(tile)].overlay:
            board = board.lay(HexId(hex), TileId(tile), int(rotation))
    for hex, tunnels in state["title_state"]["tunnels"].items():
        for a, b in tunnels:
            tile = STRAIGHT if (b - a) % 6 == 3 else CURVE
            board = board.add(HexId(hex), tile, b if (a - b) % 6 == 2 else a)
    for hex, values in state["title_state"]["mountains"].items():
        panel = next(p for p in PANELS if the_map().tiles[p].face.offboards[0].revenue == values)
        board = board.add(HexId(hex), panel, 0)
    if "OP3#0" in state["tiles"].values():
        for name, piece in FURKA.items():
            board = board.add(name, *piece)
    markers = {
        HexId(h): tuple(tuple(CompanyId(c) for c in city if c) for city in cities)
        for h, cities in state["slots"].items()
    }
    return replace(board, markers=markers)


def laid(steps: list[Step]) -> Iterator[tuple[HexId, TileId, int, Board, CompanyId]]:
    """Every lay: hex, tile, rotation, the board before it and who was on turn."""
    for action, before, _ in steps:
        if action["type"] == "lay_tile":
            tile = TileId(action["tile"].split("-")[0])
            yield HexId(action["hex"]), tile, action["rotation"], board_of(before), CompanyId(str(before["active"][0]))


def test_every_recorded_lay_is_one_of_those_that_the_data_allow(steps: list[Step]) -> None:
    map, seen = the_map(), 0
    for hex, tile, rotation, board, _ in laid(steps):
        if map.tiles[tile].overlay:
            continue
        seen += 1
        if hex not in board.tiles:
            assert rotation in map.first_lays[hex][tile]
            continue
        old, turned = board.tiles[hex]
        ways = map.relabelled.get(hex, {}).get(old, {}).get(tile) or map.upgrades[old][tile]
        assert (rotation - turned) % 6 in ways, f"{old} -> {tile} in {hex}"
    assert seen > 100


def test_every_recorded_tunnel_fits_and_is_reached_by_a_mouth(steps: list[Step]) -> None:
    tunnels = [found for found in laid(steps) if found[1] in (CURVE, STRAIGHT)]
    assert len(tunnels) == 5
    for hex, tile, rotation, board, company in tunnels:
        assert rotation in tunnel_rotations(board)[hex][tile]
        assert any((hex, e) in reach(board, company) for e in board.map.tiles[tile].face.turned(rotation).exits)
    assert furka_laid(board_of(steps[-1][2]))


def test_every_recorded_marker_was_in_reach(steps: list[Step]) -> None:
    seen = 0
    for action, before, after in steps:
        if action["type"] != "place_token":
            continue
        company, old, new = CompanyId(action["entity"]), board_of(before), board_of(after)
        for hex, city in set(new.places_of(company)) - set(old.places_of(company)):
            seen += 1
            assert ("c", hex, city) in reach(old, company)
    assert seen > 10


def test_destinations_are_reached_when_the_record_says_so(steps: list[Step]) -> None:
    """Only companies with a marker: the record does not look at those that have not operated."""
    reached: list[str] = []
    known: dict[str, Board] = {}
    for _, before, after in steps:
        pending, still = (s["title_state"]["destinations_pending"] for s in (before, after))
        waiting = [c for c in pending if c != "GB" and after["corporations"][c]["tokens"]]
        key = json.dumps([after["tiles"], after["slots"], after["title_state"]["tunnels"]])
        if not waiting or (key in known and pending == still):
            continue
        board = known[key] = board_of(after)
        for company in map(CompanyId, waiting):
            home = companies()[company].charter.home
            assert home is not None
            start = (home[0], board.home_city(*home))
            assert joins(board, start, HexId(pending[company]), company) is (company not in still), company
            reached += [company] if company not in still else []
    assert reached == ["NOB", "VSB", "FNM", "JS", "SCB", "AB", "STB", "MOB", "RhB", "BLS"]
