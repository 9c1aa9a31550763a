"""The files of one volume: its page, its positions, its record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Any, Final

from engine.core.events import Event
from engine.core.state import Round
from grammar import write
from moderator.archive.pieces import PICTURES, Pieces, layers_of
from moderator.archive.timeline import Timeline
from moderator.archive.volume import Volume
from moderator.domain.vocabulary import vocabulary
from moderator.render.clauses import clauses
from moderator.render.words import Words, words

FORM: Final = 1
"""The version of what the files hold and how. A page of another form is written anew when its game changes."""
ROOT: Final = "../../"
"""From the folder of a volume to that of the site."""


@dataclass(frozen=True, slots=True)
class Written:
    """An order in words: its giver, the order in the notation of orders, and what came of it."""

    number: int
    round: Round
    actor: str
    text: str
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The orders of one round."""

    round: Round
    orders: tuple[Written, ...]


@dataclass(slots=True)
class Shown:
    """A volume as it is told and shown: everything that its page is made of."""

    pieces: Pieces
    timeline: Timeline = field(default_factory=Timeline)
    orders: list[Written] = field(default_factory=list)


@lru_cache(maxsize=8)
def asset(name: str) -> tuple[str, bytes]:
    """A script or a style with the name under which pages ask for it. The name has a digest of the contents, so that
    a page has for ever what it was built with."""
    content = (files("moderator.archive") / "assets" / name).read_bytes()
    stem, _, kind = name.partition(".")
    return f"assets/{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{kind}", content


def show(volume: Volume, own: Words) -> Shown:
    """Every position of a volume in parts, and every order in words."""
    shown = Shown(Pieces(own, volume.game.title))
    names = vocabulary(volume.game.title, volume.game.state.players)
    shown.timeline.add(0, shown.pieces.of_start(volume.game.at(0)))
    for step in volume.steps():
        told = _told(own, volume, step.events)
        text = write(step.order, names)
        shown.orders.append(Written(step.number, step.before.round, str(step.order.actor), text, told))
        shown.timeline.add(step.number, shown.pieces.of_step(step))
    return shown


def _told(own: Words, volume: Volume, events: tuple[Event, ...]) -> tuple[str, ...]:
    return tuple(text for text, _ in clauses(own, volume.game.title, events, None))


def files_of(volume: Volume) -> dict[str, bytes]:
    """The files of a volume by their names in its folder."""
    own = words("en")
    shown = show(volume, own)
    return {
        "index.html": _page(own, volume, shown).encode(),
        "game.js": _data(shown).encode(),
        "record.txt": volume.record.encode(),
    }


def facts_of(volume: Volume) -> dict[str, Any]:
    """The row of a volume in the index."""
    game, title = volume.game, volume.game.title
    edition = words("en").word(f"editions.{title.edition}", title.edition, title.name)
    return {
        "name": volume.name,
        "title": title.name,
        "full_title": title.full_name,
        "edition": title.edition,
        "edition_name": edition,
        "players": [str(player) for player in game.setup.players],
        "standings": [[str(player), wealth] for player, wealth in game.standings()],
        "orders": len(game.orders),
        "status": volume.status,
        "begun": volume.begun,
        "ended": volume.ended,
    }


def _page(own: Words, volume: Volume, shown: Shown) -> str:
    game = volume.game
    parts = shown.timeline.last()
    chapters = [Chapter(round, tuple(orders)) for round, orders in groupby(shown.orders, lambda o: o.round)]
    pictures = {
        name: {"box": parts[f"{name}.box"], "layers": layers_of(name, shown.pieces.frames[name], parts)}
        for name in PICTURES
    }
    return own.html(
        "archive_game",
        subject=f"{volume.name}: {game.title.full_name}",
        root=ROOT,
        style=asset("archive.css")[0],
        script=asset("game.js")[0],
        data="game.js",
        title=game.title,
        state=game.state,
        game={**facts_of(volume), "seat": volume.seat, "fault": volume.fault, "over": _over(volume),
              "file": f"{volume.name}.txt"},
        parts=parts,
        pictures=pictures,
        standings=game.standings(),
        press=volume.press,
        opening=_told(own, volume, game.opening),
        chapters=chapters,
    )  # fmt: skip


def _over(volume: Volume) -> bool:
    return volume.game.finished or volume.status in ("finished", "ended")


def _data(shown: Shown) -> str:
    """The positions as a script: pages that are opened from a folder may load scripts and nothing else."""
    rounds = [before.number for before, after in pairwise(shown.orders) if before.round != after.round]
    data: Mapping[str, Any] = {"form": FORM, "orders": len(shown.orders), "rounds": rounds, **shown.timeline.as_data()}
    return f"railpost({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n"
