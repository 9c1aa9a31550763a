"""Positions for tests of the board: a title with tiles and markers as wanted, and those of recorded games."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import engine
from engine.board.board import Board
from engine.core.ids import CompanyId, HexId, PhaseName, TileId
from engine.core.state import State
from engine.core.title import Title

Tiles = Mapping[str, str]
"""Hex -> ``tile#rotation``."""
Markers = Mapping[str, list[list[str]]]
"""Hex -> companies by city."""


def board(title: Title, tiles: Tiles, markers: Markers) -> Board:
    """A board from the short spelling of tests and records."""
    laid = {HexId(h): (TileId(t.split("#")[0]), int(t.split("#")[1])) for h, t in tiles.items()}
    standing = {HexId(h): tuple(tuple(map(CompanyId, city)) for city in cities) for h, cities in markers.items()}
    return Board(title.map, laid, standing)


def start(title: Title) -> State:
    """The first position of a game of three."""
    return engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat"), seed="positions")).state


def position(
    base: State, title: Title, tiles: Tiles, markers: Markers, phase: str = "2", opened: tuple[str, ...] = ()
) -> State:
    """``base`` with another board and phase. Companies with a marker, and ``opened``, are in play."""
    there = {c for cities in markers.values() for city in cities for c in city} | set(opened)
    companies = {c: replace(s, status="open") if c in there else s for c, s in base.companies.items()}
    return replace(base, board=board(title, tiles, markers), companies=companies, phase=PhaseName(phase))


def recorded(folder: Path, name: str, title: Title) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each action of a recorded game with the recorded state before it, companies by their printed names."""
    printed = {s: str(c.id) for c in title.companies.values() for s in (*c.synonyms, c.id)}
    actions = json.loads((folder / f"{name}.actions.json").read_text(encoding="utf-8"))
    with gzip.open(folder / f"{name}.states.jsonl.gz", "rt", encoding="utf-8") as lines:
        states = [json.loads(line) for line in lines]
    for action, before in zip(actions, states, strict=False):
        slots = {
            h: [[printed.get(c, c) for c in city if c] for city in cities] for h, cities in before["slots"].items()
        }
        slots = {h: cities for h, cities in slots.items() if any(cities)}
        corporations = {printed[c]: s for c, s in before["corporations"].items()}
        entity = printed.get(action["entity"], action["entity"])
        yield {**action, "entity": entity}, {**before, "slots": slots, "corporations": corporations}


def from_record(base: State, title: Title, before: Mapping[str, Any]) -> State:
    """The board, phase and companies of a recorded state."""
    state = position(base, title, before["tiles"], before["slots"], before["phase"])
    companies = {}
    for company, data in before["corporations"].items():
        old = state.companies[CompanyId(company)]
        if data["closed"]:
            companies[CompanyId(company)] = replace(old, status="closed")
        else:
            companies[CompanyId(company)] = replace(old, status="open" if data["in_play"] else "unstarted")
    return replace(state, companies=companies)
